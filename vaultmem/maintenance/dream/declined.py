"""What a person never wants proposed again: a note of the inbox that outlives the reviews.

Each line is what a box that was struck out said, with what the person wrote behind it; whoever
deletes the line lets it be proposed again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import bullets
from vaultmem.errors import Unreadable
from vaultmem.knowledge.cards import names
from vaultmem.maintenance.dream import review_note
from vaultmem.maintenance.dream.inbox import PendingReview
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

PATH = "inbox/declined.md"

_LINE = re.compile(r"\s*[-*+]\s+`(?P<id>[0-9a-f]{8})`\s*(?P<said>.*)")
_CARD = re.compile(r"card (?P<path>cards/\S+\.md)\b")
_NEW = """\
---
type: inbox
title: Declined
description: What was struck out in dreams, and is not proposed again.
---
# Declined

What you struck out in a dream's note stands here, and no dream proposes it again, even when that
note is gone. Delete a line to have it proposed again (and the `-` in its note, if that is there).

"""


@dataclass(frozen=True, slots=True)
class Declined:
    """The ids of what was struck out; of cards, which key shall not say what was said where."""

    ids: frozenset[str] = frozenset()
    facts: frozenset[tuple[str, str]] = frozenset()


def load(store: Store) -> Declined:
    """Return what was struck out for good; nothing where the note is gone or cannot be read."""
    found = [m for line in _text(store).splitlines() if (m := _LINE.match(line))]
    facts = frozenset(fact for m in found for fact in _facts(m["said"]))
    return Declined(frozenset(m["id"] for m in found), facts)


def _facts(said: str) -> Iterator[tuple[str, str]]:
    """Yield the key of the card that a line is about, with each of its sources."""
    if card := _CARD.match(said):
        _, key = names.split(names.of_path(card["path"]))
        yield from ((key, source) for source in bullets.unsourced(said)[1])


def _text(store: Store) -> str:
    data = store.texts.read_if_allowed(PATH)
    try:
        return frontmatter.decode(data) if data else ""
    except Unreadable:  # fsck tells of it
        return ""


def note(store: Store, notes: Iterable[PendingReview]) -> frozenset[str]:
    """Note what was struck out in *notes* and is not noted yet; return the ids.

    What is ticked as well is for a person to clear, and what was done is done.
    """
    waiting = list(notes)
    if not any(w.review.boxes.declined for w in waiting):
        return frozenset()
    known = load(store).ids
    lines: dict[str, str] = {}
    for each in waiting:
        done = each.review.applied | each.review.boxes.ticked | known
        sources = {p.id: p.sources for p in each.dream.proposals} if each.dream else {}
        for name, said in review_note.struck(frontmatter.decode(each.data)).items():
            if name not in done:
                lines[name] = f"- `{name}` {bullets.sourced(said, tuple(sources.get(name, ())))}"
    if lines:
        _write(store, lines)
    return frozenset(lines)


def _write(store: Store, lines: Mapping[str, str]) -> None:
    old = store.texts.read(PATH)
    text = frontmatter.decode(old) if old else _NEW
    eol = "\r\n" if "\r\n" in text else "\n"
    text += eol * (not text.endswith("\n"))
    text += "".join(f"{line}{eol}" for line in lines.values())
    change = Change(PATH, old, text.encode(), "was struck out")
    subject = f"review a dream: {len(lines)} struck out for good"
    store.apply(Plan(store.mint(), "dream-review", subject, (change,)))
    store.writer.commit_pending()
