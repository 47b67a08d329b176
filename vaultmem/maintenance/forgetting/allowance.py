"""Allow again what was forgotten, for a person who means it: its tombstone goes.

Nothing comes back by that; who wants the text itself back undoes the forgetting.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.storage import (
    gone_tombstones,
    human_edits,
    tombstone_ledger,
    tombstones,
    troubles,
)
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store


@dataclass(frozen=True, slots=True)
class AllowedAgain:
    """The ids of what may be said again, and the operation that took the tombstones away.

    *op* is "" where none of them was here.
    """

    allowed: tuple[str, ...]
    op: str = ""
    commit: str | None = None


def allow_again(store: Store, refs: Sequence[str]) -> AllowedAgain:
    """Take the tombstones that *refs* name, by id or path, for none any more, in one commit.

    One that is on another branch, or was deleted here, is let go. Raises BadInput for what is none,
    DamagedTombstone, and Unavailable where a sparse checkout may leave it out.
    """
    store.sync()
    store.writer.commit_pending()
    ids = tuple(dict.fromkeys(PurePosixPath(ref).stem.upper() for ref in refs))
    op = store.retry(functools.partial(_carry_out, store, ids))
    commit = store.writer.commit_pending().get(op)
    store.sync()
    return AllowedAgain(ids, op, commit)


def _carry_out(store: Store, ids: Sequence[str]) -> str:
    here = [path for it in ids if (path := _path_of(store, it))]
    known = gone_tombstones.learn_once(store)
    elsewhere = {it.path for it in gone_tombstones.missed(store, known)}
    gone = [path for it in ids if (path := tombstones.path(it)) in elsewhere]
    named = {PurePosixPath(path).stem.upper() for path in (*here, *gone)}
    if missing := next((it for it in ids if it not in named), ""):
        troubles.refuse_left_out(store, "its tombstone may be among them; nothing was changed")
        raise BadInput(
            f"{quoted(missing)} is no tombstone: `vaultmem status` names those there are"
        )
    op = _taken_away(store, here) if here else ""
    tombstone_ledger.let_go(store.root.path, gone)
    return op


def _taken_away(store: Store, here: Sequence[str]) -> str:
    changes = tuple(Change(it, store.texts.read(it), None, "it may be said again") for it in here)
    human_edits.keep(store, changes)
    texts = "1 forgotten text" if len(here) == 1 else f"{len(here)} forgotten texts"
    op = store.mint()
    store.apply(Plan(op, "allow", f"allow: {texts} again", changes, trust="user"))
    return op


def _path_of(store: Store, forgotten_id: str) -> str:
    found = tombstones.find(store, forgotten_id)
    return found.path if found else ""
