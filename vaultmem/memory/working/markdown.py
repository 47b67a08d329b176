"""Working memory as the body of a note and three keys above it, and back; and as a model reads it.

Sections come in any order; a section of another name is a person's, and is passed by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from vaultmem.documents import foreign_fields, origin, part_trust
from vaultmem.documents.bodies import working_text
from vaultmem.documents.bodies.bullets import (
    FAILED,
    OPEN,
    Bullet,
    plain_text,
    prose_lines,
)
from vaultmem.documents.bodies.sections import Listing
from vaultmem.documents.bodies.working_text import MOST_ITERATIONS, number, progress
from vaultmem.documents.frontmatter import Field, Value
from vaultmem.documents.markdown.outline import Section, sections, words
from vaultmem.documents.part_trust import TOOL_LINES
from vaultmem.memory.working.todo import todo_text
from vaultmem.memory.working.types import Note, Progress, Step, Todo, TodoStatus, Working

_PROGRESS: dict[str, Progress] = {
    OPEN: "pending",
    "/": "in_progress",
    "x": "done",
    FAILED: "failed",
}
_TODO: dict[str, TodoStatus] = {OPEN: "pending", "/": "in_progress", "x": "completed"}


def _mark(marks: Mapping[str, str], status: str) -> str:
    return next(mark for mark, meant in marks.items() if meant == status)


STEPS: Listing[Step] = Listing(
    "Plan",
    frozenset({"box", "result"}),
    lambda it: Bullet(it.text, mark=_mark(_PROGRESS, it.status), result=it.result),
    lambda it: Step(it.text, _PROGRESS.get(it.mark, "pending"), it.result),
    worded=True,
)
TODOS: Listing[Todo] = Listing(
    "Todo",
    frozenset({"box", "name"}),
    lambda it: Bullet(it.text, it.id, mark=_mark(_TODO, it.status)),
    lambda it: Todo(it.name, it.text, _TODO.get(it.mark, "pending")),
    worded=True,
)
NOTES: Listing[Note] = Listing(
    "Scratchpad",
    frozenset({"name"}),
    lambda it: Bullet(it.text, it.key),
    lambda it: Note(it.text, it.name),
    worded=True,
)
GOAL, STATE = "Goal", "State"
ORDER = (GOAL, STATE, STEPS.heading, TODOS.heading, NOTES.heading)


def render(working: Working) -> str:
    """Return the body of the note that holds *working*; "" for an empty one."""
    parts = (
        prose(GOAL, working.goal),
        prose(STATE, working.state),
        STEPS.write(working.steps),
        TODOS.write(working.todos),
        NOTES.write(working.scratchpad),
    )
    return "".join(f"{part}\n\n" for part in parts if part)[:-1]


def keys(working: Working) -> dict[str, Field | None]:
    """Return what the note's frontmatter says of *working*; None is no line."""
    most = working.max_iterations
    return {
        "session": working.session or None,
        "task": None if working.task is None else f"[[task-{working.task:04}]]",
        "iteration": working.iteration or None,
        "max_iterations": None if most == MOST_ITERATIONS else most,
        "todo_updated": working.todo_updated or None,
        "todo_turn": working.todo_turn or None,
        TOOL_LINES: list(working.tool_lines) or None,
    }


def parse(body: str, head: Mapping[str, Value] | None = None) -> Working:
    """Read the working memory from a note's *body* and its frontmatter; never fails."""
    found = sections(body)
    raw = head or {}
    return Working(
        goal=text(found, GOAL),
        state=text(found, STATE),
        steps=STEPS.read(found),
        scratchpad=NOTES.read(found),
        todos=TODOS.read(found),
        iteration=number(raw.get("iteration")) or 0,
        session=_as_text(raw.get("session")),
        task=number(raw.get("task")),
        max_iterations=number(raw.get("max_iterations")) or MOST_ITERATIONS,
        todo_updated=_as_text(raw.get("todo_updated")),
        todo_turn=_as_text(raw.get("todo_turn")),
        tool_lines=tuple(foreign_fields.texts(raw.get(TOOL_LINES))),
        trust=origin.read(part_trust.of_the_rest(raw), "working", body).trust,
    )


def prose(heading: str, said_of_it: str) -> str:
    """Return the section that says *said_of_it*, a line a line; "" for nothing."""
    lines = prose_lines(said_of_it)
    return "\n".join([f"## {heading}", *lines]) if lines else ""


def text(found: Sequence[Section], heading: str) -> str:
    """Return what the sections of that *heading* say."""
    here = (section for section in found if section.name == words(heading))
    return "\n".join(filter(None, (plain_text(line) for s in here for line in s.prose())))


def _as_text(value: Value | None) -> str:
    return value.strip() if isinstance(value, str) else ""


def prompt(working: Working) -> str:
    """Return *working* as plain text for a prompt, what is empty left out; "" when all of it is."""
    return "\n".join(_lines(working))


def divided(working: Working) -> tuple[Working, str]:
    """Return *working* without the words that nobody vouches for, and these as text."""
    if working.is_foreign:
        return Working(), prompt(working)
    if not working.tool_lines:
        return working, ""
    own, told = working_text.divided(render(working), working.tool_lines)
    left = parse(own)
    return replace(
        working, goal=left.goal, state=left.state, steps=left.steps, scratchpad=left.scratchpad,
        todos=left.todos,
    ), told  # fmt: skip


def _lines(working: Working) -> Iterator[str]:
    if working.goal:
        yield f"Goal: {working.goal}"
    if working.state:
        yield f"State: {working.state}"
    if working.task is not None:
        yield f"Task: {working.task}"
    if working.goal or working.iteration:
        yield progress(working.iteration, working.max_iterations)
    if working.steps:
        yield "Plan:"
        yield from (_step(number, step) for number, step in enumerate(working.steps, 1))
    if working.todos:
        yield f"Todo:\n{todo_text(working.todos)}"
    if working.scratchpad:
        yield "Scratchpad:"
        yield from (f"- {n.key}: {n.text}" if n.key else f"- {n.text}" for n in working.scratchpad)


def _step(number: int, step: Step) -> str:
    came = ": error: " if step.status == "failed" else ": "
    return f"{number}. [{step.status}] {step.text}" + (came + step.result if step.result else "")
