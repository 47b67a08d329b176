"""What a topic holds of one kind, each told once: items that are new join those that are there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Generic, Self, TypeVar

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

    @cached_property
    def _known(self) -> KnownFacts:
        return KnownFacts(it.text for it in self._items)

    @cached_property
    def _claims(self) -> KnownClaims:
        return KnownClaims(it.text for it in self._items)

    @property
    def items(self) -> tuple[_Item, ...]:
        """All of them, in order."""
        return tuple(self._items)

    def tells(self, new: _Item) -> bool:
        """Tell whether one of these tells the same as *new*."""
        return any(similarity.same(new.text, it.text) for it in self._items)

    def is_about(self, new: _Item) -> bool:
        """Tell whether one of these is told again, or put right, by *new*."""
        return self.tells(new) or self._replaced(new) is not None

    def without(self, goes: Callable[[_Item], bool]) -> Self:
        """Return these, but those that *goes* tells of."""
        left = [it for it in self._items if not goes(it)]
        return self if len(left) == len(self._items) else type(self)(left)

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
