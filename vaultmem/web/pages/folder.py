"""A folder: the files in it, and those of its folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.web.types import Asked, Page, Reader

MOST = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, or a folder with how many files are in it."""

    path: str
    name: str
    title: str
    kind: str
    date: str
    files: int = 0


@dataclass(frozen=True, slots=True)
class Folder:
    """What lies in a folder."""

    path: str
    entries: Sequence[Entry]
    more: int


def query(reader: Reader, asked: Asked) -> Folder:
    """Return what lies in the folder that the address names; "" is the vault."""
    folder = asked.rest.strip("/")
    start = f"{folder}/" if folder else ""
    counts: dict[str, int] = {}
    entries = []
    for record in reader.view.below(folder):
        name, slash, _ = record.path.removeprefix(start).partition("/")
        if slash:
            counts[name] = counts.get(name, 0) + 1
        else:
            entries.append(Entry(record.path, name, record.title or record.description,
                                 record.type, record.updated or record.created))  # fmt: skip
    folders = [Entry(start + n, n, "", "folder", "", count) for n, count in sorted(counts.items())]
    found = [*folders, *sorted(entries, key=lambda it: it.path)]
    return Folder(folder, found[:MOST], max(len(found) - MOST, 0))


PAGE = Page("/folder/{rest:path}", "Files", "folder.html", query)
