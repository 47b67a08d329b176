"""Take out of a card what the program put there from what is not to be told any more.

A person's facts stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from vaultmem.knowledge.cards import names, patching
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.types import HAND, OWN, Claim, Text
from vaultmem.maintenance.forgetting import redaction
from vaultmem.maintenance.forgetting.redaction import Copies, DistinctiveWords
from vaultmem.storage import withheld_lines
from vaultmem.storage.tombstones import MARK


@dataclass(frozen=True, slots=True)
class ForgottenWords:
    """What is forgotten, as the texts of one card are asked about it.

    *copies* are no other text, *first* gives it away whoever else says it, *raw* where no memory
    that stays does; *said* are its texts, *stays* those of the other memories that the card rests
    on. A card that *is_linked* names the forgotten as a source.
    """

    copies: Copies
    first: DistinctiveWords
    raw: DistinctiveWords
    said: Sequence[str]
    stays: Sequence[str]
    is_linked: bool

    def says(self, text: str) -> bool:
        """Tell whether *text* is the forgotten's: its words, and no other source's."""
        if self.copies.stand_in(text) or (self.is_linked and self.first.repeats(text)):
            return not _stand_in(text, self.stays)
        if not self.is_linked:
            return self.raw.says(text) and _stand_in(text, self.said)
        return _stand_in(text, self.said) and not _stand_in(text, self.stays)


@dataclass(frozen=True, slots=True)
class CardRedaction:
    """A *card* without the texts of which *is_of_it* tells that they go.

    Its facts of the *moments* at which that was said go, too, where none of the texts that *stays*
    says them, and those of *fields* in any case. What somebody is to whom, which no card is
    without, has a mark in its place.
    """

    card: Card
    is_of_it: Callable[[str], bool]
    stays: Sequence[str] = ()
    moments: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()

    def claims(self, now: str) -> list[Claim]:
        """Return what to say of the card so that it does not tell it any more."""
        left = {field: self._left(field) for field in self._ours() if self._may_go(field)}
        due = {field: value for field, value in left.items() if value != self._held(field)}
        return [
            claim
            for field, value in due.items()
            for claim in self._claims_without(field, value, now)
        ]

    def is_empty(self) -> bool:
        """Tell whether nothing is left that a person wrote, or that stands on something else."""
        ours = self._ours()
        if set(self.card.attributes) != set(ours):
            return False
        return not any(self._left(field) for field in ours if field not in OWN or field == _STORY)

    def is_said_by_hand(self) -> bool:
        """Tell whether what a person wrote there, which stays, says it in its words."""
        own = (f for f in self.card.attributes if f not in {*self._ours(), *_WHO})
        items = (item for f in own for item in _items(f, self._held(f)))
        return any(map(self.is_of_it, items))

    def _ours(self) -> tuple[str, ...]:
        """Return the attributes that the program wrote and that nobody mended."""
        marks = self.card.marks
        return tuple(f for f in self.card.attributes if HAND not in marks[f].sources)

    def _may_go(self, field: str) -> bool:
        return field not in _WHO or (field == _RELATION and field in self.fields)

    def _held(self, field: str) -> Text:
        return self.card.attributes[field]

    def _left(self, field: str) -> Text:
        held = self._held(field)
        if field in self.fields:
            return withheld_lines.INSTEAD if field == _RELATION else ""
        if field == _STORY:
            return "\n\n".join(p for p in str(held).split("\n\n") if not self.is_of_it(p))
        if isinstance(held, str):
            return "" if self.is_of_it(held) or self._is_of_then(field, held) else held
        return tuple(item for item in held if not self.is_of_it(item))

    def _is_of_then(self, field: str, held: str) -> bool:
        """Tell whether a fact in words of its own, such as a date, was drawn from what goes."""
        is_then = self.card.marks[field].at in self.moments
        return is_then and not _stand_in(held, self.stays)

    def _claims_without(self, field: str, value: Text, now: str) -> Iterator[Claim]:
        """Yield the claims that take a fact away, and put in its place what is left of it."""
        mark = self.card.marks[field]
        yield self._claim(field, None, HAND, now)
        if value or field == _STORY:
            yield self._claim(field, value or self._story(), mark.sources[0], mark.at)

    def _story(self) -> str:
        """Return how the rest of the card arose, in the words of another source if there is one."""
        return next((text.strip() for text in self.stays if text.strip()), MARK)

    def _claim(self, field: str, value: Text | None, source: str, at: str) -> Claim:
        category, key = names.split(self.card.name)
        return Claim("", "", category, key, field, value, "", source, at)


_STORY, _RELATION = "backstory", "relationship"
_WHO = frozenset(OWN) - {_STORY}
"""Whom a card concerns and when it holds stays as long as the card does."""


def without(it: CardRedaction, data: bytes, now: str) -> bytes | None:
    """Return *data*, the bytes of a card, without what goes; None when nothing is left of it.

    Raises Refused for lines that cannot be edited alone.
    """
    claims = it.claims(now)
    if not claims:
        return data
    if it.is_empty():
        return None
    made = patching.change(data, it.card.path, claims, now, "", strategy="overwrite")
    return made.text or data


def _items(field: str, held: Text) -> tuple[str, ...]:
    if isinstance(held, str):
        return tuple(held.split("\n\n")) if field == _STORY else (held,)
    return held


def _stand_in(text: str, others: Sequence[str]) -> bool:
    """Tell whether the words of *text* stand in one of *others*, in a row."""
    spoken = redaction.words(text)
    return any(redaction.stand_in(spoken, redaction.words(other)) for other in others)
