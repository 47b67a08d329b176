"""Find notes that are too long to be read at once, and split them in parts that link each other.

A cut falls between two bullets, paragraphs or blocks of code, best before a heading. What cannot
be cut so is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count, islice, pairwise

from vaultmem.documents import frontmatter
from vaultmem.documents.markdown import outline
from vaultmem.documents.markdown.links import encoded, relative
from vaultmem.errors import Refused, Unreadable
from vaultmem.maintenance.dream import new_topics
from vaultmem.maintenance.dream.types import Lines, Make, Note, Proposal, Seen

_LONG, _LONGEST_PART = 200, 150
# A heading said again, links to and fro, and blank lines around them.
_ROOM = _LONGEST_PART - 8


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines of a body that are not parted, and the heading above them, if they have one."""

    at: int
    lines: tuple[str, ...]
    heading: str = ""
    opens: bool = False


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a split for each topic and note of more than 200 lines."""
    taken = set(seen.paths)
    for note in seen.notes:
        if _is_long(note) and (parts := _parts(_blocks(note))):
            stem = note.path.removesuffix(".md")
            names = (name for n in count(2) if (name := f"{stem}-{n}.md") not in taken)
            paths = [note.path, *islice(names, len(parts) - 1)]
            taken.update(paths)
            split = _Split(note, parts, paths, seen.now)
            yield from filter(None, [split.proposal()])


def _is_long(note: Note) -> bool:
    body = len(note.lines) - (note.record.body_line - 1)
    known = note.record.type in {"topic", "note"} and not note.fixed
    return known and len(note.lines) > _LONG and body > _LONGEST_PART


# --- where to cut -----------------------------------------------------------------------------


def _blocks(note: Note) -> list[_Block]:
    """Return the body in blocks: a heading with what follows it, bullets, paragraphs, code."""
    first = note.record.body_line - 1
    found: list[_Block] = []
    for section in outline.sections("\n".join(note.lines[first:])):
        heading = note.lines[first + section.heading.at] if section.heading else ""
        lines = [*filter(None, [section.heading]), *section.lines]
        starts = [n for n, line in enumerate(lines) if _may_begin(lines, n)]
        for begin, end in pairwise([*starts, len(lines)]):
            at = first + lines[begin].at
            raw = note.lines[at : at + end - begin]
            found.append(_Block(at, raw, heading, opens=begin == 0 and bool(heading)))
    return found


def _may_begin(lines: Sequence[outline.Line], n: int) -> bool:
    """Tell whether a block may begin at line *n*: never within what hangs together."""
    if n == 0:
        return True
    before, line = lines[n - 1], lines[n]
    if before.kind == "heading" or not line.bare or line.indent > 0:
        return False
    if line.kind == "idle":
        return before.kind != "idle"
    return line.kind == "bullet" or not before.bare


def _parts(blocks: Sequence[_Block]) -> list[list[_Block]]:
    """Return *blocks* in parts that are not too long; none when one would be, or all fit in one."""
    parts: list[list[_Block]] = [[]]
    for section in _sections(blocks):
        if parts[-1] and _length(parts[-1]) + _length(section) > _ROOM >= _length(section):
            parts.append([])
        for block in section:
            if parts[-1] and _length(parts[-1]) + len(block.lines) > _ROOM:
                parts.append([])
            parts[-1].append(block)
    whole = len(parts) > 1 and all(_length(part) <= _ROOM for part in parts)
    return parts if whole else []


def _sections(blocks: Sequence[_Block]) -> list[list[_Block]]:
    found: list[list[_Block]] = []
    for block in blocks:
        if block.opens or not found:
            found.append([])
        found[-1].append(block)
    return found


def _length(part: Sequence[_Block]) -> int:
    return sum(len(block.lines) for block in part)


# --- cutting ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Split:
    """A note in parts: where each lies, the first where it lay, and what each is called."""

    note: Note
    parts: Sequence[Sequence[_Block]]
    paths: Sequence[str]
    now: datetime

    def proposal(self) -> Proposal | None:
        """Return the split, None when the frontmatter cannot be written a second time."""
        try:
            makes = [self._make(n) for n in range(1, len(self.parts))]
        except (Refused, Unreadable):
            return None
        note, cut = self.note, self.parts[1][0].at
        edit = Lines(note.path, cut, note.lines[cut:], self._onward(note.lines[:cut], 0))
        why = f"{len(note.lines)} lines are too many for one note: split into {len(self.parts)}"
        return Proposal("split", note.path, why, (*makes, edit))

    def _make(self, n: int) -> Make:
        first = self.parts[n][0]
        again = [first.heading] if first.heading and not first.opens else []
        lines = [f"Continued from {self._link(n, n - 1)}.", "", *again]
        lines += chain.from_iterable(block.lines for block in self.parts[n])
        if n + 1 < len(self.parts):
            lines += self._onward(lines, n)
        return Make(self.paths[n], self._text(n, lines))

    def _text(self, n: int, lines: Sequence[str]) -> str:
        """Return the file of a part: the note's frontmatter with a title and an id of its own."""
        eol, record = self.note.eol, self.note.record
        old = frontmatter.parse("".join(f"{line}{eol}" for line in self.note.lines))
        new_id = new_topics.new_id(self.paths[n] + self.note.sha, self.now)
        named = {"type": record.type, "title": self._title(n), "aliases": None}
        head = {"id": new_id, **named} if record.id else named
        body = "".join(f"{line}{eol}" for line in lines)
        return frontmatter.render(frontmatter.update(old, head, body))

    def _title(self, n: int) -> str:
        title = self.note.record.title or self.note.record.stem
        return f"{title}, part {n + 1}" if n else title

    def _onward(self, above: Sequence[str], n: int) -> tuple[str, ...]:
        """Return the line that leads from part *n* to the next, set off from those *above*."""
        gap = ("",) if above[-1].strip() else ()
        return (*gap, f"Continued in {self._link(n, n + 1)}.")

    def _link(self, here: int, there: int) -> str:
        title = self._title(there).translate(str.maketrans("[]\\", "()/"))
        return f"[{title}]({encoded(relative(self.paths[there], self.paths[here]))})"
