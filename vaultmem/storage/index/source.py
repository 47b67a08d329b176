"""Where an index finds files: those below a folder of the disk, or others that stand for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple, Self

from vaultmem.storage import files
from vaultmem.storage.files import Folder, Read, Root, Stamp


def _unblocked(_path: str) -> tuple[str, str]:
    return "", ""


class Source(NamedTuple):
    """Where an index finds files.

    *folders* looks into all folders as `files.folders` does: but not into those that are as they
    were, by their stamps (where they rest) or by the digest of what is in them. *notes* returns the
    files that one folder has; *reading* yields what reads one after another. *blocked* names what
    stands on the way to a path in a folder's place, and what kind it is.
    """

    folders: Callable[..., Iterable[Folder]]
    notes: Callable[[str], Mapping[str, Stamp]]
    reading: Callable[[], AbstractContextManager[Read]]
    blocked: Callable[[str], tuple[str, str]] = _unblocked

    @classmethod
    def of(cls, root: Root) -> Self:
        """Return the files below *root*."""

        def blocked(path: str) -> tuple[str, str]:
            folder = files.obstacle(root, path)
            return folder, files.kind_of(root, folder) if folder else ""

        return cls(
            partial(files.folders, root), partial(files.notes, root),
            partial(files.reading_many, root), blocked,
        )  # fmt: skip
