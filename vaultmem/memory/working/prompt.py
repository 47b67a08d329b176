"""Working memory as a model reads it in its prompt."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.memory.working.todo import todo_text
from vaultmem.memory.working.types import Step, Working


def prompt(working: Working) -> str:
    """Return *working* as plain text, what is empty left out; "" when all of it is."""
    return "\n".join(_lines(working))


def _lines(working: Working) -> Iterator[str]:
    if working.goal:
        yield f"Goal: {working.goal}"
    if working.state:
        yield f"State: {working.state}"
    if working.task is not None:
        yield f"Task: {working.task}"
    if working.iteration:
        yield f"Iteration: {working.iteration}"
    if working.steps:
        yield "Plan:"
        yield from (_step(number, step) for number, step in enumerate(working.steps, 1))
    if working.todos:
        yield f"Todo:\n{todo_text(working.todos)}"
    if working.scratchpad:
        yield "Scratchpad:"
        yield from (f"- {note}" for note in working.scratchpad)


def _step(number: int, step: Step) -> str:
    came = ": error: " if step.status == "failed" else ": "
    return f"{number}. [{step.status}] {step.text}" + (came + step.result if step.result else "")
