"""Who reranks, of the kinds listed here: whoever is named, and else nobody."""

from __future__ import annotations

import importlib

from vaultmem.models.providers.types import Surroundings
from vaultmem.models.reranking.types import Kind, Reranker

KINDS = ("ollama",)
"""The kinds of rerankers, a module of that name each."""

NAMES = ("none", *KINDS)
"""What a user may name: a kind, or nobody."""


def build(surroundings: Surroundings) -> Reranker | None:
    """Return the Reranker that is named, None where nobody is; raises BadInput."""
    if surroundings.reranker not in KINDS:
        return None
    kind: Kind = importlib.import_module(f"{__package__}.{surroundings.reranker}").KIND
    return kind.build(surroundings)
