"""What search asks of the index: which texts hold which words, and what is known of each.

A doc is the number that the index gives a record; BM25 is raw, higher for what answers better.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from vaultmem.storage.index import vocabulary, word_forms
from vaultmem.storage.index.filters import THESE, Filter, condition
from vaultmem.storage.index.neighbours import AFTER, BEFORE, IS_TURN
from vaultmem.storage.index.queries import Queries
from vaultmem.storage.index.word_forms import Forms

_AROUND = f"""\
SELECT it.doc,
(SELECT json_group_array(doc) FROM ({BEFORE} LIMIT ?)),
(SELECT json_group_array(doc) FROM ({AFTER} LIMIT ?))
FROM docs AS it WHERE it.doc {THESE} AND {IS_TURN}
"""  # noqa: S608  # all of it is our own
_SUPERSEDING = f"""\
SELECT by.doc FROM docs AS old JOIN docs AS by ON by.stem = old.superseded_by
WHERE old.doc {THESE} AND old.superseded_by != '' AND by.type = 'memory'
"""  # noqa: S608  # likewise
_ENDS = """\
SELECT (SELECT min(created) FROM docs WHERE created > '0'),
(SELECT max(created) FROM docs WHERE created < ':')"""
"""The first and the last of the times that begin with a digit: a template has words there."""
_CENTURY = 100
_OPENING = 2000
"""Letters of a text that are read for words near those asked for: more of a note says less."""

Session = tuple[str, str]
"""An agent, and the name of one of its sessions."""


class DocRow(NamedTuple):
    """What ranking looks at of a record: no text, but what kind of text it is."""

    doc: int
    path: str
    type: str
    agent: str
    session: str
    speaker: str
    created: str
    importance: float
    length: int
    asks: int
    times: int
    counts: int
    stale_after: str
    valid_from: str
    valid_to: str
    superseded_by: str


_COLUMNS = ", ".join(f"docs.{name}" for name in DocRow._fields)


def forms(index: Queries, terms: Sequence[str]) -> tuple[Forms, ...]:
    """Return those forms of each of *terms* that stand in the vault, in its texts' languages."""
    return word_forms.forms(terms, vocabulary.of(index))


def term_scores(
    index: Queries, asked: Sequence[Forms], docs: AbstractSet[int]
) -> dict[int, tuple[float, ...]]:
    """Return the BM25 of each term in each of *docs*, in the order of *asked*."""
    # The plus keeps FTS5 from seeking each row, which is many times slower than passing over.
    sql = f"SELECT rowid, -bm25(words) FROM words WHERE words MATCH ? AND +rowid {THESE}"  # noqa: S608  # values are bound
    these = _these(docs)
    found = [
        dict(index.db.execute(sql, (word_forms.match([each]), these)).fetchall()) if each else {}
        for each in asked
    ]
    return {doc: tuple(scores.get(doc, 0.0) for scores in found) for doc in docs}


def openings(index: Queries, docs: AbstractSet[int]) -> dict[int, str]:
    """Return the text of each of *docs*, of a long one what it opens with."""
    sql = f"SELECT doc, substr(body, 1, {_OPENING}) FROM bodies WHERE doc {THESE}"  # noqa: S608  # values are bound
    return dict(index.db.execute(sql, (_these(docs),)).fetchall())


def paths(index: Queries, docs: Iterable[int]) -> dict[int, str]:
    """Return the paths of *docs*."""
    sql = f"SELECT doc, path FROM docs WHERE doc {THESE}"  # noqa: S608  # values are bound
    return dict(index.db.execute(sql, (_these(docs),)).fetchall())


def docs_at(index: Queries, where: Sequence[str]) -> frozenset[int]:
    """Return the docs at the paths *where*."""
    sql = f"SELECT doc FROM docs WHERE path {THESE}"  # noqa: S608  # values are bound
    return frozenset(doc for (doc,) in index.db.execute(sql, (json.dumps(where),)))


def runs(index: Queries, docs: AbstractSet[int], reach: int) -> list[list[int]]:
    """Return the turns among *docs*, each in a row with *reach* before and after it.

    What was said half a day before or after it is in no row with it.
    """
    rows = index.db.execute(_AROUND, (reach, reach, _these(docs)))
    return [[*reversed(json.loads(a)), doc, *json.loads(b)] for doc, a, b in rows]


def said_on(index: Queries, dates: Sequence[str], where: Filter, most: int) -> list[int]:
    """Return what of *where* was made at one of *dates* (`2023-05-08` or `2023-05`), *most* a date.

    Those first that say most.
    """
    scope, args = condition(where)
    sql = (
        "SELECT docs.doc FROM docs WHERE docs.created >= ? AND docs.created < ? AND"  # noqa: S608  # values are bound
        f" {scope} ORDER BY docs.length DESC, docs.path LIMIT ?"
    )
    found = (index.db.execute(sql, (date, f"{date}~", *args, most)) for date in dates)
    return [doc for rows in found for (doc,) in rows]


def years(index: Queries) -> list[str]:
    """Return each year from that of the oldest text to that of the newest, a century at most."""
    ends = index.db.execute(_ENDS).fetchone()
    first, last = (str(end or "")[:4] for end in ends)
    if not (first.isdecimal() and last.isdecimal()):
        return []
    return [f"{year:04}" for year in range(max(int(first), int(last) - _CENTURY), int(last) + 1)]


def sample(index: Queries, where: Filter, most: int) -> list[int]:
    """Return some of the docs of *where*, at most so many, evenly from the first to the last."""
    newest = index.value("SELECT max(doc) FROM docs")
    last = newest if isinstance(newest, int) else 0
    scope, args = condition(where)
    sql = f"SELECT docs.doc FROM docs WHERE docs.doc {THESE} AND {scope}"  # noqa: S608  # values are bound
    evenly = (last * n // most for n in range(1, most + 1))
    return [doc for (doc,) in index.db.execute(sql, (_these({*evenly}), *args))]


def within(index: Queries, docs: AbstractSet[int], where: Filter) -> frozenset[int]:
    """Return those of *docs* that *where* means."""
    scope, args = condition(where)
    sql = f"SELECT docs.doc FROM docs WHERE docs.doc {THESE} AND {scope}"  # noqa: S608  # values are bound
    return frozenset(doc for (doc,) in index.db.execute(sql, (_these(docs), *args)))


def superseding(index: Queries, docs: AbstractSet[int]) -> frozenset[int]:
    """Return what supersedes one of *docs*."""
    rows = index.db.execute(_SUPERSEDING, (_these(docs),))
    return frozenset(doc for (doc,) in rows)


def rows(index: Queries, docs: AbstractSet[int], where: Filter) -> list[DocRow]:
    """Return what is known of those *docs* that *where* means."""
    scope, args = condition(where)
    sql = f"SELECT {_COLUMNS} FROM docs WHERE docs.doc {THESE} AND {scope}"  # noqa: S608  # values are bound
    return list(map(DocRow._make, index.db.execute(sql, (_these(docs), *args))))


def session_lengths(index: Queries, sessions: AbstractSet[Session]) -> dict[Session, int]:
    """Return how many words each of *sessions* has."""
    agents, names = {agent for agent, _ in sessions}, {name for _, name in sessions if name}
    found = index.db.execute(
        "SELECT agent, session, sum(length) FROM main.docs INDEXED BY docs_session"  # noqa: S608  # values are bound
        f" WHERE type = 'memory' AND agent {THESE} AND session {THESE} GROUP BY agent, session",
        (json.dumps(sorted(agents)), json.dumps(sorted(names))),
    )
    return {(agent, session): length for agent, session, length in found}


def is_of_another(index: Queries, name: str, agent: str) -> bool:
    """Tell whether *name*, a stem or a path without `.md`, is that of another agent's own file."""
    sql = (
        "SELECT 1 FROM docs WHERE (path = ? || '.md' OR stem = ?) AND agent NOT IN ('', ?) LIMIT 1"
    )
    return index.value(sql, name, name.rpartition("/")[2], agent) is not None


def _these(docs: Iterable[int]) -> str:
    return json.dumps(sorted(docs))
