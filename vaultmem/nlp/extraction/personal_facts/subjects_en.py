"""Tell whom an English sentence concerns, and what it says of them.

The subject must open a clause: "I think my daughter is allergic" is a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.nlp.extraction.grammar import (
    assertion_en,
    noun_phrases,
    phrases_en,
    relations,
    traits,
)
from vaultmem.nlp.extraction.grammar.relations import Circle, Person
from vaultmem.nlp.extraction.grammar.traits import Attribute
from vaultmem.nlp.extraction.personal_facts import attributes_en, habits_en
from vaultmem.nlp.extraction.talk import casual_spelling

_MINE = rf"\b(?:[Mm]y|[Oo]ur) {relations.WHICH}(?P<rel>{relations.RELATION})\b(?!['\u2019-]?\w*-)"
_MY_PERSON = rf"{_MINE}(?:,? (?:named |called |whose name is )?(?P<name>{relations.NAME}))?"
_IS_CALLED = (
    rf"{_MINE}(?:['\u2019]s name)?(?: is|['\u2019]s)(?: (?:named|called))? "
    rf"(?P<name>{relations.NAME})"
    r"(?=\s*(?:[.,;!)]|$)| (?:and|who|on|at|in|from)\b)"
)
# As in `I have a son called Leo and a daughter named Mia`.
_HAVE = r"\b(?:I|[Ww]e)(?:['\u2019]ve got| have)\b"
_A_PERSON = (
    rf"\ban? {relations.WHICH}(?P<rel>{relations.RELATION}),? "
    rf"(?:named|called) (?P<name>{relations.NAME})"
)
_IS_MINE = (
    rf"\b(?P<name>{relations.NAME})(?:,| is|, who is|['\u2019]s) (?:my"
    rf"|our) {relations.WHICH}(?P<rel>{relations.RELATION})"
    r"(?=\s*(?:[.,;!)]|$)| and\b| who\b| is\b)"
)
_SUBJECT = (
    rf"(?P<self>\bI(?=['\u2019]| )|\b[Ww]e(?=(?: have|['\u2019]ve)?(?: (?:just|recently|also|all))?"
    rf" (?:live|been living|lived|moved|adopted|rescued|got married|keep|own|drive|speak|run an?"
    rf"|got (?:an?|two|three) {phrases_en.PETS})\b"
    rf"|(?: are|['\u2019]re) getting married\b"
    rf"|(?: have|['\u2019]ve got) (?:an?|one|two|three|four|five|six|\d)\b))"
    rf"|(?P<mine>{_MY_PERSON}),?(?: who)?|(?P<pron>\b[Ss]?[Hh]e\b)"
    rf"|(?P<named>\b{relations.NAME}),?(?: who)?"
)
_OWNER = (
    rf"(?P<mine>{_MY_PERSON})['\u2019]s|(?P<self>\b[Mm]y|\b[Oo]ur)(?= )|(?P<pron>\b[Hh](?:er"
    rf"|is))(?= )|(?P<named>\b{relations.NAME})['\u2019]s"
)
_MY_NAME = (
    rf"(?i:\bmy (?:full |first )?name(?:['\u2019]s| is) |\bthis is (?=\S+ (?:\S+ )?(?:speaking"
    rf"|calling|here)\b)|\bcall me |\bI go by |\b(?:everyone|everybody|people"
    rf"|friends) calls? me |\bI(?:['\u2019]m| am) (?:called|known as"
    rf"|nicknamed) )(?P<name>(?-i:{relations.NAME}))(?=\W|$)"
    rf"|^(?i:{assertion_en.LEADS})I(?:['\u2019]m"
    rf"| am) (?P<short>{relations.NAME})(?=\s*(?:[.,;!)]|$)| and\b)"
)
_FAVOURITE = (
    rf"^(?i:{assertion_en.LEADS})(?P<v>(?!My |Our )(?:[A-Z][\w'\u2019-]*|[a-z]{{3,}})(?:"
    rf" [\w'\u2019-]+){{0,4}}?) (?:is"
    r"|are) my (?:all-time "
    r"|absolute )?favou?rite (?P<thing>(?!\w+ly\b|(?:at|by|so|of|too|right|one|thing|part)\b)"
    r"[a-z]+(?: [a-z]+){0,2})(?=\s*(?:[.,;!]|$)| because\b)"
)
# `My sister Eva, my brother Jon and I are`: nobody but people of the speaker's in between.
_ONE = (
    rf"(?:[Mm]y|[Oo]ur) {relations.WHICH.replace('?P<age>', '?:')}"
    rf"{relations.RELATION}(?: {relations.NAME})?"
)
_SEVERAL = (
    rf"(?P<who>{_ONE}(?:, {_ONE})*),? and (?:(?P<me>I)|(?P<last>{_ONE})) are"
    r"(?= (?:(?:all|both) )?(?:\w+ly )?allergic)(?P<rest>.*)"
)
_REACHED = (
    r"(?:,| \(| and) ?(?:(?:his|her|their|the|whose) )?"
    r"(?:(?:tele)?phone|mobile|cell|tel\.?|e-?mail)(?: number)?(?: is|:)? "
    r"(?P<v>\+?\(?\d[\d ().-]{5,20}\d|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
)
_LOWER_NAME = r"(?i)\bmy name(?:['\u2019]s| is) (?P<name>[a-z]{2,20})(?=\s*(?:[.,;!]|$)| and\b)"
_ORDER = (
    r"(?i)^(?:please,? |from now on,? |in (?:the )?future,? )*(?P<how>always"
    r"|never) (?P<v>(?:reply|answer|respond|write|speak|use|book|call|address|format"
    r"|ask)\b[^.;:!?]{2,80})"
)
_FRONTED = (
    rf"(?i:{assertion_en.LEADS}{phrases_en.OFTEN}),? I {habits_en.IDLE}"
    rf"(?P<v>[a-z]{{2,}} [\w'\u2019-]+(?: [\w'\u2019-]+){{0,6}}?){phrases_en.LAST}"
)
_REACH_ME = (
    r"\b(?:reach|contact|e-?mail|text|phone|ring|call) me (?:\w+ )?(?:at|on|under|by|via)"
    r"(?: \w+ at)? (?P<v>\+?\(?\d[\d ().-]{5,20}\d|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
)
# Whoever is only given a name is not there yet: `about to name my dog Zorro`.
_NAMING = r"(?i)\b(?:name|naming|call|calling|rename|(?:almost|nearly)(?: \w+)? \w+ed)\s$"
# Who is spoken to, or comes in: `My good friend Rob, how are you?`.
_GREETED = (
    r"(?i)\b(?:^\W*(?:(?:hi|hey|hello|ah|oh|well)\b\W*)?|if it isn['\u2019]t )"
    rf"my (?:dear|good|old|wonderful|lovely|sweet|dearest) friend {relations.NAME}\s*(?:[,.!?]|$)"
)
# What was once so, in a clause of its own, leaves the rest to be of now.
_OUTGROWN = r"[,;] (?:(?:but|and|though|although) )?(?:I|we) used to \w+ \w+[^,;]*?(?=\W*$)"
# Nor does what stands before what is still so.
_STILL = r"^[^;]*?(?:,|\b) (?:and|but|though) (?=I (?:still|now|currently) )"
# Says nothing, and holds the value that ends before it: `im vegan btw`.
_CHAT_TAIL = r"(?i)(?:,? (?:btw|tho|rn|fyi|imo|tbh))+(?=\W*$|,)"
# As chat spells it: `my dads name is Walter`, `favorite film is Alien`.
_OWNED = rf"(?P<who>\b[Mm]y {relations.RELATION})s(?= name\b)"
_IN_LAW = r"\b(?P<kin>(?:sister|brother|mother|father|son|daughter)) in law\b"
_FAVOURED = r"(?i)^(?=(?:all-time )?favou?rite [a-z]+ (?:is|are)\b)"
_SPELLED = (
    (_FAVOURED, "my "),
    (_OWNED, r"\g<who>'s"),
    (_IN_LAW, r"\g<kin>-in-law"),
    (_CHAT_TAIL, ""),
    (_OUTGROWN, ""),
)
"""What is read in the stead of what, before a sentence is read."""
_COUNTERFACTUAL = r"(?i)\b(?:wish|if only|imagine|pretend|suppose|were|as if)\b"
_OF_PEOPLE = frozenset({"work", "studies"})
# Somebody else of whom a pronoun may speak.
_OTHERS = (
    rf"\b(?:[Hh]er|[Hh]is|[Tt]heir|[Aa]|[Tt]he|[Tt]his"
    rf"|[Tt]hat) {relations.WHICH.replace('?P<age>', '?:')}(?P<rel>{relations.RELATION})\b"
)


def attributes(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield whom *text*, a sentence, concerns and what it says of them."""
    text = casual_spelling.spelled(text)
    for written, meant in _SPELLED:
        text = re.sub(written, meant, text)
    yield from _met(text, circle)
    if not assertion_en.is_asserted(text):
        text = re.sub(_STILL, "", text)
    if not assertion_en.is_asserted(text):
        _notice(text, circle)
        return
    yield from _introduced(text, circle)
    yield from _ordered(text, circle)
    yield from _regular(text, circle)
    yield from _together(text, circle)
    yield from _reached(text, circle)
    yield from _favourites(text, circle)
    for pattern, known in (
        (_SUBJECT, attributes_en.PREDICATES),
        (_OWNER, attributes_en.ATTRIBUTES),
    ):
        for found in re.finditer(pattern, text):
            person = _person(found, circle)
            if person and assertion_en.opens_clause(text[: found.start()]):
                rest = text[found.end() :]
                # What follows the comma after `, who` is the main clause again.
                rest = rest.partition(",")[0] if found[0].endswith("who") else rest
                told = traits.attributes(rest, known)
                yield from ((person, each) for each in told if _may_be_of(person, each))
    _notice(text, circle)


def _may_be_of(person: Person, told: Attribute) -> bool:
    """Whether *told* may be so of *person*: no dog has a trade, and none studies."""
    return relations.category(person.relation) != "pets" or told.category not in _OF_PEOPLE


def _met(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield those whom *text* names as somebody of the speaker's: `my daughter Sarah`."""
    if re.search(_COUNTERFACTUAL, text) or re.search(_GREETED, text):
        return
    mine = (_IS_CALLED, _IS_MINE, _MY_PERSON)
    for pattern in (*mine, _A_PERSON) if re.search(_HAVE, text) else mine:
        for found in re.finditer(pattern, text):
            name, relation = _named(found), found["rel"].lower()
            if re.search(_NAMING, text[: found.start()]) or relations.is_several(relation):
                continue
            if name and not _is_speaker(name, circle) and _is_apposed(found, pattern):
                person = circle.meet(name, relation)
                yield person, Attribute(relations.category(relation), "name", name)
            if found["age"] and name:
                yield Person(name, relation), Attribute("personal", "age", found["age"])


def _named(found: re.Match[str]) -> str:
    name = found["name"] or ""
    return name if name and relations.is_name(name) else ""


def _is_apposed(found: re.Match[str], pattern: str) -> bool:
    """Whether `my daughter, Sarah` goes on after the name, so that it addresses nobody."""
    if pattern != _MY_PERSON or ", " not in found[0]:
        return True
    return re.match(r",|\s*(?:\.|$)", found.string[found.end() :]) is not None


def _is_speaker(name: str, circle: Circle) -> bool:
    return bool(circle.speaker) and name.casefold() in circle.speaker.casefold()


def _introduced(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    found = re.search(_MY_NAME, text) or re.search(_LOWER_NAME, text)
    name = next(filter(None, found.groups()), "") if found else ""
    # Whose name is known, and who says to be another, is joking.
    if found and found.groupdict().get("short") and circle.speaker:
        name = name if name[:2].casefold() == circle.speaker[:2].casefold() else ""
    if name and relations.is_name(name):
        circle.me = circle.speaker or name
        yield Person(circle.me, "self"), Attribute("personal", "name", name)


def _ordered(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield what is asked for once and for all: `Always reply in English`."""
    found = re.search(_ORDER, text)
    if found and not noun_phrases.leans(found["v"]):
        yield (
            Person(circle.me, "self"),
            Attribute("preferences", found["how"].lower(), found["v"].strip()),
        )


def _regular(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield what comes round, told with its time first: `On Thursdays I coach a team`."""
    found = re.match(_FRONTED, text)
    said = (found["v"], found["v"].partition(" with ")[0]) if found else ()
    if whole := next(filter(noun_phrases.is_whole, said), ""):
        yield Person(circle.me, "self"), Attribute("hobbies", "routine", whole)


def _together(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield what several have in common: `My sister Eva, my brother Jon and I are allergic ...`."""
    found = re.match(_SEVERAL, text)
    if not found:
        return
    people = [
        circle.names.get(_named(one)) or circle.of(one["rel"].lower())
        for one in re.finditer(_MY_PERSON, found["who"])
    ]
    if last := re.match(_MY_PERSON, found["last"] or ""):
        people.append(circle.names.get(_named(last)) or circle.of(last["rel"].lower()))
    if found["me"]:
        people.append(Person(circle.me, "self"))
    for each in traits.attributes(f" is{found['rest']}", attributes_en.PREDICATES):
        yield from ((person, each) for person in people)


def _reached(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield how somebody is reached who is named just before: `my dentist is Dr. Kim, phone 5`."""
    if found := re.search(_REACH_ME, text):
        field = "email" if "@" in found["v"] else "phone"
        yield Person(circle.me, "self"), Attribute("contact", field, found["v"])
    for found in re.finditer(_IS_CALLED, text):
        person = circle.names.get(_named(found))
        if person and (rest := re.match(_REACHED, text[found.end() :])):
            field = "email" if "@" in rest["v"] else "phone"
            yield person, Attribute("contact", field, rest["v"])


def _favourites(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    found = re.search(_FAVOURITE, text)
    if found and not noun_phrases.leans(found["v"]):
        thing = "_".join(found["thing"].split())
        yield Person(circle.me, "self"), Attribute("preferences", f"favorite_{thing}", found["v"])


def _person(found: re.Match[str], circle: Circle) -> Person | None:
    """Return who *found* speaks of, None when nobody can tell."""
    if found["self"]:
        return Person(circle.me, "self")
    if found["mine"]:
        name = _named(found)
        if found["name"] and not name:
            return None
        return circle.names.get(name) or circle.of(found["rel"].lower())
    if found["pron"]:
        _notice(found.string[: found.start()], circle)
        return circle.meant(found["pron"])
    return circle.names.get(found["named"])


def _notice(text: str, circle: Circle) -> None:
    """Remember all of whom *text* speaks, so that a pronoun is known to be in doubt."""
    for found in re.finditer(_MY_PERSON, text):
        circle.notice(circle.names.get(_named(found)) or circle.of(found["rel"].lower()))
    for found in re.finditer(_OTHERS, text):
        circle.strangers.add(found["rel"].lower())
    for found in re.finditer(rf"\b{relations.NAME}", text):
        if person := circle.names.get(found[0]):
            circle.notice(person)
