"""Wordings that say the same with another build: what is denied, what is done by nobody named.

`in_one_form` takes a text as it is written, `rebuilt` the words that `fact_similarity` made of it.
"""

from __future__ import annotations

import re

from vaultmem.maintenance.dream import synonyms
from vaultmem.nlp.text import word_order

_DENIALS = (
    (re.compile(r"\bdislikes\b"), "does not like"),
    (re.compile(r"\bdislike\b"), "do not like"),
    (re.compile(r"\b(is|are) closed\b(?! by\b)"), r"\1 not open"),
    (re.compile(r"((?:\b(?:can)?not|n't) \w+) any (?!more\b|longer\b)"), r"\1 "),
    (re.compile(r"\A[Nn]ever (?=[a-z])"), "Do not "),
    (re.compile(r"\A[Aa]lways (?=[a-z]+ )(?!\w+ed\b)"), ""),
    (re.compile(r"\AOur (?=[a-z])"), "The "),
)
_NONE = re.compile(r"\b(?P<verb>takes|eats|drinks|wears|uses|needs|wants|has) no (?=[a-z])")
_BASES = {"takes": "take", "eats": "eat", "drinks": "drink", "wears": "wear", "uses": "use",
          "needs": "need", "wants": "want", "has": "have"}  # fmt: skip
_BEING = re.compile(r"\b(?:are|gets|get|is) (?=(?P<done>\w+)\b)")
_STANDING = re.compile(
    r"(?<= )(?:stands|lies|sits|stand|lie|sit) (?=(?:in|on|under|behind|below|at) )"
)
_OURS = re.compile(r"we (?P<verb>(?!do )[a-z]+) (?P<what>[^,;]+)")
_RATED = re.compile(
    r"(?P<how>monthly|yearly|weekly) (?P<what>\w+)(?P<verb> costs)? (?P<much>(?:\d\S*|xfigure) \w+)"
)
_SPANS = {"monthly": "month", "yearly": "year", "weekly": "week"}
_DAYS = re.compile(r"\b(\w+days?) and (\w+days?)\b")
_ORDERED_OFF = re.compile(r"\A(?:Do not|Don't) ")
_ON_A_DAY = re.compile(r"\bon an? (\w+day)\b")
_SETTLED = (
    (re.compile(r"\b(?:has|have) (\w+) allergy\b"), r"allergic to \1"),
    (re.compile(r"\ballergic to (\w{3,}?)s\b"), r"allergic to \1"),
    (re.compile(r"\A(\w+) has (?:her|his|their) (birthday|wedding|meeting)\b"), r"\1 's \2"),
    (
        re.compile(r"\bwould rather (?:has|have|drink|eat|use|take) (\w+) than "),
        r"prefers \1 over ",
    ),
    (re.compile(r"\bprefers (\w+) to (?=\w+\Z)"), r"prefers \1 over "),
    (re.compile(r"\b(code|color|price|password|address|version|port|size) of (\w+)\b"), r"\2 \1"),
)
_PARTICIPLES = {base: done for done, (base, _) in synonyms.ACTIVE.items()}


def in_one_form(text: str) -> str:
    """Return *text* in the usual order of words, and with `not` wherever it says no."""
    said = word_order.usual(text)
    for pattern, instead in _DENIALS:
        said = pattern.sub(instead, said)
    if _ORDERED_OFF.match(said):
        said = _ON_A_DAY.sub(r"on \1s", said)
    return _NONE.sub(lambda m: f"does not {_BASES[m['verb']]} ", said)


def before_verbs(said: str) -> str:
    """Return the words of *said* with `is` for whatever says where a thing is."""
    return _STANDING.sub("is ", said)


def rebuilt(said: str) -> str:
    """Return the words of *said* as if nobody did what is done: `we keep logs` are logs kept."""
    ours, rated = _OURS.fullmatch(said), _RATED.fullmatch(said)
    if ours and ours["verb"] in _PARTICIPLES:
        said = _undone(_PARTICIPLES[ours["verb"]], ours["what"]) or said
    elif rated:
        verb = rated["verb"] or ""
        said = f"{rated['what']}{verb} {rated['much']} per {_SPANS[rated['how']]}"
    said = _BEING.sub(lambda m: "is " if _is_done(m["done"]) else m[0], said)
    for pattern, instead in _SETTLED:
        said = pattern.sub(instead, said)
    return _DAYS.sub(lambda m: " and ".join(sorted(m.groups())), said)


def _undone(done: str, what: str) -> str:
    words = what.split()
    ends = (n for n, word in enumerate(words) if word in synonyms.PREPOSITIONS or word == "every")
    end = next(ends, len(words))
    return " ".join([*words[:end], "is", done, *words[end:]]) if end else ""


def _is_done(word: str) -> bool:
    return word in synonyms.ACTIVE or word.endswith(("ed", "en"))
