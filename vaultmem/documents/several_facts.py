"""Which facts of a card somebody may have several of; of every other there is one at a time."""

from __future__ import annotations

_SEVERAL = """
allergy intolerance condition medication avoids aids likes dislikes prefers fears always never
pets languages learning plays sings collects hobby routine volunteers member_of drives rides owns
daughter son child sister brother sibling cousin aunt uncle niece nephew grandchild granddaughter
grandson friend neighbor neighbour colleague coworker teammate classmate client student doctor
dog cat puppy kitten parrot rabbit hamster turtle tortoise horse goldfish bird
"""
_FACTS_OF_SEVERAL = frozenset(_SEVERAL.split())


def may_have_several(field: str) -> bool:
    """Tell whether somebody may have several of a fact: what is drawn from talk adds to them.

    What is told of a relation without a name is as its kind: `daughter_allergy`.
    """
    return not _FACTS_OF_SEVERAL.isdisjoint({field, field.rpartition("_")[2]})
