"""A topic while what is durable in episodes comes to it: what it holds is read once."""

from __future__ import annotations

from dataclasses import replace

from vaultmem.documents.bodies import Fact, Topic, TopicDecision, TopicEliminated
from vaultmem.nlp.extraction.choices import replacement
from vaultmem.nlp.extraction.durable.durable_facts import Bullet
from vaultmem.nlp.extraction.told_items import ToldItems


class TopicDraft:
    """A topic to which bullets are added, each told once, with all its sources."""

    def __init__(self, before: Topic) -> None:
        """Begin with the topic as it is, or with an empty one."""
        self._before, self.slug, self.title = before, before.slug, before.title
        self._facts, self._patterns = ToldItems(before.facts), ToldItems(before.patterns)
        self._decisions, self._eliminated = (
            ToldItems(before.decisions),
            ToldItems(before.eliminated),
        )

    @property
    def topic(self) -> Topic:
        """The topic with what was added."""
        return replace(
            self._before,
            facts=self._facts.items,
            patterns=self._patterns.items,
            decisions=self._decisions.items,
            eliminated=self._eliminated.items,
        )

    def has(self, bullet: Bullet) -> bool:
        """Tell whether *bullet* is told here."""
        match bullet.item:
            case TopicDecision() as item:
                return self._decisions.tells(item)
            case TopicEliminated() as item:
                return self._eliminated.tells(item)
            case Fact() as item:
                return self._held(bullet, item).tells(item)

    def add(self, bullet: Bullet) -> None:
        """Add *bullet*; the decisions that it replaces go, and so does what it takes up again."""
        match bullet.item:
            case TopicDecision(decision=new) as item:
                taken, again = replacement.takes_the_place, replacement.takes_up
                self._decisions = self._decisions.without(lambda it: taken(new, it.decision))
                self._eliminated = self._eliminated.without(lambda it: again(new, it.eliminated))
                self._decisions.add(item)
            case TopicEliminated(eliminated=gone) as item:
                is_gone = replacement.rules_out
                self._decisions = self._decisions.without(lambda it: is_gone(gone, it.decision))
                self._eliminated.add(item)
            case Fact() as item:
                self._held(bullet, item).add(item)

    def _held(self, bullet: Bullet, fact: Fact) -> ToldItems[Fact]:
        """Return what *fact* goes to: one that is a pattern here is told once more."""
        is_pattern = bullet.kind != "facts" or self._patterns.is_about(fact)
        return self._patterns if is_pattern else self._facts
