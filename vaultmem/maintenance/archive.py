"""The archive of an agent: memories that are kept, and neither recalled nor in contexts.

A memory is archived by moving its file, byte for byte, and comes back the same way. Summaries go on
telling of it, and links lead to it, for its name stays.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused
from vaultmem.knowledge.sharing import Shares
from vaultmem.maintenance import repeated_memories
from vaultmem.memory import pointed_index
from vaultmem.memory.placement import archived_path
from vaultmem.records import Record, first_line, iso
from vaultmem.retrieval import usage
from vaultmem.storage import human_edits, tombstones
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Moved:
    """Where memories lie now that were archived or brought back; *commit* is None while pending.

    *withdrawn* are the shared topics that tell of them no more.
    """

    paths: tuple[str, ...]
    op: str = ""
    commit: str | None = None
    withdrawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Archived:
    """An archived memory as a person is shown it."""

    id: str
    path: str
    date: str
    text: str


def is_movable(memory: Record) -> bool:
    """Tell whether *memory* is an agent's own, and lies in its folder."""
    return bool(memory.agent) and memory.path.startswith(f"agents/{memory.agent}/")


def archived(store: Store, agent: str = "") -> tuple[Archived, ...]:
    """Return the archived memories of *agent*, or of all, in time."""
    found = store.index.records(Filter(type="memory", agent=agent, archived=True))
    return tuple(Archived(m.id, m.path, m.created, first_line(m.body, _SHOWN)) for m in found)


def archive(store: Store, refs: Sequence[str]) -> Moved:
    """Move the memories that *refs* name out of recall, in one commit.

    What was shared of them is withdrawn first, or all would go on recalling it.

    Raises BadInput for what names none or several, Refused for what is no memory that is recalled.
    """
    store.sync_names()
    # One that is meant may have been changed in place, which shows in no folder's time.
    store.index.absorb({it.path for ref in refs for it in store.index.named(ref)})
    found = _meant(store, refs, lambda memory: memory.recallable)
    shares = Shares(store)
    topics = [path for memory in found for path in shares.take_back(memory).paths]
    done = _move(store, found, "archive", archived_path)
    return replace(done, withdrawn=tuple(dict.fromkeys(topics)))


def unarchive(store: Store, refs: Sequence[str]) -> Moved:
    """Bring the archived memories that *refs* name back, in one commit.

    That counts as a recall: no dream proposes them again before their time. Raises as `archive`
    does, and Refused for what was forgotten, or remembered again since.
    """
    store.sync()  # what was remembered again since tells its text
    found = _meant(store, refs, lambda memory: memory.archived)
    for memory in found:
        tombstones.refuse(
            store,
            memory.body,
            agent=memory.agent,
            origin=memory.origin,
            named=memory.id,
            speaker=memory.speaker,
        )
    again = repeated_memories.find(store, store.index.at(memory.path for memory in found))
    for memory in found:
        if it := again.get(memory.id):
            raise Refused(
                f"{memory.path} is in the vault again as {it.path}: "
                f"`vaultmem archive {shlex.quote(it.path)}` first, if you want this one instead"
            )
    done = _move(store, found, "unarchive", _recalled_path)
    usage.add(store.root.path, [memory.id for memory in found], iso(store.clock()))
    return done


def _recalled_path(path: str) -> str:
    agents, agent, _, *rest = path.split("/")
    return "/".join((agents, agent, "memories", *rest))


def _meant(store: Store, refs: Sequence[str], is_meant: Callable[[Record], bool]) -> list[Record]:
    found = {memory.path: memory for memory in (_named(store, ref) for ref in refs)}
    for memory in found.values():
        if memory.type != "memory" or not is_movable(memory):
            raise Refused(f"{memory.path} is not a memory of an agent")
        if memory.problem or memory.held or not is_meant(memory):
            raise Refused(f"{memory.path} {_why_not(memory)}")
    return list(found.values())


def _move(store: Store, found: Sequence[Record], kind: str, place: Callable[[str], str]) -> Moved:
    # What a person took from where it goes is theirs, too: or our commit would make of what was
    # there what is there now, and give an edited text the trust of the old one.
    ends = (path for memory in found for path in (memory.path, place(memory.path)))
    human_edits.commit(store, ends)
    moves = [change for memory in found for change in _changes(store, memory.path, place, kind)]
    changes = (*moves, *pointed_index.change(store, moves))
    agents = {memory.agent for memory in found}
    agent = agents.pop() if len(agents) == 1 else ""
    whose = f"({agent})" if agent else ""
    subject = f"{kind}{whose}: {len(found)} memor{'y' if len(found) == 1 else 'ies'}"
    plan = Plan(store.mint(), kind, subject, changes, agent)
    store.apply(plan)
    commit = store.writer.commit_pending().get(plan.op)
    return Moved(tuple(place(memory.path) for memory in found), plan.op, commit)


def _why_not(memory: Record) -> str:
    if memory.problem:
        return f"cannot be read as it stands: {memory.problem.message}"
    if memory.held:
        return "holds what is private or a credential, and git must not have it"
    return "is archived already" if memory.archived else "is not archived"


def _named(store: Store, ref: str) -> Record:
    found = [record for record in store.index.named(ref) if record.kept]
    if len(found) != 1:
        many = f"{len(found)} files: name one by its path" if found else "no memory"
        raise BadInput(
            f"{quoted(ref)} names {many}; `vaultmem recall` and `vaultmem archive` show paths"
        )
    return found[0]


def _changes(
    store: Store, path: str, place: Callable[[str], str], kind: str
) -> tuple[Change, Change]:
    data = store.texts.read(path)
    return Change(place(path), None, data, f"{kind}d"), Change(path, data, None, f"{kind}d")
