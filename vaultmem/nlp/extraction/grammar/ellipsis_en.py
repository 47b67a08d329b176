"""Whether an English sentence leaves out what only the talk before it holds.

`I painted this` points at a thing that was shown, `I'm working on one` at a kind that was named
(one-anaphora: Dahl 1985), `Changed to 26 May` at an object that was told. `This` before an
adjective and a noun may bring up something new instead, as in `this nice couple from Kiel` (Prince
1981): it stands where the sentence goes on to tell of it.
"""

from __future__ import annotations

import re

_TIMES = (
    r"(?:time|year|month|week|weekend|day|morning|afternoon|evening|night|summer|winter|spring"
    r"|autumn|fall|semester|term|season|quarter|century|decade|[a-z]+day|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|christmas|easter"
    r"|thanksgiving|past|coming|last|next|morn|moment)\b"
)
_GOES_ON = (
    r"(?=\W*$|[,.;:!?]|\s[\u2013\u2014-]|\s(?:after|before|at|in|into|on|for|from|with|by|to|and|but"
    r"|so|because|cause|when|while|since|as|too|again|lol|yesterday|today|now|last|next|ago|tho)\b)"
)
_BEHIND = (
    r"(?:paint(?:ed)?|drew|draw|wrote|write|mak(?:e|ing)|made|took|take|buy|bought|pick(?:ed)?"
    r"|cho(?:se|ose)|includ(?:ed|e)|built|build|sewed|knit(?:ted)?|bak(?:ed|e)|cooked|finish(?:ed)?"
    r"|read|watch(?:ed)?|found|find|got|get|shot|use[ds]?|using|snapped|captured|created?|learn"
    r"|try|tried|see|saw|had|hear|heard|call(?:ed)?)"
)
_POINTS = re.compile(
    rf"(?i)\bthis(?! (?:last|next)\b){_GOES_ON}"
    rf"|\b(?:this|these) (?!{_TIMES})[a-z]+{_GOES_ON}"
    rf"|\b{_BEHIND} (?:that|those|these)(?: (?!{_TIMES}|i\b|we\b|he\b|she\b|they\b|it\b|my\b|our\b"
    rf"|the\b|you\b|there\b|people\b)[a-z]+){{1,2}}{_GOES_ON}"
    rf"|\b{_BEHIND} (?:that|this|these|those){_GOES_ON}"
    rf"|\b(?:this|these) (?!{_TIMES})[a-z-]+(?: [a-z-]+){{1,2}}(?=\W*$|\s[\u2013\u2014-]\s)"
    r"|\bhere\b(?!['\u2019]?s\b| is\b| are\b| in\b| at\b)"
)
# One of a kind, more of a kind: which kind stands before.
_ONE = re.compile(
    r"(?i)\b(?:been|am|['\u2019]m|im|was|on|with|for|at|of|like|about|from|into|to|than|as) one"
    r"(?=\W*$|[,.;!?]| (?:with|for|on|at|in|from|because|['\u2019]?cause|cuz|since|and|but|so|too"
    r"|now|myself|yet|again)\b)"
    r"|\b(?:a few|some|two|three|four|several|many|one|a couple|lots|plenty) more"
    r"(?=\W*$|[,.;!?]| (?:last|this|next|yesterday|today|tomorrow|in|on|at|and|but|so|for|to|after"
    r"|before)\b)"
)
# `I've been working on for a while`: on what?
_STRANDED = re.compile(
    r"(?i)\b(?:work(?:ed|ing)? on|look(?:ed|ing) for|listen(?:ed|ing)? to|deal(?:t|ing)? with"
    r"|depend(?:s|ed)? on|wait(?:ed|ing) for) (?:for|lately|since|recently|all|these days"
    r"|right now|yesterday)\b"
)
# `I played in high school`, `I finished a month ago`: a deed whose object was told before.
_TAKES_OBJECT = (
    r"(?:play|finish|visit|watch|like|love|hate|enjoy|miss|own|attend|practi[cs]e|collect|start)(?:e?d)?"
    r"|(?:play|finish|visit|watch|lik|lov|hat|enjoy|miss|own|attend|practi[cs]|collect|do|us|try|tak"
    r"|mak|buy|see|build|start|begin|stop)ing|stopped|began|begun|bought|built|found|made|took|did|done|seen|used|tried|beat|brought"
)
_WHEN_ALONE = (
    r"(?:(?:a |about |over |like )*(?:[\w-]+ )?(?:or \w+ )?(?:years?|months?|weeks?|days?)"
    r"(?: or two| or so)? ago"
    r"|(?:for|since|in) (?:like |about |over |almost |the past |the last )*"
    r"(?:(?:a )?\w+ (?:years|months|weeks)|(?:high|middle|elementary|grade) ?school|college|i was)"
    r"|(?:since|while|when|before|after) (?:i|we) (?:was|were|am|got|had|moved|left|turned)\b[^,;]*"
    r"|since (?:i was |about |around )*\w+ grade|half an? \w+ before\b[^,;]*"
    r"|a (?:little|bit)(?: bit)?"
    r"|in (?:winter|spring|summer|fall|autumn|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|\d{4})"
    r"|(?:last|this past|next) (?:\w+)|yesterday|(?:most )?recently|spring break|once|twice"
    r"|with (?:my|some|the) (?:\w+ )?(?:friends|family|kids|cousins|brothers?|sisters?|roommates?))"
)
_UNTOLD = re.compile(
    rf"(?i)\b(?:{_TAKES_OBJECT}) {_WHEN_ALONE}(?: {_WHEN_ALONE})*"
    r"(?=\W*$|[,.;]| (?:and|but|so|because|before|when|for)\b)"
    r"|\bappl(?:y|ied|ying) (?:for|in) (?:this|next|the) (?:fall|spring|summer"
    r"|winter|year|semester)\b"
    r"|\bmoving (?:down|up|in|out|back)(?=\W*$| (?:\w+ )?(?:early|late|soon|now)\b)"
    r"|^(?:i|we) (?:just |also )?passed (?:with|by|easily|on the)\b"
    r"|\b(?:have|has|had|got|own|need|want|took|bought|missing) (?:only |just |about |like )*\d+"
    r"(?=,(?!\d)| of (?:which|them)\b|\W*$)"
    r"|\bworking on \d+\W*$|\b(?:have|has|had|got) (?:one|two|three|\d) due\b"
    r"|\bthat (?:kind|sort|type) of \w+|\bwent(?=,|\W*$)"
    # To where: `I went for the birthday`.
    r"|^(?:i|we) (?:(?:just|also|\w+ly) )*went (?:for (?!an?\b)|with\b|because\b|last\b|yesterday\b"
    r"|once\b|alone\b)(?!.*\bto\b)"
)
# What is always of something: `I slowly became a fanatic`.
_OF_NOTHING = re.compile(
    r"(?i)\ban? (?:huge |big |real |total )?(?:fanatic|fan|expert|member|part|beginner|owner|winner"
    r"|finalist|noob|newbie)(?=\W*$|,| (?:too|now|already|and|but|so)\b)"
)
# A subject and an auxiliary without its verb (VP ellipsis: Hankamer & Sag 1976), as in `Pandora
# does, but I like my own lists`.
_NO_VERB = re.compile(
    r"(?i)^\W*(?:(?:yeah|yes|no|well|oh|actually)[, ]+)?(?!that\b|it\b)[\w'\u2019]+"
    r"(?: [\w'\u2019]+)? (?:does|do|did|can|could|will|would|has|have|is|are|was)(?:n['\u2019]?t)?,"
    r" (?:but|and|so|though|because)\b"
)
# Of a tale that goes on: `I am at the part where she leaves`, `I've been careful ever since`.
_OF_A_TALE = re.compile(
    r"(?i)\bat the (?:part|point|stage|level|bit) (?:where|when|in)\b"
    r"|\bevery? since(?: \w{1,3})?\W*$"
)
# More than what, and not what: `I hit a more puzzling fault`, `My mast is not`.
_NO_STANDARD = re.compile(
    r"(?i)\ban? (?:even )?(?:more|less) [a-z-]+ \w+(?!.*\bthan\b)(?! or less)"
    r"|\b(?:is|are|was|were|does|do|did|has|have|can|will|would|could)(?: not|n['\u2019]?t)\W*$"
)
# What was changed, and is not named again: `Fixed in 5d20e7b`, `Moved to May`.
_NO_OBJECT = re.compile(
    r"(?i)^(?:(?:ok(?:ay)?|done|also|now)[,.:;]? )?(?:changed|fixed|moved|set|updated|renamed"
    r"|raised"
    r"|lowered|added|removed|replaced|implemented|reverted|switched|installed|copied|dropped"
    r"|corrected|adjusted|wrapped|extended|limited|shortened)"
    r" (?:to|in|at|by|with|from|for|into|on|there|here|back)\b"
    r"|^(?:i|we)(?: (?:just|also|really|finally|\w+ly))* (?:bought|found|got|made|built|took|want"
    r"|need|like|love|use|keep) (?:right )?(?:at|on|for|from|early|late)\b"
)
# Of a part, whose whole is not told: `the second half is missing`.
_PART = re.compile(
    r"(?i)^(?:(?:but|and|so|also) )?the (?:[\w-]+ )?(?:part|bit|half|rest|side|others|latter"
    r"|former|remainder|thing)\b(?! (?:of|about|in|that|where|with|who)\b)"
)
# A question whose mark was left out: `planning the release, what is still open`.
_ASKS = re.compile(
    r"(?i)(?:^(?:which|who|where|when)|(?:^|, (?:but |and |so )?)(?:what(?:['\u2019]?s)?|how|why))"
    r"(?: (?:much|many|long|far|\w+(?= (?:do|did|does)\b)))?"
    r" (?:is|are|do|does|did|should|shall|would|can|could|was|were|if)\b(?![^,]*, (?:i|we)\b)"
)
_DRAFT = re.compile(r"^[\"\u201c][^\"\u201c\u201d]+[\"\u201d]\W*$")


_HANGS = (
    _POINTS,
    _ONE,
    _NO_STANDARD,
    _STRANDED,
    _UNTOLD,
    _OF_NOTHING,
    _NO_VERB,
    _OF_A_TALE,
    _PART,
    _ASKS,
)


def hangs(text: str) -> bool:
    """Whether *text* points at something that neither it nor its reader has at hand."""
    return any(p.search(text) for p in _HANGS)


def is_elliptic(text: str) -> bool:
    """Whether *text* has no object for its deed, or is but a wording that is offered."""
    return _NO_OBJECT.match(text) is not None or _DRAFT.match(text) is not None
