"""Repair a MEMORY.md that holds more than pointers: what it says itself moves to topics.

Each line outside the marks is a heading, a pointer, or content. A few short lines on top that
speak of the file are a person's and stay; all other content moves, word for word, and leaves a
pointer. What will not matter later becomes no topic: `passing_state` deletes it. Pointers that the
budget has no room for move likewise; the hook of one that is too long goes to where it points. A
line or two go to the topic of that title, where there is one. All of it is an agent's word, so that
it goes where that is believed as much, and to no card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil

from vaultmem.maintenance.dream import inherited_trust, new_topics
from vaultmem.maintenance.dream.detectors import passing_state
from vaultmem.maintenance.dream.index_units import Unit, content, index, taken_out, units
from vaultmem.maintenance.dream.link_graph import Places, generated, links, rebased
from vaultmem.maintenance.dream.loss_check import outdented
from vaultmem.maintenance.dream.new_topics import Topic
from vaultmem.maintenance.dream.types import Edit, Kept, Lines, Note, Proposal, Seen, key
from vaultmem.memory import memory_index
from vaultmem.nlp.extraction.naming import titles
from vaultmem.records import TRUST_OF_SOURCE, first_line
from vaultmem.storage import files, reader

_MOST = memory_index.Size(175, 22_500)
"""What may stand outside the marks, so that nobody is warned (at 180 lines)."""

_ROOMY = memory_index.Size(155, 20_000)
"""What is left there once something had to go, so that the next line finds room."""

_TRUST = TRUST_OF_SOURCE["agent"]
"""What an index is worth, whoever wrote it."""

_LONGEST_PART = 150
_A_FEW = 2
_SUBJECTS = 5
_INDEX = memory_index.PATH.removesuffix(".md")


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a proposal for each topic that content moves to, and for each pointer to be cut."""
    note = index(seen)
    if note is None:
        return
    found = units(note)
    said = content(note, found)
    lasting = [unit for unit in said if not passing_state.why(unit)]
    yield from _moves(seen, note, [*lasting, *_overflow(note, found, said)])
    yield from _cuts(seen, note, found)


# --- measuring --------------------------------------------------------------------------------


def _overflow(note: Note, found: Sequence[Unit], said: Sequence[Unit]) -> list[Unit]:
    """Return the last pointers, as many as there is no room for once what is *said* went."""
    gone = {unit.at for unit in said}
    stays = [u for u in found if u.at not in gone]
    size = _size(stays, note)
    if _fits(size, _MOST):
        return []
    over: list[Unit] = []
    for unit in reversed([u for u in stays if u.kind == "pointer"]):
        if _fits(size, _ROOMY):
            break
        took = _size([unit], note)
        size = memory_index.Size(size.lines - took.lines, size.bytes - took.bytes)
        over.insert(0, replace(unit, section=""))
    return over


def _size(several: Iterable[Unit], note: Note) -> memory_index.Size:
    return memory_index.size("".join(f"{x}{note.eol}" for unit in several for x in unit.lines))


def _fits(size: memory_index.Size, most: memory_index.Size) -> bool:
    return size.lines <= most.lines and size.bytes <= most.bytes


# --- moving -----------------------------------------------------------------------------------


def _moves(seen: Seen, note: Note, movable: Sequence[Unit]) -> Iterator[Proposal]:
    taken = set(seen.paths)
    topics = (n for n in seen.notes if n.record.type == "topic" and not n.fixed)
    homes = {n.path: n for n in topics if inherited_trust.may_take(n, note)}
    for group in _groups(movable):
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


def _groups(movable: Iterable[Unit]) -> list[list[Unit]]:
    """Return the units by the heading above them; under none by what they are.

    What says again what another says goes where that goes, so that one topic is to be cleared.
    """
    found: dict[tuple[str, str], list[Unit]] = {}
    by_text: dict[str, list[Unit]] = {}
    for unit in movable:
        kind = "prose" if unit.kind == "code" else unit.kind
        named = unit.section and kind != "pointer"
        text = key(" ".join(unit.lines))
        group = by_text.get(text) or found.setdefault((unit.section, "" if named else kind), [])
        group.append(unit)
        by_text[text] = group
    return list(found.values())


def _title(group: Sequence[Unit]) -> str:
    if all(unit.kind == "pointer" for unit in group):
        return "More pointers"
    return group[0].section or titles.title(_texts(group), fallback="From the index")


def _texts(group: Sequence[Unit]) -> list[str]:
    return [" ".join(" ".join(unit.lines).split()).lstrip("-*+ ") for unit in group]


def _parts(group: Sequence[Unit]) -> list[list[Unit]]:
    """Return *group* in parts of about the same length, none too long where units allow it."""
    whole = sum(unit.room for unit in group)
    count = ceil(whole / _LONGEST_PART)
    parts: list[list[Unit]] = [[]]
    room = 0
    for unit in group:
        if parts[-1] and room + unit.room > ceil(whole / count):
            parts.append([])
            room = 0
        parts[-1].append(unit)
        room += unit.room
    return parts


def _joined(note: Note, group: Sequence[Unit], home: Note) -> Proposal:
    """Return the move of *group* to the topic *home*, which says of it already."""
    moved = [_rebased(unit, home.path) for unit in group]
    heading = "Pointers" if group[0].kind == "pointer" else "Facts"
    apart = [("",) if unit.kind in {"prose", "code"} else () for unit in moved]
    lines = [x for unit, gap in zip(moved, apart, strict=True) for x in (*gap, *unit.lines)]
    known = generated(note) or home.path in memory_index.targets("\n".join(note.lines))
    pointer = () if known else (memory_index.pointer(home.record),)
    edits = (new_topics.added(home, lines, heading), *taken_out(note, group, pointer))
    kept = _reworded(group, moved)
    return Proposal("move", note.path, _reason(group, home.path), edits, kept=kept)


def _reason(part: Sequence[Unit], path: str) -> str:
    pointing = all(unit.kind == "pointer" for unit in part)
    what = "pointers it has no room for" if pointing else "content, no pointers"
    count = sum(len(unit.lines) for unit in part)
    return f"{count} {'line is' if count == 1 else 'lines are'} {what}: moved to {path}"


def _reworded(part: Sequence[Unit], moved: Sequence[Unit]) -> tuple[Kept, ...]:
    return tuple(
        Kept(" ".join(old.lines), " ".join(new.lines))
        for old, new in zip(part, moved, strict=True)
        if old.lines != new.lines
    )


def _move(seen: Seen, note: Note, part: Sequence[Unit], title: str, path: str) -> Proposal:
    moved = [_rebased(unit, path) for unit in part]
    topic = Topic(path, title, _about(part, title), _body(moved), [_INDEX], _TRUST)
    make = topic.make(seen.now)
    pointer = memory_index.pointer(reader.record(path, files.content(make.text.encode())))
    edits: tuple[Edit, ...] = (make, *taken_out(note, part, () if generated(note) else (pointer,)))
    return Proposal("move", note.path, _reason(part, path), edits, kept=_reworded(part, moved))


def _about(part: Sequence[Unit], title: str) -> str:
    found = titles.subjects(_texts(part), _SUBJECTS)
    others = [subject for subject in found if subject.casefold() not in title.casefold()]
    return f"From MEMORY.md: {', '.join(others or found)}".rstrip(": ")


def _rebased(unit: Unit, path: str) -> Unit:
    """Return *unit* as it reads in the file at *path*: its links lead where they led."""
    if unit.kind == "code":
        return unit
    lines = tuple(rebased(line, memory_index.PATH, path) for line in unit.lines)
    # A bullet that was nested in nothing would be nested in the one that it now stands below.
    return replace(unit, lines=outdented(lines) if unit.kind in {"bullet", "pointer"} else lines)


def _body(part: Sequence[Unit]) -> list[str]:
    """Return the lines of a topic that says what *part* does: bullets as facts, prose apart."""
    kinds = [unit.kind for unit in part]
    heading = "Pointers" if {*kinds} == {"pointer"} else "Facts" if "bullet" in kinds else ""
    lines = [f"## {heading}"] if heading else []
    for unit, before in zip(part, ["", *kinds], strict=False):
        if lines and not {"prose", "code"}.isdisjoint({unit.kind, before}):
            lines.append("")
        lines += unit.lines
    return lines


# --- cutting ----------------------------------------------------------------------------------


def _cuts(seen: Seen, note: Note, found: Sequence[Unit]) -> Iterator[Proposal]:
    """Yield what makes pointers short: the words of a long one go to the note it points at."""
    places = Places(seen)
    others = (n for n in seen.notes if not n.fixed and n is not note)
    homes = {n.path: n for n in others if inherited_trust.may_take(n, note)}
    for link in links(note):
        line = note.lines[link.at]
        unit = next((u for u in found if u.at == link.at and u.kind == "pointer"), None)
        if unit and len(line) > memory_index.LONGEST_LINE and line[: link.start].strip() in "-*+":
            homed = places.candidates(link, note.path)
            if len(homed) == 1 and homed[0] in homes:
                yield from _cut(note, unit, link.stop, homes[homed[0]])


def _cut(note: Note, unit: Unit, stop: int, home: Note) -> Iterator[Proposal]:
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
