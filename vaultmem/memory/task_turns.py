"""The turns with which a session says where a task of its agent began and ended.

Pure: from the turns of a transcript.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from vaultmem.documents.bodies import Outcome
from vaultmem.errors import BadInput
from vaultmem.records import moment
from vaultmem.storage.transcripts import Turn

_BEGUN, _ENDED = "Task begun: ", "Task ended"
_SOON = timedelta(minutes=10)
"""So long after a task ended what came of it is told at the latest."""


@dataclass(frozen=True, slots=True)
class TaskTurns:
    """The turns of one task, the first being number *first* of its session.

    *working* is the working memory as it was at the end.
    """

    turns: tuple[Turn, ...]
    first: int
    working: str


def opening(goal: str) -> str:
    """Return the turn that says where in a session a task began."""
    return f"{_BEGUN}{goal}"


def closing(goal: str, outcome: Outcome, shown: str) -> str:
    """Return the turn that says how a task ended, with its working memory as it is *shown*."""
    return f"{_headline(goal, outcome)}\n\n{shown}".strip()


def _headline(goal: str, outcome: str) -> str:
    return f"{_ENDED} ({outcome}): {goal}"


def headline(turn: Turn) -> Turn:
    """Return *turn* without the working memory, where it says that a task ended.

    What a program puts before the text of a step is no part of what an agent says: among such words
    those of a tool are not known, and what is a tool's in hand is told to nobody else.
    """
    if turn.role != "system" or not turn.content.startswith(_ENDED):
        return turn
    return replace(turn, content=turn.content.partition("\n\n")[0])


def since(turns: Sequence[Turn], goal: str) -> Sequence[Turn]:
    """Return those of *turns* that came since the task began; all where none says so."""
    return turns[_begin(turns, goal) :]


def _begin(turns: Sequence[Turn], goal: str) -> int:
    first = opening(goal)
    begun = (n for n, t in enumerate(turns, 1) if t.role == "system" and is_same(t.content, first))
    return max(begun, default=0)


def last_task(turns: Sequence[Turn]) -> str:
    """Return the goal of the task that a session began last, empty where it began none."""
    begun = (turn.content for turn in reversed(turns) if turn.role == "system")
    return next((text.removeprefix(_BEGUN) for text in begun if text.startswith(_BEGUN)), "")


def ended(turns: Sequence[Turn], goal: str, outcome: str, told: str) -> TaskTurns | None:
    """Return the turns of the task that ended so shortly before it was *told*, ISO 8601.

    None where no turn says that it did.
    """
    head = _headline(goal, outcome)
    at = next((n for n in reversed(range(len(turns))) if _closes(turns[n], head, told)), None)
    if at is None:
        return None
    begin = _begin(turns[:at], goal) or _after_the_last(turns[:at])
    working = turns[at].content.partition("\n\n")[2]
    return TaskTurns(tuple(turns[begin:at]), begin + 1, working)


def _closes(turn: Turn, head: str, told: str) -> bool:
    if turn.role != "system" or turn.origin or not turn.content.startswith(_ENDED):
        return False
    try:
        late = moment(told) - moment(turn.at)
    except BadInput:
        return False
    said, expected = turn.content.casefold().split(), head.casefold().split()
    return timedelta(0) <= late <= _SOON and said[: len(expected)] == expected


def _after_the_last(turns: Sequence[Turn]) -> int:
    """Return where the turns begin that came after another task ended: 0 where none did."""
    ends = (
        n for n, t in enumerate(turns, 1) if t.role == "system" and t.content.startswith(_ENDED)
    )
    return max(ends, default=0)


def is_same(text: str, other: str) -> bool:
    """Tell whether two texts say the same but for case and blanks."""
    return text.casefold().split() == other.casefold().split()
