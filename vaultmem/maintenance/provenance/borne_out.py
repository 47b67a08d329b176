"""Whether sources that hide something still bear out what was made of them; purely."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from vaultmem.documents.bodies import Claim
from vaultmem.knowledge.cards import persons
from vaultmem.maintenance.provenance import statements, support
from vaultmem.maintenance.provenance.shown_sources import Sources
from vaultmem.maintenance.provenance.support import Heard
from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.extraction.grammar.relations import Person
from vaultmem.nlp.extraction.personal_facts import claims
from vaultmem.nlp.tasks import ClaimsTask, Passage, Utterance
from vaultmem.nlp.text import analysis, salience

_NAMED = re.compile(r".*:[*_]*\s")
"""What a line begins with that tells whose it is, of when, and as what it counts."""


class Whose(NamedTuple):
    """On whose card a fact stands, in the vault of *owner*, "" for nobody's."""

    person: str
    relationship: str
    owner: str

    @property
    def spoke(self) -> bool:
        """Whether it is who said of themselves what stands there."""
        return self.relationship in {persons.SELF, persons.SPEAKER}

    def is_named_in(self, text: str) -> bool:
        """Tell whether *text* names them."""
        return self.person.casefold() in text.casefold()

    def is_of(self, claim: Claim) -> bool:
        """Tell whether *claim*, as it is placed on cards, is of them."""
        if claim.person.casefold() != self.person.casefold():
            return False
        if self.spoke or persons.is_speaker(claim):
            return self.spoke and persons.is_speaker(claim)
        its, mine = (_relation(it) for it in (claim.relationship, self.relationship))
        return not its[1] or its == mine


def _relation(relationship: str) -> tuple[str, str]:
    """Return whose relation it is, and which in English."""
    which = relations.in_english(persons.relation(relationship).casefold())
    return persons.whose(relationship).casefold(), which


def is_lost(said: str, rests: Sources) -> bool:
    """Tell whether a clause of *said* stands on what its sources hide, and on nothing else."""
    if not any(source.is_marked for source in rests):
        return False
    return any(
        _is_clause_lost(clause, rests) or _is_statement_lost(clause, rests)
        for clause in said.split("; ")
    )


def _is_statement_lost(said: str, rests: Sources) -> bool:
    """Tell whether a source hides where it said a sentence of *said*, and none states it.

    Words of one sentence are no statement of another: `Tom lost his keys on the way to his job`.
    """
    return any(_is_hidden(one, rests) for one in analysis.sentences(_NAMED.sub("", said)))


def _is_hidden(said: str, rests: Sources) -> bool:
    less = [source for source in rests if source.states_less(said)]
    if not less:
        return False
    voices = {"", *(p.speaker for source in less for p in source.full.passages)}
    whole = (s.public for s in rests if s.is_own and support.share_heard(said, s.public) == 1.0)
    told = chain.from_iterable(heard.passages for heard in whole)
    may = (p for p in told if p.speaker in voices or not statements.is_own(said))
    return not any(statements.states(said, passage.text) for passage in may)


def _is_clause_lost(said: str, rests: Sources) -> bool:
    if not any(source.tells_less(said) for source in rests):
        return False
    before = support.most_heard(said, (source.full for source in rests))
    if support.most_heard(said, (source.public for source in rests)) < before:
        return True
    all_now, all_before = (s.public for s in rests), (s.full for s in rests)
    return _share_of_all(said, all_now) < _share_of_all(said, all_before)


def _share_of_all(said: str, every: Iterable[Heard]) -> float:
    passages = chain.from_iterable(heard.passages for heard in every)
    return support.share_heard(said, Heard(tuple(passages)))


def is_fact_lost(said: str, own: Sources) -> bool:
    """Tell whether what a fact was drawn from, *own*, says it no more."""
    if any(source.tells_less(said) for source in own):
        return True
    if not any(source.is_marked for source in own) or any(
        support.share_heard(said, s.full) for s in own
    ):
        return False
    heard = Heard(tuple(chain.from_iterable(source.public.passages for source in own)))
    return not support.is_borne_out(said, heard)  # it is in words of its own


def said_by_voices(said: str, every: Sources) -> Sources:
    """Return of *every* source what may bear out *said* of a card: statements of who hid it."""
    voices = {p.speaker for s in every if s.tells_less(said) for p in s.full.passages}
    return [
        source
        for source in every
        if source.is_marked
        or (source.is_own and any(_may_bear(p, voices) for p in source.public.passages))
    ]


def _may_bear(passage: Passage, voices: Collection[str]) -> bool:
    return passage.speaker in voices and any(_statements(passage))


def states(whose: Whose, name: str, value: str, every: Sources) -> bool:
    """Tell whether one of *every* source says in public that the fact *name* has this *value*."""
    told = chain.from_iterable(s.public.passages for s in every if s.is_own)
    return any(_says_fact(passage, whose, name, value) for passage in told)


def is_item_lost(whose: Whose, name: str, item: str, every: Sources) -> bool:
    """Tell whether an *item* of a list is said by what is hidden, and by no statement beside.

    No time tells what it was drawn from. Where nothing hidden states it in words that are known for
    that, another statement that has its words may be what it was drawn from.
    """
    less = [source for source in every if source.tells_less(item)]
    if not less or states(whose, name, item, every):
        return False
    hidden = chain.from_iterable(source.full.passages for source in less)
    if any(_says_fact(passage, whose, name, item) for passage in hidden):
        return True
    told = chain.from_iterable(s.public.passages for s in every if s.is_own)
    return not any(support.share(item, x) == 1.0 for p in told for x in _statements(p))


def _says_fact(passage: Passage, whose: Whose, name: str, value: str) -> bool:
    """Tell whether *passage* states of this very person that *name* is *value*."""
    if name == "relationship":
        return whose.is_named_in(passage.text) and _says_relation(passage, whose)
    if value.casefold() not in passage.text.casefold():
        return False
    said = f"{whose.person} {name.replace('_', ' ')} {value}"
    if any(support.share(said, one) == 1.0 for one in _statements(passage)):
        return True
    asked = (name.rpartition(".")[2], value.casefold())
    return any(
        whose.is_of(it) and (it.field, str(it.value).casefold()) == asked
        for it in _claims(passage, whose)
    )


def _says_relation(passage: Passage, whose: Whose) -> bool:
    said = f"{whose.person} {persons.relation(whose.relationship)}"
    if any(support.share(said, one) == 1.0 for one in _statements(passage)):
        return True
    met = Whose(whose.person, "", whose.owner)
    return any(it.relationship and whose.is_of(it) for it in _claims(passage, met))


def _claims(passage: Passage, whose: Whose) -> Iterator[Claim]:
    """Yield what *passage* says on cards, by one who knows whose card is asked for."""
    its = whose.relationship
    known = [Person(whose.person, persons.relation(its))] if its and not whose.spoke else []
    speaker = persons.speaker(passage.speaker, whose.owner)
    task = ClaimsTask((Utterance(passage.text, speaker, at=passage.created),))
    for claim in claims.statements(task, known):
        yield from persons.placed(claim, whose.owner)


def _statements(passage: Passage) -> Iterator[str]:
    """Yield the sentences of *passage* that ask nothing."""
    each = analysis.sentences(passage.text)
    return (one for one in each if not salience.is_question(one))
