"""The tombstones that this clone has seen and that are not here, and where each stands.

The ledger of tombstones is held against the files, and against the branches where they differ.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import Unavailable
from vaultmem.storage import git_state_files, staged_cache, tombstone_ledger
from vaultmem.storage.files import private_file
from vaultmem.storage.store import Store
from vaultmem.storage.tombstone_checks import FOLDER, is_altered, is_one, whole
from vaultmem.storage.tombstone_ledger import Noted

if TYPE_CHECKING:
    from vaultmem.storage.git import Repository

_PLACES = ".vaultmem/tombstone-places.json"
_STAGED = f"{FOLDER}/"[1:].encode()
"""What git's index has of their paths, in each of its versions: the last shares first letters."""

LEFT_OUT = "left out by a sparse checkout"
"""The place of those that are no further than this clone's git: nothing is to be brought here."""

_NOWHERE = "in no branch"
_UNKNOWN = "where git cannot tell now"


class GoneTombstone(NamedTuple):
    """A tombstone that was here, as it was then, and the *place* that has it; "" for no other.

    Then somebody deleted or renamed it here.
    """

    path: str
    text: str
    place: str


def find(store: Store, known: Noted | None = None) -> tuple[GoneTombstone, ...]:
    """Return the tombstones that were here and are not, in order; git is asked once for each HEAD.

    One that has its id under another name, and knows what it knew, is here; one that was damaged
    there tells nothing.
    *known* is what the ledger has.
    """
    here = set(store.index.tombstones())
    seen = (known or tombstone_ledger.read(store.root.path)).seen
    missing = {
        path: text
        for path, text in seen.items()
        if path not in here and whole(path, text.encode()) is not None
    }
    texts = {_id(path): text for path, text in missing.items()}
    renamed = {it.id.upper(): it.path for it in store.index.identified(texts) if it.path in here}
    ids = {it for it, path in renamed.items() if _knows_as_much(store, path, texts[it])}
    missing = {path: text for path, text in missing.items() if _id(path) not in ids}
    places = _places(store, sorted(missing)) if missing else {}
    places |= dict.fromkeys(missing.keys() & store.not_checked_out(), LEFT_OUT) if missing else {}
    return tuple(GoneTombstone(p, text, places[p]) for p, text in sorted(missing.items()))


def missed(store: Store, known: Noted | None = None) -> tuple[GoneTombstone, ...]:
    """Return those that nobody left out of the checkout, in order."""
    return tuple(it for it in find(store, known) if it.place != LEFT_OUT)


def _knows_as_much(store: Store, path: str, was: str) -> bool:
    data = store.texts.read_if_allowed(path)
    return data is not None and not is_altered(path, was.encode(), data)


def _id(path: str) -> str:
    return PurePosixPath(path).stem.upper()


def _places(store: Store, paths: list[str]) -> dict[str, str]:
    vault = store.root.path
    at = staged_cache.head(vault)
    with contextlib.suppress(ValueError, KeyError, TypeError):
        raw = json.loads(private_file.read(vault / _PLACES))
        if at and raw["head"] == at and [*raw["places"]] == paths:
            return {str(path): str(place) for path, place in raw["places"].items()}
    try:
        places = _looked_up(store.writer.repository, paths)
    except Unavailable:
        return dict.fromkeys(paths, _UNKNOWN)
    with contextlib.suppress(OSError):
        data = json.dumps({"head": at, "places": places}).encode()
        private_file.write(vault / _PLACES, data, durable=False)
    return places


def _looked_up(repository: Repository | None, paths: list[str]) -> dict[str, str]:
    """Return where each of *paths* stands that HEAD never had; "" for one that it had."""
    if repository is None:
        return dict.fromkeys(paths, "")
    from vaultmem.storage.ledger import comparison  # noqa: PLC0415  # `status` loads no git

    there = [(comparison.shown(name), repository.blobs(at, paths))
             for name, at in repository.refs().items()]  # fmt: skip
    return {
        path: ""
        if repository.log(1, paths=(path,))
        else next((f"on {name}" for name, blobs in there if path in blobs), _NOWHERE)
        for path in paths
    }


def learn_once(store: Store) -> Noted:
    """Return what the ledger has, with the tombstones of all branches where it is not whole."""
    known = tombstone_ledger.read(store.root.path)
    return known if known.is_whole else _learnt(store, known)


def learn_staged(store: Store) -> Noted:
    """Do so where the ledger is not whole and git's index tells of tombstones: no git is asked."""
    known = tombstone_ledger.read(store.root.path)
    there = None if known.is_whole else git_state_files.git_dir(store.root.path)
    is_staged = there and _STAGED in private_file.read(there / "index")
    return _learnt(store, known) if is_staged else known


def learn(store: Store) -> None:
    """Note the tombstones of all branches: what is kept here may be gone."""
    _learnt(store, tombstone_ledger.read(store.root.path))


def _learnt(store: Store, known: Noted) -> Noted:
    repository = store.writer.repository
    with contextlib.suppress(Unavailable):  # `fsck` says what ails git
        if repository:
            found = _on_all_branches(repository)
            with contextlib.suppress(Unavailable):  # a damaged past hides no branch
                found |= _as_made(repository, found)
            new = {path: data for path, data in found.items() if path not in known.last}
            return tombstone_ledger.note_branches(store.root.path, new, known)
    return known


def _on_all_branches(repository: Repository) -> dict[str, bytes]:
    """Return the tombstones of all branches, by path, as HEAD has them where it does."""
    found: dict[str, bytes] = {}
    refs = repository.refs()
    refs.pop(_to_come(repository), None)
    for tip in dict.fromkeys(filter(None, (repository.head(), *refs.values()))):
        blobs = {p: b for p, b in repository.files(tip, FOLDER).items() if is_one(p)}
        texts = repository.contents([b for p, b in blobs.items() if p not in found])
        found |= {p: texts[b.id] for p, b in blobs.items() if p not in found and b.id in texts}
    return found


def _to_come(repository: Repository) -> str:
    """Return the ref of what was fetched for this branch and is not in it, "" for none.

    What is forgotten there never was here: the next sync brings it.
    """
    there, head = repository.counterpart(), repository.head()
    name = f"refs/remotes/{there.name}/{there.branch}" if there and head else ""
    tip = repository.resolve(name) if name else None
    return name if tip and repository.merge_base(tip, head or "") != tip else ""


def _as_made(repository: Repository, found: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return those of *found* that somebody altered since they were made, as they were then.

    A merge may have taken one of two that were made apart, or have joined their hashes.
    """
    from vaultmem.storage.git.types import ABSENT  # noqa: PLC0415  # `status` loads no git

    commits = [entry.commit for entry in repository.log(None, paths=(FOLDER,))] if found else []
    rows = [row for each in repository.touched(commits).values() for row in each]
    made = [row for row in rows if row.path in found and row.old.mode == ABSENT]
    texts = repository.contents(row.new for row in made)
    versions: dict[str, list[bytes]] = {}
    for row in (row for row in made if row.new.id in texts):
        versions.setdefault(row.path, []).append(texts[row.new.id])
    return {
        path: known[-1]
        for path, known in versions.items()
        if all(is_altered(path, each, found[path]) for each in known)
    }
