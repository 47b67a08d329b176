"""Sessions of Claude Code that run now: what their tools answered is known before it is taken in.

A hook notes which transcript its session writes. Whoever asks what was said in it reads that file,
which is the program's own and goes on growing: nothing of it is kept here.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.errors import DiskRefused, Refused
from vaultmem.exchange import spool
from vaultmem.exchange.spool import SpooledConversation, Wall
from vaultmem.storage import files, transcript_files
from vaultmem.storage.files import Root
from vaultmem.storage.transcripts import RunningSession, Turn

if TYPE_CHECKING:
    from vaultmem.exchange.formats.claude_code_tail import Position
    from vaultmem.exchange.importing.full_turns import FullTurn
    from vaultmem.storage.store import Store

FOLDER = ".vaultmem/running"
_SUFFIX = ".json"
_MOST_NOTES = 24
_OLD = 24 * 3600.0
"""Seconds without a word after which a session is none that runs."""

_SESSIONS, _SUBAGENTS = 3, 8
"""So many sessions of an agent, and of others, the last written, and of each so many subagents."""

_BYTES, _BYTES_OF_SUBAGENT = 8 * 1024 * 1024, 1024 * 1024
"""What of the end of each is read, and what is kept of it while a process lives."""


def note(root: Root, conversation: SpooledConversation, wall: Wall = time.time) -> None:
    """Note that a session runs; once that is noted it costs nothing.

    Raises Refused for what is no transcript of the person who runs this, and DiskRefused.
    """
    if why := spool.unfit(root, conversation.transcript):
        raise Refused(f"a transcript is not looked at: {why}")
    if spool.put(root, FOLDER, conversation, _SUFFIX):
        _prune(root, wall())


def _prune(root: Root, now: float) -> None:
    """Remove the notes of sessions that are over, and the oldest of too many."""
    noted = sorted(_notes(root), key=lambda it: it[1] or 0, reverse=True)
    for n, (path, mtime, _) in enumerate(noted):
        if n >= _MOST_NOTES or not _is_fresh(mtime, now):
            files.discard(root, path)


def _notes(root: Root) -> Iterator[tuple[str, int | None, SpooledConversation]]:
    """Yield each note's path, when its transcript was written last, and what it says."""
    for name in sorted(files.entries(root, FOLDER)[0]):
        if name.endswith(_SUFFIX) and not name.startswith("."):
            path = f"{FOLDER}/{name}"
            conversation = spool.noted(root, path)
            yield path, spool.mtime_of(conversation.transcript), conversation


def _is_fresh(mtime: int | None, now: float) -> bool:
    return mtime is not None and abs(now - mtime / 1e9) < _OLD


@dataclass(frozen=True, slots=True)
class _File:
    """What was read of a file: up to which *position*, and the *turns* in it."""

    position: Position
    turns: tuple[FullTurn, ...] = ()


class RunningSessions:
    """Reads what is said in running sessions; of those that it read, only what was added since."""

    def __init__(self, wall: Wall = time.time) -> None:
        """Begin with none read."""
        self._wall = wall
        self._read: dict[str, _File] = {}
        self._own: set[str] = set()

    def __call__(self, store: Store, agent: str) -> Sequence[RunningSession]:
        """Return the sessions that run, those of *agent* behind those of others, the newest last.

        Whoever writes may be the agent of any of them: how it calls itself is its own word.
        """
        with contextlib.suppress(DiskRefused, Refused):
            noted = [it for _, it in sorted(self._running(store), key=lambda it: it[0])]
            own = [it for it in noted if not agent or store.agent(it.agent) == agent]
            others = [it for it in noted if it not in own]
            newest = [*others[-_SESSIONS:], *own[-_SESSIONS:]]
            wanted = [(it, files_of(Path(it.transcript))) for it in newest]
            asked = {str(path) for _, paths in wanted for path in paths}
            self._read = {path: it for path, it in self._read.items() if path in asked}
            return [
                RunningSession(_kept_as(store, it), tuple(self._turns(paths)))
                for it, paths in wanted
            ]
        return ()

    def _running(self, store: Store) -> Iterator[tuple[int, SpooledConversation]]:
        for path, mtime, it in [*_notes(store.root)]:
            if mtime is None or not _is_fresh(mtime, self._wall()):
                continue
            if self._is_own(store, path) and not spool.unfit(store.root, it.transcript):
                yield mtime, it

    def _is_own(self, store: Store, path: str) -> bool:
        """Tell whether a note was written here: one that git has came with the repository."""
        if path not in self._own and path not in spool.tracked(store, FOLDER):
            self._own.add(path)
        return path in self._own

    def _turns(self, paths: Sequence[Path]) -> Iterator[Turn]:
        from vaultmem.exchange.importing import full_turns  # noqa: PLC0415  # no session runs, mostly

        for n, path in enumerate(paths):
            with contextlib.suppress(OSError):
                grown = self._grown(path, is_subagent=n > 0)
                yield from (it.turn for it in full_turns.in_full(grown))

    def _grown(self, path: Path, *, is_subagent: bool) -> tuple[FullTurn, ...]:
        from vaultmem.exchange.formats import claude_code, claude_code_tail  # noqa: PLC0415  # no session runs, mostly
        from vaultmem.exchange.formats.claude_code_tail import Position  # noqa: PLC0415  # likewise
        from vaultmem.exchange.importing import full_turns  # noqa: PLC0415  # likewise

        most = _BYTES_OF_SUBAGENT if is_subagent else _BYTES
        known = self._read.get(str(path), _File(Position()))
        if not known.position.is_in(path):
            known = _File(Position(claude_code_tail.start_within(path, most)))
        end, tools = known.position.offset, dict(known.position.tools)
        added: list[FullTurn] = []
        read = claude_code.read_in_full(path, end, tools, by_subagent=is_subagent)
        for reached, items in read:
            added += full_turns.read(items)
            end = reached
        turns = tuple(full_turns.newest([*known.turns, *added], most))
        self._read[str(path)] = _File(Position.behind(path, end, "", tools), turns)
        return turns


def files_of(transcript: Path) -> list[Path]:
    """Return the *transcript* and those of its subagents, the newest of these, in their order."""
    folder = transcript.with_suffix("") / "subagents"
    with contextlib.suppress(OSError):
        times = {it: it.stat().st_mtime_ns for it in folder.glob("agent-*.jsonl") if _is_file(it)}
        return [transcript, *sorted(times, key=times.__getitem__)[-_SUBAGENTS:]]
    return [transcript]


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _kept_as(store: Store, it: SpooledConversation) -> str:
    """Return where the transcript of the vault lies that the session becomes."""
    return transcript_files.path(store.agent(it.agent), it.session)
