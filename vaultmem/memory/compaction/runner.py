"""Run compactions: gather what is due, propose, carry out, and try again when the ground moved."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Literal

from vaultmem.config import Config
from vaultmem.documents import frontmatter
from vaultmem.errors import StaleWrite
from vaultmem.memory import compaction, pointed_index
from vaultmem.memory.compaction import Chunk, Compaction, Past, Proposal
from vaultmem.memory.compaction.dependencies import Dependencies
from vaultmem.nlp.summarization.memoized_answers import memoized
from vaultmem.nlp.tasks import Summarizer, Summary, Task
from vaultmem.records import iso
from vaultmem.storage import human_edits
from vaultmem.storage.human_edits import Uncommitted
from vaultmem.storage.index import Filter, summary_tally
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.progress import Progress, untold
from vaultmem.storage.store import Store

_log = logging.getLogger(__name__)
_NOBODY = "0" * 26
_PAGE = 64
"""Chunks that one operation summarizes; more of them would be held at once, with all they say."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a compaction shall do beside what is due.

    *force* takes what waits below the threshold; *redo* what the offline summarizer wrote in a
    model's place: because it was `away` or over its budget, or `all`, refused answers too.
    """

    force: bool = False
    redo: Literal["none", "away", "all"] = "none"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The plan of a compaction, or the reason why there is none.

    *degraded* says why the long-term summary was written offline in a model's place; *longterm*
    is its path where it alone catches up with short-term summaries, and none is made. *more* tells
    that another page is due after it, *since* how many summaries the long-term one had absorbed.
    """

    plan: Plan | None
    compactions: tuple[Compaction, ...] = ()
    reason: str = ""
    claims: frozenset[str] = frozenset()
    degraded: str = ""
    longterm: str = ""
    more: bool = False
    since: int = 0


@dataclass(frozen=True, slots=True)
class _Run:
    """A compaction under way, as the operation *op*, "" for a new one; whole, or by *pages*.

    *since* is how many short-term summaries the long-term one had absorbed before the first page,
    and *made* what was summarized so far.
    """

    wanted: Wanted
    op: str
    pages: bool = True
    since: int | None = None
    made: tuple[Compaction, ...] = ()
    progress: Progress = untold

    def told(self, done: int, total: int) -> None:
        """Tell how far the page under way is, behind those before it."""
        self.progress(len(self.made) + done, len(self.made) + total)


Ask = Callable[[Task], Summary]


def plan(
    store: Store, agent: str, summarizer: Summarizer, wanted: Wanted, progress: Progress = untold
) -> Outcome:
    """Return the plan of what is due for *agent*, as one operation.

    *progress* is told how many summaries of how many are made. Raises StaleWrite when a memory
    keeps changing while it is read.
    """
    ask = memoized(_guarded(summarizer))  # a plan made again costs no call
    # Again after an edit in place, of which no folder told.
    work = _Run(wanted, "", pages=False, progress=progress)
    return store.retry(lambda: _planned(store, agent, ask, work), 2)


def _due(past: Past, config: Config, wanted: Wanted) -> tuple[tuple[Chunk, ...], bool]:
    """Return the chunks that are due, and whether the long-term summary is to be rebuilt."""
    chunks = compaction.due(past, config, force=wanted.force)
    if wanted.redo == "none":
        return chunks, False
    refused = wanted.redo == "all"
    redone = past.longterm if not past.has_broken_longterm else None
    anew = redone is not None and compaction.redoable(redone, refused=refused)
    return (*compaction.degraded(past, refused=refused), *chunks), anew


def may_be_due(store: Store, agent: str, wanted: Wanted) -> bool:
    """Tell whether something may be due for *agent*, by counts that the index holds."""
    config = store.config()
    now = compaction.progress(store.index, agent, config)
    return compaction.is_due(now, config) or _asks_for_more(store, agent, wanted)


def _asks_for_more(store: Store, agent: str, wanted: Wanted) -> bool:
    """Tell whether more may be *wanted* than what is due by itself."""
    if wanted.redo == "none":
        return wanted.force
    return wanted.force or store.index.has(Filter(type="summary", agent=agent, degraded=True))


def past(store: Store, agent: str) -> Past:
    """Return what *agent* remembers; what git leaves out of the checkout is not taken for gone."""
    found = compaction.past(store.index, agent)
    known = {m.stem for m in found.memories}
    if all(known.issuperset(recent.sources) for recent in found.recents):
        return found
    return compaction.past(store.index, agent, store.left_out())


def pages(store: Store, agent: str) -> Iterator[Past]:
    """Yield the same in pages, see `compaction.pages`."""
    left_out = cache(store.left_out)
    for page in compaction.pages(store.index, agent):
        known = {m.stem for m in page.memories}
        is_whole = all(known.issuperset(recent.sources) for recent in page.recents)
        yield page if is_whole else compaction.hiding(page, left_out())


def _page(store: Store, agent: str, config: Config, run: _Run) -> Past:
    """Return so much of what *agent* remembers as one operation of *run* summarizes.

    All of it where something is to be redone, or where the index cannot tell what a page needs: a
    summary that names or counts what is not there, or does not say of which time it is.
    """
    disputed = summary_tally.is_disputed(store.index, agent)
    if disputed or not run.pages or run.wanted.redo != "none":
        return past(store, agent)
    return _unless_more_is_needed(
        store, compaction.page(store.index, agent, config, _PAGE, force=run.wanted.force)
    )


def telling(store: Store, agent: str, stems: Collection[str]) -> Past:
    """Return so much of what *agent* remembers as it takes to tell anew what names one of *stems*.

    All of it where the index cannot tell what that is.
    """
    if summary_tally.is_disputed(store.index, agent):
        return past(store, agent)
    return _unless_more_is_needed(store, compaction.telling(store.index, agent, stems))


def _unless_more_is_needed(store: Store, found: Past) -> Past:
    """Return the page that was *found*, all of the past where one of its summaries needs that."""
    known = {m.stem for m in found.memories}
    doubted = (r for r in found.recents if r.path in (found.doubted or ()))
    summaries = (*found.recents, *((found.longterm,) if found.longterm else ()))
    is_whole = all(known.issuperset(r.sources) for r in doubted)
    return found if is_whole and all(s.covers_from for s in summaries) else past(store, found.agent)


def lacks_summaries(store: Store, agent: str) -> bool:
    """Tell whether a sparse checkout leaves out summaries, which tell what is summarized."""
    repository = store.writer.repository
    if repository is None or not repository.is_sparse:
        return False
    return any(path.startswith(f"agents/{agent}/summaries/") for path in store.left_out())


_HIDDEN = "{folder} cannot be read, and existing summaries may be in there"
_BROKEN = "{path} cannot be read as it is, and stays so: `vaultmem status` says what is wrong"
_LACKS = (
    "git leaves summaries of {agent} out of the checkout, and what they cover would be "
    "summarized again: `git sparse-checkout add` includes them"
)


def _planned(store: Store, agent: str, ask: Ask, run: _Run) -> Outcome:
    config, wanted = store.config(), run.wanted
    store.learn_accepted(from_history=True)
    own = f"agents/{agent}/"
    if hidden := [f for f in store.index.shut if f.startswith(own) or own.startswith(f)]:
        return Outcome(None, reason=_HIDDEN.format(folder=min(hidden)))
    now = compaction.progress(store.index, agent, config)
    if not (compaction.is_due(now, config) or _asks_for_more(store, agent, wanted)):
        return Outcome(None, reason=compaction.why_nothing_due(now, config))
    known = _page(store, agent, config, run)
    chunks, anew = _due(known, config, wanted)
    behind = compaction.is_behind(known, config, force=wanted.force)
    if (chunks or behind) and lacks_summaries(store, agent):
        return Outcome(None, reason=_LACKS.format(agent=agent))
    if not (chunks or anew or behind):
        broken = _BROKEN.format(path=min(known.broken)) if known.broken else ""
        return Outcome(None, reason=broken or compaction.why_nothing_due(now, config))
    _log.info("start: %d memories of %s, %d chunks, windows %d and %d", now.memories, agent,
              len(chunks), config.immediate_window, config.recent_window)  # fmt: skip
    # One for each new file: asking for them one by one would cost a look at all memories each.
    minted = iter(store.mint_many(sum(not c.redone for c in chunks) + 1))
    means = Dependencies(
        ask, minted.__next__, iso(store.clock()), store.texts.read, store.texts.now_at, run.told,
        partial(compaction.earlier, store.index, agent),
    )  # fmt: skip
    since = compaction.absorbed_count(known) if run.since is None else run.since
    proposal = _proposed(known, chunks, means, config, anew=anew, behind=behind, since=since)
    if not proposal.changes:
        return Outcome(None, reason="no better summary is to be had now")
    _report(proposal)
    made = _plan(store, agent, proposal, run, more=known.more)
    alone = "" if proposal.compactions else f"{own}summaries/longterm.md"
    return Outcome(
        made, proposal.compactions, "", proposal.claims, proposal.degraded, alone, known.more, since
    )


def sketch(store: Store, agent: str, ask: Ask, wanted: Wanted) -> int:
    """Go through what is due with *ask*, write nothing, and return how many chunks there are."""
    config = store.config()
    store.learn_accepted(from_history=True)
    known = past(store, agent)
    chunks, anew = _due(known, config, wanted)
    means = Dependencies(
        ask, lambda: _NOBODY, iso(store.clock()), store.texts.read, store.texts.now_at
    )
    behind = compaction.is_behind(known, config, force=wanted.force)
    _proposed(known, chunks, means, config, anew=anew, behind=behind)
    return len(chunks)


def _guarded(summarizer: Summarizer) -> Ask:
    """Return what asks *summarizer* and checks its answers; who asks nothing loads none of it."""

    @cache
    def loaded() -> Ask:
        from vaultmem.nlp.summarization.guarded import guarded  # noqa: PLC0415  # as told

        return guarded(summarizer).summarize

    def ask(task: Task) -> Summary:
        return loaded()(task)

    return ask


def _proposed(  # noqa: PLR0913  # as `cascade.propose`
    known: Past, chunks: Sequence[Chunk], means: Dependencies, config: Config, *,
    anew: bool, behind: bool, since: int | None = None,
) -> Proposal:  # fmt: skip
    from vaultmem.memory.compaction import cascade  # noqa: PLC0415  # most often nothing is due

    return cascade.propose(known, chunks, means, config, anew=anew, behind=behind, since=since)


def _report(proposal: Proposal) -> None:
    for change in proposal.changes:
        if change.path.endswith("/longterm.md"):
            text = frontmatter.read(change.new or b"").body
            _log.info("long-term updated: %s, %d characters", change.path, len(text))
    for done in proposal.compactions:
        _log.info("short-term updated: %s, %d characters", done.recent, len(done.summary.text))
        _log.info("complete: %s", "waterfall" if done.waterfall else "first")


def _plan(store: Store, agent: str, proposal: Proposal, run: _Run, *, more: bool) -> Plan:
    made = proposal.compactions
    notes = tuple(f"{c.count} memories, {c.start} to {c.end}, into {_stem(c.recent)}" for c in made)
    many = len(run.made) + len(made)  # the last page says how many in all
    done = f"{many} summaries" if many else "the long-term summary"
    if many == 1 and made:
        done = f"{made[0].count} memories into {_stem(made[0].recent)}"
    return Plan(
        op=run.op or store.mint(),
        kind="compact",
        subject=f"compact({agent}): {done}",
        changes=(*proposal.changes, *pointed_index.change(store, proposal.changes)),
        agent=agent,
        trust=proposal.trust,
        model=made[0].summary.model if made else "",
        notes=notes if more or many > 1 else (),
    )


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def run(  # noqa: PLR0913  # two by name
    store: Store, agent: str, summarizer: Summarizer, wanted: Wanted | None = None, *,
    op: str = "", progress: Progress = untold,
) -> Outcome:  # fmt: skip
    """Carry out what is due for *agent*; the caller has synced the index and commits afterwards.

    Page by page, each whole and durable by itself: a run that is cut short is taken up by the next.
    No lock is held while the summarizer works. When somebody changed the ground meanwhile the plan
    is made again, and nothing is asked twice for that; raises StaleWrite when it never ends.
    *progress* is told of the pages that are known: there may be more.
    """
    work, done = _Run(wanted or Wanted(), op, progress=progress), None
    while True:
        ask = memoized(_guarded(summarizer))
        page = store.retry(partial(_attempt, store, agent, ask, work))
        if page.plan is None:
            return done or page
        done = replace(page, compactions=(*work.made, *page.compactions))
        if not page.more:
            return done
        work = replace(work, op=page.plan.op, since=page.since, made=done.compactions)


def _attempt(store: Store, agent: str, ask: Ask, run: _Run) -> Outcome:
    outcome = _planned(store, agent, ask, run)
    if outcome.plan:
        try:
            # A summary that goes takes along what a person wrote into it.
            changes = (c for c in outcome.plan.changes if isinstance(c, Change))
            human_edits.keep(store, [c for c in changes if c.new is None])
        except Uncommitted as e:
            return Outcome(None, reason=str(e))
        store.apply(outcome.plan, _unclaimed(store, agent, outcome.claims))
    return outcome


def _unclaimed(store: Store, agent: str, claims: frozenset[str]) -> Callable[[], None]:
    """Return the guard that refuses to summarize what another process summarized meanwhile."""

    def check() -> None:
        if taken := store.index.covered(agent, claims):
            raise StaleWrite(min(taken), None, "summarized")

    return check
