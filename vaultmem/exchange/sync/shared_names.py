"""Names that the disks of all machines can hold, alone and beside each other.

Who takes a file under another name refuses the whole merge; so who made it is told before it is
given.
"""

from __future__ import annotations

from collections.abc import Collection

from vaultmem.errors import Refused
from vaultmem.exchange.sync.types import Sides
from vaultmem.storage import files, reader
from vaultmem.storage.files import twin_names
from vaultmem.storage.git import ABSENT, Repository

_NAMED_BY_US = frozenset({"memory", "episode", "summary"})
"""Kinds of files whose names are made of times and ids."""


def refuse_twins(sides: Sides, theirs: Collection[str]) -> None:
    """Raise Refused where a new file there has the name of another but for case or Unicode form.

    Many disks hold only one of the two. *theirs* are all paths there.
    """
    news = [path for path, it in sides.items() if it.theirs is not None and it.base is None]
    if not news:
        return
    here = (path for path, it in sides.items() if it.ours is not None and it.base is None)
    for name, twin in twin_names.twins(news, (*theirs, *here)):
        raise Refused(f"{name} there and {twin} differ {twin_names.apart_by(name, twin)} alone, "
                      "and many disks hold only one: rename one of them, and sync "
                      "again")  # fmt: skip


def refuse_unheld(repository: Repository, head: str, tip: str | None) -> None:
    """Raise Refused where a file of *head* that *tip* has not has a name that others cannot take.

    *tip* is the commit that the remote has, None where it has none.
    """
    rows = repository.between(tip or repository.nothing, head)
    news = [row.path for row in rows if row.old.mode == ABSENT and not _is_named_by_us(row.path)]
    for path in news:
        try:
            files.portable(path)
        except Refused as e:
            raise Refused(f"{e}, and other machines would not take it: nothing was pushed; rename "
                          "it, and sync again") from e  # fmt: skip
    folders = {it.rpartition("/")[0] for path in news for it in twin_names.with_folders(path)}
    for name, twin in twin_names.twins(news, repository.names(head, folders)):
        raise Refused(f"{name} and {twin} differ {twin_names.apart_by(name, twin)} alone, and many "
                      "disks hold only one: nothing was pushed; rename one of them, and sync "
                      "again")  # fmt: skip


def _is_named_by_us(path: str) -> bool:
    return reader.kind_of(path) in _NAMED_BY_US and files.fits(path.rpartition("/")[2])
