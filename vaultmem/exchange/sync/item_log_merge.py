"""Two item logs of one session: every item of both, and each mark takes what it was meant for.

What is published stands first and ours follow, as in a transcript. But a mark takes from what was
there when it was made. So ours stand before theirs as far as the last of our marks that reaches
into what both had, and what both took back of that is taken back once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultmem.exchange.sync import conflict_note
from vaultmem.exchange.sync.types import Conflict, Page, Versions
from vaultmem.storage import item_logs
from vaultmem.storage.json_lines import fields
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.transcript_lines import joined

_OWN = "uuid"
"""The key by whose value a framework itself tells an item from all others."""


def merge(path: str, sides: Versions) -> Page:
    """Return the log at *path* with the items of both sides; neither side may be absent."""
    both, ours, theirs = sides.lines()
    head, conflicts = list[bytes](), list[Conflict]()
    for number, three in enumerate(both, 1):
        was, own, other = _without_forgotten(*three)
        head.append(other if own == was else own)
        if was not in {own, other} and own != other:
            conflicts.append(Conflict.of_lines(f"Line {number}", was, own, other))
    held = len(item_logs.parse(joined(head)))
    made = [*head, *_added(held, ours, theirs)]
    aside = (conflict_note.note(path, conflicts),) if conflicts else ()
    return Page(joined(made), aside)


def _added(held: int, ours: Sequence[bytes], theirs: Sequence[bytes]) -> Iterator[bytes]:
    """Yield what both added to a log that *held* so many items."""
    mine, yours = _Reach.of(ours, held), _Reach.of(theirs, held)
    twice = 0 if mine.is_all or yours.is_all else len(yours.taking)
    spare = {*mine.taking[:twice]}
    yield from (line for at, line in enumerate(ours[: mine.end]) if at not in spare)
    yield from theirs
    rest, known = ours[mine.end :], {line for line in theirs if _is_known_by_itself(line)}
    has_marks = any(isinstance(item_logs.entry(line), str) for line in rest)
    yield from (line for line in rest if has_marks or line not in known)


@dataclass(frozen=True, slots=True)
class _Reach:
    """How far lines that one side added reach into what was there before.

    The last mark that does stands before *end*; *taking* are those that took one item back each.
    *is_all*: one of them cleared all of it.
    """

    end: int
    taking: tuple[int, ...]
    is_all: bool

    @classmethod
    def of(cls, lines: Sequence[bytes], held: int) -> _Reach:
        own = end = 0
        taking, is_all = list[int](), False
        for at, line in enumerate(lines):
            match item_logs.entry(line):
                case "cleared":
                    own, end, is_all = 0, at + 1, True
                case "taken back" if own:
                    own -= 1
                case "taken back":
                    end = at + 1
                    taking += [at] if not is_all and len(taking) < held else []
                case Mapping():
                    own += 1
        return cls(end, tuple(taking), is_all)


def _is_known_by_itself(line: bytes) -> bool:
    item = item_logs.entry(line)
    return isinstance(item, Mapping) and isinstance(item.get(_OWN), str)


def _without_forgotten(*lines: bytes) -> tuple[bytes, ...]:
    """Return three versions of one line, none with what either side forgot of the first."""
    base, *sides = (fields(line) for line in lines)
    gone = {text for it in sides for text in item_logs.replaced(it, base, MARK)}
    return tuple(_masked(line, gone) for line in lines) if gone else lines


def _masked(line: bytes, gone: set[str]) -> bytes:
    said = fields(line)
    made = said | {"item": item_logs.masked(said.get("item"), gone.__contains__, MARK)}
    return line if made == said else json.dumps(made, ensure_ascii=False).encode()
