"""What git had before a tool spoke: none of it is that tool's.

It vouches for what somebody took over from a tool, and what is to vouch must be known to be older
than the earliest moment at which that tool may have spoken. So every doubt is against it: nobody
knows when the tool spoke, git got the words in that second, or they were not trusted then.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property

from vaultmem.documents import public_text
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.records import Record, is_trusted, moment
from vaultmem.storage import committed_files, files
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_SECOND = timedelta(seconds=1)
"""Git knows no less: what was committed in the same one may have come after."""


class EarlierTexts:
    """What git had before the second in which the first tool of some turns may have spoken.

    In whatever line of history, so that a merge takes nothing from it, nor does a rebase.
    """

    def __init__(self, store: Store, turns: Iterable[Turn]) -> None:
        """Ask about *turns*; where no tool is among them there is nothing to ask."""
        self._store, self._until = store, before(store, turns)

    @cached_property
    def _tips(self) -> Sequence[str]:
        return committed_files.tips_until(self._store, self._until) if self._until else ()

    def of(self, path: str) -> Record | None:
        """Return the file at *path* with all that it said; None where there is any doubt of it."""
        return self._trusted(path, committed_files.versions(self._store, self._tips, path))

    def replaced(self) -> Iterator[Record]:
        """Yield the notes that say something else since, or are gone, with what they said.

        Their words may stand under another name by now, or nowhere.
        """
        for path, versions in committed_files.replaced(self._store, self._tips).items():
            if record := self._trusted(path, versions):
                yield record

    def _trusted(self, path: str, versions: Sequence[bytes]) -> Record | None:
        with contextlib.suppress(Refused, Unreadable):
            then = [self._store.texts.record(path, files.content(data)) for data in versions]
            if then and all(is_trusted(it) and not it.tool_lines for it in then):
                said = (public_text.of_bytes(data).text for data in versions)
                return replace(then[0], body="\n\n".join(said))
        return None


def before(store: Store, turns: Iterable[Turn]) -> datetime | None:
    """Return the second before the first tool of *turns* may have spoken, None for unknown.

    So it is where one has no time, or one that is none, or that is yet to come.
    """
    try:
        spoke = min(moment(turn.earliest) for turn in turns if turn.role == "tool")
        return None if spoke > store.clock() else spoke - _SECOND
    except (
        BadInput,
        OverflowError,
        ValueError,
    ):  # it comes from a file that anybody may have written
        return None
