"""Lines of a body in which it names where it comes from: at its head, or at its end.

Programs that save pages and mails as Markdown write that below the title, in a few lines that are
`Label: value` or a link alone, or as the last line. A person writes such lines, too: what a label
alone says is sorted here by how sure it is, whether its value is a place of the web elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.documents.foreign_fields import key_of

_MOST, _LINES = 8000, 100
"""Characters and lines of a head: a mail has many."""

_END = 1000
_TITLE, _WORDS = 80, 3

_ADDRESS = r"(?:[a-z][a-z0-9+.-]*:)?//|www\."
_MARKS = r"(?:[\s>*_+#(\[-]|<!--)*"
_LABEL = r"(?P<label>\w[\w /-]{0,30}?)"
_PROPERTY = re.compile(rf"{_MARKS}{_LABEL}[*_ ]*::?[*_ ]*(?P<value>\S.*)")
_TAKEN = re.compile(
    rf"{_MARKS}(?P<label>(?:\w+ ){{0,2}}(?:from|via)) (?P<value>(?:{_ADDRESS})\S.*)", re.IGNORECASE
)
_LINK = re.compile(
    rf"[\s>*_+-]*\[(?P<label>[^\]\n]{{1,40}})\]\(<?(?P<value>(?:{_ADDRESS})[^\s)]+)[^)]*\)\W*",
    re.IGNORECASE,
)
_PLACE = re.compile(
    rf"(?:\[[^\]\n]*\]\(|\[\[|[<(\"'])?(?P<address>(?:{_ADDRESS})\S+)", re.IGNORECASE
)
_ITEM = re.compile(r"\s*(?:[-+]|\*(?!\*))\s")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<text>\S.*)")
_DRESS = re.compile(r"\s*(?:[-=*_]{2,}|!\[[^\n]*|>?\s*\[![^\n]*|(?:#[^\s#]+\s*)+|>)?\s*")
"""A line that says nothing here: blank, a rule, a picture, a callout's first one, or tags."""

_PROSE = re.compile(r"[.!?:;,]\W*$")
_ORIGINS = frozenset((
    "source", "src", "original", "clip", "clipped", "clipper", "via", "quelle", "fuente", "fonte",
    "bron", "kilde", "källa",
))  # fmt: skip
_PAGES = frozenset(("url", "uri", "permalink", "canonical"))
_LINKS = frozenset(("link", "href"))
_LISTED = frozenset(("metadata", "meta", "properties", "info"))
"""Headings under which the items of a list are what a program tells of a page."""

_MAIL = frozenset(("from", "sender", "reply_to", "return_path", "message_id", "in_reply_to"))


class _Line(NamedTuple):
    """A line `Label: value`; *is_first* of its head, *is_item* of a list that tells of no page."""

    key: str
    value: str
    is_first: bool = False
    is_item: bool = False


def named(body: str) -> list[tuple[str, str]]:
    """Return what *body* names as its source, at its head and in its last line, by its label."""
    head = [(it.key, it.value) for it in _head(body) if _names(it)]
    last = _last(body)
    return [*head, (last.key, last.value)] if last and _is_origin(last.key) else head


def _names(it: _Line) -> bool:
    if _is_origin(it.key):
        return True
    if it.key in _MAIL:
        return not it.is_item
    if it.key in _PAGES or it.key.endswith(("_url", "_uri")):
        return not it.is_item
    return it.key in _LINKS and it.is_first


def _is_origin(key: str) -> bool:
    words = key.split("_")
    if len(words) > _WORDS:
        return False
    return not _ORIGINS.isdisjoint(words) or (words[-1] == "from" and len(words) > 1)


def _head(body: str) -> Iterator[_Line]:
    """Yield the lines `Label: value`, and the links, with which *body* begins, below its title."""
    is_listed, seen = False, 0
    for n, line in enumerate(body[:_MOST].lstrip().splitlines()[:_LINES]):
        if heading := _HEADING.fullmatch(line):
            is_listed = key_of(heading["text"].strip(" :#*_")) in _LISTED
        elif found := _read(line):
            is_item = not is_listed and _ITEM.match(line) is not None
            yield _Line(*found, is_first=not seen, is_item=is_item)
            seen += 1
        elif not (_DRESS.fullmatch(line) or (seen and line[:1].isspace()) or _is_title(n, line)):
            return


def _is_title(number: int, line: str) -> bool:
    return number == 0 and len(line) <= _TITLE and not _PROSE.search(line)


def _last(body: str) -> _Line | None:
    """Return the last line of *body* that says something, where it is a label and an address."""
    lines = reversed(body[-_END:].splitlines())
    line = next((it for it in lines if not _DRESS.fullmatch(it)), "")
    found = _read(line)
    is_alone = found and _PLACE.match(found[1]) and len(found[1].split()) == 1
    return _Line(*found) if found and is_alone else None


def _read(line: str) -> tuple[str, str] | None:
    """Return the label of *line* and its value, the address alone where it begins with one."""
    forms = (_LINK, _TAKEN, _PROPERTY)
    found = next((found for form in forms if (found := form.fullmatch(line))), None)
    if not found:
        return None
    place = _PLACE.match(found["value"])
    told = place["address"].rstrip(")]>\"'*_") if place else found["value"].strip()
    return key_of(found["label"].strip()), told
