"""What becomes of a card when a memory that it was drawn from is corrected: no fact outlives that.

A fact rests on a memory where the card names the memory as a source and the value stands in its
words. What a person wrote, or somebody more trusted than who corrects said, stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultmem.documents import frontmatter
from vaultmem.knowledge.cards import names, parser, patching
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.types import HAND, OWN, Claim, Text

_DENIES = re.compile(
    r"(?i)\b(?:not|no|never|nor|cannot|without)\b|n['\u2019]t\b|[\u4e0d\u6ca1\u6c92\u65e0\u975e]"
)


@dataclass(frozen=True, slots=True)
class Memory:
    """A raw memory: how links name it, and its words."""

    stem: str
    text: str


@dataclass(frozen=True, slots=True)
class Correction:
    """The memory that holds now, who said it and when, and what it claims by person and field."""

    memory: Memory
    source: str
    at: str
    claims: Mapping[tuple[str, str], Text]


def amended(path: str, data: bytes, wrong: Sequence[Memory], right: Correction) -> bytes | None:
    """Return the card at *path*, which holds *data*, without what it drew from *wrong* memories.

    None when nothing in it did. Raises Unreadable for a file that cannot be trusted, Refused for
    lines that cannot be edited alone.
    """
    card = parser.read(path, data)
    mine = {f"[[{memory.stem}]]" for memory in wrong}
    sources = parser.lines(card.raw.get("sources"))
    words = _plain(" ".join(memory.text for memory in wrong))
    claims = list(_claims(card, words, right)) if mine & set(sources) else []
    made = patching.change(data, path, claims, right.at, "", strategy="overwrite")
    if made.text is None:
        return None
    kept = (link for link in sources if link not in mine)
    links = list(dict.fromkeys((*kept, f"[[{right.memory.stem}]]")))
    return frontmatter.edited(made.text, {"sources": links})


def _claims(card: Card, words: str, right: Correction) -> Iterator[Claim]:
    category, key = names.split(card.name)
    person = card.record.person
    claim = Claim(
        person, card.record.relationship, category, key, "", None, right.memory.text, right.source,
        right.at, right.memory.stem,
    )  # fmt: skip
    for field, value in card.attributes.items():
        if HAND in card.marks[field].sources:
            continue
        if field == "backstory":
            story = _with_correction(str(value), words, right.memory.text)
            if story != value:
                yield replace(claim, field=field, value=story)
        elif field not in OWN:
            left = _left(value, words, right.memory.text)
            if left != value:
                yield replace(claim, field=field, value=right.claims.get((person, field), left))


def _left(value: Text, words: str, now: str) -> Text | None:
    """Return what is left of *value* without what stands in *words* and is not said again."""
    items = (value,) if isinstance(value, str) else value
    again = "" if _DENIES.search(now) else _plain(now)
    left = tuple(i for i in items if _plain(i) not in words or (again and _plain(i) in again))
    if left == items:
        return value
    return left if len(left) > 1 else left[0] if left else None


def _with_correction(story: str, words: str, now: str) -> str:
    """Return *story* with *now* in the place of its paragraphs that stand in *words*."""
    paragraphs = story.split("\n\n")
    kept = [p for p in paragraphs if _plain(p) not in words]
    return story if kept == paragraphs else "\n\n".join((*kept, now))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
