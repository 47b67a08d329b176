"""Which texts answer best by their words, without a score for each that shares one with a question.

In a large vault most of what shares a word with a question shares a common one. BM25 gives no text
more for a word than its rarity times a constant: where so many texts score more by the rarer words
than the common ones can add up to, no text that has only these is among the best (Turtle and
Flood's MaxScore, "Query evaluation: strategies and optimizations", 1995). So the best are the same
as if all were scored; of 100 000 memories, asked LoCoMo's questions, half of those are.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import NamedTuple

from vaultmem.storage.index import passages, word_forms, word_queries
from vaultmem.storage.index.filters import THESE, Filter, condition
from vaultmem.storage.index.queries import Queries
from vaultmem.storage.index.word_forms import Forms

_TEXTS, _PASSAGES = "words.rowid > 0", "words.rowid < 0"
_SCORED = "SELECT words.rowid, -bm25(words) AS score FROM words"
_SPARE = 1.5
"""Matches that are looked up for each that is likely needed."""
_SAMPLE = 64
"""Docs that tell how many of a vault a scope means."""
_FEW = 1 / 8
"""Of a scope that means a lesser share of the vault the matches are picked out first."""
_MOST_FOR_A_WORD = 2.2
"""What BM25 gives for a word at most, beside its rarity: FTS5's k1, which is 1.2, and 1."""
_MANY = 5000
"""Texts that common words must save a score: else to ask twice costs more."""

_Row = tuple[int, float]
"""A row of `words`, and its score."""


class Matches(NamedTuple):
    """BM25 by doc: of whole texts, and of the best passage of those that have several."""

    texts: Mapping[int, float]
    passages: Mapping[int, float]


def leading(index: Queries, asked: Sequence[Forms], where: Filter, most: int) -> Matches:
    """Score the *most* docs of *where* that answer best, by text and by passage; of equals all.

    Others may be among them.
    """
    if not any(asked):
        return Matches({}, {})
    share = len(word_queries.sample(index, where, _SAMPLE)) / _SAMPLE
    if share >= _FEW:
        found, room = _counted(index, asked), math.ceil(_SPARE * most / share)
        rows = [_best_rows(index, found, part, room) for part in (_TEXTS, _PASSAGES)]
        best = [_best_meant(index, each, where) for each in rows]
        if all(_are_enough(*it, room, most) for it in zip(rows, best, strict=True)):
            return Matches(*best)
    scope, args = condition(where)
    joined = f"{_SCORED} JOIN docs ON docs.doc = {passages.OWNER} WHERE words MATCH ? AND {scope}"
    return _matches(index.db.execute(joined, (word_forms.match(asked), *args)).fetchall())


def scores(index: Queries, asked: Sequence[Forms], docs: AbstractSet[int]) -> Matches:
    """Score those of *docs* that have a form."""
    if not any(asked):
        return Matches({}, {})
    sql = f"{_SCORED} WHERE words MATCH ? AND {passages.OWNER} {THESE}"
    args = word_forms.match(asked), json.dumps(sorted(docs))
    return _matches(index.db.execute(sql, args).fetchall())


def _matches(rows: Sequence[_Row]) -> Matches:
    texts, parts = ([it for it in rows if (it[0] > 0) is whole] for whole in (True, False))
    return Matches(_best_by_doc(texts), _best_by_doc(parts))


def _best_by_doc(rows: Iterable[_Row]) -> dict[int, float]:
    best: dict[int, float] = {}
    for row, score in rows:
        doc = passages.owner(row)
        best[doc] = max(score, best.get(doc, score))
    return best


def _best_meant(index: Queries, rows: Sequence[_Row], where: Filter) -> dict[int, float]:
    docs = word_queries.within(index, {passages.owner(row) for row, _ in rows}, where)
    return _best_by_doc(it for it in rows if passages.owner(it[0]) in docs)


def _are_enough(rows: Sequence[_Row], best: Mapping[int, float], room: int, most: int) -> bool:
    """Tell whether the *most* best are among *best*: what was not looked at is no better.

    It scores no more than the last of *rows*.
    """
    return len(rows) < room or sum(score > rows[-1][1] for score in best.values()) >= most


def _best_rows(index: Queries, found: _Counted, part: str, room: int) -> list[_Row]:
    """Return the *room* rows with the best scores; those equal to the last may be others."""
    sql = f"{_SCORED} WHERE words MATCH ? AND {part} ORDER BY score DESC LIMIT ?"
    if common := found.common(room):
        rare = " OR ".join(form for form in found.texts if form not in common)
        by_rare = index.db.execute(sql, (rare, room)).fetchall()
        if len(by_rare) == room and by_rare[-1][1] >= found.bound(common):
            # What has a common word, too, scores more by all of them.
            both = f"({rare}) AND ({' OR '.join(common)})"
            better = dict(by_rare) | dict(index.db.execute(sql, (both, room)).fetchall())
            return sorted(better.items(), key=lambda it: -it[1])[:room]
    return index.db.execute(sql, (found.match, room)).fetchall()


# --- the bound --------------------------------------------------------------------------------


class _Counted(NamedTuple):
    """An expression of FTS5, how many texts each form in it has, and how many there are."""

    match: str
    texts: Mapping[str, int]
    all: int

    def common(self, room: int) -> list[str]:
        """Return the forms that are likely to add up to less than the *room* best score without.

        The commonest come first. None where there is little to save.
        """
        enough = self._rarity(self._filling(room))
        chosen: list[str] = []
        for form in sorted(self.texts, key=self.texts.__getitem__, reverse=True):
            # A NEAR scores as the words in it, each of which may be rarer than it is found.
            if form.startswith("NEAR") or self.bound([*chosen, form]) > enough:
                break
            chosen.append(form)
        return chosen if sum(map(self.texts.__getitem__, chosen)) >= _MANY else []

    def bound(self, forms: Iterable[str]) -> float:
        """Return what no text scores more than by *forms*."""
        return _MOST_FOR_A_WORD * sum(map(self._rarity, forms))

    def _filling(self, room: int) -> str:
        """Return the form by which, with all rarer ones, as many as *room* are found."""
        so_far = 0
        for form in sorted(self.texts, key=self.texts.__getitem__):
            so_far += self.texts[form]
            if so_far >= room:
                break
        return form

    def _rarity(self, form: str) -> float:
        """Return BM25's inverse document frequency, as FTS5 has it."""
        texts = self.texts[form]
        return max(math.log((self.all - texts + 0.5) / (texts + 0.5)), 1e-6)


def _counted(index: Queries, asked: Sequence[Forms]) -> _Counted:
    count = "SELECT count(*) FROM words WHERE words MATCH ?"
    forms = dict.fromkeys(chain.from_iterable(asked))
    texts = {form: index.db.execute(count, (form,)).fetchone()[0] for form in forms}
    # FTS5 keeps a row there for each of its own: to count those would read all texts.
    (many,) = index.db.execute("SELECT count(*) FROM words_docsize").fetchone()
    return _Counted(word_forms.match(asked), texts, many)
