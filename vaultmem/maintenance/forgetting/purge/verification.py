"""Prove that nothing is left: look at every git object, every file, every byte of every cache."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from vaultmem.errors import Unavailable
from vaultmem.maintenance.forgetting.purge import file_blocks
from vaultmem.maintenance.forgetting.purge.types import Proof
from vaultmem.maintenance.forgetting.redaction import DistinctiveWords, Remainder, folded, words
from vaultmem.maintenance.forgetting.tombstone_hashes import Hashes
from vaultmem.storage import files, tombstone_digests
from vaultmem.storage.git import Repository, copies, history_rewrite
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone

_STRONG = 5
"""Letters of a word that no noise of bytes makes by chance."""


def by_words(
    store: Store,
    distinctive: DistinctiveWords,
    vectors: Collection[bytes] = (),
    old: Collection[str] = (),
) -> Proof:
    """Look for the words that give it away, for its *vectors*, and for the *old* blobs."""
    made = _Search(store, _Words(distinctive, vectors), old).proof("words")
    return replace(made, words=len(distinctive.terms), phrases=len(distinctive.runs))


def by_hash(store: Store, found: Collection[Tombstone]) -> Proof:
    """Look for texts, lines and sentences that a tombstone's hash knows: no word is needed."""
    texts = {digest for it in found for digest in it.digests}
    parts = {part for it in found for part in it.parts}
    made = _Search(store, Hashes(found)).proof("hash")
    return replace(made, words=len(texts), phrases=len(parts), still=tuple(_still(store, found)))


def _still(store: Store, found: Collection[Tombstone]) -> Iterator[Remainder]:
    """Yield the files that say a phrase which other files still said when it was purged."""
    known = {(it.salt, phrase) for it in found for phrase in it.phrases}
    sizes = {(salt, int(phrase.partition(":")[0])) for salt, phrase in known}
    for path in sorted(files.listing(store.root).files) if known else ():
        said = words(
            f"{path}\n{(store.texts.read_if_allowed(path) or b'').decode('utf-8', 'replace')}"
        )
        rows = {(salt, tuple(said[at : at + n])) for salt, n in sizes for at in range(len(said))}
        if any((salt, tombstone_digests.phrase(row, salt)) in known for salt, row in rows):
            yield Remainder(path, phrase=True)


class _Words:
    def __init__(self, distinctive: DistinctiveWords, vectors: Collection[bytes]) -> None:
        self.distinctive, self.vectors = distinctive, vectors
        strong = {w for w in (*distinctive.terms, *distinctive.names) if len(w) >= _STRONG}
        either = "|".join(map(re.escape, sorted(strong))) or "(?!)"
        self.pattern = re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])")

    def are_in(self, data: bytes) -> bool:
        if any(vector in data for vector in self.vectors):
            return True
        if b"\0" not in data:
            return self.distinctive.says(data.decode("utf-8", "replace"))
        return any(self.pattern.search(folded(text)) for text in _decoded(data))


def _decoded(data: bytes) -> Iterator[str]:
    """Yield a binary file as text, as UTF-8 and as UTF-16 whose letters begin anywhere."""
    yield data.decode("utf-8", "replace")
    for start in (0, 1):
        yield data[start:].decode("utf-16-le", "replace")


class _Search:
    def __init__(self, store: Store, needles: _Words | Hashes, old: Collection[str] = ()) -> None:
        self.store, self.needles, self.old = store, needles, old
        self.objects = self.files = 0

    def proof(self, by: str) -> Proof:
        found = tuple(dict.fromkeys(self._places()))
        return Proof(by, self.objects, self.files, found)

    def _places(self) -> Iterator[str]:
        repository = self.store.writer.repository
        if repository:
            yield from self._in_objects(repository)
        for path, name in self._files(repository):
            self.files += 1
            if place := self._found_at(path, name):
                yield place

    def _found_at(self, path: Path, name: str) -> str:
        """Return how the file at *path* is told of, "" where it says nothing of it."""
        if self.needles.are_in(os.fsencode(name)):
            return str(path)
        try:
            with path.open("rb") as file:
                if any(map(self.needles.are_in, file_blocks.of(file))):
                    return str(path)
                packed = copies.packed_in(file)
        except FileNotFoundError:
            return ""
        except OSError:
            return f"{path}, which cannot be read"
        why = self._in_copy(path, packed) if packed else ""
        return f"{copies.place_of(path)}, {why}" if why else ""

    def _in_objects(self, repository: Repository) -> Iterator[str]:
        for it in history_rewrite.objects(repository):
            self.objects += 1
            if it.id in self.old or self.needles.are_in(it.data):
                yield f"git {it.kind} {it.id}"

    def _in_copy(self, copy: Path, data: bytes) -> str:
        """Say what is to be told of what git packed, "" where it says nothing of it."""
        try:
            for it in copies.objects(copy, data):
                self.objects += 1
                if it.id in self.old or self.needles.are_in(it.data):
                    return "a copy of a history that says it: remove it"
        except Unavailable:
            return "a copy of a history that cannot be looked into: remove it"
        return ""

    def _files(self, repository: Repository | None) -> Iterator[tuple[Path, str]]:
        """Yield each file, and what cannot be looked at, with its name from the folder."""
        if repository:
            yield from history_rewrite.own_files(repository)
        root = self.store.root.path
        for path in history_rewrite.paths_below(root):
            inner = path.relative_to(root)
            if inner.parts[0] != ".git":
                yield path, str(inner)
