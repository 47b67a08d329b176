"""What of JSON may be kept or shown: its texts, in the order of reading, are one text.

Escapes hide what is private from who looks at JSON as it is written, and a private part may begin
in one text and end in another, whatever stands between them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from vaultmem.documents import inner_json, public_text, secrets

_OPENING, _WORD = "<private>", "x"
"""What a text that begins within a part has ahead of it; marks around no word hide nothing."""

_WHICH = re.compile(r"type|role|status|author|(?:\w+_)?id", re.ASCII)
_CALL = frozenset({"args", "arguments", "input"})
_TOKEN = re.compile(r"[\w.:/-]{1,200}", re.ASCII)


class _Leaf(NamedTuple):
    """A text or a key; "" stands for what is no text. *field* is where an unclosed part ends."""

    text: str
    field: tuple[int, ...]


class _Depth(NamedTuple):
    """How many private parts are open before a leaf and behind it."""

    before: int
    behind: int

    @property
    def is_inside(self) -> bool:
        return self.before > 0 and self.behind > 0


class _Part(NamedTuple):
    """What is kept of a value, and whether all of that stands in a private part."""

    kept: object
    is_private: bool


def shown(value: object, *, is_one: bool = False) -> object:
    """Return the JSON *value* without private parts, each credential in it blanked out.

    What stands in a private part all through is left out, numbers and objects, too. Of an object in
    which one begins or ends, what says which it is stays: its type, its ids, the tool it calls.
    A part that nothing closes ends with the outermost list that it stands in, else with its text;
    of a value that *is_one* text, as a list is, with the value.
    """
    # Credentials first: in the text of a call's arguments one ends where its JSON says so.
    return _without_private(secrets.redact_json(value), is_one=is_one)


def _without_private(value: object, *, is_one: bool) -> object:
    leaves = list(_leaves(value, (), in_list=is_one))
    return _part(value, _depths(leaves)).kept


def _leaves(value: object, field: tuple[int, ...], *, in_list: bool) -> Iterator[_Leaf]:
    if isinstance(value, Mapping):
        for number, (key, it) in enumerate(value.items()):
            inner = field if in_list else (*field, number)
            yield _Leaf(str(key), inner)
            yield from _leaves(it, inner, in_list=in_list)
    elif isinstance(value, list | tuple):
        for it in value:
            yield from _leaves(it, field, in_list=True)
    else:
        yield _Leaf(value if isinstance(value, str) else "", field)


def _depths(leaves: Sequence[_Leaf]) -> Iterator[_Depth]:
    closes = _closes(leaves)
    before = 0
    for number, leaf in enumerate(leaves):
        behind = secrets.left_open(leaf.text, before)
        yield _Depth(before, behind)
        ends = leaf.field != leaves[min(number + 1, len(leaves) - 1)].field
        before = 0 if ends and closes[number + 1] < behind else behind


def _closes(leaves: Sequence[_Leaf]) -> list[int]:
    """Return how many parts that are open before each leaf, and behind the last, are ended yet."""
    closes = [0]
    for leaf in reversed(leaves):
        more, lowest = secrets.swing(leaf.text)
        closes.append(max(-lowest, closes[-1] - more))
    return closes[::-1]


def _part(value: object, depths: Iterator[_Depth]) -> _Part:
    if isinstance(value, Mapping):
        return _object(value, depths)
    if isinstance(value, list | tuple):
        parts = [_part(it, depths) for it in value]
        kept = [it.kept for it in parts if not it.is_private]
        return _Part(kept, is_private=bool(parts) and not kept)
    depth = next(depths)
    if not isinstance(value, str):
        return _Part(value, depth.is_inside)
    text = _text(value, depth) if depth.before else _of_json(value) or _text(value, depth)
    return _Part(text, depth.is_inside and not text)


def _of_json(text: str) -> str:
    """Return what may be kept of a *text* that is JSON, "" for another: what a tool is called with.

    It stays JSON, whatever is left out of it.
    """
    if (value := inner_json.of(text)) is None:
        return ""
    public = _without_private(value, is_one=True)
    return public_text.shown(text if public == value else json.dumps(public, ensure_ascii=False))


def _text(text: str, depth: _Depth) -> str:
    _, lowest = secrets.swing(text)
    ahead = f"{_OPENING}{_WORD}" * min(depth.before, 1 - lowest)  # more than it closes are as one
    return public_text.shown(f"{ahead}{text}{_WORD if depth.behind else ''}")


def _object(value: Mapping[object, object], depths: Iterator[_Depth]) -> _Part:
    kept: dict[str, object] = {}
    is_private = bool(value)
    for key, it in value.items():
        depth, part = next(depths), _part(it, depths)
        is_empty = isinstance(it, list | tuple | Mapping) and not it
        if not part.is_private and not (depth.is_inside and is_empty):
            is_private = False
        elif not _says_which(str(key), it, value):
            continue
        else:
            part = _Part(public_text.shown(str(it)), is_private=False)
        kept[public_text.shown(str(key)) if depth.is_inside else _text(str(key), depth)] = part.kept
    return _Part(kept, is_private)


def _says_which(key: str, it: object, value: Mapping[object, object]) -> bool:
    """Tell whether what stands at *key* says which object *value* is, in a word of no sentence."""
    names = _WHICH.fullmatch(key) or (key == "name" and not _CALL.isdisjoint(value))
    return bool(names and isinstance(it, str) and _TOKEN.fullmatch(it))
