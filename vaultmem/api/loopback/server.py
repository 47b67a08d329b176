"""The server: a socket of this machine alone, and an application at it until a signal comes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager

import uvicorn
from starlette.types import ASGIApp

from vaultmem.api.loopback.connection import Connection
from vaultmem.api.shutdown_signals import ENDING, Shutdown
from vaultmem.errors import Unavailable

_HERE = "127.0.0.1"
_GRACE = 3


def listening(port: int) -> socket.socket:
    """Return a socket at *port* of this machine alone, 0 being any free one."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((_HERE, port))
        found.listen()
    except OSError as e:
        found.close()
        raise Unavailable(f"port {port} is not available ({e.strerror}): choose another") from e
    return found


async def serve(
    app: ASGIApp,
    at: socket.socket,
    during: AbstractAsyncContextManager[object],
    on_stop: Callable[[], None] = lambda: None,
) -> None:
    """Serve *app* at the socket *at*, inside of *during*, until the first signal.

    *on_stop* is called then, so that answers without an end may end.
    """
    config = uvicorn.Config(
        app, http=Connection, ws="none", log_level="error", log_config=None, access_log=False,
        server_header=False, timeout_graceful_shutdown=_GRACE,
    )  # fmt: skip
    server = _Server(config)

    def stop() -> None:
        server.should_exit = True
        on_stop()

    with signals(stop):
        async with during:
            await server.serve(sockets=[at])


class _Server(uvicorn.Server):
    """One that leaves the signals to us: uvicorn dies of them once it has shut down."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextmanager
def signals(stop: Callable[[], None]) -> Iterator[None]:
    """Let the first signal *stop* the server; a second one does nothing as long as the block lasts.

    The block must hold all that is done at the end: a client that stops a server by SIGINT sends
    SIGTERM a moment later.
    """
    loop, shutdown = asyncio.get_running_loop(), Shutdown()
    shutdown.begins_with(stop)
    for number in ENDING:
        loop.add_signal_handler(number, shutdown.ask)
    try:
        yield
    finally:
        for number in ENDING:
            loop.remove_signal_handler(number)
