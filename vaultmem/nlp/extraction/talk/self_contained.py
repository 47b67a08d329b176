"""Tell a sentence that states something by itself from an answer, a bid and a fragment.

English is read, and of German how a sentence opens: whatever else stands.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import (
    antecedents,
    ellipsis_en,
    german,
    irrealis,
    main_clause_en,
    statement_zh,
)
from vaultmem.nlp.extraction.talk import small_talk
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS

# What answers, leans on what was said before, bids, or offers help: `No, we own it`.
_OPENS_OTHERWISE = (
    r"(?i)(?:(?:yes|yeah|yep|ok(?:ay)?|sure|right|well|oh|so|and|but|then|also|lol|nm|haha\w*"
    r"|omg|btw|ya|ye[ap]h?|cool|deal|great|nice|perf|anyway|tho|honestly|tbh|hm+|um+|uh+|ah|huh)"
    r"\b[,.!]? )*"
    r"(?:u|ur|thx|thanks|ty|noted|got it|done|true|k|kk|lmao|is|are|was|were|i think|i guess|i bet"
    r"|i hope|i feel|i wish|i thought|i figured|i recommend"
    r"|what about|how about|ugh+|argh|damn|meh|jeez|dang|wtf|no|nope|nah|not|same|idk|apparently"
    r"|barely|(?:the )?(?:funny|only|other|crazy|weird|sad|best|worst|good|bad|nice) (?:thing|part"
    r"|issue|problem|point|reason)|the (?:thing|trick|point|problem|issue)(?= (?:is|was)\b)"
    r"|\w+ i think|in (?:the end|my mind)|though|that way|i mean|i forgot to"
    r"|(?:s?he|they|it|that|there)(?:s|re|d|ll)"
    r"|which|or|i(?:['\u2019]d| would) (?:need|have|like)|must|shows|targeting|depends"
    r"|can|could|may|might|would|will"
    r"|it(?:['\u2019]s| is)(?! been)|(?:one|two|three|some|several|most|both) (?:got|of them)"
    r"|that['\u2019]?s|there['\u2019]?s|typically|usually|about|approximately|around|up to"
    r"|only|possibly|probably|likely|maybe|between|covered|let me|let['\u2019]?s|try"
    r"|replace"
    r"|just (?:remember|no)|please|follow|check|remember|make sure|don['\u2019]?t|do not|earn|keep"
    r"|take|use|avoid|stop|you['\u2019]?re|your?|if your?"
    r"|i (?:see|show)\b|i just realized|i(?:['\u2019]ll| will) (?:check|send|e-?mail|process|need"
    r"|have|add|note|look|update|set|make|do|submit|get)|we(?:['\u2019]ll| will|['\u2019]d)"
    r"|i(?:['\u2019]ll| will) (?:ask|tell|let|put|try|see|think|leave|open|post|push|draft"
    r"|prepare|write|create|generate|implement|refactor|rename|remove|fix|run|test)\b"
    r"|\$?[\d,.]+(?:,? (?:but|and|or|if)|,))(?!\w)"
    r"|(?i:if) (?:i|we|u|you|s?he|they|it)\b|(?i:an?|the|some) (?:\w+ ){1,3}(?:named|called) "
    r"|(?i:i|we) (?:do|did|am|was|can|will|would|have)(?:n?['\u2019]?t| not)?(?: too| though)?"
    r"(?=\W*$|, | but\b| lol\b| that['\u2019]?s\b)"
    r"|(?i:on|in|at|from|by|since|last|this|next) [^,]{2,40},"
    r" (?:when|which|where|who|because|same)\b"
)
# Neither who nor what: `starting tuesday`, `before even living there`, `just got back`.
_NO_SUBJECT = (
    r"(?i)(?:(?:yeah|yes|nah|no|nm|lol|and|but|so|also|ok|oh|well|omg|btw|just)[, ]+)*"
    r"(?:(?:starting|going|coming|looking|getting|waiting|heading|trying|thinking|doing|being"
    r"|having)\b|(?:before|after|since|while|without|by|instead of) (?:even |just"
    r" )?\w+ing\b(?![^,]*,)"
    r"|\w+ing (?:instead|again|too|now|already)\b"
    r"|(?:also |just )?(?:got|had|saw|met|bought|found|finished|heard|did|took|loved)"
    r" (?:the|it|that|this|them|those|these)\b"
    r"|(?:definitely|just the|increased|decreased|reduced|raised|gone|started with|started at)\b"
    r"|(?:i )?(?:just )?(?:got|came|am|i['\u2019]?m) (?:just )?(?:back|home|off)\b)"
)
# What passes with the talk or leans on it: `I can offer a room`, `Saturday is free`, `next one`.
_PASSES = (
    r"(?i)\b(?:(?:i|we) (?:can|could)|we (?:might|may)) (?!not\b)"
    r"|\b(?:the|an?) other (?:one|two)\b|^(?:please|go ahead"
    r"|enjoy)\b"
    r"|^\$?\d|^(?:plus|once|currently|especially) |^in [A-Z][\w ]+, it\b|\bthen\W*$|ing\b.* now\W*$"
    r"|\b(?:have|has|had|need|got|want) (?:plenty|enough|several|many|a few|a lot|both)\W*$"
    r"|\b(?:available|free)(?: for [\w ]+)?\W*$|\bits?(?:['\u2019]s| is)? (?:fine|ok(?:ay)?)\W*$"
    r"|\bsince then\b|\bprob(?:ably)?\b"
    r"|\b(?:tempted to|leaning towards?)\b"
    r"|\b(?:is|are|was|were) too \w+\W*$|\b(?:is|are|was|were) (?:\w+ )?(?:different|better"
    r"|worse|enough|cheaper|easier)\W*$"
    r"|^(?:the |our |my )?(?:\w+ ){1,4}(?:is|are) (?:now |all )?(?:done|ready)\W*$"
    r"|^(?:the )?\w+ (?:is|are) (?:now )?(?:done|ready|updated|fixed|pushed|merged|green)\b"
    # What one has come to ask, what a look at a screen shows, what might be of use.
    r"|^(?:hi|hello|so|also|and|now)?,? ?(?:i|we)(?:['\u2019]d like| (?:just |also |really )?"
    r"(?:want|wanted|need|needed|would like|have)) to (?:ask|check|make sure|know|confirm|discuss"
    r"|verify|see (?:if|whether)|talk)\b"
    r"|^(?:i|we) (?:do not|don['\u2019]?t|can(?:no|['\u2019])?t) (?:see|find) any\b"
    r"|\b(?:might|may|could) (?:also )?help\b|\bwould need to\b"
    # What one does for whom one talks to, before the talk ends: `We'll also send you a key`.
    r"|^(?:i|we)(?:['\u2019]ll| will) (?:(?:also|just|then|gladly) )*\w+"
    r" you(?:r| an?| the)\b(?!.*\d)"
    r"|^i (?:do |\w+ly )?(?:understand|appreciate) (?:your|that|how|the)\b"
    # How far a work is, what is its next step, what is to be so before the day is over.
    r"|\b(?:is|are)(?: now| still| already)? at \d[\d.]* ?%\W*$"
    r"|^(?:first|next|then|now),? (?:i|we|you)(?:['\u2019]ll)? (?:need|have|will|should|must|can)\b"
    r"|^the (?:\w+ )?\w+ (?:failed|crashed|worked|finished|completed|succeeded)\W*$"
    r"|\b(?:need|needs|must|will|have to|going to)\b.*\bin (?:\d+|a few|two|three)"
    r" (?:hours?|min\w*)\b"
    # An offer that somebody may take: `Then I'd add goods in transit`.
    r"|\bi['\u2019]d (?!been\b|had\b|never\b|always\b|\w+[^e\W]ed\b)\w+|\bstill (?:have"
    r"|need) to (?:choose"
    r"|decide|pick|find|settle|figure)\b"
    r"|\b(?:would|should|could) (?:work\b|be (?:fine|good|great|ok(?:ay)?)\W*$)"
    r"|\b(?:might|may) have \w+ed\b"
    r"|\b(?:first|next|last|other) one\b|\byou (?:might|may|could) (?:want|consider)\b"
)
# Talk of a service that passes with the call: `Last filled in May`, `I have one more question`.
_SERVICE = (
    r"(?i)(?:(?:and )?(?:last|first|next|previously)"
    r" \w+ed\b|(?:i|we) (?:have|had|still have) (?:one more|another|an?|some|a few)(?: \w+)?"
    r" questions?\b|(?:i|we) have (?:several|some|many|various|different|a few)(?: \w+)? options\b"
    r"|(?:i|we)(?:['\u2019]d| would) (?:prefer|rather)\b|(?:i|we)(?:['\u2019]ll| will)"
    r" (?:send|check|process|note|forward|submit|e-?mail|transfer|look)\b"
    r"|(?:i|we)?(?: have| had)? ?(?:about |only )?(?:an?|one|two|three|\d) \w+ left\b"
    r"|i(?:['\u2019]m| am) calling\b|(?:i|we) have (?:availability|an? \w+ slot"
    r"|(?:an? )?(?:openings?|slots?)|\d{1,2}:\d\d|[\w-]+ (?:\w+ )?available"
    r"|an? [\w-]+ (?:flight|seat))\b|\w+['\u2019]s is \d"
    r"|(?:yes, )?(?:(?:the|an?|new|estimated) )*(?:total|average) (?:is|would be|of [^,]+, which)\b"
    r"|\S+ (?:is|are) in good hands\b"
    r"|so we have\b|.*\bso yes\b"
    r"|(?:\w+|good \w+)?[,!]? ?(?-i:I(?:['\u2019]m| am) [A-Z]\w+ (?:from|with) (?:the )?[A-Z]))"
)
# A figure of something that is not said: `We paid $3,800 for the year`, `Standard is $40`.
_OF_WHAT = (
    r"(?i)(?:(?:i|we) (?:paid|pay|spent|spend|charged?|owe|got|have|had)|(?:the |an? |my |our )?"
    r"(?:average|total|price|cost|rate|fee|estimate|balance|range|minimum|maximum)(?: \w+)?"
    r"(?: is| was|s|:)?)"
    r" (?:about |around |roughly |only |just |at least |up to |over )*[$\u20ac\u00a3]?\d[\d,.k-]*"
    r"(?: (?:per|an?|for|each|every|in|this|last|the) (?:the |this |last |whole )?(?:year|month"
    r"|week|day|hour|class|session|visit|night|person|time|total|one|two|both|each|all|it"
    r"|that))*\W*$"
    r"|(?!(?:my|our|the|his|her|their|an?)\b)\w[\w-]*(?: [a-z]+)? (?:is|are|costs?|runs?)"
    r" (?:about |around |an additional )?(?:[$\u20ac\u00a3]\d"
    r"|\d+(?:-\d+)? (?:business )?(?:days?|weeks?)\b)"
)
# `Yes, Form 1098 by January`: the question is missing; `Yes, I live in Ulm` has its own subject.
# `So 40 are left` is what follows from what was said.
_ANSWERS = (
    r"(?i)yes[,.] (?!(?:i|we|my|our)\b)|[^,.]+, (?:and |but )?(?:yes|no), |so [$\u20ac\u00a3]?\d"
)
# A subject that does something to another: `An adjuster will inspect it`.
_TO_IT = (
    r"(?i)(?:an?|the|my|our) (?:\w+ ){1,2}(?:will|can|could|may|might|must|should|has|have|had"
    r"|would)"
    r" \w+ (?:it|them|him|her)\b"
)
_PRONOUN = r"(?i)\b(?:he|she|him|her|his|they|them|their|it|its)\b"
_HANGS = (
    # `selling mine`, `is very similar`, `those walls`, `keep that book`, `took some in class`.
    r"(?i)\b(?:sell|sold|selling|like|love|have|got|used?|in|of|with) (?:mine|yours|theirs)\b"
    r"|\b(?:keep|kept|have|had|used?|took|like|love|saw|read|bought|made) that \w+\b"
    r"|\b(?:took|had|have|got|bought|made|saw) (?:some|one|two|three|several|many|more)"
    r"(?= (?:in|on|for|at|\w+ed)\b)"
    # `I use that every week`, `I forgot that one`.
    r"|\b(?!(?:sa(?:id|ys?)|kn[eo]w|th(?:ink|ought)|so|hope|now|is|was|found|felt|feel|means?|heard"
    r"|see|\w+ed) )\w+ that (?:every|each|daily|twice|once|at night|one)\b"
    r"|\b(?:similar|the same|different|either)\W*$|\bthose (?!who\b|of\b|days\b|that\b)\w+|"
    # `from that huge test`, `good at that sometimes`: which one only the talk says.
    r"\b(?:to|at|of|from|in|on|with|by|than|over|after|during|before|since|for)"
    r" (?:that|those) (?!time\b|day\b|i\b|we\b)\w+"
    r"|\b(?:at|about|of|for|with|like|on|to) (?:that|this)(?= (?:sometimes|but|and|so|because|too"
    r"|now"
    r"|then|yet|though|if|when)\b|\W*$)|\b(?:do|does|did|done|doing) (?:that|this|it|so)\b"
    r"|^then i\b|\b(?:s?he|they) (?:says?|said|thinks?) (?:that )?(?:s?he|they|it)\b"
    r"|^(?:the|an?|my|our) \w+ (?:that|who|which) \w+(?: \w+){0,3}(?: (?:lol|haha|tho))?\W*$"
    r"|^actually,? (?:yes|no)\b|^(?:we|i)(?:['\u2019]\w+)? (?:\w+ ){1,3}(?:it|them)\b"
    r"|^(?:one|two|three|four|five|ten|twenty|thirty) (?:minutes?|hours?|days?|weeks?|times?)\b"
    r"|^\W*\w+(?:\W+\w+)?\W*$"
    r"|^(?:and |but |so )?(?:after|before|for|with|until|because of|instead of) (?:that|this|it)\b"
    r"|\b(?:said|says|thinks?|thought|hopes?|told (?:me|us|every(?:one|body)|him|her|them))"
    r" (?:that )?(?:it|they)\b"
    r"|\b(?:suggest|mention|recommend|prefer)(?:s|ed|red)? (?:that|it|this|them)\W*$"
    r"|\bthat time\W*$|^the other \w+|\bfor the same reason\b"
    # To where, than what, to do what: `months before I leave`, `a lot more class`, `I intend to`.
    r"|^(?!.*\bthan\b).*\b(?:much|far|a lot) (?:more|less|higher"
    r"|lower|better|worse|bigger|smaller) \w+|\b(?:intend|plan|want|hope|hate|love|like|need|used"
    r"|have|try) to(?: be)?(?:,? too)?\W*$|\bthe (?:[\w-]+ ){1,3}there\b"
    r"|^(?:and (?:so|then)|so then)\b"
    # One of what kind: `Owen wants to start one on Saturdays`.
    r"|\b(?:start|get|got|have|had|need|buy|bought|bring|make|want|take|use|find|found|order|try"
    r"|see|saw|run|join)s? (?:one|ones|another)\b(?=\W*$| (?:on|at|in|and|but|so|for|from|this|next"
    r"|last|tomorrow|too|soon|by)\b)"
)
# Who or what a sentence is of, told by an article, a pronoun or a name before its verb.
_OWN_SUBJECT = (
    r"(?i)(?:(?:yes|yeah|yep|no|well|oh|so|and|also|actually|sure|ok(?:ay)?|hi|hello)[,.! ]+)*"
    r"(?:im|ive|the|an?|every|each|all|this|last|next|on|in|at|just to confirm)\b"
    r"|(?i:.*\b(?:i|we|my|our|me|us)\b(?!-))"
)
_YOU, _ME = r"(?i)\b(?:you(?:r|rs)?|u|ur)\b", r"(?i)\b(?:i|im|ive|my|me|we|our|(?-i:us))\b"
# In small letters, and of what only the chat tells: `the op is on may 12`.
_OF_CHAT = r"(?:(?:oh|and|so|also|btw) )*the \w+ (?:is|are|has|had)\b"
# A lead with a pronoun that stands for nothing: `It's been a rough week, my car broke down`.
_MOOD = r"(?i)it['\u2019]s been [^,;]{1,40}[,;] "


def stands(text: str) -> bool:
    """Whether *text* states something by itself; an answer or a fragment does not."""
    if analysis.is_cjk(text):
        return statement_zh.stands(text)
    if german.is_talk(text):
        return german.stands(text)
    if _hangs_in_english(text) or irrealis.is_imagined(text) or ellipsis_en.is_elliptic(text):
        return False
    return main_clause_en.is_one(text)


def hangs(text: str) -> bool:
    """Whether *text* answers, bids, or needs what was said before it.

    What does not may still be no sentence, which outside of talk it need not be: `Deploys: Tuesday`
    is a note.
    """
    if analysis.is_cjk(text) or german.is_talk(text):
        return not stands(text)
    return _hangs_in_english(text)


def _hangs_in_english(text: str) -> bool:
    if re.match(_OPENS_OTHERWISE, text) or re.search(_HANGS, text) or _is_broken(text):
        return True
    if irrealis.is_half(text) or ellipsis_en.hangs(text):
        return True
    if re.match(_NO_SUBJECT, text) or re.match(_OF_CHAT, text) or re.search(_PASSES, text):
        return True
    if is_service_talk(text) or re.match(_OF_WHAT, text) or re.match(_ANSWERS, text):
        return True
    return bool(re.match(_TO_IT, text)) or _leans(text) or antecedents.hangs(text)


def has_own_subject(text: str) -> bool:
    """Whether *text* says by itself of what it is, even right behind a question."""
    if analysis.is_cjk(text):
        return True
    if re.match(_OWN_SUBJECT, text) or main_clause_en.names_doer(text):
        return True
    return analysis.heads(text)[:1] in [[verb] for verb in EVENTS]


def is_to_other(text: str) -> bool:
    """Whether *text* speaks of whom it speaks to, and of the speaker nothing."""
    return bool(re.search(_YOU, text)) and not re.search(_ME, text)


def is_service_talk(text: str) -> bool:
    """Whether *text* is of a call or a chat with a service alone, and passes with it."""
    return re.match(_SERVICE, text) is not None


def _leans(text: str) -> bool:
    """Whether *text* is of something that neither it nor a name before its pronoun tells."""
    if not small_talk.leans(re.sub(_MOOD, "", text)):
        return False
    names, pronoun = analysis.facts(text).names, re.search(_PRONOUN, text)
    before = text[: pronoun.start()] if pronoun else text
    return not any(name in before for name in names)


def _is_broken(text: str) -> bool:
    return text.endswith(("...", "\u2026", ",", ":")) or small_talk.leaves_open(text)
