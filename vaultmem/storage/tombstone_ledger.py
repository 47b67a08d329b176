"""All tombstones that this clone has seen, kept beside the index.

A checkout of an older branch takes their files away, and so does a rename: what was forgotten is
forgotten there, too. A tombstone that an operation of ours takes back is let go. A line of its own
says that all branches were read, and how many lines could not be: one that is lost or torn later is
found by that, and the branches are read again.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from vaultmem.storage.files import private_file
from vaultmem.storage.plan import Append, Change
from vaultmem.storage.tombstone_checks import is_one

_SEEN = ".vaultmem/tombstones.jsonl"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
_HERE, _GONE, _READ = "+", "-", "branches"


class _Entry(NamedTuple):
    """A line: a tombstone that was here, one that was let go, or that all branches were read.

    Then *damaged* lines were there that nobody can read.
    """

    sign: str
    path: str = ""
    text: str = ""
    damaged: int = 0


def seen(vault: Path) -> dict[str, str]:
    """Return the texts of the tombstones that were ever here and were not let go, by path."""
    return {path: text for path, text in last(vault).items() if text is not None}


def last(vault: Path) -> dict[str, str | None]:
    """Return what was noted last of each tombstone: its text, None for one that was let go."""
    found: dict[str, str | None] = {}
    for entry in filter(None, _entries(vault)):
        if entry.sign != _READ:
            found[entry.path] = entry.text if entry.sign == _HERE else None
    return found


def is_whole(vault: Path) -> bool:
    """Tell whether all branches were read, and nothing was torn or lost since."""
    entries = _entries(vault)
    read = [entry.damaged for entry in entries if entry and entry.sign == _READ]
    return read[-1:] == [entries.count(None)]


def note_branches(vault: Path) -> None:
    """Note that the tombstones of all branches are in the ledger now."""
    if not is_whole(vault):
        _add(vault, [[_READ, _entries(vault).count(None)]])


def _entries(vault: Path) -> list[_Entry | None]:
    """Return what each line says, None for one that is damaged."""
    return [_entry(line) for line in private_file.read(vault / _SEEN).splitlines() if line]


def _entry(line: bytes) -> _Entry | None:
    with contextlib.suppress(ValueError, RecursionError):
        match json.loads(line):
            case ["+", str(path), str(text)]:
                return _Entry(_HERE, path, text)
            case ["-", str(path)]:
                return _Entry(_GONE, path)
            case ["branches", int(damaged)]:
                return _Entry(_READ, damaged=damaged)
    return None


def note(vault: Path, found: Mapping[str, bytes]) -> None:
    """Note what was *found* at which path; a disk that refuses costs the next look."""
    known = seen(vault)
    texts = {path: data.decode("utf-8", "replace") for path, data in found.items()}
    _add(vault, ([_HERE, path, text] for path, text in texts.items() if known.get(path) != text))


def let_go(vault: Path, paths: Collection[str]) -> None:
    """Take the tombstones at *paths* for none any more: what they forgot may come back."""
    known = seen(vault)
    _add(vault, ([_GONE, path] for path in paths if path in known))


def follow(vault: Path, changes: Iterable[Change | Append]) -> None:
    """Note what the *changes* of an operation of ours make and take away."""
    ours = [c for c in changes if isinstance(c, Change) and is_one(c.path)]
    if ours:
        note(vault, {c.path: c.new for c in ours if c.new is not None})
        let_go(vault, [c.path for c in ours if c.new is None])


def _add(vault: Path, lines: Iterable[Sequence[str | int]]) -> None:
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    if not data:
        return
    with contextlib.suppress(OSError):
        fd = os.open(vault / _SEEN, _FLAGS, 0o600)
        try:
            size = os.fstat(fd).st_size
            is_torn = size and os.pread(fd, 1, size - 1) != b"\n"
            os.write(fd, b"\n" * bool(is_torn) + data)
        finally:
            os.close(fd)
