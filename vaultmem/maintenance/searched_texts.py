"""Which texts say nothing that was forgotten, kept so that nobody searches them twice.

It lies in the folder of the index, which a purge clears, and holds for the tombstones it was made
with. A text is known by a part of its sha-256, which gives nothing away while the text stands.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path

from vaultmem.records import Record
from vaultmem.storage.files import private_file
from vaultmem.storage.tombstones import Tombstones
from vaultmem.version import __version__

_STATE = ".vaultmem/index/searched.json"
_DIGITS = 24


def key(record: Record) -> str:
    """Return what tells a file by all of it that is searched."""
    said = (record.type, record.title, *sorted(record.labels), record.facts, record.body)
    return sha256("\0".join(said).encode(errors="replace")).hexdigest()[:_DIGITS]


def load(vault: Path, known: Tombstones) -> frozenset[str]:
    """Return the texts, by their `key`, that say nothing of what is *known* to be forgotten."""
    try:
        raw = json.loads(private_file.read(vault / _STATE))
        return frozenset(map(str, raw["texts"])) if raw["for"] == _of(known) else frozenset()
    except (ValueError, KeyError, TypeError):
        return frozenset()


def note(vault: Path, known: Tombstones, texts: Collection[str]) -> None:
    """Note so of *texts*; a disk that refuses costs the next look."""
    raw = json.dumps({"for": _of(known), "texts": sorted(texts)}).encode()
    with contextlib.suppress(OSError):
        private_file.write(vault / _STATE, raw, durable=False)


def _of(known: Tombstones) -> str:
    """Return what tells these tombstones, and how this version reads a text, from any other."""
    every = ((stone.salt, it) for stone in known.all for it in (*stone.digests, *stone.stays))
    told = sorted({*every})
    return sha256(repr((__version__, told)).encode()).hexdigest()
