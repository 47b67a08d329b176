"""What a user came to an agent for: the thing of the first request, `a quote for moving a piano`.

English alone is read, and only a thing that an article, a pronoun or the verb before it announces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from vaultmem.nlp.extraction import relations

_ASKS = re.compile(
    r"(?i)\b(?:i|we)(?:['\u2019](?:d|m|ve|re)| would| am| are| have)? ?(?:just |also |really )?"
    r"(?:like|want(?:ed)?|need|looking|look|trying|try|calling|call|hoping|hope|wondering|thinking"
    r"|planning|interested)\b"
    r"|\band (?:i |we )?(?:need|want(?:ed)?|would like)\b"
    r"|^(?:hi[\w, ]*|hello[\w, ]*)?calling about\b"
    r"|\b(?:can|could|would) you (?:please )?(?:help|check|tell|find|book|explain|write|make"
    r"|give)\b"
    r"|\bhelp (?:me|us)\b|\bhow (?:do|can) i\b"
)
# What befell who writes, where nothing is asked for: `I got a fraud alert`.
_BEFELL = re.compile(
    r"(?i)(?:^|[.!] |, )(?:i|we)(?:['\u2019]ve| have|['\u2019]ve got| just|['\u2019]m| am)?"
    r" ?(?:just |recently )?(?:have|got|had|received|noticed|found|reviewing|reviewed|closed on)\b"
)
# What went wrong: `our checkout service started throwing errors`.
_FAULT = re.compile(
    r"(?i)\b(?:my|our|the) (?P<thing>(?!\w+(?:ed|ing)\b)[\w-]+(?: (?!\w+(?:ed|ing)\b)[\w-]+){0,3}?)"
    r" (?:(?:has |have )?(?:just |suddenly |again )?(?:started|stopped|keeps?|kept|broke|crashe[sd]"
    r"|fails?|failed|died)|is (?:down|broken|failing|leaking|stuck|dead|not \w+ing)"
    r"|(?:does|did|will|ca|wo|is)n['\u2019]t (?:\w+ ){0,1}\w+)\b"
)
_OPENING = 3
"""So many sentences may tell what befell; later ones only answer."""
_ENDS = (
    r"from|to|because|that|which|who|when|where|while|so|and|but|or|if|whether|is|are|was|were|has"
    r"|have|had|does|do|did|can|could|will|would|should|on|at|by|with|without|after|before|about"
    r"|this|next|last|today|tomorrow|tonight|yesterday|please|since|until|as|not|in|of|for|using|it"
    r"|up|out|i|we|you|i['\u2019]\w+|we['\u2019]\w+|you['\u2019]\w+|who['\u2019]s|it['\u2019]s"
    r"|done|made|fixed|now|again|soon|still|during|between|through|sure"
)
_WORD = rf"(?!(?:{_ENDS})\b)[A-Za-z0-9][\w'\u2019&-]*"
_THING = rf"{_WORD}(?: {_WORD}){{0,4}}"
_ARTICLE = r"(?:an?|the|my|our|your|some|a few|new)"
_BARE_WORD = rf"(?!{_ARTICLE}\b|how\b|what\b|why\b){_WORD}"
_ANNOUNCED = re.compile(
    rf"(?i)\b{_ARTICLE} (?P<thing>{_THING})"
    r"(?: done| made| fixed)?(?P<more> (?:for|of|in|to|about) [^.,;:?!]+)?"
)
# What the verb is about: `to rent medical equipment`, `calling about bills`.
_OBJECT = re.compile(
    r"(?i)^(?: to (?:rent|buy|book|order|get|discuss|review|check(?: on)?|schedule|find|sell|set up"
    r"|plan|report|redeem|extend|cancel|change|return|renew|open|hire|insure|replace|transfer|fix"
    r"|talk about|ask about|call about|look at|look into)| about| help with)"
    rf" (?!\w+ing\b)(?P<thing>{_BARE_WORD}(?: {_BARE_WORD}){{1,3}})"
)
_FOR = re.compile(rf"(?i)\bfor (?:{_ARTICLE} )?(?P<thing>{_THING})")
# Of or in what, and to where: what is done to what is another matter.
_WHOSE = re.compile(
    rf"(?P<link>for|of|in|about) (?:(?:my|our|the|an?) (?P<thing>{_THING})"
    r"|(?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+)*))"
    r"|(?P<to>to) (?P<place>[A-Z][\w-]+(?: [A-Z][\w-]+)*)"
)
_LEADING = re.compile(rf"(?i)^(?:{_ARTICLE} )")
_NOTHING = re.compile(
    r"(?i)(?:few |little |bit |couple |quick |good |new )*(?:questions?|way|help|lot|bit|time|issue"
    r"|problem|thing|things|one|advice|idea|hand|information|info|kind|sort|couple|appointment"
    r"|offer|(?:exact |same )?name|work|week|month|year|day|sure|agent|terms|house|home|update"
    r"|(?:every|any|some|no)(?:thing|one|body))"
)
# What needs to be told of what it is.
_BARE = re.compile(
    r"(?i)(?:\w+ )?(?:quote|appointment|estimate|refund|plan|list|class|lesson|vet"
    r"|doctor|plumber|gift|recipe|ticket|flight|room|table|way|modification|repair|car|card|stay"
    r"|trip|party|visit|loan|policy|lease|leak)s?"
)
_DONE_TO = re.compile(r"(?i) (?:it|them|this|that|us|me|him|her)\b")
_PERSON = re.compile(rf"(?:{relations.RELATION})\b")
# `daughter Emma Wilson's prescriptions`: the name tells who is meant.
_NAMED = re.compile(rf"(?:{relations.RELATION}) (?=[A-Z][\w-]*(?: [A-Z][\w-]*)*['\u2019]s )")
_MOST_WORDS = 6
# Shorter words are common ones, and alone too wide: `car`, `room`.
_WIDE = 5


def subject(sentences: Iterable[str]) -> str:
    """Return the thing of the first request among *sentences*, "" where none names one."""
    told = list(sentences)
    asked = (rest for sentence in told for rest in _behind(_ASKS, sentence))
    befell = (rest for sentence in islice(told, _OPENING) for rest in _behind(_BEFELL, sentence))
    named = next((named for rest in chain(asked, befell) if (named := _named(rest))), "")
    return named or _faulty(told[:_OPENING])


def _faulty(opening: Iterable[str]) -> str:
    """Return the thing that *opening* says went wrong, "" for none or one of a word."""
    found = (m for sentence in opening if (m := _FAULT.search(sentence)))
    named = (_short(m["thing"]) for m in found if not _PERSON.match(m["thing"]))
    return next((name for name in named if " " in name), "")


def _behind(pattern: re.Pattern[str], sentence: str) -> Iterator[str]:
    return (sentence[found.end() :] for found in pattern.finditer(sentence))


def _named(rest: str) -> str:
    """Return what *rest*, which follows the words of asking, is about."""
    direct = _OBJECT.match(rest)
    if direct and not _PERSON.match(direct["thing"]):
        return _short(direct["thing"])
    for found in _ANNOUNCED.finditer(rest):
        thing = _NAMED.sub("", _without_deed(found["thing"], rest[found.end("thing") :]))
        if _PERSON.match(thing) and not _BARE.fullmatch(thing) and "'s " not in thing:
            continue
        if named := _whole(thing, (found["more"] or "").strip()):
            return _short(named)
    found_for = _FOR.search(rest)
    thing = found_for["thing"] if found_for else ""
    return "" if _is_wide(thing) or _NOTHING.fullmatch(thing) else _short(thing)


def _without_deed(thing: str, after: str) -> str:
    """Return *thing* without what it is to do: `make the parser detect it`."""
    return thing.rpartition(" ")[0] or thing if _DONE_TO.match(after) else thing


def _whole(thing: str, more: str) -> str:
    """Return *thing* with what *more* says of it, where it says too little alone; "" for none."""
    if not (_NOTHING.fullmatch(thing) or _BARE.fullmatch(thing) or _is_wide(thing)):
        return thing
    what = _FOR.match(more)
    if what and (_NOTHING.fullmatch(thing) or _PERSON.match(what["thing"]) is None):
        return what["thing"] if _NOTHING.fullmatch(thing) else f"{thing} for {what['thing']}"
    whose = _WHOSE.match(more)
    if whose and not _NOTHING.fullmatch(thing):
        link, named = whose["link"] or whose["to"], whose["thing"] or whose["name"]
        return f"{thing} {link} {named or whose['place']}"
    if what and not _NOTHING.fullmatch(thing):
        return f"{thing} for {what['thing']}"
    return "" if _NOTHING.fullmatch(thing) or _is_wide(thing) else thing


def _is_wide(thing: str) -> bool:
    """Whether *thing* is one short word, in small letters or with `new` before it."""
    plain = re.sub(r"^(?:new|old) ", "", thing)
    return " " not in plain and len(plain) <= _WIDE and not plain.isupper()


def _short(thing: str) -> str:
    words = _LEADING.sub("", thing).split()[:_MOST_WORDS]
    named = " ".join(words)
    return named[:1].upper() + named[1:]
