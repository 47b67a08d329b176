"""The log of the hooks: what went wrong, when, and never a word of what was said."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from pathlib import Path

from vaultmem.records import iso, visible

LOG = ".vaultmem/hooks.log"
_MOST = 64 * 1024
_LONGEST = 400


def note(vault: Path, event: str, why: str, now: datetime) -> None:
    """Add a line to the log; a long one begins anew, its last part kept in `hooks.log.1`."""
    line = f"{iso(now)} {event} {' '.join(visible(why).split())}"[:_LONGEST]
    # Where the disk is full there is nobody left to tell.
    with contextlib.suppress(OSError, UnicodeError):
        _turn_over(vault / LOG)
        fd = os.open(vault / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            os.write(fd, f"{line}\n".encode())
        finally:
            os.close(fd)


def _turn_over(log: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        if log.stat(follow_symlinks=False).st_size > _MOST:
            log.replace(log.with_name(f"{log.name}.1"))
