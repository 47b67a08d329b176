"""The files of one commit, as an index looks at files: which exist, and what is in each."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from vaultmem.storage.files import Content, Stamp, is_note, sha256
from vaultmem.storage.git import PLAIN, Blob, Repository

_UNCHANGING = Stamp(0, 0, 0)


@dataclass(frozen=True)
class Tree:
    """The vault as *commit* has it; its bytes are those that were committed, through no filter."""

    repository: Repository
    commit: str

    def notes(self) -> dict[str, Stamp]:
        """Return the Markdown files that would be read if they lay on a disk."""
        return dict.fromkeys(self._notes, _UNCHANGING)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Callable[[str], Content | None]]:
        """Yield what returns the content of a listed file, one process for all of them."""
        with self.repository.reading() as read:

            def content(path: str) -> Content | None:
                if (blob := self._notes.get(path)) is None:
                    return None
                data = read(blob)
                return Content(data, sha256(data), _UNCHANGING)

            yield content

    def read(self, path: str) -> bytes | None:
        """Return the bytes of any file, None when there is none."""
        found = [b for p, b in self.repository.files(self.commit, path).items() if p == path]
        return next(iter(self.repository.contents(found).values()), None)

    def paths(self, folder: str) -> list[str]:
        """Return the paths of the plain files in *folder*, in order."""
        found = self.repository.files(self.commit, folder)
        return sorted(path for path, blob in found.items() if blob.mode in PLAIN)

    @cached_property
    def _notes(self) -> Mapping[str, Blob]:
        found = self.repository.files(self.commit)
        return {p: b for p, b in found.items() if b.mode in PLAIN and is_note(p)}
