"""Episodes and compacts that one side told again: the program's lines are as they were told last.

Merged as text, what was told before would be back wherever the other side had written a line below
it, and with it what one side forgot. Only what people wrote is merged as text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from vaultmem.documents import frontmatter
from vaultmem.exchange.sync.types import Sides, Versions
from vaultmem.memory.compaction import human_lines
from vaultmem.records import Record
from vaultmem.storage import reader, tombstones
from vaultmem.storage.files import content

Side = Literal["ours", "theirs"]


def forgetting(sides: Sides) -> frozenset[Side]:
    """Return which of both sides have forgotten something since they agreed."""
    stones = [it for path, it in sides.items() if it.base is None and tombstones.is_path(path)]
    found: set[Side] = set()
    found |= {"ours"} if any(it.ours for it in stones) else set()
    found |= {"theirs"} if any(it.theirs for it in stones) else set()
    return frozenset(found)


def alike(path: str, sides: Versions, forgot: Collection[Side]) -> Versions:
    """Return *sides* with the program's lines as they were told last, each with its person's own.

    Who *forgot* something told last. The same sides where nobody told the file again, or one
    version cannot be read.
    """
    every = (sides.base, sides.ours, sides.theirs)
    base, ours, theirs = (_Version(path, data or b"") for data in every)
    retold = [it for it in (ours, theirs) if it.written != base.written]
    if not (retold and all(every) and all(it.is_told for it in (base, ours, theirs))):
        return sides
    is_ours = _is_ours_last(ours, theirs, forgot) if len(retold) > 1 else retold[0] is ours
    last, other = (ours, theirs) if is_ours else (theirs, ours)
    # What the other side lacks of the base its person took out; or it was forgotten there.
    takes = len(retold) == 1 or len(forgot) > 1
    gone = base.lines & last.lines - other.lines if takes else frozenset[str]()
    known = base.written | ours.written | theirs.written
    text = last.told()
    was, now = base.among(text, known), other.among([*_without(text, gone)], known)
    return Versions(was, last.data, now) if is_ours else Versions(was, now, last.data)


def _is_ours_last(ours: _Version, theirs: _Version, forgot: Collection[Side]) -> bool:
    if len(forgot) == 1:
        return "ours" in forgot
    return ours.record.updated > theirs.record.updated


def _without(lines: Sequence[str], gone: AbstractSet[str]) -> Iterator[str]:
    """Yield *lines* but those that are *gone*; a heading stays for what stands below it."""
    return (x for x in lines if x.startswith("#") or human_lines.digest(x) not in gone)


@dataclass(frozen=True)
class _Version:
    """A version of the file at *path*."""

    path: str
    data: bytes

    @cached_property
    def record(self) -> Record:
        return reader.record(self.path, content(self.data))

    @cached_property
    def written(self) -> frozenset[str]:
        return frozenset(self.record.written.split())

    @cached_property
    def lines(self) -> frozenset[str]:
        """The digests of all its lines."""
        return frozenset(human_lines.written(self.record.body).split())

    @property
    def is_told(self) -> bool:
        """Whether it can be read, is an episode or a compact, and names the program's lines."""
        it = self.record
        is_kind = (it.type == "episode" and not it.outcome) or it.tier == "session"
        return is_kind and it.problem is None and bool(self.written)

    def told(self) -> list[str]:
        """Return the lines of the program, and the blank ones."""
        every = self.record.body.splitlines()
        return [x for x in every if not x.strip() or human_lines.digest(x) in self.written]

    def among(self, text: Sequence[str], known: AbstractSet[str]) -> bytes:
        """Return the file with *text* for the lines *known* as the program's."""
        doc = frontmatter.read(self.data)
        as_known = replace(self.record, body=doc.body, written=" ".join(sorted(known)))
        body = human_lines.among("\n".join(text), as_known)
        eol = "\r\n" if doc.opening.endswith("\r\n") else "\n"
        made = frontmatter.update(doc, {}, body.replace("\n", eol))
        return frontmatter.render(made).encode()
