"""Make the files of new topics: their names, their frontmatter, and lines added to old ones."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from vaultmem.documents import frontmatter
from vaultmem.documents.markdown import outline
from vaultmem.maintenance.dream.types import Lines, Make, Note
from vaultmem.nlp.extraction.naming import titles
from vaultmem.records import first_line, iso
from vaultmem.storage import ulids

_TITLE, _HOOK = 80, 160


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic that a dream makes; *body* has its lines, *sources* are wikilink targets."""

    path: str
    title: str
    description: str
    body: Sequence[str]
    sources: Sequence[str]
    trust: str
    agent: str = ""

    def make(self, now: datetime) -> Make:
        """Return the edit that makes its file."""
        body = "\n".join(self.body) + "\n"
        head: dict[str, str | Sequence[str]] = {
            "id": new_id(self.path + body, now),
            "type": "topic",
            "title": first_line(self.title, _TITLE),
            "description": first_line(self.description, _HOOK),
            **({"agent": self.agent} if self.agent else {}),
            "kind": "project",
            "created": iso(now),
            "source": "dream",
            "trust": self.trust,
            "sources": [f"[[{source}]]" for source in self.sources],
        }
        return Make(self.path, frontmatter.new(head, body))


def new_id(text: str, now: datetime) -> str:
    """Return a ULID of this moment whose other part is that of *text*: detectors roll no dice."""
    return next(ulids.increasing("", now, 1, hashlib.sha256(text.encode()).digest()[:10]))


def free_path(folder: str, title: str, taken: Collection[str]) -> str:
    """Return the path of a new note on *title* in *folder*; what is *taken* gets a number."""
    slug = titles.slug(title)
    names = (f"{folder}/{slug}{'' if n == 1 else f'-{n}'}.md" for n in count(1))
    return next(name for name in names if name not in taken)


def added(note: Note, lines: Sequence[str], heading: str = "Facts") -> Lines:
    """Return the edit that puts *lines* below those of the section *heading*, or in a new one."""
    first = note.record.body_line - 1
    sections = outline.sections("\n".join(note.lines[first:]))
    home = [s for s in sections if s.name == outline.words(heading)]
    if home:
        at = first + home[-1].stop - 1
        return Lines(note.path, at, (note.lines[at],), (note.lines[at], *lines))
    if not note.lines:
        return Lines(note.path, 0, (), (f"## {heading}", *lines))
    at = max((n for n, line in enumerate(note.lines) if line.strip()), default=0)
    old = note.lines[at]
    return Lines(note.path, at, (old,), (old, "", f"## {heading}", *lines))
