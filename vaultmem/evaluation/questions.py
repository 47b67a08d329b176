"""Questions whose evidence is known, read from a file: a line of JSONL each.

A line is `{"question", "evidence": [...], "category"?, "agent"?, "session"?, "conversation"?}`;
other keys (an `answer`) are let be. Each piece of evidence names a memory or quotes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from vaultmem.api.types import LONGEST_QUERY
from vaultmem.errors import BadInput
from vaultmem.evaluation import json_lines

_EXAMPLE = '{"question": "Where does Ada live?", "evidence": ["D1:3"]}'


class BadQuestion(BadInput):
    """One line of a file of questions cannot be read; nothing was asked."""

    def __init__(self, file: str, line: int, why: str) -> None:
        """Name the *file*, the 1-based *line* and *why*."""
        self.file, self.line, self.why = file, line, why
        super().__init__(f"{file}:{line}: {why}; nothing was asked: fix the line")


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question, and what its evidence is said to be.

    *session* is where its evidence was said, *conversation* what it shares with others.
    """

    text: str
    evidence: tuple[str, ...]
    category: str = ""
    agent: str = ""
    session: str = ""
    conversation: str = ""
    line: int = 0


class _Line(BaseModel):
    """One line as it must be; unknown keys are not ours to judge."""

    model_config = ConfigDict(strict=True, str_strip_whitespace=True, extra="ignore")

    question: Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY)]
    evidence: Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
    category: str = ""
    agent: str = ""
    session: str = ""
    conversation: str = ""


def load(path: Path) -> tuple[LabelledQuestion, ...]:
    """Read a file of questions; raises BadQuestion, or BadInput for what is no such file."""
    asked = tuple(_lines(path))
    if not asked:
        raise BadInput(f"{path}: no question in it; a line is {_EXAMPLE}")
    return asked


def _lines(path: Path) -> Iterator[LabelledQuestion]:
    bad = partial(BadQuestion, path.name)
    for number, it in json_lines.rows(path, _Line, "a JSONL file of questions", bad):
        yield LabelledQuestion(
            it.question, tuple(it.evidence), it.category, it.agent, it.session,
            it.conversation, number,
        )  # fmt: skip


def sample(
    asked: Sequence[LabelledQuestion], limit: int | None, seed: int
) -> tuple[LabelledQuestion, ...]:
    """Return *limit* of the questions, drawn by *seed*, in their order; all without a limit."""
    if limit is None or limit >= len(asked):
        return tuple(asked)
    drawn = Random(seed).sample(range(len(asked)), limit)  # noqa: S311  # repeatable, not secret
    return tuple(asked[number] for number in sorted(drawn))
