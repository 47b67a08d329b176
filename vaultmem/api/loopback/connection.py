"""A connection over HTTP, which has a while for a whole request, and a place among so many.

Who holds one open and asks nothing costs a descriptor; with enough of these nobody else is served.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0
"""Seconds for all of a request, from the connection or the last answer on."""
MOST = 64
"""Connections that wait for a whole request; of more, the one that waits longest goes."""

KNOWN = "vaultmem.known"
"""What is true in the scope of a request that was accepted."""
_ASKING = frozenset((h11.IDLE, h11.SEND_BODY))


class Connection(H11Protocol):
    """One connection to the server."""

    patience, most = PATIENCE, MOST
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request; who waits longest makes room."""
        super().connection_made(transport)
        self._watch()
        others = (it for it in self.connections if isinstance(it, Connection))
        waiting = sorted((it for it in others if it.is_waiting), key=lambda it: it.due)
        for it in waiting[: max(0, len(waiting) - self.most)]:
            it.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take what came, and wait on if that is no whole request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._stop()

    @property
    def is_waiting(self) -> bool:
        """Whether it has no whole request yet, and none before it was accepted."""
        return self._deadline is not None and not (self.scope and self.scope.get(KNOWN))

    @property
    def due(self) -> float:
        """When its request must be here, by the clock of the loop."""
        return self._deadline.when() if self._deadline else 0.0

    def _watch(self) -> None:
        """Wait while a request is not whole; what comes of it meanwhile gains no time."""
        if self.transport.is_closing() or self.conn.their_state not in _ASKING:
            self._stop()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.patience, self.transport.abort)

    def _stop(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None
