"""The facts of a card whose time is over: `employer_valid_to: 2026-03-01` ends `employer`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

_Value = TypeVar("_Value")
_SUFFIX = "_valid_to"


def end_of(field: str) -> str:
    """Return the name of the fact that says until when *field* was so."""
    return f"{field}{_SUFFIX}"


def ended(field: str) -> str:
    """Return the fact whose end *field* tells, "" when it tells of none."""
    return field.removesuffix(_SUFFIX) if field.endswith(_SUFFIX) else ""


def told(facts: Mapping[str, _Value]) -> Iterator[tuple[str, _Value]]:
    """Yield *facts* by names to be read, ends within: `employer (until 2026-03-01)`."""
    for field, value in facts.items():
        if ended(field) in facts:
            continue
        until = f" (until {facts[end_of(field)]})" if end_of(field) in facts else ""
        yield f"{field.replace('_', ' ')}{until}", value
