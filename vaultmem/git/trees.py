"""Read what commits hold: their names, their trees, and what differs between two of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from vaultmem.errors import Unavailable
from vaultmem.git import process
from vaultmem.git.model import PLAIN, Blob, Place, Row, object_id

_PATCH = (
    *("--patch", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"),
    *("--submodule=short", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/"),
)


def head(place: Place) -> str | None:
    """Return the commit HEAD stands on, None on an unborn branch."""
    return resolve(place, "HEAD")


def resolve(place: Place, name: str) -> str | None:
    """Return the commit that *name* stands for, None when there is none."""
    args = ("rev-parse", "-q", "--verify", "--end-of-options", f"{name}^{{commit}}")
    return process.git(place, *args, okay=(0, 1)).decode().strip() or None


def step(place: Place, name: str) -> tuple[str, str]:
    """Return the first parent of a commit, or the empty tree, and the commit."""
    commit = resolve(place, name)
    if commit is None:
        raise Unavailable(f"no commit {name!r} in {place.top}: `git log` lists them")
    return resolve(place, f"{commit}^1") or nothing(place), commit


def nothing(place: Place) -> str:
    """Return the empty tree, which stands for the parent of a first commit."""
    return object_id(place.algorithm, b"tree", b"")


def is_tree(place: Place, name: str) -> bool:
    """Say whether the repository knows a tree by *name*."""
    args = ("rev-parse", "-q", "--verify", "--end-of-options", f"{name}^{{tree}}")
    return process.run(process.argv(place, args), place.top).returncode == 0


def files(place: Place, commit: str | None, *paths: str) -> dict[str, Blob]:
    """Return the files of the vault in *commit*, or those below *paths*."""
    if commit is None:
        return {}
    raw = process.git(place, "ls-tree", "-r", "-z", "--full-tree", commit, *place.below(paths))
    lines = (line.partition(b"\t") for line in raw.split(b"\0") if line)
    found = ((start.decode().split(" "), os.fsdecode(path)) for start, _, path in lines)
    return {place.inside(path): Blob(mode, oid) for (mode, _, oid), path in found}


def contents(place: Place, wanted: Iterable[Blob]) -> dict[str, bytes]:
    """Return the bytes of plain files by blob id."""
    ids = sorted({blob.id for blob in wanted if blob.mode in PLAIN})
    raw = process.git(place, "cat-file", "--batch", stdin="".join(f"{i}\n" for i in ids).encode())
    found, at = {}, 0
    for oid in ids:
        end = raw.index(b"\n", at)
        size = int(raw[at:end].rsplit(b" ", 1)[1])
        found[oid] = raw[end + 1 : end + 1 + size]
        at = end + size + 2
    return found


def changes(place: Place, old: str, new: str, *below: str) -> list[Row]:
    """Return what differs between two trees."""
    return _rows(process.git(place, "diff-tree", "-r", "-z", "--no-renames", old, new, *below))


def staged(place: Place, base: str | None, *below: str) -> list[Row]:
    """Return what differs between *base* and the index."""
    tree = base or nothing(place)
    args = ("diff-index", "--cached", "-z", "--no-renames", "--ita-invisible-in-index")
    return _rows(process.git(place, *args, tree, *below))


def patch(place: Place, old: str, new: str, paths: Sequence[str], extra: Mapping[str, str]) -> str:
    """Return what differs between two trees as a patch."""
    relative = (f"--relative={place.prefix}",) if place.prefix else ()
    args = ("diff-tree", "-r", *_PATCH, *relative, old, new, *place.below(paths))
    return process.git(place, *args, extra=extra).decode(errors="replace")


def _rows(raw: bytes) -> list[Row]:
    fields = raw.split(b"\0")[:-1]
    pairs = zip(fields[::2], fields[1::2], strict=True)
    return [_row(start.decode().lstrip(":").split(" "), path) for start, path in pairs]


def _row(start: Sequence[str], path: bytes) -> Row:
    old_mode, new_mode, old, new, _ = start
    return Row(Blob(old_mode, old), Blob(new_mode, new), os.fsdecode(path))
