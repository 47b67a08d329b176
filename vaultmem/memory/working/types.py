"""Working memory as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vaultmem.documents.bodies.working_text import MOST_ITERATIONS
from vaultmem.records import TRUST, TRUST_OF_SOURCE

Progress = Literal["pending", "in_progress", "done", "failed"]
TodoStatus = Literal["pending", "in_progress", "completed"]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the plan; *result* is what came of it, or the error that it failed with."""

    text: str
    status: Progress = "pending"
    result: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """An entry of the scratchpad; the next one of the same *key*, where it has one, replaces it."""

    text: str
    key: str = ""


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
    payment". *iteration* counts the steps that came to an end, of at most *max_iterations*; *task*
    is the number of the task in the graph that it works on; *todo_updated* is when the agent last
    went over its todo list, *todo_turn* after which turn that was, as `session/number`;
    *tool_lines* are the marks of the lines that stand in a tool's words; *trust* is that of the
    other lines.
    """

    goal: str = ""
    state: str = ""
    steps: tuple[Step, ...] = ()
    scratchpad: tuple[Note, ...] = ()
    todos: tuple[Todo, ...] = ()
    iteration: int = 0
    session: str = ""
    task: int | None = None
    max_iterations: int = MOST_ITERATIONS
    todo_updated: str = ""
    todo_turn: str = ""
    tool_lines: tuple[str, ...] = ()
    trust: str = TRUST_OF_SOURCE["agent"]

    @property
    def is_foreign(self) -> bool:
        """Whether all of the note is what a tool or a page said: not only lines of it, marked."""
        return self.trust == TRUST[0]
