"""Tell what people say of themselves and theirs from what they hold of the world, and of the hour.

Among people who talk, a truth about zombies or taxes is nothing that a memory of *them* is for, and
`I'm so tired` is gone by the next day. English alone is read.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.text import analysis

# `We need a system` and `our elderly` may be everybody's; who does something is those who speak.
_SELF = (
    r"(?i)\b(?:i|im|ive|id|ill|my|mine|me|myself)\b(?!-)|^\W*(?:(?:and|but|so|also) )?our\b"
    r"|\bwe(?:['\u2019]\w+)?(?! (?:\w+ly |just |all |still |really )*(?:need|should|must|have to"
    r"|all"
    r"|can|could|keep|tend|humans|people)\b)"
)
KIN = rf"(?i)\b(?:{relations.RELATION}|boss|landlord|landlady|roommate|teacher|coach)\b"
"""Somebody by what they are to the speaker."""

# What something is thought to be like, by whomever: `Google is doing a way better job`.
_OPINION = (
    r"(?i)(?:\b(?:is|are|was|were|be|been|does|do|doing|looks?|sounds?|seems?)|['\u2019]s)\b"
    r"(?:(?! (?:on|in|at|from|for|with|closed|open|due) )[ ,][\w'\u2019-]+){0,5}?"
    r" (?:good|better|best|great|cool|nice|bad|worse|worst|interesting|awesome|amazing|crazy|weird"
    r"|strange|hard|harder|easy|easier|fun|funny|important|flawed|dangerous|beautiful|cute|pretty"
    r"|ugly|harsh|scary|sad|true|awful|terrible|wonderful|fantastic|incredible|ridiculous|well"
    r"|predictable|boring|exciting|impressive|overrated|underrated|brilliant|perfect)\b"
)
_NOW = (
    r"(?: (?:a little|a bit|just|so|really|also|still|currently|kinda|kind of|very|super|pretty|too"
    r"|already))*"
)
_I_AM = rf"(?:(?:i|we)(?: am| are|['\u2019](?:m|re))|im)\b{_NOW}"
# What is done by the hour: what takes longer (`expanding the studio`) is none of it.
_DOING = (
    r"(?:cooking|eating|drinking|watching|sitting|standing|lying|laying|waiting|typing|chatting"
    r"|talking|asking|getting (?:ready|tired|hungry|sleepy|bored|up|dressed|off|out|in)|heading"
    r"|driving|walking|baking|making (?:dinner|lunch|breakfast|food|tea|coffee|some)|debating"
    r"|listening|laughing|cracking|freezing|melting|dying|starving|falling asleep|joking|kidding"
    r"|feeling|rooting|having (?:lunch|dinner|breakfast|trouble|a (?:hard|tough|rough) time)"
    r"|staring|starting to (?:get|feel|think)|already (?:at|past|in)"
    r"|on (?:my|a|the|our) (?:phone|laptop|computer|\w*book|ipad|tablet)"
    r"|using (?:my|an?|that|this|it)\b"
    r"|working on (?:(?:my|some|an?|the|this) )?(?:\w+ )?(?:homework|hw|assignments?|essays?|lab)\b"
    r"|out \w+ing\b|going to (?:run|go) (?:and|to|grab|get)\b|going to be right back"
    r"|going to start (?:getting|with|on|off)\b"
    r"|scrolling|chilling|relaxing|going to (?:bed|sleep|eat|cook|head|call|grab|take a))\b"
)
_FELT = (
    r"(?:tired|hungry|bored|curious|excited|glad|happy|sad|sorry|cold|hot|sleepy|busy|late|back"
    r"|home|here|ready|done|sure|unsure|confused|scared|nervous|stressed|okay|ok|fine|full|jealous"
    r"|impressed|surprised|proud|grateful|thankful|amazed|stuck|sick of|down|up for|in class"
    r"|(?:at|in) the \w+|at work|glad|lucky|kidding|joking|lost)\b"
    r"(?= to\b| for\b| about\b| of\b| how\b| that\b| i\b"
    r"|[,;.!]|\W*$)"
)
_OF_THE_HOUR = (
    rf"(?:{_I_AM} (?:{_DOING}|{_FELT}|not sure\b|about to\b|curious\b)"
    r"|(?:i|we)(?:['\u2019]ve| have)? (?:got|have|need|gotta)(?: to)? (?:go|head|run|leave|log)"
    r"(?: (?:out|off|now|soon|home|back|to (?:bed|class|work|sleep|eat)))*(?:\W*$|,| but\b| so\b)"
    r"|(?:i|we)(?:['\u2019]ve| have)? got (?:an?|about|like) [^.]* to kill"
    r"|i (?:can['\u2019]?t wait|forgot to tell|don['\u2019]?t (?:even )?know|wonder|mean\b|bet\b"
    r"|can(?:not|['\u2019]?t) (?:communicate|talk|type|hear|see|believe|tell|stop)"
    r"|dare\b|triple|hope\b|swear|was (?:just|gonna|going to|talking|telling|saying)\b"
    r"|(?:just )?(?:saw|heard|noticed|realized|realised|got|asked|said|meant)"
    r" (?:someone|somebody|another|your|you|that|what)\b)"
    r"|we (?:were|are) (?:just )?(?:talking|chatting|joking|doing)\b"
    r"|(?:i|we) (?:just )?(?:took|had) an? (?:\w+ )?(?:nap|shower|snack|break)\b"
    r"|i(?:['\u2019]ve)? (?:just )?(?:got|am|was) done\b|my (?:phone|computer|laptop|internet|wifi"
    r"|battery|screen|keyboard) (?:just|is|keeps|died|froze)\b"
    r"|my (?:brain|mind|head|eyes|fingers|hands?|heart) (?:is|are|just|keeps?)\b"
    r"|(?:i|we) (?:just |only )*(?:start|start(?:ed|ing)) (?:to )?(?:talk|chat|typ)\w*"
    r"|(?:i|we) (?:just )?(?:met|talked to|know|knew) (?:someone|somebody|a guy|a girl)\b)"
)
_OPENS = (
    r"(?i)\W*(?:(?:and|but|so|well|also|then|plus|yeah|yes|yep|oh|ok(?:ay)?|honestly|actually"
    r"|anyways?|lol|haha\w*|wow|man|dude|right now|currently|today|now|wait)[,.! ]+)*"
)


def is_first_hand(text: str) -> bool:
    """Whether *text* is of its speaker, of theirs, or of something with a name or a figure."""
    if re.search(_SELF, text) or re.search(KIN, text):
        return True
    found = analysis.facts(text)
    is_of_something = bool(found.names or found.numbers or found.dates)
    return is_of_something and re.search(_OPINION, text) is None


def is_of_the_hour(text: str) -> bool:
    """Whether *text* tells what its speaker does, feels or has at hand while they talk."""
    return re.match(f"{_OPENS}(?i:{_OF_THE_HOUR})", text) is not None
