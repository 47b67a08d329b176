"""Tell an English sentence that states something of somebody or of one thing from a general truth.

It is of a speaker, of what a name names, or of what an article points at, and it says of it
something that can be asked for: a figure, a day, another name. `Grab bars are installed items` and
`Wood needs treatment` are of whatever is so called, and hold whoever talks; `The permanent solution
sounds better` says nothing that could be told of it a week later.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import first_hand
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS, STOP

_LEAD = (
    r"(?i)\W*(?:(?:and|but|so|also|now|then|plus|hi|hello|yes|yeah|no|oh|ok(?:ay)?|well|currently"
    r"|recently|(?:for|in|on|at|with|after|before|since|until|by|from|under|during)\b[^,]{2,60}(?=,))"
    r"[,.! ]+)*"
)
_SPEAKER = r"(?i)(?:i|im|ive|we|weve|my|our)\b"
_POINTED_AT = r"(?i)(?:the|this|that|your|his|her|their|each|every|both|all)\b"
# `Dr. Martinez prescribed`, `Petra's team`, `Python 3.11 is`; of one word alone a capital says no
# more than that it is the first: `Blood thinners raise the risk`.
_NAMED = (
    r"(?:[A-Z][\w.'\u2019-]* (?=[A-Z]|\d[\d.]* (?:is|was|has)\b)|[A-Z]\w+['\u2019]s\b)"
    r"(?:[A-Z][\w.'\u2019-]*)?"
)
_PRICE = r"[$\u20ac\u00a3]\d|\b\d[\d,.]* ?(?:%|percent\b|dollars\b|euros\b|pounds\b)"
_CODE = r"`|\w/\w|\w_\w|\b\w+\.[a-z]{1,4}\b|\w\(\)|(?<!\w)--\w"
# The doctor is somebody, and not one of whom `the doctor will explain` tells anything.
_SUBJECT_WORDS = 2
_NO_NOUN = STOP - {"a", "an"}
# What an agent is about to do passes with the next turn.
_INTENDS = (
    r"(?i)(?:i|we)(?:['\u2019]ll| will| shall|['\u2019]m going to| am going to) (?!not\b|be\b)"
)
_DID = r"(?i)(?:i|we) (?:\w+ly |also |just )*(?P<verb>\w+)"


def is_one(text: str) -> bool:
    """Whether *text* is such a statement of a speaker, or says so much of something else."""
    rest = _main(text)
    return re.match(_SPEAKER, rest) is not None or _is_of_one_thing(rest)


def is_one_of_agent(text: str) -> bool:
    """Whether *text*, said by an agent, is one; its `we` may be a firm: it tells what was done."""
    rest = _main(text)
    if re.match(_SPEAKER, rest) is None:
        return _is_of_one_thing(rest)
    if re.match(_INTENDS, rest):
        return False
    did = re.match(_DID, rest)
    return _is_measured(rest) or (did is not None and _is_past(did["verb"]))


def _main(text: str) -> str:
    """Return *text* from its subject on."""
    opens = re.match(_LEAD, text)
    return text[opens.end() :] if opens else text


def _is_of_one_thing(rest: str) -> bool:
    """Whether *rest* says of one thing what can be asked for, or of any what it came to."""
    named = re.match(_NAMED, rest)
    if named is not None:
        return _is_anchored(f"x {rest[named.end() :]}")
    if re.match(_POINTED_AT, rest):
        return _is_anchored(" ".join(rest.split()[_SUBJECT_WORDS:]))
    first, *behind = [*analysis.heads(rest), ""]
    if first in _NO_NOUN or first.endswith("ly"):
        return False
    is_past = any(map(_is_past, behind[:_SUBJECT_WORDS]))
    return re.search(_PRICE, rest) is not None or (is_past and _is_anchored(rest))


def _is_anchored(text: str) -> bool:
    """Whether *text* has a figure, a day, somebody, a name or a piece of code in it."""
    is_of_somebody = analysis.facts(text).names or re.search(first_hand.KIN, text)
    return bool(is_of_somebody) or _is_measured(text)


def _is_measured(text: str) -> bool:
    """Whether *text* has a figure, a day or a piece of code in it."""
    numbers, dates = analysis.figures(text)
    return bool(numbers or dates) or re.search(_CODE, text) is not None


def _is_past(verb: str) -> bool:
    plain = analysis.head(verb)
    return plain in EVENTS or (plain.endswith("ed") and not plain.endswith("eed"))
