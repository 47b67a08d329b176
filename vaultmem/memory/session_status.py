"""Where a session stands: what its compact and its episodes tell of, and why a compact is due."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Literal

from vaultmem.config import Config
from vaultmem.documents.bodies import SessionCompact, markdown
from vaultmem.errors import DiskRefused, Refused
from vaultmem.memory import folding
from vaultmem.records import is_trusted
from vaultmem.storage import files
from vaultmem.storage.index import session_queries
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn

_GROWN = 0.05
"""A compact is due again when so much more of the agent's window is full than the last one left."""

Due = Literal["", "tokens", "turns", "phase", "stale"]


@dataclass(frozen=True, slots=True)
class SavedTurn:
    """A turn that is safely on disk: its number, and why a compact of its session is due, if."""

    session: str
    path: str
    turn: int
    tokens: int
    due: Due


@dataclass(frozen=True, slots=True)
class Since:
    """The *turns* of a session, its compact telling of the first *compacted* of them.

    Its episodes tell of those up to *folded*; either is 0 without one.
    """

    turns: tuple[Turn, ...]
    compacted: int
    folded: int

    @property
    def new(self) -> tuple[Turn, ...]:
        """The turns since the compact."""
        return self.turns[self.compacted :]

    @property
    def untold(self) -> tuple[Turn, ...]:
        """The turns that neither the compact nor an episode tells of."""
        return self.turns[max(self.compacted, self.folded) :]

    @property
    def tokens(self) -> int:
        """How full the agent's context is: as it was counted last, and by what was said since.

        All is estimated where nobody has counted since the compact.
        """
        counted = [n for n, turn in enumerate(self.new) if turn.context_tokens]
        if not counted:
            return sum(turn.tokens for turn in self.untold)
        last, *uncounted = self.new[counted[-1] :]
        return last.context_tokens + sum(turn.tokens for turn in uncounted)

    @property
    def is_stale(self) -> bool:
        """Whether the episodes tell of what was said after the compact."""
        said = self.turns[self.compacted : self.folded]
        return self.compacted > 0 and any(turn.origin != folding.ENDED for turn in said)


def of(store: Store, transcript: Transcript) -> SavedTurn:
    """Return where a session stands after its last turn."""
    compacted = 0
    with contextlib.suppress(Refused, DiskRefused):  # what was said is safe in any case
        _, prior = prior_of(store, compact_path(transcript.path))
        compacted = prior.compacted_at_turn if prior else 0
    folded = session_queries.last_folded_turn(store.index, transcript.agent, transcript.session)
    since = Since(transcript.turns, compacted, folded)
    turns, config = len(transcript.turns), store.config()
    why = due(since, folding.manner(config, turns), config)
    return SavedTurn(transcript.session, transcript.path, turns, since.tokens, why)


def due(since: Since, manner: folding.Manner, config: Config) -> Due:
    """Return why a session's compact is due now by what *config* sets, empty when it is not.

    What is due stays so until a compact is made: it follows from the turns. Where a session is
    folded, its episodes tell of many turns.
    """
    if since.new and since.tokens > _most_tokens(since, config):
        return "tokens"
    if manner == "compact" and len(since.untold) >= config.compact_after_turns:
        return "turns"
    if any(turn.phase for turn in since.new):
        return "phase"
    return "stale" if since.is_stale else ""


def _most_tokens(since: Since, config: Config) -> float:
    """Return from how many tokens on a compact is due.

    Who goes on with a context that the last compact has not made emptier needs the next one no
    sooner than it has grown: else there was one a turn.
    """
    most = config.context_window * config.compact_at_percent / 100
    before = [turn.context_tokens for turn in since.turns[: since.compacted] if turn.context_tokens]
    counted = [turn.context_tokens for turn in since.new if turn.context_tokens]
    if not before or not counted or min(before[-1], *counted) <= most:
        return most
    return before[-1] + config.context_window * _GROWN


def compact_path(transcript: str) -> str:
    """Return where the compact of the session with this *transcript* lies."""
    return transcript.removesuffix(".jsonl") + ".compact.md"


def prior_of(store: Store, path: str) -> tuple[bytes | None, SessionCompact | None]:
    """Return a session's compact, as its own bytes and as it may be told; None for none.

    One that is not trusted is not told. Raises Refused when it cannot be read.
    """
    own = store.texts.own(path)
    if own is None:
        return None, None
    record = store.texts.record(path, files.content(own))
    if record.problem:
        raise Refused(
            f"{path}: {record.problem.message}; fix it by hand, or remove it and compact anew"
        )
    return own, markdown.parse_compact(record.body) if is_trusted(record) else None
