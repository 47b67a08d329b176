"""Take what is forgotten out of a topic: bullets that rest on it alone, and those that say it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TypeVar

from vaultmem.documents.bodies import Fact, Topic, TopicDecision, TopicEliminated
from vaultmem.storage import reader

_Sourced = TypeVar("_Sourced", Fact, TopicDecision, TopicEliminated)


def without(topic: Topic, targets: AbstractSet[str], says: Callable[[str], bool]) -> Topic:
    """Return *topic* without the bullets that only *targets* back, and those that say it."""

    def left(found: Iterable[_Sourced]) -> Iterator[_Sourced]:
        for it in found:
            sources = tuple(s for s in it.sources if reader.link_target(s) not in targets)
            if (sources or not it.sources) and not says(_words(it)):
                yield replace(it, sources=sources)

    return replace(
        topic,
        facts=tuple(left(topic.facts)),
        patterns=tuple(left(topic.patterns)),
        decisions=tuple(left(topic.decisions)),
        eliminated=tuple(left(topic.eliminated)),
    )


def _words(it: Fact | TopicDecision | TopicEliminated) -> str:
    if isinstance(it, Fact):
        return it.text
    if isinstance(it, TopicEliminated):
        return f"{it.eliminated.approach}\n{it.eliminated.why}"
    return f"{it.decision.decision}\n{it.decision.reason}\n{it.decision.constraint}"
