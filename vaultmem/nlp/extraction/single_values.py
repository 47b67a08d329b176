"""Read the values in a sentence that can have one value only, each with the sentence around it.

`The bins are emptied on Tuesday` has a weekday, and around it `The bins are emptied on x`. Two
sentences with the same around them and another value contradict each other. Only what is so now is
read, and a value behind the verb: `Room 4` is no value of `Room 4 has a projector`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from vaultmem.nlp.text import word_order
from vaultmem.nlp.text.stopwords import NUMBER_WORDS

_VERB = re.compile(
    r"(?<=\S) (?P<verb>is|are|gets?|runs?|opens?|closes?|starts?|begins?|ends?|leaves?|arrives?"
    r"|lands?|departs?|lasts?|takes?|costs?|seats?|sleeps|weighs?|expires?|meets?|go(?:es)?"
    r"|has|have|needs?|lives?|keeps?|drinks?|eats?|wakes?|rises?|finish(?:es)?|returns?)(?= )"
)
_UNSURE = re.compile(
    r"(?i)\b(?:if|when|while|unless|before|after|during|usually|sometimes|often|mostly|also|and|or"
    r"|both|either|maybe|perhaps|probably|might|could|would|should|(?:an)?other|except|than|said"
    r"|says|thinks?|was|were|did|had|between|not|no|only|never|at least|at most|up to|more|less"
    r"|over|first|second|third|last|next|this|that|today|tomorrow|yesterday|ago|wants?|plans?"
    r"|hopes?|will)\b|n['\u2019]t\b|\b(?-i:may)\b|[,;:?](?!\d)"
)
_PRONOUN = re.compile(
    r"(?i)(?:it|he|she|they|this|that|these|those|there|here|what|which|who|one|his|her|its|their)\b"
)
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_NUMBER = rf"(?:\d+(?:[.,:]\d+)*|(?i:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})\b)"
_VALUE = re.compile(
    rf"\b(?:(?P<dated>\d{{4}}-\d\d-\d\d|\d{{1,2}} {_MONTH} \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}})"
    rf"|(?P<date>\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?)"
    rf"|(?P<month>{_MONTH}(?: \d{{4}})?)"
    r"|(?P<weekday>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)"
    r"|(?P<day>\d{1,2}(?:st|nd|rd|th))"
    rf"|(?P<half>{_NUMBER} ?[ap]\.?m\b\.?)"
    rf"|(?P<figure>{_NUMBER}))(?![\w%])"
)
_BEFORE = re.compile(
    r"(?:^|\b(?:(?:about|around|roughly|at|from|until|till|on|in|to|for|the|every|each|port|pier|gate"
    r"|room|floor|version|platform|building|exactly)|[A-Z]\w+) )$"
)
# On which day something is done, and on no other; a shop opens on many.
_ON_ONE_DAY = re.compile(
    r"\b(?:(?:is|are|gets?) (?!closed|open|booked|used|needed|busy|free|available)\w+(?:ed|en|ne)"
    r"(?: \w+)?|goe?s? out|is due|is) on $"
)
_CALLED = r"(?:(?:Dr|Mr|Mrs|Ms)\.? )?[A-Z][\w-]*(?: [A-Z][\w-]*)*"
_NAME = re.compile(
    r"\b(?:lives? in|is (?:called|named)|(?:is|are) (?:hosted|based|located|kept|stored)"
    r" (?:in|at|on)|(?:is|are) (?:owned|managed|led|maintained) by|works (?:at|for)|reports to)"
    rf" (?P<value>{_CALLED})(?= |$)"
)
_ROLE = re.compile(
    r"(?P<what>(?:[Oo]ur|[Mm]y|[Tt]he|[A-Z]\w+['\u2019]s)(?: [a-z]+)?"
    r" (?:doctor|dentist|vet|lawyer|landlord|boss|manager|owner|captain|lead|maintainer|editor"
    r"|headmaster|headteacher|accountant|wife|husband)"
    rf"(?: (?:of|in|at) [^,;:?]{{2,40}})?) is (?P<value>{_CALLED})"
)
_PREFERS = re.compile(
    r"(?P<what>[A-Z]\w*) prefers? (?P<one>[\w ]{2,20}) (?:over|to) (?P<two>[\w ]{2,20})"
)
_LONGEST, _MOST_VALUES = 200, 4


class Slot(NamedTuple):
    """A value: *frame* is the sentence with a mark in its place, *value* its key, *raw* as it is.

    *what* is what the sentence says it of.
    """

    frame: str
    value: str
    raw: str
    what: str


@lru_cache(maxsize=1 << 12)
def slots(text: str) -> tuple[Slot, ...]:
    """Return the values of *text*, one sentence; none where it is in doubt whether they hold."""
    plain = word_order.usual(" ".join(text.split())).rstrip(".!")
    if len(plain) > _LONGEST or not plain.isascii() or _PRONOUN.match(plain):
        return ()
    if m := _PREFERS.fullmatch(plain):
        both = " ".join(sorted((m["one"], m["two"])))
        return (Slot(f"{m['what']} prefers of {both} x", m["one"].casefold(), m["one"], m["what"]),)
    if _UNSURE.search(plain):
        return ()
    return (*_names(plain), *_figures(plain))


def frame_key(slot: Slot) -> str:
    """Return what frames of the same sentence share; where, when and how come in any order."""
    what, rest = _plain_words(slot.what), _plain_words(slot.frame[len(slot.what) :])
    return " ".join([*what, *sorted(rest)])


def _plain_words(text: str) -> list[str]:
    words = re.findall(r"[\w:'-]+", text.casefold())
    return [_WORDS.get(word, word) for word in words if word not in _LIGHT]


_LIGHT = frozenset({"a", "an", "the", "our", "now", "currently", "about", "around", "roughly"})
_WORDS = {"each": "every", "gets": "is", "get": "is", "are": "is", "stands": "is"}


def _names(plain: str) -> Iterator[Slot]:
    if m := _ROLE.fullmatch(plain):
        yield Slot(f"{m['what']} is xname", m["value"].casefold(), m["value"], m["what"])
        return
    m = _NAME.search(plain)
    if m and m.start() > 1:
        what = plain[: m.start()].strip()
        frame = f"{plain[: m.start('value')]}xname{plain[m.end('value') :]}"
        yield Slot(frame, m["value"].casefold(), m["value"], what)


def _figures(plain: str) -> Iterator[Slot]:
    verb = _VERB.search(plain)
    if not verb:
        return
    found = [m for m in _VALUE.finditer(plain, verb.end()) if _stands_well(plain, verb.end(), m)]
    if len(found) > _MOST_VALUES:
        return
    for m in found:
        kind = m.lastgroup or ""
        if kind == "weekday" and (len(found) > 1 or not _ON_ONE_DAY.search(plain[: m.start()])):
            continue
        frame = f"{plain[: m.start()]}x{kind}{plain[m.end() :]}"
        yield Slot(frame, _key(m[0]), m[0], plain[: verb.start()])


def _stands_well(plain: str, start: int, m: re.Match[str]) -> bool:
    """Whether *m* is a value by itself: right behind the verb, or behind a preposition."""
    return _BEFORE.search(plain[start + 1 : m.start()]) is not None


def _key(value: str) -> str:
    low = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|\bof ", "", value.casefold()).replace(",", "")
    low = re.sub(r"\b([a-z]{3})[a-z]*", lambda m: NUMBER_WORDS.get(m[0], m[1]), low)
    return low.removesuffix(":00")
