"""Open views: of the vault as it is now, and as it was committed at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from vaultmem.api.vault.runtime import Part
from vaultmem.api.views.view import View


class Views(Part):
    """Look at a vault, present or past, by the same questions."""

    @contextmanager
    def at(self, as_of: str = "", *, agent: str = "") -> Iterator[View]:
        """Yield the vault as it is, or as it was committed at *as_of*, a date or a time.

        An *agent* who is named sees what is shared and its own. Raises BadInput for no date or one
        before history begins, Unavailable without history.
        """
        self._store.sync_soon()
        if not as_of:
            yield View(self._store, agent)
            return
        from vaultmem.storage import snapshots

        self._store.writer.commit_pending()  # what waits for its commit is of today, too
        with snapshots.at(self._store, as_of) as then:
            then.sync_soon()
            yield View(then, agent, past=True)
