"""What would like to stand in a context: read from the vault, in the order of its worth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from vaultmem.documents import foreign_fields, origin, part_trust
from vaultmem.documents.bodies import working_text
from vaultmem.documents.part_trust import TOOL_LINES
from vaultmem.records import INSTRUCTS, PERSONS, TRUST, Record
from vaultmem.retrieval.context import topic_items, turn_lines
from vaultmem.retrieval.context.budget import Shares
from vaultmem.retrieval.context.deduplication import distinctive_words, holds
from vaultmem.retrieval.context.items import Piece, spoken
from vaultmem.retrieval.context.lookup import Lookup, Offer
from vaultmem.retrieval.context.record_queries import Reader, may_be_told
from vaultmem.retrieval.context.types import CARDS, PROFILE, STANDING, Wanted
from vaultmem.retrieval.search.types import Dense
from vaultmem.storage.index import Filter
from vaultmem.storage.store import Store

_TOPICS = 200
"""So many of the topics that were changed last are looked at, for all their items to stand in."""

_NAME = re.compile(r"[^\W\d_][\w.'-]{0,15}(?: [\w.'-]{1,16}){0,2}")
_PEOPLE = 5


@dataclass(frozen=True, slots=True)
class Layers:
    """All that would like to stand in a context, each layer in its order.

    *standing* are profile, cards and standing instructions below their headings, the most important
    first; *history* is all that the agent remembers, where a question might have room for it;
    *people* are who is spoken to; *scores* are recall's, of all that it found; *base* are
    the shares that the config sets.
    """

    now: datetime
    base: Shares
    window: int
    always_included: tuple[tuple[str, Piece], ...]
    older: tuple[Piece, ...]
    recent: tuple[Piece, ...]
    found: tuple[Piece, ...]
    outside: tuple[Piece, ...]
    skills: tuple[Offer, ...]
    durable: tuple[Piece, ...]
    related: tuple[Piece, ...]
    episodes: tuple[Piece, ...]
    working: tuple[Piece, ...]
    immediate: tuple[Piece, ...]
    history: tuple[Piece, ...]
    people: tuple[str, ...]
    scores: tuple[float, ...]
    degraded_reason: str | None


def gather(
    store: Store, wanted: Wanted, dense: Dense | None, outside: Sequence[Record] = ()
) -> Layers:
    """Return what the vault at *store* has for what is *wanted*.

    *outside* is what another retriever found: of the vault's own what may be told, of others all.
    """
    turns = store.turns() if wanted.query.strip() else None
    reader = Reader(store, wanted.agent, store.clock(), turns, wanted.session)
    config = store.config()
    window = config.immediate_window
    lookup = Lookup(reader, wanted.query, dense)
    answer = lookup.search()
    older, recent = _summaries(reader)
    newest = _immediate(reader, window)
    holding = lookup.holding(answer.hits)
    items, beside = topic_items.divided(
        [record for record, _ in holding], _topics(reader), config.context_topic_items
    )
    in_transcript = wanted.form == "transcript"
    episodes = Filter(type="episode", agent=reader.agent)
    return Layers(
        now=reader.now,
        base=Shares(*(percent / 100 for percent in config.context_shares)),
        window=window,
        always_included=tuple(_always_included(reader)),
        older=reader.pieces(older),
        recent=reader.pieces(recent),
        found=tuple(lookup.found(holding, wanted.budget, items)),
        outside=reader.pieces(r for r in outside if not r.id or reader.holds(r)),
        skills=tuple(lookup.skills()),
        durable=reader.pieces(beside),
        related=reader.pieces(lookup.related([*older, *recent])),
        episodes=reader.pieces(reader.records(episodes, newest=config.context_episodes)),
        working=reader.pieces(_in_hand(reader)),
        immediate=_spoken(newest, wanted) if in_transcript else reader.talk(newest),
        history=() if in_transcript else _history(reader, wanted.budget),
        people=_people(newest, wanted.agent),
        scores=tuple(hit.score for hit in answer.hits),
        degraded_reason=answer.degraded_reason,
    )


def relevant_summaries(store: Store, wanted: Wanted, dense: Dense | None) -> tuple[Record, ...]:
    """Return the summaries and episodes that fit the question best, as RELATED shows them.

    Left out are those that stand in every context.
    """
    reader = Reader(store, wanted.agent, store.clock())
    older, recent = _summaries(reader)
    return tuple(Lookup(reader, wanted.query, dense).related([*older, *recent]))


def _always_included(reader: Reader) -> Iterator[tuple[str, Piece]]:
    """Yield what is always in, the most important first, should not even that have room."""
    profile = [(PROFILE, r) for r in reader.own("agent.md")]
    tagged = reader.store.index.tagged(INSTRUCTS, reader.ours)
    rest = [(STANDING, r) for r in tagged if _is_obeyed(reader, r)]
    rest += [(CARDS, r) for r in reader.records(replace(reader.ours, type="card"))]
    for heading, record in [*profile, *sorted(rest, key=lambda x: -x[1].importance)]:
        yield heading, reader.piece(record, standing="yes" if _is_obeyed(reader, record) else "")


def _is_obeyed(reader: Reader, record: Record) -> bool:
    """Tell whether *record* is to be followed: a person's own words, and true now.

    A page that a person trusts is still a page: it may tell, and not command.
    """
    own = record.trust in PERSONS and not origin.is_fetched(record.source)
    return own and reader.holds(record)


def _summaries(reader: Reader) -> tuple[list[Record], list[Record]]:
    """Return the long-term summary, and the newest short-term one unless that tells it too."""
    longterm = Filter(type="summary", agent=reader.agent, tier="longterm", identified=True)
    older = reader.records(longterm)[:1]
    recent = reader.store.index.newest_summary(reader.agent)
    if recent is None or not may_be_told(recent) or any(_absorbed(recent, o) for o in older):
        return older, []
    return older, [recent]


def _absorbed(recent: Record, older: Record) -> bool:
    named = recent.path.removesuffix(".md") in older.sources
    return named or holds(distinctive_words(older.body), distinctive_words(recent.body))


def _topics(reader: Reader) -> Iterator[Record]:
    """Return the topics that are the agent's or nobody's, the one last changed first."""
    newest = reader.records(replace(reader.ours, type="topic"), newest=_TOPICS)
    return filter(reader.holds, reversed(newest))


def _in_hand(reader: Reader) -> Iterator[Record]:
    """Yield the agent's working memory as a prompt shows it, what a tool said of it by itself."""
    for record in reader.store.index.at([f"agents/{reader.agent}/working.md"]):
        head = reader.head(record)
        body = working_text.shown(head, record.body)
        if marks := {*foreign_fields.texts(head.get(TOOL_LINES))}:
            own, told = working_text.divided(body, marks)
            rest = origin.read(part_trust.of_the_rest(head), "working", body)
            made = replace(record, trust=rest.trust, body=own)
            yield from filter(may_be_told, [made])
            # A page takes each source once.
            yield replace(record, path=f"{record.path}#tools", trust="untrusted", body=told)
        elif may_be_told(record):
            yield replace(record, body=body)


def _immediate(reader: Reader, window: int) -> list[Record]:
    return _as_they_are(reader, reader.records(_mine(reader), newest=window))


def _history(reader: Reader, budget: int) -> tuple[Piece, ...]:
    """Return all that the agent remembers, unless it has more words than the *budget* tokens."""
    told = reader.all_within(_mine(reader), budget)
    return reader.talk(_as_they_are(reader, told)) if told else ()


def _mine(reader: Reader) -> Filter:
    return Filter(type="memory", agent=reader.agent, below="agents", identified=True)


def _as_they_are(reader: Reader, newest: Sequence[Record]) -> list[Record]:
    unsound = {problem.path for problem in reader.store.index.problems()}
    current = (m for m in newest if not m.superseded_by)
    return [now for m in current for now in _current(reader, m, unsound=m.path in unsound)]


def _spoken(memories: Sequence[Record], wanted: Wanted) -> tuple[Piece, ...]:
    """Print *memories* as the lines of a transcript, which a base model goes on with."""
    return tuple(spoken(m, _speaker(m) or wanted.agent) for m in memories)


def _speaker(memory: Record) -> str:
    """Return who said a memory: a plain name, or `user`; "" is the agent."""
    if _NAME.fullmatch(memory.speaker):
        return memory.speaker
    return "user" if turn_lines.says_a_person(memory) else ""


def _current(reader: Reader, memory: Record, *, unsound: bool) -> Sequence[Record]:
    """Return *memory* as its file has it now, or as it was last where that is unsound."""
    if reader.still(memory):
        return (memory,)
    now = reader.anew(memory)
    if now is None:
        return ()
    if now.problem or unsound:
        return (memory,)
    return (now,) if TRUST.index(now.trust) >= TRUST.index("agent") else ()


def _people(newest: Sequence[Record], agent: str) -> tuple[str, ...]:
    """Return who spoke in the session of the last memory, but for the agent and mere roles.

    They stand outside of any fence, so what is no plain name is left out.
    """
    session = newest[-1].session if newest else ""
    speakers = (r.speaker for r in newest if r.session == session)
    names = dict.fromkeys(s for s in speakers if s.lower() not in turn_lines.ROLES | {agent})
    return tuple(name for name in names if _NAME.fullmatch(name))[:_PEOPLE]
