"""Take the regions that a person marked as private out of a text."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from vaultmem.documents.hidden_text import CONTROLS, INVISIBLE

_UNSEEN = f"[{INVISIBLE}{CONTROLS}]"
_BLANK = rf"[\s{INVISIBLE}{CONTROLS}]"
_WORD = f"{_UNSEEN}*".join("private")
_LESS, _MORE = r"(?:<|\\{1,8}(?:u00|x)3c)", r"(?:\\{0,8}>|\\{1,8}(?:u00|x)3e)"
"""Brackets, also as JSON, YAML and Markdown escape them: whoever reads the value reads a mark."""

_OPENING = (
    rf"<{_UNSEEN}*{_WORD}{_UNSEEN}*(?=[\s/<>]|\Z)[^<>]{{0,1000}}>?"
    rf"|{_LESS}{_BLANK}*{_WORD}{_BLANK}*{_MORE}"
)
_CLOSING = rf"{_LESS}{_BLANK}*\\{{0,8}}/{_BLANK}*{_WORD}{_BLANK}*{_MORE}"
_FIRST = re.compile(r"[<\\]")
_PASSES = 8
_BARE = (
    "a <private> mark that holds nothing was left out: text that is private stands between "
    "<private> and </private>"
)
_STRAY = "a </private> has no <private> ahead of it: nothing was left out there"


def strip_private(text: str) -> str:
    """Return *text* without its `<private>…</private>` regions, nested or unclosed ones too.

    A text that holds no such tag is returned as it is.
    """
    return strip_each([text])[0]


def strip_each(texts: Iterable[str]) -> tuple[str, ...]:
    """Return *texts*, which are one text in pieces, without its private regions.

    A region that does not end in its piece goes on in those behind it; a piece that is all private
    is empty.
    """
    kept = tuple(texts)
    for _ in range(_PASSES):
        if not any(map(_is_marked, kept)):
            return kept
        kept = tuple(_outside(kept))
    # Only a text made to spell new tags out of the pieces comes here: keep what precedes them.
    return tuple(_ahead_of_tags(kept))


def public_items(texts: Iterable[str]) -> Iterator[str]:
    """Yield *texts*, the items of one list, as `strip_each` does, without those all private."""
    given = tuple(texts)
    for text, kept in zip(given, strip_each(given), strict=True):
        if kept.strip() or not text.strip():
            yield kept


@functools.cache
def _tag() -> re.Pattern[str]:
    return re.compile(rf"(?P<closing>{_CLOSING})|{_OPENING}", re.IGNORECASE)


@functools.cache
def _unseen(*, in_ascii: bool) -> re.Pattern[str]:
    """Return what finds an unseen character, in ASCII ten times as quick."""
    return re.compile(f"[{CONTROLS}]" if in_ascii else _UNSEEN)


def _may_be_marked(text: str) -> bool:
    """Tell whether a tag may be in *text*, at the price of a few searches: most have none."""
    if "<" not in text and "\\" not in text:
        return False
    return "private" in text.lower() or bool(_unseen(in_ascii=text.isascii()).search(text))


def may_be_marked(data: bytes) -> bool:
    """Tell whether a tag may be in *data*, the bytes of a file."""
    if b"<" not in data and b"\\" not in data:
        return False
    return _may_be_marked(data.decode("utf-8", "surrogateescape"))


def without_marks(text: str, instead: str = " ") -> str:
    """Return *text* with *instead* in the place of each mark: what is private stays in it."""
    return _tag().sub(instead, text)


def _is_marked(text: str) -> bool:
    return any(True for _ in _tags(text))


def _tags(text: str) -> Iterator[re.Match[str]]:
    if not _may_be_marked(text):
        return
    end = 0
    # To look for what a tag begins with is four times as quick as for the whole of it.
    for first in _FIRST.finditer(text):
        if first.start() >= end and (tag := _tag().match(text, first.start())):
            yield tag
            end = tag.end()


def _outside(texts: Iterable[str]) -> Iterator[str]:
    """Yield what of each of *texts*, pieces of one, is outside every region."""
    depth = 0
    for text in texts:
        yield _joined(_public(text, depth)) if depth or _is_marked(text) else text
        depth = left_open(text, depth)


def _ahead_of_tags(texts: Iterable[str]) -> Iterator[str]:
    for text in (rest := iter(texts)):
        if tag := _tag().search(text):
            yield text[: tag.start()]
            yield from ("" for _ in rest)
        else:
            yield text


def _public(text: str, depth: int = 0) -> Iterator[str]:
    """Yield the pieces of *text* outside every region, *depth* of which began before it."""
    end = 0
    for region in _regions(text, depth):
        yield text[end : region[0]]
        end = region[1]
    yield text[end:]


def private_parts(text: str) -> list[tuple[int, int]]:
    """Return where the parts of *text* begin and end that are marked as private, outermost ones.

    An unclosed one goes to the end. Marks around nothing but signs, as in a manual that names them,
    hide nothing.
    """
    return [(a, b) for a, b in _regions(text) if any(map(_says, _tag().sub("", text[a:b])))]


def _says(char: str) -> bool:
    """Tell whether *char* says something: a letter, a number, or a picture such as an emoji."""
    return char.isalnum() or unicodedata.category(char) == "So"


def blanked(text: str) -> str:
    """Return *text* without its private parts, of as many lines: for who reads it line by line."""
    for _ in range(_PASSES):
        if not (parts := private_parts(text)):
            return text
        for begin, end in reversed(parts):
            text = text[:begin] + "\n" * text.count("\n", begin, end) + text[end:]
    return strip_private(text)


def left_open(text: str, depth: int = 0) -> int:
    """Return how many private parts are open behind *text*, where *depth* were so ahead of it."""
    more, lowest = swing(text)
    return more + max(depth, -lowest)


def swing(text: str) -> tuple[int, int]:
    """Return how many more parts *text* opens than it closes, and the fewest that it came to.

    Both count from what was open ahead of it, and the second is 0 or below.
    """
    depth = lowest = 0
    for match in _tags(text):
        depth += -1 if match["closing"] else 1
        lowest = min(lowest, depth)
    return depth, lowest


def left_out(*values: object) -> str:
    """Say in a sentence what `strip_private` leaves out of *values*, "" for nothing; no word of it.

    They are texts, or what JSON makes of texts; one that is there twice, spaced otherwise, counts
    once, and a list is one text. A mark that is not closed takes all that follows with it; one that
    closes what nothing opened takes nothing, and whoever wrote it may have meant all ahead of it.
    """
    marked = (x for each in values for x in _texts(each) if _may_be_marked(x))
    texts = dict.fromkeys(" ".join(x.split()) for x in marked)
    parts = sum(len(private_parts(text)) for text in texts)
    is_open = any(_swallows(text) for text in texts)
    stray = _STRAY if any(map(_closes_nothing, texts)) else ""
    if not parts:
        is_bare = not stray and any(" ".join(strip_private(text).split()) != text for text in texts)
        return _BARE if is_bare else stray
    counted = "1 private part was" if parts == 1 else f"{parts} private parts were"
    more = "; one was not closed, so all that follows it was left out: end it with </private>"
    return f"{counted} left out{more if is_open else ''}{stray and f'; {stray}'}"


def why_empty(text: str) -> str:
    """Say of *text*, of which nothing may be kept, why that is so."""
    if not private_parts(text):
        return "the text is empty"
    is_open = "; it is not closed: end it with </private>" if _swallows(text) else ""
    return f"all of it is private{is_open}"


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in (*value.keys(), *value.values()):
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        yield "\n".join(_words(value))


def _words(value: object) -> Iterator[str]:
    """Yield what the items of a list say, of objects what stands behind their keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _words(each)


def _swallows(text: str) -> bool:
    """Tell whether a mark without an end takes words of *text*, or of what is left of it."""
    ends = [end for _, end in private_parts(text)]
    left = _joined(_public(text)) if ends else text
    return (left_open(text) > 0 and len(text) in ends) or bool(private_parts(left))


def _closes_nothing(text: str) -> bool:
    """Tell whether a mark in *text* closes what none opened, after words it may be meant for."""
    depth = 0
    for match in _tags(text):
        if not depth and match["closing"]:
            return any(map(str.isalnum, _tag().sub("", text[: match.start()])))
        depth += -1 if match["closing"] else 1
    return False


def _regions(text: str, depth: int = 0) -> Iterator[tuple[int, int]]:
    """Yield where marked regions begin and end; a closing mark without an opening one is one.

    *depth* of them began ahead of *text*.
    """
    begin = 0
    for match in _tags(text):
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
    return "".join([*out, "\n" * bool(out and "\n" in (gap or ""))])


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
