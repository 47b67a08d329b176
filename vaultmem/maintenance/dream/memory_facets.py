"""What the detectors compare of all memories, worked out of each text by itself, once.

Whoever changes what a detector reads of one memory raises `REVISION`: then all is worked out anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from vaultmem.maintenance.dream import loss_check, statements, subjects
from vaultmem.maintenance.dream.detectors import duplicates, superseded, unrecalled
from vaultmem.records import Record
from vaultmem.storage.index.facets import Facets

REVISION = "3"
COURTESY, AGAIN, QUOTABLE = 1, 2, subjects.QUOTABLE
"""Marks: it is courtesy alone, says that something is as it was, has a sentence to be quoted."""

PIECE, SAYS, CHANGES = range(3)
"""Kinds of keys: what it says, what it claims something of, and what it says has changed."""


def key(text: str) -> int:
    """Return the number that stands for *text*."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def of(memory: Record) -> Facets:
    """Return the facets of *memory*, which follow from its text and its speaker alone."""
    marks = COURTESY * unrecalled.is_trivial(memory) | AGAIN * superseded.is_again(memory.body)
    marks |= QUOTABLE * subjects.is_quotable(memory)
    alike = duplicates.digest(memory) if duplicates.is_telling(memory.body) else None
    return Facets(alike, marks, frozenset(_keys(memory)), subjects.terms(memory))


def _keys(memory: Record) -> Iterator[tuple[int, int]]:
    for piece in loss_check.of_record(memory):
        yield PIECE, key(piece)
    if said := statements.spoken(memory.body, memory.speaker):
        yield SAYS, key(said.about)
        yield SAYS, key(statements.answer(said, "yes").about)
    for was in superseded.says(memory):
        yield SAYS, key(was.about)
    for now in superseded.ends(memory):
        yield CHANGES, key(now.about)
