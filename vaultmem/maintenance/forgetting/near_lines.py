"""Turns and items that stay and say what is forgotten, in other words or another's: to be named."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from vaultmem.maintenance.forgetting import redaction
from vaultmem.maintenance.forgetting.redaction import Copies
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


def why_verbatim(line: str, copies: Copies) -> str:
    """Return why a *line* of JSON stays that has the very words: they are `another`'s, or `short`.

    "" where it has other words, or no more of them than everybody says.
    """
    try:
        texts = item_logs.texts(json.loads(line))
    except (ValueError, RecursionError):
        return ""
    if any(map(copies.stand_in, texts)):
        return "another"
    is_short = any(redaction.is_telling(text) and copies.are_all_of(text) for text in texts)
    return "short" if is_short else ""
