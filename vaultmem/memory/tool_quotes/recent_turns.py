"""What was said lately in the sessions of an agent, to be compared with what it says now."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import merge
from typing import TYPE_CHECKING

from vaultmem.errors import DiskRefused, Refused
from vaultmem.storage import committed_files, files, transcript_files, transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import RunningSession, Turn

if TYPE_CHECKING:
    from vaultmem.memory.tool_quotes.excerpts import Wanted

_SESSIONS = 3
"""So many sessions, those that were written last, are looked through."""

_BYTES = 256 * 1024
"""What of the end of each is, so that nothing costs more the longer its agent lives."""

_WHOLE = 32 * 1024
"""Characters at the end of a session that runs of which no word is left out."""

_NEVER = "9999"
"""Later than any time that a turn has."""


def of(store: Store, agent: str, *, but: Collection[str] = ()) -> list[Turn]:
    """Return the last turns of *agent*, of any where it is empty, without the transcripts *but*.

    Ahead of them stands what tools said there that git has and somebody took away, or changed.
    """
    said = transcripts.newest(store.root, agent, sessions=_SESSIONS, most=_BYTES, but=but)
    return [*_cut(store, agent), *said]


def _cut(store: Store, agent: str) -> Iterator[Turn]:
    paths = transcript_files.written_last(store.root, agent, _SESSIONS)
    turns = map(transcripts.compared, store.hand_turns.cut(paths))
    return (turn for turn in turns if turn.role == "tool")


def heard(store: Store, agent: str, *, but: Collection[str] = ()) -> list[Turn]:
    """Return the last turns of *agent* as `of` does, without who speaks by hand."""
    turns = of(store, agent, but=but)
    return without(turns, by_hand(store, agent, ())) if turns else turns


def by_hand(store: Store, agent: str, running: Iterable[RunningSession]) -> frozenset[Turn]:
    """Return the turns among these that no program of ours wrote, see `HandTurns`."""
    return frozenset(
        replace(turn, by_hand=False)
        for path in _paths(store, agent, running)
        for turn in _turns_by_hand(store, path)
    )


def _turns_by_hand(store: Store, path: str) -> Iterator[Turn]:
    with contextlib.suppress(DiskRefused, Refused):
        if found := files.read(store.root, path):
            numbers = store.hand_turns.numbers(path, found.data)
            lines = found.data.split(b"\n") if numbers else []
            yield from (transcripts.compared(lines[n - 1]) for n in numbers)


def without(turns: Iterable[Turn], by_hand: Collection[Turn]) -> list[Turn]:
    """Return *turns* but for those *by_hand* in which no tool answers."""
    return [it for it in turns if it.role == "tool" or it not in by_hand]


def _paths(store: Store, agent: str, running: Iterable[RunningSession]) -> list[str]:
    """Return the transcripts that are looked through and are there."""
    known = transcript_files.written_last(store.root, agent, _SESSIONS)
    paths = dict.fromkeys((*known, *(it.path for it in running)))
    return [path for path in paths if files.stamp(store.root, path)]


def laid(store: Store, agent: str, running: Iterable[RunningSession]) -> frozenset[str]:
    """Return the transcripts among these that no operation of ours wrote, and git has not yet.

    Anybody may have put them there, and said in them what they like.
    """
    there = _paths(store, agent, running)
    return frozenset(there) - committed_files.committed(store, there)


def tools_in(store: Store, paths: Iterable[str]) -> list[Turn]:
    """Return what tools say at the ends of the transcripts at *paths*."""
    turns = (turn for path in paths for turn in transcripts.last(store.root, path, _BYTES))
    return [turn for turn in turns if turn.role == "tool"]


def with_running(
    store: Store,
    agent: str,
    running: Sequence[RunningSession],
    texts: Iterable[str],
    but: Collection[str] = (),
) -> list[Turn]:
    """Return the last turns of *agent*, and of its sessions *running* what *texts* may repeat.

    Of these each once: what their program wrote down, and of what was taken in of it that which was
    said before. All is in the order of time; of one second what was said in sessions that run comes
    first, for who repeats a tool elsewhere in that second has not said it before the tool. Nothing
    of the transcripts at the paths *but*.
    """
    ended = of(store, agent, but=[*but, *(it.path for it in running)])
    if not running:
        return ended
    from vaultmem.memory.tool_quotes.excerpts import Wanted  # noqa: PLC0415  # few sessions run

    wanted = Wanted(texts)
    said = [_timed(_said_in(store, it, wanted, is_left_out=it.path in but)) for it in running]
    elsewhere = _timed(sorted(ended, key=lambda turn: turn.at))
    return [turn for _, turn in merge(*said, elsewhere, key=lambda it: it[0])]


def _timed(turns: Iterable[Turn]) -> Iterator[tuple[str, Turn]]:
    """Yield *turns*, which are in order, each with the latest time until then."""
    latest = ""
    for turn in turns:
        latest = max(latest, turn.at)
        yield latest, turn


def _said_in(
    store: Store, running: RunningSession, wanted: Wanted, *, is_left_out: bool
) -> list[Turn]:
    begun = running.turns[0].at if running.turns else _NEVER
    taken_in = () if is_left_out else transcripts.last(store.root, running.path, _BYTES)
    before = [it for it in taken_in if it.at < begun]
    room, said = _WHOLE, list[Turn]()
    for turn in reversed(running.turns):
        room -= len(turn.content)
        said.append(turn if room >= 0 or turn.role == "user" else wanted.part_of(turn))
    return [*before, *said[::-1]]


def newest(turns: Sequence[Turn]) -> list[Turn]:
    """Return the last of *turns*, as much as is looked through of a session."""
    kept, room = list[Turn](), _BYTES
    for turn in reversed(turns):
        if room <= 0:
            break
        kept.append(replace(turn, content=turn.content[:room]))
        room -= len(turn.content)
    return kept[::-1]
