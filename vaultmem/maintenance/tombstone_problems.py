"""Name the tombstones that were here and are not, or not as they were, and bring them back.

Deleted, renamed, altered, or on another branch: without one, what it stands for may be remembered
again. A damaged one keeps out all that is new, for as long as somebody has it whole.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from vaultmem.documents import frontmatter
from vaultmem.documents.markdown import blocks
from vaultmem.errors import Unavailable
from vaultmem.maintenance import crowds
from vaultmem.records import Problem
from vaultmem.storage import (
    files,
    git_state_files,
    gone_tombstones,
    reader,
    tombstone_ledger,
    tombstones,
)
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.tombstone_ledger import Noted

CODE = "tombstone-gone"
_CROWD = "tombstones that were here are gone; `vaultmem fsck` names each"
_HERE = "this tombstone is gone, and what it stood for may be remembered again"
_THERE = "this tombstone is {}, not here; what it stands for is refused here all the same"
_WAY = "`vaultmem fsck --repair` brings it back, `vaultmem fsck --accept-missing` lets it go"
_ALTERED = "a tombstone that was altered: it refuses less than it did"
_DOUBTFUL = "nobody can tell here whether this tombstone ever was whole: {}"
_FIRST = "{} first, then `vaultmem fsck --repair`"
_ASIDE = "a damaged tombstone that nobody has whole"
_NOTE = """\
`{path}` was no whole tombstone, and neither git nor this machine ever had it whole.
Nothing new could be taken in with it, so it is set aside here.

What it stood for, if anything, is not known, and may be remembered again.
Was something to stay forgotten? Look for it with `vaultmem recall`, and forget it once more.
Then delete this note. What stood in the tombstone:

{said}"""
_BACK = "`vaultmem fsck --repair` brings it back; nothing new is taken in until then"


def briefly(store: Store) -> Iterator[Problem]:
    """Name them for `status`; a crowd of those that are gone is counted."""
    known = gone_tombstones.learn_staged(store)
    yield from crowds.briefly(tuple(_gone(store, known)), _CROWD, _WAY)
    yield from _altered(store, known)
    yield from _doubtful(store)


def each(store: Store) -> Iterator[Problem]:
    """Name every one, for `fsck`."""
    known = gone_tombstones.learn_once(store)
    yield from _gone(store, known)
    yield from _altered(store, known)
    yield from _doubtful(store)


def _gone(store: Store, known: Noted) -> Iterator[Problem]:
    for it in gone_tombstones.missed(store, known):
        yield Problem(CODE, it.path, _THERE.format(it.place) if it.place else _HERE, _WAY)


def _altered(store: Store, known: Noted) -> Iterator[Problem]:
    for path in tombstones.altered(store, known):
        yield Problem(reader.TOMBSTONE, path, _ALTERED, _BACK)


def _doubtful(store: Store) -> Iterator[Problem]:
    """Name the damaged ones of which nobody can say here that they never were whole."""
    damaged = [p.path for p in store.index.problems() if tombstones.is_path(p.path)]
    repository = store.writer.repository if damaged else None
    if repository and (gap := repository.history_gap()):
        for path in damaged:
            way = _FIRST.format(gap.way)
            yield Problem(reader.TOMBSTONE, path, _DOUBTFUL.format(gap.why), way)


def restored(store: Store) -> Iterator[Change]:
    """Yield what brings them back, where nothing else has their place."""
    known = gone_tombstones.learn_once(store)
    for it in gone_tombstones.missed(store, known):
        if store.texts.is_gone(it.path):
            yield Change(it.path, None, it.text.encode(), "a tombstone that was here")
    for path in tombstones.altered(store, known):
        whole = known.seen[path].encode()
        yield Change(path, store.texts.read(path), whole, "a tombstone that was altered, as it was")


def mended(store: Store, path: str, old: bytes) -> Iterator[Change]:
    """Yield what makes the damaged tombstone at *path* whole, or sets it aside.

    *old* are its bytes. It is set aside where nobody ever had it whole: it would keep out all that
    is new for good. Not while there is a git that cannot be asked, or has not all of its history.
    """
    whole = next((data for data in _versions(store, path) if tombstones.parsed(path, data)), None)
    if whole is not None:
        yield Change(path, old, whole, "a damaged tombstone, as it was before")
    elif path in store.index.tombstones() and _is_asked(store):
        note = _note(path, old)
        where = files.conflict("", path, note)
        yield Change(path, old, None, _ASIDE)
        if store.texts.is_gone(where):
            yield Change(where, None, note, f"{_ASIDE} is set aside here")


def _versions(store: Store, path: str) -> Iterator[bytes]:
    """Yield what the tombstone at *path* was: committed last first, then as it was noted."""
    if repository := store.writer.repository:
        with contextlib.suppress(Unavailable):  # a part of the history is elsewhere, or damaged
            known = (*(entry.commit for entry in repository.log(None, paths=(path,))),
                     *repository.refs().values())  # fmt: skip
            yield from filter(None, (repository.show(at, path) for at in dict.fromkeys(known)))
    if noted := tombstone_ledger.read(store.root.path).seen.get(path):
        yield noted.encode()


def _is_asked(store: Store) -> bool:
    """Tell whether all was asked that may have a tombstone whole."""
    repository = store.writer.repository
    if repository is None:
        return git_state_files.git_dir(store.root.path) is None
    return repository.history_gap() is None


def _note(path: str, data: bytes) -> bytes:
    """Return the note on the tombstone at *path* that is set aside; the same, whoever does it."""
    said = blocks.as_code(data.decode("utf-8", "backslashreplace"))
    head = {"type": "conflict", "title": "A damaged tombstone"}
    return frontmatter.new(head, _NOTE.format(path=path, said=said)).encode()


def let_go(store: Store) -> None:
    """Let go of all that are gone: a person takes back what was forgotten."""
    paths = [it.path for it in gone_tombstones.missed(store, gone_tombstones.learn_once(store))]
    tombstone_ledger.let_go(store.root.path, paths)
