"""The public API and the one place where everything is wired: `from vaultmem import Vault`.

Each part is loaded when it is first used: `status` must not pay for the summarizer.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from vaultmem import health, site, store
from vaultmem.config import agent_name
from vaultmem.errors import BadInput, ModelAway, VaultError
from vaultmem.files import sha256
from vaultmem.health import Health
from vaultmem.ids import Entropy
from vaultmem.model import TRUST_OF_SOURCE, Clock, Record, iso, moment, utc_now

if TYPE_CHECKING:
    from threading import Thread

    from frontmatter import Post

    from vaultmem import conversing
    from vaultmem.asking import Asker
    from vaultmem.carding import Cards
    from vaultmem.cascade import Outcome
    from vaultmem.compact import Compaction
    from vaultmem.context import Context
    from vaultmem.correcting import Correction
    from vaultmem.digest import Digest
    from vaultmem.dream.gates import Gates
    from vaultmem.dreaming import Dreams, Planned
    from vaultmem.estimating import Estimate
    from vaultmem.experience import Experiences
    from vaultmem.folding import Folding
    from vaultmem.forgetting import Forgetting, Forgotten
    from vaultmem.fsck import Report
    from vaultmem.history import Operation
    from vaultmem.importing import Imported
    from vaultmem.memories import Said
    from vaultmem.models.settings import Surroundings
    from vaultmem.plan import Plan
    from vaultmem.recall import Answer, Mode, Question, Scope
    from vaultmem.reviewing import Reviews
    from vaultmem.slimming import Shrunken
    from vaultmem.summarize import Summarizer
    from vaultmem.topics import Topics
    from vaultmem.transcripts import Transcript
    from vaultmem.upkeep import Condensed, Round
    from vaultmem.vectors import Caught
    from vaultmem.why import Why
    from vaultmem.writers import Writers


_MANY_TURNS = 64
_MOMENT = 0.2
"""Seconds: who answers for others has a step of its own that embeds."""


class Details(TypedDict, total=False):
    """What may be said of a memory beside its text; each is a key of its file."""

    agent: str
    source: str
    importance: float | None
    tags: Sequence[str]
    session: str
    speaker: str
    at: str | datetime | None
    redact: bool


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory that is safely on disk; *commit* is None while git has not got it yet."""

    id: str
    path: str
    sha256: str
    commit: str | None


@dataclass(frozen=True, slots=True)
class Compacted:
    """What a compaction did, and its commit; *reason* says why nothing was due."""

    compactions: tuple[Compaction, ...]
    reason: str
    commit: str | None


@dataclass(frozen=True, slots=True)
class RecentContext:
    """The three layers of an agent's recent past, texts only."""

    longterm: str
    recent: str
    immediate: tuple[Record, ...]


class Vault:
    """A folder of memories, opened: remember, recall, compact, and see how it is."""

    def __init__(
        self, opened: site.Site, summarizer: Summarizer | None, env: Mapping[str, str]
    ) -> None:
        """Work on the *opened* vault; use `Vault.open`."""
        self.site = opened
        self._summarizer, self._env = summarizer, env
        self._background: Thread | None = None

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        summarizer: Summarizer | None = None,
        clock: Clock = utc_now,
        random: Entropy = os.urandom,
        env: Mapping[str, str] = os.environ,
    ) -> Self:
        """Open the vault that *path* is or lies in.

        Who writes summaries follows from the vault's profile and *env*, unless a *summarizer* is
        given. Raises CannotOpen when there is none, TooNew when a newer vaultmem wrote it.
        """
        found = store.find(Path(path).resolve())
        return cls(site.open_site(found, clock, random), summarizer, env)

    def close(self) -> None:
        """Wait for a compaction under way and give back what is held open."""
        if self._background:
            self._background.join()
        if asker := self.__dict__.get("asker"):
            asker.close()
        self.site.close()

    def __enter__(self) -> Self:
        """Return the vault itself."""
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Close the vault."""
        self.close()

    @property
    def path(self) -> Path:
        """The vault's folder."""
        return self.site.root.path

    @cached_property
    def writers(self) -> Writers:
        """Who writes summaries, by the profile and the environment."""
        from vaultmem.writers import Writers

        return Writers(self.site, self._surroundings)

    @cached_property
    def asker(self) -> Asker:
        """Who answers questions, by the embedder that the environment chooses."""
        from vaultmem.asking import Asker

        return Asker(self.site, self._surroundings)

    def _surroundings(self) -> Surroundings:
        from vaultmem.models.settings import surroundings

        return surroundings(self._env, Path.home())

    @property
    def summarizer(self) -> Summarizer:
        """Who writes summaries: the one given to `open`, else the one that is chosen."""
        return self._summarizer or self.writers.summarizer()

    @property
    def watched(self) -> bool:
        """Whether a daemon looks after the vault: it compacts and commits."""
        from vaultmem import watch

        return watch.present(self.path)

    # --- remembering ------------------------------------------------------------------------

    def remember(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as a memory file, compact offline if that makes it due, and commit.

        Where a daemon runs, it does the rest; what a model shall summarize waits for it, or for
        `compact`. Raises BadInput for what cannot be, SecretFound for a credential, SwitchedOff for
        an agent or session that the config switches off.
        """
        made, said = self._keep(text, details)
        if self.watched:
            return made
        if self._is_quick():
            self._follow_up(said.agent)
        return replace(made, commit=self.site.door.settle().get(made.id))

    def _is_quick(self) -> bool:
        """Tell whether a compaction takes milliseconds: nobody waits for a model unasked.

        Not so while the settings cannot be read: what was written stands, the rest waits.
        """
        import logging

        from vaultmem.summarize.extractive import Extractive

        try:
            return self._summarizer is not None or isinstance(self.summarizer, Extractive)
        except BadInput as e:
            logging.getLogger(__name__).warning("compaction waits: %s", e)
            return False

    def add_memory(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as `remember` does, but leave compaction and commit to the background."""
        from threading import Thread

        made, _ = self._keep(text, details)
        if self._background is None or not self._background.is_alive():
            self._background = Thread(target=self._catch_up, name="vaultmem-compaction")
            self._background.start()
        return made

    def _catch_up(self) -> None:
        import logging

        # A thread of its own opens the vault for itself: SQLite transactions are per connection.
        with Vault.open(
            self.path, summarizer=self._summarizer, clock=self.site.clock, env=self._env
        ) as again:
            try:
                again.tick()
            except VaultError as e:
                # The memories are safe; whatever comes next tries again.
                logging.getLogger(__name__).warning("background compaction: %s", e)

    def _keep(self, text: str, details: Details) -> tuple[Remembered, Said]:
        from vaultmem import memories

        self.site.sync_soon()
        said = self._said(text, details)
        change, memory_id = memories.keep(self.site, said, redact=details.get("redact", False))
        return Remembered(memory_id, change.path, sha256(change.new or b""), None), said

    def _said(self, text: str, details: Details) -> Said:
        from vaultmem.memories import Said, one_line

        importance = details.get("importance")
        source = details.get("source", "agent")
        if source not in TRUST_OF_SOURCE:
            raise BadInput(f"{source!r} is no source: use one of {', '.join(TRUST_OF_SOURCE)}")
        if importance is not None and not 0 <= importance <= 1:
            raise BadInput(f"importance is {importance}, it goes from 0 to 1")
        return Said(
            text=text,
            agent=agent_name(self.site.agent(details.get("agent", ""))),
            created=self._when(details.get("at")),
            source=source,
            importance=importance,
            speaker=one_line(details.get("speaker", ""), "speaker"),
            session=one_line(details.get("session", ""), "session"),
            tags=tuple(t for tag in details.get("tags", ()) if (t := one_line(tag, "tag"))),
        )

    def _when(self, at: str | datetime | None) -> datetime:
        if isinstance(at, str):
            return moment(at)
        when = at or self.site.clock()
        # As in `moment`: what names no zone is UTC, wherever this runs.
        return when if when.tzinfo else when.replace(tzinfo=UTC)

    def import_jsonl(
        self,
        paths: Sequence[str | Path],
        *,
        agent: str = "",
        redact: bool = False,
        skip_bad: bool = False,
        progress: Callable[[int], None] = lambda _: None,
    ) -> tuple[Imported, Compacted]:
        """Remember every message of JSONL conversations, once; compact in the usual chunks.

        *progress* is told how many lines just passed. Raises BadLine (nothing is imported then)
        or BadInput.
        """
        from vaultmem import importing

        self.site.sync_soon()
        name = agent_name(self.site.agent(agent))
        settings = importing.Settings(name, self.site.clock(), redact=redact, skip_bad=skip_bad)
        done = importing.run(self.site, [Path(p) for p in paths], settings, progress)
        if self.watched:
            return done, Compacted((), "the daemon compacts what is due", None)
        return done, self._compacted(self._follow_up(name, done.op))

    # --- conversing -------------------------------------------------------------------------

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
    ) -> conversing.Said:
        """Add a turn to a session's transcript; fold offline what that makes due.

        *tokens* is what the provider counted in the agent's context last; *phase* says that a phase
        of the work ends here. Raises BadInput, SecretFound, SwitchedOff.
        """
        from vaultmem import conversing, memories

        self.site.sync_soon()
        session = conversing.named(session)
        name = agent_name(conversing.whose(self.site, session, agent))
        said = memories.clean(text, "the text", redact=redact)
        at = iso(self.site.clock())
        turn = conversing.turn(role, said, at=at, speaker=speaker, tool=tool)
        transcript = conversing.say(self.site, name, session, [turn])
        if not self.watched and self._is_quick():
            self._fold_soon(transcript)
        self._settle_some()
        return conversing.said(self.site, transcript, told=tokens, phase=phase)

    def start_session(self, session: str = "", *, agent: str = "") -> conversing.Session:
        """Begin a session or take it up; nothing is written before its first turn."""
        from vaultmem import conversing

        self.site.sync_soon()
        name = agent_name(self.site.agent(agent))
        return conversing.start(self.site, name, session and conversing.named(session))

    def end_session(self, session: str, *, agent: str = "") -> conversing.Said:
        """Say that a session is over; what of it is not told of becomes an episode."""
        from vaultmem import conversing

        self.site.sync_soon()
        transcript = conversing.find(self.site, session, agent)
        if not (transcript.turns and transcript.turns[-1].origin):
            turn = conversing.ended(iso(self.site.clock()))
            transcript = conversing.say(
                self.site, transcript.agent, transcript.session, [turn]
            )  # fmt: skip
        if not self.watched and self._is_quick():
            self._fold_soon(transcript)
        self.site.door.settle()
        return conversing.said(self.site, transcript)

    def _fold_soon(self, transcript: Transcript) -> None:
        from vaultmem import folding

        if folding.is_due(self.site, transcript):
            self._folded(transcript.agent)

    def _folded(self, agent: str, op: str = "") -> Folding:
        """Fold what a turn made due; the turn stands, whatever comes of that."""
        import logging

        from vaultmem import folding

        try:
            if self.site.index.lags:
                self.site.index.sync()
            return folding.run(self.site, agent, self.summarizer, op=op)
        except VaultError as e:
            logging.getLogger(__name__).warning("what was said is safe; folding waits: %s", e)
            return folding.Folding(agent, reason=f"folding waits: {e}")

    def _settle_some(self) -> None:
        """Commit when many turns wait: a commit each would keep a version of each line in git."""
        if not self.watched and self.site.door.waiting() >= _MANY_TURNS:
            self.site.door.settle()

    def session(self, session: str, *, agent: str = "") -> conversing.Session:
        """Return a session with what is needed to go on with it; raises BadInput."""
        from vaultmem import conversing

        self.site.sync_soon()
        found = conversing.find(self.site, session, agent)
        return conversing.take_up(self.site, found)

    def sessions(self, agent: str = "") -> tuple[conversing.Session, ...]:
        """Return the sessions of *agent*, or of everybody, the one last heard of first."""
        from vaultmem import conversing

        names = self.agents(agent)
        return tuple(s for name in names for s in conversing.all_of(self.site, name))

    def compact_session(self, session: str, *, agent: str = "") -> tuple[conversing.Compacted, str]:
        """Bring a session's compact up to its last turn; return it and its commit, empty without.

        Raises BadInput for a session that is none, or has no turn.
        """
        from vaultmem import conversing

        self.site.sync_soon()
        found = conversing.find(self.site, session, agent)
        done = conversing.compact(self.site, found, self.summarizer)
        if done.op:
            self._forget_replies()
        return done, self.site.door.settle().get(done.op, "")

    def fold(self, agent: str = "", *, force: bool = False, redo_degraded: bool = False) -> Folding:
        """Make the episodes and topics that are due; *force* folds all that sessions hold.

        *redo_degraded* tells again what the offline summarizer told in a model's place.
        """
        from vaultmem import folding
        from vaultmem.cascade import Wanted

        self.site.sync_soon()
        wanted = Wanted(force, "all" if redo_degraded else "none")
        done = folding.run(self.site, self.site.known_agent(agent), self.summarizer, wanted)
        if done.op:
            self._forget_replies()
        self.site.door.settle()
        return done

    def import_turns(
        self,
        paths: Sequence[str | Path],
        *,
        agent: str = "",
        redact: bool = False,
        skip_bad: bool = False,
        progress: Callable[[int], None] = lambda _: None,
    ) -> tuple[Imported, Folding]:
        """Add every message of JSONL conversations to the transcripts of their sessions, once.

        They are over, so all of them become episodes. Raises BadLine (nothing is imported then) or
        BadInput.
        """
        from vaultmem import folding, importing

        self.site.sync_soon()
        name = agent_name(self.site.agent(agent))
        settings = importing.Settings(name, self.site.clock(), redact=redact, skip_bad=skip_bad)
        done = importing.run_turns(self.site, [Path(p) for p in paths], settings, progress)
        if self.watched:
            return done, folding.Folding(name, reason="the daemon folds what is due")
        made = self._folded(name, done.op)
        if made.op:
            self._forget_replies()
        self.site.door.settle()
        return done, made

    def shrink(self, messages: str, *, agent: str = "", tokens: int | None = None) -> Shrunken:
        """Make Anthropic messages fit a context; what is replaced stays in a transcript.

        *messages* is their JSON text, *tokens* what the provider counted in them. Raises BadInput.
        """
        from vaultmem import slimming

        self.site.sync_soon()
        name = agent_name(self.site.agent(agent))
        done = slimming.run(self.site, name, messages, self.summarizer, told=tokens)
        self.site.door.settle()
        return done

    # --- compacting -------------------------------------------------------------------------

    def agents(self, agent: str = "") -> tuple[str, ...]:
        """Return *agent* alone; if nobody is named the config's agent, else all there are.

        Raises BadInput for an agent that has no files.
        """
        self.site.sync_soon()
        if agent:
            return (self.site.known_agent(agent),)
        named = self.site.config().agent
        return (named,) if named else tuple(self.site.agents()) or (self.site.agent(),)

    def compact(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False
    ) -> Compacted:
        """Compact what is due; *force* takes what waits outside the immediate window as well.

        *redo_degraded* writes again what the offline summarizer wrote in a model's place.
        """
        from vaultmem import cascade

        self.site.sync_soon()
        name = self.site.known_agent(agent)
        wanted = cascade.Wanted(force, "all" if redo_degraded else "none")
        return self._compacted(cascade.run(self.site, name, self.summarizer, wanted))

    def plan_compaction(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False
    ) -> Outcome:
        """Return what `compact` would do, as a plan; nothing is written."""
        from vaultmem import cascade

        self.site.sync_soon()
        wanted = cascade.Wanted(force, "all" if redo_degraded else "none")
        return cascade.plan(self.site, self.site.known_agent(agent), self.summarizer, wanted)

    def _follow_up(self, agent: str, op: str = "") -> Outcome:
        """Compact what a write made due; the write stands, whatever comes of that."""
        import logging

        from vaultmem import cascade

        try:
            if self.site.index.lags:
                self.site.index.sync()
            return cascade.run(self.site, agent, self.summarizer, op=op)
        except VaultError as e:
            logging.getLogger(__name__).warning(
                "what was remembered is safe; compaction waits: %s", e
            )
            return cascade.Outcome(None, reason=f"compaction waits: {e}")

    def estimate(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False
    ) -> Estimate:
        """Return what `compact` would cost now, without asking a model."""
        from vaultmem import cascade, estimating

        self.site.sync_soon()
        if self.writers.choice().backend == "extractive":
            return estimating.Estimate(price=0.0)
        wanted = cascade.Wanted(force, "all" if redo_degraded else "none")
        name, profile = self.site.known_agent(agent), self.writers.priced()
        return estimating.compaction(self.site, name, profile, wanted)

    def _compacted(self, outcome: Outcome) -> Compacted:
        if outcome.plan:
            self._forget_replies()
        commits = self.site.door.settle()
        made = commits.get(outcome.plan.op) if outcome.plan else None
        return Compacted(outcome.compactions, outcome.reason, made)

    def should_compact(self, agent: str = "") -> bool:
        """Tell whether a compaction is due."""
        from vaultmem import compact

        self.site.sync_soon()
        past = compact.past(self.site.index, self.site.agent(agent))
        return bool(compact.due(past, self.site.config()))

    def get_recent_context(self, agent: str = "") -> RecentContext:
        """Return the long-term summary, the newest short-term one, and the immediate memories."""
        from vaultmem import compact

        self.site.sync_soon()
        past = compact.past(self.site.index, self.site.agent(agent))
        window = self.site.config().immediate_window
        return RecentContext(
            past.longterm.body if past.longterm else "",
            past.recents[-1].body if past.recents else "",
            tuple(self.site.load(m) for m in past.memories[-window:] if not m.superseded_by),
        )

    def tick(self) -> Round:
        """Do what is due now: half-done writes, ticks, compactions, MEMORY.md, commits, vectors."""
        from vaultmem import upkeep

        done = upkeep.once(self.site, self.summarizer, ticked=self.tick_off())
        if done.condensed.compactions or done.condensed.folded:
            self._forget_replies()
        self._embed_what_is_new()
        return done

    def tick_off(self, rested: float = math.inf) -> int:
        """Do what people ticked in notes of the inbox; return how many things that were.

        Only where nobody has touched a note since *rested* (Unix time).
        """
        from vaultmem import upkeep

        self.site.sync_soon()
        return upkeep.tick_off(self.site, self.dreams, rested)

    def _embed_what_is_new(self) -> None:
        """Leave nothing to the next question; who embeds may be away, and it goes by words then."""
        import logging

        try:
            self.asker.embed(None)
        except (BadInput, ModelAway) as e:
            logging.getLogger(__name__).warning("vectors wait: %s", e)

    def condense(self) -> Condensed:
        """Do what is due and may ask a model, and commit it; the caller has synced."""
        from vaultmem import upkeep

        made = upkeep.condense(self.site, self.summarizer)
        if made.compactions or made.folded:
            self._forget_replies()
        self.site.door.settle()
        return made

    def _forget_replies(self) -> None:
        """Forget what models said: it is in the files now."""
        if self._summarizer is None:
            self.writers.forget()

    # --- knowing ----------------------------------------------------------------------------

    @cached_property
    def cards(self) -> Cards:
        """The cards: what is known of persons and things, each fact with who said it."""
        from vaultmem.carding import Cards

        return Cards(self.site)

    @cached_property
    def topics(self) -> Topics:
        """The topics: what lasts, by subject."""
        from vaultmem.topics import Topics

        return Topics(self.site)

    @cached_property
    def experiences(self) -> Experiences:
        """What came of tasks: what was tried, how it ended, what to take from that."""
        from vaultmem.experience import Experiences

        return Experiences(self.site)

    @cached_property
    def reviews(self) -> Reviews:
        """What nobody vouches for yet, and waits for a person."""
        from vaultmem.reviewing import Reviews

        return Reviews(self.site)

    @cached_property
    def dreams(self) -> Dreams:
        """Dreams: plans that clean the vault up, applied in one commit each, and taken back."""
        from functools import partial

        from vaultmem import gating
        from vaultmem.dreaming import Dreams

        judge = partial(gating.judge, self.site)
        return Dreams(self.site, lambda: self.summarizer, judge, self._gates)

    def _gates(self) -> Gates:
        from vaultmem.dream.gates import Gates

        config = self.site.config()
        return Gates(config.dream, config.dream_hours, config.dream_sessions)

    @cached_property
    def forgetting(self) -> Forgetting:
        """Forgetting: find what it would take, forget it, purge it from the history."""
        from vaultmem.forgetting import Forgetting

        return Forgetting(self.site, self.summarizer)

    def dream(self) -> Planned:
        """Look for what would be better, and put it before a person as a note in the inbox.

        `dreams.apply` does what was chosen. Raises Busy while another dream is at work.
        """
        return self.dreams.plan()

    def dream_if_due(self) -> int:
        """Plan a dream where it is time, and do of it what the config allows unasked.

        Return how many changes were made. Raises Refused when recall would suffer.
        """
        from vaultmem.dream.planning import is_safe

        planned, how = self.dreams.plan(if_due=True), self.site.config().dream_apply
        if how == "never" or not planned.proposals:
            return 0
        if how == "all":
            return len(self.dreams.apply(everything=True).applied)
        safe = {p.id for p in planned.proposals if is_safe(p)}
        return len(self.dreams.apply(ids=safe).applied) if safe else 0

    def forget(self, ref: str, *, reason: str = "") -> Forgotten:
        """Forget what *ref* (an id, a path, a wikilink) names, and tell again what told of it.

        Git still has it: see `forgetting.purge`. Raises BadInput, Refused.
        """
        done = self.forgetting.forget([ref], reason)
        self._forget_replies()
        return done

    def correct(self, ref: str, text: str, **details: Unpack[Details]) -> Correction:
        """Let *text* hold instead of the memory *ref*, whose file stays as it is.

        Raises BadInput when *ref* names none or several, Refused for what is no raw memory or is
        more trusted than the correction.
        """
        from vaultmem.correcting import Corrections

        agent = details.get("agent", "")
        said = self._said(text, {"source": "user", **details})
        quick = self.summarizer if not self.watched and self._is_quick() else None
        return Corrections(self.site, lambda: quick).correct(ref, replace(said, agent=agent))

    def why(self, ref: str, *, agent: str = "") -> Why:
        """Return the chain from what *ref* means down to what was said, and its commits.

        *ref* is an id, a path, `path:line`, a name, a wikilink, or words of a fact. Raises BadInput
        when it means nothing.
        """
        from vaultmem import why

        return why.trace(self.site, ref, self.site.known_agent(agent) if agent else "")

    # --- asking -----------------------------------------------------------------------------

    def post(self, path: str) -> Post:
        """Return the file at *path* as python-frontmatter's Post: `.metadata`, `.content`.

        Raises BadInput when there is none, Unreadable when its bytes cannot be trusted.
        """
        from vaultmem import document

        data = self.site.read(path)
        if data is None:
            raise BadInput(f"{path} is not in the vault: `recall` gives the paths of what is")
        return document.post(document.parse(document.decode(data)))

    def recall(
        self,
        query: str,
        k: int = 10,
        scope: Scope | None = None,
        *,
        mode: Mode = "auto",
        as_of: str = "",
    ) -> Answer:
        """Return the *k* best hits for *query* within *scope*, and count them as of use.

        *mode* is `lexical` (words), `semantic` (vectors) or `auto` (both, where there is an
        embedder). *as_of*, a date or a time, asks the vault as it was committed then. Raises
        BadInput.
        """
        from vaultmem.memories import encodable
        from vaultmem.recall import Question, Scope

        where = scope or Scope()
        if not all(t.isascii() or encodable(t) for t in (query, where.type, *where.tags)):
            raise BadInput("the question is not UTF-8: write it again")
        return self.asker.recall(Question(query, k, where, mode=mode), as_of)

    def recall_here(self, asked: Question) -> Answer:
        """Answer *asked* in this process, and count nothing; raises BadInput."""
        return self.asker.here(asked, patience=_MOMENT)

    @property
    def space(self) -> str:
        """The space that questions are embedded in, "" where nobody embeds."""
        return self.asker.space

    def embed(
        self,
        seconds: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Caught | None:
        """Embed what has no vector yet, for at most so many *seconds*; None where nobody embeds.

        *progress* is told how many texts of how many are done. Raises ModelAway.
        """
        self.site.sync_soon()
        return self.asker.embed(seconds, progress)

    def context(
        self,
        query: str = "",
        *,
        agent: str = "",
        budget: int = 8000,
        turns: int = 0,
        as_of: str = "",
    ) -> Context:
        """Return what an agent's prompt should hold of its memory, within *budget* tokens.

        *turns* is how long the conversation is by now; *as_of* as in `recall`.
        """
        return self.asker.context(query, agent, budget, turns=turns, as_of=as_of)

    def status(self) -> Health:
        """Return counts, windows, budgets and problems."""
        self.site.sync_soon()
        return health.check(self.site, self.writers, self.asker)

    def log(self, limit: int | None = 20) -> tuple[Operation, ...]:
        """Return the newest operations, newest first; raises Unavailable without git."""
        from vaultmem import history

        self.site.door.settle()
        return history.operations(self.site, limit)

    def digest(self, since: str = "", until: str = "", agent: str = "") -> Digest:
        """Return what was learnt, corrected and forgotten, by all or by *agent*.

        *since* is a span (`7d`, the default, `2w`, `24h`), a date or a time. Raises BadInput.
        """
        from vaultmem import digest

        period = digest.period(since, until, self.site.clock())
        self.site.sync()
        name = self.site.known_agent(agent) if agent else ""
        self.site.door.settle()
        return digest.digest(digest.gather(self.site, period, name))

    def diff(self, op: str = "") -> str:
        """Return the patch of one operation, or of what is not committed when none is named."""
        from vaultmem import history

        return history.diff(self.site, op)

    def undo(self, op: str, *, partly: bool = False) -> tuple[Plan, str | None]:
        """Take one operation back, keeping later edits; return the plan and its commit.

        *partly*: where these stand on the same lines, the file stays and the older text goes to the
        inbox.
        """
        plan = self.plan_undo(op, partly=partly)
        self.site.carry_out(plan)
        return plan, self.site.door.settle().get(plan.op)

    def plan_undo(self, op: str, *, partly: bool = False) -> Plan:
        """Return the plan that would take one operation back, as `undo` does."""
        from vaultmem import history

        self.site.sync_soon()
        self.site.door.settle()
        return history.undo(self.site, op, partly=partly)

    def fsck(self, *, repair: bool = False, accept_missing: bool = False) -> Report:
        """Check everything; *repair* mends what needs no judgement first."""
        from vaultmem import fsck

        self.site.sync()
        if accept_missing:
            self.site.index.accept_missing()
        if repair:
            fsck.repair(self.site)
            self.site.door.settle()
            self.site.sync()
        return fsck.check(self.site)
