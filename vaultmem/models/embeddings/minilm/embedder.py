"""The Embedder of a model directory: find, prove, load, then tokens in and unit vectors out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from vaultmem.errors import ModelAway
from vaultmem.models.embeddings.minilm import model_files
from vaultmem.models.embeddings.minilm.digest_cache import Verified
from vaultmem.models.embeddings.minilm.model_files import Weights
from vaultmem.models.embeddings.types import Encoded, Matrix, Tokens, Vector, well_formed

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_TOKENS = 256
"""How much of a text the model was made to see."""
_LONGEST = 256 * 32
"""Characters of a text that are cut into tokens: of a longer one only the beginning counts."""
_BATCH = 8
"""Texts at once: more pad more, and fall out of a core's cache."""
_SAMPLE, _SHORTEST, _TOGETHER = 1500, 3, 5
"""Words of the vocabulary that are a sample of it, their least length, how many are one text."""


class _Encoder(Protocol):
    def encode(self, batch: Sequence[Sequence[int]]) -> list[Matrix]:
        """Return the tokens' vectors, a token a row, for each text of *batch*, its token ids."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    tokenizer: Tokenizer
    encoder: _Encoder


class MiniLM:
    """An Embedder whose weights lie in *folder*; a question and a document are alike to it."""

    name = model_files.NAME
    model = model_files.MODEL

    def __init__(self, folder: Path, cache: Path | None) -> None:
        """Load nothing yet; the folder *cache* remembers that the weights were proved."""
        self._folder, self._verified = folder, Verified(cache)
        self._loaded: _Loaded | None = None

    @property
    def space(self) -> str:
        """The same for both formats: their vectors agree to six digits."""
        return f"{self.name}:{self.model}"

    def edition(self) -> str:
        """Return the revision; no other weights are ever loaded."""
        return model_files.REVISION

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return a unit vector for each of *texts*; raises ModelAway."""
        import numpy as np  # noqa: PLC0415  # as heavy as all else together

        vectors = np.empty((len(texts), model_files.DIMENSIONS), np.float32)
        for text in self.encoded(texts):
            vectors[text.number] = text.vector
        return vectors

    def query(self, text: str) -> Vector:
        """Return the unit vector of *text*; raises ModelAway."""
        vector: Vector = self.documents([text])[0]
        return vector

    def encoded(self, texts: Sequence[str]) -> Iterator[Encoded]:
        """Yield each of *texts* with its tokens, those of a length together; raises ModelAway."""
        if not texts:
            return
        import numpy as np  # noqa: PLC0415  # as above

        model = self._load()
        cut = [model.tokenizer.encode(well_formed(text[:_LONGEST])) for text in texts]
        ids = [text.ids for text in cut]
        for batch in _batches(ids):
            for n, tokens in zip(batch, model.encoder.encode([ids[n] for n in batch]), strict=True):
                mean = tokens.mean(axis=0)
                yield Encoded(n, mean / np.linalg.norm(mean), Tokens(cut[n].offsets, tokens))

    def sample(self) -> list[str]:
        """Return words of the vocabulary, a few to a text, always the same; raises ModelAway."""
        import numpy as np  # noqa: PLC0415  # as above

        known = sorted(self._load().tokenizer.get_vocab())
        words = [w for w in known if w.isascii() and w.isalpha() and len(w) >= _SHORTEST]
        drawn = np.random.default_rng(7).permutation(words)[:_SAMPLE].tolist()
        return [" ".join(drawn[n : n + _TOGETHER]) for n in range(0, len(drawn), _TOGETHER)]

    def _load(self) -> _Loaded:
        if self._loaded is None:
            found = model_files.find(self._folder)
            if found is None:
                raise missing(self._folder)
            model_files.verify(found, self._verified)
            self._loaded = _Loaded(_tokenizer(found.tokenizer), _encoder(found))
        return self._loaded


def missing(folder: Path) -> ModelAway:
    """Return what it means that *folder* holds no weights, with the way out."""
    return ModelAway(
        model_files.NAME,
        f"no weights of {model_files.MODEL} in {folder}; `vaultmem embedder setup` fetches them",
    )


def _batches(texts: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the numbers of *texts*, those of a length together."""
    order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
    for first in range(0, len(order), _BATCH):
        yield order[first : first + _BATCH]


def _tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer at *path*, which cuts at 256 tokens instead of its own 128."""
    from tokenizers import Tokenizer  # noqa: PLC0415  # only for whom it cuts

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(_TOKENS)
    tokenizer.no_padding()
    return tokenizer


def _encoder(found: Weights) -> _Encoder:
    try:
        if found.model.name == model_files.SAFETENSORS.name:
            from vaultmem.models.embeddings.minilm.numpy_backend import Bert  # noqa: PLC0415  # brings numpy

            return Bert(found.model)
        from vaultmem.models.embeddings.minilm.onnx_backend import Graph  # noqa: PLC0415  # brings onnxruntime

        return Graph(found.model)
    except (ImportError, OSError, RuntimeError) as e:
        raise ModelAway(model_files.NAME, f"{found.model} cannot be loaded: {e}") from e
