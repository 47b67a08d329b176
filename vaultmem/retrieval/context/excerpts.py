"""The passage of a long note that answers a question: under which headings it stands, and where."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from vaultmem.records import Record
from vaultmem.retrieval.search.types import Hit
from vaultmem.storage.index import passages
from vaultmem.storage.index.passages import Passage

_HASHES = re.compile("#+")
_BELOW = " / "


Excerpt = tuple[Record, Mapping[str, str]]
"""A record with a part of its body, and the marks that say which."""


def excerpts(record: Record, hit: Hit) -> Sequence[Callable[[], Excerpt]]:
    """Return how to make what may stand for *record*, each with more of it than the one before.

    The first has the passage alone that *hit* points at, each other one more on both sides. The
    marks are the headings above that passage, from the outermost, and the lines in the file. None
    where the text is no longer than one passage.
    """
    cut = passages.cut(record.body)
    if len(cut) <= 1:
        return ()
    found = _passage_of(record, hit, cut)
    at, most = found.number, max(found.number, len(cut) - found.number - 1)
    heading = _headings_above(record.body, found)
    last_line = record.body_line + record.body.rstrip("\n").count("\n")
    around = partial(_around, record, heading, last_line)
    return [partial(around, cut[max(at - n, 0) : at + n + 1]) for n in range(most)]


def place(body: str, hit: Hit) -> int | None:
    """Return where in *body* begins what *hit* shows of it; None where it shows something else."""
    words = hit.snippet.strip("…").split()
    found = re.search(r"\s+".join(map(re.escape, words)), body) if words else None
    return found and found.start()


def _around(record: Record, heading: str, last_line: int, shown: Sequence[Passage]) -> Excerpt:
    first, last = shown[0], shown[-1]
    lines = f"{record.body_line + first.line_first}-{record.body_line + last.line_last}"
    marks = {"heading": heading, "lines": f"{lines} of {last_line}"}
    return replace(record, body=record.body[first.first : last.last]), marks


def _passage_of(record: Record, hit: Hit, cut: tuple[Passage, ...]) -> Passage:
    """Return the passage on the line of *hit*; of several that with most of its snippet."""
    line = hit.lines[0] - record.body_line
    on_line = [p for p in cut if p.line_first <= line <= p.line_last]
    lines = record.body.split("\n")
    start = sum(len(each) + 1 for each in lines[:line])
    at = place(record.body[start:], hit)
    first, last = (start + at, start + at + len(hit.snippet)) if at is not None else (0, 0)
    return max(on_line or cut[:1], key=lambda p: min(p.last, last) - max(p.first, first))


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
