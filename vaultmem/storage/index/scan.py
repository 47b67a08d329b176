"""One look at all folders: what the index needs to know of them, and of no file in them.

A vault may have a million files, so what they are called is looked up folder by folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from vaultmem.storage import files
from vaultmem.storage.files import DOUBTED, Folder, Stamp


@dataclass(frozen=True, slots=True)
class Scan:
    """Every folder with its stamp, and by folder the odd things that are neither that nor notes.

    *unmoved* are the folders that were not looked into, *shut* those that could not be, and why.
    Those that are *settled* have the files that the index knows, by the *digests* of what is in
    them; of all others *counts* says how many files they have, and *names* a digest of how these
    are called.
    """

    folders: dict[str, Stamp] = field(default_factory=dict)
    odd: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unmoved: frozenset[str] = frozenset()
    shut: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()
    counts: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def hides(self, path: str) -> bool:
        """Tell whether *path* lies in a folder that could not be looked into."""
        return bool(self.shut) and path.startswith(tuple(self.shut))

    def shutting(self, folders: Mapping[str, str]) -> Scan:
        """Return the same where *folders* could not be looked into after all, by why."""
        doubted = {folder: DOUBTED for folder in folders if folder in self.folders}
        return replace(self, shut={**self.shut, **folders}, folders={**self.folders, **doubted})


def of(found: Iterable[Folder]) -> Scan:
    """Return what was *found* of all folders."""
    folders: dict[str, Stamp] = {}
    odd: dict[str, tuple[str, ...]] = {}
    unmoved, settled = set[str](), set[str]()
    shut, digests, names = dict[str, str](), dict[str, str](), dict[str, str]()
    counts: dict[str, int] = {}
    for it in found:
        folders[it.path] = it.stamp
        odd |= {it.path: it.odd} if it.odd else {}
        if it.unmoved:
            unmoved.add(it.path)
        elif it.shut:
            shut[it.path] = it.shut
        else:
            digests[it.path] = it.digest
            if it.settled:
                settled.add(it.path)
            else:
                counts |= {it.path: len(it.files)} if it.files else {}
                names[it.path] = files.digest((path[len(it.path) :] for path in it.files), ())
    return Scan(
        folders, odd, frozenset(unmoved), shut, digests, frozenset(settled), counts,
        names,
    )  # fmt: skip
