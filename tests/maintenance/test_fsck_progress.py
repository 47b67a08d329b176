"""Who waits for a check of many files hears how far it is."""

from __future__ import annotations

from vaultmem import Vault


def test_a_check_tells_how_many_files_of_how_many_are_compared(vault: Vault) -> None:
    """From the beginning on, and never more than there are."""
    vault.remember("The well is deep.", agent="ada")
    heard: list[tuple[int, int]] = []
    assert vault.fsck(progress=lambda *told: heard.append(told)).ok
    assert heard == [(0, len(vault.store.index.seen()))]
