"""What a record rests on, down to what was said and by whom: its memories, and its turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from vaultmem.documents.markdown import links
from vaultmem.errors import BadInput, Refused
from vaultmem.records import Record
from vaultmem.storage import transcript_files, transcripts, turn_names
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_DEPTH = 3
"""A topic rests on an episode, and that on turns; a card may rest on a topic."""


class Utterance(NamedTuple):
    """A text, and who said it, "" for nobody by name."""

    text: str
    speaker: str


def of(store: Store, record: Record) -> Iterator[Utterance]:
    """Yield what was said that *record* rests on, by all that it cites."""
    yield from _of(store, record, _DEPTH)


def _of(store: Store, record: Record, depth: int) -> Iterator[Utterance]:
    if record.type == "memory":
        yield Utterance(record.body, record.speaker)
    elif record.type == "episode":
        turns = _turns(store, transcript_files.path(record.agent, record.session))
        yield from _said(turns[max(record.turn_start, 1) - 1 : record.turn_end])
    elif depth:
        cited = {it.from_top(record.path) for it in links.read(record.body) if it.names_file}
        names = {*record.sources, *cited}
        stems = [name.removesuffix(".md") for name in sorted(names)]
        paths = [f"{stem}.md" for stem in stems]
        for it in store.index.matching(ids=stems, paths=paths, stems=stems):
            yield from _of(store, it, depth - 1)
        for name in sorted(names):
            turn = turn_names.parse(name)
            every = _turns(store, turn.path if turn else name)
            yield from _said(every[turn.number - 1 : turn.number] if turn else every)


def _turns(store: Store, path: str) -> tuple[Turn, ...]:
    try:
        found = transcripts.load(store.root, path) if transcript_files.holds(path) else None
    except (BadInput, Refused):  # torn, or no file
        return ()
    return found.turns if found else ()


def _said(turns: Iterable[Turn]) -> Iterator[Utterance]:
    yield from (Utterance(turn.content, turn.speaker) for turn in turns)
