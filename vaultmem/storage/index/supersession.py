"""Mark what is superseded, though its own file does not say so: raw memories are never rewritten.

A correction names what it corrects, a file of `supersessions/` the older and the later memory. The
mark follows from the files, whichever of them came first, and goes with them. A correction that was
forgotten leaves its mark with its tombstone, which names ids: no words. What is less trusted than a
memory does not end it, and what ends itself by way of others ends nothing.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable
from typing import NamedTuple

from vaultmem.records import TRUST, Record
from vaultmem.storage.index import coverage
from vaultmem.storage.index.filters import below
from vaultmem.storage.index.queries import Queries
from vaultmem.storage.supersessions import FOLDER, TYPE

_ID = re.compile(r"[0-9A-Z]{26}")
_USER = TRUST.index("user")
_NAMED = "SELECT doc, id, stem, path, type, trust, ended_by FROM docs WHERE"
_LATER = f"""\
LEFT JOIN docs AS later ON later.id = docs.ended_by AND docs.type = '{TYPE}'
AND later.type IN ('memory', 'tombstone')"""
"""What a file says holds instead; a tombstone stands for what was forgotten since."""
_IS_SOUND = (
    "later.id != target AND"
    " (docs.stem = target OR length(docs.stem) != 26 OR docs.stem GLOB '*[^0-9A-Z]*')"
)
"""Whether such a file ends what it is called by, and nothing by itself: else it proves nothing."""
_BY = (
    "SELECT coalesce(later.doc, docs.doc), coalesce(later.stem, docs.stem), docs.trust,"  # noqa: S608  # all of it is our own
    " iif(later.type = 'memory', later.trust, docs.trust)"
    f" FROM superseding JOIN docs USING(doc) {_LATER} WHERE target IN (?, ?, ?)"
    f" AND (docs.recallable OR docs.archived OR docs.type = 'tombstone'"
    f" OR (docs.path LIKE '{FOLDER}/%' AND later.doc IS NOT NULL AND {_IS_SOUND}))"
    " ORDER BY docs.type = 'tombstone', later.type = 'tombstone', docs.id DESC, docs.path"
)
_NAMING = (
    "SELECT target FROM superseding JOIN docs USING(doc)"  # noqa: S608  # likewise
    f" WHERE docs.type = '{TYPE}' AND docs.ended_by = ?"
)
_NAMES = (
    "SELECT target FROM superseding WHERE doc = ? UNION"  # noqa: S608  # likewise
    " SELECT target FROM superseding JOIN docs USING(doc)"
    f" WHERE docs.type = '{TYPE}' AND docs.ended_by != '' AND docs.ended_by = ?"
)
_NAMES_IT = "EXISTS (SELECT 1 FROM superseding WHERE target = ?)"
_ANY_NAMES = f"SELECT {' OR '.join(4 * [_NAMES_IT])}"
"""Not `target IN (?, ?, ?, ?)`: SQLite would make a table of the four for each file."""

_KNOWS = (
    "EXISTS(SELECT 1 FROM main.docs AS named WHERE named.id = {}"
    " AND named.type IN ('memory', 'tombstone'))"
)
_Known = tuple[int, str, str, str, str, str, str]


def note(db: sqlite3.Connection, doc: int, said: Record) -> None:
    """Keep what *said* supersedes, and mark that; mark itself, should it be superseded already."""
    if said.supersedes:
        named = [(doc, target) for target in said.supersedes]
        db.executemany("INSERT OR IGNORE INTO superseding VALUES(?,?)", named)
        _mark_all(db, said.supersedes)
    _mark_ended_by(db, said.id)
    if _is_named(db, said):
        for known in db.execute(f"{_NAMED} doc = ?", (doc,)).fetchall():
            _mark(db, known)


def _is_named(db: sqlite3.Connection, said: Record) -> bool:
    """Tell whether anything supersedes *said*: few are, and what it says itself is noted."""
    names = (said.path.removesuffix(".md"), said.stem, said.id, said.path)
    return bool(db.execute(_ANY_NAMES, names).fetchone()[0])


def forget(db: sqlite3.Connection, doc: int, named: str) -> None:
    """Release what *doc*, which is gone, superseded; its id was *named*, "" where it had none."""
    rows = db.execute("SELECT target FROM superseding WHERE doc = ?", (doc,)).fetchall()
    if rows:
        db.execute("DELETE FROM superseding WHERE doc = ?", (doc,))
        _mark_all(db, [target for (target,) in rows])
    _mark_ended_by(db, named)


def _mark_ended_by(db: sqlite3.Connection, named: str) -> None:
    """Mark what some file says that the memory with this id supersedes."""
    if named:
        _mark_all(db, [target for (target,) in db.execute(_NAMING, (named,)).fetchall()])


def _mark_all(db: sqlite3.Connection, targets: Iterable[str]) -> None:
    """Mark what *targets* name, and what that supersedes in turn: a circle may close, or open."""
    left, seen = [*targets], set[int]()
    while left:
        where, names = _named(left.pop())
        for known in db.execute(f"{_NAMED} {where}", names).fetchall():
            doc, memory, *_ = known
            if doc not in seen:
                seen.add(doc)
                _mark(db, known)
                left += [target for (target,) in db.execute(_NAMES, (doc, memory)).fetchall()]


def _named(target: str) -> tuple[str, tuple[str, ...]]:
    """Return how to look for what *target* names: by id, else by the name of its file."""
    if _ID.fullmatch(target):
        return "type = 'memory' AND id = ?", (target,)
    return "(stem = ? AND type = 'memory') OR path = ?", (target, f"{target}.md")


def is_ended(index: Queries, said: Record, without: Collection[str]) -> bool:
    """Tell whether an indexed file ends *said*, but for those with the stems *without*."""
    names = (said.path.removesuffix(".md"), said.stem, said.id)
    rows = index.db.execute(_BY, names)
    return any(
        by not in {said.stem, *without}
        and all(may_end(trust, said.trust, said.type) for trust in trusts)
        for _, by, *trusts in rows
    )


def _mark(db: sqlite3.Connection, known: _Known) -> None:
    """Note what ends *known*: what its own file says, else the newest that may.

    Of two that one second made, the clock does not tell which is newer: one may end the other.
    """
    doc, _, stem, *_, own = known
    may = [(it, by) for it, by in _enders(db, known) if not _is_ended_by(db, it, doc)]
    last = (by for it, by in may if not any(_is_ended_by(db, it, x) for x, _ in may if x != it))
    named = next(last, may[0][1] if may else "")
    is_news = "UPDATE docs SET superseded_by = ? WHERE doc = ? AND superseded_by != ?"
    if db.execute(is_news, (by_now := own or named, doc, by_now)).rowcount:
        coverage.doubt(db, stem)


def _enders(db: sqlite3.Connection, known: _Known) -> list[tuple[int, str]]:
    """Return what says that *known* holds no longer, and is trusted enough: the newest first."""
    doc, named_id, stem, path, kind, trust, _ = known
    names = (path.removesuffix(".md"), *((stem, named_id) if kind == "memory" else (path, path)))
    return [
        (ender, by)
        for ender, by, *trusts in db.execute(_BY, names).fetchall()
        if ender != doc and all(may_end(it, trust, kind) for it in trusts)
    ]


def _is_ended_by(db: sqlite3.Connection, doc: int, other: int) -> bool:
    """Tell whether *other* ends *doc*, or what ends that."""
    left, seen = [doc], {doc}
    while left:
        known = db.execute(f"{_NAMED} doc = ?", (left.pop(),)).fetchall()
        above = {ender for it in known for ender, _ in _enders(db, it)}
        if other in above:
            return True
        left += above - seen
        seen |= above
    return False


class Statement(NamedTuple):
    """What a file says that holds no longer, "" for what it lacks, and whether that is known.

    A memory that was forgotten is.
    """

    path: str
    type: str
    older: str
    newer: str
    knows_older: bool
    knows_newer: bool


def statements(index: Queries) -> list[Statement]:
    """Return what the files of `supersessions/` say, but those that cannot be read."""
    inside, args = below("said.path", FOLDER)
    rows = index.db.execute(
        "SELECT said.path, said.type, ifnull(target, ''), said.ended_by,"  # noqa: S608  # values are bound
        f" {_KNOWS.format('target')} OR EXISTS(SELECT 1 FROM main.docs AS named"
        " WHERE named.stem = target AND named.type = 'memory'),"
        f" {_KNOWS.format('said.ended_by')}"
        " FROM main.docs AS said LEFT JOIN superseding USING(doc)"
        f" WHERE {inside} AND said.doc NOT IN (SELECT doc FROM problems) ORDER BY said.path",
        args,
    )
    return list(map(Statement._make, rows))


def corrections(index: Queries) -> list[Statement]:
    """Return what memories say themselves that they supersede, of memories that there are."""
    rows = index.db.execute(
        "SELECT said.path, said.type, other.id, said.id, 1, 1"
        " FROM main.docs AS said JOIN superseding USING(doc) JOIN main.docs AS other"
        " ON other.type = 'memory' AND (other.id = target OR other.stem = target)"
        " WHERE said.type = 'memory' ORDER BY said.path"
    )
    return list(map(Statement._make, rows))


def beyond_memories(index: Queries) -> list[tuple[str, str]]:
    """Return what says that a file holds no longer which is no memory, and may not: both paths."""
    rows = index.db.execute(
        "SELECT said.path, said.trust, other.path, other.trust, other.type"
        " FROM main.docs AS said JOIN superseding USING(doc) JOIN main.docs AS other"
        " ON other.path = target || '.md' AND other.type != 'memory' AND other.doc != said.doc"
        " WHERE said.recallable ORDER BY said.path, other.path"
    )
    return [(path, other) for path, trust, other, *rest in rows if not may_end(trust, *rest)]


def may_end(trust: str, other: str, kind: str = "memory") -> bool:
    """Tell whether words of this *trust* supersede those of the *other*; a user's own always do.

    Untrusted ones never do. What is no memory a person may have written: their word alone ends it.
    """
    mine = TRUST.index(trust)
    needed = TRUST.index(other) if kind == "memory" else _USER
    return mine > 0 and mine >= min(needed, _USER)
