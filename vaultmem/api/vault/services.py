"""The doors to what is known: cards, topics, tasks, experiences, dreams, forgetting, and why."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from vaultmem.api.vault.base import Opened
from vaultmem.config import agent_name

if TYPE_CHECKING:
    from vaultmem.api.agent_files.service import Reach
    from vaultmem.knowledge.cards import Cards
    from vaultmem.knowledge.review import Reviews
    from vaultmem.knowledge.sharing import Shares
    from vaultmem.knowledge.tasks.service import Tasks
    from vaultmem.knowledge.topics.service import Topics
    from vaultmem.maintenance.dream import Dreams, Planned
    from vaultmem.maintenance.dream.gates import Gates
    from vaultmem.maintenance.forgetting import Forgetting, Forgotten
    from vaultmem.maintenance.provenance import Why
    from vaultmem.memory.experiences import Experiences
    from vaultmem.memory.working.service import Workbench


class Knowing(Opened):
    """What a vault knows, by the part that looks after it."""

    @cached_property
    def cards(self) -> Cards:
        """The cards: what is known of persons and things, each fact with who said it."""
        from vaultmem.knowledge.cards import Cards

        return Cards(self.store)

    @cached_property
    def topics(self) -> Topics:
        """The topics: what lasts, by subject."""
        from vaultmem.knowledge.topics.service import Topics

        return Topics(self.store)

    @cached_property
    def experiences(self) -> Experiences:
        """What came of tasks: what was tried, how it ended, what to take from that."""
        from vaultmem.memory.experiences import Experiences

        return Experiences(self.store)

    @cached_property
    def tasks(self) -> Tasks:
        """The task graph: what is to be done, by whom, and what waits for what."""
        from vaultmem.knowledge.tasks.service import Tasks

        return Tasks(self.store)

    def workbench(self, agent: str = "") -> Workbench:
        """Return *agent*'s working memory: goal, plan, todo list, scratchpad of its task."""
        from vaultmem.memory.working.service import Workbench

        return Workbench(self.store, agent_name(self.store.agent(agent)))

    def reach(self, agent: str = "") -> Reach:
        """Return the files of the vault as *agent* may read and write them, by path."""
        from vaultmem.api.agent_files.service import Reach

        return Reach(self.store, lambda: self.forgetting, agent)

    @cached_property
    def shares(self) -> Shares:
        """What agents offer to all: memories as facts of shared topics."""
        from vaultmem.knowledge.sharing import Shares

        return Shares(self.store)

    @cached_property
    def reviews(self) -> Reviews:
        """What nobody vouches for yet, and waits for a person."""
        from vaultmem.knowledge.review import Reviews

        return Reviews(self.store)

    @cached_property
    def dreams(self) -> Dreams:
        """Dreams: plans that clean the vault up, applied in one commit each, and taken back."""
        from functools import partial

        from vaultmem.maintenance.dream import Dreams, recall_gate

        judge = partial(recall_gate.judge, self.store)
        return Dreams(self.store, lambda: self.summarizer, judge, self._gates)

    def _gates(self) -> Gates:
        from vaultmem.maintenance.dream.gates import Gates

        config = self.store.config()
        return Gates(config.dream, config.dream_hours, config.dream_sessions)

    @cached_property
    def forgetting(self) -> Forgetting:
        """Forgetting: find what it would take, forget it, purge it from the history."""
        from vaultmem.maintenance.forgetting import Forgetting

        return Forgetting(self.store, self.summarizer)

    def dream(self) -> Planned:
        """Look for what would be better, and put it before a person as a note in the inbox.

        `dreams.apply` does what was chosen. Raises Busy while another dream is at work.
        """
        return self.dreams.plan()

    def dream_if_due(self) -> int:
        """Plan a dream where it is time, and do of it what the config allows unasked.

        Return how many changes were made. Raises Refused when recall would suffer.
        """
        from vaultmem.maintenance.dream.planner import is_safe

        planned, how = self.dreams.plan(if_due=True), self.store.config().dream_apply
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

    def why(self, ref: str, *, agent: str = "") -> Why:
        """Return the chain from what *ref* means down to what was said, and its commits.

        *ref* is an id, a path, `path:line`, a name, a wikilink, or words of a fact. Raises BadInput
        when it means nothing.
        """
        from vaultmem.maintenance import provenance

        return provenance.trace(self.store, ref, self.store.require_agent(agent) if agent else "")
