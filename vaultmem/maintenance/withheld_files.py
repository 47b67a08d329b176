"""Name the files that say what another marks as private, of which nobody is shown those lines."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.records import Problem
from vaultmem.storage import hidden_texts
from vaultmem.storage.index import marked_files
from vaultmem.storage.store import Store

CODE = "withheld"
_MESSAGE = "lines of it say what another file marks as private: nobody is shown them"
_REPAIR = (
    "`vaultmem watch --once` takes out those that the program wrote, for good: they do not come "
    "back with the mark gone; take out by hand what a person did"
)
_NAME = "its name says what another file marks as private, and is shown"
_RENAME = "give it another name by hand, in the links to it, too"


def problems(store: Store) -> Iterator[Problem]:
    """Name each of them, and those of which the name says it."""
    for path in marked_files.withheld(store.index):
        yield Problem(CODE, path, _MESSAGE, _REPAIR)
    for path in hidden_texts.telling_names(store.index):
        yield Problem(CODE, path, _NAME, _RENAME)
