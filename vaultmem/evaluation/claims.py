"""How true the cards are that a vault draws from sentences of which one knows what they say.

A line is `{"n", "speaker", "text"}` with `expect` (`[{"person", "value"}, ...]`: a card of that
person holds the value in a fact) or `not` (`[text, ...]`: no fact of the speaker's cards holds it,
and nobody of that name has a card). All lines are lived through in one temporary vault.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from vaultmem.api import create
from vaultmem.api.types import Message
from vaultmem.api.vault import Vault
from vaultmem.errors import BadInput
from vaultmem.evaluation import json_lines
from vaultmem.records import utc_now

AGENT = "assistant"
_EXAMPLE = '{"n": "1", "speaker": "Ada", "text": "I live in Bath.", "not": ["city: York"]}'
_MOST_DREAMS = 20
_ABOUT = frozenset({"id", "path", "category", "key", "title", "trust", "claims", "policies",
                    "person", "backstory", "date_created", "aliases", "conflicts",
                    "facts"})  # fmt: skip
"""What a card holds beside its facts."""


class _Expected(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    person: Annotated[str, Field(min_length=1)]
    value: Annotated[str, Field(min_length=1)]


class Sentence(BaseModel):
    """One line: who said what, and which facts must come of it, or must not."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    n: str
    speaker: Annotated[str, Field(min_length=1)]
    text: Annotated[str, Field(min_length=1)]
    expect: tuple[_Expected, ...] = ()
    traps: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(alias="not")] = ()


@dataclass(frozen=True, slots=True)
class CardFact:
    """One fact of a card: `city: Bath`, and the person whose card it is."""

    person: str
    text: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a card holds that its sentence does not say, or lacks that it does."""

    n: str
    person: str
    fact: str
    said: str


@dataclass(frozen=True, slots=True)
class Report:
    """How many of the *expected* facts were *found*, and what was false or missing."""

    sentences: int
    expected: int
    found: int
    false: tuple[Wrong, ...]
    missing: tuple[Wrong, ...]

    @property
    def figures(self) -> dict[str, float]:
        """Return precision and recall, 1 where nothing was found or expected."""
        told = self.found + len(self.false)
        return {
            "precision": self.found / told if told else 1.0,
            "recall": self.found / self.expected if self.expected else 1.0,
        }


def load(path: Path) -> tuple[Sentence, ...]:
    """Read a file of sentences; raises BadInput, naming the line."""
    rows = json_lines.rows(
        path, Sentence, "a JSONL file of sentences", json_lines.bad_line(path, _EXAMPLE)
    )
    found = tuple(it for _, it in rows)
    if not found:
        raise BadInput(f"{path}: no sentence in it; a line is {_EXAMPLE}")
    return found


def live(sentences: Sequence[Sentence], env: Mapping[str, str]) -> tuple[CardFact, ...]:
    """Say *sentences* in a temporary vault, dream until nothing is new, return the cards' facts.

    *env* is what the vault opens with.
    """
    with tempfile.TemporaryDirectory(prefix="vaultmem-claims-") as folder:
        path = Path(folder) / "vault"
        create.create(path, utc_now, with_git=False)
        messages = path.with_suffix(".jsonl")
        messages.write_text("".join(map(_message, sentences)), encoding="utf-8")
        with Vault.open(path, env=env) as vault:
            vault.import_files("jsonl", [messages], agent=AGENT, redact=True)
            for _ in range(_MOST_DREAMS):
                if not vault.dreams.plan().proposals:
                    break
                vault.dreams.apply(everything=True)
            return tuple(fact for card in vault.cards.list() for fact in _facts(vault, card.name))


def _message(it: Sentence) -> str:
    said = Message(id=it.n, session=f"session-{it.n}", speaker=it.speaker, content=it.text)
    return f"{said.model_dump_json(exclude_none=True)}\n"


def _facts(vault: Vault, card: str) -> Iterator[CardFact]:
    whole = vault.cards.get(card)
    for key, value in whole.items():
        for item in value if isinstance(value, list | tuple) else [value]:
            if key not in _ABOUT:
                text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
                yield CardFact(str(whole["person"]), f"{key}: {text}")


def report(sentences: Sequence[Sentence], facts: Sequence[CardFact]) -> Report:
    """Compare the *facts* of all cards with what *sentences* say and do not say."""
    due = [(said, one) for said in sentences for one in said.expect]
    missing = tuple(
        Wrong(said.n, one.person, one.value, said.text)
        for said, one in due
        if not any(_is_of(fact, one.person) and _holds(fact, one.value) for fact in facts)
    )
    false = tuple(dict.fromkeys(wrong for said in sentences for wrong in _false(said, facts)))
    return Report(len(sentences), len(due), len(due) - len(missing), false, missing)


def _false(said: Sentence, facts: Sequence[CardFact]) -> Iterator[Wrong]:
    for trap in said.traps:
        for fact in facts:
            if fact.person.startswith(said.speaker) and _holds(fact, trap):
                yield Wrong(said.n, fact.person, fact.text, said.text)
            if _is_of(fact, trap):
                yield Wrong(said.n, fact.person, "", said.text)


def _is_of(fact: CardFact, person: str) -> bool:
    return fact.person.partition(" (")[0].casefold() == person.casefold()


def _holds(fact: CardFact, value: str) -> bool:
    return value.casefold() in fact.text.casefold()
