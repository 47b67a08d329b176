"""Lines of a body in which it names where it comes from: at its head, or at its end.

Programs that save pages and mails as Markdown write that below the title, in a few lines that are
`Label: value` or a link alone, or in such lines at the end. A person writes such lines, too: what a
label alone says is told apart here, whether its value is a place of the web in `origin`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.documents.foreign_fields import key_of

_MOST, _LINES = 32 * 1024, 300
"""Characters and lines of a head: a mail has many."""

_END = 4000
_TITLE, _WORDS = 80, 3

_ADDRESS = r"(?:[a-z][a-z0-9+.-]*:)?//|www\."
_LABEL = r"(?P<label>\w[\w /-]{0,30}?)"
_OPENED = r"(?:\[[^\]\n]*\]\(|\[\[|[<(\"'])?"
_PROPERTY = re.compile(
    rf"[^\w\n]*{_LABEL}[*_ ]*(?P<sign>::?|\uff1a|\u3011|\|(?=.*\|\s*$))[*_ ]*(?P<value>\S.*)"
)
_TAKEN = re.compile(
    r"[^\w\n]*(?P<label>(?:\w+ ){0,2}(?:from|via)|originally (?:\w+ )?(?:at|on|in)) "
    rf"(?P<value>{_OPENED}(?:{_ADDRESS})\S.*)",
    re.IGNORECASE,
)
_LINK = re.compile(
    rf"[^\w\n\[]*\[(?P<label>[^\]\n]{{1,40}})\]\(<?(?P<value>(?:{_ADDRESS})[^\s)]+)[^)]*\)"
    r"(?:\W*|\s*[\u00b7\u2022|].*)",
    re.IGNORECASE,
)
_PLACE = re.compile(rf"{_OPENED}(?P<address>(?:{_ADDRESS})\S+)", re.IGNORECASE)
_APART = re.compile(
    rf"^[ \t>#*_]*{_LABEL}[*_: \t]*\n(?:[ \t>]*\n)*[ \t>]*(?=<?(?:{_ADDRESS})\S+[ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)
_ITEM = re.compile(r"\s*(?:[-+]|\*(?!\*))\s")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<text>\S.*)")
_DRESS = re.compile(
    r"\s*(?:[-=*_]{2,}|!\[.*|>?\s*\[!.*|(?:#[^\s#]+\s*)+|>|<!--|-->|(?:[-+*]\s+)?\w[\w -]{0,30}:"
    r"|\|[\s|:-]+\|)?\s*"
)
"""A line that says nothing here: blank, a rule, a picture, a callout's first one, tags, a label."""

_REMARK = re.compile(r"\s*[(\uff08][^()\uff08\uff09]*[)\uff09]\s*")
"""Behind an address: `(accessed on 3 February 2026)`."""

_PROSE = re.compile(r"[.!?:;,]\W*$")
_ORIGINS = frozenset((
    "source", "src", "original", "originally", "clip", "clipped", "clipper", "via", "quelle",
    "fuente", "fonte", "bron", "kilde", "källa", "źródło", "zdroj", "kaynak", "источник",
    "originalquelle", "ソース",
))  # fmt: skip
_UNSPACED = re.compile(
    "[来來]源|出[处處]|原文|[转轉](?:[载載])?自|摘自|出典|元記事|(?:引用|参照|転載|掲載)元|情報源|출처"
)
"""The same in scripts without blanks, in whatever word it stands: `文章来源`, `来源链接`."""

_LONGEST_UNSPACED = 12
"""Letters: what is longer is a sentence."""

_PAGES = frozenset(("url", "uri", "permalink", "canonical"))
_LINKS = frozenset(("link", "href"))
_LISTED = frozenset(("metadata", "meta", "properties", "info"))
"""Headings under which the items of a list are what a program tells of a page."""

_MAIL = frozenset((
    "from", "sender", "reply_to", "return_path", "message_id", "in_reply_to",
    "von", "absender", "de", "da", "van", "från", "fra", "expéditeur", "remitente", "mittente",
))  # fmt: skip


class _Line(NamedTuple):
    """A line `Label: value`; *is_first* of its head, *is_listed* under what tells of a page.

    *is_alone*: the value is an address, with a few words behind it at most. *is_item*: of a list,
    and no property.
    """

    key: str
    value: str
    is_alone: bool
    is_item: bool
    is_first: bool = False
    is_listed: bool = False


def named(body: str) -> list[tuple[str, str]]:
    """Return what *body* names as its source, at its head and at its end: by `source`, or `from`.

    The latter is who sent it, where it is a mail.
    """
    found = (*filter(_names, _head(body)), *filter(_is_at_the_end, _end(body)))
    return [("from" if it.key in _MAIL else "source", it.value) for it in found]


def is_source(word: str) -> bool:
    """Tell whether *word*, in the notation of keys, is one for a source, in any language."""
    if word.isascii() or len(word) > _LONGEST_UNSPACED:
        return word in _ORIGINS
    return word in _ORIGINS or _UNSPACED.search(word) is not None


def _names(it: _Line) -> bool:
    if _is_origin(it.key) or (it.is_listed and it.is_alone):
        return True
    if it.key in _MAIL:
        return not it.is_item
    if it.key in _PAGES or it.key.endswith(("_url", "_uri")):
        return not it.is_item
    return it.key in _LINKS and it.is_first


def _is_at_the_end(it: _Line) -> bool:
    return _is_origin(it.key) and it.is_alone


def _is_origin(key: str) -> bool:
    words = key.split("_")
    if len(words) > _WORDS:
        return False
    return any(map(is_source, words)) or (words[-1] == "from" and len(words) > 1)


def _head(body: str) -> Iterator[_Line]:
    """Yield the lines `Label: value`, and the links, with which *body* begins, below its title."""
    is_listed, seen = False, 0
    text = body[:_MOST].lstrip()
    begins = _joined(text[:_END]) if _may_have_address(text[:_END]) else text[:_END]
    lines = (begins + text[_END:]).splitlines()[:_LINES]
    for n, line in enumerate(lines):
        if found := _read(line):
            yield found._replace(is_first=not seen, is_listed=is_listed)
            seen += 1
        elif heading := _HEADING.fullmatch(line):
            is_listed = key_of(heading["text"].strip(" :#*_")) in _LISTED
        elif not (_DRESS.fullmatch(line) or (seen and line[:1].isspace()) or _is_title(n, line)):
            return


def _end(body: str) -> Iterator[_Line]:
    """Yield the lines `Label: value`, and the links, with which *body* ends, from the last on."""
    text = body[-_END:]
    lines = _joined(text).splitlines() if _may_have_address(text) else ()
    for line in reversed(lines):
        if (found := _read(line)) and not found.is_item:
            yield found
        elif not _DRESS.fullmatch(line):
            return


def _joined(text: str) -> str:
    """Return *text* with the label of a source in the line of the address that stands below it."""
    return _APART.sub(lambda it: f"{it['label']}: " if _is_origin(_key(it)) else it[0], text)


def _may_have_address(text: str) -> bool:
    return "//" in text or "www." in text.lower()


def _is_title(number: int, line: str) -> bool:
    return number == 0 and len(line) <= _TITLE and not _PROSE.search(line)


def _read(line: str) -> _Line | None:
    """Return what *line* says, the address alone where its value begins with one."""
    forms = (_LINK, _TAKEN, _PROPERTY)
    found = next((found for form in forms if (found := form.fullmatch(line))), None)
    if not found:
        return None
    value = found["value"].strip()
    place = _PLACE.match(value)
    told = place["address"].rstrip(")]>\"'*_") if place else value
    behind = value[place.end() :] if place else value
    is_few = _REMARK.fullmatch(behind) is not None or len(behind.split()) <= _WORDS
    is_alone = place is not None and is_few
    is_item = _ITEM.match(line) is not None and found.groupdict().get("sign") != "::"
    return _Line(_key(found), told, is_alone, is_item)


def _key(found: re.Match[str]) -> str:
    return key_of(found["label"].strip())
