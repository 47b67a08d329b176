"""Where to look: the files of a vault, and the turns of its sessions, which have an index apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from vaultmem.retrieval.search import candidates, hits
from vaultmem.retrieval.search.parsed_query import ParsedQuery
from vaultmem.retrieval.search.types import Candidate, Found, Hit, Likeness, Scope
from vaultmem.storage import turn_names
from vaultmem.storage.index import Index, word_queries

_TURNS = 1 << 40
"""No file has so high a number."""


class Indexes(NamedTuple):
    """Where to look: the files of a vault, and the *turns* of its sessions, if it has any.

    A turn's number is `_TURNS` above the one that its own index gives it.
    """

    files: Index
    turns: Index | None = None

    @property
    def each(self) -> Sequence[Index]:
        """The indexes that there are."""
        return (self.files,) if self.turns is None else (self.files, self.turns)

    def turn_candidates(
        self, query: ParsedQuery, scope: Scope, files: Found
    ) -> dict[int, Candidate]:
        """Return the candidates among the turns, by numbers that no file has.

        What one of *files* says, too, is told as that file has it.
        """
        turns = self.turns
        if turns is None or scope.type not in {"", turn_names.TYPE}:
            return {}
        found = candidates.find(turns, query, replace(scope, type=""), None)
        known = {text.strip() for text in word_queries.openings(self.files, files.keys()).values()}
        texts = word_queries.openings(turns, found.keys())
        found = {doc: it for doc, it in found.items() if texts.get(doc, "").strip() not in known}
        return {
            doc + _TURNS: it._replace(
                doc=doc + _TURNS,
                before=None if it.before is None else it.before + _TURNS,
                after=None if it.after is None else it.after + _TURNS,
            )
            for doc, it in found.items()
        }

    def hit(
        self, query: ParsedQuery, likeness: Likeness | None, found: Candidate, score: float
    ) -> Hit:
        """Return the hit that *found* is, a turn by its own index."""
        if self.turns is None or found.doc < _TURNS:
            return hits.Showing(self.files, query.terms, likeness).hit(found, score)
        return hits.Showing(self.turns, query.terms).hit(
            found._replace(doc=found.doc - _TURNS), score
        )
