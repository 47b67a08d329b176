"""What an embedder is: texts in, points of one space out, whoever computes them; and its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, runtime_checkable

from vaultmem.models.providers.types import Surroundings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# In quotes: numpy is loaded where vectors are made, not where they are named.
Vector: TypeAlias = "NDArray[np.float32]"
"""One text: float32, shape (dimensions,), length 1."""
Matrix: TypeAlias = "NDArray[np.float32]"
"""One text a row: float32, shape (texts, dimensions), each row of length 1."""


class Embedder(Protocol):
    """What turns texts into points of one space; near points mean alike."""

    name: str
    """The name of its kind."""
    model: str

    @property
    def space(self) -> str:
        """Name the space its vectors lie in, `ollama:nomic-embed-text`; costs nothing to ask."""

    def edition(self) -> str:
        """Return what tells these weights from others of the same name; raises ModelAway."""

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of *texts* that are to be found; raises ModelAway."""

    def query(self, text: str) -> Vector:
        """Return the vector of a question; raises ModelAway."""


class Tokens(NamedTuple):
    """What a text was cut into: where each token stands in it, and its vector in the last layer.

    A span is the first character and the one after the last; a token that frames a text has none.
    """

    spans: Sequence[tuple[int, int]]
    vectors: Matrix


class Encoded(NamedTuple):
    """One of several texts, by its *number*: its unit vector, and what that was averaged from."""

    number: int
    vector: Vector
    tokens: Tokens


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that shows the vectors of a text's tokens, too: late interaction needs them."""

    def encoded(self, texts: Sequence[str]) -> Iterator[Encoded]:
        """Yield each of *texts*, in any order, with its tokens; raises ModelAway."""

    def sample(self) -> list[str]:
        """Return texts that show what its token vectors are like, always the same."""


class Choice(NamedTuple):
    """The *kind* of embedder, its *model*, *where* it is (a folder, a host), and *why* it.

    *model* and *where* are empty for `none`; *where* never holds a credential.
    """

    kind: str
    model: str
    where: str
    why: str


class Pin(NamedTuple):
    """A file as it was published: its *name*, its *size* in bytes, its sha-256."""

    name: str
    size: int
    sha: str


Told = Callable[[int], None]
"""Is told of each step how many bytes more are there."""


class Setup(NamedTuple):
    """How the weights of a model come to this machine.

    *source* is the web address that they come from, *page* shows the model's page there, *folder*
    tells where they belong for a user, *lacking* which files a folder lacks. *fetch* brings one of
    them from a web address, *copy* from a folder; *prove* remembers that a folder's are the
    published ones.
    """

    model: str
    revision: str
    licence: str
    source: str
    page: Callable[[str], str]
    folder: Callable[[Surroundings, Path], Path]
    lacking: Callable[[Path], Sequence[Pin]]
    fetch: Callable[[Pin, str, Path, Told], None]
    copy: Callable[[Pin, Path, Path, Told], None]
    prove: Callable[[Path, Surroundings], None]


class Kind(NamedTuple):
    """One kind of embedder, by its *name*: what choosing, building, status and setup need of it.

    *choose* answers a user who named it, given their surroundings, their home and why it is chosen.
    *find* chooses it unasked where it is already there, else returns None. *build* asks nobody and
    loads nothing heavy; *setup* is None where there is nothing to fetch. *is_remote* says that it
    asks over a network, if only this machine's.
    """

    name: str
    choose: Callable[[Surroundings, Path, str], Choice]
    build: Callable[[Choice, Surroundings], Embedder]
    find: Callable[[Surroundings, Path], Choice | None] = lambda _surroundings, _home: None
    licence: str = ""
    setup: Callable[[], Setup] | None = None
    is_remote: bool = False


def well_formed(text: str) -> str:
    """Return *text* as UTF-8 can carry it: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
