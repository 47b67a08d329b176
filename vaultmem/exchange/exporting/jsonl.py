"""A vault as JSON lines, a note each; `import jsonl` takes what is not derived of them again."""

from __future__ import annotations

import json
from collections.abc import Iterable

from vaultmem.exchange.exporting.okf import Concept, title
from vaultmem.exchange.formats.jsonl import OWN_KEY

_KEYS = ("path", "type", "content", "frontmatter")


def text(concepts: Iterable[Concept]) -> bytes:
    """Return the lines, in the order of the *concepts*."""
    return b"".join(_line(c) for c in concepts)


def _line(concept: Concept) -> bytes:
    record = concept.record
    session = record.session
    key = f"{session or OWN_KEY}/"
    own = record.origin.removeprefix(key) if record.origin.startswith(key) else ""
    fields = {
        "id": own or record.id or record.path,
        "session": session,
        "speaker": record.speaker,
        "at": record.created,
        "path": record.path,
        "type": record.type,
        "agent": record.agent,
        "title": title(record),
    }
    present = {key: value for key, value in fields.items() if value}
    line = {**present, "content": record.body.strip("\n"), "frontmatter": dict(concept.raw)}
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def is_ours(first: bytes) -> bool:
    """Tell whether a file that begins with the line *first* is such an export."""
    try:
        found = json.loads(first)
    except ValueError:
        return False
    return isinstance(found, dict) and all(key in found for key in _KEYS)
