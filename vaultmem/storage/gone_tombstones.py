"""The tombstones that this clone has seen and that are not here, and where each stands.

The ledger of tombstones is held against the files, and against the branches where they differ.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.errors import Unavailable
from vaultmem.storage import staged_cache, tombstone_ledger
from vaultmem.storage.files import private_file
from vaultmem.storage.store import Store
from vaultmem.storage.tombstone_checks import FOLDER, is_one

if TYPE_CHECKING:
    from vaultmem.storage.git import Repository

_PLACES = ".vaultmem/tombstone-places.json"
_STAGED = f"{FOLDER}/"[1:].encode()
"""What git's index has of their paths, in each of its versions: the last shares first letters."""

_NOWHERE = "in no branch"
_UNKNOWN = "where git cannot tell now"


@dataclass(frozen=True, slots=True)
class GoneTombstone:
    """A tombstone that was here, as it was then, and the *place* that has it; "" for no other.

    Then somebody deleted or renamed it here.
    """

    path: str
    text: str
    place: str


def find(store: Store) -> tuple[GoneTombstone, ...]:
    """Return the tombstones that were here and are not, in order; git is asked once for each HEAD.

    One that has its id under another name is here.
    """
    vault = store.root.path
    here = set(store.index.tombstones())
    missing = {
        path: text for path, text in tombstone_ledger.seen(vault).items() if path not in here
    }
    ids = {it.id.upper() for it in store.index.identified(map(_id, missing)) if it.path in here}
    missing = {path: text for path, text in missing.items() if _id(path) not in ids}
    places = _places(store, sorted(missing)) if missing else {}
    return tuple(GoneTombstone(p, text, places[p]) for p, text in sorted(missing.items()))


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


def learn_once(store: Store) -> None:
    """Note the tombstones of all branches where the ledger is missing, torn or damaged."""
    if not tombstone_ledger.is_whole(store.root.path):
        learn(store)


def learn_staged(store: Store) -> None:
    """Do so where the ledger is not whole and git's index tells of tombstones: no git is asked."""
    vault = store.root.path
    if tombstone_ledger.is_whole(vault):
        return
    there = staged_cache.git_dir(vault)
    if there and _STAGED in private_file.read(there / "index"):
        learn(store)


def learn(store: Store) -> None:
    """Note the tombstones of all branches: what is kept here may be gone."""
    repository = store.writer.repository
    if repository is None:
        return
    with contextlib.suppress(Unavailable):  # `fsck` says what ails git
        _note_all(store.root.path, repository)
        tombstone_ledger.note_branches(store.root.path)


def _note_all(vault: Path, repository: Repository) -> None:
    found: dict[str, bytes] = {}
    for tip in {*repository.refs().values()}:
        blobs = {p: b for p, b in repository.files(tip, FOLDER).items() if is_one(p)}
        texts = repository.contents([b for p, b in blobs.items() if p not in found])
        found |= {p: texts[b.id] for p, b in blobs.items() if b.id in texts}
    known = tombstone_ledger.last(vault)
    tombstone_ledger.note(vault, {p: data for p, data in found.items() if p not in known})
