"""The long-term summary while chunks are summarized: what it absorbs, and what is made of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from vaultmem.documents import frontmatter
from vaultmem.memory.compaction import (
    absorption,
    human_lines,
    renewal,
    summary_file,
    summary_span,
)
from vaultmem.memory.compaction.absorption import target
from vaultmem.memory.compaction.dependencies import Dependencies
from vaultmem.memory.compaction.summary_file import Written
from vaultmem.memory.compaction.summary_span import Span
from vaultmem.memory.compaction.types import Past
from vaultmem.nlp.tasks import Passage, Summary, Task
from vaultmem.records import Record, lowest
from vaultmem.storage.index.coverage import Member
from vaultmem.storage.plan import Change

_TOGETHER = 1024
"""Short-term summaries that are told of at once, with all they say."""


class _Extent(NamedTuple):
    """What a summary is worth, and from when to when it tells."""

    trust: str
    span: Span


class LongtermSummary:
    """An agent's long-term summary, and the short-term ones as they are by now.

    It takes each of them in, and its file is asked for once, at the end. While it cannot be read
    it takes in nothing: the next compaction catches up.
    """

    def __init__(self, past: Past, means: Dependencies) -> None:
        """Begin with the one of *past*, if there is one."""
        self._past, self._means = past, means
        self._record = past.longterm
        self._own, self._text = human_lines.split(past.longterm)
        self._recents = list(past.recents)
        self._absorbed = set(absorption.absorbed(past))
        self._waiting = [r for r in past.recents if target(r) not in self._absorbed]
        self._says_what_is_gone = False

    @property
    def path(self) -> str:
        """Where its file is."""
        return f"agents/{self._past.agent}/summaries/longterm.md"

    @property
    def takes_over(self) -> bool:
        """Whether the next chunk's summary makes it absorb the one before."""
        return bool(self._recents) and not self._past.has_broken_longterm

    # --- the short-term summaries -----------------------------------------------------------

    def add(self, recent: Record) -> None:
        """Take note of a new short-term summary, which it has not absorbed yet."""
        self._recents.append(recent)
        self._waiting.append(recent)

    def replace(self, old: Record, new: Record | None) -> None:
        """Have it rebuilt without the *old* version of a short-term summary.

        *new* is None when the summary itself goes. What was made of it cannot be told apart.
        """
        made = [new] if new else []
        self._recents = [r for it in self._recents for r in (made if it == old else [it])]
        self._retract(old, new)
        self._waiting = [r for it in self._waiting for r in (made if it.id == old.id else [it])]
        # A merge may bring some that were never absorbed.
        self.absorb_waiting(but=self._recents[-1:])

    def absorb_waiting(self, but: Sequence[Record] = ()) -> None:
        """Absorb the short-term summaries it lacks, in their order, *but* some."""
        if self._past.has_broken_longterm:
            return
        for recent in [r for r in self._waiting if r not in but]:
            self._absorb(recent)
            self._waiting.remove(recent)

    def catch_up(self) -> None:
        """Let it absorb what it lacks, and name nothing that is gone.

        What it says of that cannot be told apart: then it is rebuilt.
        """
        past = self._past
        if self._record and (absorption.absorbed_and_gone(past) or absorption.are_others(past)):
            self._record = self._naming(self._record)
            self._says_what_is_gone = True
        self.absorb_waiting(but=self._recents[-1:])

    def _absorb(self, recent: Record) -> None:
        before = [self._record] if self._record else []
        earlier = (self._passage(it, self._text) for it in before)
        passages = [p for p in earlier if p.text.strip()]
        passages.append(self._passage(recent, recent.body))
        summary = self._means.ask(Task("longterm", tuple(passages), self._past.agent))
        taken = (recent, *before)
        known = self._begun(max(it.range_end for it in taken))
        self._absorbed.add(target(recent))
        known = replace(known, sources=(*known.sources, target(recent)))
        self._set(summary, known, [self._extent(it) for it in taken])

    def _begun(self, end: int) -> Record:
        """Return the long-term summary, which a new one begins, up to the memory *end*."""
        made = self._record or Record(
            self.path, "", id=self._means.mint(), type="summary",
            agent=self._past.agent, created=self._means.now, tier="longterm",
        )  # fmt: skip
        return replace(made, range_end=end)

    def _retract(self, old: Record, new: Record | None) -> None:
        it = self._record
        if it is None or target(old) not in self._absorbed or self._past.has_broken_longterm:
            return
        self._says_what_is_gone = True
        left = it if new else absorption.without(it, old)
        if new is None:
            self._absorbed.remove(target(old))
        if not absorption.count(left):
            self._text = ""
        trust = lowest([it.trust, *([new.trust] if new else [])])
        self._record = replace(left, body=self._own + self._text, trust=trust)

    def _naming(self, longterm: Record) -> Record:
        """Return *longterm* naming each that it absorbed; a page of a past has them not all."""
        if self._past.doubted is not None:
            return longterm
        names = (name for r in self._recents if (name := target(r)) in self._absorbed)
        return absorption.naming(longterm, tuple(names))

    # --- made anew --------------------------------------------------------------------------

    def is_to_be_renewed(self, before: int, every: int) -> bool:
        """Tell whether it is to be made anew: it says what is gone, or has drifted."""
        now = absorption.count(self._record) if self._record else 0
        drifted = not self._past.more and renewal.has_drifted(now, before, every)
        return self._says_what_is_gone or drifted

    def resummarize(self) -> None:
        """Make it from the short-term summaries it has absorbed, against drift."""
        old = self._record
        if old and self._absorbed:
            summary, extents = self._resummarized()
            if self._says_what_is_gone or old.degraded or not summary.degraded:
                self._set(summary, self._naming(old), extents)

    def improve(self) -> None:
        """Do the same where the offline summarizer wrote it, if a better one is to be had now."""
        old = self._record
        if old and self._absorbed:
            summary, extents = self._resummarized()
            if not renewal.is_no_better(old, summary):
                self._set(summary, old, extents)

    def _resummarized(self) -> tuple[Summary, Sequence[_Extent]]:
        """Return a summary of all that was absorbed, and what that tells of.

        Of very many some are condensed at a time, which then stand for them.
        """
        extents: list[_Extent] = []
        passages: list[Passage] = []
        each = self._all_absorbed()
        while some := list(islice(each, _TOGETHER)):
            extents += map(self._extent, some)
            condensed = passages or len(some) == _TOGETHER
            told = tuple(self._passage(r, r.body) for r in some)
            passages += [self._condensed(told)] if condensed else told
        return self._means.ask(Task("longterm", tuple(passages), self._past.agent)), extents

    def _condensed(self, some: tuple[Passage, ...]) -> Passage:
        summary = self._means.ask(Task("longterm", some, self._past.agent))
        return Passage(summary.text, created=some[0].created, until=some[-1].until)

    def _all_absorbed(self) -> Iterator[Record]:
        """Yield what it has absorbed as that is now, by id; a page of a past begins later."""
        first = ""
        if self._past.doubted is not None:
            first = absorption.named_from(self._past.longterm, self._past.recents)
            now = {r.id: r for r in self._recents}
            gone = {r.id for r in self._past.recents} - {*now}
            yield from (now.get(r.id, r) for r in self._means.earlier(first) if r.id not in gone)
        yield from (r for r in self._recents if r.id >= first and target(r) in self._absorbed)

    # --- what it tells of -------------------------------------------------------------------

    def _set(self, summary: Summary, known: Record, extents: Sequence[_Extent]) -> None:
        """Set it to *summary*, below a person's own lines.

        *known* says what it has absorbed, *extents* what of that it was made from.
        """
        self._text = summary.text
        span = summary_span.union(it.span for it in extents)
        made = replace(
            known, sha="", title="", description="", trust=lowest(it.trust for it in extents),
            range_start=1, covers_from=span.first, covers_to=span.last,
        )  # fmt: skip
        self._record = summary_file.with_text(made, summary, self._own)

    def _extent(self, summary: Record) -> _Extent:
        return _Extent(summary.trust, self._span(summary))

    def _passage(self, summary: Record, text: str) -> Passage:
        """Return *text* of *summary* with the days that it tells of, not that of its writing."""
        first, last = self._span(summary)
        return Passage(text, created=first or summary.created, until=last)

    def _span(self, summary: Record) -> Span:
        """Return the times of a summary's first and last memory.

        One that was written without them has them of the memories and summaries it names.
        """
        if summary.covers_from:
            return Span(summary.covers_from, summary.covers_to)
        if summary.tier == "recent":
            named = (m for s in summary.sources if (m := self._members.get(s)))
            return summary_span.of_members(named)
        taken = (r for r in self._recents if target(r) in self._absorbed)
        return summary_span.union(map(self._span, taken))

    @cached_property
    def _members(self) -> Mapping[str, Member]:
        return {m.stem: m for m in self._past.memories}

    # --- the result -------------------------------------------------------------------------

    def written(self) -> Written | None:
        """Return it as it is to be, in its last state, and the change that makes it so.

        It names the last of what it absorbed. None where nothing of it is new.
        """
        if self._record is None or self._record is self._past.longterm:
            return None
        made = _titled(absorption.counting(self._record, self._recents))
        old, own = self._before()
        after = summary_file.longterm(old, replace(made, body=own + made.body), self._means.now)
        reason = f"absorbs {absorption.count(made)} summaries"
        return Written(made, Change(made.path, old, after, reason))

    def _before(self) -> tuple[bytes | None, str]:
        """Return its file, and what of that a person wrote where it is no summary of ours."""
        if (known := self._past.longterm) and known.sha:
            return self._means.bytes_as_planned(known), ""
        if (old := self._means.read(self.path)) is None:
            return None, ""
        own = frontmatter.read(old).body
        return old, own + ("\n" if own and not own.endswith("\n") else "")


def _titled(made: Record) -> Record:
    from vaultmem.memory.compaction import headings  # noqa: PLC0415  # most ask only what is due

    named = headings.of_longterm(made.body, (made.covers_from, made.covers_to))
    return replace(made, title=named.title, description=named.description)
