"""Build a commit: turn changes into a stream that `git fast-import` stores.

The same process is asked what the commit below has, as far as nobody knows yet.

Nothing points to the new commit when this is done; the lock publishes it.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO

from vaultmem.errors import Refused
from vaultmem.storage.git import process
from vaultmem.storage.git.types import (
    ABSENT,
    ORDINARY,
    PLAIN,
    Blob,
    Change,
    Edit,
    Place,
    Row,
    object_id,
)

# fast-import needs a name for what it builds; the stream resets it before any ref is written.
_REF = b"refs/vaultmem/building"
_FILE = re.compile(rb"(\d{6}) (?:blob|commit) ([0-9a-f]+)\t")
# Where file names know no case it would take a file for another one, which may be about to go.
_EXACT = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.ignoreCase",
    "GIT_CONFIG_VALUE_0": "false",
}
_NEVER_A_NAME = re.compile(r"|\.{1,2}|\.git[. ]*|git~1|[^\0]*\0.*", re.IGNORECASE | re.DOTALL)


def edits(
    changes: Iterable[Change], algorithm: str, blobs: dict[str, str | None]
) -> Iterator[Edit]:
    """Yield *changes* with their blob ids, and note these in *blobs*; each is read once.

    Raises Refused when a path is no path of a vault.
    """
    for change in changes:
        if any(_NEVER_A_NAME.fullmatch(part) for part in change.path.split("/")):
            raise Refused(f"{change.path!r} is no path of a vault; nothing was committed")
        blob = None if change.data is None else object_id(algorithm, b"blob", change.data)
        blobs[change.path] = blob
        yield Edit(change.path, blob, change.data)


def news(
    place: Place,
    edits: Iterable[Edit],
    had: Callable[[str], Blob | None],
    modes: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[tuple[Edit, Row]]:
    """Yield only what differs from what the commit below *had*, with what it does to it.

    A script stays executable; *modes*, by path, are those of files that get another one.
    """
    made: dict[str, Blob | None] = {}
    absent = Blob(ABSENT, "0" * len(object_id(place.algorithm, b"blob", b"")))
    for edit in edits:
        was = made[edit.path] if edit.path in made else had(edit.path)
        if edit.blob is None:
            if was:
                made[edit.path] = None
                yield edit, Row(was, absent, place.prefix + edit.path)
            continue
        mode = was.mode if was and was.mode in PLAIN else ORDINARY
        now = Blob(modes.get(edit.path, mode), edit.blob)
        if now != was:
            made[edit.path] = now
            yield edit, Row(was or absent, now, place.prefix + edit.path)


@dataclass(frozen=True, slots=True)
class FastImport:
    """A `git fast-import` that runs: it says what commits have, and stores one."""

    place: Place
    stdin: IO[bytes]
    stdout: IO[bytes]

    def file(self, commit: str, path: str) -> Blob | None:
        """Return what *commit* has at *path* of the vault, None where it has no file."""
        line = self._ask(b"ls %s %s\n" % (commit.encode(), quote(self.place.prefix + path)))
        found = _FILE.match(line)
        return Blob(found[1].decode(), found[2].decode()) if found else None

    def store(
        self, facts: bytes, base: str | None, news: Iterable[tuple[Edit, Row]], merged: str = ""
    ) -> str:
        """Store the commit that puts *news* on top of *base*, and return its id.

        *merged* is its second parent, if it has one.
        """
        for chunk in _stream(facts, base, merged, news):
            self.stdin.write(chunk)
        # The mark is asked back, then the ref is reset before fast-import would write it.
        commit = self._ask(b"\nget-mark :1\n")
        self.stdin.write(b"reset %s\n\n" % _REF)
        return commit.decode().strip()

    def _ask(self, question: bytes) -> bytes:
        self.stdin.write(question)
        self.stdin.flush()
        if not (line := self.stdout.readline()):
            raise BrokenPipeError
        return line


@contextlib.contextmanager
def fast_import(place: Place, extra: Mapping[str, str]) -> Iterator[FastImport]:
    """Start what stores a commit in the block; at its end git has it. Raises Unavailable."""
    with process.fed(place, ("fast-import", "--quiet", "--done"), _EXACT | dict(extra)) as running:
        assert running.stdin  # noqa: S101  # for mypy: both are pipes
        assert running.stdout  # noqa: S101  # likewise
        yield FastImport(place, running.stdin, running.stdout)
        running.stdin.write(b"done\n")


def quote(path: str | Path) -> bytes:
    """Return *path* in git's own quotes."""
    raw = os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"%s"' % raw


def _stream(
    head: bytes, base: str | None, merged: str, news: Iterable[tuple[Edit, Row]]
) -> Iterator[bytes]:
    yield b"commit %s\nmark :1\n%s" % (_REF, head)
    if base:
        yield b"from %s\n" % base.encode()
    if merged:
        yield b"merge %s\n" % merged.encode()
    for edit, row in news:
        path = quote(row.path)
        if edit.blob is None:
            yield b"D %s\n" % path
        elif edit.data is None:
            yield b"M %s %s %s\n" % (row.new.mode.encode(), row.new.id.encode(), path)
        else:
            yield b"M %s inline %s\ndata %d\n" % (row.new.mode.encode(), path, len(edit.data))
            yield edit.data
            yield b"\n"
