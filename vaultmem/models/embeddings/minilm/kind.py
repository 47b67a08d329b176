"""MiniLM as a kind of embedder: where its weights are, why it is chosen, how they are fetched."""

from __future__ import annotations

from pathlib import Path

from vaultmem.models.embeddings.minilm import model_files
from vaultmem.models.embeddings.minilm.digest_cache import Verified
from vaultmem.models.embeddings.types import Choice, Embedder, Kind, Setup
from vaultmem.models.providers.types import Surroundings


def folder(surroundings: Surroundings, home: Path) -> Path:
    """Return where the weights of this user belong."""
    if named := surroundings.model_dir:
        return home / named[2:] if named.startswith("~/") else Path(named).absolute()
    data = surroundings.data or home / ".local/share"
    return data / "vaultmem/models" / model_files.MODEL


def _cache(surroundings: Surroundings) -> Path | None:
    """Return where it is remembered that weights were proved, None for nowhere."""
    return surroundings.cache and surroundings.cache / "vaultmem"


def _choose(surroundings: Surroundings, home: Path, why: str) -> Choice:
    return _choice(_weights(surroundings, home) or folder(surroundings, home), why)


def _find(surroundings: Surroundings, home: Path) -> Choice | None:
    if surroundings.model_dir:
        return _choice(folder(surroundings, home), "VAULTMEM_MODEL_DIR says so")
    found = _weights(surroundings, home)
    return _choice(found, "its weights were found") if found else None


def _choice(where: Path, why: str) -> Choice:
    return Choice(model_files.NAME, model_files.MODEL, str(where), why)


def _weights(surroundings: Surroundings, home: Path) -> Path | None:
    """Return the first folder with weights; Chroma's below *home* counts if it can be proved."""
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


def _build(choice: Choice, surroundings: Surroundings) -> Embedder:
    from vaultmem.models.embeddings.minilm.embedder import MiniLM  # noqa: PLC0415  # most have none

    return MiniLM(Path(choice.where), _cache(surroundings))


def _setup() -> Setup:
    from vaultmem.models.embeddings.minilm import download  # noqa: PLC0415  # brings urllib

    return Setup(
        model_files.MODEL,
        model_files.REVISION,
        model_files.LICENCE,
        download.SOURCE,
        download.page,
        folder,
        download.lacking,
        download.fetch,
        download.copy,
        _prove,
    )


def _prove(where: Path, surroundings: Surroundings) -> None:
    if found := model_files.find(where):
        model_files.verify(found, Verified(_cache(surroundings)))


KIND = Kind(
    model_files.NAME,
    _choose,
    _build,
    _find,
    model_files.LICENCE,
    _setup,
)
