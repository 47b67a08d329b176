"""A passage as an entry of the Chroma store: its text, and metadata that any reader understands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vaultmem.retrieval.vectors.chroma_collection import Entry
from vaultmem.storage.index import Index

_LONGEST = 20_000
"""Characters of a summary's text in its metadata; the whole of a longer one is in its file."""

_PASSAGE = """
SELECT passages.id, passages.sha, bodies.body, passages.first, passages.last, passages.heading,
       docs.path, docs.type, docs.agent, docs.created, docs.tier, docs.range_start, docs.range_end
FROM passages JOIN docs ON docs.doc = passages.doc JOIN bodies ON bodies.doc = passages.doc
"""

Metadata = dict[str, str | int | float]


def entries(index: Index, keys: Mapping[int, str], vectors: Mapping[str, bytes]) -> Iterator[Entry]:
    """Yield the entries of the passages whose *keys* are given by number, as far as there are."""
    marks = ",".join("?" * len(keys))
    rows = index.db.execute(f"{_PASSAGE} WHERE passages.id IN ({marks})", tuple(keys))
    for number, sha, body, first, last, heading, *said in rows:
        if sha in vectors:
            metadata = _metadata(heading, body.strip(), said)
            yield Entry(keys[number], sha, vectors[sha], body[first:last], metadata)


def _metadata(heading: str, body: str, said: Sequence[str | int]) -> Metadata:
    path, kind, agent, created, tier, start, end = said
    common: Metadata = {"path": path, "type": kind, "agent": agent, "date": created}
    if kind == "summary" and tier == "recent":
        return {
            **common,
            "type": "memory_summary",
            "timestamp": created,
            "memory_range_start": start,
            "memory_range_end": end,
            "summary_text": body[:_LONGEST],
        }
    return {**common, "heading": heading} if heading else common
