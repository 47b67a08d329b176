"""What the catalog says of passages: which texts there are, whose they are, which are in scope.

Everything is read over the catalog's own connection: inside the caller's snapshot, if there is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from typing import TypeVar

from vaultmem.records import Record
from vaultmem.retrieval.search.types import Condition
from vaultmem.storage.index import Index, passages

_BINDINGS = 5000
_PAIRS = "SELECT passages.doc, passages.sha FROM passages"
_IN_SCOPE = f"{_PAIRS} JOIN docs ON docs.doc = passages.doc"

Pair = tuple[int, str]
"""A doc and the sha of a text that is a passage of it."""
T = TypeVar("T")


def shas(index: Index) -> list[str]:
    """Return the sha of every passage's text, as often as it occurs."""
    return [sha for (sha,) in index.db.execute("SELECT sha FROM passages")]


def count(index: Index) -> int:
    """Return how many passages there are."""
    (found,) = index.db.execute("SELECT count(*) FROM passages").fetchone()
    return int(found)


def holding(index: Index, where: Condition, wanted: Iterable[str]) -> list[Pair]:
    """Return the passages in scope whose text is one of the *wanted* shas."""
    scope, args = where
    sql = f"{_IN_SCOPE} WHERE passages.sha IN ({{}}) AND ({scope})"
    return _in_parts(index, sql, wanted, args)


def in_scope(index: Index, where: Condition) -> list[Pair]:
    """Return the passages of all docs in scope."""
    scope, args = where
    return index.db.execute(f"{_IN_SCOPE} WHERE {scope}", args).fetchall()


def of_docs(index: Index, docs: Iterable[int]) -> list[Pair]:
    """Return the passages of *docs*."""
    return _in_parts(index, f"{_PAIRS} WHERE doc IN ({{}})", docs)


def newest(index: Index, wanted: frozenset[str]) -> list[int]:
    """Return the docs that have one of the *wanted* texts, the newest first."""
    rows = index.db.execute(f"{_IN_SCOPE} ORDER BY docs.created DESC, docs.doc DESC")
    return list(dict.fromkeys(doc for doc, sha in rows if sha in wanted))


def embedded(index: Index, docs: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield sha and text of what is to be embedded of *docs*, in their order."""
    said = _records(index, docs)
    for doc in docs:
        for text in _texts(said[doc]) if doc in said else ():
            yield sha256(text.encode()).hexdigest(), text


def _texts(said: Record) -> Iterator[str]:
    return (passages.embedded(said, passage) for passage in passages.cut(said.body))


def _records(index: Index, docs: Sequence[int]) -> dict[int, Record]:
    marks = ",".join("?" * len(docs))
    rows = index.db.execute(f"SELECT path, doc FROM docs WHERE doc IN ({marks})", docs)  # noqa: S608  # question marks
    number = dict(rows.fetchall())
    return {number[said.path]: said for said in index.records(f"docs.doc IN ({marks})", docs)}


def _in_parts(
    index: Index, sql: str, wanted: Iterable[T], args: tuple[object, ...] = ()
) -> list[Pair]:
    """Return the rows of *sql* for *wanted*, asked for in parts that SQLite can bind."""
    found: list[Pair] = []
    for part in parts(wanted, _BINDINGS):
        marks = ",".join("?" * len(part))
        found += index.db.execute(sql.format(marks), (*part, *args))
    return found


def keys(index: Index) -> dict[str, Pair]:
    """Return passage number and sha of every passage, by the key it has in a Chroma store.

    The key is made of path and text, so that no entry ever says anything else than it did.
    """
    rows = index.db.execute(
        "SELECT passages.id, docs.path, passages.sha FROM passages"
        " JOIN docs ON docs.doc = passages.doc ORDER BY docs.created DESC, passages.id"
    )
    return {key(path, sha): (passage, sha) for passage, path, sha in rows}


def key(path: str, sha: str) -> str:
    """Return what names the passage of that text in the file at *path*."""
    return sha256(f"{path}\0{sha}".encode()).hexdigest()[:32]


def parts(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield *items* in lists of at most *size*."""
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part
