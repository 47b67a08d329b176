"""What a user came to an agent for: the thing of the first request, `a quote for moving a piano`.

English alone is read, and only a thing that an article, a pronoun or `for` announces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from vaultmem.nlp.extraction import relations

_ASKS = re.compile(
    r"(?i)\b(?:i|we)(?:['\u2019](?:d|m|ve|re)| would| am| are| have)? ?(?:just |also |really )?"
    r"(?:like|want|need|looking|look|trying|try|calling|hoping|hope|wondering|thinking|planning)\b"
    r"|\b(?:can|could|would) you (?:please )?(?:help|check|tell|find|book|explain|write|make"
    r"|give)\b"
    r"|\bhelp (?:me|us)\b|\bhow (?:do|can) i\b"
)
_ENDS = (
    r"from|to|because|that|which|who|when|where|while|so|and|but|or|if|whether|is|are|was|were|has"
    r"|have|had|does|do|did|can|could|will|would|should|on|at|by|with|without|after|before|about"
    r"|this|next|today|tomorrow|tonight|please|since|until|as|not|in|of|for|using|it|up|out|i|we|you"
)
_WORD = rf"(?!(?:{_ENDS})\b)[A-Za-z][\w'\u2019&-]*"
_THING = rf"{_WORD}(?: {_WORD}){{0,3}}"
_ARTICLE = r"(?:an?|the|my|our|some|a few|new)"
_ANNOUNCED = re.compile(
    rf"(?i)\b{_ARTICLE} (?P<thing>{_THING})(?P<more> (?:for|of|in|to) [^.,;:?!]+)?"
)
_FOR = re.compile(rf"(?i)\bfor (?:{_ARTICLE} )?(?P<thing>{_THING})")
_LEADING = re.compile(rf"(?i)^(?:{_ARTICLE} )")
_NOTHING = re.compile(
    r"(?i)(?:few |little |bit |couple |quick |good |new )*(?:questions?|way|help|lot|bit|time|issue"
    r"|problem|thing|things|one|advice|idea|hand|information|info|kind|sort|couple|appointment)"
)
# What needs to be told of what it is.
_BARE = re.compile(
    r"(?i)(?:\w+ )?(?:quote|appointment|estimate|refund|plan|list|class|lesson|vet"
    r"|doctor|plumber|gift|recipe|ticket|flight|room|table|way)s?"
)
_PERSON = re.compile(rf"(?:{relations.RELATION})\b")
_MOST_WORDS = 6


def subject(sentences: Iterable[str]) -> str:
    """Return the thing of the first request among *sentences*, "" where none names one."""
    asked = (
        sentence[found.end() :] for sentence in sentences for found in _ASKS.finditer(sentence)
    )
    return next((named for rest in asked if (named := _named(rest))), "")


def _named(rest: str) -> str:
    """Return what *rest*, which follows the words of asking, is about."""
    for found in _ANNOUNCED.finditer(rest):
        thing, more = found["thing"], found["more"] or ""
        if _PERSON.match(thing) and not _BARE.fullmatch(thing):
            continue
        if _NOTHING.fullmatch(thing) or _BARE.fullmatch(thing):
            what = _FOR.match(more.strip())
            if what:
                named = what["thing"]
                return _short(named if _NOTHING.fullmatch(thing) else f"{thing} for {named}")
            if _NOTHING.fullmatch(thing):
                continue
        return _short(thing)
    found_for = _FOR.search(rest)
    return _short(found_for["thing"]) if found_for else ""


def _short(thing: str) -> str:
    words = _LEADING.sub("", thing).split()[:_MOST_WORDS]
    named = " ".join(words)
    return named[:1].upper() + named[1:]
