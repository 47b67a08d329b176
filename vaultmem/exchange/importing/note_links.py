"""Lead the links of a note that comes from another vault to what they name here."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import quote

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Field
from vaultmem.exchange.importing import vault_note
from vaultmem.exchange.importing.vault_note import NewNote
from vaultmem.storage import wikilinks
from vaultmem.storage.wikilinks import Link, MarkdownLink

Here = Callable[[str], str]
"""Where something lies here that a link there names, "" for what is not known."""


def led(note: NewNote, here: Here, decided: Mapping[str, Field | None]) -> NewNote:
    """Return *note* with its links led *here*; of its properties some are *decided* already."""
    doc = frontmatter.parse(note.text)
    raw = frontmatter.fields(doc)
    flat = {key: it for key, value in raw.items() if (it := vault_note.flat(value)) is not None}
    folder = posixpath.dirname(note.path)

    def line_led(line: str) -> str:
        found = wikilinks.each_markdown(line, lambda link: _markdown(link, here, folder))
        return wikilinks.each(found, lambda link: _wikilink(link, here))

    changes: dict[str, Field | None] = {k: _value(v, line_led) for k, v in flat.items()}
    changes |= decided
    due = {key: new for key, new in changes.items() if new != raw.get(key)}
    body = wikilinks.outside_code(doc.body, line_led)
    return replace(note, data=frontmatter.render(frontmatter.update(doc, due, body)).encode())


def _value(value: str | Sequence[str], line_led: Callable[[str], str]) -> Field:
    return line_led(value) if isinstance(value, str) else list(map(line_led, value))


def _wikilink(link: Link, here: Here) -> str:
    path = here(link.names)
    return link.whole.replace(link.names, PurePosixPath(path).stem, 1) if path else link.whole


def _markdown(link: MarkdownLink, here: Here, folder: str) -> str:
    """Return *link* of a note in *folder*."""
    if not link.names_note or not (path := here(link.path)):
        return link.whole
    target = quote(posixpath.relpath(path, folder or ".")) + quote(link.heading, safe="#^")
    return f"[{link.shown}]({target})"
