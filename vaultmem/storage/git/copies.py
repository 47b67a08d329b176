"""What git packed and that lies among the files of a vault: bundles, packs, single objects.

So a copy of a history, and a repository in a folder, keep their texts: whoever looks for words in
such files finds none.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from vaultmem.errors import Unavailable
from vaultmem.storage.git import history_rewrite, process
from vaultmem.storage.git.history_rewrite import Object
from vaultmem.storage.git.types import Place

_BUNDLES = (b"# v2 git bundle\n", b"# v3 git bundle\n")
_PACKS = (b"PACK\0\0\0\2", b"PACK\0\0\0\3")
_HEADER = 4 << 10
_ALGORITHMS = ("sha1", "sha256")
_SINGLE = re.compile(rb"(blob|tree|commit|tag) \d+\0")
_LARGEST = 256 << 20
"""Bytes of a single object, unpacked: what is larger is no note, and may be a bomb."""


def is_packed(path: Path) -> bool:
    """Tell whether the file at *path* is one in which git packs objects."""
    header = _header(path)
    return header.startswith((*_BUNDLES, *_PACKS)) or _SINGLE.match(_unpacked(header)) is not None


def place_of(path: Path) -> Path:
    """Return what the packed file at *path* is a part of: a repository, or itself."""
    store, whole = path.parent.parent, path.parent.parent.parent
    return whole if store.name == "objects" and (whole / "refs").is_dir() else path


def objects(path: Path) -> Iterator[Object]:
    """Yield every object in the packed file at *path*; raises Unavailable where one is not read."""
    header = _header(path)
    if header.startswith(_BUNDLES):
        yield from _of_many(path, ("bundle", "unbundle", str(path.absolute())), header)
    elif header.startswith(_PACKS):
        yield from _of_many(path, ("index-pack", "--stdin"), header)
    else:
        yield _single(path)


def _of_many(path: Path, args: tuple[str, ...], header: bytes) -> Iterator[Object]:
    """Yield what *args* bring into a repository that is made for it, and goes with it."""
    for algorithm in _ALGORITHMS:
        with tempfile.TemporaryDirectory(prefix="vaultmem-") as folder:
            made = Path(folder)
            place = Place(made, made, made, made, "", algorithm)
            begun = ("init", "--quiet", "--bare", "--template=", f"--object-format={algorithm}")
            process.run((*begun, folder), made)
            data = path.read_bytes() if header.startswith(_PACKS) else b""
            done = process.run(process.argv(place, args), made, stdin=data, limit=process.LONG)
            if done.returncode == 0:
                yield from history_rewrite.objects(place)
                return
    raise process.failed(place, args[0], done.stderr)


def _single(path: Path) -> Object:
    with contextlib.suppress(OSError):
        data = _unpacked(path.read_bytes(), _LARGEST + 1)
        found = _SINGLE.match(data)
        if found and len(data) <= _LARGEST:
            oid = hashlib.sha1(data, usedforsecurity=False).hexdigest()  # as git names it
            return Object(oid, found[1].decode(), data[found.end() :])
    raise Unavailable(f"{path}: the object of git in it cannot be read")


def _unpacked(data: bytes, most: int = _HEADER) -> bytes:
    """Return the first *most* bytes of what zlib packed as *data*, b"" where it packed nothing."""
    with contextlib.suppress(zlib.error):
        return zlib.decompressobj().decompress(data, most)
    return b""


def _header(path: Path) -> bytes:
    with contextlib.suppress(OSError), path.open("rb") as file:
        return file.read(_HEADER)
    return b""
