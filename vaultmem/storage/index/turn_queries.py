"""What an index of turns knows of transcripts: how each was when its turns were read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from vaultmem.storage.files import Stamp
from vaultmem.storage.index.cache_database import meta, set_meta
from vaultmem.storage.index.filters import THESE
from vaultmem.storage.index.queries import Queries

_READ_BY = "turns read by"


class Read(NamedTuple):
    """What was read of a transcript: so many bytes, and their sha-256."""

    size: int
    sha: str


def read(index: Queries, path: str) -> Read:
    """Return what was read of the transcript at *path* last, nothing where it was not."""
    found = index.value("SELECT marked FROM talks WHERE path = ?", path)
    return _read(found) if isinstance(found, str) else Read(0, "")


def shas(index: Queries, paths: Collection[str]) -> dict[str, str]:
    """Return the sha-256 of each of *paths* that was read."""
    sql = f"SELECT path, marked FROM talks WHERE path {THESE}"  # noqa: S608  # values are bound
    rows = index.db.execute(sql, (json.dumps([*paths]),)).fetchall()
    return {path: _read(marked).sha for path, marked in rows}


def _read(marked: str) -> Read:
    size, _, sha = marked.partition(" ")
    return Read(int(size), sha) if size.isdecimal() else Read(0, "")


def note(db: sqlite3.Connection, path: str, stamp: Stamp, read: Read) -> None:
    """Note what was *read* of the transcript at *path*, which had that *stamp*."""
    row = (path, *stamp, f"{read.size} {read.sha}")
    db.execute("INSERT OR REPLACE INTO talks VALUES(?,?,?,?,?,?)", row)


def drop(db: sqlite3.Connection, path: str) -> None:
    """Note that there is no transcript at *path*."""
    db.execute("DELETE FROM talks WHERE path = ?", (path,))


def known(db: sqlite3.Connection, path: str) -> dict[str, str]:
    """Return the turns that are known of the transcript at *path*, and the digest of each."""
    sql = "SELECT path, sha FROM seen WHERE path > ? AND path < ?"
    return dict(db.execute(sql, (f"{path}#", f"{path}$")).fetchall())  # "$" comes after "#"


def is_read_by(index: Queries, reading: str) -> bool:
    """Tell whether what is known was read in the way that *reading* names."""
    return meta(index.db, _READ_BY) == reading


def forget_all(index: Queries, reading: str) -> None:
    """Let every transcript be read anew, in the way that *reading* names."""
    index.db.execute("DELETE FROM talks")
    set_meta(index.db, _READ_BY, reading)
