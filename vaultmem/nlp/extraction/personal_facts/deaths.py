"""Of whom a speaker says that they died: `Rex died last week`, `We had to put Clover down`.

Each has to be the whole sentence: who nearly died, or only in a game, ends nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.documents.patterns import compiled
from vaultmem.nlp.extraction.grammar import assertion_en, relations
from vaultmem.nlp.extraction.grammar.relations import Circle, Person
from vaultmem.nlp.extraction.personal_facts import subjects_de
from vaultmem.nlp.text import salience
from vaultmem.nlp.text.stopwords import DAYS, MONTH_NAMES


class Death(NamedTuple):
    """Who died: by *name*, or as the speaker's *relation*, or both; *word* is how it was said."""

    name: str
    relation: str
    word: str = ""


class End(NamedTuple):
    """That a fact of a card of the *category* is over, where it names what *ends*, if anything.

    It is on the speaker's card, or on that *of* whoever died.
    """

    category: str
    field: str
    ends: tuple[str, ...] = ()
    of: Person | None = None


_OF_LIFE = (
    ("contact", ("city", "address", "phone", "email")),
    ("work", ("employer", "workplace", "occupation")),
    ("personal", ("age",)),
)
_DAY = "|".join(sorted(DAYS))
_MONTH = "|".join(sorted(MONTH_NAMES, key=len, reverse=True))
_WHEN = (
    r"(?:,? (?:today|yesterday|sadly|suddenly|peacefully|unexpectedly|recently|overnight|at home"
    r"|(?:last|this) (?:night|week|month|year|morning|afternoon|evening|spring|summer|autumn|fall"
    rf"|winter|(?:{_DAY}))|(?:earlier|later) (?:today|this \w+)"
    rf"|on (?:{_DAY}|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})"
    rf"|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?)"
    rf"|in (?:(?:early |late |mid-?)?(?:{_MONTH})(?: (?:19|20)\d\d)?|(?:19|20)\d\d"
    r"|(?:his|her|their) sleep)"
    r"|(?:an?|two|three|four|five|six|a few|\d+) (?:days?|weeks?|months?|years?) ago"
    r"|(?:of|from) (?:old age|cancer|\w+ (?:cancer|failure|disease)|a (?:stroke|heart attack"
    r"|tumou?r))|at (?:the age of )?\d{1,3}))*"
)
_TAIL = r"(?:,? (?:and|so) (?:I|we|it)\b[^?]*|[,;\u2013\u2014] (?:I|we|it)\b[^?]*)?"
_NAME = rf"(?P<name>(?-i:{relations.NAME}))"
_MINE = rf"(?:my|our) {relations.WHICH}(?P<rel>{relations.RELATION})(?:,? {_NAME},?)?"
_WHOM = _MINE.replace("(?P<name>", "(?P<known>")
_DIED = (
    r"(?: has| have)? ?(?:just |sadly |recently )?"
    r"(?:died|passed away|crossed the rainbow bridge|is dead|is no longer with us"
    r"|(?:was|had to be) (?:put down|put to sleep|euthani[sz]ed))"
)
_WE_HAD_TO = r"(?:we|i) (?:had to|have had to|['\u2019]ve had to|decided to) (?:have |let )?"
_DOWN = r"(?:put (?:down|to sleep)|euthani[sz]ed?)"
_LIVED_LONG = (
    r"(?:grandm(?:other|a)|grandf?(?:ather|pa)|granny|great-aunt|great-uncle|dog|cat|rabbit|hamster"
    r"|parrot|guinea-pig|horse|pony)"
)
_EN = (
    rf"{_MINE}{_DIED}",
    # Who is young passes a test.
    rf"(?:my|our) {relations.WHICH}(?P<rel>{_LIVED_LONG})(?:,? {_NAME},?)? (?:just |sadly )?passed",
    rf"{_NAME}{_DIED}",
    rf"{_WE_HAD_TO}(?:put )?(?:{_WHOM}|{_NAME}) (?:down|to sleep|{_DOWN})",
    rf"{_WE_HAD_TO}(?:put down|euthani[sz]e) (?:{_WHOM}|{_NAME})",
    rf"we (?:have |['\u2019]ve )?(?:just )?(?:lost|buried|said goodbye to) (?:{_WHOM}|{_NAME})",
)
_TIMES_DE = (
    r"(?:gestern|heute|leider|pl\u00f6tzlich|k\u00fcrzlich|neulich|friedlich|letzte[ns]? \w+"
    r"|diese[nr]? \w+|vor \w+ (?:Tagen|Wochen|Monaten|Jahren|einer Woche)|vor einer Woche"
    r"|vor einem (?:Monat|Jahr)|(?:am|im|Anfang|Mitte|Ende) [A-Z]\w+|in der Nacht|an \w+)"
)
_WHEN_DE = rf"(?:,? {_TIMES_DE})*"
_LEADS_DE = r"(?:(?:\u00fcbrigens|also|ja|und|aber|leider|hallo|so)[,!]? )*"
_NAME_DE = r"(?P<name>(?-i:[A-Z\u00c4\u00d6\u00dc][a-z\u00e4\u00f6\u00fc\u00df]+))"
_KIN_DE = "|".join(subjects_de.RELATIONS)
_MINE_DE = rf"(?:mein|unser)e?[nrms]? (?P<rel>(?-i:{_KIN_DE}))(?: {_NAME_DE})?"
_WHOM_DE = _MINE_DE.replace("(?P<name>", "(?P<known>")
_DEAD_DE = r"(?:gestorben|verstorben|tot|eingeschl\u00e4fert worden)"
_DE = (
    rf"{_MINE_DE} ist{_WHEN_DE} {_DEAD_DE}",
    rf"{_NAME_DE} ist{_WHEN_DE} {_DEAD_DE}",
    rf"(?:{_MINE_DE}|{_NAME_DE.replace('<name>', '<known>')}) lebt{_WHEN_DE} nicht mehr",
    (
        rf"(?:{_MINE_DE}|{_NAME_DE.replace('<name>', '<known>')}) musste{_WHEN_DE}"
        " eingeschl\u00e4fert werden"
    ),
    rf"wir mussten (?:{_WHOM_DE}|{_NAME_DE}){_WHEN_DE} einschl\u00e4fern(?: lassen)?",
    rf"wir haben (?:{_WHOM_DE}|{_NAME_DE}){_WHEN_DE} einschl\u00e4fern lassen",
)
_LEADS_ZH = "(?:对了|另外|其实|不过|但是?|所以|嗯|[^\\w]){0,6}"
_WHEN_ZH = (
    "(?:今天|昨天|昨晚|前天|上周[一二三四五六日末]?|上个?月|这周|这个月|去年|今年|最近|已经|刚刚?"
    "|前几天|不久前|\\d{1,2}月|突然|不幸)*"
)
_ZH = (
    (f"(?:我们?(?:的|家的?)?(?P<rel>{relations.RELATION_ZH}))?"
    f"(?P<name>(?:(?![不没我你他她])[\u4e00-\u9fff]){{2,4}}?)??"
    f"{_WHEN_ZH}(?:去世|过世|离世|病逝|逝世|去了汪星|去了喵星|死)(?:了|啦)"),
)  # fmt: skip


def _whole(opening: str, said: tuple[str, ...], end: str) -> tuple[str, ...]:
    return tuple(rf"(?i)^\W*{opening}{each}{end}\W*$" for each in said)


_PATTERNS = (
    *_whole(assertion_en.LEADS, _EN, f"{_WHEN}{_TAIL}"),
    *_whole(_LEADS_DE, _DE, ""),
    *_whole(f"{_LEADS_ZH}{_WHEN_ZH}", _ZH, ""),
)


def death(sentence: str) -> Death | None:
    """Return of whom *sentence* says that they died; None where it says of nobody."""
    if salience.is_question(sentence) or assertion_en.is_jest(sentence):
        return None
    for pattern in _PATTERNS:
        if found := compiled(pattern).match(sentence):
            parts = found.groupdict()
            name = parts.get("name") or parts.get("known") or ""
            relation = parts.get("rel") or ""
            if name and not (relations.is_name(name) or not name.isascii()):
                return None
            said = Death(name, _in_english(relation), relation)
            return said if name or relation else None
    return None


def ends(it: Death, circle: Circle) -> Iterator[End]:
    """Yield what is over by a death: that somebody has them, and what was so of them.

    Whose name nobody knows may be of any kind: a card that does not have the name keeps all.
    """
    known = circle.called(it.name, it.relation)
    if it.name in circle.names and known is None:  # which of them, nobody can tell
        return
    relation = it.relation or (relations.in_english(known.relation) if known else "")
    called = {it.name} if it.name else circle.by_relation.get(it.relation, set())
    names = tuple(called) if len(called) == 1 else ()
    for kind in (relation,) if relation else relations.kinds("pets", "family"):
        is_pet = relations.category(kind) == "pets"
        yield End("pets" if is_pet else "family", kind.replace("-", "_"), names)
    if not relation or relations.category(relation) == "pets":
        yield from (End("pets", "pets", (each,)) for each in names or (it.word,))
        return
    for category, fields in _OF_LIFE:
        yield from (End(category, f"{relation}_{field}") for field in fields)
        if names:
            person = known or Person(names[0], relation)
            yield from (End(category, field, of=person) for field in fields)


def _in_english(relation: str) -> str:
    german = subjects_de.RELATIONS.get(relation)
    return german or relations.in_english(relation.lower())
