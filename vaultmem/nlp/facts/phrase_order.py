"""Bring the clauses and phrases of a sentence that may change places into one order.

Two texts are one fact only where every word stands in the same role. Free are two clauses one of
which begins `if`, `when` or the like, a phrase of where or when that opens its clause, and one of
when that closes it, behind a verb. Two phrases never change their places: `the train at nine waits
for the bus at ten`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from vaultmem.nlp.facts import synonyms

_CONTRAST = 4
"""So many words, `not` among them, name what is ruled out; more say something by themselves."""

_LONGEST = 4
"""So many words a phrase has, its preposition among them; a longer one is more than that."""

_TIMES = (
    ("clock", r"(?:at|by|from|until) (?:h\d\d:\d\d|\d{1,2}|noon|midnight)"),
    ("often", r"daily|nightly|weekly|monthly|yearly"),
    ("week", r"(?:on|by|until) (?:mon|tues|wednes|thurs|fri|satur|sun)days?"),
    ("week", r"(?:on|at) week(?:ends|days)"),
    ("day", r"(?:at|by) night|by day|(?:in|during) (?:morning|afternoon|evening|night)"),
    ("date", r"(?:in|on|by|until) (?:m\d\dd\d\d|\d{4}(?:-\d\d(?:-\d\d)?)?)"),
    ("date", r"(?:in|by|until) (?:january|february|march|april|may|june|july|august)(?: \d{4})?"),
    ("date", r"(?:in|by|until) (?:(?:septem|octo|novem|decem)ber)(?: \d{4})?"),
    ("season", r"(?:in|during) (?:spring|summer|autumn|winter)"),
)
_WHEN = tuple((kind, re.compile(pattern)) for kind, pattern in _TIMES)
_WHERE = synonyms.words("at from in into on onto through to under")
_JOINING = synonyms.words("and or but than not")
_VERBS = synonyms.words("""
    go goes is are due out up down off open opens opened close closed run runs ran start starts
    started begin begins began end ends ended meet meets met work works worked live lives lived
    leave leaves arrive arrives arrived depart departs happen happens expire expires sleep sleeps
    rehearse rehearses train trains fly flies travel travels
""")


def settled(said: str) -> str:
    """Return the words of *said*, a sentence in its form, in the order that all wordings share."""
    parts = [part for part in _clauses(said.split()) if part]
    ordered = [" ".join(_times_last(clause)) for clause in _attached(_contrasted(parts))]
    free = len(ordered) == 2 and any(c.split()[0] in synonyms.SUBORDINATORS for c in ordered)  # noqa: PLR2004 -- two change places
    return " ; ".join(sorted(ordered) if free else ordered)


def is_where(phrases: str) -> bool:
    """Tell whether *phrases* begin with a preposition and say anything but when."""
    words = phrases.split()
    return bool(words) and _opens(words[0]) and not all(map(_time, _phrases(words)))


def _clauses(words: Sequence[str]) -> Iterator[list[str]]:
    clause: list[str] = []
    for word in words:
        if word in {",", ";"} or (word in synonyms.SUBORDINATORS and clause):
            yield clause
            clause = []
        if word not in {",", ";"}:
            clause.append(word)
    yield clause


def _contrasted(clauses: list[list[str]]) -> list[list[str]]:
    """Join `use pnpm, not npm, …` to one clause: what is ruled out belongs to what stands before.

    One that goes on about where or when is left alone: nobody knows for which of both that holds.
    """
    joined: list[list[str]] = []
    for clause in clauses:
        ruled_out = clause[0] == "not" and synonyms.PREPOSITIONS.isdisjoint(clause)
        if ruled_out and joined and len(clause) <= _CONTRAST and not _is_phrase(joined[-1]):
            joined[-1] = [*joined[-1], ",", *clause, ","]
        else:
            joined.append(clause)
    return joined


def _attached(clauses: list[list[str]]) -> list[list[str]]:
    """Join what begins with a preposition, `on Tuesdays, …`, to the clause it belongs to."""
    if len(clauses) != 2:  # noqa: PLR2004 -- with more it is not known to which
        return clauses
    one, two = clauses
    if _is_phrase(one):
        return [[*two, *one]]
    return [[*one, *two]] if _is_phrase(two) else clauses


def _is_phrase(clause: Sequence[str]) -> bool:
    return clause[0] in synonyms.PREPOSITIONS and len(clause) <= _LONGEST


def _times_last(words: Sequence[str]) -> list[str]:
    """Put what says when behind what says where, as far as all of it surely belongs to the verb.

    That is behind a verb that takes no object, where at most one phrase is of each kind of time,
    and where several stand together.
    """
    at = next((n for n, word in enumerate(words) if n and _opens(word)), len(words))
    phrases = _phrases(words[at:])
    kinds = [_time(phrase) for phrase in phrases]
    times = [kind for kind in kinds if kind]
    apart = len(times) > 1 and not all(kinds)
    if not times or apart or len(times) > len({*times}) or not _JOINING.isdisjoint(words):
        return [*words]
    where = [phrase for phrase, kind in zip(phrases, kinds, strict=True) if not kind]
    if not _ends_in_verb(words[:at]) or not all(map(_is_place, where)):
        return [*words]
    when = sorted(phrase for phrase, kind in zip(phrases, kinds, strict=True) if kind)
    return " ".join([*words[:at], *where, *when]).split()


def _phrases(words: Sequence[str]) -> list[str]:
    """Return *words*, which begin with a preposition, cut before each."""
    starts = [n for n, word in enumerate(words) if n == 0 or _opens(word)]
    return [" ".join(words[a:b]) for a, b in pairwise([*starts, len(words)])]


def _opens(word: str) -> bool:
    return word in synonyms.PREPOSITIONS or word in synonyms.OFTEN


def _time(phrase: str) -> str:
    """Return of which kind the time is that *phrase* says; "" for none."""
    return next((kind for kind, pattern in _WHEN if pattern.fullmatch(phrase)), "")


def _is_place(phrase: str) -> bool:
    first, *rest = phrase.split()
    return first in _WHERE and 0 < len(rest) < _LONGEST


def _ends_in_verb(words: Sequence[str]) -> bool:
    """Tell whether *words* end in a verb that takes no object, or in what is done."""
    if len(words) > 1 and words[-2] in _BE and words[-1].endswith(("ed", "en")):
        return True
    return words[-1] in _VERBS or words[-1] in synonyms.ACTIVE or words[-1] in _PAST


_BE = synonyms.words("is are was were be been")
_PAST = frozenset(past for _, past in synonyms.ACTIVE.values())
