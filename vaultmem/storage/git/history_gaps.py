"""What of its history a clone has not, so that nobody can say here what was never there."""

from __future__ import annotations

from typing import NamedTuple

from vaultmem.errors import Unavailable
from vaultmem.storage.git import process
from vaultmem.storage.git.types import Place


class Gap(NamedTuple):
    """Why a clone has not the whole history, and what brings the rest of it."""

    why: str
    way: str


_SHALLOW = Gap("this clone is shallow", "`git fetch --unshallow`")
_GRAFTED = Gap("`.git/info/grafts` cuts the history short", "delete that file")
_PARTIAL = Gap("this clone lacks objects of its history", "`git fetch --refetch --no-filter`")


def find(place: Place) -> Gap | None:
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
