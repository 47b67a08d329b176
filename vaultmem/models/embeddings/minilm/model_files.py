"""Which files are all-MiniLM-L6-v2, where they lie, and the proof that they are what they say.

Weights are code in all but name, and vectors of other weights than the vault's are noise: what is
not the published file, byte for byte, is not loaded.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vaultmem.errors import ModelAway
from vaultmem.models.embeddings.minilm.digest_cache import Verified
from vaultmem.models.embeddings.types import Pin

NAME: Final = "minilm"
MODEL: Final = "all-MiniLM-L6-v2"
REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
"""The commit of sentence-transformers/all-MiniLM-L6-v2 that the digests are of."""
LICENCE = "Apache-2.0"
DIMENSIONS = 384

TOKENIZER = Pin(
    "tokenizer.json", 466_247,
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)  # fmt: skip
SAFETENSORS = Pin(
    "model.safetensors", 90_868_376,
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)  # fmt: skip
ONNX = Pin(
    "model.onnx", 90_405_214,
    "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452",
)  # fmt: skip
CHROMAS = Pin(
    "onnx.tar.gz", 83_178_821,
    "913d7300ceae3b2dbc2c50d1de4baacab4be7b9380491c27fab7418616a16ec3",
)  # fmt: skip
"""What Chroma downloads and unpacks; it leaves the archive beside the folder."""
PINS = {pin.name: pin for pin in (TOKENIZER, SAFETENSORS, ONNX)}

_CHROMA = ".cache/chroma/onnx_models/all-MiniLM-L6-v2/onnx"
_PLACES = ("model.safetensors", "model.onnx", "onnx/model.onnx")


@dataclass(frozen=True, slots=True)
class Weights:
    """The two files that a model is: its *model* and the *tokenizer* that goes with it."""

    model: Path
    tokenizer: Path

    @property
    def files(self) -> tuple[Path, Path]:
        """Both, the small one first."""
        return self.tokenizer, self.model


def chromas(home: Path) -> Path:
    """Return where Chroma keeps the model below *home*, if it does."""
    return home / _CHROMA


def archive(folder: Path) -> Path:
    """Return where Chroma leaves the archive that it unpacked into *folder*."""
    return folder.parent / CHROMAS.name


def find(folder: Path) -> Weights | None:
    """Return the weights that lie in *folder*, unread, or None."""
    for place in _PLACES:
        model = folder / place
        if model.is_file():
            beside = (model.with_name(TOKENIZER.name), folder / TOKENIZER.name)
            tokenizer = next((path for path in beside if path.is_file()), None)
            if tokenizer:
                return Weights(model, tokenizer)
    return None


def verify(weights: Weights, verified: Verified) -> None:
    """Return if both files are as they were published; raises ModelAway naming the one that is not.

    What was verified before and has not been touched since is not read again.
    """
    for path in weights.files:
        if not any(verified.holds(path, pin.sha) for pin in (PINS[path.name], CHROMAS)):
            verified.add(path, _proof(path))


def _proof(path: Path) -> str:
    """Return the digest that vouches for the file at *path*: its own, or that of its archive."""
    try:
        found = digest(path)
        if found == PINS[path.name].sha:
            return found
        if found == _unpacked(archive(path.parent), path.name):
            return CHROMAS.sha
    except OSError as e:
        raise ModelAway(NAME, f"{path}: {e.strerror or e}") from e
    raise ModelAway(NAME, f"{path} is not the file of {MODEL} that was published (its sha256 is "
                    f"{found}); `vaultmem embedder setup` fetches that")  # fmt: skip


def _unpacked(packed: Path, name: str) -> str:
    """Return the digest of the file *name* in Chroma's archive, empty if *packed* is not that."""
    if not packed.is_file() or digest(packed) != CHROMAS.sha:
        return ""
    import tarfile  # noqa: PLC0415  # once in the life of such a file

    with tarfile.open(packed) as opened:
        for member in opened:
            if member.name.rpartition("/")[2] == name and (file := opened.extractfile(member)):
                return hashlib.sha256(file.read()).hexdigest()
    return ""


def digest(path: Path) -> str:
    """Return the sha-256 of the file at *path*; raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
