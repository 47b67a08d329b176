"""Marks of the fences in which a prompt holds what is remembered, made harmless inside a text.

A model reads tags less strictly than a parser does. So a mark counts as one however it is spelled:
in other brackets, letters or escapes, with spaces or invisible characters in between, or with one
letter of its name amiss. Whatever a model may read goes through here, be it in a fence or not: no
text may say that it is one.

A fence of ours ends with a slash before its name, and begins with something that it says of itself
behind it: `<memory>` alone is neither, but a header of C++, a type, or somebody's own word.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultmem.documents.plain_letters import LATIN_TWINS

_TAGS = r"(?:<[^<>]{0,60}>){0,3}"
_MEMORY, _COMPACT = "memory", r"session[\W_]{0,4}compact"
"""The names of a context's fences, and of the one that a session's compact stands in."""

_REMINDER = r"system[\W_]{0,4}reminder"
"""What Claude Code sets around what a hook tells a model: no text may end that either."""


def _amiss(name: str) -> Iterator[str]:
    """Yield the patterns of *name* with a letter that is another, too many, missing, or moved."""
    for n in range(len(name)):
        before, behind = name[:n], name[n:]
        yield from (rf"{before}\w{behind[1:]}", rf"{before}\w{behind}", before + behind[1:])
        yield f"{before}{behind[1:2]}{behind[:1]}{behind[2:]}"


# The first name also with tags between its letters.
_NAME = re.compile(rf"{_TAGS.join(_MEMORY)}|{'|'.join(_amiss(_MEMORY))}|{_COMPACT}|{_REMINDER}")
_ALONE = re.compile(rf"{_COMPACT}|{_REMINDER}")
"""Names that nothing else has: they need say nothing of themselves."""

_SAID_OF_IT = re.compile(r"[/\"',;]{0,4}[a-z][\w-]{0,20}=")
_GOES_ON = re.compile(r"[-_.:]{0,3}\w")
_NAMESPACE = re.compile(r"[a-z][\w.-]{0,30}:\Z")
_BRACKETS = (
    "<\uff1c\ufe64\u2039\u2329\u3008\u27e8\u276e\u02c2\u1438\u276c\u2770\u29fc\u227a\u300a\u27ea"
    "\u2991\u226a"
    "\u226e\u2280\ufe3d\ufe3f"  # which come apart to one of these
)
_QUOTE = "\u00ab"
"""It quotes words, too, so that only a mark of ours makes it a bracket."""

_OPENING = frozenset("<" + _QUOTE)
_SLASHES = "\\\u2044\u2215\u2571\u29f5\u29f8\u2afd\u0337\u0338"

_ESCAPED = (
    r"&(?:amp;)*(?:#x?[0-9a-f]{1,7}|[a-z]{2,16});?|\\[ux]\{0{0,6}[0-9a-f]{1,5}\}"
    r"|(?-i:\\U)000[0-9a-f]{5}|(?:\\|%)u[0-9a-f]{4}|u\+[0-9a-f]{4}|\\x[0-9a-f]{2}"
    r"|\\0{0,4}(?:3c|2f) ?|\\(?:[01][0-7]{2}|[4-7][0-7](?![0-7]))|%(?:25)*[0-9a-f]{2}|=[0-9a-f]{2}"
)
_MAY_HOLD_A_MARK = re.compile(rf"[{_BRACKETS}{_QUOTE}&\\%]|=3[Cc]|[Uu]\+003[Cc]")
_CHARACTER = re.compile(rf"{_ESCAPED}|.", re.IGNORECASE | re.DOTALL)
_AMPERSANDS = re.compile(r"&(?:amp;)+", re.IGNORECASE)
_OCTAL = re.compile(r"\\([0-7]{2,3})")
_SIGNS_OF_HEX = re.compile(r"\\[ux]\{?|%u(?=.{4})|u\+|%(?:25)*(?=..)|\\|=|[} ]", re.IGNORECASE)
# Letters that look like Latin ones, those that sound like the name's, and figures in their place.
_TWINS = (
    LATIN_TWINS
    | str.maketrans("\u043c\u0433\u03bc\u03b5\u03b3\u00f803", "mymeyooe")
    | dict.fromkeys(map(ord, _BRACKETS[1:]), "<")
    | dict.fromkeys(map(ord, _SLASHES), "/")
)
_UNSEEN = frozenset({"Cf", "Cc", "Mn", "Me", "Zs", "Zl", "Zp"})
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")


def may_hold_a_mark(text: str) -> bool:
    """Tell whether *text* has anything that a mark of a fence could begin with."""
    return _MAY_HOLD_A_MARK.search(text) is not None


def defused(text: str) -> str:
    """Return *text* with other brackets for those that begin or end a fence of ours."""
    if may_hold_a_mark(text):
        return _replaced(text, _brackets(list(_read(text))))
    return text


def unbracketed(text: str) -> str:
    """Return *text* with other brackets for all that begin a tag."""
    if may_hold_a_mark(text):
        read = list(_read(text))
        both = {*(r for r in read if r.char == "<"), *_brackets(read)}
        return _replaced(text, sorted(both, key=lambda r: r.first))
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
    """Return the brackets with nothing but signs between them and what makes a mark of ours."""
    plain = "".join(r.char for r in read)
    found: list[_Read] = []
    for name in _NAME.finditer(plain):
        behind = begin = _with_namespace(plain, name.start())
        while behind and not plain[behind - 1].isalnum():
            behind -= 1
        brackets = [r for r in read[behind:begin] if r.char in _OPENING]
        if brackets and _is_ours(read, plain, name, slash="/" in plain[behind:begin]):
            found += brackets
    return found


def _is_ours(read: Sequence[_Read], plain: str, name: re.Match[str], *, slash: bool) -> bool:
    """Tell whether behind a bracket *name* makes a mark: one that ends a fence, or begins one."""
    end = name.end()
    is_apart = end < len(read) and read[end - 1].last < read[end].first  # by a blank, say
    if not is_apart and _GOES_ON.match(plain, end):
        return False  # another name, which begins with ours
    return slash or bool(_ALONE.fullmatch(name[0]) or _SAID_OF_IT.match(plain, end))


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
