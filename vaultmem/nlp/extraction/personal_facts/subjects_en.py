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
from vaultmem.nlp.extraction.personal_facts import acquaintances_en, attributes_en, habits_en
from vaultmem.nlp.extraction.talk import casual_spelling

_SUBJECT = (
    rf"(?P<self>\bI(?=['\u2019]| )|\b[Ww]e(?=(?: have|['\u2019]ve)?(?: (?:just|recently|also|all))?"
    rf" (?:live|been living|lived|moved|adopted|rescued|got married|keep|own|drive|speak|run an?"
    rf"|got (?:an?|two|three) {phrases_en.PETS})\b"
    rf"|(?: are|['\u2019]re) getting married\b"
    rf"|(?: have|['\u2019]ve got) (?:an?|one|two|three|four|five|six|\d)\b))"
    rf"|(?P<mine>{acquaintances_en.MY_PERSON}),?(?: who)?"
    rf"|(?P<pron>\b[Ss]?[Hh]e\b)"
    rf"|(?P<named>\b{relations.NAME}),?(?: who)?"
)
_OWNER = (
    rf"(?P<mine>{acquaintances_en.MY_PERSON})['\u2019]s"
    rf"|(?P<self>\b[Mm]y|\b[Oo]ur)(?= )|(?P<pron>\b[Hh](?:er|is))(?= )"
    rf"|(?P<named>\b{relations.NAME})['\u2019]s"
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
# What was once so, in a clause of its own, leaves the rest to be of now.
_OUTGROWN = r"[,;] (?:(?:but|and|though|although) )?(?:I|we) used to \w+ \w+[^,;]*?(?=\W*$)"
# Nor does what stands before what is still so.
_STILL = r"^[^;]*?(?:,|\b) (?:and|but|though) (?=I (?:still|now|currently) )"
# Says nothing, and holds the value that ends before it: `im vegan btw`.
_CHAT_TAIL = r"(?i)(?:,? (?:btw|tho|rn|fyi|imo|tbh))+(?=\W*$|,)"
# As chat spells it: `my dads name is Walter`, `favorite film is Alien`.
_OWNED = rf"(?P<who>\b[Mm]y {relations.RELATION})s(?= name\b)"
_IN_LAW = r"\b(?P<kin>(?:sister|brother|mother|father|son|daughter)) in law\b"
_FAVOURED = r"(?i)^(?=(?:all-time )?favou?rite [a-z]+(?: [a-z]+){0,2} (?:is|are)\b)"
# What has been so since then is so: `I've been a nurse for ten years`.
_HAS_BEEN = (
    r"(?i)(?:['\u2019](?:ve|s)| have| has) been(?= (?!to\b|\w+ing\b|there\b|here\b)[^,.;:!?]{3,60}?"
    r" (?:since (?!then|when)|for (?:[\w-]+ ){1,4}?(?:years|decades)\b|all my life\b))"
)
# A condition of saying so, not of what is said: `I'm vegan, if that's ok`.
_BY_LEAVE = (
    r"(?i),? (?:if (?:that['\u2019]?s|it['\u2019]?s|that is) (?:ok(?:ay)?|alright|all right|fine"
    r"|cool|any"
    r" help)(?: with you)?|if you (?:ask me|must know|don['\u2019]?t mind|want to know)"
    r"|(?:if|in case) (?:you['\u2019]?re|you are|you were|any(?:one|body)(?:['\u2019]s| is))"
    r" (?:wondering"
    r"|curious|interested|asking))(?=\W*$|,)"
)
# What is so again is so: `I'm single again`.
_AGAIN = r"(?i)(?<!never)(?<!once)(?<!and)(?<!not)(?<!over) again(?=\W*$|, | since\b| now\b)"
_SPELLED = (
    (_AGAIN, ""),
    (_FAVOURED, "my "),
    (_OWNED, r"\g<who>'s"),
    (_IN_LAW, r"\g<kin>-in-law"),
    (_CHAT_TAIL, ""),
    (_OUTGROWN, ""),
    (_HAS_BEEN, " is"),
    (_BY_LEAVE, ""),
)
"""What is read in the stead of what, before a sentence is read."""


def attributes(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield whom *text*, a sentence, concerns and what it says of them."""
    text = casual_spelling.spelled(text)
    for written, meant in _SPELLED:
        text = re.sub(written, meant, text)
    yield from acquaintances_en.met(text, circle)
    if not assertion_en.is_asserted(text):
        text = re.sub(_STILL, "", text)
    if not assertion_en.is_asserted(text):
        acquaintances_en.notice(text, circle)
        return
    yield from acquaintances_en.introduced(text, circle)
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
                yield from ((person, each) for each in told)
    acquaintances_en.notice(text, circle)


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
        _relation(one, circle) for one in re.finditer(acquaintances_en.MY_PERSON, found["who"])
    ]
    if last := re.match(acquaintances_en.MY_PERSON, found["last"] or ""):
        people.append(_relation(last, circle))
    if found["me"]:
        people.append(Person(circle.me, "self"))
    for each in traits.attributes(f" is{found['rest']}", attributes_en.PREDICATES):
        yield from ((person, each) for person in people)


def _reached(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield how somebody is reached who is named just before: `my dentist is Dr. Kim, phone 5`."""
    if found := re.search(_REACH_ME, text):
        field = "email" if "@" in found["v"] else "phone"
        yield Person(circle.me, "self"), Attribute("contact", field, found["v"])
    for found in re.finditer(acquaintances_en.IS_CALLED, text):
        person = circle.called(acquaintances_en.named(found), found["rel"].lower())
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
        name = acquaintances_en.named(found)
        if found["name"] and not name:
            return None
        return _relation(found, circle)
    if found["pron"]:
        acquaintances_en.notice(found.string[: found.start()], circle)
        return circle.meant(found["pron"])
    return circle.called(found["named"])


def _relation(found: re.Match[str], circle: Circle) -> Person:
    """Return whom of the speaker's *found* names, by a name or by what they are alone."""
    relation = found["rel"].lower()
    return circle.called(acquaintances_en.named(found), relation) or circle.of(relation)
