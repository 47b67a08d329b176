"""What the index knows of the files in which people marked something as private."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import NamedTuple

from vaultmem.storage.files import Stamp
from vaultmem.storage.index.cache_database import long_meta, meta, set_meta, transaction
from vaultmem.storage.index.queries import Queries

_STATE, _WORDS = "marked files", "hidden words"
_LINES, _JUDGED = "unborne lines", "judged files"
_WAITING = ("MEMORY.md", "TASKS.md")
"""What names the files that it tells of in its text alone, beside the notes in the inbox."""
_PRIVATE = "held != '' AND held LIKE '%private%'"


class Talk(NamedTuple):
    """A transcript as it was seen, and the digest of what it hides, "" for nothing."""

    path: str
    stamp: Stamp
    marked: str


def notes(index: Queries) -> dict[str, str]:
    """Return the notes that hide something, each with the sha-256 of its bytes."""
    rows = index.db.execute(f"SELECT path, sha FROM main.docs WHERE {_PRIVATE} ORDER BY path")  # noqa: S608  # our own
    return dict(rows.fetchall())


def talks(index: Queries) -> dict[str, str]:
    """Return the transcripts that hide something, each with the digest of that."""
    rows = index.db.execute("SELECT path, marked FROM talks WHERE marked != '' ORDER BY path")
    return dict(rows.fetchall())


def seen(index: Queries) -> dict[str, Stamp]:
    """Return the stamp of each transcript that was looked at."""
    rows = index.db.execute("SELECT path, size, mtime_ns, inode, ctime_ns FROM talks")
    return {path: Stamp(*stamp) for path, *stamp in rows.fetchall()}


def seen_of(index: Queries, path: str) -> Stamp | None:
    """Return the same of the transcript at *path* alone, None where it was not looked at."""
    asked = "SELECT size, mtime_ns, inode, ctime_ns FROM talks WHERE path = ?"
    found = index.db.execute(asked, (path,)).fetchone()
    return Stamp(*found) if found else None


def note_talks(index: Queries, news: Iterable[Talk], gone: Collection[str]) -> None:
    """Note the transcripts that were looked at now, and those that are *gone*."""
    rows = [(it.path, *it.stamp, it.marked) for it in news]
    if rows or gone:
        with transaction(index.db):
            index.db.executemany("INSERT OR REPLACE INTO talks VALUES(?,?,?,?,?,?)", rows)
            index.db.executemany("DELETE FROM talks WHERE path = ?", [(path,) for path in gone])


def state(index: Queries) -> str:
    """Return what the marked files were like when what they hide was learnt."""
    return meta(index.db, _STATE)


def dumped(index: Queries) -> str:
    """Return the words that are hidden, as they were noted."""
    return long_meta(index.db, _WORDS)


def note(index: Queries, marked: str, words: str) -> None:
    """Note how the *marked* files are, and the *words* that they hide."""
    with transaction(index.db):
        set_meta(index.db, _STATE, marked)
        set_meta(index.db, _WORDS, words)


def note_lines(index: Queries, lines: str) -> None:
    """Note the *lines* that no source bears out as it may be shown now."""
    with transaction(index.db):
        set_meta(index.db, _LINES, lines)


def dumped_lines(index: Queries) -> str:
    """Return those lines, as they were noted."""
    return meta(index.db, _LINES)


def note_judged(index: Queries, state: str) -> None:
    """Note the *state* in which the files were that rest on marked ones, once they were judged."""
    with transaction(index.db):
        set_meta(index.db, _JUDGED, state)


def judged(index: Queries) -> str:
    """Return the state in which they were judged last."""
    return meta(index.db, _JUDGED)


def resting(index: Queries, names: Iterable[str], paths: Iterable[str]) -> list[tuple[str, str]]:
    """Return the path and the sha-256 of what names one of *names* as a source, and of *paths*."""
    rows = index.db.execute(
        "SELECT path, sha FROM main.docs WHERE doc IN (SELECT doc FROM links WHERE target IN"
        " (SELECT value FROM json_each(?))) OR path IN (SELECT value FROM json_each(?))"
        " OR (path > 'inbox/' AND path < 'inbox0'"
        " AND NOT (path > 'inbox/review/' AND path < 'inbox/review0')) ORDER BY path",
        (json.dumps([*names]), json.dumps([*_WAITING, *paths])),
    )
    return rows.fetchall()


def doubt(index: Queries) -> None:
    """Let what is hidden be learnt anew: something says in public what was hidden."""
    set_meta(index.db, _STATE, "?")


def withheld(index: Queries) -> list[str]:
    """Return the paths of the notes of which lines are withheld."""
    rows = index.db.execute("SELECT path FROM main.docs WHERE withheld ORDER BY path")
    return [path for (path,) in rows.fetchall()]
