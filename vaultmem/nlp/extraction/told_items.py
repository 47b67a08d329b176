"""What a topic holds of one kind, each told once: items that are new join those that are there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Generic, TypeVar

from vaultmem.documents.bodies import Fact, TopicDecision, TopicEliminated
from vaultmem.nlp.extraction.known_claims import KnownClaims
from vaultmem.nlp.extraction.talk import similarity
from vaultmem.nlp.extraction.talk.known_facts import KnownFacts

_Item = TypeVar("_Item", Fact, TopicDecision, TopicEliminated)


class ToldItems(Generic[_Item]):
    """Facts, decisions or what was ruled out, each told once."""

    def __init__(self, items: Iterable[_Item]) -> None:
        """Begin with the *items* that are there."""
        self._items: list[_Item] = list(items)
        texts = [it.text for it in self._items]
        self._known, self._claims = KnownFacts(texts), KnownClaims(texts)

    @property
    def items(self) -> tuple[_Item, ...]:
        """All of them, in order."""
        return tuple(self._items)

    def is_about(self, new: _Item) -> bool:
        """Tell whether one of these is told again, or put right, by *new*."""
        again = any(similarity.same(new.text, it.text) for it in self._items)
        return again or self._replaced(new) is not None

    def add(self, new: _Item) -> None:
        """Add *new*: to the sources of one alike, in the place of what it replaces, or last."""
        at = self._known.place(new.text)
        if at is not None:
            sources = dict.fromkeys(chain(self._items[at].sources, new.sources))
            self._items[at] = replace(self._items[at], sources=tuple(sources))
        elif (at := self._replaced(new)) is not None:
            self._items[at] = new
            self._known.replace(at, new.text)
            self._claims.put(at, new.text)
        else:
            self._known.add(new.text)
            self._claims.put(len(self._items), new.text)
            self._items.append(new)

    def _replaced(self, new: _Item) -> int | None:
        """Return where that stands which *new* replaces: a fact does what it contradicts."""
        return self._claims.contradicted(new.text) if isinstance(new, Fact) else None


def added(held: Iterable[_Item], new: _Item) -> tuple[_Item, ...]:
    """Return the items *held* with a *new* one among them."""
    told = ToldItems(held)
    told.add(new)
    return told.items
