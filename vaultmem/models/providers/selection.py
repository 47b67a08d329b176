"""Who writes: decided from profile and surroundings, with the reason in words a person reads.

No SDK is loaded here, so that `status` may say it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vaultmem.models.providers import endpoint
from vaultmem.models.providers.profile import Profile
from vaultmem.models.providers.types import Surroundings

CLAUDE = "claude-haiku-5-5"
"""The model of Anthropic for whoever names none: the small Claude of the day."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The *backend* that writes, *why* it does, and what is *missing* for it, else empty.

    *model* is empty for `extractive`, and when the first model that Ollama has is meant.
    """

    backend: str
    model: str
    why: str
    missing: str = ""


def choose(
    profile: Profile, surroundings: Surroundings, reachable: Callable[[str], bool]
) -> Choice:
    """Return who writes; *reachable* (`endpoint.reachable`) is asked if need be."""
    wanted, why = _wanted(profile, surroundings)
    if wanted == "auto":
        wanted, why = _found(surroundings, reachable)
    lacks_key = wanted == "anthropic" and not surroundings.anthropic_key
    return Choice(
        wanted,
        _model(wanted, profile, surroundings),
        why,
        "ANTHROPIC_API_KEY is not set" if lacks_key else "",
    )


def _wanted(profile: Profile, surroundings: Surroundings) -> tuple[str, str]:
    if surroundings.summarizer:
        return surroundings.summarizer, "VAULTMEM_SUMMARIZER says so"
    return profile.backend, f"{profile.path} says so"


def _found(surroundings: Surroundings, reachable: Callable[[str], bool]) -> tuple[str, str]:
    if surroundings.anthropic_key:
        return "anthropic", "auto: ANTHROPIC_API_KEY is set"
    where = endpoint.shown(surroundings.ollama_host)
    if reachable(surroundings.ollama_host):
        return "ollama", f"auto: Ollama answers at {where}"
    return "extractive", f"auto: no key is set and Ollama does not answer at {where}"


def _model(backend: str, profile: Profile, surroundings: Surroundings) -> str:
    if backend == "extractive":
        return ""
    usual = CLAUDE if backend == "anthropic" else ""
    return surroundings.model or (profile.model if _is_for(profile, backend) else "") or usual


def _is_for(profile: Profile, backend: str) -> bool:
    """Tell whether the profile's model is one of *backend*, whoever chose that."""
    if backend == "ollama" and profile.model.startswith("claude-"):
        return False  # the one that a new vault's profile names
    if profile.backend in {"anthropic", "ollama"}:
        return profile.backend == backend
    return ("claude" in profile.model) == (backend == "anthropic")
