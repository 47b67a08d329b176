"""Review: what nobody has vouched for, with what it hides and looks like, to accept or to drop."""

from __future__ import annotations

from dataclasses import dataclass

from vaultmem.api.types import ReviewItem
from vaultmem.web.types import Asked, Page, Reader

_INBOX = "inbox/review/"
MOST = 200


@dataclass(frozen=True, slots=True)
class Item:
    """What waits; only a copy in the inbox is dropped, the rest is forgotten."""

    item: ReviewItem
    may_be_dropped: bool


@dataclass(frozen=True, slots=True)
class Review:
    """All that waits, the first of it shown."""

    items: tuple[Item, ...]
    more: int


def query(reader: Reader, asked: Asked) -> Review:
    """Return what waits now: the past waits for nobody."""
    agent = asked.options.agent
    found = [it for it in reader.vault.reviews.list() if not agent or it.agent in {"", agent}]
    shown = tuple(Item(it, it.path.startswith(_INBOX)) for it in found[:MOST])
    return Review(shown, max(len(found) - MOST, 0))


PAGE = Page("/review", "Review", "review.html", query)
