"""Files of the evaluation with one JSON object on each line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from vaultmem.errors import BadInput, input_errors

_BLANK = "\ufeff \t\r"
_MISTAKES = {
    "json_invalid": "it is no JSON: look at its quotes, commas and brackets",
    "missing": "it is missing: add it",
    "string_too_short": "it is empty: write something",
    "string_too_long": "it has more than {max_length} characters: shorten it",
    "string_type": "it is no text: put it in quotes",
    "too_short": "it is empty: name one at least",
    **dict.fromkeys(("list_type", "tuple_type"), "it is no list: put it in square brackets"),
    **dict.fromkeys(
        ("model_type", "model_attributes_type", "dict_type"),
        "it is no JSON object: put it in braces",
    ),
}
"""What is wrong and what to do, by pydantic's name for it."""
_Row = TypeVar("_Row", bound=BaseModel)


def rows(
    path: Path, row: type[_Row], what: str, bad: Callable[[int, str], BadInput]
) -> Iterator[tuple[int, _Row]]:
    """Return what each line of *path*, which is *what*, says as a *row*, and its 1-based number.

    Raises what *bad* makes of a line's number and why it cannot be read; BadInput for no such file.
    """
    with input_errors(path, what):
        text = path.read_text(encoding="utf-8")
    return parsed(text, row, bad)


def parsed(
    text: str, row: type[_Row], bad: Callable[[int, str], BadInput]
) -> Iterator[tuple[int, _Row]]:
    """Yield what `rows` does of a file that says *text*."""
    # Not splitlines: JSON text may hold U+2028, which ends no line.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip(_BLANK):
            try:
                yield number, row.model_validate_json(line.strip(_BLANK))
            except ValidationError as e:
                raise bad(number, why(e)) from e


def bad_line(path: Path, example: str) -> Callable[[int, str], BadInput]:
    """Return what `rows` makes of a line of *path* that cannot be read: it shows an *example*."""

    def bad(number: int, why: str) -> BadInput:
        return BadInput(f"{path.name}:{number}: {why}; a line is {example}")

    return bad


def why(error: ValidationError) -> str:
    """Return what is wrong with an object first, behind the place where it is."""
    first = error.errors(include_url=False, include_input=False)[0]
    # A position within the line, which pydantic calls `line 1`, would only mislead.
    other = first["msg"].partition(" at line ")[0]
    said = _MISTAKES.get(first["type"], other).format(**first.get("ctx", {}))
    return f"{'.'.join(map(str, first['loc']))}: {said}" if first["loc"] else said
