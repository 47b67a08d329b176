"""The bullets of a working memory: how a step, a todo, a note is written, and read back.

`- [x] Find a room` with `**Result:**` or `**Error:**` nested in it; a todo has its id in front.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from vaultmem.documents.bodies.bullets import (
    at_bullet,
    code,
    inline,
    leading_code,
    normal,
    own_text,
    said,
)
from vaultmem.documents.bodies.outline import Entry, Line, Section, entries, words
from vaultmem.memory.working.types import Progress, Step, Todo, TodoStatus

T = TypeVar("T")

LABELS = ("result", "error")
BOX = re.compile(r"\[(.)\](?:\s+|\Z)")
_PROGRESS: dict[str, Progress] = {" ": "pending", "/": "in_progress", "x": "done", "-": "failed"}
_TODO: dict[str, TodoStatus] = {" ": "pending", "/": "in_progress", "x": "completed"}
_COLON = re.compile(r"\A\s*:?\s*")


@dataclass(frozen=True, slots=True)
class Row:
    """What a bullet says: the mark in its box, if it has one, an id, a text, what came of it.

    *id* is None in a section whose things have none.
    """

    text: str
    mark: str = ""
    id: str | None = None
    result: str = ""

    @property
    def key(self) -> tuple[str | None, str]:
        """What makes it the same thing when its status changes."""
        return self.id, self.text

    @property
    def label(self) -> str:
        """What its result is called."""
        return "Error" if self.mark == "-" else "Result"


@dataclass(frozen=True, slots=True)
class Rows(Generic[T]):
    """A section with one bullet a thing: how things become rows, and rows become things."""

    heading: str
    row: Callable[[T], Row]
    value: Callable[[Row], T]
    boxed: bool = False
    named: bool = False

    def of(self, values: Sequence[T]) -> list[Row]:
        """Return *values* as rows that read back as themselves; what says nothing is left out."""
        rows = map(self.row, values)
        return [row for row in map(_normal, rows) if row.text]

    def write(self, values: Sequence[T]) -> str:
        """Return the section, without a newline at its end; "" for nothing."""
        rows = self.of(values)
        lines = (line for row in rows for line in written(row))
        return "\n".join([f"## {self.heading}", *lines]) if rows else ""

    def entries(self, body: Sequence[Section]) -> list[tuple[Entry, Row]]:
        """Return the bullets below this heading, each with what it says."""
        here = (s for s in body if s.name == words(self.heading))
        found = (e for s in here for e in entries(s.lines, LABELS if self.boxed else ()))
        read = ((entry, self._read(entry)) for entry in found)
        return [(entry, row) for entry, row in read if row.text]

    def read(self, body: Sequence[Section]) -> tuple[T, ...]:
        """Return what *body* lists."""
        return tuple(self.value(row) for _, row in self.entries(body))

    def _read(self, entry: Entry) -> Row:
        text, mark, name = own_text(entry), "", None
        if self.boxed:
            box = BOX.match(text)
            mark, text = (box[1].lower(), text[box.end() :]) if box else (" ", text)
        if self.named:
            name, text = leading_code(text)
            text = _COLON.sub("", text)
        return Row(said(text), mark, name, _result(entry))


def written(row: Row, lead: str = "- ") -> list[str]:
    """Return the lines of *row*."""
    box = f"[{row.mark}] " * bool(row.mark)
    text = at_bullet(row.text)
    if row.id:
        text = f"{code(row.id)}: {text}"
    elif row.id is not None and text.startswith(("`", ":")):
        text = f": {text}"  # or its own first words would be taken for the id
    return [f"{lead}{box}{text}", *labelled(row, f"  {lead}")]


def labelled(row: Row, lead: str) -> list[str]:
    """Return the line that says what came of *row*, if anything did."""
    return [f"{lead}**{row.label}:** {inline(row.result)}"] * bool(row.result)


def _normal(row: Row) -> Row:
    name = None if row.id is None else normal(row.id)
    return Row(normal(row.text), row.mark, name, normal(row.result))


def _result(entry: Entry) -> str:
    lines: list[Line] = [line for label in LABELS for line in entry.nested.get(label, ())]
    return said(" ".join(line.label()[1] for line in lines))


def _mark(marks: dict[str, T], value: T) -> str:
    return next(mark for mark, meant in marks.items() if meant == value)


STEPS: Rows[Step] = Rows(
    "Plan",
    lambda it: Row(it.text, _mark(_PROGRESS, it.status), result=it.result),
    lambda row: Step(row.text, _PROGRESS.get(row.mark, "pending"), row.result),
    boxed=True,
)
TODOS: Rows[Todo] = Rows(
    "Todo",
    lambda it: Row(it.text, _mark(_TODO, it.status), it.id),
    lambda row: Todo(row.id or "", row.text, _TODO.get(row.mark, "pending")),
    boxed=True,
    named=True,
)
NOTES: Rows[str] = Rows("Scratchpad", Row, lambda row: row.text)
