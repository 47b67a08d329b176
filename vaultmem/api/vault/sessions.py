"""Sessions, turn by turn: said, folded, compacted, taken up again, imported."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from vaultmem import arguments
from vaultmem.api.vault.runtime import Part, Runtime
from vaultmem.config import agent_name
from vaultmem.documents import secrets
from vaultmem.errors import BadInput, VaultError
from vaultmem.records import iso

if TYPE_CHECKING:
    from vaultmem.documents.bodies.prompt_blocks import Way
    from vaultmem.memory import session_compacts, session_status
    from vaultmem.memory import sessions as memory_sessions
    from vaultmem.memory.compaction.runner import Wanted
    from vaultmem.memory.folding.runner import Folding
    from vaultmem.memory.messages.archive import Shrunken
    from vaultmem.storage.transcripts import Reader, Transcript

_MANY_TURNS = 64


@arguments.checked
class Sessions(Part):
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
        since: str = "",
        redact: bool = False,
        soon: bool = False,
    ) -> session_status.SavedTurn:
        """Add a turn to a session's transcript; fold offline what that makes due."""
        from vaultmem.memory import remember, session_status
        from vaultmem.memory import sessions as memory_sessions

        self._store.sync_names()
        session = memory_sessions.named(session)
        name = agent_name(memory_sessions.whose(self._store, session, agent))
        content = remember.clean(text, "the text", redact=redact)
        if not content.strip():
            raise BadInput(f"nothing was said: {secrets.why_empty(text)}")
        at = iso(self._store.clock())
        turn = memory_sessions.turn(
            role,
            content,
            at=at,
            speaker=speaker,
            tool=tool,
            tokens=tokens,
            phase=phase,
            since=since,
        )
        transcript = memory_sessions.say(self._store, name, session, [turn], self._reader.load)
        self._runtime.attempt(lambda: self._follow_up(transcript, soon=soon), None)
        bare = session_status.SavedTurn(session, transcript.path, len(transcript.turns), tokens, "")
        return self._runtime.attempt(lambda: session_status.of(self._store, transcript), bare)

    def start(self, session: str = "", *, agent: str = "") -> memory_sessions.Session:
        """Begin a session or take it up; nothing is written before its first turn."""
        from vaultmem.memory import sessions as memory_sessions

        self._store.sync_soon()
        name = agent_name(self._store.agent(agent))
        known = session and memory_sessions.named(session)
        return memory_sessions.start(self._store, name, known, self._reader.load)

    def end(self, session: str, *, agent: str = "", soon: bool = False) -> session_status.SavedTurn:
        """Say that a session is over; what of it is not told of becomes an episode.

        *soon*: that is on disk when this returns, episode and commit come in the background.
        """
        from vaultmem.memory import folding, session_status
        from vaultmem.memory import sessions as memory_sessions

        self._store.sync_names()  # who folds looks at what files say
        transcript = memory_sessions.find(self._store, session, agent)
        if not folding.is_closed(transcript.turns):
            turn = memory_sessions.ended(iso(self._store.clock()))
            name, session = transcript.agent, transcript.session
            transcript = memory_sessions.say(self._store, name, session, [turn])
        watched, agent = self._runtime.watched, transcript.agent
        do = self._runtime.run_in_background if soon else self._at_once
        if not watched and self._is_foldable(transcript):
            do(f"fold {agent}", lambda runtime: _fold(runtime, agent))
        if not (watched and soon):
            do("commit all", Runtime.commit_pending)
        return session_status.of(self._store, transcript)

    def _follow_up(self, transcript: Transcript, *, soon: bool) -> None:
        """Fold what a turn made due, and commit when many turns wait; *soon* in the background."""
        if self._runtime.watched:
            return
        agent, do = transcript.agent, self._runtime.run_in_background if soon else self._at_once
        if self._is_foldable(transcript):
            do(f"fold {agent}", lambda runtime: _fold(runtime, agent))
        if _many_wait(self._runtime):
            do("commit", _commit_many)

    def _at_once(self, _what: str, work: Callable[[Runtime], object]) -> None:
        work(self._runtime)

    def _is_foldable(self, transcript: Transcript) -> bool:
        """Tell whether turns are to be folded, and that takes milliseconds."""
        from vaultmem.memory.folding import held

        return held.is_due(self._store, transcript) and self._runtime.is_quick()

    def fold_due(self, agent: str, op: str = "") -> Folding:
        """Fold what a turn made due; the turn stands, whatever comes of that."""
        import logging

        from vaultmem.memory.folding import runner as folding_runner

        try:
            if self._store.index.lags:
                self._store.index.sync()
            done = folding_runner.run(self._store, agent, self._runtime.summarizer, op=op)
            self._compact_due(agent)
        except VaultError as e:
            logging.getLogger(__name__).warning("what was said is safe; folding waits: %s", e)
            return folding_runner.Folding(agent, reason=f"folding waits: {e}")
        return done

    def get(self, session: str, *, agent: str = "") -> memory_sessions.Session:
        """Return a session with what is needed to go on with it; raises BadInput."""
        from vaultmem.memory import sessions as memory_sessions

        self._store.sync_soon()
        found = memory_sessions.find(self._store, session, agent, self._reader.load)
        return memory_sessions.take_up(self._store, found)

    def restore(
        self, session: str, *, agent: str = "", base_system: str = "", as_: Way = "system"
    ) -> str:
        """Return the compact of *session* for the prompt that takes it up, no field left out.

        As a block of the system prompt, below *base_system*, your own; or, *as_* "message", as the
        first message. Raises BadInput without a session of that name, or a current compact of it.
        """
        from vaultmem.memory import sessions as memory_sessions

        return memory_sessions.restored(self.get(session, agent=agent), as_, base_system)

    def list(self, agent: str = "") -> tuple[memory_sessions.Session, ...]:
        """Return the sessions of *agent*, or of everybody, the one last heard of first."""
        from vaultmem.memory import sessions as memory_sessions

        self._store.sync_soon()
        names = self._runtime.agents(agent)
        return tuple(s for name in names for s in memory_sessions.all_of(self._store, name))

    def newest_open(self, agent: str = "", *, within: timedelta) -> str:
        """Return the last session of *agent* that is not over, "" for none *within* that time."""
        from vaultmem.memory import folding
        from vaultmem.storage import transcript_files, transcripts

        store = self._store
        name, now = store.agent(agent), store.clock()
        since = int((now - within).timestamp() * 1_000_000_000)
        lately = [f for f in transcript_files.every(store.root) if f.agent == name]
        for found in sorted(lately, key=lambda f: f.stamp.mtime_ns, reverse=True):
            if found.stamp.mtime_ns < since:
                break
            held = transcripts.load(store.root, found.path)
            if held and held.turns and not folding.over(held.turns, newest=False, now=now):
                return held.session
        return ""

    def is_fold_due(self, session: memory_sessions.Session) -> bool:
        """Tell whether `fold` would make an episode of turns of *session*."""
        from vaultmem.memory.folding import held

        return held.is_due(self._store, session.transcript)

    def __call__(self, agent: str = "") -> tuple[memory_sessions.Session, ...]:
        """Return the sessions of *agent*, or of everybody, the one last heard of first."""
        return self.list(agent)

    def compact(self, session: str, *, agent: str = "") -> tuple[session_compacts.Compacted, str]:
        """Bring a session's compact up to its last turn; return it and its commit, "" without."""
        from vaultmem.memory import session_compacts
        from vaultmem.memory import sessions as memory_sessions

        self._store.sync_soon()
        found = memory_sessions.find(self._store, session, agent)
        done = session_compacts.compact(self._store, found, self._runtime.summarizer)
        if done.op:
            self._runtime.forget_replies()
        return done, self._store.writer.commit_pending().get(done.op, "")

    def compact_due(self, agent: str = "") -> tuple[str, ...]:
        """Bring the compacts of sessions that are due up to date; return their paths."""
        self._store.sync_notes()
        made = self._compact_due(self._store.require_agent(agent))
        self._store.writer.commit_pending()
        return made

    def _compact_due(self, agent: str) -> tuple[str, ...]:
        from vaultmem.memory import session_compacts

        made = session_compacts.compact_due(self._store, agent, self._runtime.summarizer)
        if paths := tuple(made):
            self._runtime.forget_replies()
        return paths

    def fold(self, agent: str = "", *, force: bool = False, redo_degraded: bool = False) -> Folding:
        """Make the episodes and topics that are due; *force* folds all that sessions hold.

        A model is asked what is to be taken from tasks that ended, too.
        """
        from dataclasses import replace

        from vaultmem.memory.compaction.runner import Wanted
        from vaultmem.memory.folding import runner as folding_runner

        self._store.writer.restore_made()
        self._store.sync_soon()
        wanted = Wanted(force, "all" if redo_degraded else "none")
        name = self._store.require_agent(agent)
        done = folding_runner.run(self._store, name, self._runtime.summarizer, wanted)
        if done.op:
            self._runtime.forget_replies()
        reflected = self._reflect(name, wanted)
        self._compact_due(name)
        self._store.writer.commit_pending()
        reason = "" if reflected else done.reason
        return replace(done, experiences=reflected, reason=reason)

    def reflect(self, agent: str = "", *, redo_degraded: bool = False) -> tuple[str, ...]:
        """Ask the model, if there is one, what is to be taken from tasks that ended lately.

        *redo_degraded* asks of earlier ones, too, and again where its answer was refused. Returns
        the paths of the experiences that say it.
        """
        from vaultmem.memory.compaction.runner import Wanted

        self._store.sync_notes()
        wanted = Wanted(redo="all" if redo_degraded else "none")
        made = self._reflect(self._store.require_agent(agent), wanted)
        self._store.writer.commit_pending()
        return made

    def _reflect(self, agent: str, wanted: Wanted) -> tuple[str, ...]:
        from vaultmem.memory import reflection

        if made := reflection.run(self._store, agent, self._runtime.summarizer, wanted):
            self._runtime.forget_replies()
        return made

    def shrink(self, messages: str, *, agent: str = "", tokens: int | None = None) -> Shrunken:
        """Make Anthropic messages fit a context; what is replaced stays in a transcript."""
        from vaultmem.memory.messages import archive

        self._store.sync_soon()
        name = agent_name(self._store.agent(agent))
        done = archive.run(self._store, name, messages, self._runtime.summarizer, tokens=tokens)
        self._store.writer.commit_pending()
        return done


def _fold(runtime: Runtime, agent: str) -> None:
    runtime.store.writer.restore_made()
    runtime.store.sync_soon()
    Sessions(runtime).fold_due(agent)


def _many_wait(runtime: Runtime) -> bool:
    """Tell whether so many turns wait; a commit each would keep a version of each in git."""
    return runtime.store.writer.waiting() >= _MANY_TURNS


def _commit_many(runtime: Runtime) -> None:
    if _many_wait(runtime):  # another may have been faster
        runtime.store.writer.commit_pending()
