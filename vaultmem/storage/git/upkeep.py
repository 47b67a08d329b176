"""Pack what many small commits left one by one; nothing that git has goes.

Only by `git maintenance`'s tasks that take no object away, not even one that no branch leads to:
a `gc` ends reflogs and drops what they held, and that is a person's to decide.
"""

from __future__ import annotations

from vaultmem.storage.git import process
from vaultmem.storage.git.types import Place

MANY = 2000
"""So many objects lie one by one before they are packed: some 250 commits of one memory each."""
_RUN = (
    "maintenance", "run", "--auto", "--quiet", "--task=loose-objects", "--task=incremental-repack",
)  # fmt: skip


def pack(place: Place) -> None:
    """Pack loose objects where there are many; older gits, which cannot, do nothing.

    Raises Unavailable when git cannot run, or is not done within a quarter of an hour.
    """
    args = ("-c", f"maintenance.loose-objects.auto={MANY}", *process.argv(place, _RUN))
    process.run(args, place.top, limit=process.LONG)
