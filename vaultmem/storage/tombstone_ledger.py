"""All tombstones that this clone has seen, kept beside the index.

A checkout of an older branch takes their files away, and so does a rename: what was forgotten is
forgotten there, too. A tombstone that an operation of ours takes back is let go.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from vaultmem.storage.files import private_file
from vaultmem.storage.plan import Append, Change
from vaultmem.storage.tombstone_checks import is_one

_SEEN = ".vaultmem/tombstones.jsonl"
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW


def seen(vault: Path) -> dict[str, str]:
    """Return the texts of the tombstones that were ever here and were not let go, by path."""
    return {path: text for path, text in last(vault).items() if text is not None}


def last(vault: Path) -> dict[str, str | None]:
    """Return what was noted last of each tombstone: its text, None for one that was let go."""
    found: dict[str, str | None] = {}
    for line in private_file.read(vault / _SEEN).splitlines():
        with contextlib.suppress(ValueError):
            match json.loads(line):
                case ["+", str(path), str(text)]:
                    found[path] = text
                case ["-", str(path)]:
                    found[path] = None
    return found


def note(vault: Path, found: Mapping[str, bytes]) -> None:
    """Note what was *found* at which path; a disk that refuses costs the next look."""
    known = seen(vault)
    texts = {path: data.decode("utf-8", "replace") for path, data in found.items()}
    _add(vault, (["+", path, text] for path, text in texts.items() if known.get(path) != text))


def let_go(vault: Path, paths: Collection[str]) -> None:
    """Take the tombstones at *paths* for none any more: what they forgot may come back."""
    known = seen(vault)
    _add(vault, (["-", path] for path in paths if path in known))


def follow(vault: Path, changes: Iterable[Change | Append]) -> None:
    """Note what the *changes* of an operation of ours make and take away."""
    ours = [c for c in changes if isinstance(c, Change) and is_one(c.path)]
    if ours:
        note(vault, {c.path: c.new for c in ours if c.new is not None})
        let_go(vault, [c.path for c in ours if c.new is None])


def _add(vault: Path, lines: Iterable[list[str]]) -> None:
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    if not data:
        return
    with contextlib.suppress(OSError):
        fd = os.open(vault / _SEEN, _FLAGS, 0o600)
        try:
            os.write(fd, data)
        finally:
            os.close(fd)
