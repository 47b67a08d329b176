"""Tell a person's lines in a summary from ours, so that those stay when ours are written again.

A summary's frontmatter names each line that the program wrote by its digest (`written`). What it
does not name a person wrote, or mended.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Document, Field
from vaultmem.records import Record

_DIGITS = 10


def written(text: str) -> str:
    """Return the digests of the lines of *text*, as the frontmatter holds them."""
    return " ".join(digest(line) for line in text.splitlines() if line.strip())


def digest(line: str) -> str:
    """Return what names a line, however its words are spaced."""
    return hashlib.sha256(bare(line).encode("utf-8", "replace")).hexdigest()[:_DIGITS]


def bare(line: str) -> str:
    """Return *line* with single spaces."""
    return " ".join(line.split())


def split(summary: Record | None) -> tuple[str, str]:
    """Split a summary's text into a person's lines, untouched, and ours; each ends its lines."""
    if summary is None:
        return "", ""
    known = frozenset(summary.written.split())
    if not known:
        return _ended(summary.body), ""
    lines = summary.body.splitlines()
    ours = [line for line in lines if line.strip() and digest(line) in known]
    own = _without(lines, frozenset(ours))
    return "".join(f"{x}\n" for x in own), "".join(f"{x}\n" for x in ours)


def _without(lines: Sequence[str], ours: AbstractSet[str]) -> Sequence[str]:
    """Return *lines* but *ours*, and the blank ones that part two of the others."""
    own: list[str] = []
    blank: list[str] = []
    for line in lines:
        if not line.strip():
            blank.append(line)
            continue
        if line not in ours:
            own += [*(blank if own else ()), line]
        blank = []
    return own


def note(title: str, doc: Document, ours: AbstractSet[str], own: str) -> bytes:
    """Return a note of what a person wrote into *doc*, a file that goes; b"" for nothing.

    That is *own*, the keys that are none of *ours*, and comments, as they stand there.
    """
    keys = frontmatter.fields(doc).keys()
    if not (own.strip() or keys - ours or frontmatter.comments(doc)):
        return b""
    head: dict[str, Field | None] = dict.fromkeys(keys & ours)
    head |= {"type": "conflict", "title": title}
    return frontmatter.render(frontmatter.update(doc, head, own)).encode()


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
