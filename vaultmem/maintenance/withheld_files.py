"""Name the files that say what another marks as private, of which nobody is shown those lines."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.records import Problem
from vaultmem.storage.index import marked_files
from vaultmem.storage.store import Store

CODE = "withheld"
_MESSAGE = "lines of it say what another file marks as private: nobody is shown them"
_REPAIR = (
    "`vaultmem watch --once` takes out those that the program wrote, for good: they do not come "
    "back with the mark gone; take out by hand what a person did"
)


def problems(store: Store) -> Iterator[Problem]:
    """Name each of them."""
    for path in marked_files.withheld(store.index):
        yield Problem(CODE, path, _MESSAGE, _REPAIR)
