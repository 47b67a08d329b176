"""Take the regions that a person marked as private out of a text."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

_OPENING = r"<private(?=[\s/<>]|\Z)[^<>]{0,1000}>?|<\s+private\s*>"
_CLOSING = r"<\s*/\s*private\s*>"
_PASSES = 8


def strip_private(text: str) -> str:
    """Return *text* without its `<private>…</private>` regions, nested or unclosed ones too.

    A text that holds no such tag is returned as it is.
    """
    for _ in range(_PASSES):
        if not _has_tag(text):
            return text
        text = _joined(_public(text))
    # Only a text made to spell new tags out of the pieces comes here: keep what precedes them.
    return text[: _first_tag(text)]


@functools.cache
def _tag() -> re.Pattern[str]:
    return re.compile(rf"(?P<closing>{_CLOSING})|{_OPENING}", re.IGNORECASE)


def _has_tag(text: str) -> bool:
    return "private" in text.lower() and _tag().search(text) is not None


def _first_tag(text: str) -> int:
    match = _tag().search(text)
    return len(text) if match is None else match.start()


def _public(text: str) -> Iterator[str]:
    """Yield the pieces of *text* outside every region."""
    end = 0
    for region in _regions(text):
        yield text[end : region[0]]
        end = region[1]
    yield text[end:]


def private_parts(text: str) -> list[tuple[int, int]]:
    """Return where the parts of *text* begin and end that are marked as private, outermost ones.

    An unclosed one goes to the end. Marks around nothing that could be read, as in a manual that
    names them, hide nothing.
    """
    if "private" not in text.lower():
        return []
    return [(a, b) for a, b in _regions(text) if _says_something(text[a:b])]


def _says_something(region: str) -> bool:
    return any(map(str.isalnum, _tag().sub("", region)))


def _regions(text: str) -> Iterator[tuple[int, int]]:
    """Yield where marked regions begin and end; a closing mark without an opening one is one."""
    depth = begin = 0
    for match in _tag().finditer(text):
        if depth == 0:
            begin = match.start()
        depth = max(0, depth - 1) if match["closing"] else depth + 1
        if depth == 0:
            yield begin, match.end()
    if depth:
        yield begin, len(text)


def _joined(pieces: Iterable[str]) -> str:
    """Join *pieces* with the white space that would stand there had nothing been between them."""
    out: list[str] = []
    gap: str | None = None
    for piece in pieces:
        body = piece.strip()
        lead = piece[: len(piece) - len(piece.lstrip())]
        if body:
            out += [lead if gap is None else _separator(gap, lead, body, first=not out), body]
            gap = piece[len(lead) + len(body) :]
        else:
            gap = piece if gap is None else _wider(gap, piece)
    return "".join([*out, _ending(gap or "", first=not out)])


def _wider(left: str, right: str) -> str:
    """Return the larger of two gaps, with the line breaks of one and the indentation of *right*."""
    if "\n" not in right:
        return left if "\n" in left else left[:1] or right[:1]
    if left.count("\n") <= right.count("\n"):
        return right
    return left[: left.rfind("\n") + 1] + right[right.rfind("\n") + 1 :]


def _separator(left: str, right: str, body: str, *, first: bool) -> str:
    if first:
        return ""
    tight = not right and "\n" not in left and body[0] in ".,;:!?)"
    return "" if tight else _wider(left, right)


def _ending(gap: str, *, first: bool) -> str:
    return "\n" if "\n" in gap and not first else ""
