"""Repair a MEMORY.md that holds more than pointers: what it says itself moves to topics.

Each line outside the marks is a heading, a pointer, or content. A few short lines of prose on top
are a person's and stay; all other content moves, word for word, and leaves a pointer. What will not
matter later becomes no topic: it is to be deleted. Pointers that the budget has no room for move
likewise; the hook of one that is too long goes to where it points. A line or two go to the topic of
that title, where there is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, groupby
from math import ceil
from typing import Literal

from vaultmem.documents.bodies import outline
from vaultmem.maintenance.dream import new_topics
from vaultmem.maintenance.dream.link_graph import Places, generated, links, rebased
from vaultmem.maintenance.dream.loss_check import outdented
from vaultmem.maintenance.dream.new_topics import Topic
from vaultmem.maintenance.dream.types import Edit, Kept, Lines, Note, Proposal, Seen, key
from vaultmem.memory import memory_index
from vaultmem.nlp.extraction import ephemeral, titles
from vaultmem.records import first_line
from vaultmem.storage import files, reader

_Kind = Literal["heading", "pointer", "bullet", "prose", "code", "blank"]

_MOST = memory_index.Size(175, 22_500)
"""What may stand outside the marks, so that nobody is warned (at 180 lines)."""

_ROOMY = memory_index.Size(155, 20_000)
"""What is left there once something had to go, so that the next line finds room."""

_LONGEST_PART = 150
_A_FEW = 2
_SUBJECTS = 5
_INDEX = memory_index.PATH.removesuffix(".md")


@dataclass(frozen=True, slots=True)
class _Unit:
    """Lines of MEMORY.md that belong together, and the heading that they stand under."""

    at: int
    lines: tuple[str, ...]
    kind: _Kind
    section: str = ""

    @property
    def stop(self) -> int:
        return self.at + len(self.lines)

    @property
    def room(self) -> int:
        """How many lines it takes in a topic: prose has a blank one behind it."""
        return len(self.lines) + (self.kind in {"prose", "code"})


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a proposal for each topic that content moves to, and for each pointer to be cut."""
    note = next((n for n in seen.notes if n.path == memory_index.PATH), None)
    if note is None or note.fixed or not _is_clear(note):
        return
    units = _units(note)
    content = _content(units)
    passing = {unit.at: why for unit in content if (why := _why_ephemeral(unit))}
    lasting = [unit for unit in content if unit.at not in passing]
    yield from _moves(seen, note, [*lasting, *_overflow(note, units, content)])
    for unit in content:
        if unit.at in passing:
            yield _deletion(note, unit, passing[unit.at])
    yield from _cuts(seen, note, units)


def _is_clear(note: Note) -> bool:
    """Tell whether there is one pair of marks, or none: else nobody knows whose the lines are."""
    bare = [line.strip() for line in note.lines]
    marks = [line for line in bare if line in {memory_index.BEGIN, memory_index.END}]
    return marks in ([], [memory_index.BEGIN, memory_index.END])


# --- auditing ---------------------------------------------------------------------------------


def _units(note: Note) -> list[_Unit]:
    """Return what stands outside the marks, in order, each under its heading."""
    found: list[_Unit] = []
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


def _kinds(note: Note) -> Mapping[int, _Kind]:
    """Return what each line is; of a bullet with what hangs on it only the first."""
    first = note.record.body_line - 1
    linked = {link.at for link in links(note)}
    kinds: dict[int, _Kind] = {}
    for fact in note.facts:
        short = len(fact.lines) == 1 and len(fact.lines[0]) <= memory_index.LONGEST_LINE
        points = fact.kind == "pointer" or (short and fact.at in linked)
        kinds[fact.at] = "pointer" if points else "bullet" if fact.kind == "bullet" else "prose"
    for section in outline.sections("\n".join(note.lines[first:])):
        if section.heading:
            kinds[first + section.heading.at] = "heading"
        kinds |= dict.fromkeys(_fenced(section.lines, first), "code")
    return kinds


def _fenced(lines: Iterable[outline.Line], first: int) -> Iterator[int]:
    for idle, run in groupby(lines, key=lambda line: line.kind == "idle"):
        block = dropwhile(lambda line: not line.text.startswith(("```", "~~~")), run)
        yield from (first + line.at for line in (block if idle else ()))


def _unit(note: Note, at: int, kinds: Mapping[int, _Kind]) -> _Unit:
    kind = kinds.get(at, "blank")
    hanging = next((f for f in note.facts if f.at == at and f.kind in {"bullet", "pointer"}), None)
    stop = at + 1
    if kind in {"prose", "code"}:
        while kinds.get(stop) == kind:
            stop += 1
    elif hanging and kind != "code":
        stop = at + len(hanging.lines)
    return _Unit(at, note.lines[at:stop], kind)


def _content(units: Sequence[_Unit]) -> list[_Unit]:
    """Return what is neither pointer nor heading, nor a short introduction."""
    first = next((n for n, u in enumerate(units) if u.kind in {"bullet", "pointer"}), len(units))
    opening = [u for u in units[:first] if u.kind in {"prose", "code"} and not u.section]
    lines = [line for unit in opening for line in unit.lines]
    kept = opening if memory_index.is_introduction(lines) else []
    return [u for u in units if u.kind in {"bullet", "prose", "code"} and u not in kept]


def _overflow(note: Note, units: Sequence[_Unit], content: Sequence[_Unit]) -> list[_Unit]:
    """Return the last pointers, as many as there is no room for once *content* went."""
    gone = {unit.at for unit in content}
    stays = [u for u in units if u.at not in gone]
    size = _size(stays, note)
    if _fits(size, _MOST):
        return []
    over: list[_Unit] = []
    for unit in reversed([u for u in stays if u.kind == "pointer"]):
        if _fits(size, _ROOMY):
            break
        took = _size([unit], note)
        size = memory_index.Size(size.lines - took.lines, size.bytes - took.bytes)
        over.insert(0, replace(unit, section=""))
    return over


def _size(units: Iterable[_Unit], note: Note) -> memory_index.Size:
    return memory_index.size("".join(f"{x}{note.eol}" for unit in units for x in unit.lines))


def _fits(size: memory_index.Size, most: memory_index.Size) -> bool:
    return size.lines <= most.lines and size.bytes <= most.bytes


# --- deleting ---------------------------------------------------------------------------------


def _why_ephemeral(unit: _Unit) -> str:
    text = " ".join(line.strip().lstrip("-*+ ") for line in unit.lines)
    return "" if unit.kind == "code" else ephemeral.reason(text)


def _deletion(note: Note, unit: _Unit, why: str) -> Proposal:
    edits = tuple(_taken_out(note, [unit], ()))
    losses = tuple(fact.text for fact in note.facts if unit.at <= fact.at < unit.stop)
    return Proposal("delete", note.path, f"it {why}", edits, losses=losses)


# --- moving -----------------------------------------------------------------------------------


def _moves(seen: Seen, note: Note, units: Sequence[_Unit]) -> Iterator[Proposal]:
    taken = set(seen.paths)
    homes = {n.path: n for n in seen.notes if n.record.type == "topic" and not n.fixed}
    for group in _groups(units):
        title = _title(group)
        home = homes.get(new_topics.free_path("topics", title, ()))
        if home and sum(len(unit.lines) for unit in group) <= _A_FEW:
            yield _joined(note, group, home)
            continue
        for n, part in enumerate(_parts(group), 1):
            name = title if n == 1 else f"{title}, part {n}"
            path = new_topics.free_path("topics", name, taken)
            taken.add(path)
            yield _move(seen, note, part, name, path)


def _groups(units: Iterable[_Unit]) -> list[list[_Unit]]:
    """Return the units by the heading above them; under none by what they are.

    What says again what another says goes where that goes, so that one topic is to be cleared.
    """
    found: dict[tuple[str, str], list[_Unit]] = {}
    by_text: dict[str, list[_Unit]] = {}
    for unit in units:
        kind = "prose" if unit.kind == "code" else unit.kind
        named = unit.section and kind != "pointer"
        text = key(" ".join(unit.lines))
        group = by_text.get(text) or found.setdefault((unit.section, "" if named else kind), [])
        group.append(unit)
        by_text[text] = group
    return list(found.values())


def _title(group: Sequence[_Unit]) -> str:
    if all(unit.kind == "pointer" for unit in group):
        return "More pointers"
    return group[0].section or titles.title(_texts(group), fallback="From the index")


def _texts(group: Sequence[_Unit]) -> list[str]:
    return [" ".join(" ".join(unit.lines).split()).lstrip("-*+ ") for unit in group]


def _parts(group: Sequence[_Unit]) -> list[list[_Unit]]:
    """Return *group* in parts of about the same length, none too long where units allow it."""
    whole = sum(unit.room for unit in group)
    count = ceil(whole / _LONGEST_PART)
    parts: list[list[_Unit]] = [[]]
    room = 0
    for unit in group:
        if parts[-1] and room + unit.room > ceil(whole / count):
            parts.append([])
            room = 0
        parts[-1].append(unit)
        room += unit.room
    return parts


def _joined(note: Note, group: Sequence[_Unit], home: Note) -> Proposal:
    """Return the move of *group* to the topic *home*, which says of it already."""
    moved = [_rebased(unit, home.path) for unit in group]
    heading = "Pointers" if group[0].kind == "pointer" else "Facts"
    apart = [("",) if unit.kind in {"prose", "code"} else () for unit in moved]
    lines = [x for unit, gap in zip(moved, apart, strict=True) for x in (*gap, *unit.lines)]
    known = generated(note) or home.path in memory_index.targets("\n".join(note.lines))
    pointer = () if known else (memory_index.pointer(home.record),)
    edits = (new_topics.added(home, lines, heading), *_taken_out(note, group, pointer))
    kept = _reworded(group, moved)
    return Proposal("move", note.path, _reason(group, home.path), edits, kept=kept)


def _reason(part: Sequence[_Unit], path: str) -> str:
    pointing = all(unit.kind == "pointer" for unit in part)
    what = "pointers it has no room for" if pointing else "content, no pointers"
    count = sum(len(unit.lines) for unit in part)
    return f"{count} {'line is' if count == 1 else 'lines are'} {what}: moved to {path}"


def _reworded(part: Sequence[_Unit], moved: Sequence[_Unit]) -> tuple[Kept, ...]:
    return tuple(
        Kept(" ".join(old.lines), " ".join(new.lines))
        for old, new in zip(part, moved, strict=True)
        if old.lines != new.lines
    )


def _move(seen: Seen, note: Note, part: Sequence[_Unit], title: str, path: str) -> Proposal:
    moved = [_rebased(unit, path) for unit in part]
    topic = Topic(path, title, _about(part, title), _body(moved), [_INDEX], note.record.trust)
    make = topic.make(seen.now)
    pointer = memory_index.pointer(reader.record(path, files.content(make.text.encode())))
    edits: tuple[Edit, ...] = (make, *_taken_out(note, part, () if generated(note) else (pointer,)))
    return Proposal("move", note.path, _reason(part, path), edits, kept=_reworded(part, moved))


def _about(part: Sequence[_Unit], title: str) -> str:
    found = titles.subjects(_texts(part), _SUBJECTS)
    others = [subject for subject in found if subject.casefold() not in title.casefold()]
    return f"From MEMORY.md: {', '.join(others or found)}".rstrip(": ")


def _rebased(unit: _Unit, path: str) -> _Unit:
    """Return *unit* as it reads in the file at *path*: its links lead where they led."""
    if unit.kind == "code":
        return unit
    lines = tuple(rebased(line, memory_index.PATH, path) for line in unit.lines)
    # A bullet that was nested in nothing would be nested in the one that it now stands below.
    return replace(unit, lines=outdented(lines) if unit.kind in {"bullet", "pointer"} else lines)


def _body(part: Sequence[_Unit]) -> list[str]:
    """Return the lines of a topic that says what *part* does: bullets as facts, prose apart."""
    kinds = [unit.kind for unit in part]
    heading = "Pointers" if {*kinds} == {"pointer"} else "Facts" if "bullet" in kinds else ""
    lines = [f"## {heading}"] if heading else []
    for unit, before in zip(part, ["", *kinds], strict=False):
        if lines and not {"prose", "code"}.isdisjoint({unit.kind, before}):
            lines.append("")
        lines += unit.lines
    return lines


def _taken_out(note: Note, part: Sequence[_Unit], pointer: tuple[str, ...]) -> list[Lines]:
    """Return the edits that take *part* out of MEMORY.md and leave *pointer* where it began.

    The last lines go first, so that those above stand where they stood: some may read alike.
    """
    edits: list[Lines] = []
    for run in _runs(note, part):
        old = note.lines[run.start : run.stop]
        after = note.lines[run.stop : run.stop + 1]
        if not pointer and after == ("",) and not "".join(note.lines[run.start - 1 : run.start]):
            old += after
        edits.insert(0, Lines(note.path, run.start, old, pointer))
        pointer = ()
    return edits


def _runs(note: Note, part: Sequence[_Unit]) -> list[range]:
    """Return where *part* stands, lines with nothing but blank ones between them in one."""
    runs: list[range] = []
    for unit in part:
        if runs and not "".join(note.lines[runs[-1].stop : unit.at]).strip():
            runs[-1] = range(runs[-1].start, unit.stop)
        else:
            runs.append(range(unit.at, unit.stop))
    return runs


# --- cutting ----------------------------------------------------------------------------------


def _cuts(seen: Seen, note: Note, units: Sequence[_Unit]) -> Iterator[Proposal]:
    """Yield what makes pointers short: the words of a long one go to the note it points at."""
    places = Places(seen)
    homes = {n.path: n for n in seen.notes if not n.fixed and n is not note}
    for link in links(note):
        line = note.lines[link.at]
        unit = next((u for u in units if u.at == link.at and u.kind == "pointer"), None)
        if unit and len(line) > memory_index.LONGEST_LINE and line[: link.start].strip() in "-*+":
            found = places.candidates(link, note.path)
            if len(found) == 1 and found[0] in homes:
                yield from _cut(note, unit, link.stop, homes[found[0]])


def _cut(note: Note, unit: _Unit, stop: int, home: Note) -> Iterator[Proposal]:
    line = unit.lines[0]
    hook = line[stop:].lstrip(" :\u2014-").strip()
    room = memory_index.LONGEST_LINE - stop - len(": ")
    if not hook or room < 1:
        return
    short = f"{line[:stop]}: {first_line(hook, room)}"
    edits: list[Edit] = [Lines(note.path, unit.at, (line,), (short,))]
    if key(hook) not in {key(fact.text) for fact in home.facts}:
        edits.append(new_topics.added(home, [f"- {hook}"]))
    reason = f"a pointer of {len(line)} characters: its text moves to {home.path}"
    yield Proposal("move", note.path, reason, tuple(edits), kept=(Kept(line.strip("-*+ "), hook),))
