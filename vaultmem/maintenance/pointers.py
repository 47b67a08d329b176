"""What is wrong with MEMORY.md and TASKS.md: pointers that lead nowhere, content, a lost mark."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from vaultmem.documents import public_text
from vaultmem.errors import Unavailable
from vaultmem.memory import memory_index
from vaultmem.records import Problem, is_trusted
from vaultmem.storage import task_files
from vaultmem.storage.store import Store

_BY_HAND = "tidy your own lines by hand: a dream looks at none of a file that is not trusted"
TIDY = "`vaultmem dream plan` proposes how to tidy your own lines"
DUE = "pointer-due"
_NEXT_ROUND = "the next round renews it, once that is committed (`vaultmem watch --once`)"
_REWRITE = "`vaultmem fsck --repair` rebuilds it between its marks"


def dangling(store: Store, text: str) -> Iterator[Problem]:
    """Name each pointer of the MEMORY.md *text*, its own, that leads nowhere; none in private.

    One of the program's to a file that a person moved or deleted since the last commit is `DUE`.
    """
    missing = _missing(store, memory_index.targets(text))
    if not missing:  # in most vaults, and a look for what is private takes longer
        return
    shown = {*memory_index.targets(public_text.shown(text))}
    # Those between the marks the program can mend; the others are a person's.
    own = {*memory_index.targets(memory_index.regenerate(text, ()))}
    due = _due(store, [target for target in missing if target not in own])
    for target in missing:
        if target in shown and target in due:
            message = f"{target} was moved or deleted since the last commit"
            yield Problem(DUE, memory_index.PATH, message, _NEXT_ROUND)
        elif target in shown:
            repair = tidy(store) if target in own else _REWRITE
            yield Problem("dangling-pointer", memory_index.PATH, f"{target} is not there", repair)


def _missing(store: Store, targets: Sequence[str]) -> list[str]:
    vanished, elsewhere = {*store.index.vanished()}, store.not_checked_out()
    known = (t for t in targets if t not in vanished and store.index.knows(t))
    left = {*targets} - {*known} - elsewhere
    return [target for target in targets if target in left and store.texts.is_gone(target)]


def _due(store: Store, missing: Sequence[str]) -> Collection[str]:
    """Return those of *missing* that HEAD has, where a round would renew what points at them."""
    repository = store.writer.repository if missing else None
    if repository is None or store.index.vanished() or store.not_checked_out():
        return ()
    try:
        return repository.in_head(missing).keys()
    except Unavailable:
        return ()


def tidy(store: Store) -> str:
    """Return how a person's own lines are tidied: a dream looks at none that are not trusted."""
    found = store.index.at([memory_index.PATH])
    return TIDY if all(map(is_trusted, found)) else _BY_HAND


def content(store: Store, text: str) -> Iterator[Problem]:
    """Say what the MEMORY.md *text* holds beside its pointers, where it holds anything."""
    found = memory_index.content(text)
    counted = [
        f"{count} {name}{'s' * (count != 1)}"
        for count, name in ((found.paragraphs, "paragraph"), (found.facts, "fact"))
        if count
    ]
    if counted:
        message = f"it holds {' and '.join(counted)} beside its pointers"
        yield Problem("index-content", memory_index.PATH, message, tidy(store))


def lost_marks(store: Store) -> Iterator[Problem]:
    """Name each list that is kept up to date no more, since it has one of its marks alone.

    It is a person's to put back: nobody else knows which of the lines beside it are theirs.
    """
    for path in (memory_index.PATH, task_files.BOARD):
        text = (store.texts.own_if_allowed(path) or b"").decode("utf-8", "replace")
        if memory_index.is_half_marked(text):
            yield Problem("lost-mark", path, _LOST, _PUT_BACK)


_LOST = (
    f"its list is not brought up to date: `{memory_index.BEGIN}` does not stand above "
    f"`{memory_index.END}`"
)
_PUT_BACK = (
    "write the mark that is missing on a line of its own, above or below the list; or delete the "
    "other, too, and the whole note is yours"
)
