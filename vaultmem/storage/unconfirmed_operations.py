"""Operations that were carried out and confirmed to nobody, so that asking again finds them.

Whoever asked was told that nobody knows, or died before it was told anything. It asks once more in
the same words, and must not get a second one: `.vaultmem/unconfirmed/` keeps a note of each such
operation for a day, under a digest of what was asked, until the next who asks just that. What was
changed or superseded meanwhile is no answer: who asks then says it anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from vaultmem.errors import Refused
from vaultmem.storage import files, ulids
from vaultmem.storage.files import Root, Step
from vaultmem.storage.journal import Mark

FOLDER = ".vaultmem/unconfirmed"
LASTS = 24 * 3600.0
"""Seconds: who says the same a day later means it."""
_DIGEST = 32


class Earlier(NamedTuple):
    """An operation that did what is asked once more, and the files it made or added to.

    *marks* says of each how it was left.
    """

    op: str
    marks: Mapping[str, Mark]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files it made or added to."""
        return tuple(self.marks)


def digest(*asked: object) -> str:
    """Return what stands for what is asked: the same for the same words, whenever they are said."""
    return files.sha256(json.dumps(asked).encode())[:_DIGEST]


def note(root: Root, asked: str, done: Earlier) -> None:
    """Keep that *done* does what was *asked*, durably."""
    data = json.dumps({"op": done.op, "ends": dict(done.marks)}).encode()
    files.write(root, [Step(f"{FOLDER}/{asked}-{done.op}.json", None, data)], done.op)


def take(root: Root, asked: str, now: datetime, holds: Callable[[Earlier], bool]) -> Earlier | None:
    """Return the operation that did what is *asked* and told nobody, and forget that note.

    Not one that is a day old, that does not hold any more, or whose file is gone, was changed or
    has grown since: then it is asked anew.
    """
    for path in _notes(root, asked):
        found = files.read(root, path)
        files.discard(root, path)
        if found and (earlier := _read(root, found.data, now)) and holds(earlier):
            return earlier
    return None


def _read(root: Root, data: bytes, now: datetime) -> Earlier | None:
    try:
        raw = json.loads(data)
        earlier = Earlier(str(raw["op"]), dict(raw["ends"]))
        young = abs(now.timestamp() - ulids.minted_at(earlier.op)) < LASTS
        return earlier if young and is_done(root, earlier) else None
    except (ValueError, KeyError, TypeError, Refused):  # no note of ours
        return None


def is_done(root: Root, earlier: Earlier) -> bool:
    """Tell whether all that the operation wrote is there, and what it made or added as it was."""
    return all(_stands(root, path, mark) for path, mark in earlier.marks.items())


def _stands(root: Root, path: str, mark: Mark) -> bool:
    if isinstance(mark, str):
        found = files.read(root, path)
        return found is not None and found.sha == mark
    stamp = files.stamp(root, path)
    return stamp is not None and mark in {None, stamp.size}


def clear(root: Root, now: datetime) -> None:
    """Forget what nobody asked for again within a day."""
    for path in _notes(root, ""):
        op = PurePosixPath(path).stem.rpartition("-")[2]
        if abs(now.timestamp() - ulids.minted_at(op)) >= LASTS:
            files.discard(root, path)


def _notes(root: Root, asked: str) -> Iterator[str]:
    """Yield the notes on what was *asked*, the oldest first; "" is for all."""
    for name in files.names(root, FOLDER):
        if name.startswith(asked) and name.endswith(".json"):
            yield f"{FOLDER}/{name}"
