"""What the index says of a whole vault at a glance: counts, days, sessions, spans and links.

*agent* narrows to what is that agent's or shared; "" is everybody's.
"""

from __future__ import annotations

from typing import NamedTuple

from vaultmem.records import RETOLD
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


def sessions(index: Queries, agent: str = "") -> list[SessionCount]:
    """Return the sessions that memories are of, the last one first."""
    where, args = _scope(agent, Filter(recallable=True))
    rows = index.db.execute(
        # Not told that this is so of nearly all, it takes the index by time, and sorts them.
        "SELECT agent, session, count(*), min(created), max(created)"  # noqa: S608  # values are bound
        f" FROM docs WHERE likely(type = 'memory') AND {where}"
        " AND session != '' GROUP BY agent, session"
        " ORDER BY max(created) DESC, session",
        args,
    )
    return list(map(SessionCount._make, rows))


def spans(index: Queries, agent: str = "") -> list[Span]:
    """Return the summaries, episodes and topics, in order of the time that they tell of.

    A summary says that itself; the others tell of the time of their sources, or else of their own.
    """
    where, args = _scope(agent, Filter(type=RETOLD, recallable=True))
    told = (
        "(SELECT {}(nullif(told.created, '')) FROM links"
        " JOIN docs AS told ON told.stem = links.target WHERE links.doc = docs.doc)"
    )
    rows = index.db.execute(
        f"SELECT path, type, tier, {_titled('docs')}, agent, session,"  # noqa: S608  # values are bound
        f" coalesce(nullif(covers_from, ''), {told.format('min')}, created) AS first,"
        f" coalesce(nullif(covers_to, ''), {told.format('max')}, created),"
        " (SELECT count(*) FROM links WHERE links.doc = docs.doc) + earlier_summaries"
        f" FROM docs WHERE {where} ORDER BY first, path",
        args,
    )
    return list(map(Span._make, rows))


def links(index: Queries, agent: str, where: Filter, most: int) -> list[LinkedFiles]:
    """Return at most *most* links between files, the newest files first.

    Of *where*, types and trusts hold for both files, the person for one of them, and the times for
    what is named: when it was made, or from when to when it tells.
    """
    ends = _scope(agent, Filter(type=where.type, trusts=where.trusts, recallable=True))
    narrowed, more = _narrowed(where)
    hub, args = ends
    if narrowed == "1":  # then the newest files have all the links that are wanted
        hub, args = f"docs.doc IN ({_newest(hub)})", (*args, 2 * most)
    rows = index.db.execute(
        f"SELECT docs.path, docs.type, {_titled('docs')}, source.path, source.type,"  # noqa: S608  # values are bound
        f" {_titled('source')} FROM docs JOIN links USING(doc)"
        " JOIN docs AS source ON source.stem = links.target"
        " OR (instr(links.target, '/') AND source.path = links.target || '.md')"
        f" WHERE {hub} AND {_of_source(ends[0])} AND {narrowed}"
        " ORDER BY docs.created DESC, docs.path, source.created DESC LIMIT ?",
        (*args, *ends[1], *more, most),
    )
    return list(map(LinkedFiles._make, rows))


def _newest(where: str) -> str:
    """Return the SQL that selects the newest of *where* that name as many files as are asked."""
    named = "(SELECT count(*) FROM links WHERE links.doc = docs.doc)"
    counted = f"SELECT doc, created, path, {named} AS n FROM docs WHERE {where}"  # noqa: S608  # values are bound
    order = "ORDER BY created DESC, path ROWS UNBOUNDED PRECEDING"
    summed = f"SELECT doc, sum(n) OVER ({order}) - n AS before FROM ({counted}) WHERE n"  # noqa: S608  # likewise
    return f"SELECT doc FROM ({summed}) WHERE before < ?"  # noqa: S608  # likewise


def _narrowed(where: Filter) -> Condition:
    """Return what is asked of one of two linked files, or of the one that is named."""
    parts: list[Condition] = []
    if where.person:
        sql, args = condition(Filter(person=where.person))
        parts.append((f"({sql} OR {_of_source(sql)})", (*args, *args)))
    for told, sign, time in (("covers_to", ">=", where.after), ("covers_from", "<=", where.before)):
        if time:
            sql = f"coalesce(nullif(source.{told}, ''), source.created) {sign} ?"
            parts.append((sql, (time,)))
    return " AND ".join(sql for sql, _ in parts) or "1", tuple(a for _, args in parts for a in args)


def _of_source(sql: str) -> str:
    return sql.replace("docs.", "source.")


def _titled(table: str) -> str:
    return f"iif({table}.title != '', {table}.title, {table}.description)"


def folder(index: Queries, path: str, agent: str = "") -> list[FolderEntry]:
    """Return what lies in the folder at *path*, "" for the vault, folders first, by name."""
    where, args = _scope(agent, Filter(below=path))
    start = len(path) + 2 if path else 1
    folders = index.db.execute(
        "SELECT substr(path, ?, instr(substr(path, ?), '/') - 1) AS name, 1, count(*), '', '', ''"  # noqa: S608  # values are bound
        f" FROM docs WHERE instr(substr(path, ?), '/') AND {where} GROUP BY name ORDER BY name",
        (start, start, start, *args),
    )
    files = index.db.execute(
        f"SELECT substr(path, ?) AS name, 0, 1, type, {_titled('docs')}, max(created, updated)"  # noqa: S608  # values are bound
        # With a bound it looks paths up in their index; else it reads every record.
        f" FROM docs WHERE path > '' AND NOT instr(substr(path, ?), '/') AND {where}"
        " ORDER BY name",
        (start, start, *args),
    )
    found = (*folders, *files)
    return [FolderEntry(name, bool(deeper), *rest) for name, deeper, *rest in found]


def speakers(index: Queries, most: int, agent: str = "") -> list[str]:
    """Return who said the *most* memories that were indexed last, and whom cards are about."""
    where, args = _scope(agent, Filter(recallable=True))
    rows = index.db.execute(
        f"SELECT DISTINCT person FROM docs WHERE type = 'card' AND person != '' AND {where} UNION"  # noqa: S608  # values are bound
        f" SELECT speaker FROM (SELECT speaker FROM docs WHERE type = 'memory' AND {where}"
        " ORDER BY doc DESC LIMIT ?) WHERE speaker != '' ORDER BY 1 COLLATE NOCASE",
        (*args, *args, most),
    )
    return [name for (name,) in rows]


def _scope(agent: str, where: Filter) -> Condition:
    """Return what selects *where*, of all that *agent* may know."""
    sql, args = condition(where)
    return (f"{sql} AND docs.agent IN ('', ?)", (*args, agent)) if agent else (sql, args)
