"""What a text is to the full-text index: its words, Chinese and Japanese as overlapping pairs.

FTS5's tokenizer sees a run of CJK characters as one word; pairs joined by spaces make any run of
two or more findable as a phrase.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

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


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]+")


@cache
def _term() -> re.Pattern[str]:
    return re.compile(rf"[{CJK}]+|(?:(?![{CJK}])[^\W_])+")


def indexed(text: str) -> str:
    """Return *text* as it is given to FTS5."""
    if text.isascii():
        return text
    return _run().sub(lambda m: " " + " ".join(_pairs(m.group())) + " ", text)


def _pairs(run: str) -> Iterator[str]:
    # Every character alone, too: one-character questions and names.
    yield from run
    yield from (run[i : i + 2] for i in range(len(run) - 1))


def terms(query: str) -> tuple[str, ...]:
    """Return the distinct terms of a question, its function words dropped unless nothing is left.

    Any string is safe: only letters and digits come through.
    """
    # FTS5 reads a letter and its accent as one, so they must not come apart here.
    composed = unicodedata.normalize("NFC", query)
    found = list(dict.fromkeys(t.lower() for t in _term().findall(composed)))
    telling = [t for t in found if t not in STOP_WORDS]
    return tuple(_split(telling or found))[:MOST_TERMS]


def _split(found: list[str]) -> Iterator[str]:
    for term in found:
        if _run().fullmatch(term):
            yield from (
                _pairs(term) if len(term) == 1 else (term[i : i + 2] for i in range(len(term) - 1))
            )
        else:
            yield term


def plain(text: str) -> str:
    """Return *text* in lower case and without accents, as FTS5 compares words."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFD", text.lower())
    return "".join(c for c in apart if unicodedata.category(c) != "Mn")


def length(text: str) -> int:
    """Return how many words *text* has, each Chinese or Japanese character being one."""
    return len((text if text.isascii() else _run().sub(_spaced, text)).split())


def _spaced(run: re.Match[str]) -> str:
    return f" {' '.join(run.group())} "


def match(found: tuple[str, ...]) -> str:
    """Return the FTS5 expression that any of the terms satisfies, each one quoted."""
    return " OR ".join('"' + t.replace('"', '""') + '"' for t in found)
