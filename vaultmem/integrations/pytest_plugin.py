"""A fixture of pytest for people who test agents: a vault of the test's own, empty and offline.

pytest finds it once the package is installed. Nothing of ours is imported before a test asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from vaultmem import Vault


@pytest.fixture
def vaultmem_vault(tmp_path: Path) -> Iterator[Vault]:
    """Yield a new vault in the test's own folder, open, with a history, and closed afterwards.

    No variable of the environment counts: no model writes, and nobody embeds, so that each run
    says the same. `vaultmem_vault.path` is its folder.
    """
    from vaultmem import Vault  # noqa: PLC0415  # only a test that asks pays for it

    with Vault.init(tmp_path / "vaultmem", env={}) as vault:
        yield vault
