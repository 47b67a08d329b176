"""How much of what is asked later the summaries of a conversation hold, per word.

A folder has `<name>.messages.jsonl`, what `import jsonl` reads, and `<name>.questions.jsonl` with a
`question`, its `answer` and a `category` on each line. Each conversation is imported into a
temporary vault and compacted there. An answer counts as held by a text that has four in five of its
words, whatever stands between them; beside it stands what whole messages drawn by chance hold in as
many words.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from vaultmem.api import create
from vaultmem.api.types import Scope
from vaultmem.api.vault import Vault
from vaultmem.errors import BadInput
from vaultmem.evaluation import json_lines
from vaultmem.records import utc_now

_MESSAGES, _QUESTIONS = ".messages.jsonl", ".questions.jsonl"
_AGENT = "assistant"
_EXAMPLE = '{"question": "Where does Ada live?", "answer": "Bath"}'
_DRAWS, _SEED = 30, 7
# A longer answer is an explanation, and its words say little of whether it is given.
_LONGEST, _HELD = 6, 0.8
_MISLEADING = "adversarial"
_STOP_WORDS = """
a an and are as at by for from he her his in is it its not no of on or she that the their they
this to was were with yes
"""
_STOP = frozenset(_STOP_WORDS.split())


class _Question(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    question: Annotated[str, Field(min_length=1)]
    answer: str | int | float = ""
    category: str = ""


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    content: str


_Row = TypeVar("_Row", bound=BaseModel)
Answer = frozenset[str]
"""The words of an answer that say something, in lower case."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said, in which file, and the answers to what is asked of it later."""

    name: str
    messages: Path
    said: tuple[str, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """How many *words* a text has, their *share* of what was said, and the answers it holds.

    *held* and *by_chance* are shares of the answers, *ratio* is one by the other, 0 where chance
    holds none.
    """

    words: int
    share: float
    held: float
    by_chance: float
    ratio: float


@dataclass(frozen=True, slots=True)
class Measured:
    """One conversation's figures."""

    name: str
    answers: int
    summaries: int
    short_term: Held
    long_term: Held


def load(folder: Path) -> tuple[Conversation, ...]:
    """Read the conversations in *folder*; raises BadInput where there is none."""
    found = sorted(folder.glob(f"*{_MESSAGES}"))
    both = [path for path in found if _questions(path).exists()]
    if not both:
        raise BadInput(f"{folder}: no NAME{_MESSAGES} with a NAME{_QUESTIONS} beside it")
    return tuple(_conversation(path) for path in both)


def _questions(messages: Path) -> Path:
    return messages.with_name(messages.name.removesuffix(_MESSAGES) + _QUESTIONS)


def _conversation(path: Path) -> Conversation:
    said = tuple(it.content for it in _lines(path, _Message))
    asked = (it for it in _lines(_questions(path), _Question) if it.category != _MISLEADING)
    answers = (_answer(str(it.answer)) for it in asked)
    known = tuple(answer for answer in answers if 0 < len(answer) <= _LONGEST)
    if not known:
        raise BadInput(f"{_questions(path)}: no short answer in it; a line is {_EXAMPLE}")
    return Conversation(path.name.removesuffix(_MESSAGES), path, said, known)


def _lines(path: Path, row: type[_Row]) -> Iterator[_Row]:
    return (
        it
        for _, it in json_lines.rows(path, row, "a JSONL file", json_lines.bad_line(path, _EXAMPLE))
    )


def live(it: Conversation, env: Mapping[str, str]) -> Measured:
    """Import and compact a conversation in a temporary vault, and measure its summaries.

    *env* is what the vault opens with.
    """
    with tempfile.TemporaryDirectory(prefix="vaultmem-summaries-") as folder:
        path = Path(folder) / "vault"
        create.create(path, utc_now, with_git=False)
        with Vault.open(path, env=env) as vault:
            vault.import_files("jsonl", [it.messages], agent=_AGENT, redact=True)
            found = list(vault.queries.files(Scope(type="summary")))
            recent = [record.body for record in found if record.tier == "recent"]
            longterm = [record.body for record in found if record.tier == "longterm"]
    return measure(it, recent, longterm)


def measure(it: Conversation, recent: Sequence[str], longterm: Sequence[str]) -> Measured:
    """Measure the texts of short- and long-term summaries against what is asked of *it*."""
    return Measured(
        it.name, len(it.answers), len(recent), _held(it, "\n".join(recent)),
        _held(it, "\n".join(longterm)),
    )  # fmt: skip


def figures(made: Sequence[Measured]) -> dict[str, float]:
    """Return the means over conversations, and the least ratios."""
    return {
        "short_term.held": fmean(it.short_term.held for it in made),
        "short_term.share": fmean(it.short_term.share for it in made),
        "short_term.ratio": min(it.short_term.ratio for it in made),
        "long_term.held": fmean(it.long_term.held for it in made),
        "long_term.ratio": min(it.long_term.ratio for it in made),
    }


def _held(it: Conversation, text: str) -> Held:
    words, said = _size(text), sum(map(_size, it.said))
    held = _share([text], it.answers)
    chance = fmean(_share(draw, it.answers) for draw in _drawn(it.said, words))
    return Held(
        words, words / said if said else 0.0, held, chance, held / chance if chance else 0.0
    )


def _drawn(said: Sequence[str], words: int) -> Iterator[list[str]]:
    """Yield what chance draws of *said* for as long as it has no more than *words*."""
    chance = Random(_SEED)  # noqa: S311  # repeatable, not secret
    for _ in range(_DRAWS):
        pool, left, drawn = list(said), words, []
        chance.shuffle(pool)
        for text in pool:
            left -= _size(text)
            if left < 0:
                break
            drawn.append(text)
        yield drawn


def _share(texts: Collection[str], answers: Sequence[Answer]) -> float:
    have = frozenset(_heads(" ".join(texts)))
    return fmean(len(answer & have) >= _HELD * len(answer) for answer in answers)


def _answer(text: str) -> Answer:
    return frozenset(_heads(text)) - _STOP


def _heads(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())


def _size(text: str) -> int:
    return len(re.findall(r"\w+", text))
