"""Tell a sentence that states something by itself from an answer, a bid and a fragment.

English alone is read: whatever else stands.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction import small_talk
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS

# What answers, leans on what was said before, bids, or offers help: `No, we own it`.
_OPENS_OTHERWISE = (
    r"(?i)(?:(?:yes|yeah|yep|ok(?:ay)?|sure|right|well|oh|so|and|but|then|also|lol|nm|haha\w*"
    r"|omg|btw|ya)"
    r"\b[,.!]? )*"
    r"(?:no|nope|nah|not|same|idk|apparently|barely|(?:s?he|they|it|that|there)(?:s|re|d|ll)|he"
    r"|she|his|her|they|their|them|these|those"
    r"|which|or|i(?:['\u2019]d| would) (?:need|have|like)|must|shows|targeting|depends"
    r"|can|could|may|might|would|will"
    r"|it(?:['\u2019]s| is)(?! been)|(?:one|two|three|some|several|most|both) (?:got|of them)"
    r"|that['\u2019]?s|there['\u2019]?s|typically|usually|about|approximately|around|up to"
    r"|only|possibly|probably|likely|maybe|between|covered|let me|let['\u2019]?s|try|replace"
    r"|just (?:remember|no)|please|follow|check|remember|make sure|don['\u2019]?t|do not|earn|keep"
    r"|take|use|avoid|stop|you['\u2019]?re|your?|if you|i(?:['\u2019]d| would) be happy"
    r"|i (?:see|show)\b|i just realized|i(?:['\u2019]ll| will) (?:check|send|e-?mail|process|need"
    r"|have|add|note|look|update|set|make|do|submit|get)|we(?:['\u2019]ll| will|['\u2019]d)"
    r"|\$?[\d,.]+(?:,? (?:but|and|or|if)|,)|\$?[\d,.]+ \w+ if)(?!\w)"
    r"|(?i:yes|yeah|yep|ok(?:ay)?|sure|right)\b[,.!]? (?:it|that)['\u2019]?s\b"
)
# Neither who nor what: `starting tuesday`, `before even living there`, `just got back`.
_NO_SUBJECT = (
    r"(?i)(?:(?:yeah|yes|nah|no|nm|lol|and|but|so|also|ok|oh|well|omg|btw|i|we|just)[, ]+)*"
    r"(?:(?:starting|going|coming|looking|getting|waiting|heading|trying|thinking|doing|being"
    r"|having)"
    r"\b|(?:before|after|since|while|without|by|instead of) (?:even |just )?\w+ing\b(?![^,]*,)"
    r"|(?:got|came|am|i['\u2019]?m) (?:just )?(?:back|home|off)\b|(?:will|would|can|could|might)"
    r" be\b)"
)
# What an assistant could do: `I can offer a double room`, `Saturday at 8 is free`.
_OFFER = (
    r"(?i)\b(?:i|we) (?:can|could) (?:offer|send|book|add|give|put|arrange|open|issue|get|do|hold"
    r"|reserve|switch|apply|waive|schedule|transfer|help)\b|\b(?:is|are) (?:still )?(?:free"
    r"|available)\W*$"
    r"|\b(?:the|an?) other (?:one|two)\b|\bi(?:['\u2019]?d| would) rather\b|^(?:please|go ahead)\b"
)
_HANGS = r"(?i)\b(?:do|does|did|done|doing) (?:that|this|it|so)\b|^\w+ would have to\b"
_SUBJECT = r"(?i)(?:the|my|our|a|an|i|we|all|every|last|this|on|in|since|at|after|before|when)\b"
_VERB = (
    r"(?i)\b(?:am|is|are|was|were|has|have|had|will|can|could|would|should|must|do|does|did|i|we)\b"
    r"|['\u2019](?:m|re|ve|ll|d)\b|(?<!-)\b\w{3,}ed\b|\b(?:it|that|there|what|who"
    r"|where)['\u2019]s\b"
)
# A lead with a pronoun that stands for nothing: `It's been a rough week, my car broke down`.
_MOOD = r"(?i)it['\u2019]s been [^,;]{1,40}[,;] "


def stands(text: str) -> bool:
    """Whether *text* states something by itself; an answer or a fragment does not."""
    if analysis.is_cjk(text):
        return True
    if re.match(_OPENS_OTHERWISE, text) or re.search(_HANGS, text) or _is_broken(text):
        return False
    if re.match(_NO_SUBJECT, text) or re.search(_OFFER, text):
        return False
    if not analysis.facts(text).names and small_talk.leans(re.sub(_MOOD, "", text)):
        return False
    does = re.match(_SUBJECT, text) or re.search(_VERB, text)
    return bool(does) or not EVENTS.isdisjoint(analysis.heads(text))


def _is_broken(text: str) -> bool:
    return text.endswith(("...", "\u2026")) or small_talk.leaves_open(text)
