"""The passage of a long note that answers a question: under which headings it stands, and where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from vaultmem.records import Record
from vaultmem.retrieval.search.types import Hit
from vaultmem.storage.index import passages, tokenizer
from vaultmem.storage.index.passages import Passage

_HASHES = re.compile("#+")
_BELOW = " / "


def excerpt(record: Record, hit: Hit) -> tuple[Record, Mapping[str, str]] | None:
    """Return *record* with the passage alone that *hit* points at, and the marks that say so.

    The marks are the headings above it, from the outermost, and its lines in the file. None where
    the text is no longer than one passage.
    """
    cut = passages.cut(record.body)
    if len(cut) <= 1:
        return None
    here = _passage_of(record, hit, cut)
    last_line = record.body_line + record.body.rstrip("\n").count("\n")
    lines = f"{record.body_line + here.line_first}-{record.body_line + here.line_last}"
    marks = {"heading": _headings_above(record.body, here), "lines": f"{lines} of {last_line}"}
    return replace(record, body=record.body[here.first : here.last]), marks


def _passage_of(record: Record, hit: Hit, cut: tuple[Passage, ...]) -> Passage:
    """Return the passage on the line of *hit*; of several the one that shares most of its words."""
    line = hit.lines[0] - record.body_line
    wanted = frozenset(tokenizer.terms(hit.snippet))

    def shared(passage: Passage) -> int:
        text = record.body[passage.first : passage.last]
        return len(wanted.intersection(tokenizer.terms(text)))

    on_line = [p for p in cut if p.line_first <= line <= p.line_last]
    return max(on_line or cut[:1], key=shared)


def _headings_above(body: str, passage: Passage) -> str:
    """Return the path of headings to *passage*, `Manual / Part 70`; "" above the first heading."""
    path: dict[int, str] = {}
    for start, text in passages.headings(body):
        if start > passage.first:
            break
        found = _HASHES.match(body, start)
        level = len(found[0]) if found else 0
        path = {above: title for above, title in path.items() if above < level} | {level: text}
    return _BELOW.join(path.values())
