"""What the index has seen of files: their paths, sizes, times and bytes, whatever they say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from vaultmem.storage.files import Stamp
from vaultmem.storage.index.diff import Seen
from vaultmem.storage.index.filters import below, literal
from vaultmem.storage.index.queries import Queries

_PAGE = 512


class SeenFile(NamedTuple):
    """A file as the index knows it; a tuple, because a vault of years has many."""

    path: str
    size: int
    date: str
    type: str


def in_folder(index: Queries, folder: str) -> list[SeenFile]:
    """Return the files at any depth of *folder*, "" for the vault, but those nobody trusts."""
    sql, args = below("seen.path", folder) if folder else ("1", ())
    rows = index.db.execute(
        "SELECT seen.path, seen.size, ifnull(max(docs.created, docs.updated), ''),"  # noqa: S608  # values are bound
        " ifnull(docs.type, 'note') FROM seen LEFT JOIN docs USING(doc)"
        f" WHERE {sql} AND ifnull(docs.trust, '') != 'untrusted'",
        args,
    )
    return list(map(SeenFile._make, rows))


def count_directly_in(index: Queries, folder: str, most: int) -> int:
    """Count the files that lie in *folder* itself, *most* of them at most."""
    asked = "SELECT 1 FROM seen WHERE folder = ? LIMIT ?"
    return len(index.db.execute(asked, (f"{folder}/", most)).fetchall())


def shas(index: Queries, folder: str) -> list[tuple[str, str]]:
    """Return path and sha-256 of the files at any depth of *folder*."""
    sql, args = below("path", folder)
    return index.db.execute(f"SELECT path, sha FROM seen WHERE {sql}", args).fetchall()  # noqa: S608  # values are bound


def paths(index: Queries) -> Iterator[str]:
    """Yield the paths of all files and records in order, few of them in memory."""
    return chain.from_iterable(pages(index))


def pages(index: Queries) -> Iterator[list[str]]:
    """Yield the same, a page at a time."""
    tables = ("seen", "docs")
    asked = [f"SELECT path FROM {it} WHERE path > ? ORDER BY path LIMIT ?" for it in tables]  # noqa: S608  # our own
    last = ""
    while found := {path for sql in asked for (path,) in index.db.execute(sql, (last, _PAGE))}:
        page = sorted(found)[:_PAGE]
        yield page
        last = page[-1]


def seen(index: Queries, paths: Iterable[str]) -> dict[str, Seen | None]:
    """Return what was seen of the files at *paths*, None where only a record is kept."""
    rows = index.db.execute(
        "SELECT value, size, mtime_ns, inode, ctime_ns, sha, racy FROM json_each(?)"
        " LEFT JOIN seen ON seen.path = value",
        (json.dumps(list(paths)),),
    )
    return {
        path: None if sha is None else Seen(Stamp(*stamp), sha, bool(racy))
        for path, *stamp, sha, racy in rows
    }


def count(index: Queries) -> int:
    """Count the files that were seen."""
    (many,) = index.db.execute("SELECT count(*) FROM seen").fetchone()
    return int(many)


def has_at_least(index: Queries, many: int) -> bool:
    """Tell whether so many files were seen, or more."""
    return index.value("SELECT 1 FROM seen LIMIT 1 OFFSET ?", many - 1) is not None


def last_change(index: Queries, folder: str) -> float:
    """Return when a file in *folder* was changed last, in Unix time; 0 without one."""
    sql, args = below("path", folder)
    newest = index.value(f"SELECT max(mtime_ns) FROM seen WHERE {sql}", *args)  # noqa: S608  # values are bound
    return newest / 1e9 if isinstance(newest, int) else 0.0


def has_bytes(index: Queries, path: str, sha: str) -> bool:
    """Tell whether the file at *path* had that sha-256 when it was read last."""
    return index.value("SELECT 1 FROM seen WHERE path = ? AND sha = ?", path, sha) is not None


def starting_with(index: Queries, start: str) -> list[str]:
    """Return the paths that begin with *start* in whatever letters; all where it is not ASCII."""
    # SQLite folds the case of ASCII alone.
    pattern = f"{literal(start)}%" if start.isascii() else "%"
    rows = index.db.execute("SELECT path FROM seen WHERE path LIKE ? ESCAPE '\\'", (pattern,))
    return [path for (path,) in rows]


def knows_in_any_case(index: Queries, path: str) -> bool:
    """Tell whether there is a record at *path*, in whatever ASCII letters."""
    return index.value("SELECT 1 FROM docs WHERE lower(path) = lower(?)", path) is not None


def doubt(index: Queries, paths: Iterable[str]) -> None:
    """Let the next look at the files at *paths* read them, whatever was seen of them."""
    marks = [(path,) for path in paths]
    index.db.executemany("UPDATE seen SET sha = '' WHERE path = ?", marks)
