"""What was worked out of the texts of memories, once each, for questions about all of them.

Whoever works it out says what it means (`maintenance/dream/facets`). Kept are digests, marks and
words by number, so that who compares a million memories reads those alone that have something in
common. It goes with the text that it was made of, and all of it with another revision.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from vaultmem.records import Record
from vaultmem.storage.index.cache_database import meta, set_meta, transaction
from vaultmem.storage.index.filters import THESE
from vaultmem.storage.index.queries import Queries

_PAGE = 512
_USABLE = "docs.type = 'memory' AND docs.recallable AND docs.held = ''"
_HOLDS = f"{_USABLE} AND docs.superseded_by = ''"


@dataclass(frozen=True, slots=True)
class Facets:
    """What a text has in common with others.

    *alike* is the same for those that say the same, None for what says too little; *marks* are
    bits; *keys* are numbers by kind; *terms* its words, each once.
    """

    alike: bytes | None
    marks: int
    keys: frozenset[tuple[int, int]]
    terms: tuple[str, ...]


class Said(NamedTuple):
    """A memory by its number: where it was said, its marks, and its terms by their numbers."""

    doc: int
    agent: str
    place: str
    marks: int
    terms: array[int]


# --- keeping them -----------------------------------------------------------------------------


def unknown(index: Queries, revision: str) -> Iterator[Mapping[int, Record]]:
    """Yield the memories whose facets of this *revision* are not kept, by number, in pages."""
    if meta(index.db, "facets") != revision:
        with transaction(index.db):
            for table in ("facets", "facet_keys", "facet_terms"):
                index.db.execute(f"DELETE FROM {table}")  # noqa: S608  # our own
            set_meta(index.db, "facets", revision)
    last = 0
    while page := index.db.execute(
        f"SELECT docs.doc FROM docs WHERE docs.doc > ? AND {_USABLE}"  # noqa: S608  # our own
        " AND NOT EXISTS (SELECT 1 FROM facets WHERE facets.doc = docs.doc)"
        " ORDER BY docs.doc LIMIT ?",
        (last, _PAGE),
    ).fetchall():
        last = page[-1][0]
        yield index.numbered(doc for (doc,) in page)


def keep(index: Queries, found: Mapping[int, tuple[str, Facets]]) -> None:
    """Keep the facets of memories by number, each made of the bytes with this sha."""
    db = index.db
    with transaction(db):
        # A file may have been read anew since: what it says now has no facets yet.
        still = {
            doc
            for doc, sha in db.execute(
                f"SELECT doc, sha FROM main.docs WHERE doc {THESE}",  # noqa: S608  # values are bound
                (json.dumps(list(found)),),
            )
            if found[doc][0] == sha
        }
        kept = {doc: facets for doc, (_, facets) in found.items() if doc in still}
        terms = {term for facets in kept.values() for term in facets.terms}
        db.executemany(
            "INSERT OR IGNORE INTO facet_terms(term) VALUES(?)", ((t,) for t in sorted(terms))
        )
        numbers = dict(
            db.execute(
                f"SELECT term, number FROM facet_terms WHERE term {THESE}",  # noqa: S608  # likewise
                (json.dumps(list(terms)),),
            )
        )
        db.executemany(
            "INSERT OR REPLACE INTO facets VALUES(?,?,?,?)",
            ((doc, it.alike, it.marks, _packed(it.terms, numbers)) for doc, it in kept.items()),
        )
        db.executemany(
            "INSERT OR IGNORE INTO facet_keys VALUES(?,?,?)",
            ((kind, key, doc) for doc, it in kept.items() for kind, key in it.keys),
        )


def sweep(index: Queries) -> None:
    """Drop the terms that no memory has any more."""
    db = index.db
    with transaction(db):
        rows = db.execute("SELECT terms FROM facets")
        used = {number for (packed,) in rows for number in array("I", packed)}
        known = db.execute("SELECT number FROM facet_terms").fetchall()
        gone = (it for it in known if it[0] not in used)
        db.executemany("DELETE FROM facet_terms WHERE number = ?", gone)


def _packed(terms: Iterable[str], numbers: Mapping[str, int]) -> bytes:
    return array("I", map(numbers.__getitem__, terms)).tobytes()


# --- asking for what has them -------------------------------------------------------------------


def twins(index: Queries, most: int) -> list[int]:
    """Return memories that say what another says and hold, *most* of them, the oldest first."""
    twice = "SELECT alike FROM facets WHERE alike IS NOT NULL GROUP BY alike HAVING count(*) > 1"
    where = f"facets CROSS JOIN docs USING(doc) WHERE {_HOLDS} AND alike IN ({twice})"
    return _docs(index, where, most)


def marked(index: Queries, mark: int, most: int = -1) -> list[int]:
    """Return memories that hold and have this *mark*, *most* of them, the oldest first."""
    where = f"facets CROSS JOIN docs USING(doc) WHERE marks != 0 AND marks & ? AND {_HOLDS}"
    return _docs(index, where, most, mark)


def having(index: Queries, kind: int, keys: Collection[int]) -> list[int]:
    """Return the memories that have one of *keys* of this *kind*."""
    both = f"facet_keys.kind = ? AND key {THESE} AND {_USABLE}"
    where = f"facet_keys CROSS JOIN docs USING(doc) WHERE {both}"
    return _docs(index, where, -1, kind, json.dumps(list(keys)))


def keys(index: Queries, kind: int) -> frozenset[int]:
    """Return all keys of this *kind*."""
    rows = index.db.execute("SELECT DISTINCT key FROM facet_keys WHERE kind = ?", (kind,))
    return frozenset(key for (key,) in rows)


def count(index: Queries, kind: int, key: int) -> int:
    """Return how many memories have this *key*."""
    (many,) = index.db.execute(
        "SELECT count(*) FROM facet_keys CROSS JOIN docs USING(doc)"  # noqa: S608  # our own
        f" WHERE facet_keys.kind = ? AND key = ? AND {_USABLE}",
        (kind, key),
    ).fetchone()
    return int(many)


def newest(index: Queries, agent: str, most: int) -> list[int]:
    """Return the *most* newest memories of *agent*."""
    return _newest(index, "docs.agent = ?", agent, most)


def vouched(index: Queries, most: int) -> list[int]:
    """Return the *most* newest memories that people said, or that were brought from elsewhere."""
    own = "docs.source IN ('user', 'human', '') AND docs.trust IN ('user', 'verified')"
    brought = "docs.source = 'import' AND docs.trust != 'untrusted'"
    return _newest(index, f"(({own}) OR ({brought}))", most)


def _newest(index: Queries, where: str, *args: object) -> list[int]:
    rows = index.db.execute(
        f"SELECT docs.doc FROM docs WHERE {_USABLE} AND {where}"  # noqa: S608  # values are bound
        " ORDER BY docs.created DESC, docs.id DESC LIMIT ?",
        args,
    )
    return [doc for (doc,) in rows]


def records(index: Queries, docs: Iterable[int]) -> Iterator[tuple[int, Record]]:
    """Yield the memories with these numbers, in their order, few of them held at once."""
    wanted = list(docs)
    for at in range(0, len(wanted), _PAGE):
        page = wanted[at : at + _PAGE]
        found = index.numbered(page)
        yield from ((doc, found[doc]) for doc in page if doc in found)


def _docs(index: Queries, where: str, most: int, *args: object) -> list[int]:
    rows = index.db.execute(
        f"SELECT DISTINCT docs.doc FROM {where} ORDER BY docs.created, docs.id LIMIT ?",  # noqa: S608  # values are bound
        (*args, most),
    )
    return [doc for (doc,) in rows]


# --- asking for all -----------------------------------------------------------------------------


def said(index: Queries) -> Iterator[Said]:
    """Yield what somebody vouches for, in order of agents and of time."""
    rows = index.db.execute(
        "SELECT docs.doc, docs.agent, iif(docs.session != '', docs.session,"  # noqa: S608  # our own
        " substr(docs.created, 1, 10)), facets.marks, facets.terms"
        " FROM docs CROSS JOIN facets USING(doc)"
        f" WHERE {_USABLE} AND docs.trust != 'untrusted' AND docs.length"
        " ORDER BY docs.agent, docs.created, docs.id"
    )
    for doc, agent, place, marks, packed in rows:
        terms = array("I")
        terms.frombytes(packed)
        yield Said(doc, agent, place, marks, terms)


def terms(index: Queries) -> dict[int, str]:
    """Return the terms by their numbers."""
    return dict(index.db.execute("SELECT number, term FROM facet_terms"))


def speakers(index: Queries, agent: str) -> list[str]:
    """Return who speaks in the memories of *agent*."""
    rows = index.db.execute(
        f"SELECT DISTINCT docs.speaker FROM docs WHERE {_USABLE} AND docs.agent = ?",  # noqa: S608  # our own
        (agent,),
    )
    return [speaker for (speaker,) in rows]


def since(index: Queries, ulid: str) -> frozenset[int]:
    """Return the memories with ids from *ulid* on, or with one that tells no time."""
    rows = index.db.execute(
        f"SELECT docs.doc FROM docs WHERE (docs.id >= ? OR length(docs.id) != 26) AND {_USABLE}",  # noqa: S608  # our own
        (ulid,),
    )
    return frozenset(doc for (doc,) in rows)
