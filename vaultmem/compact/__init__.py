"""The cascade: memories that aged out of the immediate window become summaries, in clean chunks.

What is due follows from the files alone: the memories outside the newest `immediate_window` that no
short-term summary names as a source. For each chunk the newest short-term summary is folded into
the long-term one, then the chunk gets a short-term summary of its own.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from vaultmem import document, secrets, store
from vaultmem.config import Config
from vaultmem.errors import StaleWrite, Unavailable, Unreadable
from vaultmem.index import Index
from vaultmem.model import Record, compact_stamp, first_line, lowest, moment
from vaultmem.plan import Change
from vaultmem.summarize import Passage, Summarizer, Summary, Task

Head = dict[str, str | float | Sequence[str]]

_log = logging.getLogger(__name__)
_HOOK = 160
# A model that has lost its thread says the same few words on and on, or more than it was told.
_LOOP, _RUN, _VARIED = 24, 4, 0.3
_ROOM = 2000
_SUFFIXES = ("", *(f"-{c}" for c in "bcdefghijklmnopqrstuvwxyz"))


@dataclass(frozen=True, slots=True)
class Past:
    """What an agent remembers, in order: memories, short-term summaries, the long-term one.

    *unsound* are the stems of memories that cannot be read now: they keep their place, with what
    they said last, and are not summarized.
    """

    agent: str
    memories: tuple[Record, ...]
    recents: tuple[Record, ...]
    longterm: Record | None
    unsound: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Chunk:
    """Memories that get one short-term summary, and that summary where it is redone."""

    members: tuple[Record, ...]
    start: int
    end: int
    redone: Record | None = None


@dataclass(frozen=True, slots=True)
class Compaction:
    """One chunk summarized: the record of its summary, and what the caller may show."""

    agent: str
    recent: str
    longterm: str | None
    start: int
    end: int
    count: int
    summary: Summary
    waterfall: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """The changes that carry the compactions out."""

    changes: tuple[Change, ...]
    compactions: tuple[Compaction, ...]
    claims: frozenset[str]
    trust: str


def past(index: Index, agent: str) -> Past:
    """Return what *agent* remembers as the index has it, without the memories' texts."""
    ours = "docs.agent = ? AND docs.id != ''"
    memories = index.records(f"docs.type = 'memory' AND {ours}", (agent,), body=False)
    summaries = index.records(f"docs.type = 'summary' AND {ours}", (agent,))
    ours_broken = (p for p in index.problems() if p.path.startswith(f"agents/{agent}/memories/"))
    return Past(
        agent,
        tuple(m for m in memories if m.path.startswith("agents/")),
        # By id, which only ever rises, where a clock may go back.
        tuple(sorted((s for s in summaries if s.tier == "recent"), key=lambda s: s.id)),
        next((s for s in summaries if s.tier == "longterm"), None),
        # Also those that no index ever saw sound: they have no id, and a summary may name them.
        frozenset(PurePosixPath(p.path).stem for p in ours_broken),
    )


# --- deciding ---------------------------------------------------------------------------------


def covered(past: Past) -> frozenset[str]:
    """Return the stems that some short-term summary names as a source."""
    return frozenset(s for recent in past.recents for s in recent.sources)


def pending(past: Past, config: Config) -> tuple[Record, ...]:
    """Return the memories outside the immediate window that no short-term summary covers."""
    known = covered(past) | past.unsound
    outside = past.memories[: -config.immediate_window]
    return tuple(m for m in outside if m.stem not in known)


def due(past: Past, config: Config, *, force: bool = False) -> tuple[Chunk, ...]:
    """Return the chunks that are due, oldest first; *force* adds what is left of a window.

    The first chunk of all has one memory more, so that compaction comes at immediate + recent + 1
    memories and then every window, and memory 1 is in it.
    """
    if config.strategy == "off" and not force:
        return ()
    left = list(pending(past, config))
    chunks: list[Chunk] = []
    size = config.chunk(first=not covered(past))
    ordinal = {m.stem: n for n, m in enumerate(past.memories, 1)}
    while len(left) >= size or (force and left):
        chunks.append(_chunk(tuple(left[:size]), ordinal))
        del left[:size]
        size = config.recent_window
    return (*stale(past), *chunks)


def stale(past: Past) -> tuple[Chunk, ...]:
    """Return the short-term summaries whose sources were edited, removed, or summarized before.

    Of two that claim a memory the lower id keeps it, so that every machine decides alike. One with
    an unsound source waits until that can be read again.
    """
    by_stem = {m.stem: m for m in past.memories}
    ordinal = {m.stem: n for n, m in enumerate(past.memories, 1)}
    claimed: set[str] = set()
    found: list[Chunk] = []
    for recent in past.recents:
        members = tuple(by_stem[s] for s in recent.sources if s in by_stem and s not in claimed)
        claimed.update(recent.sources)
        if past.unsound.intersection(recent.sources) or not recent.op:
            continue
        if operation_key("recent", recent.prompt, members) != recent.op:
            found.append(replace(_chunk(members, ordinal), redone=recent))
    return tuple(found)


def _chunk(members: tuple[Record, ...], ordinal: dict[str, int]) -> Chunk:
    places = [ordinal[m.stem] for m in members] or [0]
    return Chunk(members, min(places), max(places))


def operation_key(kind: str, prompt: str, sources: Iterable[Record]) -> str:
    """Return what identifies this work on these bytes: two machines that did it agree on it."""
    parts = [kind, prompt, *sorted(f"{s.id}:{s.sha}" for s in sources)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def reason_for_rest(past: Past, config: Config) -> str:
    """Say why nothing is due."""
    left, total = len(pending(past, config)), len(past.memories)
    if total <= config.immediate_window:
        window = config.immediate_window
        return f"all {total} memories are within the immediate window of {window}"
    if not left:
        return "every memory outside the immediate window is summarized already"
    size = config.chunk(first=not covered(past))
    return f"{left} memories wait outside the immediate window, compaction is due at {size}"


def next_at(past: Past, config: Config) -> int:
    """Return how many memories there will be when the next compaction is due."""
    waiting = len(pending(past, config))
    return config.next_compaction(len(past.memories), waiting, first=not covered(past))


# --- proposing --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Means:
    """What proposing needs from outside: summarizers, ids, the present, and the files.

    *offline* steps in where *summarizer* is away or writes what no vault should hold.
    """

    summarizer: Summarizer
    offline: Summarizer
    mint: Callable[[], str]
    now: str
    read: Callable[[str], bytes | None]
    load: Callable[[Record], Record]


def propose(past: Past, chunks: Sequence[Chunk], means: Means) -> Proposal:
    """Return the changes that summarize *chunks* of *past*, in their order."""
    work = _Work(past, means)
    for chunk in chunks:
        if chunk.redone:
            work.redo(chunk, chunk.redone)
        else:
            work.summarize(chunk)
    return work.proposal()


class _Work:
    """A waterfall in progress: what it has proposed so far is the input of the next chunk."""

    def __init__(self, past: Past, means: Means) -> None:
        self.past, self.means = past, means
        self.agent = past.agent
        self.recents = list(past.recents)
        self.longterm = past.longterm
        self.taken = {r.path for r in past.recents}
        self.changes: list[Change] = []
        self.compactions: list[Compaction] = []
        self.claims: set[str] = set()
        self.trust: list[str] = []

    @property
    def _folder(self) -> str:
        return f"agents/{self.agent}/summaries"

    def summarize(self, chunk: Chunk) -> None:
        """Fold the summaries before it into the long-term one, then summarize the chunk."""
        for recent in self.recents:
            self._absorb(recent)
        made = self._write(self._path(), None, chunk, waterfall=bool(self.recents))
        self.recents.append(made)
        self.claims.update(m.stem for m in chunk.members)

    def redo(self, chunk: Chunk, old: Record) -> None:
        """Write a stale summary again from what its sources say now, or drop it with them."""
        at = self.recents.index(old)
        if chunk.members:
            self.recents[at] = self._write(old.path, old, chunk, waterfall=False)
            self._retract(old, self.recents[at])
        else:
            data = self.means.read(old.path)
            self.changes.append(Change(old.path, data, None, "none of its memories is left to it"))
            del self.recents[at]
            self._retract(old, None)
        for recent in self.recents[:-1]:  # a merge may bring some that were never absorbed
            self._absorb(recent)

    def _path(self) -> str:
        stamp = compact_stamp(moment(self.means.now))
        names = (f"{self._folder}/recent-{stamp}{s}.md" for s in _suffixes())
        path = next(n for n in names if n not in self.taken and self.means.read(n) is None)
        self.taken.add(path)
        return path

    def _write(self, path: str, old: Record | None, chunk: Chunk, *, waterfall: bool) -> Record:
        members = tuple(self._loaded(m) for m in chunk.members)
        passages = tuple(
            Passage(m.body.strip(), m.speaker, m.created, m.importance) for m in members
        )
        summary = self._ask(Task("recent", passages, self.agent))
        head = self._head(old, chunk, summary, members)
        before = self.means.read(path) if old else None
        text = _text(before, head, summary.text, document.MAX_BYTES)
        why = f"{len(members)} memories, {chunk.start} to {chunk.end}"
        self.changes.append(Change(path, before, text.encode(), why))
        self._note(path, chunk, summary, waterfall=waterfall)
        made = Record(
            path, "", id=str(head["id"]), type="summary", agent=self.agent,
            created=str(head["created"]), title=str(head["title"]),
            description=str(head["description"]), trust=str(head["trust"]),
            sources=tuple(m.stem for m in members), tier="recent", range_start=chunk.start,
            range_end=chunk.end, body=summary.text,
        )  # fmt: skip
        self.trust.append(made.trust)
        return made

    def _loaded(self, member: Record) -> Record:
        """Return *member* with its text; raises StaleWrite when it is not as planned with."""
        now = self.means.load(member)
        if now is member or now.sha != member.sha:
            raise StaleWrite(member.path, member.sha, None if now is member else now.sha)
        return now

    def _note(self, path: str, chunk: Chunk, summary: Summary, *, waterfall: bool) -> None:
        longterm = f"{self._folder}/longterm.md" if waterfall else None
        self.compactions.append(
            Compaction(
                self.agent, path, longterm, chunk.start, chunk.end, len(chunk.members), summary,
                waterfall,
            )
        )  # fmt: skip

    def _absorb(self, recent: Record) -> None:
        old = self.longterm
        target = recent.path.removesuffix(".md")
        if old and target in old.sources:
            return
        own, told = _own_lines(old, self.recents)
        earlier = (Passage(told, created=old.created),) if old and told.strip() else ()
        summary = self._ask(
            Task("longterm", (*earlier, Passage(recent.body, created=recent.created)), self.agent)
        )
        trust = lowest([recent.trust, *([old.trust] if old else [])])
        body = own + summary.text
        self.longterm = Record(
            f"{self._folder}/longterm.md", "", id=old.id if old else self.means.mint(),
            type="summary", agent=self.agent, created=old.created if old else self.means.now,
            title="Long-term summary", description=first_line(body, _HOOK), trust=trust,
            sources=(*(old.sources if old else ()), target), tier="longterm",
            prompt=summary.prompt, model=summary.model, faithfulness=summary.faithfulness,
            coverage=summary.coverage, body=body, range_start=1,
            range_end=max(recent.range_end, old.range_end if old else 0),
        )  # fmt: skip

    def _retract(self, old: Record, new: Record | None) -> None:
        """Take out of the long-term summary what only the *old* version of a short-term one said.

        Else those lines would pass for a person's. *new* is None when the summary itself goes.
        """
        it, target = self.longterm, old.path.removesuffix(".md")
        if it is None or target not in it.sources:
            return
        said = {_bare(x) for x in old.body.splitlines()} - {""}
        said -= {_bare(x) for r in self.recents for x in r.body.splitlines()}
        kept = [x for x in it.body.splitlines(keepends=True) if _bare(x) not in said]
        body = "".join(kept)
        self.longterm = replace(
            it,
            body=body,
            description=first_line(body, _HOOK),
            sources=it.sources if new else tuple(s for s in it.sources if s != target),
            trust=lowest([it.trust, *([new.trust] if new else [])]),
        )

    def _ask(self, task: Task) -> Summary:
        """Return the answer to *task*, from the offline summarizer where the other one fails."""
        try:
            summary = self.means.summarizer.summarize(task)
        except Unavailable as e:
            fault = str(e)
        else:
            fault = _fault(summary.text, task)
        if fault:
            _log.warning("%s: %s; summarized offline", self.means.summarizer.name, fault)
            summary = self.means.offline.summarize(task)
        return replace(summary, text=secrets.redact(summary.text))

    def _head(
        self, old: Record | None, chunk: Chunk, summary: Summary, members: Sequence[Record]
    ) -> Head:
        # A summary written again keeps its place in time: the newest one stays the newest.
        again: Head = {"updated": self.means.now} if old else {}
        return {
            "id": old.id if old else self.means.mint(),
            "type": "summary",
            "title": f"Memories {chunk.start} to {chunk.end}",
            "description": first_line(summary.text, _HOOK),
            "agent": self.agent,
            "created": old.created if old else self.means.now,
            **again,
            "trust": lowest(m.trust for m in members),
            "tier": "recent",
            "memory_range_start": chunk.start,
            "memory_range_end": chunk.end,
            "memory_count": len(members),
            "op": operation_key("recent", summary.prompt, members),
            "sources": [f"[[{m.stem}]]" for m in members],
            "model": summary.model,
            "prompt": summary.prompt,
            "faithfulness": round(summary.faithfulness, 3),
            "coverage": round(summary.coverage, 3),
        }

    def proposal(self) -> Proposal:
        """Return all that was proposed, the long-term summary once, in its last state."""
        changes = list(self.changes)
        if self.longterm is not None and self.longterm is not self.past.longterm:
            changes.append(self._longterm_change(self.longterm))
        return Proposal(
            tuple(changes), tuple(self.compactions), frozenset(self.claims), lowest(self.trust)
        )

    def _longterm_change(self, made: Record) -> Change:
        head: Head = {
            "id": made.id,
            "type": "summary",
            "title": made.title,
            "description": made.description,
            "agent": made.agent,
            "created": made.created,
            "updated": self.means.now,
            "trust": made.trust,
            "tier": "longterm",
            "memory_range_start": made.range_start,
            "memory_range_end": made.range_end,
            "sources": [f"[[{s}]]" for s in made.sources],
            "model": made.model,
            "prompt": made.prompt,
            "faithfulness": round(made.faithfulness or 0.0, 3),
            "coverage": round(made.coverage or 0.0, 3),
        }
        old = self.means.read(made.path)
        text = _text(old, head, made.body, store.most_frontmatter(made.path))
        return Change(made.path, old, text.encode(), f"absorbs {len(made.sources)} summaries")


def _suffixes() -> Iterable[str]:
    yield from _SUFFIXES
    yield from (f"-z{n}" for n in range(10_000))


def _text(old: bytes | None, head: Head, body: str, most: int) -> str:
    """Return a summary's file: new, or *old* with our keys and the body changed."""
    if old is None:
        return document.new(head, body, most)
    doc = document.parse(document.decode(old))
    if doc.opening.endswith("\r\n"):
        body = "\r\n".join(body.splitlines()) + "\r\n"
    return document.render(document.update(doc, head, body, most))


def _fault(text: str, task: Task) -> str:
    """Say why no vault should hold *text* as the answer to *task*; empty when it may."""
    words = text.split()
    runs = [tuple(words[i : i + _RUN]) for i in range(len(words))]
    if not any(c.isalnum() for c in text):
        return "an empty summary"
    if len(words) >= _LOOP and len(set(runs)) < len(runs) * _VARIED:
        return "a summary that repeats itself"
    if len(text) > max(_ROOM, sum(len(p.text) for p in task.passages)):
        return "a summary longer than what it tells of"
    try:
        data = b"---\ntype: summary\n---\n" + text.encode()
        document.fields(document.parse(document.decode(data)))
    except (UnicodeEncodeError, Unreadable):
        return "a summary that no file can hold"
    return ""


def _bare(line: str) -> str:
    return " ".join(line.split())


def _own_lines(longterm: Record | None, recents: Sequence[Record]) -> tuple[str, str]:
    """Split the long-term text into lines a person wrote or mended, and lines of ours.

    The offline summarizer takes its lines over verbatim, so a line that no short-term summary
    holds came from a person: it stays, first and untouched. So does all that no program wrote.
    """
    if longterm is None:
        return "", ""
    if longterm.model != "extractive":
        return ("", longterm.body) if longterm.model else (_ended(longterm.body), "")
    absorbed = set(longterm.sources)
    told = "\n".join(
        _bare(line)
        for recent in recents
        if recent.path.removesuffix(".md") in absorbed
        for line in recent.body.splitlines()
    )
    lines = longterm.body.splitlines()
    ours = [line for line in lines if line.strip() and _bare(line) in told]
    own = _without(lines, frozenset(ours))
    return "".join(f"{x}\n" for x in own), "".join(f"{x}\n" for x in ours)


def _without(lines: Sequence[str], ours: AbstractSet[str]) -> Sequence[str]:
    """Return *lines* but *ours*, and the blank ones that part two of the others."""
    own: list[str] = []
    blank: list[str] = []
    for line in lines:
        if not line.strip():
            blank.append(line)
            continue
        if line not in ours:
            own += [*(blank if own else ()), line]
        blank = []
    return own


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
