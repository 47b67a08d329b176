"""Texts of files that a commit names and git has lost, as after a power cut: put back from disk."""

from __future__ import annotations

import contextlib

from vaultmem.errors import Unavailable, disk_errors
from vaultmem.storage.git import objects, process
from vaultmem.storage.git.types import PLAIN, Blob, Place, object_id


def find(place: Place, commit: str) -> dict[str, Blob]:
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
