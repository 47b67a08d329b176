"""Which language a text is in, as far as rules that read one language alone need to know."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.nlp.text.stopwords import STOP

# Of English words so many hold sentences together.
_ENGLISH = 0.25


def is_english(heads: Sequence[str]) -> bool:
    """Whether enough of *heads*, words in lower case, hold English sentences together."""
    return sum(head in STOP for head in heads) >= _ENGLISH * len(heads)
