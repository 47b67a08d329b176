"""Prove that nothing is lost: every file sound, every id once, every memory told at most once.

`repair` does what cannot be wrong: it finishes interrupted writes, gives a memory the id it lacks,
restores a torn file whose whole text git has, and a damaged tombstone, or sets one aside that never
was whole, brings back memories that had left the history and texts that pointers of git LFS stand
for, and regenerates MEMORY.md from the files that exist.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from vaultmem.documents import hidden_text
from vaultmem.errors import DiskRefused, Unavailable
from vaultmem.knowledge import tasks
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.maintenance import (
    commit_delays,
    cut_sessions,
    damaged_supersessions,
    edited_memories,
    forgotten_texts,
    index_problems,
    left_operations,
    missing_memories,
    pointer_problems,
    pointers,
    stashed_memories,
    summary_problems,
    task_problems,
    tombstone_problems,
    tool_lines,
    turn_index_problems,
    waiting_ticks,
    withheld_files,
)
from vaultmem.maintenance.provenance import unsupported
from vaultmem.maintenance.provenance.unsupported import Unsupported
from vaultmem.memory import adopt, folding, memory_index, pointed_index
from vaultmem.records import Problem, Record
from vaultmem.storage import (
    files,
    item_logs,
    journal,
    reader,
    tombstones,
    transcript_files,
    transcripts,
    troubles,
)
from vaultmem.storage.commits import QUIET
from vaultmem.storage.git import Dirty, Repository
from vaultmem.storage.index import Filter, count_queries, file_queries
from vaultmem.storage.index import edited_memories as index_edits
from vaultmem.storage.ledger.entries import memory_id
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.progress import Progress, untold
from vaultmem.storage.store import Store


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked, in numbers, and what is wrong.

    Lines that no source bears out are *unsupported*: no fault of the vault, and no reason to fail.
    Nor are *uncommitted* files, which are safe on disk and wait for a commit, nor those that a
    sparse checkout leaves out, which are *not_checked_out* and were not looked at. *set_aside* are
    notes in the inbox on what a repair could not mend. *tool_lines* are what is untrusted for lines
    that a tool had said, and waits for a person. *due* is what the next round brings up to date.
    """

    memories: int
    covered: int
    pending: int
    checked: dict[str, int]
    problems: tuple[Problem, ...]
    unsupported: tuple[Unsupported, ...] = ()
    uncommitted: int = 0
    not_checked_out: int = 0
    set_aside: tuple[str, ...] = ()
    tool_lines: tuple[Problem, ...] = ()
    due: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def check(store: Store, progress: Progress = untold) -> Report:
    """Look at everything; the caller has synced the index.

    *progress* is told how many files of how many are compared with the index.
    """
    missing = (*missing_memories.each(store), *left_operations.each(store))
    replaced = tuple(pointer_problems.each(store))
    stashed = tuple(stashed_memories.each(store))
    store.learn_accepted()
    shadow = (*index_problems.each(store, progress), *turn_index_problems.each(store))
    agents = [
        summary_problems.of_agent(store, agent, sound=not shadow) for agent in store.index.agents()
    ]
    problems = (
        *_files(store),
        *_twins(store, {problem.path for problem in shadow}),
        *(problem for it in agents for problem in it.problems),
        *_episodes(store),
        *_pointers(store),
        *pointers.lost_marks(store),
        *_workings(store),
        *shadow,
        *_history(store),
        *_missing(store, {problem.path for problem in stashed}),
        *missing,
        *replaced,
        *stashed,
        *edited_memories.each(store),
        *withheld_files.problems(store),
        *damaged_supersessions.each(store),
        *tombstone_problems.each(store),
        *waiting_ticks.problems(store),
        *commit_delays.problems(store, whole=True),
        *commit_delays.vanished(store),
        *task_problems.of(store, whole=True),
        *_transcripts(store, {problem.path for problem in replaced}),
        *_hidden(store),
    )
    return _report(store, agents, problems)


def _report(
    store: Store, agents: Sequence[summary_problems.Checked], problems: tuple[Problem, ...]
) -> Report:
    """Return the *problems*, with what there is in numbers, and what is no fault of the vault."""
    return Report(
        memories=sum(it.memories for it in agents),
        covered=sum(it.covered for it in agents),
        pending=sum(it.pending for it in agents),
        checked={
            "files": file_queries.count(store.index) - len(store.index.vanished()),
            "agents": len(agents),
            "summaries": sum(it.summaries for it in agents),
        },
        problems=tuple(it for it in problems if it.code != pointers.DUE),
        unsupported=tuple(unsupported.lines(store)),
        uncommitted=len({*_uncommitted(store)}),
        not_checked_out=len(store.not_checked_out()),
        tool_lines=tuple(tool_lines.each(store)),
        due=tuple(it for it in problems if it.code == pointers.DUE),
    )


def _uncommitted(store: Store) -> Iterator[str]:
    for name in journal.due(store.root):
        yield from (write.path for write in journal.writes(store.root, name))


def _files(store: Store) -> Iterator[Problem]:
    """Name what is wrong with single files, and what was forgotten and is there again."""
    forgotten = tuple(forgotten_texts.problems(store, whole=True))
    yield from forgotten_texts.without_advice_against(forgotten, troubles.found(store))
    yield from troubles.filtered_elsewhere(store)
    yield from forgotten


def _twins(store: Store, doubted: AbstractSet[str]) -> Iterator[Problem]:
    """Two files with one id are a conflict copy; two memories with one stem confuse every link.

    Not those of which the index may say what is not so, the *doubted*, nor those that vanished and
    wait for a person: the only one that is there would be deleted for it.
    """
    vanished = frozenset(store.index.vanished())
    for code, found, message, way in (
        ("twins", count_queries.same_ids, "one id, {}, in {}", "keep one and delete the other"),
        ("same-name", count_queries.same_names, "one name, {}, of {}", "rename one of them"),
    ):
        for same, paths in found(store.index):
            there = [path for path in paths if path not in vanished]
            if len(there) > 1 and doubted.isdisjoint(there):
                yield Problem(code, there[-1], message.format(same, ", ".join(there)), way)


def _episodes(store: Store) -> Iterator[Problem]:
    """Check that the episodes of each session tell of its turns once, and without a gap."""
    by_session: dict[str, list[Record]] = {}
    for it in store.index.records(Filter(type="episode", below="agents"), body=False):
        if it.session:
            by_session.setdefault(transcript_files.path(it.agent, it.session), []).append(it)
    for path, episodes in by_session.items():
        try:
            found = transcripts.load(store.root, path)
        except DiskRefused:  # it is told that it cannot be read
            continue
        for code, where, message in folding.faults(found.turns if found else (), episodes):
            yield Problem(code, where, message, _REFOLD[code])


_REFOLD = {
    "bad-episode": "its transcript was cut or is gone: restore that, or delete the episode",
    "episode-overlap": "two machines folded them: keep the better one, delete the other",
    "episode-gap": "`vaultmem fold` covers them",
}


def _pointers(store: Store) -> Iterator[Problem]:
    data = store.texts.read_if_allowed(memory_index.PATH)
    if data is None:
        return
    text = data.decode("utf-8", "replace")
    size = memory_index.size(text)
    if size.share > 1:
        message = f"{size.lines} lines, {size.bytes} bytes"
        yield Problem("over-budget", memory_index.PATH, message, pointers.tidy(store))
    yield from pointers.dangling(store, text)


def _hidden(store: Store) -> Iterator[Problem]:
    """Look for what an agent reads and a person does not see: it is how memories are poisoned."""
    for memory in store.index.every(Filter(type="memory", recallable=True, trusted=True)):
        is_settled = memory.superseded_by or _is_reviewed(memory)
        found = () if is_settled else hidden_text.find(memory.body)
        if any(it.kind in hidden_text.POISON for it in found):
            line = memory.body_line + min(it.first_line for it in found) - 1
            kinds = ", ".join(f"{it.kind} {it.count}" for it in found)
            message = f"hidden text ({kinds}) from line {line} on"
            yield Problem("hidden", memory.path, message, _LOOK)


def _is_reviewed(memory: Record) -> bool:
    # Seen by a person: who let it in through us, for the box may be the memory's own.
    return memory.trust == "verified" or (memory.approved == "true" and memory.trust == "user")


_LOOK = "`vaultmem recall` shows it; forget or correct it, or `vaultmem review accept` it"


def _workings(store: Store) -> Iterator[Problem]:
    if (store.root.path / files.READ_ONLY).exists():
        message = "the disk failed during a write; every write is refused"
        yield Problem(
            "read-only", files.READ_ONLY, message, "check the disk, then `vaultmem fsck --repair`"
        )
    yield from commit_delays.unreadable(store)
    yield from commit_delays.half_done(store)
    for temp in files.leftovers(store.root):
        if not files.alive(temp):
            yield Problem("leftover", temp, "left by a dead process", "`vaultmem fsck --repair`")


def _missing(store: Store, stashed: Collection[str]) -> Iterator[Problem]:
    """Name the memories that the last commit has and the disk has not.

    Not one that is *stashed*, of which a round does not commit that it is gone; nor one that an
    operation of ours took away and that waits for its commit, nor one that has another name now:
    it is known by its id.
    """
    if (repository := store.writer.repository) is None:
        return
    known = {*store.index.vanished(), *stashed}
    waiting = (w for n in journal.names(store.root) for w in journal.writes(store.root, n))
    known |= {write.path for write in waiting if write.new is None}
    with contextlib.suppress(Unavailable):  # what ails git is said already
        for dirty in repository.unstaged(store.writer.commits.staged()):
            kind = _kind(dirty.path)
            name = shlex.quote(dirty.path)
            is_gone = dirty.kind == "deleted" and dirty.path not in known
            if kind == "memory":
                is_gone = dirty.path not in known and _is_nowhere(store, repository, dirty)
            if is_gone and kind in {"memory", "transcript", _LOG}:
                message = f"a {kind} that is in git is gone from disk"
                yield Problem("missing", dirty.path, message, _BACK.format(path=name))
            elif store.writer.commits.edits.is_cut(dirty.path):
                yield cut_sessions.problem(store, dirty.path)


def _kind(path: str) -> str:
    if item_logs.is_path(path):
        return _LOG
    return "transcript" if transcript_files.holds(path) else reader.kind_of(path)


def _is_nowhere(store: Store, repository: Repository, dirty: Dirty) -> bool:
    """Tell whether the memory that git has at that path lies on disk under no name.

    Another may have its place, which was moved there; not one whose id was edited.
    """
    texts = (repository.show("HEAD", dirty.path), store.texts.read(dirty.path))
    memory, there = (memory_id(text or b"") for text in texts)
    if memory and store.index.known_ids([memory]):
        return False
    is_edited = not there or dirty.path in index_edits.paths(store.index)
    return dirty.kind == "deleted" or (bool(memory) and not is_edited)


_LOG = "session's log"
_BACK = (
    "`git checkout -- {path}` brings it back; `vaultmem watch --once` commits that it is gone, "
    f"once the folder has not changed for {QUIET:.0f} seconds"
)


def _transcripts(store: Store, named: AbstractSet[str]) -> Iterator[Problem]:
    """Report what is wrong with sessions; they are never rewritten, so nothing here is repaired.

    Not of those that are *named* already.
    """
    # Another process may be writing a line right now.
    growing = {w.path for n in journal.begun(store.root) for w in journal.writes(store.root, n)}
    found = (*transcripts.faults(store.root), *item_logs.faults(store.root))
    yield from (p for p in found if p.path not in growing | named)


_RESTORE = (
    "`vaultmem fsck --repair` stores anew what still lies on disk; else restore .git from a clone, "
    "`git fsck` tells more"
)


def _history(store: Store) -> Iterator[Problem]:
    repository = store.writer.repository
    if repository and (message := repository.fsck()):
        line = message.splitlines()[0]
        yield Problem("git", ".git", line, _RESTORE)


# --- repairing --------------------------------------------------------------------------------


def repair(store: Store) -> tuple[str, ...]:
    """Mend what can be mended without judgement; the caller has recovered and synced.

    Return the notes in the inbox on what could not be mended, and was set aside.
    """
    (store.root.path / files.READ_ONLY).unlink(missing_ok=True)
    store.writer.sweep(quiet=0)
    store.writer.commits.put_back_texts()
    was_whole = not store.index.vanished()
    if not (was_whole or _is_whole_again(store)):
        return ()
    _reindex(store)
    # What waits for its commit, and was taken away meanwhile, comes back first.
    return store.retry(lambda: _mend(store, was_whole=was_whole))


def _mend(store: Store, *, was_whole: bool) -> tuple[str, ...]:
    """Bring back and mend what can be; raises StaleWrite where somebody wrote in between."""
    left, brought = left_operations.restored(store)
    changes: tuple[Change | Append, ...] = tuple(_mended(store))
    changes += tuple(c for c in left if c.path not in {it.path for it in changes})
    if not was_whole or any(tasks.is_place(c.path) for c in left):
        changes += task_service.board_change(store, changes)
    if changes or any(_pointers(store)):
        notes_alone = [c for c in changes if isinstance(c, Change)]
        changes += pointed_index.change(store, notes_alone)
    _apply(store, changes, brought)
    return tuple(c.path for c in changes if c.path.startswith(files.CONFLICTS))


def _is_whole_again(store: Store) -> bool:
    """Bring back what HEAD lacks of a crowd that is gone; tell whether it is none any more.

    The rest of it is a person's to bring back, or to let go; until then all else waits.
    """
    gone = {*store.index.vanished()}
    back, brought = left_operations.restored(store, gone)
    memories = (c for c in missing_memories.restored(store) if c.path in gone)
    _apply(store, (*memories, *back), brought)
    store.writer.commit_pending()
    store.sync()
    return not store.index.vanished()


def _apply(store: Store, changes: Sequence[Change | Append], brought: Sequence[str]) -> None:
    """Carry out a repair, which notes what it *brought* back."""
    if changes:
        subject = f"repair: {len(changes)} {'file' if len(changes) == 1 else 'files'}"
        notes = (*(f"{c.path}: {c.reason}" for c in changes), *brought)
        store.apply(Plan(store.mint(), "repair", subject, tuple(changes), notes=notes))


def _reindex(store: Store) -> None:
    """Index the files again that the index disagrees with."""
    turn_index_problems.mend(store)
    wrong = [p.path for p in index_problems.each(store)]
    if wrong:
        file_queries.doubt(store.index, wrong)
        store.index.absorb(wrong)
        wrong = [p.path for p in index_problems.each(store)]
    if (wrong or _has_miscounted(store)) and not troubles.unread(store):
        store.index.rebuild()
        store.index.sync()


def _has_miscounted(store: Store) -> bool:
    agents = (summary_problems.of_agent(store, agent, sound=True) for agent in store.index.agents())
    return any(problem.code == "index" for it in agents for problem in it.problems)


def _mended(store: Store) -> Iterator[Change]:
    for problem in store.index.problems():
        old = store.texts.read_if_allowed(problem.path)
        if old is None:
            continue
        if tombstones.is_path(problem.path):
            yield from tombstone_problems.mended(store, problem.path, old)
        elif problem.code == reader.INCOMPLETE:
            yield from filter(None, [adopt.repaired(store, problem.path, old)])
        elif problem.code in {"torn", "empty", "emptied"}:
            yield from _restored(store, problem.path, old)
    yield from missing_memories.restored(store)
    yield from pointer_problems.restored(store)
    yield from tombstone_problems.restored(store)


def _restored(store: Store, path: str, old: bytes) -> Iterator[Change]:
    """Bring back a file that is cut short, when git has a version that begins with what is left."""
    repository = store.writer.repository
    whole = repository.show("HEAD", path) if repository else None
    if whole and whole != old and whole.startswith(old):
        yield Change(path, old, whole, "restored from the last commit")
