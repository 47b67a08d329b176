"""What is due: half-done writes, what waits to be taken in, compactions, MEMORY.md, commits."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from vaultmem.errors import HeldBack, MassVanish
from vaultmem.exchange import spool
from vaultmem.knowledge.cards import Cards
from vaultmem.knowledge.review import Reviews
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.maintenance import commit_delays
from vaultmem.maintenance.dream import Dreams
from vaultmem.memory import adopt, sessions
from vaultmem.memory.compaction import Compaction
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.compaction.runner import Outcome, Wanted
from vaultmem.memory.folding import runner as folding_runner
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import Summarizer
from vaultmem.records import Problem
from vaultmem.storage import human_edits
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Site

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Condensed:
    """What was made shorter: compactions, and the paths of episodes, topics, session compacts."""

    compactions: tuple[Compaction, ...] = ()
    folded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """What one round did: what it made shorter, its commits, and that of people's edits.

    *ticked* counts what people had ticked in the inbox, each done in a commit of its own; *delays*
    say why something still waits for its commit.
    """

    condensed: Condensed
    commits: tuple[str, ...]
    edits: str | None
    ticked: int = 0
    delays: tuple[Problem, ...] = ()


def once(site: Site, summarizer: Summarizer, ticked: int = 0) -> Round:
    """Do what is due now and return what that was, beside what was *ticked* and is done already."""
    site.sync()
    made = condense(site, summarizer)
    return replace(settle(site), condensed=made, ticked=ticked)


def condense(site: Site, summarizer: Summarizer) -> Condensed:
    """Take in what waits; then what may ask a model: compactions, folds, compacts of sessions."""
    take_in(site)
    agents = site.agents()
    outcomes = [_compact(site, agent, summarizer) for agent in agents]
    folded = [path for agent in agents for path in _converse(site, agent, summarizer)]
    return Condensed(tuple(c for o in outcomes for c in o.compactions), tuple(folded))


def take_in(site: Site) -> None:
    """Adopt what was written by hand among the memories, and the conversations that hooks noted."""
    for path in adopt.adopt(site):
        _log.info("adopted %s", path)
    with contextlib.suppress(MassVanish):
        taken = spool.drain(site)
        if taken.turns:
            _log.info("took in %d turns of Claude Code", taken.turns)
        for fault in taken.faults:
            _log.warning("%s: %s; %s", fault.path, fault.message, fault.repair)


def waits(site: Site) -> bool:
    """Tell whether `take_in` would find something soon that no event tells of."""
    return spool.waiting(site.root) or adopt.waiting(site)


def _converse(site: Site, agent: str, summarizer: Summarizer) -> Iterator[str]:
    """Fold what is due, and compact the sessions that last and are not folded; yield paths."""
    with contextlib.suppress(MassVanish, HeldBack):
        made = folding_runner.run(site, agent, summarizer, Wanted(redo=_redo(summarizer)))
        yield from (*made.episodes, *made.topics)
        for transcript in sessions.due_of(site, agent):
            if (done := sessions.compact(site, transcript, summarizer)).op:
                yield done.path


def settle(site: Site) -> Round:
    """Do what asks no model: commits, MEMORY.md, tidying."""
    done = [*site.door.settle().values()]
    edits = human_edits.commit_rested(site)
    _refresh_pointers(site)  # they lead to what git has by now
    done += site.door.settle().values()
    site.door.tidy()
    delays = (*commit_delays.problems(site), *commit_delays.unreadable(site))
    return Round(Condensed(), tuple(dict.fromkeys(done)), edits, delays=delays)


def tick_off(site: Site, dreams: Dreams, rested: float) -> int:
    """Do what people ticked in the inbox; return how many things that were.

    Notes touched since *rested* (Unix time) wait: whoever ticks one box may tick another.
    """
    done = dreams.apply_ticked(rested)
    count = len(done.applied) if done else 0
    if not _touched(site, rested):
        count += len(Cards(site).settle_ticked()) + len(Reviews(site).settle_ticked().accepted)
    return count


def _touched(site: Site, rested: float) -> bool:
    """Tell whether somebody is at work on what waits in the inbox."""
    rows = site.index.db.execute("SELECT mtime_ns FROM seen WHERE path LIKE 'inbox/%'")
    return any(mtime_ns / 1e9 > rested for (mtime_ns,) in rows)


def _compact(site: Site, agent: str, summarizer: Summarizer) -> Outcome:
    try:
        return compaction_runner.run(site, agent, summarizer, Wanted(redo=_redo(summarizer)))
    except (MassVanish, HeldBack) as e:
        return Outcome(None, reason=str(e))


def _redo(summarizer: Summarizer) -> Literal["none", "away"]:
    """Tell what to redo: what was written while a model was away, and by a model alone."""
    return "none" if isinstance(summarizer, Extractive) else "away"


def _refresh_pointers(site: Site) -> None:
    if site.index.vanished():
        return
    if changes := (*compaction_runner.index_change(site, ()), *task_service.board_change(site)):
        names = " and ".join(change.path for change in changes)
        site.carry_out(Plan(site.mint(), "index", f"index: {names}", changes))
