"""Export what is remembered; JSON lines have the turns of sessions, too.

Where those stay, how many is told, and so are archived memories of a format without an archive.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from vaultmem.documents import part_trust, secrets
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, DiskRefused, Refused, Unreadable
from vaultmem.exchange.exporting import (
    basic_memory,
    jsonl,
    memory_names,
    okf,
    told_turns,
    writer,
)
from vaultmem.exchange.exporting.okf import Concept
from vaultmem.exchange.exporting.told_turns import Told
from vaultmem.exchange.formats import note_frontmatter
from vaultmem.knowledge.topics.types import Exported as ExportedTopics
from vaultmem.memory.remember import REVIEW
from vaultmem.records import Record, is_trusted
from vaultmem.storage import transcript_files, troubles
from vaultmem.storage.files import export_write
from vaultmem.storage.index import Filter
from vaultmem.storage.store import Store

FOLDED = "folded"
FORMS = ("okf", "json", "basic-memory", "claude-code", FOLDED)
"""The formats; the last two are of topics, and of one session."""


_SHOWN = 5
"""Attachments that are named."""

_UNTRUSTED, _UNREAD = "it is not trusted", "it cannot be read"
_OUTCOME = "a tool said what came of a task, which is not trusted"
_ARCHIVED = "it is archived, or corrected by what is, and this format has no archive"
_WAITS = "it waits for a person's review (`vaultmem review`)"


@dataclass(frozen=True, slots=True)
class Left:
    """What of a vault is not exported, why, and how often."""

    why: str
    count: int


@dataclass(frozen=True, slots=True)
class Exported:
    """Where an export lies: how many *files* it has, *notes* in them, and what was done.

    *removed* files stood there from an export before and are no longer part of it. *turns* of the
    conversations themselves are in it, *turns_left* of *sessions_left* sessions stay behind. The
    *notes* of a folded memory are episodes and items of topics.
    """

    path: str
    files: int
    notes: int
    written: int
    unchanged: int
    removed: int = 0
    left_out: tuple[Left, ...] = ()
    turns_left: int = 0
    sessions_left: int = 0
    turns: int = 0


def run(
    store: Store, form: str, path: Path, *, agent: str = "", untrusted: bool = False
) -> Exported:
    """Write what is remembered, of *agent* and shared, or of everybody, to *path*.

    `json` makes a file, the others a folder. Raises BadInput, Refused for what stands there and is
    not ours, DiskRefused, and Unavailable where something cannot be read: an export that was whole
    stays so.
    """
    if form not in FORMS:
        raise BadInput(
            f"{quoted(form)} is not a format that can be exported; there are: {', '.join(FORMS)}"
        )
    refuse_inside(store, path)
    refuse_unread(store)
    left: Counter[str] = Counter()
    whose = store.require_agent(agent) if agent else ""
    if form == "json":
        done = _json(path, _Leaving(store, whose, left, untrusted=untrusted))
    else:
        hidden = _archived(store) if form == "basic-memory" else frozenset[str]()
        leaving = _Leaving(store, whose, left, untrusted=untrusted, hidden=hidden)
        concepts = list(leaving.concepts())
        write = okf.bundle if form == "okf" else basic_memory.folder
        made, turns = write(concepts), list(_turns(store, whose))
        put = writer.folder(path, made)
        done = Exported(
            str(path), len(made), len(concepts), put.written, put.unchanged, put.removed,
            turns_left=sum(turns), sessions_left=len(turns),
        )  # fmt: skip
    return replace(done, left_out=tuple(Left(why, n) for why, n in left.most_common() if n))


def _archived(store: Store) -> frozenset[str]:
    """Return the names of the archived memories of all agents."""
    found = store.index.records(Filter(type="memory", archived=True), body=False)
    return frozenset(it.stem for it in found)


def refuse_unread(store: Store) -> None:
    """Look at all files, and raise Unavailable where one cannot be read."""
    store.sync()
    troubles.refuse_unread(
        store, "nothing was exported, since an export without it would look whole", recalled=True
    )


def _turns(store: Store, agent: str) -> Iterator[int]:
    """Yield how many turns each session has, of *agent* or of everybody."""
    for file in transcript_files.every(store.root):
        if agent in {"", file.agent}:
            with suppress(Refused, DiskRefused):  # a link is nothing of ours, and none goes out
                if turns := (store.texts.own(file.path) or b"").count(b"\n"):
                    yield turns


def of_topics(store: Store, agent: str, sent: ExportedTopics) -> Exported:
    """Return what came of writing topics and cards as Claude Code's memory folder, as *sent* says.

    And what of what recall may return, of *agent* and shared, stays behind.
    """
    left: Counter[str] = Counter()
    for record in store.index.records(Filter(kept=True), body=False):
        if not agent or record.agent in {"", agent}:
            left[_why_no_topic(record, agent)] += 1
    del left[""]
    turns = list(_turns(store, agent))
    files = len(sent.written) + sent.unchanged
    return Exported(
        sent.folder, files, max(files - 1, 0), len(sent.written), sent.unchanged,
        left_out=tuple(Left(why, n) for why, n in left.most_common()),
        turns_left=sum(turns), sessions_left=len(turns),
    )  # fmt: skip


def _why_no_topic(record: Record, agent: str) -> str:
    """Say why a memory folder of Claude Code has no file for *record*, "" where it has."""
    if record.type not in {"topic", "card"}:
        return "it is no topic and no card, and the folder has these alone"
    if record.agent not in {"", agent}:
        return f"it is one agent's own (`agent={record.agent}`)"
    if record.superseded_by:
        return "it is superseded"
    if record.problem:
        return _UNREAD
    return "" if record.recallable and is_trusted(record) else _UNTRUSTED


def refuse_inside(store: Store, path: Path) -> None:
    """Raise BadInput where *path* lies in the vault: an export there would be its own source."""
    vault, meant = store.root.path.resolve(), path.resolve()
    if vault not in {meant, *meant.parents}:
        return
    # What a link leads to is seen once the way to it is written out.
    linked = f" (it leads to {meant})" if meant != path.absolute() else ""
    what = "is the folder of this vault itself" if meant == vault else "lies in this vault"
    raise BadInput(
        f"{path}{linked} {what}, and an export there would become a part of what it was made of; "
        f"nothing was written: name a place outside of {vault}"
    )


def _json(path: Path, leaving: _Leaving) -> Exported:
    """Write the lines of what is *leaving* as they are made: none of it is held."""
    notes = turns = 0

    def lines() -> Iterator[bytes]:
        nonlocal notes, turns
        ended = leaving.ended()
        for notes, concept in enumerate(leaving.concepts(), 1):  # noqa: B007  # counted
            yield jsonl.note(concept, ended)
        for told in leaving.sessions():
            turns += len(told.turns)
            yield from jsonl.turns(told)

    _refuse_others(path, lambda file: jsonl.is_ours(file.readline()))
    is_new = export_write.put_lines(path, lines())
    return Exported(str(path), 1, notes, int(is_new), int(not is_new), turns=turns)


def file(path: Path, data: bytes, is_ours: Callable[[bytes], bool]) -> Exported:
    """Write *data* to *path*; raises Refused where a file stands that *is_ours* says is none."""
    _refuse_others(path, lambda file: is_ours(file.read()))
    is_new = export_write.put_lines(path, [data])
    return Exported(str(path), 1, 0, int(is_new), int(not is_new))


def _refuse_others(path: Path, is_ours: Callable[[IO[bytes]], bool]) -> None:
    """Raise Refused where a file stands at *path* that *is_ours* says is none."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Refused(f"{path} is not a regular file, nothing was written: name another")
    if not path.exists():
        return
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size and not is_ours(file):
            raise Refused(
                f"{path} was not written by vaultmem, nothing was written: name a file that is not "
                f"there yet"
            )


@dataclass(frozen=True, slots=True)
class _Leaving:
    """What of *agent* and shared, or of everybody, goes out of *store*; what stays *left* counts.

    *untrusted* may go, too. *hidden* has the names of what is archived, where that may not be told.
    """

    store: Store
    agent: str
    left: Counter[str]
    untrusted: bool
    hidden: frozenset[str] = frozenset()

    def concepts(self) -> Iterator[Concept]:
        """Yield the notes in the order of their paths, few of them in memory."""
        names = dict[str, None]()
        for record in self._records():
            why = self._why_left(record)
            if not why and (concept := _concept(self.store, record)):
                names |= dict.fromkeys(note_frontmatter.attachments(record.body))
                yield concept if self.untrusted else _trusted_part(concept, self.left)
            else:
                self.left[why or _UNREAD] += 1
        waits = self.store.index.records(Filter(type="memory", below=REVIEW), body=False)
        self.left[_WAITS] += sum(it.agent in {"", self.agent or it.agent} for it in waits)
        self.left.update(_attachments(names))

    def ended(self) -> Mapping[str, list[str]]:
        """Return, of the notes, what each memory holds instead of."""
        records = (it for it in self._records() if it.superseded_by or it.supersedes)
        return memory_names.ended(it for it in records if not self._why_left(it))

    def sessions(self) -> Iterator[Told]:
        """Yield the sessions, in the order of their paths."""
        return told_turns.sessions(self.store, self.agent, self.left, untrusted=self.untrusted)

    def _records(self) -> Iterator[Record]:
        every = self.store.index.by_path(Filter(kept=True))
        return (it for it in every if not self.agent or it.agent in {"", self.agent})

    def _why_left(self, record: Record) -> str:
        """Say why *record* stays here, "" where it goes."""
        if record.problem:
            return _UNREAD
        if record.trust == "untrusted" and not self.untrusted:
            return _UNTRUSTED
        # Without its correction what was corrected would look as if it held.
        is_hidden = not self.hidden.isdisjoint((record.stem, record.superseded_by))
        return _ARCHIVED if is_hidden else ""


def _attachments(named: Iterable[str]) -> dict[str, int]:
    """Return how many files links have *named* beside notes, by a sentence with the first."""
    names = list(dict.fromkeys(map(secrets.redact, named)))
    if not names:
        return {}
    shown = ", ".join(map(quoted, names[:_SHOWN])) + (", …" if len(names) > _SHOWN else "")
    return {
        f"an attachment, which is not taken along: its link leads nowhere ({shown})": len(names)
    }


def _trusted_part(concept: Concept, left: Counter[str]) -> Concept:
    """Return *concept* without what a tool said of it, which *left* counts."""
    told = part_trust.told_keys(concept.raw)
    if not told:
        return concept
    left[_OUTCOME] += 1
    raw = {key: value for key, value in concept.raw.items() if key not in told}
    typed = {key: value for key, value in concept.typed.items() if key not in told}
    return replace(concept, raw=raw, typed=typed)


def _concept(store: Store, record: Record) -> Concept | None:
    try:
        return okf.concept(record, store.texts.read(record.path) or b"")
    except Unreadable:
        return None
