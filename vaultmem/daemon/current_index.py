"""Keep the index equal to the files by what the system tells of them, for who asks whether it is.

Who asks looks at no file then. Only what the system does not tell is seen later, by the daemon's
look once a minute: what another machine writes on a disk that both have, or a program through
memory that is mapped, or by another name of the file elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vaultmem.api.vault import Vault
from vaultmem.api.watcher import Hints, Watch
from vaultmem.daemon import inotify_watches
from vaultmem.storage import changed_files, files, transcript_files
from vaultmem.storage.files import Root

_PATIENCE = 0.5
"""Seconds: about what the system's events take where somebody moves a folder out of the vault."""


_Watched = Mapping[str, tuple[int, str]]
"""By its path the inode of each folder, and what tells its watch from another, "" for none."""


class CurrentIndex:
    """The index of the vault that questions are answered with, and what came since it was read."""

    def __init__(self, seen: Watch) -> None:
        """Learn from *seen* what changes."""
        self._seen, self._hints = seen, seen.beside()
        self._known: Vault | None = None
        self._is_doubted = True
        self._watched: _Watched = {}

    def holds(self, vault: Vault) -> bool:
        """Make the index of *vault* equal to its files; False where only a look can tell that.

        Of a burst of changes the system may have dropped some, at its end, too: all files are
        looked at until a question finds none.
        """
        root, index = vault.store.root, vault.store.index
        if not self._seen.has_caught_up(root.path, _PATIENCE):
            return False
        hints, watched = self._hints.take(), self._watched_now(vault)
        if self._watched and watched != self._watched:
            # A folder that came or went may be known by another's name to who tells of it.
            self._seen.renew()
            self._hints.take()
            hints, watched = Hints(), self._watched_now(vault)
        if not all(watch for _, watch in watched.values()):
            self._watched = {}
            return False
        is_doubted = self._is_doubted or vault is not self._known or index.lags
        if is_doubted or watched != self._watched or not _are_there(root, hints):
            index.sync()
        else:
            changed_files.take_in(root, index, _read(hints.paths))
        self._watched, self._known, self._is_doubted = watched, vault, hints.everything
        return not (index.lags or index.odd or index.shut or index.vanished())

    def _watched_now(self, vault: Vault) -> _Watched:
        """Return the folders of the vault as they are, each with its watch.

        The watches are read first: of what happens in a folder from then on there is an event.
        """
        watches = inotify_watches.ours()
        vault.store.index.sync_names()
        inodes = files.folder_inodes(vault.store.root, vault.store.index.folders())
        return {path: (inode, watches.get(inode, "")) for path, inode in inodes.items()}


def _are_there(root: Root, hints: Hints) -> bool:
    """Tell whether *hints* name files alone, each of which is there."""
    if hints.everything or any(path.endswith("/") for path in hints.paths):
        return False
    return all(files.stamp(root, path) for path in _read(hints.paths))


def _read(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(it for it in paths if files.is_note(it) or transcript_files.holds(it))
