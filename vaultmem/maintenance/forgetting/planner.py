"""Plan a forgetting: the files go, tombstones come, and all that absorbed them is told without."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from vaultmem.errors import BadInput
from vaultmem.knowledge import tasks
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.maintenance import starter_files
from vaultmem.maintenance.forgetting import (
    line_names,
    near_lines,
    redacted_logs,
    redaction,
    target_texts,
)
from vaultmem.maintenance.forgetting.draft import ForgettingDraft
from vaultmem.maintenance.forgetting.line_names import LineName
from vaultmem.maintenance.forgetting.redacted_notes import RedactedNotes
from vaultmem.maintenance.forgetting.retold_texts import RetoldTexts
from vaultmem.maintenance.forgetting.selection import LINES
from vaultmem.maintenance.forgetting.target_texts import SpokenText
from vaultmem.memory import memory_index, pointed_index
from vaultmem.nlp.summarization.guarded import Guarded
from vaultmem.nlp.text import analysis
from vaultmem.records import TRUST, Record
from vaultmem.storage import reader, tombstones, transcripts
from vaultmem.storage.index import file_queries
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.tombstone_checks import SALT
from vaultmem.storage.tombstones import Tombstone, Tombstones

_TELLING = 4
"""Words of a sentence that is not everybody's."""

_OWN_TEXT: Mapping[str, Callable[[str], str]] = {
    memory_index.PATH: memory_index.own_text, tasks.BOARD: tasks.own_text,
}  # fmt: skip


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
    found = tuple(_tombstones(draft, request.reason))
    draft.refusing = Tombstones(found)
    notes = RedactedNotes(draft)
    _fill(draft, notes, RetoldTexts(draft, ask))
    changes = (*draft.changes.values(), *map(tombstones.change, found))
    listed = (
        *pointed_index.change(store, changes),
        *task_service.board_change(store, changes),
    )
    every = (*changes, *listed)
    named = {*_mentions(draft, every), *notes.said_by_hand}
    near = dict(_near_lines(draft))
    mentions = (*sorted(named), *near)
    rewritten = sorted(draft.changes.keys() - draft.paths - {*mentions})
    derived = (*rewritten, *(c.path for c in listed if c.path not in mentions))
    verbatim = {place: why for place, why in near.items() if why}
    made, lines = _plan(draft, every, request), tuple(_copies(draft))
    return Meant(made, found, derived, mentions, lines, verbatim, tuple(draft.spoken))


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


def _tombstones(draft: ForgettingDraft, reason: str) -> Iterator[Tombstone]:
    salt = tombstones.load(draft.store).salt or draft.store.random(SALT).hex()
    for it in draft.gone:
        texts = target_texts.known_by(draft.store, it, draft.raw)
        digests = dict.fromkeys(d for text in texts for d in tombstones.digests(text, salt))
        yield Tombstone(
            it.id or draft.store.mint(), draft.now, salt, tuple(digests), reason,
            "" if draft.raw.says(it.origin) else it.origin, it.agent,
            parts=tuple(tombstones.part(x, salt) for x in _sentences(draft, it)),
            supersedes=tuple(_ended(draft, it)), trust=it.trust if it.supersedes else "",
            of=it.type if it.type == reader.TEXT else "",
        )  # fmt: skip


def _sentences(draft: ForgettingDraft, it: Record) -> Iterator[str]:
    """Yield the sentences of *it* that nothing raw says that stays."""
    for text in dict.fromkeys(
        s for x in target_texts.texts(draft.store, it) for s in analysis.sentences(x)
    ):
        if len(tombstones.tokens(text)) >= _TELLING and draft.raw.says(text):
            yield text


def _ended(draft: ForgettingDraft, it: Record) -> Iterator[str]:
    """Yield the ids of what *it* superseded: that stays so, and is named without a word."""
    for target in it.supersedes:
        named = [r for r in draft.store.index.named(target) if r.type in {"memory", "tombstone"}]
        yield from (r.id for r in named if r.id)


def _mentions(draft: ForgettingDraft, changes: Sequence[Change | Append]) -> Iterator[str]:
    """Yield the files that stay and still say it: they are people's, or other memories."""
    made = {c.path: c.new for c in changes if isinstance(c, Change)}
    others = (path for path in file_queries.paths(draft.store.index) if path not in made)
    for path in chain(others, made):
        if path.startswith("tombstones/") or path.endswith(".jsonl"):
            continue
        data = made[path] if path in made else draft.store.read(path)
        if data is None:
            continue
        text = data.decode("utf-8", "replace")
        if own := _OWN_TEXT.get(path):  # what it lists is told of in its own file
            text = own(text)
        text = starter_files.lines_beside(path, text)
        is_made = path in draft.rewritten  # of turns that stay, and in our own words
        if draft.first.repeats(text) or (draft.raw.says(text) and not is_made):
            yield path


def _near_lines(draft: ForgettingDraft) -> Iterator[tuple[str, str]]:
    """Yield the turns and items that stay and say most of it, as `FILE:NUMBER`.

    Or all of it, and then why they stay: another says it, or it is too short to be taken from
    whoever says it.
    """
    reworded, copies = redaction.rewordings(draft.texts), draft.copies

    def says(line: str) -> bool:
        is_near = draft.first.repeats(line) or reworded.are_in(line)
        return is_near or near_lines.why_verbatim(line, copies) == "short"

    talks = (found.path for found in transcripts.transcript_files(draft.store.root))
    for path in chain(talks, redacted_logs.paths(draft.store.root)):
        made = draft.changes.get(path)
        data = (made.new if made else draft.store.read(path)) or b""
        text = data.decode("utf-8", "surrogateescape")
        for place, line in near_lines.saying(path, text, says):
            yield place, near_lines.why_verbatim(line, copies)


def _copies(draft: ForgettingDraft) -> Iterator[str]:
    """Yield the turns and items that lose a copy of it beside those that are to be forgotten."""
    meant = {
        LineName(line_names.path_of(r), n)
        for r in draft.gone if r.type in LINES for n in range(r.turn_start, r.turn_end + 1)
    }  # fmt: skip
    for path, it in sorted(draft.changes.items()):
        if line_names.are_in(path):
            lines = redaction.changed(it.old or b"", it.new or b"")
            yield from (str(line) for n in lines if (line := LineName(path, n)) not in meant)


def _counted(gone: Sequence[Record]) -> str:
    kinds = {r.type for r in gone}
    noun = kinds.pop() if len(kinds) == 1 else "note"
    if len(gone) == 1:
        return f"1 {noun}"
    return f"{len(gone)} {noun[:-1]}ies" if noun.endswith("y") else f"{len(gone)} {noun}s"
