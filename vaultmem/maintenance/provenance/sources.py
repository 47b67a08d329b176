"""The sources of a record: what its links name, and the turns that an episode tells of."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from vaultmem.documents.bodies import bullets
from vaultmem.documents.markdown.links import Link
from vaultmem.errors import BadInput, Refused
from vaultmem.knowledge import tasks
from vaultmem.maintenance.dream.link_graph import proofs
from vaultmem.memory import compaction
from vaultmem.records import Record
from vaultmem.storage import transcript_files, transcripts
from vaultmem.storage.reader import TOMBSTONE
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn

Cited = tuple[str, ...]
"""What a source may be called, the likeliest first."""


class Resolved(NamedTuple):
    """The names of sources, and the records of those that there are, by name."""

    names: list[str]
    known: dict[str, Record]


def cited(record: Record, said: str) -> tuple[Cited, ...]:
    """Return what *record* rests on: the links in what it says there, else all of its sources."""
    links = () if record.type == "memory" else proofs(said)
    if inline := tuple(dict.fromkeys(_cited(link, record.path) for link in links)):
        return inline
    return tuple((name,) for name in dict.fromkeys((*record.sources, *record.supersedes)))


def _cited(link: Link, origin: str) -> Cited:
    """Return what *link* leads to; one as Markdown has it from *origin*, or the top."""
    name = link.target.removesuffix(".md")
    if link.wiki:
        task = tasks.number_of(f"{tasks.FOLDER}/{posixpath.basename(name).casefold()}.md")
        return (name if task is None else tasks.stem_of(task),)  # in any case, as tasks are named
    near = link.from_top(origin).removesuffix(".md")
    return near, posixpath.normpath(name).lstrip("/")


def resolved(store: Store, cited: Iterable[Cited]) -> Resolved:
    """Return the sources that are *cited*, each by the first name that leads to one."""
    called = tuple(cited)
    found = known(store, tuple(chain.from_iterable(called)))
    names = dict.fromkeys(next((n for n in each if n in found), each[0]) for each in called)
    return Resolved([*names], {name: found[name] for name in names if name in found})


def without_proofs(said: str) -> str:
    """Return *said* without the proofs at its end, and with the words alone of Markdown links."""
    plain = [link for link in proofs(said) if not link.wiki]
    masked = said  # as wikilinks of the same length
    for link in plain:
        inner = "." * (link.stop - link.start - len("[[]]"))
        masked = f"{masked[: link.start]}[[{inner}]]{masked[link.stop :]}"
    text = said[: len(bullets.unsourced(masked)[0])]
    for link in reversed([link for link in plain if link.stop <= len(text)]):
        text = f"{text[: link.start]}{link.words}{text[link.stop :]}"
    return text


def known(store: Store, names: Sequence[str]) -> dict[str, Record]:
    """Return the records that links name, by those *names*, in their order.

    A bare name that several files have names none of them, unless it is a memory's.
    """
    found: dict[str, Record] = {}
    alike: dict[str, list[Record]] = defaultdict(list)
    paths = [f"{name}.md" for name in names]
    for record in store.index.matching(ids=names, paths=paths, stems=names):
        found.setdefault(record.path.removesuffix(".md"), record)
        if record.type != TOMBSTONE:  # its name is that of what is gone
            alike[record.stem].append(record)
        if record.type == "memory":  # only their names are unique
            found[record.stem] = found[record.id] = record
    found = {stem: which[0] for stem, which in alike.items() if len(which) == 1} | found
    return {name: found[name] for name in names if name in found}


def counted(store: Store, record: Record) -> Iterator[tuple[str, Record]]:
    """Yield what a long-term summary absorbed and does not name, behind what a link would say."""
    if record.tier == "longterm" and record.earlier_summaries:
        first = compaction.named_from(record, [*known(store, record.sources).values()])
        for recent in compaction.earlier(store.index, record.agent, first):
            yield recent.path.removesuffix(".md"), recent


def transcript(store: Store, path: str) -> Transcript | None:
    """Return the transcript at *path*, None where there is none that can be read."""
    try:
        return transcripts.load(store.root, path) if transcript_files.holds(path) else None
    except (BadInput, Refused):
        return None


def path_of(episode: Record) -> str:
    """Return the path of the transcript that *episode* tells of."""
    named = next((s for s in episode.sources if transcript_files.holds(s)), "")
    return named or transcript_files.path(episode.agent, episode.session)


def told(episode: Record, found: Transcript | None) -> tuple[Turn, ...]:
    """Return the turns that *episode* tells of, if its transcript was *found*."""
    return found.turns[first_turn(episode) - 1 : episode.turn_end] if found else ()


def answers(episode: Record, turns: Sequence[Turn]) -> dict[int, Turn]:
    """Return those of the *turns* it tells of that are a tool's, by their numbers."""
    return {n: t for n, t in enumerate(turns, first_turn(episode)) if t.role == "tool"}


def first_turn(episode: Record) -> int:
    """Return the number of the first turn that *episode* tells of, from 1."""
    return max(episode.turn_start, 1)
