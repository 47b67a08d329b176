"""Tell what friends say in chat is still open: `no clue yet when we get the keys`.

Open is what they themselves have to settle or will learn. What somebody else thinks, what was, and
what one says to be nice (`no idea how u do it`) is not. English as `casual_spelling` reads it.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import antecedents, assertion_en, relations
from vaultmem.nlp.extraction.talk import casual_spelling
from vaultmem.nlp.text import analysis

_LEAD = (
    r"(?:(?:ok(?:ay)?|so|and|but|btw|yeah|yes|oh|well|no+|nah|ya|tbh|also|nothing yet|hm+)\b,? )*"
)
_WHO = r"(?:(?:I|we)(?:['\u2019](?:m|re|ve)| am| are| have| really)?(?: still| really| just)* )?"
# What is not known is still to be settled only where somebody says `yet`, or `decide`.
_NOT_KNOWN = (
    r"(?:no (?:clue|idea)|not (?:really |quite |entirely )?sure|(?:I|we) (?:really )?don['\u2019]t"
    r" (?:really )?know)"
)
_UNDECIDED = (
    r"(?:(?:I|we) (?:still )?can['\u2019]?t decide|can['\u2019]t decide"
    r"|(?:(?:I|we) )?(?:still )?haven['\u2019]t (?:yet )?(?:decided|settled|agreed"
    r"|(?:figured|worked|sorted) out)"
    r"|(?:still )?undecided"
    r"|still trying to (?:decide|figure out)"
    r"|(?:still )?(?:have|need) to (?:still )?(?:figure out|decide|find out))"
)
_YET = r"(?: (?:yet|still|exactly|on|about))*"
_COMES = (
    r"(?:['\u2019](?:ll|re|m)|am|are|will|should|can|get|want|need|have to|do|move"
    r"|start|go|keep|take|record|rent|stay|leave|make)"
)
# What is to be learnt of a thing is of a time to come: `when the shop opens`.
_OF_A_THING = (
    r"(?:the|our|my) (?:[\w'\u2019-]+ ){1,3}(?:will|can|is going to|are going to|is coming"
    r"|lends?|covers?|opens?|allows?|starts?|arrives?|accepts?)\b"
)
_MATTER = (
    r" (?:(?:if|whether|which|when|where|how(?: (?:many|much|long|often))?|what|who)(?: \w+){0,2}"
    rf" (?:(?:I|we)(?: (?:still|even))?(?:{_COMES}| {_COMES})\b|{_OF_A_THING}).*"
    r"|what to do (?:with|about) (?:the|our|my|an?)\b.*"
    r"|(?:what|where|when|which \w+|who|whether|how) to (?:get|buy|bring|call|name|book"
    r"|choose|live|stay|move|put|invite|rent|sell|take|pick|study|apply)\b.*"
    r"|who \w+s .+|between .+ (?:and|or) .+)"
)
# To find out, to ask and to wait for are deeds still to come: what they are of is open whatever it
# is, and of whoever is named. Who only does not know says so with `yet` or `still`.
_TO_LEARN = (
    rf"{_WHO}(?:still )?(?:(?:need|have|got) to (?:still )?(?:find out|figure out|check"
    r"|ask(?! \w+sel(?:f|ves)\b)(?: \w+){1,3}?|(?:work|sort) out|look up|decide(?: by [\w ]+?)?"
    r"|clarify)"
    r"|(?:trying|waiting) to (?:figure out|find out|decide|hear(?: back)?|see|know|work out)"
    r"|haven['\u2019]t heard(?: yet| back)*)"
)
_UNKNOWN = (
    r"(?:(?:no (?:clue|idea)|not sure|unsure|undecided|not decided"
    r"|(?:(?:I|we) (?:really )?)?don['\u2019]t (?:really )?know"
    r"|(?:it['\u2019]s |it is |its )?not clear) (?:yet|still)"
    r"|still (?:no (?:clue|idea)|not sure|unsure|undecided|not decided|not clear"
    r"|(?:(?:I|we) )?don['\u2019]t know))"
)
_STILL_UNKNOWN = (
    rf"(?:{_WHO}|(?:I|we) still ){_UNKNOWN}|(?:I|we) still (?:have no (?:clue|idea)"
    r"|don['\u2019]t know)|it(?:['\u2019]s| is) (?:still |just )?not clear(?: yet)?"
    r"|(?:it['\u2019]s )?(?:still )?up in the air"
    r"|the question is(?: still| just)*|(?:still )?an open question"
)
_ASKED = (
    r" (?:if|whether|which|what|when|where|how (?:many|much|long|to)|who)(?:['\u2019](?:s|re|ll))? "
)
_WEIGHS = (
    rf"(?:{_WHO}(?:still )?(?:thinking about|debating|wondering|mulling over)(?= whether\b)"
    r"|(?:I['\u2019]m|we['\u2019]re|I am|we are) still debating(?= if\b))"
)
# Of what is theirs or known to both: whether `the fair` is on, not whether unicorns are real.
_OF_THEIRS = (
    rf"(?:(?:I|we|there|to)\b|(?:my|our|the|an?)\b|(?:my )?{relations.RELATION}\b|(?-i:[A-Z])\w+"
    r"|(?<=who )\w|(?<=who['\u2019]s )\w|(?<=what )\w|(?<=which )\w)"
)
# Of what there is no decision: a thing, with its article.
_ABOUT = (
    r"(?:(?:still )?(?:undecided|unsure|not (?:yet )?decided) (?:about|on)"
    r"|(?:the )?jury['\u2019]?s (?:is )?still out on|no (?:final |official )?"
    r"(?:decision|word|answer|news) (?:yet )?(?:about|on))"
)
# What heads a line of what is open, and then asks it or tells it.
_HEADED = (
    r"(?:(?:open(?: questions?| points?)?|still open|to be decided|undecided|unclear"
    r"|not (?:yet )?(?:decided|settled|clear))\s?:"
    r"|tbd(?:\s?:|,? (?=(?:if|whether|who|what|when|where|which|how)\b)))"
)
# What is open, in front of what says so: a question that depends on it, or two things.
_FRONTED = (
    r"(?:(?:if|whether|what|when|where|who(?:['\u2019]s)?|which|how) (?!(?:about|cares"
    r"|knows)\b)[^,;]+?"
    r"|(?![^,]*\b(?:is|are|was|were|sounds?|works?|would|can|could|do|does|I|we|you)\b[^,]*,)"
    r"[^,;?]{2,40} or [^,;?]{2,40})"
)
_IS_OPEN = (
    r"(?:(?:is|are|remains?|['\u2019]s) (?:still |all )*(?:unclear|open|undecided|not (?:clear"
    r"|decided"
    r"|settled)|up in the air|an open question|to be decided|tbd|anyone['\u2019]?s guess"
    r"|(?:being )?up for (?:debate|discussion))"
    r"|is something (?:we|I) (?:still )?(?:have|need) to (?:check|decide|discuss|settle|(?:figure"
    r"|work|sort) out)"
    r"|(?:isn|aren|hasn|haven)['\u2019]t (?:been )?(?:decided|settled|clear|fixed|agreed)(?: yet)?"
    r"|,? (?:we|I)(?:['\u2019]ve)? (?:still )?(?:have|need|got) to (?:still )?(?:decide|pick|choose"
    r"|figure out|work out|settle)"
    r"|,? (?:we|I) (?:still )?(?:haven['\u2019]t|can['\u2019]t|don['\u2019]t)(?: yet)? (?:decided?"
    r"|picked?|chosen"
    r"|settled|know)(?: yet)?)"
)
# Whoever says that it is to be decided, or found out, says of what: `whether the till can print`.
_ANY_MATTER = rf"(?:{_MATTER}| (?:if|whether|which|when|where|what|who(?:['\u2019]s)?) (?!to\b).+)"
_STILL_OPEN = tuple(
    re.compile(f"(?i){pattern}")
    for pattern in (
        rf"^{_LEAD}{_WHO}{_UNDECIDED}{_YET}{_ANY_MATTER}",
        rf"^{_LEAD}{_WHO}{_NOT_KNOWN} yet{_MATTER}",
        rf"^{_LEAD}{_WHO}still {_NOT_KNOWN}{_MATTER}",
        rf"^{_LEAD}(?:I|we) still don['\u2019]t know{_MATTER}",
        rf"^{_LEAD}{_WHO}{_NOT_KNOWN}{_MATTER}(?<= yet)\W*$",
        rf"^{_LEAD}{_WHO}(?:still )?torn between (?!(?:my|all)\b).+ (?:and|or) .+",
        (
            rf"^{_LEAD}(?:(?:I|we) )?(?:still )?haven['\u2019]t (?:yet )?decided on"
            r" (?:an?|the|our)\b.+"
        ),
        # As in `the bank made an offer but I haven't decided yet`.
        (
            r"^[^?]{12,}(?:,| -)?(?: but|,| -) (?:I|we) (?:still )?haven['\u2019]t (?:yet )?decided"
            r"(?: yet)?\W*$"
        ),
        # As in `havent asked the landlord about pets yet`.
        (
            rf"^{_LEAD}(?:(?:I|we) )?(?:still )?haven['\u2019]t (?:asked|told|booked"
            rf"|confirmed|paid"
            r"|heard (?:back )?from|picked|chosen) (?!it|that|you|anything)[\w'\u2019].+\byet\b"
        ),
        (
            rf"^{_LEAD}(?:the|our|my) [\w-]+(?: [\w-]+){{0,3}} (?:is|are)(?: still)?"
            r" (?:tbd|up in the air|undecided|not decided|a (?:big )?question mark)\b"
        ),
        (
            rf"^{_LEAD}{_WHO}(?:still )?waiting (?:for|on) [\w' ]{{2,40}}? to (?:tell"
            rf"|say|confirm|decide"
            r"|approve|answer|reply|let (?:me|us) know|get back)\b"
        ),
        rf"^{_LEAD}{_WHO}(?:still )?waiting to hear (?:back )?from (?!an?\b|my friend)\w+",
        rf"^{_LEAD}{_TO_LEARN}{_ASKED}(?!to\W*$)\w.+",
        rf"^{_LEAD}(?:{_STILL_UNKNOWN}|{_WEIGHS}){_ASKED}{_OF_THEIRS}.+",
        (
            rf"^{_LEAD}{_WHO}(?:(?:still )?(?:not sure|don['\u2019]t know)|I don['\u2019]t know)"
            rf" which (?!way\b)\w+ to (?:get|buy|book|take|pick|choose|rent|apply|order)\b"
        ),
        rf"^{_LEAD}{_WHO}{_ABOUT} (?:the|our|my|what|which|who|whether|going|moving)\b.{{3,}}",
        rf"^{_LEAD}{_WHO}(?:not sure|don['\u2019]t know|no (?:idea|clue)){_ASKED}.+ yet\W*$",
        # Two deeds to choose from: `not sure whether to sell the van or fix it`.
        (
            rf"^{_LEAD}{_WHO}(?:still )?(?:not sure|undecided|unsure|don['\u2019]t know"
            rf"|can['\u2019]t decide)"
            r" whether to (?!laugh\b|cry\b|scream\b)(?:\w+ .+ or \w+|\w+ (?:the|our|my|an?)\b).*"
        ),
        # One of two things, of which it is told which they are.
        (
            rf"^{_LEAD}{_WHO}(?:still )?(?:not sure|unsure|don['\u2019]t know|no (?:idea|clue)"
            r"|can['\u2019]t (?:decide|tell|figure out|work out)|wondering) (?:if|whether)"
            r" (?:it['\u2019]?s |it is |we \w+ )?(?:the|our|my) .+ or (?:the|our|my) \w+"
            r"(?!.*\bbut\b).*"
        ),
        rf"^{_LEAD}{_WHO}(?:still )?weighing up (?:the|our|my|whether)\b.+",
        rf"^{_LEAD}it hasn['\u2019]t been (?:settled|decided|agreed){_ASKED}.+",
        rf"^{_LEAD}{_WHO}haven['\u2019]t decided between .+",
        (
            rf"^{_LEAD}{_WHO}(?:still )?(?:need|have|got) to (?:decide (?:about|on)|settle on|pick"
            rf"|choose)"
            r" (?:the|our|my|an?) .+ (?:by|for|of) .+"
        ),
        rf"^{_LEAD}{_WHO}(?:unsure|unclear) (?:if|whether) (?:the|our|my|we)\b.+",
        (
            rf"^{_LEAD}{_WHO}(?:still )?(?:undecided|deciding|(?:need|have) to"
            r" (?:decide|choose|pick))"
            r" between (?:(?:the )?(?:two|both|three) \w+|.+ and .+)"
        ),
        (
            rf"^{_LEAD}(?:(?:I|we) )?still haven['\u2019]t (?:asked|booked|confirmed|picked|chosen"
            r"|decided on|found|heard from) (?:an?|the|our|my)\b.+"
        ),
        rf"^{_LEAD}(?:(?:I|we) )?haven['\u2019]t heard (?:back )?from .+ about (?:the|our|my)\b.+",
        (
            rf"^{_LEAD}(?:the|our|my) [\w-]+(?: [\w-]+){{0,6}} (?:isn['\u2019]t|aren['\u2019]t|is"
            rf" not"
            r"|are not) (?:fixed|set|decided|confirmed|booked|final) yet\b"
        ),
        rf"^{_LEAD}(?:not decided|haven['\u2019]t decided) on an? \w+ yet\b",
        (
            rf"^{_LEAD}{_FRONTED},? ?{_IS_OPEN}\b(?: (?:one|between them|that|it|this|yet"
            r"|at this point|right now|out))*\W*$"
        ),
        # To be between two minds, of a deed or of a thing with its article.
        (
            rf"^{_LEAD}{_WHO}(?:(?:still|keep) )?(?:on the fence|going back and forth"
            rf"|go back and forth|in two minds) (?:(?:about|on|over) \w+ing|between|whether"
            r"|(?<=forth )(?:on|over) (?:the|our|my) (?!swing|stairs|road|train|bus)\w+)\b.*"
        ),
        (
            rf"^{_LEAD}(?:(?:I|we) )?(?:still )?(?:haven['\u2019]t (?:quite |really )?made"
            rf"|can['\u2019]t make) up (?:my|our) minds?(?: yet)?(?: (?:about|on) (?:\w+ing|the"
            rf"|our|my|an?)\b|{_ASKED}"
            r"| whether to ).+"
        ),
        (
            rf"^{_LEAD}(?:it['\u2019]s )?(?:still )?(?:a )?toss[- ]?up between (?:the|our|my|an?"
            rf"|(?-i:[A-Z])\w+)\b"
            r".+ (?:and|or) .+"
        ),
        (
            rf"^{_LEAD}(?:(?:I|we) )?still (?:don['\u2019]t have|have no|no) (?:a |any )?plan"
            rf" (?:for"
            rf"|about) .+"
        ),
        (
            rf"^{_LEAD}{_WHO}leaning towards? (?:the|an?|our)\b.+ but (?:I['\u2019]m )?not"
            r" (?:100|sure|decided|certain|there)\b.*"
        ),
        (
            rf"^{_LEAD}(?:the|our|my) [\w-]+(?: [\w-]+){{0,5}} (?:is|are) (?:still )?"
            r"(?:up for debate|up in the air|an open question)\W*$"
        ),
        (
            rf"^{_LEAD}(?:no ?(?:body|one)['\u2019]s|we['\u2019]ve not"
            r"|(?:(?:we|I) )?(?:still )?haven['\u2019]t)"
            r" (?:settled|agreed|decided) on (?:an?|the|our) .+"
        ),
        # A deed that is meant, or another: `I don't know if I'm going to move or stay`.
        (
            rf"^{_LEAD}{_WHO}(?:not sure|don['\u2019]t know|I don['\u2019]t know) (?:if|whether)"
            rf" (?:I|we)"
            r"(?:['\u2019]m| am|['\u2019]re| are)? (?:going to|should|want to|will) .+ or (?!not\b"
            r"|something"
            r"|what(?:ever)?\b|nah\b|no\b|laugh\b|cry\b|die\b)\w+"
        ),
        rf"^{_LEAD}{_HEADED} ?\w.{{6,}}",
    )
)
# A sentence without one of these leaves nothing open.
_HINT = re.compile(
    r"(?i)\b(?:know|idea|clue|sure|unsure|clear|unclear|undecided|decide\w*|decision|figure\w*"
    r"|worked|sorted"
    r"|find out"
    r"|check|ask|asked|work out|look up|clarify|hear\w*|waiting|trying|question|torn|tbd|open"
    r"|jury\w*"
    r"|debating|wondering|thinking|air|yet|still|word|answer|news|fence|forth|minds?|plan|toss\w*"
    r"|leaning|settled|mulling"
    r"|agreed|guess|sort|choose|debate)\b"
)
# What was, what others think, and what is only said.
_NOT_OURS = (
    r"(?i)\b(?:you|your|he|she|they|happened|to (?:go )?(?:eat|do|say|watch|write)\W*$|did|was"
    r"|were|(?<!ve )had|it is|lol|even|life|anymore"
    r"|world|why|i did|i am|people|feel\w*|should be|supposed|right now|rn|manage|explain|like"
    r"|better|worse|best|favou?rite|wrong|going on|describe|would|could|could have|love|trust"
    r"|talk\w*|chat\w*|conversations?"
    r"|messages?|anything|prompt)\b"
)
_POINTS = (
    r"(?i)\b(?:(?<!\bor \w{2} )(?<!\bor \w{3} )(?<!\bor \w{4} )(?<!\bor \w{5} )(?<!\bor \w{6} )it"
    r"|that's|(?<!now )that(?= ?(?:is|was|\W"
    r"|$))|them|there|those|these|ones?|another"
    r"|this(?! (?:next|year|month|week\w*|summer|winter|spring|fall)\b))\b"
)
# `It` of `it's not clear if` is nothing; `the weekend one` is told by what it stands beside, and
# one is picked of what was named.
_DUMMY = (
    r"(?i)\b(?:if|whether) it['\u2019]?s "
    r"|^(?:it['\u2019]s|it is|it hasn['\u2019]t been) |(?<= or) the \w+ ones?\b"
    r"|(?<= or )\w+ an? \w+ one\b|(?<=pick|oose) one\W*$"
)
# What stood in front, and now: `who tells her, we haven't settled that`.
_AGAIN = (
    r"(?i),? (?:we|I) (?:still )?haven['\u2019]t (?:settled|decided|agreed|figured)"
    r" (?:that|it|this)(?: out| yet)*\W*$|(?:,? (?:at this point|right now))\W*$"
)
# One decides on deeds, and not on how one is: `can't decide if I'm hungry or bored`.
_OF_A_STATE = re.compile(
    r"(?i)\b(?:if|whether) (?:I['\u2019]m|I am|we['\u2019]re|we are|he is|he['\u2019]s"
    r"|she['\u2019]s)"
    r" (?!\w+ing\b|moving\b|in\b|on\b|at\b)[\w ]+ or (?:just )?\w+\W*$"
)
_DOES_NOT_KNOW = re.compile(
    r"(?i)(?:(?:hm+|uh+|um+|ugh|oh|oof|well|tbh|honestly|sorry|lol|yeah|no|nah|good"
    r" q(?:uestion)?(?=[,. ])"
    r"|good point|same|actually|let['\u2019]s see)\b[,.! ]*)*"
    r"(?:no (?:clue|idea)\b|not sure\b|(?:I )?(?:really )?(?:don['\u2019]t|do not)"
    r" (?:know|have it|remember)\b|(?:I )?(?:can['\u2019]t|cannot|don['\u2019]t) remember\b"
    r"|(?:I )?haven['\u2019]t (?:heard|checked|looked|asked)\b|good q(?:uestion)?\W*$"
    r"|(?:I )?forgot\b|me neither\b|beats me\b|(?:I(?:['\u2019]ll| will)|will|let me"
    r"|I(?:['\u2019]d)? have to"
    r"|I need to|have to|need to) (?:\w+ )?(?:check|look|ask|find out|see)\b"
    r"|(?:someone|somebody|we) (?:needs?|has|have|should)(?: to)? (?:check|ask|find out)\b)"
)
_HAS_LEARNT = re.compile(
    r"(?i)(?:(?:ok(?:ay)?|oh|ah|so|and|well|yes|no|nope|yep|yeah|wait|update)\b[,.! ]*)*"
    r"(?:I (?:just )?(?:checked|looked|asked|found|googled|called)|just (?:checked|looked|asked"
    r"|found|googled)|(?:found|figured) (?:it )?out|found (?:it|them)|turns out|never ?mind|nvm"
    r"|got (?:it|them)|(?<=oh )(?:he|she|it|they)\b|I(?:['\u2019]ve)? (?:got|remember)|it says"
    r"|they (?:said|say|told)"
    r"|heard back)\b"
)
# Who asks whether the other knows asks for what they would know: `do you know if the shop opens`.
WRAPPED = re.compile(
    rf"(?i)^{_LEAD}(?:do|does) (?:you|anyone|anybody|we) (?:happen to )?know (?=(?:if|whether|when"
    rf"|where"
    r"|what time|who|which|how (?:much|many|long))\b)"
)
"""What asks of something else than it is put as, once it is spelled with care."""

_LEAST = 2


def is_open(text: str) -> bool:
    """Whether *text*, said among people, tells by itself what they have still to settle."""
    read = casual_spelling.spelled(text)
    if (
        assertion_en.is_jest(read)
        or _OF_A_STATE.search(read)
        or "?" in read
        or read.endswith("...")
    ):
        return False
    if _HINT.search(read) is None or not any(pattern.match(read) for pattern in _STILL_OPEN):
        return False
    read = re.sub(_DUMMY, "", re.sub(_AGAIN, "", read))
    if re.search(_NOT_OURS, read) or re.search(_POINTS, read) or antecedents.hangs(read):
        return False
    return len(set(analysis.terms(read))) >= _LEAST


def is_unknown(reply: str) -> bool:
    """Whether *reply* owns that who was asked does not know, or is to look."""
    return _DOES_NOT_KNOW.match(casual_spelling.spelled(reply)) is not None


def has_learnt(text: str) -> bool:
    """Whether *text* says that its speaker has found out what they asked, or need not know."""
    return _HAS_LEARNT.match(casual_spelling.spelled(text)) is not None
