"""What people who meet have to tell: the thing of their news.

Who opens by telling what they did, got or began proposes what the talk is about; later news is the
subject where the other takes it up (Clark 1996). English alone is read, and a thing of two words at
least: what one word names, the talk names again and again where it is of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.nlp.extraction.grammar import irrealis
from vaultmem.nlp.extraction.naming import request_things
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS

_TOLD = re.compile(
    r"(?i)(?:^|[,.!\u2013-] |\b(?:and|but|so|that|because) )(?:i|we)(?:['\u2019](?:ve|m|re|d)| have"
    r"| had| am| are)?"
    r"(?: (?:just|also|recently|finally|actually|been|really|now|already|even|only|both|still))*"
    r" (?!(?:have|having|going|being|doing|talking|saying|thinking|feeling)\b)"
    rf"(?:\w+(?:ed|ing)|{'|'.join(sorted(EVENTS))}|part of)\b"
    r"(?: (?:for|to|at|on|in|with|of|about|into|from|up|out|off|down|through|by)\b)*"
    r"(?= (?:an?|the|my|our|some|new|this|two|three)\b)"
)
# Who was met, how one felt, and how many of them there were: no subject.
_NO_THING = re.compile(
    r"(?i).*\b(?:folks?|people|persons?|guys?|girls?|boys?|wom[ae]n|m[ae]n|kids?|children|ones?)$"
    r"|\w+ (?:in|about) .*|(?:few|lots?|couple|bunch|number|some|pair) of .*"
)
# So many turns open the talk.
_OPENING = 4
_TWO = 2


def subject(said: Sequence[Sentence], barred: frozenset[str]) -> str:
    """Return the thing of the first news in what is *said*, "" for none.

    It is no thing whose last word has a stem that is *barred*, and of later ones one that both
    speak of.
    """
    found = [(s, thing) for s in said for thing in told(s.text) if not _is_barred(thing, barred)]
    opening = next((thing for s, thing in found if s.turn < _OPENING), "")
    return opening or next((thing for _, thing in found if _is_taken_up(thing, said)), "")


def told(text: str) -> Iterator[str]:
    """Yield the things of two words and more that *text* tells of as done."""
    if text.endswith("?") or irrealis.is_imagined(text):
        return
    things = (request_things.object_of(text[found.end() :]) for found in _TOLD.finditer(text))
    yield from (thing for thing in things if " " in thing and not _NO_THING.fullmatch(thing))


def _is_barred(thing: str, barred: frozenset[str]) -> bool:
    stems = [analysis.stem(word.casefold()) for word in thing.split()]
    is_plain = len(stems) == _TWO and stems[-1] in barred
    return is_plain or barred.issuperset(stems)


def _is_taken_up(thing: str, said: Sequence[Sentence]) -> bool:
    head = analysis.stem(thing.rsplit(maxsplit=1)[-1].casefold())
    return len({s.speaker for s in said if head in analysis.terms(s.text)}) > 1
