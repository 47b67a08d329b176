"""Write what is due as changes: the cascade of short-term summaries into the long-term one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count, islice
from typing import NamedTuple

from vaultmem.config import Config
from vaultmem.documents import frontmatter
from vaultmem.errors import StaleWrite
from vaultmem.memory.compaction import absorption, human_lines
from vaultmem.memory.compaction.absorption import absorbed_count, target
from vaultmem.memory.compaction.types import Chunk, Compaction, Past, Proposal
from vaultmem.nlp.tasks import Passage, Summary, Task
from vaultmem.records import Record, compact_stamp, lowest, moment
from vaultmem.storage import reader
from vaultmem.storage.index.coverage import Member
from vaultmem.storage.operation_keys import operation_key
from vaultmem.storage.plan import Change
from vaultmem.storage.progress import Progress, untold

Head = dict[str, str | float | Sequence[str] | None]
Span = tuple[str, str]

_ALL_CORRECTED = "Everything said here has been corrected since."
_ALL_WAIT = "What is left here was edited since, and waits to be accepted."
_STEPS = 32
"""The long-term summary is made anew each time that a part of so many was added to it."""
_TOGETHER = 1024
"""Short-term summaries that are told of at once, with all they say."""
_SUFFIXES = ("", *(f"-{c}" for c in "bcdefghijklmnopqrstuvwxyz"))


class _Extent(NamedTuple):
    """What a summary is worth, and from when to when it tells."""

    trust: str
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class _Told:
    """A summary, and the passages that it was made from."""

    summary: Summary
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What proposing needs from outside: a summarizer, ids, the present, and the files.

    *ask* always answers: what no vault should hold it has replaced. *load* takes a path and the
    sha it is planned with, and returns the record of the file as it is now, None when it is gone.
    *progress* is told how many chunks of how many are summarized. *earlier* yields the short-term
    summaries that a page of a past has not, those with an id before the one it is given.
    """

    ask: Callable[[Task], Summary]
    mint: Callable[[], str]
    now: str
    read: Callable[[str], bytes | None]
    load: Callable[[str, str], Record | None]
    progress: Progress = untold
    earlier: Callable[[str], Iterable[Record]] = lambda _: ()


def propose(  # noqa: PLR0913  # what to do, by name
    past: Past, chunks: Sequence[Chunk], means: Dependencies, config: Config, *,
    anew: bool = False, behind: bool = False, since: int | None = None,
) -> Proposal:  # fmt: skip
    """Return the changes that summarize *chunks* of *past*, in their order.

    *anew* makes the long-term summary from all short-term ones it has absorbed; so it is made from
    time to time, see `drifted`, once, after the last page. *behind* lets it catch up with them
    first; *since* is how many it had absorbed before the first page, where *past* is a later one.
    """
    before = absorbed_count(past) if since is None else since
    work = _CompactionBuilder(past, means, config, before)
    if behind:
        work.catch_up()
    for chunk in _counted(chunks, means.progress):
        if chunk.redone:
            work.redo(chunk, chunk.redone)
        else:
            work.summarize(chunk)
    if past.has_broken_longterm:
        return work.proposal()
    if work.rewritten or (work.drifted and not past.more):
        work.resummarize()
    elif anew:
        work.improve()
    return work.proposal()


def _counted(chunks: Sequence[Chunk], progress: Progress) -> Iterator[Chunk]:
    for done, chunk in enumerate(chunks):
        progress(done, len(chunks))
        yield chunk
    if chunks:
        progress(len(chunks), len(chunks))


class _CompactionBuilder:
    """A cascade in progress: what it has proposed so far is the input of the next chunk."""

    def __init__(self, past: Past, means: Dependencies, config: Config, since: int) -> None:
        self.past, self.means, self.config, self.since = past, means, config, since
        self.agent = past.agent
        self.recents = list(past.recents)
        self.longterm = past.longterm
        self.own, self.longterm_text = human_lines.split(past.longterm)
        self.absorbed = set(absorption.absorbed(past))
        self.waiting = [r for r in past.recents if target(r) not in self.absorbed]
        self.taken = {r.path for r in past.recents}
        self.changes: list[Change] = []
        self.compactions: list[Compaction] = []
        self.claims: set[str] = set()
        self.trust: list[str] = []
        self.rewritten = False

    @property
    def _folder(self) -> str:
        return f"agents/{self.agent}/summaries"

    @property
    def drifted(self) -> bool:
        """Whether the long-term summary is due to be made from all it has absorbed.

        By how many those are now and were before: no counter is kept. The more it has absorbed,
        the less often, so that each of them is read so many times, whatever their number.
        """
        every = self.config.resummarize_every
        now = absorption.count(self.longterm) if self.longterm else 0
        while 0 < every <= now // _STEPS:
            every *= 2
        return bool(every and now // every > self.since // every)

    def summarize(self, chunk: Chunk) -> None:
        """Fold the summaries before it into the long-term one, then summarize the chunk."""
        waterfall = bool(self.recents) and not self.past.has_broken_longterm
        self._absorb_all()
        made = self._write(self._path(), None, chunk, self._told(chunk), waterfall=waterfall)
        self.recents.append(made)
        self.waiting.append(made)
        self.claims.update(made.sources)
        if self.config.strategy_of(self.agent) == "rolling":
            self._absorb_all()

    def redo(self, chunk: Chunk, old: Record) -> None:
        """Write a summary again from what its sources say now, or drop it with them."""
        made: list[Record] = []
        if chunk.members:
            told = self._told(chunk)
            if chunk.better and _no_better(old, told.summary):
                return
            made = [self._write(old.path, old, chunk, told, waterfall=False)]
        else:
            data = self._as_planned(old)
            self.changes.append(Change(old.path, data, None, "none of its memories is left to it"))
        self.recents = [r for it in self.recents for r in (made if it == old else [it])]
        self._retract(old, *made)
        self.waiting = [r for it in self.waiting for r in (made if it.id == old.id else [it])]
        # A merge may bring some that were never absorbed.
        self._absorb_all(but=self.recents[-1:])

    def catch_up(self) -> None:
        """Let the long-term summary absorb what it lacks, and name nothing that is gone.

        What it says of that cannot be told apart: then it is rebuilt.
        """
        past = self.past
        if self.longterm and (absorption.absorbed_and_gone(past) or absorption.are_others(past)):
            self.longterm = self._naming(self.longterm)
            self.rewritten = True
        self._absorb_all(but=self.recents[-1:])

    def _path(self) -> str:
        stamp = compact_stamp(moment(self.means.now))
        suffixes = chain(_SUFFIXES, (f"-z{n}" for n in count()))
        names = (f"{self._folder}/recent-{stamp}{s}.md" for s in suffixes)
        path = next(n for n in names if n not in self.taken and self.means.read(n) is None)
        self.taken.add(path)
        return path

    def _told(self, chunk: Chunk) -> _Told:
        """Summarize the chunk without what was corrected since: a correction is its own memory."""
        members = [self._loaded(m) for m in chunk.told if not m.superseded_by]
        passages = (Passage(m.body.strip(), m.speaker, m.created, m.importance) for m in members)
        nothing = _ALL_WAIT if chunk.untold else _ALL_CORRECTED
        sources = tuple(passages) or (Passage(nothing),)
        return _Told(self.means.ask(Task("recent", sources, self.agent)), sources)

    def _write(
        self, path: str, old: Record | None, chunk: Chunk, told: _Told, *, waterfall: bool
    ) -> Record:
        head, count = self._head(old, chunk, told), len(chunk.members)
        before = self._as_planned(old) if old else None
        own, _ = human_lines.split(old)
        summary = told.summary
        text = _text(before, head, own + summary.text, frontmatter.MAX_BYTES)
        why = f"{count} memories, {chunk.start} to {chunk.end}"
        self.changes.append(Change(path, before, text.encode(), why))
        longterm = f"{self._folder}/longterm.md" if waterfall else None
        span = (chunk.start, chunk.end, count)
        self.compactions.append(Compaction(self.agent, path, longterm, *span, summary, waterfall))
        made = Record(
            path, "", id=str(head["id"]), type="summary", agent=self.agent,
            created=str(head["created"]), title=str(head["title"]),
            description=str(head["description"]), trust=str(head["trust"]),
            sources=tuple(m.stem for m in chunk.members), tier="recent", range_start=chunk.start,
            range_end=chunk.end, covers_from=str(head["covers_from"] or ""),
            covers_to=str(head["covers_to"] or ""), body=own + summary.text,
            written=str(head["written"]),
        )  # fmt: skip
        self.trust.append(made.trust)
        return made

    def _loaded(self, member: Member) -> Record:
        """Return *member* with its text; raises StaleWrite when it is not as planned with."""
        now = self.means.load(member.path, member.sha)
        if now is None or now.sha != member.sha:
            raise StaleWrite(member.path, member.sha, now.sha if now else None)
        return now

    def _as_planned(self, summary: Record) -> bytes:
        """Return the bytes of a summary that is planned with; raises StaleWrite for any others.

        What a person wrote there since would be neither kept nor in git.
        """
        data, now = self.means.read(summary.path), self.means.load(summary.path, summary.sha)
        if data is None or now is None or now.sha != summary.sha:
            raise StaleWrite(summary.path, summary.sha, now.sha if now else None)
        return data

    def _head(self, old: Record | None, chunk: Chunk, told: _Told) -> Head:
        from vaultmem.memory.compaction import headings  # noqa: PLC0415  # most ask only what is due

        # A summary written again keeps its place in time: the newest one stays the newest.
        again: Head = {"updated": self.means.now} if old else {}
        summary, span = told.summary, _span(chunk.members)
        named = headings.of_recent(told.passages, span, (chunk.start, chunk.end), summary.text)
        return {
            "id": old.id if old else self.means.mint(),
            "type": "summary",
            "title": named.title,
            "description": named.description,
            "agent": self.agent,
            "created": old.created if old else self.means.now,
            **again,
            "trust": lowest(m.trust for m in chunk.members),
            "tier": "recent",
            "memory_range_start": chunk.start,
            "memory_range_end": chunk.end,
            "memory_count": len(chunk.members),
            **_covered(span),
            "op": operation_key("recent", summary.prompt, chunk.told),
            **_quality(summary, human_lines.written(summary.text), "coverage"),
            "sources": [f"[[{m.stem}]]" for m in chunk.members],
        }

    # --- the long-term summary --------------------------------------------------------------

    def _absorb_all(self, but: Sequence[Record] = ()) -> None:
        if self.past.has_broken_longterm:
            return  # the next compaction catches up, once it can be read
        for recent in [r for r in self.waiting if r not in but]:
            self._absorb(recent)
            self.waiting.remove(recent)

    def _absorb(self, recent: Record) -> None:
        before = [self.longterm] if self.longterm else []
        earlier = (self._passage(it, self.longterm_text) for it in before)
        passages = [p for p in earlier if p.text.strip()]
        passages.append(self._passage(recent, recent.body))
        summary = self.means.ask(Task("longterm", tuple(passages), self.agent))
        taken = (recent, *before)
        known = self._begun(max(it.range_end for it in taken))
        self.absorbed.add(target(recent))
        known = replace(known, sources=(*known.sources, target(recent)))
        self._set_longterm(summary, known, [self._extent(it) for it in taken])

    def _begun(self, end: int) -> Record:
        """Return the long-term summary, which a new one begins, up to the memory *end*."""
        made = self.longterm or Record(
            f"{self._folder}/longterm.md", "", id=self.means.mint(), type="summary",
            agent=self.agent, created=self.means.now, tier="longterm",
        )  # fmt: skip
        return replace(made, range_end=end)

    def resummarize(self) -> None:
        """Make the long-term summary from the short-term ones it has absorbed, against drift."""
        old = self.longterm
        if old and self.absorbed:
            summary, extents = self._resummarize()
            if self.rewritten or old.degraded or not summary.degraded:
                self._set_longterm(summary, self._naming(old), extents)

    def _naming(self, longterm: Record) -> Record:
        """Return *longterm* naming each that it absorbed; a page of a past has them not all."""
        if self.past.doubted is not None:
            return longterm
        names = (name for r in self.recents if (name := target(r)) in self.absorbed)
        return absorption.naming(longterm, tuple(names))

    def improve(self) -> None:
        """Do the same where the offline summarizer wrote it, if a better one is to be had now."""
        old = self.longterm
        if old and self.absorbed:
            summary, extents = self._resummarize()
            if not _no_better(old, summary):
                self._set_longterm(summary, old, extents)

    def _absorbed(self) -> Iterator[Record]:
        """Yield what the long-term summary has absorbed as it is now, by id."""
        if self.past.doubted is not None:
            first = absorption.named_from(self.past.longterm, self.past.recents)
            now = {r.id: r for r in self.recents}
            gone = {r.id for r in self.past.recents} - {*now}
            found = (now.get(r.id, r) for r in self.means.earlier(first) if r.id not in gone)
            yield from found
            yield from (r for r in self.recents if r.id >= first and target(r) in self.absorbed)
        else:
            yield from (r for r in self.recents if target(r) in self.absorbed)

    def _resummarize(self) -> tuple[Summary, Sequence[_Extent]]:
        """Return a summary of all that was absorbed, and what that tells of.

        Of very many some are condensed at a time, which then stand for them.
        """
        extents: list[_Extent] = []
        passages: list[Passage] = []
        each = self._absorbed()
        while some := list(islice(each, _TOGETHER)):
            extents += map(self._extent, some)
            condensed = passages or len(some) == _TOGETHER
            told = tuple(self._passage(r, r.body) for r in some)
            passages += [self._condensed(told)] if condensed else told
        return self.means.ask(Task("longterm", tuple(passages), self.agent)), extents

    def _condensed(self, some: tuple[Passage, ...]) -> Passage:
        summary = self.means.ask(Task("longterm", some, self.agent))
        return Passage(summary.text, created=some[0].created, until=some[-1].until)

    def _extent(self, summary: Record) -> _Extent:
        return _Extent(summary.trust, *self._covers(summary))

    def _passage(self, summary: Record, text: str) -> Passage:
        """Return *text* of *summary* with the days that it tells of, not that of its writing."""
        first, last = self._covers(summary)
        return Passage(text, created=first or summary.created, until=last)

    def _covers(self, summary: Record) -> Span:
        """Return the times of a summary's first and last memory, "" where none is known.

        One that was written without them has them of the memories and summaries it names.
        """
        if summary.covers_from:
            return summary.covers_from, summary.covers_to
        if summary.tier == "recent":
            return _span(m for s in summary.sources if (m := self._members.get(s)))
        return _union(self._covers(r) for r in self.recents if target(r) in self.absorbed)

    @cached_property
    def _members(self) -> Mapping[str, Member]:
        return {m.stem: m for m in self.past.memories}

    def _set_longterm(self, summary: Summary, known: Record, extents: Sequence[_Extent]) -> None:
        """Set the long-term summary to *summary*, below a person's own lines.

        *known* says what it has absorbed, *extents* what of that it was made from.
        """
        self.longterm_text = summary.text
        first, last = _union((it.first, it.last) for it in extents)
        self.longterm = replace(
            known, sha="", title="", description="",
            trust=lowest(it.trust for it in extents),
            prompt=summary.prompt, model=summary.model, faithfulness=summary.faithfulness,
            coverage=summary.coverage, compression=summary.compression, degraded=summary.degraded,
            written=human_lines.written(summary.text), body=self.own + summary.text, range_start=1,
            covers_from=first, covers_to=last,
        )  # fmt: skip

    def _retract(self, old: Record, new: Record | None = None) -> None:
        """Have the long-term summary rebuilt without the *old* version of a short-term one.

        *new* is None when the summary itself goes. What was made of it cannot be told apart.
        """
        it = self.longterm
        if it is None or target(old) not in self.absorbed or self.past.has_broken_longterm:
            return
        self.rewritten = True
        left = it if new else absorption.without(it, old)
        if new is None:
            self.absorbed.remove(target(old))
        if not absorption.count(left):
            self.longterm_text = ""
        self.longterm = replace(
            left,
            body=self.own + self.longterm_text,
            trust=lowest([it.trust, *([new.trust] if new else [])]),
        )

    # --- the result -------------------------------------------------------------------------

    def proposal(self) -> Proposal:
        """Return all that was proposed, the long-term summary once, in its last state."""
        changes, degraded = list(self.changes), ""
        if self.longterm is not None and self.longterm is not self.past.longterm:
            made = absorption.counting(self.longterm, self.recents)
            changes.append(self._longterm_change(made))
            degraded = self.longterm.degraded
        claims, trust = frozenset(self.claims), lowest(self.trust)
        return Proposal(tuple(changes), tuple(self.compactions), claims, trust, degraded)

    def _longterm_change(self, made: Record) -> Change:
        from vaultmem.memory.compaction import headings  # noqa: PLC0415  # likewise

        named = headings.of_longterm(made.body, (made.covers_from, made.covers_to))
        head: Head = {
            "id": made.id,
            "type": "summary",
            "title": named.title,
            "description": named.description,
            "agent": made.agent,
            "created": made.created,
            "updated": self.means.now,
            "trust": made.trust,
            "tier": "longterm",
            "memory_range_start": made.range_start,
            "memory_range_end": made.range_end,
            **_covered((made.covers_from, made.covers_to)),
            "coverage": None,  # as it was called before it said of what
            **_quality(made, made.written, "recent_coverage"),
            "earlier_summaries": made.earlier_summaries or None,
            "earlier_digest": made.earlier_digest or None,
            "sources": [f"[[{s}]]" for s in made.sources],
        }
        known, own = self.past.longterm, ""
        if known and known.sha:
            old: bytes | None = self._as_planned(known)
        elif (old := self.means.read(made.path)) is not None:  # a person's file of that name
            own = frontmatter.parse(frontmatter.decode(old)).body
            own += "\n" if own and not own.endswith("\n") else ""
        text = _text(old, head, own + made.body, reader.most_frontmatter(made.path))
        return Change(made.path, old, text.encode(), f"absorbs {absorption.count(made)} summaries")


def _span(memories: Iterable[Member]) -> Span:
    """Return when the first and the last of *memories* were made, "" where none says so."""
    times = [m.created for m in memories if m.created]
    return (min(times), max(times)) if times else ("", "")


def _union(spans: Iterable[Span]) -> Span:
    """Return the stretch from the earliest beginning to the latest end of *spans*."""
    known = [span for span in spans if span[0]]
    return (min(s[0] for s in known), max(s[1] for s in known)) if known else ("", "")


def _covered(span: Span) -> Head:
    return {"covers_from": span[0] or None, "covers_to": span[1] or None}


def _no_better(old: Record, summary: Summary) -> bool:
    """Tell whether *summary* is offline once more, and has nothing new to say of why."""
    if not summary.degraded:
        return summary.model == old.model  # nobody but the offline summarizer was asked
    kind = summary.degraded.partition(":")[0]
    return kind in {"away", "budget"} or old.degraded == summary.degraded


def _quality(it: Summary | Record, written: str, coverage: str) -> Head:
    """Return who wrote *it*, how well, and which lines are ours; None takes a key away.

    *coverage* is what its coverage is called: it tells of the texts that it was made from.
    """
    return {
        "model": it.model,
        "prompt": it.prompt,
        "faithfulness": round(it.faithfulness or 0.0, 3),
        coverage: round(it.coverage or 0.0, 3),
        "compression": round(it.compression or 0.0, 3),
        "written": written,
        "degraded": it.degraded or None,
    }


def _text(old: bytes | None, head: Head, body: str, most: int) -> str:
    """Return a summary's file: new, or *old* with our keys and the body changed."""
    if old is None:
        return frontmatter.new({k: v for k, v in head.items() if v is not None}, body, most)
    doc = frontmatter.parse(frontmatter.decode(old))
    if doc.opening.endswith("\r\n"):
        body = "\r\n".join(body.splitlines()) + "\r\n"
    return frontmatter.render(frontmatter.update(doc, head, body, most))
