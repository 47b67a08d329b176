"""Embedders: which model turns texts into vectors, whether it answers, and setting one up.

They belong to a user, not to a vault: every vault that is opened in the same environment has the
same one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, ModelAway
from vaultmem.models import embeddings
from vaultmem.models.embeddings import Choice, Pin, Setup
from vaultmem.models.environment import surroundings
from vaultmem.models.providers import endpoint
from vaultmem.models.providers.types import Surroundings

_QUESTION = "Does it answer?"


def is_remote(name: str) -> bool:
    """Tell whether the embedder called *name*, as VAULTMEM_EMBEDDER has it, asks over a network."""
    return name in embeddings.KINDS and embeddings.kind(name).is_remote


@dataclass(frozen=True, slots=True)
class EmbedderStatus:
    """Who embeds, and what a probe of it came to."""

    kind: str
    model: str
    where: str
    why: str
    available: bool = False
    problem: str = ""
    space: str = ""
    edition: str = ""
    licence: str = ""
    dimensions: int = 0
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Weights:
    """The published weights of an embedder, where they come from, and the *folder* they go to."""

    kind: str
    folder: Path
    source: str
    _setup: Setup
    _surroundings: Surroundings

    @property
    def model(self) -> str:
        """The model's name."""
        return self._setup.model

    @property
    def revision(self) -> str:
        """Which edition of it is fetched."""
        return self._setup.revision

    @property
    def licence(self) -> str:
        """What it may be used for."""
        return self._setup.licence

    @property
    def page(self) -> str:
        """The web address where people read about it."""
        return self._setup.page(self.source)

    def lacking(self) -> Sequence[Pin]:
        """Return the files that the folder lacks, or has in another edition."""
        return self._setup.lacking(self.folder)

    def fetch(self, pin: Pin, told: Callable[[int], None] = lambda _: None) -> None:
        """Download one file; *told* hears how many bytes came. Raises Unavailable, DiskRefused."""
        self._setup.fetch(pin, self.source, self.folder, told)

    def copy(self, pin: Pin, origin: Path, told: Callable[[int], None] = lambda _: None) -> None:
        """Copy one file from the folder *origin* instead; raises as `fetch` does."""
        self._setup.copy(pin, origin, self.folder, told)

    def prove(self) -> None:
        """Remember that the files are the published ones, so that no question waits for that."""
        self._setup.prove(self.folder, self._surroundings)


def weights(
    folder: Path | None = None, source: str = "", *, env: Mapping[str, str] = os.environ
) -> Weights:
    """Return the weights that can be set up, for *folder* or where they belong for this user.

    *source* is a mirror to download them from. Raises BadInput for one that is no web address.
    """
    kind, setup = embeddings.setup()
    around = surroundings(env, Path.home())
    place = (folder or setup.folder(around, Path.home())).absolute()
    if source and not endpoint.is_web(source):
        raise BadInput(
            f"the source {quoted(source)} is no web address, it takes one as https://host"
        )
    return Weights(kind.name, place, source or setup.source, setup, around)


def choice(env: Mapping[str, str] = os.environ) -> Choice:
    """Return who embeds where *env* is the environment, and why; raises BadInput."""
    return embeddings.choose(surroundings(env, Path.home()), Path.home())


def status(
    env: Mapping[str, str] = os.environ, timer: Callable[[], float] = perf_counter
) -> EmbedderStatus:
    """Return who embeds, and whether it answers a question now; raises BadInput."""
    around = surroundings(env, Path.home())
    chosen = embeddings.choose(around, Path.home())
    found = EmbedderStatus(chosen.kind, chosen.model, chosen.where, chosen.why)
    embedder = embeddings.build(chosen, around)
    if embedder is None:
        return found
    licence = embeddings.kind(chosen.kind).licence
    found = replace(found, space=embedder.space, licence=licence)
    began = timer()
    try:
        size = len(embedder.query(_QUESTION))
        took = round((timer() - began) * 1000, 1)
        return replace(
            found, available=True, edition=embedder.edition(), dimensions=size, milliseconds=took
        )
    except ModelAway as e:
        return replace(found, problem=str(e))
