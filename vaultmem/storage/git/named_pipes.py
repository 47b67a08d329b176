"""Named pipes where git looks for patterns: it opens them, and waits for a writer for ever.

Looked for before a git is started that reads the folders of the work tree. A link, a socket or a
folder of such a name does no harm.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from vaultmem.errors import Unavailable
from vaultmem.storage.files import GIT_PATTERNS
from vaultmem.storage.git.types import Place, folders_above

_PATTERNS = sorted(GIT_PATTERNS)
_OWN = ("info/exclude", "info/attributes")


def refuse(place: Place) -> None:
    """Raise Unavailable where git, looking through the vault's folders, would wait at a pipe."""
    _refuse(place, itertools.chain(_above(place, [place.prefix]), _below(place.root)))


def refuse_above(place: Place, paths: Iterable[str]) -> None:
    """Raise Unavailable where git, asked for *paths* of the vault, would wait at a pipe."""
    _refuse(place, _above(place, [place.prefix + path for path in paths]))


def refuse_own(place: Place) -> None:
    """Raise Unavailable where any git would wait at a pipe in its own folder."""
    _refuse(place, (place.common_dir / name for name in _OWN))


def _refuse(place: Place, places: Iterable[Path]) -> None:
    if found := next((path for path in places if _is_pipe(path)), None):
        shown = found.relative_to(place.top) if found.is_relative_to(place.top) else found
        raise Unavailable(
            f"{shown} is a named pipe, where git would wait for ever: remove it; "
            "the files are safe, only history waits"
        )


def _above(place: Place, paths: Iterable[str]) -> Iterator[Path]:
    """Yield what git reads in the folders that *paths*, from the top, lie in."""
    folders = {"", *(folder for path in paths for folder in folders_above(path))}
    yield from (place.top / folder / name for folder in sorted(folders) for name in _PATTERNS)


def _below(root: Path) -> Iterator[Path]:
    """Yield what git may read in *root* and the folders in it; those we may not read it neither."""
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        with contextlib.suppress(OSError), os.scandir(folder) as found:
            for entry in found:
                if entry.name in _PATTERNS:
                    yield folder / entry.name
                elif entry.is_dir(follow_symlinks=False) and entry.name != ".git":
                    waiting.append(folder / entry.name)


def _is_pipe(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return stat.S_ISFIFO(path.lstat().st_mode)
    return False
