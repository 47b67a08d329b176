"""Run compactions: gather what is due, propose, carry out, and try again when the ground moved."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from vaultmem.config import Config
from vaultmem.documents import frontmatter
from vaultmem.errors import StaleWrite
from vaultmem.memory import compaction, pointed_index
from vaultmem.memory.compaction import Chunk, Compaction, Dependencies, Past, Proposal
from vaultmem.nlp.summarization.guarded import guarded
from vaultmem.nlp.summarization.memoized_answers import memoized
from vaultmem.nlp.tasks import Summarizer, Summary, Task
from vaultmem.records import iso
from vaultmem.storage import human_edits
from vaultmem.storage.human_edits import Uncommitted
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_log = logging.getLogger(__name__)
_NOBODY = "0" * 26


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
    is its path where it alone catches up with short-term summaries, and none is made.
    """

    plan: Plan | None
    compactions: tuple[Compaction, ...] = ()
    reason: str = ""
    claims: frozenset[str] = frozenset()
    degraded: str = ""
    longterm: str = ""


Ask = Callable[[Task], Summary]


def plan(store: Store, agent: str, summarizer: Summarizer, wanted: Wanted, op: str = "") -> Outcome:
    """Return the plan of what is due for *agent*, as one operation (*op* joins an earlier one).

    Raises StaleWrite when a memory keeps changing while it is read.
    """
    ask = memoized(guarded(summarizer).summarize)  # a plan made again costs no call
    # Again after an edit in place, of which no folder told.
    return store.retry(lambda: _planned(store, agent, ask, wanted, op), 2)


def is_behind(store: Store, past: Past, config: Config, *, force: bool = False) -> bool:
    """Tell whether the long-term summary is to catch up; not while a summary cannot be read."""
    folder = f"agents/{past.agent}/summaries/"
    if any(problem.path.startswith(folder) for problem in store.index.problems()):
        return False
    return compaction.is_behind(past, config, force=force)


def _due(past: Past, config: Config, wanted: Wanted) -> tuple[tuple[Chunk, ...], bool]:
    """Return the chunks that are due, and whether the long-term summary is to be rebuilt."""
    chunks = compaction.due(past, config, force=wanted.force)
    if wanted.redo == "none":
        return chunks, False
    refused = wanted.redo == "all"
    anew = past.longterm is not None and compaction.redoable(past.longterm, refused=refused)
    return (*compaction.degraded(past, refused=refused), *chunks), anew


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


def _lacks_summaries(store: Store, agent: str) -> bool:
    """Tell whether a sparse checkout leaves out summaries, which tell what is summarized."""
    repository = store.writer.repository
    if repository is None or not repository.is_sparse:
        return False
    return any(path.startswith(f"agents/{agent}/summaries/") for path in store.left_out())


_HIDDEN = "{folder} cannot be read, and existing summaries may be in there"
_LACKS = (
    "git leaves summaries of {agent} out of the checkout, and what they cover would be "
    "summarized again: `git sparse-checkout add` includes them"
)


def _planned(store: Store, agent: str, ask: Ask, wanted: Wanted, op: str) -> Outcome:
    config = store.config()
    store.learn_accepted(from_history=True)
    own = f"agents/{agent}/"
    if hidden := [f for f in store.index.shut if f.startswith(own) or own.startswith(f)]:
        return Outcome(None, reason=_HIDDEN.format(folder=min(hidden)))
    now = compaction.standing(store.index, agent, config)
    if not (compaction.is_due(now, config) or _asks_for_more(store, agent, wanted)):
        return Outcome(None, reason=compaction.why_nothing_due(now, config))
    known = past(store, agent)
    chunks, anew = _due(known, config, wanted)
    behind = is_behind(store, known, config, force=wanted.force)
    if (chunks or behind) and _lacks_summaries(store, agent):
        return Outcome(None, reason=_LACKS.format(agent=agent))
    if not (chunks or anew or behind):
        return Outcome(None, reason=compaction.why_nothing_due(now, config))
    _log.info("start: %d memories of %s, %d chunks, windows %d and %d", len(known.memories), agent,
              len(chunks), config.immediate_window, config.recent_window)  # fmt: skip
    # One for each new file: asking for them one by one would cost a look at all memories each.
    minted = iter(store.mint_many(sum(not c.redone for c in chunks) + 1))
    means = Dependencies(ask, minted.__next__, iso(store.clock()), store.read, store.now_at)
    proposal = compaction.propose(known, chunks, means, config, anew=anew, behind=behind)
    if not proposal.changes:
        return Outcome(None, reason="no better summary is to be had now")
    _report(proposal)
    made = _plan(store, agent, proposal, op or store.mint())
    alone = "" if proposal.compactions else f"{own}summaries/longterm.md"
    return Outcome(made, proposal.compactions, "", proposal.claims, proposal.degraded, alone)


def sketch(store: Store, agent: str, ask: Ask, wanted: Wanted) -> int:
    """Go through what is due with *ask*, write nothing, and return how many chunks there are."""
    config = store.config()
    store.learn_accepted(from_history=True)
    known = past(store, agent)
    chunks, anew = _due(known, config, wanted)
    means = Dependencies(ask, lambda: _NOBODY, iso(store.clock()), store.read, store.now_at)
    behind = is_behind(store, known, config, force=wanted.force)
    compaction.propose(known, chunks, means, config, anew=anew, behind=behind)
    return len(chunks)


def _report(proposal: Proposal) -> None:
    for change in proposal.changes:
        if change.path.endswith("/longterm.md"):
            text = frontmatter.parse(frontmatter.decode(change.new or b"")).body
            _log.info("long-term updated: %s, %d characters", change.path, len(text))
    for done in proposal.compactions:
        _log.info("short-term updated: %s, %d characters", done.recent, len(done.summary.text))
        _log.info("complete: %s", "waterfall" if done.waterfall else "first")


def _plan(store: Store, agent: str, proposal: Proposal, op: str) -> Plan:
    made = proposal.compactions
    notes = tuple(f"{c.count} memories, {c.start} to {c.end}, into {_stem(c.recent)}" for c in made)
    done = f"{len(made)} summaries" if made else "the long-term summary"
    if len(made) == 1:
        done = f"{made[0].count} memories into {_stem(made[0].recent)}"
    return Plan(
        op=op,
        kind="compact",
        subject=f"compact({agent}): {done}",
        changes=(*proposal.changes, *pointed_index.change(store, proposal.changes)),
        agent=agent,
        trust=proposal.trust,
        model=made[0].summary.model if made else "",
        notes=notes if len(made) > 1 else (),
    )


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def run(
    store: Store, agent: str, summarizer: Summarizer, wanted: Wanted | None = None, op: str = ""
) -> Outcome:
    """Carry out what is due for *agent*; the caller has synced the index and commits afterwards.

    No lock is held while the summarizer works. When somebody changed the ground meanwhile the plan
    is made again, and nothing is asked twice for that; raises StaleWrite when it never ends.
    """
    wanted, ask = wanted or Wanted(), memoized(guarded(summarizer).summarize)
    return store.retry(lambda: _attempt(store, agent, ask, wanted, op))


def _attempt(store: Store, agent: str, ask: Ask, wanted: Wanted, op: str) -> Outcome:
    outcome = _planned(store, agent, ask, wanted, op)
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
        if taken := claims & store.index.covered(agent):
            raise StaleWrite(min(taken), None, "summarized")

    return check
