"""What the vectors say of themselves, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vaultmem.errors import Unavailable

LOOK = 512
"""Texts an engine is asked for first: some hundreds cost it little more than ten."""

Engine = Literal["exact", "coded", "chroma", "server", "given"]


class StoreAway(Unavailable):
    """A Chroma store does not answer as it should; our own vectors answer in its place."""


class StoreLost(StoreAway):
    """A store answers, and has lost what it was fed."""


@dataclass(frozen=True, slots=True)
class Caught:
    """What one catch-up did: texts *embedded*, texts *left* without a vector, entries *fed*.

    *refused* of those left were shown to the model, and it gave no vector.
    """

    embedded: int = 0
    left: int = 0
    fed: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """How many passages there are, how many have a vector, and what finds the nearest.

    *fed* counts what the Chroma store holds; *url* is the server's, without credentials; *reason*
    says what is not as it should be, "" when all is well.
    """

    passages: int
    embedded: int
    dimensions: int
    engine: Engine
    url: str
    fed: int
    reason: str
