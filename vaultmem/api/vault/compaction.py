"""Compaction, and all else that comes due: what is asked for, and what a round does by itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from vaultmem.api.vault.services import Knowing
from vaultmem.api.vault.types import Compacted, RecentContext
from vaultmem.errors import BadInput, IndexFailed, ModelAway, VaultError

if TYPE_CHECKING:
    from vaultmem.api.housekeeping import Condensed, Round
    from vaultmem.memory.compaction.cost import Estimate
    from vaultmem.memory.compaction.runner import Outcome


class Compacting(Knowing):
    """Make what is old short, and do what is due."""

    def compact(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False
    ) -> Compacted:
        """Compact what is due; *force* takes what waits outside the immediate window as well.

        *redo_degraded* writes again what the offline summarizer wrote in a model's place.
        """
        from vaultmem.memory.compaction import runner as compaction_runner

        self.store.sync_soon()
        name = self.store.require_agent(agent)
        wanted = compaction_runner.Wanted(force, "all" if redo_degraded else "none")
        return self._compacted(compaction_runner.run(self.store, name, self.summarizer, wanted))

    def plan_compaction(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False
    ) -> Outcome:
        """Return what `compact` would do, as a plan; nothing is written."""
        from vaultmem.memory.compaction import runner as compaction_runner

        self.store.sync_soon()
        wanted = compaction_runner.Wanted(force, "all" if redo_degraded else "none")
        return compaction_runner.plan(
            self.store, self.store.require_agent(agent), self.summarizer, wanted
        )

    def _follow_up(self, agent: str, op: str = "") -> Outcome:
        """Compact what a write made due; the write stands, whatever comes of that."""
        import logging

        from vaultmem.memory.compaction import runner as compaction_runner

        try:
            if self.store.index.lags:
                self.store.index.sync()
            return compaction_runner.run(self.store, agent, self.summarizer, op=op)
        except VaultError as e:
            logging.getLogger(__name__).warning(
                "what was remembered is safe; compaction waits: %s", e
            )
            return compaction_runner.Outcome(None, reason=f"compaction waits: {e}")

    def estimate(
        self, agent: str = "", *, force: bool = False, redo_degraded: bool = False
    ) -> Estimate:
        """Return what `compact` would cost now, without asking a model."""
        from vaultmem.memory.compaction import cost
        from vaultmem.memory.compaction import runner as compaction_runner

        self.store.sync_soon()
        if self.writers.choice().backend == "extractive":
            return cost.Estimate(price=0.0)
        wanted = compaction_runner.Wanted(force, "all" if redo_degraded else "none")
        name, profile = self.store.require_agent(agent), self.writers.priced()
        return cost.compaction(self.store, name, profile, wanted)

    def _compacted(self, outcome: Outcome) -> Compacted:
        if outcome.plan:
            self._forget_replies()
        commits = self.store.writer.settle()
        made = commits.get(outcome.plan.op) if outcome.plan else None
        return Compacted(outcome.compactions, outcome.reason, made)

    def should_compact(self, agent: str = "") -> bool:
        """Tell whether a compaction is due."""
        from vaultmem.memory import compaction

        self.store.sync_soon()
        past = compaction.past(self.store.index, self.store.agent(agent))
        return bool(compaction.due(past, self.store.config()))

    def get_recent_context(self, agent: str = "") -> RecentContext:
        """Return the long-term summary, the newest short-term one, and the immediate memories."""
        from vaultmem.memory import compaction

        self.store.sync_soon()
        past = compaction.past(self.store.index, self.store.agent(agent))
        window = self.store.config().immediate_window
        return RecentContext(
            past.longterm.body if past.longterm else "",
            past.recents[-1].body if past.recents else "",
            tuple(self.store.load(m) for m in past.memories[-window:] if not m.superseded_by),
        )

    def tick(self) -> Round:
        """Do what is due now: half-done writes, ticks, compactions, MEMORY.md, commits, vectors."""
        from vaultmem.api import housekeeping

        done = housekeeping.once(self.store, self.summarizer, ticked=self.tick_off())
        if done.condensed.compactions or done.condensed.folded:
            self._forget_replies()
        self._embed_what_is_new()
        return done

    def tick_soon(self) -> None:
        """Do as `tick` does, in the background; `close` waits for it."""
        self.aside("tick", lambda again: again.tick())

    def tick_off(self, rested: float = math.inf) -> int:
        """Do what people ticked in notes of the inbox; return how many things that were.

        Only where nobody has touched a note since *rested* (Unix time).
        """
        from vaultmem.api import housekeeping

        self.store.sync_soon()
        return housekeeping.tick_off(self.store, self.dreams, rested)

    def _embed_what_is_new(self) -> None:
        """Leave nothing to the next question; who embeds may be away, and it goes by words then."""
        import logging

        try:
            self.retriever.embed(None)
        except (BadInput, IndexFailed, ModelAway) as e:
            logging.getLogger(__name__).warning("vectors wait: %s", e)

    def condense(self) -> Condensed:
        """Do what is due and may ask a model, and commit it; the caller has synced."""
        from vaultmem.api import housekeeping

        made = housekeeping.condense(self.store, self.summarizer)
        if made.compactions or made.folded:
            self._forget_replies()
        self.store.writer.settle()
        return made
