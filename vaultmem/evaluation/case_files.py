"""Read cases and their gold from files.

A case is a YAML file as published (`test_id, category, conversation_histories, user_question`), or
a line of JSONL (`{"case", "level", "question", "messages"}`; a message is what `import jsonl` takes
as a line). Gold is JSON: `{"case", "facts": [{"name", "any": [phrase, ...]}, ...]}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vaultmem.api.types import Message
from vaultmem.errors import BadInput, input_errors
from vaultmem.evaluation import json_lines
from vaultmem.evaluation.cases import Case, Fact
from vaultmem.records import iso, moment

GOLD = ".gold.json"
_TURN = timedelta(seconds=30)
_Text = Annotated[str, Field(min_length=1)]
_Shape = TypeVar("_Shape", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class _Turn(_Strict):
    role: str
    content: str


class _History(_Strict):
    conversation_id: str
    timestamp: str
    messages: list[_Turn]

    def dated_messages(self) -> Iterator[Message]:
        """Yield its messages, half a minute apart: only the whole conversation is dated."""
        start = moment(self.timestamp)
        for number, turn in enumerate(self.messages):
            yield Message(
                id=number + 1,
                session=self.conversation_id,
                role=turn.role,
                content=turn.content,
                at=iso(start + number * _TURN),
            )


class _Published(_Strict):
    test_id: str
    category: str
    user_question: _Text
    conversation_histories: Annotated[list[_History], Field(min_length=1)]

    def case(self) -> Case:
        """Return it as a case."""
        messages = (m for history in self.conversation_histories for m in history.dated_messages())
        return Case(self.test_id, self.category, self.user_question, tuple(messages))


class _Line(_Strict):
    case: str
    level: str
    question: _Text
    messages: Annotated[list[Message], Field(min_length=1)]


class _Fact(_Strict):
    name: str
    any: Annotated[list[_Text], Field(min_length=1)]


class _Gold(_Strict):
    case: str
    facts: Annotated[list[_Fact], Field(min_length=1)]


def load(folder: Path, gold: Path | None = None) -> tuple[Case, ...]:
    """Read all cases below *folder*, and gold: `*.gold.json` there, or all JSON below *gold*.

    Raises BadInput for a file that cannot be read, or when there is no case.
    """
    cases = [case for path in sorted(folder.rglob("*")) for case in _cases(path)]
    if not cases:
        raise BadInput(f"{folder}: no case in it; a case is a .yaml file or a line of .jsonl")
    found = sorted(gold.rglob("*.json")) if gold else sorted(folder.rglob(f"*{GOLD}"))
    known = dict(map(_gold, found))
    return tuple(replace(case, facts=known.get(case.name, ())) for case in cases)


def _cases(path: Path) -> Iterable[Case]:
    if path.suffix in {".yaml", ".yml"}:
        return [_published(path)]
    return _lines(path) if path.suffix == ".jsonl" else ()


def _published(path: Path) -> Case:
    try:
        found = yaml.load(_read(path), Loader=yaml.CSafeLoader)
        return _Published.model_validate(found).case()
    except yaml.YAMLError as e:
        raise BadInput(f"{path}: no YAML ({getattr(e, 'problem', e)}); fix the file") from e
    except ValidationError as e:
        raise BadInput(f"{path}: {json_lines.why(e)}; fix the file") from e


def _lines(path: Path) -> Iterator[Case]:
    for number, text in enumerate(_read(path).split("\n"), 1):
        if text.strip():
            line = _checked(_Line, text, f"{path}:{number}")
            yield Case(line.case, line.level, line.question, tuple(line.messages))


def _gold(path: Path) -> tuple[str, tuple[Fact, ...]]:
    gold = _checked(_Gold, _read(path), str(path))
    return gold.case, tuple(Fact(fact.name, tuple(fact.any)) for fact in gold.facts)


def _checked(shape: type[_Shape], text: str, where: str) -> _Shape:
    try:
        return shape.model_validate_json(text)
    except ValidationError as e:
        raise BadInput(f"{where}: {json_lines.why(e)}; fix the file") from e


def _read(path: Path) -> str:
    with input_errors(path, "a folder of cases"):
        return path.read_text(encoding="utf-8")
