"""The tables and columns of the index are named in one room: a change of the schema ends there.

Other databases (vectors, uses, attestations, replies) have their own tables, each in its own
module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import vaultmem
from vaultmem.storage.index.schema import CATALOG

PACKAGE = Path(vaultmem.__file__).parent
ROOM = PACKAGE / "storage/index"
TABLES = "|".join(re.findall(r"(?m)^CREATE (?:VIRTUAL )?TABLE (\w+)", CATALOG.tables))
SQL = re.compile(
    rf"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|VIEW)\s+(?:main\.)?(?:{TABLES})\b"
    rf"|\b(?:{TABLES})\.[a-z_]+ (?:=|!=|<|>|IN\b|LIKE\b|GLOB\b|BETWEEN\b|IS\b)"
    r"|\bdocs\.[a-z_]+"
)
OF_THE_ROOM = frozenset({"db", "_db", "value", "_select", "_rows"})
"""What of an index only its own room uses: it takes SQL."""


@pytest.mark.long
def test_no_module_outside_its_room_writes_sql_for_the_index() -> None:
    modules = (p for p in sorted(PACKAGE.rglob("*.py")) if ROOM not in p.parents)
    found = [
        f"{path.relative_to(PACKAGE.parent)}:{line}: {what}"
        for path in modules
        for line, what in _trespasses(path.read_text())
    ]
    assert found == [], "\n".join(["give it a name in vaultmem/storage/index:", *found])


@pytest.mark.parametrize(
    "code",
    [
        'store.index.db.execute("SELECT 1")',
        "rows = self._index.db",
        'index.value("SELECT max(id) FROM docs")',
        'index._select(("1", ()))',
        "_MINE = \"docs.type = 'episode' AND docs.agent = ?\"",
        "_SEEN = f\"SELECT path FROM seen WHERE path LIKE '{x}%'\"",
        '_JOINED = """\nSELECT 1\nFROM links JOIN docs USING(doc)\n"""',
        "from vaultmem.storage.index.filters import condition",
        "from vaultmem.storage.index import schema",
        "from vaultmem.storage.index.schema import COLUMNS",
        "import vaultmem.storage.index.schema",
    ],
)
def test_what_would_tie_a_module_to_the_schema_is_found(code: str) -> None:
    assert list(_trespasses(code))


@pytest.mark.parametrize(
    "code",
    [
        'store.index.records(Filter(type="episode", agent=agent))',
        'self._db.execute("SELECT 1 FROM attested WHERE mark = ?")',
        '"""Take words from seen texts; the words. Its docs."""',
        "from vaultmem.storage.index import Filter, word_queries",
        "from vaultmem.storage.index.filters import Filter",
    ],
)
def test_what_asks_by_name_is_let_be(code: str) -> None:
    assert list(_trespasses(code)) == []


def _trespasses(code: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of all in *code* that knows the schema, or hands SQL to the index."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Constant(value=str(text), lineno=line) if found := SQL.search(text):
                yield line, found[0]
            case ast.Attribute(
                value=ast.Name(id="index" | "_index") | ast.Attribute(attr="index" | "_index"),
                attr=attr,
                lineno=line,
            ) if attr in OF_THE_ROOM:
                yield line, f"index.{attr}"
            case ast.Import() | ast.ImportFrom():
                yield from ((node.lineno, name) for name in _imported(node) if _is_inner(name))
            case _:
                pass


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    return (start + alias.name for alias in node.names)


def _is_inner(name: str) -> bool:
    module = name.removeprefix("vaultmem.storage.index.")
    return module != name and (
        module.partition(".")[0] == "schema"
        or (module.startswith("filters") and module != "filters.Filter")
    )
