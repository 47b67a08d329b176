"""The values of reach: a page of a file, an entry of a listing, what a write came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vaultmem.documents.frontmatter import Value


@dataclass(frozen=True, slots=True)
class Page:
    """Lines of a file as an agent sees it; a frontmatter that is all the program's is left out.

    *first_line* counts from 1, *next_line* is where the next page begins, *lines* is how many there
    are in all. *sha256* is that of the file's bytes: what `expected_sha256` of an edit compares.
    *trust* is the least of what is in the file: a tool may have said a part of it.
    """

    path: str
    text: str
    sha256: str
    first_line: int
    next_line: int | None
    lines: int
    frontmatter: Mapping[str, Value]
    trust: str
    type: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder as a listing shows it.

    *size* is in bytes, a folder's that of all it holds; *date* is when a file was made or changed
    last, a folder's the latest of its files.
    """

    path: str
    folder: bool
    size: int
    date: str = ""
    description: str = ""
    type: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    """A write that is on disk: where, the new sha-256, the diff, the operation and its commit.

    *links* are files whose links named what was renamed, and name nothing now. *commit* is None
    while a busy git delays it; *uncommitted* says why git never gets it, and what to do. *op* is ""
    for what no undo can take back: nothing was changed, there is no history, or the file is held
    back from it. A note that was set *existed* when it was there before. *quotes* is the tool that
    said lately what the agent brought: the file is untrusted then. *unkept* are the fields of a new
    note's frontmatter that are the program's, and were left out.
    """

    path: str
    sha256: str
    diff: str
    op: str
    commit: str | None
    links: tuple[str, ...] = ()
    existed: bool = False
    quotes: str = ""
    uncommitted: str = ""
    unkept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Removed:
    """What was removed, the tombstones it left, the operation and its commit.

    *mentions* are files that still say it, and are a person's to change.
    """

    paths: tuple[str, ...]
    tombstones: tuple[str, ...]
    op: str
    commit: str | None
    mentions: tuple[str, ...] = ()
