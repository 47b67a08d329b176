"""What names a memory outside of its vault: as the import that brought it did, else by its id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vaultmem.exchange.formats.jsonl import OWN_KEY
from vaultmem.records import Record


def ended(records: Iterable[Record]) -> Mapping[str, list[str]]:
    """Return the names of the memories that each memory, by its stem, holds instead of."""
    found: dict[str, list[str]] = {}
    for record in records:
        if record.type == "memory" and record.superseded_by:
            found.setdefault(record.superseded_by, []).append(f"{_key(record)}/{own(record)}")
    return found


def _key(record: Record) -> str:
    """Return what names the conversation of a memory when it is imported."""
    return record.session or OWN_KEY


def own(record: Record) -> str:
    """Return what names *record* within its conversation."""
    key = f"{_key(record)}/"
    named = record.origin.removeprefix(key) if record.origin.startswith(key) else ""
    return named or record.id or record.path
