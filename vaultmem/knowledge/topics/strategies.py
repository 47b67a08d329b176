"""How new facts meet those of a topic: appended, written over, or merged, by rules or a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from vaultmem.documents.bodies import (
    Episode,
    Fact,
    Topic,
    TopicDecision,
    TopicEliminated,
    topic_editor,
)
from vaultmem.knowledge.cards.types import Strategy
from vaultmem.nlp.extraction import contradictions, distillation
from vaultmem.nlp.extraction.durable.durable_facts import Item
from vaultmem.nlp.extraction.talk import fact_equality, similarity
from vaultmem.nlp.extraction.talk.known_facts import KnownFacts
from vaultmem.nlp.summarization.guarded import Guarded
from vaultmem.nlp.tasks import DistillTask, Made

_Item = TypeVar("_Item", Fact, TopicDecision, TopicEliminated)


def combined(
    before: Topic, facts: Sequence[Fact], strategy: Strategy, *, by_person: bool = False
) -> Topic:
    """Return what *facts*, newer than all it lists, make of the topic *before*, by rules.

    What is said *by_person* may correct what a merge finds there in other words.
    """
    match strategy:
        case "append":
            new = untold(before.items, facts, verbatim=True)
            return replace(before, facts=(*before.facts, *new))
        case "overwrite":
            return replace(before, facts=tuple(_instead(before.facts, facts)))
        case "merge":
            held = _worded(before, facts) if by_person else before
            return topic_editor.kept(before, distillation.merged(held, facts))


def _worded(before: Topic, facts: Iterable[Fact]) -> Topic:
    """Return the topic *before* with its facts as *facts* word them."""
    texts = [fact.text for fact in facts]
    known = KnownFacts(texts)
    places = (known.place(fact.text) for fact in before.facts)
    worded = (
        fact if place is None else replace(fact, text=texts[place])
        for fact, place in zip(before.facts, places, strict=True)
    )
    return replace(before, facts=tuple(worded))


def untold(known: Iterable[Item], facts: Iterable[Fact], *, verbatim: bool) -> tuple[Fact, ...]:
    """Return those of *facts* that neither what is *known* nor one of them ahead tells.

    Where it is to be *verbatim*, the same words tell it alone: no rule is so sure that two wordings
    are one fact that a text which was given to be kept may go nowhere.
    """
    told, new = KnownFacts(it.text for it in known), list[Fact]()
    for fact in facts:
        if not told.tells(fact.text, verbatim=verbatim):
            told.add(fact.text)
            new.append(fact)
    return tuple(new)


def _instead(old: Iterable[Fact], facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield *facts*, each once; one that stood there word for word keeps what hangs on it."""
    known = {fact.text: fact for fact in old}
    for text, fact in {fact.text: fact for fact in facts}.items():
        was = known.get(text, fact)
        yield replace(was, sources=_union(was.sources, fact.sources))


def merged(
    ask: Guarded, before: Topic, facts: Sequence[Fact], agent: str, *, by_person: bool = False
) -> Made[Topic]:
    """Return the topic *before* with *facts*, as a model words it, else by the rules.

    All *facts* have the same sources, first the memory that holds them. Of the answer this topic
    alone is taken, and what it does not tell of them is added by the rules.
    """
    ruled = combined(before, facts, "merge", by_person=by_person)
    if ask.is_offline:
        return Made(ruled, "", "")
    memory, *links = facts[0].sources
    episode = Episode(before.title, "\n".join(fact.text for fact in facts))
    made = ask.topics(DistillTask(((memory, episode),), (before,), agent))
    found = next((t for t in made.value if t.slug == before.slug), None)
    if made.degraded or found is None:
        return Made(ruled, "", "", made.degraded)
    worded = replace(
        before,
        facts=_linked(found.facts, memory, links),
        decisions=_linked(found.decisions, memory, links),
        eliminated=_linked(found.eliminated, memory, links),
        patterns=_linked(found.patterns, memory, links),
    )
    whole = topic_editor.kept(before, worded)
    left = [fact for fact in facts if not is_told(whole, fact)]
    return Made(distillation.merged(whole, left), made.model, made.prompt)


def is_told(topic: Topic, fact: Fact) -> bool:
    """Tell whether *topic* says *fact*, in whatever words, and names its first source for it."""
    return any(fact.sources[0] in it.sources and _tells(it.text, fact.text) for it in topic.items)


def _tells(text: str, fact: str) -> bool:
    if fact_equality.is_one_fact(fact, text):
        return True
    is_related = similarity.is_related(similarity.items(fact), similarity.items(text))
    return is_related and not contradictions.contradicts(fact, text)


def _linked(items: Iterable[_Item], memory: str, links: Sequence[str]) -> tuple[_Item, ...]:
    """Return *items*, those that come from *memory* with the *links* that it rests on."""
    return tuple(
        replace(it, sources=_union(it.sources, links)) if memory in it.sources else it
        for it in items
    )


def _union(one: Iterable[str], two: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain(one, two)))
