"""What is to be purged, as its tombstones know it again wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from vaultmem.maintenance.forgetting.purge.git_history import GitHistory
from vaultmem.maintenance.forgetting.tombstone_hashes import Hashes
from vaultmem.storage import tombstones
from vaultmem.storage.git import Blob
from vaultmem.storage.tombstones import Tombstone

_ID = re.compile(rb"(?m)^id:[ \t]*['\"]?([0-9A-Za-z]{26})\b")
_HEAD = 4096


class PurgeTarget:
    """What *found*, tombstones, stand for."""

    def __init__(self, found: Sequence[Tombstone]) -> None:
        """Look for what *found* stand for."""
        self.tombstones = found
        self._ids = {it.id.upper().encode() for it in found}

    @cached_property
    def hashes(self) -> Hashes:
        """What knows its texts again."""
        return Hashes(self.tombstones)

    def is_file(self, data: bytes) -> bool:
        """Tell whether *data* is one of its files, by the id that stands in it."""
        return named(data) in self._ids

    def is_said_in(self, text: str) -> bool:
        """Tell whether *text* says it."""
        return self.hashes.are_in(text.encode(errors="replace"))

    def other_tombstones(
        self, history: GitHistory, now: Mapping[str, Blob], came: Iterable[str]
    ) -> Iterator[Tombstone]:
        """Yield the tombstones among the files that *came* of which nothing is to be purged."""
        for path in came:
            where = history.repository.inside(path)
            found = tombstones.is_path(where) and tombstones.parsed(
                where, history.bytes_of(now[path])
            )
            if found and found.id.upper().encode() not in self._ids:
                yield found


def named(data: bytes) -> bytes:
    """Return the id of a file, b"" for one without, and for a tombstone."""
    if not data.startswith((b"---", b"\xef\xbb\xbf---")):
        return b""
    head = data[:_HEAD].partition(b"\n---")[0]
    found = None if b"type: tombstone" in head else _ID.search(head)
    return found[1].upper() if found else b""
