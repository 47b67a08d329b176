"""A text as it may be meant: what JSON, a URL, HTML, mail, base64 or a line's end made of it."""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
import unicodedata
import urllib.parse
from collections.abc import Iterator

from vaultmem.documents import wide_text

_DEPTH = 2  # JSON within base64, or within JSON
_ESCAPE = re.compile(r'\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])')
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_QUOTED = re.compile(r"=(?:[0-9A-F]{2}|\r?\n)")
_ENTITY = re.compile(r"&#?\w{2,8};")
_HYPHEN = re.compile(r"(?<=\w)[-\u00ad\u2010]\r?\n[ \t>]*(?=\w)")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}(?:\r?\n[ \t]*[A-Za-z0-9+/_-]{4,}={0,2})*")
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_ILLEGIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffd]")
_EDGES = 2
"""Letters at the ends of what base64 holds that may be cut in two."""


def folded(text: str) -> str:
    """Return *text* as it is compared: NFKC, in lower case, without what nobody sees."""
    if text.isascii():
        return text.casefold()
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", text).casefold())


def readings(text: str, depth: int = _DEPTH) -> Iterator[str]:
    """Yield *text*, and each text that it stands for when it is taken as encoded."""
    yield text
    for found in _decoded(text) if depth else ():
        if found != text:
            yield from readings(found, depth - 1)


def _decoded(text: str) -> Iterator[str]:
    if "\\" in text:
        yield wide_text.whole_letters(_ESCAPE.sub(_escaped, text))
    if "%" in text and _PERCENT.search(text):
        yield urllib.parse.unquote(text, errors="replace")
    if "&" in text and _ENTITY.search(text):
        yield html.unescape(text)
    if "=" in text and _QUOTED.search(text):
        yield quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
    if _HYPHEN.search(text):
        yield _HYPHEN.sub("", text)
    for found in _BASE64.finditer(text):
        yield from _from_base64(found[0])


def _escaped(found: re.Match[str]) -> str:
    name = found[0][1:]
    return chr(int(f"0x{name[1:]}", 0)) if name[0] == "u" else _CONTROLS.get(name, name)


_CONTROLS = {"b": " ", "f": " ", "n": "\n", "r": "\n", "t": "\t"}


def _from_base64(run: str) -> Iterator[str]:
    """Yield what a run of base64 holds, wherever in it that begins, if it is legible."""
    letters = re.sub(r"[\s=]", "", run).translate(_STANDARD)
    for start in range(4):
        part = letters[start:]
        part = part[: len(part) // 4 * 4] if len(part) % 4 == 1 else part
        try:
            data = base64.b64decode(part + "=" * (-len(part) % 4))
        except binascii.Error:
            continue
        text = data.decode("utf-8", "replace")
        if len(_ILLEGIBLE.findall(text)) <= _EDGES and len(text) > _EDGES:
            yield text


_STANDARD = str.maketrans("-_", "+/")
