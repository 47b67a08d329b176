"""Sessions, turn by turn: said, folded, compacted, taken up again, imported."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Self

from vaultmem.api.vault.compaction import Compacting
from vaultmem.config import agent_name
from vaultmem.errors import VaultError
from vaultmem.records import iso

if TYPE_CHECKING:
    from vaultmem.memory import sessions as memory_sessions
    from vaultmem.memory.folding.runner import Folding
    from vaultmem.memory.messages.archive import Shrunken
    from vaultmem.storage.transcripts import Reader, Transcript

_MANY_TURNS = 64


class Conversing(Compacting):
    """Keep conversations, and what they come to."""

    @cached_property
    def _reader(self) -> Reader:
        from vaultmem.storage.transcripts import Reader

        return Reader()

    def say(  # noqa: PLR0913
        self,
        session: str,
        text: str,
        *,
        role: str = "user",
        agent: str = "",
        speaker: str = "",
        tool: str = "",
        tokens: int = 0,
        phase: bool = False,
        redact: bool = False,
        soon: bool = False,
    ) -> memory_sessions.SavedTurn:
        """Add a turn to a session's transcript; fold offline what that makes due.

        *tokens* is what the provider counted in the agent's context last; *phase* says that a phase
        of the work ends here. *soon*: the turn is on disk when this returns, folds and commits come
        in the background. Raises BadInput, SecretFound, SwitchedOff.
        """
        from vaultmem.memory import remember
        from vaultmem.memory import sessions as memory_sessions

        self.store.sync_soon()
        session = memory_sessions.named(session)
        name = agent_name(memory_sessions.whose(self.store, session, agent))
        said = remember.clean(text, "the text", redact=redact)
        at = iso(self.store.clock())
        turn = memory_sessions.turn(role, said, at=at, speaker=speaker, tool=tool)
        transcript = memory_sessions.say(self.store, name, session, [turn], self._reader.load)
        self._afterwards(lambda: self._see_to(transcript, soon=soon), None)
        bare = memory_sessions.SavedTurn(
            session, transcript.path, len(transcript.turns), tokens, ""
        )
        return self._afterwards(
            lambda: memory_sessions.said(self.store, transcript, told=tokens, phase=phase), bare
        )

    def start_session(self, session: str = "", *, agent: str = "") -> memory_sessions.Session:
        """Begin a session or take it up; nothing is written before its first turn."""
        from vaultmem.memory import sessions as memory_sessions

        self.store.sync_soon()
        name = agent_name(self.store.agent(agent))
        known = session and memory_sessions.named(session)
        return memory_sessions.start(self.store, name, known, self._reader.load)

    def end_session(self, session: str, *, agent: str = "") -> memory_sessions.SavedTurn:
        """Say that a session is over; what of it is not told of becomes an episode."""
        from vaultmem.memory import sessions as memory_sessions

        self.store.sync_soon()
        transcript = memory_sessions.find(self.store, session, agent)
        if not (transcript.turns and transcript.turns[-1].origin):
            turn = memory_sessions.ended(iso(self.store.clock()))
            transcript = memory_sessions.say(
                self.store, transcript.agent, transcript.session, [turn]
            )  # fmt: skip
        if not self.watched and self._is_foldable(transcript):
            self._folded(transcript.agent)
        self.store.writer.settle()
        return memory_sessions.said(self.store, transcript)

    def _see_to(self, transcript: Transcript, *, soon: bool) -> None:
        """Fold what a turn made due, and commit when many turns wait; *soon* in the background."""
        if self.watched:
            return
        agent, do = transcript.agent, self.aside if soon else self._at_once
        if self._is_foldable(transcript):
            do(f"fold {agent}", lambda vault: Conversing._fold_due(vault, agent))
        if self._many_wait():
            do("commit", Conversing._settle_some)

    def _at_once(self, _what: str, work: Callable[[Self], object]) -> None:
        work(self)

    def _is_foldable(self, transcript: Transcript) -> bool:
        """Tell whether turns are to be folded, and that takes milliseconds."""
        from vaultmem.memory.folding import runner as folding_runner

        return folding_runner.is_due(self.store, transcript) and self._is_quick()

    def _folded(self, agent: str, op: str = "") -> Folding:
        """Fold what a turn made due; the turn stands, whatever comes of that."""
        import logging

        from vaultmem.memory.folding import runner as folding_runner

        try:
            if self.store.index.lags:
                self.store.index.sync()
            return folding_runner.run(self.store, agent, self.summarizer, op=op)
        except VaultError as e:
            logging.getLogger(__name__).warning("what was said is safe; folding waits: %s", e)
            return folding_runner.Folding(agent, reason=f"folding waits: {e}")

    def _many_wait(self) -> bool:
        """Tell whether so many turns wait; a commit each would keep a version of each in git."""
        return self.store.writer.waiting() >= _MANY_TURNS

    def _settle_some(self) -> None:
        if self._many_wait():  # another may have been faster
            self.store.writer.settle()

    def _fold_due(self, agent: str) -> None:
        self.store.sync_soon()
        self._folded(agent)

    def session(self, session: str, *, agent: str = "") -> memory_sessions.Session:
        """Return a session with what is needed to go on with it; raises BadInput."""
        from vaultmem.memory import sessions as memory_sessions

        self.store.sync_soon()
        found = memory_sessions.find(self.store, session, agent, self._reader.load)
        return memory_sessions.take_up(self.store, found)

    def sessions(self, agent: str = "") -> tuple[memory_sessions.Session, ...]:
        """Return the sessions of *agent*, or of everybody, the one last heard of first."""
        from vaultmem.memory import sessions as memory_sessions

        names = self.agents(agent)
        return tuple(s for name in names for s in memory_sessions.all_of(self.store, name))

    def compact_session(
        self, session: str, *, agent: str = ""
    ) -> tuple[memory_sessions.Compacted, str]:
        """Bring a session's compact up to its last turn; return it and its commit, empty without.

        Raises BadInput for a session that is none, or has no turn.
        """
        from vaultmem.memory import sessions as memory_sessions

        self.store.sync_soon()
        found = memory_sessions.find(self.store, session, agent)
        done = memory_sessions.compact(self.store, found, self.summarizer)
        if done.op:
            self._forget_replies()
        return done, self.store.writer.settle().get(done.op, "")

    def fold(self, agent: str = "", *, force: bool = False, redo_degraded: bool = False) -> Folding:
        """Make the episodes and topics that are due; *force* folds all that sessions hold.

        *redo_degraded* tells again what the offline summarizer told in a model's place.
        """
        from vaultmem.memory.compaction.runner import Wanted
        from vaultmem.memory.folding import runner as folding_runner

        self.store.sync_soon()
        wanted = Wanted(force, "all" if redo_degraded else "none")
        done = folding_runner.run(
            self.store, self.store.require_agent(agent), self.summarizer, wanted
        )
        if done.op:
            self._forget_replies()
        self.store.writer.settle()
        return done

    def shrink(self, messages: str, *, agent: str = "", tokens: int | None = None) -> Shrunken:
        """Make Anthropic messages fit a context; what is replaced stays in a transcript.

        *messages* is their JSON text, *tokens* what the provider counted in them. Raises BadInput.
        """
        from vaultmem.memory.messages import archive

        self.store.sync_soon()
        name = agent_name(self.store.agent(agent))
        done = archive.run(self.store, name, messages, self.summarizer, told=tokens)
        self.store.writer.settle()
        return done
