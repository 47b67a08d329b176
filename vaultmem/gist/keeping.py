"""Keep what a person said of a fact, why it is so and how to apply it, when its topic is retold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from vaultmem.gist import Fact, Topic, TopicDecision
from vaultmem.gist.outline import words

_AKIN = 0.5
"""The least share of their words that a fact and its later wording have in common."""


def kept(old: Topic, new: Topic) -> Topic:
    """Return *new*, its facts with the whys and hows that *old* has and *new* does not tell.

    They go to the fact with the same words, else to the one most like it; a fact that is gone takes
    them along.
    """
    return replace(
        new,
        facts=_facts(old.facts, new.facts),
        patterns=_facts(old.patterns, new.patterns),
        decisions=_decisions(old.decisions, new.decisions),
    )


def _facts(old: Sequence[Fact], new: Sequence[Fact]) -> tuple[Fact, ...]:
    told = list(new)
    reasoned = [fact for fact in old if fact.why or fact.how]
    for was, at in _pairs([f.text for f in reasoned], [f.text for f in new]):
        why, how = reasoned[was].why, reasoned[was].how
        told[at] = replace(told[at], why=told[at].why or why, how=told[at].how or how)
    return tuple(told)


def _decisions(
    old: Sequence[TopicDecision], new: Sequence[TopicDecision]
) -> tuple[TopicDecision, ...]:
    told = list(new)
    reasoned = [it for it in old if it.how]
    texts = [[it.decision.decision for it in each] for each in (reasoned, new)]
    for was, at in _pairs(*texts):
        told[at] = replace(told[at], how=told[at].how or reasoned[was].how)
    return tuple(told)


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield for each of *old* that stays its place and that of what stays of it in *new*."""
    for was, text in enumerate(old):
        at = max(range(len(new)), key=lambda n: _likeness(text, new[n]), default=-1)
        if at >= 0 and _likeness(text, new[at]) >= _AKIN:
            yield was, at


def _likeness(one: str, two: str) -> float:
    """Return the share of the words of both that they have in common."""
    if one == two:
        return 1.0
    mine, yours = set(words(one).split()), set(words(two).split())
    return 0.99 * len(mine & yours) / max(len(mine | yours), 1)
