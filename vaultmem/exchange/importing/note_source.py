"""Where notes come from: one folder or file, and what of it the vault has already."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vaultmem import config
from vaultmem.documents import secrets
from vaultmem.errors import BadInput, SecretFound
from vaultmem.exchange.formats import markdown_folder, note_frontmatter
from vaultmem.exchange.formats.types import FolderEntry, NoteReader, Place
from vaultmem.exchange.importing import registry
from vaultmem.exchange.importing.types import Settings
from vaultmem.records import Record
from vaultmem.storage.files import slug
from vaultmem.storage.index import Filter
from vaultmem.storage.store import Store


@dataclass(slots=True)
class Source:
    """One folder, or one file, that notes come from."""

    store: Store
    path: Path
    settings: Settings
    reader: NoteReader
    where: Place | None = None
    bundled: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        """Raise BadInput for what is not there, or lies in the vault itself."""
        here = self.store.root.path.resolve()
        if not self.path.exists():
            raise BadInput(f"{self.path}: No such file or directory; name a folder of notes")
        if here in {self.path.resolve(), *self.path.resolve().parents}:
            raise BadInput(f"{self.path} lies in this vault: its notes are used where they are")
        if (self.path / config.PATH).exists():
            named = shlex.quote(str(self.path))
            raise BadInput(f"{self.path} is a vault: open it with `vaultmem --vault {named}`")
        self.bundled = self.path.is_dir() and markdown_folder.is_bundle(self.path)

    @property
    def folder(self) -> Path:
        """The folder that names are relative to."""
        found = self.path if self.path.is_dir() else self.path.parent
        return found.resolve()

    @property
    def base(self) -> str:
        """How the origins of its notes begin, without telling where on this machine it lies."""
        return f"{note_frontmatter.PREFIX}{note_frontmatter.digest(str(self.folder))}/"

    def place(self, name: str) -> str:
        """Return what names the note *name* for ever.

        There are no words in it: a tombstone may keep it.
        """
        return self.base + note_frontmatter.digest(name)

    def entries(self) -> Iterator[FolderEntry]:
        """Yield the entries that the format finds."""
        return self.reader.find(self.path)

    def known(self) -> dict[str, Record]:
        """Return what came from here before, by where it lies there."""
        return {
            note_frontmatter.place(r.origin): r for r in self.store.index.from_origin(self.base)
        }

    def placed(self) -> Place:
        """Return where its notes go: a folder of knowledge that no other source has."""
        if self.where:
            return self.where
        root = "knowledge/" + (slug(secrets.strip_private(self.folder.name)) or "notes")
        names = (root, *(f"{root}-{n}" for n in range(2, 1000)))
        mine = next(name for name in names if self._is_mine(name))
        return Place(lambda name: markdown_folder.target(mine, name), lambda _: {}, named=True)

    def _is_mine(self, folder: str) -> bool:
        there = self.store.index.records(Filter(below=folder), body=False)
        return all(r.origin.startswith(self.base) for r in there)

    def made(
        self, found: FolderEntry, data: bytes, head: dict[str, str], before: Record | None = None
    ) -> bytes:
        """Return the note as the vault keeps it; raises BadInput, SecretFound and OSError."""
        if hits := secrets.find(found.name):
            raise SecretFound("the name of a file", hits[0].rule)
        told = str(found.file) if self.settings.reference else found.name
        if secrets.private_parts(told):
            raise BadInput("its name has a private part: rename it")
        origin = note_frontmatter.mark(self.place(found.name), data)
        created = before.created if before else found.changed()
        how = note_frontmatter.How(
            self.settings.redact, self.reader.titled, head, created, self.bundled
        )
        if self.settings.reference:
            return note_frontmatter.referenced(found.name, found.file, data, origin, how)
        return note_frontmatter.copied(found.name, data, origin, how)

    def fault(self, found: FolderEntry) -> str:
        """Say why a note cannot be taken in, "" when it can."""
        try:
            self.made(found, found.read(), {})
        except SecretFound as e:
            return e.fault
        except BadInput as e:
            return str(e).removeprefix(f"{found.name}: ")
        except OSError as e:
            return e.strerror or str(e)
        return ""

    def refuse_empty(self) -> None:
        """Raise BadInput where there is no note, and none ever came from here."""
        if self.known() or not all(found.why for found in self.entries()):
            return
        if self.path.is_dir():
            raise BadInput(f"{self.path}: no note ({markdown_folder.SOUGHT}) in this folder or "
                           "below it; name the folder that has")  # fmt: skip
        (found,) = self.entries()
        raise BadInput(
            f"{self.path} is not a note: {found.why}; looked for {markdown_folder.SOUGHT}"
        )

    def refuse_bad(self, every: Iterable[FolderEntry]) -> None:
        """Raise BadInput for the first note that cannot be taken in."""
        for found in every:
            if not found.why and (fault := self.fault(found)):
                raise BadInput(f"{found.shown}: {fault}; nothing was imported: "
                               "fix it, or leave such out (`skip_bad=true`)")  # fmt: skip


def open_sources(store: Store, paths: Sequence[Path], settings: Settings) -> list[Source]:
    """Return *paths* as sources of notes; raises BadInput for one that cannot be a source."""
    reader = registry.note_reader(settings.form)
    return [
        Source(store, path, settings, reader, reader.place(path) if reader.place else None)
        for path in paths
    ]
