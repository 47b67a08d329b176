"""A memory for AI agents that people own: a folder of Markdown files in git."""

from __future__ import annotations

from vaultmem.version import __version__

# That of `typing`, whose import takes longer than all else before `__main__` may heed Ctrl-C.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from vaultmem.api.agent_memory import Memory as Memory
    from vaultmem.api.async_api import AsyncMemory as AsyncMemory
    from vaultmem.api.async_api import AsyncVault as AsyncVault
    from vaultmem.api.vault import Vault as Vault

__all__ = ["AsyncMemory", "AsyncVault", "Memory", "Vault", "__version__"]

_HOME = {
    "AsyncMemory": "vaultmem.api.async_api",
    "AsyncVault": "vaultmem.api.async_api",
    "Memory": "vaultmem.api.agent_memory",
    "Vault": "vaultmem.api.vault",
}


def __getattr__(name: str) -> object:
    """Load the public API on first use, so that the command line starts fast."""
    import importlib  # noqa: PLC0415  # as TYPE_CHECKING

    if name in _HOME:
        found: object = getattr(importlib.import_module(_HOME[name]), name)
        return found
    raise AttributeError(name)
