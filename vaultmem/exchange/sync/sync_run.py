"""One sync in progress: what waits is committed, theirs merged, ours given, until both agree.

The merge is made of three trees by our own hand, stored as a commit with two parents, written
through the writer like everything else, and published last.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from vaultmem.documents import public_text
from vaultmem.errors import Refused, StaleWrite, Unavailable
from vaultmem.exchange.sync import (
    after_merge,
    backoff,
    forgotten,
    late_sessions,
    merge_draft,
    merge_traces,
    shared_names,
)
from vaultmem.exchange.sync.backoff import Pace
from vaultmem.exchange.sync.merge_draft import MergeDraft, Trees
from vaultmem.exchange.sync.merge_traces import Traces
from vaultmem.exchange.sync.types import Lines, Merged, Synced
from vaultmem.exchange.sync.working_tree import WorkingTree
from vaultmem.nlp.tasks import Summarizer
from vaultmem.storage import (
    files,
    history_notes,
    human_edits,
    journal,
    reader,
    tombstones,
)
from vaultmem.storage.commits import commit_messages
from vaultmem.storage.git import EXECUTABLE, PLAIN, Remote, Repository, remote
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
    stays: dict[str, str] = field(default_factory=dict)
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
        self._trees = Trees(store, repository, there, functools.cache(repository.fork))
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
        if push and (blobs := self.store.attestations.unproven()):
            history_notes.attest(self.store.writer, blobs)
            self._commit_all()
        self._asked = self.pace.clock()
        tip = self.repository.tip(self.there)
        if not self._is_taken(tip) or (push and not self._give(tip)):
            raise _Overtaken("HEAD", tip, self.repository.head())
        # What came is known by now, and need not be asked for by the next sync.
        self.store.attestations.unproven()

    def _let_others(self, lost: int) -> None:
        """Wait before the next round: who was faster may be, again."""
        took = self.pace.clock() - self._asked
        self.pace.sleep(backoff.after_race(lost, took, self.pace.chance()))

    def _synced(self) -> Synced:
        it = self.tally
        told = (*it.notices, *map(self._stays, it.stays))
        return Synced(
            public_text.shown(self.there.name), public_text.shown(self.there.branch),
            tuple(dict.fromkeys(it.pulled)),
            tuple(dict.fromkeys(it.gone)), it.pushed, it.merged,
            tuple(dict.fromkeys(it.conflicts)), tuple(dict.fromkeys(told)),
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
        draft = self._draft(lines)
        made = draft.made
        moved, stopping = draft.moved(), draft.stopping(accepted=self.accepts_missing)
        return replace(
            self._synced(), pulled=tuple(p for p, data in moved.items() if data is not None),
            gone=tuple(p for p, data in moved.items() if data is None and p not in made.joined),
            merged=not draft.lines.is_forward,
            conflicts=tuple(made.inbox()), pushed=ahead,
            told=(*made.notices, *made.stays.values(), *stopping),
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
        if lines and not lines.is_forward:
            self.repository.ask_apart(lines.base, lines.ours, lines.theirs)
        # Where ours has nothing that theirs has not, no merge of ours was cut off.
        traces = [] if lines and lines.is_forward else [*self._cut_off(tip)]
        if lines:
            traces.append(self._merge(tip))
            self.store.writer.commit_pending()
            # What was edited there is to be known before anything is rewritten.
            self.store.writer.missing()
            self.store.sync()
            self.store.trust_again()
        left = merge_traces.together(traces)
        if left.laid:
            self.store.compare(self.store, dict(left.laid))()
        done = after_merge.reconcile(self.store, self.summarizer(), left)
        if traces:  # else nothing came of what others did
            self.tally.pulled += done.changed
        self.tally.notices += map(_TOLD_WITHOUT.format, filter(_is_telling, done.forgot))
        self.tally.notices += map(_SILENT.format, done.lines)
        self.tally.notices += map(_UNTOLD.format, filter(_is_telling, done.untold))
        self.tally.notices += map(_CITES_UNTOLD.format, done.citing)
        self.store.writer.commit_pending()
        return self._lines(self._head(), tip) is None

    def _stays(self, path: str) -> str:
        """Say of the file at *path* whether it is there as one side changed it."""
        is_there = self.store.texts.own(path) is not None
        return self.tally.stays[path] if is_there else _NOTHING_LEFT.format(path)

    def _lines(self, head: str, tip: str | None) -> Lines | None:
        """Return both lines of history, None where theirs has nothing that ours has not."""
        if tip is None or self._holds(head, tip):
            return None
        base = self.repository.merge_base(head, tip)
        if base is None:
            raise Refused(self._why_apart(tip))
        return None if base == tip else Lines(base, head, tip)

    def _holds_or_fetches(self, head: str, tip: str) -> bool:
        """Tell whether *head* stands on *tip*; fetch that unless it is here."""
        is_known = self.repository.is_known_to_go_on(tip, head)
        news = 0 if is_known else self.repository.beyond(tip, head)
        if news is None:
            self.repository.fetch(self.there)
        return news == 0

    def _why_apart(self, tip: str) -> str:
        if self.repository.is_shallow:
            return _SHALLOW
        if any(stone.purged or stone.rewritten for stone in tombstones.load(self.store).all):
            return merge_draft.purged_here(self.there, tip)
        lost = remote.lost(self.repository, self.there, tip)
        return _UNRELATED.format(self.there.shown, _LOST.format(lost[:12]) if lost else "")

    def _merge(self, tip: str | None) -> Traces:
        """Carry the merge out; return what it leaves to be rewritten."""
        self.store.writer.commit_pending()
        lines = self._lines(self._head(), tip)
        if lines is None:
            return Traces()
        draft = self._draft(lines)
        draft.refuse(accepted=self.accepts_missing)
        lines, sides, made = draft.lines, draft.sides, draft.made
        op = self.store.mint()
        made.files.update(made.inbox())
        committed = self._trees.files(lines).here
        tree = WorkingTree(self.store, self.repository, op, committed)
        changes = tree.changes(sides, made, lines)
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
        self.tally.stays |= made.stays
        if self.accepts_missing and (deleted := draft.deleted_memories()):
            history_notes.let_go(self.store.writer, deleted)
        laid = late_sessions.suspects(self.store, lines, sides)
        return replace(merge_traces.of(sides, made.forgotten), laid=laid)

    def _draft(self, lines: Lines) -> MergeDraft:
        """Return the merge; the commit there is noted, so that what is told of it can be shown."""
        draft = self._trees.draft(lines)
        remote.note(self.repository, self.there, lines.theirs, lines.base)
        return draft

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
        if tip is None or tip == head:
            return
        for ours, theirs in self.repository.merges(tip, head, _MERGED):
            base = self.repository.merge_base(ours, theirs)
            if base is not None:
                sides = self._trees.sides(Lines(base, ours, theirs))
                owner = self.store.config().owner
                yield merge_traces.of(sides, forgotten.forgotten_paths(sides, owner))

    def _unmoved(self, lines: Lines) -> None:
        """Raise StaleWrite when somebody committed, or wrote, since the merge was thought out."""
        if self.repository.head() != lines.ours or journal.due(self.store.root):
            raise StaleWrite("HEAD", lines.ours, self.repository.head())

    def _joined(self, lines: Lines, made: Merged, plan: Plan) -> str:
        message = commit_messages.of_operations([journal.intent(plan, plan.op, lines.ours)])
        changes = (Committed(path, data) for path, data in sorted(made.files.items()))
        return self.repository.join(self._trees.files(lines), changes, message, self.store.clock())

    def _plan(self, op: str, lines: Lines, changes: tuple[Change, ...]) -> Plan:
        number = len(self.repository.since(lines.ours, lines.theirs))
        subject = f"{_MERGED} {number} commit{'s' * (number != 1)} from {self.there.name}"
        return Plan(op, "sync", subject, changes)

    # --- ours ---------------------------------------------------------------------------------

    def _give(self, tip: str | None) -> bool:
        """Push what the remote has not; False when somebody else was faster."""
        head = self._head()
        if head == tip:
            return True
        shared_names.refuse_unheld(self.repository, head, tip)
        ahead = self.repository.ahead(head, tip)
        if not self.repository.push(self.there, head):
            return False
        self.tally.pushed += ahead
        return True


def _is_telling(path: str) -> bool:
    return reader.kind_of(path) == "episode" or path.endswith(".compact.md")


_TOLD_WITHOUT = "{} told of what was forgotten: it is told without that, and git still has its text"
_SILENT = "{} said what was forgotten there: it says [forgotten] now, and git still has its text"
_UNTOLD = "{} told of turns that were taken away: it went with them, and git still has its text"
_CITES_UNTOLD = "{} was made of turns, too, that were taken away: it stays as it is"
_NOTHING_LEFT = (
    "{} was changed on one side and deleted on the other: nothing is left of it without what was "
    "forgotten, and git still has its text"
)
_UNRELATED = (
    "{} and this vault share no history, so they cannot be merged: nothing was, and what is here "
    "is safe. {}Clone that one and copy over what only this clone has, from all folders but .git "
    "and .vaultmem; or push this one to an empty repository"
)
_LOST = (
    "What was seen there before ({}) is no longer in it: its history was rewritten, as by a "
    "squash, or the address is another's now. "
)
_SHALLOW = "this clone is shallow and lacks the common past: `git fetch --unshallow`, then sync"
