"""What two lines of history have in common, and the commit that ends them both."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from vaultmem.storage.git import fast_import, identity, objects, process
from vaultmem.storage.git.types import ORDINARY, PLAIN, Change, Place, Row


def base(place: Place, ours: str, theirs: str) -> str | None:
    """Return the commit that both go back to, None when they share no history."""
    args = ("merge-base", ours, theirs)
    return process.git(place, *args, okay=(0, 1)).decode().strip() or None


def ahead(place: Place, commit: str, since: str | None) -> int:
    """Return how many commits *commit* has that *since* has not."""
    wanted = commit if since is None else f"{since}..{commit}"
    return int(process.git(place, "rev-list", "--count", wanted))


def changed(place: Place, old: str, new: str) -> list[Row]:
    """Return what differs between two commits, anywhere in the repository."""
    return objects.changes(place, old, new)


def commit(
    place: Place,
    parents: tuple[str, str],
    changes: Iterable[Change],
    message: str,
    when: datetime,
) -> str:
    """Store the commit of two *parents* that is the first one with *changes*; return its id.

    Nothing points to it yet: `Lock.advance` publishes it.
    """
    ours, theirs = parents
    facts = identity.facts(place, message, when)
    edits = fast_import.edits(changes, place.algorithm, {})
    had = objects.files(place, ours).get
    news = fast_import.news(place, edits, had, _modes(place, ours, theirs))
    with fast_import.fast_import(place, {}) as importing:
        return importing.store(facts, ours, news, theirs)


def _modes(place: Place, ours: str, theirs: str) -> dict[str, str]:
    """Return the modes, by path, that files get by a merge of *theirs*, and have not in *ours*.

    As with their bytes: what one side alone changed holds, and ours where both did.
    """
    known = base(place, ours, theirs) or objects.nothing(place)
    there = {place.inside(row.path): row for row in objects.changes(place, known, theirs)
             if row.new.mode in PLAIN}  # fmt: skip
    here = objects.at(place, ours, [*there])
    found = {path: row.new.mode for path, row in there.items()
             if path not in here or here[path].mode == row.old.mode}  # fmt: skip
    return {path: mode for path, mode in found.items()
            if mode != (here[path].mode if path in here else ORDINARY)}  # fmt: skip
