"""How many short-term summaries an agent has, and which of them its long-term one has absorbed.

The long-term summary names the last and counts the others: what it counts is compared with a tally
that is kept as files come and go, and which `fsck` compares with the files.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

from vaultmem.storage.index.queries import Queries

HERE = "{0}.id != '' AND {0}.path > 'agents/' AND {0}.path < 'agents0'"
"""What was set aside in the inbox is a second version, and what has no id is to be adopted."""
RECENT = f"{{0}}.type = 'summary' AND {{0}}.tier = 'recent' AND {HERE}"
_DIGITS = 15
"""Of a digest; a sum of two such numbers is one that SQLite knows."""
AFTER_ALL = "~"
"""What comes after every id."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many short-term summaries there are, and a sum that tells whether they are the same."""

    summaries: int = 0
    total: int = 0

    @classmethod
    def told(cls, summaries: int, digest: str) -> Self:
        """Return what a file says of so many *summaries*; a *digest* that is none fits none."""
        try:
            return cls(summaries, int(digest or "0", 16))
        except ValueError:
            return cls(summaries, -1)

    @property
    def digest(self) -> str:
        """The sum as files have it."""
        return f"{self.total:0{_DIGITS}x}"

    def __add__(self, more: Tally) -> Tally:
        """Return the tally of these and those."""
        return Tally(self.summaries + more.summaries, (self.total + more.total) % _ROOM)

    def __sub__(self, less: Tally) -> Tally:
        """Return the tally of these without those."""
        return Tally(self.summaries - less.summaries, (self.total - less.total) % _ROOM)


_ROOM = 16**_DIGITS


def tally(ids: Iterable[str]) -> Tally:
    """Return the tally of the short-term summaries that have *ids*."""
    every = [int(hashlib.sha256(it.encode()).hexdigest()[:_DIGITS], 16) for it in ids]
    return Tally(len(every), sum(every) % _ROOM)


def note(db: sqlite3.Connection, doc: int, sign: int) -> None:
    """Count the short-term summary *doc* with those of its agent, or no more, by its *sign*."""
    row = db.execute(
        f"SELECT agent, id FROM docs WHERE doc = ? AND {RECENT.format('docs')}",  # noqa: S608  # our own
        (doc,),
    ).fetchone()
    if row:
        own = sign * tally([row[1]]).total % _ROOM
        db.execute(
            "INSERT INTO summarized VALUES(?, ?, ?) ON CONFLICT(agent) DO UPDATE SET"
            " summaries = summaries + excluded.summaries, total = (total + excluded.total) % ?",
            (row[0], sign, own, _ROOM),
        )


def lags(index: Queries, agent: str) -> bool:
    """Tell whether the long-term summary of *agent* names others than it is to have absorbed.

    These are the short-term ones but the newest; it may name that, too. Of those that it does not
    name, but counts, it is compared with what was counted of them as they came.
    """
    known = _longterm(index, agent)
    recents = f"docs WHERE agent = ? AND {RECENT.format('docs')}"
    target = "substr(docs.path, 1, length(docs.path) - 3)"
    left = index.value(
        f"SELECT 1 FROM {recents} AND id >= ? AND id < (SELECT max(id) FROM {recents})"  # noqa: S608  # values are bound
        f" AND NOT EXISTS (SELECT 1 FROM links WHERE doc = ? AND target = {target}) LIMIT 1",
        agent, known.first, agent, known.doc,
    )  # fmt: skip
    return left is not None or _is_disputed(index, agent, known)


def is_disputed(index: Queries, agent: str) -> bool:
    """Tell whether the long-term summary of *agent* absorbed what is not there, or not all of it.

    That is, one that it names is gone, or those before them are not the same.
    """
    return _is_disputed(index, agent, _longterm(index, agent))


def _is_disputed(index: Queries, agent: str, known: _Longterm) -> bool:
    recents = f"docs WHERE agent = ? AND {RECENT.format('docs')}"
    gone = index.value(
        "SELECT 1 FROM links WHERE doc = ? AND NOT EXISTS (SELECT 1 FROM docs"  # noqa: S608  # values are bound
        f" WHERE docs.path = links.target || '.md' AND docs.agent = ? AND {RECENT.format('docs')})"
        f" AND EXISTS (SELECT 1 FROM {recents}) LIMIT 1",
        known.doc, agent, agent,
    )  # fmt: skip
    return gone is not None or _summarized(index, agent, known.first) != known.earlier


class _Longterm(NamedTuple):
    """The long-term summary of an agent: its number, what it counts, and the first id it names."""

    doc: int | None
    earlier: Tally
    first: str


def _longterm(index: Queries, agent: str) -> _Longterm:
    row = index.db.execute(
        "SELECT doc, earlier_summaries, earlier_digest FROM main.docs INDEXED BY docs_longterm"  # noqa: S608  # values are bound
        f" WHERE agent = ? AND type = 'summary' AND tier = 'longterm' AND {HERE.format('docs')}"
        " ORDER BY created, id, path LIMIT 1",
        (agent,),
    ).fetchone()
    if row is None or not row[1]:
        return _Longterm(row[0] if row else None, Tally(), "")
    first = index.value(
        "SELECT min(told.id) FROM links CROSS JOIN docs AS told"  # noqa: S608  # likewise
        " ON told.path = links.target || '.md' WHERE links.doc = ? AND +told.agent = ?"
        f" AND {RECENT.format('told')}",
        row[0], agent,
    )  # fmt: skip
    return _Longterm(row[0], Tally.told(row[1], row[2]), str(first or AFTER_ALL))


def _summarized(index: Queries, agent: str, before: str) -> Tally:
    """Return the tally of the short-term summaries of *agent* with an id *before* that."""
    if not before:
        return Tally()
    row = index.db.execute("SELECT summaries, total FROM summarized WHERE agent = ?", (agent,))
    every = Tally(*(row.fetchone() or (0, 0)))
    later = index.db.execute(
        f"SELECT id FROM docs WHERE agent = ? AND {RECENT.format('docs')} AND id >= ?",  # noqa: S608  # values are bound
        (agent, before),
    )
    return every - tally(named for (named,) in later)


def all_of(index: Queries, agent: str) -> Tally:
    """Return the tally of all short-term summaries of *agent*, as they were counted."""
    return _summarized(index, agent, AFTER_ALL)


def recents_before(index: Queries, agent: str, before: str) -> list[str]:
    """Return the paths of the short-term summaries of *agent* with an id *before* that, by id."""
    rows = index.db.execute(
        f"SELECT path FROM docs WHERE agent = ? AND {RECENT.format('docs')} AND id < ?"  # noqa: S608  # values are bound
        " ORDER BY id, path",
        (agent, before),
    )
    return [path for (path,) in rows]


def recents_for(index: Queries, agent: str, stems: Collection[str]) -> list[str]:
    """Return the paths of the short-term summaries of *agent* that a page of compactions needs.

    Those that name one of *stems*, those that the long-term one names or did not absorb, and the
    newest.
    """
    first = _longterm(index, agent).first
    rows = index.db.execute(
        f"SELECT path FROM docs WHERE agent = ? AND {RECENT.format('docs')} AND id >= ?"  # noqa: S608  # values are bound
        " UNION SELECT told.path FROM links CROSS JOIN docs AS told USING(doc)"
        " WHERE links.target IN (SELECT value FROM json_each(?))"
        f" AND +told.agent = ? AND {RECENT.format('told')}",
        (agent, first, json.dumps(list(stems)), agent),
    )
    return [path for (path,) in rows]
