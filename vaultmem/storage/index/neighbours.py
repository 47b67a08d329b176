"""What was said just before and after a turn: what its passages are read between when embedded.

A turn alone leaves out what the one before it has named. Who stands beside whom follows from the
order of a session; whatever comes, goes or changes there is put in doubt, and settled at the end of
the transaction. What is not told to anybody stands beside nobody, and what no person or agent
answers for neither: else a tool's words would bring up somebody's own.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import NamedTuple

from vaultmem.storage.batches import batches
from vaultmem.storage.index import passages
from vaultmem.storage.index.filters import THESE

_READ, _LEAST = 350, 50
"""Characters of a turn, with who said it, that are read beside another: what a long one leaves room
for, but no fewer than tell something."""
_TOGETHER = 500
_BLANK = 1000
"""Characters in which the first that tell something are looked for."""

_PAUSE = "12 hours"
"""After one this long something else is talked of: a file of many days is no conversation."""
_OF_IT = """\
SELECT other.doc FROM docs AS other WHERE other.type = 'memory'
AND other.agent = it.agent AND other.session = it.session"""
BEFORE = f"""{_OF_IT}
 AND (other.created, other.id) < (it.created, it.id)
 AND other.created >= strftime('%Y-%m-%dT%H:%M:%SZ', it.created, '-{_PAUSE}')
 ORDER BY other.created DESC, other.id DESC"""
"""SQL: the turns before `it`, the last one first."""
AFTER = f"""{_OF_IT}
 AND (other.created, other.id) > (it.created, it.id)
 AND other.created <= strftime('%Y-%m-%dT%H:%M:%SZ', it.created, '+{_PAUSE}')
 ORDER BY other.created, other.id"""
"""SQL: the turns after `it`, the first one first."""
# By type the planner, which knows no numbers, would go through all memories for a few docs.
IS_TURN = "+it.type = 'memory' AND it.session != ''"
_IS_READ = "{0}.recallable AND {0}.trust != 'untrusted'"
_BOTH = (
    f"SELECT ({BEFORE} LIMIT 1) AS beside FROM {{0}} WHERE {IS_TURN}"  # noqa: S608  # all of it is our own
    f" UNION SELECT ({AFTER} LIMIT 1) FROM {{0}} WHERE {IS_TURN}"
)
_DOUBT = "INSERT OR IGNORE INTO doubted SELECT beside FROM ({0}) WHERE beside IS NOT NULL"
_BESIDE = (
    f"SELECT it.doc, ({BEFORE} LIMIT 1), ({AFTER} LIMIT 1) FROM docs AS it"  # noqa: S608  # likewise
    f" WHERE it.doc {THESE} AND {IS_TURN} AND {_IS_READ.format('it')}"
)
_SAID = (
    f"SELECT doc, speaker, substr(created, 1, 10), substr(body, 1, {_BLANK})"  # noqa: S608  # likewise
    f" FROM docs JOIN bodies USING(doc) WHERE doc {THESE} AND {_IS_READ.format('docs')}"
)


class Beside(NamedTuple):
    """The beginnings of what was said just *before* and *after*, "" where nothing is read.

    What was said before says its *day*, which then need not be said again.
    """

    before: str = ""
    after: str = ""
    day: str = ""


NOBODY = Beside()


class Reading(NamedTuple):
    """The *text* of a passage between what it is embedded with."""

    text: str
    beside: Beside = NOBODY

    @property
    def whole(self) -> str:
        """All of it, a part a line."""
        return "\n".join(filter(None, (self.beside.before, self.text, self.beside.after)))

    @property
    def span(self) -> tuple[int, int]:
        """Where the text itself stands in the whole: its first character, one past the last."""
        first = len(self.beside.before) + 1 if self.beside.before else 0
        return first, first + len(self.text)


def digest(alone: str, beside: Beside) -> str:
    """Return the digest of all that a text is embedded from, whose own is *alone*."""
    if not (beside.before or beside.after):
        return alone
    return sha256(f"{beside.before}\0{alone}\0{beside.after}".encode()).hexdigest()


def of_passage(beside: Beside, number: int, passage: tuple[int, int], count: int) -> Beside:
    """Return what is read beside one passage of *count*, by its number and its place in the body.

    The first has what was said before, the last what was said after, as far as there is room.
    """
    first, last = passage
    room = min(_READ, (passages.WHOLE - (last - first)) // 2)
    if room < _LEAST:
        return NOBODY
    before = beside.before[:room] if number == 0 else ""
    after = beside.after[:room] if number == count - 1 else ""
    return Beside(before, after, beside.day if before else "")


# --- what changes it ----------------------------------------------------------------------------


def doubt(db: sqlite3.Connection, doc: int) -> None:
    """Let the passages of *doc*, which came, be read anew, and those beside it."""
    db.execute("INSERT OR IGNORE INTO doubted VALUES(?)", (doc,))


def doubt_beside(db: sqlite3.Connection, doc: int) -> None:
    """Let the passages of those beside *doc*, which is about to go, be read anew."""
    it = "(SELECT * FROM docs WHERE doc = ?) AS it"
    db.execute(_DOUBT.format(_BOTH.format(it)), (doc, doc))


def settle(db: sqlite3.Connection) -> None:
    """Note of each passage in doubt what it is embedded from now."""
    doubted = "SELECT doc FROM doubted"
    if db.execute(f"{doubted} LIMIT 1").fetchone() is None:
        return
    db.execute(_DOUBT.format(_BOTH.format("doubted CROSS JOIN docs AS it USING(doc)")))
    for docs in batches([doc for (doc,) in db.execute(doubted).fetchall()], _TOGETHER):
        _note(db, docs)
    db.execute("DELETE FROM doubted")


def _note(db: sqlite3.Connection, docs: Collection[int]) -> None:
    rows = db.execute(
        f"SELECT id, doc, number, first, last, alone, sha FROM passages WHERE doc {THESE}",  # noqa: S608  # values are bound
        (json.dumps(docs),),
    ).fetchall()
    said = of(db, docs)
    counts = {doc: number + 1 for _, doc, number, *_ in sorted(rows)}
    read = [
        (digest(alone, of_passage(said.get(doc, NOBODY), n, place, counts[doc])), sha, passage)
        for passage, doc, n, *place, alone, sha in rows
    ]
    news = [(new, passage) for new, sha, passage in read if new != sha]
    db.executemany("UPDATE passages SET sha = ? WHERE id = ?", news)


# --- what it is asked ---------------------------------------------------------------------------


def with_beside(db: sqlite3.Connection, docs: Collection[int]) -> frozenset[int]:
    """Return *docs*, and those beside one of them, whether or not they are read."""
    it = f"(SELECT * FROM docs WHERE doc {THESE}) AS it"  # noqa: S608  # values are bound
    these = json.dumps([*docs])
    rows = db.execute(_BOTH.format(it), (these, these)).fetchall()
    return frozenset(docs).union(doc for (doc,) in rows if doc is not None)


def of(db: sqlite3.Connection, docs: Collection[int]) -> Mapping[int, Beside]:
    """Return what is read beside each of *docs* that is a turn beside another."""
    rows = db.execute(_BESIDE, (json.dumps(docs),)).fetchall()
    named = {doc for _, *both in rows for doc in both if doc is not None}
    found = db.execute(_SAID, (json.dumps([*named]),))
    said = {doc: _Turn(*turn) for doc, *turn in found}
    return {
        doc: _between(said.get(one, _NO_TURN), said.get(other, _NO_TURN))
        for doc, one, other in rows
    }


class _Turn(NamedTuple):
    speaker: str
    day: str
    body: str


_NO_TURN = _Turn("", "", "")


def _between(before: _Turn, after: _Turn) -> Beside:
    return Beside(_text(before, before.day), _text(after), before.day)


def _text(turn: _Turn, day: str = "") -> str:
    text = turn.body.strip()
    return passages.headed(text, turn.speaker, day)[:_READ] if text else ""
