"""A small vault and an embedder that needs no model, for the scenes about vectors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vaultmem.errors import ModelAway
from vaultmem.retrieval.search.types import Scope
from vaultmem.retrieval.vectors import Vectors
from vaultmem.storage import reader
from vaultmem.storage.files import Root
from vaultmem.storage.index import Index, Source

if TYPE_CHECKING:
    from vaultmem.models.embeddings.types import Matrix, Vector

SIZE = 64
ANYWHERE = Scope().filter()


class Words:
    """An embedder whose meaning is words: near are texts that share many of them."""

    name, model = "words", "hashed"

    def __init__(self, space: str = "words:hashed", edition: str = "1") -> None:
        """Embed into *space*, as weights of that *edition* do."""
        self.space, self.weights = space, edition
        self.embedded: list[str] = []
        self.asked: list[str] = []
        self.away = False
        self.size = SIZE

    def edition(self) -> str:
        """Return which weights they are."""
        self._answer()
        return self.weights

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return a vector a text."""
        self._answer()
        self.embedded += texts
        return np.stack([self._point(text) for text in texts])

    def query(self, text: str) -> Vector:
        """Return the vector of a question."""
        self._answer()
        self.asked.append(text)
        return self._point(text)

    def _answer(self) -> None:
        if self.away:
            raise ModelAway("words", "nobody answers")

    def _point(self, text: str) -> Vector:
        point = np.zeros(self.size, np.float32)
        for word in text.lower().replace(".", " ").split():
            seed = blake2b((self.weights + word).encode(), digest_size=4).digest()
            point += np.random.default_rng(int.from_bytes(seed)).normal(size=self.size)
        length = np.linalg.norm(point)
        return np.asarray(point / length if length else point, np.float32)


class Points:
    """A folder of memories and the catalog of it."""

    def __init__(self, path: Path) -> None:
        """Open the folder *path*."""
        path.mkdir(exist_ok=True)
        self.path, self.root = path, Root(path)
        self.index = Index(
            path / ".vaultmem/index/catalog.sqlite3",
            Source.of(self.root),
            reader.record,
        )

    def close(self) -> None:
        """Give back what is open."""
        self.index.close()
        self.root.close()

    def remember(self, name: str, text: str, *, agent: str = "ada", day: int = 1) -> int:
        """Write a memory, let the catalog know, and return its doc."""
        path = self.write(name, text, agent=agent, day=day)
        self.index.absorb([path])
        return self.doc(path)

    def write(self, name: str, text: str, *, agent: str = "ada", day: int = 1) -> str:
        """Write a memory's file and return its path; the catalog does not know yet."""
        path = f"agents/{agent}/memories/{name}.md"
        head = f"type: memory\nid: {ulid(name)}\ncreated: 2026-11-{day:02}T10:00:00Z\n"
        self.put(path, f"---\n{head}---\n{text}\n")
        return path

    def put(self, path: str, text: str) -> None:
        """Write a file, whole or not at all."""
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f".vm-tmp-{os.getpid()}-{target.name}")
        fresh.write_text(text)
        fresh.replace(target)

    def forget(self, path: str) -> None:
        """Delete a file and let the catalog know."""
        (self.path / path).unlink()
        self.index.absorb([path])

    def doc(self, path: str) -> int:
        """Return the number that the catalog gave a file."""
        found = self.index.value("SELECT doc FROM docs WHERE path = ?", path)
        assert isinstance(found, int)
        return found


def ulid(name: str) -> str:
    """Return an id for a memory of that *name*."""
    digest = int.from_bytes(blake2b(name.encode(), digest_size=12).digest())
    letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    return "01KAFX" + "".join(letters[digest >> 5 * i & 31] for i in range(20))


class Clock:
    """A monotonic clock that moves when it is told."""

    def __init__(self) -> None:
        """Begin at 1000 s."""
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def nearest(vectors: Vectors, query: str, k: int = 1) -> list[str]:
    """Return the names of the memories nearest to *query*, best first, as recall would find them.

    What another process has written or deleted is looked for first, as every command does.
    """
    index = vectors.index
    index.sync()
    near = vectors.ask(query)
    with index.snapshot():
        found = near.nearest(ANYWHERE, k)
        rows = dict(index.db.execute("SELECT doc, stem FROM docs"))
    return [rows[doc] for doc in found]
