"""Fields of what another program saved as JSON, which may be anything: of another kind is none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime

from vaultmem.errors import BadInput
from vaultmem.records import iso, moment

Raw = Mapping[str, object]
"""An object as it was saved."""

_SECONDS = range(10**8, 10**10)
"""Seconds of Unix that are a time of ours, from 1973 on; a smaller number counts something else."""


def as_text(value: object) -> str:
    """Return *value* where it is a text, "" where it is none."""
    return value if isinstance(value, str) else ""


def text_of(found: Raw, key: str) -> str:
    """Return the text under *key*, "" where there is none."""
    return as_text(found.get(key))


def date(value: object) -> str:
    """Return the date or time that *value* is as ISO 8601, "" for what cannot be read as one."""
    try:
        return iso(moment(as_text(value)))
    except BadInput:
        return ""


def object_of(found: object) -> Raw:
    """Return the object that *found* is, an empty one where it is none."""
    return found if isinstance(found, dict) else {}


def without(found: Raw, keys: Collection[str]) -> dict[str, object]:
    """Return the object *found* without the fields of those names."""
    return {key: value for key, value in found.items() if key not in keys}


def texts_of(found: object) -> tuple[str, ...]:
    """Return the texts of the list that *found* is."""
    return tuple(it for it in found if isinstance(it, str)) if isinstance(found, list) else ()


def every_text_in(found: object, is_apart: Callable[[str], bool] = lambda _: False) -> list[str]:
    """Return all texts in *found*, lists and objects within it, too, however deep they go.

    The name of a field is one where it has a space: no program calls a field so. A field whose name
    *is_apart* is left out.
    """
    texts, waiting = list[str](), [found]
    while waiting:
        match waiting.pop():
            case str() as text:
                texts.append(text)
            case list() as inner:
                waiting += reversed(inner)
            case dict() as inner:
                keys = [key for key in inner if not is_apart(key)]
                waiting += (inner[key] for key in reversed(keys))
                waiting += (key for key in keys if " " in key)
    return texts


def objects_of(found: object) -> Sequence[Raw]:
    """Return the objects of the list that *found* is."""
    return [it for it in found if isinstance(it, dict)] if isinstance(found, list) else []


def unix_time(value: object) -> str:
    """Return Unix time in s or ms as ISO 8601, "" for what is no number, or none of such a time."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return ""
    if not _SECONDS.start <= value < _SECONDS.stop * 1000:
        return ""
    seconds = value / 1000 if value >= _SECONDS.stop else value
    return iso(datetime.fromtimestamp(seconds, UTC))
