"""All tombstones that this clone has seen, kept beside the index.

A checkout of an older branch takes their files away, and so does a rename: what was forgotten is
forgotten there, too. A tombstone that an operation of ours takes back is let go. The last line says
that all branches were read, with a digest of all lines before it: where it is not the last, or says
another, something was lost or damaged since, and the branches are read again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from vaultmem.storage import file_lock
from vaultmem.storage.files import new_file, private_file
from vaultmem.storage.journal import Write
from vaultmem.storage.tombstone_checks import is_one

_SEEN = ".vaultmem/tombstones.jsonl"
_HERE, _GONE, _READ = "+", "-", "branches"


@dataclass(frozen=True, slots=True)
class Noted:
    """What is noted last of each tombstone, by path: its text, None for one that was let go.

    *is_whole* says that all branches were read, and that nothing was lost since.
    """

    last: Mapping[str, str | None] = field(default_factory=dict)
    is_whole: bool = False

    @property
    def seen(self) -> dict[str, str]:
        """The texts of the tombstones that were ever here and were not let go, by path."""
        return {path: text for path, text in self.last.items() if text is not None}


class _Entry(NamedTuple):
    """A line: a tombstone that was here, or, without a text, one that was let go."""

    path: str
    text: str | None = None

    def dump(self) -> bytes:
        said = [_GONE, self.path] if self.text is None else [_HERE, self.path, self.text]
        return _line(said)


def read(vault: Path) -> Noted:
    """Return what is noted, nothing where it cannot be read."""
    body, is_whole = _parted(private_file.read(vault / _SEEN))
    return Noted({it.path: it.text for it in map(_entry, body.splitlines()) if it}, is_whole)


def note(vault: Path, found: Mapping[str, bytes], known: Noted | None = None) -> Noted:
    """Note what was *found* at which path beside what is *known*, and return all of it.

    A disk that refuses costs the next look.
    """
    known = known or read(vault)
    return _added(vault, known, _new(found, known))


def note_branches(vault: Path, found: Mapping[str, bytes], known: Noted) -> Noted:
    """Note what was *found* on all branches, and that they were read; return all that is noted."""
    if known.is_whole:
        return note(vault, found, known)
    return _added(vault, known, _new(found, known), is_whole=True)


def let_go(vault: Path, paths: Collection[str]) -> None:
    """Take the tombstones at *paths* for none any more: what they forgot may come back."""
    known = read(vault)
    _added(vault, known, [_Entry(path) for path in paths if path in known.seen])


def follow(vault: Path, writes: Iterable[Write]) -> None:
    """Note what the *writes* of an operation of ours make and take away."""
    ours = [w for w in writes if is_one(w.path)]
    if ours:
        note(vault, {w.path: w.new for w in ours if w.new is not None})
        let_go(vault, [w.path for w in ours if w.new is None])


def _new(found: Mapping[str, bytes], known: Noted) -> list[_Entry]:
    texts = {path: data.decode("utf-8", "replace") for path, data in found.items()}
    return [_Entry(path, text) for path, text in texts.items() if known.last.get(path) != text]


def _added(
    vault: Path, known: Noted, entries: Sequence[_Entry], *, is_whole: bool = False
) -> Noted:
    if entries or is_whole:
        with contextlib.suppress(OSError):
            _write(vault / _SEEN, b"".join(entry.dump() for entry in entries), is_whole=is_whole)
    return Noted({**known.last, **dict(entries)}, known.is_whole or is_whole)


def _write(path: Path, lines: bytes, *, is_whole: bool) -> None:
    """Add *lines* and the last line anew, where there was one or all *is_whole* now."""
    fd = file_lock.locked_file(path)
    try:
        body, was_whole = _parted(os.pread(fd, os.fstat(fd).st_size, 0))
        os.ftruncate(fd, len(body))
        new_file.append_lines(fd, lines)
        if was_whole or is_whole:
            new_file.append_lines(fd, _last_line(os.pread(fd, os.fstat(fd).st_size, 0)))
    finally:
        file_lock.unlock(fd)


def _parted(data: bytes) -> tuple[bytes, bool]:
    """Return *data* without its last line, when that tells that nothing before it was lost."""
    body = data[: data.rfind(b"\n", 0, -1) + 1]
    is_whole = bool(data) and data == body + _last_line(body)
    return (body if is_whole else data), is_whole


def _last_line(body: bytes) -> bytes:
    return _line([_READ, hashlib.sha256(body).hexdigest()])


def _line(said: Sequence[str]) -> bytes:
    return json.dumps(said).encode() + b"\n"


def _entry(line: bytes) -> _Entry | None:
    """Return what a line says, None for one that is damaged or says nothing of a tombstone."""
    with contextlib.suppress(ValueError, RecursionError):
        match json.loads(line):
            case ["+", str(path), str(text)]:
                return _Entry(path, text)
            case ["-", str(path)]:
                return _Entry(path)
    return None
