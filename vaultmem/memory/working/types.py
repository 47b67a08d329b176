"""Working memory as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Progress = Literal["pending", "in_progress", "done", "failed"]
TodoStatus = Literal["pending", "in_progress", "completed"]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the plan; *result* is what came of it, or the error that it failed with."""

    text: str
    status: Progress = "pending"
    result: str = ""


@dataclass(frozen=True, slots=True)
class Todo:
    """One thing on the agent's own list for now."""

    id: str
    text: str
    status: TodoStatus = "pending"


@dataclass(frozen=True, slots=True)
class Working:
    """All that an agent has in hand.

    *state* is the business state, the stage of the task as its developer names it: "awaiting
    payment". *task* is the number of the task in the graph that it works on.
    """

    goal: str = ""
    state: str = ""
    steps: tuple[Step, ...] = ()
    scratchpad: tuple[str, ...] = ()
    todos: tuple[Todo, ...] = ()
    iteration: int = 0
    session: str = ""
    task: int | None = None
