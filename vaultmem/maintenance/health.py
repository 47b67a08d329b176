"""How a vault is: counts, windows, budgets, and all that a person should know about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from vaultmem.config import PATH, Config
from vaultmem.errors import BadInput, IndexFailed
from vaultmem.maintenance import (
    commit_delays,
    cut_sessions,
    damaged_supersessions,
    edited_memories,
    forgotten_texts,
    missing_memories,
    mistyped_settings,
    pointers,
    stashed_memories,
    task_problems,
    tombstone_problems,
    withheld_files,
)
from vaultmem.memory import memory_index, summary_progress
from vaultmem.models.providers.registry import PROVIDERS
from vaultmem.models.providers.selection import Choice
from vaultmem.nlp.summarizer_selection import Writers
from vaultmem.records import Problem, is_trusted
from vaultmem.retrieval.retriever import Retriever
from vaultmem.storage import (
    daemon_lock,
    delay_notes,
    files,
    journal,
    transcript_files,
    transcripts,
    troubles,
    ulids,
    waiting_edits,
)
from vaultmem.storage.daemon_lock import State
from vaultmem.storage.files import READ_ONLY
from vaultmem.storage.index import Filter, count_queries, coverage
from vaultmem.storage.store import Store

if TYPE_CHECKING:
    from vaultmem.retrieval.vectors import State as Vectors

_WARN, _FULL = 0.75, 0.90
_LARGE = 256 << 20
"""Bytes of a transcript above which whatever reads it whole keeps a person waiting."""
_ANEW = "go on in a new session; what was said in this one stays"


@dataclass(frozen=True, slots=True)
class SummaryText:
    """A summary as it is shown: of what time it tells (ISO 8601, or ""), and its text."""

    path: str
    tier: str
    covers_from: str
    covers_to: str
    text: str


@dataclass(frozen=True, slots=True)
class AgentHealth:
    """What one agent remembers, in numbers; times are ISO 8601 or None.

    The scores are means over its short-term summaries, from 0 to 1, None without one; *summaries*
    are the newest of those and the long-term one, where they can be trusted. *next_compaction_at*
    is None where the strategy is `off`: none comes by itself.
    """

    agent: str
    memories: int
    immediate: int
    covered: int
    pending: int
    recent_summaries: int
    longterm: str | None
    last_memory: str | None
    last_compaction: str | None
    next_compaction_at: int | None
    faithfulness: float | None
    coverage: float | None
    compression: float | None
    summaries: tuple[SummaryText, ...]


@dataclass(frozen=True, slots=True)
class SummarizerHealth:
    """Who writes summaries and why, what is missing for it, and what models cost of late."""

    backend: str
    model: str
    why: str
    missing: str
    calls_last_hour: int
    max_llm_calls_per_hour: int
    tokens_last_day: int
    max_tokens_per_day: int


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """What is found by words, what by vectors, and who makes those; *why* it is this embedder.

    *passages* are the texts that want a vector, *embedded* those that have one; both are 0 where
    nobody embeds.
    """

    documents: int
    fresh: bool
    backend: str
    embedder: str
    why: str
    passages: int = 0
    embedded: int = 0


@dataclass(frozen=True, slots=True)
class WaitingCounts:
    """What waits in the inbox for a person.

    Dreams, disagreements between the claims of a card, memories that are not trusted, and conflicts
    between two versions of a file.
    """

    dreams: int
    disagreements: int
    reviews: int
    conflicts: int


@dataclass(frozen=True, slots=True)
class Health:
    """The whole vault at a glance."""

    status: Literal["OK", "WARNING", "ERROR"]
    path: str
    format: int
    immediate_window: int
    recent_window: int
    agents: tuple[AgentHealth, ...]
    memory_md: memory_index.Size
    index: IndexHealth
    uncommitted: int
    inbox: WaitingCounts
    summarizer: SummarizerHealth
    daemon: State
    problems: tuple[Problem, ...]


def check(
    store: Store, writers: Writers, retriever: Retriever, *, left_lock: bool = False
) -> Health:
    """Return the state of the vault; the caller has synced its index.

    *left_lock*: a process of ours had died with git's lock before.
    """
    config = store.config()
    summarizer = _summarizer(writers, config)
    agents = tuple(_agent(store, config, name) for name in store.index.agents())
    text = (store.texts.own_if_allowed(memory_index.PATH) or b"").decode("utf-8", "replace")
    size = memory_index.size(text)
    index, finding = _index(store, retriever)
    inbox = WaitingCounts(*count_queries.inbox(store.index))
    problems = (
        *_problems(store, config, agents, size, inbox),
        *pointers.content(store, text),
        *(it for it in pointers.dangling(store, text) if it.code != pointers.DUE),
        *pointers.lost_marks(store),
        *commit_delays.left_lock(was_there=left_lock),
        *_writing(store, summarizer),
        *_kept(store),
        *finding,
    )
    return Health(
        status=_status(problems),
        path=str(store.root.path),
        format=config.format,
        immediate_window=config.immediate_window,
        recent_window=config.recent_window,
        agents=agents,
        memory_md=size,
        index=index,
        uncommitted=len(journal.due(store.root)),  # the writer loads git
        inbox=inbox,
        summarizer=summarizer,
        daemon=daemon_lock.state(store.root.path, store.clock()),
        problems=problems,
    )


def _index(store: Store, retriever: Retriever) -> tuple[IndexHealth, tuple[Problem, ...]]:
    """Say what recall works with; the embedder itself is not asked."""
    documents = store.index.documents()
    words = IndexHealth(documents, fresh=True, backend=_WORDS, embedder="none", why="")
    try:
        choice, found = retriever.choice, retriever.state()
    except (BadInput, IndexFailed) as e:
        problem = Problem("embedder", "", str(e), "fix that; until then recall searches by words")
        return replace(words, why="the settings cannot be read"), (problem,)
    if found is None:
        return replace(words, why=choice.why), ()
    with_vectors = replace(
        words,
        backend=" + ".join((_WORDS, *_engine(found))),
        embedder=retriever.space,
        why=choice.why,
        passages=found.passages,
        embedded=found.embedded,
    )
    return with_vectors, ()


_WORDS = "sqlite-fts5"
_AT_WORK = timedelta(seconds=30)
"""What no writer is still at that was begun so long ago."""


def _kept(store: Store) -> Iterator[Problem]:
    """Say that the disk does not take the index: answers are right all the same, and slow."""
    if why := store.index.why_in_memory:
        why = files.why_full(store.root.path) or why  # SQLite calls that an I/O error
        message = f"the index cannot be written: {why}; every command reads all files meanwhile"
        yield Problem("index", ".vaultmem/index", message, "make room on the disk, or fix it")


def _engine(found: Vectors) -> Iterator[str]:
    if found.engine == "given":
        yield "the caller's own store"
    elif found.url:
        yield f"chroma at {found.url}"
    elif found.fed:
        yield "chroma"


def _summarizer(writers: Writers, config: Config) -> SummarizerHealth:
    """Say who writes; where no model does, what one costs is not looked up."""
    try:
        it = writers.choice()
    except BadInput as e:
        it = Choice("nobody", "", "the settings cannot be read", str(e))
    spent = writers.spent() if it.backend in PROVIDERS else None
    calls, tokens = (spent.calls, spent.tokens) if spent else (0, 0)
    return SummarizerHealth(
        it.backend, it.model, it.why, it.missing,
        calls, config.max_llm_calls_per_hour, tokens, config.max_tokens_per_day,
    )  # fmt: skip


def _writing(store: Store, summarizer: SummarizerHealth) -> Iterator[Problem]:
    """Say what models left undone: what stands in a model's place, and what one lacks."""
    if summarizer.missing:
        yield Problem("model", "", f"{summarizer.backend} writes: {summarizer.missing}", _OFFLINE)
    for kind, path, why, count in count_queries.fallbacks(store.index):
        message = f"{count} written offline as a fallback for a model: {why}"
        yield Problem("fallback", path, message, _REDO[kind])


_OFFLINE = "fix that, or choose `backend: extractive`; nothing that is remembered is lost"
_REDO = {
    "summary": "`vaultmem compact --redo-degraded` asks again",
    "session": "`vaultmem session compact NAME` asks again",
    "episode": "`vaultmem fold --redo-degraded` asks again",
}


def _status(problems: tuple[Problem, ...]) -> Literal["OK", "WARNING", "ERROR"]:
    if any(p.code in {"full", "vanished", "read-only", "history-gone"} for p in problems):
        return "ERROR"
    return "WARNING" if problems else "OK"


def _agent(store: Store, config: Config, name: str) -> AgentHealth:
    now = summary_progress.progress(store.index, name, config)
    recents = count_queries.recent_summaries(store.index, name)
    longterm = f"agents/{name}/summaries/longterm.md"
    return AgentHealth(
        agent=name,
        memories=now.memories,
        immediate=min(now.memories, config.immediate_window),
        covered=now.covered,
        pending=now.pending,
        recent_summaries=recents.summaries,
        longterm=longterm if store.index.knows(longterm) else None,
        last_memory=coverage.last_created(store.index, name),
        last_compaction=recents.last,
        next_compaction_at=(
            None
            if config.strategy_of(name) == "off"
            else config.next_compaction(now.memories, now.pending, first=not now.begun)
        ),
        faithfulness=recents.faithfulness,
        coverage=recents.coverage,
        compression=recents.compression,
        summaries=tuple(_summaries(store, name)),
    )


def _summaries(store: Store, agent: str) -> Iterator[SummaryText]:
    longterm = Filter(type="summary", agent=agent, tier="longterm", identified=True, trusted=True)
    recent = store.index.newest_summary(agent)
    for it in (
        *([recent] if recent and is_trusted(recent) else []),
        *store.index.records(longterm),
    ):
        yield SummaryText(it.path, it.tier, it.covers_from, it.covers_to, it.body.strip())


def _large(store: Store) -> Iterator[Problem]:
    """Yield the transcripts that take long to be read, none of which is opened."""
    for each in transcript_files.every(store.root):
        if each.stamp.size > _LARGE:
            message = (
                f"it has {each.stamp.size / 1e9:.1f} GB: its turns are shown and folded slowly"
            )
            yield Problem("large", each.path, message, _ANEW)


def _problems(
    store: Store,
    config: Config,
    agents: tuple[AgentHealth, ...],
    size: memory_index.Size,
    inbox: WaitingCounts,
) -> Iterator[Problem]:
    forgotten = tuple(forgotten_texts.problems(store))
    yield from forgotten_texts.without_advice_against(forgotten, troubles.found(store))
    yield from _of_files(store)
    yield from _waiting(store, inbox)
    yield from forgotten
    yield from _fullness(memory_index.PATH, size.share, _SHORTEN)
    if config.max_memories:
        for agent in agents:
            share = agent.memories / config.max_memories
            where = f"agents/{agent.agent}/memories"
            yield from _fullness(where, share, f"raise max_memories in {PATH}")
    yield from _stale(store, config, agents)
    yield from _read_only(store)
    yield from _unsynced(store)
    yield from _of_commits(store)
    yield from _of_history(store)


def _of_files(store: Store) -> Iterator[Problem]:
    yield from troubles.not_checked_out(store)
    yield from (it.problem for it in mistyped_settings.faults(store))
    yield from transcripts.unreadable(store.root)
    yield from task_problems.of(store)
    yield from _large(store)
    yield from forgotten_texts.held_back(store)
    yield from withheld_files.problems(store)


def _waiting(store: Store, inbox: WaitingCounts) -> Iterator[Problem]:
    """Name what waits for a person."""
    yield from waiting_edits.problems(store)
    if untrusted := count_queries.with_tool_lines(store.index):
        from vaultmem.maintenance import tool_lines  # noqa: PLC0415  # it reads what most lack

        yield from tool_lines.briefly(store, untrusted)
    if inbox.disagreements or inbox.reviews:
        from vaultmem.maintenance import waiting_ticks  # noqa: PLC0415  # only writers need most of it

        yield from waiting_ticks.problems(store)
    if inbox.conflicts:
        yield from _versions(store)


def _of_commits(store: Store) -> Iterator[Problem]:
    yield from commit_delays.problems(store)
    yield from commit_delays.unreadable(store)
    yield from commit_delays.half_done(store, _AT_WORK)
    yield from commit_delays.vanished(store)


def _of_history(store: Store) -> Iterator[Problem]:
    """Name what was acknowledged or said before, and is not as it was."""
    yield from missing_memories.briefly(store)
    if not missing_memories.is_nothing_lost(store):
        from vaultmem.maintenance import (  # noqa: PLC0415  # `status` loads no git
            left_operations,
            pointer_problems,
        )

        yield from left_operations.briefly(store)
        yield from pointer_problems.briefly(store)
    yield from stashed_memories.briefly(store)
    yield from cut_sessions.briefly(store)
    store.learn_accepted()
    yield from edited_memories.briefly(store)
    yield from damaged_supersessions.briefly(store)
    yield from tombstone_problems.briefly(store)


def _versions(store: Store) -> Iterator[Problem]:
    """Name the notes in which another version of a file waits."""
    for path in count_queries.second_versions(store.index):
        yield Problem("two-versions", path, _DISAGREE, _CHOOSE)


_CHOOSE = (
    "let the file say what is right, and delete this note; a turn of a session stays as it was"
    " said, on all machines, until `vaultmem forget` takes it away"
)
_DISAGREE = "a conflict: another version of a file waits here"
_SHORTEN = (
    "shorten your own lines, or let `vaultmem dream plan` propose how; the list between the marks"
    " drops its last pointers by itself"
)


def _fullness(path: str, share: float, repair: str) -> Iterator[Problem]:
    if share >= _WARN:
        code = "full" if share >= _FULL else "filling"
        yield Problem(code, path, f"{share:.0%} of its budget is used", repair)


def _read_only(store: Store) -> Iterator[Problem]:
    if (store.root.path / READ_ONLY).exists():
        message = "the disk failed during a write; every write is refused"
        repair = "check the disk, then `vaultmem fsck --repair`"
        yield Problem("read-only", READ_ONLY, message, repair)


def _unsynced(store: Store) -> Iterator[Problem]:
    if since := delay_notes.read(store.root.path, delay_notes.SYNCS):
        message = f"not in step with its remote: each sync since {since} failed"
        yield Problem("unsynced", "", message, "`vaultmem sync` says why")


def _stale(store: Store, config: Config, agents: tuple[AgentHealth, ...]) -> Iterator[Problem]:
    """Count from when a memory was accepted (its id's time), not from when it was said."""
    if not config.stale_after_hours:
        return
    limit = store.clock() - timedelta(hours=config.stale_after_hours)
    for agent in agents:
        newest = store.index.newest_id(agent.agent)
        if newest and ulids.minted_at(newest) < limit.timestamp():
            message = f"nothing has been remembered for more than {config.stale_after_hours} hours"
            repair = "check what should be storing memories"
            yield Problem("stale", f"agents/{agent.agent}", message, repair)
