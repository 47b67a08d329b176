"""What is wrong with the pointers of MEMORY.md: those that lead nowhere, and content among them."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.memory import memory_index
from vaultmem.records import Problem
from vaultmem.storage.store import Store

TIDY = "`vaultmem dream plan` proposes how to tidy your own lines"
_REWRITE = "`vaultmem fsck --repair` rebuilds it between its marks"


def dangling(store: Store, text: str) -> Iterator[Problem]:
    """Name each pointer of the MEMORY.md *text* that leads nowhere."""
    # Those between the marks the program can mend; the others are a person's.
    own = {*memory_index.targets(memory_index.regenerate(text, ()))}
    vanished, elsewhere = {*store.index.vanished()}, store.not_checked_out()
    for target in memory_index.targets(text):
        known = store.index.knows(target) and target not in vanished
        if not known and target not in elsewhere and store.is_gone(target):
            repair = TIDY if target in own else _REWRITE
            yield Problem("dangling-pointer", memory_index.PATH, f"{target} is not there", repair)


def content(text: str) -> Iterator[Problem]:
    """Say what the MEMORY.md *text* holds beside its pointers, where it holds anything."""
    found = memory_index.content(text)
    counted = [
        f"{count} {name}{'s' * (count != 1)}"
        for count, name in ((found.paragraphs, "paragraph"), (found.facts, "fact"))
        if count
    ]
    if counted:
        message = f"it holds {' and '.join(counted)} beside its pointers"
        yield Problem("index-content", memory_index.PATH, message, TIDY)
