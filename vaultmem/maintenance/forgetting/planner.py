"""Plan a forgetting: the files go, tombstones come, and all that absorbed them is told without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultmem.errors import BadInput
from vaultmem.knowledge import tasks
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.maintenance.forgetting import mentions, new_tombstones, redacted_logs
from vaultmem.maintenance.forgetting.draft import ForgettingDraft
from vaultmem.maintenance.forgetting.redacted_notes import RedactedNotes
from vaultmem.maintenance.forgetting.retold_texts import RetoldTexts
from vaultmem.maintenance.forgetting.target_texts import SpokenText
from vaultmem.memory import pointed_index
from vaultmem.nlp.summarization.guarded import Guarded
from vaultmem.records import TRUST, Record
from vaultmem.storage import tombstones
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone, Tombstones


@dataclass(frozen=True, slots=True)
class Meant:
    """What a forgetting would do: its plan, what it rewrites, what it leaves to a person.

    *lines* are those turns and items that lose a copy of what is forgotten elsewhere, as
    `FILE:NUMBER`; *verbatim* says why those stay of which *mentions* names the very words.
    *spoken* is what is forgotten.
    """

    plan: Plan
    tombstones: tuple[Tombstone, ...]
    derived: tuple[str, ...]
    mentions: tuple[str, ...]
    lines: tuple[str, ...]
    verbatim: Mapping[str, str]
    spoken: tuple[SpokenText, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """Why something is forgotten, what the word of whoever asks is worth, how its commit begins."""

    reason: str = ""
    trust: str = ""
    subject: str = ""


def plan(store: Store, ask: Guarded, gone: Sequence[Record], request: Request) -> Meant:
    """Return what forgetting *gone* does, as one operation; raises BadInput for a telling reason.

    The index is fresh. A summarizer rewrites what absorbed it.
    """
    draft = ForgettingDraft(store, gone)
    if draft.raw.says(request.reason):
        raise BadInput("the reason repeats what is to be forgotten: word it differently")
    found = tuple(new_tombstones.of(draft, request.reason))
    draft.refusing = Tombstones(found)
    notes = RedactedNotes(draft)
    _fill(draft, notes, RetoldTexts(draft, ask))
    changes = (*draft.changes.values(), *map(tombstones.change, found))
    listed = (
        *pointed_index.change(store, changes),
        *task_service.board_change(store, changes),
    )
    every = (*changes, *listed)
    named = {*mentions.files(draft, every), *notes.said_by_hand}
    near = dict(mentions.lines(draft))
    shown = (*sorted(named), *near)
    rewritten = sorted(draft.changes.keys() - draft.paths - {*shown})
    derived = (*rewritten, *(c.path for c in listed if c.path not in shown))
    verbatim = {place: why for place, why in near.items() if why}
    made, lines = _plan(draft, every, request), tuple(mentions.copies(draft))
    return Meant(made, found, derived, shown, lines, verbatim, tuple(draft.spoken))


def _fill(draft: ForgettingDraft, notes: RedactedNotes, retold: RetoldTexts) -> None:
    """Go through all that may have absorbed it: what is told anew is made of what was redacted."""
    for record in draft.files:
        draft.put(record.path, draft.data(record.path), None, "forgotten")
    notes.cards()
    for each in draft.sessions:
        draft.put(each.path, each.old, each.new)
    renamed = [r for r in draft.store.index.corrections() if notes.rename_links(r)]
    for agent in sorted({r.agent for r in (*draft.gone, *renamed) if r.type == "memory"}):
        retold.summaries(agent)
    for each in draft.sessions:
        retold.episodes(each)
    for record in draft.store.index.every():
        notes.note(record)
    notes.relink()
    redacted_logs.redact(draft)
    _unlink_tasks(draft)


def _unlink_tasks(draft: ForgettingDraft) -> None:
    """Let no task wait for one that goes."""
    gone = {n for r in draft.gone if r.type == "task" and (n := tasks.number_of(r.path))}
    for it in task_service.unlinked(draft.store, tuple(draft.changes.values()), gone, draft.now):
        if made := draft.changes.get(it.path):
            draft.changes[it.path] = made._replace(new=it.new)
        else:
            draft.put(it.path, it.old, it.new, it.reason)


def _plan(draft: ForgettingDraft, changes: tuple[Change | Append, ...], request: Request) -> Plan:
    agents = {r.agent for r in draft.gone}
    ids = tuple(f"{r.id or r.type}" for r in draft.gone)
    # What a tombstone goes on to end, it ends with the trust of the correction it stands for.
    given = filter(None, (request.trust, *(r.trust for r in draft.gone if r.supersedes)))
    return Plan(
        draft.store.mint(), "forget",
        request.subject or f"forget: {_counted(draft.gone)}", changes,
        agents.pop() if len(agents) == 1 else "", notes=ids,
        trust=max(given, key=TRUST.index, default=""),
    )  # fmt: skip


def _counted(gone: Sequence[Record]) -> str:
    kinds = {r.type for r in gone}
    noun = kinds.pop() if len(kinds) == 1 else "note"
    if len(gone) == 1:
        return f"1 {noun}"
    return f"{len(gone)} {noun[:-1]}ies" if noun.endswith("y") else f"{len(gone)} {noun}s"
