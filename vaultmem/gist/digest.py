"""The newest of what topics hold, for a prompt that has room for a few items only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vaultmem.gist import Topic


def newest(topic: Topic, most: int) -> Topic:
    """Return *topic* with at most *most* bullets: rules first, facts last, the newest of each."""
    patterns = topic.patterns[-most:] if most else ()
    room = most - len(patterns)
    decisions = topic.decisions[-room:] if room else ()
    room -= len(decisions)
    eliminated = topic.eliminated[-room:] if room else ()
    room -= len(eliminated)
    facts = topic.facts[-room:] if room else ()
    return replace(
        topic, patterns=patterns, decisions=decisions, eliminated=eliminated, facts=facts
    )


def size(topic: Topic) -> int:
    """Return how many bullets *topic* has."""
    return sum(map(len, (topic.facts, topic.decisions, topic.eliminated, topic.patterns)))


def shared(topics: Sequence[Topic], most: int) -> list[Topic]:
    """Return as much of each of *topics*, in their order, as *most* bullets among all allow.

    Those with few leave room to the others; where there are too many, the last are left out.
    """
    told = [topic for topic in topics if size(topic)][:most]
    left, shares = most, dict[str, int]()
    for n, topic in enumerate(sorted(told, key=size)):
        shares[topic.slug] = min(size(topic), left // (len(told) - n))
        left -= shares[topic.slug]
    return [newest(topic, shares[topic.slug]) for topic in told]
