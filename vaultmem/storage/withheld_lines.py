"""What is told of a text that was made from others: not the lines that say what those hide.

Who marks a part of a memory as private hides it in what was made of the memory before, too. Lines
keep their numbers, as those of a text do from which a private part is left out.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from vaultmem.documents import frontmatter
from vaultmem.errors import Unreadable
from vaultmem.records import LISTS, RETOLD, SUMMARIES
from vaultmem.storage import files, reader
from vaultmem.storage.hidden_words import HiddenWords

INSTEAD = "[private]"
"""Stands for a value of the frontmatter that is not told."""
_OURS = ("inbox/dream-", "inbox/declined.md", files.CONFLICTS)
_DRAWN = frozenset({*RETOLD, "card", "skill"}) - {*SUMMARIES}
_SOURCES = re.compile(rb"(?m)^sources:")
_LINK = re.compile(r"\[\[[^\[\]\n]*\]\]|\]\([^()\n]*\)")
_KEY = re.compile(r"(?P<key>[^\s:#'\"\[{-][^:\n]*):(?:\s|\Z)")
_ITEM = re.compile(r"\s*-\s+")


def is_made(path: str, data: bytes) -> bool:
    """Tell whether the file at *path*, whose bytes are *data*, was made from others."""
    kind = reader.kind_of(path)
    if kind in SUMMARIES or path in LISTS or path.startswith(_OURS) or _is_of_a_session(path):
        return True
    head = data.partition(b"\n---")[0] if kind in _DRAWN else b""
    return bool(_SOURCES.search(head))


def _is_of_a_session(path: str) -> bool:
    """Tell whether an agent notes there what it is at, or what was said in a session."""
    return path.startswith("agents/") and path.endswith(("/working.md", ".compact.md"))


def without(data: bytes, hidden: HiddenWords) -> bytes:
    """Return what is told of *data*, the bytes of a file made from others, where these hide words.

    Where its frontmatter does not bear that, nothing of it is.
    """
    if not hidden:
        return data
    text = data.decode("utf-8", "surrogateescape")
    lines = text.splitlines(keepends=True)
    at = set(_saying(lines, hidden))
    if not at:
        return data
    end = _head(text)
    told = (_withheld(x, is_head=n < end) if n in at else x for n, x in enumerate(lines))
    return _sound("".join(told), lines).encode("utf-8", "surrogateescape")


def says(line: str, hidden: HiddenWords) -> bool:
    """Tell whether a *line* says what is *hidden*; the names of files that it links to do not."""
    return hidden.says(_LINK.sub("]", line))


def _saying(lines: Sequence[str], hidden: HiddenWords) -> Iterator[int]:
    """Yield the numbers of the lines that say it, and of two that do so together."""
    told = [says(line, hidden) for line in lines]
    yield from (number for number, it in enumerate(told) if it)
    for n, (one, other) in enumerate(itertools.pairwise(lines)):
        is_open = not (told[n] or told[n + 1]) and one.strip() and other.strip()
        if is_open and says(f"{one} {other}", hidden):
            yield from (n, n + 1)


def _withheld(line: str, *, is_head: bool) -> str:
    eol = line[len(line.rstrip("\r\n")) :]
    if not is_head:
        return eol
    if found := _KEY.match(line):
        return f"{found['key']}: '{INSTEAD}'{eol}"
    item = _ITEM.match(line)
    return f"{item[0]}'{INSTEAD}'{eol}" if item else f"  {INSTEAD}{eol}"


def _head(text: str) -> int:
    """Return how many lines of *text* are frontmatter."""
    doc = frontmatter.parse(text)
    return len(f"{doc.opening}{doc.head}{doc.closing}".splitlines()) if doc.closing else 0


def _sound(text: str, lines: Sequence[str]) -> str:
    """Return *text*, or nothing of its *lines* where its frontmatter does not bear it."""
    try:
        frontmatter.fields(frontmatter.parse(text))
    except Unreadable:
        return "".join(line[len(line.rstrip("\r\n")) :] for line in lines)
    return text
