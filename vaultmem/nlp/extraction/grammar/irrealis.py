"""Tell what is imagined, asked for or broken off from what is said to be so. English alone.

The first verb of the main clause has the mood of the sentence (Palmer 2001, Mood and Modality):
`I would carry a katana` is of no world but that of the talk, and `Tell me of your essay` bids.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import assertion_en
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS

_LEAD = (
    r"(?i)\W*(?:(?:and|but|so|or|well|also|then|plus|yeah|yes|yep|no|nah|oh|ok(?:ay)?|honestly"
    r"|actually|anyways?|lol|haha\w*|(?:ha )+ha|maybe|probably|obviously|like)[,.! ]+)*"
)
_OPINES = (
    r"(?:(?:i|we) (?:(?:also|really|just|honestly|kind of|kinda|still|do) )*"
    r"(?:think|guess|feel(?: like)?|suppose|figure|believe|bet|imagine)(?: that)? )?"
)
_SUBJECT = (
    r"(?:i|we|you|he|she|they|it|that|this|there|people|everyone|everybody|someone|somebody"
    r"|(?P<thing>(?:the|my|our|an?|all|another|any|some|most)(?: [\w'\u2019-]+){1,3}?))"
)
_ADVERBS = r"(?: (?:also|probably|still|just|really|definitely|never|maybe|only|honestly|\w+ly))*"
# What one would like is a wish, and what one would always do a habit.
_UNREAL = (
    r" (?:would|wouldn['\u2019]?t)(?! (?:really |absolutely |still )*(?:like|love|prefer"
    r"|always|often|sometimes|usually)\b)"
)
_OPEN = r" (?:could(?! not\b)|might|may|should(?:n['\u2019]?t)?)\b(?!['\u2019])"
_CONDITIONAL = (
    r"(?i)\b(?:would|wouldn['\u2019]?t|could)\b[^.;]*\bif\b|\bif\b[^.;]*\bwould\b"
    r"|\bif (?:i|we|you|he|she|they|it) (?:were|had|could)\b"
)
_BIDS = (
    r"(?:(?:tell|show|give|send|call|text|ask|let|remind) (?:me|us|him|her|them)\b"
    r"|(?:let['\u2019]?s )?(?:imagine|guess|picture|suppose|assume|pretend|look at|listen to"
    r"|think (?:of|about)|say hi)\b"
    r"|(?:hypothetically|forget that|(?:for|in) (?:the|this|our|a) role[ -]?play)\b"
    r"|(?:stop|start|quit|try|keep) \w+ing\b|(?:live|go|play|do|be) (?:somewhere|stuff|it|that)\b)"
)
# A reason, a comparison or what relates to something before: alone it tells half of a thought.
_HALF = (
    r"(?:(?:because|['\u2019]?cause|cuz|bc|so that|which|whose|than|whereas|such as|as if"
    r"|the fact that|in which case)\b(?![^.]*,))"
)
# A clause announced, whose condition alone is told: `My problem is that when I like somebody`.
_IS_THAT = r"(?i)\b(?:is|was) that (?:when(?:ever)?|if|because|since|once) [^,]*$"
_SUBORDINATE = (
    r"(?:(?:when(?:ever)?|while|if|unless|although|though|once|as soon as|wherever)\b"
    r"|(?:after|before|since|until|as) (?=(?:i|we|he|she|they|you|it)\b))"
)
_SUBJECTS = r"(?i:\b(?:i|we|he|she|they|it|you|there|(?:my|our|the|an?|his|her|their) \w+)\b)"


def is_imagined(text: str) -> bool:
    """Whether *text* tells of what would, could or should be, or bids; not of what is."""
    opens = re.match(f"{_LEAD}{_OPINES}", text)
    rest = text[opens.end() :] if opens else text
    if re.match(f"(?i:{_BIDS})", rest) or re.search(_CONDITIONAL, text):
        return True
    unreal = re.match(f"(?i:{_SUBJECT}{_ADVERBS}{_UNREAL})", rest)
    if unreal is not None:
        return not _acts(unreal["thing"] or "")
    opened = re.match(f"(?i:{_SUBJECT}{_ADVERBS}{_OPEN})", rest)
    return opened is not None and not opened["thing"]


def _acts(subject: str) -> bool:
    """Whether *subject* has a verb in it, so that another one's mood is what follows."""
    return bool(re.search(r"(?i)\b(?:said|told|that|who|which|when)\b", subject)) or (
        not EVENTS.isdisjoint(analysis.heads(subject))
    )


def is_half(text: str) -> bool:
    """Whether *text* is a clause without the one it belongs to, or was cut off."""
    opens = re.match(_LEAD, text)
    rest = text[opens.end() :] if opens else text
    if re.match(f"(?i:{_HALF})", rest) or assertion_en.is_cut(text) or re.search(_IS_THAT, text):
        return True
    if not re.match(f"(?i:{_SUBORDINATE})", rest) or "," in rest:
        return False
    return len(re.findall(_SUBJECTS, rest)) + len(analysis.facts(rest).names) <= 1
