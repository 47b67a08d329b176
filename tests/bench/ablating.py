"""What each signal of the ranking is worth: all of them, then each one left out, then changed.

    python tests/bench/ablating.py --conversations FOLDER

A folder as `quality` takes it. With VAULTMEM_MODEL_DIR it measures with MiniLM, too. `fitting` says
what weights fitted on other conversations would find.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import labelled
from tests.bench.figures import HEADER, line, mean
from tests.bench.labelled import NAMES, Case, Setting, Vector
from vaultmem.retrieval.search import weights
from vaultmem.retrieval.search.parsed_query import ParsedQuery, parse_query
from vaultmem.storage.index import Index
from vaultmem.storage.index import tokenizer as index_tokenizer

_PLAIN = "unicode61 remove_diacritics 2"


def _weights(of: Mapping[str, float], changed: str = "", by: float = 1.0) -> Vector:
    return np.array([of.get(name, 0.0) * (by if name == changed else 1) for name in NAMES])


@dataclass(frozen=True, slots=True)
class Changed(Setting):
    """A conversation that is indexed or asked with one thing left out."""

    stemmed: bool = True
    headed: bool = True
    telling: bool = True

    def prepare(self, index: Index) -> None:
        """Index the words anew where this differs from how they are."""
        if self.stemmed and self.headed:
            return
        rows = index.db.execute("SELECT rowid, title, body FROM words").fetchall()
        tokenizer = f"porter {_PLAIN}" if self.stemmed else _PLAIN
        index.db.execute("DROP TABLE words")
        index.db.execute(
            f'CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize="{tokenizer}")'
        )
        kept = [(row, title if self.headed else "", body) for row, title, body in rows]
        index.db.executemany("INSERT INTO words(rowid, title, body) VALUES(?,?,?)", kept)

    def ask(self, query: str) -> ParsedQuery:
        """Take *query* apart, with its function words where they are to count."""
        asked = parse_query(query)
        if self.telling:
            return asked
        return replace(
            asked, terms=tuple(dict.fromkeys(index_tokenizer.plain(w) for w in query.split()))
        )


_SETTINGS = {
    "without stemming": Changed(stemmed=False),
    "without date and speaker": Changed(headed=False),
    "with function words": Changed(telling=False),
}


def _lines(cases: Sequence[Sequence[Case]], of: Mapping[str, float]) -> Iterator[str]:
    """Yield what all signals give, then what each change of them does, in points."""
    ours = mean(cases, [_weights(of)] * len(cases))
    yield line("all signals", ours, ours)
    for text, by in (("without", 0.0), ("half", 0.5), ("twice", 2.0)):
        for name in of:
            if name not in {"validity", "retelling"}:  # none of these is outdated or retold
                changed = mean(cases, [_weights(of, name, by)] * len(cases))
                yield line(f"{text} {name}", changed, ours)


@click.command()
@click.option("--conversations", "folder", required=True,
              type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Conversations with questions.")  # fmt: skip
def main(folder: Path) -> None:
    """Print what each signal is worth, by words alone and with MiniLM."""
    told = labelled.conversations(folder)
    cases = labelled.gathered(told)
    click.echo(f"words alone, {sum(map(len, cases))} questions\n{HEADER}")
    for text in _lines(cases, weights.BY_WORDS):
        click.echo(text)
    ours = mean(cases, [_weights(weights.BY_WORDS)] * len(cases))
    for text, setting in _SETTINGS.items():
        changed = labelled.gathered(told, None, setting)
        click.echo(line(text, mean(changed, [_weights(weights.BY_WORDS)] * len(changed)), ours))
    if embedder := labelled.embedder():
        click.echo(f"\nwith MiniLM\n{HEADER}")
        for text in _lines(labelled.gathered(told, embedder), weights.WITH_TOKENS):
            click.echo(text)


if __name__ == "__main__":
    main()
