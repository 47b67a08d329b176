"""Turns and items that stay and say what is forgotten in other words: another text, to be named."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from vaultmem.maintenance.forgetting import redaction
from vaultmem.storage import item_logs, transcripts


def are_in(path: str) -> bool:
    """Tell whether what stands at *path* is named by its line: it is a transcript, or a log."""
    return transcripts.holds(path) or item_logs.is_path(path)


def saying(path: str, text: str, says: Callable[[str], bool]) -> Iterator[str]:
    """Yield the file at *path*, whose *text* says it, or its turns or items, as `FILE:NUMBER`."""
    if not path.endswith(".jsonl"):
        found = [path] if says(text) else []
    else:
        found = [f"{path}:{n}" for n, line in enumerate(text.split("\n"), 1) if says(line)]
    yield from found if are_in(path) else [path][: len(found)]


def is_line(name: str) -> bool:
    """Tell whether *name* is that of a turn or an item, `FILE:NUMBER`."""
    path, _, number = name.rpartition(":")
    return are_in(path) and number.isdigit()


def is_all_of(line: str, is_copy: Callable[[str], bool]) -> bool:
    """Tell whether a text of a *line* of JSON is a copy that says more than everybody does."""
    try:
        texts = item_logs.texts(json.loads(line))
    except (ValueError, RecursionError):
        return False
    return any(redaction.is_telling(text) and is_copy(text) for text in texts)
