"""Find lines that nothing bears out: what a summary, episode, topic or card says with no source.

What a line rests on is looked at one level down, since that rests on what is checked itself. Left
out are those of people, if they name no source, and those of which a source is gone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from vaultmem.documents.markdown import outline
from vaultmem.errors import DiskRefused
from vaultmem.maintenance.dream.link_graph import proofs
from vaultmem.maintenance.provenance import card_claims, sources, support
from vaultmem.maintenance.provenance.sources import Cited
from vaultmem.maintenance.provenance.support import Heard
from vaultmem.memory.compaction import human_lines
from vaultmem.nlp.tasks import Passage
from vaultmem.records import RETOLD, Record
from vaultmem.storage.index import Filter
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript

Load = Callable[[str], Transcript | None]

_OPEN = 4
"""Transcripts that are kept while their episodes are looked at."""
_RETOLD = Filter(type=RETOLD)
_CARDS = Filter(type=("card",))


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A line, counted from 1, of the file at *path*: nothing that it rests on says its *text*."""

    path: str
    line: int
    text: str


def lines(store: Store) -> Iterator[Unsupported]:
    """Yield the lines of all summaries, episodes, topics and cards that no source bears out."""
    load = lru_cache(_OPEN)(partial(sources.transcript, store))
    for record in store.index.each(_RETOLD):
        if not record.outcome:  # an experience is what was said of a task, and rests on nothing
            yield from _of_one(store, record, load)
    for card in store.index.each(_CARDS):
        with contextlib.suppress(DiskRefused):  # that it cannot be read is told apart
            yield from _of_card(store, card, load)


def _of_card(store: Store, card: Record, load: Load) -> Iterator[Unsupported]:
    """Yield the facts that were drawn from what was said, and not said there."""
    names, known = sources.resolved(store, sources.cited(card, ""))
    transcripts_of = [found for name in names if (found := load(name))]
    for number in card_claims.lines(store, card.path).values():
        fact = card_claims.fact_at(store, card, number)
        if fact is None or not fact.said or not fact.at:
            continue
        memories = [known[name] for name in fact.drawn(names, known) if name in known]
        heard = [*map(_passage, memories)]
        turns = (
            t for found in transcripts_of for t in found.turns if t.at == fact.at or fact.grows
        )
        heard += [Passage(t.content, t.speaker or t.role, t.at) for t in turns]
        if heard and not support.is_borne_out(fact.said, Heard(tuple(heard))):
            yield Unsupported(card.path, number, fact.said)


def _of_one(store: Store, record: Record, load: Load) -> Iterator[Unsupported]:
    whole = _turns(record, load) if record.type == "episode" else None
    hear = lru_cache(1)(partial(_bodies, store, record))
    for number, line in enumerate(record.body.split("\n"), record.body_line):
        if not _is_ours(record, line):
            continue
        said = sources.without_proofs(line[len(outline.lead(line)) :])
        heard = whole if whole is not None else hear(sources.cited(record, line))
        if heard.passages and not support.is_borne_out(said, heard):
            yield Unsupported(record.path, number, said)


def _is_ours(record: Record, line: str) -> bool:
    """Tell whether *line* says something, and the program wrote it from sources."""
    if not line.strip() or line.startswith("#"):
        return False
    if record.type == "topic":  # what has no link there a person wrote
        return any(proofs(line))
    return human_lines.is_ours(record)(line)


def _bodies(store: Store, record: Record, cited: tuple[Cited, ...]) -> Heard:
    """Return what is *cited* that *record* rests on; nothing where some of that is gone."""
    names, known = sources.resolved(store, cited)
    is_whole = len(known) == len(names)
    passages = {name: _passage(source) for name, source in known.items()}
    if names == [*record.sources]:  # the words alone of those that are counted: they may be many
        counted = {name: _passage(source) for name, source in sources.counted(store, record)}
        is_whole &= len(counted) == record.earlier_summaries
        passages = {**counted, **passages}
    return Heard(tuple(passages.values()) if is_whole else ())


def _passage(source: Record) -> Passage:
    return Passage(source.body, source.speaker, source.created)


def _turns(episode: Record, load: Load) -> Heard:
    """Return the turns that *episode* tells of; nothing where their words are elsewhere."""
    turns = sources.told(episode, load(sources.path_of(episode)))
    each = (Passage(t.content, t.speaker or t.role, t.at) for t in turns)
    heard = tuple(each) if all(t.content for t in turns) else ()
    return Heard(heard, sources.answers(episode, turns))
