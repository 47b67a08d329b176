"""Write what is due as changes: the cascade of short-term summaries into the long-term one.

`recent_summary` writes the short-term ones, `longterm_summary` absorbs them; `summary_file` is how
either stands on disk, `renewal` decides when one is made anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.config import Config
from vaultmem.memory.compaction import renewal
from vaultmem.memory.compaction.absorption import absorbed_count
from vaultmem.memory.compaction.dependencies import Dependencies
from vaultmem.memory.compaction.longterm_summary import LongtermSummary
from vaultmem.memory.compaction.recent_summary import RecentWriter
from vaultmem.memory.compaction.summary_file import Written
from vaultmem.memory.compaction.types import Chunk, Compaction, Past, Proposal
from vaultmem.nlp.tasks import Summary
from vaultmem.records import Record, lowest
from vaultmem.storage.plan import Change
from vaultmem.storage.progress import Progress


def propose(  # noqa: PLR0913  # what to do, by name
    past: Past, chunks: Sequence[Chunk], means: Dependencies, config: Config, *,
    anew: bool = False, behind: bool = False, since: int | None = None,
) -> Proposal:  # fmt: skip
    """Return the changes that summarize *chunks* of *past*, in their order.

    *anew* makes the long-term summary from all short-term ones it has absorbed; so it is made from
    time to time, see `renewal`, once, after the last page. *behind* lets it catch up with them
    first; *since* is how many it had absorbed before the first page, where *past* is a later one.
    """
    before = absorbed_count(past) if since is None else since
    longterm = LongtermSummary(past, means)
    work = _Cascade(past, means, longterm, is_rolling=config.strategy_of(past.agent) == "rolling")
    if behind:
        longterm.catch_up()
    for chunk in _counted(chunks, means.progress):
        if chunk.redone:
            work.redo(chunk, chunk.redone)
        else:
            work.summarize(chunk)
    if past.has_broken_longterm:
        return work.proposal()
    if longterm.is_to_be_renewed(before, config.resummarize_every):
        longterm.resummarize()
    elif anew:
        longterm.improve()
    return work.proposal()


def _counted(chunks: Sequence[Chunk], progress: Progress) -> Iterator[Chunk]:
    for done, chunk in enumerate(chunks):
        progress(done, len(chunks))
        yield chunk
    if chunks:
        progress(len(chunks), len(chunks))


class _Cascade:
    """A cascade in progress: what it has proposed so far is the input of the next chunk."""

    def __init__(
        self, past: Past, means: Dependencies, longterm: LongtermSummary, *, is_rolling: bool
    ) -> None:
        self._agent, self._is_rolling = past.agent, is_rolling
        self._longterm, self._writer = longterm, RecentWriter(past, means)
        self._changes: list[Change] = []
        self._compactions: list[Compaction] = []
        self._claims: set[str] = set()
        self._trust: list[str] = []

    def summarize(self, chunk: Chunk) -> None:
        """Fold the summaries before it into the long-term one, then summarize the chunk."""
        waterfall = self._longterm.takes_over
        self._longterm.absorb_waiting()
        condensed = self._writer.condense(chunk)
        made = self._writer.write(chunk, condensed)
        self._note(made, chunk, condensed.summary, self._longterm.path if waterfall else None)
        self._longterm.add(made.record)
        self._claims.update(made.record.sources)
        if self._is_rolling:
            self._longterm.absorb_waiting()

    def redo(self, chunk: Chunk, old: Record) -> None:
        """Write a summary again from what its sources say now, or drop it with them."""
        if not chunk.members:
            self._changes += self._writer.drop(old)
            self._longterm.replace(old, None)
            return
        condensed = self._writer.condense(chunk)
        if chunk.better and renewal.is_no_better(old, condensed.summary):
            return
        made = self._writer.rewrite(old, chunk, condensed)
        self._note(made, chunk, condensed.summary, None)
        self._longterm.replace(old, made.record)

    def _note(self, made: Written, chunk: Chunk, summary: Summary, longterm: str | None) -> None:
        """Take note of what was *made* of *chunk*, after the *longterm* file absorbed others."""
        self._changes.append(made.change)
        self._trust.append(made.record.trust)
        span = (chunk.start, chunk.end, len(chunk.members))
        waterfall = longterm is not None
        self._compactions.append(
            Compaction(self._agent, made.record.path, longterm, *span, summary, waterfall)
        )

    def proposal(self) -> Proposal:
        """Return all that was proposed, the long-term summary once, in its last state."""
        changes, degraded = list(self._changes), ""
        if made := self._longterm.written():
            changes.append(made.change)
            degraded = made.record.degraded
        claims, trust = frozenset(self._claims), lowest(self._trust)
        return Proposal(tuple(changes), tuple(self._compactions), claims, trust, degraded)
