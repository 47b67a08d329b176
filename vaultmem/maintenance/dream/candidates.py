"""The memories of which a detector may have something to say; the others it need not be shown.

What all of them are compared by is worked out once of each (`memory_facets`) and kept in the index.
So a dream reads what is new, and of the rest what has something in common with another memory, a
note or an episode.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, partial

from vaultmem import version
from vaultmem.maintenance.dream import memory_facets, subjects, user_utterances
from vaultmem.maintenance.dream.detectors import contradictions, duplicates, promotion, superseded
from vaultmem.maintenance.dream.memory_facets import AGAIN, CHANGES, COURTESY, PIECE, SAYS
from vaultmem.maintenance.dream.types import Seen, Subjects
from vaultmem.records import Record
from vaultmem.storage.index import Index, facets

_MOST = 10_000
"""Twins, and courtesies, that are looked at: many more than a review has room for."""

_REVISION = f"{version.__version__}, {memory_facets.REVISION}"


def learn(index: Index) -> None:
    """Work out the facets of those memories whose texts are new since the last dream."""
    for page in facets.unknown(index, _REVISION):
        facets.keep(index, {doc: (it.sha, memory_facets.of(it)) for doc, it in page.items()})


def memories(index: Index, seen: Seen, also: Collection[str]) -> tuple[Record, ...]:
    """Return the memories that may matter beside the notes and episodes that were *seen*.

    And those at the paths *also*, in order of time.
    """
    docs = {
        *facets.twins(index, _MOST),
        *facets.marked(index, COURTESY, _MOST),
        *facets.having(index, SAYS, _claimed(seen)),
        *facets.vouched(index, user_utterances.MOST),
        *(
            doc
            for agent in index.agents()
            for doc in facets.newest(index, agent, duplicates.NEWEST)
        ),
        *_superseding(index),
    }
    often = [ref for ref, used in seen.uses.items() if promotion.is_often(used)]
    named = index.matching(ids=often, paths=[*often, *also], stems=[*_sources(seen)])
    found = {record.path: record for _, record in facets.records(index, docs)}
    found |= {record.path: record for record in named if record.type == "memory"}
    usable = (record for record in found.values() if record.recallable and not record.held)
    return tuple(sorted(usable, key=lambda it: (it.created, it.id, it.path)))


def times_told(index: Index, piece: str) -> int:
    """Return how many memories say a *piece*, as `loss_check` tells them."""
    return facets.count(index, PIECE, memory_facets.key(piece))


def of_all(index: Index, since: str) -> tuple[Subjects, ...]:
    """Return what all memories are about; those that were learnt after *since* are new."""
    return subjects.of_said(
        facets.said(index),
        cache(partial(facets.terms, index)),
        partial(facets.speakers, index),
        facets.since(index, subjects.newer(since)) if since else None,
        partial(facets.records, index),
    )


def _claimed(seen: Seen) -> frozenset[int]:
    return frozenset(memory_facets.key(it.said.about) for it in contradictions.claims_of(seen))


def _sources(seen: Seen) -> Iterator[str]:
    """Yield the names of what notes and episodes, and the facts in them, name as their sources."""
    facts = (fact.sources for note in seen.notes for fact in note.facts)
    whole = (record.sources for record in (*(note.record for note in seen.notes), *seen.episodes))
    for sources in (*facts, *whole):
        yield from (name.strip("[]").rpartition("/")[2] for name in sources)


def _superseding(index: Index) -> Iterator[int]:
    """Yield what says that something has changed, what it may end, and what may say it holds."""
    changed = facets.keys(index, CHANGES)
    yield from facets.having(index, CHANGES, changed)
    older = facets.having(index, SAYS, changed)
    yield from older
    values = {value for _, memory in facets.records(index, older) for value in _values(memory)}
    again = facets.marked(index, AGAIN) if values else ()
    for doc, memory in facets.records(index, again):
        if any(value in memory.body for value in values):
            yield doc


def _values(memory: Record) -> Iterator[str]:
    for said in superseded.says(memory):
        yield superseded.value_of(said, memory)
