"""Tell when a newer fact contradicts an older one: same subject and attribute, another value."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from vaultmem.nlp.extraction import single_values
from vaultmem.nlp.extraction.talk import cue_phrases, similarity, tastes, utterances
from vaultmem.nlp.text import analysis

_NEARLY, _MOSTLY = 0.75, 0.5
SHARED = 0.2
"""The least part of the terms of both that two facts share of which one contradicts the other."""

_STATIVE = (
    r"(?i)\b(?:is|are|['\u2019]s|has|have|costs?|lives?|works?|takes|starts?|begins?|runs?|opens?"
    r"|closes?|prefers?|limit|port|deadline|version|moved|due)\b"
    "|[\u662f\u5728\u4e3a\u6709\u6539]|\u4f4f|\u4ef7\u683c|\u7aef\u53e3"
)
_VALUE = (
    r"(?P<what>.{4,80}?\b(?:is(?: now| currently)?(?: (?:in|at|on|with|from|called|named))?"
    r"|are(?: now| currently)?(?: (?:called|named))?|lives?(?: now| currently)? (?:in|at)"
    r"|works?(?: now| currently)? (?:in|at|for))) (?P<value>[^,;.!?]{1,40})[.!]*"
)
"""What is for somebody, by or with them, may be so of others, too, and so may several things."""

_FURTHER = (
    r"\b(?:at|by|during|for|from|in|into|on|over|through|to|under|until|while|with|without)\b"
)
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
_VALUE_ZH = (
    "(?P<what>.{2,30}?(?:\u662f|\u5728|\u6539\u4e3a|\u5b9a\u5728"
    "|\u53eb))(?P<value>(?!\u7ed9)[^\uff0c\u3002\uff1b]{1,20})\u3002?"
)
_SINGLE = (
    r"(?i)\b(?:favou?rite|default|main|name|owner|colou?r|capital|lead|manager|deadline|window"
    r"|database|language|editor)\b"
)


_SEVERAL = (
    r"(?i)\b(?:train|bus|tram|ferry|boat|shuttle|coach|metro|plane|lesson|class|course|training"
    r"|practice|rehearsal|seminar|lecture|talk|concert|show|film|party|visit|trip|tour|walk|shift"
    r"|call|exam|appointment|reminder|alarm|pill|dose|phone|mobile|telephone|e-?mail)"
    r"(?:e?s)?\b|\b(?:ferries|classes|parties)\b|['\u2019]s number\b"
    "|[\u8bfe\u836f]|\u706b\u8f66|\u516c\u4ea4|\u7535\u8bdd|\u53f7\u7801|\u805a\u4f1a"
)
"""Of these there may be two at other times or with other figures, unless one is put right."""

_PUT_RIGHT = r"(?i)\b(?:now|instead|no longer|anymore|moved|changed|rescheduled|postponed)\b|\u6539"

_LABELLED = (
    r"(?:The |Our )?(?!(?:Every|Each|On|In|At|From|After|Within|Until|By|For)\b)[A-Z][a-z]+ "
    r"(?P<figure>\d+(?:\.\d+)*[a-z]?)\b(?= [a-z])"
)


class _Claim(NamedTuple):
    """What a fact claims, taken apart once."""

    who: str
    text: str
    plain: str
    figures: frozenset[str]
    terms: frozenset[str]


def contradicts(newer: str, older: str) -> bool:
    """Whether *newer* gives another number, date, yes or no, or value than *older* does."""
    new, old = _claim(newer), _claim(older)
    if (new.who and old.who and new.who != old.who) or new.plain == old.plain:
        return False
    if not _alike(new.terms, old.terms, SHARED):
        return False
    if _label(new.text) != _label(old.text):
        return False
    is_one = not re.search(_SEVERAL, old.text) or _puts_right(new.text)
    return (
        tastes.takes_the_place(new.text, old.text)
        or (is_one and _in_the_same_place(new, old))
        or (is_one and _other_figure(new, old))
        or _other_answer(new, old)
        or (is_one and _other_value(new, old))
    )


def terms(text: str) -> frozenset[str]:
    """Return the words of *text* of which it shares some with all that contradict it."""
    return _claim(text).terms


@functools.lru_cache(maxsize=4096)
def _claim(line: str) -> _Claim:
    quoted = utterances.quoted(line)
    numbers, dates = analysis.figures(quoted.text)
    figures = frozenset([*numbers, *dates, *analysis.spelled_numbers(quoted.text)])
    terms = frozenset(analysis.terms(quoted.text)) - {day.casefold() for day in dates}
    return _Claim(quoted.who, quoted.text, similarity.plain(line), figures, terms)


def _alike(one: frozenset[str], two: frozenset[str], least: float) -> bool:
    return bool(one and two) and len(one & two) >= least * len(one | two)


def _label(text: str) -> str:
    """Return the figure that tells which one the sentence is about: `Room 4 has a projector`."""
    found = re.match(_LABELLED, text)
    return found["figure"] if found else ""


def _in_the_same_place(new: _Claim, old: _Claim) -> bool:
    """Whether both are the same sentence with another value, of which there is one only."""
    known = {single_values.frame_key(s): s.value for s in single_values.slots(old.text)}
    given = ((single_values.frame_key(s), s.value) for s in single_values.slots(new.text))
    return any(known.get(frame, value) != value for frame, value in given)


def _other_figure(new: _Claim, old: _Claim) -> bool:
    if not (new.figures and old.figures) or new.figures == old.figures:
        return False
    if _corrects(new.text):
        return _alike(new.terms, old.terms, _MOSTLY)
    if len(new.figures) != len(old.figures):  # one more is said, or less: both may be so
        return False
    stative = all(re.search(_STATIVE, claim.text) for claim in (new, old))
    return stative and _matches(new, old)


def _puts_right(text: str) -> bool:
    """Whether *text* says that something else held before."""
    return _corrects(text) or re.search(_PUT_RIGHT, text) is not None


def _corrects(text: str) -> bool:
    cue = cue_phrases.CORRECTION
    return any(re.search(pattern, text) for pattern in (cue.english, cue.chinese))


def _matches(new: _Claim, old: _Claim) -> bool:
    return len(new.terms & old.terms) > 1 and _alike(new.terms, old.terms, _NEARLY)


def _other_answer(new: _Claim, old: _Claim) -> bool:
    """Whether one says yes and the other no, in nearly the same words."""
    return similarity.negates(new.text) != similarity.negates(old.text) and _matches(new, old)


def _other_value(new: _Claim, old: _Claim) -> bool:
    """Whether both say what one attribute is, and name another thing."""
    one, two = _value(new.text), _value(old.text)
    if not (one and two) or _words(one["what"]) != _words(two["what"]):
        return False
    if _further(one["value"]) != _further(two["value"]):  # in Graz on weekdays, in Linz on others
        return False
    return _words(one["value"]) != _words(two["value"]) and _is_single(one) and _is_single(two)


def _value(text: str) -> re.Match[str] | None:
    return re.fullmatch(_VALUE_ZH if analysis.is_cjk(text) else _VALUE, text)


def _words(text: str) -> list[str]:
    return [word for word in analysis.heads(text) if word not in {"now", "currently"}]


def _further(value: str) -> str:
    """Return what is said behind the value itself: where, when or with whom that is so."""
    found = re.search(_FURTHER, value)
    return value[found.start() :].strip().casefold() if found else ""


def _is_single(found: re.Match[str]) -> bool:
    """Whether the attribute can have one value only: a place, or a thing there is one of."""
    if analysis.is_cjk(found[0]):
        return True
    if re.match(_DAY, found["value"]) or " and " in found["value"]:  # so are many, on many days
        return False
    return bool(re.search(_SINGLE, found["what"])) or found["value"][:1].isupper()
