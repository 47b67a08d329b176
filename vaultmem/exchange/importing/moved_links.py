"""Lead the links of notes that come from another vault to the memories that came with them.

A memory has another id here, and so another name. Which one it is the import knows: by where the
memory lay there, and the origin that it is kept under here. What did not come is not known, and a
link to it stays as it stands; in `sources`, which vouch for a note, it is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Field
from vaultmem.exchange.importing import vault_note
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.exchange.importing.vault_note import SOURCES, NewNote
from vaultmem.storage import wikilinks
from vaultmem.storage.reader import link_target
from vaultmem.storage.store import Store
from vaultmem.storage.wikilinks import Link


@dataclass(slots=True)
class MovedLinks:
    """What the memories of an export are called here, asked by what they were called there."""

    store: Store
    came: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Whose each memory is here and its origin, by its name there."""

    def note(self, line: Line) -> None:
        """Keep in mind what memory *line* brings, if it says where that lay."""
        if line.said and line.item.heard and line.item.heard.path:
            name = PurePosixPath(line.item.heard.path).stem
            self.came[name] = line.said.agent, line.said.origin

    def relinked(self, line: Line) -> Line:
        """Return *line* with its note's links led to where the memories are here."""
        return replace(line, note=self._relinked(line.note)) if line.note else line

    def _relinked(self, note: NewNote) -> NewNote:
        doc = frontmatter.parse(note.text)
        raw = frontmatter.fields(doc)
        flat = {key: it for key, value in raw.items() if (it := vault_note.flat(value)) is not None}
        changes = {key: self._value(key, value) for key, value in flat.items()}
        due = {key: new for key, new in changes.items() if new != raw[key]}
        body = wikilinks.outside_code(doc.body, self._line)
        return replace(note, data=frontmatter.render(frontmatter.update(doc, due, body)).encode())

    def _value(self, key: str, value: str | Sequence[str]) -> Field | None:
        if key == SOURCES:
            return self._sources([value] if isinstance(value, str) else value) or None
        return self._line(value) if isinstance(value, str) else list(map(self._line, value))

    def _line(self, text: str) -> str:
        return wikilinks.each(text, self._link)

    def _link(self, link: Link) -> str:
        name = self._here(link.names)
        return link.whole.replace(link.names, name, 1) if name else link.whole

    def _sources(self, named: Iterable[str]) -> list[str]:
        here = (self._here(link_target(it)) for it in named)
        return [f"[[{name}]]" for name in dict.fromkeys(here) if name]

    def _here(self, name: str) -> str:
        """Return what is here the memory that *name* means there, "" for none that came."""
        agent, origin = self.came.get(PurePosixPath(link_target(name)).name, ("", ""))
        if not origin:
            return ""
        found = self.store.index.of_origins((origin,))
        own = [its_id for _, whose, its_id in found if whose == agent] or [
            origin.rpartition("/")[2]
        ]
        memories = (r for r in self.store.index.identified(own) if r.type == "memory")
        return next((r.stem for r in memories), "")
