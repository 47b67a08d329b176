"""Let files be at rest, and change them so that neither their size nor their time tells."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

LONG_AGO = 1_760_000_000
"""When what is at rest was written, in Unix time."""
_TICK = 0.021
"""Seconds until the system, which nobody can tell the time, notes another one for a change."""


def let_rest(paths: Iterable[Path]) -> None:
    """Let a minute pass since anything at *paths* was touched."""
    for path in paths:
        os.utime(path, (LONG_AGO, LONG_AGO))
    time.sleep(_TICK)


def edit_unseen(file: Path, old: str, new: str) -> None:
    """Put *new*, which is as long, in the place of *old*, and the file's time back."""
    before, data = file.stat(), file.read_bytes()
    assert (old.encode() in data, len(old)) == (True, len(new))
    file.write_bytes(data.replace(old.encode(), new.encode()))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
