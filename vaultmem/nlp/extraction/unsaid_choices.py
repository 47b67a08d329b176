"""Tell a turn of phrase that chooses nothing, or something that only who talked knows."""

from __future__ import annotations

import re

from vaultmem.nlp.extraction import cue_phrases, relations, told_deeds
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import DAYS, MONTH_NAMES, NUMBER_WORDS, words

POINTS = (
    r"(?i)\b(?:(?:them|it)\b(?! is\b)|(?:that|this|these|those)\b"
    r"(?! (?!because\b|since\b|as\b|at\b|in\b|and\b|for\b|again\b)\w+(?<!ly)\b))"
)
"""A pronoun for something that only the sentence before names."""

_LEANS = (
    r"(?i)(?:them|it|that|this|these|those|one|(?:an)?other)\b"
    rf"|to \w+ (?:(?:about|on|with|for|up|out) )?{POINTS[4:]}"
)
# `The guy I'm going with`, `the people I choose`: a clause that only says which.
_RELATIVE = (
    r"(?i)(?:^|\b(?:is|are|was|were|like|love|hate|want|and|with|of) )"
    r"(?:the|an?|those|these|some|any|all)(?: [\w'\u2019]+){1,3} (?:that |who )?$"
    r"|\b(?:what|which|whatever|how|where|was like|were like)\W*$"
)
# `We agreed on max 80`, `we went with the first weekend of May`: of what is not said.
_SETTLES = r"(?i)\b(?:went with|going with|go with|agreed on|settled on|chose|choose|picked)\b"
_MEASURES = (
    frozenset()
    .union(MONTH_NAMES, NUMBER_WORDS, DAYS)
    .union(
        words("""
    max maximum min minimum first second third last next weekend week day month year hour minute
    euro euros dollar dollars pounds bucks percent people persons guests half
    """)
    )
)
# Who goes with friends chooses nothing.
_WITH_PEOPLE = (
    rf"(?i)(?:(?:my|our|some|an?|the|his|her) )?(?:{relations.RELATION}|friend|family|team)s?\b"
)


def is_unsaid(cue: str, before: str, after: str, *, among: bool) -> bool:
    """Whether a sentence with *cue* in it does not say what is chosen, or that others choose.

    *before* and *after* are its words around the cue; *among* people more is left unsaid.
    """
    if re.search(_RELATIVE, before) or re.match(_LEANS, after):
        return True
    if cue.endswith("with") and re.match(_WITH_PEOPLE, after):
        return True
    return among and (
        told_deeds.is_one(cue, before, after)
        or _is_of_others(cue, before)
        or _is_how_much(cue, after)
    )


def _is_how_much(cue: str, after: str) -> bool:
    """Whether all that is settled on is a figure or a day."""
    if re.search(_SETTLES, cue) is None or re.search(cue_phrases.REASON, after):
        return False
    rest = (h for h in analysis.heads(after) if h not in _MEASURES and not h[0].isdigit())
    return not analysis.terms(" ".join(rest))


def _is_of_others(cue: str, before: str) -> bool:
    """Whether somebody else *decided*, going by what stands before it: `a car decided to stop`."""
    if re.match(r"(?i)they\b", cue):
        return True
    if not re.match(r"(?i)decided\b", cue) or not before.strip():
        return False
    return (
        re.search(r"(?i)\b(?:i|we|team|family|board|committee)\b(?: \S+){0,3} ?$", before) is None
    )
