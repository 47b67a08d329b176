"""Read from Linux which folders this process is told of, whatever a library takes for watched.

A folder that is moved while its watch is made has none, nor one that comes when the system has no
more; and who is not told of a folder takes it for one in which nothing happens.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_OURS = Path("/proc/self/fdinfo")
_WATCH = re.compile(r"(?m)^inotify wd:(?P<number>[0-9a-f]+) ino:(?P<inode>[0-9a-f]+) ")


def ours() -> Mapping[int, str]:
    """Return by its inode each folder that is watched, and what tells this watch from another.

    See proc(5); empty where there is no such thing.
    """
    found: dict[int, str] = {}
    for opened in _OURS.iterdir() if _OURS.is_dir() else ():
        try:
            told = opened.read_text("ascii")
        except OSError:  # closed meanwhile
            continue
        for watch in _WATCH.finditer(told):
            inode = int(watch["inode"], 16)
            found[inode] = f"{found.get(inode, '')} {opened.name}:{watch['number']}"
    return found
