"""Where users state what a model wants to note of a person: this fact, this value, this person.

What decides is the grammar by which facts are made offline, so that both take the same for said.
What it does not read is stated where the fact is called by its own name: `my IBAN is DE89`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from vaultmem.documents import bodies, ended_facts
from vaultmem.documents.several_facts import may_have_several
from vaultmem.knowledge.cards import field_names, persons
from vaultmem.knowledge.cards.types import Claim, is_known_category
from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.extraction.grammar.relations import Person
from vaultmem.nlp.extraction.personal_facts import claims, named_fields
from vaultmem.nlp.tasks import ClaimsTask, Utterance
from vaultmem.records import PERSONS
from vaultmem.storage.index import Filter
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_CARDS = Filter(type="card", below="cards")
_ARTICLES = frozenset({"a", "an", "the", "my", "our", "ein", "eine", "einen", "der", "die", "das"})
_LISTED = r",? (?:and|und|&) |[,;\u3001]\s*|[\u548c\u53ca]"


class StatedFact(NamedTuple):
    """In which sentence of which turn, by its number from 0, a user states a fact."""

    turn: int
    sentence: str


class Whom(NamedTuple):
    """Whose card a claim goes to: all *names* of theirs, and what they are to the owner, if known.

    Among the names of the owner is "", by which they speak where no speaker is named.
    """

    names: tuple[str, ...]
    relation: str = ""

    def is_called(self, name: str) -> bool:
        """Tell whether *name* is one of theirs."""
        return name.casefold() in {each.casefold() for each in self.names}


class _Reading(NamedTuple):
    """What the grammar reads in a sentence: of whom, as their card calls the fact, and the value.

    *ends* are values that hold no longer by it; of a fact whose time *is_over*, "" stands for any.
    """

    at: StatedFact
    whom: str
    relation: str
    field: str
    value: str
    ends: frozenset[str] = frozenset()
    is_over: bool = False


def find(
    store: Store, turns: Sequence[Turn], own: Mapping[int, str], claim: Claim, whom: Whom
) -> list[StatedFact]:
    """Return where users state *claim*, which is of *whom*, so that it holds now, in order.

    The *own* words of users are given by the number of their turn among *turns*.
    """
    voices = {persons.speaker(turns[n].speaker, store.config().owner) for n in own}
    me = store.config().owner or (voices.pop() if len(voices) == 1 else "")
    whom = whom._replace(names=(*whom.names, me)) if "" in whom.names else whom
    speakers = {n: persons.speaker(turns[n].speaker, me) for n in own}
    is_alone = set(speakers.values()) <= {me}
    heard = ClaimsTask(tuple(_utterances(turns, own, speakers)))
    field = _field(claim.field)
    read = [
        it
        for each in _stated(heard, tuple(_known(store, whom, with_relations=is_alone)))
        for it in _readings(each, speakers)
        if _is_of(it, whom) and field_names.are_equal(it.field, field)
    ]
    value = str(claim.value)
    found = [it.at for n, it in enumerate(read) if _holds(it, read, n, value)]
    return found or [*_named(own, speakers, field, value, whom)]


@lru_cache(maxsize=1)
def _stated(heard: ClaimsTask, known: tuple[Person, ...]) -> tuple[bodies.Claim, ...]:
    """Return what *heard* states, read once: of one talk a model notes several facts in a row."""
    return tuple(claims.statements(heard, known))


def _utterances(
    turns: Sequence[Turn], own: Mapping[int, str], speakers: Mapping[int, str]
) -> Iterator[Utterance]:
    for n, turn in enumerate(turns):
        if n in own:
            yield Utterance(own[n], speakers[n], "user", turn.at, str(n), "here")
        elif turn.role == "assistant":
            yield Utterance(turn.content, "", turn.role, turn.at, str(n), "here")


def _known(store: Store, whom: Whom, *, with_relations: bool) -> Iterator[Person]:
    """Yield who is known by a name that is nobody else's, on the cards, and *whom*.

    What they are to the owner is only taken of a card that people vouch for.
    """
    called: defaultdict[str, set[str]] = defaultdict(set)
    relation: defaultdict[str, set[str]] = defaultdict(set)
    for card in store.index.records(_CARDS, body=False):
        is_self = card.relationship.casefold() in {persons.SELF, persons.SPEAKER}
        for name in () if is_self else names_of(card.person):
            called[name].add(card.person.casefold())
            if with_relations and card.trust in PERSONS and not persons.whose(card.relationship):
                relation[name].add(card.relationship.casefold())
    for name in whom.names:
        called[name].update([] if called[name] else [name.casefold()])
    for name, people in called.items():
        if name and len(people) == 1 and len(relation[name]) <= 1:
            yield Person(name, next(iter(relation[name]), ""))


def names_of(person: str) -> tuple[str, ...]:
    """Return what *person* is called: the whole name, and the first if it is one."""
    first = person.partition(" ")[0]
    return (person, first) if first != person and relations.is_name(first) else (person,)


def _field(field: str) -> str:
    """Return the plain name of *field*, without the category that it may stand in."""
    first, _, rest = field.partition(".")
    return field_names.plain(rest if rest and is_known_category(first.casefold()) else field)


def _readings(read: bodies.Claim, speakers: Mapping[int, str]) -> Iterator[_Reading]:
    """Yield on whose cards what is *read* may stand, and how it is called there."""
    number = int(read.origin)
    ended = ended_facts.ended(read.field)
    ends = frozenset(map(_plain, read.ends)) or frozenset({""} if ended else ())
    relation = relations.in_english(read.relationship)
    of = _Reading(
        StatedFact(number, read.said), read.person, relation,
        field_names.plain(ended or read.field), read.value, ends, is_over=bool(ended),
    )  # fmt: skip
    yield of
    mine = of._replace(whom=speakers[number], relation=persons.SELF)
    if relation == persons.SELF:
        yield mine
    elif relation:
        is_name = read.field == persons.NAME
        field = relation if is_name else f"{relation}_{of.field}"
        yield mine._replace(field=field_names.plain(field))
        if is_name and relations.category(read.relationship) == "pets":
            yield mine._replace(field="pets")


def _is_of(read: _Reading, whom: Whom) -> bool:
    is_alike = field_names.are_equal(field_names.plain(read.relation), whom.relation)
    return whom.is_called(read.whom) and (not whom.relation or not read.relation or is_alike)


def _holds(it: _Reading, read: Sequence[_Reading], number: int, value: str) -> bool:
    """Tell whether *it*, of that *number*, says *value*, and nothing *read* behind it another."""
    if it.is_over or not _says(value, [each for each in read if each.at == it.at]):
        return False
    parts = _parts(value)
    later = [each for each in read[number:] if each.at != it.at]
    is_ended = any(each.ends & (parts | {""}) for each in (it, *later))
    is_other = any(_plain(each.value) not in parts and not each.is_over for each in later)
    return not is_ended and (may_have_several(it.field) or not is_other)


def _says(value: str, read: Sequence[_Reading]) -> bool:
    """Tell whether *value* is what is *read*, or all of what it lists is."""
    known = {_plain(each.value) for each in read}
    known |= {part for each in read if may_have_several(each.field) for part in _parts(each.value)}
    listed = _parts(value) - {_plain(value)}
    return _plain(value) in known or (bool(listed) and listed <= known)


def _parts(value: str) -> set[str]:
    """Return *value* and what it lists, each in plain words."""
    return {_plain(each) for each in (value, *re.split(_LISTED, value))} - {""}


def _plain(value: str) -> str:
    words = re.findall(r"[^\W_]+", value.casefold())
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(words)


def _named(
    own: Mapping[int, str], speakers: Mapping[int, str], field: str, value: str, whom: Whom
) -> Iterator[StatedFact]:
    """Yield where *own* words call the *field* by its name, as `my iban` or `Sarah's iban`."""
    for n, text in own.items():
        owners = [*filter(None, whom.names), *[""] * whom.is_called(speakers[n])]
        for sentence in claims.earnest(text):
            if any(named_fields.states(sentence, it, field, value) for it in owners):
                yield StatedFact(n, sentence)
