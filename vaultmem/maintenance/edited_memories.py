"""Name the memories that were edited since they were accepted, and let a person accept that.

Until somebody does, no summary is made of such a text, or made anew because of it.
"""

from __future__ import annotations

import contextlib
import functools
import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vaultmem.documents import frontmatter
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Unavailable
from vaultmem.maintenance import crowds
from vaultmem.records import Problem, Record
from vaultmem.storage import accepted_text, files, human_edits
from vaultmem.storage.index import edited_memories as index_edits
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

if TYPE_CHECKING:
    from vaultmem.storage.git import Entry

CODE = "edited"
_MESSAGE = "edited since it was accepted"
_CROWD = "memories were edited since they were accepted"
_LOST = "its id or its type was edited, so that the memory {id} is nowhere"
_PUT_BACK = "put `id: {id}` and `type: memory` back, or let it go: `vaultmem fsck --accept-missing`"


def briefly(store: Store) -> Iterator[Problem]:
    """Name them for `status`; a crowd is counted."""
    marked = index_edits.paths(store.index)
    yield from crowds.briefly([_problem(*it) for it in marked.items()], _CROWD)


def each(store: Store) -> Iterator[Problem]:
    """Name each of them, for `fsck`: not one whose file says what is accepted.

    An index that was damaged may mark it.
    """
    for path, lost in index_edits.paths(store.index).items():
        if lost or not _is_accepted(store, path):
            yield _problem(path, lost)


def _problem(path: str, lost: str) -> Problem:
    """Return what ails the file at *path*; *lost* is the memory that it called itself, or ""."""
    if lost:
        return Problem(CODE, path, _LOST.format(id=lost), _PUT_BACK.format(id=lost))
    return Problem(CODE, path, _MESSAGE, index_edits.WAYS.format(path=shlex.quote(path)))


def _is_accepted(store: Store, path: str) -> bool:
    """Tell whether the file at *path* says what is accepted."""
    if (data := store.texts.read_if_allowed(path)) is None:
        return False
    said = store.texts.record(path, files.content(data))
    return accepted_text.digest(said.body) == index_edits.accepted(store.index, said.id, path)


def let_go(store: Store) -> None:
    """Answer no more for the memories whose files call themselves something else."""
    lost = [memory for memory in index_edits.paths(store.index).values() if memory]
    if lost:
        from vaultmem.storage import history_notes  # noqa: PLC0415  # only writers need it

        history_notes.let_go(store.writer, lost)
        store.sync()


def accept(store: Store, refs: Sequence[str]) -> None:
    """Accept the texts of the memories that *refs* name, as a person's, in one commit.

    Raises BadInput for what is no edited memory, Refused where git cannot have the edit first.
    """
    store.writer.commit_pending()
    store.sync()
    store.retry(functools.partial(_carry_out, store, refs))
    store.writer.commit_pending()
    store.sync()


def _carry_out(store: Store, refs: Sequence[str]) -> None:
    records = {r.path: r for r in (_edited(store, ref) for ref in refs)}
    changes = tuple(_accepted(store, record) for record in records.values())
    human_edits.keep(store, changes)
    agents = {record.agent for record in records.values()}
    agent = agents.pop() if len(agents) == 1 else ""
    many = "an edited memory" if len(changes) == 1 else f"{len(changes)} edited memories"
    subject = f"accept({agent}): {many}" if agent else f"accept: {many}"
    store.apply(Plan(store.mint(), "accept", subject, changes, agent, trust="user"))


def _edited(store: Store, ref: str) -> Record:
    edited = index_edits.paths(store.index)
    named = [record for record in store.index.named(ref) if record.path in edited]
    if len(named) != 1:
        raise BadInput(
            f"{quoted(ref)} names no edited memory: `vaultmem fsck` lists what was edited"
        )
    if lost := edited[named[0].path]:
        raise BadInput(
            f"{quoted(ref)} is a memory no more, by what it says: {_PUT_BACK.format(id=lost)}"
        )
    return named[0]


def _accepted(store: Store, record: Record) -> Change:
    old = store.texts.read(record.path) or b""
    human_edits.refuse_unkept(
        store, Change(record.path, store.texts.own(record.path), None, "accepted")
    )
    new = frontmatter.edited(old, {accepted_text.KEY: accepted_text.digest(record.body)})
    return Change(record.path, old, new, "accepted by a person, as it was edited")


def accepted_version(store: Store, record: Record) -> tuple[str, Entry] | None:
    """Return the body that is accepted of an edited memory, and the commit that brought it in.

    None for a memory as it was accepted, and where git does not have that text.
    """
    repository = store.writer.repository
    if repository is None or record.path not in index_edits.paths(store.index, corrected=True):
        return None
    wanted = index_edits.accepted(store.index, record.id, record.path)
    with contextlib.suppress(Unavailable):
        for entry in reversed(repository.log(None, paths=(record.path,))):
            data = repository.show(entry.commit, record.path)
            text = accepted_text.of(data) if data else None
            if data and text and text.digest == wanted:
                return store.texts.record(record.path, files.content(data)).body, entry
    return None
