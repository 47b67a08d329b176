"""One letter for those that are read alike: `ß` as `ss`, `電` as `电`, katakana as hiragana.

What SQLite's FTS5 does itself, capitals and accents, is left to it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache

from vaultmem.documents.languages.han_variants import SIMPLIFIED, TRADITIONAL

_LATIN = {
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O",
    "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "TH", "ı": "i",
}  # fmt: skip
_KATAKANA = range(0x30A1, 0x30F7)
_TO_HIRAGANA = 0x60


def folded(text: str) -> str:
    """Return *text* with one letter for those that are read alike, its capitals and accents kept.

    Folding twice changes nothing more.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_folds())


def bare(text: str) -> str:
    """Return *text* folded, in lower case and without accents: as FTS5 compares words."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFD", folded(text).lower())
    return "".join(c for c in apart if unicodedata.category(c) != "Mn")


@cache
def _folds() -> Mapping[int, str]:
    """Return the table of what is folded, made when a text first needs it."""
    kana = {code: chr(code - _TO_HIRAGANA) for code in _KATAKANA}
    han = dict(zip(map(ord, TRADITIONAL), SIMPLIFIED, strict=True))
    return {**{ord(letter): plain for letter, plain in _LATIN.items()}, **kana, **han}
