"""Find what a reader of a text does not see and an agent does: hidden characters, hidden markup.

It is only ever shown: bytes stay as they are. What joins an emoji or shapes a script is no secret,
for it changes what is seen.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from vaultmem.documents.patterns import compiled

Kind = Literal["tag", "bidi", "zero-width", "selector", "filler", "comment", "unseen", "control"]

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ZERO_WIDTH = "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f"
_FILLERS = (
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)
"""With those of notation and of planes that no font draws (Unicode's Default_Ignorable)."""

_TAGS = "\U000e0000-\U000e007f"
_KINDS: tuple[tuple[Kind, str], ...] = (
    ("tag", _TAGS),
    ("bidi", _BIDI),
    ("zero-width", _ZERO_WIDTH),
    ("selector", _SELECTORS),
    ("filler", _FILLERS),
)
INVISIBLE = f"{_TAGS}{_BIDI}{_ZERO_WIDTH}{_SELECTORS}{_FILLERS}"
"""The characters that nobody sees, as the inside of a pattern's `[]`."""

CONTROLS = r"\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u2028\u2029"
"""What is no character of a text at all, as the inside of a pattern's `[]`."""

_ANY = f"[{INVISIBLE}]"
_COMMENT = r"<!--[\s\S]*?(?:-->|\Z)|%%(?:(?!%%)[\s\S])+%%"
_OURS = r"<!--\s*vaultmem:(?:begin|end)\s*-->"
_TAG = r"<[A-Za-z][^<>]{0,2000}>"
_UNSEEN = r"(?i)\bhidden\b|(?:display\s*:\s*none|font-size\s*:\s*0|opacity\s*:\s*0)(?![.\d]*[1-9])"
_FLAG = (
    "\U0001f3f4\U000e0067\U000e0062"
    "(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)"
    "\U000e007f"
)
"""England's, Scotland's and Wales's: a black flag, the region in tags, and their end."""

_EMOJI_SELECTORS = "\ufe0e\ufe0f"
_JOINERS = "\u200c\u200d"
_BREAK = "\u200b"
_BREAKING = ("KHMER", "THAI", "LAO", "MYANMAR")
_JOINING = ("ARABIC", "SYRIAC", "MONGOLIAN", "NKO", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI",
            "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR",
            "TIBETAN")  # fmt: skip
_SHAPING = f"{_JOINERS}\u180b\u180c\u180d\u180e\u180f"
_EAST_ASIAN = ("CJK", "KATAKANA", "HIRAGANA", "IDEOGRAPHIC")
_VARIANTS = ("\U000e0100", "\U000e01ef")
"""Selectors of one of several ways to write a character, as in Japanese names."""

_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_MARKS = frozenset("\u061c\u200e\u200f")


POISON: frozenset[Kind] = frozenset({"tag", "bidi", "unseen"})
"""What hides words from a person, or turns them, while an agent reads them."""
_HIDING = POISON | {"zero-width", "filler"}


@dataclass(frozen=True, slots=True)
class Hidden:
    """What is hidden in a text: of which kind, how often, and from which line on, from 1."""

    kind: Kind
    count: int
    first_line: int


class _Region(NamedTuple):
    kind: Kind
    start: int
    end: int


def find(text: str) -> tuple[Hidden, ...]:
    """Return what *text* hides, the first of it first."""
    spots = sorted(_spots(text), key=lambda spot: spot.start)
    counts = Counter(spot.kind for spot in spots)
    first = {spot.kind: spot.start for spot in reversed(spots)}
    return tuple(
        Hidden(kind, counts[kind], 1 + text.count("\n", 0, first[kind]))
        for kind in dict.fromkeys(spot.kind for spot in spots)
    )


def unseen(text: str) -> tuple[Hidden, ...]:
    """Return what an agent reads of *text* and a person does not see: control characters, too.

    Comments are meant to be hidden, and most selectors come with the letters of a keyboard.
    """
    found = [it for it in find(text) if it.kind in _HIDING]
    if controls := [it.start() for it in compiled(f"[{CONTROLS}]").finditer(text)]:
        found.append(Hidden("control", len(controls), 1 + text.count("\n", 0, controls[0])))
    return tuple(found)


def shown(text: str) -> str:
    """Return *text* with its hidden characters written out; tags as the letters they stand for.

    Hidden markup is letters already: where it is not rendered, it shows.
    """
    if text.isascii() or not compiled(_ANY).search(text):
        return text
    pieces, end = [], 0
    for kind, run in groupby(_characters(text), key=lambda spot: spot.kind):
        for first, last in _joined(run):
            pieces += [text[end:first], _written(kind, text[first:last])]
            end = last
    return "".join([*pieces, text[end:]])


def _joined(run: Iterable[_Region]) -> list[tuple[int, int]]:
    """Return where the spots of *run* stand, those beside each other as one."""
    found: list[tuple[int, int]] = []
    for spot in run:
        if found and found[-1][1] == spot.start:
            found[-1] = (found[-1][0], spot.end)
        else:
            found.append((spot.start, spot.end))
    return found


def _written(kind: Kind, chars: str) -> str:
    if kind == "tag":
        letters = (chr(ord(c) - 0xE0000) for c in chars)
        return f"\\u{{tags: {''.join(c if c.isprintable() else '?' for c in letters)}}}"
    return "".join(f"\\u{{{ord(c):x}}}" for c in chars)


def _spots(text: str) -> Iterator[_Region]:
    yield from _characters(text)
    for found in compiled(_COMMENT).finditer(text):
        if not compiled(_OURS).fullmatch(found[0]):
            yield _Region("comment", *found.span())
    for found in compiled(_TAG).finditer(text):
        if compiled(_UNSEEN).search(found[0]):
            yield _Region("unseen", *found.span())


def _characters(text: str) -> Iterator[_Region]:
    if text.isascii():
        return
    flags = [found.span() for found in compiled(_FLAG).finditer(text)]
    for found in compiled(_ANY).finditer(text):
        at = found.start()
        if not any(first <= at < last for first, last in flags) and not _belongs(text, at):
            yield _Region(_kind(text[at]), at, at + 1)


def _kind(char: str) -> Kind:
    return next(kind for kind, chars in _KINDS if compiled(f"[{chars}]").match(char))


def _belongs(text: str, at: int) -> bool:
    """Tell whether the character at *at* shapes what is seen there: an emoji, a script."""
    char, last = text[at], text[at - 1] if at else ""
    if char in _EMOJI_SELECTORS:
        return _takes_selector(last)
    if char == "\u200d" and _is_emoji(_seen(text, at, -1)) and _is_emoji(_seen(text, at, 1)):
        return True
    if char in _MARKS:
        return _is_right_to_left(last) or _is_right_to_left(text[at + 1 : at + 2])
    if char == "\ufeff":
        return at == 0
    if _VARIANTS[0] <= char <= _VARIANTS[1]:
        return _is_named(last, _EAST_ASIAN)
    return _is_named(last, _BREAKING if char == _BREAK else _JOINING if char in _SHAPING else ())


def _seen(text: str, at: int, step: int) -> str:
    """Return the next character in one direction, past the selector of an emoji."""
    at += step
    if 0 <= at < len(text) and text[at] in _EMOJI_SELECTORS:
        at += step
    return text[at] if 0 <= at < len(text) else ""


def _is_emoji(char: str) -> bool:
    return bool(char) and (unicodedata.category(char) in {"So", "Sk"} or char == "\u20e3")


def _takes_selector(char: str) -> bool:
    """Tell whether *char* has a form as text and one as picture: symbols, digits of key caps."""
    symbol = bool(char) and unicodedata.category(char) in {"So", "Sm", "Sk", "Po", "Pd", "Nd"}
    return symbol or _is_named(char, _EAST_ASIAN)


def _is_named(char: str, names: tuple[str, ...]) -> bool:
    return bool(char and names) and unicodedata.name(char, "").startswith(names)


def _is_right_to_left(char: str) -> bool:
    return bool(char) and unicodedata.bidirectional(char) in _RIGHT_TO_LEFT
