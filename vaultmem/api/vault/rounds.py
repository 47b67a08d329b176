"""Rounds of housekeeping: what is due, done in one pass."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from vaultmem import arguments
from vaultmem.api.vault.runtime import Part, Runtime
from vaultmem.errors import BadInput, IndexFailed, ModelAway

if TYPE_CHECKING:
    from vaultmem.api.housekeeping import Condensed, Round
    from vaultmem.maintenance.dream.gates import Gates
    from vaultmem.maintenance.dream.service import Dreams


@arguments.checked
class Rounds(Part):
    """Do what is due in a vault: ticked boxes, compactions, folds, commits, dreams."""

    def run(self) -> Round:
        """Do what is due now: half-done writes, ticks, compactions, MEMORY.md, commits, vectors.

        Raises BadInput for settings that name nobody who summarizes, once all else is done.
        """
        from vaultmem.api import housekeeping

        ticked = self.apply_ticked_boxes()
        try:
            summarizer = self._runtime.summarizer
        except BadInput:
            self._store.sync()
            housekeeping.commit_pending(self._store)
            raise
        done = housekeeping.once(self._store, summarizer, ticked=ticked)
        if done.condensed.compactions or done.condensed.folded:
            self._runtime.forget_replies()
        self._embed_what_is_new()
        return done

    def run_soon(self) -> None:
        """Do as `run` does, in the background; closing the vault waits for it."""
        self._runtime.run_in_background("tick", lambda again: Rounds(again).run())

    def commit_soon(self) -> None:
        """Commit what was written in the background, unless a daemon does; nobody waits for it."""
        if not self._runtime.watched:
            self._runtime.run_in_background("commit all", Runtime.commit_pending)

    def point_at_the_first(self) -> None:
        """Let a MEMORY.md that leads nowhere lead to the first memories, in a commit of its own.

        Who writes once and goes has no round that does it, unless a daemon watches.
        """
        if not self._runtime.watched:
            self._runtime.attempt(self._point_at_the_first, None)

    def _point_at_the_first(self) -> None:
        from vaultmem.memory import pointed_index, pointed_records
        from vaultmem.storage.plan import Plan

        if not pointed_records.leads_nowhere(self._store):
            return
        if listed := pointed_index.change(self._store, ()):
            self._store.apply(Plan(self._store.mint(), "index", f"index: {listed[0].path}", listed))
            self._store.writer.commit_pending()

    def apply_ticked_boxes(self, rested: float = math.inf) -> int:
        """Do what people ticked in notes of the inbox; return how many things that were."""
        from vaultmem.api import housekeeping

        return housekeeping.tick_off(self._store, self.dreams, rested)

    def _embed_what_is_new(self) -> None:
        """Leave nothing to the next question; who embeds may be away, and it goes by words then."""
        import logging

        try:
            self._runtime.retriever.embed(None)
        except (BadInput, IndexFailed, ModelAway) as e:
            logging.getLogger(__name__).warning("vectors wait: %s", e)

    def compact_all(self) -> Condensed:
        """Compact and fold what is due, and commit it; may ask a model. The caller has synced."""
        from vaultmem.api import housekeeping

        made = housekeeping.condense(self._store, self._runtime.summarizer)
        if made.compactions or made.folded:
            self._runtime.forget_replies()
        self._store.writer.commit_pending()
        return made

    @cached_property
    def dreams(self) -> Dreams:
        """Dreams: plans that clean the vault up, applied in one commit each, and taken back."""
        from functools import partial

        from vaultmem.maintenance.dream import recall_gate
        from vaultmem.maintenance.dream.service import Dreams

        judge = partial(recall_gate.judge, self._store)
        return Dreams(self._store, lambda: self._runtime.summarizer, judge, self._gates)

    def _gates(self) -> Gates:
        from vaultmem.maintenance.dream.gates import Gates

        config = self._store.config()
        return Gates(config.dream, config.dream_hours, config.dream_sessions)

    def dream(self, *, max_age_days: int = 90, max_episodes: int = 1_000) -> int:
        """Plan a dream where it is time, and do of it what the config allows unasked."""
        from vaultmem.maintenance.dream.planner import is_safe, needs_a_person
        from vaultmem.maintenance.dream.types import Retention

        retention = Retention(max_age_days, max_episodes)
        planned = self.dreams.plan(if_due=True, retention=retention)
        how = self._store.config().dream_apply
        if how == "never" or not planned.proposals:
            return 0
        let = (lambda p: not needs_a_person(p)) if how == "all" else is_safe
        chosen = {p.id for p in planned.proposals if let(p)}
        return len(self.dreams.apply_unasked(chosen).applied) if chosen else 0
