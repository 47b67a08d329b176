"""Which files below a folder are of a format, when their names say so."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path


def named(path: Path, is_ours: Callable[[str], object]) -> Iterator[Path]:
    """Yield *path* itself, or of a folder those that *is_ours* tells by their names, in order.

    No link is followed.
    """
    if not path.is_dir():
        yield path
        return
    for folder, below, names in os.walk(path):
        below.sort()
        for name in sorted(names):
            found = Path(folder, name)
            if is_ours(name) and not found.is_symlink():
                yield found
