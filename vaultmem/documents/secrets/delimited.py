"""Find credentials in the columns of CSV and TSV, as password managers export them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from vaultmem.documents.secrets import tables
from vaultmem.documents.secrets.labels import ABROAD, CHINESE_WORDS
from vaultmem.documents.secrets.rules import compiled

_NAMES = {
    hint: rf"{hint}{tail}[\"']?[,;\t\r\n]"
    for hint, tail in (
        *(("pass", "(?:word|wort|wd)?s?"), ("pwd", ""), ("kennwort", ""), ("pin", "")),
        *((word, "") for word in (*ABROAD, *CHINESE_WORDS)),
    )
}
_HEAD_FIELD = r"(?! )[^0-9\"=<>{}()\[\]]{0,40}"
_LONGEST_LINE = 4000


class _Head(NamedTuple):
    """The first line of a table: what its fields are parted by, and which hold what."""

    delimiter: str
    width: int
    columns: Mapping[int, str]


def secret_fields(text: str, small: str, hints: AbstractSet[str]) -> Iterator[tuple[int, int]]:
    """Yield where the fields of *text* begin and end that hold a secret.

    *small* is the text in lower case, and *hints* are words that it has.
    """
    for name in (_NAMES[hint] for hint in hints & _NAMES.keys()):
        position = 0
        while found := compiled(name).search(small, position):
            start = small.rfind("\n", 0, found.start()) + 1
            position = _next_line(small, found.start())
            head = _head(small[start:position].rstrip()) if _begins(small, start) else None
            while head and (row := text[position : _next_line(text, position)].rstrip()):
                yield from _secrets(row, position, head)
                position = _next_line(text, position)


def _begins(text: str, start: int) -> bool:
    """Tell whether a table may begin at *start*: a row within one may name a secret, too."""
    before = text[text.rfind("\n", 0, max(start - 1, 0)) + 1 : start].strip()
    return not before or before.startswith("```") or before.endswith(":")


def _next_line(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)


def _head(line: str) -> _Head | None:
    delimiter = next((it for it in "\t;," if it in line), "")
    if not delimiter or len(line) > _LONGEST_LINE:
        return None
    names = [line[first:last] for first, last in _fields(line, delimiter)]
    columns = {n: it for n, name in enumerate(names) if (it := tables.kind(name))}
    named = all(compiled(_HEAD_FIELD).fullmatch(name) for name in names)
    return _Head(delimiter, len(names), columns) if named and columns else None


def _secrets(row: str, start: int, head: _Head) -> Iterator[tuple[int, int]]:
    fields = list(_fields(row, head.delimiter)) if len(row) <= _LONGEST_LINE else []
    if len(fields) != head.width:
        return
    for number, kind in head.columns.items():
        first, last = fields[number]
        if tables.is_secret(row[first:last], kind):
            yield start + first, start + last


def _fields(line: str, delimiter: str) -> Iterator[tuple[int, int]]:
    """Yield where the fields of *line* begin and end, without the quotes around them."""
    field, at = compiled(rf'"((?:[^"]|"")*)"|([^{delimiter}]*)'), 0
    while at <= len(line) and (found := field.match(line, at)):
        yield found.span(found.lastindex or 0)
        at = found.end() + 1
