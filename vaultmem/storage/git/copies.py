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
from typing import IO

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


def packed_in(file: IO[bytes]) -> bytes:
    """Return all that *file* has if it is one in which git packs objects, else nothing."""
    file.seek(0)
    data = file.read(_HEADER)
    is_single = _SINGLE.match(_unpacked(data)) is not None
    return data + file.read() if is_single or data.startswith((*_BUNDLES, *_PACKS)) else b""


def place_of(path: Path) -> Path:
    """Return what the packed file at *path* is a part of: a repository, or itself."""
    store, whole = path.parent.parent, path.parent.parent.parent
    return whole if store.name == "objects" and (whole / "refs").is_dir() else path


def objects(path: Path, data: bytes) -> Iterator[Object]:
    """Yield every object in the packed file at *path*, which has *data*.

    Raises Unavailable where one is not read.
    """
    if data.startswith(_BUNDLES):
        yield from _of_many(("bundle", "unbundle", str(path.absolute())), b"")
    elif data.startswith(_PACKS):
        yield from _of_many(("index-pack", "--stdin"), data)
    else:
        yield _single(path, data)


def _of_many(args: tuple[str, ...], data: bytes) -> Iterator[Object]:
    """Yield what *args*, given *data*, bring into a repository that goes with it."""
    for algorithm in _ALGORITHMS:
        with tempfile.TemporaryDirectory(prefix="vaultmem-") as folder:
            made = Path(folder)
            place = Place(made, made, made, made, "", algorithm)
            begun = ("init", "--quiet", "--bare", "--template=", f"--object-format={algorithm}")
            process.run((*begun, folder), made)
            done = process.run(process.argv(place, args), made, stdin=data, limit=process.LONG)
            if done.returncode == 0:
                yield from history_rewrite.objects(place)
                return
    raise process.failed(place, args[0], done.stderr)


def _single(path: Path, packed: bytes) -> Object:
    data = _unpacked(packed, _LARGEST + 1)
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
