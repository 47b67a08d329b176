"""A vault that holds some texts, and what recall finds of them first."""

from __future__ import annotations

from collections.abc import Iterable

from vaultmem import Vault


def filled(vault: Vault, texts: Iterable[str]) -> Vault:
    """Return *vault* with *texts* in it, a memory each."""
    for text in texts:
        vault.remember(text, agent="ada")
    return vault


def found(vault: Vault, query: str) -> list[str]:
    """Return what the two best hits say."""
    return [hit.snippet for hit in vault.recall(query, k=2).hits]
