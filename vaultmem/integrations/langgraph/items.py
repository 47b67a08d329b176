"""An item of a store as the text of a note, and where that note lies.

The note is a title and JSON in a block of code, which people can read and correct.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

FOLDER = "langgraph"

_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,58}[a-z0-9])?")
_HASHED = re.compile(r".*-[0-9a-f]{8}")
_TAKEN = frozenset((
    "agents", "aux", "claude", "con", "gemini", "node_modules", "nul", "prn", "readme",
    *(f"{device}{n}" for device in ("com", "lpt") for n in range(1, 10)),
))  # fmt: skip
"""Names that mean something to an agent or to a file system."""
_LONGEST = 40
_BLOCK = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class StoredItem:
    """What is kept under a key of a namespace; one that is not *indexed* no question finds."""

    namespace: tuple[str, ...]
    key: str
    value: Mapping[str, object]
    indexed: bool = True


def folder(root: str, labels: Iterable[str]) -> str:
    """Return the folder of the namespace *labels* below *root*."""
    return "/".join((root, FOLDER, *map(_name, labels)))


def path(root: str, namespace: Sequence[str], key: str) -> str:
    """Return where the note of an item lies below *root*; no two items share one."""
    return f"{folder(root, namespace)}/{_name(key)}.md"


def _name(text: str) -> str:
    """Return *text* where it can name a file, else what is left of it with digits of its own."""
    if _PLAIN.fullmatch(text) and not _HASHED.fullmatch(text) and text not in _TAKEN:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    words = re.sub(r"[^a-z0-9]+", "-", text.lower())[:_LONGEST].strip("-")
    return f"{words or 'key'}-{digest}"


def render(item: StoredItem) -> str:
    """Return the text of the note; raises TypeError for a value that is no JSON."""
    lines = [
        f'  "namespace": {json.dumps(item.namespace, ensure_ascii=False)}',
        f'  "key": {json.dumps(item.key, ensure_ascii=False)}',
        *([] if item.indexed else ['  "index": false']),
        f'  "value": {json.dumps(item.value, ensure_ascii=False, indent=2)}',
    ]
    text = ",\n".join(lines)
    return f"```json\n{{\n{text}\n}}\n```\n"


def parse(text: str) -> StoredItem | None:
    """Return the item of a note, None where a person made something else of it."""
    try:
        raw = json.loads(found[1]) if (found := _BLOCK.search(text)) else None
    except ValueError:
        return None
    match raw:
        case {"namespace": [*labels], "key": str(key), "value": dict(value), **rest}:
            return StoredItem(tuple(map(str, labels)), key, value, rest.get("index") is not False)
    return None
