"""Nested JSON as flat keys and back: `{"contact": {"phone": "1"}}` is `contact.phone: "1"`.

Obsidian shows no nesting. Numbers become text, since `0123` and `1.10` must stay as they are; a
list of more than text is spread over places, `children.0.name`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from vaultmem.documents import secrets
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.knowledge.cards.types import Json, Text

_DEEPEST = 16


def flatten(values: Mapping[str, Json], where: str = "") -> dict[str, Text | None]:
    """Return *values* by dotted key, None where there shall be nothing.

    Raises BadInput, behind the place *where*, for two values of one key, or what no key can hold.
    """
    found: dict[str, Text | None] = {}
    for key, value in _leaves(values, "", where, 1):
        if key in found:
            raise BadInput(f"{where}{key}: stands twice: once nested and once with a point")
        found[key] = value
    return found


def public(values: Mapping[str, Json]) -> dict[str, Json]:
    """Return *values* without the private parts of lists that hold objects or lists.

    Each is one text, as a list of texts is; raises BadInput for one with an item that is private,
    and what `flatten` does.
    """
    flatten(values)  # none that nests too deep for what follows
    return {key: _public(key, value) for key, value in values.items()}


def _public(key: str, value: Json) -> Json:
    if isinstance(value, Mapping):
        return {name: _public(name, below) for name, below in value.items()}
    if not _is_list(value) or not any(isinstance(it, Mapping) or _is_list(it) for it in value):
        return value
    said = list(_texts(value))
    kept = secrets.strip_each(said)
    if any(was.strip() and not now.strip() for was, now in zip(said, kept, strict=True)):
        raise BadInput(f"{quoted(key)} is not stored: all that an item of it says is private")
    return _with_texts(value, iter(kept))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping) or _is_list(value):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def _with_texts(value: Json, texts: Iterator[str]) -> Json:
    """Return *value* with *texts* in the place of its own, in their order."""
    if isinstance(value, str):
        return next(texts)
    if isinstance(value, Mapping):
        return {key: _with_texts(each, texts) for key, each in value.items()}
    return [_with_texts(each, texts) for each in value] if _is_list(value) else value


def _leaves(
    values: Mapping[str, Json], above: str, where: str, depth: int
) -> Iterator[tuple[str, Text | None]]:
    if depth > _DEEPEST:
        raise BadInput(f"{where}{above}nests deeper than {_DEEPEST} levels")
    for name, value in values.items():
        key = f"{above}{name}"
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{key}.", where, depth + 1)
        elif not _is_list(value):
            yield key, None if value is None else _text(value, f"{where}{key}")
        elif any(isinstance(item, Mapping) or _is_list(item) for item in value):
            places = {str(at): item for at, item in enumerate(value)}
            yield from _leaves(places, f"{key}.", where, depth + 1)
        elif None in value:
            raise BadInput(f"{where}{key}: a list holds null; leave it out")
        else:
            yield key, tuple(_text(item, f"{where}{key}") for item in value)


def _is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _text(value: Json, place: str) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadInput(f"{place}: JSON has no {value} among its numbers; as a text it is kept")
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def nest(fields: Mapping[str, Text]) -> dict[str, Json]:
    """Return *fields* nested as their keys say; one that has no room below another stays flat."""
    root: dict[str, Json] = {}
    for key, value in fields.items():
        held: Json = value if isinstance(value, str) else list(value)
        if not _put(root, key.split("."), held):
            root[key] = held
    return {key: _listed(value) for key, value in root.items()}


def _put(at: dict[str, Json], parts: Sequence[str], value: Json) -> bool:
    for part in parts[:-1]:
        below = at.setdefault(part, {})
        if not isinstance(below, dict):
            return False
        at = below
    if parts[-1] in at:
        return False
    at[parts[-1]] = value
    return True


def _listed(value: Json) -> Json:
    """Return *value* with places 0, 1, 2 … as the list they were."""
    if not isinstance(value, dict):
        return value
    inner = {key: _listed(below) for key, below in value.items()}
    places = [str(at) for at in range(len(inner))]
    return [inner[at] for at in places] if inner and set(inner) == set(places) else inner
