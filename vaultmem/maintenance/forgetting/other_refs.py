"""What lives on other branches and tags alone, and what a purge has to leave there.

A word that such a file says stays in git, as one that HEAD's files say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from vaultmem.documents import public_text
from vaultmem.records import LISTS, SUMMARIES
from vaultmem.storage import reader, tombstones
from vaultmem.storage.git import Blob, Repository, objects
from vaultmem.storage.git.types import PLAIN

NOTES = "refs/notes/"


def living(
    repository: Repository,
    here: Collection[str],
    read: Callable[[Blob], bytes],
    goes: Callable[[bytes], bool],
) -> Iterator[tuple[str, str]]:
    """Yield where each file is that HEAD, which has *here*, has not, and its path and its text.

    Paths are from the top of the repository. Not what *goes*, nor what is made of other files:
    that is told anew without what goes.
    """
    whole = repository.whole
    seen: set[tuple[str, str]] = set()
    for name, tip in whole.refs().items():
        found = {} if name.startswith(NOTES) else objects.files(whole, tip)
        for path in found.keys() - here:
            blob = found[path]
            if (path, blob.id) in seen or not _is_kept(repository, path, blob):
                continue
            seen.add((path, blob.id))
            if not goes(data := read(blob)):
                yield f"{path} on {_short(name)}", f"{path}\n{data.decode('utf-8', 'replace')}"


def _is_kept(repository: Repository, path: str, blob: Blob) -> bool:
    inside = repository.inside(path)
    if not path.startswith(repository.prefix) or blob.mode not in PLAIN:
        return False
    is_made = reader.kind_of(inside) in SUMMARIES or inside in LISTS
    return not is_made and not tombstones.is_path(inside)


def _short(ref: str) -> str:
    """Return what git calls *ref* where it means no other."""
    short = ref.removeprefix("refs/heads/").removeprefix("refs/remotes/").removeprefix("refs/tags/")
    return public_text.shown(short)
