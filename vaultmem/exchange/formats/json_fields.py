"""Fields of what another program saved as JSON, which may be anything: of another kind is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Raw = Mapping[str, object]
"""An object as it was saved."""


def as_text(value: object) -> str:
    """Return *value* where it is a text, "" where it is none."""
    return value if isinstance(value, str) else ""


def text_of(found: Raw, key: str) -> str:
    """Return the text under *key*, "" where there is none."""
    return as_text(found.get(key))


def object_of(found: object) -> Raw:
    """Return the object that *found* is, an empty one where it is none."""
    return found if isinstance(found, dict) else {}


def texts_of(found: object) -> tuple[str, ...]:
    """Return the texts of the list that *found* is."""
    return tuple(it for it in found if isinstance(it, str)) if isinstance(found, list) else ()


def objects_of(found: object) -> Sequence[Raw]:
    """Return the objects of the list that *found* is."""
    return [it for it in found if isinstance(it, dict)] if isinstance(found, list) else []
