"""The runner: one dream at a time plans, applies, or is taken back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial

from vaultmem import arguments
from vaultmem.documents import public_text
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused
from vaultmem.maintenance import history
from vaultmem.maintenance.dream import declined, inbox, review_note
from vaultmem.maintenance.dream import log as dream_log
from vaultmem.maintenance.dream.apply import Applying
from vaultmem.maintenance.dream.choices import struck_out, ticked_in
from vaultmem.maintenance.dream.gates import Gates, too_soon
from vaultmem.maintenance.dream.inbox import PendingReview
from vaultmem.maintenance.dream.lock import alone, git_busy
from vaultmem.maintenance.dream.log import Dreamt
from vaultmem.maintenance.dream.propose import Proposing
from vaultmem.maintenance.dream.results import (
    Applied,
    Ask,
    OpenReview,
    Planned,
    Selection,
    Skipped,
    Undone,
    WaitingChange,
)
from vaultmem.maintenance.dream.types import Proposal, Retention
from vaultmem.nlp.tasks import Summarizer
from vaultmem.storage import plan as plans
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.progress import Phase, Progress, unnamed, untold
from vaultmem.storage.store import Store


@arguments.checked
class Dreams:
    """The dreams of one vault."""

    def __init__(
        self,
        store: Store,
        summarizer: Callable[[], Summarizer],
        gate: Ask,
        gates: Callable[[], Gates] = Gates,
    ) -> None:
        """Dream on *store*; *summarizer* is asked for more, *gate* whether recall would suffer.

        *gates* returns the settings as they are now.
        """
        self._store, self._gates = store, gates
        self._proposing = Proposing(store, summarizer, gate)
        self._applying = Applying(store, gate)

    def plan(
        self, *, force: bool = False, if_due: bool = False, retention: Retention | None = None,
        progress: Progress = untold, phase: Phase = unnamed,
    ) -> Planned:  # fmt: skip
        """Look for what would be better, and put it before a person as a note in the inbox.

        With *if_due* only when it is time; *force* looks in any case, and proposes again what was
        struck out. *retention* says how many episodes stay; *progress* is told how many looks of
        how many are done, *phase* what is done before and after these. Raises Busy while another
        dream is at work.
        """
        self._store.sync()
        if if_due and not force and (why := too_soon(self._store, self._gates())):
            return Planned(reason=why)
        with alone(self._store):
            return self._store.retry(
                partial(
                    self._proposing.plan,
                    retention or Retention(),
                    force=force,
                    progress=progress,
                    phase=phase,
                )
            )

    def apply(
        self,
        *,
        everything: bool = False,
        include_protected: bool = False,
        ids: Collection[str] = (),
    ) -> Applied:
        """Do what is ticked in the review notes, in one commit; or *everything*, or single *ids*.

        What touches a person's own lines is done where it was ticked or named by itself, or with
        *include_protected*. Raises BadInput when nothing is chosen, Refused when recall would
        suffer or git cannot commit now, Busy while another dream is at work.
        """
        return self._apply(Selection(everything, include_protected, frozenset(ids)))

    def waiting(self) -> tuple[WaitingChange, ...]:
        """Return the changes of the review notes that nobody has answered, the oldest first."""
        self._store.sync()
        found = {
            p.id: self._waiting(p)
            for note in inbox.reviews(self._store)
            for p in note.open
            if p.id not in note.review.boxes.ticked
        }
        return tuple(found.values())

    def reviews(self) -> tuple[OpenReview, ...]:
        """Return the review notes in which changes wait, ticked or not, the newest first."""
        self._store.sync_soon()
        return tuple(
            OpenReview(
                note.path, note.dream, tuple(map(self._waiting, note.open)),
                note.review.fresh & {p.id for p in note.open},
            )
            for note in reversed(inbox.reviews(self._store))
            if note.dream and note.open
        )  # fmt: skip

    def tick(self, ids: Collection[str], *, on: bool = True) -> None:
        """Tick the changes *ids* in their review notes, or clear their boxes.

        Raises Busy while a dream is at work.
        """
        with alone(self._store):
            self._store.retry(partial(self._tick, ids, on=on))

    def _tick(self, ids: Collection[str], *, on: bool) -> None:
        notes = inbox.reviews(self._store)
        if changes := tuple(c for note in notes if (c := inbox.ticked(note, ids, on=on))):
            verb = "ticked" if on else "cleared"
            subject = f"review a dream: {len(ids)} {verb}"
            self._store.apply(Plan(self._store.mint(), "dream-review", subject, changes))

    def _waiting(self, proposal: Proposal) -> WaitingChange:
        shown = public_text.shown(
            "\n".join(review_note.difference(proposal, self._store.texts.read))
        )
        headline = public_text.shown(review_note.headline(proposal))
        return WaitingChange(proposal, headline, tuple(shown.split("\n")))

    def decline(self, remarks: Mapping[str, str]) -> Applied:
        """Strike out in the review notes what is named by id, each with a *remark* or "".

        `declined` of what is returned is noted for good now, in `inbox/declined.md`; `skipped`
        names what could not be struck out. Raises Busy while a dream is at work.
        """
        with alone(self._store):
            return self._store.retry(partial(self._declined, remarks))

    def _declined(self, remarks: Mapping[str, str]) -> Applied:
        notes = inbox.reviews(self._store)
        changes = tuple(c for note in notes if (c := inbox.declined(note, remarks)))
        if changes:
            subject = f"review a dream: {len(remarks)} struck out"
            self._store.apply(Plan(self._store.mint(), "dream-review", subject, changes))
        notes = inbox.reviews(self._store)
        noted = declined.note(self._store, notes)
        missed = remarks.keys() - noted - declined.load(self._store).ids
        return Applied(declined=noted, skipped=tuple(_not_struck_out(missed, notes)))

    def apply_unasked(self, ids: Collection[str]) -> Applied:
        """Do those of *ids* that change no line which a person ever wrote, committed or not.

        Raises as `apply` does.
        """
        return self._apply(Selection(ids=frozenset(ids), unasked=True))

    def _apply(self, selection: Selection) -> Applied:
        self._store.sync()
        if why := git_busy(self._store):
            raise Refused(f"git cannot commit now, and nothing was applied: {why}")
        with alone(self._store):
            return self._store.retry(partial(self._applying.apply, selection))

    def apply_ticked(self, rested: float) -> Applied | None:
        """Do what was ticked in notes that nobody touched since *rested* (Unix time).

        None when there is nothing of the kind, or git cannot commit now.
        """
        self._store.sync()
        waiting = [w for w in inbox.reviews(self._store) if w.touched <= rested]
        ticked, struck = ticked_in(waiting), struck_out(waiting)
        if struck:
            struck -= declined.load(self._store).ids
        if not (ticked ^ struck) or git_busy(self._store, patience=0):
            return None
        with alone(self._store):
            return self._store.retry(partial(self._applying.apply, Selection(rested=rested)))

    def last_planned(self) -> str | None:
        """Return when the newest dream was planned whose note is still there, None for none."""
        return self._store.index.last_created("dream") or None

    def log(self) -> tuple[Dreamt, ...]:
        """Return the dreams that were applied, newest first; raises Unavailable without git."""
        return dream_log.dreams(history.operations(self._store, None))

    def undo(self, op: str = "", *, partly: bool = False) -> Undone:
        """Take back the dream *op*, or the newest that stands; what came later stays.

        *partly*: a file that was changed on the same lines stays, its older text goes to the inbox.
        Raises BadInput when there is none, Refused when later changes stand on it or git is busy.
        """
        if why := git_busy(self._store):
            raise Refused(f"git is busy, and what was done last may wait for its commit: {why}")
        self._store.sync()
        self._store.writer.commit_pending()
        known = self.log()
        wanted = op.upper() or next((d.op for d in known if not d.undone), "")
        if wanted not in {d.op for d in known}:
            raise BadInput(
                f"no dream {quoted(op)}"
                if op
                else "there is no dream to undo: see `vaultmem dream log`"
            )
        plan = history.undo(self._store, wanted, partly=partly)
        self._store.apply(plan)
        commit = self._store.writer.commit_pending().get(plan.op)
        whole = tuple(c for c in plan.changes if isinstance(c, Change))  # nothing is appended
        return Undone(plan.op, wanted, whole, plans.diff(plan), commit, plan.aside)


def _not_struck_out(ids: Collection[str], notes: Collection[PendingReview]) -> Iterator[Skipped]:
    """Say of each of *ids*, none of which was struck out in *notes*, why."""
    applied = {name for note in notes for name in note.review.applied}
    ticked = {name for note in notes for name in note.review.boxes.ticked}
    for name in sorted(ids):
        if name in applied:
            why = "it was applied meanwhile, and is not struck out: `vaultmem dream undo`"
        elif name in ticked:
            why = "it was ticked meanwhile, and is not struck out: clear its box"
        else:
            why = "no review note has it now, so it is not struck out"
        yield Skipped(name, "", why)
