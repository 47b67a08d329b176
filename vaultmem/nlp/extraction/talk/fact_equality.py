"""Whether two lines, framed or not, are one fact: what decides what a topic or note tells already.

Apart from `similarity`, whose users need not load the grammar of facts.
"""

from __future__ import annotations

from vaultmem.nlp.extraction.talk import similarity, utterances
from vaultmem.nlp.facts import paraphrases

Key = tuple[str, ...]

SHARED = 0.2
"""The least part of the words of one that another has which is one fact with it."""

_ENDS = ".! \u3002\uff01"


def is_one_fact(one: str, two: str) -> bool:
    """Whether two texts are one fact: every word stands in the same role, and one person says it.

    All else makes another fact: keeping one fact twice costs little, taking two for one loses one.
    """
    if wording(one) == wording(two):
        return True
    return _may_be_one(one, two) and not keys(one).isdisjoint(keys(two))


def keys(text: str) -> frozenset[Key]:
    """Return what *text* is known by: all that are one fact share one of these."""
    _, who, said = utterances.quoted(text)
    return frozenset([wording(text), *((who, *key) for key in paraphrases.keys(said))])


def wording(text: str) -> Key:
    """Return the key of what has the same words letter by letter, whatever mark is at its end."""
    return (" ".join(text.split()).rstrip(_ENDS),)


def _may_be_one(one: str, two: str) -> bool:
    """Whether two texts share words: most of a long note does not, and is read in less time."""
    small, large = sorted((similarity.items(one), similarity.items(two)), key=len)
    return not small or similarity.within(small, large) >= SHARED
