"""Whether some words are a whole noun phrase or a name: what may stand on a card by itself.

A value that leans on what was said before, that was cut, or that is a sentence of its own, is
none; nor is what is only said in jest.
"""

from __future__ import annotations

import re

from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import STOP, words

# What leans on something said before can stand on no card.
_CONTEXT = (
    r"(?i)\b(?:it|its|that|this|those|these|they|them|their|theirs|one|ones|him|her|his|he|she"
    r"|you|your|yours|u|ur|what|how|when|where|why|whatever|whoever|whichever|everything|something"
    r"|anything|nothing"
    r"|someone|somebody|everyone|everybody|nobody|people|idea|same|such|way|sound|look|looks|vibe"
    r"|vibes|photo|pic|picture|there|here|stuff|thing|things|moment|moments|day|time|be able|us"
    r"|me|too|know|think|see|seeing|hear|hearing|say|saying|believe|tell|telling|help|lot|all"
    r"|much|more|bit|most|place|job|fact|part|pieces?|feeling|feel|another|new|get|got|getting"
    r"|both|each|other|others|two|thought|mess|joke|rest|kind|sort|soon|now|today|tomorrow|tonight"
    r"|yesterday|ago|forever|variety|range)\b"
    r"|['\u2019](?:re|ll|ve|m)\b|['\u2019]s (?:so|been|a|the)\b|\u2026"
)
_DEFINITE = (
    "^the [a-z]|^[\u4f60\u60a8\u8fd9\u90a3\u5b83\u4ed6\u5979]|[\u8fd9\u90a3](?:\u4e2a|\u6837"
    "|\u79cd|\u4e9b)"
)
# Verbs that a phrase of nouns has none of, and chat that ends it.
_FINITE = (
    r"(?i)\b(?:is|are|was|were|am|be|been|being|has|had|does|did|do|can|could|will|would|shall"
    r"|should|may|might|must|comes?|goes|went|said|says|thats|whats|dont|didnt|cant|wont|im|ive"
    r"|lol|lmao|rofl|haha\w*|omg|tbh|idk|smh|imo|gonna|wanna|gotta|maybe|perhaps|actually"
    r"|because|if|when|while|whether|although|though|until|unless|than"
    r"|(?:is|are|was|were|do|does|did|ca|wo|could|would|should|has|have)n['\u2019]t)\b"
)
# A phrase neither begins nor ends so.
_LOOSE_END = (
    r"(?i)\b(?:and|or|but|nor|the|an?|of|to|with|without|for|from|in|on|at|by|as|into|about|like"
    r"|my|our|his|her|their|your|some|any|every|so|very|really|just|also|then|not|who|which|that"
    r"|dr|mr|mrs|vs|guys|folks|dude)$"
)
_LOOSE_START = (
    r"(?i)^(?:and|or|but|nor|of|to|for|as|by|about|who|which|then|there|here|so|no|not|never"
    r"|none|nothing|neither|myself|yourself|hearing|going|being|having|saying)\b"
)
_NO_WORD = r"[^\w\s'\u2019\"&+#/.,$\u20ac\u00a3%\u00b0\u2013()-]|\b(?:w/|b/c)"
_PICTURE = r"[\u2600-\u27bf\U0001f000-\U0001faff]"
# Said in jest where a thing is due: one is "allergic to Mondays", drives "a mess".
_JEST = words("""
    monday mondays montag montage morning mornings work working weekends stupidity stupid drama
    nonsense bullshit bs idiots fun exercise commitment math maths cardio adulting taxes fools
    chores housework homework deadlines meetings small-talk early money losing lies liars winter
    boredom bargain pain disaster mess dream joke nightmare treat pleasure blessing waste shame
    rules wreck luck heart regrets mistakes emotions love life
""")
# Of people, doings and qualities nobody has an allergy but in jest.
_PEOPLE = (
    r"(?i)\b(?:people|persons?|(?:wo)?m[ae]n|mailman|kids|children|boys|girls|boss(?:es)?|bullies"
    r"|politicians?|politics|excuses|[a-z]{3,}(?:ness|ity|ism|hood)"
    r"|[A-Z\u00c4\u00d6\u00dc]\w+(?:heit|keit)|Ausreden"
    r"|[a-z]+-in-laws?|mother|father|sister|brother|husband|wife|cousins?|ex(?:es)?"
    r"|neighbou?rs?|colleagues?|co-?workers?|teachers?"
    r"|Menschen|Leute|Kinder|Idioten|Chefs?|Nachbarn?|Kollegen|Schwiegermutter)\s*$"
)
_DOING = (
    r"(?i)^(?:wh\w+|how|being|getting|going|doing|having|waking|waiting|talking|working"
    r"|losing|paying)\b"
)
_DOING_ZH = "^(?:加班|上班|早起|工作|开会|学习|考试|运动|下班|减肥|相亲)|[人事话]$"
_MOST_WORDS = 9


def is_whole(value: str) -> bool:
    """Whether *value* is a whole noun phrase or a name, and says something by itself."""
    if not _is_bounded(value) or leans(value):
        return False
    return not re.search(_FINITE, value) and len(value.split()) <= _MOST_WORDS


def _is_bounded(value: str) -> bool:
    """Whether *value* has its beginning and its end, and no mark that belongs to no phrase."""
    loose = re.search(_LOOSE_END, value) or re.search(_LOOSE_START, value)
    return not loose and not re.search(_NO_WORD, value)


def leans(value: str) -> bool:
    """Whether *value* says nothing by itself, away from what was said before it."""
    vague = all(word in STOP for word in analysis.heads(value))
    return vague or re.search(_DEFINITE, value) is not None or bool(re.search(_CONTEXT, value))


def is_no_matter(value: str) -> bool:
    """Whether *value* names people, a doing or a quality, and nothing that a body meets."""
    return any(re.search(pattern, value) for pattern in (_PEOPLE, _DOING, _DOING_ZH))


def is_joke(value: str) -> bool:
    """Whether nobody says *value* in earnest of what they have, are or cannot stand."""
    last = analysis.heads(value)[-1:]
    return not _JEST.isdisjoint(last) or re.search(_PICTURE, value) is not None
