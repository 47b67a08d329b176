"""Which card is about whom: by name, and by whose relation they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vaultmem.documents.bodies import Claim
from vaultmem.errors import BadInput, Unreadable
from vaultmem.knowledge.cards import aliases, names, persons
from vaultmem.maintenance.dream.types import Note, Seen
from vaultmem.nlp.extraction.grammar import relations


def name(seen: Seen, claim: Claim, others: Mapping[str, Claim], owner: str) -> str:
    """Return the card about whom *claim* concerns, as it is or will be called; "" for none.

    *others* has a claim of each card that was named before, *owner* is whose vault it is. What
    somebody says of themselves whom nobody knows is on no card.
    """
    if claim.person == persons.NOBODY:
        return ""
    return _known(seen, claim, owner) or _new(seen, claim, others)


def _known(seen: Seen, claim: Claim, owner: str) -> str:
    """Return the card that the vault has about whom *claim* concerns, best of its category."""
    own = [names.of_path(note.path) for note in _cards(seen) if _is_about(note, claim, owner)]
    fitting = (name for name in own if name.startswith(f"{claim.category}/"))
    return next(fitting, min(own, default=""))


def _cards(seen: Seen) -> Iterator[Note]:
    return (note for note in seen.notes if note.path.startswith(f"{names.FOLDER}/"))


def _is_about(note: Note, claim: Claim, owner: str) -> bool:
    """Whether the card *note* is about whom *claim* concerns: by name, and by whose they are.

    In a vault of nobody's, a card of a wife that does not say whose is that of whoever says so.
    """
    person, known = claim.person.casefold(), note.record.person.casefold()
    if not person or not (known == person or known.startswith(f"{person} (")):
        return bool(person) and _is_alias(note, person)
    mine, its = claim.relationship, note.record.relationship
    if not relations.may_be_one(persons.relation(mine), persons.relation(its)):
        return False
    if persons.whose(mine).casefold() == persons.whose(its).casefold():
        return True
    return not owner and its.casefold() == persons.relation(mine).casefold()


def _is_alias(note: Note, person: str) -> bool:
    """Whether the speaker whose card *note* is, is called *person*, too."""
    if note.record.relationship not in {persons.SELF, persons.SPEAKER}:
        return False
    try:
        held = aliases.of(note.path, note.eol.join((*note.lines, "")).encode())
    except Unreadable:
        return False
    return person in {alias.casefold() for alias in held}


def _new(seen: Seen, claim: Claim, others: Mapping[str, Claim]) -> str:
    """Return what the new card is called, one a person: what is told first has its category.

    Whose relation somebody is stands in its name where another person has that name.
    """
    whose = persons.whose(claim.relationship)
    if same := next((card for card, other in others.items() if _is_one(other, claim)), ""):
        return same
    key = names.key(claim.person)
    taken = {names.split(g)[1] for g in (*others, *(names.of_path(n.path) for n in _cards(seen)))}
    if key in taken:
        relation = names.key(relations.in_english(persons.relation(claim.relationship)))
        of_whom = f"{key}_of_{names.key(whose)}" if whose else f"{key}_{relation}"
        # Two of one name may be theirs: a wife and a daughter.
        key = f"{key}_{relation}_of_{names.key(whose)}" if whose and of_whom in taken else of_whom
    new = f"{claim.category}/{key}"
    try:
        names.new(new)
        if claim.field not in {persons.ALIAS, persons.NAME}:
            names.field(claim.field)
    except BadInput:
        return ""
    return new


def _is_one(claim: Claim, other: Claim) -> bool:
    """Whether both claims are about one person."""
    if claim.person.casefold() != other.person.casefold():
        return False
    mine, its = claim.relationship, other.relationship
    is_of_one = persons.whose(mine).casefold() == persons.whose(its).casefold()
    return is_of_one and relations.may_be_one(persons.relation(mine), persons.relation(its))
