"""What git had of a file before a tool spoke: none of it is that tool's.

It vouches for what somebody took over from a tool, so every doubt is against it: nobody knows when
the tool spoke, git got it in that second, or it was not trusted then.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from vaultmem.documents import public_text
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.records import is_trusted, moment
from vaultmem.storage import committed_files, files
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_SECOND = timedelta(seconds=1)
"""Git knows no less: what was committed in the same one may have come after."""
_UNKNOWN = datetime.min.replace(tzinfo=UTC)
"""Before all that git has."""


def before_tools(store: Store, path: str, turns: Iterable[Turn]) -> str:
    """Return what the file at *path* said, and may be told, before the first tool of *turns* spoke.

    "" where none did.
    """
    first = min((turn.at for turn in turns if turn.role == "tool"), key=_before, default="")
    return public_text.of_bytes(bytes_before(store, path, first)).text


def bytes_before(store: Store, path: str, at: str) -> bytes:
    """Return what git had of the file at *path* before the second *at*, empty for all in doubt."""
    if (until := _before(at)) != _UNKNOWN:
        data = committed_files.until(store, path, until)
        with contextlib.suppress(Refused, Unreadable):
            then = store.texts.record(path, files.content(data))
            if data and is_trusted(then) and not then.tool_lines:
                return data
    return b""


def _before(at: str) -> datetime:
    """Return the second before *at*."""
    try:
        return moment(at) - _SECOND
    except (BadInput, OverflowError):  # it comes from a file that anybody may have written
        return _UNKNOWN
