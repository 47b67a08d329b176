"""Follow what something rests on, level by level, down to what was said and its commit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from vaultmem.errors import Unavailable
from vaultmem.maintenance import edited_memories
from vaultmem.maintenance.provenance import card_claims, sources, support
from vaultmem.maintenance.provenance.card_claims import CardFact
from vaultmem.maintenance.provenance.resolution import at_line, find
from vaultmem.maintenance.provenance.support import Heard
from vaultmem.maintenance.provenance.types import Kind, Link, ProvenanceTarget, Why
from vaultmem.nlp.extraction.talk import talk_line
from vaultmem.nlp.tasks import Passage
from vaultmem.records import DERIVED, Record, first_line, iso
from vaultmem.storage import transcript_files
from vaultmem.storage.git import OP, Entry, Repository
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn

_MOST = (3, 2, 1)
"""Sources that are shown of each, by depth: all of it fits on one screen."""
_TEXT = 200
_RAW = frozenset({"memory", "turn"})
_KINDS = frozenset(get_args(Kind))
_TAIL = re.compile(r"(?:-|\A)([0-9a-z]{6}|[0-9A-Z]{26})\Z")


def trace(store: Store, ref: str, agent: str = "") -> Why:
    """Return the chain from what *ref* means down to raw memory, turn and commit.

    *ref* is an id, a path, `path:line`, a name, a wikilink, or words of a fact, for which recall's
    best hit is taken, of *agent* if one is named. Raises BadInput when it means nothing.
    """
    store.sync()  # an edit in place shows in no folder's time
    store.writer.commit_pending()
    target = find(store, ref, agent)
    listed = target.is_whole_card
    links = tuple(_facts(store, target) if listed else _Tracer(store).links(target))
    entries = _entries(store, links)
    chain = (
        replace(it, text=store.texts.without_hidden(it.text)) if it.kind == "commit" else it
        for it in _with_commits(links, entries)
    )
    deeper = support.unsaid(ref, "\n".join(link.text for link in links)) if target.unsaid else ()
    unsaid = tuple(word for word in target.unsaid if word in deeper)
    shown = tuple(link for link in chain if not listed or link.kind != "commit")
    return Why(ref, target.taken, shown, unsaid, target.turned_round)


def _facts(store: Store, card: ProvenanceTarget) -> Iterator[Link]:
    """Yield a card, and below it each of its facts with what that rests on."""
    yield _link(card.record, card, 0)
    for line in card_claims.lines(store, card.record.path).values():
        fact = at_line(store, card.record, line)
        yield from (replace(link, depth=link.depth + 1) for link in _Tracer(store).links(fact))


@dataclass(slots=True)
class _Tracer:
    """Follows sources; what was *seen* is not followed again.

    *said* is what the line says that is asked about, "" where a whole file is, *heard* what people
    and tools said that the chain ends in, *answers* the turns of tools, by number.
    """

    store: Store
    said: str = ""
    seen: set[str] = field(default_factory=set)
    heard: list[Passage] = field(default_factory=list)
    answers: dict[int, Turn] = field(default_factory=dict)

    def links(self, asked: ProvenanceTarget) -> Iterator[Link]:
        """Yield what is asked about, and below it what it rests on."""
        if asked.turn:
            transcript = sources.transcript(self.store, asked.record.path)
            if transcript:
                yield _turn(transcript, asked.turn, 0)
            return
        claim = card_claims.fact_at(self.store, asked.record, asked.line)
        self.said = claim.said if claim else _line_said(asked)
        top, *rest = self._down(
            asked.record, self.said or asked.said or asked.record.body, 0, asked, claim
        )
        yield replace(top, supported=self._is_supported(asked.record, rest))
        if claim and claim.derived:
            yield Link("derived", asked.record.path, "", claim.at, claim.derived, depth=1)
        yield from rest

    def _is_supported(self, record: Record, below: Sequence[Link]) -> bool | None:
        """Tell whether what was heard bears out what is asked about, None where that is unknown."""
        unknown = any(link.kind in {"gone", "said", "accepted"} for link in below)
        unknown |= not all(it.text for it in self.heard)  # a folded memory only tells of it
        if record.type not in DERIVED or unknown or not (self.said and self.heard):
            return None
        return support.is_borne_out(self.said, Heard(tuple(self.heard), self.answers))

    def _down(
        self,
        record: Record,
        said: str,
        depth: int,
        asked: ProvenanceTarget | None = None,
        claim: CardFact | None = None,
    ) -> Iterator[Link]:
        self.seen.add(record.path)
        cited = sources.cited(record, asked.said if asked else "")
        targets, known = sources.resolved(self.store, cited)
        if targets == list(record.sources):
            counted = dict(sources.counted(self.store, record))
            known, targets = {**counted, **known}, [*counted, *targets]
        if depth and (record.type == "memory" or not targets):
            self.heard.append(Passage(record.body, record.speaker, record.created))
        if claim:
            targets = claim.drawn(targets, known)
        below = [known[t] for t in targets if t in known and known[t].path not in self.seen]
        below = list(dict.fromkeys(below))
        chosen = [below[n] for n in support.best(said, [r.body for r in below], _most(depth))]
        turns = list(self._turns(record, said, depth + 1, claim))
        lost = [t for t in targets if t not in known and not transcript_files.holds(t)]
        left = len(below) - len(chosen) + max(len(lost) - _most(depth), 0)
        link = replace(self._marked(_link(record, asked, depth), record.body), more=left)
        yield _claimed(link, claim)
        yield from self._as_accepted(record, depth + 1)
        yield from turns
        for source in chosen:
            if source.path not in self.seen:
                yield from self._down(source, said, depth + 1)
        yield from (self._gone(target, depth + 1) for target in lost[: _most(depth)])
        if claim and not (turns or chosen or lost):  # a fact that was drawn from nothing
            yield replace(_claimed(link, claim), kind="said", text=claim.otherwise, more=0, depth=1)

    def _marked(self, link: Link, text: str) -> Link:
        """Return *link* with the sentence of *text* that says most of what is asked about."""
        if not (self.said and link.depth):
            return link
        best = first_line(support.sentence(self.said, text), _TEXT)
        return replace(link, text=best, spans=support.spans(self.said, best))

    # --- turns --------------------------------------------------------------------------------

    def _turns(
        self, record: Record, said: str, depth: int, claim: CardFact | None
    ) -> Iterator[Link]:
        """Yield the turns of an episode that bear it out, or the one that a fact is of."""
        if claim:
            yield from self._turns_of_fact(record, claim, depth)
        elif record.type == "episode":
            yield from self._turns_of_line(record, said, depth)
        elif record.type == "memory" and record.session:
            path = transcript_files.path(record.agent, record.session)
            transcript = sources.transcript(self.store, path)
            turns = transcript.turns if transcript else ()
            at = next((n for n, t in enumerate(turns, 1) if _is_from(record, t)), 0)
            if transcript and at:
                yield self._turn(transcript, at, depth)

    def _turns_of_fact(self, card: Record, claim: CardFact, depth: int) -> Iterator[Link]:
        """Yield the turns of sessions that a fact of a card was drawn from: those of its time.

        Of a sentence, which another may have followed since, those that say it.
        """
        paths = dict.fromkeys(filter(transcript_files.holds, card.sources))
        every = [
            (transcript, n, turn)
            for path in paths
            if (transcript := sources.transcript(self.store, path))
            for n, turn in enumerate(transcript.turns, 1)
        ]
        saying = [it for it in every if claim.sentence and _says(it[2], claim.sentence)]
        timed = (it for it in every if claim.at and it[2].at == claim.at)
        for transcript, n, _ in saying[: _most(depth - 1)] or timed:
            yield self._turn(transcript, n, depth)

    def _turns_of_line(self, episode: Record, said: str, depth: int) -> Iterator[Link]:
        transcript = sources.transcript(self.store, sources.path_of(episode))
        turns = sources.told(episode, transcript)
        self.answers |= sources.answers(episode, turns)
        # That somebody talked rests on all of it: where it began, and where it ended.
        ends = sorted({0, len(turns) - 1}) if turns and talk_line.says_nothing(said) else None
        best = ends or support.best(said, [t.content for t in turns], _most(depth - 1))
        for n in best:
            if transcript:
                yield self._turn(transcript, sources.first_turn(episode) + n, depth)

    def _turn(self, transcript: Transcript, number: int, depth: int) -> Link:
        turn = transcript.turns[number - 1]
        self.heard.append(Passage(turn.content, turn.speaker or turn.role, turn.at))
        return self._marked(_turn(transcript, number, depth), turn.content)

    # --- what is gone -------------------------------------------------------------------------

    def _as_accepted(self, record: Record, depth: int) -> Iterator[Link]:
        """Yield what an edited memory said when it was accepted, with its commit."""
        if record.type == "memory" and (
            was := edited_memories.accepted_version(self.store, record)
        ):
            body, entry = self.store.texts.without_hidden(was[0]), was[1]
            yield Link(
                "accepted", record.path, record.id, iso(entry.when), first_line(body, _TEXT),
                entry.commit, depth=depth,
            )  # fmt: skip

    def _gone(self, target: str, depth: int) -> Link:
        """Return what stands for a source that is no more: when it was forgotten, if it was."""
        tail = _TAIL.search(target)
        entry = self.store.index.tombstone_ending(tail[1]) if tail else None
        if entry:
            text = f"gone: forgotten on {entry.created[:10]}"
            return Link("gone", entry.path, entry.id, entry.created, text, depth=depth)
        return Link("gone", "", "", "", f"gone: {target} is not in the vault", depth=depth)


def _line_said(asked: ProvenanceTarget) -> str:
    """Return what a line of text says, "" for a heading, and for frontmatter but a description."""
    if asked.line < asked.record.body_line:
        head, _, text = asked.said.partition("description: ")
        return "" if head else text
    return "" if asked.said.startswith("#") else sources.without_proofs(asked.said.lstrip("-*> "))


def _most(depth: int) -> int:
    return _MOST[min(depth, len(_MOST) - 1)]


def _is_from(record: Record, turn: Turn) -> bool:
    same = record.origin and record.origin in {turn.origin, f"{record.session}/{turn.origin}"}
    return bool(same) or record.body.strip() == turn.content.strip()


# --- as links ---------------------------------------------------------------------------------


def _link(record: Record, asked: ProvenanceTarget | None, depth: int) -> Link:
    line = asked.said if asked else ""
    about = "" if record.type == "memory" else record.description
    own = about or record.body.strip() or record.title
    text = sources.without_proofs(line.lstrip("-*> ")) or own
    return Link(
        kind=_kind(record),
        path=record.path,
        id=record.id,
        date=record.created,
        text=first_line(text, _TEXT),
        by=record.speaker or record.model or record.source,
        trust=record.trust,
        lines=(asked.line, asked.line) if asked and asked.line else None,
        superseded_by=record.superseded_by,
        archived=record.archived,
        depth=depth,
    )


def _kind(record: Record) -> Kind:
    return record.type if record.type in _KINDS else "note"  # type: ignore[return-value]


def _turn(transcript: Transcript, number: int, depth: int) -> Link:
    turn = transcript.turns[number - 1]
    who = turn.speaker or turn.tool or turn.role
    text = first_line(turn.content, _TEXT)
    return Link("turn", transcript.path, turn.origin, turn.at, text, by=who, turn=number,
                depth=depth)  # fmt: skip


def _says(turn: Turn, sentence: str) -> bool:
    """Tell whether a person says *sentence* in *turn*, however its lines are broken."""
    return turn.role == "user" and sentence in " ".join(turn.content.split())


def _claimed(link: Link, claim: CardFact | None) -> Link:
    """Return the *link* to a card as that of the fact that was asked about."""
    if claim is None:
        return link
    return replace(link, by=claim.by, date=claim.at or link.date, trust=claim.trust)


def _with_commits(links: Sequence[Link], entries: Sequence[Entry | None]) -> Iterator[Link]:
    """Yield *links* with their commits; what is raw or rests on nothing is followed by its own."""
    for n, (link, entry) in enumerate(zip(links, entries, strict=True)):
        if entry is None:
            yield link
            continue
        yield replace(link, commit=entry.commit)
        is_last = n + 1 == len(links) or links[n + 1].depth <= link.depth
        if link.kind in _RAW or (is_last and link.kind != "gone"):
            yield _commit(link, entry)


def _commit(link: Link, entry: Entry) -> Link:
    it = entry.public
    op = dict(it.trailers).get(OP, "")
    return Link(
        "commit", link.path, op, iso(it.when), first_line(it.subject, _TEXT), it.commit, it.author,
        depth=link.depth + 1,
    )  # fmt: skip


def _entries(store: Store, links: Sequence[Link]) -> list[Entry | None]:
    """Return the commit of each of *links*, None for what git has not got."""
    repository = store.writer.repository
    if repository is None:
        return [None] * len(links)
    try:
        whole = _whole(repository, {link.path for link in links if not link.line})
        paths = sorted({link.path for link in links if link.line})
        lines = {path: repository.blame(path, store.texts.read(path) or b"") for path in paths}
        named = {c for commits in lines.values() for c in commits if c}
        known = {entry.commit: entry for entry in repository.entries(sorted(named))}
    except Unavailable:  # what ails git is `status`' to say
        return [None] * len(links)
    return [
        None
        if link.kind == "accepted"
        else known.get(_at(lines[link.path], link.line) or "")
        if link.line
        else whole.get(link.path)
        for link in links
    ]


def _at(commits: Sequence[str | None], line: int) -> str | None:
    return commits[line - 1] if line <= len(commits) else None


def _whole(repository: Repository, paths: set[str]) -> Mapping[str, Entry]:
    """Return the commit in which each of *paths* first was what it is, by two processes."""
    if not paths:
        return {}
    log = repository.log(None, paths=sorted(paths))
    rows = repository.touched([entry.commit for entry in log])
    found: dict[str, Entry] = {}
    stands: dict[str, str] = {}
    for entry in log:
        for row in rows.get(entry.commit, ()):
            if row.path in paths and row.new.id == stands.setdefault(row.path, row.new.id):
                found[row.path] = entry
    return found
