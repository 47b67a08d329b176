"""What was seen of folders: their stamps, the odd things in them, and one digest of all files.

A folder's stamp tells whether a name came or went, the digest whether any file is another one: who
finds the same digest need not read what is known of each file. It is noted while the rows say
exactly that, and goes, by a trigger, with the first row that changes. So does the stamp with the
first row that comes or goes: where a folder has it, its rows are of the names in it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from vaultmem.storage import files
from vaultmem.storage.files import DOUBTED, Stamp
from vaultmem.storage.index.cache_database import Connection, transaction
from vaultmem.storage.index.scan import Scan

_FORGET = "UPDATE folders SET digest = '' WHERE path = {}.folder"
# A folder that was away may come back with its old stamp, and its rows be others by then.
_DOUBT = "UPDATE folders SET digest = '', size = -1 WHERE path = {}.folder"
TABLES = f"""\
CREATE TABLE folders(path TEXT PRIMARY KEY, size INT, mtime_ns INT, inode INT, ctime_ns INT,
                     digest TEXT, odd TEXT)
WITHOUT ROWID;
CREATE TRIGGER seen_came AFTER INSERT ON seen BEGIN {_DOUBT.format("NEW")}; END;
CREATE TRIGGER seen_went AFTER DELETE ON seen BEGIN {_DOUBT.format("OLD")}; END;
CREATE TRIGGER seen_changed AFTER UPDATE ON seen BEGIN {_FORGET.format("NEW")}; END"""
# From each folder to the next: there are few beside the files in them.
_WITH_FILES = """\
WITH RECURSIVE known(folder) AS (SELECT min(folder) FROM seen UNION ALL
 SELECT (SELECT min(folder) FROM seen WHERE folder > known.folder) FROM known
 WHERE known.folder IS NOT NULL)
SELECT folder FROM known WHERE folder IS NOT NULL"""


class Noted(NamedTuple):
    """What is noted of folders: their stamps, and the digests of those whose rows are as files.

    *odd* is what is no note and no folder, by the folder that it lies in.
    """

    stamps: dict[str, Stamp]
    digests: dict[str, str]
    odd: dict[str, tuple[str, ...]]


def noted(db: sqlite3.Connection) -> Noted:
    """Return what is noted of folders."""
    sql = "SELECT path, size, mtime_ns, inode, ctime_ns, digest, odd FROM folders"
    rows = db.execute(sql).fetchall()
    return Noted(
        {path: Stamp(*stamp) for path, *stamp, _, _ in rows},
        {path: digest for path, *_, digest, _ in rows if digest},
        {path: tuple(json.loads(odd)) for path, *_, odd in rows if odd},
    )


def with_files(db: sqlite3.Connection, but: Collection[str]) -> list[str]:
    """Return the folders of all files that are known, *but* those."""
    return [folder for (folder,) in db.execute(_WITH_FILES) if folder not in but]


def note(db: Connection, before: Noted, found: Scan) -> None:
    """Note the folders that were *found*, where that is news to what was noted *before*.

    Those whose rows are of other names by now are in doubt: somebody was quicker.
    """
    odd = all_odd(before, found)
    stamps = {
        f: s
        for f, s in found.folders.items()
        if before.stamps.get(f) != s or before.odd.get(f) != odd.get(f)
    }
    gone = before.stamps.keys() - found.folders.keys()
    doubted = {f: d for f, d in found.digests.items() if f not in found.settled}
    if not (stamps or gone or doubted):
        return
    with transaction(db):
        db.execute(
            "DELETE FROM folders WHERE path IN (SELECT value FROM json_each(?))",
            (json.dumps([*gone]),),
        )
        db.executemany(
            "INSERT INTO folders VALUES(?,?,?,?,?,'',?) ON CONFLICT(path) DO UPDATE SET"
            " size=excluded.size, mtime_ns=excluded.mtime_ns, inode=excluded.inode,"
            " ctime_ns=excluded.ctime_ns, odd=excluded.odd",
            [
                (f, *(s if _has_names(db, f, found) else DOUBTED), _listed(odd.get(f)))
                for f, s in stamps.items()
            ],
        )
        for folder, digest in doubted.items():
            if _digest(db, folder) == digest:
                db.execute("UPDATE folders SET digest = ? WHERE path = ?", (digest, folder))


def all_odd(before: Noted, found: Scan) -> dict[str, tuple[str, ...]]:
    """Return the odd things of all folders: those *found*, and those noted where nothing moved."""
    return dict(found.odd) | {f: odd for f, odd in before.odd.items() if f in found.unmoved}


def _listed(odd: tuple[str, ...] | None) -> str:
    return json.dumps(odd) if odd else ""


def _has_names(db: sqlite3.Connection, folder: str, found: Scan) -> bool:
    """Tell whether what is known of *folder* are the names that were found in it."""
    if folder in found.settled:
        return _digest(db, folder) == found.digests[folder]
    rows = db.execute("SELECT path FROM seen WHERE folder = ?", (folder,)).fetchall()
    known = files.digest(sorted(path[len(folder) :] for (path,) in rows), ())
    return known == found.names.get(folder)


def _digest(db: sqlite3.Connection, folder: str) -> str:
    """Return the digest of what is known of the files in *folder*, "" while one is in doubt."""
    sql = "SELECT path, size, mtime_ns, inode, ctime_ns, racy FROM seen WHERE folder = ?"
    rows = db.execute(sql, (folder,)).fetchall()
    if any(racy for *_, racy in rows):
        return ""
    rows.sort()
    stamps = (number for _, *stamp, _ in rows for number in stamp)
    return files.digest([path[len(folder) :] for path, *_ in rows], stamps)
