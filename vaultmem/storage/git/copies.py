"""Histories that lie among the files of a vault: bundles, and repositories within it.

Git keeps texts packed, so that whoever looks for words in such files finds none.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from vaultmem.errors import Unavailable
from vaultmem.storage.git import history_rewrite, process
from vaultmem.storage.git.history_rewrite import Object
from vaultmem.storage.git.types import Place

_BUNDLES = (b"# v2 git bundle\n", b"# v3 git bundle\n")
_HEADER = 4 << 10
_ANOTHER_FORMAT = b"\n@object-format=sha256\n"


def is_bundle(path: Path) -> bool:
    """Tell whether the file at *path* is a bundle, as `git bundle create` writes one."""
    return _header(path).startswith(_BUNDLES)


def is_repository(folder: Path) -> bool:
    """Tell whether *folder* is what git keeps a repository in, as any `.git` is."""
    return (folder / "HEAD").is_file() and all((folder / x).is_dir() for x in ("objects", "refs"))


def objects(found: Path) -> Iterator[Object]:
    """Yield every object of the bundle or repository at *found*.

    Raises Unavailable where one cannot be read.
    """
    with _opened(found) as place:
        listed = process.git(
            place, "cat-file", "--batch-all-objects", "--unordered", "--batch-check"
        )
        missed = listed.count(b"\n")
        for each in history_rewrite.objects(place):
            missed -= 1
            yield each
        if missed:
            raise Unavailable(f"{found}: {missed} objects of it cannot be read")


@contextlib.contextmanager
def _opened(found: Path) -> Iterator[Place]:
    if found.is_dir():
        yield _place(found)
        return
    algorithm = "sha256" if _ANOTHER_FORMAT in _header(found) else "sha1"
    with tempfile.TemporaryDirectory(prefix="vaultmem-") as folder:
        made = Path(folder)
        args = ("init", "--quiet", "--bare", "--template=", f"--object-format={algorithm}", folder)
        place = Place(made, made, made, made, "", algorithm)
        for line in (args, (*process.argv(place, ("bundle", "unbundle")), str(found.absolute()))):
            done = process.run(line, made, limit=process.LONG)
            if done.returncode != 0:
                raise process.failed(place, "bundle", done.stderr)
        yield place


def _place(folder: Path) -> Place:
    place = Place(folder, folder, folder, folder, "", "sha1")
    said = process.git(place, "rev-parse", "--show-object-format").decode().strip()
    return Place(folder, folder, folder, folder, "", said)


def _header(path: Path) -> bytes:
    with contextlib.suppress(OSError), path.open("rb") as file:
        return file.read(_HEADER)
    return b""
