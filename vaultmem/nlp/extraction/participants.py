"""Whom a speaker talks of: the speaker, those who were named, those of the present turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from vaultmem.nlp.extraction import relations


class Person(NamedTuple):
    """Somebody: the name or what stands for it, and what they are to the speaker."""

    name: str
    relation: str


@dataclass
class Circle:
    """Whom a speaker talks of: the speaker, those with a name, and those of the present turn."""

    speaker: str
    me: str = "user"
    names: dict[str, Person] = field(default_factory=dict)
    by_relation: dict[str, set[str]] = field(default_factory=dict)
    present: list[Person] = field(default_factory=list)

    def meet(self, name: str, relation: str) -> Person:
        """Remember that *name* is the speaker's *relation*."""
        person = Person(name, relation)
        self.names[name] = person
        self.by_relation.setdefault(relation, set()).add(name)
        return person

    def of(self, relation: str) -> Person:
        """Return the only one with *relation*, or one without a name."""
        names = self.by_relation.get(relation, set())
        return Person(next(iter(names)) if len(names) == 1 else relation, relation)

    def notice(self, person: Person) -> None:
        """Remember that the present turn speaks of *person*."""
        if person not in self.present:
            self.present.append(person)

    def meant(self, pronoun: str) -> Person | None:
        """Return whom *pronoun* stands for, if only one of this turn can be meant."""
        found = [person for person in self.present if relations.may_be(person.relation, pronoun)]
        return found[0] if len(found) == 1 and found[0].relation else None
