"""Which files below a folder are of a format, when their names say so."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from vaultmem.errors import BadInput


def named(path: Path, is_ours: Callable[[str], object], wanted: str) -> Iterator[Path]:
    """Yield *path* itself, or of a folder those that *is_ours* tells by their names, in order.

    No link is followed, no pipe opened. Raises BadInput for a folder without any; *wanted* is how
    people call them.
    """
    if not path.is_dir():
        yield path
        return
    nothing = True
    for found in _below(path, is_ours):
        nothing = False
        yield found
    if nothing:
        raise BadInput(f"{path}: no {wanted} in this folder or below it; name the folder that has")


def _below(path: Path, is_ours: Callable[[str], object]) -> Iterator[Path]:
    for folder, below, names in os.walk(path):
        below.sort()
        for name in sorted(names):
            found = Path(folder, name)
            if is_ours(name) and stat.S_ISREG(found.lstat().st_mode):  # no link, and no pipe
                yield found
