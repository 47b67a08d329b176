"""From what is asked of cards to the bytes of each, and of the note about it, and to one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from vaultmem.errors import NameTaken
from vaultmem.knowledge.cards import conflict_note, names, parser, patching
from vaultmem.knowledge.cards.listing import CardListing
from vaultmem.knowledge.cards.requests import CardRequest, Draft, Written
from vaultmem.knowledge.cards.types import HAND, Claim, Conflict
from vaultmem.memory import pointed_index, remember
from vaultmem.records import first_line, iso, lowest
from vaultmem.storage import files, human_edits, reader, tombstones
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_SUBJECT = 100


def draft(asked: CardRequest, listing: CardListing) -> Draft:
    """Draft what is *asked* of one card; raises NameTaken for one that shall be new and is there.

    Raises also BadInput, Refused, SecretFound and Unreadable, for what cannot be: no words are
    taken away that no undo could bring back.
    """
    made = _draft(asked, listing)
    if made.old is not None and made.new is not None:
        human_edits.keep_words(listing.store, [Change(made.path, made.old, made.new, "")])
    return made


def check(asked: CardRequest, listing: CardListing) -> None:
    """Raise what `draft` would, and commit nothing of a person's for it."""
    made, store = _draft(asked, listing), listing.store
    if made.old is not None and made.new is not None:
        change = Change(made.path, made.old, made.new, "")
        if human_edits.loses_words(change):
            human_edits.refuse_unkept(store, store.texts.owned(change))


def _draft(asked: CardRequest, listing: CardListing) -> Draft:
    store = listing.store
    there = listing.find(asked.name)
    if there and asked.create:
        raise NameTaken(there)
    claims = asked.claims(listing.read(there) if there else None)
    path = there or _place(asked.name, claims)
    old = store.texts.read(path)
    proposed = patching.change(
        old, path, claims, iso(store.clock()), next(listing.ids),
        strategy=asked.strategy, policies=asked.policies,
    )  # fmt: skip
    _refuse_forgotten(store, path, old, proposed.text)
    # Of the facts about which a person says something nothing waits any more.
    settled = asked.settled | {claim.field for claim in claims if claim.source == HAND}
    note = listing.note(path) if settled or proposed.conflicts else b""
    return Draft(
        name=names.of_path(path),
        path=path,
        old=old,
        new=proposed.text,
        changed=proposed.fields,
        conflicts=proposed.conflicts,
        note=listing.note_path(path),
        was=note,
        noted=_noted(path, note, settled, proposed.conflicts, listing),
        trust=lowest(claim.trust for claim in claims),
    )


def _refuse_forgotten(store: Store, path: str, old: bytes | None, new: bytes | None) -> None:
    """Raise Refused for a card that tells anew, word for word, what was forgotten."""
    if new:
        tombstones.refuse(store, *(_said(path, new) - (_said(path, old) if old else set())))


def _said(path: str, data: bytes) -> set[str]:
    it = reader.record(path, files.content(data))
    return {it.body, it.facts, *reader.names(path, data)}


def _noted(
    path: str,
    note: bytes,
    settled: AbstractSet[str],
    conflicts: Sequence[Conflict],
    listing: CardListing,
) -> bytes:
    """Return the note about a card: claims come, and go when a person decides."""
    if path.startswith(remember.REVIEW):  # all of it waits anyway
        return note
    settled = settled - {conflict.field for conflict in conflicts}
    if note and settled & conflict_note.fields(note):
        note = conflict_note.without(note, settled) or b""
    if conflicts:
        empty = conflict_note.new(
            path, listing.person(path), iso(listing.store.clock()), next(listing.ids)
        )
        note = conflict_note.added(note or empty, conflicts)
    return note


def _place(name: str, claims: Sequence[Claim]) -> str:
    """Return where a new card comes; what nobody trusted says waits for a person."""
    names.new(name)
    trusts = {claim.trust for claim in claims}
    return names.review(name) if trusts == {"untrusted"} else names.path(name)


# --- writing ----------------------------------------------------------------------------------


def carry(store: Store, drafts: Callable[[], Iterable[Draft]], *notes: str) -> tuple[Written, ...]:
    """Write and commit *drafts*, all in one; made again when somebody else was faster."""
    return store.retry(lambda: _carry(store, tuple(drafts()), notes))


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
        changes=(*changes, *pointed_index.change(store, changes)),
        trust=lowest(draft.trust for draft in drafts if draft.changes),
        notes=tuple(notes),
    )
    human_edits.commit(store, (change.path for change in changes))
    store.apply(plan)
    commit = store.writer.commit_pending().get(plan.op)
    return tuple(_written(d, commit if d.changes else None, _why_not(store, d)) for d in drafts)


def _why_not(store: Store, draft: Draft) -> str:
    """Say why the commit of *draft* has not its card: none has one that is held back."""
    return human_edits.uncommitted(store, draft.changes[0].path) if draft.changes else ""


def _subject(drafts: Sequence[Draft]) -> str:
    if len(drafts) > 1:
        return f"card: {len(drafts)} cards"
    facts = ", ".join(drafts[0].changed or [c.field for c in drafts[0].conflicts])
    remember.refuse_secrets("the name of a card or of a fact", f"{drafts[0].name}: {facts}")
    return first_line(f"card: {drafts[0].name}: {facts or 'policies'}", _SUBJECT)


def _written(draft: Draft, commit: str | None, uncommitted: str = "") -> Written:
    data = draft.old if draft.new is None else draft.new
    card = parser.in_full(parser.read(draft.path, data)) if data is not None else {}
    return Written(
        draft.name, draft.path, card, draft.changed, draft.conflicts, draft.waits,
        commit=None if uncommitted else commit, existed=draft.old is not None,
        uncommitted=uncommitted,
    )  # fmt: skip
