"""A folder: the files in it, and those of its folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.api.views.types import FolderEntry
from vaultmem.web.types import Asked, Page, Reader

MOST = 500


@dataclass(frozen=True, slots=True)
class Folder:
    """What lies in the folder at *path*; the names of what does begin with *start*."""

    path: str
    start: str
    entries: Sequence[FolderEntry]
    more: int


def query(reader: Reader, asked: Asked) -> Folder:
    """Return what lies in the folder that the address names; "" is the vault."""
    folder = asked.rest.strip("/")
    found = reader.view.folder(folder)
    start = f"{folder}/" if folder else ""
    return Folder(folder, start, found[:MOST], max(len(found) - MOST, 0))


PAGE = Page("/folder/{rest:path}", "Files", "folder.html", query)
