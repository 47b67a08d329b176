"""Ollama's embedding models, through its official client: a few dozen texts a request.

What fails is tried once more, what is silent is not; then nobody asks for half a minute, so that
words alone answer at once, and after that it heals by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from vaultmem.errors import ModelAway
from vaultmem.models.embeddings import prefixes
from vaultmem.models.embeddings.types import Choice, Kind, Matrix, Vector, well_formed
from vaultmem.models.providers import endpoint, provider_errors
from vaultmem.models.providers.ollama_client import KEEP, NAME, UNREADABLE, connected
from vaultmem.models.providers.provider_errors import Waits
from vaultmem.models.providers.retry import Pace, Patience
from vaultmem.models.providers.types import Surroundings

USUAL = "nomic-embed-text"
"""The model for whoever names none: small, and the most used there."""

# A cold model takes seconds to load; who hangs up before that ends the loading.
_WAITS = Waits(connect=2, silence=60, whole=600)
_QUESTION, _LISTING = 10.0, 5.0
"""The most seconds of silence before a question's vector, and before the list of models."""
_TRIES = 2
_REST = 30.0
_TEXTS, _CHARACTERS = 32, 100_000
"""The most that one request holds: an answer within seconds on a machine without a GPU."""
_LONGEST = 32_000
"""How many characters of a text are sent: 8192 tokens, which the longest of models read."""
_BLANK = "."
"""Sent for a text of white space, for which some servers return no vector at all."""


class Ollama:
    """An Embedder that asks *model* of the Ollama at *host*, a whole URL."""

    name = NAME

    def __init__(
        self, model: str, host: str, waits: Waits = _WAITS, pace: Pace | None = None
    ) -> None:
        """Ask nobody yet; documents have all of *waits*, somebody sits before a question."""
        self.model = model.removesuffix(":latest")
        self._host, self._waits = host, waits
        self._task = prefixes.of(self.model)
        self._patience = Patience(pace or Pace(), _REST, _TRIES)

    @property
    def space(self) -> str:
        """The model by its name; that its weights change is told by `edition`."""
        return f"{self.name}:{self.model}"

    def edition(self) -> str:
        """Return the digest of the model, empty where the server lists none; raises ModelAway."""
        return self._patience.ask(self._digest)

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return a unit vector for each of *texts*; raises ModelAway, not lasting for bad texts."""
        sent = [self._task.document + _sent(text) for text in texts]
        return self._embed(sent, self._waits)

    def query(self, text: str) -> Vector:
        """Return the unit vector of the question *text*; raises ModelAway."""
        waits = _within(self._waits, _QUESTION)
        vector: Vector = self._embed([self._task.query + _sent(text)], waits)[0]
        return vector

    def _embed(self, texts: Sequence[str], waits: Waits) -> Matrix:
        from vaultmem.models.embeddings.normalization import joined  # noqa: PLC0415  # brings numpy

        requests = (partial(self._request, part, waits) for part in _parts(texts))
        return joined([self._patience.ask(one) for one in requests], self.name)

    def _request(self, texts: Sequence[str], waits: Waits) -> Sequence[Sequence[float]]:
        try:
            with connected(self._host, waits, self.model) as client:
                found = client.embed(self.model, texts, truncate=True, keep_alive=KEEP).embeddings
        except UNREADABLE as e:
            raise provider_errors.garbled(self.name) from e
        except ModelAway as e:
            raise _in_the_texts(e) from e
        if len(found) != len(texts):
            raise ModelAway(self.name, f"returned {len(found)} vectors for {len(texts)} texts")
        return found

    def _digest(self) -> str:
        try:
            with connected(self._host, _within(self._waits, _LISTING)) as client:
                listed = client.list().models
        except UNREADABLE as e:
            raise provider_errors.garbled(self.name) from e
        named = (m for m in listed if (m.model or "").removesuffix(":latest") == self.model)
        return next((m.digest or "" for m in named), "")


def _within(waits: Waits, silence: float) -> Waits:
    return replace(waits, silence=min(waits.silence, silence))


def _sent(text: str) -> str:
    return well_formed(text[:_LONGEST]) if text.strip() else _BLANK


def _parts(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield *texts* in requests of a size, in order."""
    first = size = 0
    for number, text in enumerate(texts):
        if number - first == _TEXTS or (number > first and size + len(text) > _CHARACTERS):
            yield texts[first:number]
            first, size = number, 0
        size += len(text)
    if texts:
        yield texts[first:]


def _in_the_texts(fault: ModelAway) -> ModelAway:
    """Return *fault* as one of these texts where a model stumbles over one of them.

    Some models make numbers that are none of some texts, and their server says so with a 500
    (github.com/ollama/ollama, "json: unsupported value: NaN").
    """
    if "NaN" in fault.why:
        return ModelAway(fault.name, fault.why, lasting=False)
    return fault


def _choose(surroundings: Surroundings, _: Path, why: str) -> Choice:
    model = surroundings.embed_model or USUAL
    return Choice(NAME, model, endpoint.shown(surroundings.ollama_host), why)


KIND = Kind(NAME, _choose, lambda it, at: Ollama(it.model, at.ollama_host), is_remote=True)
