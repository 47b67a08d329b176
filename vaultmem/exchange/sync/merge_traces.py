"""What a merge leaves to be rewritten that the merged files alone do not show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from vaultmem.exchange.sync.types import ForgottenPath, Sides
from vaultmem.records import Record
from vaultmem.storage import files, reader


@dataclass(frozen=True, slots=True)
class Traces:
    """What a merge leaves to be rewritten.

    *gone* is what one side forgot, as it was: what the other side told of it is told without.
    *agents* are those whose short-term summaries one side wrote again, and the other the long-term
    one: that is told anew.
    """

    gone: tuple[Record, ...] = ()
    agents: frozenset[str] = frozenset()


def of(sides: Sides, forgotten: Mapping[str, ForgottenPath]) -> Traces:
    """Return what a merge of both *sides* leaves, of which either has *forgotten* something."""
    return Traces(tuple(_gone(forgotten)), frozenset(_agents_resummarized(sides)))


def together(traces: Iterable[Traces]) -> Traces:
    """Return what several merges leave."""
    every = tuple(traces)
    gone = (record for it in every for record in it.gone)
    return Traces(tuple(dict.fromkeys(gone)), frozenset().union(*(it.agents for it in every)))


def _gone(forgotten: Mapping[str, ForgottenPath]) -> Iterator[Record]:
    """Yield what one side forgot, as it was when both agreed last and as the other one had it."""
    for path, gone in forgotten.items():
        for data in gone.gone:
            yield reader.record(path, files.content(data))


def _agents_resummarized(sides: Sides) -> Iterator[str]:
    """Yield the agents whose short-term summaries one side wrote again, the other the long-term."""
    for path, it in sides.items():
        agent, folder = reader.agent_of(path), "/".join(path.split("/")[2:3])
        longterm = sides.get(f"agents/{agent}/summaries/longterm.md")
        if folder == "summaries" and longterm and it.base and it is not longterm:
            ours, theirs = it.ours != it.base, it.theirs != it.base
            if (ours and longterm.theirs != longterm.base) or (
                theirs and longterm.ours != longterm.base
            ):
                yield agent
