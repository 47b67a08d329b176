"""After a merge: rewrite what covers turns twice or mentions what is forgotten; update pointers.

Each step looks at the vault as it is, so that one that was cut off is taken by the next sync.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from vaultmem.documents import frontmatter, public_text
from vaultmem.exchange.sync.merge_traces import Traces
from vaultmem.knowledge.sharing import Shares
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.maintenance.forgetting import planner
from vaultmem.memory import compaction, folding, pointed_index
from vaultmem.memory.compaction import Past, cascade
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.compaction.dependencies import Dependencies
from vaultmem.memory.folding import runner as folding_runner
from vaultmem.nlp.summarization.guarded import guarded
from vaultmem.nlp.summarization.memoized_answers import memoized
from vaultmem.nlp.tasks import Summarizer
from vaultmem.records import Record, iso
from vaultmem.storage import files, tombstones, transcript_files
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone

_REWRITTEN = "sync: rewrite summaries after the merge"
_POINTED = "sync: bring the pointers up to date"
_WITHDRAWN = "sync: withdraw what was shared of archived memories"
_COVERED_TWICE = "another episode covers its turns"
_UNTOLD = "its turns are gone"


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The paths that changed, and those that are told without what one side *forgot*.

    *lines* are the turns and items that lost a copy of that, as `FILE:NUMBER`. *untold* are the
    episodes that went with their transcripts, *citing* the topics that were made of these, too.
    """

    changed: tuple[str, ...]
    forgot: tuple[str, ...]
    lines: tuple[str, ...]
    untold: tuple[str, ...]
    citing: tuple[str, ...]


def reconcile(store: Store, summarizer: Summarizer, traces: Traces) -> Reconciled:
    """Reconcile what two machines made of the same memories."""
    op = store.mint()
    # One of two episodes of the same turns goes first: told anew, both may want one name.
    changed = list(store.retry(lambda: _carry_out(store, op, lambda: tuple(_episodes(store)))))
    gone = traces.untold
    untold = store.retry(lambda: _carry_out(store, op, lambda: tuple(_untold(store, gone))))
    changed += untold
    forgot, lines = store.retry(lambda: _forget(store, summarizer, traces.gone, op))
    changed += forgot
    changed += store.retry(
        lambda: _carry_out(store, op, lambda: _summaries(store, summarizer, traces.agents))
    )
    # Where turns were parted, the episodes of one side went: what they told of is told again.
    changed += folding_runner.fill_gaps(store, summarizer)
    if traces.archived:
        changed += store.retry(lambda: _withdrawn(store))
    changed += store.retry(lambda: _pointed(store))
    return Reconciled(tuple(dict.fromkeys(changed)), forgot, lines, untold, _citing(store, untold))


def _withdrawn(store: Store) -> tuple[str, ...]:
    return _applied(store, store.mint(), Shares(store).of_archived(), _WITHDRAWN)


def _pointed(store: Store) -> tuple[str, ...]:
    changes = (*task_service.board_change(store), *pointed_index.change(store, ()))
    if not changes or _take_back(store, changes):
        return ()
    return _applied(store, store.mint(), changes, _POINTED)


def _take_back(store: Store, changes: Sequence[Change]) -> bool:
    """Tell whether *changes* do no more than take back what a sync did last, here or elsewhere.

    Two machines that differ in what is to be listed would do so in turn, for ever.
    """
    repository = store.writer.repository
    last = repository.log(1) if repository else []
    if not repository or not last or last[0].subject != _POINTED or not last[0].parents:
        return False
    before = last[0].parents[0]
    return all(repository.show(before, it.path) == it.new for it in changes)


def _carry_out(
    store: Store, op: str, step: Callable[[], tuple[Change | Append, ...]]
) -> tuple[str, ...]:
    return _applied(store, op, step(), _REWRITTEN)


def _applied(
    store: Store, op: str, changes: tuple[Change | Append, ...], subject: str
) -> tuple[str, ...]:
    if changes:
        store.apply(Plan(op, "sync", subject, changes))
    return tuple(c.path for c in changes)


# --- what was forgotten -----------------------------------------------------------------------


def _forget(
    store: Store, summarizer: Summarizer, gone: Sequence[Record], op: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Forget here what *gone* said; return the paths that changed, and the lines that lost it."""
    left = [r for r in gone if (now := store.texts.own(r.path)) is None or public_text.is_held(now)]
    if not left:
        return (), ()
    meant = planner.plan(store, guarded(summarizer), left, planner.Request())
    own = {record.path for record in left}
    changes = tuple(
        change for change in meant.plan.changes
        if change.path not in own and not tombstones.is_path(change.path)
    )  # fmt: skip
    noted = tuple(_noted(store, meant.tombstones))
    done = _applied(store, op, (*changes, *noted), _REWRITTEN)
    return tuple(path for path in done if not tombstones.is_path(path)), meant.lines


def _noted(store: Store, found: Sequence[Tombstone]) -> Iterator[Change]:
    """Let the tombstones of what was *found* to be gone know the lines of people that stay here."""
    known = tombstones.readable(store).all
    stays: dict[str, list[str]] = {}
    for it in found:
        same = (s for s in known if s.id == it.id or not {*s.digests}.isdisjoint(it.digests))
        if stone := next(same, None):
            stays.setdefault(stone.path, [*stone.stays]).extend(it.stays)
    for path, digests in stays.items():
        old = store.texts.read(path) or b""
        new = frontmatter.edited(old, {"stays": [*dict.fromkeys(digests)] or None})
        if new != old:
            yield Change(path, old, new, "a person's lines stay that say it")


# --- episodes ---------------------------------------------------------------------------------


def _episodes(store: Store) -> Iterator[Change]:
    """Take away the episodes whose turns others tell of, and let their links lead there."""
    by_session: dict[str, list[Record]] = {}
    for it in store.index.records(Filter(type="episode", outcome=""), body=False):
        # One that is held back from git could not be brought back.
        if it.session and not it.held and it.path.startswith("agents/"):
            by_session.setdefault(transcript_files.path(it.agent, it.session), []).append(it)
    instead = {old: new for each in by_session.values() for old, new in _twice(each)}
    for old in instead:
        yield from _taken_away(store, old, _COVERED_TWICE)
    links = {_link(old): _link(new) for old, new in instead.items()}
    if links:
        yield from _relinked(store, links)


def _untold(store: Store, ids: AbstractSet[str]) -> Iterator[Change]:
    """Take away the episodes with these *ids* whose transcripts are not there."""
    for it in store.index.identified(ids) if ids else ():
        source = transcript_files.path(it.agent, it.session)
        if it.type == "episode" and not it.held and store.texts.own(source) is None:
            yield from _taken_away(store, it, _UNTOLD)


def _citing(store: Store, gone: Sequence[str]) -> tuple[str, ...]:
    """Return the topics that name a *gone* file as what they were made of."""
    names = {path.removesuffix(".md") for path in gone}
    found = store.index.citing(names | {name.rpartition("/")[2] for name in names}) if gone else ()
    return tuple(sorted(it.path for it in found if it.type == "topic"))


def _taken_away(store: Store, episode: Record, why: str) -> Iterator[Change]:
    """Yield what takes an *episode* away; what a person wrote there waits in the inbox."""
    data = store.texts.read(episode.path)
    yield Change(episode.path, data, None, why)
    whole = store.index.at([episode.path]) if data else []
    for own in filter(None, (folding.persons_part(it, data or b"") for it in whole)):
        yield Change(files.conflict("", episode.path, own), None, own, "a person's lines")


def _twice(episodes: Sequence[Record]) -> Iterator[tuple[Record, Record]]:
    """Yield the episodes that overlap the ones that go furthest without a gap, and those."""
    by_start: dict[int, list[Record]] = {}
    for it in sorted(episodes, key=lambda e: e.id):
        if it.turn_end >= it.turn_start >= 1:
            by_start.setdefault(it.turn_start, []).append(it)

    @functools.cache
    def chain(end: int) -> tuple[Record, ...]:
        ways = [(it, *chain(it.turn_end)) for it in by_start.get(end + 1, ())]
        return max(ways, key=lambda way: way[-1].turn_end, default=())

    kept = chain(0)
    for it in episodes:
        over = [k for k in kept if k.turn_start <= it.turn_end and it.turn_start <= k.turn_end]
        if over and it not in kept:
            yield it, over[0]


def _link(record: Record) -> str:
    return f"[[{record.path.removesuffix('.md')}"


def _relinked(store: Store, links: dict[str, str]) -> Iterator[Change]:
    for record in store.index.records(Filter(type="topic"), body=False):
        old = store.texts.read(record.path) or b""
        new = old
        for gone, kept in links.items():
            for tail in ("]]", "|", "#"):
                new = new.replace((gone + tail).encode(), (kept + tail).encode())
        if new != old:
            yield Change(record.path, old, new, "names the remaining episode")


# --- summaries --------------------------------------------------------------------------------


def _summaries(
    store: Store, summarizer: Summarizer, retold: AbstractSet[str]
) -> tuple[Change, ...]:
    """Let each memory be told of once, and the long-term summary of all short-term ones it should.

    Of two that claim a memory one that waits keeps it, else the one with the lower id.
    """
    ask = memoized(guarded(summarizer).summarize)
    means = Dependencies(ask, store.mint, iso(store.clock()), store.texts.read, store.texts.now_at)
    changes: list[Change] = []
    for agent in store.index.agents():
        is_settled = agent not in retold and compaction.are_settled(store.index, agent)
        if is_settled or compaction_runner.lacks_summaries(store, agent):
            continue
        past = compaction_runner.past(store, agent)
        due = compaction.stale(past, merged=True)
        whole = _absorbing(store, past, anew=agent in retold)
        if due or whole is not past:
            proposed = cascade.propose(whole, due, means, store.config(), anew=whole is not past)
            changes += proposed.changes
    return tuple(changes)


def _absorbing(store: Store, past: Past, *, anew: bool) -> Past:
    """Return *past* with a long-term summary that names what it should have absorbed.

    The same past where it does already and is not wanted *anew*; else its text is to be rewritten.
    """
    if compaction.is_whole(past) and not (anew and past.longterm):
        return past
    targets = [r.path.removesuffix(".md") for r in past.recents]
    absorbed = compaction.absorbed(past)
    sources = tuple(t for t in targets if t in absorbed or t in targets[:-1])
    path = f"agents/{past.agent}/summaries/longterm.md"
    old = past.longterm or Record(
        path, "", id=store.mint(), type="summary", agent=past.agent, created=iso(store.clock()),
        tier="longterm",
    )  # fmt: skip
    end = max((r.range_end for r in past.recents[:-1]), default=old.range_end)
    longterm = replace(old, model="", range_end=max(end, old.range_end))
    return replace(past, longterm=compaction.naming(longterm, sources))
