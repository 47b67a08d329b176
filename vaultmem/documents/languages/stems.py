"""Bring the forms of a word together in the languages that Porter's English stemmer knows not.

Light stemming takes off the endings of nouns and adjectives, and hardly any of verbs: it finds as
much as stemming by all rules does (Savoy 2006, Light stemming approaches for the French,
Portuguese, German and Hungarian languages), and each language is a table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from vaultmem.documents.languages.letters import bare

_REMEMBERED = 1 << 14
_LEAST = 3
"""Letters that every stem has."""
_CYRILLIC = re.compile("[\u0400-\u04ff]")


class _Rule(NamedTuple):
    """An ending, and what stands instead of it."""

    ending: str
    instead: str


def _rules(text: str) -> tuple[_Rule, ...]:
    """Return the rules of `aux>al es s`, the longest ending first; one alone falls away."""
    pairs = (word.partition(">") for word in text.split())
    return tuple(sorted((_Rule(old, new) for old, _, new in pairs), key=lambda it: -len(it.ending)))


# Each step takes off one ending; what is left goes to the next.
_STEPS: Mapping[str, tuple[tuple[_Rule, ...], ...]] = {
    "de": (
        _rules("innen>in ern em en er es e bs>b ds>d fs>f gs>g hs>h ks>k ls>l ms>m ns>n rs>r ts>t"),
        _rules("est er en"),
    ),
    "fr": (
        _rules("aux>al eaux>eau ouses>ou s x"),
        _rules("euse>eu eur>eu ive>if elle>el enne>en ation>at ee es er ez iere>ier e"),
    ),
    "es": (_rules("ces>z iones>ion es os as o a e s"),),
    "it": (_rules("chi>c che>c ghi>g ghe>g ie io ia ii a e i o"),),
    "pt": (_rules("oes>ao aes>ao ais>al eis>el ois>ol ns>m res>r zes>z s"), _rules("a o e")),
    "nl": (_rules("heden>heid eren en els>el ers>er ems>em jes>je ies>ie e"), _rules("v>f z>s")),
    "ru": (
        _rules(
            "иями ями ами ией иям ием иях ого его ому ему ыми ими ая яя ое ее ие ые ой ей ом ем ам"
            " ям ах ях ов ев ий ый ою ею ию ья ье ью а я о е и ы у ю ь й"
        ),
    ),
}
STEMMED = tuple(_STEPS)
"""The languages that have a stemmer here, by their codes of ISO 639-1."""

_AS_UMLAUT = re.compile("(?<![aeq])(a|o|u)e")
_DOUBLED = re.compile(r"([bdfgklmnprst])\1\Z")
_LONG = re.compile(r"([aeou])\1(?=[bdfgklmnprst]\Z)")


@lru_cache(maxsize=_REMEMBERED)
def stem(word: str, language: str) -> str:
    """Return the stem of *word* in one of the `STEMMED` languages, without capitals or accents."""
    # In Cyrillic an accent makes another letter, of which endings are made.
    plain = word.lower().replace("ё", "е") if _CYRILLIC.search(word) else bare(word)
    if language == "de":
        plain = _AS_UMLAUT.sub(r"\1", plain)
    for rules in _STEPS[language]:
        plain = _shortened(plain, rules)
    return _LONG.sub(r"\1", _DOUBLED.sub(r"\1", plain)) if language == "nl" else plain


def _shortened(word: str, rules: tuple[_Rule, ...]) -> str:
    for ending, instead in rules:
        if word.endswith(ending) and len(word) - len(ending) + len(instead) >= _LEAST:
            return word[: -len(ending)] + instead
    return word
