"""Find what is given up in so many words: `We no longer use X`, `X is out, Y is in`.

A sentence may give something up and choose what takes its place; what it chooses is its rest.
"""

from __future__ import annotations

import re

from vaultmem.documents.patterns import compiled
from vaultmem.nlp.extraction.grammar import reported_speech
from vaultmem.nlp.extraction.talk.cue_phrases import BACK, DECISION, REASON
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text.stopwords import words

_CUES = words("longer more anymore stopped dropped ditched scrapped scrap out off any")
_LEAD = r"^(?:(?:so|and|but|ok(?:ay)?|well|then|also|now|update|fyi)[,:]? )*"
_WHAT = (
    r"(?P<approach>(?!(?:it|that|this|them|these|those|ones?)\b)(?:[^\s,;:.?!]|[.](?=\w))"
    r"(?:[^,;:.?!\u2013\u2014]|[.](?=\w)){1,60}?)"
)
_USING = r"(?:using|running|going with|relying on)"
_ENDS = rf"(?=$|[,;:!]|[.](?!\w)|\s+[\u2013\u2014-]+\s|(?:{REASON[4:]}))"
_WE_NOW = r"(?=[,;.]\s+(?:(?:so|and|now) )*we\b)"
_IN = (
    r"(?i)^[^,;:?!]{2,60} (?:is|are) (?:back )?in\b(?: now)?"
    r"(?:[.!]*$|,? (?:because|since|due to)\b)"
)
# A person who is out may be back tomorrow, and a book that is out is there.
_NO_CHOICE = (
    r"(?!(?:(?:my|our|your|his|her|their) )?(?:mum|mom|dad|boss|wife|husband|son|daughter|kids?"
    r"|i|you|he|she|we|they|it|that|this|who|every(?:one|body)|nobody"
    r"|(?:the )?(?:sun|moon|book|school|season|summer|winter|jury|word|news))\b)"
)
_ANY_MORE = r"(?:any ?more|any longer)\b"
_GIVEN_UP = tuple(
    f"(?i){_LEAD}{pattern}"
    for pattern in (
        # As in `We no longer use X`, `We're not using X any more`, `We stopped using X`.
        rf"(?:we|i) no longer (?:use|run|rely on|go with) {_WHAT}{_ENDS}",
        rf"we no longer (?:do|take|keep|offer|support) {_WHAT}{_ENDS}",
        rf"(?:we|i)(?:['\u2019](?:re|m)| are| am) no longer {_USING} {_WHAT}{_ENDS}",
        rf"(?:we|i)(?:['\u2019](?:re|m)| are| am) not {_USING} {_WHAT} {_ANY_MORE}",
        rf"(?:we|i) do(?:n['\u2019]t| not) (?:use|run|rely on|go with) {_WHAT} {_ANY_MORE}",
        rf"(?:we|i)(?:['\u2019]ve| have)? stopped (?:using|running|doing) {_WHAT}{_ENDS}",
        rf"we(?:['\u2019]ve| have)? (?:dropped|ended) support for {_WHAT}{_ENDS}",
        # A thing may be dropped in other ways: `We dropped the kids at school`.
        rf"we(?:['\u2019]ve| have)? (?:dropped|ditched) {_WHAT}{_WE_NOW}",
        rf"(?:we(?:['\u2019]ve| have)? scrapped|scrap) {_WHAT}{_ENDS}",
        # As in `X is out, Y is in`.
        rf"{_NO_CHOICE}{_WHAT} (?:is|are) out(?: now)?[,;] (?:and |so )?(?={_IN[5:]})",
    )
)
# Only what is chosen beside it tells that it is given up: `No more X; we went with Y`.
_REPLACED = tuple(
    f"(?i){_LEAD}{pattern}"
    for pattern in (
        rf"(?:no longer|no more) {_WHAT}[,;.] (?=\S)",
        rf"{_WHAT} (?:is|are) (?:out|off)[,;] (?=\S)",
    )
)
_WHEN = r"(?i)^(?:if|when|unless|once|until)\b"
_DECIDES = rf"{DECISION.english}|{BACK}"


def given_up(text: str) -> re.Match[str] | None:
    """Return where *text* says that something, its `approach`, is given up, from its start on."""
    if re.match(_WHEN, text):
        return None
    found = next((m for pattern in _GIVEN_UP if (m := compiled(pattern).match(text))), None)
    if found is None:
        beside = (m for pattern in _REPLACED if (m := compiled(pattern).match(text)))
        found = next((m for m in beside if re.search(_DECIDES, text[m.end() :])), None)
    is_own = found and not reported_speech.is_reported(text, found.start("approach"))
    return found if is_own else None


def find(sentence: Sentence) -> re.Match[str] | None:
    """Return where *sentence* gives something up, its `approach`."""
    return None if _CUES.isdisjoint(sentence.words) else given_up(sentence.text)


def rest(text: str) -> str:
    """Return *text* without what it gives up: what is chosen in its place, if anything."""
    found = given_up(text)
    return text[found.end() :] if found else text


def reason(text: str, found: re.Match[str]) -> str:
    """Return why the approach *found* in *text* is given up, "" where nothing is said."""
    link = re.compile(REASON).match(text, found.end())
    why = text[link.end() :] if link and link[0].strip() else ""
    # What we did next is no reason: `we no longer use Jenkins; we switched to Actions`.
    is_bare = link is not None and not re.search(r"\w", link[0])
    return "" if (is_bare and re.match(r"(?i)we\b", why)) or re.search(_DECIDES, why) else why


def is_swap(sentence: Sentence) -> bool:
    """Whether *sentence* says that something is out, and something else in."""
    found = find(sentence)
    return found is not None and re.search(_IN, sentence.text[found.end() :]) is not None
