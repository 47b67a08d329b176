"""What two lines of history have in common, and the commit that ends them both."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from vaultmem.storage.git import fast_import, identity, log, object_check, objects, process
from vaultmem.storage.git.types import (
    ABSENT,
    ORDINARY,
    PLAIN,
    Blob,
    Change,
    Fork,
    Place,
    Row,
    folders_above,
)


def base(place: Place, ours: str, theirs: str) -> str | None:
    """Return the commit that both go back to, None when they share no history.

    By their whole names git is asked once; of a shallow clone, which may get more of its past, each
    time.
    """
    asked = (ours, theirs)
    if known := place.known_bases.answers.get(asked):
        return known[0]
    found = process.git(place, "merge-base", *asked, okay=(0, 1)).decode().strip() or None
    if found and all(map(objects.is_id, asked)) and not object_check.is_shallow(place):
        place.known_bases.note(asked, (found,))
    return found


def changed(place: Place, old: str, new: str) -> list[Row]:
    """Return what differs between two commits, anywhere in the repository."""
    return objects.changes(place, old, new)


def fork(place: Place, base: str, ours: str, theirs: str) -> Fork:
    """Return all files of three commits of a repository that is the vault's alone.

    One is listed: what the others have is told by what differs.
    """
    here = objects.files(place, ours)
    before = {**here}
    for row in changed(place, base, ours):
        _put(before, row.path, row.old)
    there = {**before}
    for row in changed(place, base, theirs):
        _put(there, row.path, row.new)
    return Fork(base, ours, theirs, before, here, there)


def _put(files: dict[str, Blob], path: str, blob: Blob) -> None:
    if blob.mode == ABSENT:
        files.pop(path, None)
    else:
        files[path] = blob


def commit(
    place: Place, fork: Fork, changes: Iterable[Change], message: str, when: datetime
) -> str:
    """Store the commit of both sides of a *fork* that is ours with *changes*; return its id.

    Nothing points to it yet: `Lock.advance` publishes it.
    """
    facts = identity.facts(place, message, when)
    edits = fast_import.edits(changes, place.algorithm, {})
    news = [*fast_import.news(place, edits, fork.here.get, _modes(place, fork))]
    with fast_import.fast_import(place, {}) as importing:
        new = importing.store(facts, fork.ours, news, fork.theirs)
    _note(place, fork, new, [row for _, row in news])
    log.note_made(place, new, (fork.ours, fork.theirs), facts)
    return new


def _note(place: Place, fork: Fork, new: str, rows: Sequence[Row]) -> None:
    """Keep in mind what the merge *new*, which is ours but for *rows*, makes of either side."""
    place.known_files.advance(fork.ours, new, rows)
    if _is_any_displaced(fork.here, [row.path for row in rows if row.old.mode == ABSENT]):
        return  # git says what went unsaid
    made = {row.path: row.new for row in rows}
    apart = (row.path for side in (fork.ours, fork.theirs)
             for row in changed(place, fork.base, side))  # fmt: skip
    paths = sorted({*made, *apart}, key=os.fsencode)
    absent = Blob(ABSENT, "0" * len(new))
    for side, had in ((fork.ours, fork.here), (fork.theirs, fork.there)):
        both = ((p, had.get(p, absent), made.get(p) or fork.here.get(p, absent)) for p in paths)
        found = tuple(Row(old, now, path) for path, old, now in both if old != now)
        place.known_rows.note((side, new), found)


def _is_any_displaced(files: Mapping[str, Blob], came: Sequence[str]) -> bool:
    """Tell whether one of *files* is above, or below, where another *came*: it goes unsaid."""
    folders = tuple(f"{path}/" for path in came)
    is_above = any(folder in files for path in came for folder in folders_above(path))
    return is_above or any(path.startswith(folders) for path in files if folders)


def _modes(place: Place, fork: Fork) -> dict[str, str]:
    """Return the modes, by path, that files get by the merge of a *fork*, and have not in ours.

    As with their bytes: what one side alone changed holds, and ours where both did.
    """
    there = {row.path: row for row in changed(place, fork.base, fork.theirs)
             if row.new.mode in PLAIN}  # fmt: skip
    here = fork.here
    found = {path: row.new.mode for path, row in there.items()
             if path not in here or here[path].mode == row.old.mode}  # fmt: skip
    return {path: mode for path, mode in found.items()
            if mode != (here[path].mode if path in here else ORDINARY)}  # fmt: skip
