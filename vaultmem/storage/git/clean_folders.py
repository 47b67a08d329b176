"""Folders of the work tree that were found to hold just what the commit has.

A folder is clean when git tracks each file that lies in it, and each has the bytes that git has of
it. It stays so while git's tree is that one, and no name or stamp in the folder is another: then
none of its files is opened. What was touched of late may change under the same stamp, and is
compared each time, as git itself does.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from vaultmem.storage import files
from vaultmem.storage.files import private_file
from vaultmem.storage.git import process
from vaultmem.storage.git.types import Blob, Place

_STATE = ".vaultmem/clean-folders.json"
_RACY_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class _Folder:
    """What lies in a folder beside other folders, and one digest of its names and stamps.

    Of one that is clean the names are left out: nobody asks for them, and they are many.
    """

    names: frozenset[str]
    digest: str
    rests: bool


@dataclass(frozen=True, slots=True)
class _Noted:
    """The trees of the commit *head* by their folders, and the state in which those were clean."""

    head: str = ""
    trees: Mapping[str, str] = field(default_factory=dict)
    clean: Mapping[str, str] = field(default_factory=dict)

    def state(self, folder: str, found: _Folder | None) -> str:
        """Return what is the same until the folder or git's tree of it is another, "" for none."""
        tree = self.trees.get(folder)
        return f"{tree} {found.digest}" if tree and found and found.digest else ""

    def is_clean(self, folder: str, found: _Folder | None) -> bool:
        """Tell whether *folder*, as it was *found*, is as it was when it was found clean."""
        state = self.state(folder, found)
        return bool(state) and self.clean.get(folder) == state


@dataclass(frozen=True, slots=True)
class Look:
    """What is in doubt of the work tree at *place*, as a look at names and stamps tells."""

    place: Place
    known: _Noted
    found: Mapping[str, _Folder]

    @classmethod
    def at(cls, place: Place, head: str) -> Look | None:
        """Look at *place*, whose index is that of the commit *head*.

        None where it is not alone, or has no place of ours to note what was found.
        """
        if place.prefix or not (place.root / _STATE).parent.is_dir():
            return None
        known = _load(place.root)
        trees = known.trees if known.head == head else _trees(place, head)
        noted = _Noted(head, trees, known.clean)
        found = {
            folder: replace(it, names=frozenset()) if noted.is_clean(folder, it) else it
            for folder, it in _folders(place.root)
        }
        return cls(place, noted, found)

    def doubted(self) -> frozenset[str]:
        """Return the folders whose files are to be compared, "" for the topmost."""
        there = self.known.trees.keys() | self.found.keys()
        return frozenset(folder for folder in there if not self._is_clean(folder))

    def note(self, index: Mapping[str, Blob | None], dirty: Collection[str]) -> None:
        """Note the folders that are clean by now: what git has there, and what of that is not so.

        A disk that refuses costs the next look.
        """
        tracked: defaultdict[str, dict[str, Blob | None]] = defaultdict(dict)
        for path, blob in index.items():
            tracked[_folder(path)][path[len(_folder(path)) :]] = blob
        unclean = {_folder(path) for path in dirty}
        clean = {
            folder: state
            for folder in self.doubted()
            if folder not in unclean and (state := self.known.state(folder, self.found.get(folder)))
            if self.found[folder].rests and self._holds(folder, tracked[folder])
        }
        kept = {f: s for f, s in self.known.clean.items() if self._is_clean(f)}
        now = replace(self.known, clean=kept | clean)
        if now != _load(self.place.root):
            with contextlib.suppress(OSError):
                data = json.dumps(asdict(now)).encode()
                private_file.write(self.place.root / _STATE, data, durable=False)

    def _is_clean(self, folder: str) -> bool:
        return self.known.is_clean(folder, self.found.get(folder))

    def _holds(self, folder: str, tracked: Mapping[str, Blob | None]) -> bool:
        """Tell whether git tracks just what lies in *folder*, and every file may be compared."""
        return tracked.keys() == self.found[folder].names and all(tracked.values())


def _folder(path: str) -> str:
    return path[: path.rfind("/") + 1]


def _trees(place: Place, head: str) -> dict[str, str]:
    """Return git's trees in the commit *head*, by their folders; the topmost goes by the commit."""
    raw = process.git(place, "ls-tree", "-r", "-d", "-z", "--full-tree", head)
    rows = (row.partition(b"\t") for row in raw.split(b"\0") if row)
    below = {f"{os.fsdecode(path)}/": said.decode().split(" ")[2] for said, _, path in rows}
    return {"": head, **below}


def _folders(root: Path) -> Iterator[tuple[str, _Folder]]:
    """Yield each folder below *root* that we may read, but git's own and ours, and those in them.

    Nor what is a repository of its own.
    """
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        started = time.time_ns()
        with contextlib.suppress(OSError), os.scandir(root / prefix) as entries:
            there = {e.name: e.stat(follow_symlinks=False) for e in entries}
            if prefix and ".git" in there:
                continue
            inner = {name for name, it in there.items() if stat.S_ISDIR(it.st_mode)}
            waiting += [f"{prefix}{name}/" for name in inner - {".git", ".vaultmem"}]
            names = sorted(there.keys() - inner)
            rests = all(_rests(there[name], started) for name in names)
            stamps = (number for name in names for number in files.stamp_of(there[name]))
            made = files.digest(names, stamps)
            yield prefix, _Folder(frozenset(names), made, rests)


def _rests(found: os.stat_result, now: int) -> bool:
    is_young = files.is_young(found.st_ctime_ns, now)
    return found.st_mtime_ns < now - _RACY_NS and not is_young


def _load(root: Path) -> _Noted:
    with contextlib.suppress(ValueError, AttributeError, KeyError, TypeError):
        raw = json.loads(private_file.read(root / _STATE))
        trees, clean = ({str(f): str(s) for f, s in raw[of].items()} for of in ("trees", "clean"))
        return _Noted(str(raw["head"]), trees, clean)
    return _Noted()
