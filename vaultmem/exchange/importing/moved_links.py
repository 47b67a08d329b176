"""Lead the links of notes that come from another vault to the memories that came with them.

A memory has another id here, and so another name. Which one it is the import knows: by where the
memory lay there, the origin that it is kept under here, and what it said: a file proves nothing by
a memory that says something else here, or that was written here. What did not come is not known,
and a link to it stays as it stands; in `sources`, which vouch for a note, it is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from vaultmem.documents import frontmatter
from vaultmem.exchange.importing import note_links, record_versions, vault_note
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.exchange.importing.record_versions import Version
from vaultmem.exchange.importing.vault_note import COUNTED, SOURCES, NewNote
from vaultmem.storage import accepted_text, reader
from vaultmem.storage.reader import link_target
from vaultmem.storage.store import Store


@dataclass(frozen=True, slots=True)
class _Came:
    """A memory of an export: whose it is here, its origin, and the digests of what it said."""

    agent: str
    origin: str
    digests: tuple[str, ...]


@dataclass(slots=True)
class MovedLinks:
    """What the memories of an export are called here, asked by what they were called there."""

    store: Store
    came: dict[str, _Came] = field(default_factory=dict)
    """Each memory by its name there."""
    placed: dict[str, str] = field(default_factory=dict)
    """Where each note lies here that another agent had there, by its path there."""
    known: dict[str, str] = field(default_factory=dict)
    """What of them was looked for, by its name there: its path here, or "" where it is not."""

    def note(self, line: Line) -> None:
        """Keep in mind what *line* brings, if it says where that lay."""
        note, there = line.note, line.item.note
        if note and there and there.path != note.path and note.type not in COUNTED:
            self.placed[there.path] = note.path
        if line.said and line.item.heard and line.item.heard.path:
            name = PurePosixPath(line.item.heard.path).stem
            texts = filter(None, (line.said.text, line.whole))
            digests = tuple(map(accepted_text.digest, texts))
            self.came[name] = _Came(line.said.agent, line.said.origin, digests)

    def relinked(self, line: Line) -> Line:
        """Return *line* with its note's links led to where the memories are here."""
        there = line.item.note
        return (
            replace(line, note=self._relinked(line.note, there.path))
            if line.note and there
            else line
        )

    def _relinked(self, note: NewNote, there: str) -> NewNote:
        named = vault_note.flat(frontmatter.fields(frontmatter.parse(note.text)).get(SOURCES, {}))
        if named is None:
            return note_links.led(note, there, self._here, {})
        proofs = self._sources([named] if isinstance(named, str) else named)
        return note_links.led(note, there, self._here, {SOURCES: proofs or None})

    def _sources(self, named: Iterable[str]) -> list[str]:
        here = (path for it in named if reader.kind_of(path := self._here(it)) == "memory")
        return [f"[[{PurePosixPath(path).stem}]]" for path in dict.fromkeys(here)]

    def _here(self, name: str) -> str:
        """Return where lies here what *name* means there, "" for nothing that came elsewhere."""
        if path := self.placed.get(f"{link_target(name)}.md"):
            return path
        there = PurePosixPath(link_target(name)).name
        if there in self.came and there not in self.known:
            self.known[there] = self._found(self.came[there])
        return self.known.get(there, "")

    def _found(self, came: _Came) -> str:
        index = self.store.index
        held = index.versions(came.agent, (came.origin,), record_versions.BEHIND)
        same = [
            version.origin
            for version in (Version(it, text, at, first) for it, at, text, first in held)
            if any(map(version.came_as, came.digests))
        ]
        rows = index.of_origins(same)
        own = [its_id for _, whose, its_id in rows if whose == came.agent]
        return next((record.path for record in index.identified(own)), "")
