"""Tell a person's lines in a summary from ours, so that those stay when ours are written again.

A summary's frontmatter names each line that the program wrote by its digest (`written`). What it
does not name a person wrote, or mended.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Document, Field
from vaultmem.documents.markdown import outline
from vaultmem.records import Record

_DIGITS = 10

_Name = tuple[str, int]
"""A line's digest, and which of those with it the line is."""

_TOP: _Name = ("", 0)
"""What stands for the line of ours above a text's first lines."""


def written(text: str) -> str:
    """Return the digests of the lines of *text*, as the frontmatter holds them."""
    return " ".join(digest(line) for line in text.splitlines() if line.strip())


def still_written(text: str, before: str) -> str:
    """Return the digests of those lines of *text* that the frontmatter named *before* as ours."""
    known = frozenset(before.split())
    return " ".join(it for it in written(text).split() if it in known)


def digest(line: str) -> str:
    """Return what names a line, however its words are spaced."""
    return hashlib.sha256(bare(line).encode("utf-8", "replace")).hexdigest()[:_DIGITS]


def bare(line: str) -> str:
    """Return *line* with single spaces."""
    return " ".join(line.split())


def is_ours(summary: Record) -> Callable[[str], bool]:
    """Return what tells of a line of *summary* whether the program wrote it, as far as is known."""
    known = frozenset(summary.written.split())
    return lambda line: not known or digest(line) in known


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


def among(text: str, old: Record) -> str:
    """Return *text*, which is written anew, with a person's lines of the *old* record among it.

    They stay behind the line of ours below which they stood; first, where that is gone, and then
    what follows does not become a part of them.
    """
    known = frozenset(old.written.split())
    new = text.splitlines()
    there = {name: at for at, name in enumerate(_numbered(new))}
    first: list[str] = []
    behind: dict[int, list[str]] = {}
    for anchor, lines in _blocks(old.body.splitlines(), known):
        if anchor in there:
            behind.setdefault(there[anchor], []).extend(_ending(lines))
        else:
            first += _parted(lines, moves=anchor != _TOP)
    made = [x for at, line in enumerate(new) for x in (line, *behind.get(at, ()))]
    return "".join(f"{line}\n" for line in _ending([*first, *made]))


def _blocks(lines: Sequence[str], known: AbstractSet[str]) -> Iterator[tuple[_Name, Sequence[str]]]:
    """Yield a person's *lines* as they stand, with the name of our line above each block."""
    anchor = _TOP
    block: list[str] = []
    for name, line in zip(_numbered(lines), lines, strict=True):
        if name[0] not in known or not line.strip():
            block.append(line)
            continue
        yield anchor, block
        anchor, block = name, []
    yield anchor, block


def _numbered(lines: Sequence[str]) -> Iterator[_Name]:
    """Yield for each of *lines* its digest, and how many are the same so far."""
    seen = Counter[str]()
    for line in lines:
        name = digest(line)
        seen[name] += 1
        yield name, seen[name]


def _ending(block: Sequence[str]) -> Sequence[str]:
    """Return *block* without the blank lines at its end."""
    last = max((at for at, line in enumerate(block, 1) if line.strip()), default=0)
    return block[:last]


def _parted(block: Sequence[str], *, moves: bool) -> Sequence[str]:
    """Return *block* as it stands first, and a blank line behind it where it needs one.

    So it does where it had one, and where it *moves* and ends in a paragraph.
    """
    own = _without(block, frozenset())
    *_, last = outline.sections("\n".join(own))
    ends_in_prose = any(line.kind == "prose" for line in last.lines[-1:])
    needs_one = bool(own) and ((moves and ends_in_prose) or not block[-1].strip())
    return (*own, *("",) * needs_one)


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
