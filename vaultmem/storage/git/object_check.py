"""What a repository lacks: faults that git finds, gaps of its history, lost texts of files."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from typing import NamedTuple

from vaultmem.errors import Unavailable, disk_errors
from vaultmem.storage.git import objects, process
from vaultmem.storage.git.types import PLAIN, Blob, Place, object_id

_FAULTY = re.compile(r"(?:error|warning) in \w+ ([0-9a-f]{40,64}):")
_IN_PIECES = (
    *("-c", "core.packedGitWindowSize=1m"),
    *("-c", "core.packedGitLimit=16m"),
    *("-c", "core.deltaBaseCacheLimit=8m"),
)
"""Lets git map no pack as a whole, which costs no time where one is read from end to end."""

_NO_FAULTS = frozenset(
    f"missing tree {empty}"
    for empty in (
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
    )
)


def check(repo: Place) -> str | None:
    """Return what git finds wrong with the repository, None when nothing is wrong."""
    args = ("fsck", "--strict", "--no-dangling", "--no-progress")
    argv = (*_IN_PIECES, *process.argv(repo, args))
    done = process.run(argv, repo.top, limit=process.LONG)
    if done.returncode == 0:
        return None
    lines = (done.stdout + done.stderr).decode(errors="replace").strip().splitlines()
    # Git knows the tree of nothing without having it, and misses it after a rebase.
    wrong = _reachable(repo, [line for line in lines if line not in _NO_FAULTS])
    said = "\n".join(wrong) or ("" if lines else f"git fsck failed ({done.returncode})")
    return said or None


def _reachable(repo: Place, lines: Sequence[str]) -> list[str]:
    """Return *lines* of a check but for what it says of objects that no history has.

    What was fetched, and refused, lies beside the history until git clears it away.
    """
    named = {line: found[1] for line in lines if (found := _FAULTY.match(line))}
    if not named:
        return [*lines]
    try:
        listed = process.git(repo, "rev-list", "--objects", "--all")
    except Unavailable:  # the history itself is broken: all there is to be known helps
        return [*lines]
    there = {line.partition(b" ")[0].decode() for line in listed.splitlines()}
    return [line for line in lines if line not in named or named[line] in there]


class Gap(NamedTuple):
    """Why a clone has not the whole history, and what brings the rest of it."""

    why: str
    way: str


_SHALLOW = Gap("this clone is shallow", "`git fetch --unshallow`")
_GRAFTED = Gap("`.git/info/grafts` cuts the history short", "delete that file")
_PARTIAL = Gap("this clone lacks objects of its history", "`git fetch --refetch --no-filter`")


def gap(place: Place) -> Gap | None:
    """Return what the clone lacks, None where it has all; every object is asked for."""
    if is_shallow(place):
        return _SHALLOW
    if (place.common_dir / "info/grafts").exists():
        return _GRAFTED
    return _PARTIAL if _lacks_objects(place) else None


def is_shallow(place: Place) -> bool:
    """Tell whether older commits exist elsewhere and not here."""
    return (place.common_dir / "shallow").exists()


def _lacks_objects(place: Place) -> bool:
    try:
        listed = process.git(place, "rev-list", "--objects", "--all", "--missing=print")
    except Unavailable:  # one of these is a commit, or a tree
        return True
    return any(line.startswith(b"?") for line in listed.splitlines())


def lost_blobs(place: Place, commit: str) -> dict[str, Blob]:
    """Return the vault's files in *commit* whose text the repository has not got."""
    named = {p: blob for p, blob in objects.files(place, commit).items() if blob.mode in PLAIN}
    held = objects.held(place, {blob.id for blob in named.values()})
    return {path: blob for path, blob in named.items() if blob.id not in held}


def put_back(place: Place, lost: Blob, data: bytes) -> bool:
    """Store *data* if it is what was *lost*; tell whether it is there then."""
    if object_id(place.algorithm, b"blob", data) != lost.id:
        return False
    loose = place.common_dir / "objects" / lost.id[:2] / lost.id[2:]
    with disk_errors(loose), contextlib.suppress(FileNotFoundError):
        if loose.stat().st_size == 0:  # as long as it lies there, git writes no other
            loose.unlink()
    with contextlib.suppress(Unavailable):
        process.git(place, "hash-object", "-w", "--stdin", stdin=data)
    return lost.id in objects.held(place, [lost.id])
