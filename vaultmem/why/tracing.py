"""Follow what something rests on, level by level, down to what was said and its commit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from vaultmem import store, transcripts
from vaultmem.errors import BadInput, Refused
from vaultmem.gist.bullets import unsourced
from vaultmem.git import OP, Entry
from vaultmem.model import Record, first_line, iso
from vaultmem.site import Site
from vaultmem.transcripts import Transcript, Turn
from vaultmem.why import bearing, dating
from vaultmem.why.finding import find
from vaultmem.why.model import Asked, Kind, Link, Why

_MOST = (3, 2, 1)
"""Sources that are shown of each, by depth: all of it fits on one screen."""
_TEXT = 200
_COMMITS = 3
_LINKS = re.compile(r"\[\[([^\[\]|#]++)[^\[\]]*+\]\]|\]\(([^()\s]+\.md)[^()]*\)")
_KINDS = frozenset(get_args(Kind))
_NAMED = (
    "docs.stem IN (SELECT value FROM json_each(?1))"
    " OR docs.path IN (SELECT value || '.md' FROM json_each(?1))"
)
_STONE = "docs.path LIKE 'tombstones/%' AND docs.id != '' AND lower(docs.id) LIKE ?"
_TAIL = re.compile(r"-([0-9a-z]{6})\Z")


def trace(site: Site, ref: str, agent: str = "") -> Why:
    """Return the chain from what *ref* means down to raw memory, turn and commit.

    *ref* is an id, a path, `path:line`, a name, a wikilink, or words of a fact, for which recall's
    best hit is taken, of *agent* if one is named. Raises BadInput when it means nothing.
    """
    site.sync_soon()
    site.door.settle()
    asked = find(site, ref, agent)
    links = tuple(_Tracer(site).links(asked))
    entries = dating.newest(site.door.repository, {link.path for link in links})
    return Why(ref, asked.taken, (*_dated(links, entries), *_commits(links, entries)))


@dataclass(frozen=True, slots=True)
class _Tracer:
    """Follows sources; what was *seen* is not followed again."""

    site: Site
    seen: set[str] = field(default_factory=set)

    def links(self, asked: Asked) -> Iterator[Link]:
        """Yield what is asked about, and below it what it rests on."""
        if asked.turn:
            transcript = self._transcript(asked.record.path)
            if transcript:
                yield _turn(transcript, asked.turn, 0)
            return
        yield from self._down(asked.record, asked.said or asked.record.body, 0, asked)

    def _down(
        self, record: Record, said: str, depth: int, asked: Asked | None = None
    ) -> Iterator[Link]:
        self.seen.add(record.path)
        targets = _targets(record, asked.said if asked else "")
        known = self._known(targets)
        below = [r for r in dict.fromkeys(known.values()) if r.path not in self.seen]
        chosen = [below[n] for n in bearing.best(said, [r.body for r in below], _most(depth))]
        turns = list(self._turns(record, said, depth + 1))
        lost = [t for t in targets if t not in known and not transcripts.holds(t)]
        left = len(below) - len(chosen) + max(len(lost) - _most(depth), 0)
        yield replace(_link(record, asked, depth), more=left)
        yield from turns
        for source in chosen:
            if source.path not in self.seen:
                yield from self._down(source, said, depth + 1)
        yield from (self._gone(target, depth + 1) for target in lost[: _most(depth)])

    def _known(self, targets: Sequence[str]) -> dict[str, Record]:
        """Return the records that *targets* name, by target, in their order."""
        found: dict[str, Record] = {}
        for record in self.site.index.records(_NAMED, (json.dumps(targets),)) if targets else ():
            found.setdefault(record.path.removesuffix(".md"), record)
            if record.type == "memory":  # only their names are unique
                found[record.stem] = record
        return {target: found[target] for target in targets if target in found}

    # --- turns --------------------------------------------------------------------------------

    def _turns(self, record: Record, said: str, depth: int) -> Iterator[Link]:
        """Yield the turns of an episode that bear it out, or the one that a memory is of."""
        if record.type == "episode":
            yield from self._told(record, said, depth)
        elif record.type == "memory" and record.session:
            transcript = self._transcript(transcripts.path(record.agent, record.session))
            turns = transcript.turns if transcript else ()
            at = next((n for n, t in enumerate(turns, 1) if _is_from(record, t)), 0)
            if transcript and at:
                yield _turn(transcript, at, depth)

    def _told(self, episode: Record, said: str, depth: int) -> Iterator[Link]:
        path = next((s for s in episode.sources if transcripts.holds(s)), "")
        transcript = self._transcript(path or transcripts.path(episode.agent, episode.session))
        if transcript is None:
            return
        turns = transcript.turns[max(episode.turn_start - 1, 0) : episode.turn_end]
        for n in bearing.best(said, [t.content for t in turns], _most(depth - 1)):
            yield _turn(transcript, max(episode.turn_start, 1) + n, depth)

    def _transcript(self, path: str) -> Transcript | None:
        try:
            return transcripts.load(self.site.root, path) if transcripts.holds(path) else None
        except (BadInput, Refused):
            return None

    # --- what is gone -------------------------------------------------------------------------

    def _gone(self, target: str, depth: int) -> Link:
        """Return what stands for a source that is no more: when it was forgotten, if it was."""
        tail = _TAIL.search(target)
        stones = self.site.index.records(_STONE, (f"%{tail[1]}",)) if tail else []
        if stones:
            stone = stones[-1]
            told = f"gone: forgotten on {stone.created[:10]}"
            return Link("gone", stone.path, stone.id, stone.created, told, depth=depth)
        return Link("gone", "", "", "", f"gone: {target} is not in the vault", depth=depth)


def _most(depth: int) -> int:
    return _MOST[min(depth, len(_MOST) - 1)]


def _targets(record: Record, said: str) -> list[str]:
    """Return what *record* rests on: the links in what it says there, else all of its sources."""
    inline = [store.link_target(wiki or plain) for wiki, plain in _LINKS.findall(said)]
    if inline and record.type != "memory":
        return list(dict.fromkeys(inline))
    return list(dict.fromkeys((*record.sources, *record.supersedes)))


def _is_from(record: Record, turn: Turn) -> bool:
    same = record.origin and record.origin in {turn.origin, f"{record.session}/{turn.origin}"}
    return bool(same) or record.body.strip() == turn.content.strip()


# --- as links ---------------------------------------------------------------------------------


def _link(record: Record, asked: Asked | None, depth: int) -> Link:
    said = asked.said if asked else ""
    about = "" if record.type == "memory" else record.description
    text = unsourced(said.lstrip("-*> "))[0] or about or record.body
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


def _dated(links: Iterable[Link], entries: Mapping[str, Entry]) -> Iterator[Link]:
    for link in links:
        entry = entries.get(link.path)
        yield replace(link, commit=entry.commit) if entry else link


def _commits(links: Sequence[Link], entries: Mapping[str, Entry]) -> Iterator[Link]:
    """Yield the commits of what is raw, each once: the chain ends there."""
    deepest = max((link.depth for link in links), default=0)
    raw = [link.path for link in links if link.kind in {"memory", "turn"}]
    found = {e.commit: (p, e) for p in raw or [links[0].path] if (e := entries.get(p))}
    for path, entry in list(found.values())[:_COMMITS]:
        op = dict(entry.trailers).get(OP, "")
        yield Link(
            "commit", path, op, iso(entry.when), first_line(entry.subject, _TEXT), entry.commit,
            entry.author, depth=deepest + 1,
        )  # fmt: skip
