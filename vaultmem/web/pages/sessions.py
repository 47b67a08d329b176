"""Sessions: conversations that were kept, turn by turn or as memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.api.views.types import SessionBrief
from vaultmem.web.types import Asked, Page, Reader

MOST = 300


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions, the last one first."""

    sessions: Sequence[SessionBrief]
    more: int


def query(reader: Reader, _asked: Asked) -> Sessions:
    """Return the sessions there are."""
    found = reader.view.sessions()
    return Sessions(found[:MOST], max(len(found) - MOST, 0))


PAGE = Page("/sessions", "Sessions", "sessions.html", query)
