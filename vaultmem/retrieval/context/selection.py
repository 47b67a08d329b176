"""Decide in which order what was found comes to its room: by rank, by neighbours, and spread.

What answers a question often stands beside what shares its words: a speaker's turn before a hit or
behind the answer to it is worth as much as a hit of middling rank. In a small budget nothing is
worth as much as the best hits. Pure: names in, names out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

Beside = Mapping[str, Sequence[tuple[str, float]]]
"""The neighbours of a hit, each with the part of the hit's worth that it has."""

NEXT, NEXT_BUT_ONE = 0.05, 0.1
"""The worth of a turn beside a hit, and of the same speaker's beside that.

Measured on four conversations of LoCoMo, where two people take turns: two turns from the best hit
one in 18 is evidence, as many as of the hits of rank 5; right beside it one in 50.
"""

_BARE, _TIGHT, _AMPLE = 500, 1000, 2000
"""Tokens: a budget for the best hits alone, one in which each of them tells, and one that has room
for all that is of use."""

NEEDED = 0.25
"""The worth of what a hit is not understood without: its question, or the answer to it."""

_SPREAD, _LISTED = 0.9, 0.8
"""What each turn of a session that stands leaves of the worth of the next; less for a list.

It is maximal marginal relevance, with the session for likeness: of 141 questions with evidence in
several turns 2000 tokens hold .68 of it without, .69 with .9 and .70 with .8.
"""

_LIST = re.compile(
    r"\b(?:all|every|each|list|both|various|different|how (?:many|often)|kinds?|types?"
    r"|(?:what|which) (?:\w+ ){0,2}(?!is\b|was\b|does\b|has\b)\w+s\b"
    r"|alle[ns]?|jede[rsnm]?|welche|wie (?:viele|oft)|beide)\b"
    r"|\u6240\u6709|\u54ea\u4e9b|\u591a\u5c11|\u51e0\u6b21|\u5217\u51fa",
    re.IGNORECASE,
)
_OVERVIEW = re.compile(
    r"\b(?:overview|summar(?:y|ies|i[sz]e\w*)|sum(?:s|med|ming)? (?:\w+ )?up|recap\w*"
    r"|big picture|(?:catch|bring) me up|zusammenfass\w*|fass\w*\b[^.?!\n]{0,60}\bzusammen"
    r"|\u00fcberblick\w*|\u00fcbersicht\w*)\b"
    r"|\u6982\u8ff0|\u603b\u7ed3|\u6982\u62ec|\u7e3d\u7d50|\u6982\u89c8|\u603b\u89c8",
    re.IGNORECASE,
)
_BROAD = re.compile(r"\b(?:in general|so far|what happened|tell me about|bisher)\b", re.IGNORECASE)


def lists(query: str) -> bool:
    """Tell whether *query* asks for several things, which are seldom said on one day."""
    return _LIST.search(query) is not None


def wants_overview(query: str) -> bool:
    """Tell whether *query* asks for the whole rather than for a part of it."""
    return _OVERVIEW.search(query) is not None


def is_broad(query: str) -> bool:
    """Tell whether *query* asks for much, be it of a part: then summaries have a share."""
    return wants_overview(query) or _BROAD.search(query) is not None


def is_small(budget: int) -> bool:
    """Tell whether *budget* tokens are few enough for hits to need what else would stand there."""
    return budget <= _AMPLE


def is_tight(budget: int) -> bool:
    """Tell whether *budget* tokens are so few that a hit is worth more than what frames it."""
    return budget <= _TIGHT


def ease(budget: int) -> float:
    """Return how far *budget* tokens leave room for more than the best hits, from 0 to 1."""
    return min(max((budget - _BARE) / (_AMPLE - _BARE), 0.0), 1.0)


def worths(hits: Sequence[str], beside: Beside, ease: float = 1.0) -> dict[str, float]:
    """Return what the *hits*, best first, and those *beside* them are worth: a hit 1 over its rank.

    What is a hit and stands beside another has both. The less *ease* there is, the less has what
    stands beside one.
    """
    worth = {hit: 1 / rank for rank, hit in enumerate(hits, 1)}
    whole = dict(worth)
    for hit, its in worth.items():
        for other, part in beside.get(hit, ()):
            whole[other] = whole.get(other, 0.0) + ease * part * its
    return whole


def new_first(names: Iterable[str], said: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield *names*, of those that *said* something what another said before it behind the others.

    Whoever asks for several things is not answered by the same one again. Those that are not known
    to have said anything keep their places.
    """
    order, new, repeated = list(names), list[str](), list[str]()
    for name in filter(said.__contains__, order):
        again = any(said[name] <= said[other] for other in new)
        (repeated if again else new).append(name)
    in_turn = iter([*new, *repeated])
    yield from (next(in_turn) if name in said else name for name in order)


def spread(
    worth: Mapping[str, float], sessions: Mapping[str, str], ease: float = 1.0, *, listed: bool
) -> Iterator[str]:
    """Yield what has *worth*, the most first, less for each of its session that came before.

    *sessions* names the session of each, "" for none; *listed* spreads more, and less *ease* less.
    """
    kept, taken = 1 - ease * (1 - (_LISTED if listed else _SPREAD)), dict[str, int]()
    waiting = [(-value, n, name) for n, (name, value) in enumerate(worth.items())]
    heapify(waiting)
    while waiting:
        value, n, name = heappop(waiting)
        now = -worth[name] * kept ** taken.get(sessions[name], 0)
        if now > value:  # since it was put there, others of its session have been taken
            heappush(waiting, (now, n, name))
            continue
        if session := sessions[name]:
            taken[session] = taken.get(session, 0) + 1
        yield name
