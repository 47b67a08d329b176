"""Sessions: conversations that were kept, turn by turn or as memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultmem.api.views.types import SessionBrief
from vaultmem.web.pages import since
from vaultmem.web.types import Asked, Page, Reader

MOST = 300


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions, the last one first; *since* tells, in the past, what became of them."""

    sessions: Sequence[SessionBrief]
    more: int
    since: Mapping[SessionBrief, str]


def query(reader: Reader, asked: Asked) -> Sessions:
    """Return the sessions there are."""
    found = reader.view.sessions()
    told = since.told_of_sessions(reader, asked, found[:MOST])
    return Sessions(found[:MOST], max(len(found) - MOST, 0), told)


PAGE = Page("/sessions", "Sessions", "sessions.html", query)
