"""Tell whom an English sentence names: who speaks, and the people of theirs.

Who is named once is known by the name from then on, and of whom a sentence speaks a pronoun after
it may be in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.nlp.extraction.grammar import assertion_en, relations
from vaultmem.nlp.extraction.grammar.relations import Circle, Person
from vaultmem.nlp.extraction.grammar.traits import Attribute

_MINE = rf"\b(?:[Mm]y|[Oo]ur) {relations.WHICH}(?P<rel>{relations.RELATION})\b(?!['\u2019-]?\w*-)"
MY_PERSON = rf"{_MINE}(?:,? (?:named |called |whose name is )?(?P<name>{relations.NAME}))?"
"""Somebody of the speaker's, as `rel` and mostly with a `name`: `my daughter Sarah`."""
IS_CALLED = (
    rf"{_MINE}(?:['\u2019]s name)?(?: is|['\u2019]s)(?: (?:named|called))? "
    rf"(?P<name>{relations.NAME})"
    r"(?=\s*(?:[.,;!)]|$)| (?:and|who|on|at|in|from)\b)"
)
"""The same, in a sentence that tells the name."""
# As in `I have a son called Leo and a daughter named Mia`.
_HAVE = r"\b(?:I|[Ww]e)(?:['\u2019]ve got| have)\b"
_A_PERSON = (
    rf"\ban? {relations.WHICH}(?P<rel>{relations.RELATION})(?: now)?"
    rf"(?:,? (?:named|called)|,? (?:his|her|its) name(?: is|['\u2019]s)|,(?= \w+(?: now)?[.!]*$))"
    rf" (?P<name>{relations.NAME})"
)
_IS_MINE = (
    rf"\b(?P<name>{relations.NAME})(?:,| is|, who is|['\u2019]s) (?:my"
    rf"|our) {relations.WHICH}(?P<rel>{relations.RELATION})"
    r"(?=\s*(?:[.,;!)]|$)| and\b| who\b| is\b)"
)
_MY_NAME = (
    rf"(?i:\bmy (?:full |first )?name(?:['\u2019]s| is) |\bthis is (?=\S+ (?:\S+ )?(?:speaking"
    rf"|calling|here)\b)|\bcall me |\bI go by |\b(?:everyone|everybody|people"
    rf"|friends) calls? me |\bI(?:['\u2019]m| am) (?:called|known as"
    rf"|nicknamed) )(?P<name>(?-i:{relations.NAME}))(?=\W|$)"
    rf"|^(?i:{assertion_en.LEADS})I(?:['\u2019]m"
    rf"| am) (?P<short>{relations.NAME})(?=\s*(?:[.,;!)]|$)| and\b)"
)
_LOWER_NAME = r"(?i)\bmy name(?:['\u2019]s| is) (?P<name>[a-z]{2,20})(?=\s*(?:[.,;!]|$)| and\b)"
# Whoever is only given a name is not there yet: `about to name my dog Zorro`.
_NAMING = r"(?i)\b(?:name|naming|call|calling|rename|(?:almost|nearly)(?: \w+)? \w+ed)\s$"
# Nor is there any more who was lost.
_GONE = r"(?i)\b(?:lost|buried|mourn\w*|divorced|broke up with|split (?:up )?(?:from|with))\s$"
_DIED = r"(?i)(?:,? who)?(?: has| had)? (?:died|passed away|is dead|ran away|was put down)\b"
# What is told of oneself by a word that others say must be told: `Nobody may | call me Tommy`.
_CALL_ME = (
    r"(?i)\b(?:you (?:can|may|could|should)|please|just|simply|they|friends|people)(?: all)?\s$"
)
# Who is spoken to, or comes in: `My good friend Rob, how are you?`.
_GREETED = (
    r"(?i)\b(?:^\W*(?:(?:hi|hey|hello|ah|oh|well)\b\W*)?|if it isn['\u2019]t )"
    rf"my (?:dear|good|old|wonderful|lovely|sweet|dearest) friend {relations.NAME}\s*(?:[,.!?]|$)"
)
_COUNTERFACTUAL = r"(?i)\b(?:wish|if only|imagine|pretend|suppose|were|as if)\b"
# Somebody else of whom a pronoun may speak.
_OTHERS = (
    rf"\b(?:[Hh]er|[Hh]is|[Tt]heir|[Aa]|[Tt]he|[Tt]his"
    rf"|[Tt]hat) {relations.WHICH.replace('?P<age>', '?:')}(?P<rel>{relations.RELATION})\b"
)


def met(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield those whom *text* names as somebody of the speaker's: `my daughter Sarah`."""
    if re.search(_COUNTERFACTUAL, text) or re.search(_GREETED, text):
        return
    mine = (IS_CALLED, _IS_MINE, MY_PERSON)
    for pattern in (*mine, _A_PERSON) if re.search(_HAVE, text) else mine:
        for found in re.finditer(pattern, text):
            name, relation = named(found), found["rel"].lower()
            before, behind = text[: found.start()], text[found.end() :]
            is_told = pattern in {IS_CALLED, _IS_MINE}
            if relations.is_several(relation) or not _is_met(before, behind, is_told=is_told):
                continue
            if name and not _is_speaker(name, circle) and _is_apposed(found, pattern):
                person = circle.meet(name, relation)
                yield person, Attribute(relations.category(relation), "name", name)
            if found["age"] and name:
                yield Person(name, relation), Attribute("personal", "age", found["age"])


def _is_met(before: str, behind: str, *, is_told: bool) -> bool:
    """Whether somebody between the two is there; what *is_told* of them, a clause has to assert.

    `My wife Nora` takes for known what `my wife is called Nora` says.
    """
    if re.search(_NAMING, before) or re.search(_GONE, before) or re.match(_DIED, behind):
        return False
    return not is_told or assertion_en.opens_clause(before)


def named(found: re.Match[str]) -> str:
    """Return the name in what is *found*, "" where it has none, or no name."""
    name = found["name"] or ""
    return name if name and relations.is_name(name) else ""


def _is_apposed(found: re.Match[str], pattern: str) -> bool:
    """Whether `my daughter, Sarah` goes on after the name, so that it addresses nobody."""
    if pattern != MY_PERSON or ", " not in found[0]:
        return True
    return re.match(r",|\s*(?:\.|$)", found.string[found.end() :]) is not None


def _is_speaker(name: str, circle: Circle) -> bool:
    return bool(circle.speaker) and name.casefold() in circle.speaker.casefold()


def introduced(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield the name that the speaker gives themselves in *text*."""
    found = re.search(_MY_NAME, text) or re.search(_LOWER_NAME, text)
    name = next(filter(None, found.groups()), "") if found else ""
    before = text[: found.start()] if found else ""
    is_order = found is not None and found[0].casefold().startswith("call me")
    if is_order and not (assertion_en.opens_clause(before) or re.search(_CALL_ME, before)):
        return
    # Whose name is known, and who says to be another, is joking.
    if found and found.groupdict().get("short") and circle.speaker:
        name = name if name[:2].casefold() == circle.speaker[:2].casefold() else ""
    if name and relations.is_name(name):
        circle.me = circle.speaker or name
        yield Person(circle.me, "self"), Attribute("personal", "name", name)


def notice(text: str, circle: Circle) -> None:
    """Remember all of whom *text* speaks, so that a pronoun is known to be in doubt."""
    for found in re.finditer(MY_PERSON, text):
        relation = found["rel"].lower()
        circle.notice(circle.called(named(found), relation) or circle.of(relation))
    for found in re.finditer(_OTHERS, text):
        circle.strangers.add(found["rel"].lower())
    for found in re.finditer(rf"\b{relations.NAME}", text):
        if person := circle.called(found[0]):
            circle.notice(person)
