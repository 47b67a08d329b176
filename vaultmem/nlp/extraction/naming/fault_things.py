"""The thing that talk with an agent opens with where nobody bids: asked about, at fault, theirs.

English alone is read.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.naming.thing_phrases import (
    ARTICLE,
    MORE,
    PERSON,
    THING,
    WORD,
    is_empty,
    is_somebody,
    titled,
    whole,
)

# What things that run do, rightly or wrongly.
_RUN = (
    r"(?:(?:writ|tak|giv|ignor|fir|us|los|clos|delet|overwrit|duplicat|freez|mak|pars|stor|sav"
    r"|leav|hid|doubl|tim)e|return|show|throw|send|load|fail|hang|drop|open|print|render|overlap"
    r"|skip|break|block|round|sort|leak|flicker|display|reload|refuse|reject|forget|expect|stop"
    r"|start|accept|want|allow|see|get|put|read|cut|need|eat|count|swallow|crash|miss|reply)"
)
_THING = rf"(?!{_RUN}(?:s|es)\b)(?!\w+ed\b){WORD}"
_NO_DEED = r"(?!\w+ing\b)"
# What is said of a thing that does not do its work.
_BAD = (
    r"(?:(?:too|so|very|really|way|super|still|always|often|just|now) )*(?:(?P<bad>slow|flaky"
    r"|broken|empty|blank|missing|stale|stuck|unstable|unreliable)|down|wrong|late|dead|red|corrupt(?:ed)?)"
)
# What went wrong: `our checkout service started throwing errors`.
_FAULT = re.compile(
    rf"(?i)\b(?:my|our|the) (?P<thing>{_NO_DEED}{_THING}(?: {_NO_DEED}{_THING}){{0,3}}?)"
    r" (?:(?:has |have )?(?:just |suddenly |again )?(?:started|stopped|keeps?|kept|broke|crashe[sd]"
    r"|fails?|failed|died)|is (?:down|broken|failing|leaking|stuck|dead|not \w+ing)"
    r"|(?:is|are|has been|have been) (?:\w+ly )?\w+ing"
    r"|(?:does|did|will|ca|wo|is)n['\u2019]?t (?:\w+ ){0,1}\w+)\b"
)
# What is theirs, of which they tell as they come: `our rabbit hasn't eaten`.
_OWN = re.compile(
    rf"(?i)^(?:\w+[,!] |good \w+[,.!] )*(?:my|our) (?P<thing>{WORD}(?: {WORD}){{0,3}})"
    r" (?:(?:is|are|was|were|has|have|had|ca|wo|do|does)(?:n['\u2019]t)?|cannot|can)\b"
)
# `The login page shows a blank screen`; of what one word names, what it does is the fault.
_DOES = re.compile(
    rf"(?i)^(?:my|our|the) (?P<thing>(?-i:[A-Z]{{2,}})|{_THING}(?: {_THING}){{1,2}}?)"
    rf" [a-z]{{3,}}s (?:{ARTICLE}|\d+|twice|when|while|after|only|with|in|on)\b"
)
# `The invoice exporter writes dates in local time`, `the webhook from Stripe fires twice`.
_RUNS_SO = re.compile(
    rf"(?i)^(?:(?:hi|hey|hello|so|ok(?:ay)?|good morning),? )*(?P<known>(?:my|our|the) )?"
    rf"(?P<thing>{_THING}(?: {_THING}){{0,2}}?)"
    rf"(?: (?P<link>of|for|from|with) (?:the |our |my )?(?P<whose>{_THING}))?"
    rf"(?: (?:on|in|at) (?:the |our |my )?{_THING}(?: {_THING})?)?"
    rf" (?:{_RUN}(?P<one>e?s)?|(?P<is>is|are) {_BAD})\b"
)
# `CI fails on Windows only`: a name needs no article.
_NAMED_RUNS = re.compile(
    rf"^(?P<thing>[A-Z][A-Z\d]+|[A-Z]\w+[A-Z]\w*)(?P<where> on [A-Z]\w+)?"
    rf" (?i:{_RUN}(?:e?s)|is {_BAD})\b(?P<at> on [A-Z]\w+)?"
)
# As in `make the upload handle big files`.
_MADE = re.compile(
    rf"(?i)\bmake (?:my|our|the|this) (?P<thing>{_THING}(?: {_THING}){{0,2}}?)"
    rf" (?:{_RUN}|handle|work|accept|support|run|look|react|respond|do|wait|behave)\b"
)
# `The dishwasher leaves a white film`.
_CAUSES = re.compile(
    rf"(?i)^(?:my|our|the) [\w-]+ [a-z]{{3,}}s {ARTICLE} (?P<thing>{WORD}(?: {WORD}){{1,3}})"
)
# `Why is this config file wrong`: the thing, and what is said of it.
_WHY = re.compile(
    r"(?i)\b(?:why|how come) (?:is|are|was|were|does|do|did|has|have|ca|wo)(?:n['\u2019]t)?"
    rf" {ARTICLE} (?P<thing>{THING})"
    r"(?P<ends> (?:not|so|still|always|only|too|on|in|of|for|from|at|with|that|which)\b)?"
)
_WHAT = re.compile(
    rf"(?i)^(?:\w+,? )?wh(?:at|ich)(?:['\u2019]s| is| are| was| were) {ARTICLE}"
    rf" (?P<thing>{THING}){MORE}"
)


def asked_about(sentence: str) -> str:
    """Return the thing of a question that asks why, or what: of one that says how it is."""
    if why := _WHY.search(sentence):
        plain = re.sub(r" \w+ly$", "", why["thing"])
        thing = plain if why["ends"] else plain.rpartition(" ")[0]
        return "" if is_empty(thing) else titled(thing)
    what = _WHAT.match(sentence)
    return titled(whole(what["thing"], (what["more"] or "").strip())) if what else ""


def made_to(sentence: str) -> str:
    """Return the thing that *sentence* asks to make do something, "" for none."""
    made = _MADE.search(sentence)
    return titled(made["thing"]) if made and not is_empty(made["thing"]) else ""


def at_fault(sentence: str) -> str:
    """Return the thing that *sentence* says went wrong, or what of theirs it tells of; or ""."""
    found = _FAULT.search(sentence)
    if found and " " in found["thing"] and not PERSON.match(found["thing"]):
        return titled(found["thing"])
    own = _OWN.match(sentence) or _DOES.match(sentence)
    if own and not (is_empty(own["thing"]) or is_somebody(own["thing"])):
        return titled(own["thing"])
    causes = _CAUSES.match(sentence)
    if causes and not is_empty(causes["thing"]):
        return titled(causes["thing"])
    return _running(sentence)


def _running(sentence: str) -> str:
    """Return the thing of which *sentence* says what it does, or how bad it is, "" for none."""
    if of_name := _NAMED_RUNS.match(sentence):
        return f"{of_name['thing']}{of_name['where'] or of_name['at'] or ''}"
    runs = _RUNS_SO.match(sentence)
    if runs is None or is_somebody(runs["thing"]):
        return ""
    # Without an article only the form of the verb tells that it is no bid: `start the tests`.
    if not (runs["known"] or runs["one"] or runs["is"]):
        return ""
    named = f"{runs['thing']} {runs['link']} {runs['whose']}" if runs["link"] else runs["thing"]
    if runs["bad"] and " " not in named:
        return titled(f"{runs['bad']} {named}")
    return "" if is_empty(named) else titled(named)
