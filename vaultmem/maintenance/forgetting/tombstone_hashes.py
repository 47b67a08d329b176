"""Know again by its hashes what a tombstone stands for, wherever it stands and however encoded."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from vaultmem.documents.frontmatter import decode, parse
from vaultmem.errors import Unreadable
from vaultmem.maintenance.forgetting.redaction import readings
from vaultmem.storage import tombstone_digests, tombstones
from vaultmem.storage.tombstones import Tombstone

_BULLET = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_LEGIBLE = re.compile(rb"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]{12,}")


class Hashes:
    """Knows again what tombstones stand for, in whatever it stands."""

    def __init__(self, found: Collection[Tombstone]) -> None:
        """Look for what *found* stand for."""
        self.tombstones = found
        self.salts = {s.salt for s in found}
        self.known = {d for s in found for d in s.digests}

    def are_in(self, data: bytes) -> bool:
        """Tell whether *data* says it."""
        return next(self.matches(data), None) is not None

    def matches(self, data: bytes) -> Iterator[str]:
        """Yield what *data* says of it: whole texts, and sentences as words in a row."""
        for text in readings("\n".join(_legible(data))):
            for part in dict.fromkeys(_parts(text)):
                if part.strip() and self._knows(part):
                    yield part
            yield from tombstones.stretches(text, self.tombstones)

    def _knows(self, part: str) -> bool:
        return any(tombstone_digests.digest(part, s) in self.known for s in self.salts)


def _legible(data: bytes) -> Iterator[str]:
    """Yield what is text in *data*: of a binary file the stretches without controls."""
    if b"\0" not in data:
        yield data.decode("utf-8", "replace")
        return
    for found in _LEGIBLE.finditer(data):
        yield found[0].decode("utf-8", "replace")


def _parts(text: str) -> Iterator[str]:
    """Yield the body of a file, its paragraphs and its lines."""
    yield text
    try:
        body = parse(decode(text.encode("utf-8", "replace"))).body
    except Unreadable:
        body = text
    yield body
    yield from re.split(r"\n\s*\n", body)
    yield from text.splitlines()
    yield from (_BULLET.sub("", line) for line in text.splitlines())
