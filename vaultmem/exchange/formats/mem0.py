"""What mem0's `get_all` and `search` return, saved as JSON: `{"results": [{"id", "memory", …}]}`.

Each entry is a sentence that a model took from a conversation, under the `user_id`, `agent_id` or
`run_id` that it was kept for, said by its `actor_id` if it has one, of the time that it was updated
at, and valid until its `expiration_date`. Scores, hashes and what is kept beside a memory stay
behind; where that, or its `metadata`, names a source, or a tool as its actor, it may lower its
trust. What else is not taken, relations of the graph and further pages, is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from vaultmem.documents import origin as document_origin
from vaultmem.documents import speakers
from vaultmem.documents.foreign_fields import key_of
from vaultmem.exchange.formats import attribution, discovery, json_stream
from vaultmem.exchange.formats.json_fields import Raw, date, object_of, text_of, unix_time
from vaultmem.exchange.formats.types import (
    Format,
    ImportedMessage,
    Item,
    MessageReader,
)
from vaultmem.records import TRUST

_KEY = "mem0"
_BY_A_MODEL = "assistant"
"""Whose word a sentence is that names no role: a model took it from what was said."""

_SPEAKERS = ("actor_id", "user_id", "agent_id")
"""Who said it, or else for whom it was kept."""


def files(path: Path) -> Iterator[Path]:
    """Return the files of JSON that *path* is or holds, in the order of their names."""
    return discovery.named(path, lambda name: name.endswith(".json"), "*.json")


def read(path: Path) -> Iterator[Item]:
    """Yield the memories of the file *path*; raises OSError, and BadInput for what is no JSON."""
    number = 0
    for page in json_stream.of_file(path):
        for found in _entries(page):
            number += 1
            yield _item(path.name, number, found)
        yield from _beside(path.name, number, object_of(page))


def _entries(page: object) -> Sequence[object]:
    several = page.get("results") if isinstance(page, dict) else None
    return several if isinstance(several, list) else [page]


def _beside(name: str, number: int, page: Raw) -> Iterator[Item]:
    """Yield what stands on *page* beside its memories, the last of which is entry *number*."""
    if text_of(page, "next"):
        why = "pages behind this one, which are not in the file: save them, too, and import those"
        yield Item(name, number, skipped=why, piece="`next`")
    relations = page.get("relations")
    for n, _ in enumerate(relations if isinstance(relations, list) else (), 1):
        why = "a relation of the graph: no sentence, and taken from the same conversations"
        yield Item(name, n, skipped=why, piece=f"relation {n}")


def _item(name: str, number: int, found: object) -> Item:
    piece = f"entry {number}"
    if not isinstance(found, dict) or not isinstance(found.get("memory"), str):
        fault = "no memory of mem0: it has no text under `memory`"
        return Item(name, number, fault=fault, piece=piece)
    if not found["memory"].strip():
        return Item(name, number, skipped="a memory without a word", piece=piece)
    beside = {key: value for key, value in found.items() if key != "memory"}
    heads = (beside, object_of(found.get("metadata")))
    origin = min(map(document_origin.read, heads), key=lambda it: TRUST.index(it.trust))
    actors = {key: it for key, it in heads[1].items() if key_of(key) in speakers.ACTORS}
    whose = attribution.of(actors | beside, text_of(found, "role").casefold(), origin)
    expires = date(found.get("expiration_date"))
    return Item(
        name,
        number,
        ImportedMessage(
            found["memory"],
            id=text_of(found, "id"),
            key=_KEY,
            session=text_of(found, "run_id"),
            speaker=next(filter(None, (text_of(found, key) for key in _SPEAKERS)), ""),
            at=_time(found.get("updated_at")) or _time(found.get("created_at")),
            role=whose.role or _BY_A_MODEL,
            source=whose.source,
            trust=whose.trust,
            more={"valid_to": expires} if expires else {},
        ),
        piece=piece,
    )


def _time(value: object) -> str:
    """Return when *value* says that it was, "" where it says nothing; what is no time stays."""
    return "" if value is None else unix_time(value) or str(value)


FORMAT = Format(
    "mem0",
    becomes=("memories",),
    help="what get_all returns",
    messages=MessageReader(files, lambda path, _: read(path), copies=True, wanted="a JSON file"),
)
