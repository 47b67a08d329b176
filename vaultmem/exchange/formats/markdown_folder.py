"""A folder of Markdown, perhaps an Obsidian vault: which files are notes, and why others not."""

from __future__ import annotations

import contextlib
import os
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from vaultmem import config
from vaultmem.documents import frontmatter
from vaultmem.errors import Unreadable
from vaultmem.exchange import obeyed_files
from vaultmem.exchange.formats.types import FolderEntry, Format, NoteReader, Option
from vaultmem.storage import files

LARGEST = 1024 * 1024
"""Bytes of one note."""

LINK = "a link, and links are not followed"

_SUFFIXES = (".md", ".markdown")
SOUGHT = "*.md, *.markdown"
"""What is looked for, as people write it."""

_VERSION, _RESERVED = "okf_version", frozenset({"index.md", "log.md"})
_INDEX = "an index of the bundle, which tells what the notes tell"
_TEMPLATES = frozenset({"template", "templates", "_templates"})
_UNPORTABLE = str.maketrans(dict.fromkeys('\\:*?"<>|#^[]', "-"))
_LONGEST = 110


def walk(path: Path) -> Iterator[FolderEntry]:
    """Yield what *path* is or holds, in the order of the names; follow no link."""
    if not path.is_dir():
        yield FolderEntry(path.name, path, why_not(path))
        return
    reserved = _RESERVED if is_bundle(path) else frozenset()
    for folder, below, names in os.walk(path):
        here = Path(folder).relative_to(path)
        left = {name: why for name in below if (why := _why_no_folder(Path(folder, name)))}
        below[:] = sorted(name for name in below if name not in left)
        for name in sorted((*names, *left)):
            file = Path(folder, name)
            made = _INDEX if name.casefold() in reserved else ""
            why = left.get(name) or made or why_not(file)
            yield FolderEntry((here / name).as_posix(), file, why)


def notes(path: Path) -> Iterator[FolderEntry]:
    """Yield what `walk` does; what agents or programs would obey in the vault is no note."""
    for found in walk(path):
        is_kept_out = not found.why and obeyed_files.is_kept_out(target("knowledge", found.name))
        yield replace(found, why=obeyed_files.KEPT_OUT) if is_kept_out else found


def is_bundle(path: Path) -> bool:
    """Tell whether the index of *path* says that it is a bundle of the Open Knowledge Format."""
    index = path / "index.md"
    if why_not(index):
        return False
    with contextlib.suppress(OSError, UnicodeDecodeError, Unreadable):
        doc = frontmatter.parse(index.read_text(encoding="utf-8"))
        return _VERSION in frontmatter.fields(doc)
    return False


def _why_no_folder(path: Path) -> str:
    if path.is_symlink():
        return LINK
    if path.name.startswith("."):
        return "hidden"
    if path.name.casefold() in _TEMPLATES:
        return "templates"
    return "a vault of its own" if (path / config.PATH).exists() else ""


def why_not(path: Path) -> str:
    """Say why the file at *path* is no note that may be read, "" where it is one."""
    if path.is_symlink():
        return LINK
    if path.name.startswith("."):
        return "hidden"
    if not path.name.lower().endswith(_SUFFIXES):
        return "no Markdown"
    if not path.is_file():
        return "no file"
    return f"larger than {LARGEST >> 20} MiB" if path.stat().st_size > LARGEST else ""


def target(folder: str, name: str) -> str:
    """Return where in the vault the note *name* lies, below *folder*, on every file system."""
    *above, last = name.split("/")
    stem = last.rpartition(".")[0]
    return "/".join((folder, *map(_portable, above), f"{_portable(stem)}.md"))


def keeps_name(name: str, path: str) -> bool:
    """Tell whether the note *name* is called at *path* what it is called there, but for .md."""
    stem = unicodedata.normalize("NFC", name.rpartition(".")[0])
    return f"/{path}".endswith(f"/{stem}.md")


def _portable(part: str) -> str:
    text = part.encode("utf-8", "replace").decode().translate(_UNPORTABLE)
    text = unicodedata.normalize("NFC", text)
    kept = "".join(c for c in text if c.isprintable())
    while len(kept.encode()) > _LONGEST:
        kept = kept[:-1]
    kept = kept.strip(" .") or "note"
    if kept.casefold().endswith((".md", ".tmp", "~", ".swp", ".swo", ".swx", ".icloud")):
        kept = f"{kept}-"
    return kept if files.fits(f"{kept}.md") else f"{kept}-"


OPTIONS = (
    Option("reference", "link to the files instead of copying them."),
    Option("prune", "remove unedited copies of notes gone at the source."),
)
"""What may be asked of a format whose notes are taken as they are."""

FORMAT = Format(
    "markdown",
    becomes=("notes",),
    help="a folder of notes, an Obsidian vault",
    notes=NoteReader(notes),
    options=OPTIONS,
)
