"""One session as a folded memory: its episodes, what lasts of them, and the turns since.

What topics took up is in the episodes no longer. A tool's answer stays here unless what is not
trusted is asked for: the turn says which tool it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from vaultmem.documents.bodies import (
    Decision,
    Eliminated,
    Fact,
    Topic,
    TopicDecision,
    TopicEliminated,
    json_format,
    markdown,
)
from vaultmem.errors import BadInput
from vaultmem.exchange.exporting import service, told_turns
from vaultmem.exchange.exporting.service import Exported, Left
from vaultmem.exchange.formats import folded_origins
from vaultmem.exchange.formats.folded import SUFFIX
from vaultmem.exchange.formats.folded_file import (
    Decided,
    Details,
    EpisodeDetails,
    FoldedEpisode,
    FoldedFile,
    FoldedLayers,
    FoldedTurn,
    RuledOut,
    Semantic,
    TurnDetails,
    is_ours,
    text,
)
from vaultmem.memory import folding, sessions
from vaultmem.records import Record, is_trusted
from vaultmem.storage.index import Filter, session_queries
from vaultmem.storage.reader import link_target
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn

_UNTRUSTED = "it is not trusted"


def of_session(
    store: Store, session: str, path: Path, *, agent: str = "", untrusted: bool = False
) -> Exported:
    """Write what is known of a *session* as the file *path*, or into the folder that this is.

    Raises BadInput for a session that there is not, Refused for a file that is not ours,
    DiskRefused, and Unavailable where something cannot be read.
    """
    if not session:
        raise BadInput("a folded memory is of one session: name it, `export folded SESSION`")
    found = sessions.find(store, session, agent)
    service.refuse_inside(store, path)
    service.refuse_unread(store)
    work = _SessionExport(store, found, Counter(), untrusted=untrusted)
    whole = work.file()
    stem = PurePosixPath(work.transcript.path).stem
    put = service.file(path / f"{stem}{SUFFIX}" if path.is_dir() else path, text(whole), is_ours)
    items = sum(len(each) for each in whole.memory.semantic.model_dump().values())
    return replace(
        put, notes=len(whole.memory.episodes) + items, turns=len(whole.l1_turns),
        left_out=tuple(Left(why, n) for why, n in work.left.most_common()),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _SessionExport:
    """One session on its way out, and what of it is left behind."""

    store: Store
    transcript: Transcript
    left: Counter[str]
    untrusted: bool

    def file(self) -> FoldedFile:
        """Return what the file says."""
        every = self._episodes()
        numbers = list(_numbers(every, self._carried))
        kept = [(n, it) for n, it in zip(numbers, every, strict=True) if self._is_told(it)]
        turns = self._turns(max((it.turn_end for it in every), default=0))
        following = max([0, *(n + 1 for n in numbers), *self._carried.values()])
        seen = max([self._seen, *(it.turn_end for it in every)])
        memory = FoldedLayers(
            semantic=self._semantic(every),
            episodes=tuple(_episode(n, it) for n, it in kept),
            current_episode_id=following,
            total_turns_seen=seen,
        )
        return FoldedFile(
            memory=memory,
            l1_turns=tuple(self._turn(turn) for _, turn in turns),
            current_episode_id=following,
            total_turns_seen=seen,
            details=Details(
                session=self.transcript.session,
                began=next((turn.at for turn in self.transcript.turns[:1]), ""),
                turns=tuple(_turn_details(turn) for _, turn in turns),
                episodes=tuple(_episode_details(it) for _, it in kept),
            ),
        )

    @property
    def _seen(self) -> int:
        """How many turns there were; the end of the session is none."""
        turns = enumerate(self.transcript.turns, 1)
        return max((n for n, turn in turns if turn.origin != folding.ENDED), default=0)

    @property
    def _carried(self) -> dict[int, int]:
        """The id that the next episode had after a turn, where a folded memory said so."""
        turns = enumerate(self.transcript.turns, 1)
        found = ((n, folded_origins.following_id(turn.origin)) for n, turn in turns)
        return {n: following for n, following in found if following}

    def _is_told(self, episode: Record) -> bool:
        """Tell whether *episode* goes out: topics have taken it up, or it is not trusted."""
        if episode.distilled:
            return False
        if not self.untrusted and not is_trusted(episode):
            self.left[_UNTRUSTED] += 1
            return False
        return True

    def _episodes(self) -> list[Record]:
        """Return the episodes of the session in the order of its turns."""
        of = self.transcript
        found = session_queries.episodes(self.store.index, of.agent, of.session)
        return sorted(found, key=lambda it: (it.turn_start, it.id))

    def _turns(self, folded: int) -> list[tuple[int, Turn]]:
        """Return the turns that no episode tells of, with their numbers."""
        since = enumerate(self.transcript.turns[folded:], folded + 1)
        return [(n, t) for n, t in since if t.content and t.origin != folding.ENDED]

    def _turn(self, turn: Turn) -> FoldedTurn:
        said = told_turns.content(turn, self.left, untrusted=self.untrusted)
        # A model is asked with messages of these two alone.
        return FoldedTurn(role="assistant" if turn.role == "assistant" else "user", content=said)

    def _semantic(self, episodes: Sequence[Record]) -> Semantic:
        """Return the items of topics that rest on this session."""
        rests_on = {self.transcript.path, *(it.path.removesuffix(".md") for it in episodes)}
        topics = [_resting(_parsed(record), rests_on) for record in self._topics()]
        return Semantic(
            facts=tuple(_sentence(it) for topic in topics for it in topic.facts),
            decisions=tuple(_decided(it.decision) for topic in topics for it in topic.decisions),
            eliminated_approaches=tuple(
                _ruled_out(it.eliminated) for topic in topics for it in topic.eliminated
            ),
            patterns=tuple(_sentence(it) for topic in topics for it in topic.patterns),
        )

    def _topics(self) -> Iterator[Record]:
        """Yield the agent's own topics and the shared ones, in order; what is ended is none."""
        found = self.store.index.records(
            Filter(type="topic", agent=("", self.transcript.agent), recallable=True)
        )
        for record in sorted(found, key=lambda r: (r.created, r.path)):
            if not record.problem and not record.superseded_by:
                if self.untrusted or is_trusted(record):
                    yield record
                else:
                    self.left[_UNTRUSTED] += 1


def _resting(topic: Topic, on: AbstractSet[str]) -> Topic:
    """Return *topic* with the items alone that name a source of these."""

    def rests(it: Fact | TopicDecision | TopicEliminated) -> bool:
        return not on.isdisjoint(map(link_target, it.sources))

    return replace(
        topic, facts=tuple(filter(rests, topic.facts)),
        patterns=tuple(filter(rests, topic.patterns)),
        decisions=tuple(filter(rests, topic.decisions)),
        eliminated=tuple(filter(rests, topic.eliminated)),
    )  # fmt: skip


def _numbers(episodes: Iterable[Record], carried: Mapping[int, int]) -> Iterator[int]:
    """Yield the id of each episode: the one it came with, else the next one.

    *carried* has the id that followed on a turn elsewhere.
    """
    following = 0
    for it in episodes:
        own = folded_origins.episode_id(it.origin)
        before = [following, *(to for turn, to in carried.items() if turn < it.turn_start)]
        following = max(before if own is None else (following, own)) + 1
        yield following - 1


def _episode(number: int, record: Record) -> FoldedEpisode:
    it = markdown.parse_episode(record.body, record.title)
    return FoldedEpisode(
        episode_id=number,
        turn_range=(record.turn_start, record.turn_end),
        summary=it.summary,
        decisions=tuple(map(_decided, it.decisions)),
        eliminated=tuple(map(_ruled_out, it.eliminated)),
        open_questions=it.open_questions,
        tool_results=dict(json_format.by_name(it.tool_results)),
    )


def _episode_details(record: Record) -> EpisodeDetails:
    it = markdown.parse_episode(record.body, record.title)
    return EpisodeDetails(
        title=record.title,
        created=record.created,
        trust="" if is_trusted(record) else "untrusted",
        corrections=it.corrections,
        preferences=it.preferences,
    )


def _turn_details(turn: Turn) -> TurnDetails:
    role = turn.role if turn.role in {"tool", "system"} else ""
    return TurnDetails(role=role, speaker=turn.speaker, at=turn.at, tool=turn.tool)  # type: ignore[arg-type]  # one of these


def _sentence(fact: Fact) -> str:
    """Return a fact with why it is so and how to apply it, as one text."""
    parts = ((label, said) for label, said in (("Why", fact.why), ("How to apply", fact.how)))
    return " ".join([fact.text, *(f"{label}: {said}" for label, said in parts if said)])


def _decided(it: Decision) -> Decided:
    return Decided(decision=it.decision, reason=it.reason, constraint=it.constraint)


def _ruled_out(it: Eliminated) -> RuledOut:
    return RuledOut(approach=it.approach, why=it.why)


def _parsed(record: Record) -> Topic:
    return markdown.read_topic(record.body, record.stem, record.title, record.description)
