"""Who embeds: decided from the surroundings and a look for weights, with the reason in words.

Nothing heavy is loaded here, so that `status` may say it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from vaultmem.models.embeddings.minilm import model_files
from vaultmem.models.embeddings.types import Embedder
from vaultmem.models.providers import endpoint
from vaultmem.models.providers.environment import Surroundings

USUAL = "nomic-embed-text"
"""The model of Ollama for whoever names none: small, and the most used there."""

_SETUP = "`vaultmem embedder setup` fetches one of 91 MB"


@dataclass(frozen=True, slots=True)
class Choice:
    """The *kind* of embedder, its *model*, *where* it is (a folder, a host), and *why* it.

    *model* and *where* are empty for `none`; *where* never holds a credential.
    """

    kind: Literal["none", "ollama", "minilm"]
    model: str
    where: str
    why: str


def choose(surroundings: Surroundings, home: Path) -> Choice:
    """Return who embeds: whoever is named, else MiniLM if its weights are found, else nobody.

    Below *home* Chroma keeps its weights.
    """
    said = "VAULTMEM_EMBEDDER says so"
    match surroundings.embedder:
        case "none":
            return Choice("none", "", "", "VAULTMEM_EMBEDDER is none")
        case "ollama":
            model = surroundings.embed_model or USUAL
            return Choice("ollama", model, endpoint.shown(surroundings.ollama_host), said)
        case "minilm":
            return _minilm(_found(surroundings, home) or folder(surroundings, home), said)
        case _:
            return _unnamed(surroundings, home)


def folder(surroundings: Surroundings, home: Path) -> Path:
    """Return where the weights of this user belong."""
    if surroundings.model_dir:
        return _expanded(surroundings.model_dir, home)
    data = surroundings.data or home / ".local/share"
    return data / "vaultmem/models" / model_files.MODEL


def cache(surroundings: Surroundings) -> Path | None:
    """Return where it is remembered that weights were proved, None for nowhere."""
    return surroundings.cache and surroundings.cache / "vaultmem"


def _unnamed(surroundings: Surroundings, home: Path) -> Choice:
    if surroundings.model_dir:
        return _minilm(folder(surroundings, home), "VAULTMEM_MODEL_DIR says so")
    if found := _found(surroundings, home):
        return _minilm(found, "its weights are there")
    return Choice("none", "", "", f"no embedder is set up: {_SETUP}")


def _found(surroundings: Surroundings, home: Path) -> Path | None:
    """Return the first folder with weights; what Chroma has counts if it can be proved."""
    ours = folder(surroundings, home)
    if model_files.find(ours):
        return ours
    theirs = model_files.chromas(home)
    if (
        not surroundings.model_dir
        and model_files.archive(theirs).is_file()
        and model_files.find(theirs)
    ):
        return theirs
    return None


def _minilm(where: Path, why: str) -> Choice:
    return Choice("minilm", model_files.MODEL, str(where), why)


def _expanded(text: str, home: Path) -> Path:
    return home / text[2:] if text.startswith("~/") else Path(text).absolute()


def build(choice: Choice, surroundings: Surroundings) -> Embedder | None:
    """Return the Embedder of *choice*, None for `none`; nothing is asked and nothing loaded."""
    match choice.kind:
        case "none":
            return None
        case "ollama":
            from vaultmem.models.embeddings.ollama import Ollama  # noqa: PLC0415  # one of them is enough

            return Ollama(choice.model, surroundings.ollama_host)
        case "minilm":
            from vaultmem.models.embeddings.minilm import MiniLM  # noqa: PLC0415  # likewise

            return MiniLM(Path(choice.where), cache(surroundings))
