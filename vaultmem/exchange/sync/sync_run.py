"""One sync in progress: what waits is committed, theirs merged, ours given, until both agree.

The merge is made of three trees by our own hand, stored as a commit with two parents, written
through the writer like everything else, and published last.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from vaultmem.documents import public_text
from vaultmem.errors import Refused, StaleWrite, Unavailable
from vaultmem.exchange.sync import (
    after_merge,
    backoff,
    forgotten,
    kept_tombstones,
    losses,
    merge_plan,
    merge_traces,
    obeyed_changes,
    remote_checks,
)
from vaultmem.exchange.sync.backoff import Pace
from vaultmem.exchange.sync.merge_traces import Traces
from vaultmem.exchange.sync.types import Lines, Merged, Sides, Synced, Versions
from vaultmem.exchange.sync.working_tree import WorkingTree
from vaultmem.nlp.tasks import Summarizer
from vaultmem.storage import (
    files,
    gone_tombstones,
    human_edits,
    journal,
    reader,
    tombstones,
)
from vaultmem.storage.commits import commit_messages
from vaultmem.storage.git import EXECUTABLE, PLAIN, Remote, Repository, Row, remote
from vaultmem.storage.git import Change as Committed
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_ROUNDS = 3
_MERGED = "sync: merge"
"""How the subjects of our merges begin."""
_PATIENCE = 5.0
"""Seconds that a sync, for which nobody waits at a prompt, waits for git."""
_TRIES = 20
"""Who is overtaken merges again; of sixteen machines at once each may be, time and again."""


@dataclass(slots=True)
class _Tally:
    """What one sync has done so far."""

    pulled: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    merged: bool = False
    pushed: int = 0


class _Overtaken(StaleWrite):
    """Somebody committed here, or pushed there, while both were brought in step."""


class SyncRun:
    """One sync in progress."""

    def __init__(
        self,
        store: Store,
        repository: Repository,
        there: Remote,
        summarizer: Callable[[], Summarizer],
        pace: Pace,
    ) -> None:
        """Sync *store*, whose history *repository* keeps, with *there*; *summarizer* writes."""
        self.store, self.repository, self.there = store, repository, there
        self.summarizer, self.pace = summarizer, pace
        self._asked = pace.clock()
        self.tally = _Tally()
        self.accepts_missing = False
        # What a commit holds and stands on never changes: a process is asked for it once.
        self._files = functools.cache(repository.files)
        self._merge_base = functools.cache(repository.merge_base)
        self._holds = functools.cache(self._holds_or_fetches)

    def run(self, *, push: bool) -> Synced:
        """Commit, merge and push until both are in step."""
        try:
            step = functools.partial(self._round, push=push)
            self.store.retry(step, _TRIES, scan=False, between=self._let_others)
        except _Overtaken as e:
            raise Unavailable(
                f"{self.there.shown}: other machines keep pushing first; what is here is safe: "
                "sync again"
            ) from e
        self.store.writer.sweep()  # what syncs that were killed left behind
        if push:
            remote.follow(self.repository, self.there)
        return self._synced()

    def _round(self, *, push: bool) -> None:
        """Commit, merge and push once; raises _Overtaken when somebody wrote meanwhile."""
        self._commit_all()
        self._asked = self.pace.clock()
        tip = self.repository.tip(self.there)
        if not self._is_taken(tip) or (push and not self._give(tip)):
            raise _Overtaken("HEAD", tip, self.repository.head())

    def _let_others(self, lost: int) -> None:
        """Wait before the next round: who was faster may be, again."""
        took = self.pace.clock() - self._asked
        self.pace.sleep(backoff.after_race(lost, took, self.pace.chance()))

    def _synced(self) -> Synced:
        it = self.tally
        return Synced(
            public_text.shown(self.there.name), public_text.shown(self.there.branch),
            tuple(dict.fromkeys(it.pulled)),
            tuple(dict.fromkeys(it.gone)), it.pushed, it.merged,
            tuple(dict.fromkeys(it.conflicts)), tuple(dict.fromkeys(it.notices)),
            self.repository.head(),
        )  # fmt: skip

    def shown(self) -> Synced:
        """Return what a sync would do; it fetches, and writes nothing else."""
        self.store.sync()
        head, tip = self._head(), self.repository.tip(self.there)
        lines = self._lines(head, tip)
        ahead = self.repository.ahead(head, tip)
        if lines is None:
            return replace(self._synced(), pushed=ahead)
        lines, sides, made = self._thought_out(lines)
        moved = {path: data for path, data in sorted(made.files.items())
                 if path not in sides or data != sides[path].ours}  # fmt: skip
        return replace(
            self._synced(), pulled=tuple(p for p, data in moved.items() if data is not None),
            gone=tuple(p for p, data in moved.items() if data is None and p not in made.joined),
            merged=not lines.is_forward,
            conflicts=tuple(made.inbox()), pushed=ahead,
            told=(*made.notices, *self._too_much_gone(sides, made)),
        )  # fmt: skip

    # --- what waits here ----------------------------------------------------------------------

    def _commit_all(self) -> None:
        """Commit what is ours, and what people wrote and left alone, as the settings say.

        Where others write at the same time, more may wait once ours is committed.
        """
        self.store.sync()
        for _ in range(_ROUNDS):
            self.store.writer.commit_pending(_PATIENCE)
            human_edits.commit_quiet_edits(self.store)
            if not self.store.writer.waiting():
                return
        why = self.store.writer.commits.why_delayed() or "git is busy"
        raise Unavailable(f"{why}, and commits wait: nothing was synced; try again")

    def _head(self) -> str:
        head = self.repository.head()
        if head is None:
            raise Refused(f"{self.repository.top} has no commit yet: `vaultmem watch --once` makes "
                          "one")  # fmt: skip
        return head

    # --- theirs -------------------------------------------------------------------------------

    def _is_taken(self, tip: str | None) -> bool:
        """Merge what is at *tip* and not here; False when somebody committed in between."""
        lines = self._lines(self._head(), tip)
        traces = [*self._cut_off(tip)]
        if lines:
            traces.append(self._merge(tip))
            self.store.writer.commit_pending()
            # What was edited there is to be known before anything is rewritten.
            self.store.writer.missing()
            self.store.sync()
        left = merge_traces.together(traces)
        done = after_merge.reconcile(self.store, self.summarizer(), left)
        if traces:  # else nothing came of what others did
            self.tally.pulled += done.changed
        self.tally.notices += map(_TOLD_WITHOUT.format, filter(_is_experience, done.forgot))
        self.store.writer.commit_pending()
        return self._lines(self._head(), tip) is None

    def _lines(self, head: str, tip: str | None) -> Lines | None:
        """Return both lines of history, None where theirs has nothing that ours has not."""
        if tip is None or self._holds(head, tip):
            return None
        base = self._merge_base(head, tip)
        if base is None:
            raise Refused(self._why_apart(tip))
        return None if base == tip else Lines(base, head, tip)

    def _holds_or_fetches(self, head: str, tip: str) -> bool:
        """Tell whether *head* stands on *tip*; fetch that unless it is here."""
        news = 0 if head == tip else self.repository.beyond(tip, head)
        if news is None:
            self.repository.fetch(self.there)
        return news == 0

    def _why_apart(self, tip: str) -> str:
        if self.repository.is_shallow:
            return _SHALLOW
        if any(stone.purged or stone.rewritten for stone in tombstones.load(self.store).all):
            return self._purged_here(tip)
        return _UNRELATED.format(self.there.shown)

    def _purged_here(self, tip: str) -> str:
        name, branch = self.there.name, self.there.branch
        return _PURGED_HERE.format(f"{branch}:{tip[:12]} {name} HEAD:{branch}")

    def _merge(self, tip: str | None) -> Traces:
        """Carry the merge out; return what it leaves to be rewritten."""
        self.store.writer.commit_pending()
        lines = self._lines(self._head(), tip)
        if lines is None:
            return Traces()
        lines, sides, made = self._thought_out(lines)
        for why in self._too_much_gone(sides, made):
            raise Refused(why)
        self._refuse_unwritten(lines, sides, made)
        remote_checks.refuse_settings(made, self.store.read)
        op = self.store.mint()
        made.files.update(made.inbox())
        changes = WorkingTree(self.store, self.repository, op).changes(sides, made, lines)
        plan = self._plan(op, lines, changes)
        joined = lines.theirs if lines.is_forward else self._joined(lines, made, plan)
        self.store.apply(replace(plan, merge=joined), lambda: self._unmoved(lines))
        self._set_executable(lines.ours, joined)
        self.tally.merged |= not lines.is_forward
        came = [c.path for c in changes if c.new is not None]
        self.tally.pulled += came
        self.tally.gone += [c.path for c in changes if c.new is None and c.path not in made.joined]
        self.tally.conflicts += [path for path in came if path.startswith(files.CONFLICTS)]
        self.tally.notices += made.notices
        self._release_deleted(sides, made)
        return merge_traces.of(sides, made.forgotten)

    def _set_executable(self, head: str, joined: str) -> None:
        """Let the files be executable, or not, that are so in *joined* and were not in *head*."""
        for row in self.repository.against(head, joined):
            is_program = row.new.mode == EXECUTABLE
            if row.new.mode in PLAIN and is_program != (row.old.mode == EXECUTABLE):
                files.set_executable(self.store.root, row.path, executable=is_program)

    def _cut_off(self, tip: str | None) -> Iterator[Traces]:
        """Yield what merges of ours leave that nobody has yet: who made them may have been killed.

        A merge is given to others once what it leaves is rewritten.
        """
        head = self._head()
        if tip in {None, head}:
            return
        for ours, theirs in self.repository.merges(f"{tip}..{head}", _MERGED):
            base = self._merge_base(ours, theirs)
            if base is not None:
                sides = self._sides(Lines(base, ours, theirs))
                yield merge_traces.of(sides, forgotten.forgotten_paths(sides))

    def _unmoved(self, lines: Lines) -> None:
        """Raise StaleWrite when somebody committed, or wrote, since the merge was thought out."""
        if self.repository.head() != lines.ours or journal.due(self.store.root):
            raise StaleWrite("HEAD", lines.ours, self.repository.head())

    # --- three trees --------------------------------------------------------------------------

    def _sides(self, lines: Lines) -> Sides:
        """Return the three versions of every path that either side changed."""
        ours = self._changed(lines.base, lines.ours)
        theirs = self._changed(lines.base, lines.theirs, check=True)
        for path, row in theirs.items():
            if path not in ours or ours[path].new != row.new:
                remote_checks.refuse_program(row)
        blobs = {blob for row in (*ours.values(), *theirs.values()) for blob in (row.old, row.new)}
        remote_checks.refuse_giants(self.repository, list(theirs.values()))
        data = self.repository.contents(blobs)
        sides: dict[str, Versions] = {}
        for path in ours.keys() | theirs.keys():
            base = (ours.get(path) or theirs[path]).old
            three = (base, *(side[path].new if path in side else base for side in (ours, theirs)))
            sides[path] = Versions(*(data.get(blob.id) for blob in three))
        remote_checks.refuse_twins(sides, self._files(lines.theirs))
        noted = gone_tombstones.learn_once(self.store).seen
        return kept_tombstones.apart(sides, lines, noted, self.repository)

    def _changed(self, old: str, new: str, *, check: bool = False) -> Mapping[str, Row]:
        rows = self.repository.between(old, new)
        if check:
            for row in rows:
                remote_checks.refuse(row)
        return {r.path: r for r in rows if remote_checks.is_plain(r)}

    def _thought_out(self, lines: Lines) -> tuple[Lines, Sides, Merged]:
        """Return *lines* as their files tell, the three versions of these, and the merge of them.

        The commit there is noted, so that what is told of it can be looked up.
        """
        sides = self._sides(lines)
        lines = lines.over(sides)
        made = self._decide(lines, sides)
        remote.note(self.repository, self.there, lines.theirs)
        return lines, sides, made

    def _decide(self, lines: Lines, sides: Sides) -> Merged:
        if lines.is_forward:
            files_of = {path: it.theirs for path, it in sides.items()}
            made = Merged(files_of, forgotten=forgotten.forgotten_paths(sides))
        else:
            both = [frozenset(self._files(c)) for c in (lines.ours, lines.theirs)]
            self._refuse_purged(lines, sides)
            made = merge_plan.merge(sides, *both)
        made.notices += remote_checks.settings(sides, made, lines.theirs)
        made.notices += obeyed_changes.notices(sides, made, lines, self.repository)
        there = self._files(lines.theirs)
        made.notices += kept_tombstones.notices(sides, lines, self._files(lines.base), there)
        made.notices += kept_tombstones.come_back(sides, self._was_here)
        remote_checks.refuse_damaged_tombstones(sides, made, lines.theirs)
        found = losses.find(sides, made)
        # What holds something else than our commit is not taken away.
        staying = [p for p in found.deleted if self.store.own(p) not in {None, sides[p].ours}]
        made.notices += losses.notices(found, lines.ours, staying)
        held = (
            path for path, now in self._outliving(lines, sides, made) if public_text.is_held(now)
        )
        made.notices += [HELD_HERE.format(path) for path in held]
        return made

    def _was_here(self, path: str) -> bool:
        return bool(self.repository.log(1, paths=(path,)))

    def _refuse_unwritten(self, lines: Lines, sides: Sides, made: Merged) -> None:
        """Raise Refused where somebody is writing, right now, what was taken away there."""
        for path, now in self._outliving(lines, sides, made):
            if not public_text.is_held(now):
                raise Refused(_EDITED_MEANWHILE.format(path, "forgotten there"))
        for path, new in losses.moved_while_written(sides, made, self.store.own):
            raise Refused(_EDITED_MEANWHILE.format(path, f"moved to {new} there"))
        for path in filter(self.store.writer.commits.is_cut, made.files):
            raise Refused(_CUT.format(path))

    def _outliving(self, lines: Lines, sides: Sides, made: Merged) -> Iterator[tuple[str, bytes]]:
        """Yield what was forgotten there, and stands here with other words than git has.

        Or in another place, which git does not know.
        """
        for path, gone in made.forgotten.items():
            now = self.store.own(path)
            if made.files.get(path) is None and now is not None and now not in gone.gone:
                yield path, now
        for it in self.store.index.identified(forgotten.ids_forgotten_there(sides)):
            if not tombstones.is_path(it.path) and it.path not in self._files(lines.ours):
                now = self.store.own(it.path)
                if now is not None:
                    yield it.path, now

    def _refuse_purged(self, lines: Lines, sides: Sides) -> None:
        """Raise Refused where one side took from its history what the other one still has.

        What both went on from has no tombstone of that.
        """
        for path, it in sides.items():
            here, there = map(tombstones.has_left_history, (it.ours, it.theirs))
            is_new = tombstones.is_path(path) and path not in self._files(lines.base)
            if is_new and here != there:
                raise Refused(self._purged_here(lines.theirs) if here else _PURGED_THERE)

    def _too_much_gone(self, sides: Sides, made: Merged) -> Iterator[str]:
        """Say what stops the merge when more is gone there than a person has agreed to."""
        found = losses.find(sides, made)
        known = (self.store.index.documents(), self.store.index.memories())
        if not self.accepts_missing and losses.need_consent(found, *known):
            yield _CROWD.format(len(found.all), found.all[0])

    def _release_deleted(self, sides: Sides, made: Merged) -> None:
        """Release memories that a person accepted as gone."""
        deleted = losses.find(sides, made).memories
        if self.accepts_missing and deleted:
            known = [forgotten.id_of(sides[path].ours) for path in deleted]
            self.store.writer.let_go([*filter(None, known)])

    def _joined(self, lines: Lines, made: Merged, plan: Plan) -> str:
        message = commit_messages.of_operations([journal.intent(plan, plan.op, lines.ours)])
        changes = (Committed(path, data) for path, data in sorted(made.files.items()))
        parents = (lines.ours, lines.theirs)
        return self.repository.join(parents, changes, message, self.store.clock())

    def _plan(self, op: str, lines: Lines, changes: tuple[Change, ...]) -> Plan:
        number = self.repository.ahead(lines.theirs, lines.base)
        subject = f"{_MERGED} {number} commit{'s' * (number != 1)} from {self.there.name}"
        return Plan(op, "sync", subject, changes)

    # --- ours ---------------------------------------------------------------------------------

    def _give(self, tip: str | None) -> bool:
        """Push what the remote has not; False when somebody else was faster."""
        head = self._head()
        if head == tip:
            return True
        ahead = self.repository.ahead(head, tip)
        if not self.repository.push(self.there, head):
            return False
        self.tally.pushed += ahead
        return True


def _is_experience(path: str) -> bool:
    return reader.kind_of(path) == "episode"


_TOLD_WITHOUT = "{} told of what was forgotten: it is told without that, and git still has its text"
_CROWD = (
    "{} files are gone or forgotten there, {} among them; nothing was merged: `vaultmem sync "
    "--accept-missing` deletes them here, too (this machine's git still has them), or restore them "
    "there"
)
_UNRELATED = (
    "{} and this vault share no history, so they cannot be merged: clone that one "
    "and copy the folders below agents/ into the clone, or push this one to an empty repository"
)
_SHALLOW = "this clone is shallow and lacks the common past: `git fetch --unshallow`, then sync"
_PURGED_HERE = (
    "what was purged here is still in the history there, and a merge would bring it back: "
    "`git push --force-with-lease={}` puts the rewritten history there, sync never forces; other "
    "clones must be cloned again"
)
HELD_HERE = (
    "{} was forgotten there, and holds something private or a credential here, which git does not "
    "have: it stays as it is, on this machine alone; delete it to forget it here, too"
)
_EDITED_MEANWHILE = (
    "{} was {}, and is being written here: nothing was merged; sync again when it has "
    "not changed for half a minute, or delete it"
)
_CUT = (
    "{0} lacks what git has of it, and more came to it there: nothing was merged; "
    "`git checkout -- {0}` brings it back, then sync"
)
_PURGED_THERE = (
    "something was purged there that the history here still holds, and a merge would bring it "
    "back: clone the remote again and copy over what only this clone has"
)
