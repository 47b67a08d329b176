"""What lies in a folder, some levels deep: files as they are, a folder as the sum of its files."""

from __future__ import annotations

from collections.abc import Iterable

from vaultmem.api.agent_files.types import Entry
from vaultmem.storage.index.file_queries import SeenFile

_INDEX = "MEMORY.md"


def entries(found: Iterable[SeenFile], folder: str, depth: int) -> tuple[Entry, ...]:
    """Return the files *found* in *folder*, at most *depth* levels down, and the folders there.

    In order of their names, each folder before what is in it; MEMORY.md, which points at all else,
    comes first.
    """
    start = len(folder) + 1 if folder else 0
    shown: list[Entry] = []
    sums: dict[str, tuple[int, str]] = {}
    for path, size, date, kind in found:
        parts = path[start:].split("/")
        for level in range(1, min(len(parts), depth + 1)):
            name = path[:start] + "/".join(parts[:level])
            total, last = sums.get(name, (0, ""))
            sums[name] = (total + size, max(last, date))
        if len(parts) <= depth:
            shown.append(Entry(path, folder=False, size=size, date=date, type=kind))
    folders = (Entry(p, folder=True, size=size, date=d) for p, (size, d) in sums.items())
    return tuple(sorted((*shown, *folders), key=_order))


def _order(entry: Entry) -> tuple[bool, list[str]]:
    return entry.path != _INDEX, entry.path.split("/")
