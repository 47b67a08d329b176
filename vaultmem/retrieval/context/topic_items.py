"""Which items of topics stand in a context: one number for those found and those beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import islice

from vaultmem.documents.bodies import Topic, markdown, prompt_blocks, topic_editor
from vaultmem.records import Record

_BESIDE = 4
"""What was found leaves one item in so many to the other topics: they are in every context."""

Matches = Callable[[str], int]
"""How many words of the question an item has."""


def divided(
    found: Iterable[Record], others: Iterable[Record], most: int
) -> tuple[Mapping[str, int], list[Record]]:
    """Return how many items each topic *found* may have, by path, and the *others* with theirs.

    Together they have at most *most*; what one part does not need the other may have. A topic
    without items is none of them: its text is a note like any other.
    """
    asked = {r.path: prompt_blocks.size(topic(r)) for r in found if r.type == "topic"}
    asked = {path: size for path, size in asked.items() if size}
    beside = {r.path: r for r in others if r.path not in asked}
    topics = islice(filter(prompt_blocks.size, map(topic, beside.values())), most)
    rest = list(topics)
    kept = min(sum(map(prompt_blocks.size, rest)), most // _BESIDE)
    shares = prompt_blocks.shares(asked, most - kept)
    shown = prompt_blocks.shared(rest, most - sum(shares.values()))
    return shares, [_items_alone(beside[t.slug], t) for t in shown]


def narrowed(record: Record, most: int, matches: Matches, fits: Callable[[Record], bool]) -> Record:
    """Return a topic with at most *most* items, those that match first; its prose where all *fits*.

    Where not even its items alone do, it has fewer of them, at least one.
    """
    whole = topic(record)
    best = prompt_blocks.best(whole, most, matches)
    with_prose = replace(record, body=topic_editor.update_topic(record.body, whole, best))
    # Below a person's own headings nothing is left out.
    short = prompt_blocks.size(topic(with_prose)) <= most
    made = with_prose if short and fits(with_prose) else _items_alone(record, best)
    while most > 1 and not fits(made):
        most //= 2
        made = _items_alone(record, prompt_blocks.best(whole, most, matches))
    return made


def topic(record: Record) -> Topic:
    """Return what *record* lists, named by its path: two folders may have one name."""
    return markdown.read_topic(record.body, record.path, record.title, record.description)


def _items_alone(record: Record, shown: Topic) -> Record:
    return replace(record, body=f"# {shown.title}\n{markdown.render_topic(shown)}")
