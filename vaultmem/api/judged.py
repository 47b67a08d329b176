"""Who judges what rests on hidden words: loaded when something is hidden, as in few vaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.storage.hidden_texts import Lines
    from vaultmem.storage.hidden_words import HiddenWords
    from vaultmem.storage.store import Store


def unborne(store: Store, hidden: HiddenWords) -> Lines:
    """Return the lines that no source bears out as it may be shown, beside the *hidden* words."""
    from vaultmem.maintenance.provenance import hidden_sources  # noqa: PLC0415  # as said above

    return hidden_sources.unborne(store, hidden)
