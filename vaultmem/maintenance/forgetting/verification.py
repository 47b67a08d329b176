"""Prove that nothing is left: look at every git object, every file, every byte of every cache."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from vaultmem.documents.frontmatter import decode, parse
from vaultmem.errors import Unavailable, Unreadable
from vaultmem.maintenance.forgetting.redaction import (
    DistinctiveWords,
    Remainder,
    folded,
    readings,
    words,
)
from vaultmem.storage import files, tombstones
from vaultmem.storage.git import Repository, copies, history_rewrite
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone

_BULLET = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_LEGIBLE = re.compile(rb"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]{12,}")
_STRONG = 5
"""Letters of a word that no noise of bytes makes by chance."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was looked for, in how many places, and where something was *found*.

    *by* says how: by those of its *words* and *phrases* that nothing which stays says, or by
    hashes of its texts, the *words*, and of its sentences, the *phrases*. In old versions of so
    many files *made* of it those words count, too, that other files alone say. *still* is what
    stays, and says a name, a rare word or a phrase of it.
    """

    by: str
    objects: int
    files: int
    found: tuple[str, ...]
    words: int = 0
    phrases: int = 0
    made: int = 0
    still: tuple[Remainder, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether nothing was found, and nothing that stays says a phrase of it."""
        return not self.found and not any(it.phrase for it in self.still)


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
        said = words(f"{path}\n{(store.read_if_allowed(path) or b'').decode('utf-8', 'replace')}")
        rows = {(salt, tuple(said[at : at + n])) for salt, n in sizes for at in range(len(said))}
        if any((salt, tombstones.phrase(row, salt)) in known for salt, row in rows):
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


class Hashes:
    """Knows again what tombstones stand for, in whatever it stands."""

    def __init__(self, found: Collection[Tombstone]) -> None:
        """Look for what *found* stand for."""
        self.tombstones = found
        self.salts = {s.salt for s in found}
        self.known = {d for s in found for d in s.digests}

    def are_in(self, data: bytes) -> bool:
        """Tell whether *data* says it."""
        return next(self.matches(data), None) is not None

    def matches(self, data: bytes) -> Iterator[str]:
        """Yield what *data* says of it: whole texts, and sentences as words in a row."""
        for text in readings("\n".join(_legible(data))):
            for part in dict.fromkeys(_parts(text)):
                if part.strip() and self._knows(part):
                    yield part
            yield from tombstones.stretches(text, self.tombstones)

    def _knows(self, part: str) -> bool:
        return any(tombstones.digest(part, s) in self.known for s in self.salts)


def _legible(data: bytes) -> Iterator[str]:
    """Yield what is text in *data*: of a binary file the stretches without controls."""
    if b"\0" not in data:
        yield data.decode("utf-8", "replace")
        return
    for found in _LEGIBLE.finditer(data):
        yield found[0].decode("utf-8", "replace")


def _parts(text: str) -> Iterator[str]:
    """Yield the body of a file, its paragraphs and its lines."""
    yield text
    try:
        body = parse(decode(text.encode("utf-8", "replace"))).body
    except Unreadable:
        body = text
    yield body
    yield from re.split(r"\n\s*\n", body)
    yield from text.splitlines()
    yield from (_BULLET.sub("", line) for line in text.splitlines())


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
            data = path.read_bytes()
        except FileNotFoundError:
            return ""
        except OSError:
            return f"{path}, which cannot be read"
        if self.needles.are_in(data):
            return str(path)
        why = self._in_copy(path, data) if copies.is_packed(data) else ""
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
