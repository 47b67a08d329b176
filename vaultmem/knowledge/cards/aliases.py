"""The other names of whom a card concerns, by which Obsidian finds it, too."""

from __future__ import annotations

from collections.abc import Iterable

from vaultmem.documents import frontmatter
from vaultmem.knowledge.cards import parser

_KEY = "aliases"


def of(path: str, data: bytes) -> tuple[str, ...]:
    """Return the aliases of the card in *data*; raises Unreadable for one not to be trusted."""
    value = parser.read(path, data).raw.get(_KEY)
    return (value,) if isinstance(value, str) and value else tuple(parser.lines(value))


def added(path: str, data: bytes, names: Iterable[str]) -> bytes:
    """Return the card in *data* with those *names* that are not among its aliases yet.

    Raises Unreadable for a card that cannot be trusted.
    """
    held = of(path, data)
    known = {name.casefold() for name in held}
    fresh = [name for name in dict.fromkeys(names) if name.casefold() not in known]
    if not fresh:
        return data
    return frontmatter.edited(data, {_KEY: [*held, *fresh]})
