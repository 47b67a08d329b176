"""What mem0's `get_all` and `search` return, saved as JSON: `{"results": [{"id", "memory", …}]}`.

Each entry is a sentence that a model took from a conversation, under the `user_id`, `agent_id` or
`run_id` that it was kept for, and of the time that it was updated at. Scores, hashes and what is
kept beside a memory stay behind; where that, or its `metadata`, names a source, it may lower its
trust.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vaultmem.documents import origin as document_origin
from vaultmem.exchange.formats import discovery, json_stream
from vaultmem.exchange.formats.json_fields import object_of, text_of, unix_time
from vaultmem.exchange.formats.types import (
    TOOL_ROLES,
    Format,
    ImportedMessage,
    Item,
    MessageReader,
)
from vaultmem.records import TRUST

_KEY = "mem0"


def files(path: Path) -> Iterator[Path]:
    """Return the files of JSON that *path* is or holds, in the order of their names."""
    return discovery.named(path, lambda name: name.endswith(".json"), "*.json")


def read(path: Path) -> Iterator[Item]:
    """Yield the memories of the file *path*; raises OSError, and BadInput for what is no JSON."""
    for number, found in enumerate(_entries(json_stream.of_file(path)), 1):
        yield _item(path.name, number, found)


def _entries(objects: Iterator[object]) -> Iterator[object]:
    for found in objects:
        several = found.get("results") if isinstance(found, dict) else None
        yield from several if isinstance(several, list) else [found]


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
    is_tools = text_of(found, "role").casefold() in TOOL_ROLES
    return Item(
        name,
        number,
        ImportedMessage(
            found["memory"],
            id=text_of(found, "id"),
            key=_KEY,
            session=text_of(found, "run_id"),
            speaker=text_of(found, "user_id") or text_of(found, "agent_id"),
            at=_time(found.get("updated_at")) or _time(found.get("created_at")),
            role="tool" if is_tools else "",
            source="tool" if is_tools else origin.source_or("import"),
            trust=origin.trust,
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
