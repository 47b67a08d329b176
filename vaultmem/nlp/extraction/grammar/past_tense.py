"""Whether an English sentence about its speaker in the past says of when it speaks.

A past tense points at a time as a pronoun does at a person (Partee 1973): in `I had a list on one
of the boxes` it is one that only the talk knows. It stands with an adverb of time, an age, a place
or a person that was there; or its verb is of what befalls a life once, which needs no more than the
day on which it was told.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS, words

_OPENS = (
    r"(?i)(?:i|we)(?: (?:just|also|really|still|always|never|once|recently|finally|actually|both"
    r"|all|even|only|\w+ly))*"
)
_AUXILIARY = words("was were had did")
# What befalls a life once, or fills years of it.
_OF_A_LIFE = words("""
    accepted adopted became bought broke buried competed divorced earned enrolled fostered fractured
    graduated grew hired inherited injured interned joined landed launched learned learnt lived lost
    majored married moved owned proposed published quit raised recovered renamed rescued retired
    served signed sold sprained started stopped studied suffered survived taught tore trained
    transferred travelled traveled volunteered won worked wrote
""")
# To move a thing is no move of who does it.
_OF_A_THING = (
    r"(?i)(?:i|we)(?: \w+)*? (?:moved|started|stopped|lost|signed) (?:it|that|the|this|my|our)\b"
)
_WHEN = (
    r"(?i)\b(?:last|this|next|ago|yesterday|today|since|every|each|when|while|before|after|until"
    r"|during|as an?|once|used to|back (?:in|then)|in (?:high|middle|elementary|grade|primary"
    r"|secondary) school|in (?:college|university|kindergarten)|at (?:school|university|uni"
    r"|college)|growing up|years?|months?|weeks?|days?|decades?|for (?:a while|long|ages)"
    r"|summer|winter"
    r"|spring|fall|autumn|semester|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning"
    r"|tonight|night|christmas|easter|thanksgiving|halloween|first|always|never|ever|born|raised"
    r"|childhood|kid|child)\b"
)
_WHERE = r"\b(?:in|at|to|from|near|with|for|around|across) (?:the )?(?:[A-Z]\w+)"


def is_adrift(clause: str, sentence: str) -> bool:
    """Whether *clause*, of its speaker's past, stands in a *sentence* that does not say when."""
    found = re.match(rf"{_OPENS} (?P<verb>\w+)\b(?!['\u2019])", clause)
    if found is None or not _is_past(found["verb"].lower()):
        return False
    lasts = found["verb"].lower() in _OF_A_LIFE and re.match(_OF_A_THING, clause) is None
    return not (lasts or _is_tied(sentence))


def _is_past(verb: str) -> bool:
    return verb in _AUXILIARY or verb in EVENTS or (len(verb) > len("need") and verb.endswith("ed"))


def _is_tied(text: str) -> bool:
    """Whether *text* names a time, a place or a person of its past."""
    is_dated = bool(analysis.facts(text).dates) or re.search(_WHEN, text) is not None
    return is_dated or bool(
        re.search(_WHERE, text) or re.search(rf"(?i)\b{relations.RELATION}\b", text)
    )
