"""The values of history: what is committed and what is read back. No process, no disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple

OP = "Vaultmem-Op"

# The modes of a plain file: no link, no submodule.
PLAIN = frozenset({"100644", "100755"})
ABSENT = "000000"
"""The mode that a diff gives to a file where it is not."""

PATIENCE = 0.5
"""Seconds that anybody waits for git's lock: then what was written is answered for, and its commit
is left to the next command."""

Kind = Literal["modified", "untracked", "deleted"]


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders that *path* lies in, the nearest first, but for the top."""
    while path := path.rpartition("/")[0]:
        yield path


@dataclass(frozen=True, slots=True)
class Change:
    """One path of a commit, relative to the vault; *data* None deletes it."""

    path: str
    data: bytes | None


@dataclass(frozen=True, slots=True)
class FileChange:
    """What one commit did to one file; None where there is none."""

    path: str
    old: bytes | None
    new: bytes | None


@dataclass(frozen=True, slots=True)
class Dirty:
    """A file of the work tree that the index does not know as it is."""

    path: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit of the log; *body* stands without subject and trailers."""

    commit: str
    when: datetime
    author: str
    subject: str
    body: str
    trailers: tuple[tuple[str, str], ...]


class Blob(NamedTuple):
    """One file of a tree or of the index."""

    mode: str
    id: str


class Edit(NamedTuple):
    """A change by its blob id; *data* is None when the repository already holds the blob."""

    path: str
    blob: str | None
    data: bytes | None


class Row(NamedTuple):
    """One line of a raw diff; *path* counts from the top of the work tree."""

    old: Blob
    new: Blob
    path: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a repository lies, and where in it the vault: *prefix* leads from *top* to *root*."""

    root: Path
    top: Path
    git_dir: Path
    common_dir: Path
    prefix: str
    algorithm: str

    @property
    def index_lock(self) -> Path:
        """Git's own lock."""
        return self.git_dir / "index.lock"

    def inside(self, path: str) -> str:
        """Return *path*, which counts from the top, as the vault names it."""
        return path.removeprefix(self.prefix)

    def below(self, paths: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the arguments that limit git to *paths* of the vault, or to all of it."""
        wanted = [self.prefix + path for path in paths] or [self.prefix]
        return ("--", *filter(None, wanted))


def object_id(algorithm: str, kind: bytes, data: bytes) -> str:
    """Return the id git gives to *data*."""
    header = b"%s %d\0" % (kind, len(data))
    return hashlib.new(algorithm, header + data, usedforsecurity=False).hexdigest()
