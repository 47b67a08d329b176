"""What was done to a vault and when, shown, and undone without losing what came later."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from vaultmem import config
from vaultmem.documents import frontmatter, public_text
from vaultmem.documents.public_text import quoted
from vaultmem.errors import AlreadyUndone, NotFound, NothingToUndo, Refused, Unavailable
from vaultmem.knowledge import tasks
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.maintenance import commit_delays, later_edits, renamed_files, undo_refusals
from vaultmem.maintenance.retold_summaries import RetoldSummaries
from vaultmem.memory import memory_index, pointed_index
from vaultmem.storage import files, git, held_notes, plan, tombstones, troubles
from vaultmem.storage.git import Entry, FileChange, Repository
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_SHORTEST_COMMIT = 7
_UNDO = "undo: "
_FEW = 256
"""Files that git is given by name; more it finds by itself."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One commit that vaultmem or a person made; *ops* are its operations' ids."""

    commit: str
    when: str
    author: str
    subject: str
    ops: tuple[str, ...]
    body: str
    trailers: tuple[tuple[str, str], ...]


def operations(store: Store, limit: int | None) -> tuple[Operation, ...]:
    """Return the newest *limit* commits that touch the vault, newest first."""
    return tuple(_operation(entry) for entry in repository_of(store).log(limit))


def _operation(entry: Entry) -> Operation:
    when = entry.when.strftime("%Y-%m-%dT%H:%M:%SZ")
    it = entry.public
    return Operation(it.commit, when, it.author, it.subject, it.ops, it.body, it.trailers)


def repository_of(store: Store) -> Repository:
    """Return what keeps the history; raises Unavailable, which says what keeps it away."""
    if not git.available():
        raise Unavailable("git is not on PATH, and the history is in git: install it")
    if store.writer.repository is None:
        if why := git.unopened(store.root.path):
            raise Unavailable(
                f"git cannot open the history of {store.root.path}: {why}; "
                f"{commit_delays.way_to_open(store.root.path, why)}"
            )
        if lost := [*commit_delays.problems(store)]:
            raise Unavailable(f"{store.root.path}: {lost[0].message}; {lost[0].repair}")
        raise Unavailable(
            f"{store.root.path} has no git history: `git init` there starts one; "
            "everything but history works without"
        )
    return store.writer.repository


def diff(store: Store, op: str = "") -> str:
    """Return the patch of one operation or commit, or of what is not committed when none is named.

    Raises NotFound for one that is not in the history.
    """
    repository = repository_of(store)
    if not op:
        return patch(repository, None)
    return "".join(patch(repository, entry.commit) for entry in _entries(repository, op))


def patch(repository: Repository, commit: str | None, path: str = "") -> str:
    """Return a commit's patch, or that of the files on disk, as far as it may leave the files.

    Of the file at *path* alone, where one is named.
    """
    found = repository.edits() if commit is None else repository.changed(commit)
    changes = [it for it in found if not path or it.path == path]
    held = tuple(
        Change(it.path, it.old, it.new, "")
        for it in changes
        if public_text.named_secret(it.path) or any(map(public_text.is_held, (it.old, it.new)))
    )
    if commit is None and not changes:
        return ""
    if not held:
        few = sorted({it.path for it in changes}) if len(changes) <= _FEW else ()
        return repository.diff(commit, [path] if path else few if commit is None else ())
    rest = sorted({it.path for it in changes} - {it.path for it in held})
    return (repository.diff(commit, rest) if rest else "") + plan.diff(Plan("", "", "", held))


def _entries(repository: Repository, op: str) -> list[Entry]:
    """Return the commits of one operation, oldest first; a commit may be named by its own id.

    An operation has more than one commit when git could take only part of it at first.
    """
    found = [e for e in repository.log(None) if op.upper() in e.ops] if op else []
    if not found and len(op) >= _SHORTEST_COMMIT:
        found = [e for e in repository.log(None) if e.commit.startswith(op.lower())]
    if not found:
        raise NotFound(f"no operation {quoted(op)} in the history: `vaultmem log` lists them")
    return found[::-1]


def undo(store: Store, op: str, *, partly: bool = False, trust: str = "") -> Plan:
    """Return the plan that takes one operation (or commit) back and keeps whatever came later.

    Where later changes stand on the same lines a person is asked: with *partly* such a file stays
    as it is, and what it said before waits in the inbox; what was purged since, or remembered or
    imported again, does not come back. A summary that a forgetting alone has told again since goes
    back with the rest. *trust* is what the word of whoever asks for it is worth, where that is to
    be told. Raises NotFound for an unknown operation, Refused when later changes stand on it,
    Unavailable where a sparse checkout leaves out what it changed.
    """
    repository = repository_of(store)
    entries = _entries(repository, op)
    done = _undoable(store, repository, op, entries)
    ours = renamed_files.followed(store, op, done)
    away = undo_refusals.moved(store, ours)
    purged = _purged(store, ours, partly=partly)
    mint = store.mint()
    retold = RetoldSummaries(store, repository, entries[-1].commit, ours)
    part = _Part(mint.lower(), retold) if partly else None
    notes = [it for it in ours if it.path not in {*_GENERATED, *purged}]
    every = tuple(c for it in notes for c in _reverse(store, it, part))
    again = undo_refusals.repeated(store, repository, entries[0].commit, every)
    undo_refusals.refuse_repeated(op, {} if partly else again)
    reverse = tuple(change for change in every if change.path not in again)
    made = _generated(store, mint, ours, reverse)
    unreached = _unreached(op, entries, {change.path for change in done})
    if not reverse and not made:
        _refuse_new(store, op, notes)
        raise _nothing_left(op, unreached, changed=bool(done), again=bool(again), away=bool(away))
    _refuse_forgotten(store, reverse, made)
    undo_refusals.refuse_standing(store, reverse)
    undo_refusals.refuse_moved(op, {} if partly else away)
    touched = {change.path for change in ours}
    undo_refusals.refuse_relied_on(store, repository, entries[0].commit, touched, reverse)
    found = _plan(mint, op, entries, (*reverse, *made))
    return replace(found, trust=trust, unreached=unreached)


def _undoable(
    store: Store, repository: Repository, op: str, entries: Sequence[Entry]
) -> list[FileChange]:
    """Return what *op* came to, path by path; raises Refused for what cannot be undone at all."""
    _refuse_synced(repository, op, entries)
    done = [(e, c) for e in entries for c in repository.done_by(e)]
    ours = _net(c for e, c in done if _belongs(c, e, op))
    if done and not ours and not _unreached(op, entries, ()):
        raise Refused(
            f"{op} was committed with others, and nothing tells whose is whose: `vaultmem undo "
            f"{done[0][0].commit[:12]}` takes all of that commit back"
        )
    if any(c.path == config.PATH and c.old is None for c in ours):
        raise Refused(f"{op} created this vault: to get rid of it, remove its folder")
    troubles.refuse_of_left_out(store, (c.path for c in ours), "nothing was undone")
    return ours


def _generated(
    store: Store, mint: str, ours: Sequence[FileChange], reverse: Sequence[Change]
) -> tuple[Change, ...]:
    """Return what the undo *mint* makes of generated notes, where it does *reverse* of *ours*."""
    aside = plan.set_aside(mint, reverse)
    back = tuple(change for change in reverse if change.path not in aside)
    stays = bool(aside) and not back
    return tuple(c for path in _GENERATED for c in _anew(store, path, ours, back, stays=stays))


def _refuse_forgotten(store: Store, reverse: Sequence[Change], made: Sequence[Change]) -> None:
    """Raise Refused where what was forgotten would come back.

    What a list tells of other files is told of there, unless it alone becomes what it was.
    """
    texts = (*reverse, *(map(_own_change, made) if reverse else made))
    undo_refusals.refuse_forgotten(store, texts)


def _plan(mint: str, op: str, entries: Sequence[Entry], changes: tuple[Change, ...]) -> Plan:
    """Return the plan, called *mint*, that takes *op* back by *changes*."""
    name = _named(op, entries)
    return Plan(
        op=mint,
        kind="undo",
        subject=f"{_UNDO}{_came_to(entries)}",
        changes=changes,
        agent=dict(entries[-1].trailers).get("Agent", ""),
        notes=tuple(f"Takes back {name} ({e.commit[:12]})." for e in entries),
    )


def _came_to(entries: Sequence[Entry]) -> str:
    """Return what the commits of an operation came to: the last of each kind says how many."""
    if len(entries) == 1:  # in words, perhaps, that somebody said
        return entries[0].subject
    parts = (part for entry in entries for part in entry.subject.split("; "))
    return "; ".join({part.partition(":")[0]: part for part in parts}.values())


def taken_back(undoing: Plan) -> str:
    """Return what *undoing* takes back, where it is more than one commit says; "" otherwise."""
    return undoing.subject.removeprefix(_UNDO) if len(undoing.notes) > 1 else ""


def _nothing_left(
    op: str, unreached: Sequence[str], *, changed: bool, again: bool, away: bool
) -> NothingToUndo:
    """Return why there is nothing to take back of *op*."""
    if not changed and not unreached:
        return NothingToUndo(f"{op} changed no file: there is nothing to undo")
    if again:
        return NothingToUndo(f"all that {op} took away is in the vault again")
    if away:
        return NothingToUndo(f"nothing of {op} is left to undo but what was moved since")
    if unreached:
        return NothingToUndo(f"nothing of {op} is left to undo: {plan.uncommitted(unreached)}")
    return AlreadyUndone(op)


def _unreached(op: str, entries: Sequence[Entry], committed: Collection[str]) -> tuple[str, ...]:
    """Return the files that the operation changed, too, and that were held back from git then."""
    ops = {op.upper()} if op.upper() in entries[0].ops else entries[0].ops
    held = {path for e in entries for each in ops for path in held_notes.paths(e.body, each)}
    return tuple(sorted(held.difference(committed, _GENERATED)))


def _named(op: str, entries: Sequence[Entry]) -> str:
    """Return what *op* is called: the id of an operation, or of a commit that has several."""
    ops = {each for entry in entries for each in entry.ops}
    if op.upper() in ops:
        return op.upper()
    return ops.pop() if len(ops) == 1 else op.lower()


def _refuse_new(store: Store, op: str, ours: Iterable[FileChange]) -> None:
    """Raise Refused when *op* made a file that was changed since: it had no earlier text."""
    for change in ours:
        if change.old is None and store.texts.read(change.path) is not None:
            raise Refused(
                f"nothing of {op} can be undone: it made {change.path}, which was changed since: "
                "remove that by hand"
            )


def _refuse_synced(repository: Repository, op: str, entries: Sequence[Entry]) -> None:
    """Raise Refused for a merge with another machine: all clones would lose what came with it.

    Raises NothingToUndo for what only made generated notes anew after one.
    """
    merge = next((e for e in entries if e.subject.startswith("sync:") and e.ops), None)
    if merge:
        is_merge = merge.subject.startswith("sync: merge")
        if not is_merge and all(c.path in _GENERATED for c in repository.done_by(merge)):
            raise NothingToUndo(f"{op} only brought lists up to date after a sync")
        parent = "-m 1 " if is_merge else ""
        raise Refused(
            f"{op} brought in what other machines did, and the next sync would delete it there: "
            "undo single operations (`vaultmem log` lists them), or "
            f"`git revert {parent}{merge.commit[:12]}` by hand"
        )


def _purged(store: Store, ours: Sequence[FileChange], *, partly: bool) -> frozenset[str]:
    """Return the tombstones of what the operation forgot, or noted, that left the history, too.

    Raises Refused where that is all that it forgot, and where nobody asked for the rest alone.
    """
    marked = {c.path for c in ours if c.old is None or _is_purged(c.new) > _is_purged(c.old)}
    found = {s.path: s.id for s in tombstones.load(store).all if s.path in marked and s.purged}
    if not found:
        return frozenset()
    rest = {c.path for c in ours if c.old is None and tombstones.is_path(c.path)} - found.keys()
    if partly and rest:
        return frozenset(found)
    gone = ", ".join(found.values())
    way = "; undone partly (`partly=true`), what else it forgot comes back" if rest else ""
    raise Refused(f"{gone} was purged: nothing of it is left to restore{way}")


def _is_purged(data: bytes | None) -> bool:
    return any(line.startswith(b"purged:") for line in (data or b"").splitlines())


def _net(changes: Iterable[FileChange]) -> list[FileChange]:
    """Return what *changes* (oldest first) came to, path by path."""
    first: dict[str, bytes | None] = {}
    last: dict[str, bytes | None] = {}
    for change in changes:
        first.setdefault(change.path, change.old)
        last[change.path] = change.new
    return [FileChange(p, first[p], last[p]) for p in first]


def _belongs(change: FileChange, entry: Entry, op: str) -> bool:
    """Tell whether a path of a commit is this operation's; a quiet batch lists whose is whose."""
    if op.upper() not in entry.ops or entry.ops == (op.upper(),):
        return True
    return f"{op.upper()} {change.path}" in entry.body.splitlines()


@dataclass(frozen=True, slots=True)
class _Part:
    """How what cannot be merged is undone partly, by the undo *op*, which is named in the inbox."""

    op: str
    retold: RetoldSummaries


def _reverse(store: Store, change: FileChange, part: _Part | None = None) -> Iterator[Change]:
    """Yield what takes *change* back, or *part* of it where it cannot be."""
    now = store.texts.read(change.path)
    if now == change.old:
        return
    if _only_added(change) and not _takes_away(change, now):
        raise Refused(f"{change.path} is a transcript, which is append-only: it stays as it is")
    want = change.old
    if change.path.startswith(files.DREAMS) and change.old and _ticked(change.old) != _ticked(now):
        return  # what was ticked there would be done once more
    if want is not None and frontmatter.is_pointer(want):
        raise Refused(f"{change.path}: git LFS has what it said before, and git a pointer to that")
    if now != change.new:
        try:
            want = later_edits.without(change, now)
        except Refused:
            if part is None:
                raise
            if not part.retold.has(change, now):
                yield from _set_aside(change, part.op)
                return
    if now != want:  # what was undone before, and edited since, stays as it is
        yield Change(change.path, now, want, "taken back")


def _ticked(data: bytes | None) -> tuple[int, bytes]:
    """Return how many boxes are ticked in a dream's review, and the operation that did that."""
    lines = (data or b"").splitlines()
    op = next((line for line in lines if line.startswith(b"op:")), b"")
    return sum(line.lstrip().startswith((b"- [x]", b"- [X]")) for line in lines), op


def _set_aside(change: FileChange, op: str) -> Iterator[Change]:
    """Put what a file said before into the inbox, for a person to choose."""
    if change.old is not None:
        where = files.conflict(op, change.path, change.old)
        yield Change(where, None, change.old, f"{change.path} as it was, to choose from")


def _only_added(change: FileChange) -> bool:
    """Tell whether turns were added to a transcript; what was forgotten of one may come back."""
    old, new = change.old, change.new
    is_transcript = change.path.endswith(".jsonl")
    return is_transcript and old is not None and (new is None or new.startswith(old))


def _takes_away(change: FileChange, now: bytes | None) -> bool:
    """Tell whether *change* took a file away that is not there *now*; back, it adds to nothing."""
    return change.new is None and now is None


def _anew(
    store: Store,
    path: str,
    every: Sequence[FileChange],
    reverse: Sequence[Change],
    *,
    stays: bool,
) -> tuple[Change, ...]:
    """Return the change of a generated note that takes back what *every* change did to it.

    Alone it becomes what it was, if nobody touched it since. Else, and where all that it tells of
    *stays*, what was done outside of its marks is taken back, and the rest rebuilt: what came since
    may be told of again without what goes.
    """
    ours = [change for change in every if change.path == path]
    now = store.texts.read(path)
    own_text, change_of = _GENERATED[path]
    if not ours:  # a person's edit, say, of which it told later
        return change_of(store, reverse, None) if reverse else ()
    alone = not (reverse or stays)
    if alone and now is not None and now == ours[0].new and ours[0].old is not None:
        _refuse_dangling(store, ours[0])
        return tuple(_reverse(store, ours[0]))
    own = _own(own_text, now)
    for change in ours:
        before, after = _own(own_text, change.old), _own(own_text, change.new)
        if own is not None and before not in (None, after, own):
            own = later_edits.without(FileChange(change.path, before, after), own)
    if not reverse and own == _own(own_text, now):
        return ()
    return change_of(store, reverse, own)


def _refuse_dangling(store: Store, change: FileChange) -> None:
    """Raise NothingToUndo where a list, as it was, would tell of a file that is gone."""
    own_text, _ = _GENERATED[change.path]
    was, own, now = (
        {*memory_index.targets((data or b"").decode("utf-8", "surrogateescape"))}
        for data in (change.old, _own(own_text, change.old), change.new)
    )
    if gone := [path for path in sorted(was - own - now) if not store.index.knows(path)]:
        raise NothingToUndo(f"{change.path} would point at {gone[0]}, which is gone")


_Anew = Callable[[Store, Sequence[Change], bytes | None], tuple[Change, ...]]
_own_pointers = partial(memory_index.regenerate, records=())
_GENERATED: Mapping[str, tuple[Callable[[str], str], _Anew]] = {
    memory_index.PATH: (_own_pointers, pointed_index.change),
    tasks.BOARD: (tasks.own_text, task_service.board_change),
}
"""How to see people's part of a generated note alone, and what makes the rest of it anew."""


def _own(own_text: Callable[[str], str], data: bytes | None) -> bytes | None:
    """Return what people have in a generated note."""
    if data is None:
        return None
    text = data.decode("utf-8", "surrogateescape")
    return own_text(text).encode("utf-8", "surrogateescape")


def _own_change(change: Change) -> Change:
    """Return what *change* does to people's part of a generated note."""
    own_text, _ = _GENERATED[change.path]
    old, new = (_own(own_text, data) for data in (change.old, change.new))
    return change._replace(old=old, new=new)
