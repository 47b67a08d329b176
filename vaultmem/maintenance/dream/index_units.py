"""Read MEMORY.md as units: lines outside the marks that belong together, each under its heading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, groupby, takewhile
from typing import Literal

from vaultmem.documents.markdown import outline
from vaultmem.maintenance.dream import facts
from vaultmem.maintenance.dream.link_graph import generated, links
from vaultmem.maintenance.dream.types import Lines, Note, Seen
from vaultmem.memory import memory_index

Kind = Literal["heading", "pointer", "bullet", "prose", "code", "blank"]


@dataclass(frozen=True, slots=True)
class Unit:
    """Lines of MEMORY.md that belong together, and the heading that they stand under."""

    at: int
    lines: tuple[str, ...]
    kind: Kind
    section: str = ""

    @property
    def stop(self) -> int:
        """The line behind its last."""
        return self.at + len(self.lines)

    @property
    def room(self) -> int:
        """How many lines it takes in a topic: prose has a blank one behind it."""
        return len(self.lines) + (self.kind in {"prose", "code"})


def index(seen: Seen) -> Note | None:
    """Return MEMORY.md where a dream may change it: nothing fixes it, and its marks are clear."""
    note = next((n for n in seen.notes if n.path == memory_index.PATH), None)
    return None if note is None or note.fixed or not _is_clear(note) else note


def _is_clear(note: Note) -> bool:
    """Tell whether there is one pair of marks, or none: else nobody knows whose the lines are."""
    bare = [line.strip() for line in note.lines]
    marks = [line for line in bare if line in memory_index.MARKS]
    return marks in ([], [memory_index.BEGIN, memory_index.END])


def units(note: Note) -> list[Unit]:
    """Return what stands outside the marks, in order, each under its heading."""
    found: list[Unit] = []
    section, titled, at = "", False, note.record.body_line - 1
    ours, kinds = generated(note), _kinds(note)
    while at < len(note.lines):
        unit = _unit(note, at, kinds)
        if unit.kind == "heading" and at not in ours:
            title = unit.lines[0].strip().lstrip("#").strip()
            section = title if titled or unit.lines[0].lstrip().startswith("##") else ""
            titled = True
        if at not in ours:
            found.append(replace(unit, section=section))
        at = unit.stop
    return found


def _kinds(note: Note) -> Mapping[int, Kind]:
    """Return what each line is; of a bullet with what hangs on it only the first."""
    first = note.record.body_line - 1
    linked = {link.at for link in links(note)}
    kinds: dict[int, Kind] = {}
    for fact in note.facts:
        short = len(fact.lines) == 1 and len(fact.lines[0]) <= memory_index.LONGEST_LINE
        points = fact.kind == "pointer" or (short and fact.at in linked)
        kinds[fact.at] = "pointer" if points else "bullet" if fact.kind == "bullet" else "prose"
    for section in facts.own_sections(note.path, note.lines, first):
        if section.heading:
            kinds[first + section.heading.at] = "heading"
        kinds |= dict.fromkeys(_fenced(section.lines, first), "code")
    return kinds


def _fenced(lines: Iterable[outline.Line], first: int) -> Iterator[int]:
    for idle, run in groupby(lines, key=lambda line: line.kind == "idle"):
        block = dropwhile(lambda line: not line.text.startswith(("```", "~~~")), run)
        yield from (first + line.at for line in (block if idle else ()))


def _unit(note: Note, at: int, kinds: Mapping[int, Kind]) -> Unit:
    kind = kinds.get(at, "blank")
    hanging = next((f for f in note.facts if f.at == at and f.kind in {"bullet", "pointer"}), None)
    stop = at + 1
    if kind in {"prose", "code"}:
        while kinds.get(stop) == kind:
            stop += 1
    elif hanging and kind != "code":
        stop = at + len(hanging.lines)
    return Unit(at, note.lines[at:stop], kind)


def content(note: Note, found: Sequence[Unit]) -> list[Unit]:
    """Return what is neither pointer nor heading, nor a short introduction."""
    opening = list(takewhile(lambda u: u.kind not in {"bullet", "pointer"}, _before(note, found)))
    said = [u for u in opening if u.kind in {"prose", "code"} and not u.section]
    stays = memory_index.introduction(["\n".join(unit.lines) for unit in said])
    kept = [said[n] for n in stays if said[n].kind == "prose"]
    return [u for u in found if u.kind in {"bullet", "prose", "code"} and u not in kept]


def _before(note: Note, found: Sequence[Unit]) -> Sequence[Unit]:
    """Return the units of *found* above the marks of *note*."""
    marks = generated(note)
    return [u for u in found if not marks or u.at < min(marks)]


def taken_out(note: Note, part: Sequence[Unit], pointer: tuple[str, ...]) -> list[Lines]:
    """Return the edits that take *part* out of MEMORY.md and leave *pointer* where it began.

    The last lines go first, so that those above stand where they stood: some may read alike. Prose
    that follows stands apart from the pointer: it would read as more of it.
    """
    edits: list[Lines] = []
    prose = {fact.at for fact in note.facts if fact.kind == "prose"}
    for run in _runs(note, part):
        old = note.lines[run.start : run.stop]
        after = note.lines[run.stop : run.stop + 1]
        if not pointer and after == ("",) and not "".join(note.lines[run.start - 1 : run.start]):
            old += after
        gap = ("",) if pointer and run.stop in prose else ()
        edits.insert(0, Lines(note.path, run.start, old, (*pointer, *gap)))
        pointer = ()
    return edits


def _runs(note: Note, part: Sequence[Unit]) -> list[range]:
    """Return where *part* stands, lines with nothing but blank ones between them in one."""
    runs: list[range] = []
    for unit in part:
        if runs and not "".join(note.lines[runs[-1].stop : unit.at]).strip():
            runs[-1] = range(runs[-1].start, unit.stop)
        else:
            runs.append(range(unit.at, unit.stop))
    return runs
