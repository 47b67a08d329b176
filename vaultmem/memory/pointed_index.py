"""MEMORY.md brought up to date with what an operation changes."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.memory import memory_index, pointed_records
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store


def change(
    store: Store, changes: Sequence[Change], meant: bytes | None = None, *, vouched: bool = False
) -> tuple[Change, ...]:
    """Return the change that makes MEMORY.md point at what there is after *changes*, if any.

    *meant* is what it shall say outside of its marks, where that is to change, too. *vouched* says
    that a person vouches for *changes*.
    """
    old = store.texts.read_if_allowed(memory_index.PATH)
    if old is None:
        return ()
    new = text(store, changes, old if meant is None else meant, vouched=vouched)
    pointed = Change(memory_index.PATH, old, new, "pointers brought up to date")
    return () if new == old or not store.texts.may_change(pointed) else (pointed,)


def text(store: Store, changes: Sequence[Change], index: bytes, *, vouched: bool = False) -> bytes:
    """Return *index*, a MEMORY.md, pointing at what there is after *changes*.

    As it is where git leaves files out of the checkout: who has them all brings it up to date.
    """
    if store.not_checked_out():
        return index
    listed = pointed_records.after(store, changes, vouched=vouched)
    more = pointed_records.uncounted(store, changes)
    made = memory_index.regenerate(index.decode("utf-8", "surrogateescape"), listed, more)
    return made.encode("utf-8", "surrogateescape")
