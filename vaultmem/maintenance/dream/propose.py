"""From a vault to a plan of what would be better, and to the note in which a person reviews it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from vaultmem.knowledge.cards import Cards
from vaultmem.maintenance.dream import (
    declined,
    inbox,
    planner,
    review_note,
    suggestions,
    user_claims,
    user_utterances,
)
from vaultmem.maintenance.dream.choices import struck_out
from vaultmem.maintenance.dream.declined import Declined
from vaultmem.maintenance.dream.detectors import (
    card_contradictions,
    cards,
    model_suggestions,
    relative_dates,
    skills,
)
from vaultmem.maintenance.dream.detectors.cards import SourcedClaim
from vaultmem.maintenance.dream.inbox import PendingReview
from vaultmem.maintenance.dream.quality_gate import losses, not_asked, probed
from vaultmem.maintenance.dream.results import Ask, Planned, count
from vaultmem.maintenance.dream.session import Work
from vaultmem.maintenance.dream.types import Dream, Retention, Seen
from vaultmem.nlp.summarization.guarded import Guarded, guarded
from vaultmem.nlp.tasks import Summarizer
from vaultmem.records import iso
from vaultmem.storage import plan as plans
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.progress import Phase, Progress
from vaultmem.storage.store import Store


class Proposing:
    """Proposes what would be better in one vault."""

    def __init__(self, store: Store, summarizer: Callable[[], Summarizer], ask: Ask) -> None:
        """Look at *store*; *summarizer* is asked for more, *ask* whether recall would suffer."""
        self._store, self._summarizer, self._ask = store, summarizer, ask

    def plan(
        self, retention: Retention, *, force: bool, progress: Progress, phase: Phase
    ) -> Planned:  # fmt: skip
        """Look for what would be better, and put it before a person; *force*, though struck out."""
        waiting = inbox.reviews(self._store)
        declined.note(self._store, waiting)
        phase("reading what is new")
        work = Work(self._store, waiting)
        never = Declined() if force else declined.load(self._store)
        struck = frozenset() if force else struck_out(waiting)
        terms = replace(work.terms, declined=never.ids | struck)
        seen = work.dated(replace(work.seen.seen, retention=retention))
        model = guarded(self._summarizer())
        phase("hearing what was said")
        found = user_utterances.collect(self._store, seen.memories, seen.since)
        told = user_claims.claimed(self._store, found, model)
        detectors = tuple(self._detectors(seen, model, told, never))
        phase("dreaming")
        planned = planner.plan(seen, terms, detectors, progress)
        unproven = skills.unproven(seen)
        heard = [one for one in told if one.new]
        against = (
            *cards.disagreeing(seen, heard, self._owner),
            *card_contradictions.disagreeing(seen),
        )
        taken = Cards(self._store).take(against).written if against else ()
        waits = (f"what was said disagrees with {w.path}: see {w.waits}" for w in taken)
        left = (*planned.left, *unproven, *waits, *relative_dates.unresolved(seen))
        now = iso(self._store.clock())
        inbox.note_look(self._store, replace(inbox.looks(self._store), planned=now))
        if not planned.proposals:
            return Planned(left=left, reason="no improvement was found")
        lost = losses(p for p in planned.proposals if not p.protected)
        phase("asking recall")
        gate = probed(self._ask, planned.changed, not_asked(planned.proposals))
        dream = Dream(self._store.mint(), now, planned.proposals, lost, gate, left)
        changes = work.changes(planned.changed, "proposed by a dream")
        shown = plans.diff(Plan(dream.id, "dream", "", changes))
        result = Planned(dream.id, dream.proposals, lost, gate, left, shown)
        return self._put(result, dream, waiting)

    @property
    def _owner(self) -> str:
        return self._store.config().owner

    def _detectors(
        self, seen: Seen, model: Guarded, told: Sequence[SourcedClaim], never: Declined
    ) -> Iterator[planner.Detector]:
        """Yield all that look for something, what the summarizer has to say last."""
        yield from planner.DETECTORS
        yield lambda now: cards.find(now, told, never.facts, self._owner)
        suggested = suggestions.suggested(self._store, seen, model)
        yield lambda now: model_suggestions.find(now, suggested)

    def _put(self, told: Planned, dream: Dream, waiting: Sequence[PendingReview]) -> Planned:
        """Write the review note, unless all of it is asked in one that waits already."""
        old = next((w for w in reversed(waiting) if w.untouched), None)
        others = [w for w in waiting if w is not old and not w.review.op]
        elsewhere = {p.id: w for w in others for p in w.open}
        fresh = tuple(p for p in dream.proposals if p.id not in elsewhere)
        waits = {p.id: elsewhere[p.id].path for p in dream.proposals if p.id in elsewhere}
        if old and old.dream and {p.id for p in old.dream.proposals} == {p.id for p in fresh}:
            waits |= dict.fromkeys((p.id for p in fresh), old.path)
            return replace(told, id=old.review.id, note=old.path, waits=waits)
        if not fresh:
            note = max((elsewhere[name] for name in waits), key=lambda w: w.review.id)
            return replace(told, id=note.review.id, note=note.path, waits=waits)
        dream = replace(dream, proposals=fresh)
        path = old.path if old else self._free_path(dream, waiting)
        text = review_note.render(dream, self._store.texts.read).encode()
        inbox.keep(self._store, dream, text)
        change = Change(path, old.data if old else None, text, "a dream to review")
        subject = f"plan a dream: {count(len(fresh))}"
        self._store.apply(Plan(dream.id, "dream-plan", subject, (change,)))
        inbox.discard_plans(
            self._store, {dream.id, *(w.review.id for w in waiting if w is not old)}
        )
        waits |= dict.fromkeys((p.id for p in fresh), path)
        commit = self._store.writer.commit_pending().get(dream.id)
        return replace(told, note=path, waits=waits, commit=commit)

    def _free_path(self, dream: Dream, waiting: Sequence[PendingReview]) -> str:
        taken = {w.path for w in waiting}
        while self._store.texts.read(path := review_note.path(dream.made[:10], taken)) is not None:
            taken.add(path)  # one that cannot be read
        return path
