"""A vault as one directory, which holds what an agent keeps under any name, beside the notes.

Notes in Markdown that all agents share have the paths that they have in the vault. Whatever else a
named agent makes lies in its own folder of texts, and is shown as if it lay at the top; where no
agent is named, texts of other names lie in the folder of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vaultmem.api.agent_files import paths
from vaultmem.api.agent_files.errors import InTheWay
from vaultmem.api.agent_files.service import Reach
from vaultmem.api.agent_files.types import Entry, Page, Reached, Removed
from vaultmem.api.agent_files.visible_files import ordered
from vaultmem.errors import NameTaken
from vaultmem.records import LISTS, SCAFFOLDING
from vaultmem.storage import files, transcript_files

_SETTINGS = "config"


class Directory:
    """The directory of the agent whose *reach* it is; every path is relative to it."""

    def __init__(self, reach: Reach) -> None:
        """Show what *reach* reaches."""
        self._reach = reach
        self.home = reach.text_folder
        """Where in the vault that lies which is shown as if it lay at the top."""

    def is_folder(self, path: str) -> bool:
        """Tell whether *path* means a folder: one is there, and no file of that name.

        Raises BadInput or Refused for what is no path, LedOut where a link stands on the way.
        """
        return self._is_folder(self._given(path))

    def holds_home(self, path: str) -> bool:
        """Tell whether all that is the agent's own lies below *path*.

        That is its folder, or what is shown as if it lay at the top.
        """
        own = (self.home, f"agents/{self._reach.agent}")
        return any(f"{folder}/".startswith(f"{path}/") for folder in own)

    def page(self, path: str) -> Page:
        """Return the whole text of a file; raises as `Reach.page` does."""
        return self._reach.page(self._file(self._given(path)))

    def entries(self, path: str) -> tuple[Entry, ...]:
        """Return what lies in the folder at *path*, two levels deep, by its path here.

        At the top without what tells agents and people how the vault works. Raises as
        `Reach.listing` does.
        """
        bare = self._given(path)
        folders = [*self._folders(bare)] or [bare]
        found = [
            replace(e, path=self.shown(e.path)) if folder == self._at_home(bare) else e
            for folder in folders
            for e in self._reach.listing(folder, beside="" if bare or folder else self.home)
            if bare or folder or not _is_scaffolding(e.path)
        ]
        return ordered(_joined(found))

    # --- changes ------------------------------------------------------------------------------

    def create(self, path: str, text: str, *, reason: str = "") -> Reached:
        """Write a new file; raises as `Reach.create` does."""
        path = self._given(path)
        self._check_free(path)
        return self._reach.create(self._file(path), text, reason=reason)

    def str_replace(self, path: str, old: str, new: str, *, reason: str = "") -> Reached:
        """Put *new* where *old* stands in a file; raises as `Reach.str_replace` does."""
        return self._reach.str_replace(self._file(self._given(path)), old, new, reason=reason)

    def insert(self, path: str, line: int, text: str, *, reason: str = "") -> Reached:
        """Put *text* below *line* of a file; raises as `Reach.insert` does."""
        return self._reach.insert(self._file(self._given(path)), line, text, reason=reason)

    def remove(self, path: str, *, reason: str = "", subject: str = "") -> Removed:
        """Forget a file or a folder; raises as `Reach.remove` does."""
        return self._reach.remove(*self._meant(self._given(path)), reason=reason, subject=subject)

    def rename(self, old: str, new: str, *, reason: str = "") -> Reached:
        """Give a file or a folder another path; raises as `Reach.move` does."""
        old, new = self._given(old), self._given(new)
        folders = [] if self._is_there(old) else [*self._folders(old)]
        if folders or self._is_there(old):
            self._check_free(new)
        moves = {f: self._at_home(new) if self._is_home(f) else new for f in folders}
        return self._reach.move(moves or self._move(old, new), reason=reason)

    def _move(self, old: str, new: str) -> dict[str, str]:
        """Return where a file goes: what all agents share stays shared."""
        there = self._file(old)
        stays = not self._is_home(there) and _may_lie(new)
        return {there: new if stays else self._file(new)}

    # --- where it lies ------------------------------------------------------------------------

    def _given(self, path: str) -> str:
        """Return *path*; raises as said above."""
        for place in (paths.given(path), self._at_home(path)):
            self._reach.check_way(place)
        return path

    def shown(self, path: str) -> str:
        """Return what the file or folder at *path* of the vault is called here."""
        return path.removeprefix(f"{self.home}/")

    def _at_home(self, path: str) -> str:
        return f"{self.home}/{path}" if path else self.home

    def _is_home(self, path: str) -> bool:
        return f"{path}/".startswith(f"{self.home}/")

    def _file(self, path: str) -> str:
        """Return where in the vault the file *path* lies, or would."""
        home = self._at_home(path)
        if transcript_files.holds(path):
            return path
        if not _may_lie(path):
            return home
        if self._reach.has_file(path):
            return path
        is_own = self._reach.is_of_one and not paths.is_of_format(path)
        return home if is_own or self._reach.has_file(home) else path

    def _folders(self, path: str) -> Iterator[str]:
        """Yield which folders of the vault there are for *path*."""
        for folder in (path, self._at_home(path)):
            if self._reach.has_folder(folder):
                yield folder

    def _meant(self, path: str) -> list[str]:
        """Return the file or the folders of the vault that *path* stands for."""
        folders = [] if self._is_there(path) else [*self._folders(path)]
        return folders or [self._file(path)]

    def _is_folder(self, path: str) -> bool:
        return not path or (not self._is_there(path) and any(self._folders(path)))

    def _is_there(self, path: str) -> bool:
        return self._reach.has_file(self._file(path))

    def _check_free(self, path: str) -> None:
        """Raise NameTaken where something has that name, InTheWay for a text above it."""
        parts = path.split("/")
        above = ("/".join(parts[:n]) for n in range(1, len(parts)))
        if self._is_there(path) or self._is_folder(path):
            raise NameTaken(path)
        if other := next(filter(self._is_there, above), ""):
            raise InTheWay(path, other)


def _may_lie(path: str) -> bool:
    """Tell whether a file may lie at *path* of the vault as it does here."""
    return path.endswith(".md") or files.is_text(path)


def _is_scaffolding(path: str) -> bool:
    return path in SCAFFOLDING - LISTS or path.partition("/")[0] == _SETTINGS


def _joined(found: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries *found*, what two folders have under one name as one folder."""
    known: dict[str, Entry] = {}
    for it in found:
        was = known.get(it.path)
        date = max(it.date, was.date) if was else it.date
        known[it.path] = replace(it, size=it.size + was.size, date=date) if was else it
    yield from known.values()
