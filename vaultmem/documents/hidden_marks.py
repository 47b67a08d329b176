"""A text as its person edits it: a mark stands for each part that may not leave the file.

Where the mark goes, the part goes; it comes back byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.documents import public_text

_BLANK = " \t"


def marked(own: str) -> str:
    """Return *own*, a file's text, with a mark for each part of it that is hidden."""
    pieces: list[str] = []
    at = 0
    for start, end, mark in _marks(own):
        pieces += [own[at:start], mark]
        at = end
    return "".join([*pieces, own[at:]])


def unmarked(own: str, edited: str) -> str | None:
    """Return *edited*, made from `marked(own)`, with the parts of *own* where their marks are.

    None where a mark is gone, or there twice, or the part would not be hidden there.
    """
    places: list[tuple[int, int, str]] = []
    for start, end, mark in _marks(own):
        if edited.count(mark) != 1:
            return None
        place = edited.index(mark)
        places.append((place, place + len(mark), own[start:end]))
    made = edited
    for start, end, part in sorted(places, reverse=True):
        made = made[:start] + part + made[end:]
    return made if public_text.keeps(_bytes(own), _bytes(made)) else None


def _marks(own: str) -> Iterator[tuple[int, int, str]]:
    for number, part in enumerate(public_text.of(own).hidden, 1):
        said = own[part.start : part.end]
        start = part.start + len(said) - len(said.lstrip(_BLANK))
        end = part.end - (len(said) - len(said.rstrip(_BLANK)))
        yield start, end, f"[{part.why} part {number}: not shown, stays as it is]"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
