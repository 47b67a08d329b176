"""Find where English sentences end that no mark ends, as in chat: `i sold the van it was too old`.

A subject with its verb begins either the next sentence, or a clause that says which (`the van we
sold`) or that a verb or a conjunction takes (`i think it was old`). What says which has a gap where
its noun belongs (Huddleston & Pullum 2002, 12.3), and what takes a clause stands right before it.
Where grammar leaves it open there is no border: half a sentence says something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from vaultmem.nlp.text.stopwords import EVENTS, words

# A stretch of fewer words without a mark is no run of sentences, as a rule.
_LONG = 9
_MARKS, _DASHES = ',;:.!?-\u2026\u2013\u2014)"\u201d', ("-", "--", "\u2013", "\u2014")
_WORD = re.compile(r"[^\w'\u2019]+")
_LEAST, _SHORTEST = 2, 4
# So many words are looked at before a border, and behind it.
_BACK, _AHEAD = 80, 12

_BE = words("am is are was were isn't aren't wasn't weren't isnt arent wasnt werent")
_FINITE = _BE | words("""
    has have had hasn't haven't hadn't will won't can can't could couldn't would wouldn't should
    shouldn't may might must do don't does doesn't did didn't dont doesnt didnt cant wont hasnt
    havent couldnt
""")
_SHORT = re.compile(
    r"(?:i|we|he|she|they|it|that|there|you)['\u2019](?:m|s|re|ve|ll|d)|im|ive|thats"
)
_SPEAKER = words("i we")
_OTHERS = words("he she they it you")
_DETERMINER = words("my our your the this his her their these those a an")
# Takes a clause, or what stands behind it: no sentence ends with one of these.
_GOES_ON = (
    _FINITE
    | _DETERMINER
    | words("""
    and or but nor so because cause 'cause cuz cos bc since when whenever while if unless until till
    though although as than that which who whom whose what where why how whether once before after
    like every each some any no not never always also just really even still only very too more
    of in on at to by for from with without into onto about over under through during between among
    against across along around near behind beside toward towards upon per via
    i we you he she they it's i'm think thought know knew hope hoped say says said tell tells told
    mean means meant feel felt guess bet wish believe believed swear heard hear saw realize
    realized realise realised remember decided sure glad happy sorry afraid proud wonder wondering
    sounds sound looks look seems seem feels tastes
    suppose figure figured imagine makes make made let lets help helped helps love way reason
    knowing thinking hoping saying telling meaning feeling realizing
    time day moment everything anything something all thing things much how's be been being
    your its another both one gonna wanna want wanted need needed
""")
)
_CONDITIONS = words("if unless although though once whether")
_SUBORDINATES = words("when whenever since while because as after before until by")
_JOINS = words("and but so or then")
_BY = 4
_ADVERB = words("""
    just really also still always never ever already only even finally recently actually totally
    definitely so both all not usually often sometimes been being kinda
""")
_PREPOSITION = words("""
    of in on at to by for from with without into onto about over under through during between among
    against across along around near up out off back down
""")
# What a verb of these is done to stands behind it, or is the noun that it says more of.
_TRANSITIVE = words("""
    made make got get had have bought painted paint love loved like liked saw see took take wrote
    write read found find need needed want wanted built build created create met meet did do done
    doing use used shared share started start learned learnt brought gave give received wear wore
    making getting having taking using reading writing painting building enjoy enjoyed
""")
_BEFORE_VERB = _ADVERB | (_FINITE - _BE)
_TO = words("want wanted need needed like liked love loved start started learn learned learnt have")
_WHEN = words("""
    yesterday today tonight tomorrow now lately recently again ago before later then too here there
    last next this every monday tuesday wednesday thursday friday saturday sunday once twice
""")
_TIMES = re.compile(
    r"(?:(?:yesterday|today|tonight|tomorrow|recently|lately"
    r"|(?:last|next|this) (?:night|week|weekend|month|year|spring|summer|fall|autumn|winter|\w+day)"
    r"|(?:\w+ )?(?:days?|weeks?|months?|years?) ago))$"
)
_REACTS = words("""
    thanks thank wow whoa hey yeah yep yes oh btw anyway anyways lol haha congrats congratulations
    omg woohoo yay aww sounds
""")
_ASKS = words("what what's whats how how's hows when where where's who who's why which")
_INVERTED = words("do does did have has are is was were can could would will should")
_ASKED = words("you u it that they we he she your the there")


def sentences(text: str) -> Iterator[str]:
    """Yield *text*, a sentence by its marks, in the sentences it has by its grammar.

    What asks gets the mark that says so.
    """
    tokens = text.split()
    borders = list(_borders(tokens))
    if not borders:
        yield text
        return
    for start, stop in pairwise([0, *borders, len(tokens)]):
        piece = " ".join(tokens[start:stop])
        if stop < len(tokens) and _is_past(_plain(tokens[stop : stop + 2])):
            piece = _TIMES.sub("", piece).strip()
        asks = _is_asked(_plain(tokens[start:stop]), 0) and piece[-1:].isalnum()
        yield f"{piece}?" if asks else piece


def _plain(tokens: Sequence[str]) -> list[str]:
    return [_WORD.sub("", token).casefold().replace("\u2019", "'") for token in tokens]


def _borders(tokens: Sequence[str]) -> Iterator[int]:
    """Yield where a sentence begins that is not the first."""
    plain, start = _plain(tokens), 0
    for first, last in _runs(tokens):
        for i in range(first + 1, last):
            if plain[i - 1] in _GOES_ON or not _begins(plain, i):
                continue
            before = plain[max(start, first, i - _BACK) : i]
            if len(before) < _LEAST or _goes_on(before):
                continue
            if _is_whole(before) and not (plain[i] in _INVERTED and before[0] in _ASKS):
                yield i
                start = i


def _runs(tokens: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield from where to where *tokens* are a long run without a mark."""
    marks = [i for i, token in enumerate(tokens, 1) if token[-1] in _MARKS or token in _DASHES]
    edges = pairwise(dict.fromkeys([0, *marks, len(tokens)]))
    yield from ((start, stop) for start, stop in edges if stop - start >= _LONG)


def _goes_on(before: Sequence[str]) -> bool:
    """Whether what opens behind *before* belongs to it: as a clause it takes, or its main one."""
    if before[-2] == "how" or "by" in before[-_BY:]:
        return True
    if not _CONDITIONS.isdisjoint(before) or before[0] in _SUBORDINATES:
        return True
    return any(a in _JOINS and b in _SUBORDINATES for a, b in pairwise(before))


def _is_whole(before: Sequence[str]) -> bool:
    """Whether *before* can be a sentence: it has a verb, reacts or asks."""
    if before[0] in _REACTS or _is_asked(before, 0):
        return True
    return any(
        word in _FINITE or word in EVENTS or _SHORT.fullmatch(word) or word in _SPEAKER
        for word in before
    ) or before[0].endswith("ing")


def _is_past(opening: Sequence[str]) -> bool:
    """Whether *opening* tells of a deed of the speaker's, which may have its time before it."""
    return opening[0] in _SPEAKER and (opening[-1] in EVENTS or opening[-1].endswith("ed"))


def _begins(plain: Sequence[str], i: int) -> bool:
    """Whether a sentence may begin at *i*: somebody does something, asks or reacts."""
    if plain[i] in _REACTS or _is_asked(plain, i):
        return True
    if plain[i] in _DETERMINER:
        return _is_predicated(plain, i)
    if _SHORT.fullmatch(plain[i]):
        return not _has_gap(plain, i + 1)
    if plain[i] in _SPEAKER:
        return not _has_gap(plain, i + 1)
    is_object = plain[i] in _OTHERS and i > 0 and _does(plain[i - 1])
    if is_object or plain[i] not in _OTHERS:
        return False
    return _acts(plain, i + 1) and not _has_gap(plain, i + 1)


def _does(word: str) -> bool:
    """Whether *word* is a verb that does something to what stands behind it."""
    return word in EVENTS or word in _TRANSITIVE


def _is_predicated(plain: Sequence[str], i: int) -> bool:
    """Whether the noun whose determiner stands at *i* is something, and no verb's object."""
    if i and (_does(plain[i - 1]) or plain[i - 1].endswith("ing")):
        return False
    noun, rest = plain[i + 1 : i + 2], plain[i + 2 : i + 4]
    if not rest or noun[0] in _GOES_ON:
        return False
    is_named = rest[0] in _BE
    return is_named or (rest[0] not in _GOES_ON and len(rest) == _LEAST and rest[1] in _BE)


def _acts(plain: Sequence[str], i: int) -> bool:
    """Whether a verb stands at *i*."""
    word = next((it for it in plain[i : i + 2] if it not in _ADVERB), "")
    is_past = len(word) > _SHORTEST and word.endswith("ed")
    return word in _FINITE or word in EVENTS or is_past or word.endswith("s")


def _is_asked(plain: Sequence[str], i: int) -> bool:
    """Whether a question begins at *i*: a verb before its subject, or `any plans`."""
    word, rest = plain[i], plain[i + 1 : i + 4]
    if word in _ASKS:
        if "'" in word or word in {"whats", "hows"}:
            return True
        return any(a in _INVERTED and b in _ASKED for a, b in pairwise(rest)) or (
            word in {"what", "how"} and rest[:1] in (["made"], ["about"])
        )
    return (word in _INVERTED and rest[:1] in (["you"], ["u"])) or (
        word == "any" and bool({"plans", "tips", "ideas", "advice"}.intersection(rest))
    )


def _has_gap(plain: Sequence[str], i: int) -> bool:
    """Whether the clause whose verb stands from *i* on lacks what its verb is done to."""
    behind = [it for it in plain[i : i + _AHEAD] if it not in _BEFORE_VERB]
    if not behind or behind[0] in _JOINS | _PREPOSITION | _SPEAKER:
        return True
    verb, rest = behind[0], behind[1:]
    if verb in _BE or not rest:
        return not rest and (verb in _BE or _does(verb))
    if rest[0] in _BE or (verb in _TRANSITIVE and rest[0] in _SUBORDINATES | _SPEAKER):
        return True
    if verb in _TRANSITIVE and (rest[0] in _PREPOSITION or rest[0] in _WHEN):
        return rest[0] != "to" or verb not in _TO
    return rest[0] in _PREPOSITION and _is_stranded(rest[1:])


def _is_stranded(behind: Sequence[str]) -> bool:
    """Whether what stands *behind* a preposition is not what it goes with."""
    after = behind[0] if behind else ""
    return not after or after in _WHEN | _PREPOSITION or _SHORT.fullmatch(after) is not None
