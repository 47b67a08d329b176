"""What a sentence has within that tells who says the rest of it: `Mara said that \u2026`.

The rest is compared as a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

_WORDS = """
    say says said saying tell tells told ask asks asked write writes wrote written states stated
    demand demands demanded insist insists insisted want wants wanted wish wishes wished
    prefer prefers preferred instruct instructs instructed decide decides decided
    remind reminds reminded stress stresses stressed repeat repeats repeated quote quotes quoted
    according rule rules instruction instructions preference preferences request requests wording
    note remember reminder
    sagt sagte sagten gesagt meint meinte gemeint schreibt schrieb geschrieben bittet bat gebeten
    verlangt verlangte fordert forderte wunscht wunschte mochte betont betonte erklart erklarte
    entschied entschieden laut zufolge regel regeln wunsch anweisung vorgabe zitat merke wortlaut
    dit disait demande veut selon regle dice dijo pidio quiere segun regla
    \u8bf4 \u8bb2 \u544a \u8bc9 \u8ff0 \u6c42 \u5b9a \u793a \u5631 \u5490 \u79f0
"""
_SAYS = frozenset(_WORDS.split())
"""Words that tell who says what is beside them, or wants it so, as they are compared.

Of a Chinese one the last sign.
"""

_NEAR, _TAIL = 4, 3
"""Words behind such a word that may be of what is around, `that we should`, and at the end."""

_MOST = 3
"""Such words of one sentence that are looked at."""


def spans(texts: Sequence[str], whole: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield what is within such a frame, in those sentences of the words *texts*: *whole* ones."""
    for start, end in whole:
        for at in islice((n for n in range(start, end) if says(texts[n])), _MOST):
            yield from product(range(at + 1, at + 2 + _NEAR), range(end - _TAIL, end + 1))
            yield from product((start, start + 1), range(at - _TAIL, at + 1))


def says(word: str) -> bool:
    """Tell whether *word* says who says what is beside it."""
    return word in _SAYS
