"""Whether two lines, framed or not, are one fact: what decides what a topic or note tells already.

Apart from `similarity`, whose users need not load the grammar of facts.
"""

from __future__ import annotations

from vaultmem.nlp.extraction.talk import similarity, utterances
from vaultmem.nlp.facts import paraphrases

_SHARED = 0.2
_ENDS = ".! \u3002\uff01"


def is_one_fact(one: str, two: str) -> bool:
    """Whether two texts are one fact: every word stands in the same role, and one person says it.

    All else makes another fact: keeping one fact twice costs little, taking two for one loses one.
    """
    if is_verbatim(one, two):
        return True
    if not _may_be_one(one, two):
        return False
    left, right = utterances.quoted(one), utterances.quoted(two)
    return left.who == right.who and paraphrases.are_one(left.text, right.text)


def _may_be_one(one: str, two: str) -> bool:
    """Whether two texts share words: most of a long note does not, and is read in less time."""
    small, large = sorted((similarity.items(one), similarity.items(two)), key=len)
    return not small or similarity.within(small, large) >= _SHARED


def is_verbatim(one: str, two: str) -> bool:
    """Whether two texts have the same words letter by letter, whatever mark is at their end."""
    left, right = (" ".join(text.split()).rstrip(_ENDS) for text in (one, two))
    return left == right
