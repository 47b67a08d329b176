"""How much room a disk has left, as the system says without being asked to write."""

from __future__ import annotations

import os
from pathlib import Path

_BYTES = 64 << 10
"""Less than this, and git cannot store even a small commit."""
_FILES = 16


def why_full(path: Path) -> str:
    """Say why the disk below *path* takes nothing more, "" while it has room."""
    try:
        now = os.statvfs(path)
    except OSError:  # what ails it is said by who reads or writes there
        return ""
    # A file system that does not count has none of either.
    if now.f_blocks and now.f_bavail * now.f_frsize < _BYTES:
        return "the disk is full"
    if now.f_files and now.f_favail < _FILES:
        return "the disk takes no more files"
    return ""
