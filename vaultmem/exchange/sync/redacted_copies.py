"""One message of which two copies differ only where something was forgotten.

Each side may have forgotten another part of it: nothing stays that either did.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from difflib import SequenceMatcher

from vaultmem.storage.json_lines import fields
from vaultmem.storage.tombstones import MARK

_WORDS = re.compile(rf"{re.escape(MARK)}|\w+|\s+|.", re.DOTALL)
_BYTES = MARK.encode()


def is_one(line: bytes) -> bool:
    """Tell whether something of what *line* says was forgotten."""
    return _BYTES in line


def together(one: bytes, other: bytes, unlike: Collection[str] = ()) -> bytes | None:
    """Return the line *one* without what either line forgot; None where they are of two messages.

    They may differ in the keys that are *unlike*.
    """
    mine, yours = fields(one), fields(other)
    if not (mine and yours and (is_one(one) or is_one(other))):
        return None
    made = _of_both(*({k: v for k, v in it.items() if k not in unlike} for it in (mine, yours)))
    if not isinstance(made, dict):
        return None
    whole = {key: made.get(key, value) for key, value in mine.items()}
    return one if whole == mine else json.dumps(whole, ensure_ascii=False).encode()


def _of_both(one: object, other: object) -> object:
    """Return a value of JSON without what either copy forgot; None where they are no copies."""
    if one == other:
        return one
    if MARK in [it for it in (one, other) if isinstance(it, str)]:
        return MARK
    match one, other:
        case str(), str():
            return _text(one, other)
        case list(), list() if len(one) == len(other):
            return _each_of_both(one, other)
        case dict(), dict() if one.keys() == other.keys():
            values = _each_of_both([*one.values()], [other[key] for key in one])
            return values and dict(zip(one, values, strict=True))
    return None


def _each_of_both(one: list[object], other: list[object]) -> list[object] | None:
    made = [*map(_of_both, one, other)]
    is_unlike = any(now is None and was is not None for was, now in zip(one, made, strict=True))
    return None if is_unlike else made


def _text(one: str, other: str) -> str | None:
    if _covers(one, other):
        return one
    if _covers(other, one):
        return other
    return _aligned(one, other) if MARK in one and MARK in other else None


def _covers(redacted: str, whole: str) -> bool:
    """Tell whether *redacted* says what *whole* does but for what is forgotten in it."""
    first, *rest = redacted.split(MARK)
    if not rest or not whole.startswith(first):
        return False
    at = len(first)
    for part in rest[:-1]:
        found = whole.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return whole.endswith(rest[-1]) and at + len(rest[-1]) <= len(whole)


def _aligned(one: str, other: str) -> str | None:
    """Return a text of which each copy forgot another part."""
    mine, yours = _WORDS.findall(one), _WORDS.findall(other)
    said: list[str] = []
    for how, at, end, there, until in SequenceMatcher(None, mine, yours).get_opcodes():
        own, others = "".join(mine[at:end]), "".join(yours[there:until])
        if how != "equal" and not (_covers(own, others) or _covers(others, own)):
            return None
        said.append(own if how == "equal" else MARK)
    return "".join(said)
