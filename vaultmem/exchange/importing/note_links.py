"""Lead the links of a note that comes from another vault to what they name here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Field
from vaultmem.documents.markdown import links
from vaultmem.documents.markdown.links import Link
from vaultmem.exchange.importing import vault_note
from vaultmem.exchange.importing.vault_note import NewNote
from vaultmem.storage import reader

Here = Callable[[str], str]
"""Where something lies here that a link there names, "" for what is not known."""

_UNIQUE = frozenset(("memory", "task"))
"""What no two files of a vault are called."""


def led(note: NewNote, there: str, here: Here, decided: Mapping[str, Field | None]) -> NewNote:
    """Return *note*, which lay *there*, with its links led *here*.

    Of its properties some are *decided* already.
    """
    doc = frontmatter.parse(note.text)
    raw = frontmatter.fields(doc)
    flat = {key: it for key, value in raw.items() if (it := vault_note.flat(value)) is not None}

    def text_led(text: str) -> str:
        return links.replaced(text, lambda link: _led(link, there, here, note.path))

    changes: dict[str, Field | None] = {k: _value(v, text_led) for k, v in flat.items()}
    changes |= decided
    due = {key: new for key, new in changes.items() if new != raw.get(key)}
    doc = frontmatter.reworded(doc, raw.keys() - flat.keys(), text_led)
    doc = frontmatter.update(doc, due, text_led(doc.body))
    return replace(note, data=frontmatter.render(doc).encode())


def _value(value: str | Sequence[str], text_led: Callable[[str], str]) -> Field:
    return text_led(value) if isinstance(value, str) else list(map(text_led, value))


def _led(link: Link, there: str, here: Here, origin: str) -> str:
    """Return *link* of the file *origin*, which lay *there*, led *here*."""
    if link.wiki:
        path = here(link.target)
        is_whole = "/" in link.target and reader.kind_of(path) not in _UNIQUE
        name = path.removesuffix(".md")
        return link.to(name if is_whole else name.rpartition("/")[2]) if path else link.raw
    # What is written from the top is found, too, as Obsidian does.
    path = here(link.from_top(there)) or here(link.target) if link.names_file else ""
    if not path:
        return link.raw
    target = f"/{path}" if link.target.startswith("/") else links.relative(path, origin)
    return link.to(target if link.target.endswith(".md") else target.removesuffix(".md"))
