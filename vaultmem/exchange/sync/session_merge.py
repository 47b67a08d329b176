"""Sessions that went on at both sides: one log of each, and our notes on them with its numbers.

An episode and a compact name turns by number, and of a tool they have the number of the turn that
answered, in a line of the program's own. A person's lines stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from vaultmem.documents import frontmatter
from vaultmem.errors import Refused, Unreadable
from vaultmem.exchange.sync import conflict_note, forgotten, item_log_merge, transcript_merge
from vaultmem.exchange.sync.transcript_merge import MergedTranscript
from vaultmem.exchange.sync.types import Data, Sides
from vaultmem.memory import folding, session_status
from vaultmem.memory.compaction import human_lines
from vaultmem.records import Record
from vaultmem.storage import files, item_logs, reader, transcript_files

_COMPACTED = re.compile(r"(Compacted at turn )(\d{1,18})(?=\.)")
_ANSWERED = re.compile(r"(- `[^`]+`: .*?\(turn )([1-9]\d{0,6})(?=\)(?:: .*)?\s*\Z)")


@dataclass(slots=True)
class MergedSessions:
    """The *logs* of both sides in one by path, and what *ours* of the notes on them say now.

    *aside* are (path, note about it), *notices* what to tell.
    """

    logs: dict[str, Data] = field(default_factory=dict)
    ours: dict[str, Data] = field(default_factory=dict)
    aside: list[tuple[str, bytes]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def merge(sides: Sides) -> MergedSessions:
    """Merge item logs and transcripts that both *sides* have; renumber what names our turns."""
    made, renumbered = MergedSessions(), dict[str, MergedTranscript]()
    known = forgotten.known(sides)
    for path, it in sides.items():
        if it.ours is None or it.theirs is None or it.ours == it.theirs:
            continue
        if item_logs.is_path(path):
            page = item_log_merge.merge(path, it)
            made.logs[path] = page.data
            made.aside += ((path, note) for note in page.aside)
        elif transcript_files.holds(path):
            merged = transcript_merge.merge(it, known)
            made.logs[path] = merged.data
            _tell(path, merged, made)
            if it.ours != it.base and any(n != m for n, m in merged.moved.items()):
                renumbered[path] = merged
    if renumbered:
        _renumber(sides, renumbered, made)
    return made


def _tell(path: str, merged: MergedTranscript, made: MergedSessions) -> None:
    """Tell of turns that are not in the *merged* transcript as one side had them."""
    if merged.conflicts:
        made.aside.append((path, conflict_note.note(path, merged.conflicts)))
    if count := len(merged.forgotten):
        made.notices.append(
            f"{path}: {count} turn{'s' * (count != 1)} of both machines had been forgotten on "
            "one side: it is so now on both, and git still has the text"
        )


def _renumber(
    sides: Sides, renumbered: Mapping[str, MergedTranscript], made: MergedSessions
) -> None:
    """Let what we wrote of *renumbered* transcripts name our turns by their numbers of now."""
    compacts = {session_status.compact_path(path): merged for path, merged in renumbered.items()}
    for path, it in sides.items():
        if it.ours is None or it.ours == it.base:
            continue
        if merged := compacts.get(path):
            made.ours[path] = _limited_compact(it.ours, merged)
            continue
        record = reader.record(path, files.content(it.ours))
        session = transcript_files.path(record.agent, record.session)
        if record.type == "episode" and (merged := renumbered.get(session)):
            made.ours[path] = _shifted(record, it.ours, merged)
            own = b"" if made.ours[path] else folding.persons_part(record, it.ours)
            made.aside += [(path, own)] if own else []


def _shifted(record: Record, data: bytes, merged: MergedTranscript) -> Data:
    """Return our episode with the numbers its turns have now; None when they stand apart."""
    if record.outcome or record.turn_end <= merged.common:
        return data
    span = merged.span(record.turn_start, record.turn_end)
    if span is None:
        return None  # rewritten: its turns are all there
    try:
        return _renumbered(data, merged, turn_range_start=span[0], turn_range_end=span[1])
    except (Refused, Unreadable):
        return None


def _limited_compact(data: bytes, merged: MergedTranscript) -> bytes:
    """Return our compact, covering no more than the turns that both sides had.

    As it is where it cannot be read: nobody goes on from it.
    """
    try:
        return _renumbered(data, merged)
    except (Refused, Unreadable):
        return data


def _renumbered(data: bytes, merged: MergedTranscript, **span: int) -> bytes:
    """Return our note with the numbers that our turns have in *merged*, and its new *span*."""
    doc = frontmatter.read(data)
    known = str(frontmatter.fields(doc).get("written", "")).split()
    lines = doc.body.splitlines(keepends=True)
    new = [_renumbered_line(line, merged, own=human_lines.digest(line) in known) for line in lines]
    now = {human_lines.digest(old): human_lines.digest(line)
           for old, line in zip(lines, new, strict=True)}  # fmt: skip
    due = {"written": " ".join(now.get(it, it) for it in known)} if known and new != lines else {}
    return frontmatter.render(frontmatter.update(doc, {**span, **due}, "".join(new))).encode()


def _renumbered_line(line: str, merged: MergedTranscript, *, own: bool) -> str:
    if found := _COMPACTED.match(line):
        return f"{found[1]}{min(int(found[2]), merged.common)}{line[found.end() :]}"
    if own and (found := _ANSWERED.match(line)):
        return f"{found[1]}{merged.place(int(found[2]))}{line[found.end() :]}"
    return line
