"""A memory for AI agents that people own: a folder of Markdown files in git."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from vaultmem.version import __version__

if TYPE_CHECKING:
    from vaultmem.vault import Vault as Vault

__all__ = ["Vault", "__version__"]


def __getattr__(name: str) -> object:
    """Load the public API on first use, so that the command line starts fast."""
    if name == "Vault":
        return importlib.import_module("vaultmem.vault").Vault
    raise AttributeError(name)
