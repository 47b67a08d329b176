"""Choose the memories worth telling: the most important ones, then those that summaries told."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from vaultmem.records import Record
from vaultmem.storage.index.count_queries import MemoryBrief

MOST = 12
_TOLD = 0.5
"""A sentence tells of the memory that has this share of its words; a quotation has nearly all."""
_WORD = re.compile(r"\w{3,}|\d+")


def highlights(heard: Sequence[MemoryBrief], told: Mapping[str, float]) -> list[MemoryBrief]:
    """Return the memories to show, best first: none that is untrusted, or was corrected."""
    telling = [h for h in heard if h.trust != "untrusted" and not h.superseded_by]
    newest_first = sorted(telling, key=lambda h: h.id, reverse=True)
    return sorted(newest_first, key=lambda h: (-h.importance, -told.get(h.stem, 0.0)))[:MOST]


def mention_scores(
    summaries: Sequence[Record], sources: Mapping[str, Mapping[str, str]]
) -> dict[str, float]:
    """Return how surely summaries tell of a memory, by its stem: 0.5 to 1, or left out.

    *sources* holds for each summary's path the texts it was made from, by stem.
    """
    found: dict[str, float] = {}
    for summary in summaries:
        texts = {stem: _words(text) for stem, text in sources.get(summary.path, {}).items()}
        for line in summary.body.splitlines():
            stem, share = _closest(_words(line), texts)
            if share >= _TOLD:
                found[stem] = max(share, found.get(stem, 0.0))
    return found


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _closest(said: set[str], texts: Mapping[str, set[str]]) -> tuple[str, float]:
    """Return the text that has most of the words *said*, and what share of them."""
    shares = {stem: len(said & held) / len(said) for stem, held in texts.items() if said}
    best = max(shares, key=lambda stem: (shares[stem], stem), default="")
    return best, shares.get(best, 0.0)
