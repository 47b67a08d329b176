"""Compaction of memories: what is due, what it would cost, and doing it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from vaultmem import arguments
from vaultmem.api.vault.runtime import Part
from vaultmem.api.vault.types import Compacted, RecentContext
from vaultmem.errors import BadInput, StaleWrite, VaultError
from vaultmem.storage.index import Filter
from vaultmem.storage.progress import Progress, untold

if TYPE_CHECKING:
    from vaultmem.memory.compaction.cost import Estimate
    from vaultmem.memory.compaction.runner import Outcome
    from vaultmem.records import Record

T = TypeVar("T")


@arguments.checked
class Compactions(Part):
    """Summarize the memories of a vault that are older than the window."""

    def run(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False,
        progress: Progress = untold,
    ) -> Compacted:  # fmt: skip
        """Compact what is due; *force* takes what waits outside the immediate window as well.

        *progress* is told how many summaries of how many are made.
        """
        from vaultmem.memory.compaction import runner as compaction_runner

        self._store.writer.restore_made()
        self._store.sync_notes()  # what is due tell the names of memories
        name = self._store.require_agent(agent)
        wanted = compaction_runner.Wanted(force, "all" if redo_degraded else "none")
        if compaction_runner.may_be_due(self._store, name, wanted):
            self._store.sync_soon()
        outcome = compaction_runner.run(
            self._store, name, self._runtime.summarizer, wanted, progress=progress
        )
        return self.finish(outcome)

    def plan(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False,
        progress: Progress = untold,
    ) -> Outcome:  # fmt: skip
        """Return what `run` would do, as a plan; nothing is written. *progress* as there."""
        from vaultmem.memory.compaction import runner as compaction_runner

        self._store.sync_soon()
        wanted = compaction_runner.Wanted(force, "all" if redo_degraded else "none")
        name = self._store.require_agent(agent)
        return compaction_runner.plan(
            self._store, name, self._runtime.summarizer, wanted, progress=progress
        )

    def apply(self, outcome: Outcome) -> Compacted:
        """Carry out what `plan` returned, as it was shown.

        Raises BadInput when nothing was due, StaleWrite when its memories have been summarized
        or its files changed since.
        """
        if outcome.plan is None:
            raise BadInput(f"there is nothing to apply: {outcome.reason}")
        if taken := self._store.index.covered(outcome.plan.agent, outcome.claims):
            raise StaleWrite(min(taken), None, "summarized")
        self._store.apply(outcome.plan)
        return self.finish(outcome)

    def run_offline(self) -> tuple[Compacted, ...]:
        """Compact what all agents have due, unless a model writes summaries: nobody asked for that.

        Nothing is done then.
        """
        from vaultmem.nlp.summarization.extractive import Extractive

        if not isinstance(self._runtime.summarizer, Extractive):
            return ()
        return tuple(self.run(agent) for agent in self._runtime.agents())

    def follow_up_quickly(self, agent: str) -> None:
        """Compact what a write made due where that takes milliseconds, as `follow_up` does."""

        def run_if_quick() -> None:
            # Asked first: most writes make nothing due, and need not load who summarizes.
            if self._is_due(agent) and self._runtime.is_quick():
                self._run_due(agent)

        self._or_wait(run_if_quick, lambda _why: None)

    def follow_up(self, agent: str, op: str = "", progress: Progress = untold) -> Outcome:
        """Compact what a write made due; the write stands, whatever comes of that.

        *progress* is told how many summaries of how many are made.
        """
        from vaultmem.memory.compaction.runner import Outcome

        return self._or_wait(
            lambda: self._run_due(agent, op, progress), lambda why: Outcome(None, reason=why)
        )

    def _run_due(self, agent: str, op: str = "", progress: Progress = untold) -> Outcome:
        from vaultmem.memory.compaction import runner as compaction_runner

        self._store.writer.restore_made()
        self._store.sync_soon()  # what decides are the files: a write looked at none
        return compaction_runner.run(
            self._store, agent, self._runtime.summarizer, op=op, progress=progress
        )

    def _or_wait(self, step: Callable[[], T], otherwise: Callable[[str], T]) -> T:
        """Return what *step* does, or *otherwise* of why it waits; what was written is safe."""
        try:
            return step()
        except VaultError as e:
            import logging

            why = f"compaction waits: {e}"
            logging.getLogger(__name__).warning("what was remembered is safe; %s", why)
            return otherwise(why)

    def estimate(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False
    ) -> Estimate:
        """Return what `run` would cost now, without asking a model."""
        from vaultmem.memory.compaction import cost
        from vaultmem.memory.compaction import runner as compaction_runner

        self._store.sync_soon()
        if self._runtime.writers.choice().backend == "extractive":
            return cost.Estimate(price=0.0)
        wanted = compaction_runner.Wanted(force, "all" if redo_degraded else "none")
        name, profile = self._store.require_agent(agent), self._runtime.writers.priced()
        return cost.compaction(self._store, name, profile, wanted)

    def estimate_all(
        self, agents: Iterable[str], *, force: bool = False, redo_degraded: bool = False
    ) -> Estimate:
        """Return what `run` would cost for each of *agents*, in one sum."""
        from vaultmem.memory.compaction import cost

        return cost.total(
            [self.estimate(a, force=force, redo_degraded=redo_degraded) for a in agents]
        )

    def finish(self, *outcomes: Outcome) -> Compacted:
        """Commit the *outcomes* of compactions, and return what they come to together."""
        plans = [each.plan for each in outcomes if each.plan]
        if plans:
            self._runtime.forget_replies()
        commits = self._store.writer.commit_pending()
        made = tuple(it for each in outcomes for it in each.compactions)
        waits = "" if made else "; ".join(dict.fromkeys(x.reason for x in outcomes if x.reason))
        return Compacted(
            made,
            waits,
            commits.get(plans[-1].op) if plans else None,
            next((each.degraded for each in outcomes if each.degraded), ""),
            next((each.longterm for each in outcomes if each.longterm), ""),
        )

    def is_due(self, agent: str = "") -> bool:
        """Tell whether a compaction is due."""
        self._store.sync_soon()
        return self._is_due(agent)

    def _is_due(self, agent: str) -> bool:
        from vaultmem.memory import compaction

        config = self._store.config()
        now = compaction.progress(self._store.index, self._store.agent(agent), config)
        return compaction.is_due(now, config)

    def recent_context(self, agent: str = "") -> RecentContext:
        """Return the long-term summary, the newest short-term one, and the immediate memories."""
        self._store.sync_soon()
        index, name = self._store.index, self._store.agent(agent)
        window = self._store.config().immediate_window
        ours = Filter(agent=name, below="agents", identified=True)
        longterm = index.records(replace(ours, type="summary", tier="longterm"))
        recent = index.newest_summary(name)
        memories = index.records(replace(ours, type="memory"), body=False, newest=window)
        return RecentContext(
            longterm[0].body if longterm else "",
            recent.body if recent else "",
            tuple(self._store.texts.load(m) for m in memories if _stands(m)),
        )


def _stands(memory: Record) -> bool:
    return memory.recallable and not memory.superseded_by
