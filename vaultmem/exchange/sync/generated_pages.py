"""The pages with a list between two marks, of which people's part alone is merged."""

from __future__ import annotations

from vaultmem.exchange.sync import markdown_merge
from vaultmem.exchange.sync.types import Data, Versions
from vaultmem.knowledge import tasks
from vaultmem.memory import memory_index

_OWN_TEXT = {
    memory_index.PATH: lambda text: memory_index.regenerate(text, ()),
    tasks.BOARD: tasks.own_text,
}
"""How to see people's part of a page alone."""

PATHS = tuple(_OWN_TEXT)


def own_parts(path: str, it: Versions) -> Versions:
    """Return what people have in each of the versions."""
    return Versions(*(_own_part(path, data) for data in (it.base, it.ours, it.theirs)))


def _own_part(path: str, data: Data) -> Data:
    if data is None:
        return None
    text = data.decode("utf-8", "surrogateescape")
    return _OWN_TEXT[path](text).encode("utf-8", "surrogateescape")


def beside(path: str, it: Versions) -> tuple[Data, tuple[bytes, ...]]:
    """Return theirs of a page with what people wrote here since the base.

    And the notes with words that this has not.
    """
    own = own_parts(path, it)
    if own.ours == own.base or it.theirs is None:
        return it.theirs if own.ours == own.base else it.ours, ()
    page = markdown_merge.join(path, own)
    return page.data, page.aside


def unlisted(path: str, it: Versions) -> Data:
    """Return a page as one side has it, its list too, where no list can be made anew.

    Theirs, unless only we wrote beside it; without any list where both wrote.
    """
    own = own_parts(path, it)
    return it.ours if own.ours != own.base == own.theirs else beside(path, it)[0]
