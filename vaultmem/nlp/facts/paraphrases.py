"""Whether two sentences say the same in freer wording than one form allows.

`key` forgets builds that mean the same. The words keep the order that the usual one of
phrases and these builds give them, each with the preposition, the negation or the owner before it:
who does what to whom tells facts apart. So likeness is transitive, as of equal forms.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from vaultmem.nlp.facts import (
    concepts,
    fact_similarity,
    paraphrases_de,
    paraphrases_en,
    paraphrases_zh,
    synonyms,
)
from vaultmem.nlp.facts.fact_similarity import Key
from vaultmem.nlp.facts.literals import literals

_LONGEST = 160
_FEWEST = 2
"""So many telling words a sentence needs."""

_APART = re.compile(
    r"(?<!Dr)(?<!Mr)(?<!Mrs)(?<!Ms)(?<!St)(?<!\bSr)[.!?]\s|[?;:~\u201c\u3002\uff1b\uff1f\"`\[]"
)
_BUILT = synonyms.words("""
    after although and because before but if nor once or since than then unless when while
    aber als bevor nachdem oder respectively sondern und weil wenn
""")
"""In a sentence with one of these, words that change places may mean something else."""

_HAN = re.compile("[\u4e00-\u9fff]")


def groups(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the places of *texts* that say the same, two or more together, in order.

    In words of one sense, too (`concepts`): these are for a person to look at.
    """
    leads = list(range(len(texts)))

    def lead(place: int) -> int:
        while leads[place] != place:
            place = leads[place]
        return place

    alike = (*fact_similarity.groups(texts), *_paraphrased(texts), *concepts.groups(texts))
    for places in alike:
        first = min(map(lead, places))
        for place in places:
            leads[lead(place)] = first
    found: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(texts)):
        found[lead(place)].append(place)
    return [tuple(places) for places in found.values() if len(places) > 1]


def are_one(one: str, two: str) -> bool:
    """Tell whether two texts are one fact, in whatever words."""
    return not keys(one).isdisjoint(keys(two))


def keys(text: str) -> frozenset[Key]:
    """Return what *text* shares one of with every text that is one fact with it, and no other."""
    read = {"form": fact_similarity.key(text), "key": key(text)}
    return frozenset((name, *found) for name, found in read.items() if found)


def _paraphrased(texts: Iterable[str]) -> Iterator[list[int]]:
    found: defaultdict[Key, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        if shared := key(text):
            found[shared].append(place)
    yield from (places for places in found.values() if len(places) > 1)


@lru_cache(maxsize=1 << 16)
def key(text: str) -> Key:
    """Return what freer wordings of *text* share; () for what is no short, plain sentence."""
    shared = _builds(text)
    return (shared, *literals(text)) if shared else ()


def _builds(text: str) -> str:
    plain = " ".join(text.strip("* ").split()).rstrip(".!\u3002\uff01")
    if not plain or len(plain) > _LONGEST or _APART.search(plain):
        return ""
    if _HAN.search(plain):
        return paraphrases_zh.plain(plain)
    if paraphrases_de.is_german(plain):
        return _of(paraphrases_de.terms(plain))
    return _of(paraphrases_en.terms(plain))


def _of(terms: paraphrases_en.Terms) -> str:
    if len(terms.words) < _FEWEST or not _BUILT.isdisjoint(terms.spoken):
        return ""
    return " ".join(terms.words)
