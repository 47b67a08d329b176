"""What the index knows of passages: which texts there are, whose they are, which are in scope.

Everything is read over the index's own connection: inside the caller's snapshot, if there is one.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from vaultmem.storage.index import neighbours
from vaultmem.storage.index.filters import THESE, Filter, condition
from vaultmem.storage.index.neighbours import Beside
from vaultmem.storage.index.queries import Queries

_PORTION = 4096
"""Rows that are read at a time."""

_PAIRS = "SELECT passages.doc, passages.sha FROM passages"
_IN_SCOPE = f"{_PAIRS} JOIN docs ON docs.doc = passages.doc"

Pair = tuple[int, str]
"""A doc and the sha of a text that is a passage of it."""


class PassageRow(NamedTuple):
    """A passage, the text that it is `body[first:last]` of, and what that text's file says."""

    number: int
    sha: str
    body: str
    first: int
    last: int
    heading: str
    path: str
    type: str
    agent: str
    created: str
    tier: str
    range_start: int
    range_end: int


def shas(index: Queries) -> list[str]:
    """Return the sha of every passage's text, as often as it occurs."""
    return [sha for (sha,) in index.db.execute("SELECT sha FROM passages")]


def living(index: Queries, wanted: Iterable[str]) -> frozenset[str]:
    """Return which of the *wanted* shas are of a passage's text."""
    sql = f"SELECT DISTINCT sha FROM passages WHERE sha {THESE}"  # noqa: S608  # values are bound
    return frozenset(sha for (sha,) in index.db.execute(sql, (json.dumps(list(wanted)),)))


def read_with(index: Queries, paths: Iterable[str]) -> frozenset[str]:
    """Return the shas of what is read of the files at *paths*, alone or beside another turn."""
    sql = f"SELECT doc FROM docs WHERE path {THESE}"  # noqa: S608  # values are bound
    docs = [doc for (doc,) in index.db.execute(sql, (json.dumps(list(paths)),))]
    pairs = of_docs(index, neighbours.with_beside(index.db, docs))
    return frozenset(sha for _, sha in pairs)


def beside(index: Queries, docs: Collection[int]) -> Mapping[int, Beside]:
    """Return what is read beside each of *docs* that is a turn beside another."""
    return neighbours.of(index.db, docs)


def rising(index: Queries) -> Iterator[tuple[str, int]]:
    """Yield each passage's sha and how often it occurs, in their order, few of them in memory."""
    sql = "SELECT sha, count(*) FROM passages WHERE sha > ? GROUP BY sha ORDER BY sha LIMIT ?"
    last = ""
    while found := index.db.execute(sql, (last, _PORTION)).fetchall():
        yield from found
        last = found[-1][0]


def holding(index: Queries, where: Filter, wanted: Iterable[str]) -> list[Pair]:
    """Return the passages of *where* whose text is one of the *wanted* shas."""
    scope, args = condition(where)
    sql = f"{_IN_SCOPE} WHERE passages.sha {THESE} AND {scope}"
    return index.db.execute(sql, (json.dumps(list(wanted)), *args)).fetchall()


def in_scope(index: Queries, where: Filter) -> list[Pair]:
    """Return the passages of all that *where* means."""
    scope, args = condition(where)
    return index.db.execute(f"{_IN_SCOPE} WHERE {scope}", args).fetchall()


def of_docs(index: Queries, docs: Iterable[int]) -> list[Pair]:
    """Return the passages of *docs*."""
    return index.db.execute(f"{_PAIRS} WHERE doc {THESE}", (json.dumps(list(docs)),)).fetchall()


def newest(index: Queries, wanted: frozenset[str]) -> list[int]:
    """Return the docs that have one of the *wanted* texts, the newest first."""
    rows = index.db.execute(f"{_IN_SCOPE} ORDER BY docs.created DESC, docs.doc DESC")
    return list(dict.fromkeys(doc for doc, sha in rows if sha in wanted))


def placed(index: Queries) -> list[tuple[int, str, str]]:
    """Return number, path and sha of every passage, those of the newest docs first."""
    return index.db.execute(
        "SELECT passages.id, docs.path, passages.sha FROM passages"
        " JOIN docs ON docs.doc = passages.doc ORDER BY docs.created DESC, passages.id"
    ).fetchall()


def rows(index: Queries, numbers: Iterable[int]) -> list[PassageRow]:
    """Return the passages with these *numbers*, as far as there are."""
    found = index.db.execute(
        "SELECT passages.id, passages.sha, bodies.body, passages.first, passages.last,"  # noqa: S608  # values are bound
        " passages.heading, docs.path, docs.type, docs.agent, docs.created, docs.tier,"
        " docs.range_start, docs.range_end FROM passages"
        " JOIN docs ON docs.doc = passages.doc JOIN bodies ON bodies.doc = passages.doc"
        f" WHERE passages.id {THESE}",
        (json.dumps(list(numbers)),),
    )
    return list(map(PassageRow._make, found))


def first_line(index: Queries, doc: int, sha: str) -> int:
    """Return the line, counted from 0, at which the passage of *doc* with that text begins."""
    sql = "SELECT min(line_first) FROM passages WHERE doc = ? AND sha = ?"
    found = index.value(sql, doc, sha)
    return found if isinstance(found, int) else 0
