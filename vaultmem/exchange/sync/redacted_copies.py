"""One message of which two copies differ only where something was forgotten.

Each side may have forgotten another part of it: nothing stays that either did. A mark stands for
words that are known as forgotten, never for what another message says in that place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from difflib import SequenceMatcher

from vaultmem.nlp.text import analysis
from vaultmem.storage import tombstone_digests, tombstones
from vaultmem.storage.json_lines import fields
from vaultmem.storage.tombstones import MARK, Tombstones

Takes = Callable[[str], bool]
"""Tells whether a text was forgotten: nothing else goes where a mark stands."""

_MARKS = re.compile(rf"{re.escape(MARK)}(?:\s*{re.escape(MARK)})*")
_WORDS = re.compile(rf"{re.escape(MARK)}|\w+|\s+|.", re.DOTALL)
_BYTES = MARK.encode()


def is_one(line: bytes) -> bool:
    """Tell whether something of what *line* says was forgotten."""
    return _BYTES in line


def known_to(stones: Tombstones) -> Takes:
    """Return what tells whether each sentence of a text is one that *stones* stand for."""

    def is_known(text: str) -> bool:
        row = " ".join(tombstone_digests.tokens(text))
        return bool(stones.of(text)) or row in tombstones.stretches(text, stones.all)

    def takes(text: str) -> bool:
        said = analysis.sentences(text)
        return is_known(text) or (bool(said) and all(map(is_known, said)))

    return takes


def together(one: bytes, other: bytes, takes: Takes, unlike: Collection[str] = ()) -> bytes | None:
    """Return the line *one* without what either line forgot; None where they are of two messages.

    They may differ in the keys that are *unlike*, and where one has a mark for what it *takes*.
    """
    mine, yours = fields(one), fields(other)
    if not (mine and yours and (is_one(one) or is_one(other))):
        return None
    both = [{k: v for k, v in it.items() if k not in unlike} for it in (mine, yours)]
    made = _of_both(both[0], both[1], takes)
    if not isinstance(made, dict):
        return None
    whole = {key: made.get(key, value) for key, value in mine.items()}
    return one if whole == mine else json.dumps(whole, ensure_ascii=False).encode()


def is_gone(value: object, takes: Takes) -> bool:
    """Tell whether *value* is a text that says something, and nothing but what one *takes*."""
    return isinstance(value, str) and bool(value.strip()) and _is_taken(value, takes)


def _is_taken(text: str, takes: Takes) -> bool:
    parts = (part.strip() for part in text.split(MARK))
    return all(takes(part) for part in parts if part)


def _of_both(one: object, other: object, takes: Takes) -> object:
    """Return a value of JSON without what either copy forgot; None where they are no copies."""
    if one == other:
        return one
    if MARK in [it for it in (one, other) if isinstance(it, str)]:
        return MARK if is_gone(other if one == MARK else one, takes) else None
    match one, other:
        case str(), str():
            return _text(one, other, takes)
        case list(), list() if len(one) == len(other):
            return _each_of_both(one, other, takes)
        case dict(), dict() if one.keys() == other.keys():
            values = _each_of_both([*one.values()], [other[key] for key in one], takes)
            return values and dict(zip(one, values, strict=True))
    return None


def _each_of_both(one: list[object], other: list[object], takes: Takes) -> list[object] | None:
    made = [_of_both(mine, yours, takes) for mine, yours in zip(one, other, strict=True)]
    is_unlike = any(now is None and was is not None for was, now in zip(one, made, strict=True))
    return None if is_unlike else made


def _text(one: str, other: str, takes: Takes) -> str | None:
    if covers(one, other, takes):
        return one
    if covers(other, one, takes):
        return other
    return _aligned(one, other, takes) if MARK in one and MARK in other else None


def covers(redacted: str, whole: str, takes: Takes) -> bool:
    """Tell whether *redacted* says what *whole* does but for what one *takes* of it."""
    first, *rest = _MARKS.split(redacted)
    if not (rest and whole.startswith(first) and whole.endswith(rest[-1])):
        return False
    at = len(first)
    for n, part in enumerate(rest, 1):
        found = whole.find(part, at) if n < len(rest) else len(whole) - len(part)
        if found < at or not _is_taken(whole[at:found], takes):
            return False
        at = found + len(part)
    return True


def _aligned(one: str, other: str, takes: Takes) -> str | None:
    """Return a text of which each copy forgot another part."""
    mine, yours = _WORDS.findall(one), _WORDS.findall(other)
    said: list[str] = []
    for how, at, end, there, until in SequenceMatcher(None, mine, yours).get_opcodes():
        own, others = "".join(mine[at:end]), "".join(yours[there:until])
        if how != "equal" and not (covers(own, others, takes) or covers(others, own, takes)):
            return None
        said.append(own if how == "equal" else MARK)
    return "".join(said)
