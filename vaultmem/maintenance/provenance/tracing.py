"""Follow what something rests on, level by level, down to what was said and its commit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from vaultmem.documents.bodies.bullets import unsourced
from vaultmem.errors import BadInput, Refused, Unavailable
from vaultmem.maintenance import edited_memories
from vaultmem.maintenance.provenance import card_claims, support
from vaultmem.maintenance.provenance.card_claims import CardFact
from vaultmem.maintenance.provenance.resolution import find
from vaultmem.maintenance.provenance.types import Kind, Link, ProvenanceTarget, Why
from vaultmem.records import Record, first_line, iso
from vaultmem.storage import reader, transcripts
from vaultmem.storage.git import OP, Entry, Repository
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn

_MOST = (3, 2, 1)
"""Sources that are shown of each, by depth: all of it fits on one screen."""
_TEXT = 200
_RAW = frozenset({"memory", "turn"})
_LINKS = re.compile(r"\[\[([^\[\]|#]++)[^\[\]]*+\]\]|\]\(([^()\s]+\.md)[^()]*\)")
_KINDS = frozenset(get_args(Kind))
_TAIL = re.compile(r"(?:-|\A)([0-9a-z]{6}|[0-9A-Z]{26})\Z")


def trace(store: Store, ref: str, agent: str = "") -> Why:
    """Return the chain from what *ref* means down to raw memory, turn and commit.

    *ref* is an id, a path, `path:line`, a name, a wikilink, or words of a fact, for which recall's
    best hit is taken, of *agent* if one is named. Raises BadInput when it means nothing.
    """
    store.sync_soon()
    store.writer.commit_pending()
    target = find(store, ref, agent)
    links = tuple(_Tracer(store).links(target))
    return Why(ref, target.taken, tuple(_with_commits(links, _entries(store, links))))


@dataclass(frozen=True, slots=True)
class _Tracer:
    """Follows sources; what was *seen* is not followed again."""

    store: Store
    seen: set[str] = field(default_factory=set)

    def links(self, asked: ProvenanceTarget) -> Iterator[Link]:
        """Yield what is asked about, and below it what it rests on."""
        if asked.turn:
            transcript = self._transcript(asked.record.path)
            if transcript:
                yield _turn(transcript, asked.turn, 0)
            return
        yield from self._down(asked.record, asked.said or asked.record.body, 0, asked)

    def _down(
        self, record: Record, said: str, depth: int, asked: ProvenanceTarget | None = None
    ) -> Iterator[Link]:
        self.seen.add(record.path)
        targets = _targets(record, asked.said if asked else "")
        known = self._known(targets)
        claim = card_claims.fact_at(self.store, record, asked.line) if asked else None
        if claim:
            targets = claim.drawn(targets, known)
        below = [known[t] for t in targets if t in known and known[t].path not in self.seen]
        below = list(dict.fromkeys(below))
        chosen = [below[n] for n in support.best(said, [r.body for r in below], _most(depth))]
        turns = list(self._turns(record, said, depth + 1, claim))
        lost = [t for t in targets if t not in known and not transcripts.holds(t)]
        left = len(below) - len(chosen) + max(len(lost) - _most(depth), 0)
        link = replace(_link(record, asked, depth), more=left)
        yield _claimed(link, claim)
        yield from self._as_accepted(record, depth + 1)
        yield from turns
        for source in chosen:
            if source.path not in self.seen:
                yield from self._down(source, said, depth + 1)
        yield from (self._gone(target, depth + 1) for target in lost[: _most(depth)])
        if claim and not (turns or chosen or lost):  # a fact that was drawn from nothing
            yield replace(_claimed(link, claim), kind="said", text=claim.otherwise, more=0, depth=1)

    def _known(self, targets: Sequence[str]) -> dict[str, Record]:
        """Return the records that *targets* name, by target, in their order."""
        found: dict[str, Record] = {}
        paths = [f"{target}.md" for target in targets]
        for record in self.store.index.matching(ids=targets, paths=paths, stems=targets):
            found.setdefault(record.path.removesuffix(".md"), record)
            if record.type == "memory":  # only their names are unique
                found[record.stem] = found[record.id] = record
        return {target: found[target] for target in targets if target in found}

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
            transcript = self._transcript(transcripts.path(record.agent, record.session))
            turns = transcript.turns if transcript else ()
            at = next((n for n, t in enumerate(turns, 1) if _is_from(record, t)), 0)
            if transcript and at:
                yield _turn(transcript, at, depth)

    def _turns_of_fact(self, card: Record, claim: CardFact, depth: int) -> Iterator[Link]:
        """Yield the turns of sessions that a fact of a card was drawn from: those of its time."""
        for path in dict.fromkeys(filter(transcripts.holds, card.sources)):
            transcript = self._transcript(path)
            for n, turn in enumerate(transcript.turns if transcript else (), 1):
                if transcript and claim.at and turn.at == claim.at:
                    yield _turn(transcript, n, depth)

    def _turns_of_line(self, episode: Record, said: str, depth: int) -> Iterator[Link]:
        path = next((s for s in episode.sources if transcripts.holds(s)), "")
        transcript = self._transcript(path or transcripts.path(episode.agent, episode.session))
        if transcript is None:
            return
        turns = transcript.turns[max(episode.turn_start - 1, 0) : episode.turn_end]
        for n in support.best(said, [t.content for t in turns], _most(depth - 1)):
            yield _turn(transcript, max(episode.turn_start, 1) + n, depth)

    def _transcript(self, path: str) -> Transcript | None:
        try:
            return transcripts.load(self.store.root, path) if transcripts.holds(path) else None
        except (BadInput, Refused):
            return None

    # --- what is gone -------------------------------------------------------------------------

    def _as_accepted(self, record: Record, depth: int) -> Iterator[Link]:
        """Yield what an edited memory said when it was accepted, with its commit."""
        if record.type == "memory" and (
            was := edited_memories.accepted_version(self.store, record)
        ):
            body, entry = was
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


def _most(depth: int) -> int:
    return _MOST[min(depth, len(_MOST) - 1)]


def _targets(record: Record, said: str) -> list[str]:
    """Return what *record* rests on: the links in what it says there, else all of its sources."""
    inline = [reader.link_target(wiki or plain) for wiki, plain in _LINKS.findall(said)]
    if inline and record.type != "memory":
        return list(dict.fromkeys(inline))
    return list(dict.fromkeys((*record.sources, *record.supersedes)))


def _is_from(record: Record, turn: Turn) -> bool:
    same = record.origin and record.origin in {turn.origin, f"{record.session}/{turn.origin}"}
    return bool(same) or record.body.strip() == turn.content.strip()


# --- as links ---------------------------------------------------------------------------------


def _link(record: Record, asked: ProvenanceTarget | None, depth: int) -> Link:
    line = asked.said if asked else ""
    about = "" if record.type == "memory" else record.description
    text = unsourced(line.lstrip("-*> "))[0] or about or record.body
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
    op = dict(entry.trailers).get(OP, "")
    return Link(
        "commit", link.path, op, iso(entry.when), first_line(entry.subject, _TEXT), entry.commit,
        entry.author, depth=link.depth + 1,
    )  # fmt: skip


def _entries(store: Store, links: Sequence[Link]) -> list[Entry | None]:
    """Return the commit of each of *links*, None for what git has not got."""
    repository = store.writer.repository
    if repository is None:
        return [None] * len(links)
    try:
        whole = _whole(repository, {link.path for link in links if not link.line})
        paths = sorted({link.path for link in links if link.line})
        lines = {path: repository.blame(path, store.read(path) or b"") for path in paths}
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
