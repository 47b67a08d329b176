"""What an index of turns knows of transcripts: how each was when its turns were read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection

from vaultmem.storage.files import Stamp
from vaultmem.storage.index.cache_database import meta, set_meta
from vaultmem.storage.index.filters import THESE
from vaultmem.storage.index.queries import Queries

_READ_BY = "turns read by"


def sha(index: Queries, path: str) -> str:
    """Return the sha-256 of the transcript at *path* as it was read, "" where it was not."""
    found = index.value("SELECT marked FROM talks WHERE path = ?", path)
    return "" if found is None else str(found)


def shas(index: Queries, paths: Collection[str]) -> dict[str, str]:
    """Return the same of each of *paths* that was read."""
    sql = f"SELECT path, marked FROM talks WHERE path {THESE}"  # noqa: S608  # values are bound
    return dict(index.db.execute(sql, (json.dumps([*paths]),)).fetchall())


def note(db: sqlite3.Connection, path: str, stamp: Stamp, sha: str) -> None:
    """Note that the transcript at *path*, as it has *stamp* and *sha*, was read."""
    db.execute("INSERT OR REPLACE INTO talks VALUES(?,?,?,?,?,?)", (path, *stamp, sha))


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
