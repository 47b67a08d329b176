"""What the index says of a whole vault at a glance: counts, days, sessions, spans and links.

*agent* narrows to what is that agent's or shared; "" is everybody's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from vaultmem.storage.index.filters import Condition, Filter, condition
from vaultmem.storage.index.queries import Queries


class DayCount(NamedTuple):
    """How many memories are dated on a day (`2026-11-20`, UTC)."""

    day: str
    memories: int


class SessionCount(NamedTuple):
    """The memories of one session, and from when to when they are."""

    agent: str
    session: str
    memories: int
    first: str
    last: str


class Span(NamedTuple):
    """A summary, episode or topic, and the time that it tells of; times are ISO 8601."""

    path: str
    type: str
    tier: str
    title: str
    agent: str
    session: str
    first: str
    last: str
    sources: int


class LinkedFiles(NamedTuple):
    """A file, by path, type and title, that names another one among its sources."""

    path: str
    type: str
    title: str
    source_path: str
    source_type: str
    source_title: str


class FolderEntry(NamedTuple):
    """A name in a folder: of a file, or of a folder with so many *files* in it."""

    name: str
    is_folder: bool
    files: int
    type: str
    title: str
    date: str


def counts(index: Queries, agent: str = "") -> dict[str, int]:
    """Return how many records of each type may be recalled."""
    where, args = _scope(agent, Filter(recallable=True))
    sql = f"SELECT type, count(*) FROM docs WHERE {where} GROUP BY type"  # noqa: S608  # values are bound
    return dict(index.db.execute(sql, args).fetchall())


def days(index: Queries, agent: str = "", *, after: str = "", before: str = "") -> list[DayCount]:
    """Return the days that memories are dated on, in order, between two times."""
    meant = Filter(type="memory", kept=True, after=after, before=before)
    where, args = _scope(agent, meant)
    rows = index.db.execute(
        f"SELECT substr(created, 1, 10) AS day, count(*) FROM docs WHERE {where}"  # noqa: S608  # values are bound
        " AND created != '' GROUP BY day ORDER BY day",
        args,
    )
    return list(map(DayCount._make, rows))


def memories_of(index: Queries, agent: str, session: str) -> int:
    """Return how many memories *agent* has of a session."""
    sql = "SELECT count(*) FROM docs WHERE type = 'memory' AND agent = ? AND session = ?"
    found = index.value(sql, agent, session)
    return found if isinstance(found, int) else 0


def sessions(index: Queries, agent: str = "") -> list[SessionCount]:
    """Return the sessions that memories are of, the last one first."""
    where, args = _scope(agent, Filter(type="memory"))
    rows = index.db.execute(
        "SELECT agent, session, count(*), min(created), max(created) FROM docs"  # noqa: S608  # values are bound
        f" WHERE {where} AND session != '' AND recallable GROUP BY agent, session"
        " ORDER BY max(created) DESC, session",
        args,
    )
    return list(map(SessionCount._make, rows))


def spans(index: Queries, agent: str = "") -> list[Span]:
    """Return the summaries, episodes and topics, in order of the time that they tell of.

    A summary says that itself; the others tell of the time of their sources, or else of their own.
    """
    where, args = _scope(agent, Filter(type=("summary", "episode", "topic"), recallable=True))
    rows = index.db.execute(
        "SELECT docs.path, docs.type, docs.tier,"  # noqa: S608  # values are bound
        " iif(docs.title != '', docs.title, docs.description), docs.agent, docs.session,"
        " coalesce(nullif(docs.covers_from, ''), min(nullif(told.created, '')), docs.created),"
        " coalesce(nullif(docs.covers_to, ''), max(nullif(told.created, '')), docs.created),"
        " count(links.target) FROM docs LEFT JOIN links USING(doc)"
        " LEFT JOIN docs AS told ON told.stem = links.target AND docs.covers_from = ''"
        f" WHERE {where} GROUP BY docs.doc ORDER BY 7, docs.path",
        args,
    )
    return list(map(Span._make, rows))


def links(index: Queries, agent: str, types: Iterable[str], most: int) -> list[LinkedFiles]:
    """Return at most *most* links between files of *types*, the newest files first."""
    where, args = _scope(agent, Filter(recallable=True))
    seen, more = ("AND source.agent IN ('', ?)", (agent,)) if agent else ("", ())
    rows = index.db.execute(
        f"SELECT docs.path, docs.type, {_titled('docs')}, source.path, source.type,"  # noqa: S608  # values are bound
        f" {_titled('source')} FROM docs JOIN links USING(doc)"
        " JOIN docs AS source ON source.stem = links.target"
        " OR (instr(links.target, '/') AND source.path = links.target || '.md')"
        f" WHERE {where} AND docs.type IN (SELECT value FROM json_each(?))"
        f" AND source.type IN (SELECT value FROM json_each(?)) AND source.recallable {seen}"
        " ORDER BY docs.created DESC, docs.path, source.created DESC LIMIT ?",
        (*args, *[json.dumps(list(types))] * 2, *more, most),
    )
    return list(map(LinkedFiles._make, rows))


def _titled(table: str) -> str:
    return f"iif({table}.title != '', {table}.title, {table}.description)"


def folder(index: Queries, path: str, agent: str = "") -> list[FolderEntry]:
    """Return what lies in the folder at *path*, "" for the vault, folders first, by name."""
    where, args = _scope(agent, Filter(below=path))
    start = len(path) + 2 if path else 1
    rows = index.db.execute(
        "SELECT iif(instr(rest, '/'), substr(rest, 1, instr(rest, '/') - 1), rest) AS name,"  # noqa: S608  # values are bound
        " instr(rest, '/') > 0 AS deeper, count(*), max(type), max(title), max(date) FROM"
        f" (SELECT substr(path, ?) AS rest, type, {_titled('docs')} AS title,"
        f" max(created, updated) AS date FROM docs WHERE {where})"
        " GROUP BY name, deeper ORDER BY deeper DESC, name",
        (start, *args),
    )
    return [FolderEntry(name, bool(deeper), *rest) for name, deeper, *rest in rows]


def _scope(agent: str, where: Filter) -> Condition:
    """Return what selects *where*, of all that *agent* may know."""
    sql, args = condition(where)
    return (f"{sql} AND docs.agent IN ('', ?)", (*args, agent)) if agent else (sql, args)
