"""Gather what might answer: what each leg finds, and what was said around the best of it.

The legs are the words of whole texts, those of their passages, and the nearest vectors. Nothing is
ranked here: whichever leg found a candidate, every leg says what it holds of it.
"""

from __future__ import annotations

import heapq
import json
import sqlite3
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from vaultmem import records
from vaultmem.records import moment
from vaultmem.retrieval.search.scoring import Candidate, ParsedQuery
from vaultmem.retrieval.search.types import Condition, Likeness, Scope
from vaultmem.storage.index import Index, passages, tokenizer

_BEST = 200
"""Candidates of one leg: what answers hardly ever stands below that."""
_EXPANDED = 60
"""The best of a leg, whose neighbours become candidates, too."""

_THESE = "IN (SELECT value FROM json_each(?))"
_BESIDE_IT = """\
SELECT other.doc FROM docs AS other WHERE other.type = 'memory'
AND other.agent = it.agent AND other.session = it.session AND (other.created, other.id)"""
_AROUND = f"""\
SELECT it.doc,
({_BESIDE_IT} < (it.created, it.id) ORDER BY other.created DESC, other.id DESC LIMIT 1),
({_BESIDE_IT} > (it.created, it.id) ORDER BY other.created, other.id LIMIT 1)
FROM docs AS it WHERE it.doc {_THESE} AND it.type = 'memory' AND it.session != ''
"""  # noqa: S608  # all of it is our own

_SUPERSEDING = f"""\
SELECT by.doc FROM docs AS old JOIN docs AS by ON by.stem = old.superseded_by
WHERE old.doc {_THESE} AND old.superseded_by != '' AND by.type = 'memory'
"""  # noqa: S608  # likewise

_Session = tuple[str, str]
"""An agent, and the name of one of its sessions."""


class _Turns(NamedTuple):
    """Who speaks before and after whom in a session."""

    before: Mapping[int, int]
    after: Mapping[int, int]


class _Matches(NamedTuple):
    """Raw BM25 by doc: of whole texts, and of the best passage of those that have several."""

    texts: Mapping[int, float]
    passages: Mapping[int, float]


class _Pool(NamedTuple):
    """Who the candidates are, and what the legs say of them."""

    docs: AbstractSet[int]
    matches: _Matches
    held: Mapping[int, tuple[float, ...]]
    cosines: Mapping[int, float]
    turns: _Turns


def find(
    index: Index,
    asked: ParsedQuery,
    scope: Scope,
    likeness: Likeness | None,
    *,
    by_words: bool = True,
) -> dict[int, Candidate]:
    """Return the candidates in *scope*, by doc; without *by_words* the vectors alone tell.

    Raises BadInput for a scope that cannot be, ModelAway when *likeness* cannot answer.
    """
    db, terms = index.db, asked.terms if by_words else ()
    matches = _matches(db, terms, scope)
    near = likeness.nearest(scope.condition(), _BEST) if likeness else {}
    hidden = _hidden(index)
    legs = [_best(db, leg, _BEST + len(hidden)) for leg in (*matches, near)]
    first = {doc for leg in legs for doc in leg} - hidden
    leading = {doc for leg in legs for doc in leg[:_EXPANDED]} - hidden
    turns = _turns(db, leading)
    docs = (first | turns.before.keys() | turns.after.keys()) - hidden
    docs |= _corrections(db, docs) - hidden
    pool = _Pool(
        docs=docs,
        matches=matches,
        held=_held(db, terms, docs),
        cosines=likeness.of(docs) if likeness else {},
        turns=turns,
    )
    return {c.doc: c for c in _candidates(db, asked.now, pool, scope.condition())}


def _hidden(index: Index) -> frozenset[int]:
    """Return the docs of files that vanished in a crowd: not given up, and not to be shown."""
    gone = index.vanished()
    sql = f"SELECT doc FROM docs WHERE path {_THESE}"  # noqa: S608  # values are bound
    return frozenset(doc for (doc,) in index.db.execute(sql, (json.dumps(gone),))) if gone else _NO


_NO: frozenset[int] = frozenset()


# --- words ------------------------------------------------------------------------------------


def _matches(db: sqlite3.Connection, terms: tuple[str, ...], scope: Scope) -> _Matches:
    """Score all that holds a word: BM25 is what costs, so leaving some out saves nothing."""
    texts: dict[int, float] = {}
    best: dict[int, float] = {}
    for row, score in _scored(db, terms, scope) if terms else ():
        if row > 0:
            texts[row] = score
        else:
            doc = passages.owner(row)
            best[doc] = max(score, best.get(doc, 0.0))
    return _Matches(texts, best)


def _scored(db: sqlite3.Connection, terms: tuple[str, ...], scope: Scope) -> sqlite3.Cursor:
    sql, asked = "SELECT words.rowid, -bm25(words) FROM words", tokenizer.match(terms)
    if scope == Scope(untrusted=True):  # what has words is recallable
        return db.execute(f"{sql} WHERE words MATCH ?", (asked,))
    condition, args = scope.condition()
    joined = f"{sql} JOIN docs ON docs.doc = {passages.OWNER}"
    return db.execute(f"{joined} WHERE words MATCH ? AND {condition}", (asked, *args))


def _held(
    db: sqlite3.Connection, terms: tuple[str, ...], docs: AbstractSet[int]
) -> Mapping[int, tuple[float, ...]]:
    """Return the raw BM25 of each term in each of *docs*, in the order of *terms*."""
    # The plus keeps FTS5 from seeking each row, which is many times slower than passing over.
    sql = f"SELECT rowid, -bm25(words) FROM words WHERE words MATCH ? AND +rowid {_THESE}"  # noqa: S608
    these = json.dumps(sorted(docs))
    found = [dict(db.execute(sql, (tokenizer.match((term,)), these)).fetchall()) for term in terms]
    return {doc: tuple(scores.get(doc, 0.0) for scores in found) for doc in docs}


def _best(db: sqlite3.Connection, scores: Mapping[int, float], most: int) -> list[int]:
    """Return the docs with the highest scores, best first; of equals the first by path."""
    least = min(heapq.nlargest(most, scores.values()), default=0.0)
    reached = [doc for doc, score in scores.items() if score >= least]
    sql = f"SELECT doc, path FROM docs WHERE doc {_THESE}"  # noqa: S608
    paths = dict(db.execute(sql, (json.dumps(reached),)).fetchall())
    return heapq.nsmallest(most, paths, key=lambda doc: (-scores[doc], paths[doc]))


# --- what is known of each --------------------------------------------------------------------


def _turns(db: sqlite3.Connection, docs: AbstractSet[int]) -> _Turns:
    """Return what was said around each of *docs*, and that they were said around that."""
    rows = db.execute(_AROUND, (json.dumps(sorted(docs)),)).fetchall()
    before, after = dict[int, int](), dict[int, int]()
    for pair in chain.from_iterable(((a, doc), (doc, b)) for doc, a, b in rows):
        one, other = pair
        if one is not None and other is not None:
            before[other], after[one] = one, other
    return _Turns(before, after)


def _corrections(db: sqlite3.Connection, docs: AbstractSet[int]) -> AbstractSet[int]:
    """Return what supersedes one of *docs*, and what supersedes that: it may share no word."""
    found: set[int] = set()
    asked: AbstractSet[int] = docs
    while asked:
        rows = db.execute(_SUPERSEDING, (json.dumps(sorted(asked)),))
        asked = {doc for (doc,) in rows} - docs - found
        found |= asked
    return found


def _candidates(
    db: sqlite3.Connection, now: str, pool: _Pool, where: Condition
) -> Iterator[Candidate]:
    condition, args = where
    rows = db.execute(
        "SELECT docs.doc, path, type, agent, session, speaker, created, importance, length, asks,"  # noqa: S608
        " times, counts, stale_after, valid_from, valid_to, superseded_by"
        f" FROM docs WHERE docs.doc {_THESE} AND {condition}",
        (json.dumps(sorted(pool.docs)), *args),
    ).fetchall()
    lengths = _session_lengths(db, {(row[3], row[4]) for row in rows})
    when = moment(now) if now else None
    for row in rows:
        doc, path, kind, agent, session, speaker, created, importance, length, *tells = row[:12]
        text = pool.matches.texts.get(doc, 0.0)
        yield Candidate(
            doc=doc,
            path=path,
            type=kind,
            session=session,
            speaker=speaker,
            created=created,
            importance=importance,
            length=length,
            asks=bool(tells[0]),
            times=bool(tells[1]),
            counts=bool(tells[2]),
            outdated=any(row[12:]) and _is_outdated(when, *row[12:]),
            superseded_by=row[-1],
            words=text,
            passage=pool.matches.passages.get(doc, text),
            held=pool.held.get(doc, ()),
            cosine=pool.cosines.get(doc, 0.0),
            before=pool.turns.before.get(doc),
            after=pool.turns.after.get(doc),
            session_length=lengths.get((agent, session), 0),
        )


def _session_lengths(
    db: sqlite3.Connection, sessions: AbstractSet[_Session]
) -> Mapping[_Session, int]:
    """Return how many words each of *sessions* has."""
    agents, names = {agent for agent, _ in sessions}, {name for _, name in sessions if name}
    rows = db.execute(
        "SELECT agent, session, sum(length) FROM main.docs INDEXED BY docs_session"  # noqa: S608
        f" WHERE type = 'memory' AND agent {_THESE} AND session {_THESE} GROUP BY agent, session",
        (json.dumps(sorted(agents)), json.dumps(sorted(names))),
    )
    return {(agent, session): length for agent, session, length in rows}


def _is_outdated(
    when: datetime | None, stale_after: str, valid_from: str, valid_to: str, superseded_by: str
) -> bool:
    """Tell whether a fact's time is over, or has not come, at *when*."""
    if superseded_by or when is None:
        return bool(superseded_by)
    return records.is_over(stale_after, when) or not records.holds(valid_from, valid_to, when)
