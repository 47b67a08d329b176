"""Two transcripts of one session: every turn of both, each number one line.

What is published keeps its numbers: their turns stand first, ours follow. A transcript is only
added to, and so it is for everybody who has theirs already; a talk that went on in two places at
once is told one place after the other.

A message that was imported on both machines is told once, and is forgotten where one side forgot
it. Two messages may bear one origin, as those of two talks do whose ids count from 1: both are
told, ours as another version of that record. So what one side forgot is the other's message only
where a tombstone knows the words that this one says more; else both stay.

Both may have a live turn, too, that came there by another way than what both go on from: a commit
was amended once others had it. It is told as often as one side has it.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from vaultmem.exchange.importing import record_versions
from vaultmem.exchange.sync import redacted_copies
from vaultmem.exchange.sync.redacted_copies import Takes
from vaultmem.exchange.sync.types import Conflict, Versions
from vaultmem.storage import forgotten_passages, transcripts
from vaultmem.storage.json_lines import fields
from vaultmem.storage.tombstones import MARK, Tombstones
from vaultmem.storage.transcript_lines import joined, numbered, unnumbered

_Message = tuple[object, ...]
"""The role and origin of what was imported; of a live turn when who said it, in which role."""


@dataclass(frozen=True, slots=True)
class MergedTranscript:
    """The lines of both sides; *moved* is what our turns behind *common* are called now.

    *conflicts* are lines that both changed, each in its way: ours stay. Of what both have behind
    *common*, one side alone forgot the turns that are *forgotten*: their numbers, and as they were.
    """

    data: bytes
    common: int
    moved: Mapping[int, int]
    conflicts: tuple[Conflict, ...] = ()
    forgotten: tuple[tuple[int, bytes], ...] = ()

    def place(self, turn: int) -> int:
        """Return the number that our *turn* has now."""
        return self.moved.get(turn, turn)

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Return where our turns from *first* to *last* are now, None when they were parted."""
        places = [self.place(n) for n in range(first, last + 1)]
        whole = list(range(places[0], places[0] + len(places))) if places else []
        return (places[0], places[-1]) if places and places == whole else None


def merge(sides: Versions, known: Tombstones) -> MergedTranscript:
    """Return the transcript with the turns of both sides; neither side may be absent.

    What either forgot is *known* by its tombstones.
    """
    both, ours, theirs = _in_place(*sides.lines())
    made = _Lines([_changed(*three) for three in both], theirs, ours, known)
    moved = {n: made.place(line) for n, line in enumerate(ours, len(both) + 1)}
    conflicts = tuple(_conflicts(both))
    return MergedTranscript(joined(made.lines), len(both), moved, conflicts, (*made.forgotten,))


def _in_place(
    both: list[tuple[bytes, bytes, bytes]], ours: list[bytes], theirs: list[bytes]
) -> tuple[list[tuple[bytes, bytes, bytes]], list[bytes], list[bytes]]:
    """Return the same lines, of *both* those alone before the first that one side has elsewhere.

    Each may have merged what the other said since: then these turns have other numbers there.
    """
    if all(base == own == other for base, own, other in both):
        return both, ours, theirs
    had, *sides = (Counter(map(unnumbered, lines)) for lines in (
        [base for base, _, _ in both],
        [*(own for _, own, _ in both), *ours],
        [*(other for _, _, other in both), *theirs],
    ))  # fmt: skip
    for at, (base, *now) in enumerate(both):
        said = unnumbered(base)
        if any(it != base and side[said] >= had[said] for it, side in zip(now, sides, strict=True)):
            rest = both[at:]
            own, other = [own for _, own, _ in rest], [other for _, _, other in rest]
            return both[:at], [*own, *ours], [*other, *theirs]
    return both, ours, theirs


def _changed(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Return a line that both have: what was forgotten on either side stays so."""
    if ours == base or _is_forgotten(theirs):
        return theirs
    return ours if theirs == base else redacted_copies.together(ours, theirs, _any) or ours


def _conflicts(both: Iterable[tuple[bytes, bytes, bytes]]) -> Iterator[Conflict]:
    for number, three in enumerate(both, 1):
        is_disputed = len({*three}) == len(three) and not any(map(_is_forgotten, three[1:]))
        if is_disputed and not redacted_copies.together(*three[1:], _any):
            yield Conflict.of_lines(f"Turn {number}", *three)


def _any(_: str) -> bool:
    """Take every word where a mark stands: two versions of one line need no other proof."""
    return True


class _Lines:
    """The lines of a merged transcript: theirs stand, and ours come to them one by one."""

    def __init__(
        self, head: list[bytes], theirs: list[bytes], ours: list[bytes], known: Tombstones
    ) -> None:
        self.known = known
        self.takes = redacted_copies.known_to(known)
        self.lines = [*head, *theirs]
        self.forgotten: list[tuple[int, bytes]] = []
        # Who gave no times has those of the import, another one on each machine.
        self.unlike = {"turn", "origin", "context_tokens"} | (
            {"at"} if _is_one_talk(ours, theirs, self.takes) else set()
        )
        self.there: dict[_Message, list[int]] = {}
        self.redacted: dict[_Message, list[int]] = {}
        self.gone: dict[_Message, int] = {}
        self.saying: dict[tuple[_Message, str], deque[int]] = {}
        self.answered: set[int] = set()
        for number, line in enumerate(theirs, len(head) + 1):
            if message := _message(line) or _live(line):
                self.there.setdefault(message, []).append(number)
                self.saying.setdefault((message, self._said(line)), deque()).append(number)
                if redacted_copies.is_one(line):
                    self.redacted.setdefault(message, []).append(number)
                if _is_forgotten(line) and _message(line):
                    self.gone.setdefault(message, number)

    def place(self, line: bytes) -> int:
        """Return the number that *line*, ours, has now; added unless it is here."""
        version = _version(line)
        for each in dict.fromkeys((line, version)):
            message = _message(each) or _live(each)
            if message in self.there and (number := self._known(message, line)):
                return number
        new = version if _message(line) in self.there else line
        if (_message(line) or _live(line)) in self.redacted:
            new = self._left(new)
        self.lines.append(numbered(new, len(self.lines) + 1))
        return len(self.lines)

    def _known(self, message: _Message, line: bytes) -> int:
        """Return which line of theirs is of the *message* as *line* is; 0 for none.

        Each that says the same answers once; what either side forgot of it, all are.
        """
        if _is_forgotten(line) and _message(line):
            self._forget(message, line)
        if message in self.gone and (_is_forgotten(line) or self._is_gone(line)):
            if not _is_forgotten(line):
                self.forgotten.append((self.gone[message], line))
            return self.gone[message]
        same = self.saying.get((message, self._said(line)), deque())
        while same and same[0] in self.answered:
            same.popleft()
        number = same[0] if same else self._copy(message, line)
        self.answered.add(number)
        return number

    def _copy(self, message: _Message, line: bytes) -> int:
        """Return which line of theirs is *line* but for what one side forgot, as it is from now."""
        is_redacted = redacted_copies.is_one(line)
        for number in (self.there if is_redacted else self.redacted).get(message, ()):
            other = self.lines[number - 1]
            if number in self.answered:
                continue
            if made := redacted_copies.together(other, line, self.takes, self.unlike):
                is_gone = _is_forgotten(line) or _is_forgotten(other)
                self.lines[number - 1] = made
                whole = [it for it in (line, other) if is_gone and not _is_forgotten(it)]
                self.forgotten += ((number, it) for it in whole)
                return number
        for number in self.there[message] if is_redacted else ():
            self.lines[number - 1] = self._left(self.lines[number - 1])
        return 0

    def _forget(self, message: _Message, line: bytes) -> None:
        """Forget those of their lines that say the *message* which *line* is, forgotten by us."""
        for number in self.there[message]:
            if not _is_forgotten(was := self.lines[number - 1]) and self._is_gone(was):
                self.forgotten.append((number, was))
                self.lines[number - 1] = numbered(line, number)
                self.gone.setdefault(message, number)

    def _is_gone(self, line: bytes) -> bool:
        return redacted_copies.is_gone(fields(line).get("content"), self.takes)

    def _left(self, line: bytes) -> bytes:
        """Return *line*, beside which a forgotten one stands, without what is known as that."""
        said = _content(line)
        left = forgotten_passages.without(said, self.known, rows=True)
        if not left or left == said or said != fields(line).get("content"):
            return line
        return json.dumps({**fields(line), "content": left}, ensure_ascii=False).encode()

    def _said(self, line: bytes) -> str:
        said = {key: value for key, value in fields(line).items() if key not in self.unlike}
        return json.dumps(said, sort_keys=True)


def _is_one_talk(ours: Iterable[bytes], theirs: Iterable[bytes], takes: Takes) -> bool:
    """Tell whether the messages that both sides have say the same on both, or did before."""
    mine, yours = _texts(ours), _texts(theirs)
    both = ((mine[it], yours[it]) for it in mine.keys() & yours.keys())
    return all(_say_one(one, other, takes) for one, other in both)


def _say_one(one: set[str], other: set[str], takes: Takes) -> bool:
    redacted = {text for text in one | other if MARK in text}
    return all(any(redacted_copies.covers(it, text, takes) for it in redacted)
               for text in (one ^ other) - redacted)  # fmt: skip


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


def _live(line: bytes) -> _Message | None:
    """Return what tells a turn that nobody imported from those of other times and speakers."""
    said = fields(line)
    at = said.get("at")
    return ("at", at, said.get("role"), said.get("speaker")) if at and isinstance(at, str) else None


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
