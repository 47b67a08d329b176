"""Marks of the fences in which a prompt holds what is remembered, made harmless inside a text.

A model reads tags less strictly than a parser does. So a mark counts as one however it is spelled:
in other brackets, letters or escapes, with spaces or invisible characters in between. Whatever a
model may read goes through here, be it in a fence or not: no text may say that it is one.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultmem.documents.plain_letters import LATIN_TWINS

_TAGS = r"(?:<[^<>]{0,60}>){0,3}"
# Those of a context and of a session's compact, the first also with tags between its letters.
_NAME = re.compile(rf"{_TAGS.join('memory')}|session[\W_]{{0,4}}compact")
_NAMESPACE = re.compile(r"[a-z][\w.-]{0,30}:\Z")
_BRACKETS = (
    "<\uff1c\ufe64\u2039\u2329\u3008\u27e8\u276e\u02c2\u1438\u276c\u2770\u29fc\u227a\u300a\u27ea"
    "\u2991\u227a\u226a"
)
_ESCAPED = (
    r"&(?:amp;)*(?:#x?[0-9a-f]{1,7}|[a-z]{2,16});?|\\u\{0{0,6}[0-9a-f]{1,5}\}"
    r"|(?-i:\\U)000[0-9a-f]{5}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[01][0-7]{2}|%(?:25)*[0-9a-f]{2}|=[0-9a-f]{2}"
)
_MAY_HOLD_A_MARK = re.compile(rf"[{_BRACKETS}&\\%]|=3[Cc]")
_CHARACTER = re.compile(rf"{_ESCAPED}|.", re.IGNORECASE | re.DOTALL)
_AMPERSANDS = re.compile(r"&(?:amp;)+", re.IGNORECASE)
_OCTAL = re.compile(r"\\([01][0-7]{2})")
_SIGNS_OF_HEX = re.compile(r"\\u\{?|\\x|%(?:25)*(?=..)|=|\}", re.IGNORECASE)
# Letters that look like Latin ones, and those that sound like the name's.
_TWINS = LATIN_TWINS | str.maketrans(
    "\u043c\u0433\u03bc\u03b5\u03b3" + _BRACKETS[1:], "mymey" + "<" * (len(_BRACKETS) - 1)
)
_UNSEEN = frozenset({"Cf", "Cc", "Mn", "Me", "Zs", "Zl", "Zp"})
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")


def defused(text: str) -> str:
    """Return *text* with other brackets for those that begin or end a fence of ours."""
    if _MAY_HOLD_A_MARK.search(text):
        return _replaced(text, _brackets(list(_read(text))))
    return text


def unbracketed(text: str) -> str:
    """Return *text* with other brackets for all that begin a tag."""
    if _MAY_HOLD_A_MARK.search(text):
        return _replaced(text, [r for r in _read(text) if r.char == "<"])
    return text


class _Read(NamedTuple):
    """A character as a reader takes it, and where it is written."""

    char: str
    first: int
    last: int


def _replaced(text: str, brackets: Sequence[_Read]) -> str:
    """Return *text* with other brackets, which stand for nothing, for *brackets*."""
    kept, end = [], 0
    for bracket in brackets:
        kept.append(text[end : bracket.first])
        end = bracket.last
    return "[".join([*kept, text[end:]])


def _brackets(read: Sequence[_Read]) -> list[_Read]:
    """Return the brackets with nothing but signs between them and a fence's name."""
    plain = "".join(r.char for r in read)
    found: list[_Read] = []
    for name in _NAME.finditer(plain):
        behind = begin = _with_namespace(plain, name.start())
        while behind and not plain[behind - 1].isalnum():
            behind -= 1
        found += (r for r in read[behind:begin] if r.char == "<")
    return found


def _with_namespace(plain: str, begin: int) -> int:
    """Return where the name that begins at *begin* does with what XML may have ahead of it."""
    namespace = _NAMESPACE.search(plain, max(0, begin - 32), begin)
    return namespace.start() if namespace else begin


def _read(text: str) -> Iterator[_Read]:
    """Yield what *text* comes to when escapes are resolved and all that cannot be seen is gone."""
    for written in _CHARACTER.finditer(text):
        meant = _meant(written[0])
        if meant == written[0]:
            spots = [(c, written.start() + n, written.start() + n + 1) for n, c in enumerate(meant)]
        else:
            spots = [(c, *written.span()) for c in meant]
        for char, first, last in spots:
            yield from (_Read(c, first, last) for c in _folded(char))


def _meant(written: str) -> str:
    if len(written) == 1:
        return written
    if written[0] == "&":
        return html.unescape(_AMPERSANDS.sub("&", written))
    if octal := _OCTAL.fullmatch(written):
        return chr(int(octal[1], 8))
    return chr(int(_SIGNS_OF_HEX.sub("", written), 16))


def _folded(char: str) -> str:
    plain = unicodedata.normalize("NFKD", char).casefold().translate(_TWINS)
    seen = (c for c in plain if unicodedata.category(c) not in _UNSEEN)
    return "".join(c for c in seen if c not in _FILLERS)
