"""The files of one commit, as an index looks at files: which exist, and what is in each."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from vaultmem.storage.files import NO_STAMP, Content, Stamp, is_note, sha256
from vaultmem.storage.git import ABSENT, PLAIN, Blob, Repository


@dataclass(frozen=True)
class Tree:
    """The vault as *commit* has it; its bytes are those that were committed, through no filter.

    *earlier* are the files that it has otherwise, or not at all, by path.
    """

    repository: Repository
    commit: str
    earlier: Mapping[str, Blob] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What no other tree is called by."""
        if not self.earlier:
            return self.commit
        told = "".join(f"{path}\0{blob.id}\n" for path, blob in sorted(self.earlier.items()))
        return f"{self.commit}-{sha256(os.fsencode(told))[:16]}"

    def notes(self) -> dict[str, Stamp]:
        """Return the Markdown files that would be read if they lay on a disk."""
        return dict.fromkeys(self._notes, NO_STAMP)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Callable[[str], Content | None]]:
        """Yield what returns the content of a listed file, one process for all of them."""
        with self.repository.reading() as read:

            def content(path: str) -> Content | None:
                if (blob := self._notes.get(path)) is None:
                    return None
                data = read(blob)
                return Content(data, sha256(data), NO_STAMP)

            yield content

    def read(self, path: str) -> bytes | None:
        """Return the bytes of any file, None when there is none."""
        found = [b for p, b in self._files(path).items() if p == path]
        return next(iter(self.repository.contents(found).values()), None)

    def paths(self, folder: str) -> list[str]:
        """Return the paths of the plain files in *folder*, in order."""
        found = self._files(folder)
        return sorted(path for path, blob in found.items() if blob.mode in PLAIN)

    @cached_property
    def _notes(self) -> Mapping[str, Blob]:
        found = self._files()
        return {p: b for p, b in found.items() if b.mode in PLAIN and is_note(p)}

    def _files(self, *below: str) -> Mapping[str, Blob]:
        """Return the files, those *below* such paths at least."""
        found = {**self.repository.files(self.commit, *below), **self.earlier}
        wanted = {p: b for p, b in found.items() if b.mode != ABSENT}
        if not below:
            return wanted
        return {p: b for p, b in wanted.items() if any(_is_below(p, it) for it in below)}


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def earlier(repository: Repository, commit: str, when: datetime, now: datetime) -> dict[str, Blob]:
    """Return what the files were before commits after *when*, where *commit* has them from such.

    It stands on such where a clock went back; what a commit of its time made of a file stays.
    """
    before: dict[str, Blob] = {}
    made: dict[str, Blob] = {}
    later = repository.later(commit, when, now)
    rows = repository.against_first_parent(later)
    for it in later:
        for row in rows.get(it, ()):
            if row.path not in made or made[row.path].id != row.old.id:
                before[row.path] = row.old
            made[row.path] = row.new
    there = repository.files(commit) if made else {}
    return {
        path: before[path]
        for path, blob in made.items()
        if (blob.id == there[path].id if path in there else blob.mode == ABSENT)
    }
