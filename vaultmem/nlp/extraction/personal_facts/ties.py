"""Which facts of with whom somebody is shut out each other: who is single has no girlfriend."""

from __future__ import annotations

from vaultmem.nlp.extraction.personal_facts.departures import SINGLE, SPOUSES, TIES

STATUS = SINGLE[0]
_ALONE = frozenset({"single"})
_UNMARRIED = _ALONE | {"divorced", "ledig", "geschieden"}


def excludes(field: str, value: str, other: str, held: str) -> bool:
    """Tell whether *field*, said to be *value*, ends that *other* is what was *held*."""
    if field == STATUS:
        over = TIES if value.casefold() in _ALONE else SPOUSES
        return other in over and value.casefold() in _UNMARRIED
    alone = _UNMARRIED if field in SPOUSES else _ALONE
    return other == STATUS and held.casefold() in alone
