"""What is due: half-done writes, what waits to be taken in, compactions, MEMORY.md, commits."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from vaultmem.documents import public_text
from vaultmem.errors import DiskRefused, HeldBack, MassVanish, NotAFile, Unavailable
from vaultmem.exchange import spool
from vaultmem.knowledge.cards import Cards
from vaultmem.knowledge.review import Reviews
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.maintenance import (
    commit_delays,
    forgotten_texts,
    starter_files,
    waiting_ticks,
    withdrawal,
)
from vaultmem.maintenance.dream.service import Dreams
from vaultmem.memory import adopt, memory_index, pointed_index, reflection, session_compacts
from vaultmem.memory.compaction import Compaction
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.compaction.runner import Outcome, Wanted
from vaultmem.memory.folding import runner as folding_runner
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import Summarizer
from vaultmem.records import Problem
from vaultmem.storage import human_edits, waiting_edits
from vaultmem.storage.index import file_queries
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

if TYPE_CHECKING:
    from vaultmem.storage.commits.rested_edits import Changed

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Condensed:
    """What was made shorter: compactions, and the paths of episodes, topics, session compacts.

    Experiences that a model reflected on are among these paths.
    """

    compactions: tuple[Compaction, ...] = ()
    folded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """What one round did: what it made shorter, its commits, and that of people's edits.

    *ticked* counts what people had ticked in the inbox, each done in a commit of its own; *delays*
    say why something of ours still waits for its commit, *left* why something of people's does, or
    why what they ticked is not done.
    """

    condensed: Condensed
    commits: tuple[str, ...]
    edits: str | None
    ticked: int = 0
    delays: tuple[Problem, ...] = ()
    left: tuple[Problem, ...] = ()


def once(store: Store, summarizer: Summarizer, ticked: int = 0) -> Round:
    """Do what is due now and return what that was, beside what was *ticked* and is done already.

    Who did that has looked at all files.
    """
    store.sync_soon()
    made = condense(store, summarizer)
    done = commit_pending(store)
    left = (*done.left, *forgotten_texts.problems(store))
    return replace(done, condensed=made, ticked=ticked, left=left)


def condense(store: Store, summarizer: Summarizer) -> Condensed:
    """Take in what waits; then what may ask a model: compactions, folds, compacts of sessions."""
    take_in(store)
    agents = store.agents()
    outcomes = [_compact(store, agent, summarizer) for agent in agents]
    folded = [path for agent in agents for path in _converse(store, agent, summarizer)]
    return Condensed(tuple(c for o in outcomes for c in o.compactions), tuple(folded))


def take_in(store: Store) -> None:
    """Take in the conversations that hooks noted, adopt what was written by hand, and hide.

    In this order: what their tools said is then known of what was written. All else that is new in
    a tool's words is marked before anything is made of it.
    """
    with contextlib.suppress(MassVanish):
        taken = spool.drain(store)
        if taken.turns:
            _log.info("took in %d turns of Claude Code", taken.turns)
        for fault in taken.faults:
            _log.warning("%s: %s; %s", fault.path, fault.message, fault.repair)
    for path in adopt.adopt(store):
        _log.info("adopted %s", path)
    for path in withdrawal.withdraw(store):
        _log.info("took out of %s what is private", path)
    _attribute(store)


def _attribute(store: Store, changed: Changed = None) -> None:
    for path in adopt.attribute(store, changed):
        _log.info("a tool said %s", path)


def waits(store: Store) -> bool:
    """Tell whether `take_in` would find something soon that no event tells of."""
    return spool.waiting(store.root) or adopt.waiting(store)


def _converse(store: Store, agent: str, summarizer: Summarizer) -> Iterator[str]:
    """Fold what is due, reflect on tasks, bring session compacts up to date; yield paths."""
    wanted = Wanted(redo=_redo(summarizer))
    with contextlib.suppress(MassVanish, HeldBack, NotAFile):
        made = folding_runner.run(store, agent, summarizer, wanted)
        yield from (*made.episodes, *made.topics)
        yield from reflection.run(store, agent, summarizer, wanted)
        yield from session_compacts.compact_due(store, agent, summarizer)


def commit_pending(store: Store) -> Round:
    """Do what needs no model: commits, MEMORY.md, sweeping."""
    done = [*store.writer.commit_pending().values()]
    changed = human_edits.changed(store)  # a look at every file that two of us ask for
    # Again, though `take_in` asked: a daemon commits without that, what was laid while a model was
    # asked had not rested then, and what is staged or held back passes no commit that compares it.
    _attribute(store, changed)
    edits = human_edits.commit_quiet_edits(store, changed)
    refresh_pointers(store)  # they lead to what git has by now
    done += store.writer.commit_pending().values()
    store.writer.sweep()
    delays = (*commit_delays.problems(store), *commit_delays.unreadable(store))
    left = (*waiting_edits.problems(store), *waiting_ticks.problems(store))
    return Round(Condensed(), tuple(dict.fromkeys(done)), edits, delays=delays, left=left)


def pack(store: Store) -> None:
    """Pack what many commits left one by one in the vault's own repository; raises Unavailable."""
    repository = store.writer.repository
    if repository and not repository.is_shared:
        from vaultmem.storage.git import upkeep  # noqa: PLC0415  # git loads when something is written

        upkeep.pack(repository)


def tick_off(store: Store, dreams: Dreams, rested: float) -> int:
    """Look at the files, do what people ticked in the inbox; return how many things that were.

    Notes touched since *rested* (Unix time) wait: whoever ticks one box may tick another.
    """
    done = dreams.apply_ticked(rested)  # which has looked at every file
    count = len(done.applied) if done else 0
    if file_queries.last_change(store.index, "inbox") <= rested:  # nobody is at work there
        count += len(Cards(store).apply_ticked()) + len(Reviews(store).accept_ticked().accepted)
    return count


def _compact(store: Store, agent: str, summarizer: Summarizer) -> Outcome:
    try:
        return compaction_runner.run(store, agent, summarizer, Wanted(redo=_redo(summarizer)))
    except (MassVanish, HeldBack, NotAFile) as e:
        return Outcome(None, reason=str(e))


def _redo(summarizer: Summarizer) -> Literal["none", "away"]:
    """Tell what to redo: what was written while a model was away, and by a model alone."""
    return "none" if isinstance(summarizer, Extractive) else "away"


def refresh_pointers(store: Store) -> None:
    """Bring MEMORY.md and TASKS.md up to date; their commit waits."""
    if store.index.vanished():
        return
    if changes := (*_memory_md(store), *task_service.board_change(store)):
        names = " and ".join(change.path for change in changes)
        with contextlib.suppress(DiskRefused):  # they are made of the rest, and once there is room
            store.apply(Plan(store.mint(), "index", f"index: {names}", changes))


def _memory_md(store: Store) -> tuple[Change, ...]:
    """Return the change that brings MEMORY.md up to date, or writes it anew where it is gone."""
    path = memory_index.PATH
    if not store.texts.is_gone(path) or path in store.left_out():
        return pointed_index.change(store, ())
    text = _committed(store, path) or starter_files.text(path)
    new = pointed_index.text(store, (), text)
    return (Change(path, None, new, "it was gone"),)


def _committed(store: Store, path: str) -> bytes | None:
    """Return what the last commit has of *path*, None where it has none that may be shown."""
    with contextlib.suppress(Unavailable):
        found = store.writer.repository and store.writer.repository.show("HEAD", path)
        return found if found and not public_text.is_held(found) else None
    return None
