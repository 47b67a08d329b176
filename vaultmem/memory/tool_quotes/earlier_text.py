"""What git had before a tool spoke: none of it is that tool's.

It vouches for what somebody took over from a tool, and what is to vouch must be known to be older
than the earliest moment at which that tool may have spoken. So every doubt is against it: nobody
knows when the tool spoke, git got the words in that second, or they were not trusted then.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise

from vaultmem.documents import public_text
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.records import Record, is_trusted, moment
from vaultmem.storage import committed_files, files
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_SECOND = timedelta(seconds=1)
"""Git knows no less: what was committed in the same one may have come after."""
_MOSTLY = 0.6
"""So many pairs of words of a passage a note has that said it, or nearly so."""
_WORD = re.compile(r"\w+")
_Pair = tuple[str, str]


class EarlierTexts:
    """What git had before the second in which the first tool of some turns may have spoken.

    On whatever line of history, so that a merge takes nothing from it, nor does a rebase.
    """

    def __init__(self, store: Store, until: datetime | None) -> None:
        """Ask what git had *until* then, as `before` tells it; nothing where that is unknown."""
        self._store, self._until = store, until

    @cached_property
    def _tips(self) -> Sequence[str]:
        return committed_files.tips_until(self._store, self._until) if self._until else ()

    def of(self, path: str) -> Record | None:
        """Return the file at *path* with all that it said; None where there is any doubt of it."""
        return self._trusted(path, committed_files.versions(self._store, self._tips, path))

    def replaced(self, passages: Sequence[str]) -> Iterator[Record]:
        """Yield notes that say something else since, or are gone, with what they said.

        Those that may have said one of *passages*, likely ones first: its words may stand under
        another name by now, or nowhere.
        """
        asked = [*filter(None, map(_pairs, passages))]
        shares = {
            path: max((len(it & pairs) / len(it) for it in asked), default=0)
            for path, (_, pairs) in self._replaced.items()
        }
        likely = (path for path, share in shares.items() if share >= _MOSTLY)
        for path in sorted(likely, key=lambda path: -shares[path]):
            if record := self._trusted(path, self._replaced[path][0]):
                yield record

    @cached_property
    def _replaced(self) -> Mapping[str, tuple[Sequence[bytes], AbstractSet[_Pair]]]:
        """What notes said that are not as they were, by path, and the pairs of words in that."""
        had = committed_files.replaced(self._store, self._tips)
        return {
            path: (versions, _pairs(b"\n".join(versions).decode("utf-8", "replace")))
            for path, versions in had.items()
        }

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


def _pairs(text: str) -> AbstractSet[_Pair]:
    words = _WORD.findall(text.casefold())
    return frozenset(pairwise(words))
