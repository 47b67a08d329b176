"""What frameworks keep in item logs, as something that can be forgotten.

What was said is a turn of a transcript as well. What a tool was called with, or a framework's own
lines, stand in a log alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.maintenance.forgetting import line_names
from vaultmem.maintenance.forgetting.line_names import LineName
from vaultmem.records import Record
from vaultmem.storage import item_logs
from vaultmem.storage.item_logs import Item
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import MARK

ITEM = "item"
"""The type of an item, or of all items of a log."""


def every(store: Store) -> Iterator[Record]:
    """Yield each item of all logs that says something, as a record."""
    for path in item_logs.paths(store.root):
        yield from (_record(path, n, n, [item]) for n, item in _items(store, path))


def at(store: Store, path: str, number: int) -> list[Record]:
    """Return the item in that line of the log at *path*; for 0 all of them as one."""
    if not item_logs.is_path(path):
        return []
    found = [(n, item) for n, item in _items(store, path) if number in (0, n)]
    if not found:
        return []
    if number:
        return [_record(path, number, number, [found[0][1]])]
    return [_record(path, 1, found[-1][0], [item for _, item in found])]


def texts(store: Store, it: Record) -> tuple[str, ...]:
    """Return what the items say that *it* stands for."""
    path = line_names.path_of(it)
    span = range(it.turn_start, it.turn_end + 1)
    items = [item for n, item in _items(store, path) if n in span]
    return _said(items)


def _items(store: Store, path: str) -> Iterator[tuple[int, Item]]:
    found = item_logs.numbered(store.texts.read(path) or b"")
    yield from ((n, item) for n, item in found if _said([item]))


def _said(items: Sequence[Item]) -> tuple[str, ...]:
    return tuple(text for text in item_logs.texts([*items]) if text != MARK)


def _record(path: str, first: int, last: int, items: Sequence[Item]) -> Record:
    body = "\n\n".join(_said(items))
    name = str(LineName(path, 0 if first != last or len(items) > 1 else first))
    return Record(
        name, "", type=ITEM, agent=path.split("/")[1], turn_start=first, turn_end=last, body=body
    )
