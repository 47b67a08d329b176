"""What names a memory outside of its vault: as the import that brought it did, else by its id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vaultmem.exchange.formats.jsonl import OWN_KEY
from vaultmem.records import Record


def ended(records: Iterable[Record]) -> Mapping[str, list[str]]:
    """Return the names of the memories that each memory, by its stem, holds instead of.

    Or held: of a memory that was corrected twice, the first correction names it, too.
    """
    memories = [record for record in records if record.type == "memory"]
    known = {name: it for it in memories for name in (it.id, it.stem) if it.superseded_by}
    found: dict[str, list[str]] = {}
    for record in memories:
        if record.superseded_by:
            found.setdefault(record.superseded_by, []).append(_name(record))
        before = (known[it] for it in record.supersedes if it in known)
        held = [_name(it) for it in before if it.superseded_by == record.superseded_by]
        if held:
            found.setdefault(record.stem, []).extend(held)
    return found


def _name(record: Record) -> str:
    return f"{_key(record)}/{own(record)}"


def _key(record: Record) -> str:
    """Return what names the conversation of a memory when it is imported."""
    return record.session or OWN_KEY


def own(record: Record) -> str:
    """Return what names *record* within its conversation."""
    key = f"{_key(record)}/"
    named = record.origin.removeprefix(key) if record.origin.startswith(key) else ""
    return named or record.id or record.path
