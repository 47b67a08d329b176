"""The fields of what models return, read generously: texts on one line, lists, numbers, in bounds.

What is missing or null is empty, a lone text is a list of one. What cannot be understood is left
for pydantic to refuse.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator

from vaultmem.nlp.summarization import answer_cleanup
from vaultmem.nlp.summarization.prompts import plain

_T = TypeVar("_T")

_ITEMS, _CHARS = 30, 600
_NUMBER = re.compile(r"#?\s*(\d{1,6})")


def text(value: object) -> object:
    """Return a text on one line, within bounds; what is no text is left for pydantic to refuse."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    return _bounded(plain(value))


def _prose(value: object) -> object:
    """Return a text with a sentence a line, within bounds."""
    if not isinstance(value, str):
        return text(value)
    return _bounded("\n".join(plain(sentence) for sentence in answer_cleanup.sentences(value)))


def _bounded(said: str) -> str:
    return said if len(said) <= _CHARS else said[: _CHARS - 1].rstrip() + "\u2026"


def _steps(value: object) -> object:
    """Return a way of working with a step a line, also where it came as a list."""
    if isinstance(value, list) and all(isinstance(step, str) for step in value):
        return _bounded("\n".join(filter(None, map(plain, value))))
    return _prose(value)


def _share(value: float) -> float:
    # Not `ge` and `le`: a schema with bounds is not what every provider takes.
    if not (math.isfinite(value) and 0 <= value <= 1):
        raise ValueError("must be from 0 to 1")
    return value


def _filled(said: str) -> str:
    if not said:
        raise ValueError("is empty")
    return said


def _result(value: object) -> object:
    """Return what a tool answered as a text, whatever JSON it is."""
    if value is None or isinstance(value, str):
        return text(value)
    return text(json.dumps(value, ensure_ascii=False))


def items(value: object) -> object:
    """Return a list without its empty items, within bounds; what is none is left to refuse."""
    if isinstance(value, str | Mapping):
        value = [value]
    if not isinstance(value, list):
        return [] if value is None else value
    return [item for item in value if item not in (None, "", {}, [])][:_ITEMS]


def _telling(found: list[_T]) -> list[_T]:
    return [item for item in found if item]


def _number(value: object) -> object:
    """Return a number that came as a text, `#3`; what is none is left to refuse."""
    found = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(found[1]) if found else value


def _numbers(value: object) -> object:
    return items([value] if isinstance(value, int) else value)


Text = Annotated[str, BeforeValidator(text)]
Required = Annotated[str, BeforeValidator(text), AfterValidator(_filled)]
Prose = Annotated[str, BeforeValidator(_prose), AfterValidator(_filled)]
List = Annotated[list[_T], BeforeValidator(items), AfterValidator(_telling)]
Number = Annotated[int, BeforeValidator(_number)]
Numbers = Annotated[list[Number], BeforeValidator(_numbers)]
Steps = Annotated[str, BeforeValidator(_steps)]
Share = Annotated[float, AfterValidator(_share)]
Result = Annotated[str, BeforeValidator(_result)]
