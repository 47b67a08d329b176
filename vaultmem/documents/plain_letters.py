"""Letters and signs that read alike, as one: what is compared by its words is compared by these.

A page writes `Don\u2019t`, an agent `Don't`; and a Cyrillic letter in a Latin word is to whoever
reads it the Latin one. Which letters look so is said in Unicode's confusables (UTS 39).
"""

from __future__ import annotations

import re
import unicodedata

from vaultmem.documents.languages import letters

_APOSTROPHES = "\u2018\u2019\u201b\u02bc\u02bb\u02b9\u2032\u00b4\u055a\ua78b\ua78c\uff07"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_CYRILLIC = (
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d"
    "\u04cf\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406"
    "\u0408\u0405\u051a\u051c"
)
_GREEK = (
    "\u03b1\u03bf\u03bd\u03b9\u03ba\u03c1\u03c5\u03c7\u0391\u0392\u0395\u0396\u0397\u0399"
    "\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
)
_OF_OTHERS = "\u0251\u0261\u0585\u0578\u03f2"
_LATIN = "aeopcyxijshdqwlABEKMHOPCTYXIJSQWaovikpuxABEZHIKMNOPTYXagonc"
LATIN_TWINS = str.maketrans(_CYRILLIC + _GREEK + _OF_OTHERS, _LATIN)
"""The letters of other scripts that look like Latin ones, for `str.translate`."""

_UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0" + "".join(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""What a font draws nothing for (Unicode's Default_Ignorable_Code_Point), beside format signs."""

_ONE_SIGN = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys(_DASHES, "-") | dict.fromkeys(_UNSEEN, "")
)
_COLONS = "\u2236\ua789\u02f8"
_SIGNS_ALIKE = str.maketrans(dict.fromkeys(_DASHES, "-") | dict.fromkeys(_COLONS, ":"))
_ENDS = frozenset("\uff0c\uff1b\uff01\uff1f\uff09")
_OTHERS = re.compile(r"[\u0251\u0261\u0370-\u03ff\u0400-\u052f\u0530-\u058f]")
_WORD = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f])+")
_IS_LATIN = re.compile(r"[A-Za-z]")
_ACCENTS = re.compile(r"[\u0300-\u036f]+")


def plain(text: str) -> str:
    """Return what is seen of *text*, by NFKC, case folded, each word in one script.

    Apostrophes are one sign, and dashes are.
    """
    if text.isascii():
        return text.casefold()
    one = text.translate(_ONE_SIGN)
    if not unicodedata.is_normalized("NFKC", one):
        one = unicodedata.normalize("NFKC", one).translate(_ONE_SIGN)
    folded = one.casefold()
    return _WORD.sub(_in_one_script, one).casefold() if _OTHERS.search(folded) else folded


def alike(text: str) -> str:
    """Return *text* as it is `plain`, with one letter for those that recall takes for the same.

    A traditional character is the simplified one, katakana are hiragana, and accents are gone.
    """
    seen = plain(text)
    if seen.isascii():
        return seen
    apart = unicodedata.normalize("NFD", letters.folded(seen))
    return unicodedata.normalize("NFC", _ACCENTS.sub("", apart))


def as_latin(text: str) -> str:
    """Return *text* with each letter that looks like one of ASCII as that, all in their places.

    Where a clause ends in Chinese, it does; and a word of another script stays one.
    """
    if text.isascii():
        return text
    signs = {sign for sign in text if not sign.isascii()} - _ENDS
    forms = {ord(sign): unicodedata.normalize("NFKC", sign) for sign in signs}
    alike = text.translate({sign: form for sign, form in forms.items() if len(form) == 1})
    alike = alike.translate(_SIGNS_ALIKE)
    return _WORD.sub(_read_as_latin, alike) if _OTHERS.search(alike.casefold()) else alike


def _read_as_latin(found: re.Match[str]) -> str:
    """Return a word that has a Latin letter, or none that does not look like one, as Latin."""
    word = found[0]
    latin = word.translate(LATIN_TWINS)
    return latin if _IS_LATIN.search(word) or latin.isascii() else word


def _in_one_script(found: re.Match[str]) -> str:
    """Return a word with a Latin letter in it as if all that look so were.

    Folding can bring forth a letter (a subscript iota is one then), so that is looked at, too.
    """
    word = found[0]
    if not _IS_LATIN.search(word):
        return word
    return word.translate(LATIN_TWINS).casefold().translate(LATIN_TWINS)
