"""Who writes: decided from profile and surroundings, with the reason in words a person reads.

No SDK is loaded here, so that `status` may say it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import NamedTuple

from vaultmem.models.providers.profile import Profile
from vaultmem.models.providers.registry import PROVIDERS
from vaultmem.models.providers.types import Provider, Surroundings

EXTRACTIVE = "extractive"
"""What writes without a model."""


class Choice(NamedTuple):
    """The *backend* that writes, *why* it does, and what is *missing* for it, else empty.

    *model* is empty for `extractive`, and when the first model that Ollama has is meant.
    """

    backend: str
    model: str
    why: str
    missing: str = ""


def provider(name: str) -> Provider:
    """Return the provider called *name*, one of PROVIDERS; no SDK is loaded."""
    found: Provider = importlib.import_module(f"vaultmem.models.providers.{name}").PROVIDER
    return found


def is_free(choice: Choice) -> bool:
    """Tell whether the provider of *choice* costs no money; False where there is none."""
    return choice.backend in PROVIDERS and provider(choice.backend).is_free


def choose(
    profile: Profile, surroundings: Surroundings, reachable: Callable[[str], bool]
) -> Choice:
    """Return who writes; *reachable* (`endpoint.reachable`) is asked if need be."""
    wanted, why = profile.backend, f"{profile.path} says so"
    if surroundings.summarizer:
        wanted, why = surroundings.summarizer, "VAULTMEM_SUMMARIZER says so"
    if wanted == "auto":
        wanted, why = _first_found(surroundings, reachable)
    if wanted == EXTRACTIVE:
        return Choice(wanted, "", why)
    it = provider(wanted)
    own = profile.model if _is_for(it, profile) else ""
    model = surroundings.model or own or it.usual
    return Choice(wanted, model, why, it.missing(surroundings))


def _first_found(surroundings: Surroundings, reachable: Callable[[str], bool]) -> tuple[str, str]:
    lacking = []
    for name in PROVIDERS:
        found, why = provider(name).find(surroundings, reachable)
        if found:
            return name, f"auto: {why}"
        lacking.append(why)
    return EXTRACTIVE, f"auto: {' and '.join(lacking)}"


def _is_for(it: Provider, profile: Profile) -> bool:
    """Tell whether the profile's model is one of the provider *it*, whoever chose that."""
    if profile.backend in PROVIDERS and profile.backend != it.name:
        return False
    return it.serves(profile.model, profile.backend == it.name)
