"""A person's lines that stay in what was made of a forgotten text, as its tombstone knows them.

Who reworded a line of the program keeps it: it is named until they change it, or allow it.
"""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.storage import tombstone_digests
from vaultmem.storage.tombstones import Tombstone, Tombstones


def said(line: str) -> str:
    """Return what *line* says, without the mark of a list before it and the links behind it."""
    from vaultmem.documents.bodies import bullets  # noqa: PLC0415  # in few vaults such lines stay
    from vaultmem.documents.markdown import outline  # noqa: PLC0415  # likewise

    return bullets.unsourced(line[len(outline.lead(line)) :])[0].strip()


def digest(line: str, salt: str) -> str:
    """Return what tells *line* again; its links may be others by then."""
    return tombstone_digests.digest(said(line), salt)


def find(known: Tombstones, text: str) -> Tombstone | None:
    """Return what says that a line of *text* stayed, None where none did."""
    return next(_found(known, text), None)


def _found(known: Tombstones, text: str) -> Iterator[Tombstone]:
    stones = [stone for stone in known.all if stone.stays]
    lines = [line for line in text.splitlines() if line.strip()] if stones else []
    for salt in {stone.salt for stone in stones}:
        digests = {digest(line, salt) for line in lines}
        yield from (it for it in stones if it.salt == salt and digests & {*it.stays})
