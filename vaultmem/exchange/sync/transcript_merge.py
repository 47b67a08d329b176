"""Two transcripts of one session: every turn of both, each number one line.

What is published keeps its numbers: their turns stand first, ours follow. A transcript is only
added to, and so it is for everybody who has theirs already; a talk that went on in two places at
once is told one place after the other.

A message that was imported on both machines is told once, and is forgotten where one side forgot
it. Two messages may bear one origin, as those of two talks do whose ids count from 1: both are
told, ours as another version of that record.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from vaultmem.exchange.importing import record_versions
from vaultmem.exchange.sync.types import Conflict, Versions
from vaultmem.storage import transcripts
from vaultmem.storage.json_lines import fields
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.transcript_lines import joined, numbered

_Message = tuple[object, str]
"""The role and origin of what was imported."""


@dataclass(frozen=True, slots=True)
class MergedTranscript:
    """The lines of both sides; *moved* is what our turns behind *common* are called now.

    *conflicts* are lines that both changed, each in its way: ours stay. Of what both imported, so
    many turns were *forgotten* on one side alone.
    """

    data: bytes
    common: int
    moved: Mapping[int, int]
    conflicts: tuple[Conflict, ...] = ()
    forgotten: int = 0

    def place(self, turn: int) -> int:
        """Return the number that our *turn* has now."""
        return self.moved.get(turn, turn)

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Return where our turns from *first* to *last* are now, None when they were parted."""
        places = [self.place(n) for n in range(first, last + 1)]
        whole = list(range(places[0], places[0] + len(places))) if places else []
        return (places[0], places[-1]) if places and places == whole else None


def merge(sides: Versions) -> MergedTranscript:
    """Return the transcript with the turns of both sides; neither side may be absent."""
    both, ours, theirs = sides.lines()
    made = _Lines([_changed(*three) for three in both], theirs, ours)
    moved = {n: made.place(line) for n, line in enumerate(ours, len(both) + 1)}
    conflicts = tuple(_conflicts(both))
    return MergedTranscript(joined(made.lines), len(both), moved, conflicts, made.forgotten)


def _changed(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Return a line that both have: what was forgotten on either side stays so."""
    if ours == base or _is_forgotten(theirs):
        return theirs
    return ours


def _conflicts(both: Iterable[tuple[bytes, bytes, bytes]]) -> Iterator[Conflict]:
    for number, three in enumerate(both, 1):
        if len({*three}) == len(three) and not any(map(_is_forgotten, three[1:])):
            yield Conflict.of_lines(f"Turn {number}", *three)


class _Lines:
    """The lines of a merged transcript: theirs stand, and ours come to them one by one."""

    def __init__(self, head: list[bytes], theirs: list[bytes], ours: list[bytes]) -> None:
        self.lines = [*head, *theirs]
        self.forgotten = 0
        # Who gave no times has those of the import, another one on each machine.
        self.unlike = {"turn", "origin", "context_tokens"} | (
            {"at"} if _is_one_talk(ours, theirs) else set()
        )
        self.imported: dict[_Message, list[int]] = {}
        self.gone: dict[_Message, int] = {}
        self.saying: dict[tuple[_Message, str], deque[int]] = {}
        for number, line in enumerate(theirs, len(head) + 1):
            if message := _message(line):
                self.imported.setdefault(message, []).append(number)
                self.saying.setdefault((message, self._said(line)), deque()).append(number)
                if _is_forgotten(line):
                    self.gone.setdefault(message, number)

    def place(self, line: bytes) -> int:
        """Return the number that *line*, which is ours, has now; it is added unless it is here."""
        version = _version(line)
        for each in (line, version):
            message = _message(each)
            if message and message in self.imported and (number := self._known(message, line)):
                return number
        taken = _message(line) in self.imported
        self.lines.append(numbered(version if taken else line, len(self.lines) + 1))
        return len(self.lines)

    def _known(self, message: _Message, line: bytes) -> int:
        """Return which line of theirs is of the *message* as *line* is; 0 for none.

        Each that says the same answers once; what either side forgot of it, all are.
        """
        if message in self.gone:
            self.forgotten += not _is_forgotten(line)
            return self.gone[message]
        if _is_forgotten(line):
            self._forget(message, line)
            return self.gone[message]
        numbers = self.saying.get((message, self._said(line)))
        return numbers.popleft() if numbers else 0

    def _forget(self, message: _Message, line: bytes) -> None:
        numbers = self.imported[message]
        for number in numbers:
            self.lines[number - 1] = numbered(line, number)
        self.forgotten += len(numbers)
        self.gone[message] = numbers[0]

    def _said(self, line: bytes) -> str:
        said = {key: value for key, value in fields(line).items() if key not in self.unlike}
        return json.dumps(said, sort_keys=True)


def _is_one_talk(ours: Iterable[bytes], theirs: Iterable[bytes]) -> bool:
    """Tell whether the messages that both sides have say the same on both."""
    mine, yours = _texts(ours), _texts(theirs)
    both = ((mine[it], yours[it]) for it in mine.keys() & yours.keys())
    return all(one == other for one, other in both if MARK not in one | other)


def _texts(lines: Iterable[bytes]) -> dict[_Message, set[str]]:
    made: dict[_Message, set[str]] = {}
    for line in lines:
        if message := _message(line):
            made.setdefault(message, set()).add(_content(line))
    return made


def _message(line: bytes) -> _Message | None:
    said = fields(line)
    origin = said.get("origin")
    return (said.get("role"), origin) if isinstance(origin, str) and origin else None


def _version(line: bytes) -> bytes:
    """Return *line* as a version of its record, as an import names one that was changed."""
    said = fields(line)
    if not _message(line):
        return line
    origin = record_versions.later(str(said["origin"]), f"{_content(line)}\x1f{said.get('at', '')}")
    return json.dumps({**said, "origin": origin}, ensure_ascii=False).encode()


def _content(line: bytes) -> str:
    return transcripts.text_of(fields(line).get("content")) or ""


def _is_forgotten(line: bytes) -> bool:
    return fields(line).get("content") == MARK
