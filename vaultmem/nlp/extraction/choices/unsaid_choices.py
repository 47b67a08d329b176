"""Tell a turn of phrase that chooses nothing, or something that only who talked knows."""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import relations
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
# `\u6211\u4eec\u9009\u62e9\u7684\u7c7b\u522b`: the kinds that we choose.
_WHICH_ZH = "\u7684"
# `We agreed on max 80`, `we went with the first weekend of May`: of what is not said.
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
# Who decides are not those who talk: `my dad failed and decided to leave`, `someone decided to`.
_OTHERS = re.compile(
    rf"(?i)\b(?:s?he|you|they|it|who|some(?:one|body)|people|every(?:one|body)|nobody"
    rf"|(?:my|your|his|her) (?:[\w-]+ )?(?:{relations.RELATION}|friends?)"
    r"|(?:one|a) group|(?:the|those|some) (?!team|board|committee|council)[a-z]+s)"
    r"(?:s|['\u2019]s|['\u2019]ve)?\b(?! and\b)|\b(?:that|which) (?:just )?$"
)
# As in `\u4f60\u51b3\u5b9a` (you decide), `\u53ef\u4ee5\u91c7\u7528` (may be taken up).
_OTHERS_ZH = re.compile(
    "(?:[\u4f60\u60a8\u4ed6\u5979\u5b83]|\u8001\u677f|\u5ba2\u6237|\u53ef\u4ee5|\u80fd"
    "|\u53ef\u80fd|\u5982\u679c|\u5f00\u59cb)[^,\uff0c\u3002\uff1b\uff1a]*$"
)
_OURS = re.compile(r"(?i)\b(?:we|i|us)(?:['\u2019]ve)?\b")
# What is only thought, or wished for the talk.
_SUPPOSES = re.compile(
    r"(?i)\b(?:i|we) (?:really )?(?:guess|suppose|want|wish|hope|think i(?:['\u2019]?ll)?"
    r"|would say)\b"
    r"[^,;:.]*$"
)
_OF_THE_TALK = re.compile(
    r"(?i)\b(?:chat\w*|conversations?|topics?|big words|points|(?:new|another|next|different)"
    r" (?:question|subject)s?)\b"
)


def is_others(before: str) -> bool:
    """Whether the subject of a cue behind *before* is somebody else than those who talk."""
    if _OTHERS_ZH.search(before):
        return True
    clause = re.split(r"[,;:.]", before)[-1]
    others, ours = ([m.start() for m in p.finditer(clause)] for p in (_OTHERS, _OURS))
    return bool(others) and others[-1] > max(ours, default=-1)


def is_supposed(before: str, after: str) -> bool:
    """Whether what stands around a cue is a guess or a wish, or of the talk alone."""
    return _SUPPOSES.search(before) is not None or _OF_THE_TALK.search(after) is not None


def is_unsaid(before: str, after: str) -> bool:
    """Whether a sentence with a cue between *before* and *after* does not say what is chosen."""
    related = re.search(_RELATIVE, before) is not None or after.startswith(_WHICH_ZH)
    return related or re.match(_LEANS, after) is not None


def is_how_much(what: str) -> bool:
    """Whether *what* is settled on is a figure or a day, or nothing at all."""
    rest = (h for h in analysis.heads(what) if h not in _MEASURES and not h[0].isdigit())
    return not analysis.terms(" ".join(rest))
