"""Health: counts, windows, budgets, and all that somebody should know about."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vaultmem.api.types import Health
from vaultmem.web.types import Asked, Page, Reader


@dataclass(frozen=True, slots=True)
class HealthPage:
    """The health of the vault as it is now."""

    health: Health


def query(reader: Reader, asked: Asked) -> HealthPage:
    """Return how the vault is; there is no such thing for a moment in the past."""
    found = reader.vault.status()
    if agent := asked.options.agent:
        found = replace(found, agents=tuple(it for it in found.agents if it.agent == agent))
    return HealthPage(found)


PAGE = Page("/health", "Health", "health.html", query)
