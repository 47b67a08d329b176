"""A folder: the files in it, and those of its folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultmem.api.views.types import FolderEntry
from vaultmem.web.pages import since
from vaultmem.web.types import Asked, Page, Reader

MOST = 500


@dataclass(frozen=True, slots=True)
class Folder:
    """What lies in the folder at *path*; the names of what does begin with *start*.

    *since* tells, in the past, what became of the files.
    """

    path: str
    start: str
    entries: Sequence[FolderEntry]
    more: int
    since: Mapping[str, str]


def query(reader: Reader, asked: Asked) -> Folder:
    """Return what lies in the folder that the address names; "" is the vault."""
    folder = asked.rest.strip("/")
    found = reader.view.folder(folder)
    start = f"{folder}/" if folder else ""
    files = [f"{start}{it.name}" for it in found[:MOST] if not it.is_folder]
    told = since.told(reader, asked, files)
    return Folder(folder, start, found[:MOST], max(len(found) - MOST, 0), told)


PAGE = Page("/folder/{rest:path}", "Files", "folder.html", query)
