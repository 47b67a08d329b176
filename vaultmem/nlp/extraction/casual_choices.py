"""Find what friends settle in chat: `living room is sage green, thats settled`, `lets X` - `deal`.

One commits by saying what one now keeps, sells or goes with; two, when one proposes and the other
takes it up in the next turn (Clark 1996, *Using Language*: a joint project has to be accepted).
English as `casual_spelling` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.nlp.extraction import antecedents, assertion_en, casual_spelling, relations
from vaultmem.nlp.extraction.utterances import Sentence
from vaultmem.nlp.text import analysis

_LEAD = (
    r"(?:(?:ok(?:ay)?|so|and|but|btw|yeah|yes|oh|alright|fine|update|anyways?|well|ya)\b[,:]? )*"
)
_WE = (
    r"\b(?:I|[Ww]e)(?:['\u2019](?:m|re)| am| are)(?: (?:now|just|still|definitely|all"
    r"|gonna|both))*"
)
_A_THING = (
    r"(?:the|my|our|an?|both|two|three|one|\d+)\b(?! (?:bit|lot|moment|second|sec"
    r"|minute)\b)"
)
# Who goes with people chooses nothing.
_PEOPLE = (
    rf"(?:(?:my|our|the|an?|his|her|some|both|two|three) (?:\w+ )?)?(?:{relations.RELATION}|friend"
    r"|girl|guy|boy|lad|team|crew|crowd|group|band|flow|kid|people|lot|folk)s?\b"
)
_KEEPS = (
    rf"{_WE} (?:(?:going|sticking|staying) with (?!{_PEOPLE}){_A_THING}"
    rf"|keeping (?:the|our) (?!(?:kid|baby|change|faith|peace|distance|pace|rest"
    rf"|door|light|window)s?\b)"
    rf"|(?:selling|renting|hiring|adopting|cutting|dropping) (?:the|our)"
    rf" (?!(?:cake|grass|hair|lawn|crap|bread|ball|act|bull\w*)\b)"
    rf"|naming (?:(?:the|our|my) \w+|her|him)\b"
    rf"|taking the (?:\w+ )?(?:flat|apartment|house|room|place|job|offer|deal|contract|course)\b"
    rf"|switching to (?!the other\b|(?:an?|another|my) (?:computer|device|phone|laptop"
    rf"|account)\b)\w+)"
)
_STICKS = (
    rf"(?:^{_LEAD}|{_WE} )(?:(?:sticking|staying|going) with (?!{_PEOPLE})(?:{_A_THING}"
    r"|[\w-]+(?=,? (?:because|since|\d+ an?\b|it['\u2019]s|they['\u2019]re|instead|for the)\b))"
    rf"|sticking with (?!{_PEOPLE})(?!it|that|this|you|him|her|them|us|me)\w+(?= \w+|\W*$))"
)
# What was told just before is then called settled.
_SETTLED = re.compile(
    r"(?i)(?:,|\bso\b| \u2013| -|\band\b) (?:(?:we"
    r"|I)(?:['\u2019]ve)? (?:already )?(?:settled|agreed on"
    r"|decided)(?: on)? (?:that|it)\b|(?:so )?(?:that|it)['\u2019]s (?:all )?(?:settled|decided"
    r"|final)\b"
    r"|decided(?= ?\W*$))"
)
_WILL = (
    rf"^{_LEAD}(?:then )?we['\u2019]ll (?:book|rent|hire|order|record|host|split|share|paint)"
    r" (?!(?:you|it|that|this|them|him|her|some)\b)"
)
_COMMITS = re.compile(f"(?i){_KEEPS}|{_STICKS}|{_WILL}")
_UNSURE = (
    r"(?i)\b(?:if|unless|might|maybe|perhaps|probably|thinking|wish|would|could|should|never|not"
    r"|until|whether|apparently|unsure|pretend|imagine|joking|kidding|dream\w*|basically|almost)\b"
    r"|n['\u2019]t\b|\?"
)
# What is no longer so, or only for the hour.
_OF_THE_HOUR = (
    r"(?i)\b(?:right now|rn|at the moment|as we speak|for now|tonight|today|all day|atm"
    r"|used to|was|were|last (?:year|month))\b"
)
_PROPOSES = re.compile(
    rf"(?i)^{_LEAD}(?:then )?(?:let['\u2019]?s|(?:shall|should|can) we|we should"
    rf"|how about (?:we|the)"
    r"|i(?:['\u2019]d)? (?:say|vote)(?: we)?)(?: just| maybe| all)? "
    r"(?P<what>(?!(?:see|go|talk|hope|say|pretend|not|wait|be|face|get|call|chat|catch|think|know"
    r"|hear|try|forget|hang|do (?:it|this|that)|ask|start|stop)\b)[a-z]+ [^?]{4,80}?)"
    r"(?:,? (?:then|though|ok(?:ay)?|deal|agreed|please|yeah|right|instead))*\W*$"
)
_AGREED = re.compile(
    rf"(?i)^(?P<what>(?!{_LEAD}(?:you|it|that|this|he|she)\b)[^?]{{8,80}}?),? "
    r"(?:agreed|deal|settled|is that settled)\?+\W*$"
)
_ACCEPTS = re.compile(
    r"(?i)^\W*(?:ok(?:ay)?|yes+|yea+h*|yep|yup|sure|deal|agreed|perfect|perf|sold|done|bet|great"
    r"|sounds? (?:good|great|perfect)|works(?: for me)?|i['\u2019]?m (?:in|down)|good(?: idea)?"
    r"|fine(?: by me| with me)?|absolutely|definitely|for sure|it['\u2019]?s a deal"
    r"|let['\u2019]?s do"
    r" (?:it|that)|love (?:it|that)|k|kk|ya|alright|cool|say less|please|[, !.])+\W*$"
)
# What nobody can be held to: no day, no place, no thing.
_VAGUE = (
    r"(?i)\b(?:some(?:time|day|thing|where|how)|soon|one day|again|forever|together"
    r"|more|each other"
    r"|everything|anything|stuff|things?|fun|a blast|world|life|best|positive|motivated|in touch"
    r"|posted|conversations?|chats?|subject|topic|questions?|later|eventually|moments?|memories)\b"
)
_POINTS = (
    r"(?i)\b(?:that(?! (?:we|i|the|my|has|was)\b)|this(?! (?:year|month|week\w*|summer|winter"
    r"|morning|spring|fall)\b)|those|these|you|your|here)\b|\bthere\b(?= ?(?:\W|$|at|on|in))"
)
_OF_IT = r"(?i)\b(?:it|them|him)\b"
_LEAST = 2


def is_choice(said: Sentence) -> bool:
    """Whether *said* tells alone what its speaker, or those they speak for, now commit to."""
    text = casual_spelling.spelled(said.text)
    if re.search(_UNSURE, text) or re.search(_OF_THE_HOUR, _without_settling(text)):
        return False
    found = _COMMITS.search(text) or _settled(text)
    is_told = found is not None and not assertion_en.is_jest(text)
    return is_told and not _hangs(text) and len(set(analysis.terms(text))) >= _LEAST


def _settled(text: str) -> re.Match[str] | None:
    """Return where *text* calls settled what it told before, if that is a clause."""
    found = _SETTLED.search(text)
    told = text[: found.start()] if found else ""
    return found if len(set(analysis.terms(told))) >= _LEAST else None


def _without_settling(text: str) -> str:
    """Return *text* without when it was settled: `we settled that last night`."""
    found = _settled(text)
    return text[: found.start()] if found else text


def _hangs(text: str) -> bool:
    told = _without_settling(text)
    return re.search(_POINTS, told) is not None or antecedents.hangs(told)


def proposal(said: Sentence, after: Sequence[Sentence]) -> str:
    """Return what *said* proposes, in its words, if the next turn takes it up; else ""."""
    text = casual_spelling.spelled(said.text)
    found = _PROPOSES.match(text) or _AGREED.match(text)
    if found is None or assertion_en.is_jest(text) or not _is_certain(found["what"]):
        return ""
    following = [s for s in after if s.turn > said.turn]
    reply = [s.text for s in following if s.turn == following[0].turn]
    other = following[0].speaker if following else said.speaker
    accepts = other != said.speaker and _ACCEPTS.match(" ".join(reply)) is not None
    return said.text.rstrip("?! ") if accepts else ""


def _is_certain(what: str) -> bool:
    """Whether *what* is proposed can be understood alone, and held to."""
    if any(re.search(pattern, what) for pattern in (_VAGUE, _POINTS, _OF_IT)):
        return False
    if antecedents.hangs(what):
        return False
    return len(set(analysis.terms(what)) | set(analysis.figures(what)[0])) >= _LEAST
