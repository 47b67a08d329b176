"""What German sentences say of the speaker and of people named beside "mein" and "unser".

The third language, and the smallest: main clauses in the present whose subject comes first, or
right after the verb. Past tenses and the subjunctive have other forms, and never fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.nlp.extraction import relations, traits
from vaultmem.nlp.extraction.relations import Circle, Person
from vaultmem.nlp.extraction.traits import Attribute
from vaultmem.nlp.text import salience

_WORDS = r"\b(?:[Ii]ch|[Mm]ein(?:e[rnms]?)?|[Uu]nser(?:e[rnms]?)?)\b"
_DOUBT = (
    r"(?i)\b(?:wenn|falls|ob|vielleicht|m\u00f6glicherweise|wahrscheinlich|vermutlich|angeblich"
    r"|w\u00fcrde\w*|h\u00e4tte\w*|w\u00e4re\w*|k\u00f6nnte\w*|m\u00f6chte\w*|sollte\w*|wollte\w*"
    r"|fr\u00fcher|damals|einst|ehemalig\w*|nicht mehr|sagt\w*|meint\w*|glaub\w*|dach\w+|fast"
    r"|beinahe|stell dir vor|angenommen|im (?:film|buch|roman|spiel|traum)|scherz|spa\u00df|haha\w*"
    r"|lol|als kind)\b|\?"
)
_RELATIONS = {
    "Frau": "wife", "Ehefrau": "wife", "Mann": "husband", "Ehemann": "husband",
    "Freundin": "girlfriend", "Partner": "partner", "Partnerin": "partner",
    "Tochter": "daughter", "Sohn": "son", "Mutter": "mother", "Mama": "mother",
    "Vater": "father", "Papa": "father", "Schwester": "sister", "Bruder": "brother",
    "Oma": "grandmother", "Opa": "grandfather", "Tante": "aunt", "Onkel": "uncle",
    "Chef": "boss", "Chefin": "boss", "Kollege": "colleague", "Kollegin": "colleague",
    "Nachbar": "neighbour", "Nachbarin": "neighbour", "Hund": "dog", "Katze": "cat",
    "Hausarzt": "doctor", "Haus\u00e4rztin": "doctor", "Zahnarzt": "dentist",
    "Zahn\u00e4rztin": "dentist",
}  # fmt: skip
_NAME = r"(?:(?:Dr|Prof)\. |Herr |Frau )?[A-Z\u00c4\u00d6\u00dc][a-z\u00e4\u00f6\u00fc\u00df]+"
_MINE = rf"(?:[Mm]ein|[Uu]nser)e? (?P<rel>{'|'.join(_RELATIONS)})(?: (?P<name>{_NAME}))?"
_CALLED = rf"{_MINE.partition('(?: (?P<name>')[0]} (?:hei\u00dft|ist) (?P<name>{_NAME})(?=\W*$|,)"
_SUBJECT = rf"(?:^|, |\bund |\baber )(?:(?P<self>[Ii]ch)|(?P<mine>{_MINE}))(?= )"

_PLACE = r"[A-Z\u00c4\u00d6\u00dc][\w\u00e4\u00f6\u00fc\u00df-]+(?: (?:am|an der|im) [A-Z]\w+)?"
_NOUN = r"[A-Z\u00c4\u00d6\u00dc][\w\u00e4\u00f6\u00fc\u00df-]+"
_END = r"(?=\s*(?:[.,;!]|$)| (?:und|aber|weil|seit|bei|in|am|mit|f\u00fcr|namens)\b)"
_LIST = rf"{_NOUN}(?:, {_NOUN})*(?:,? und {_NOUN})?"
_ADV = r"(?: (?:auch|jetzt|seit \w+|derzeit|zurzeit|sehr|stark|schwer|gerne?|wirklich|nur|immer))*"
_BE = rf" (?:bin|ist){_ADV}"
_PREDICATES = (
    *traits.traits(
        "medical allergy", rf"{_BE} allergisch (?:gegen|auf) (?P<v>{_LIST}){_END}", many=True
    ),
    *traits.traits(
        "preferences diet",
        rf"{_BE} (?P<v>[Vv]egetarier(?:in)?|[Vv]eganer(?:in)?|vegetarisch|vegan){_END}",
        rf" (?:esse|isst|lebe|lebt){_ADV} (?P<v>vegetarisch|vegan|halal|koscher){_END}",
    ),
    *traits.traits(
        "contact city", rf" (?:wohne|lebe|wohnt|lebt){_ADV} in (?P<v>{_PLACE}){_END}"
    ),
    *traits.traits("personal origin", rf" (?:komme|kommt|stamme|stammt){_ADV} aus (?P<v>{_PLACE})"),
    *traits.traits(
        "work occupation",
        rf" (?:arbeite|arbeitet){_ADV} als (?P<v>{_NOUN}){_END}"
        rf"(?: (?:bei|in) (?:der |dem |einer? |einem )?(?P<employer>{_NOUN}))?",
        rf"{_BE}(?: von Beruf)? (?P<v>{_NOUN}(?:in|er|ist|eur|ologe|arzt|lehrer)) von Beruf",
        rf"{_BE} von Beruf (?P<v>{_NOUN})",
    ),
    *traits.traits(
        "work employer", rf" (?:arbeite|arbeitet){_ADV} (?:bei|f\u00fcr) (?:der )?(?P<v>{_NOUN})"
    ),
    *traits.traits(
        "studies studies", rf" (?:studiere|studiert){_ADV} (?P<v>{_NOUN}){_END}"
    ),
    *traits.traits(
        "personal languages",
        rf" (?:spreche|spricht){_ADV} (?P<v>{_LIST}){_END}", many=True,
    ),
    *traits.traits(
        "personal age", rf"{_BE} (?P<v>\d{{1,3}})(?: Jahre alt)?(?=\s*(?:[.,;!]|$)| und\b)"
    ),
    *traits.traits(
        "pets pets",
        rf" (?:habe|hat){_ADV} (?P<v>(?:einen?|zwei|drei) (?:Hund|Katze|Hasen|Papagei|Pferd)e?n?"
        rf"(?: namens {_NAME}| und {_NAME})?){_END}",
    ),
    *traits.traits("hobbies plays", rf" (?:spiele|spielt){_ADV} (?P<v>{_NOUN}){_END}"),
    *traits.traits(
        "preferences likes", rf" (?:mag|liebe|liebt)(?: sehr| gerne?)? (?P<v>{_LIST}){_END}"
    ),
    *traits.traits("preferences dislikes", rf" (?:hasse|hasst) (?P<v>{_LIST}){_END}"),
)  # fmt: skip
_JOINED = r"(?:[^.,;]{0,40}?)\bund(?= [a-z])"
_OWN = (
    (
        "dates",
        "birthday",
        r"\b[Mm]ein Geburtstag ist am (?P<v>\d{1,2}\. ?(?:\d{1,2}\.(?:\d{4})?|[A-Z]\w+))",
    ),
    ("contact", "phone", r"\b[Mm]eine (?:Telefon|Handy)?[Nn]ummer ist (?P<v>\+?\d[\d /-]{5,18}\d)"),
    ("personal", "name", rf"\b(?:[Ii]ch hei\u00dfe|[Mm]ein Name ist) (?P<v>{_NAME}(?: {_NAME})?)"),
)


def is_german(text: str) -> bool:
    """Whether *text* speaks German of the speaker or somebody of theirs."""
    return re.search(_WORDS, text) is not None


def attributes(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield whom *text*, a sentence, concerns and what it says of them."""
    if salience.is_question(text) or re.search(_DOUBT, text):
        return
    me = Person(circle.me, "self")
    for found in (*re.finditer(_CALLED, text), *re.finditer(_MINE, text)):
        name = found["name"] or ""
        if name and relations.is_name(name) and name not in circle.names:
            person = circle.meet(name, _RELATIONS[found["rel"]])
            yield person, Attribute(relations.category(person.relation), "name", name)
    for category, field, pattern in _OWN:
        if own := re.search(pattern, text):
            yield me, Attribute(category, field, own["v"])
    for found in re.finditer(_SUBJECT, text):
        person = me if found["self"] else _relation(found, circle)
        rest = text[found.end() :]
        while each := list(traits.attributes(rest, _PREDICATES)):
            yield from ((person, one) for one in each)
            joined = re.match(_JOINED, rest)
            rest = rest[joined.end() :] if joined else ""


def _relation(found: re.Match[str], circle: Circle) -> Person:
    known = circle.names.get(found["name"] or "")
    return known or circle.of(_RELATIONS[found["rel"]])
