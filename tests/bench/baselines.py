"""What one would use without vaultmem: grep over the files, or SQLite's FTS5 as it comes."""

from __future__ import annotations

import re
import sqlite3
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from vaultmem.storage.index import tokenizer

_WORD = re.compile(r"\w+")


def grep(folder: Path, query: str) -> bytes:
    """Name the files that hold any telling word of *query*, as a person would have grep do it."""
    patterns = (x for word in tokenizer.terms(query) for x in ("-e", word))
    argv = ["grep", "-rilF", *patterns, str(folder)]
    return subprocess.run(argv, stdout=subprocess.PIPE, check=False).stdout


def most_words(texts: Mapping[str, str], query: str, k: int) -> Sequence[str]:
    """Return the texts that hold the most telling words of *query*; grep's order breaks ties."""
    wanted = tokenizer.terms(query)
    held = {name: sum(w in text for w in wanted) for name, text in texts.items()}
    return sorted((n for n in held if held[n]), key=lambda n: -held[n])[:k]


def plain_index(path: Path | str, texts: Iterable[str]) -> sqlite3.Connection:
    """Return a database with *texts* in one FTS5 column, numbered from 1."""
    db = sqlite3.connect(path)
    db.execute("CREATE VIRTUAL TABLE texts USING fts5(text)")
    db.executemany("INSERT INTO texts VALUES (?)", ((text,) for text in texts))
    db.commit()
    return db


def best(db: sqlite3.Connection, query: str, k: int) -> Sequence[int]:
    """Return the numbers of the *k* texts that FTS5's own bm25 puts first for any word."""
    match = " OR ".join(f'"{w}"' for w in _WORD.findall(query.lower()))
    sql = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?"
    with closing(db.execute(sql, (match, k))) as rows:
        return [number for (number,) in rows]
