"""Change in a working memory's body what differs between two states, and no other line.

What a person nested in a bullet goes with it; their sections and prose stay byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from vaultmem.errors import Refused
from vaultmem.gist.outline import Entry, Line, Section, sections, split, words
from vaultmem.working.markdown import GOAL, ORDER, STATE, parse, prose_lines, render, text
from vaultmem.working.model import Working
from vaultmem.working.rows import BOX, LABELS, NOTES, STEPS, TODOS, Row, Rows, labelled, written

T = TypeVar("T")
Found = tuple[Entry, Row]
Opcode = tuple[str, int, int, int, int]


def update(body: str, new: Working) -> str:
    """Return *body* so that it says *new*, which reads back as it is.

    Raises Refused where its lines are so entangled that this cannot be done.
    """
    made = _prose(body, GOAL, new.goal)
    made = _prose(made, STATE, new.state)
    made = _rows(made, STEPS, new.steps)
    made = _rows(made, TODOS, new.todos)
    made = _rows(made, NOTES, new.scratchpad)
    if render(parse(made)) != render(new):
        raise Refused("its sections cannot be edited line by line: put each bullet on its own line")
    return made


def _prose(body: str, heading: str, meant: str) -> str:
    edit = _Edit(body, heading)
    if text(edit.here, heading) == meant:
        return body
    for section in edit.here:
        edit.replace([line for line in section.lines if line.kind != "idle" and line.bare])
    edit.add_last(prose_lines(meant))
    return edit.made()


def _rows(body: str, rows: Rows[T], values: Sequence[T]) -> str:
    found, meant = rows.entries(sections(body)), rows.of(values)
    is_now = [row for _, row in found]
    if is_now == meant:
        return body
    keys = [row.key for row in is_now], [row.key for row in meant]
    likely = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
    made = _stepped(_Edit(body, rows.heading), found, meant, likely)
    if [row for _, row in rows.entries(sections(made))] == meant:
        return made
    # For example so crookedly indented that a bullet gone or come moves others out of their depth.
    afresh = [("replace", 0, len(found), 0, len(meant))]
    return _stepped(_Edit(body, rows.heading), found, meant, afresh)


def _stepped(
    edit: _Edit, found: Sequence[Found], meant: Sequence[Row], steps: Sequence[Opcode]
) -> str:
    """Return the body once its bullets, *found* in it, say *meant*; *steps* lead there."""
    for step, start, stop, first, last in steps:
        there, wanted = found[start:stop], meant[first:last]
        if step == "equal":
            for (entry, was), now in zip(there, wanted, strict=True):
                edit.amend(entry, was, now)
        else:
            for entry, _ in there:
                edit.replace(entry.lines)
            lines = [line for row in wanted for line in written(row, _lead(found))]
            edit.add(found, start, lines)
    return edit.made()


def _lead(found: Sequence[Found]) -> str:
    """Return what a new bullet begins with, like its neighbours."""
    lead = found[0][0].own[0].lead.rstrip() if found else ""
    return f"{lead} " if lead.endswith(("-", "*", "+")) else "- "


class _Edit:
    """A body being edited in the sections of one heading."""

    def __init__(self, body: str, heading: str) -> None:
        self.raw, self.outline, self.heading = split(body), sections(body), heading
        self.here = [s for s in self.outline if s.heading and s.name == words(heading)]
        self.eol = "\r\n" if self.raw and self.raw[0].endswith("\r\n") else "\n"
        self.replaced: dict[int, str] = {}
        self.inserted: dict[int, list[str]] = {}

    def made(self) -> str:
        """Return the body as it is now; a section that was emptied is gone."""
        for section in self.here:
            kept = [x for x in section.lines if x.bare and self.replaced.get(x.at) != ""]
            if self.replaced and not kept and not self.inserted:
                self._vanish(section)
        return "".join(self._lines())

    def _vanish(self, section: Section) -> None:
        """Take *section* away; of the last one also the blank line above it."""
        start, stop = _span(section)
        if stop == len(self.raw) and start and not self.raw[start - 1].strip():
            start -= 1
        self.replaced.update(dict.fromkeys(range(start, stop), ""))

    def _lines(self) -> Iterator[str]:
        for at, line in enumerate([*self.raw, ""]):
            yield from self.inserted.get(at, ())
            yield self.replaced.get(at, line)

    def replace(self, lines: Sequence[Line], text: str = "") -> None:
        """Put *text* in the place of *lines*; none takes them away."""
        for line in lines:
            self.replaced[line.at] = ""
        if text:
            first = self.raw[lines[0].at]
            self.replaced[lines[0].at] = text + first[len(first.rstrip("\r\n")) :]

    def amend(self, entry: Entry, was: Row, now: Row) -> None:
        """Change the box of *entry*, and what came of it; its text stays as it is written."""
        first = entry.own[0]
        if was.mark != now.mark:
            rest = BOX.sub("", first.text, count=1) if BOX.match(first.text) else first.text
            self.replace([first], f"{first.lead}[{now.mark}] {rest}")
        came = labelled(now, " " * first.indent + "  - ")
        if came == labelled(was, " " * first.indent + "  - "):
            return
        lines = [line for label in LABELS for line in entry.nested.get(label, ())]
        if lines:
            self.replace(lines, "".join(came))
        else:
            self._insert(entry.own[-1].at + 1, came)

    def add(self, found: Sequence[Found], index: int, lines: Sequence[str]) -> None:
        """Put *lines* before the bullet at *index* of those *found*, or behind the last one."""
        if index < len(found):
            self._insert(found[index][0].own[0].at, lines)
        elif found:
            self._insert(found[-1][0].lines[-1].at + 1, lines)
        else:
            self.add_last(lines)

    def add_last(self, lines: Sequence[str]) -> None:
        """Put *lines* at the end of the section, which is made where there is none."""
        if self.here and lines:
            self._insert(self.here[0].stop, lines)
        elif lines:
            self._new_section(lines)

    def _new_section(self, lines: Sequence[str]) -> None:
        """Put a section with *lines* before the first that usually comes after it."""
        later = {words(heading) for heading in ORDER[ORDER.index(self.heading) + 1 :]}
        places = (s.heading.at for s in self.outline if s.heading and s.name in later)
        at = next(places, len(self.raw))
        above = [""] if at and self.raw[at - 1].strip() else []
        below = [""] if at < len(self.raw) else []
        self._insert(at, [*above, f"## {self.heading}", *lines, *below])

    def _insert(self, at: int, lines: Sequence[str]) -> None:
        if not lines:
            return
        if at == len(self.raw) and self.raw and not self.raw[-1].endswith("\n"):
            self.raw[-1] += self.eol
        self.inserted.setdefault(at, []).extend(line + self.eol for line in lines)


def _span(section: Section) -> tuple[int, int]:
    """Return where *section* starts, and where what follows it does."""
    lines = [line for line in (section.heading, *section.lines) if line]
    return lines[0].at, lines[-1].at + 1
