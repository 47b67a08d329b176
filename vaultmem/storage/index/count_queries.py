"""What the index counts for those who look after a vault: `status`, `fsck` and the digest."""

from __future__ import annotations

import json
from typing import NamedTuple

from vaultmem.storage.files import CONFLICT_GLOB
from vaultmem.storage.index.filters import Filter, below, condition
from vaultmem.storage.index.queries import Queries


class InboxCounts(NamedTuple):
    """How many things of each kind wait in the inbox for a person."""

    dreams: int
    disagreements: int
    reviews: int
    conflicts: int


class Fallback(NamedTuple):
    """What was written offline in a model's place for one reason: `summary`, `session`, `episode`.

    *path* is one of them.
    """

    kind: str
    path: str
    why: str
    files: int


class RecentSummaries(NamedTuple):
    """How many short-term summaries an agent has, when the last was made, and their mean scores."""

    summaries: int
    last: str | None
    faithfulness: float | None
    coverage: float | None
    compression: float | None


class Duplicate(NamedTuple):
    """What several files have in common, and their paths, each once, in order."""

    common: str
    paths: tuple[str, ...]


class MemoryBrief(NamedTuple):
    """A memory without its text: what tells how much it weighs."""

    id: str
    stem: str
    path: str
    agent: str
    session: str
    trust: str
    importance: float
    superseded_by: str
    created: str


def inbox(index: Queries) -> InboxCounts:
    """Count what waits in the inbox for a person."""
    inside, args = below("path", "inbox")
    review, more = below("path", "inbox/review")
    row = index.db.execute(
        "SELECT total(type = 'dream' AND op = ''),"  # noqa: S608  # values are bound
        f" total(type = 'conflict' AND NOT {_VERSION}), total({review}), total({_VERSION})"
        f" FROM docs WHERE {inside}",
        (*more, *args),
    ).fetchone()
    return InboxCounts(*map(int, row))


_VERSION = f"(path GLOB '{CONFLICT_GLOB}')"


def second_versions(index: Queries) -> list[str]:
    """Return the notes of the inbox in which another version of a file waits."""
    rows = index.db.execute(f"SELECT path FROM docs WHERE {_VERSION} ORDER BY path")  # noqa: S608  # our own
    return [path for (path,) in rows]


def with_tool_lines(index: Queries) -> list[str]:
    """Return the notes that are untrusted for lines which a tool had said, none of the inbox."""
    # A working memory may have such lines: a context shows the others.
    rows = index.db.execute(
        "SELECT path FROM docs WHERE tool_lines != '' AND trust = 'untrusted' AND type != 'working'"
        " AND NOT (path > 'inbox/review/' AND path < 'inbox/review0') ORDER BY path"
    )
    return [path for (path,) in rows]


def fallbacks(index: Queries) -> list[Fallback]:
    """Return what was written in a model's place, by kind and by the first words of the reason."""
    rows = index.db.execute(
        "SELECT iif(tier = 'session', tier, type) AS kind, max(path), degraded, count(*) FROM docs"
        " WHERE degraded != '' AND type IN ('summary', 'episode')"
        " GROUP BY kind, substr(degraded, 1, instr(degraded || ':', ':')) ORDER BY kind, degraded"
    )
    return list(map(Fallback._make, rows))


def recent_summaries(index: Queries, agent: str) -> RecentSummaries:
    """Return what there is of short-term summaries of *agent*."""
    row = index.db.execute(
        "SELECT count(*), max(created), round(avg(faithfulness), 3), round(avg(coverage), 3),"
        " round(avg(compression), 3) FROM docs"
        " WHERE type = 'summary' AND tier = 'recent' AND agent = ?",
        (agent,),
    ).fetchone()
    return RecentSummaries._make(row)


def held_memories(index: Queries, agent: str) -> list[str]:
    """Return the stems of the memories of *agent* that are kept out of the history."""
    # Few are: the index of those, not that of an agent's memories.
    sql = "SELECT stem FROM docs WHERE +type = 'memory' AND +agent = ? AND held != ''"
    return [stem for (stem,) in index.db.execute(sql, (agent,))]


def same_ids(index: Queries) -> list[Duplicate]:
    """Return the files that have one id."""
    return _duplicates(index, "id", "id != '' AND (recallable OR archived)", "= 1")


def same_names(index: Queries) -> list[Duplicate]:
    """Return the memories that have one name and, else it was told as one id, several ids."""
    # In the order of the names, as their index has them: nothing is to be sorted.
    return _duplicates(index, "stem", "+type = 'memory' AND (recallable OR archived)", "> 1")


def _duplicates(index: Queries, column: str, where: str, ids: str) -> list[Duplicate]:
    rows = index.db.execute(
        f"SELECT {column}, json_group_array(DISTINCT path) FROM docs WHERE {where}"  # noqa: S608  # all of it is our own
        f" GROUP BY {column} HAVING count(DISTINCT path) > 1 AND count(DISTINCT id) {ids}"
    )
    return [Duplicate(common, tuple(sorted(json.loads(paths)))) for common, paths in rows]


def listed_twice(index: Queries) -> list[str]:
    """Return the paths that have several rows, as only a damaged index has them."""
    # By the table itself: a damaged index of it may lead to one of the two.
    rows = index.db.execute(
        "SELECT DISTINCT path FROM main.docs AS told NOT INDEXED WHERE EXISTS"
        " (SELECT 1 FROM main.docs AS other WHERE other.path = told.path AND other.doc != told.doc)"
    )
    return [path for (path,) in rows]


def memories_minted(index: Queries, since: str, until: str, agent: str) -> list[MemoryBrief]:
    """Return the memories with an id between two, of *agent* or of all."""
    sql, args = condition(Filter(type="memory", agent=agent, kept=True))
    rows = index.db.execute(
        "SELECT id, stem, path, agent, session, trust, importance, superseded_by, created FROM docs"  # noqa: S608  # values are bound
        f" WHERE {sql} AND length(id) = 26 AND id BETWEEN ? AND ?",
        (*args, since, until),
    )
    return list(map(MemoryBrief._make, rows))


def source_texts(index: Queries, path: str) -> dict[str, str]:
    """Return the texts that the file at *path* names as its sources, by their stems."""
    rows = index.db.execute(
        "SELECT stem, body FROM docs JOIN bodies USING(doc) WHERE stem IN"
        " (SELECT target FROM links JOIN docs AS teller USING(doc) WHERE teller.path = ?)",
        (path,),
    )
    return dict(rows.fetchall())
