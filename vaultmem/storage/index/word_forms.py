"""The forms that a term of a question may stand in, as expressions of FTS5; purely.

A term is looked for as it is asked, as a stem of each language that the vault's texts are in,
closed up with the term beside it and taken apart (`road trip`, `roadtrip`), and as Japanese writes
it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Protocol

from vaultmem.documents.languages import japanese_spellings
from vaultmem.storage.index import tokenizer

Forms = tuple[str, ...]
"""The expressions any of which a term is found by."""

_PAIR, _PART, _LONGEST = 2, 3, 24
"""Letters of each of two words that stand side by side, of each part of a compound, and of a word
that is none of ours."""
_COMPOUNDING = frozenset({"de", "nl"})
_PLURALS = ("as", "is", "os", "ys")
_NEAR = 8
"""Words between the parts of a German compound: `die Versicherung für das Auto`."""


class Vocabulary(Protocol):
    """The words of a vault's texts."""

    @property
    def languages(self) -> Sequence[str]:
        """The languages, English aside, that texts are in."""

    def holds(self, form: str) -> bool:
        """Tell whether a text has *form*; to score by what stands nowhere costs as much."""

    def longer(self, word: str) -> Sequence[str]:
        """Return what stands in the index and begins with *word*."""


def forms(terms: Sequence[str], known: Vocabulary) -> tuple[Forms, ...]:
    """Return those forms of each of *terms*, in order, that are *known*.

    A form that two terms share stands with both. Two words that both stand as they are asked, in
    English, are looked for in no German compound.
    """
    found = [[*filter(known.holds, _own(term, known.languages))] for term in terms]
    for term, each in zip(terms, found, strict=True):
        if not each:  # a word that stands for itself is better not taken for two
            each.extend(filter(known.holds, _apart(term, known.languages)))
    plain = [each[:1] == [_asked(term)] for term, each in zip(terms, found, strict=True)]
    for at, (one, other) in enumerate(pairwise(terms)):
        languages = () if plain[at] and plain[at + 1] else known.languages
        for joined in filter(known.holds, _joined(one, other, known, languages)):
            found[at].append(joined)
            found[at + 1].append(joined)
    for at, spelling in _spellings(terms):
        found[at] += filter(known.holds, [spelling])
    return tuple(tuple(dict.fromkeys(each)) for each in found)


def match(found: Iterable[Forms]) -> str:
    """Return the FTS5 expression that any of the forms satisfies, each one once."""
    return " OR ".join(dict.fromkeys(chain.from_iterable(found)))


def quoted(*words: str) -> str:
    """Return the phrase of *words*, of which none means anything to FTS5's grammar."""
    return '"' + " ".join(words).replace('"', '""') + '"'


def _asked(term: str) -> str:
    return quoted(tokenizer.told_apart(term))


def _own(term: str, languages: Sequence[str]) -> Iterator[str]:
    yield _asked(term)
    if _is_word(term):
        yield from (quoted(tokenizer.stemmed(term, language)) for language in languages)


def _apart(term: str, languages: Sequence[str]) -> Iterator[str]:
    """Yield *term* as two words, one after the other, or in German near each other."""
    if not _is_word(term):
        return
    for at in range(_PAIR, len(term) - _PAIR + 1):
        parts = term[:at], term[at:]
        if tokenizer.STOP_WORDS.isdisjoint(parts):
            yield quoted(*parts)
        if min(map(len, parts)) < _PART:
            continue
        for language in filter(_COMPOUNDING.__contains__, languages):
            stems = (quoted(tokenizer.stemmed(part, language)) for part in parts)
            yield f"NEAR({' '.join(stems)}, {_NEAR})"


def _joined(one: str, other: str, known: Vocabulary, languages: Sequence[str]) -> Iterator[str]:
    """Yield *one* and *other* as a single word; a German compound has them in any order."""
    # The `s` of `Ada's`, closed up, is `Ada` again: the term would count twice.
    if not (_is_word(one) and _is_word(other)) or min(len(one), len(other)) < _PART:
        return
    yield quoted(one + other)
    for language in filter(_COMPOUNDING.__contains__, languages):
        stems = [_singular(tokenizer.stemmed(word, language)) for word in (one, other)]
        for first, last in (stems, reversed(stems)):
            # Porter's stemmer, which is the last to see a word, may have taken off its final `e`.
            yield from (quoted(word) for word in known.longer(first)
                        if last[1:-1] in word[len(first) :])  # fmt: skip


def _singular(stem: str) -> str:
    """Return *stem* without the plural's `s` of `Autos`, `Omas`, `Taxis`, which Snowball leaves."""
    return stem[:-1] if len(stem) > _PART and stem.endswith(_PLURALS) else stem


def _is_word(term: str) -> bool:
    return term.isalpha() and len(term) <= _LONGEST and not tokenizer.is_run(term)


def _spellings(terms: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield which of *terms* begins a word that Japanese writes otherwise, too, and that form."""
    for first, run in _runs(terms):
        for at, spelling in japanese_spellings.other_spellings(run):
            yield min(first + at, len(terms) - 1), quoted(*tokenizer.pairs(spelling))


def _runs(terms: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield each run of characters that was taken apart in pairs, and which term is its first."""
    first, run = 0, ""
    for number, term in enumerate((*terms, "")):
        if run and term[:1] == run[-1] and tokenizer.is_run(term):
            run += term[1:]
            continue
        if run:
            yield first, run
        first, run = number, term if tokenizer.is_run(term) else ""
