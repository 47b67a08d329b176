"""Lead the links of notes that come from another vault to the memories that came with them.

A memory has another id here, and so another name. Which one it is the import knows: by where the
memory lay there, the origin that it is kept under here, and what it said: a file proves nothing by
a memory that says something else here, or that was written here. What did not come is not known,
and a link to it stays as it stands; in `sources`, which vouch for a note, it is left out.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from urllib.parse import quote

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Field
from vaultmem.exchange.importing import record_versions, vault_note
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.exchange.importing.record_versions import Version
from vaultmem.exchange.importing.vault_note import SOURCES, NewNote
from vaultmem.storage import accepted_text, wikilinks
from vaultmem.storage.reader import link_target
from vaultmem.storage.store import Store
from vaultmem.storage.wikilinks import Link, MarkdownLink


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
    known: dict[str, str] = field(default_factory=dict)
    """What of them was looked for, by its name there: its path here, or "" where it is not."""

    def note(self, line: Line) -> None:
        """Keep in mind what memory *line* brings, if it says where that lay."""
        if line.said and line.item.heard and line.item.heard.path:
            name = PurePosixPath(line.item.heard.path).stem
            texts = filter(None, (line.said.text, line.whole))
            digests = tuple(map(accepted_text.digest, texts))
            self.came[name] = _Came(line.said.agent, line.said.origin, digests)

    def relinked(self, line: Line) -> Line:
        """Return *line* with its note's links led to where the memories are here."""
        return replace(line, note=self._relinked(line.note)) if line.note else line

    def _relinked(self, note: NewNote) -> NewNote:
        doc = frontmatter.parse(note.text)
        raw = frontmatter.fields(doc)
        flat = {key: it for key, value in raw.items() if (it := vault_note.flat(value)) is not None}
        folder = posixpath.dirname(note.path)

        def led(line: str) -> str:
            found = wikilinks.each_markdown(line, lambda link: self._markdown(link, folder))
            return wikilinks.each(found, self._link)

        changes = {key: self._value(key, value, led) for key, value in flat.items()}
        due = {key: new for key, new in changes.items() if new != raw[key]}
        body = wikilinks.outside_code(doc.body, led)
        return replace(note, data=frontmatter.render(frontmatter.update(doc, due, body)).encode())

    def _value(
        self, key: str, value: str | Sequence[str], led: Callable[[str], str]
    ) -> Field | None:
        if key == SOURCES:
            return self._sources([value] if isinstance(value, str) else value) or None
        return led(value) if isinstance(value, str) else list(map(led, value))

    def _link(self, link: Link) -> str:
        path = self._here(link.names)
        return link.whole.replace(link.names, PurePosixPath(path).stem, 1) if path else link.whole

    def _markdown(self, link: MarkdownLink, folder: str) -> str:
        """Return *link* of a note in *folder*; it names a file, which is no place on the web."""
        is_file = link.path.endswith(".md") and "://" not in link.path
        if not is_file or not (path := self._here(link.path)):
            return link.whole
        target = quote(posixpath.relpath(path, folder or ".")) + quote(link.heading, safe="#^")
        return f"[{link.shown}]({target})"

    def _sources(self, named: Iterable[str]) -> list[str]:
        here = (self._here(it) for it in named)
        return [f"[[{PurePosixPath(path).stem}]]" for path in dict.fromkeys(here) if path]

    def _here(self, name: str) -> str:
        """Return where the memory lies that *name* means there, "" for none that came."""
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
