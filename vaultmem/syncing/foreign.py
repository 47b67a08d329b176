"""What a remote may not bring in: what no vault holds, what starts programs, and twins by case."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator

from vaultmem import files
from vaultmem.errors import Refused
from vaultmem.git import PLAIN, Row
from vaultmem.syncing.model import Merged, Sides

_NO_FILE = "000000"
_PLUGINS = (".obsidian/plugins/", ".obsidian/community-plugins.json")


def refuse(row: Row) -> None:
    """Raise Refused for a change there that no vault may hold."""
    path = row.path
    folded = _folded(path)
    try:
        files.inside(path)
    except Refused as e:
        raise Refused(f"{path!r} is in the remote, and a clone must not write that: remove it "
                      "there") from e  # fmt: skip
    if folded.startswith(".vaultmem/") or folded == ".vaultmem":
        raise Refused(f"{path} is in the remote, and no vault commits that: remove it there")
    if not is_plain(row):
        raise Refused(f"{path} is a link or a submodule there, which no vault holds: remove it "
                      "there, or `git pull`")  # fmt: skip
    if folded.startswith(_PLUGINS) and row.new.mode != _NO_FILE:
        raise Refused(f"{path} comes from the remote, and Obsidian would run it: remove it there, "
                      "or look at it and `git pull`")  # fmt: skip


def is_plain(row: Row) -> bool:
    """Tell whether a path was and is a file, or nothing."""
    return all(blob.mode in PLAIN or blob.mode == _NO_FILE for blob in (row.old, row.new))


def refuse_twins(sides: Sides, theirs: Collection[str]) -> None:
    """Raise Refused where a new file there has the name of another but for the case.

    Many disks hold only one of the two. *theirs* are all paths there.
    """
    news = [path for path, it in sides.items() if it.theirs is not None and it.base is None]
    if not news:
        return
    here = (path for path, it in sides.items() if it.ours is not None and it.base is None)
    known: dict[str, set[str]] = {}
    for path in (*theirs, *here):
        known.setdefault(_folded(path), set()).add(path)
    for path in sorted(news):
        if twins := sorted(known[_folded(path)] - {path}):
            raise Refused(f"{path} there and {twins[0]} differ by case alone, and many disks hold "
                          "only one: rename one of them, and sync again")  # fmt: skip


def settings(sides: Sides, made: Merged) -> Iterator[str]:
    """Yield a word on each hidden file that is no longer what it was here: programs heed them."""
    for path, it in sorted(sides.items()):
        is_hidden = any(part.startswith(".") for part in path.split("/"))
        if is_hidden and made.files.get(path) != it.ours:
            yield f"{path} was changed there and is here now: `git log -p -- {path}` shows it"


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
