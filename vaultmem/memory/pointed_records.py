"""What MEMORY.md may point at: what the next commit of ours has of cards, topics, notes, sessions.

Of what has no end (summaries, notes, memories, sessions) only the newest is looked at, so that this
costs the same in a vault of years.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import PurePosixPath

from vaultmem.errors import BadInput, DiskRefused, Refused
from vaultmem.memory import memory_index
from vaultmem.records import Record, is_trusted, iso, moment
from vaultmem.storage import committed_files, files, reader, transcript_files
from vaultmem.storage.files import Read
from vaultmem.storage.index import Filter, edited_memories, pointer_queries, supersession
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store

_LISTED = Filter(type=tuple(sorted(memory_index.WHOLE - {"summary"})), recallable=True)
_BY_HAND = ("card", "skill", "topic")
"""What people write past our commands."""
_LOOKED_AT = 100
"""Of so many some are in no commit yet, or are left to others."""
_NEWEST, _IMPORTANT = 8, 7
"""So many memories are pointed at for being new, and for being important."""
_DAY = len("2026-11-20")
_LAST = 1 << 20
"""Bytes at the end of a transcript among which its last turn is looked for."""


def after(store: Store, changes: Sequence[Change], *, vouched: bool) -> Iterator[Record]:
    """Yield what MEMORY.md may point at after *changes*: what the next commit of ours has.

    Of a file that is held back, or was edited and not committed yet, that is what git had of it
    before, if anything. *vouched* says that a person vouches for *changes*.
    """
    owned = {c.path: store.texts.owned(c) for c in changes}
    summaries = pointer_queries.summaries(store.index, memory_index.MOST_LINES)
    found = (*store.index.records(_LISTED), *store.index.at(summaries))
    others = [r for r in found if r.path not in owned]
    gone = (c.path for c in changes if c.new is None)
    unsummarized = pointer_queries.summarized_only_by(store.index, gone)
    newest, sessions = _newest(store, unsummarized), _sessions(store)
    released = [r for r in _released(store, changes) if r.path not in owned]
    asked = [*(r.path for r in (*others, *released)), *chain(*newest), *sessions]
    if asked:  # at one go: what git has of MEMORY.md is asked when that is committed
        asked.append(memory_index.PATH)
    committed = committed_files.committed(store, list(dict.fromkeys(asked)))
    there = committed - owned.keys()
    yield from _as_committed(store, [r for r in others if r.path in there])
    made = [record for c in owned.values() if (record := _made(store, c, vouched=vouched))]
    yield from (r for r in made if r.type != "memory")
    yield from _as_committed(store, _notes(store, newest, there))
    moved = [*(r for r in made if r.type == "memory"), *(r for r in released if r.path in there)]
    compacted = {r.agent for r in made if r.tier == "recent"}
    compacted |= set(_compacted(store, moved)) - {*unsummarized}
    memories = _holding(store, changes, _memories(store, newest, there), moved)
    yield from map(_dated, _chosen([r for r in memories if r.agent not in compacted]))
    yield from (_session(path, _last_line(store, path)) for path in sessions if path in there)


def uncounted(store: Store, changes: Sequence[Change]) -> int:
    """Return how many older summaries MEMORY.md could point at, beside what `after` yields."""
    newest = pointer_queries.summaries(store.index, memory_index.MOST_LINES)
    return pointer_queries.other_summaries(store.index, {*newest, *(c.path for c in changes)})


def _as_committed(store: Store, records: Sequence[Record]) -> Iterator[Record]:
    """Yield *records* as git has their files, where a person has edited those since."""
    with files.reading_many(store.root) as read:
        own = {path: _own(read, path) for path in sorted(r.path for r in records)}
    instead = committed_files.instead(store, own)
    for it in records:
        data = instead.get(it.path)
        if data is not None:
            before = store.index.marked(store.texts.record(it.path, files.content(data)))
            yield from (before,) if before.recallable else ()
        elif it.path not in instead:
            yield it


def _own(read: Read, path: str) -> bytes | None:
    try:
        found = read(path)
    except (Refused, DiskRefused):
        return None
    return found.data if found else None


def _made(store: Store, change: Change, *, vouched: bool) -> Record | None:
    """Return what the commit of *change* has, None where MEMORY.md does not point at such."""
    new = committed_files.after(store, change)
    if new is None:
        return None
    if transcript_files.holds(change.path):
        return _session(change.path, new.rstrip().rpartition(b"\n")[2])
    made, old = store.texts.record(change.path, files.content(new)), change.old
    if made.claimed and (vouched or (old is not None and store.attestations.holds(old))):
        made = replace(made, trust=made.claimed, claimed="")
    if made.type == "memory":
        is_listed = not edited_memories.stays_edited(store.index, made, old, new)
    else:
        is_listed = made.type in memory_index.KINDS
    return made if is_listed and made.recallable else None


def _released(store: Store, changes: Sequence[Change]) -> Iterator[Record]:
    """Yield the memories that hold again, since *changes* take away what had ended them."""
    edited = edited_memories.paths(store.index, corrected=True)
    for change in changes:
        if change.new is None and change.old is not None:
            gone = reader.record(change.path, files.content(change.old))
            named = (r for target in gone.supersedes for r in store.index.named(target))
            ended = (r for r in named if r.type == "memory" and r.superseded_by == gone.stem)
            yield from (replace(it, superseded_by="") for it in ended if it.path not in edited)


def _holding(
    store: Store, changes: Sequence[Change], others: Sequence[Record], moved: Sequence[Record]
) -> Iterator[Record]:
    """Yield the memories that nothing ends after *changes*, which made or released the *moved*.

    What ends the *others* the index knows, but for what *changes* end.
    """
    touched = {PurePosixPath(change.path).stem for change in changes}
    texts = ((c.path, c.new) for c in changes if c.new and b"supersedes" in c.new)
    ending = [store.texts.record(path, files.content(data)) for path, data in texts]
    yield from (it for it in others if not _is_ended(it, ending))
    yield from (it for it in moved if not _is_ended(it, ending)
                and not supersession.is_ended(store.index, it, touched))  # fmt: skip


def _is_ended(memory: Record, ending: Sequence[Record]) -> bool:
    """Tell whether one of *ending* ends a memory."""
    names = {memory.path.removesuffix(".md"), memory.stem, memory.id}
    others = (by for by in ending if by.path != memory.path and names & {*by.supersedes})
    return any(supersession.may_end(by.trust, memory.trust, memory.type) for by in others)


def lack(store: Store) -> bool:
    """Tell whether MEMORY.md leaves out a topic, card or skill that git has, and has room for it.

    Nobody looks further than it has room for, so that this costs the same in a vault of any size.
    """
    text = (store.texts.read_if_allowed(memory_index.PATH) or b"").decode(
        "utf-8", "surrogateescape"
    )
    if not memory_index.has_room(text):
        return False
    pointed = set(memory_index.targets(text))
    paths = pointer_queries.listed(store.index, _BY_HAND, memory_index.MOST_LINES)
    missing = [path for path in paths if path not in pointed]
    return bool(missing) and bool(committed_files.committed(store, missing))


def leads_nowhere(store: Store) -> bool:
    """Tell whether MEMORY.md leads to nothing yet, and there is a memory to lead to.

    That is so in a new vault: what is due later waits for a round. It costs the same in any other.
    """
    text = (store.texts.read_if_allowed(memory_index.PATH) or b"").decode(
        "utf-8", "surrogateescape"
    )
    if not memory_index.has_room(text) or memory_index.targets(text):
        return False
    newest = pointer_queries.newest_memories(store.index, (), _NEWEST)
    return any(is_trusted(each) for each in store.index.at(newest))


# --- what has no end --------------------------------------------------------------------------


_Newest = tuple[list[str], list[str], list[str], list[str]]


def _newest(store: Store, unsummarized: Collection[str]) -> _Newest:
    """Return the paths of notes, of what was imported, of new and of important memories.

    Of agents that have no summary, or will have none, as the *unsummarized* ones.
    """
    index = store.index
    return (
        pointer_queries.newest_notes(index, _LOOKED_AT),
        pointer_queries.newest_knowledge(index, _LOOKED_AT),
        pointer_queries.newest_memories(index, unsummarized, _LOOKED_AT),
        pointer_queries.important_memories(index, unsummarized, _LOOKED_AT),
    )


def _notes(store: Store, newest: _Newest, there: Collection[str]) -> list[Record]:
    notes, known = ([p for p in paths if p in there] for paths in newest[:2])
    most = memory_index.MOST_NEWEST
    return store.index.at([*notes[:most], *known[:most]])


def _memories(store: Store, newest: _Newest, there: Collection[str]) -> list[Record]:
    new, important = ([p for p in paths if p in there] for paths in newest[2:])
    return store.index.at({*new[:_NEWEST], *important[: _NEWEST + _IMPORTANT]})


def _compacted(store: Store, moved: Sequence[Record]) -> Iterator[str]:
    """Yield the agents of the memories *moved* that have a summary already."""
    for agent in {r.agent for r in moved}:
        if store.index.has(Filter(type="summary", agent=agent, tier="recent")):
            yield agent


def _chosen(memories: Sequence[Record]) -> list[Record]:
    """Return the newest of *memories*, and of the others the most important."""
    found = [r for r in memories if is_trusted(r) and not r.superseded_by]
    found.sort(key=lambda r: (r.created, r.id, r.path), reverse=True)
    rest = sorted(found[_NEWEST:], key=lambda r: -r.importance)
    return [*found[:_NEWEST], *rest[:_IMPORTANT]]


def _dated(memory: Record) -> Record:
    """Return *memory* as it is pointed at: by its day, and with who said it."""
    said = f"{memory.speaker}: {memory.body.lstrip()}" if memory.speaker else memory.body
    return replace(memory, title=memory.created[:_DAY], description="", body=said)


def _sessions(store: Store) -> list[str]:
    """Return the paths of transcripts, of too many the last by name."""
    found = [each.path for each in transcript_files.every(store.root)]
    return found[-_LOOKED_AT:]


def _last_line(store: Store, path: str) -> bytes:
    try:
        found = files.tail(store.root, path, _LAST)
    except (Refused, DiskRefused):
        return b""
    return (found or b"").removesuffix(b"\n").rpartition(b"\n")[2]


def _session(path: str, last: bytes) -> Record:
    """Return the transcript at *path* as it is pointed at: by the day of its *last* turn."""
    _, agent, _, name = path.split("/", 3)
    day = _day(last)
    said = f"the turns of a session, the last one of {day}" if day else "the turns of a session"
    return Record(
        path, "", type="session", agent=agent, created=day, trust="agent",
        title=name.removesuffix(".jsonl"), description=said,
    )  # fmt: skip


def _day(turn: bytes) -> str:
    """Return the day on which a *turn* was said, "" where its line does not tell."""
    try:
        return iso(moment(str(json.loads(turn)["at"])))[:_DAY]
    except (BadInput, ValueError, KeyError, TypeError, RecursionError):
        return ""
