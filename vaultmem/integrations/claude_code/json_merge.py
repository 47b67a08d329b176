"""Merge entries into a user's JSON file, and remove them again.

Only the text of what is added or taken away changes: order, indentation and line ends of all else
stay byte for byte. Nothing is guessed about what is no plain JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from vaultmem.errors import Refused
from vaultmem.integrations.claude_code import json_comments

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Path = tuple[str, ...]

_BLANK = " \t\r\n"
_STEP = "  "


class _Place(NamedTuple):
    """Where an entry goes: the container at *path*, and its *key* there, None in a list."""

    path: Path
    key: str | None
    value: Json


class Insertion(NamedTuple):
    """Where an entry was put, *length* characters with what joins it on, in place of *blanks*."""

    at: int
    length: int
    blanks: str


class _Child(NamedTuple):
    """One entry of a container as it is written: from its key, or value, to its value's end."""

    key: str | None
    start: int
    value: int
    end: int


class OtherValue(Refused):
    """Where an entry of ours goes stands another already: a person decides which."""


def by_hand(why: Refused | UnicodeDecodeError, entry: str) -> str:
    """Say why nothing was written into a file, and how a person gets the *entry* into it."""
    reason = why if isinstance(why, Refused) else "it is not UTF-8"
    is_other = isinstance(why, OtherValue)
    how = "to replace it, put this in its place" if is_other else "add this by hand"
    return f"{reason}; nothing was written: {how}\n{entry}"


def merge(
    text: str, ours: Mapping[str, Json], *, comments: bool = False
) -> tuple[str, tuple[Insertion, ...]]:
    """Return the JSON *text* with *ours* in it, and where: objects are merged, lists get the rest.

    Where its program reads *comments* in it, and commas that nothing follows, they stay. Raises
    Refused for what is no plain JSON object, OtherValue where another value stands already.
    """
    insertions = list[Insertion]()
    while place := next(_missing(_parsed(plain := _plain(text, comments=comments)), ours), None):
        for insertion, new in _insertions(text, plain, place):
            behind = insertion.at + len(insertion.blanks)
            text = text[: insertion.at] + new + text[behind:]
            insertions.append(insertion)
    return text, tuple(insertions)


def _plain(text: str, *, comments: bool) -> str:
    return json_comments.plain(text) if comments else text


def revert(text: str, insertions: Sequence[Insertion]) -> str:
    """Return the text in which *insertions* were made, to the last blank, as it was before."""
    for insertion in reversed(insertions):
        text = text[: insertion.at] + insertion.blanks + text[insertion.at + insertion.length :]
    return text


def remove(text: str, ours: Mapping[str, Json], *, comments: bool = False) -> str:
    """Return *text* without what is equal to *ours* in it, and without what is empty then.

    Raises Refused for what is no plain JSON object, and beside *comments*, one of which might be
    about what is taken out.
    """
    plain = _plain(text, comments=comments)
    if plain != text:
        if next(_present(_parsed(plain), ours), None) is None:
            return text
        raise Refused("it was changed since, and there are comments in it")
    while place := next(_present(_parsed(text), ours), None):
        text = _cut(text, *place)
    return text


def value_at(text: str, *path: str, comments: bool = False) -> Json:
    """Return what stands at *path* in the JSON *text*, None for nothing; raises Refused."""
    found: Json = _parsed(_plain(text, comments=comments))
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def is_empty(text: str) -> bool:
    """Tell whether the JSON object *text* says nothing."""
    return not _parsed(text)


def _parsed(text: str) -> dict[str, Json]:
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as e:
        odd = "a byte order mark" if text.startswith("\ufeff") else "comments, or a key twice"
        raise Refused(f"it is not plain JSON ({odd}?)") from e
    if not isinstance(found, dict):
        raise Refused("it is not a JSON object")
    return found


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key appears twice")
    return found


# --- what is to be done -----------------------------------------------------------------------


def _missing(have: Mapping[str, Json], ours: Mapping[str, Json], at: Path = ()) -> Iterator[_Place]:
    for key, value in ours.items():
        here = (*at, key)
        match have.get(key), value:
            case _ if key not in have:
                yield _Place(at, key, value)
            case dict() as theirs, dict() as mine:
                yield from _missing(theirs, mine, here)
            case list() as theirs, list() as mine:
                yield from (_Place(here, None, item) for item in mine if item not in theirs)
            case theirs, mine if theirs != mine:
                raise OtherValue(f"{'.'.join(here)} already has another value")


def _present(
    have: Mapping[str, Json], ours: Mapping[str, Json], at: Path = ()
) -> Iterator[tuple[Path, str | int]]:
    """Yield where an entry of *ours* stands, by its key or its place in a list."""
    for key, value in ours.items():
        match have.get(key), value:
            case _ if key not in have:
                continue
            case theirs, mine if theirs in (mine, {}, []):
                yield at, key
            case dict() as theirs, dict() as mine:
                yield from _present(theirs, mine, (*at, key))
            case list() as theirs, list() as mine:
                yield from (((*at, key), n) for n, item in enumerate(theirs) if item in mine)


# --- the text ---------------------------------------------------------------------------------


def _insertions(text: str, plain: str, place: _Place) -> list[tuple[Insertion, str]]:
    """Return what is put where, for the entry to stand at its *place*, one after the other.

    *plain* is *text* without its comments: these stay where they are.
    """
    opening = _find(plain, place.path)
    children, closing = _children(plain, opening)
    eol = "\r\n" if "\r\n" in text else "\n"
    first = _children(plain, _skip(plain, 0))[0][:1]  # by what the text indents
    step = (_indent(text, first[0].start) if first else "") or _STEP
    around = _indent(text, opening)
    inner = _indent(text, children[0].start) if children else around + step
    on_one_line = bool(children) and eol not in text[opening : children[0].start]
    indent = None if on_one_line else step
    value = json.dumps(place.value, ensure_ascii=False, indent=indent).replace("\n", eol + inner)
    key = "" if place.key is None else f"{json.dumps(place.key, ensure_ascii=False)}: "
    entry = key + value
    last = children[-1].end if children else opening + 1
    behind = last + len(text[last:closing].rstrip(_BLANK))
    if behind > last:  # a comment, or a comma that nothing follows
        is_joined = not children or json_comments.has_comma(text[last:behind])
        joint = [] if is_joined else [_insertion(last, "", ",")]
        end = eol + around if "\n" not in text[behind:closing] else ""
        return [*joint, _insertion(behind + len(joint), "", f"{eol}{inner}{entry}{end}")]
    if on_one_line:
        return [_insertion(last, "", f", {entry}")]
    if children:
        return [_insertion(last, "", f",{eol}{inner}{entry}")]
    return [_insertion(last, text[last:closing], f"{eol}{inner}{entry}{eol}{around}")]


def _insertion(at: int, blanks: str, new: str) -> tuple[Insertion, str]:
    return Insertion(at, len(new), blanks), new


def _cut(text: str, path: Path, which: str | int) -> str:
    opening = _find(text, path)
    children, closing = _children(text, opening)
    keys: Sequence[str | int | None] = (
        range(len(children)) if isinstance(which, int) else [c.key for c in children]
    )
    n = keys.index(which)
    if len(children) == 1:
        return text[: opening + 1] + text[closing:]
    if n == 0:
        return text[: children[0].start] + text[children[1].start :]
    return text[: children[n - 1].end] + text[children[n].end :]


def _find(text: str, path: Path) -> int:
    """Return where the container at *path* begins."""
    at = _skip(text, 0)
    for key in path:
        at = next(child.value for child in _children(text, at)[0] if child.key == key)
    return at


def _children(text: str, opening: int) -> tuple[list[_Child], int]:
    """Return the entries of the container that begins at *opening*, and where it ends."""
    named, children = text[opening] == "{", list[_Child]()
    at = _skip(text, opening + 1)
    while text[at] not in "]}":
        start, key = at, None
        if named:
            key, behind = _value(text, at)
            at = _skip(text, _skip(text, behind) + 1)  # over the colon
        end = _value(text, at)[1]
        children.append(_Child(key if isinstance(key, str) else None, start, at, end))
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
    return children, at


def _value(text: str, at: int) -> tuple[Json, int]:
    found, end = json.JSONDecoder().raw_decode(text, at)
    return found, end


def _skip(text: str, at: int) -> int:
    while text[at] in _BLANK:
        at += 1
    return at


def _indent(text: str, at: int) -> str:
    """Return the blanks that the line around *at* begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
