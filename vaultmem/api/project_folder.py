"""The folder of a project that is no vault: files are put there for other programs, and removed.

No path leaves the folder, by its name or over a link; a file is written whole or not at all.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from vaultmem.errors import disk_errors
from vaultmem.storage import files
from vaultmem.storage.files import Root, export_write

sha256 = files.sha256


def check_inside(path: str) -> None:
    """Raise Refused for a relative *path* that could leave its folder."""
    files.inside(path)


class ProjectFolder:
    """A project's folder, held open; use `opened`."""

    def __init__(self, root: Root) -> None:
        """Work below *root*."""
        self._root = root

    @property
    def path(self) -> Path:
        """Where it is."""
        return self._root.path

    def read(self, path: str) -> bytes | None:
        """Return what the file *path* holds, None for none; raises Refused, DiskRefused."""
        return export_write.read(self._root, path)

    def holds(self, path: str, sha: str) -> bool:
        """Tell whether *path* is a file, with no link on the way, and still has this sha-256."""
        return export_write.holds(self._root, path, sha)

    def write(self, path: str, data: bytes) -> None:
        """Write a file whole or not at all; folders are its team's. Raises Refused, DiskRefused."""
        export_write.put_below(self._root, path, data, folders=0o777)

    def remove(self, path: str) -> None:
        """Remove a file; raises Refused, DiskRefused."""
        export_write.remove(self._root, path)

    def remove_folder(self, path: str) -> None:
        """Remove a folder if nothing is in it, and no link leads there."""
        export_write.remove_folder(self._root, path)

    def new_folders(self, path: str) -> Iterator[str]:
        """Yield the folders that would be made for the file *path*, the outermost first."""
        above = (str(folder) for folder in reversed(PurePosixPath(path).parents[:-1]))
        yield from (folder for folder in above if not (self.path / folder).exists())


@contextlib.contextmanager
def opened(path: Path, *, make: bool = False) -> Iterator[ProjectFolder]:
    """Open the folder at *path*, which is made where that is said; raises DiskRefused."""
    with disk_errors(path):
        if make:
            path.mkdir(parents=True, exist_ok=True)
        root = Root(path)
    with contextlib.closing(root):
        yield ProjectFolder(root)
