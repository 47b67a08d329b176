"""One Chroma collection, opened: what we ask of Chroma, and every way in which it fails, named."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx
from chromadb.errors import ChromaError, NotFoundError

from vaultmem.models.embeddings.types import Vector
from vaultmem.retrieval.vectors.types import StoreAway
from vaultmem.storage.batches import batches

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

_DELETED_AT_ONCE = 5000
_STAMP = "fed"
_FAULTS = (ChromaError, httpx.HTTPError, OSError, ValueError, KeyError, TypeError)
"""What chromadb 1.5 raises: its own errors for what Chroma refuses or finds damaged, httpx's for a
connection, and bare Python ones where a server's answer is none of Chroma's."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One passage as Chroma holds it, for us and for any other reader of the store."""

    key: str
    sha: str
    vector: bytes
    document: str
    metadata: Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True)
class About:
    """Which collection is meant: its name, and whose vectors must be in it."""

    name: str
    space: str
    edition: str

    @property
    def metadata(self) -> dict[str, str]:
        """Return what its collection says of itself."""
        return {"made_by": "vaultmem", "space": self.space, "edition": self.edition}


@contextlib.contextmanager
def answering(who: str) -> Iterator[None]:
    """Raise StoreAway, naming *who*, for anything that Chroma does not manage."""
    try:
        yield
    except _FAULTS as e:
        why = " ".join(str(e).split())[:200] or type(e).__name__
        raise StoreAway(f"{who} does not answer as it should: {why}") from e


class Store:
    """The collection *about* something, as one client sees it."""

    def __init__(self, client: Client, collection: Collection, who: str) -> None:
        """Speak for *who* through *client*."""
        self._client, self._collection, self._who = client, collection, who
        self.identity = str(collection.id)

    def close(self) -> None:
        """Give back what the client holds."""
        end(self._client)

    def count(self) -> int:
        """Return how many entries it says it has."""
        with answering(self._who):
            return self._collection.count()

    def keys(self) -> list[str]:
        """Return the keys of all its entries."""
        with answering(self._who):
            return self._collection.get(include=[])["ids"]

    def nearest(self, vector: Vector, many: int) -> list[str]:
        """Return the keys of about so many entries that lie nearest."""
        with answering(self._who):
            found = self._collection.query(
                query_embeddings=[vector.tolist()], n_results=many, include=[]
            )
            return found["ids"][0]

    def take(self, entries: Sequence[Entry], vectors: Sequence[Vector]) -> None:
        """Add *entries*, or replace those it has under their keys."""
        with answering(self._who):
            self._collection.upsert(
                ids=[e.key for e in entries],
                embeddings=[vector.tolist() for vector in vectors],
                documents=[e.document for e in entries],
                metadatas=[dict(e.metadata) for e in entries],
            )

    def lose(self, keys: Sequence[str]) -> None:
        """Drop entries; those that are not there are no error."""
        for part in batches(keys, _DELETED_AT_ONCE):
            with answering(self._who):
                self._collection.delete(ids=part)

    def stamp(self, token: str) -> None:
        """Leave *token* in it: a copy from before is told from it by that."""
        with answering(self._who):
            self._collection.modify(metadata={**(self._collection.metadata or {}), _STAMP: token})

    @property
    def token(self) -> str:
        """What the last feeding left in it."""
        return str((self._collection.metadata or {}).get(_STAMP, ""))

    def rename(self, name: str) -> None:
        """Take the place of the collection of that *name*."""
        with answering(self._who):
            with contextlib.suppress(NotFoundError):
                self._client.delete_collection(name)
            self._collection.modify(name=name)


def sessions(client: Client) -> Iterator[httpx.Client]:
    """Yield the connections of a server's client and of its inner one: chromadb hides them."""
    for server in (client._server, client._admin_client._server):  # type: ignore[attr-defined]  # noqa: SLF001  # there is no other way
        if connections := getattr(server, "_session", None):
            yield connections


def end(client: Client) -> None:
    """Close *client*, and its connections, which chromadb leaves open."""
    open_ones = list(sessions(client))
    client.close()
    for connections in open_ones:
        connections.close()


def find(client: Client, about: About, who: str) -> Store | None:
    """Return the collection, None when there is none or it holds another space's vectors."""
    with answering(who):
        try:
            found = client.get_collection(about.name, embedding_function=None)
        except NotFoundError:
            return None
        return Store(client, found, who) if _fits(found.metadata, about) else None


def make(client: Client, about: About, who: str) -> Store:
    """Return an empty collection; one that has its name goes."""
    with answering(who):
        with contextlib.suppress(NotFoundError):
            client.delete_collection(about.name)
        made = client.create_collection(
            about.name,
            configuration={"hnsw": {"space": "cosine"}},
            metadata=about.metadata,
            embedding_function=None,  # else Chroma would load one of its own
        )
        return Store(client, made, who)


def _fits(metadata: Mapping[str, object] | None, about: About) -> bool:
    return all((metadata or {}).get(key) == value for key, value in about.metadata.items())
