"""Take what is forgotten out of the messages that are kept for programs, beside the transcripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vaultmem.maintenance.forgetting import line_names, logged_items, redaction
from vaultmem.maintenance.forgetting.draft import ForgettingDraft
from vaultmem.maintenance.forgetting.logged_items import ITEM
from vaultmem.storage import files, item_logs
from vaultmem.storage.files import Root
from vaultmem.storage.tombstones import MARK


def paths(root: Root) -> Iterator[str]:
    """Yield the files in which such messages are kept."""
    for agent in files.names(root, "agents"):
        for folder in ("sessions/shrunk", item_logs.FOLDER):
            names = files.names(root, f"agents/{agent}/{folder}")
            yield from (f"agents/{agent}/{folder}/{it}" for it in names if item_logs.is_log(it))


def redact(draft: ForgettingDraft) -> None:
    """Put into *draft* what is left of the logs."""
    for path in paths(draft.store.root):
        data = draft.store.texts.read(path) or b""
        draft.put(path, data, redaction.spoken(data, _without(draft, path)))


def _without(draft: ForgettingDraft, path: str) -> Callable[[str], str]:
    """Return what tells a text of the log at *path* without what is forgotten.

    A short text goes where nothing else says its words: an item repeats what a turn said.
    """
    meant = (r for r in draft.gone if r.type == ITEM and line_names.path_of(r) == path)
    told = {text for r in meant for text in logged_items.texts(draft.store, r)}
    copies, says = draft.copies, draft.ours.says

    def without(text: str) -> str:
        if text in told or (copies.are_all_of(text) and says(text)):
            return MARK
        return copies.without(text)

    return without
