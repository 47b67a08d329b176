"""How much of a budget each part of a context has: four shares that follow what is asked.

The base is 10 % for who the agent is and what it was told (system), 60 % for what is looked up
(memory), 20 % for what was said last (history), and 10 % that stay free (reserve). Each need, from
0 to 1, moves the weight of one of them; the shares are the weights over their sum.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Needs:
    """What speaks for a larger share, each from 0 to 1; a half is the base.

    *knowledge* for memory: the question asks for what only memory has. *length* for history: a long
    conversation is not understood from its last lines. *complexity* for the reserve: a long task is
    thought about at length, and what is thought counts against the same window.
    """

    knowledge: float = 0.5
    length: float = 0.5
    complexity: float = 0.5


@dataclass(frozen=True, slots=True)
class Shares:
    """Parts of a budget that sum to 1."""

    system: float
    memory: float
    history: float
    reserve: float


BASE = Shares(system=0.1, memory=0.6, history=0.2, reserve=0.1)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a caller knows of its task, None where that is to be guessed from the question.

    *complexity* is from 0 to 1; *knowledge* is whether the task needs what only memory has.
    """

    complexity: float | None = None
    knowledge: bool | None = None


GUESSED = Stated()


def shares(needs: Needs, base: Shares = BASE) -> Shares:
    """Return the shares; a greater need never makes its own share smaller.

    Of the usual base, memory stays within 35 and 79 %, history within 7 and 41, the reserve within
    3 and 24, system within 6 and 19.
    """
    memory = base.memory * _pull(needs.knowledge)
    history = base.history * _pull(needs.length)
    reserve = base.reserve * _pull(needs.complexity)
    whole = base.system + memory + history + reserve
    return Shares(base.system / whole, memory / whole, history / whole, reserve / whole)


def allocate(needs: Needs, stated: Stated, base: Shares = BASE) -> Shares:
    """Return the shares where a caller *stated* what it knows, and guessed *needs* for the rest.

    A stated complexity moves memory's share from half its base to four thirds of it (from 30 to
    80 % of the usual one), and what is left goes to the others by their weights. A task that needs
    no knowledge has half of that; one that does has no less than the base.
    """
    if stated == GUESSED:
        return shares(needs, base)
    memory = base.memory
    if stated.complexity is not None:
        memory *= _SIMPLE + (_COMPLEX - _SIMPLE) * min(max(stated.complexity, 0.0), 1.0)
    if stated.knowledge is not None:
        memory = max(memory, base.memory) if stated.knowledge else memory / 2
    rest = shares(needs, base)
    scale = (1 - memory) / (1 - rest.memory)
    return Shares(rest.system * scale, memory, rest.history * scale, rest.reserve * scale)


_SIMPLE, _COMPLEX = 1 / 2, 4 / 3


def _pull(need: float) -> float:
    """Return what a need does to a weight: from half of it to one and a half."""
    return 0.5 + min(max(need, 0.0), 1.0)


def rooms(total: int, wanted: Mapping[str, int], weights: Mapping[str, float]) -> dict[str, int]:
    """Divide *total* tokens by *weights* among parts that want so many.

    What a part does not need goes to the others, by their weights.
    """
    given: dict[str, int] = {}
    left, open_parts = max(total, 0), dict(wanted)
    while open_parts:
        scale = left / (sum(weights[p] for p in open_parts) or 1.0)
        content = [p for p, want in open_parts.items() if want <= weights[p] * scale]
        if not content:
            return given | {p: int(weights[p] * scale) for p in open_parts}
        for part in content:
            given[part] = open_parts.pop(part)
            left -= given[part]
    return given


_ASKING = re.compile(
    r"\b(?:what|when|where|who|whom|whose|which|why|how|did|does|do|is|are|was|were|has|have)\b"
    r"|[\u4ec0\u8c01\u54ea\u4f55\u51e0\u5417\u5462]|\u600e[\u4e48\u6837]|\u4e3a\u4ec0\u4e48",
    re.IGNORECASE,
)
_REMEMBERING = re.compile(
    r"\b(?:remember|recall|remind|(?:do|did) you know|know about|tell me about|last time|earlier"
    r"|previously|before|again|we (?:said|discussed|decided|talked))\b"
    r"|\u8bb0\u5f97|\u4e0a\u6b21|\u4e4b\u524d|\u4ee5\u524d|\u8bf4\u8fc7|\u77e5\u9053",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?<=[\w,;:'\"] )[A-Z]\w+|\b[A-Z]{2,}\b|\b\d{4}\b|[\u300c\u300a\u201c]")
_ASKS, _REMEMBERS, _NAMES, _STANDS_OUT = 0.3, 0.2, 0.2, 0.3

_CLAUSE = re.compile(
    r"[,;:\uff0c\uff1b\u3001]|\b(?:and|then|after|before|because|if|unless|while|but|so that)\b"
    r"|\u7136\u540e|\u800c\u4e14|\u5982\u679c|\u56e0\u4e3a|\u4f46",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[\u3002\uff01\uff1f]")
# A long run of the same is looked at once, whatever it is: what is asked has no bound.
_LISTED = re.compile(r"^[^\S\n]*(?:[-*+\u2022]|\d{1,3}[.)\u3001])\s", re.MULTILINE)
_CODE = re.compile(r"```|^(?: {4}|\t)\S|\w\([^()\n]*\)|[{};][^\S\n]*$", re.MULTILINE)
_WORDS_A_POINT = 30
_CHARACTERS_A_WORD = 2
_POINTS_TO_HALF = 4.0
_TURNS_TO_HALF = 20.0
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def knowledge(query: str, scores: Sequence[float]) -> float:
    """Return how much of the answer to *query* only memory can have.

    Questions, words of remembering and names ask for it; *scores* of what recall found, best first,
    tell that it is there, when the best stands out from the rest.
    """
    need = _ASKS * bool(_ASKING.search(query)) + _REMEMBERS * bool(_REMEMBERING.search(query))
    return need + _NAMES * bool(_NAMED.search(query)) + _STANDS_OUT * _lead(scores)


def _lead(scores: Sequence[float]) -> float:
    """Return how far the best of *scores* is above their middle, from 0 to 1."""
    best = max(scores, default=0.0)
    return min(max(1 - median(scores) / best, 0.0), 1.0) if best > 0 else 0.0


def complexity(query: str) -> float:
    """Return how much work *query* asks for: by its length, clauses, questions, lists and code."""
    words = len(query.split()) + len(_HAN.findall(query)) / _CHARACTERS_A_WORD
    points = (
        words / _WORDS_A_POINT
        + len(_CLAUSE.findall(query)) / 2
        + max(len(_SENTENCE.findall(query)) - 1, 0)
        + len(_LISTED.findall(query))
        + 2 * min(len(_CODE.findall(query)), 2)
    )
    return _saturated(points / _POINTS_TO_HALF)


def length(turns: int, waiting: int, window: int) -> float:
    """Return how long the conversation is: by its *turns* if they are known.

    Else by how much of the immediate *window* is filled, which is full in the long run: a half.
    """
    if turns > 0:
        return _saturated(turns / _TURNS_TO_HALF)
    return min(waiting / max(window, 1), 1.0) / 2


def _saturated(times: float) -> float:
    """Return 0 for nothing, a half for 1, three quarters for 2, and never quite 1."""
    half: float = 0.5**times
    return 1 - half
