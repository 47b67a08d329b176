"""From when to when a summary tells: the times of its first and its last memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from vaultmem.storage.index.coverage import Member


class Span(NamedTuple):
    """The times of a first and a last memory, "" where none is known."""

    first: str = ""
    last: str = ""


def of_members(memories: Iterable[Member]) -> Span:
    """Return when the first and the last of *memories* were made."""
    times = [m.created for m in memories if m.created]
    return Span(min(times), max(times)) if times else Span()


def union(spans: Iterable[Span]) -> Span:
    """Return the stretch from the earliest beginning to the latest end of *spans*."""
    known = [span for span in spans if span.first]
    return Span(min(s.first for s in known), max(s.last for s in known)) if known else Span()
