"""What cards are exported as, and read from: advanced cards, plain JSON, notes, paragraphs.

The simpler forms are for others: they do not say whom a fact concerns, or how it arose, apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NoReturn

from vaultmem.documents import ended_facts
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.knowledge.cards import flat_json, names, parser
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.types import DATES, REQUIRED, Json, Patch

Mode = Literal["advanced", "json", "enhanced", "notes"]
_DAY = 10
_TOP = "categories"


def exported(cards: Iterable[Card], mode: Mode) -> dict[str, Json]:
    """Return *cards* as one JSON object of that *mode*."""
    if mode == "notes":
        return {"notes": [note for card in cards for note in _notes(card)]}
    if mode == "enhanced":
        return {"notes": [_paragraph(card) for card in cards]}
    categories: dict[str, dict[str, Json]] = {}
    for card in cards:
        category, key = names.split(card.name)
        value = parser.as_object(card) if mode == "advanced" else flat_json.nest(card.facts)
        categories.setdefault(category, {})[key] = value
    return {_TOP: categories}


def _notes(card: Card) -> Iterator[str]:
    for name, value in ended_facts.told(card.facts):
        yield f"{card.record.person or card.name}: {_words(name)}: {_one_line(value)}"


def _paragraph(card: Card) -> str:
    whom = f"{card.record.person} ({card.record.relationship})"
    day = f", {card.record.created[:_DAY]}" if card.record.created else ""
    told = ended_facts.told(card.facts)
    facts = "; ".join(f"{_words(name)}: {_one_line(value)}" for name, value in told)
    backstory = " ".join(str(card.attributes.get("backstory", "")).split())
    return " ".join(
        x for x in (f"About {whom}{day}.", f"{facts}." if facts else "", backstory) if x
    )


def _words(name: str) -> str:
    return name.replace(".", " ")


def _one_line(value: str | tuple[str, ...]) -> str:
    return " ".join((value if isinstance(value, str) else ", ".join(value)).split())


# --- reading ----------------------------------------------------------------------------------


def load(data: bytes, where: str) -> Json:
    """Return the JSON in *data*; raises BadInput with the place for what is torn or ambiguous."""
    try:
        found: Json = json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_refuse
        )
    except json.JSONDecodeError as e:
        raise BadInput(f"{where}:{e.lineno}:{e.colno}: not JSON: {e.msg}") from e
    except UnicodeDecodeError as e:
        raise BadInput(f"{where}: byte {e.start} is not UTF-8: save it as UTF-8") from e
    except BadInput as e:
        raise BadInput(f"{where}: {e}") from e
    except (RecursionError, ValueError) as e:  # the latter for a number of thousands of digits
        raise BadInput(f"{where}: nests too deep, or holds a number too long to be one") from e
    return found


def _unique(pairs: Sequence[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise BadInput(f"the key {quoted(key)} appears twice in one object")
        found[key] = value
    return found


def _refuse(name: str) -> NoReturn:
    raise BadInput(f"{name} is not a number in JSON")


def patches(found: Json, defaults: Patch) -> list[tuple[str, Patch]]:
    """Return what a file of cards says, as a patch for each card by its name.

    *defaults* say what the file does not: source, date, and for plain JSON whom it concerns. Raises
    BadInput, naming the place, for what is no card.
    """
    read = []
    for category, cards in _object(_object(found, "the file").get(_TOP), _TOP).items():
        for key, card in _object(cards, f"{_TOP}.{category}").items():
            name, where = f"{category}/{key}", f"{_TOP}.{category}.{key}"
            names.new(name)
            read.append((name, _patch(_object(card, where), where, defaults)))
    return read


def _object(value: Json, where: str) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise BadInput(f'{where}: not an object: write {{"{_TOP}": {{CATEGORY: {{KEY: {{…}}}}}}}}')
    return value


def _patch(card: Mapping[str, Json], where: str, defaults: Patch) -> Patch:
    own = {key: _line(card, key, where) for key in (*REQUIRED, *DATES, "date_created")}
    policies = card.get("policies", {})
    taken = {*own, "policies"}
    return Patch(
        fields={key: value for key, value in card.items() if key not in taken},
        person=own["person"] or defaults.person,
        relationship=own["relationship"] or defaults.relationship,
        backstory=own["backstory"] or defaults.backstory,
        valid_from=own["valid_from"],
        valid_to=own["valid_to"],
        stale_after=own["stale_after"],
        policies={k: str(v) for k, v in _object(policies, f"{where}.policies").items()},
        source=defaults.source,
        at=defaults.at or own["date_created"],
    )


def _line(card: Mapping[str, Json], key: str, where: str) -> str:
    value = card.get(key, "")
    if not isinstance(value, str):
        raise BadInput(f"{where}.{key}: not a text")
    return value


def sayings(found: Json) -> list[str]:
    """Return the notes or paragraphs of a file; raises BadInput."""
    notes = found.get("notes") if isinstance(found, Mapping) else found
    if not isinstance(notes, Sequence) or isinstance(notes, str):
        raise BadInput('no list of notes: a file of notes is {"notes": ["…", …]}')
    lines = []
    for at, line in enumerate(notes):
        if not isinstance(line, str):
            raise BadInput(f"notes[{at}]: not a text")
        lines.append(line)
    return lines
