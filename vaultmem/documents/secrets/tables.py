"""Find credentials in the columns and rows of Markdown tables that are called by what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vaultmem.documents.secrets import heuristics
from vaultmem.documents.secrets.heuristics import Value
from vaultmem.documents.secrets.labels import ABROAD, CHINESE_KEYS, CHINESE_WORDS
from vaultmem.documents.secrets.rules import compiled
from vaultmem.records import lowered

RULE = "secret-in-table"
HINTS = frozenset(
    {"pass", "pw", "kennwort", "token", "secret", "key", "pin", "puk", "geheimzahl"}
    | {*ABROAD, *CHINESE_WORDS, *CHINESE_KEYS}
)
_RULER = r"(?m)^[ \t]{0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\r?$"
_ROWS = r"(?:[^|\n]*\|[^\n]*(?:\n|\Z))*"
_CELL = r"(?:[^|\\\n]|\\.)*"
_NAME = (
    r"(?:[a-z0-9]+[ _-]){0,2}(?:[\u4e00-\u9fff]{0,6}?|[a-z\u00df-\u00fc]{0,20}(?=passw|kennw))"
    rf"(?:pass(?:word|wort)?s?|passwd|pwd|kennwort|{'|'.join((*ABROAD, *CHINESE_WORDS))}"
    rf"|(?P<long>token|secret|api[ _-]?key|{'|'.join(CHINESE_KEYS)})"
    r"|(?P<pin>pins?|pin[ _-]?(?:code|number|\u7801|\u78bc)|puk|geheimzahl))"
)
_ROW = (
    r"(?m)^[ \t]{0,3}\|[ \t]{0,9}(?P<name>[^|\s][^|\n]{0,40})"
    r"\|[ \t]{0,40}(?P<value>[^|\s](?:[^|\\\n]|\\.){3,200})(?=\||$)"
)
_COUNTS = r"pass(?:es)?\W*$"
"""`| pass | 3.2s |`: which row it is of a report."""

_DRESS = "`*_\"'"
_LEAST = 10
"""Letters of the shortest token that is not taken for the name of one."""


def secret_cells(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the cells begin and end that hold a credential, by the name of their column."""
    if "|" not in text or "--" not in text:
        return
    position = 0
    while ruler := compiled(_RULER).search(text, position):
        head = text.rfind("\n", 0, max(ruler.start() - 1, 0)) + 1
        names = (text[a:b] for a, b in _cells(text, head, ruler.start()))
        columns = {n: it for n, name in enumerate(names) if (it := kind(name))}
        position = ruler.end() + 1
        if columns and (rows := compiled(_ROWS).match(text, position)):
            yield from _secrets(text, position, rows[0], columns)
            position = rows.end()


def secret_rows(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the cells begin and end that hold a credential, by the cell before them."""
    if "|" not in text:
        return
    for row in compiled(_ROW).finditer(text):
        name, value = row["name"].strip(), row["value"].strip()
        held = "" if compiled(_COUNTS).search(lowered(name)) else kind(name)
        if held and is_secret(bare := value.strip(_DRESS), held):
            begin = row.start("value") + len(value) - len(value.lstrip(_DRESS))
            yield begin, begin + len(bare)


def kind(name: str) -> str:
    """Return what a column called *name* holds: a `long` secret, a `short` one, a `pin`, or ""."""
    found = compiled(_NAME).fullmatch(lowered(name.strip(_DRESS)))
    return "" if found is None else found.lastgroup or "short"


def _secrets(
    text: str, start: int, rows: str, columns: Mapping[int, str]
) -> Iterator[tuple[int, int]]:
    for row in rows.split("\n"):
        for number, (first, last) in enumerate(_cells(text, start, start + len(row))):
            if number in columns:
                said = text[first:last]
                value = said.strip(_DRESS)
                if is_secret(value, columns[number]):
                    begin = first + len(said) - len(said.lstrip(_DRESS))
                    yield begin, begin + len(value)
        start += len(row) + 1


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the cells of a row begin and end, without the blanks around them."""
    line = text[start:end].rstrip()
    at = line.find("|") + 1 if line.lstrip().startswith("|") else 0
    while at < len(line):
        found = compiled(_CELL).match(line, at)
        last = found.end() if found else at
        said = line[at:last]
        first = start + at + len(said) - len(said.lstrip())
        yield first, first + len(said.strip())
        at = last + 1


def is_secret(said: str, column: str) -> bool:
    """Tell whether *said* is one, in a column of that kind."""
    if column == "pin":
        return heuristics.convinces("pin", Value(said, 0, closes=True))
    if not heuristics.convinces("variable", Value(said, 0, closes=True)):
        return False
    return column == "short" or (len(said) >= _LEAST and sum(map(str.isdigit, said)) > 1)
