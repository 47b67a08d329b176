"""The sources of a record: what its links name, and the turns that an episode tells of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.errors import BadInput, Refused
from vaultmem.memory import compaction
from vaultmem.records import Record
from vaultmem.storage import reader, transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn

_LINKS = re.compile(r"\[\[([^\[\]|#]++)[^\[\]]*+\]\]|\]\(([^()\s]+\.md)[^()]*\)")


def targets(record: Record, said: str) -> list[str]:
    """Return what *record* rests on: the links in what it says there, else all of its sources."""
    inline = linked(said)
    if inline and record.type != "memory":
        return inline
    return list(dict.fromkeys((*record.sources, *record.supersedes)))


def linked(said: str) -> list[str]:
    """Return what the links in *said* name, each once."""
    found = (reader.link_target(wiki or plain) for wiki, plain in _LINKS.findall(said))
    return list(dict.fromkeys(found))


def known(store: Store, names: Sequence[str]) -> dict[str, Record]:
    """Return the records that links name, by those *names*, in their order."""
    found: dict[str, Record] = {}
    paths = [f"{name}.md" for name in names]
    for record in store.index.matching(ids=names, paths=paths, stems=names):
        found.setdefault(record.path.removesuffix(".md"), record)
        if record.type == "memory":  # only their names are unique
            found[record.stem] = found[record.id] = record
    return {name: found[name] for name in names if name in found}


def counted(store: Store, record: Record) -> dict[str, Record]:
    """Return what a long-term summary absorbed and does not name, by what a link would say."""
    if record.tier != "longterm" or not record.earlier_summaries:
        return {}
    first = compaction.named_from(record, [*known(store, record.sources).values()])
    found = compaction.earlier(store.index, record.agent, first)
    return {recent.path.removesuffix(".md"): recent for recent in found}


def transcript(store: Store, path: str) -> Transcript | None:
    """Return the transcript at *path*, None where there is none that can be read."""
    try:
        return transcripts.load(store.root, path) if transcripts.holds(path) else None
    except (BadInput, Refused):
        return None


def path_of(episode: Record) -> str:
    """Return the path of the transcript that *episode* tells of."""
    named = next((s for s in episode.sources if transcripts.holds(s)), "")
    return named or transcripts.path(episode.agent, episode.session)


def told(episode: Record, found: Transcript | None) -> tuple[Turn, ...]:
    """Return the turns that *episode* tells of, if its transcript was *found*."""
    return found.turns[first_turn(episode) - 1 : episode.turn_end] if found else ()


def answers(episode: Record, turns: Sequence[Turn]) -> dict[int, Turn]:
    """Return those of the *turns* it tells of that are a tool's, by their numbers."""
    return {n: t for n, t in enumerate(turns, first_turn(episode)) if t.role == "tool"}


def first_turn(episode: Record) -> int:
    """Return the number of the first turn that *episode* tells of, from 1."""
    return max(episode.turn_start, 1)
