"""Serve the pages of a vault to one browser of this machine."""

from __future__ import annotations

import asyncio
import hashlib
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from vaultmem.api.loopback import server
from vaultmem.api.vault import Vault
from vaultmem.web.app import App, Shell, static_files
from vaultmem.web.gate import Gate, Keys
from vaultmem.web.live import Live
from vaultmem.web.types import Options
from vaultmem.web.vault_threads import VaultThreads


def link(port: int, keys: Keys) -> str:
    """Return the address that opens a browser."""
    return f"http://127.0.0.1:{port}/?token={keys.token}"


def run(
    path: Path, options: Options, at: socket.socket, keys: Keys,
    ready: Callable[[], None] = lambda: None,
) -> None:  # fmt: skip
    """Serve the vault at *path* at the socket *at* until a signal comes.

    *ready* is called once the vault is open. Raises what `Vault.open` does.
    """
    threads, live = VaultThreads(lambda: Vault.open(path)), Live(path)
    app = App(threads, live, Shell(options, keys.form_token, _version())).asgi()
    gate = Gate(app, at.getsockname()[1], keys, read_only=options.read_only)
    asyncio.run(server.serve(gate, at, _open(threads, live, ready), live.close))


@asynccontextmanager
async def _open(
    threads: VaultThreads, live: Live, ready: Callable[[], None]
) -> AsyncIterator[None]:
    async with threads, live:
        ready()
        yield


def _version() -> str:
    """Return what changes with our files, so that no browser keeps old ones."""
    whole = b"".join(data for _, data in sorted(static_files().items()))
    return hashlib.sha256(whole).hexdigest()[:10]
