"""Name the operations whose commits left HEAD, where each stands, and bring back what they did.

What was acknowledged of memories, and of tombstones, is named by the modules of these.
"""

from __future__ import annotations

import contextlib
import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property

from vaultmem.errors import DiskRefused, Unavailable
from vaultmem.maintenance import crowds
from vaultmem.maintenance.missing_memories import BRANCH, CODE, IN_HISTORY, NOWHERE, ON_DISK
from vaultmem.records import Problem
from vaultmem.storage import (
    forgotten_passages,
    json_lines,
    ledger,
    task_files,
    tombstones,
    transcript_lines,
    transcripts,
)
from vaultmem.storage.git import PLAIN, FileChange
from vaultmem.storage.index import file_queries
from vaultmem.storage.ledger import LeftCommit, comparison, left_commits
from vaultmem.storage.ledger.entries import memory_id
from vaultmem.storage.plan import Append, Change
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import MARK, Tombstone, Tombstones
from vaultmem.storage.transcript_lines import Standing

_REASON = "it was missing from the history"
_ID = 12
_MARKED = MARK.encode()
_LEFT_OUT = "only in older commits: the commit {} left it out"
_COMMIT = "`git commit` takes it if you have staged it; else the next round of edits does"
_LET_GO = "`vaultmem fsck --accept-missing` lets it go"
_BACK = f"`vaultmem fsck --repair` brings it back, {_LET_GO}"
_SYNC = f"`vaultmem sync` brings it here, {_LET_GO}"
_LOST = f"bring it back from a clone or a backup, or {_LET_GO}"
_CHANGED = f"here that file is otherwise now, and stays: `git show {{}}` tells more; then {_LET_GO}"
_GONE = (
    "that file is gone from disk: `git checkout -- {}` brings it back, and then "
    "`vaultmem fsck --repair` what was done to it"
)
_WHOLE_FIRST = (
    "bring back what is gone from disk (`vanished`) first; then `vaultmem fsck --repair` this"
)
_THROWN = (
    "HEAD was on {}, which git has thrown away: what was done on it beyond memories is not known"
)
_CROWD = "acknowledged operations are not in HEAD"


def briefly(store: Store) -> Iterator[Problem]:
    """Name them for `status`: a crowd is counted."""
    left = _left(store)
    if len(left) > crowds.NAMED:
        yield Problem(CODE, left[0].paths[0], f"{len(left)} {_CROWD}",
                      f"{crowds.EACH}; {BRANCH if left[0].place else _BACK}")  # fmt: skip
    else:
        yield from _problems(store, left)
    yield from _thrown(store)


def each(store: Store) -> Iterator[Problem]:
    """Name every one, for `fsck`."""
    yield from _problems(store, _left(store))
    yield from _thrown(store)


def _thrown(store: Store) -> Iterator[Problem]:
    """Name the commits that HEAD was on and nobody can look at any more."""
    for commit in store.writer.commits.thrown():
        yield Problem(CODE, "", _THROWN.format(commit[:_ID]), _LOST)


def _left(store: Store) -> Sequence[LeftCommit]:
    """Return them, but none while a rebase or the like is half done: git may bring them yet."""
    commits = store.writer.commits
    return () if commits.half_done() else commits.left()


def _problems(store: Store, left: Sequence[LeftCommit]) -> Iterator[Problem]:
    if not left:
        return
    back = _Restoration(store, tombstones.readable(store))
    for it, made in _made(store, left):
        if made is None:
            yield _problem(store, it, None)
        elif not _is_forgotten(back, made):
            laid, stays = back.laid(made), back.take(made)
            is_laid = not stays and len(laid) == len(made)
            yield _laid(it) if is_laid else _problem(store, it, stays)


def _laid(it: LeftCommit) -> Problem:
    """Return how *it* is told where the files on disk have all of it."""
    return Problem(CODE, it.paths[0], f"{_told(it)}{ON_DISK}", _COMMIT)


def _made(
    store: Store, left: Sequence[LeftCommit]
) -> Iterator[tuple[LeftCommit, Sequence[FileChange] | None]]:
    """Yield each of *left* with what it did to the files it is missed for.

    None where git has it not any more; nothing at all where git does not answer.
    """
    if (repository := store.writer.repository) is None:
        return
    with contextlib.suppress(Unavailable), repository.reading() as read:
        there = repository.held(it.commit for it in left)
        rows = repository.against_first_parent([it.commit for it in left if it.commit in there])
        for it in left:
            mine = (row for row in rows.get(it.commit, ()) if row.path in it.paths)
            did = [FileChange(row.path, *(read(blob) if blob.mode in PLAIN else None
                                          for blob in row[:2])) for row in mine]  # fmt: skip
            yield it, did if it.commit in there else None


def _is_forgotten(back: _Restoration, made: Sequence[FileChange]) -> bool:
    """Tell whether all that HEAD lacks of what a commit *made* are turns forgotten since.

    A tombstone tells it, whoever named the commit that brought that.
    """
    is_grown = all(transcript_lines.is_grown(did.path) for did in made)
    return is_grown and not any(map(back.is_lacking, made))


def _problem(store: Store, it: LeftCommit, stays: Sequence[str] | None) -> Problem:
    """Return how *it* is told; what *stays* is another text now, None where git has it not."""
    place = NOWHERE if stays is None else _where(it)
    return Problem(CODE, (stays or it.paths)[0], _told(it) + place, _way(store, it, stays))


def _told(it: LeftCommit) -> str:
    others = f" and {len(it.paths) - 1} more" if len(it.paths) > 1 else ""
    return f"{it.subject} ({it.commit[:_ID]}){others}: acknowledged, and not in HEAD: it is "


def _where(it: LeftCommit) -> str:
    if it.by:
        return _LEFT_OUT.format(it.by[:_ID])
    if not it.place:
        return IN_HISTORY
    place = comparison.shown(it.place)
    return f"on {place}" if " " in place else f"in {place}"


def _way(store: Store, it: LeftCommit, stays: Sequence[str] | None) -> str:
    if stays is None:
        return _LOST
    if _comes_by_sync(store, it):
        return _SYNC
    if store.index.vanished():
        return _WHOLE_FIRST
    if stays:
        gone = next((path for path in stays if _is_gone(store, path)), "")
        return _GONE.format(shlex.quote(gone)) if gone else _CHANGED.format(it.commit[:_ID])
    return BRANCH if it.place else _BACK


def _is_gone(store: Store, path: str) -> bool:
    """Tell whether HEAD has a file that is not on disk: what was done to it waits for that."""
    repository = store.writer.repository
    return store.texts.own(path) is None and bool(repository and repository.in_head([path]))


def _comes_by_sync(store: Store, it: LeftCommit) -> bool:
    """Tell whether the branch elsewhere that the next sync merges has it."""
    if not it.place.startswith("refs/remotes/") or store.writer.repository is None:
        return False
    try:
        there = store.writer.repository.counterpart()
    except Unavailable:  # HEAD is on no branch
        return False
    return there is not None and it.place == there.tracking


def restored(
    store: Store, only: AbstractSet[str] | None = None
) -> tuple[tuple[Change | Append, ...], tuple[str, ...]]:
    """Return what brings them back where nobody's text is overwritten, and the notes on them.

    Those that wrote to *only* some files, where these are named. Nothing while a tombstone cannot
    be read. What a sync brings here is left to that.
    """
    left = [it for it in _left(store) if not _comes_by_sync(store, it)
            and (only is None or {*it.paths} <= only)]  # fmt: skip
    try:
        back = _Restoration(store, tombstones.load(store) if left else Tombstones())
    except DiskRefused:
        return (), ()
    # What lies on disk and is not in HEAD may be taken away yet: it is answered for as before.
    whole = [it for it, made in _made(store, left)
             if made is not None and not (back.take(made) or back.laid(made))]  # fmt: skip
    notes = (ledger.operation_note(op) for op in left_commits.operations(whole))
    return tuple(back.changes()), tuple(notes)


def lost_with_purge(store: Store, going: Sequence[Tombstone]) -> Iterator[Problem]:
    """Name what a purge of *going* takes out of git besides: what older commits alone have."""
    left = [it for it in _left(store) if not (it.place or it.by)]
    known = tombstones.readable(store).all if left else ()
    back = _Restoration(store, Tombstones((*known, *going)))
    for it, made in _made(store, left):
        if made is not None and not _is_forgotten(back, made):
            yield _problem(store, it, back.take(made))


@dataclass
class _Restoration:
    """What the files are once the commits that were taken, the oldest first, are brought back.

    What is *known* to be forgotten is not.
    """

    store: Store
    known: Tombstones
    _was: dict[str, bytes | None] = field(default_factory=dict)
    _now: dict[str, bytes | None] = field(default_factory=dict)
    _lines: dict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    _first: dict[str, bytes] = field(default_factory=dict)
    _tasks: dict[str, tuple[str, str]] = field(default_factory=dict)
    _head: dict[str, bytes] = field(default_factory=dict)

    def take(self, made: Sequence[FileChange]) -> tuple[str, ...]:
        """Bring back what was *made* by a commit, whole or not at all.

        Return the files that would have to lose something for it.
        """
        for did in made:
            self._place(did)
        placed = [self._placed(did) for did in made]
        stay = tuple(old.path for old, it in zip(made, placed, strict=True) if not self._fits(it))
        for did in () if stay else placed:
            self._put(did)
        return stay

    def laid(self, made: Sequence[FileChange]) -> tuple[str, ...]:
        """Return which files say on disk what a commit *made* them say."""
        return tuple(did.path for did in made if self._is_laid(did))

    def _is_laid(self, did: FileChange) -> bool:
        now = self.store.texts.own(did.path)
        if now is None or did.new is None or not transcript_lines.is_grown(did.path):
            return now == did.new
        return all(it.is_there for it in self._standing(did, now))

    def _place(self, did: FileChange) -> None:
        """Find another number for the task that a commit made, where another has its by now."""
        task = _task(did)
        if task and task not in self._tasks and self._is_anothers(did):
            stands = (r.path for r in self.store.index.identified({task}) if r.type == "task")
            self._tasks[task] = (did.path, next(stands, self._free_task()))

    def _placed(self, did: FileChange) -> FileChange:
        """Return what a commit *did* where its tasks are now, and links to them go along."""
        if not did.path.endswith(".md"):
            return did
        path = self._tasks.get(_task(did), (did.path, did.path))[1]
        first = self._first.setdefault(path, did.old or b"")
        old, new = did.old, did.new
        for was, now in self._tasks.values():
            old, new = (it and task_files.relinked(it, first, was, now) for it in (old, new))
        return FileChange(path, old, new)

    def _is_anothers(self, did: FileChange) -> bool:
        """Tell whether another task lies where a commit made one, or changed it."""
        now = self._text(did.path)
        ours = did.new or did.old or b""
        return now is not None and task_files.is_another(did.path, ours, now)

    def _free_task(self) -> str:
        there = (path for path, _ in file_queries.shas(self.store.index, task_files.FOLDER))
        given = (path for _, path in self._tasks.values())
        return task_files.free((*there, *self._now, *given))

    def _fits(self, did: FileChange) -> bool:
        now = self._text(did.path)
        if did.new is not None and now is None and _is_gone(self.store, did.path):
            return False
        if did.new is None or now is None or not transcript_lines.is_grown(did.path):
            is_free = did.new is not None and not self.says_forgotten(did.new)
            return now == did.new or (now == did.old and is_free)
        is_line = now[-1:] in {b"", b"\n"}
        return is_line and all(it.how != "replaced" for it in self._to_come(did, now))

    def _put(self, did: FileChange) -> None:
        now = self._now[did.path]
        if did.new and now is not None and transcript_lines.is_grown(did.path):
            missing = (it.line for it in self._to_come(did, now) if it.how == "missing")
            self._lines[did.path] += (it for it in missing if self._left(it) == it)
        else:
            self._now[did.path] = did.new

    def _to_come(self, did: FileChange, now: bytes) -> list[Standing]:
        """Return how what *did* add to a file that grows stands in it, with what comes back."""
        return self._standing(did, transcript_lines.behind(now, self._lines[did.path]))

    def is_lacking(self, did: FileChange) -> bool:
        """Tell whether HEAD has not all that a commit added to a file that grows."""
        repository, path = self.store.writer.repository, did.path
        if path not in self._head and repository:
            self._head[path] = repository.show("HEAD", path) or b""
        return not all(it.is_there for it in self._standing(did, self._head.get(path, b"")))

    def _standing(self, did: FileChange, text: bytes) -> list[Standing]:
        """Return how what *did* add to a file that grows stands in *text*.

        A line is what is left of it, none where all of it was forgotten. It is there where
        something was forgotten in its own place, too.
        """
        before = did.old or b""
        came = transcript_lines.added(before, did.new or b"")
        left = {line: self._left(line) for line in came}
        wanted = [line if left[line] is None else left[line] for line in came]
        found = transcript_lines.standing(filter(None, wanted), text, before)
        told = {*left.values()} - left.keys()
        return [it for it in found if not (it.line in told and _MARKED in it.by)]

    def _left(self, line: bytes) -> bytes | None:
        """Return *line* without what was forgotten of it, None where that cannot be told apart."""
        speaker = json_lines.fields(line).get("speaker")
        name = speaker if isinstance(speaker, str) else ""
        return forgotten_passages.left_of_line(line, self.known.of_speaker(name, self._owner))

    @cached_property
    def _owner(self) -> str:
        return self.store.config().owner

    def says_forgotten(self, data: bytes) -> bool:
        """Tell whether *data* says something that was forgotten."""
        said = transcripts.words(data)
        content = transcripts.text_of(json_lines.fields(data).get("content")) or said
        return bool(self.known.of(said, content) or self.known.of_a_stretch(said))

    def _text(self, path: str) -> bytes | None:
        if path not in self._now:
            self._was[path] = self._now[path] = self.store.texts.own(path)
        return self._now[path]

    def changes(self) -> Iterator[Change | Append]:
        """Yield what makes the files so: turns stand behind what was said since."""
        for path, now in self._now.items():
            was, new = self._was[path], self._grown(path, now)
            if (new or b"") == (was or b""):
                continue
            if was and new and transcript_lines.is_grown(path):
                yield Append(path, len(was), new[len(was) :], _REASON)
            else:
                yield Change(path, was, new, self._reason(path))

    def _reason(self, path: str) -> str:
        old = next((was for was, now in self._tasks.values() if now == path), "")
        return f"{_REASON} as {old}, which is another task now" if old else _REASON

    def _grown(self, path: str, now: bytes | None) -> bytes | None:
        if now is None or path not in self._lines:
            return now
        return transcript_lines.behind(now, self._lines[path])


def _task(did: FileChange) -> str:
    """Return the id of the task that a commit made or changed, "" for anything else."""
    return memory_id(did.new or did.old or b"") if task_files.number_of(did.path) else ""
