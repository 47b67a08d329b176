"""What a merge leaves to be rewritten that the merged files alone do not show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from vaultmem.exchange.sync import forgotten, transcript_merge
from vaultmem.exchange.sync.types import Data, ForgottenPath, Sides, Versions
from vaultmem.maintenance.forgetting.selection import turn_records
from vaultmem.records import Record, is_archived
from vaultmem.storage import files, reader, transcript_files, transcripts
from vaultmem.storage.tombstones import MARK, Tombstones


@dataclass(frozen=True, slots=True)
class Traces:
    """What a merge leaves to be rewritten.

    *gone* is what one side forgot, as it was: what the other side told of it is told without.
    *agents* are those whose short-term summaries one side wrote again, and the other the long-term
    one: that is told anew. *untold* are the ids of the episodes that one side made of a session
    whose transcript the other one took away: nothing is left that they tell of. *laid* is what
    people wrote here that may have a tool's words, with what git had of it before the tool spoke.
    *archived*: one side put something into an archive, of which the other may have shared it.
    """

    gone: tuple[Record, ...] = ()
    agents: frozenset[str] = frozenset()
    untold: frozenset[str] = frozenset()
    laid: tuple[tuple[str, Data], ...] = ()
    archived: bool = False


def of(sides: Sides, paths: Mapping[str, ForgottenPath]) -> Traces:
    """Return what a merge of both *sides* leaves, of which either forgot what is at *paths*."""
    gone = dict.fromkeys((*_gone(paths), *_silenced(sides)))
    agents, untold = _agents_resummarized(sides), _untold(sides)
    archived = any(is_archived(path) and it.base is None for path, it in sides.items())
    return Traces(tuple(gone), frozenset(agents), frozenset(untold), archived=archived)


def together(traces: Iterable[Traces]) -> Traces:
    """Return what several merges leave."""
    every = tuple(traces)
    gone = (record for it in every for record in it.gone)
    agents = frozenset[str]().union(*(it.agents for it in every))
    untold = frozenset[str]().union(*(it.untold for it in every))
    laid = dict(one for it in every for one in it.laid)
    archived = any(it.archived for it in every)
    return Traces(tuple(dict.fromkeys(gone)), agents, untold, tuple(laid.items()), archived)


def _gone(paths: Mapping[str, ForgottenPath]) -> Iterator[Record]:
    """Yield what one side forgot, as it was when both agreed last and as the other one had it."""
    for path, gone in paths.items():
        for data in gone.gone:
            yield reader.record(path, files.content(data))


def _silenced(sides: Sides) -> Iterator[Record]:
    """Yield the turns that one side forgot while the other one wrote something of its own."""
    here = any(it.ours not in {None, it.base} for it in sides.values())
    there = any(it.theirs not in {None, it.base} for it in sides.values())
    known = forgotten.known(sides)
    for path, it in sides.items():
        if transcript_files.holds(path):
            base = it.base or b""
            yield from _forgotten_turns(path, base, it.theirs) if here else ()
            yield from _forgotten_turns(path, base, it.ours) if there else ()
            yield from _forgotten_beyond_base(path, it, known)


def _forgotten_turns(path: str, base: bytes, now: Data) -> Iterator[Record]:
    """Yield the turns of the transcript at *path* of which nothing is left, as they were."""
    left = transcripts.parse(path, now or b"").turns
    for record in turn_records(transcripts.parse(path, base)):
        turn = left[record.turn_start - 1 : record.turn_end]
        is_it = bool(turn) and turn[0].at == record.created  # it may have another number there
        if is_it and turn[0].content.strip() == MARK:
            yield record


def _forgotten_beyond_base(path: str, it: Versions, known: Tombstones) -> Iterator[Record]:
    """Yield the turns that both sides have anew and one of them forgot, by their merged numbers."""
    if it.ours is None or it.theirs is None or it.ours == it.theirs:
        return
    for number, line in transcript_merge.merge(it, known).forgotten:
        for record in turn_records(transcripts.parse(path, line)):
            yield replace(record, path=f"{path}:{number}", turn_start=number, turn_end=number)


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


def _untold(sides: Sides) -> Iterator[str]:
    """Yield the ids of the episodes of a session that one side has and the other took away.

    What the side that took the transcript away kept of the episodes is as it wants it.
    """
    known = {path: it for path, it in sides.items() if transcript_files.holds(path) and it.base}
    undone_here = {path for path, it in known.items() if it.ours is None}
    undone_there = {path for path, it in known.items() if it.theirs is None}
    for path, it in sides.items() if undone_here or undone_there else ():
        if it.ours is None:
            yield from _episode_of(undone_here, path, it.theirs)
        elif it.theirs is None:
            yield from _episode_of(undone_there, path, it.ours)


def _episode_of(gone: Collection[str], path: str, data: Data) -> Iterator[str]:
    """Yield the id of what is at *path* where it is an episode that tells of a *gone* transcript.

    An experience tells of a task, whatever became of its turns.
    """
    if data is not None and reader.kind_of(path) == "episode":
        it = reader.record(path, files.content(data))
        if it.id and not it.outcome and transcript_files.path(it.agent, it.session) in gone:
            yield it.id
