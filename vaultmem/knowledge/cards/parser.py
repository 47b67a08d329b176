"""Take a file for a card: what it says attribute by attribute, and who said each of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Document, Value
from vaultmem.errors import BadInput, Unreadable
from vaultmem.knowledge.cards import flat_json, names
from vaultmem.knowledge.cards.types import DATES, OWN, RESERVED, Json, Mark, Policy, Text, digest
from vaultmem.records import TRUST_OF_SOURCE, Record
from vaultmem.storage import files, reader

CLAIM = re.compile(r"(?P<field>.+): (?P<by>[a-z+]+) (?P<at>\S+) (?P<digest>[0-9a-f]{8})")
_POLICY = re.compile(r"(?P<field>.+): (?P<policy>latest|all)")


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it stands.

    *attributes* are its facts by dotted key and what every card may say of itself (`model.OWN`),
    `backstory` being the body; *marks* tell who said each. *raw* is the frontmatter as it is.
    """

    path: str
    record: Record
    doc: Document
    raw: Mapping[str, Value]
    attributes: Mapping[str, Text]
    marks: Mapping[str, Mark]
    policies: Mapping[str, Policy]

    @property
    def removed(self) -> Mapping[str, str]:
        """When what stands here no more was said: a person removed it, and left its claim."""
        found = filter(None, map(CLAIM.fullmatch, lines(self.raw.get("claims"))))
        return {m["field"]: m["at"] for m in found if m["field"] not in self.attributes}

    @property
    def name(self) -> str:
        """`category/key`, by where it lies."""
        return names.of_path(self.path)

    @property
    def trust(self) -> str:
        """What the file says it is worth, believed or not: a change keeps what it says."""
        return self.record.claimed or self.record.trust

    @property
    def facts(self) -> dict[str, Text]:
        """The attributes that are this card's own: without what every card has."""
        return {key: value for key, value in self.attributes.items() if key not in OWN}


def read(path: str, data: bytes) -> Card:
    """Return the card in *data*; raises Unreadable, naming the file, when it cannot be trusted."""
    record = reader.record(path, files.content(data))
    if record.problem:
        problem = record.problem
        raise Unreadable(problem.code, f"{path}: {problem.message}; {problem.repair}")
    doc = frontmatter.read(data)
    raw = frontmatter.fields(doc)
    attributes = _attributes(raw, doc.body)
    marks = _marks(lines(raw.get("claims")), attributes)
    return Card(path, record, doc, raw, attributes, marks, _policies(lines(raw.get("policies"))))


def _attributes(raw: Mapping[str, Value], body: str) -> dict[str, Text]:
    found = {key: value for key, value in raw.items() if key.casefold() not in RESERVED}
    own = {key: _as_text(found.pop(key)) for key in OWN if key in found}
    own["backstory"] = body.replace("\r\n", "\n").strip() or own.get("backstory", "")
    own = {key: value for key, value in own.items() if value}
    return own | _flat(found)


def _as_text(value: Value) -> str:
    return value if isinstance(value, str) else ", ".join(map(str, value))


def _flat(found: Mapping[str, Value]) -> dict[str, Text]:
    try:
        flat = flat_json.flatten(found)
    except BadInput:  # a key stands nested and with a point: the first is as good as the second
        flat = {}
        for key, value in found.items():
            flat = flat_json.flatten({key: value}) | flat
    return {key: value for key, value in flat.items() if value is not None}


def _marks(claims: Sequence[str], attributes: Mapping[str, Text]) -> dict[str, Mark]:
    """Return who said each attribute; what no claim accounts for, a person wrote by hand."""
    marks = {key: Mark() for key in attributes}
    for line in claims:
        claim = CLAIM.fullmatch(line)
        if claim is None or claim["field"] not in marks:
            continue
        sources = tuple(s for s in claim["by"].split("+") if s in TRUST_OF_SOURCE)
        if sources and claim["digest"] == digest(attributes[claim["field"]]):
            marks[claim["field"]] = Mark(sources, claim["at"], claim["digest"])
    return marks


def _policies(lines: Sequence[str]) -> dict[str, Policy]:
    found = (_POLICY.fullmatch(line) for line in lines)
    return {m["field"]: "all" if m["policy"] == "all" else "latest" for m in found if m}


def lines(value: object) -> list[str]:
    """Return the texts of a list property; of anything else, none."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def written(field: str, mark: Mark) -> str:
    """Return the line of `claims` that says who said *field*."""
    return f"{field}: {mark.joined_sources} {mark.at} {mark.digest}"


def as_object(card: Card) -> dict[str, Json]:
    """Return *card* as nested JSON: whom it concerns, how it arose, and its facts."""
    own: dict[str, Json] = {
        "person": card.record.person,
        "relationship": card.record.relationship,
        "backstory": str(card.attributes.get("backstory", "")),
        "date_created": card.record.created,
    }
    own |= {key: str(card.attributes[key]) for key in DATES if key in card.attributes}
    if card.policies:
        own["policies"] = dict(card.policies)
    return {**flat_json.nest(card.facts), **own}


def _dated(card: Card, name: str, value: str | tuple[str, ...]) -> Json:
    mark = card.marks.get(name)
    source, at = (mark.joined_sources, mark.at) if mark else ("", "")
    return {"value": value, "source": source, "date": at}


def in_full(card: Card) -> dict[str, Json]:
    """Return *card* as `as_object` does, and what the program knows of it.

    Below `facts` stands each fact by its whole name with its source and its date, "" for none.
    """
    category, key = names.split(card.name)
    claims = {f: {"source": m.joined_sources, "at": m.at} for f, m in card.marks.items()}
    known: dict[str, Json] = {
        "id": card.record.id,
        "path": card.path,
        "category": category,
        "key": key,
        "title": card.record.title,
        "trust": card.record.trust,
        "claims": claims,
        "facts": {name: _dated(card, name, value) for name, value in card.facts.items()},
    }
    return {**as_object(card), **known}
