"""The thing that a request is about, as it stands behind the words of asking.

English alone is read, and only a thing that an article, a pronoun or the verb before it announces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.text.stopwords import DAYS, MONTH_NAMES

_ENDS = (
    r"from|to|because|that|which|who|when|where|while|so|and|but|or|if|whether|is|are|was|were|has"
    r"|have|had|does|do|did|can|could|will|would|should|on|at|by|with|without|after|before|about"
    r"|this|next|last|today|tomorrow|tonight|yesterday|please|since|until|as|not|in|of|for|using|it"
    r"|up|out|i|we|you|i['\u2019]\w+|we['\u2019]\w+|you['\u2019]\w+|who['\u2019]s|it['\u2019]s"
    r"|done|made|fixed|now|again|soon|still|during|between|through|sure|based|instead|like|than"
    r"|into|over|under|too|also|only|always|really|keeps?|why|how|what|be|being|been|recently|ago|just|lately"
    r"|already|afterwards?|together|here|there|back|down|off|yet|which|called|named|near|around|against|because"
)
_WORD = rf"(?!(?:{_ENDS})\b)\.?[A-Za-z0-9][\w'\u2019&-]*(?:\.\w[\w-]*|,\d[\w-]*)*"
_THING = rf"{_WORD}(?: {_WORD}){{0,4}}"
_ARTICLE = r"(?:an?|the|my|our|your|some|a few|new|these|this|those|both|all|multiple|several)"
_COUNT = r"(?:(?:two|three|four|few|other|attached|following|current|existing|whole|entire) )*"
_BARE_WORD = rf"(?!{_ARTICLE}\b|how\b|what\b|why\b|me\b|us\b){_WORD}"
# As far as a clause goes: a dot inside a name ends none.
_MORE = r"(?P<more> (?:for|of|in|to|about|between) (?:[^.,;:?!]|\.(?=\w)|,(?=\d))+)?"
_ANNOUNCED = re.compile(
    rf"(?i)\b{_ARTICLE} {_COUNT}(?P<thing>{_THING})"
    rf"(?: done| made| fixed)?{_MORE}"
)
# What the verb is about: `to rent medical equipment`, `calling about bills`.
_OBJECT = re.compile(
    r"(?i)^(?: to (?:rent|buy|book|order|get|discuss|review|check(?: on)?|schedule|find|sell|set up"
    r"|plan|report|redeem|extend|cancel|change|return|renew|open|hire|insure|replace|transfer|fix"
    r"|talk about|ask about|call about|look at|look into)| about| help with)"
    rf" (?!\w+ing\b)(?P<thing>{_BARE_WORD}(?: {_BARE_WORD}){{1,3}})"
)
# The object of a deed stands right behind it: `props for HeroBanner`, `to me this repository`.
_DIRECT = re.compile(
    r"(?i)^(?: (?:me|us|to (?:me|us)|for(?= (?:an?|the|my|our)\b)|on|up|out|over|at|about)\b)*"
    r"(?:(?: (?:through|with|in|by|of|about|on))? \w{3,}ing"
    r"(?: (?:up|out|over|through|into|at|for))?(?= ))?"
    rf"(?: {_ARTICLE})*"
    rf" {_COUNT}(?P<thing>{_BARE_WORD}(?: {_BARE_WORD}){{0,4}})"
    rf"{_MORE}"
)
_FOR = re.compile(rf"(?i)\bfor (?:{_ARTICLE} )?(?P<thing>{_THING})")
_NAME = r"[A-Z][\w-]+(?: [A-Z][\w-]+)*"
# Of or in what, and to where: what is done to what is another matter.
_WHOSE = re.compile(
    rf"(?P<link>for|of|in|about) (?:(?:my|our|the|an?)"
    rf" (?P<thing>{_THING}(?: of {_WORD}(?: {_WORD})?)?)|(?P<name>{_NAME}|[\w-]+(?:\.\w+)+))"
    rf"|of (?P<part>{_THING})"
    rf"|(?P<to>to) (?P<place>{_NAME})"
    rf"|(?P<both>between (?:{_ARTICLE} )?{_THING} and (?:{_ARTICLE} )?{_THING})"
)
_LEADING = re.compile(rf"(?i)^(?:{_ARTICLE} )")
_NOTHING = re.compile(
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
    rf" (?:my|our|the|a) (?P<whom>{_THING})"
)
# What needs to be told of what it is.
_BARE = re.compile(
    r"(?i)(?:[\w-]+ )?(?:quote|appointment|estimate|refund|plan|list|class|lesson|vet"
    r"|doctor|plumber|gift|recipe|ticket|flight|room|table|way|modification|repair|car|card|stay"
    r"|trip|party|visit|loan|policy|lease|leak)s?"
)
_DONE_TO = re.compile(r"(?i) (?:it|them|us|me|him|her|(?:this|that)(?=\W*(?:$|[.,;:?!])))\b")
_PERSON = re.compile(rf"(?:{relations.RELATION})\b")
# `daughter Emma Wilson's prescriptions`: the name tells who is meant.
_NAMED = re.compile(rf"(?:{relations.RELATION}) (?=[A-Z][\w-]*(?: [A-Z][\w-]*)*['\u2019]s )")
# Where another clause begins, or what is not meant.
_BEYOND = re.compile(r"(?i) (?:instead of|rather than|so (?:that|i|we)|because|since) .*")
# What a number stands for: `Task 2 - Flask API structure`.
_APPOSED = re.compile(rf"^ (?:-|\u2013|\u2014|:) (?P<thing>{_WORD}(?: {_WORD}){{1,4}})")
# What went wrong: `our checkout service started throwing errors`.
_FAULT = re.compile(
    r"(?i)\b(?:my|our|the) (?P<thing>(?!\w+(?:ed|ing)\b)[\w-]+(?: (?!\w+(?:ed|ing)\b)[\w-]+){0,3}?)"
    r" (?:(?:has |have )?(?:just |suddenly |again )?(?:started|stopped|keeps?|kept|broke|crashe[sd]"
    r"|fails?|failed|died)|is (?:down|broken|failing|leaking|stuck|dead|not \w+ing)"
    r"|(?:is|are|has been|have been) (?:\w+ly )?\w+ing"
    r"|(?:does|did|will|ca|wo|is)n['\u2019]t (?:\w+ ){0,1}\w+)\b"
)
# What is theirs, of which they tell as they come: `our rabbit hasn't eaten`.
_OWN = re.compile(
    rf"(?i)^(?:\w+[,!] |good \w+[,.!] )*(?:my|our) (?P<thing>{_WORD}(?: {_WORD}){{0,3}})"
    r" (?:(?:is|are|was|were|has|have|had|ca|wo|do|does)(?:n['\u2019]t)?|cannot|can)\b"
)
# `The login page shows a blank screen`; of what one word names, what it does is the fault.
_DOES = re.compile(
    rf"(?i)^(?:my|our|the) (?P<thing>(?-i:[A-Z]{{2,}})|{_WORD}(?: {_WORD}){{1,2}}?)"
    rf" [a-z]{{3,}}s (?:{_ARTICLE}|\d+|twice|when|while|after|only|with|in|on)\b"
)
# `The dishwasher leaves a white film`.
_CAUSES = re.compile(
    rf"(?i)^(?:my|our|the) [\w-]+ [a-z]{{3,}}s {_ARTICLE} (?P<thing>{_WORD}(?: {_WORD}){{1,3}})"
)
# `Why is this config file wrong`: the thing, and what is said of it.
_WHY = re.compile(
    r"(?i)\b(?:why|how come) (?:is|are|was|were|does|do|did|has|have|ca|wo)(?:n['\u2019]t)?"
    rf" {_ARTICLE} (?P<thing>{_THING})"
    r"(?P<ends> (?:not|so|still|always|only|too|on|in|of|for|from|at|with|that|which)\b)?"
)
_WHAT = re.compile(
    rf"(?i)^(?:\w+,? )?wh(?:at|ich)(?:['\u2019]s| is| are| was| were) {_ARTICLE}"
    rf" (?P<thing>{_THING}){_MORE}"
)
# As in `how a heat exchanger works`, `why the nightly export produces empty files`.
_CLAUSE = re.compile(r"(?i)\b(how|why|whether|if|when|that) $")
_DEED = re.compile(r"^(\S+ \S+) [a-z]{3,}s .*")
_MOST_WORDS = 6
# Shorter words are common ones, and alone too wide: `car`, `room`.
_WIDE = 5


def behind(rest: str) -> str:
    """Return what *rest*, which follows the words of asking, is about."""
    direct = _OBJECT.match(rest)
    if direct and not _PERSON.match(direct["thing"]):
        return titled(direct["thing"])
    if named := _telling(_announced(rest)):
        return titled(named)
    found_for = _FOR.search(rest)
    thing = found_for["thing"] if found_for else ""
    return "" if _is_wide(thing) or _NOTHING.fullmatch(thing) else titled(thing)


def of_deed(rest: str) -> str:
    """Return what the deed is done to that *rest* follows right behind its verb.

    Where that says little, it is what is announced in the rest of the clause.
    """
    rest = _BEYOND.sub("", rest)
    direct = _DIRECT.match(rest)
    if direct is None or _is_somebody(direct["thing"]):
        return behind(rest)
    named = _object(direct, rest)
    if " " in named or "." in named:
        return titled(named)
    thing, after = direct["thing"], rest[direct.end("thing") :]
    whom = _FOR.search(after)
    if whom and not (_NOTHING.fullmatch(thing) or _is_one(whom["thing"])):
        return titled(f"{thing} for {whom['thing']}")
    # `make a commit and override the pre-commit hooks`: the second deed may say more.
    is_only = named and re.match(r"(?i) and \w+ ", after) is None
    return titled(named) if is_only else behind(rest) or titled(named)


def object_of(rest: str) -> str:
    """Return the object right behind the verb that *rest* follows, as written; "" for none."""
    direct = _DIRECT.match(rest)
    if direct is None or _is_somebody(direct["thing"]):
        return ""
    return _object(direct, rest)


def _object(direct: re.Match[str], rest: str) -> str:
    thing, after = _NAMED.sub("", direct["thing"]), rest[direct.end("thing") :]
    if (told := _APPOSED.match(after)) and thing[-1].isdigit():
        return told["thing"]
    return _whole(_without_deed(thing, after), (direct["more"] or "").strip())


def asked_about(sentence: str) -> str:
    """Return the thing of a question that asks why, or what: of one that says how it is."""
    if why := _WHY.search(sentence):
        plain = re.sub(r" \w+ly$", "", why["thing"])
        thing = plain if why["ends"] else plain.rpartition(" ")[0]
        return "" if _is_empty(thing) else titled(thing)
    what = _WHAT.match(sentence)
    return titled(_whole(what["thing"], (what["more"] or "").strip())) if what else ""


def at_fault(sentence: str) -> str:
    """Return the thing that *sentence* says went wrong, or what of theirs it tells of; or ""."""
    found = _FAULT.search(sentence)
    if found and " " in found["thing"] and not _PERSON.match(found["thing"]):
        return titled(found["thing"])
    own = _OWN.match(sentence) or _DOES.match(sentence)
    if own and not (_is_empty(own["thing"]) or _is_somebody(own["thing"])):
        return titled(own["thing"])
    causes = _CAUSES.match(sentence)
    return titled(causes["thing"]) if causes and not _is_empty(causes["thing"]) else ""


def titled(thing: str) -> str:
    """Return *thing* as a title has it: without its article, short, with a capital."""
    words = _LEADING.sub("", thing).split()[:_MOST_WORDS]
    named = " ".join(words)
    is_file = re.match(r"\S+\.\w", named) is not None
    return named if is_file else named[:1].upper() + named[1:]


def _announced(rest: str) -> Iterator[str]:
    """Yield the things that an article announces in *rest*."""
    for found in _ANNOUNCED.finditer(rest):
        thing = _NAMED.sub("", _without_deed(found["thing"], rest[found.end("thing") :]))
        if told := _CLAUSE.search(rest[: found.start()]):
            thing = thing.rpartition(" ")[0] if told[1] == "how" else _DEED.sub(r"\1", thing)
        if _PERSON.match(thing) and not _BARE.fullmatch(thing) and "'s " not in thing:
            continue
        if named := _whole(thing, (found["more"] or "").strip()):
            yield named


def _telling(things: Iterator[str]) -> str:
    """Return the first of *things* that has more than a word, else the first."""
    found = list(things)
    return next((thing for thing in found if " " in thing), next(iter(found), ""))


def _without_deed(thing: str, after: str) -> str:
    """Return *thing* without what it is to do: `make the parser detect it`."""
    return thing.rpartition(" ")[0] or thing if _DONE_TO.match(after) else thing


def _whole(thing: str, more: str) -> str:
    """Return *thing* with what *more* says of it, where it says too little alone; "" for none."""
    is_nothing = _NOTHING.fullmatch(thing) is not None
    what = _FOR.match(more)
    if " " in thing and not (is_nothing or _BARE.fullmatch(thing)):
        is_of_what = what and thing.count(" ") == 1 and not _is_one(what["thing"])
        return f"{thing} for {what['thing']}" if what and is_of_what else thing
    if what and not (_NOTHING.fullmatch(what["thing"]) if is_nothing else _is_one(what["thing"])):
        return what["thing"] if is_nothing else f"{thing} for {what['thing']}"
    if told := _LETTER.match(f"{thing} {more}"):
        return f"{thing} to {told['whom']}"
    whose = _WHOSE.match(more)
    if whose and not (is_nothing or _is_when(whose)):
        return f"{thing} {_linked(whose)}"
    return "" if _is_empty(thing) else thing


def _is_somebody(thing: str) -> bool:
    """Whether *thing* is a person, and nothing of theirs: `my son`."""
    return _PERSON.match(thing) is not None and "'s " not in thing


def _is_one(thing: str) -> bool:
    """Whether *thing* is somebody, or nothing in particular."""
    return _PERSON.match(thing) is not None or _NOTHING.fullmatch(thing) is not None


def _is_when(whose: re.Match[str]) -> bool:
    """Whether *whose* is a time: `for a day`, `in May`."""
    if whose["thing"]:
        return _NOTHING.fullmatch(whose["thing"].partition(" of ")[0]) is not None
    first = (whose["name"] or "").partition(" ")[0].casefold()
    return first in MONTH_NAMES or first in DAYS


def _linked(whose: re.Match[str]) -> str:
    if whose["both"]:
        return re.sub(r"(?i)\b(?:an?|the|my|our) ", "", whose["both"])
    named = whose["thing"] or whose["name"] or whose["place"] or whose["part"]
    return f"{whose['link'] or whose['to'] or 'of'} {named}"


def _is_empty(thing: str) -> bool:
    return not thing or _NOTHING.fullmatch(thing) is not None or _is_wide(thing)


def _is_wide(thing: str) -> bool:
    """Whether *thing* is one short word, in small letters or with `new` before it."""
    plain = re.sub(r"^(?:new|old) ", "", thing)
    if " " in plain or plain.isupper():
        return False
    return len(plain) <= _WIDE - plain.endswith("s")
