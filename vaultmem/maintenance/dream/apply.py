"""From what a person chose to one commit, and to the review notes that say what was done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from vaultmem.documents import frontmatter, public_text
from vaultmem.maintenance.dream import choices, declined, inbox, planner, review_note
from vaultmem.maintenance.dream import log as dream_log
from vaultmem.maintenance.dream.choices import CONTESTED
from vaultmem.maintenance.dream.inbox import PendingReview
from vaultmem.maintenance.dream.planner import Choice, Chosen
from vaultmem.maintenance.dream.quality_gate import judged, losses, not_asked
from vaultmem.maintenance.dream.results import Applied, Ask, Selection, Skipped, count
from vaultmem.maintenance.dream.session import Work
from vaultmem.maintenance.dream.types import Gate, Proposal
from vaultmem.records import iso
from vaultmem.storage import plan as plans
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_GONE = "it is no longer proposed"
_NO_ID = "no review note has a change of this id: `vaultmem dream plan` tells those there are"


class Applying:
    """Applies what was chosen of the dreams of one vault."""

    def __init__(self, store: Store, ask: Ask) -> None:
        """Write into *store*; *ask* says whether recall would suffer."""
        self._store, self._ask = store, ask

    def apply(self, selection: Selection) -> Applied:
        """Do what is wished; raises BadInput where that is nothing, Refused when recall suffers."""
        notes = [
            w
            for w in inbox.reviews(self._store)
            if selection.rested is None or w.touched <= selection.rested
        ]
        struck = declined.note(self._store, notes)
        if struck and choices.is_nothing(notes, selection):
            return Applied(declined=struck)
        choice = choices.choice(notes, selection)
        offered = self._offered(notes, choice)
        # What nobody asked for is no reason to commit a file for its writer.
        asked = () if selection.unasked else choice.ids
        self._commit_hand_work(notes, [p for p in offered if p.id in asked])
        work = Work(self._store, notes, unasked=selection.unasked)
        reworded = choices.reworded(notes, selection, choice)
        meant = replace(choice, ids=choice.ids - reworded.keys())
        chosen = planner.choose(offered, meant, work.seen.seen, work.terms)
        gone = sorted(choice.ids - {p.id for p in offered})
        skipped = [Skipped(p.id, p.path, why) for p, why in chosen.skipped]
        known = {name for w in notes for name in w.review.boxes.known}
        skipped += [Skipped(name, "", _GONE if name in known else _NO_ID) for name in gone]
        skipped += [
            Skipped(name, "", CONTESTED) for name in sorted(choices.contested(notes, selection))
        ]
        skipped += choices.kept_back(notes, selection, choice)
        skipped += [Skipped(name, path, choices.REWORDED.format(id=name))
                    for name, path in reworded.items()]  # fmt: skip
        if not selection.unasked:
            _protect(self._store, notes, chosen)
        lost = losses(chosen.applied)
        changes = work.changes(chosen.changed, "improved by a dream")
        changed = {c.path: c.new for c in changes}
        gate = judged(self._ask, changed, not_asked(chosen.applied)) if changes else Gate()
        diff = plans.diff(Plan("", "dream", "", changes))
        done = Applied("", chosen.applied, tuple(skipped), lost, gate, diff, declined=struck)
        return self._carry_out(done, changes, notes, choice)

    def _offered(self, notes: Sequence[PendingReview], choice: Choice) -> tuple[Proposal, ...]:
        """Return what the notes propose; where a plan is lost and asked for, rebuilt."""
        offered = {p.id: p for w in notes for p in w.open}
        if choice.ids <= offered.keys():
            return tuple(offered.values())
        work = Work(self._store, notes)
        again = planner.plan(work.seen.seen, work.terms)
        return tuple((offered | {p.id: p for p in again.proposals}).values())

    def _commit_hand_work(self, notes: Sequence[PendingReview], wanted: Sequence[Proposal]) -> None:
        """Commit what people wrote before we touch it: undoing the dream brings back just that.

        Not only in the files that are about to change: a dream parts what is older from what a
        person wrote since. Where the config leaves commits to people, only there.
        """
        paths = {w.path for w in notes} | {path for p in wanted for path in p.paths}
        alone = not self._store.config().commit_human_edits
        broken = frozenset(p.path for p in self._store.index.problems()) - paths
        self._store.writer.commit_pending()
        self._store.writer.commit_edits(
            quiet=0, leave=broken, only=frozenset(paths) if alone else None
        )
        self._store.writer.commit_pending()  # what is marked there as a tool's

    def _carry_out(
        self,
        told: Applied,
        changes: tuple[Change, ...],
        notes: Sequence[PendingReview],
        choice: Choice,
    ) -> Applied:
        op, now = self._store.mint(), iso(self._store.clock())
        refused = {s.id: s.reason for s in told.skipped if s.id in choice.ticked}
        done = review_note.Done(op, now, frozenset(p.id for p in told.applied), refused)
        marks = tuple(_marks(notes, done))
        if not changes and not marks:
            return told
        plan = _plan_of(op, told, changes, marks)
        self._store.apply(plan)
        commit = self._store.writer.commit_pending().get(op)
        return replace(told, op=op, commit=commit) if changes else told


def _protect(store: Store, notes: Iterable[PendingReview], chosen: Chosen) -> None:
    """Note in the plans what turned out to touch a person's lines: `--all` asks for it no more."""
    kept_back = {p.id for p, why in chosen.skipped if why == planner.PROTECTED and not p.protected}
    for waiting in notes:
        if waiting.dream and any(p.id in kept_back for p in waiting.dream.proposals):
            inbox.protect(store, waiting.dream, kept_back)


def _marks(notes: Iterable[PendingReview], done: review_note.Done) -> Iterator[Change]:
    """Yield the review notes with what was *done* noted."""
    for note in notes:
        if note.review.boxes.known & (done.applied | done.skipped.keys()):
            text = review_note.marked(frontmatter.decode(note.data), done)
            yield Change(note.path, note.data, text.encode(), "says what was applied")


def _plan_of(
    op: str, told: Applied, changes: tuple[Change, ...], marks: tuple[Change, ...]
) -> Plan:
    if not changes:
        subject = f"review a dream: {count(len(told.skipped))} did not fit"
        return Plan(op, "dream-review", subject, marks)
    files = len({path for p in told.applied for path in p.paths})
    subject = f"{dream_log.SUBJECT}{count(len(told.applied))} in {files} file{'s' * (files != 1)}"
    lines = tuple(public_text.shown(review_note.headline(p)) for p in told.applied)
    models = ", ".join(dict.fromkeys(p.by for p in told.applied if p.by))
    # A memory of the user's is superseded in the user's name alone: who ticks it lets it be.
    trust = "user" if any(p.op == "supersede" for p in told.applied) else ""
    whole = (*changes, *marks)
    return Plan(op, "dream", subject, whole, trust=trust, model=models, notes=lines)
