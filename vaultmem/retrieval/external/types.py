"""What a retriever of a team's own is, and what it returns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class ExternalHit:
    """One passage that another retriever found.

    *text* is what it says, *source* where it stands there: a path, an address, a title. *memory* is
    the id of a memory of the vault, where it is one: then the vault's own text is told. *relevance*
    is how well it answers, from 0 to 1. *date* is ISO 8601, or "".
    """

    text: str = ""
    source: str = ""
    memory: str = ""
    relevance: float = 1.0
    date: str = ""


@runtime_checkable
class ExternalRetriever(Protocol):
    """What searches a knowledge base beside the vault.

    It is asked on a thread of its own, one question at a time, and has five seconds; what it raises
    is named in `degraded_reason`, and the vault's own hits are there all the same.
    """

    name: str
    """Marks its hits: lower-case letters, digits and hyphens, `team-wiki`."""

    def retrieve(self, query: str, k: int) -> Iterable[ExternalHit]:
        """Return what answers *query*, best first, at most *k*; it may raise anything."""
