"""A passage as an entry of the Chroma store: its text, and metadata that any reader understands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vaultmem.retrieval.vectors.chroma_collection import Entry
from vaultmem.storage.index import Index, passage_queries
from vaultmem.storage.index.passage_queries import PassageRow

_LONGEST = 20_000
"""Characters of a summary's text in its metadata; the whole of a longer one is in its file."""

Metadata = dict[str, str | int | float]


def entries(index: Index, keys: Mapping[int, str], vectors: Mapping[str, bytes]) -> Iterator[Entry]:
    """Yield the entries of the passages whose *keys* are given by number, as far as there are."""
    for row in passage_queries.rows(index, keys):
        if row.sha in vectors:
            text = row.body[row.first : row.last]
            yield Entry(keys[row.number], row.sha, vectors[row.sha], text, _metadata(row))


def _metadata(row: PassageRow) -> Metadata:
    common: Metadata = {
        "path": row.path,
        "type": row.type,
        "agent": row.agent,
        "date": row.created,
    }
    if row.type == "summary" and row.tier == "recent":
        return {
            **common,
            "type": "memory_summary",
            "timestamp": row.created,
            "memory_range_start": row.range_start,
            "memory_range_end": row.range_end,
            "summary_text": row.body.strip()[:_LONGEST],
        }
    return {**common, "heading": row.heading} if row.heading else common
