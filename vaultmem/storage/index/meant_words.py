"""Which words of the index are meant by words that stand nowhere in it: looked up by beginnings."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing

from vaultmem.storage.index import misspellings, tokenizer, vocabulary, word_forms
from vaultmem.storage.index.queries import Queries
from vaultmem.storage.index.schema import TOKENIZED
from vaultmem.storage.index.vocabulary import Vocabulary
from vaultmem.storage.index.word_forms import Forms


def forms(index: Queries, terms: Sequence[str], known: Sequence[Forms]) -> tuple[Forms, ...]:
    """Return of each of *terms* the forms that it may be meant for, none where it has *known* ones.

    Those are of the words that are nearest to it. Few words of a large vault are read.
    """
    asked = {
        term for term, own in zip(terms, known, strict=True) if not own and misspellings.edits(term)
    }
    if not asked:
        return ((),) * len(terms)
    words = vocabulary.of(index)
    spelt = {term: _spellings(term, words.languages) for term in asked}
    stems = _stems({it for every in spelt.values() for it in every})
    found = {
        term: dict.fromkeys(form for it in spelt[term] for form in _near(words, term, stems[it]))
        for term in asked
    }
    return tuple(tuple(found.get(term, ())) for term in terms)


def _spellings(term: str, languages: Sequence[str]) -> list[str]:
    """Return how *term* would be given to FTS5, in English and in each of *languages*."""
    return [tokenizer.told_apart(term), *(tokenizer.stemmed(term, it) for it in languages)]


def _near(words: Vocabulary, term: str, marked: str) -> Iterator[str]:
    """Yield the forms of *words* nearest to *term*, whose stem is *marked* with its language."""
    stem = marked.lstrip(tokenizer.MARKS)
    mark, most = marked[: len(marked) - len(stem)], misspellings.edits(term)
    known = (
        word.removeprefix(mark)
        for beginning in misspellings.beginnings(stem)
        for word in words.beginning(mark + beginning)
    )
    yield from (word_forms.quoted(mark + it) for it in misspellings.nearest(stem, known, most))


def _stems(words: Collection[str]) -> Mapping[str, str]:
    """Return *words* as FTS5 keeps them, whose stemmer of English is to be had from it alone."""
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.execute(f"CREATE VIRTUAL TABLE words USING fts5(word, {TOKENIZED})")
        memory.execute("CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, instance)")
        numbered = dict(enumerate(words, 1))
        memory.executemany("INSERT INTO words(rowid, word) VALUES (?, ?)", numbered.items())
        rows = memory.execute("SELECT doc, term FROM vocabulary")
        return dict.fromkeys(words, "") | {numbered[doc]: term for doc, term in rows}
