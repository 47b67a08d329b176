"""What a text is to the full-text index: its words, Chinese and Japanese as overlapping pairs.

FTS5's tokenizer sees a run of CJK characters as one word; pairs joined by spaces make any run of
two or more findable as a phrase. Letters that are read alike are one, and the words of a text in
another language than English are stems, for FTS5 stems as English alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from vaultmem.documents.languages import detection, letters, stems
from vaultmem.documents.scripts import CJK

MOST_TERMS = 32
"""Distinct terms of a question that count; a person asks for fewer."""

_FUNCTION_WORDS = """
a about an and any are as at be been but by can could did do does for from get had has have he her
him his how i if in into is it its kind likely many me might most much my of on or our she should so
some than that the their them then there these they this to type was we were what when where which
who whom whose why will with would you your
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
_LITTLE = frozenset(word for word in STOP_WORDS if len(word) == len("in"))
_LIKE_LITTLE = re.compile(r"\b([a-z]{2})(?:s|ed|es?)\b", re.IGNORECASE)
_FIRST_MARK = 0xE000
"""Where the characters begin that Unicode leaves to private use, which FTS5 takes for letters."""
_ENGLISH_MARK = _FIRST_MARK + len(stems.STEMMED)


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]+")


@cache
def _term() -> re.Pattern[str]:
    return re.compile(rf"[{CJK}]+|(?:(?![{CJK}])[^\W_])+")


def indexed(text: str, language: str = "") -> str:
    """Return *text* as it is given to FTS5, its words as stems of *language* unless it is English.

    A stem is marked with its language: `Peter`, in German `pet`, is not found among pets.
    """
    if text.isascii() and not language:
        return told_apart(text)
    plain = letters.folded(text)
    if language in stems.STEMMED:
        return _term().sub(lambda m: _as_indexed(m.group(), language), plain)
    return _run().sub(lambda m: _paired(m.group()), told_apart(plain))


def told_apart(text: str) -> str:
    """Return English *text* with a mark on what FTS5 would take for a word of two letters.

    It stems `Ines` as `in`, `Ane` as `an` and `ate` as `at`, which nearly every text has.
    """
    return _LIKE_LITTLE.sub(_marked, text)


def _marked(found: re.Match[str]) -> str:
    word = found.group()
    is_taken = found[1].lower() in _LITTLE and word.lower() not in STOP_WORDS
    return chr(_ENGLISH_MARK) + word if is_taken else word


def _as_indexed(word: str, language: str) -> str:
    return _paired(word) if is_run(word) else stemmed(word, language)


def stemmed(word: str, language: str) -> str:
    """Return the stem of *word* as it stands in the index; what has figures has none."""
    mark = chr(_FIRST_MARK + stems.STEMMED.index(language))
    return mark + stems.stem(word, language) if word.isalpha() else word


def is_run(term: str) -> bool:
    """Tell whether *term* is of Chinese or Japanese characters, which are indexed in pairs."""
    return _run().match(term) is not None


def pairs(run: str) -> list[str]:
    """Return the overlapping pairs of *run*; a single character is itself."""
    return [run[i : i + 2] for i in range(max(len(run) - 1, 1))]


def _paired(run: str) -> str:
    # Every character alone, too: one-character questions and names.
    return f" {' '.join(run)} {' '.join(pairs(run)) if len(run) > 1 else ''} "


def terms(query: str) -> tuple[str, ...]:
    """Return the distinct terms of a question, its function words dropped unless nothing is left.

    Any string is safe: only letters and digits come through.
    """
    # FTS5 reads a letter and its accent as one, so they must not come apart here.
    composed = letters.folded(unicodedata.normalize("NFC", query)).lower()
    found = list(dict.fromkeys(_term().findall(composed)))
    idle = STOP_WORDS | _idle(query)
    telling = [t for t in found if t not in idle]
    return tuple(_split(telling or found))[:MOST_TERMS]


def _idle(query: str) -> frozenset[str]:
    """Return the function words of the language that *query* is in, "" for English."""
    language = detection.language(query)
    known = detection.FUNCTION_WORDS[language] if language else frozenset[str]()
    return frozenset(map(letters.folded, known))


def _split(found: list[str]) -> Iterator[str]:
    for term in found:
        if is_run(term):
            yield from pairs(term)
        else:
            yield term


def plain(text: str) -> str:
    """Return *text* in lower case and without accents, as FTS5 compares words."""
    return letters.bare(text)


def length(text: str) -> int:
    """Return how many words *text* has, each Chinese or Japanese character being one."""
    return len((text if text.isascii() else _run().sub(_spaced, text)).split())


def _spaced(run: re.Match[str]) -> str:
    return f" {' '.join(run.group())} "
