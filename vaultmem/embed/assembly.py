"""The Embedder that a choice stands for."""

from __future__ import annotations

from pathlib import Path

from vaultmem.embed.choice import Choice, cache
from vaultmem.embed.model import Embedder
from vaultmem.models.settings import Surroundings


def build(choice: Choice, surroundings: Surroundings) -> Embedder | None:
    """Return the Embedder of *choice*, None for `none`; nothing is asked and nothing loaded."""
    match choice.kind:
        case "none":
            return None
        case "ollama":
            from vaultmem.embed.ollama import Ollama  # noqa: PLC0415  # one of them is enough

            return Ollama(choice.model, surroundings.ollama_host)
        case "minilm":
            from vaultmem.embed.minilm import MiniLM  # noqa: PLC0415  # likewise

            return MiniLM(Path(choice.where), cache(surroundings))
