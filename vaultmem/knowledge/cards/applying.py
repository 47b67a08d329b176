"""From drafts to one commit, and what became of each card by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from vaultmem.knowledge.cards import parser
from vaultmem.knowledge.cards.requests import Draft, Written
from vaultmem.memory import remember
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.records import first_line, lowest
from vaultmem.storage import human_edits
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store

TRIES = 8
"""So often a write is tried while others are faster."""

_SUBJECT = 100


def carry(store: Store, drafts: Callable[[], Iterable[Draft]], *notes: str) -> tuple[Written, ...]:
    """Write and commit *drafts*, all in one; made again when somebody else was faster."""
    return store.retry(lambda: _carry(store, tuple(drafts()), notes), TRIES)


def commit_of(written: Iterable[Written]) -> str | None:
    """Return the commit that all of *written* came with, None when there is none."""
    return next((each.commit for each in written if each.commit), None)


def _carry(store: Store, drafts: Sequence[Draft], notes: Sequence[str]) -> tuple[Written, ...]:
    changes = tuple(change for draft in drafts for change in draft.changes)
    if not changes:
        return tuple(_written(draft, None) for draft in drafts)
    plan = Plan(
        op=store.mint(),
        kind="card",
        subject=_subject([draft for draft in drafts if draft.changes]),
        changes=(*changes, *compaction_runner.index_change(store, changes)),
        trust=lowest(draft.trust for draft in drafts if draft.changes),
        notes=tuple(notes),
    )
    human_edits.commit(store, (change.path for change in changes))
    store.apply(plan)
    commit = store.writer.commit_pending().get(plan.op)
    return tuple(_written(d, commit if d.changes else None) for d in drafts)


def _subject(drafts: Sequence[Draft]) -> str:
    if len(drafts) > 1:
        return f"card: {len(drafts)} cards"
    told = ", ".join(drafts[0].changed or [c.field for c in drafts[0].conflicts])
    remember.refuse_secrets("the name of a card or of a fact", f"{drafts[0].name}: {told}")
    return first_line(f"card: {drafts[0].name}: {told or 'policies'}", _SUBJECT)


def _written(draft: Draft, commit: str | None) -> Written:
    data = draft.old if draft.new is None else draft.new
    card = parser.in_full(parser.read(draft.path, data)) if data is not None else {}
    return Written(
        draft.name, draft.path, card, draft.changed, draft.conflicts, draft.waits, commit
    )
