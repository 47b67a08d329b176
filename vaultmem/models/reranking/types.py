"""What a reranker is: a question and texts in, a grade of each out; and its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from vaultmem.models.providers.types import Surroundings


@runtime_checkable
class Reranker(Protocol):
    """What reads a question beside each text, which costs too much for more than a few.

    One of a caller's own is waited for without a limit: it sets its own. What it raises is named,
    and the order stays.
    """

    name: str
    """What it is called where it is named, as its kind or `acme-cross-3`."""

    def grades(self, question: str, texts: Sequence[str]) -> Iterable[float]:
        """Return how well each of *texts* answers it, in their order: the higher, the better.

        A finite number each, of any scale; a numpy array will do. Ours raise ModelAway.
        """


class Kind(NamedTuple):
    """One kind of reranker, by its *name*.

    *build* asks nobody and loads nothing heavy; it raises BadInput for a setting that is missing.
    """

    name: str
    build: Callable[[Surroundings], Reranker]
