"""The turns of sessions on their way out; what a tool answered stays unless it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from vaultmem.errors import DiskRefused, Refused
from vaultmem.storage import transcript_files, transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn


@dataclass(frozen=True, slots=True)
class Told:
    """A session on its way out: where its transcript lies, whose it is, its turns."""

    path: str
    agent: str
    session: str
    turns: tuple[Turn, ...]


def content(turn: Turn, left: Counter[str], *, untrusted: bool = False) -> str:
    """Return what may go out of *turn*; of a tool's answer its name alone, which *left* counts."""
    if turn.role != "tool" or untrusted:
        return turn.content
    left["what a tool answered is not trusted"] += 1
    return turn.in_short


def sessions(
    store: Store, agent: str, left: Counter[str], *, untrusted: bool = False
) -> Iterator[Told]:
    """Yield the sessions of *agent*, or of everybody, in the order of their paths."""
    for file in transcript_files.every(store.root):
        if agent in {"", file.agent}:
            with suppress(Refused, DiskRefused):  # a link is nothing of ours, and none goes out
                if found := transcripts.load(store.root, file.path):
                    yield _told(found, left, untrusted=untrusted)


def _told(found: Transcript, left: Counter[str], *, untrusted: bool) -> Told:
    left["it cannot be read"] += sum(not turn.role for turn in found.turns)
    turns = (
        replace(turn, content=content(turn, left, untrusted=untrusted))
        for turn in found.turns
        if turn.role
    )
    return Told(found.path, found.agent, found.session, tuple(turns))
