"""The things that talk is named by: how one is written, what says too little, its form in a title.

English alone is read.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.text.stopwords import DAYS, MONTH_NAMES

_ENDS = (
    r"from|to|because|that|which|who|when|where|while|so|and|but|or|if|whether|is|are|was|were|has"
    r"|have|had|does|do|did|can|could|will|would|should|on|at|by|with|without|after|before|about"
    r"|this|next|last|today|tomorrow|tonight|yesterday|please|since|until|as|not|in|of|for|using|it"
    r"|up|out|i|we|you|i['\u2019]\w+|we['\u2019]\w+|you['\u2019]\w+|who['\u2019]s|it['\u2019]s"
    r"|done|made|fixed|now|again|soon|still|during|between|through|sure|based|instead|like|than"
    r"|into|over|under|too|also|only|always|really|keeps?|why|how|what|be|being|been|recently|ago|just|lately"
    r"|already|afterwards?|together|here|there|back|down|off|yet|which|called|named|near|around|against"
    r"|though|forever|once|left|anyway|him|them|me|us"
    r"|arrives|comes|goes|gets|seems|becomes|happens"
)
# How it is done stands at the end of a clause: `hotels separately`, but `monthly fee`.
_HOW = (
    r"(?!(?:fami|rep|supp|assemb|anoma|but+erf|mono?po|ju|ita|je+l|be+l|ra+l|ta+l|li|al)ly\b)\w{3,}ly"
    r"(?=\W*$|[,.;:?!])"
)
_NO_WORD = rf"(?!(?:{_ENDS}|her(?=\W*$|[,.;:?!])|{_HOW})\b)"
WORD = rf"{_NO_WORD}\.?[A-Za-z0-9][\w'\u2019&-]*(?:\.\w[\w-]*|,\d[\w-]*)*"
THING = rf"{WORD}(?: {WORD}){{0,4}}"
ARTICLE = r"(?:an?|the|my|our|your|some|a few|new|these|this|those|both|all|multiple|several)"
# As far as a clause goes: a dot inside a name ends none.
MORE = r"(?P<more> (?:for|of|in|to|about|between) (?:[^.,;:?!]|\.(?=\w)|,(?=\d))+)?"
FOR = re.compile(rf"(?i)\bfor (?:{ARTICLE} )?(?P<thing>{THING})")
_NAME = r"[A-Z][\w-]+(?: [A-Z][\w-]+)*"
# Of or in what, and to where: what is done to what is another matter.
_WHOSE = re.compile(
    rf"(?P<link>for|of|in|about) (?:(?:my|our|the|an?)"
    rf" (?P<thing>{THING}(?: of {WORD}(?: {WORD})?)?)|(?P<name>{_NAME}|[\w-]+(?:\.\w+)+))"
    rf"|of (?P<part>{THING})"
    rf"|(?P<to>to) (?P<place>{_NAME})"
    rf"|(?P<both>between (?:{ARTICLE} )?{THING} and (?:{ARTICLE} )?{THING})"
)
_LEADING = re.compile(rf"(?i)^(?:{ARTICLE} )")
NOTHING = re.compile(
    r"(?i)(?:few |little |bit |couple |quick |good |new )*(?:questions?|way|help|lot|bit|time|issue"
    r"|problem|thing|things|one|advice|idea|hand|information|info|kind|sort|couple|appointment"
    r"|offer|(?:exact |same )?name|work|week|month|year|day|sure|agent|terms|house|home|update"
    r"|(?:every|any|some|no)(?:thing|one|body)|projects?|files?|code|changes?|ideas?"
    r"|text|look|codebase|repo(?:sitory)?|app|day|days|people)"
    r"|\w+ (?:people|guests|persons)"
    r"|(?:[\w-]+ )+(?:ones?|things?|ways?|bits?|lots?|times?|ideas?|kinds?)"
    r"|(?:[\w-]+ )*(?:opinions?|feedback|thoughts?|tips?|suggestions?|recommendations?)"
    r"|[\w-]+ed"
)
# What is told by whom it is for: `email to landlord`.
_LETTER = re.compile(
    r"(?i)(?:e-?mails?|letters?|messages?|notes?|reply|speech|toast|invitations?|cards?) to"
    rf" (?:my|our|the|a) (?P<whom>{THING})"
)
# What needs to be told of what it is.
BARE = re.compile(
    r"(?i)(?:[\w-]+ )?(?:quote|appointment|estimate|refund|plan|list|class|lesson|vet"
    r"|doctor|plumber|gift|recipe|ticket|flight|room|table|way|modification|repair|car|card|stay"
    r"|trip|party|visit|loan|policy|lease|leak)s?"
)
PERSON = re.compile(rf"(?:{relations.RELATION})\b")
_MOST_WORDS = 6
# Shorter words are common ones, and alone too wide: `car`, `room`.
_WIDE = 5


def titled(thing: str) -> str:
    """Return *thing* as a title has it: without its article, short, with a capital."""
    words = _LEADING.sub("", thing).split()[:_MOST_WORDS]
    named = " ".join(words)
    # A file or a name is written as it is: `app.py`, `iOS app`.
    is_as_written = re.match(r"\S+\.\w|[a-z][A-Z]", named) is not None
    return named if is_as_written else named[:1].upper() + named[1:]


def whole(thing: str, more: str) -> str:
    """Return *thing* with what *more* says of it, where it says too little alone; "" for none."""
    is_nothing = NOTHING.fullmatch(thing) is not None
    what = FOR.match(more)
    if " " in thing and not (is_nothing or BARE.fullmatch(thing)):
        is_of_what = what and thing.count(" ") == 1 and not is_one(what["thing"])
        return f"{thing} for {what['thing']}" if what and is_of_what else thing
    if what and not (NOTHING.fullmatch(what["thing"]) if is_nothing else is_one(what["thing"])):
        return what["thing"] if is_nothing else f"{thing} for {what['thing']}"
    if told := _LETTER.match(f"{thing} {more}"):
        return f"{thing} to {told['whom']}"
    whose = _WHOSE.match(more)
    if whose and not (is_nothing or _is_when(whose)):
        return f"{thing} {_linked(whose)}"
    return "" if is_empty(thing) else thing


def is_somebody(thing: str) -> bool:
    """Whether *thing* is a person, and nothing of theirs: `my son`."""
    return PERSON.match(thing) is not None and "'s " not in thing


def is_one(thing: str) -> bool:
    """Whether *thing* is somebody, or nothing in particular."""
    return PERSON.match(thing) is not None or NOTHING.fullmatch(thing) is not None


def _is_when(whose: re.Match[str]) -> bool:
    """Whether *whose* is a time: `for a day`, `in May`."""
    if whose["thing"]:
        return NOTHING.fullmatch(whose["thing"].partition(" of ")[0]) is not None
    first = (whose["name"] or "").partition(" ")[0].casefold()
    return first in MONTH_NAMES or first in DAYS


def _linked(whose: re.Match[str]) -> str:
    if whose["both"]:
        return re.sub(r"(?i)\b(?:an?|the|my|our) ", "", whose["both"])
    named = whose["thing"] or whose["name"] or whose["place"] or whose["part"]
    return f"{whose['link'] or whose['to'] or 'of'} {named}"


def is_empty(thing: str) -> bool:
    """Whether *thing* says too little to name talk by."""
    return not thing or NOTHING.fullmatch(thing) is not None or is_wide(thing)


def is_wide(thing: str) -> bool:
    """Whether *thing* is one short word, in small letters or with `new` before it."""
    plain = re.sub(r"^(?:new|old) ", "", thing)
    if " " in plain or plain.isupper():
        return False
    return len(plain) <= _WIDE - plain.endswith("s")
