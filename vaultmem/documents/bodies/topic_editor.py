"""Change in a topic's body what differs between two topics, and no other line.

The reasons of a bullet go with it. A person's prose and sections stay byte for byte, and so does
what a person nested in a bullet, whatever becomes of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TypeVar

from vaultmem.documents.bodies import Fact, Topic, TopicDecision, bullets
from vaultmem.documents.bodies.bullets import LABELS, Bullet
from vaultmem.documents.bodies.line_editor import Bullets, Draft
from vaultmem.documents.bodies.sections import (
    FACTS,
    PATTERNS,
    TOPIC_DECISIONS,
    TOPIC_RULED_OUT,
    Listing,
)
from vaultmem.documents.markdown.outline import AKIN, Entry, likeness, sections

T = TypeVar("T")
_Item = TypeVar("_Item", Fact, TopicDecision)

_ORDER = [FACTS.heading, TOPIC_DECISIONS.heading, TOPIC_RULED_OUT.heading, PATTERNS.heading]


def update_topic(body: str, old: Topic, new: Topic) -> str:
    """Return *body* with what changed from *old* to *new*.

    When *old* is what *body* says, the result says *new*. What *body* says besides, a person added
    since: it stays.
    """
    body = _update(body, FACTS, old.facts, new.facts)
    body = _update(body, TOPIC_DECISIONS, old.decisions, new.decisions)
    body = _update(body, TOPIC_RULED_OUT, old.eliminated, new.eliminated)
    return _update(body, PATTERNS, old.patterns, new.patterns)


def _update(body: str, listing: Listing[T], old: Sequence[T], new: Sequence[T]) -> str:
    is_now = [bullet for _, bullet in listing.entries(sections(body))]
    return Bullets(
        begin=partial(Draft, body, listing.heading, _ORDER),
        read=listing.entries,
        key=attrgetter("text"),
        write=lambda bullet, lead: bullets.write(bullet, listing.parts, lead),
        amend=_amend,
    ).changed(_merged(is_now, listing.bullets(old), listing.bullets(new)))


def _merged(is_now: list[Bullet], old: list[Bullet], new: list[Bullet]) -> list[Bullet]:
    """Return *is_now* with what changed from *old* to *new*."""
    if is_now == old:
        return new
    was, will = ({bullet.text: bullet for bullet in each} for each in (old, new))
    kept = [bullet for bullet in is_now if bullet.text in will or bullet.text not in was]
    known = {*was, *(bullet.text for bullet in is_now)}
    changed = [
        will[bullet.text] if was.get(bullet.text) != will.get(bullet.text) else bullet
        for bullet in kept
    ]
    return changed + [bullet for bullet in new if bullet.text not in known]


def _amend(draft: Draft, entry: Entry, was: Bullet, now: Bullet) -> None:
    """Change the parts of *entry*, whose text stays."""
    if was.sources != now.sources:
        draft.replace(entry.own, _resourced(entry, now.sources))
    at, lead = entry.own[-1].at + 1, " " * entry.own[0].indent + "  - "
    for label in LABELS:
        lines = entry.nested.get(label, [])
        if was.labelled(label) != now.labelled(label):
            text = bullets.labelled(now, label, lines[0].lead if lines else lead)
            if lines:
                draft.replace(lines, text)
            else:
                draft.insert(at, [text])
        at = lines[-1].at + 1 if lines else at


def _resourced(entry: Entry, sources: Sequence[str]) -> str:
    """Return the line of *entry* with other *sources*, its marks and words as they are."""
    text, _ = bullets.unsourced(bullets.own_text(entry))
    return (entry.own[0].lead + bullets.sourced(text, sources)).rstrip()


def kept(old: Topic, new: Topic) -> Topic:
    """Return *new*, its facts with the whys and hows that *old* has and *new* does not tell.

    They go to the fact with the same words, else to the one most like it; a fact that is gone takes
    them along.
    """
    return replace(
        new,
        facts=_explained(old.facts, new.facts, ("why", "how")),
        patterns=_explained(old.patterns, new.patterns, ("why", "how")),
        decisions=_explained(old.decisions, new.decisions, ("how",)),
    )


def _explained(
    old: Sequence[_Item], new: Sequence[_Item], parts: Sequence[str]
) -> tuple[_Item, ...]:
    """Return *new* with those *parts* that only its like in *old* has."""
    items = list(new)
    explained = [it for it in old if any(getattr(it, part) for part in parts)]
    for was, at in _pairs([it.text for it in explained], [it.text for it in new]):
        known = {part: getattr(items[at], part) or getattr(explained[was], part) for part in parts}
        items[at] = replace(items[at], **known)
    return tuple(items)


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield for each of *old* that stays its place and that of what stays of it in *new*."""
    for was, text in enumerate(old):
        at = max(range(len(new)), key=lambda n: likeness(text, new[n]), default=-1)
        if at >= 0 and likeness(text, new[at]) >= AKIN:
            yield was, at
