"""The Chroma store of a vault: asked, fed, and left alone for a while when it does not answer."""

from __future__ import annotations

import contextlib
import math
import socket
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from vaultmem.retrieval.vectors.approximate_engine import Proposing
from vaultmem.retrieval.vectors.chroma_collection import About
from vaultmem.retrieval.vectors.chroma_ledger import Ledger
from vaultmem.retrieval.vectors.chroma_location import Folder, Place, Server
from vaultmem.retrieval.vectors.chroma_sync import Living, StoreFeed
from vaultmem.retrieval.vectors.chroma_url import Url
from vaultmem.retrieval.vectors.embedding_cache import Blobs, Space
from vaultmem.retrieval.vectors.exact_engine import Question, Similarities
from vaultmem.retrieval.vectors.types import StoreAway, StoreLost
from vaultmem.storage.index import Index

_PAUSE = 10.0


class Chroma:
    """The store at one place: what proposes and what feeds."""

    def __init__(self, blobs: Blobs, place: Place, vault: str, clock: Callable[[], float]) -> None:
        """Use the store at *place*; its collections are named for *vault* and their space."""
        self._blobs, self._place, self._vault, self._clock = blobs, place, vault, clock
        self._proposing = Proposing(blobs, place)
        self._pause_until, self._trouble = -math.inf, ""

    def close(self) -> None:
        """Give back what is held open."""
        self._proposing.close()

    def ask(self, question: Question) -> Similarities | None:
        """Compare with what the store holds; None when it cannot be asked just now.

        Raises StoreAway. A server that did not answer is left alone for ten seconds.
        """
        with self._patience():
            return self._proposing.ask(self._about(question.space), question)

    def feed(self, index: Index, space: Space, living: Living, over: Callable[[], bool]) -> int:
        """Feed *living* until it is *over*; return how many entries went in; raises StoreAway."""
        ledger = Ledger(self._blobs.database, self._place.key, space)
        about = self._about(space)
        with self._patience():
            return StoreFeed(index, self._blobs, ledger, self._place, about, over).run(living)

    @contextlib.contextmanager
    def _patience(self) -> Iterator[None]:
        if self._clock() < self._pause_until:
            raise StoreAway(self._trouble)
        try:
            yield
        except StoreAway as e:
            self._proposing.close()
            if self._place.live and not isinstance(e, StoreLost):
                self._pause_until, self._trouble = self._clock() + _PAUSE, str(e)
            raise

    def _about(self, space: Space) -> About:
        """Name the collection: no vault on no machine may take another's for its own."""
        named = sha256(f"{self._vault}\0{space.name}".encode()).hexdigest()
        return About(f"vaultmem-{named[:24]}", space.name, space.edition)


def in_folder(blobs: Blobs, vault: Path, clock: Callable[[], float]) -> Chroma:
    """Return the store embedded in the *vault*; it moves with it."""
    return Chroma(blobs, Folder(vault / ".vaultmem"), "", clock)


def at_server(
    blobs: Blobs, vault: Path, url: Url, headers: Mapping[str, str], clock: Callable[[], float]
) -> Chroma:
    """Return the store that the server at *url* keeps for the *vault* of this machine."""
    place = Server(url, headers, Folder(vault / ".vaultmem"))
    return Chroma(blobs, place, f"{socket.gethostname()}\0{vault.resolve()}", clock)
