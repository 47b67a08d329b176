"""What the files here become by a merge, beside what people wrote and git does not have yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultmem.errors import StaleWrite
from vaultmem.exchange.sync import generated_pages
from vaultmem.exchange.sync.types import Data, Lines, Merged, Sides, Versions
from vaultmem.knowledge import tasks
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.memory import memory_index, pointed_index
from vaultmem.storage import files, transcript_files
from vaultmem.storage.git import Blob, Repository
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.three_way_merge import merge as by_lines


@dataclass(frozen=True, slots=True)
class WorkingTree:
    """The files of a vault, as the operation *op* brings a merge into them.

    *committed* are those of the commit that the merge is made on.
    """

    store: Store
    repository: Repository
    op: str
    committed: Mapping[str, Blob]

    def changes(self, sides: Sides, made: Merged, lines: Lines) -> tuple[Change, ...]:
        """Return what the files shall become; *made* gets what is generated of them."""
        before = {path: it.ours for path, it in sides.items()}
        own: dict[str, Versions] = {}
        if self.store.not_checked_out():
            listed = set(generated_pages.PATHS) & sides.keys()
            made.files |= {path: generated_pages.unlisted(path, sides[path]) for path in listed}
        elif not lines.is_forward:
            own = dict(self._redrawn(before, made))
        changes = [c for path, data in sorted(made.files.items())
                   for c in self._one(path, before.get(path), data)]  # fmt: skip
        for path, it in own.items():
            changes += self._generated(path, it, changes, made)
        return tuple(changes)

    def _redrawn(self, before: Mapping[str, Data], made: Merged) -> Iterator[tuple[str, Versions]]:
        """Yield MEMORY.md and TASKS.md, ours and as merged, out of *made*, where they are to be."""
        same = [path for path in generated_pages.PATHS if path not in before]
        blobs = {path: self.committed[path] for path in same if path in self.committed}
        texts = self.repository.contents(blobs.values())
        for path in generated_pages.PATHS:
            ours = before[path] if path in before else _text(blobs.get(path), texts)
            merged = made.files.get(path, ours)
            if merged is not None or ours is None:
                made.files.pop(path, None)
                yield path, Versions(None, ours, merged)

    def _one(self, path: str, ours: Data, new: Data) -> Iterator[Change]:
        """Yield what brings the file from what it is to *new*; a person's bytes stay in it."""
        now = self.store.texts.own(path)
        if now in (ours, new) or now is None:
            if now != new:
                yield Change(path, now, new, "merged")
            return
        if transcript_files.holds(path):
            raise StaleWrite(path, None, "edited")
        kept = None if new is None else by_lines(now, ours or b"", new)
        if kept is not None:
            yield Change(path, now, kept, "merged beside what is not committed")
        elif new is not None:
            where = files.conflict(self.op.lower(), path, new)
            yield Change(where, None, new, f"{path} as it was merged")

    def _generated(
        self, path: str, it: Versions, changes: Sequence[Change], made: Merged
    ) -> Iterator[Change]:
        """Yield what makes MEMORY.md or TASKS.md anew, and let the commit have its text.

        *it* has our committed text, and as theirs the one that is merged. What a person wrote
        since stays in the file, and out of the commit.
        """
        draw = _DRAWN[path]
        made.files[path] = draw(self.store, changes, it.theirs)
        now, ours, merged = (
            self._shown(path, x) for x in (self.store.texts.own(path), it.ours, it.theirs)
        )
        if now is None and ours is not None:
            return  # a person took it away
        text, lost = generated_pages.beside(path, Versions(ours, now, merged))
        for data in lost:
            yield Change(
                files.conflict(self.op.lower(), path, data), None, data, f"{path} as it was merged"
            )
        new = made.files[path] if text == it.theirs else draw(self.store, changes, text)
        change = Change(path, now, new, "pointers brought up to date")
        if new != now and self.store.texts.may_change(change):
            yield change

    def _shown(self, path: str, data: Data) -> Data:
        """Return what may leave a file with these bytes, as `Store.read` has it."""
        return None if data is None else self.store.texts.public(path, data)


def _text(blob: Blob | None, texts: Mapping[str, bytes]) -> Data:
    return None if blob is None else texts.get(blob.id)


def _index_text(store: Store, changes: Sequence[Change], text: Data) -> Data:
    return None if text is None else pointed_index.text(store, changes, text)


_DRAWN = {memory_index.PATH: _index_text, tasks.BOARD: task_service.board_text}
"""What makes the list in a text of people anew, by the path of the note."""
