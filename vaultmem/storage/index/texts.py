"""What the index holds of what a file says: its keys, its text, its words and passages."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from operator import attrgetter

from vaultmem.errors import BadInput
from vaultmem.records import Record, iso, moment
from vaultmem.storage.index import (
    coverage,
    edited_memories,
    neighbours,
    passages,
    supersession,
    text_features,
    tokenizer,
)
from vaultmem.storage.index.schema import COLUMNS, LISTS

_NOTED = (
    *("doc", "stem", "recallable", "archived", "length", "asks", "times", "counts", "language"),
    *("ended_by", *LISTS, *COLUMNS),
)
_INSERT = f"INSERT INTO docs({', '.join(_NOTED)}) VALUES({', '.join('?' * len(_NOTED))})"  # our own
_VALUES = attrgetter(*COLUMNS)
_AS_WRITTEN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}Z")


def note(db: sqlite3.Connection, doc: int, said: Record) -> None:
    """Keep what a file says, in the place of nothing."""
    if (created := sortable(said.created)) != said.created:
        said = replace(said, created=created)
    kind = text_features.kind(said.body)
    own = (doc, said.stem, said.recallable, said.archived, *kind)
    db.execute(_INSERT, (*own, said.superseded_by, *_joined(said), *_VALUES(said)))
    db.execute("INSERT INTO bodies VALUES(?,?)", (doc, said.body))
    if said.sources:
        db.executemany("INSERT OR IGNORE INTO links VALUES(?,?)", [(doc, t) for t in said.sources])
    supersession.note(db, doc, said)
    edited_memories.note(db, doc, said)
    coverage.note(db, doc, said)
    if said.recallable:
        _make_findable(db, doc, said, kind.language)
    if said.session:
        neighbours.doubt(db, doc)


def _make_findable(db: sqlite3.Connection, doc: int, said: Record, language: str) -> None:
    """Note the words of a text and its passages; one that is its only passage is not told twice."""
    cut = passages.cut(said.body)
    # By rising rows of `words`: at each that is below the last, FTS5 writes out what it gathered.
    for passage in reversed(cut):
        key = passages.key(doc, passage.number)
        alone = sha256(passages.embedded(said, passage).encode()).hexdigest()
        db.execute(
            "INSERT INTO passages(id, doc, number, first, last, line_first, line_last, heading,"
            " alone, sha) VALUES(?,?,?,?,?,?,?,?,?,?)",
            (key, doc, passage.number, passage.first, passage.last,
             passage.line_first, passage.line_last, passage.heading, alone, alone),
        )  # fmt: skip
        if len(cut) > 1:
            text = said.body[passage.first : passage.last]
            _note_words(db, -key, (f"{_title(said)} {passage.heading}", text), language)
    _note_words(db, doc, (_title(said), said.body), language)


def _note_words(
    db: sqlite3.Connection, row: int, title_and_body: tuple[str, str], language: str
) -> None:
    words = (tokenizer.indexed(text, language) for text in title_and_body)
    db.execute("INSERT INTO words(rowid, title, body) VALUES(?,?,?)", (row, *words))


def _title(said: Record) -> str:
    names = (said.title, *said.called)
    about = (*names, said.description, said.person, said.facts, said.speaker)
    return " ".join(x for x in (*about, said.created[:10]) if x)


def _joined(said: Record) -> Iterator[str]:
    return ("\n".join(getattr(said, name)) for name in LISTS)


def sortable(created: str) -> str:
    """Return a hand-written time as the vault writes times, so that they compare as text."""
    if _AS_WRITTEN.fullmatch(created):  # nearly always: it is that, or none at all
        return created
    try:
        return iso(moment(created)) if created else ""
    except (BadInput, OverflowError):
        return created
