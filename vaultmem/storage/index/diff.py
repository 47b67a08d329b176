"""Turn two listings into the changes between them: all that indexing does follows from this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from vaultmem.storage import files
from vaultmem.storage.files import Stamp

RACY_NS = 2_000_000_000
"""A file touched this shortly before it was looked at may change again under the same stamp."""

_FEW = 5
_MANY = 50
_SHARE = 10


class Seen(NamedTuple):
    """What the index knows of a file: its stamp, its sha-256, whether to doubt the stamp."""

    stamp: Stamp
    sha: str
    racy: bool


class Move(NamedTuple):
    """One thing to do for the index to equal the files."""

    what: Literal["added", "doubtful", "removed"]
    path: str
    stamp: Stamp | None = None
    """The one it was found with, where it is there."""


Known = tuple[str, int, int, int, int, int]
"""A row of the index as SQLite gives it, a folder's at a time: path, stamp, whether racy."""


def moves(known: Mapping[str, Known], found: Mapping[str, Stamp]) -> Iterator[Move]:
    """Yield what must be done for *known* to equal *found*, in path order.

    `doubtful` files have another stamp, or one too young to be trusted: their bytes decide.
    """
    for path in sorted(found.keys() - known.keys()):
        yield Move("added", path, found[path])
    for path in sorted(known.keys() - found.keys()):
        yield Move("removed", path)
    doubtful = [p for p, s in found.items() if (k := known.get(p)) and k[1:] != (*s, 0)]
    for path in sorted(doubtful):
        yield Move("doubtful", path, found[path])


def is_young(stamp: Stamp, looked: int) -> bool:
    """Tell whether a file *looked* at then, in ns, may change again under the same *stamp*."""
    return stamp.mtime_ns > looked - RACY_NS or files.is_young(stamp.ctime_ns, looked)


def suspicious(gone: int, known: int) -> bool:
    """Tell whether so many files vanished at once that a person should look first.

    More than 50, or more than a tenth; five are never too many, or a small vault could not be
    tidied by hand.
    """
    return gone > _MANY or (gone > _FEW and gone * _SHARE > known)
