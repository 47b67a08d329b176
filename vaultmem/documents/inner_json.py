"""JSON that stands in a text of JSON, as the arguments of a call do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

_DEEPEST = 64
"""Levels of JSON that anybody writes, with those of texts in it: what is deeper is no JSON here."""


def of(text: str) -> object:
    """Return the object or list that *text* is as JSON, None for any other text.

    One that is written as JSON twice is a text that is one.
    """
    found = _parsed(text)
    return found if found is not None and _is_shallow(found) else None


def texts(text: str) -> Iterator[str]:
    """Yield each text that stands in *text* where it is JSON; JSON in one of them is one."""
    level: Sequence[object] = [of(text)]
    while level:
        yield from (it for it in level if isinstance(it, str))
        level = [part for it in level for part in _members(it)]


def _parsed(text: str) -> object:
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(found, str):
        return None if _parsed(found) is None else found
    return found if isinstance(found, dict | list) else None


def _is_shallow(value: object) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [part for it in level for part in _parts(it)]
        if not level:
            return True
    return False


def _parts(value: object) -> Iterable[object]:
    """Return what stands one level deeper in *value*."""
    inner = _parsed(value) if isinstance(value, str) else None
    return _members(value) if inner is None else (inner,)


def _members(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
