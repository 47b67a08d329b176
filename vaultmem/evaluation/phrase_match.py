"""When a text holds a phrase: by letters and digits alone, whatever case, blanks and marks."""

from __future__ import annotations

import re
import unicodedata

_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_BLANKS = re.compile(r"\s+")
_MARKS = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"',
                        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014", "-")})  # fmt: skip
_UNSPACED = "\u2e80"


def normal(text: str) -> str:
    """Return *text* as it is compared: NFKC, caseless, one blank, plain quotes and dashes.

    Numbers lose the commas between their thousands: `$1,250` is `$1250`.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Folding may take a letter apart again.
    composed = unicodedata.normalize("NFKC", folded).translate(_MARKS)
    return _BLANKS.sub(" ", _GROUPED.sub("", composed)).strip()


def holds(text: str, phrase: str) -> bool:
    """Tell whether *phrase* stands in *text*; both are `normal`. Nothing holds an empty phrase.

    It stands apart: `50` is not in `1500`, `art` is not in `party`.
    """
    before = r"(?<![^\W_])" if _is_word(phrase[:1]) else ""
    after = r"(?![^\W_])" if _is_word(phrase[-1:]) else ""
    return bool(phrase) and bool(re.search(before + re.escape(phrase) + after, text))


def _is_word(letter: str) -> bool:
    """Tell whether *letter* belongs to a word that ends; writing without blanks has none."""
    return letter.isalnum() and letter < _UNSPACED
