"""Which memories no short-term summary tells of, and which summaries are not of what they name now.

Both are noted as files come and go, so that whoever asks what is due reads what is due, and not all
there is. A summary is proved anew when it, what it names, or another of the same sources changed.
`fsck` compares both with the files.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from vaultmem.records import Record
from vaultmem.storage.index import summary_tally
from vaultmem.storage.index.queries import Queries
from vaultmem.storage.index.summary_tally import HERE, RECENT
from vaultmem.storage.operation_keys import operation_key


class Member(NamedTuple):
    """A memory without what it says: there may be a million of them at once."""

    path: str
    sha: str
    id: str
    created: str
    trust: str
    superseded_by: str

    @property
    def stem(self) -> str:
        """The file's name without folder and suffix."""
        return self.path.rpartition("/")[2].removesuffix(".md")


def _memory(name: str) -> str:
    return f"{name}.type = 'memory' AND {HERE.format(name)}"


# A join that is `CROSS` goes from the one name to what has it, a few rows; the planner, which
# knows no numbers, would go through all of an agent's.
_TOLD = (
    "EXISTS (SELECT 1 FROM links CROSS JOIN docs AS teller USING(doc)"  # noqa: S608  # all of it is our own
    f" WHERE links.target = told.stem AND {RECENT.format('teller')} AND +teller.agent = told.agent)"
)
_TAKE_IN = (
    "INSERT OR IGNORE INTO uncovered SELECT told.doc, told.agent, told.created, told.id"  # noqa: S608  # our own
    f" FROM docs AS told WHERE {_memory('told')} AND NOT {_TOLD} AND "
)
_DOUBT = "INSERT OR REPLACE INTO unproved SELECT doc, NULL FROM links WHERE target"
_MEMBER = ", ".join(f"told.{name}" for name in Member._fields)
_FEW = 10_000
"""Memories that are soon counted."""
_TARGETS = "SELECT target FROM links WHERE doc = ?"
# Of two that claim a memory the lower id keeps it, so that every machine decides alike.
_CLAIMED = (
    "EXISTS (SELECT 1 FROM links AS other CROSS JOIN docs AS teller USING(doc)"  # noqa: S608  # our own
    f" WHERE other.target = links.target AND {RECENT.format('teller')}"
    " AND +teller.agent = ? AND +teller.id < ?)"
)


class _Row(NamedTuple):
    stem: str
    type: str
    tier: str
    agent: str


class Recent(NamedTuple):
    """A short-term summary, by the path of its file, and the stems that it names.

    Its *own* are those that none with a lower id names.
    """

    path: str
    sources: frozenset[str]
    own: frozenset[str]


# --- what changes it ----------------------------------------------------------------------------


def note(db: sqlite3.Connection, doc: int, said: Record) -> None:
    """Take in what the file *doc* *said*, whose rows were just written."""
    if said.type == "memory":
        db.execute(f"{_TAKE_IN} told.doc = ?", (doc,))
        _tally(db, doc, 1)
        doubt(db, said.stem)
    elif said.tier == "recent":
        _doubt_all(db, doc)
        summary_tally.note(db, doc, 1)
        db.execute(
            "DELETE FROM uncovered WHERE doc IN (SELECT told.doc FROM links"  # noqa: S608  # likewise
            " CROSS JOIN docs AS told ON told.stem = links.target"
            f" WHERE links.doc = ? AND {_TOLD})",
            (doc,),
        )


def forget(db: sqlite3.Connection, doc: int) -> None:
    """Take back what the file *doc* meant, whose rows are about to go."""
    if (row := _row(db, doc)) is None:
        return
    if row.type == "memory":
        db.execute("DELETE FROM uncovered WHERE doc = ?", (doc,))
        _tally(db, doc, -1)
        doubt(db, row.stem)
    elif row.tier == "recent":
        _doubt_all(db, doc)
        summary_tally.note(db, doc, -1)
        targets = db.execute(_TARGETS, (doc,)).fetchall()
        db.execute("DELETE FROM links WHERE doc = ?", (doc,))
        named = "(SELECT doc FROM docs WHERE stem = ?)"
        db.executemany(f"{_TAKE_IN} told.doc IN {named}", targets)


def _tally(db: sqlite3.Connection, doc: int, more: int) -> None:
    """Count the memory *doc*, by one *more*, with those of its agent."""
    # `OR FAIL` for the words' sake, as where a file is seen.
    db.execute(
        "INSERT OR FAIL INTO remembered SELECT told.agent, ? FROM docs AS told"  # noqa: S608  # our own
        f" WHERE told.doc = ? AND {_memory('told')}"
        " ON CONFLICT(agent) DO UPDATE SET memories = memories + excluded.memories",
        (more, doc),
    )


def doubt(db: sqlite3.Connection, stem: str) -> None:
    """Let every summary that names *stem* be proved anew: it is another memory now."""
    db.execute(f"{_DOUBT} = ?", (stem,))


def _doubt_all(db: sqlite3.Connection, doc: int) -> None:
    """Let the summary *doc* be proved anew, and each other one that names one of its sources."""
    db.execute("INSERT OR REPLACE INTO unproved VALUES(?, NULL)", (doc,))
    db.execute(f"{_DOUBT} IN ({_TARGETS})", (doc,))


def _row(db: sqlite3.Connection, doc: int) -> _Row | None:
    row = db.execute("SELECT stem, type, tier, agent FROM docs WHERE doc = ?", (doc,)).fetchone()
    return _Row(*row) if row else None


def prove(db: sqlite3.Connection) -> None:
    """Compare each summary that is in doubt with what it names; those stay that are not of it."""
    doubted = db.execute("SELECT doc FROM unproved WHERE stale IS NULL").fetchall()
    for (doc,) in doubted:
        if _is_stale(db, doc):
            db.execute("UPDATE unproved SET stale = 1 WHERE doc = ?", (doc,))
        else:
            db.execute("DELETE FROM unproved WHERE doc = ?", (doc,))


def _is_stale(db: sqlite3.Connection, doc: int) -> bool:
    row = db.execute(
        f"SELECT agent, id, op, prompt FROM docs WHERE doc = ? AND {RECENT.format('docs')}",  # noqa: S608  # our own
        (doc,),
    ).fetchone()
    if row is None or not row[2]:
        return False
    agent, named, op, prompt = row
    members = db.execute(
        f"SELECT {_MEMBER} FROM links"  # noqa: S608  # likewise
        " CROSS JOIN docs AS told ON told.stem = links.target"
        f" WHERE links.doc = ? AND {_memory('told')} AND +told.agent = ? AND NOT {_CLAIMED}",
        (doc, agent, agent, named),
    )
    return operation_key("recent", prompt, map(Member._make, members)) != str(op)


# --- what it is asked ---------------------------------------------------------------------------


def memories(index: Queries, agent: str) -> int:
    """Return how many memories *agent* has."""
    count = index.value("SELECT memories FROM remembered WHERE agent = ?", agent)
    return count if isinstance(count, int) else 0


def count_memories(index: Queries, agent: str) -> int:
    """Return the same, counted anew."""
    return _count(index, f"docs WHERE agent = ? AND {_memory('docs')}", agent)


def members(index: Queries, agent: str) -> list[Member]:
    """Return the memories of *agent*, in order of time."""
    rows = index.db.execute(
        f"SELECT {_MEMBER} FROM docs AS told WHERE agent = ? AND {_memory('told')}"  # noqa: S608  # our own
        " ORDER BY created, id, path",
        (agent,),
    )
    said: dict[str, str] = {}
    found = map(Member._make, rows)
    return [it._replace(trust=said.setdefault(it.trust, it.trust)) for it in found]


def oldest_uncovered(
    index: Queries, agent: str, most: int, but: Collection[str] = ()
) -> list[Member]:
    """Return the *most* oldest memories of *agent* that no short-term summary tells of.

    In order of time; not those whose stem is among *but*.
    """
    rows = index.db.execute(
        f"SELECT {_MEMBER} FROM uncovered CROSS JOIN docs AS told USING(doc)"  # noqa: S608  # values are bound
        " WHERE uncovered.agent = ? AND told.stem NOT IN (SELECT value FROM json_each(?))"
        " ORDER BY uncovered.created, uncovered.id, told.path LIMIT ?",
        (agent, json.dumps(list(but)), most),
    )
    return list(map(Member._make, rows))


def newest(index: Queries, agent: str, window: int) -> list[Member]:
    """Return the *window* newest memories of *agent*, in order of time."""
    rows = index.db.execute(
        f"SELECT {_MEMBER} FROM docs AS told WHERE agent = ? AND {_memory('told')}"  # noqa: S608  # values are bound
        " ORDER BY created DESC, id DESC, path DESC LIMIT ?",
        (agent, window),
    )
    return list(map(Member._make, rows))[::-1]


def named(index: Queries, agent: str, stems: Collection[str]) -> list[Member]:
    """Return the memories of *agent* that have one of *stems*."""
    rows = index.db.execute(
        f"SELECT {_MEMBER} FROM json_each(?) AS asked CROSS JOIN docs AS told"  # noqa: S608  # values are bound
        f" ON told.stem = asked.value WHERE +told.agent = ? AND +{_memory('told')}",
        (json.dumps(list(stems)), agent),
    )
    return list(map(Member._make, rows))


def ordinals(index: Queries, agent: str, some: Sequence[Member]) -> dict[str, int]:
    """Return which memory of *agent*, counted from 1, each of *some* is, which are in order.

    By their stems. Rows are read from the first to the last of them, and none is kept; those after
    them are counted where they are few, or else those before.
    """
    if not some:
        return {}
    first, last = some[0], some[-1]
    ours = f"docs WHERE agent = ? AND {_memory('docs')}"
    since = f"(SELECT 1 FROM {ours} AND (created, id) >= (?, ?) LIMIT ?)"  # noqa: S608  # likewise
    after = _count(index, since, agent, first.created, first.id, _FEW)
    before = memories(index, agent) - after
    if after == _FEW:
        before = _count(index, f"{ours} AND (created, id) < (?, ?)", agent, first.created, first.id)
    rows = index.db.execute(
        f"SELECT stem FROM {ours} AND (created, id) >= (?, ?) AND (created, id) <= (?, ?)"  # noqa: S608  # values are bound
        " ORDER BY created, id, path",
        (agent, first.created, first.id, last.created, last.id),
    )
    wanted = {member.stem for member in some}
    return {stem: n for n, (stem,) in enumerate(rows, before + 1) if stem in wanted}


def last_created(index: Queries, agent: str) -> str | None:
    """Return when the newest memory of *agent* was made, None without one."""
    sql = f"SELECT max(created) FROM docs WHERE agent = ? AND {_memory('docs')}"  # noqa: S608  # our own
    newest = index.value(sql, agent)
    return None if newest is None else str(newest)


def uncovered(index: Queries, agent: str) -> int:
    """Return how many memories of *agent* no short-term summary tells of."""
    return _count(index, "uncovered WHERE agent = ?", agent)


def waiting(
    index: Queries, agent: str, window: int, but: Collection[str] = (), most: int = -1
) -> int:
    """Return how many of these are older than the newest *window* memories, up to *most*.

    Not those whose stem is among *but*.
    """
    first = index.db.execute(
        f"SELECT created, id FROM docs WHERE agent = ? AND {_memory('docs')}"  # noqa: S608  # values are bound
        " ORDER BY created DESC, id DESC LIMIT 1 OFFSET ?",
        (agent, window - 1),
    ).fetchone()
    if first is None:
        return 0
    some = (
        "(SELECT 1 FROM uncovered JOIN docs USING(doc) WHERE uncovered.agent = ?"
        " AND (uncovered.created, uncovered.id) < (?, ?)"
        " AND docs.stem NOT IN (SELECT value FROM json_each(?)) LIMIT ?)"
    )
    return _count(index, some, agent, *first, json.dumps(list(but)), most)


def tells(index: Queries, agent: str) -> bool:
    """Tell whether any short-term summary of *agent* names a memory."""
    recent = RECENT.format("docs")
    sql = f"SELECT 1 FROM docs CROSS JOIN links USING(doc) WHERE agent = ? AND {recent} LIMIT 1"  # noqa: S608  # values are bound
    return index.value(sql, agent) is not None


def stale(index: Queries, agent: str) -> list[Recent]:
    """Return the short-term summaries of *agent* that are not of what they name now."""
    rows = index.db.execute(
        "SELECT doc, path, id FROM unproved CROSS JOIN docs USING(doc) WHERE agent = ?", (agent,)
    ).fetchall()
    return _recents(index, agent, rows)


def tellers(index: Queries, agent: str, stems: Collection[str]) -> list[Recent]:
    """Return the short-term summaries of *agent* that name one of *stems*."""
    rows = index.db.execute(
        "SELECT DISTINCT doc, path, id FROM links CROSS JOIN docs USING(doc)"  # noqa: S608  # values are bound
        " WHERE target IN (SELECT value FROM json_each(?)) AND +agent = ?"
        f" AND {RECENT.format('docs')}",
        (json.dumps(list(stems)), agent),
    ).fetchall()
    return _recents(index, agent, rows)


def _recents(index: Queries, agent: str, rows: Iterable[tuple[int, str, str]]) -> list[Recent]:
    return [
        Recent(
            path,
            _targets(index, _TARGETS, doc),
            _targets(index, f"{_TARGETS} AND NOT {_CLAIMED}", doc, agent, named),
        )
        for doc, path, named in rows
    ]


def rivals(index: Queries, agent: str) -> frozenset[str]:
    """Return the paths of the short-term summaries of *agent* that name what another names, too."""
    told = (
        f"links CROSS JOIN docs AS teller USING(doc) WHERE {RECENT.format('teller')}"
        " AND teller.agent = ?"
    )
    twice = f"SELECT links.target FROM {told} GROUP BY links.target HAVING count(*) > 1"  # noqa: S608  # our own
    rows = index.db.execute(
        f"SELECT DISTINCT teller.path FROM {told} AND links.target IN ({twice})",  # noqa: S608  # likewise
        (agent, agent),
    )
    return frozenset(path for (path,) in rows)


def _targets(index: Queries, query: str, *args: object) -> frozenset[str]:
    return frozenset(target for (target,) in index.db.execute(query, args))


def _count(index: Queries, rows: str, *args: object) -> int:
    (count,) = index.db.execute(f"SELECT count(*) FROM {rows}", args).fetchone()  # noqa: S608  # values are bound
    return int(count)
