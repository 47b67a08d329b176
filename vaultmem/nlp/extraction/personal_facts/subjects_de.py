"""Tell whom a German sentence concerns, and what it says of them.

Main clauses of the speaker, and of people named beside "mein" and "unser", whose subject comes
first, or right after the verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.nlp.extraction.grammar import relations, traits
from vaultmem.nlp.extraction.grammar.relations import Circle, Person
from vaultmem.nlp.extraction.grammar.traits import Attribute
from vaultmem.nlp.extraction.personal_facts import attributes_de
from vaultmem.nlp.text import salience

_WORDS = r"\b(?:[Ii]ch|[Ww]ir|[Mm]ein(?:e[rnms]?)?|[Uu]nser(?:e[rnms]?)?)\b"
_DOUBT = (
    r"(?i)\b(?:wenn|falls|ob|vielleicht|m\u00f6glicherweise|wahrscheinlich|vermutlich|angeblich"
    r"|w\u00fcrde\w*|h\u00e4tte\w*|w\u00e4re\w*|k\u00f6nnte\w*|m\u00f6chte\w*|sollte\w*|wollte\w*"
    r"|fr\u00fcher|damals|einst|ehemalig\w*|nicht mehr|sagt\w*|meint\w*|denkt|denken|behaupte\w*"
    r"|erz\u00e4hl\w*|vermute\w*|h\u00e4lt mich|glaub\w*|dach\w+|fast"
    r"|beinahe|stell dir vor|angenommen|in einem anderen leben|im (?:film|buch|roman|spiel|traum)"
    r"|scherz|spa\u00df|haha\w*"
    r"|lol|als kind|aber [^.,;]*\bnicht)\b|\?"
)
RELATIONS = {
    "Frau": "wife", "Ehefrau": "wife", "Mann": "husband", "Ehemann": "husband",
    "Freundin": "girlfriend", "Partner": "partner", "Partnerin": "partner",
    "Tochter": "daughter", "Sohn": "son", "Mutter": "mother", "Mama": "mother",
    "Vater": "father", "Papa": "father", "Schwester": "sister", "Bruder": "brother",
    "Oma": "grandmother", "Opa": "grandfather", "Tante": "aunt", "Onkel": "uncle",
    "Chef": "boss", "Chefin": "boss", "Kollege": "colleague", "Kollegin": "colleague",
    "Nachbar": "neighbour", "Nachbarin": "neighbour", "Hund": "dog", "Katze": "cat",
    "Nichte": "niece", "Neffe": "nephew", "Cousin": "cousin", "Cousine": "cousin",
    "Freund": "friend", "Kater": "cat", "Hamster": "hamster", "Pferd": "horse",
    "Hausarzt": "doctor", "Haus\u00e4rztin": "doctor", "Zahnarzt": "dentist",
    "Zahn\u00e4rztin": "dentist", "Eltern": "parents", "Gro\u00dfeltern": "grandparents",
    "Kinder": "children", "Geschwister": "siblings", "Schwiegereltern": "in-laws",
}  # fmt: skip
_MINE = (
    rf"(?:[Mm]ein|[Uu]nser)e? (?P<rel>{'|'.join(RELATIONS)})(?: (?P<name>{attributes_de.NAME}))?"
)
_CALLED = (
    rf"{_MINE.partition('(?: (?P<name>')[0]} hei\u00dft (?P<name>{attributes_de.NAME})"
    r"(?=\W*$|,| und\b)"
)
_WE = r"[Ww]ir(?= (?:haben|wohnen|leben|kommen)\b)"
_SUBJECT = rf"(?:^|, |\bund |\baber )(?:(?P<self>[Ii]ch|{_WE})|(?P<mine>{_MINE}))(?= )"
# What stands first, then the verb, then the subject: `Seit Mai wohnt mein Bruder in Ulm`.
_FIRST = (
    r"(?:(?:Seit|In meiner|In der|An|Am|Von|Nach) [^.,;?!]{2,30}?|Jetzt|Inzwischen|Mittlerweile"
    r"|Zurzeit|Derzeit|Momentan|Aktuell|Nebenbei|Beruflich|\u00dcbrigens|Au\u00dferdem|Eigentlich"
    r"|Urspr\u00fcnglich|Leider|Normalerweise|Hier|Gerade|Zu Hause|Zuhause|Daheim|Privat)"
)
_WHO = re.sub(r"\(\?P<\w+>", "(?:", _MINE)
_INVERTED = (
    rf"(?:(?P<most>Am liebsten)|{_FIRST})"
    rf" (?P<verb>[a-z\u00e4\u00f6\u00fc\u00df]+[etn]|hat|ist|mag) (?P<who>ich|{_WHO})\b"
)
_JOINED = (
    r"[^.,;]{0,40}?(?:\bund(?= [a-z])"
    r"|,(?= (?:[a-z]+ aber|bin|habe|wohne|lebe|arbeite|studiere|spiele|spreche)\b))"
)
# Chat leaves its subject out: `bin seit Mai bei Bosch`, `hab zwei Katzen`.
_UNSAID = re.compile(
    r"(?i)^\W*(?P<verb>bin|habe?|wohne|lebe|arbeite|studiere|spreche|lerne|spiele)(?! ich\b)(?= )"
)
# Talk drops the ending of the first person.
_CLIPPED = (
    r"(?<=\b[Ii]ch )(?:hab|wohn|leb|arbeit|studier|lern|spiel|sprech|komm|stamm|fahr|trink|ess|les"
    r"|h\u00f6r|lieb|hass|vertrag)\b"
)
# Before its subject, the verb has its object behind it: `Morgen hat mein Bruder Urlaub`.
_OWNS_BEFORE = re.compile(
    r"\b(?:hat|haben|hatte\w*|macht|braucht|bekommt|kauft|sucht|spielt|lernt|isst|trinkt|mag|will"
    r"|studiert) $"
)
_MORE = re.compile(rf" (?:[a-z\u00e4\u00f6\u00fc\u00df]+ )*{attributes_de.NOUN}")


def is_german(text: str) -> bool:
    """Whether *text* speaks German of the speaker or somebody of theirs."""
    return re.search(_WORDS, text) is not None


def with_subject(text: str) -> str:
    """Return *text* with the `ich` that its first verb lacks; `hab` is `habe`."""
    text = _UNSAID.sub(lambda found: f"ich {found['verb'].lower()}", text)
    return re.sub(_CLIPPED, r"\g<0>e", text)


def _straight(text: str) -> str:
    """Return *text* with its subject first: `Seit 2015 wohne ich hier` is `ich wohne hier`."""
    found = re.match(_INVERTED, text)
    if not found:
        return text
    most = " am liebsten" if found["most"] else ""
    return f"{found['who']} {found['verb']}{most}{text[found.end() :]}"


def attributes(text: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield whom *text*, a sentence, concerns and what it says of them."""
    if salience.is_question(text) or re.search(_DOUBT, text):
        return
    me = Person(circle.me, "self")
    for found in (*re.finditer(_CALLED, text), *re.finditer(_MINE, text)):
        name = found["name"] or ""
        relation = RELATIONS[found["rel"]]
        if _is_name(found, text) and circle.called(name, relation) is None:
            person = circle.meet(name, relation)
            yield person, Attribute(relations.category(person.relation), "name", name)
    for category, field, pattern in attributes_de.OWN:
        if own := re.search(pattern, text):
            yield me, Attribute(category, field, own["v"])
    for found in re.finditer(attributes_de.FAVOURITE, text):
        yield (
            me,
            Attribute(
                "preferences", f"favorite_{attributes_de.FAVOURITES[found['thing']]}", found["v"]
            ),
        )
    text = _straight(text)
    for found in re.finditer(_SUBJECT, text):
        person = me if found["self"] else _relation(found, circle)
        rest = text[found.end() :]
        while rest:
            yield from ((person, one) for one in traits.attributes(rest, attributes_de.PREDICATES))
            joined = re.match(_JOINED, rest)
            rest = rest[joined.end() :] if joined else ""


def _is_name(found: re.Match[str], text: str) -> bool:
    """Whether the name *found* behind a relation in *text* is one, and no object of its verb.

    Nor a trade: `Jetzt ist mein Bruder Arzt`.
    """
    name, before = found["name"] or "", text[: found.start()]
    if not relations.is_name(name):
        return False
    is_trade = before.endswith("ist ") and re.fullmatch(attributes_de.TRADE, name)
    is_object = _OWNS_BEFORE.search(before) and not _MORE.match(text[found.end() :])
    return not (is_trade or is_object)


def _relation(found: re.Match[str], circle: Circle) -> Person:
    relation = RELATIONS[found["rel"]]
    return circle.called(found["name"] or "", relation) or circle.of(relation)
