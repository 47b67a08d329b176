"""Name a stretch of talk by what it is about: its heaviest words, as they were written."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from itertools import chain
from typing import NamedTuple

from vaultmem.nlp.extraction.grammar import german
from vaultmem.nlp.extraction.grammar.word_use import A_NAME, OFTEN, WordUse, written
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis, quotation, salience, segmentation, stopwords
from vaultmem.nlp.text.stopwords import (
    CJK_STOP,
    DAYS,
    EVENTS,
    GENERAL,
    MONTH_NAMES,
    NUMBER_WORDS,
    VAGUE,
)
from vaultmem.nlp.text.word_order import capitalized
from vaultmem.storage import files

_TERMS, _NAMED, _LONGEST_RUN = 3, 2, 8
_PAIR = 2
# So many heavy things are looked at for the one that is spoken of most.
_ASKED = 6
_LOOKED_AT = 3
# People among themselves speak of many things: of so many sentences more must speak of one.
_MANY, _OFTEN_OF_MANY = 12, 3
# A short word is a common one (Zipf 1935): alone it names only what much of the talk is of.
_WIDE, _MUCH, _MUCH_ALONE = 5, 1 / 6, 1 / 4
# Follow an article as things do.
_DESCRIBING = stopwords.words(
    "first second third last next new old young big small whole intense"
    " bad good tall asleep awake tired steady enough hard easy late early sick real funny"
    " free busy boring interesting annoying amazing exciting confusing freezing spare mid"
    " short sharp tight flat loose own"
)
# Stems that say when, never what; and what is left of `5th`.
_TIMES = frozenset(
    map(
        analysis.stem,
        stopwords.words("""
            day week month year today yesterday tomorrow tonight hour minute night morning
            afternoon evening noon midnight weekend
        """),
    )
)
_CLOCK = stopwords.words("am pm st nd rd th sat sun mon tue tues wed thu thur thurs fri")
# Things of any talk, of which a title says nothing.
_ANY_THING = stopwords.words("""
    individual area mix act blast source solution action relief weekend kindness pair times guts
    loss win street offer option difference total middle top bottom side front back message call
    email name idea person people guy girl boy finger character tho bc cuz btw nm tbh omg lol idk
    ngl rn fr dm insta pic vid comp prob obvs ofc ppl tmrw tonite pls thx biz color active
    everything everybody anything nothing information extra status item items situation around once
    guess hope turn bother comprehensive current daily minimum maximum likely total intent period
    family kid friend feeling group event visit beauty photo picture video semester
    home house
    dad mom mum mother father parent brother sister wife husband son daughter girlfriend boyfriend
    roommate cousin aunt uncle grandma grandpa man woman boss
    system company center centre cup slice piece issue problem scene fan sentence
    user etc cheap based rich another memory memories connection awareness project joke topic
    anyway greater lesser versus mostly usually actually originally previously roughly typically
    partially fully currently recently
    said told asked conversation spontaneous haha hahaha example even task
""")
_ADDRESSES = stopwords.words("dr mr mrs ms prof")
# No part of a number (`DELTA-JMK892`), and whole: `Series C`. What opens a sentence is no adverb.
_NAME = re.compile(
    r"(?:^(?![A-Z][a-z]+ly )[A-Z][a-z]+ |(?<=[a-z\d,] ))(?:(?:Dr|Mr|Mrs|Ms|Prof)[.]? )?"
    r"(?!(?:Dr|Mr|Mrs|Ms|Prof)\b)[A-Z][A-Za-z]+(?: (?!I\b)[A-Z][A-Za-z]*)*(?![\w-]*\d)(?!\w)"
)
# Laughter, and when something is: it names nothing.
_PASSING_RUN = (
    "[\u54c8\u5475\u563f]|[\u5468\u661f][\u4e00-\u4e09\u56db\u4e94\u516d\u65e5\u5929]"
    "|\u661f\u671f|[\u4eca\u660e\u6628\u540e\u524d\u53bb][\u5929\u5e74]|[\u4e0a\u4e0b]\u4e2a"
)


def title(texts: Sequence[str], voices: Iterable[str] = (), fallback: str = "") -> str:
    """Return a short line for *texts*: what they are about, else how they begin, else *fallback*.

    The names of the *voices* are left out, since they are mostly addressed.
    """
    whole = " ".join(texts)
    if analysis.is_cjk(whole):
        runs = _runs(texts)
        return "\u3001".join(runs) or _start(texts) or fallback
    most = _NAMED if len(texts) > _NAMED else 1  # little text tells little of what it is about
    named = " and ".join(phrases(texts, most, voices))
    return (named[:1].upper() + named[1:]) or _start(texts) or fallback


def shared(texts: Sequence[str], voices: Sequence[str] = (), speakers: Sequence[str] = ()) -> str:
    """Return what most of *texts* speak of, with a second thing as often named, "" for none.

    Each stands in two of them at least, in three where several *voices* say much, and a word in a
    quarter of them without another beside it; two together in three: else they are two words by
    chance. The *speakers* are one for each text. English and Chinese are read.
    """
    said = [salience.spoken(text) for text in texts]
    if analysis.is_cjk(" ".join(said)):
        return _shared_run(said)
    if not stopwords.is_english([head for text in said for head in analysis.heads(text)]):
        return ""
    about = [frozenset(analysis.terms(text)) for text in said]
    found = phrases(texts, _ASKED, voices)
    spread = {name: sum(_terms(name) <= terms for terms in about) for name in found}
    often = _OFTEN_OF_MANY if any(voices) and len(texts) >= _MANY else OFTEN
    known = [name for name in found if spread[name] >= often]
    # A stable sort: of two as widespread the heavier one.
    ordered = sorted(known, key=lambda name: -spread[name])
    first, second = [*ordered, "", ""][:2]
    is_both = spread.get(second, 0) >= max(OFTEN + 1, spread.get(first, 0) / 2)
    is_both &= first.rstrip("s") != second.rstrip("s")
    is_both &= not (_is_lone_name(first) and _is_lone_name(second))
    of_much = min(spread.get(first, 0), spread.get(second, 0)) >= _MUCH_ALONE * len(texts)
    if is_both and (" " in f"{first}{second}" or of_much):
        return capitalized(f"{first} and {second}")
    least = 0.0 if " " in first else _MUCH_ALONE
    if _is_wide(first, among=any(voices)):
        least = max(least, _MUCH)
    if spread.get(first, 0) >= least * len(texts):
        return capitalized(first)
    if not any(voices):
        return _of_one_matter(ordered)
    return _of_a_pair(ordered, about, speakers) if len(voices) <= _PAIR else ""


def _of_one_matter(names: Sequence[str]) -> str:
    """Return the first two of *names*: who talks with an agent sticks to what comes up again."""
    return capitalized(" and ".join(names[:2])) if len(names) > 1 else ""


def _of_a_pair(
    names: Sequence[str], about: Sequence[frozenset[str]], speakers: Sequence[str]
) -> str:
    """Return the first of *names* that two who talk with each other have both said, "" for none.

    Of many people some two say any word in passing.
    """
    both = (n for n in names if len(_said_by(n, about, speakers)) > 1 and not _is_lone_name(n))
    return capitalized(next(both, ""))


def told_of(
    lines: Sequence[str],
    texts: Sequence[str],
    voices: Sequence[str],
    said: Sequence[Sentence] = (),
) -> str:
    """Return what English *lines* that are quoted of *texts* tell of, "" where that is unsure.

    It is the first name in them that none of the *voices* has, or a thing that comes up again. In
    what a user and an agent have *said* a name counts that both say: where somebody works, or what
    a street is called, is asked for, and names no matter.
    """
    spoke = {head for voice in voices for head in analysis.heads(voice)}
    english = [line for line in lines if stopwords.is_english(analysis.heads(line))]
    for line in english:
        known = frozenset(analysis.names([line, f"x {line}"])) - spoke - MONTH_NAMES - _CLOCK
        known = frozenset(name for name in known if analysis.stem(name) not in DAYS)
        found = next((m[0] for m in _NAME.finditer(line) if known.issuperset(_heads(m))), "")
        if found and (not said or _is_of_both(found, said)):
            return found
    about = [frozenset(analysis.terms(text)) for text in texts]
    things = phrases(english, _NAMED, voices) if english else ()
    return next((it for it in things if sum(_terms(it) <= t for t in about) >= OFTEN), "")


def _is_of_both(name: str, said: Sequence[Sentence]) -> bool:
    own = _terms(name)
    return len({s.role for s in said if own <= frozenset(analysis.terms(s.text))}) > 1


def without(name: str, known: AbstractSet[str]) -> str:
    """Return the parts of *name* that say more than the *known* terms, and more than any talk."""
    empty = known | no_subjects()
    return " and ".join(p for p in name.split(" and ") if p.isupper() or not _terms(p) <= empty)


def _heads(name: re.Match[str]) -> list[str]:
    return analysis.heads(name[0])


def _said_by(name: str, about: Sequence[frozenset[str]], speakers: Sequence[str]) -> frozenset[str]:
    """Return who of the *speakers* said *name* in what each text is *about*."""
    said = zip(about, speakers, strict=False)
    return frozenset(who for terms, who in said if _terms(name) <= terms)


def _is_wide(name: str, *, among: bool) -> bool:
    """Whether *name* alone says little: one short word, or a name said *among* people."""
    is_short = " " not in name and 0 < len(name) <= _WIDE
    return is_short or (among and _is_lone_name(name))


def _is_lone_name(name: str) -> bool:
    """Whether *name* is one word with a capital: among people mostly one of them."""
    return " " not in name and name[:1].isupper()


def _shared_run(texts: Sequence[str]) -> str:
    """Return the string of Chinese characters that several of *texts* have, "" for none."""
    spread = {run: sum(run in text for text in texts) for run in _runs(texts)}
    best = max(spread, key=lambda run: spread[run], default="")
    return best if spread.get(best, 0) >= max(_OFTEN_OF_MANY, _MUCH * len(texts)) else ""


def _terms(name: str) -> frozenset[str]:
    return frozenset(analysis.terms(name))


def subjects(
    texts: Sequence[str], most: int, unless: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Return the heaviest terms of *texts* as written, the heaviest first, *unless* named."""
    if analysis.is_cjk(" ".join(texts)):
        return tuple(_runs(texts)[:most])
    surfaces, documents = _written_forms(texts), [analysis.terms(text) for text in texts]
    weight = segmentation.weights(documents)
    names = frozenset(analysis.stem(name) for name in analysis.names(texts))
    known = (t for t in weight if t in surfaces and t not in unless | _TIMES | VAGUE)
    worth = {t: weight[t] * (A_NAME if t in names else 1.0) for t in known}
    # A stable sort: of two as heavy the one that was said first.
    heavy = sorted(worth, key=lambda term: -round(worth[term], 6))
    return tuple(written(surfaces[term]) for term in heavy[:most])


def period(first: str, last: str) -> str:
    """Return the months from *first* to *last*, ISO 8601: `May to July 2023`; "" for none."""
    try:
        start, end = date.fromisoformat(first[:10]), date.fromisoformat(last[:10])
    except ValueError:
        return ""
    if (start.year, start.month) == (end.year, end.month):
        return f"{start:%B} {start.year}"
    year = "" if start.year == end.year else f" {start.year}"
    return f"{start:%B}{year} to {end:%B} {end.year}"


def phrases(texts: Sequence[str], most: int, voices: Iterable[str] = ()) -> tuple[str, ...]:
    """Return what *texts* are about, the heaviest first: `adoption agencies`, `pottery`.

    Things alone, by what stands before them, each with the word that it mostly stands beside. The
    names of the *voices* are left out.
    """
    said = [salience.spoken(text) for text in texts]
    if analysis.is_cjk(" ".join(said)):
        return tuple(_runs(said)[:most])
    # Of German nouns alone have a capital; of what chat writes without, none is known for one.
    are_capital = german.is_talk(" ".join(said))
    use = WordUse(said)
    spoke = {head for voice in voices for head in analysis.heads(voice)}
    unless = no_subjects() | {t for t in use.weights if any(s.startswith(t) for s in spoke)}
    found: list[str] = []
    known: set[str] = set()
    for stem in use.weights:
        if len(found) == most:
            break
        if stem in known or stem in unless or not use.is_thing(stem):
            continue
        named = use.beside(stem, unless | known) or use.alone(stem)
        if are_capital and not named[:1].isupper():
            continue
        if named and named.lower() not in _ADDRESSES:
            found.append(named)
            known |= {analysis.stem(part) for part in named.split()}
    return tuple(found)


class Subjects(NamedTuple):
    """What texts are about, the heaviest first: what several of them speak of, and everything."""

    several: tuple[str, ...] = ()
    every: tuple[str, ...] = ()


def spoken_of(texts: Sequence[str], most: int, voices: Iterable[str], least: int) -> Subjects:
    """Return what at *least* so many of the *texts* speak of, and what any does, *most* of each.

    Several may speak of a thing where few say which: of `black Marzocco`, `Marzocco`.
    """
    about = [frozenset(analysis.terms(text)) for text in texts]

    def spread(name: str) -> int:
        if analysis.is_cjk(name):
            return sum(name in text for text in texts)
        own = _terms(name)
        return sum(own <= terms for terms in about)

    every = phrases(texts, _LOOKED_AT * most, voices)
    found = (next((it for it in _plainer(name) if spread(it) >= least), "") for name in every)
    return Subjects(tuple(dict.fromkeys(filter(None, found)))[:most], every[:most])


def _plainer(name: str) -> Iterator[str]:
    """Yield *name*, and without what describes it: of a name with two parts both are one."""
    yield name
    first, _, thing = name.partition(" ")
    if thing and first.islower():
        yield thing


@functools.cache
def no_subjects() -> frozenset[str]:
    """Return the stems that no title is made of."""
    words = [*GENERAL, *NUMBER_WORDS, *EVENTS, *_DESCRIBING, *_CLOCK, *DAYS, *_ANY_THING]
    stems = frozenset(map(analysis.stem, words))
    return stems | _TIMES | VAGUE | MONTH_NAMES


def slug(name: str) -> str:
    """Return a file's name for *name*; one that ASCII cannot hold is told by its hash."""
    return files.telling_slug(name) or f"topic-{files.sha256(name.encode())[:8]}"


def _written_forms(texts: Iterable[str]) -> Mapping[str, Counter[str]]:
    """Return for each stem how it was written and how often."""
    found: dict[str, Counter[str]] = {}
    for word, count in Counter(word for text in texts for word in analysis.words(text)).items():
        plain = word.replace("\u2019", "'").split("'")[0]
        found.setdefault(analysis.stem(word), Counter())[plain] += count
    return found


def _runs(texts: Sequence[str]) -> list[str]:
    """Return the strings of Chinese characters that occur again, the weightiest first."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({run for word in analysis.words(text) for run in _parts(word)})
    heavy = [run for run, count in counts.items() if count > 1]
    ranked = sorted(heavy, key=lambda run: (-counts[run] * (len(run) - 1), run))
    kept: list[str] = []
    for run in ranked:
        if not any(run in other or other in run for other in kept):
            kept.append(run)
    return kept[:_TERMS]


def _parts(word: str) -> Iterable[str]:
    if not analysis.is_cjk(word):
        return ()
    return (
        word[i:j]
        for i in range(len(word))
        for j in range(i + 2, min(i + _LONGEST_RUN, len(word)) + 1)
        if CJK_STOP.isdisjoint(word[i:j]) and not re.match(_PASSING_RUN, word[i:j])
    )


def _start(texts: Sequence[str]) -> str:
    """Return the first words of the first sentence."""
    sentences = chain.from_iterable(map(analysis.sentences, texts))
    first = next((s for s in sentences if not analysis.is_code(s)), "")
    return quotation.chop(first, 8).strip("\u2026 .,:;\uff0c\u3002\uff1a").replace(":", "")
