"""What a user came to an agent for: the thing of the first request, `a quote for moving a piano`.

The opening tells it: somebody says what they want, bids, asks why or how, or
tells what befell them and what is at fault. Later sentences mostly answer what is asked back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from vaultmem.nlp.extraction.grammar import german, main_clause_en
from vaultmem.nlp.extraction.naming import (
    fault_things,
    first_news,
    first_request_de,
    first_request_zh,
    request_things,
    thing_phrases,
)
from vaultmem.nlp.extraction.talk import cue_phrases
from vaultmem.nlp.text import analysis

_I = r"\b(?:i|we)(?:['\u2019](?:d|m|ve|re)| would| am| are| have)? ?(?:just |also |really )?"
_YOU = r"\b(?:can|could|would|will) you (?:please |also |just |maybe )*"
# What somebody says they want, or asks for, wherever it stands.
_ASKS = re.compile(
    rf"(?i){_I}"
    r"(?:like|want(?:ed)?|need|looking|look|trying|try|calling|call|hoping|hope|wondering|thinking"
    r"|planning|interested)\b"
    r"|\band (?:i |we )?(?:need|want(?:ed)?|would like)\b"
    r"|^(?:hi[\w, ]*|hello[\w, ]*)?(?:calling about|need|looking for)\b"
    rf"|{_YOU}(?:help|check|tell|find|book|explain|write|make|give)\b"
    r"|\bhelp (?:me|us)\b|\bhow (?:do|can) i\b"
)
# What else asks where talk opens: `could you proofread`, `I'm training for`, `I was asked to give`.
_OPENS = re.compile(
    rf"(?i){_YOU}\w+\b|\b(?:how|what) (?:do|can|should|would|could) (?:i|we|you) \w+\b"
    r"|\bhow (?:much|many)\b|\bway to \w+\b|\b(?:should|shall) (?:i|we) \w+\b"
    r"|\b(?:need|want|like) you to \w+\b"
    r"|\bis it (?:worth|better|ok(?:ay)?|possible|safe|time) (?:to )?\w+\b"
    r"|^(?:i|we)(?:['\u2019](?:m|re)| am| are) (?:currently |now |also )?\w+ing\b"
    r"|\b(?:i|we)(?:['\u2019]ve| have)? (?:was |were |been )(?:asked|told|invited|hired) to \w+\b"
)
_LEAD = re.compile(
    r"(?i)(?:(?:hi|hello|hey|ok(?:ay)?|so|now|well|great|thanks|first|then|next|also|just"
    r"|good (?:morning|evening|afternoon)|(?P<urged>please|let(?:['\u2019]?s| us)))\b[,!. ]*)*"
)
# What is bid with two words for one: `take a look at the parser`.
_LOOKS = re.compile(
    r"(?i)(?:(?:take|have) (?:a|another) (?:\w+ )?look|look|go) (?:at|into|over|through)\b"
)
_BIDS = re.compile(rf"(?i)(?:{cue_phrases.TASK_VERBS})\b(?! (?:sure|out|it|this is)\b)")
# As in `give me a plan`.
_FOR_ME = re.compile(r"(?i)(?!(?:help|let|make|have)\b)[a-z]{3,}(?= (?:me|us) )")
_VERB = re.compile(r"(?i)(?!(?:see|do|be|go|not|don['\u2019]?t|have|know|note)\b)[a-z]{3,}\b")
_DEEDS = re.compile(r"(?i)(?: to (?!(?:be|let|make|have)\b)\w+(?: (?:up|out|about|on))?(?= ))+")
# Whoever makes somebody do something names the doer first: `make nodemon run the build`.
_LETS_DO = re.compile(r"(?i)(?:make|let|have)\b(?! (?:an?|some)\b)")
_BEFELL = re.compile(
    r"(?i)(?:^|[.!] |, )(?:i|we)(?:['\u2019]ve| have|['\u2019]ve got| just|['\u2019]m| am)?"
    r" ?(?:just |recently )?(?:have|got|had|received|noticed|found|reviewing|reviewed|closed on)\b"
    r"|^(?:(?:hi|hey|ok(?:ay)?|so|now|still|keep),? )*(?:getting|seeing|hitting)\b"
)
_OPENING = 3
"""So many sentences may tell what befell; later ones only answer."""
_MENTIONS = re.compile(r"@(?=[\w/])|[\"`\u201c\u201d\]]")
_ADDRESSED = re.compile(r"^(?:@[\w./-]+ )+(?=[A-Za-z])")


def subject(sentences: Iterable[str]) -> str:
    """Return the thing of the first request among *sentences*, "" where none names one."""
    told = [_plain(sentence) for sentence in sentences]
    whole = " ".join(told)
    if analysis.is_cjk(whole):
        return first_request_zh.subject(told)
    if german.is_talk(whole):
        return first_request_de.subject(told)
    opening = chain.from_iterable(map(_things_opened, told[:_OPENING]))
    later = (_named(rest) for sentence in told[_OPENING:] for rest in _behind(_ASKS, sentence))
    return next(filter(None, chain(opening, later)), "")


def wide_subject(sentences: Iterable[str]) -> str:
    """Return the object of what the user opens with the wish to do, one short word though it be."""
    opening = [_plain(sentence) for sentence in sentences][:_OPENING]
    behind = chain.from_iterable(_behind(_ASKS, sentence) for sentence in opening)
    deeds = ((rest, _DEEDS.match(rest)) for rest in behind)
    return next(
        (
            it
            for rest, deed in deeds
            if deed and (it := request_things.wide_object(rest[deed.end() :]))
        ),
        "",
    )


def _plain(sentence: str) -> str:
    """Return *sentence* as if it were written out: without `@parser.py`'s mark, `u` as `you`."""
    read = re.sub(r"(?i)\bu\b(?=\s)", "you", sentence)
    return _MENTIONS.sub("", _ADDRESSED.sub("", read)).replace("[", " ")


def _things_opened(sentence: str) -> Iterator[str]:
    """Yield the things that *sentence*, with which talk opens, may be about, the surest first."""
    yield fault_things.made_to(sentence)
    yield from map(request_things.of_deed, _bidden(sentence))
    yield from map(request_things.of_deed, _behind(_OPENS, sentence))
    yield from map(_asked_for, _behind(_ASKS, sentence))
    yield fault_things.asked_about(sentence)
    yield from (_named(rest) for rest in _behind(_BEFELL, sentence))
    yield fault_things.at_fault(sentence)
    yield from map(thing_phrases.titled, first_news.told(sentence))


def _bidden(sentence: str) -> Sequence[str]:
    """Return what follows the verb with which *sentence* bids, in a list of none or one."""
    lead = _LEAD.match(sentence)
    clause = sentence[lead.end() :] if lead else sentence
    if looks := _LOOKS.match(clause):
        return [clause[looks.end() :]]
    if _LETS_DO.match(clause):
        return []
    bids = (
        _BIDS.match(clause)
        or _FOR_ME.match(clause)
        or (_VERB.match(clause) if lead and lead["urged"] else None)
    )
    if bids is None and not main_clause_en.bids(clause):
        return []
    return [clause[bids.end() :] if bids else f" {clause.partition(' ')[2]}"]


def _asked_for(rest: str) -> str:
    """Return the object of the last deed that *rest* begins with: `to learn to read music`."""
    deeds = _DEEDS.match(rest)
    return request_things.of_deed(rest[deeds.end() :]) if deeds else _named(rest)


def _named(rest: str) -> str:
    return request_things.behind(rest)


def _behind(pattern: re.Pattern[str], sentence: str) -> Iterator[str]:
    return (sentence[found.end() :] for found in pattern.finditer(sentence))
