"""`Vault`: short methods for what is asked for most, over the parts of an open vault."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from vaultmem import arguments
from vaultmem.api.vault.open_vault import OpenVault
from vaultmem.api.vault.options import Details, RecallOptions
from vaultmem.records import Actor, Record
from vaultmem.storage.progress import Progress, untold

if TYPE_CHECKING:
    from frontmatter import Post

    from vaultmem.api.housekeeping import Condensed, Round
    from vaultmem.api.vault.types import Compacted, Intake, RecentContext, Remembered
    from vaultmem.exchange.exporting import Exported
    from vaultmem.exchange.importing.service import How
    from vaultmem.exchange.sync import Synced
    from vaultmem.knowledge.corrections import Correction
    from vaultmem.knowledge.sharing import Shared
    from vaultmem.maintenance.digest import Digest
    from vaultmem.maintenance.dream.results import Planned
    from vaultmem.maintenance.forgetting import Forgotten
    from vaultmem.maintenance.fsck import Report
    from vaultmem.maintenance.health import Health
    from vaultmem.maintenance.history import Operation
    from vaultmem.maintenance.provenance.types import Why
    from vaultmem.memory import session_compacts, session_status
    from vaultmem.memory import sessions as memory_sessions
    from vaultmem.memory.compaction.cost import Estimate
    from vaultmem.memory.compaction.runner import Outcome
    from vaultmem.memory.folding.runner import Folding
    from vaultmem.memory.messages.archive import Shrunken
    from vaultmem.retrieval.context import Context, Form
    from vaultmem.retrieval.search import Answer, Question, Scope
    from vaultmem.retrieval.vectors import Caught
    from vaultmem.storage.plan import Plan


class Vault(OpenVault):
    """A folder of memories, opened: remember, recall, compact, and see how it is.

    Each method is one call of a part, which has more of them: `vault.sessions`, `vault.topics`.
    """

    # --- memories -----------------------------------------------------------------------------

    @arguments.spelled_out
    def remember(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as a memory file, compact offline if that makes it due, and commit.

        Where a daemon runs, it does the rest; what a model shall summarize waits for it, or for
        `compact`. Raises BadInput for what cannot be, SecretFound for a credential, SwitchedOff for
        an agent or session that the config switches off.
        """
        return self.memories.remember(text, **details)

    @arguments.spelled_out
    def add_memory(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as `remember` does, but leave compaction and commit to the background."""
        return self.memories.add(text, **details)

    @arguments.spelled_out
    def correct(self, ref: str, text: str, **details: Unpack[Details]) -> Correction:
        """Correct the memory *ref*: *text* holds instead, and its file stays as it is.

        Raises BadInput when *ref* names none or several, Refused for what is no raw memory or is
        more trusted than the correction.
        """
        return self.memories.correct(ref, text, **details)

    @arguments.checked_method
    def forget(self, ref: str, *, reason: str = "", source: Actor = "user") -> Forgotten:
        """Forget what *ref* (an id, a path, a wikilink) names, and what was made of it.

        *source* says who does, the user or an agent: what a person forgot no agent takes back. Git
        still has it: see `forgetting.purge`. Raises BadInput, Refused.
        """
        done = self.forgetting.forget([ref], reason, source=source)
        self._runtime.forget_replies()
        return done

    @arguments.checked_method
    def why(self, ref: str, *, agent: str = "") -> Why:
        """Return the chain from what *ref* means down to what was said, and its commits.

        *ref* is an id, a path, `path:line`, a name, a wikilink, or words of a fact. Raises BadInput
        when it means nothing.
        """
        from vaultmem.maintenance.provenance import tracing

        return tracing.trace(self.store, ref, self.store.require_agent(agent) if agent else "")

    def share(self, ref: str, *, topic: str = "", dry_run: bool = False) -> Shared:
        """Offer the memory *ref* to all agents, as a fact of a shared topic.

        `shares` lists what is offered and takes it back. Raises BadInput, Refused.
        """
        return self.shares.share(ref, topic=topic, dry_run=dry_run)

    # --- compaction and rounds ----------------------------------------------------------------

    def compact(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False,
        progress: Progress = untold,
    ) -> Compacted:  # fmt: skip
        """Compact what is due; *force* takes what waits outside the immediate window as well.

        *redo_degraded* writes again what the offline summarizer wrote in a model's place;
        *progress* is told how many summaries of how many are made.
        """
        return self.compactions.run(
            agent, force=force, redo_degraded=redo_degraded, progress=progress
        )

    def plan_compaction(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False,
        progress: Progress = untold,
    ) -> Outcome:  # fmt: skip
        """Return what `compact` would do, as a plan; nothing is written. *progress* as there."""
        return self.compactions.plan(
            agent, force=force, redo_degraded=redo_degraded, progress=progress
        )

    def estimate(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False
    ) -> Estimate:
        """Return what `compact` would cost now, without asking a model."""
        return self.compactions.estimate(agent, force=force, redo_degraded=redo_degraded)

    def should_compact(self, agent: str = "") -> bool:
        """Tell whether a compaction is due."""
        return self.compactions.is_due(agent)

    def get_recent_context(self, agent: str = "") -> RecentContext:
        """Return the long-term summary, the newest short-term one, and the immediate memories."""
        return self.compactions.recent_context(agent)

    def get_relevant_summaries_for_context(self, query: str, agent: str = "") -> tuple[Record, ...]:
        """Return the experiences that fit *query* best: three, of which two may be summaries.

        None is among them that stands in every context of the agent.
        """
        return self.queries.relevant_summaries(query, agent=agent)

    def tick(self) -> Round:
        """Do what is due now: half-done writes, ticks, compactions, MEMORY.md, commits, vectors."""
        return self.rounds.run()

    def tick_off(self, rested: float = math.inf) -> int:
        """Do what people ticked in notes of the inbox; return how many things that were.

        Only where nobody has touched a note since *rested* (Unix time).
        """
        return self.rounds.apply_ticked_boxes(rested)

    def condense(self) -> Condensed:
        """Do what is due and may ask a model, and commit it; the caller has synced."""
        return self.rounds.compact_all()

    def dream(self) -> Planned:
        """Look for what would be better, and put it before a person as a note in the inbox.

        `dreams.apply` does what was chosen. Raises Busy while another dream is at work.
        """
        return self.dreams.plan()

    def dream_if_due(self, *, max_age_days: int = 90, max_episodes: int = 1_000) -> int:
        """Plan a dream where it is time, and do of it what the config allows unasked.

        It proposes to archive memories that nobody recalled for *max_age_days*, and of more than
        *max_episodes* of an agent to let go those older than that which topics took up. Return how
        many changes were made. Raises Refused when recall would suffer or git is busy.
        """
        return self.rounds.dream(max_age_days=max_age_days, max_episodes=max_episodes)

    # --- sessions -----------------------------------------------------------------------------

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
        """Add a turn to a session's transcript; fold offline what that makes due.

        *tokens* is what the provider counted in the agent's context last; *phase* says that a phase
        of the work ends here. *since*, ISO 8601, is when it was said at the earliest, where you
        tell of it after the fact. *soon*: the turn is on disk when this returns, folds and commits
        come in the background. Raises BadInput, SecretFound, SwitchedOff.
        """
        return self.sessions.say(
            session, text, role=role, agent=agent, speaker=speaker, tool=tool, tokens=tokens,
            phase=phase, since=since, redact=redact, soon=soon,
        )  # fmt: skip

    def start_session(self, session: str = "", *, agent: str = "") -> memory_sessions.Session:
        """Begin a session or take it up; nothing is written before its first turn."""
        return self.sessions.start(session, agent=agent)

    def end_session(
        self, session: str, *, agent: str = "", soon: bool = False
    ) -> session_status.SavedTurn:
        """Say that a session is over; what of it is not told of becomes an episode.

        *soon*: that is on disk when this returns, episode and commit come in the background.
        """
        return self.sessions.end(session, agent=agent, soon=soon)

    def session(self, session: str, *, agent: str = "") -> memory_sessions.Session:
        """Return a session with what is needed to go on with it; raises BadInput."""
        return self.sessions.get(session, agent=agent)

    def compact_session(
        self, session: str, *, agent: str = ""
    ) -> tuple[session_compacts.Compacted, str]:
        """Bring a session's compact up to its last turn; return it and its commit, empty without.

        Raises BadInput for a session that is none, or has no turn.
        """
        return self.sessions.compact(session, agent=agent)

    def fold(self, agent: str = "", *, force: bool = False, redo_degraded: bool = False) -> Folding:
        """Make the episodes and topics that are due; *force* folds all that sessions hold.

        *redo_degraded* makes again what the offline summarizer made in a model's place.
        """
        return self.sessions.fold(agent, force=force, redo_degraded=redo_degraded)

    def shrink(self, messages: str, *, agent: str = "", tokens: int | None = None) -> Shrunken:
        """Make Anthropic messages fit a context; what is replaced stays in a transcript.

        *messages* is their JSON text, *tokens* what the provider counted in them. Raises BadInput.
        """
        return self.sessions.shrink(messages, agent=agent, tokens=tokens)

    # --- questions ----------------------------------------------------------------------------

    def post(self, path: str) -> Post:
        """Return the file at *path* as python-frontmatter's Post: `.metadata`, `.content`.

        Raises BadInput when there is none, Unreadable when its bytes cannot be trusted.
        """
        return self.queries.post(path)

    @arguments.spelled_out
    def recall(
        self,
        query: str,
        k: int = 10,
        scope: Scope | None = None,
        **options: Unpack[RecallOptions],
    ) -> Answer:
        """Return the *k* best hits for *query*, and count them as of use.

        *options*, each named like that of `vaultmem recall`: `agent` asks for that one's own files
        and those that all share, else everybody's; `type`, `tags` (all of them), `after` and
        `before` (dates, included), `person` (who said it, or whom it is about) and `trust` (the
        least) narrow it down; `untrusted=True` adds what nobody vouches for. `mode` is `auto`,
        `lexical` or `semantic`; `as_of`, a date or a time, asks the vault as of then;
        `explain=True` tells what each score is the sum of. None is as if it were not given.

        A *scope* says where to look in the place of the options that do, also one that no option
        does, such as an agent's own files alone. Raises BadInput for what cannot be, an unknown
        agent or type, and an option that is empty.
        """
        return self.queries.recall(query, k, scope, **options)

    def recall_here(self, asked: Question) -> Answer:
        """Answer *asked* in this process, and count nothing; raises BadInput."""
        return self.queries.recall_here(asked)

    @property
    def space(self) -> str:
        """The space that questions are embedded in, "" where nobody embeds."""
        return self.queries.space

    def embed(
        self, seconds: float | None = None, progress: Progress | None = None
    ) -> Caught | None:
        """Embed what has no vector yet, for at most so many *seconds*; None where nobody embeds.

        *progress* is told how many texts of how many are done. Raises ModelAway.
        """
        return self.queries.embed(seconds, progress)

    def context(  # noqa: PLR0913  # all but one are by name
        self, query: str = "", *, agent: str | None = None, budget: int = 8000, turns: int = 0,
        as_of: str | None = None, situation: str = "", commands: str = "", form: Form = "text",
        task_complexity: float | None = None, has_knowledge_need: bool | None = None,
        session: str = "",
    ) -> Context:  # fmt: skip
        """Return what an agent's prompt should hold of its memory, within *budget* tokens.

        Without an *agent* it is the vault's: the config's, the only one, `default`. *turns* is how
        long the conversation is by now; *as_of* as in `recall`; *situation* is what you say of the
        place and who is there, *commands* of what the agent can do there.
        With the form `transcript` the newest memories stand last, as lines (`~Mara> …`) that a base
        model goes on with. *task_complexity* (0 to 1) and *has_knowledge_need* divide the budget;
        what you do not say of them is guessed. Of the turns of *session*, the one that asks,
        nothing is looked up. Raises BadInput for an agent that nobody is, and for one, or a date,
        that is empty.
        """
        return self.queries.context(
            query, agent=agent, budget=budget, turns=turns, as_of=as_of, situation=situation,
            commands=commands, form=form, task_complexity=task_complexity,
            has_knowledge_need=has_knowledge_need, session=session,
        )  # fmt: skip

    @arguments.checked_method
    def command(self, line: str, *, agent: str = "") -> str:
        """Return what `vaultmem '@…'` prints for *line*, as for `@memory-status`.

        One that names no agent is asked for *agent*. Raises BadInput for what is no @command, else
        what the command raises.
        """
        from vaultmem.api import at_commands

        known = agent in self.store.agents()
        return at_commands.run(self.path, line, self._runtime.env, agent=agent, known=known)

    # --- health and history -------------------------------------------------------------------

    def status(self) -> Health:
        """Return counts, windows, budgets and problems."""
        return self.checks.status()

    def fsck(
        self,
        *,
        repair: bool = False,
        accept_missing: bool = False,
        accept: Sequence[str] = (),
        progress: Progress = untold,
    ) -> Report:
        """Check everything; *repair* mends what needs no judgement first.

        *accept* names edited memories whose new text a person accepts; *progress* is told how many
        files of how many are compared with the index.
        """
        return self.checks.fsck(
            repair=repair, accept_missing=accept_missing, accept=accept, progress=progress
        )

    def log(self, limit: int | None = 20) -> tuple[Operation, ...]:
        """Return the newest operations, newest first; raises Unavailable without git."""
        return self.history.log(limit)

    def digest(self, since: str = "", until: str = "", agent: str = "") -> Digest:
        """Return what was learnt, corrected and forgotten, by all or by *agent*.

        *since* is a span (`7d`, the default, `2w`, `24h`), a date or a time. Raises BadInput.
        """
        return self.history.digest(since, until, agent)

    def diff(self, op: str = "") -> str:
        """Return the patch of one operation, or of what is not committed when none is named."""
        return self.history.diff(op)

    def undo(self, op: str, *, partly: bool = False) -> tuple[Plan, str | None]:
        """Undo one operation, keeping later edits; return the plan and its commit.

        *partly*: where these stand on the same lines, the file stays and the older text goes to the
        inbox.
        """
        return self.history.undo(op, partly=partly)

    def plan_undo(self, op: str, *, partly: bool = False) -> Plan:
        """Return the plan that would undo one operation, as `undo` does."""
        return self.history.plan_undo(op, partly=partly)

    # --- other programs and machines ----------------------------------------------------------

    def import_files(  # noqa: PLR0913  # most by name
        self, form: str, paths: Sequence[str | Path], *, agent: str = "", manner: str = "",
        progress: Callable[[int], None] = lambda _: None, summarizing: Progress = untold,
        **how: Unpack[How],
    ) -> Intake:  # fmt: skip
        """Import files of a format, once; compact or fold what that makes due.

        *manner* is `memories` or `turns` where the format may become both. Raises BadInput, and
        BadLine for a line; nothing is imported then. *progress* is told of every entry that passed,
        *summarizing* how many summaries of how many are made then.
        """
        return self.exchange.import_files(
            form, paths, agent=agent, manner=manner, progress=progress, summarizing=summarizing,
            **how,
        )  # fmt: skip

    def export(
        self, form: str, path: str | Path, *, agent: str = "", untrusted: bool = False,
        session: str = "",
    ) -> Exported:  # fmt: skip
        """Write what is remembered for other programs, of *agent* and shared, or of everybody.

        `okf` and `basic-memory` make a folder, `json` a file, `claude-code` a memory folder of
        topics and cards, `folded` a file of one *session*, in the folder *path* by the name
        `{session}_folded.json`.
        Raises BadInput, Refused for what stands there and is not ours, DiskRefused.
        """
        return self.exchange.export(form, path, agent=agent, untrusted=untrusted, session=session)

    def sync_clones(
        self, remote: str = "", *, push: bool = True, dry_run: bool = False,
        accept_missing: bool = False,
    ) -> Synced:  # fmt: skip
        """Synchronise this clone with its git remote: commit, fetch, merge, push.

        *accept_missing* deletes here, too, when many files were deleted there. Raises BadInput,
        Refused for what a person must see to, Unavailable.
        """
        return self.exchange.sync(remote, push=push, dry_run=dry_run, accept_missing=accept_missing)
