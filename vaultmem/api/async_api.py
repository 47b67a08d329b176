"""`AsyncVault` and `AsyncMemory`: the API for asyncio, each on a thread of its own.

`async_api.pyi` says for type checkers which methods there are; it is written from `Vault` and
`Memory` by `.github/async_stubs.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Self, Unpack

from vaultmem.api.agent_memory import Memory, Opening
from vaultmem.api.threaded import Threaded, Worker
from vaultmem.api.vault import Vault
from vaultmem.errors import VaultError

_log = logging.getLogger(__name__)


def _finish(vault: Vault) -> None:
    """Close *vault* with nothing that waits for its commit: turns of sessions come without one."""
    try:
        vault.wait()
        if not vault.watched:
            vault.history.commit_pending()
    except VaultError as e:
        _log.warning("what was written is safe; its commit waits: %s", e)
    finally:
        vault.close()


class AsyncVault(Threaded[Vault]):
    """A `Vault` on a thread of its own: every method of it, and of its parts, to be awaited.

    `async with await AsyncVault.open(path) as vault: answer = await vault.recall("tea", k=3)`;
    `await vault.cards.get("…")`, `await vault.workbench("ada").read()`, `await vault.path`.
    `close` commits what waits for its commit, unless a daemon does.
    """

    @classmethod
    async def open(cls, path: str | Path = ".", **how: Unpack[Opening]) -> Self:
        """Open the vault that *path* is or lies in, as `Vault.open` does, on a new thread."""
        lane: Worker[Vault] = Worker(_finish)
        await lane.make(lambda: Vault.open(path, **how))
        return cls(lane)

    @classmethod
    async def init(cls, path: str | Path, *, with_git: bool = True, in_repo: bool = False) -> Self:
        """Make the folder *path* a vault and open it, as `Vault.init` does, on a new thread."""
        lane: Worker[Vault] = Worker(_finish)
        await lane.make(lambda: Vault.init(path, with_git=with_git, in_repo=in_repo))
        return cls(lane)


class AsyncMemory(Threaded[Memory]):
    """A `Memory` on a thread of its own; its vault is reached as `await memory.vault.recall(…)`."""

    @classmethod
    async def open(
        cls,
        path: str | Path = ".",
        *,
        agent: str = "",
        session: str = "",
        states: Sequence[str] = (),
        **how: Unpack[Opening],
    ) -> Self:
        """Open the memory of an *agent*'s *session*, as `Memory.open` does, on a new thread."""
        lane: Worker[Memory] = Worker()
        await lane.make(
            lambda: Memory.open(path, agent=agent, session=session, states=states, **how)
        )
        return cls(lane)
