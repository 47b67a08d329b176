"""Decide what becomes of notes that come in: a new file, one brought up to date, or nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, count

from vaultmem.documents import secrets
from vaultmem.documents.markdown import blocks
from vaultmem.errors import BadInput, SecretFound, StaleWrite, Unavailable
from vaultmem.exchange.formats import markdown_folder, note_frontmatter
from vaultmem.exchange.formats.types import FolderEntry, Place
from vaultmem.exchange.importing.folder_names import Folders
from vaultmem.exchange.importing.note_source import Source
from vaultmem.exchange.importing.types import KNOWN, why_forgotten
from vaultmem.records import Record
from vaultmem.storage import files, reader
from vaultmem.storage.index import file_queries
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.three_way_merge import merge
from vaultmem.storage.tombstones import Tombstones

RENAMED = "another name here, that fits beside the others and on every system: links miss it"
LEFT_BEHIND = "an attachment, which is not taken along: its link leads nowhere"
_VERSIONS = 50
"""Commits of one note that are looked through for the version that came in."""


@dataclass(slots=True)
class Step:
    """One batch being decided; told to the work only when it is carried out."""

    op: str
    source: Source
    where: Place
    known: dict[str, Record]
    tombstones: Tombstones
    changes: list[Change] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[tuple[str, str]] = field(default_factory=list)
    imported: int = 0
    updated: int = 0
    taken: set[str] = field(default_factory=set)
    origins: list[str] = field(default_factory=list)
    folders: Folders = field(init=False)

    def __post_init__(self) -> None:
        """See which folders are there."""
        self.folders = Folders(self.source.store.root)

    def decide(self, found: FolderEntry, fresh: str) -> None:
        """Decide what becomes of one note; *fresh* is its id if it is new."""
        place = self.source.place(found.name)
        before = self.known.get(place)
        try:
            data = found.read()
            if why := self._why_skipped(found, place, data):
                self.skipped.append((why, found.shown))
                return
            head = {"id": before.id if before and before.id else fresh}
            new = self.source.made(found, data, head | self.where.head(found.name), before)
        except (BadInput, SecretFound, OSError):
            why = self.source.fault(found) or "it changed while it was read"
            self.failed.append((why, found.shown))
            return
        origin = note_frontmatter.mark(place, data)
        if before is None:
            self.origins.append(origin)
            self._add(found, new)
        else:
            self._renew(found, before, new, origin)
        self._remark_attachments(found, data)
        if private := secrets.left_out(data.decode(errors="replace")):
            self.remarks.append((private, found.shown))

    def _remark_attachments(self, found: FolderEntry, data: bytes) -> None:
        if not self.source.settings.reference:
            named = note_frontmatter.attachments(data.decode(errors="replace"))
            shown = (secrets.redact(f"{found.name}: {name}") for name in named)
            self.remarks.extend((LEFT_BEHIND, where) for where in shown)

    def refuse_twice(self) -> None:
        """Raise StaleWrite when another import brought in one of the new notes meanwhile."""
        store = self.source.store
        if taken := store.index.origins("", self.origins):
            raise StaleWrite(min(taken), None, "imported")

    def _why_skipped(self, found: FolderEntry, place: str, data: bytes) -> str:
        before = self.known.get(place)
        if before and before.origin == note_frontmatter.mark(place, data):
            return KNOWN
        text = reader.record(found.name, files.content(data)).body
        said = (*blocks.passages(text), *reader.names(found.name, data))
        there = (it for it in self.tombstones.all if note_frontmatter.place(it.origin) == place)
        stone = self.tombstones.of(*said) or next(there, None)
        return why_forgotten(stone) if stone else ""

    def _add(self, found: FolderEntry, new: bytes) -> None:
        path = self._free(self.folders.placed(self.where.target(found.name)))
        if self.where.named and not markdown_folder.keeps_name(found.name, path):
            self.remarks.append((RENAMED, f"{found.shown} is {path}"))
        self.changes.append(Change(path, None, new, f"imported from {found.shown}"))
        self.imported += 1

    def _free(self, wanted: str) -> str:
        """Return *wanted*, or a path like it that nobody has, in whatever letters."""
        stem = wanted.removesuffix(".md")
        tries = chain((wanted,), (f"{stem}-{n}.md" for n in count(2)))
        free = next(path for path in tries if not self._is_taken(path))
        self.taken.add(free.casefold())
        return free

    def _is_taken(self, path: str) -> bool:
        if path.casefold() in self.taken:
            return True
        store = self.source.store
        named = file_queries.knows_in_any_case(store.index, path)
        return named or store.texts.read(path) is not None

    def _renew(self, found: FolderEntry, before: Record, new: bytes, origin: str) -> None:
        """Bring a copy up to date, over what a person changed in it where the two go together."""
        now = self.source.store.texts.read(before.path) or b""
        both = new if note_frontmatter.is_untouched(now) else self._merged(before, now, new)
        if both is not None:
            self.changes.append(Change(before.path, now, both, "changed at its source"))
            self.updated += 1
            return
        waits = files.conflict(self.op.lower(), before.path, new)
        self.changes.append(Change(waits, None, new, "changed here and at its source"))
        seen = note_frontmatter.with_origin(now, origin)
        self.changes.append(Change(before.path, now, seen, "what changed there waits in the inbox"))
        self.skipped.append((f"changed here, too: the other version is {waits}", found.shown))

    def _merged(self, before: Record, now: bytes, new: bytes) -> bytes | None:
        """Return both in one by the version that came in, as the history has it; None without."""
        versions = _versions(self.source.store, before.path)
        came_in = (x for x in versions if note_frontmatter.is_untouched(x, before.origin))
        base = next(came_in, None)
        return merge(ours=now, base=base, theirs=new) if base else None


def _versions(store: Store, path: str) -> Iterator[bytes]:
    with contextlib.suppress(Unavailable):
        if repository := store.writer.repository:
            for entry in repository.log(_VERSIONS, paths=(path,)):
                if data := repository.show(entry.commit, path):
                    yield data
