"""Tell a decision from a deed that friends tell of: `we decided to hide`, `i went with 3 boys`.

Who tells what happened says `decided` at every turn of the tale. What is decided for longer
changes or keeps work, home, what one owns or a way of life; or it is still to come.
"""

from __future__ import annotations

import re

_TALE = (
    r"(?i)\b(?:had to|ago|last (?:summer|year)|and I$|was|were|then|when"
    r"|while|after|one (?:time|day|night|winter"
    r"|summer)|this time"
    r"|there['\u2019]?s this|later|bored|ended up|and (?:found|saw|went|ran|told"
    r"|thought|it was))\b"
)
_LASTS = (
    r"(?i)(?:(?:not )?to (?:finally |just |both |go ahead and "
    r"|force myself to )?(?:buy|sell|move|switch"
    r"|change|quit|stop|start|drop|keep|major|minor|study|apply|enroll?|become|rent"
    r"|hire|adopt|name"
    r"|call|skip|cancel|book|invite|give up|paint|renovate|get (?:an?\b|married|divorced|rid)|give"
    r"|run for|go (?:into|with|for|back to (?:school|college|uni\w*|work)|vegan|vegetarian"
    r"|pro\b)|be an? (?!(?:better|good|nice|kind)\b)\w+"
    r"|be (?:vegan|vegetarian)|do (?:an?|my) (?:minor|major|masters?|phd|degree"
    r"|course)|take (?:the (?:job|flat|house|offer)"
    r"|up|over)|use|stay (?:in|at|with)|live|leave (?:the|my)|open|launch|postpone"
    r"|wait|skip|split|share"
    r"|have (?:the|our)|host|plant|save|spend|join|sign|learn)\b"
    r"|on\b|that\b|against\b|:)"
)
_TO_COME = (
    r"(?i)\b(?:tomorrow|next (?:week|month|year|\w+day)|this (?:summer|winter|fall"
    r"|spring|year)|on \w+day)\b"
)
# What is so at all times, and what the other is told to use.
_GENERIC = r"(?i)\b(?:I|we|they) (?:choose|pick)$|^use$|\bkeep (?:ourselves|us)\b"
# Who goes with others, or with the hour, chooses nothing.
_COMPANY = r"(?i)(?:\d|two|three|either|an? (?:group|bunch|couple|few)|some|dirt)\b"
_OTHERS = (
    r"(?i)\b(?:you|he|she|they|how I|how we|the one that|that we|that I)(?:['\u2019]ve"
    r"| have| has)? ?$"
)
# Of the chat itself, and what is only guessed.
_OF_THE_TALK = (
    r"(?i)\b(?:chats?|conversations?|keep an eye|i guess|haha\w*)\b|^(?:yeah|yes|ya"
    r"|lol|yep)\W+i\b"
)
_POINTS = r"(?i)(?:\W*[\w'\u2019]+){1,6}? (?:it|them|that [a-z]+)\b"
_NAMED_IT_IS = (
    r"(?i)^(?:(?:ok(?:ay)?|alright|fine|so|well|then|yes|phew|whew|guess|haha|,)[, ]+)*"
    r"(?!(?:in|on|at) )(?!.*\b(?:than|way|suppose|think|say|there|but|know|indeed|tbh"
    r"|yea\w*|course|bad|honestly"
    r"|sure|yep|ya|as"
    r"|believe|guess|hope|what|how|because|if)\b.*it is)(?:[\w'\u2019-]+ ){1,4}it is\b"
)


def is_one(cue: str, before: str, after: str) -> bool:
    """Whether a *cue* of deciding, with the words *before* and *after* it, decides nothing."""
    if re.search(r"(?i) it is\b", cue):
        return re.search(_NAMED_IT_IS, before + cue) is None
    if re.search(_GENERIC, cue) or re.search(_OTHERS, before):
        return True
    if re.search(_OF_THE_TALK, before + after):
        return True
    if cue.lower().endswith("with"):
        return re.match(_COMPANY, after) is not None
    return _is_of_a_tale(cue, before, after)


def _is_of_a_tale(cue: str, before: str, after: str) -> bool:
    is_told = re.search(_TALE, f"{before} {after}") is not None
    if re.search(r"(?i)\b(?:chose|picked)$", cue):
        return is_told
    if re.search(r"(?i)\bdecided$", cue) is None:
        return False
    if re.match(_POINTS, after):
        return True
    lasts = re.match(_LASTS, after) is not None
    return re.search(_TO_COME, after) is None and (is_told or not lasts)
