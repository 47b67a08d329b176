"""A text that comes in without those of its passages that were forgotten."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from vaultmem.documents import inner_json
from vaultmem.documents.markdown import blocks, outline
from vaultmem.storage import item_logs, tombstone_digests, tombstones
from vaultmem.storage.json_lines import fields
from vaultmem.storage.tombstones import MARK, Tombstones

_TIMES = 8
"""How often what is left is asked again: where two passages overlap, the rest of one may be one."""


def without(text: str, known: Tombstones, *, rows: bool = False) -> str:
    """Return *text* with a mark in the place of each passage that one of *known* stands for.

    With *rows* of each row of words, too, that is a part of one. "" where nothing else is left, or
    where a passage cannot be told from what stands around it. JSON stays JSON.
    """
    return _left(text, known, rows=rows) or ""


def left_of_line(line: bytes, known: Tombstones) -> bytes | None:
    """Return a *line* of a transcript or a log with a mark in the place of each such passage.

    Nothing where nothing else is left, None where a passage cannot be told from what stands around
    it. A line that nobody can read stays as it is.
    """
    said = fields(line)
    key = "item" if "item" in said else "content"
    value = said.get(key)
    made = _left_of_value(value, known)
    if made is None or made == value:
        return None if made != value else line
    return json.dumps({**said, key: made}, ensure_ascii=False).encode() if made else b""


def _left_of_value(value: object, known: Tombstones) -> object:
    if isinstance(value, str):
        return _left(value, known, rows=True) if known.of_any(value) else value
    made = item_logs.retold(value, lambda part: _told(part, known, rows=True))
    return "" if made != value and {*item_logs.texts(made)} == {MARK} else made


def _left(text: str, known: Tombstones, *, rows: bool) -> str | None:
    """Return what `without` does, None where a passage cannot be told from what is around it."""
    if (inner := inner_json.of(text)) is not None:
        made = item_logs.retold(inner, lambda part: _told(part, known, rows=rows))
        if {*item_logs.texts(made)} == {MARK}:
            return ""
        text = text if made == inner else json.dumps(made, ensure_ascii=False)
    for _ in range(_TIMES):
        found = [*_passages(text, known), *(_rows(text, known) if rows else ())]
        if not found:
            return text if tombstone_digests.tokens(text.replace(MARK, "")) else ""
        if (cut := _cut(text, found)) == text:
            return None
        text = cut
    return None


def _told(part: str, known: Tombstones, *, rows: bool) -> str:
    """Return a text of JSON without its passages, the mark where nothing else is left."""
    return (without(part, known, rows=rows) or MARK) if blocks.says_enough(part) else part


def _passages(text: str, known: Tombstones) -> Iterator[str]:
    """Yield what to look for of each passage: its words between any spaces, no list's mark."""
    for it in sorted(blocks.passages(text), key=len):
        if known.of(it):
            words = it[len(outline.lead(it)) :].split()
            yield r"\s+".join(map(re.escape, words))


def _rows(text: str, known: Tombstones) -> Iterator[str]:
    for row in tombstones.stretches(text, known.all):
        yield r"(?<![^\W_])" + r"[\W_]*".join(map(re.escape, row.split())) + r"(?![^\W_])[.!?]*"


def _cut(text: str, found: Iterable[str]) -> str:
    for pattern in found:
        text = re.sub(pattern, MARK, text, flags=re.IGNORECASE)
    return text
