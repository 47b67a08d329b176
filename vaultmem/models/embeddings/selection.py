"""Who embeds, of the kinds listed here: by the surroundings and a look for weights, with a reason.

Nothing heavy is loaded here, so that `status` may say it.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path

from vaultmem.models.embeddings.types import Choice, Embedder, Kind, Setup
from vaultmem.models.providers.types import Surroundings

_SETUP = "`vaultmem embedder setup` fetches one of 91 MB"


KINDS: Mapping[str, bool] = {"minilm": True, "ollama": False}
"""The kinds of embedders, a module of that name each, and whether one may be chosen unasked."""

NAMES = ("none", *KINDS)
"""What a user may name: a kind, or nobody."""


def kind(name: str) -> Kind:
    """Return the kind *name*, one of KINDS."""
    found: Kind = importlib.import_module(f"vaultmem.models.embeddings.{name}").KIND
    return found


def choose(surroundings: Surroundings, home: Path) -> Choice:
    """Return who embeds: whoever is named, else who is found below *home*, else nobody."""
    named = surroundings.embedder
    if named == "none":
        return Choice("none", "", "", "VAULTMEM_EMBEDDER is none")
    if named:
        return kind(named).choose(surroundings, home, "VAULTMEM_EMBEDDER says so")
    for name, unasked in KINDS.items():
        if unasked and (found := kind(name).find(surroundings, home)):
            return found
    return Choice("none", "", "", f"no embedder is set up: {_SETUP}")


def build(choice: Choice, surroundings: Surroundings) -> Embedder | None:
    """Return the Embedder of *choice*, None for `none`; nothing is asked and nothing loaded."""
    return kind(choice.kind).build(choice, surroundings) if choice.kind in KINDS else None


def setup() -> tuple[Kind, Setup]:
    """Return the first kind whose weights can be fetched, and how that goes."""
    every = (kind(name) for name in KINDS)
    return next((it, it.setup()) for it in every if it.setup)
