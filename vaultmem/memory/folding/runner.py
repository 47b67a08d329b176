"""Run folds: gather an agent's sessions, make the episodes and topics that are due, carry out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Episode, Topic, markdown
from vaultmem.errors import Refused, StaleWrite
from vaultmem.memory import compaction, folding, pointed_index
from vaultmem.memory.compaction.runner import Wanted
from vaultmem.memory.folding import Source, Stretch, held, material
from vaultmem.memory.folding import files as folding_files
from vaultmem.memory.folding.material import Material
from vaultmem.nlp.summarization.guarded import Guarded, guarded
from vaultmem.nlp.tasks import LATER, DistillTask, FoldTask, Made, Summarizer
from vaultmem.records import Record, is_trusted, iso
from vaultmem.storage import files, human_edits, transcript_files, transcripts
from vaultmem.storage.index import Filter, session_queries
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Folding:
    """What a fold made, by path; *topics* are new or changed, *reason* says why there is none.

    *experiences* are those of ended tasks that a model reflected on.
    """

    agent: str
    episodes: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    reason: str = ""
    op: str = ""
    experiences: tuple[str, ...] = ()


def run(
    store: Store, agent: str, summarizer: Summarizer, wanted: Wanted | None = None, op: str = ""
) -> Folding:
    """Carry out what is due for *agent*; the caller has synced the index and commits afterwards.

    *op* joins an earlier operation; where force is *wanted* all that sessions hold is folded, as if
    they were over. No lock is held while the summarizer works; what somebody else folded meanwhile
    is left to them.
    """
    spoken = [t for t in transcripts.of(store.root, agent) if t.turns]
    work = _FoldRun(store, agent, guarded(summarizer), newest=spoken[-1].path if spoken else "")
    work.op = op
    wanted = wanted or Wanted()
    for old in _degraded(store, agent, wanted):
        work.retry(partial(work.improve, old))
        store.writer.commit_many()
    for transcript in spoken:
        work.retry(partial(work.fold, transcript, force=wanted.force))
        store.writer.commit_many()
    while work.retry(work.distill):
        store.writer.commit_many()
    return work.result()


def fill_gaps(store: Store, summarizer: Summarizer) -> tuple[str, ...]:
    """Tell of the turns before an episode that none tells of; return the new files, by path.

    The caller has synced the index and commits afterwards. A session is looked at whose episodes
    leave some out, as where one was taken away.
    """
    told: dict[str, list[Record]] = {}
    ours = Filter(type="episode", outcome="", below="agents")
    for it in store.index.records(ours, body=False):
        told.setdefault(transcript_files.path(it.agent, it.session), []).append(it)
    made: list[str] = []
    for path in (path for path, episodes in told.items() if _leave_some_out(episodes)):
        agent = told[path][0].agent
        spoken = [it for it in transcripts.of(store.root, agent) if it.turns]
        work = _FoldRun(store, agent, guarded(summarizer), newest=spoken[-1].path if spoken else "")
        for transcript in (it for it in spoken if it.path == path):
            work.retry(partial(work.fold, transcript, force=False))
        made += work.episodes
    return tuple(made)


def _leave_some_out(episodes: Sequence[Record]) -> bool:
    """Tell whether some turn before the last of *episodes* of one session is in none of them."""
    end = 0
    for it in sorted(episodes, key=lambda e: (e.turn_start, e.turn_end)):
        if it.turn_start > end + 1:
            return True
        end = max(end, it.turn_end)
    return False


def _degraded(store: Store, agent: str, wanted: Wanted) -> list[Record]:
    """Return the episodes that were written in a model's place, and are to be rewritten."""
    if wanted.redo == "none":
        return []
    told = Filter(type="episode", agent=agent, outcome="", degraded=True, below="agents")
    episodes = store.index.records(told)
    return [e for e in episodes if compaction.redoable(e, refused=wanted.redo == "all")]


class _FoldRun:
    """One agent's fold in progress, one operation however many steps it takes."""

    def __init__(self, store: Store, agent: str, ask: Guarded, newest: str) -> None:
        self.store, self.agent, self.ask, self.newest = store, agent, ask, newest
        self.op = ""
        self.episodes: list[str] = []
        self.topics: list[str] = []
        self._read_topics: dict[str, tuple[str, Topic, bytes]] = {}

    def result(self) -> Folding:
        """Return what was made."""
        topics = tuple(dict.fromkeys(self.topics))
        reason = "" if self.episodes or topics else "no session has turns that are due"
        return Folding(self.agent, tuple(self.episodes), topics, reason, self.op)

    def retry(self, step: Callable[[], bool]) -> bool:
        """Take *step*, again when the ground moved; return whether it found something to do."""
        return self.store.retry(step)

    # --- turns into episodes ------------------------------------------------------------------

    def fold(self, transcript: Transcript, *, force: bool) -> bool:
        """Make the episodes of one session that are due."""
        config = self.store.config()
        config = replace(config, session_strategy="fold") if force else config
        due = folding.stretches(
            held.of(self.store, transcript, newest=self.newest, force=force), config
        )
        if not due:
            return False
        transcript = self.store.hand_turns.marked(transcript)
        told = material.told(self.store, transcript)
        parts = [material.part(transcript.turns, told, s.first, s.last) for s in due]
        episodes = [
            self.ask.episode(self._task(transcript, stretch, part, told))
            for stretch, part in zip(due, parts, strict=True)
        ]
        sources = [
            Source(self.agent, transcript.session, transcript.path, stretch, part.trust)
            for stretch, part in zip(due, parts, strict=True)
        ]
        changes = tuple(self._changes(sources, episodes))
        self._carry_out(changes, episodes[0].model, sources)
        self.episodes += [c.path for c in changes]
        for change in changes:
            _log.info("folded: %s, %s", change.path, change.reason)
        return True

    def _task(
        self, transcript: Transcript, stretch: Stretch, part: Material, told: Sequence[Turn]
    ) -> FoldTask:
        turns = tuple(t for t in part.turns if t.origin != folding.ENDED)
        return FoldTask(
            turns,
            stretch.first,
            transcript.session,
            self.agent,
            later=transcript.turns[stretch.last : stretch.last + LATER],
            opening=material.opening(told, stretch.first, part.trust),
        )

    def _changes(
        self, sources: Sequence[Source], asked: Sequence[Made[Episode]]
    ) -> Iterator[Change]:
        number = folding.number(session_queries.episode_stems(self.store.index, self.agent))
        now = iso(self.store.clock())
        ids = self.store.mint_many(len(sources))
        for n, (source, made) in enumerate(zip(sources, asked, strict=True)):
            yield folding.episode(source, made, number + n, (ids[n], now))

    # --- episodes into topics -----------------------------------------------------------------

    def distill(self) -> bool:
        """Distill the oldest episodes when enough of them wait."""
        known_episodes = self._records("episode")
        ripe = folding.to_distill(known_episodes, self.store.config())
        if not ripe:
            return False
        known = {topic.slug: (topic, path, data) for topic, path, data in self._known_topics()}
        bodies = {r.path: r.body for r in self.store.index.at([r.path for r in ripe])}
        episodes = tuple(
            (r.path.removesuffix(".md"), markdown.parse_episode(bodies[r.path], r.title))
            for r in ripe
            if r.path in bodies
        )
        topics = tuple(topic for topic, _, _ in known.values())
        sessions = {r.path.removesuffix(".md"): r.session for r in known_episodes}
        made = self.ask.topics(DistillTask(episodes, topics, self.agent, sessions=sessions))
        now = iso(self.store.clock())
        changes = [self._topic(topic, made, known.get(topic.slug), now) for topic in made.value]
        marks = [folding_files.distilled(r.path, self._data(r.path), now) for r in ripe]
        self._carry_out((*changes, *marks), made.model)
        self.topics += [c.path for c in changes]
        _log.info("distilled: %d episodes into %d topics", len(ripe), len(made.value))
        return True

    # --- what a model was away for ------------------------------------------------------------

    def improve(self, old: Record) -> bool:
        """Tell an episode again that was told in a model's place, if a better one is to be had."""
        transcript = transcripts.load(
            self.store.root, transcript_files.path(self.agent, old.session)
        )
        turns = transcript.turns[old.turn_start - 1 : old.turn_end] if transcript else ()
        if transcript is None or not turns:
            return False
        transcript = self.store.hand_turns.marked(transcript)
        told = material.told(self.store, transcript)
        part = material.part(transcript.turns, told, old.turn_start, old.turn_end)
        made = self.ask.episode(self._task(transcript, Stretch(old.turn_start, turns), part, told))
        data, now = self._data(old.path), iso(self.store.clock())
        if made.model == old.model and not made.degraded:
            return False  # nobody but the offline summarizer was asked
        if made.degraded:
            # A model answers again, and badly: nobody asks it unbidden.
            if not old.degraded.startswith("refused") and made.degraded.startswith("refused"):
                self._carry_out((folding_files.refused(old.path, data, made.degraded),), "")
            return False
        self._carry_out((folding.again(old, data, made, now, part.trust),), made.model)
        self.episodes.append(old.path)
        return True

    def _topic(
        self,
        topic: Topic,
        made: Made[tuple[Topic, ...]],
        known: tuple[Topic, str, bytes] | None,
        now: str,
    ) -> Change:
        one = Made(topic, made.model, made.prompt, made.degraded)
        if known:
            before, path, data = known
            change = folding.topic(self.agent, (before, data), one, (path, "", now))
            if self._can_be_undone(change):
                return change
        slug = topic.slug if files.fits(f"{topic.slug}.md") else f"topic-{topic.slug}"
        path = self._free(slug, {known[1]} if known else set())
        return folding.topic(self.agent, None, one, (path, self.store.mint(), now))

    def _can_be_undone(self, change: Change) -> bool:
        """Tell whether git has, or now gets, what *change* takes out of a topic."""
        try:
            human_edits.keep_words(self.store, [change])
        except Refused as e:
            _log.warning("what is new is written beside %s: %s", change.path, e)
            return False
        return True

    def _free(self, slug: str, taken: AbstractSet[str]) -> str:
        """Return the path of a new topic; an untrusted one of its name is none to add to."""
        left = {r.path for r in self._records("topic") if not is_trusted(r)} | taken
        names = chain([slug], (f"{slug}-{n}" for n in count(2)))
        paths = (f"agents/{self.agent}/topics/{name}.md" for name in names)
        return next(path for path in paths if path not in left)

    def _known_topics(self) -> Iterator[tuple[Topic, str, bytes]]:
        """Yield the trusted topics; only what changed since the last step is read again."""
        for record in filter(is_trusted, self._records("topic")):
            sha, topic, data = self._read_topics.get(record.path, ("", None, b""))
            if topic is None or sha != record.sha:
                data = self._data(record.path)
                body = frontmatter.read(data).body
                topic = markdown.read_topic(body, record.stem, record.title, record.description)
                self._read_topics[record.path] = record.sha, topic, data
            yield topic, record.path, data

    def _records(self, kind: str) -> list[Record]:
        broken = {p.path for p in self.store.index.problems()}
        ours = Filter(type=kind, agent=self.agent, below="agents")
        found = self.store.index.records(ours, body=False)
        return [r for r in found if r.path not in broken]

    def _data(self, path: str) -> bytes:
        data = self.store.texts.read(path)
        if data is None:
            raise StaleWrite(path, "", None)
        return data

    # --- both ---------------------------------------------------------------------------------

    def _carry_out(
        self, changes: tuple[Change, ...], model: str, claims: Sequence[Source] = ()
    ) -> None:
        self.op = self.op or self.store.mint()
        paths = {*self.episodes, *self.topics, *(c.path for c in changes)}
        topics = sum("/topics/" in path for path in paths)
        episodes = len(paths) - topics
        what = f"{episodes} episode{'s' * (episodes != 1)}"
        what += f", {topics} topic{'s' * (topics != 1)}" if topics else ""
        pointers = pointed_index.change(self.store, changes)
        plan = Plan(
            self.op, "fold", f"fold({self.agent}): {what}", (*changes, *pointers), self.agent,
            trust="agent", model=model,
        )  # fmt: skip
        self.store.apply(plan, partial(self._refuse_folded, claims))

    def _refuse_folded(self, claims: Sequence[Source]) -> None:
        """Raise StaleWrite when another process folded the same turns meanwhile."""
        for claim in claims:
            turns, index = (claim.stretch.first, claim.stretch.last), self.store.index
            if taken := session_queries.overlapping_episode(
                index, self.agent, claim.session, turns
            ):
                raise StaleWrite(taken, None, "told")
