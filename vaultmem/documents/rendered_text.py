"""A text as it is read, without its markup, and where each character of that stands.

How a page, a program or a note shows a text changes none of its words: HTML, entities and colours,
a link's target, numbers and names of files before lines, the escapes of JSON and of addresses,
hyphens where a line ends. What a reader of HTML does not see, a reader of the file does, so there
is more than one look at a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from vaultmem.documents.hidden_text import INVISIBLE
from vaultmem.documents.patterns import compiled

_COLOURS = (
    r"[\x1b\u241b\u2190\ufffd]\[[0-?]{0,40}[ -/]{0,9}[@-~]|\^\[\[[0-?]{0,40}[@-~]"
    r"|ESC\[[0-?]{0,40}[@-~]|\x9b[0-?]{0,40}[@-~]|\[\d{1,3}(?:;\d{1,3}){0,9}m"
    r"|\x1b\][^\x07\x1b\n]{0,500}(?:\x07|\x1b\\)|\x1b[@-Z\\^_]|[^\n]\x08|[\u0332\u0335\u0336]"
)
_ESCAPE_SIGNS = ("\x1b", "\x9b", "^[[", "ESC[", "\u241b", "\u2190[", "\ufffd[", "\x08",
                 "\u0332", "\u0335", "\u0336")  # fmt: skip
_LOST = r"\[\d{1,3}(?:;\d{1,3}){0,9}m"
"""What a terminal takes for colours, also where a program wrote the escape in signs or lost it.

And how a page of `man` is bold (a letter struck over itself), a chat's text underlined or struck.
"""

_MARKUP = (
    (("\t", "\u2192"), r"^[^\S\n]{0,6}\d{1,6}(?:\t|\u2192)"),
    (
        ("<", "]]>"),
        (
            r"<!\[CDATA\[|\]\]>|<[?!][a-z][^<>]{0,500}>"
            r"|</?(?P<tag>[a-z][a-z0-9]{0,15}(?:[:_-][a-z0-9]{1,30}){0,4})(?:\s[^<>]{0,2000})?/?>"
        ),
    ),
    (("&",), r"&(?:#x?[0-9a-f]{1,6}|[a-z]{2,8});"),
    (("](",), r"(?<=[\w*_`])\]\([^()\s]{0,2000}\)"),
    (("at)", "at]", "at}"), r"[^\S\n]?[\[({]at[\])}][^\S\n]?"),
    (("@", "at)", "at]", "at}"), r"[^\S\n]*\n(?![^\S\n]*\d{1,6}[\t\u2192])\s*"),
)
"""What markup there is, each behind signs one of which is in it: to look for them is much quicker.

The last joins an address where a line ends in it.
"""

_WHOLE_COMMENT, _COMMENT_ENDS = r"(?s)<!--.*?-->", "-->"
_WITHIN = 3
"""Markup within markup: a feed escapes its HTML, and who quotes the feed escapes that."""

_ESCAPED, _OPENS = ("&lt", "&amp", "&#"), r"(?i)<[a-z/!?]|&#?\w{1,8};|\[\d{1,3}[;m]"
"""What was escaped, and what of it is markup itself."""

_HIDES = r"(?i)<[a-z/!]|\]\("
_COMMENT = r"<!--|-->"
_HIDDEN = r"(?i)<!--|-->|[<>]|\]\(|(?<=\s)(?:href|src|action)\s{0,9}=\s{0,9}[\"']?"
"""What opens and closes that which a reader of HTML or of a link does not see."""

_BLOCKS = frozenset((
    "br", "p", "div", "li", "ul", "ol", "td", "th", "tr", "table", "h1", "h2", "h3", "h4", "h5",
    "h6", "hr", "section", "pre",
))  # fmt: skip
_ESCAPE = (
    r"(?i)\\[a-z]{2,20}\*?(?:\[[^\]\n]{0,80}\])?\{|\\+u\{?(?P<hex>[0-9a-f]{4})\}?"
    r"|\\+(?P<colour>033|x1b|e)(?=\[)|(?P<bytes>(?:\\+x[0-9a-f]{2}|\\+[0-3][0-7]{2})+)"
    r"|(?<!\w)b(?=[\"']\S)|\\+(?P<blank>[nrtfv])"
    r"|\\+(?P<sign>[\"'/])|(?P<percent>(?:%[0-9a-f]{2})+)"
)
_BYTE = r"(?i)x([0-9a-f]{2})|\\([0-3][0-7]{2})"
_QUOTED_PRINTABLE = r"(?<=[^\s=])=\r?\n|(?:=[0-9A-F]{2})+"
_IS_QUOTED_PRINTABLE = (
    r"(?<=[^\s=])=\r?\n|=3D|=[C-F][0-9A-F]=[89AB][0-9A-F]|(?<=[a-z])=[C-F][0-9A-F](?=[a-z])"
)
"""What a mail has where its letters are written so, and few other texts."""

_BLANKS = {"n": "\n", "t": "\t"}
_LINE_START = (
    r"(?im)^[^\S\n]{0,12}(?:(?=[^\s:]*[a-z])[^\s:]{1,200}[:-]\d{1,6}[:-]"
    r"|[a-z]{3} [ \d]\d (?:\d\d:){2}\d\d \S{1,80} [^\s:]{1,80}:[^\S\n]|\d{1,6}[:|).](?!\d)"
    r"|\^?[0-9a-f]{7,40}[^\S\n]+(?:[^\s(]{1,200}[^\S\n]+)?\([^()\n]{1,120}\))[^\S\n]*"
)
_DRIVE = r"(?im)^[^\S\n]{0,12}[a-z]:\\[^\n:]{1,200}:\d{1,6}[:-]"
"""A file of Windows before a line: its backslashes are no escapes."""

_MARK = (
    r"(?<=[^\W\d_])[-\u2010\u00ac]\n[^\S\n]*(?:(?:[+#>|*]|//)[^\S\n]*)?(?=[^\W\d_])"
    r"|(?<=[\w.,;:!?)\"'*])(?:\[\^?\w{1,3}\]|\^\d{1,3}\b|[\u00b2\u00b3\u00b9\u2070-\u2079]+)"
)
_PARTED = ("\u2010\n", "\u00ac\n", "-\n", "[", "^")


_ENTITY = r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,24});"
_UNSEEN = f"[{INVISIBLE}]+"
_BEHIND = r"[\w.+/=-]"
_IN_A_WORD = (
    rf"(?:\*(?<={_BEHIND}\*)\*{{0,2}}|`(?<={_BEHIND}`)`{{0,2}}|~(?<={_BEHIND}~)~|=(?<={_BEHIND}=)="
    rf"|\\(?<={_BEHIND}\\)(?=[!-/:-@\[-`{{-~])"
    rf"|<(?<={_BEHIND}<)/?(?P<tag>[A-Za-z][A-Za-z0-9]{{0,15}})(?:\s[^<>\n]{{0,200}})?/?>)"
    r"(?=[\w.+/=-])"
)
"""Marks of Markdown and HTML by which a part of a word looks otherwise than the rest.

Not `_`, which Markdown shows within a word. Each begins with a sign of its own, which `re` looks
for quickly.
"""


_MARKS_UP = (
    r"(?im)[\x1b\x9b\x08\u241b\u0332\u0335\u0336\u00b2\u00b3\u00b9\u2070-\u2079]|\ufffd\[|\^\[\[|ESC\["
    r"|\[\d{1,3}(?:;\d{1,3}){0,9}m|<[!?]|%[0-9a-f]{2}|=\r?\n|=3D|=[c-f][0-9a-f]=|[-\u2010\u00ac]\n"
    r"|\\(?:u|x|[0-3][0-7]{2}|[a-z]{2,20}\*?\{)|\w(?:\]\(|\[\^?\d{1,3}\]|\^\d)|"
    + _LINE_START.removeprefix("(?im)")
)
"""What all such markup has somewhere: its signs, and what stands before lines."""

_NOWHERE: Sequence[int] = ()


class Look(NamedTuple):
    """What is read of a text, and the place of each character of it in that text, if asked for."""

    text: str
    places: Sequence[int]


def shown(text: str) -> Look:
    """Return *text* as it is shown: without tags, comments, entities and a link's target."""
    return _without_markup(Look(text, range(len(text))))


def markup_spans(text: str) -> list[tuple[int, int]]:
    """Return where *text* may have markup that is more than tags, entities and numbers of lines."""
    return [found.span() for found in compiled(_MARKS_UP).finditer(text)]


def whole_words(text: str) -> Look:
    """Return *text* with its entities read, and each word in one piece, without marks within it."""
    look = Look(text, range(len(text)))
    if "&" in text:
        look = _changed(look, _ENTITY, lambda found: _entities_read(found[0]))
    if not look.text.isascii():
        look = _changed(look, _UNSEEN, lambda _: "")
    return _changed(look, _IN_A_WORD, _instead_in_a_word)


def decoded(text: str) -> str:
    """Return *text* without colours, and with its entities read; its tags and marks stay."""
    for _ in range(_WITHIN):
        read = _entities_read(compiled(_COLOURS).sub("", text))
        if read == text:
            break
        text = read
    return text


def _entities_read(text: str) -> str:
    from html import unescape  # noqa: PLC0415  # two thousand names, and few texts have one

    return unescape(text) if "&" in text else text


def unescaped(text: str) -> str:
    r"""Return *text* with the signs that a program or a database escaped: `isn\'t`, `isn''t`."""
    return _escapes_read(Look(text, range(len(text)))).text.replace("''", "'")


def texts(text: str) -> list[str]:
    """Return the texts of `looks`: where nobody asks for places, that is much quicker."""
    return [look.text for look in _looks(Look(text, _NOWHERE))]


def looks(text: str) -> list[Look]:
    """Return *text* as it is shown, as it is without a program's markup, and all that is written.

    The first is always there, another where it says something else.
    """
    return _looks(Look(text, range(len(text))))


def _looks(told: Look) -> list[Look]:
    plain = _escapes_read(_changed(told, _DRIVE, lambda _: "") if ":\\" in told.text else told)
    every = [_without_markup(told), _parts_joined(_without_markup(plain))]
    is_hiding = compiled(_HIDES).search(plain.text) is not None  # `a < b` and `->` hide nothing
    hiding = (_COMMENT, _HIDDEN) if is_hiding else ()
    opened = [_changed(plain, signs, lambda _: " ") for signs in hiding]
    every += (_parts_joined(_without_markup(it)) for it in opened if it is not plain)
    return [*{look.text: look for look in reversed(every)}.values()][::-1]


def _changed(
    look: Look,
    pattern: str,
    new: Callable[[re.Match[str]], str | None],
    until: int | None = None,
) -> Look:
    """Return *look* with *new* for all that *pattern* finds *until* there, but where it is None."""
    markup = [
        (found.start(), found.end(), instead)
        for found in compiled(pattern).finditer(
            look.text, 0, len(look.text) if until is None else until
        )
        if (instead := new(found)) is not None
    ]
    if not markup:
        return look
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for start, end, instead in markup:
        parts += (look.text[at:start], instead)
        if look.places:
            places += (*look.places[at:start], *[look.places[start]] * len(instead))
        at = end
    places += look.places[at:]
    return Look("".join([*parts, look.text[at:]]), places)


def _without_markup(look: Look) -> Look:
    for _ in range(_WITHIN):
        before = look
        if any(sign in look.text for sign in _ESCAPE_SIGNS) or compiled(_LOST).search(look.text):
            look = _changed(look, _COLOURS, lambda _: "")
        look = _without_comments(look)
        if markup := [it for signs, it in _MARKUP if any(sign in look.text for sign in signs)]:
            look = _changed(look, f"(?ism){'|'.join(markup)}", _instead)
        if not (any(it in before.text for it in _ESCAPED) and compiled(_OPENS).search(look.text)):
            break
    return look


def _without_comments(look: Look) -> Look:
    """Return *look* without the comments of HTML that are closed.

    None is looked for behind the last that is: each would be followed to the end of the text.
    """
    end = look.text.rfind(_COMMENT_ENDS) + len(_COMMENT_ENDS)
    if end < len(_COMMENT_ENDS) or "<!--" not in look.text:
        return look
    return _changed(look, _WHOLE_COMMENT, lambda _: "", end)


def _escapes_read(look: Look) -> Look:
    """Return *look* with the signs that are escaped in JSON, a program's text, a mail, an address.

    Bytes are read as UTF-8, and where they are none as Latin-1.
    """
    if "=" in look.text and compiled(_IS_QUOTED_PRINTABLE).search(look.text):
        look = _changed(look, _QUOTED_PRINTABLE, _unquoted)
    return _changed(look, _ESCAPE, _unescaped) if "\\" in look.text or "%" in look.text else look


def _unquoted(found: re.Match[str]) -> str:
    """Return the letters of a mail's `=C3=9C`, and nothing for a line's end that is none."""
    return "" if "\n" in found[0] else _read(bytes.fromhex(found[0].replace("=", "")))


def _read(said: bytes) -> str:
    try:
        return said.decode()
    except UnicodeDecodeError:
        return said.decode("latin-1")


def _unescaped(found: re.Match[str]) -> str:
    if found["hex"]:
        sign = chr(int(found["hex"], 16))
        return " " if "\ud800" <= sign <= "\udfff" else sign
    if found["bytes"]:
        codes = compiled(_BYTE).findall(found["bytes"])
        return _read(bytes(int(x, 16) if x else int(octal, 8) for x, octal in codes))
    if found["percent"]:
        return bytes.fromhex(found["percent"].replace("%", "")).decode("utf-8", "replace")
    if found["colour"]:
        return "\x1b"
    return _BLANKS.get((found["blank"] or "").casefold(), " " * bool(found["blank"])) or (
        found["sign"] or ""
    )


def _parts_joined(look: Look) -> Look:
    """Return *look* without what stands before lines, within words and behind them."""
    lines = _changed(look, _LINE_START, lambda _: "")
    if not any(mark in lines.text for mark in _PARTED) and lines.text.isascii():
        return lines
    return _changed(lines, _MARK, lambda _: "")


def _instead(found: re.Match[str]) -> str | None:
    """Return what a reader sees of *found*, None where that is what it is."""
    markup = found[0]
    if markup.startswith("&"):
        read = _entities_read(markup)
        return None if read == markup else read.replace("\xad", "")
    if markup[:1] == "<":
        tag = found.groupdict().get("tag") or ""
        return " " if tag.casefold().rpartition(":")[2] in _BLOCKS else ""
    if markup.startswith("]") or markup.endswith(("\t", "\u2192")):
        return ""
    if "\n" in markup:
        return "" if _goes_on(found.string, found.start(), found.end()) else None
    return "@"


def _instead_in_a_word(found: re.Match[str]) -> str | None:
    return None if (found["tag"] or "").casefold() in _BLOCKS else ""


def _goes_on(text: str, start: int, end: int) -> bool:
    """Tell whether an address goes on behind the line that ends at *start*."""
    before, after = text[start - 1 : start], text[end : end + 2]
    if after[:1] == "@":
        return before.isalnum()
    is_open = before in {"@", ".", "-"} and after[:1].islower()
    if not is_open and not (after[:1] == "." and after[1:].isalnum()):
        return False
    return any("@" in it for it in text[max(0, start - 100) : start].split()[-1:])
