"""Tell whom a Chinese sentence concerns, and what it says of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.documents.patterns import compiled
from vaultmem.nlp.extraction.grammar import relations, traits
from vaultmem.nlp.extraction.grammar.relations import Circle, Person
from vaultmem.nlp.extraction.grammar.traits import Attribute
from vaultmem.nlp.extraction.personal_facts import attributes_zh
from vaultmem.nlp.text import salience

# Chat leaves a gap where a mark would stand.
_CLAUSES = r"[\uff0c,\uff1b;\uff1a:\u3002\uff01!]|(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])"

# Whoever that is: what comes next without a subject may be of them.
_SOMEBODY, _UNKNOWN = f"[\u4ed6\u5979]|{relations.RELATION_ZH}", Person("", "")


def attributes(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield whom *text*, a sentence, concerns and what it says of them.

    A clause without a subject goes on with that of the clause before it.
    """
    if salience.is_question(text) or re.search(attributes_zh.DOUBT, text):
        return
    last: Person | None = None
    before: list[tuple[Person, Attribute]] = []
    is_behind = False
    for part in re.split(_CLAUSES, text):
        clause = re.sub(f"^{attributes_zh.LEAD}", "", part).strip()
        found = list(_named(clause, circle)) or list(_attributes_of_clause(clause, circle, last))
        found = found or list(_pet(clause, before))
        if not (found or last or circle.present or is_behind):
            found = list(_unsaid(clause, circle))
        is_behind = True
        before = found
        last = found[0][0] if found else _topic(clause, circle)
        yield from found
    if not circle.present and re.search(_SOMEBODY, text):
        circle.notice(_UNKNOWN)


def _topic(clause: str, circle: Circle) -> Person | None:
    """Return of whom *clause* tells something that no trait knows, so that the next goes on."""
    found = re.match(f"{attributes_zh.SUBJECT}(?P<rest>.*)", clause)
    if not found or re.search(attributes_zh.REPORTS, found["rest"]):
        return None
    return _person(found, circle)


def _named(clause: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield whom *clause* names: the speaker, or somebody of the speaker's."""
    if mine := re.match(attributes_zh.MY_NAME, clause):
        circle.me = circle.speaker or mine["name"]
        yield Person(circle.me, "self"), Attribute("personal", "name", mine["name"])
    found = re.match(attributes_zh.NAMED, clause) or re.match(attributes_zh.IS_MINE, clause)
    name = (
        next((n for key, n in found.groupdict().items() if n and key != "rel"), "") if found else ""
    )
    if found and not re.search(attributes_zh.NO_NAME, name):
        person = circle.meet(name, found["rel"])
        circle.notice(person)
        yield person, Attribute(relations.category(person.relation), "name", name)


def _pet(clause: str, before: list[tuple[Person, Attribute]]) -> Iterator[tuple[Person, Attribute]]:
    """Yield the name that *clause* gives the pet of which the clause *before* told."""
    named = re.fullmatch("(?:名字|它)?叫做?(?P<v>[\u4e00-\u9fff]{2,4})", clause)
    for person, pet in before if named else ():
        if named and pet.category == "pets":
            yield person, pet._replace(value=named["v"])


def _attributes_of_clause(
    clause: str, circle: Circle, last: Person | None
) -> Iterator[tuple[Person, Attribute]]:
    """Yield what *clause* tells of its subject, or else of *last*, by the first trait that fits."""
    for trait in attributes_zh.PREDICATES:
        if found := compiled(attributes_zh.SUBJECT + trait.pattern).match(clause):
            person = _person(found, circle)
        elif last and (found := trait.match(clause)):
            person = last
        else:
            continue
        if person:
            yield from ((person, _in_english(each)) for each in traits.values(trait, found))
        return


def _unsaid(clause: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield what *clause*, the first of its sentence, tells of its speaker without naming them."""
    for trait in attributes_zh.UNSAID:
        if found := trait.match(clause):
            me = Person(circle.me, "self")
            yield from ((me, each) for each in traits.values(trait, found))
            return


def _in_english(found: Attribute) -> Attribute:
    """Return *found* with a field of ASCII: `favorite_\u989c\u8272` is `favorite_color`."""
    stem, _, thing = found.field.partition("_")
    if found.field.isascii():
        return found
    return found._replace(field=f"{stem}_{attributes_zh.THINGS.get(thing, 'thing')}")


def _person(found: re.Match[str], circle: Circle) -> Person | None:
    """Return who *found* speaks of, None when nobody can tell."""
    if found["self"]:
        return Person(circle.me, "self")
    if found["pron"]:
        return circle.meant(found["pron"])
    name, relation = found["name"], found["rel"]
    if name and re.search(attributes_zh.NO_NAME, name):
        return None
    person = circle.meet(name, relation) if name else circle.of(relation)
    circle.notice(person)
    return person
