"""Where the index of turns says what no transcript says; it is looked at where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from vaultmem.maintenance.summary_problems import MEND
from vaultmem.memory.tool_quotes import mentions
from vaultmem.records import Problem, Record
from vaultmem.storage import transcripts, turn_index, turn_names
from vaultmem.storage.index.texts import sortable
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript


def each(store: Store) -> Iterator[Problem]:
    """Yield a problem for each transcript of which the index says what is not there."""
    made = store.turns() if turn_index.is_made(store.root.path) else None
    if made is None:
        return
    for path, records in groupby(made.by_path(), lambda it: turn_index.transcript_of(it.path)):
        talk = transcripts.load_if_allowed(store.root, path)
        if not all(_stands(talk, record) for record in records):
            yield Problem("index", path, "the index of turns disagrees with the file", MEND)


def mend(store: Store) -> None:
    """Make the index anew where it disagrees with a transcript."""
    if any(True for _ in each(store)) and (made := store.turns()):
        made.rebuild()
        made.sync()


def _stands(talk: Transcript | None, record: Record) -> bool:
    """Tell whether *talk* has what *record* says; a tool's words are told by a mention there."""
    name = turn_names.parse(record.path)
    if talk is None or name is None or name.number > len(talk.turns):
        return False
    turn = talk.turns[name.number - 1]
    own = (line for line in record.body.splitlines() if not mentions.are_in(line))
    is_said = all(line in turn.content for line in own)
    return is_said and (sortable(turn.at), turn.speaker) == (record.created, record.speaker)
