"""Know words that are said for others: `dog` where a pet is asked for, `mum` for a mother.

They stand in `related_words.txt`, an English word a line and behind it those that may answer who
asks for it: the same thing by another name, a kind of it, or an irregular form. Vaults differ in
what is talked of, so it holds what is common to everyday talk: of names, those of places and of
things that many have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

_TABLE = Path(__file__).with_name("related_words.txt")
_WORD = re.compile(r"[^\W_]+")
_VOWELS = "aeiou"
_HISSING = ("s", "x", "z", "ch", "sh")
_SHORT = 3
"""Letters from which a last consonant is written twice: `running`, but `adding`."""


def related(terms: Sequence[str]) -> tuple[frozenset[str], ...]:
    """Return the words that are said for each of *terms*, in all their forms; most have none."""
    return tuple(map(_said_for, terms))


def held(
    related: Sequence[frozenset[str]], texts: Mapping[int, str]
) -> dict[int, tuple[bool, ...]]:
    """Return whether each of *texts* holds a word *related* to each term; not those without."""
    if not any(related):
        return {}
    words = {doc: frozenset(_WORD.findall(text.lower())) for doc, text in texts.items()}
    told = {doc: tuple(not each.isdisjoint(its) for each in related) for doc, its in words.items()}
    return {doc: each for doc, each in told.items() if any(each)}


@lru_cache(maxsize=1024)
def _said_for(term: str) -> frozenset[str]:
    words = _table().get(term, "").split()
    return frozenset(form for word in words for form in _forms(word)) - {*_forms(term)}


@cache
def _table() -> Mapping[str, str]:
    """Return the words that each word has behind it, by each form of that."""
    rows = (line.split(": ") for line in _TABLE.read_text(encoding="utf-8").splitlines())
    known = dict(rows)
    return {form: said for word, said in known.items() for form in _forms(word)} | known


def _forms(word: str) -> Iterator[str]:
    """Yield an English *word* with the endings of a noun and of a verb."""
    stem, last = word[:-1], word[-1:]
    yield word
    if last == "e":
        yield from (f"{word}s", f"{word}d", f"{stem}ing")
    elif last == "y" and stem[-1:] not in _VOWELS:
        yield from (f"{stem}ies", f"{stem}ied", f"{word}ing")
    else:
        yield f"{word}es" if word.endswith(_HISSING) else f"{word}s"
        yield from (f"{word}ed", f"{word}ing")
        if len(word) >= _SHORT and last not in _VOWELS and stem[-1] in _VOWELS:
            yield from (f"{word}{last}ed", f"{word}{last}ing")
