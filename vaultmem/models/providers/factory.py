"""The Model that a choice stands for, with all that is wrapped around it.

From the outside: what was answered before costs nothing (`reply_cache`), what failed is tried again
(`retry`), and each try counts (`budget`).
"""

from __future__ import annotations

from pathlib import Path

from vaultmem.errors import ModelAway
from vaultmem.models.providers import Reply, Request, reply_cache
from vaultmem.models.providers.budget import Budgeted, Limits
from vaultmem.models.providers.profile import Profile
from vaultmem.models.providers.reply_cache import Kept
from vaultmem.models.providers.retry import RetryingModel
from vaultmem.models.providers.selection import EXTRACTIVE, Choice, provider
from vaultmem.models.providers.types import Surroundings
from vaultmem.records import Clock


class Missing:
    """A Model that cannot be asked for want of something the user must set."""

    def __init__(self, choice: Choice) -> None:
        """Stand for *choice*, which says what is missing."""
        self.name, self.model, self._why = choice.backend, choice.model, choice.missing

    def complete(self, request: Request) -> Reply:  # noqa: ARG002  # the protocol has it
        """Raise ModelAway with what is missing."""
        raise ModelAway(self.name, self._why)


def build(  # noqa: PLR0913, PLR0917  # the composition of six parts
    choice: Choice,
    profile: Profile,
    surroundings: Surroundings,
    folder: Path,
    clock: Clock,
    limits: Limits,
) -> Kept | None:
    """Return the Model to ask, None for `extractive`; *folder* is the vault's `.vaultmem`.

    Kept replies of more than a day ago are removed; nothing is asked, and no SDK is loaded.
    """
    if choice.backend == EXTRACTIVE:
        return None
    backend = provider(choice.backend).build(choice.model, profile, surroundings)
    patient = RetryingModel(Budgeted(backend, folder, clock, limits))
    whole = Kept(Missing(choice) if choice.missing else patient, folder / reply_cache.FOLDER, clock)
    whole.forget_old()
    return whole
