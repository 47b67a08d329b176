"""Tell the words of a forgotten text from those that others say, too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from vaultmem.maintenance.forgetting.redaction.decodings import folded, readings
from vaultmem.maintenance.forgetting.redaction.word_rows import (
    EVERYBODYS,
    FEW,
    Run,
    quoted,
    rows_as_long,
    rows_of,
    stretches,
    words,
)
from vaultmem.nlp.text import analysis

_SHORTEST = 3
_SAME = 0.5


@dataclass(frozen=True, slots=True)
class DistinctiveWords:
    """What gives a forgotten text away.

    *terms* are words, and *runs* stretches of five, that nothing which stays says; *whole* are all
    stretches of each text, *sentences* its sentences of four words and more, and *names* its file's
    stem: one of a single word is a word like others. Words are in lower case. A text in which none
    of the *hints* stands says nothing of it: they spare looking at its words.
    """

    terms: frozenset[str]
    runs: frozenset[Run]
    sentences: frozenset[Run]
    whole: tuple[frozenset[Run], ...]
    names: frozenset[str]
    hints: frozenset[str]

    def says(self, text: str) -> bool:
        """Tell whether *text* gives it away, as it stands or encoded."""
        return self.is_said_in(readings(text))

    def is_said_in(self, read: Iterable[str]) -> bool:
        """Tell the same of a text of which all readings are given."""
        return any(map(self._says, read))

    def _says(self, text: str) -> bool:
        shown = folded(text)
        if any(name in shown for name in self.names):
            return True
        if not any(hint in shown for hint in self.hints):
            return False
        spoken = words(text)
        return not self.terms.isdisjoint(spoken) or not self.runs.isdisjoint(
            rows_as_long(spoken, self.runs)
        )

    def hints_at(self, text: str) -> bool:
        """Tell whether a word stands in *text* without which it could not give it away."""
        every = (folded(reading) for reading in readings(text))
        return any(word in each for each in every for word in (*self.hints, *self.names))

    def repeats(self, text: str) -> bool:
        """Tell whether *text* says half or more of a forgotten one, whoever else says it, too.

        As it stands or encoded.
        """
        return self.is_repeated_in(readings(text))

    def is_repeated_in(self, read: Iterable[str]) -> bool:
        """Tell the same of a text of which all readings are given."""
        return any(map(self._repeats, read))

    def _repeats(self, text: str) -> bool:
        spoken = words(text)
        rows = {n: rows_of(spoken, n) for n in {_length(whole) for whole in self.whole} if n >= FEW}
        told = (whole for whole in self.whole if _length(whole) in rows)
        return any(len(whole & rows[_length(whole)]) >= _SAME * len(whole) for whole in told)

    def quotes(self, text: str) -> bool:
        """Tell whether five words in a row of a forgotten one stand in *text*, whoever says them.

        Of a shorter one all of its words, four at least.
        """
        return any(quoted(self.whole, reading) for reading in readings(text))

    def repeats_sentence(self, text: str) -> bool:
        """Tell whether *text* repeats a forgotten one, and says a sentence of it whole."""
        return any(map(self._repeats_sentence, readings(text)))

    def _repeats_sentence(self, text: str) -> bool:
        if not self._repeats(text):
            return False
        return not rows_as_long(words(text), self.sentences).isdisjoint(self.sentences)

    def is_kept_by(self, others: Iterable[str]) -> DistinctiveWords:
        """Return what still gives it away when the texts of *others* stay."""
        terms, runs = set(self.terms), set(self.runs)
        for other in others:
            spoken = words(other)
            terms.difference_update(spoken)
            runs.difference_update(rows_as_long(spoken, runs))
        return self._of(terms, runs)

    def has_words_kept_by(self, others: Iterable[str]) -> DistinctiveWords:
        """Return what still gives it away when *others* say the words, though not in that order."""
        return self._of(self.is_kept_by(others).terms, self.runs)

    def by_provenance(self, terms: Iterable[str] = ()) -> DistinctiveWords:
        """Return what gives it away in a file made from it: there its words in a row are its own.

        Whoever else says them, too; of a text of fewer than five all of its words, four at least.
        So are *terms*, which nothing else says that the file was made from.
        """
        rows = {run for whole in self.whole for run in whole if len(run) >= FEW}
        return self._of(self.terms.union(terms), self.runs | rows)

    def _of(self, terms: Iterable[str], runs: Iterable[Run]) -> DistinctiveWords:
        terms, runs = frozenset(terms), frozenset(runs)
        hints = terms | {max(run, key=len) for run in runs}
        return replace(self, terms=terms, runs=runs, hints=hints)


def distinctive_words(texts: Sequence[str], names: Iterable[str]) -> DistinctiveWords:
    """Return what gives *texts* away, whoever else says it; *names* are stems, paths and ids."""
    said = [words(text) for text in texts]
    terms = {w for each in said for w in each if len(w) >= _SHORTEST or not w.isascii()}
    whole = tuple(map(stretches, texts))
    runs = frozenset(run for each in whole for run in each if len(run) > 1)
    named = {folded(name): words(name) for name in names if name}
    known = frozenset(name for name, said in named.items() if len(said) > 1)
    terms |= {said[0] for said in named.values() if len(said) == 1}
    parts = (tuple(words(part)) for text in texts for part in analysis.sentences(text))
    sentences = frozenset(part for part in parts if len(part) >= FEW)
    first = DistinctiveWords(
        frozenset(terms - EVERYBODYS), runs, sentences, whole, known, frozenset()
    )
    return first.is_kept_by(())


def _length(whole: frozenset[Run]) -> int:
    """Return how many words each stretch of a text has."""
    return len(next(iter(whole), ()))
