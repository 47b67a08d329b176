"""Who is whose what, as the cards of people tell it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from vaultmem.knowledge.cards import persons
from vaultmem.nlp.extraction.grammar import relations
from vaultmem.records import Record

OWNER = ""
"""Who stands for whose vault it is."""
_BETWEEN = re.compile(r"\s*(?:[,;\u3001\uff0c\uff1b]|\band\b|\bund\b)\s*")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_UNTIL = re.compile(r" \((until [^()]*)\)$")
_LONGEST_NAME = 4
"""Words of a name."""


@dataclass(frozen=True, slots=True)
class Relation:
    """*other* is *one*'s *label*: a friend, a sister; the vault's owner is called `OWNER`."""

    one: str
    other: str
    label: str


def person(record: Record) -> str:
    """Return whom the card *record* is about."""
    return record.person or record.title or record.stem


def between(cards: Sequence[Record]) -> tuple[Relation, ...]:
    """Return what *cards* say people are to the vault's owner and to each other, each once.

    A person without a card is known by what another one's card calls them: `sister: Lena`. What is
    said both ways with one word (`friend`) is said once.
    """
    known = {person(card).casefold(): person(card) for card in cards}
    found: dict[tuple[str, str, str], Relation] = {}
    for card in cards:
        for it in (*_standing(card, known), *_named(card, known)):
            turned = (it.other.casefold(), it.one.casefold(), it.label)
            if it.one.casefold() != it.other.casefold() and turned not in found:
                found.setdefault((it.one.casefold(), it.other.casefold(), it.label), it)
    return tuple(found.values())


def is_owner(card: Record) -> bool:
    """Whether *card* is about the vault's owner."""
    return card.relationship == persons.SELF


def _standing(card: Record, known: dict[str, str]) -> Iterator[Relation]:
    """Yield what a card says its person is: to the owner, or to somebody it names."""
    said = card.relationship
    if not said or said in {persons.SELF, persons.SPEAKER}:
        return
    whose = persons.whose(said)
    one = known.get(whose.casefold(), whose)
    yield Relation(one, person(card), persons.relation(said).replace("_", " "))


def _named(card: Record, known: dict[str, str]) -> Iterator[Relation]:
    """Yield whom the facts of a card name: somebody who has a card, or by a relation's word."""
    whose = OWNER if is_owner(card) else person(card)
    for line in card.facts.split("\n"):
        field, _, value = line.partition(": ")
        until = _UNTIL.search(field)
        label, is_relation = _relation(_UNTIL.sub("", field))
        for name in _names(value):
            if (there := known.get(name.casefold())) or (is_relation and _is_name(name)):
                yield Relation(whose, there or name, f"{label}, {until[1]}" if until else label)


def _relation(field: str) -> tuple[str, bool]:
    """Return what *field* calls each whom it names, and whether that is what people are."""
    one = field.removesuffix("s")
    for word in (one, field):
        if relations.is_relation(word.replace(" ", "-")) or relations.is_relation(
            word.rpartition(" ")[2]
        ):
            return word, True
    return field, False


def _names(value: str) -> Iterable[str]:
    return (name.strip() for name in _BETWEEN.split(_ASIDE.sub("", value)) if name.strip())


def _is_name(text: str) -> bool:
    is_written_so = text[0].isupper() or text[0] >= "\u3040"
    return is_written_so and len(text.split()) <= _LONGEST_NAME and relations.is_name(text)
