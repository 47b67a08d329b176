"""Prove that nothing is left: look at every git object, every file, every byte of every cache."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from vaultmem import tombstones
from vaultmem.document import decode, parse
from vaultmem.errors import Unreadable
from vaultmem.forget import Telling
from vaultmem.git import Repository, purging
from vaultmem.site import Site
from vaultmem.tombstones import Tombstone

_BULLET = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_LEGIBLE = re.compile(rb"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]{12,}")
_STRONG = 5
"""Letters of a word that no noise of bytes makes by chance."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was looked at, and where something was found; *by* says how it was looked for."""

    by: str
    objects: int
    files: int
    found: tuple[str, ...]

    @property
    def verified(self) -> bool:
        """Whether nothing was found."""
        return not self.found


def by_words(
    site: Site,
    telling: Telling,
    vectors: Collection[bytes] = (),
    old: Collection[str] = (),
) -> Proof:
    """Look for the words that give it away, for its *vectors*, and for the *old* blobs."""
    return _Search(site, _Words(telling, vectors), old).proof("words")


def by_hash(site: Site, stones: Collection[Tombstone]) -> Proof:
    """Look for texts, lines and sentences that a tombstone's hash knows: no word is needed."""
    return _Search(site, Hashes(stones)).proof("hash")


class _Words:
    def __init__(self, telling: Telling, vectors: Collection[bytes]) -> None:
        self.telling, self.vectors = telling, vectors
        strong = {w for w in (*telling.terms, *telling.names) if len(w) >= _STRONG}
        either = "|".join(map(re.escape, sorted(strong))) or "(?!)"
        self.pattern = re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])")
        self.wide = tuple(w.encode("utf-16-le") for w in sorted(strong))

    def are_in(self, data: bytes) -> bool:
        if any(vector in data for vector in self.vectors):
            return True
        text = data.decode("utf-8", "replace")
        if b"\0" not in data:
            return self.telling.says(text)
        folded = data.lower()  # a letter beyond ASCII in UTF-16 is found in its own case only
        return bool(self.pattern.search(text.casefold())) or any(w in folded for w in self.wide)


class Hashes:
    """Knows again what tombstones stand for, in whatever it stands."""

    def __init__(self, stones: Collection[Tombstone]) -> None:
        """Look for what *stones* stand for."""
        self.stones = stones
        self.salts = {s.salt for s in stones}
        self.known = {d for s in stones for d in s.digests}

    def are_in(self, data: bytes) -> bool:
        """Tell whether *data* says it."""
        return next(self.said(data), None) is not None

    def said(self, data: bytes) -> Iterator[str]:
        """Yield what *data* says of it: whole texts, and sentences as words in a row."""
        text = "\n".join(_legible(data))
        for part in dict.fromkeys(_parts(text)):
            if part.strip() and any(tombstones.digest(part, s) in self.known for s in self.salts):
                yield part
        yield from tombstones.stretches(text, self.stones)


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
    def __init__(self, site: Site, needles: _Words | Hashes, old: Collection[str] = ()) -> None:
        self.site, self.needles, self.old = site, needles, old
        self.objects = self.files = 0

    def proof(self, by: str) -> Proof:
        found = tuple(self._found())
        return Proof(by, self.objects, self.files, found)

    def _found(self) -> Iterator[str]:
        repository = self.site.door.repository
        if repository:
            yield from self._in_objects(repository)
        for path in self._files(repository):
            self.files += 1
            if self.needles.are_in(_bytes(path)) or self.needles.are_in(path.name.encode()):
                yield str(path)

    def _in_objects(self, repository: Repository) -> Iterator[str]:
        for it in purging.objects(repository):
            self.objects += 1
            if it.id in self.old or self.needles.are_in(it.data):
                yield f"git {it.kind} {it.id}"

    def _files(self, repository: Repository | None) -> Iterator[Path]:
        if repository:
            yield from purging.own_files(repository)
        for path in sorted(self.site.root.path.rglob("*")):
            inner = path.relative_to(self.site.root.path).parts
            if inner[0] != ".git" and path.is_file() and not path.is_symlink():
                yield path


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
