"""Turns and items that stay and say what is forgotten, in other words or another's: to be named."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from vaultmem.maintenance.forgetting import line_names, redaction
from vaultmem.maintenance.forgetting.line_names import LineName
from vaultmem.maintenance.forgetting.redaction import Copies
from vaultmem.storage import item_logs


def saying(path: str, text: str, says: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Yield what says it of the file at *path*, whose *text* is given, by its name.

    That is each turn or item, with its line; or the file, with nothing.
    """
    lines = text.split("\n") if path.endswith(".jsonl") else [text]
    found = ((n, line) for n, line in enumerate(lines, 1) if says(line))
    if line_names.are_in(path):
        yield from ((str(LineName(path, n)), line) for n, line in found)
    elif any(True for _ in found):
        yield path, ""


def names(path: str, text: str, says: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the names of what `saying` yields."""
    return tuple(name for name, _ in saying(path, text, says))


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
