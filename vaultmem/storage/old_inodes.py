"""Remove the old inodes of files we replaced, once nobody holds them open."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from vaultmem.errors import DiskRefused, Refused
from vaultmem.records import Clock, compact_stamp
from vaultmem.storage import files
from vaultmem.storage.commits.rested_edits import age
from vaultmem.storage.files import ReplacedFile, Root, Step


class OldInodes:
    """The old inodes below *root*, which somebody's editor may hold open."""

    def __init__(self, root: Root, clock: Clock, token: Callable[[], str]) -> None:
        """Tell by *clock* how long one rests; *token* names what is set aside."""
        self.root, self.clock, self.token = root, clock, token

    def rested(self, quiet: float) -> list[ReplacedFile]:
        """Return those that have rested for *quiet* seconds."""
        return [
            old for old in files.replaced_files(self.root) if age(self.clock, old.since) >= quiet
        ]

    def let_go(self, old: ReplacedFile) -> None:
        """Remove *old*; what was written to it since is set aside, and one that is open waits."""
        if old.live or (not self._may_grow(old) and self._rescued(old)):
            files.discard(self.root, old.kept)

    def _may_grow(self, old: ReplacedFile) -> bool:
        """Tell whether an editor still holds the old inode open, and may yet save into it."""
        with contextlib.suppress(OSError):
            return files.is_open(self.root, old.kept)
        return True

    def _sha(self, path: str) -> str | None:
        with contextlib.suppress(Refused, DiskRefused):
            found = files.read(self.root, path)
            return found.sha if found else None
        return None

    def _rescued(self, old: ReplacedFile) -> bool:
        """Tell whether nothing would be lost with the old inode; False when it must stay."""
        try:
            found = files.read(self.root, old.kept)
        except Refused:  # no file at all
            return True
        except DiskRefused:  # nobody knows what was written to it
            return False
        if found is None or old.is_known(found.sha) or found.sha == self._sha(old.path):
            return True
        where = files.conflict(compact_stamp(self.clock()), old.path, found.data)
        return not files.write(self.root, [Step(where, None, found.data)], self.token())
