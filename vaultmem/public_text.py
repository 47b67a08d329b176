"""What may leave a file: its text without what is marked as private, and without credentials.

Everything that is indexed, shown, sent, exported or made from a file is made from this; whoever
writes a file needs its own text, and no other. Lines keep their numbers, so that a place in the one
is the same line in the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vaultmem import document, secrets
from vaultmem.document import Document

PRIVATE, SECRET = "private", "secret"
_BREAK = re.compile(r"\r?\n")
_BLANK = " \t"


@dataclass(frozen=True, slots=True)
class Hidden:
    """A part of a text that does not leave it, what is *shown* in its place, and what it is.

    *why* is `private` or `secret`.
    """

    start: int
    end: int
    shown: str
    why: str


@dataclass(frozen=True, slots=True)
class PublicText:
    """A text that may leave its file, and the parts of the file's own text that may not."""

    text: str
    hidden: tuple[Hidden, ...] = ()

    @property
    def held(self) -> str:
        """Why the file is held back from the history: `private`, `secret`, both, or ""."""
        return " ".join(sorted({part.why for part in self.hidden}))


def of(text: str) -> PublicText:
    """Return what of *text*, which a file holds, may leave it."""
    private = _private(text)
    veiled = _shown(text, private) if private else text
    hidden = _with_credentials(text, private, veiled)
    return PublicText(_shown(text, hidden) if hidden else text, hidden)


def of_bytes(data: bytes) -> PublicText:
    """Return what of a file's bytes may leave it; what is no UTF-8 is replaced."""
    return of(data.decode("utf-8", "replace"))


def of_lines(text: str) -> str:
    """Return what of a transcript may leave it: each line is a text of its own."""
    if not of(text).hidden:
        return text
    return "".join(of(line).text for line in text.splitlines(keepends=True))


def parsed(text: str) -> Document:
    """Return the frontmatter and the body of what of *text* may leave its file."""
    return document.parse(of(text).text)


def is_held(data: bytes | None) -> bool:
    """Tell whether a file with these bytes is held back from the history."""
    return bool(data) and bool(of_bytes(data or b"").hidden)


def keeps(old: bytes | None, new: bytes | None) -> bool:
    """Tell whether all that is hidden in the file *old* is so in what it shall be, too."""
    rest = Counter(_told_apart(new))
    rest.subtract(_told_apart(old))
    return all(count >= 0 for count in rest.values())


def _told_apart(data: bytes | None) -> Iterator[str]:
    text = (data or b"").decode("utf-8", "replace")
    return _parts(text, of(text))


# --- what is hidden ---------------------------------------------------------------------------


def _private(text: str) -> tuple[Hidden, ...]:
    """Return the private parts of *text*, each with the blanks that would be left over."""
    found: list[Hidden] = []
    for start, end in secrets.private_parts(text):
        before = found[-1] if found else None
        found.append(_trimmed(text, start, end, before.end if before else 0))
    rest = secrets.private_parts(_shown(text, found)) if found else ()
    if rest:  # pieces that were put together spell another mark: hide all that follows
        start = _own_start(list(_pieces(text, found)), rest[0][0])
        kept = [part for part in found if part.end <= start]
        found = [*kept, Hidden(start, len(text), _breaks(text[start:]), PRIVATE)]
    return tuple(found)


def _trimmed(text: str, start: int, end: int, floor: int) -> Hidden:
    """Return the part with the blanks at one side of it, *floor* being where it may begin."""
    breaks = _breaks(text[start:end])
    if not breaks and text[end : end + 1] in _BLANK and _follows_blank(text, start):
        end += _blanks(text, end)
    elif breaks or text[end : end + 1] in {"", "\r", "\n"}:
        while start > floor and text[start - 1] in _BLANK:
            start -= 1
        end += _blanks(text, end) if breaks else 0
    return Hidden(start, end, breaks, PRIVATE)


def _follows_blank(text: str, start: int) -> bool:
    return start == 0 or text[start - 1] in " \t\r\n>"


def _blanks(text: str, start: int) -> int:
    end = start
    while text[end : end + 1] and text[end] in _BLANK:
        end += 1
    return end - start


def _breaks(text: str) -> str:
    return "".join(_BREAK.findall(text))


def _with_credentials(text: str, private: Sequence[Hidden], veiled: str) -> tuple[Hidden, ...]:
    """Return the *private* parts and the credentials of what is left, in order."""
    found = secrets.find(veiled)
    if not found:
        return tuple(private)
    pieces, head = list(_pieces(text, private)), _head(veiled)
    hidden = [
        Hidden(
            _own_start(pieces, each.start), _own_end(pieces, each.end),
            _redacted(each.rule, plain=each.start in head) + _breaks(veiled[each.start : each.end]),
            SECRET,
        )
        for each in found
    ]  # fmt: skip
    apart = [p for p in private if not any(h.start <= p.start < h.end for h in hidden)]
    return tuple(sorted((*apart, *hidden), key=lambda part: part.start))


def _head(text: str) -> range:
    doc = document.parse(text)
    return range(len(doc.opening), len(doc.opening) + len(doc.head))


def _redacted(rule: str, *, plain: bool) -> str:
    # YAML takes a bracket at the beginning of a value for a list.
    return f"REDACTED:{rule}" if plain else f"[REDACTED:{rule}]"


# --- places in the two texts ------------------------------------------------------------------


class _Piece(NamedTuple):
    """A piece of a file's own text, and where what is shown of it stands in the public one."""

    start: int
    end: int
    first: int
    last: int
    kept: bool


def _pieces(text: str, hidden: Sequence[Hidden]) -> Iterator[_Piece]:
    at = first = 0
    for part in hidden:
        last = first + part.start - at
        yield _Piece(at, part.start, first, last, kept=True)
        first = last + len(part.shown)
        yield _Piece(part.start, part.end, last, first, kept=False)
        at = part.end
    yield _Piece(at, len(text), first, first + len(text) - at, kept=True)


def _shown(text: str, hidden: Sequence[Hidden]) -> str:
    shown = iter(part.shown for part in hidden)
    return "".join(
        text[piece.start : piece.end] if piece.kept else next(shown)
        for piece in _pieces(text, hidden)
    )


def _own_start(pieces: Sequence[_Piece], place: int) -> int:
    """Return where in the own text begins what stands at *place* in the public one."""
    piece = next(p for p in pieces if p.first <= place < p.last)
    return piece.start + (place - piece.first if piece.kept else 0)


def _own_end(pieces: Sequence[_Piece], place: int) -> int:
    """Return where in the own text ends what stands before *place* in the public one."""
    piece = next(p for p in pieces if p.first < place <= p.last)
    return piece.end - (piece.last - place if piece.kept else 0)


# --- editing ----------------------------------------------------------------------------------


def edited(own: str, new: str) -> str | None:
    """Return *own*, a file's text, with the edit that makes its public text *new*.

    None where that cannot be done without touching what is hidden, or would hide some of *new*.
    """
    public = of(own)
    if not public.hidden:
        return new
    kept = list(_parts(own, public))
    for made in _candidates(own, public, new):
        there = of(made)
        if there.text == new and kept == list(_parts(made, there)):
            return made
    return None


def _parts(own: str, public: PublicText) -> Iterator[str]:
    yield from (own[part.start : part.end].strip(_BLANK) for part in public.hidden)


def _candidates(own: str, public: PublicText, new: str) -> Iterator[str]:
    """Yield the texts that differ from *own* as *new* does from its public text, in one place."""
    old, pieces = public.text, list(_pieces(own, public.hidden))
    for first, last in dict.fromkeys(_differences(old, new)):
        brought = new[first : len(new) - (len(old) - last)]
        ranges = list(_own_ranges(pieces, first, last))
        # What begins with a line break goes behind what is hidden in the line before.
        for start, end in reversed(ranges) if brought[:1] in {"\r", "\n"} else ranges:
            yield own[:start] + brought + own[end:]


def _differences(old: str, new: str) -> Iterator[tuple[int, int]]:
    """Yield the range of *old* that is another in *new*, as far right and as far left as can be."""
    most = min(len(old), len(new))
    ahead = _common(old, new, most)
    yield ahead, len(old) - _common(old[::-1], new[::-1], most - ahead)
    behind = _common(old[::-1], new[::-1], most)
    yield _common(old, new, most - behind), len(old) - behind


def _common(one: str, other: str, most: int) -> int:
    """Return how many characters both begin with, at most *most*."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _own_ranges(pieces: Sequence[_Piece], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the own text that may stand for one of the public text."""
    for piece in pieces:
        if piece.kept and piece.first <= first and last <= piece.last:
            yield piece.start + first - piece.first, piece.start + last - piece.first
