"""A text as its person edits it: a mark stands for each part that may not leave the file.

Where the mark goes, the part goes; it comes back byte for byte. So does a line that is withheld,
since it says what another file hides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from vaultmem.documents import public_text

_BLANK = " \t"
_LINE = re.compile(r"\[private line (\d{1,9}): not shown, stays as it is\]")


def marked(own: str, withheld: Collection[int] = ()) -> str:
    """Return *own*, a file's text, with a mark for each part of it that is hidden.

    And for each of its lines that is *withheld*, numbered from 0.
    """
    pieces: list[str] = []
    at = 0
    for start, end, mark in sorted([*_marks(own), *_withheld(own, withheld)]):
        pieces += [own[at:start], mark]
        at = end
    return "".join([*pieces, own[at:]])


def unmarked(own: str, edited: str, withheld: Collection[int] = ()) -> str | None:
    """Return *edited*, made from `marked(own)`, with the parts of *own* where their marks are.

    None where a mark is gone, or there twice, or the part would not be hidden there. A line that is
    *withheld* only since it was shown needs none where it stands as it did; the mark of one that no
    longer is becomes that line all the same.
    """
    places: list[tuple[int, int, str]] = []
    for start, end, mark in _marks(own):
        if edited.count(mark) != 1:
            return None
        place = edited.index(mark)
        places.append((place, place + len(mark), own[start:end]))
    lines = [_bare(line) for line in own.splitlines(keepends=True)]
    standing = {_bare(line) for line in edited.splitlines(keepends=True)}
    there = [it for it in _LINE.finditer(edited) if 0 < int(it[1]) <= len(lines)]
    there = [it for it in there if it[0] not in own]
    numbers = [int(it[1]) - 1 for it in there]
    gone = (n for n in withheld if n not in numbers and lines[n] not in standing)
    if len({*numbers}) < len(numbers) or any(True for _ in gone):
        return None
    places += ((it.start(), it.end(), lines[int(it[1]) - 1]) for it in there)
    made = edited
    for start, end, part in sorted(places, reverse=True):
        made = made[:start] + part + made[end:]
    return made if public_text.keeps(_bytes(own), _bytes(made)) else None


def _withheld(own: str, withheld: Collection[int]) -> Iterator[tuple[int, int, str]]:
    at = 0
    for number, line in enumerate(own.splitlines(keepends=True)):
        if number in withheld:
            mark = f"[private line {number + 1}: not shown, stays as it is]"
            yield at, at + len(_bare(line)), mark
        at += len(line)


def _bare(line: str) -> str:
    return line.rstrip("\r\n")


def _marks(own: str) -> Iterator[tuple[int, int, str]]:
    for number, part in enumerate(public_text.of(own).hidden, 1):
        said = own[part.start : part.end]
        start = part.start + len(said) - len(said.lstrip(_BLANK))
        end = part.end - (len(said) - len(said.rstrip(_BLANK)))
        yield start, end, f"[{part.why} part {number}: not shown, stays as it is]"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
