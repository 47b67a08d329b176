"""Take files in of which somebody knows that they changed, and look at no other."""

from __future__ import annotations

from collections.abc import Collection

from vaultmem.storage import files, hidden_texts
from vaultmem.storage.files import Root
from vaultmem.storage.index import Index


def take_in(root: Root, index: Index, paths: Collection[str]) -> None:
    """Let *index* see the notes and transcripts at *paths* as they are now."""
    if not paths:
        return
    if notes := sorted(it for it in paths if files.is_note(it)):
        index.absorb(notes)
    hidden_texts.look_at(root, index, sorted({*paths}.difference(notes)))
    index.settled(False)  # noqa: FBT003  # not all there is was looked at
