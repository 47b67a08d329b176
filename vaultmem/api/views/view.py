"""One view of a vault, present or past: its files, sessions and cards, by one way to read them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from vaultmem.api.agent_files import Missing, paths
from vaultmem.api.views import places as view_places
from vaultmem.api.views.types import (
    CardFact,
    Conversation,
    Doubt,
    Relation,
    SessionBrief,
    Utterance,
    ViewedCard,
    ViewedFile,
)
from vaultmem.documents import frontmatter, hidden_text, public_text
from vaultmem.documents.public_text import quoted
from vaultmem.errors import NotFound, Unreadable
from vaultmem.knowledge import tasks
from vaultmem.knowledge.cards import names as card_names
from vaultmem.knowledge.cards import social_graph
from vaultmem.knowledge.cards.listing import CardListing
from vaultmem.knowledge.cards.types import Text
from vaultmem.knowledge.tasks import Graph
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.maintenance.provenance import card_claims, sources
from vaultmem.memory import memory_index
from vaultmem.records import Problem, Record, first_line
from vaultmem.retrieval.search.types import Scope
from vaultmem.storage import files, reader, transcript_files, transcripts
from vaultmem.storage.index import Filter, count_queries, view_queries
from vaultmem.storage.index.count_queries import InboxCounts
from vaultmem.storage.index.view_queries import DayCount, FolderEntry, LinkedFiles, Span
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript

_TITLE = 60
"""Characters of what stands for a title."""
_LATELY = 5000
"""Memories that tell who speaks lately."""


class View:
    """The vault of *store* at one moment, as far as *agent* may know of it; "" may know all."""

    def __init__(self, store: Store, agent: str = "", *, past: bool = False) -> None:
        """Look at *store*, whose index is up to date; *past*: it is a snapshot."""
        self._store, self.agent, self.is_past = store, agent, past

    @property
    def when(self) -> datetime:
        """The moment it shows."""
        return self._store.clock()

    # --- at a glance --------------------------------------------------------------------------

    def counts(self) -> Mapping[str, int]:
        """Return how many files of each type may be recalled."""
        return view_queries.counts(self._store.index, self.agent)

    def days(self, after: str = "", before: str = "") -> Sequence[DayCount]:
        """Return the days that memories are dated on, between two times (ISO 8601)."""
        return view_queries.days(self._store.index, self.agent, after=after, before=before)

    def spans(self) -> Sequence[Span]:
        """Return summaries, episodes and topics with the time that each tells of."""
        return view_queries.spans(self._store.index, self.agent)

    def links(  # noqa: PLR0913  # what restricts them, by name
        self,
        types: Iterable[str],
        most: int,
        *,
        agent: str = "",
        person: str = "",
        trust: str = "",
        after: str = "",
        before: str = "",
    ) -> Sequence[LinkedFiles]:
        """Return at most *most* links between files of *types*; raises BadInput for a bad date.

        They are those of *agent*, "" for all, and what is shared. Both files have the least
        *trust*; a *person* said one of them, or it is about them; what is named tells of the time
        between two dates, both included.
        """
        scope = Scope(after=after, before=before, person=person, trust=trust)
        meant = replace(scope.filter(), type=tuple(types))
        return view_queries.links(self._store.index, self.agent or agent, meant, most)

    def people(self) -> Sequence[str]:
        """Return the people there are cards of, and who spoke lately, by name."""
        return view_queries.speakers(self._store.index, _LATELY, self.agent)

    def waiting(self) -> InboxCounts:
        """Return how many things wait in the inbox for a person; none for a single agent."""
        if self.agent:
            return InboxCounts(0, 0, 0, 0)
        return count_queries.inbox(self._store.index)

    def problems(self) -> Sequence[Problem]:
        """Return what is wrong with single files."""
        found = self._store.index.problems()
        return [problem for problem in found if paths.concerns(problem.path, self.agent)]

    def held(self) -> Sequence[str]:
        """Return the paths of files that are kept out of the history."""
        return [path for path in self._store.index.held() if paths.concerns(path, self.agent)]

    def agents(self) -> Sequence[str]:
        """Return the agents that have files."""
        return [self.agent] if self.agent else self._store.index.agents()

    # --- records ------------------------------------------------------------------------------

    def records(  # noqa: PLR0913  # what restricts them, by name
        self,
        kind: str | tuple[str, ...] = "",
        *,
        agent: str = "",
        tier: str = "",
        after: str = "",
        before: str = "",
        newest: int | None = None,
        body: bool = False,
    ) -> Sequence[Record]:
        """Return the records of type *kind* that may be recalled or are archived, in time."""
        scope: str | tuple[str, ...] = ("", self.agent) if self.agent else agent
        meant = Filter(type=kind, agent=scope, tier=tier, after=after, before=before, kept=True)
        return self._store.index.records(meant, newest=newest, body=body)

    def folder(self, path: str = "") -> Sequence[FolderEntry]:
        """Return what lies in the folder at *path*, "" for the vault: folders first, by name."""
        found = view_queries.folder(self._store.index, path, self.agent)
        start = f"{path}/" if path else ""
        return [it for it in found if paths.concerns(f"{start}{it.name}/x", self.agent)]

    def at(self, wanted: Iterable[str]) -> Mapping[str, Record]:
        """Return the records of the files at paths, by path, without their texts."""
        found = self._store.index.at(list(wanted), body=False)
        return {r.path: r for r in found if paths.concerns(r.path, self.agent)}

    def titles(self, wanted: Iterable[str]) -> Mapping[str, str]:
        """Return what the files at paths are called, by path: a memory by what it says first."""
        found = self._store.index.at(list(wanted))
        return {
            r.path: r.title or first_line(r.body.lstrip("# "), _TITLE) or r.stem
            for r in found
            if paths.concerns(r.path, self.agent)
        }

    def resolve(self, links: Iterable[str]) -> Mapping[str, str]:
        """Return the paths that *links* (names, ids, paths without `.md`) lead to, by link."""
        wanted = list(dict.fromkeys(links))
        found = {name: r.path for name, r in sources.known(self._store, wanted).items()}
        rest = [name for name in wanted if name not in found]
        said = {name: name for name in rest if transcript_files.holds(name)}
        return {n: p for n, p in {**said, **found}.items() if paths.concerns(p, self.agent)}

    def named(self, ref: str) -> Sequence[Record]:
        """Return what *ref* may mean: one file, or several, or none; without their texts.

        It is an id or the last six letters or more of one, a path, a name, a `[[link]]`, a card's
        `category/key`, a title, an alias, or the number of a task; a heading (`#…`) or a line
        (`:12`) may stand behind it. On a Mac the letters of a name may have come apart.
        """
        bare = view_places.without(reader.link_target(ref))
        refs = dict.fromkeys((ref, bare, unicodedata.normalize("NFD", bare)))
        found = next(filter(None, map(self._named, filter(None, refs))), ())
        return [r for r in found if paths.concerns(r.path, self.agent)]

    def place(self, ref: str) -> str:
        """Return the heading (`#…`) or line (`:12`) behind *ref*, "" where all of it is a name."""
        return "" if self._named(ref) else view_places.of(ref)

    def _named(self, ref: str) -> Sequence[Record]:
        if transcript_files.holds(ref):
            return [_transcript(ref)] if self._store.texts.own_alone(ref) is not None else []
        index = self._store.index
        found = index.named(ref) or index.named(card_names.path(ref)) or index.titled(ref)
        if not found and (number := tasks.named(ref)):
            return index.named(tasks.stem_of(number))
        return found

    def backlinks(self, record: Record) -> Sequence[Record]:
        """Return what names *record* as a source or in its text."""
        whole = record.path.removesuffix(".md")
        names = [whole] if record.type not in {"memory", "card", "topic"} else [whole, record.stem]
        found = self._store.index.linking(names)
        return [r for r in found if r.path != record.path and paths.concerns(r.path, self.agent)]

    # --- one file -----------------------------------------------------------------------------

    def file(self, path: str) -> ViewedFile:
        """Return the file at *path*; raises Missing, BadInput or Refused."""
        data = self._own(path)
        public = public_text.of_bytes(data)
        whole = self._store.texts.public(path, data).decode("utf-8", "replace")
        text = memory_index.visible(path, whole, self.agent)
        found = files.content(data)
        if transcript_files.holds(path):
            return ViewedFile(
                _transcript(path, found.sha), text, text, 1, {}, hidden_text.find(text),
                public.held, found.sha,
            )  # fmt: skip
        record = self._store.index.marked(self._store.texts.record(path, found))
        try:
            doc = reader.parsed(path, text)
            properties = frontmatter.fields(doc, reader.most_frontmatter(path))
            body = doc.body
        except Unreadable:
            properties, body = {}, text
        return ViewedFile(
            record, text, body, record.body_line, properties, hidden_text.find(text),
            public.held, found.sha, record.problem,
        )  # fmt: skip

    def own_text(self, path: str) -> str:
        """Return all that the file at *path* says, private parts and credentials, too."""
        text = self._own(path).decode("utf-8", "replace")
        return memory_index.visible(path, text, self.agent)

    def shows_all_of(self, path: str) -> bool:
        """Tell whether the whole file at *path* is shown: of MEMORY.md an agent sees a part."""
        return not self.agent or path != memory_index.PATH

    def _own(self, path: str) -> bytes:
        paths.given(path)
        is_one = files.is_note(path) or transcript_files.holds(path)
        if not is_one or not paths.concerns(path, self.agent):
            raise Missing(path)
        data = self._store.texts.own_alone(path)
        if data is None:
            raise Missing(path)
        return data

    # --- conversations ------------------------------------------------------------------------

    def sessions(self) -> Sequence[SessionBrief]:
        """Return the sessions there are, with a transcript or remembered, the last one first."""
        held = {
            (path.split("/")[1], path): path
            for path in self._store.transcripts()
            if paths.concerns(path, self.agent)
        }
        found = []
        for it in view_queries.sessions(self._store.index, self.agent):
            # Thousands of names are not worth making where nothing was kept turn by turn.
            where = (it.agent, transcript_files.path(it.agent, it.session)) if held else ("", "")
            path = held.pop(where, "")
            found.append(SessionBrief(it.agent, it.session, path, it.memories, it.first, it.last))
        found += [self._brief(path) for path in held.values()]
        return sorted(found, key=lambda it: (it.last, it.session), reverse=True)

    def _brief(self, path: str) -> SessionBrief:
        held = self._transcript(path)
        times = [turn.at for turn in held.turns if turn.at] or [""]
        return SessionBrief(held.agent, held.session, path, 0, min(times), max(times))

    def conversation(self, agent: str, session: str) -> Conversation:
        """Return a session to read; raises NotFound where there is none."""
        path = transcript_files.path(agent, session)
        if not paths.concerns(path, self.agent):
            raise NotFound(f"{agent} has no session {quoted(session)}")
        ours = Filter(type="episode", agent=agent, session=session, below="agents")
        told = self._store.index.records(ours)
        data = self._store.texts.own(path)
        said = _turns(transcripts.parse(path, data)) if data is not None else ()
        if not said:
            meant = Filter(type="memory", agent=agent, session=session, kept=True)
            said = tuple(
                Utterance(n, "", r.speaker or r.source, r.created, r.body, r.path)
                for n, r in enumerate(self._store.index.records(meant), 1)
            )
        if not said:
            raise NotFound(f"{agent} has no session {quoted(session)}")
        there = path if data is not None else ""
        return Conversation(agent, session, there, said, tuple(told))

    def _transcript(self, path: str) -> Transcript:
        return transcripts.parse(path, self._store.texts.own(path) or b"")

    # --- cards and tasks ----------------------------------------------------------------------

    def card(self, path: str) -> ViewedCard:
        """Return the card at *path*; raises Unreadable."""
        listing = CardListing(self._store)
        held = listing.read(path)
        lines = {} if self.is_past else card_claims.lines(self._store, path)
        facts = tuple(
            CardFact(name, _shown(value), mark.joined_sources, mark.at, lines.get(name, 0))
            for name, value in held.facts.items()
            if (mark := held.marks.get(name))
        )
        against: dict[str, list[tuple[str, str]]] = {}
        kept: dict[str, str] = {}
        for doubt in () if self.agent else listing.doubts(path, held):
            field, claimed, said_by = (doubt[key] for key in ("field", "claimed", "source"))
            against.setdefault(str(field), []).append((_shown(claimed), str(said_by)))
            kept[str(field)] = _shown(doubt["kept"])
        doubts = tuple(Doubt(name, kept[name], tuple(said)) for name, said in against.items())
        return ViewedCard(
            held.name, path, held.record.person, held.record.relationship, facts, doubts
        )

    def contested(self) -> Sequence[str]:
        """Return the paths of the cards about which claims wait that disagree."""
        return () if self.agent else sorted(CardListing(self._store).notes)

    def relations(self) -> Sequence[Relation]:
        """Return who is whose what, as far as cards say so; the vault's owner is called ""."""
        cards = [r for r in self.records("card") if r.path.startswith("cards/")]
        return social_graph.between(cards)

    def tasks(self) -> Graph:
        """Return all tasks with what waits for what."""
        return task_service.load(self._store)


def _transcript(path: str, sha: str = "") -> Record:
    return Record(path, sha, type="transcript", agent=path.split("/")[1])


def _turns(held: Transcript) -> tuple[Utterance, ...]:
    return tuple(
        Utterance(n, t.role, t.speaker or t.tool or t.role, t.at, t.content)
        for n, t in enumerate(held.turns, 1)
        if t.content
    )


def _shown(value: Text | object) -> str:
    if value is None:
        return ""
    return (
        value
        if isinstance(value, str)
        else ", ".join(map(str, value))
        if isinstance(value, list | tuple)
        else str(value)
    )
