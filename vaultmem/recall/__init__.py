"""Find what answers a question: scope first, then the sum of what each leg says of a candidate."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from vaultmem.errors import BadInput, DiskRefused, Refused
from vaultmem.index import Index, words
from vaultmem.model import end_of, first_line, iso, moment
from vaultmem.recall.ranking import Candidate, rank

Still = Callable[[str, str], bool]
"""Tells whether the file at a path still has the sha-256."""

LONGEST_QUERY = 4096
MOST_HITS = 50
_SNIPPET = 240
_TITLE = 80
_STEM = 5
_NO_EMBEDDER = "no embedder is set up: ranked by words alone (BM25)"


_TAGGED = "char(10) || docs.tags || char(10) LIKE ? ESCAPE '\\'"
_HEADING = re.compile(r"#{1,6}\s+(.*)")


def _literal(text: str) -> str:
    return re.sub(r"([\\%_])", r"\\\1", text)


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look, before anything is ranked; empty is everywhere.

    *shared* looks beside the agent's own files into those that belong to nobody.
    """

    agent: str = ""
    shared: bool = False
    type: str = ""
    tags: tuple[str, ...] = ()
    after: str = ""
    before: str = ""

    def condition(self) -> tuple[str, tuple[object, ...]]:
        """Return the SQL condition and its arguments; raises BadInput for a bad date."""
        parts: list[tuple[str, object]] = [("docs.recallable = ?", 1)]
        if self.agent:
            whose = "docs.agent IN ('', ?)" if self.shared else "docs.agent = ?"
            parts.append((whose, self.agent))
        if self.type:
            parts.append(("docs.type = ?", self.type))
        if self.after:
            parts.append(("docs.created >= ?", iso(moment(self.after))))
        if self.before:
            parts.append(("docs.created <= ?", iso(end_of(self.before))))
        parts.extend((_TAGGED, f"%\n{_literal(t)}\n%") for t in self.tags)
        return " AND ".join(sql for sql, _ in parts), tuple(arg for _, arg in parts)


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found: where it stands, when it was said, how well it answers."""

    id: str
    path: str
    lines: tuple[int, int]
    heading: str
    title: str
    date: str
    type: str
    agent: str
    snippet: str
    score: float
    sha256: str
    trust: str
    stale: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits, best first, and what was not up to its best, if anything."""

    hits: tuple[Hit, ...]
    degraded_reason: str | None = _NO_EMBEDDER


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the words, how many hits, where, and when (`stale_after` is held to it)."""

    query: str
    k: int = 10
    scope: Scope = field(default_factory=Scope)
    now: str = ""


def search(index: Index, asked: Question, still: Still) -> Answer:
    """Return the best hits for what is *asked*; *still* tells whether a file is as indexed.

    Raises BadInput for an empty or endless query, a k outside 1 to 50, or a bad date.
    """
    _check(asked.query, asked.k)
    try:
        return Answer(_standing(index, asked, still))
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:  # damaged: it is a shadow, so cast it anew
        index.rebuild()
        index.sync()
        return Answer(_standing(index, asked, still))


def _standing(index: Index, asked: Question, still: Still) -> tuple[Hit, ...]:
    """Return the hits, taken again from a synced index when some file is not as it says."""
    hits = _hits(index, asked)
    if all(_stands(still, hit) for hit in hits):
        return hits
    index.sync()
    return _hits(index, asked)


def _stands(still: Still, hit: Hit) -> bool:
    try:
        return still(hit.path, hit.sha256)
    except (OSError, Refused, DiskRefused):
        return False


def _check(query: str, k: int) -> None:
    if not query.strip():
        raise BadInput("the query is empty: say what you are looking for")
    if len(query) > LONGEST_QUERY:
        raise BadInput(f"the query is longer than {LONGEST_QUERY} characters")
    if not 1 <= k <= MOST_HITS:
        raise BadInput(f"-k is {k}, it goes from 1 to {MOST_HITS}")


def _hits(index: Index, asked: Question) -> tuple[Hit, ...]:
    with index.snapshot():
        terms = words.terms(asked.query)
        found = _candidates(index, terms, asked.scope)
        _expand(index, found, asked.scope)
        scores = rank(asked.query, found)
        best = sorted(scores, key=lambda doc: (-scores[doc], found[doc].path))
        gone = frozenset(index.vanished())
        hits = (_hit(index, doc, scores[doc], terms, asked.now) for doc in best)
        return tuple(islice((hit for hit in hits if hit.path not in gone), asked.k))


# --- finding ----------------------------------------------------------------------------------

_CANDIDATES = 200
_EXPANDED = 60
_QUESTION_MARKS = ("?", "\uff1f")
_FIELDS = "docs.doc, docs.path, docs.session, docs.speaker, docs.created, bodies.body"


def _candidates(index: Index, terms: tuple[str, ...], scope: Scope) -> dict[int, Candidate]:
    if not terms:
        return {}
    condition, args = scope.condition()
    rows = index.db.execute(
        f"SELECT -bm25(words) AS score, {_FIELDS} FROM words"  # noqa: S608  # values are bound
        " JOIN docs ON docs.doc = words.rowid JOIN bodies ON bodies.doc = words.rowid"
        f" WHERE words MATCH ? AND {condition} ORDER BY score DESC, docs.path LIMIT ?",
        (words.match(terms), *args, _CANDIDATES),
    ).fetchall()
    top = rows[0][0] if rows else 1.0
    return {row[1]: _candidate(row[0] / top, row[1:]) for row in rows}


def _candidate(score: float, row: Sequence[Any]) -> Candidate:
    doc, path, session, speaker, created, body = row
    text = body.rstrip()
    asks = text.endswith(_QUESTION_MARKS)
    return Candidate(doc, score, path, session, speaker, created, words.length(text), asks)


def _expand(index: Index, found: dict[int, Candidate], scope: Scope) -> None:
    """Give each good candidate the turns around it: a short answer follows a telling question."""
    condition, args = scope.condition()
    for candidate in sorted(found.values(), key=lambda c: (-c.words, c.path))[:_EXPANDED]:
        around = _around(index, candidate) if candidate.session else (None, None)
        found[candidate.doc] = replace(found[candidate.doc], before=around[0], after=around[1])
        for doc in around:
            if doc is not None and doc not in found:
                row = index.db.execute(
                    f"SELECT {_FIELDS} FROM docs JOIN bodies USING(doc)"  # noqa: S608
                    f" WHERE docs.doc = ? AND {condition}",
                    (doc, *args),
                ).fetchone()
                if row:
                    found[doc] = _candidate(0.0, row)
    _link_back(found)


def _around(index: Index, candidate: Candidate) -> tuple[int | None, int | None]:
    def neighbour(sign: str, order: str) -> int | None:
        row = index.db.execute(
            "SELECT other.doc FROM docs AS it JOIN docs AS other"  # noqa: S608
            " ON other.type = 'memory' AND other.agent = it.agent AND other.session = it.session"
            f" AND (other.created, other.id) {sign} (it.created, it.id)"
            f" WHERE it.doc = ? ORDER BY other.created {order}, other.id {order} LIMIT 1",
            (candidate.doc,),
        ).fetchone()
        return int(row[0]) if row else None

    return neighbour("<", "DESC"), neighbour(">", "ASC")


def _link_back(found: dict[int, Candidate]) -> None:
    """Let a turn that came in as a neighbour know the one it came with."""
    for candidate in list(found.values()):
        if candidate.after in found and found[candidate.after].before is None:
            found[candidate.after] = replace(found[candidate.after], before=candidate.doc)
        if candidate.before in found and found[candidate.before].after is None:
            found[candidate.before] = replace(found[candidate.before], after=candidate.doc)


# --- showing ----------------------------------------------------------------------------------


def _hit(index: Index, doc: int, score: float, terms: Sequence[str], now: str) -> Hit:
    (said,) = index.records("docs.doc = ?", (doc,))
    at, snippet = _best_line(said.body, terms)
    return Hit(
        id=said.id,
        path=said.path,
        lines=(said.body_line + at, said.body_line + at),
        heading=_heading(said.body, at),
        title=said.title or first_line(said.body, _TITLE),
        date=said.created,
        type=said.type,
        agent=said.agent,
        snippet=snippet,
        score=round(score, 4),
        sha256=said.sha,
        trust=said.trust,
        stale=bool(said.stale_after and now and said.stale_after < now),
    )


def _best_line(body: str, terms: Sequence[str]) -> tuple[int, str]:
    """Return the number and the text of the line that holds most of *terms*, cut around them."""
    lines = body.split("\n")
    stems = tuple(words.plain(t)[:_STEM] for t in terms)
    held = [sum(s in words.plain(line) for s in stems) if line.strip() else -1 for line in lines]
    at = held.index(max(held))
    return at, _cut(" ".join(lines[at].split()), stems)


def _cut(line: str, stems: Sequence[str]) -> str:
    if len(line) <= _SNIPPET:
        return line
    folded = words.plain(line)
    first = min((p for s in stems if (p := folded.find(s)) >= 0), default=0)
    start = max(min(first - _SNIPPET // 4, len(line) - _SNIPPET), 0)
    cut = line[start : start + _SNIPPET]
    return ("…" if start else "") + cut + ("…" if start + _SNIPPET < len(line) else "")


def _heading(body: str, at: int) -> str:
    above = [m[1] for line in body.split("\n")[: at + 1] if (m := _HEADING.match(line))]
    return above[-1].rstrip("# \t\r") if above else ""
