"""What an undo is refused for: what was forgotten would come back, or what stays relies on it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from vaultmem.errors import Refused
from vaultmem.maintenance import forgotten_texts, repeated_memories
from vaultmem.records import RETOLD, Record
from vaultmem.storage import files, tombstones
from vaultmem.storage.git import FileChange, Repository
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstones

_Before = Callable[[str], Record]
"""Returns what the file at a path said before the operation that is taken back."""


def moved(store: Store, ours: Collection[FileChange]) -> dict[str, str]:
    """Return where that lies now which *ours* made and which is not there: archived, say.

    By the path at which it was made. What is back where *ours* took it from was not moved.
    """
    had = {it.path for it in ours if it.old is not None}
    gone = (it for it in ours if it.old is None and store.texts.read(it.path) is None)
    made = [_record(store, it.path, it.new) for it in gone if it.new and files.is_note(it.path)]
    now = {(it.id, it.type): it.path for it in store.index.identified({it.id for it in made})}
    found = {it.path: now.get((it.id, it.type), "") for it in made if it.id}
    return {path: at for path, at in found.items() if at and at not in had}


def refuse_moved(op: str, away: Mapping[str, str]) -> None:
    """Raise Refused where something that *op* made lies *away* from where it was made."""
    if not away:
        return
    path, at = next(iter(away.items()))
    more = f" ({len(away) - 1} more were moved, too)" if len(away) > 1 else ""
    raise Refused(
        f"{path}, which {op} made, was moved to {at}{more}; nothing was undone: move it back, or "
        "undo that first; undone partly (`partly=true`), what was not moved goes"
    )


def repeated(
    store: Store, repository: Repository, commit: str, reverse: Sequence[Change]
) -> dict[str, str]:
    """Return what must not come back, by its path, with where the vault has the same again.

    With a memory that would be moved back stays what lies at the other end. What has the same words
    was there before *commit* already where it may stand beside them. One that came back, and was
    moved since, is there again itself.
    """
    back = [_record(store, c.path, c.new) for c in reverse if c.old is None]
    found = repeated_memories.find(store, back)
    before = partial(_before, store, repository, commit)
    since = {old: new.path for old, new in found.items() if before(new.path).id != new.id}
    since |= dict(_elsewhere(store, back, {c.path for c in reverse}))
    if not since:
        return {}
    of = {c.path: _record(store, c.path, c.new or c.old).id for c in reverse}
    return {path: since[one] for path, one in of.items() if one in since}


def _elsewhere(
    store: Store, back: Sequence[Record], touched: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield the ids of *back* that stand at a path which is not *touched*, with that path."""
    kinds = {it.id: it.type for it in back if it.id}
    for it in store.index.identified(kinds):
        if it.path not in touched and it.type == kinds[it.id]:
            yield it.id, it.path


def refuse_repeated(op: str, found: Mapping[str, str]) -> None:
    """Raise Refused where a memory would come back that was *found* in the vault again."""
    if not found:
        return
    path, at = next(iter(found.items()))
    raise Refused(
        f"{path}, which {op} took away, is in the vault again as {at}; nothing was undone: undo "
        "the operation that made that first; undone partly (`partly=true`), what is not in the "
        "vault again comes back"
    )


def refuse_forgotten(store: Store, reverse: Sequence[Change]) -> None:
    """Raise Refused where a text would come back that another operation forgot."""
    going = {c.path for c in reverse if c.new is None}
    left = (stone for stone in tombstones.load(store).all if stone.path not in going)
    known = Tombstones(tuple(left))
    for change in (c for c in reverse if known.all and not tombstones.is_path(c.path)):
        old, new = (_record(store, change.path, data) for data in (change.old, change.new))
        if forgotten_texts.brings_back(known, old, new):
            raise Refused(
                f"{change.path} would say again what was forgotten since; nothing was undone: "
                "undo the forgetting first, if you want it back"
            )


def refuse_standing(store: Store, reverse: Sequence[Change]) -> None:
    """Raise Refused where something would be called forgotten that stands elsewhere now."""
    touched = {c.path for c in reverse}
    standing = forgotten_texts.standing(store, Tombstones(tuple(_coming(reverse))))
    if path := next((it for it in standing if it not in touched), ""):
        raise Refused(
            f"{path} is what would be called forgotten; nothing was undone: "
            f"`vaultmem forget {shlex.quote(path)}` forgets it"
        )


def _coming(reverse: Sequence[Change]) -> Iterator[tombstones.Tombstone]:
    for change in reverse:
        if change.old is None and change.new is not None and tombstones.is_path(change.path):
            made = tombstones.parsed(change.path, change.new)
            yield from (made,) if made else ()


def refuse_relied_on(
    store: Store,
    repository: Repository,
    commit: str,
    ours: Collection[str],
    reverse: Sequence[Change],
) -> None:
    """Raise Refused where a file would go that others tell of, or go on from, since *commit*.

    *ours* are the files that the operation touched.
    """
    before = partial(_before, store, repository, commit)
    _refuse_mentioned(store, ours, reverse, before)
    _refuse_gap(store, reverse, before)
    _refuse_corrected(store, reverse, before)


def _before(store: Store, repository: Repository, commit: str, path: str) -> Record:
    return _record(store, path, repository.show(f"{commit}^", path))


def _record(store: Store, path: str, data: bytes | None) -> Record:
    if data is None:
        return Record(path, "")
    made = store.texts.record(path, files.content(data))
    if made.problem and not made.body:  # what cannot be read may say it all the same
        return replace(made, body=data.decode("utf-8", "replace"))
    return made


def _refuse_mentioned(
    store: Store, ours: Collection[str], reverse: Sequence[Change], before: _Before
) -> None:
    """Raise Refused when a summary that stays mentions a file that would go.

    Unless it did *before* the operation made that file, or brought it back.
    """
    touched = {c.path for c in reverse}
    for change in (c for c in reverse if c.new is None):
        whole = change.path.removesuffix(".md")
        # Links to memories are bare stems, links to summaries name the whole path.
        names = {whole, whole.rpartition("/")[2]}
        telling = (r for r in store.index.citing(names) if r.type in RETOLD)
        stay = (r.path for r in telling if r.path not in touched)
        since = (path for path in stay if names.isdisjoint(before(path).sources))
        if path := min(since, default=""):
            way = _DELETE if path in ours else "undo the operation that made it first"
            raise Refused(f"{path} mentions {change.path}: {way}")


_DELETE = (
    "it was changed since, too; keep elsewhere what you wrote there and delete it first, "
    "and the next compaction writes it anew"
)


def _refuse_gap(store: Store, reverse: Sequence[Change], before: _Before) -> None:
    """Raise Refused when an episode would go, and a later one of its session stay.

    Unless another comes back that tells of its turns, or the later one was there *before*.
    """
    gone = {c.path for c in reverse if c.new is None}
    known = store.index.records(Filter(type="episode"), body=False)
    episodes = [r for r in known if r.session and r.turn_start]
    stay = [r for r in episodes if r.path not in gone]
    back = [_record(store, c.path, c.new) for c in reverse if c.new is not None]
    for went in (r for r in episodes if r.path in gone):
        if any(_is_same_session(it, went) and it.turn_end >= went.turn_end for it in back):
            continue
        for later in stay:
            goes_on = _is_same_session(later, went) and later.turn_start > went.turn_end
            if goes_on and before(later.path).id != later.id:
                raise Refused(
                    f"{later.path} goes on from {went.path}: undo the operation that made it first"
                )


def _refuse_corrected(store: Store, reverse: Sequence[Change], before: _Before) -> None:
    """Raise Refused when a correction would go, and what it was corrected to since stay.

    What it corrected would hold again, beside that. Unless the later one was there *before*.
    """
    gone = {c.path for c in reverse if c.new is None}
    going = store.index.at(gone, body=False)
    for went in (it for it in going if it.supersedes and it.superseded_by):
        for later in store.index.named(went.superseded_by):
            if later.path not in gone and before(later.path).id != later.id:
                raise Refused(
                    f"{later.path} corrects {went.path}: undo the operation that made it first"
                )


def _is_same_session(one: Record, other: Record) -> bool:
    return (one.type, one.agent, one.session) == (other.type, other.agent, other.session)
