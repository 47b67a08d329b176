"""Tell what people commit to in talk with each other: `we decided to sell the van`.

Who talks says `decided` at every turn of a tale, and proposes all day. A commitment is told in the
first person, in a clause that nothing governs, by a turn of phrase that binds (`we settled on`,
`we're going with`, `I've decided to`), of an object that is named, for longer than the hour; or
one proposes, and the other takes it up in the next turn (Clark 1996, *Using Language*: a joint
project has to be accepted). English as `casual_spelling` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.nlp.extraction.choices import unsaid_choices
from vaultmem.nlp.extraction.grammar import (
    antecedents,
    assertion_en,
    relations,
    reported_speech,
    run_ons_en,
)
from vaultmem.nlp.extraction.talk import casual_spelling, cue_phrases
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import words

_LEAD = (
    r"(?:(?:ok(?:ay)?|so|and|but|btw|yeah|yes|oh|alright|fine|update|anyways?|well|ya|then|also|fyi"
    r"|good news|right|in the end|turns out)\b[,:!]? )*"
)
_SOON = r"(?: (?:now|just|still|definitely|all|going to|both|finally|already|also|officially))*"
_WE = rf"\b(?:(?:[Mm]y )?\w+ and I|[Mm]e and (?:my )?\w+|I|[Ww]e)\b{_SOON}"
# In chat who decided is left out at the start of a line: `decided on the oak floor`.
_OF_US = r"\b(?:(?:[Mm]y )?\w+ and I|[Mm]e and (?:my )?\w+|[Ww]e)\b(?:['\u2019]ve| have)?"
_WE_HAVE = rf"(?:(?i:^{_LEAD}(?:finally |just |so )*)|{_WE}(?:['\u2019]ve| have)?{_SOON} )"
_WE_ARE = rf"{_WE}(?:['\u2019](?:m|re)| am| are){_SOON}"
_WE_WILL = rf"\b[Ww]e(?:['\u2019]ll| will){_SOON}"
_A_THING = r"(?:the|my|our|an?|both|two|three|one|\d+)\b(?! (?:bit|lot|moment|second|sec|minute)\b)"
_BECAUSE = (
    r"(?=.* (?:(?:be|['\u2019])?cause|since|so that|to avoid|due to|instead of|rather than|over)\b)"
)
# What changes or keeps work, home, belongings or a way of life, and no deed of an afternoon.
_LASTING = (
    r"(?:(?:finally|just|both|go ahead and|actually) )?(?:buy (?:an?|the|our|my)|sell|rent|hire"
    r"|adopt|foster|name (?:the|our|my|her|him)|book|cancel|renovate|paint (?:the|our|my)"
    r"|move (?:to|in with|out of)|switch|change (?:the|my|our)|quit|stop \w+ing|give up"
    r"|start (?:an?|my|our|\w+ing)|drop(?! (?:by|in|off|them|everything))|keep(?! \w+ing\b)"
    r"|major|minor|study|apply|enroll?|become|retire|postpone|launch|host|plant|get rid of"
    r"|get (?:married|divorced|(?:an?|the) (?:new |second |used |rescue )?(?:cat|dog|puppy|kitten"
    r"|car|van|house"
    r"|flat|apartment|bike|degree|job|loan|tattoo|roommate))|run for|go (?:with|into"
    r"|vegan|vegetarian|back to (?:school|college|uni\w*|work))|do (?:an?|my)"
    r" (?:minor|major|masters?|phd|degree|course)"
    r"|take (?:the (?:job|flat|apartment|house|offer|course)|up|over)|stay in(?! bed\b)"
    r"|live (?:in|with)|leave (?:the|my|our) (?:company|job|team|band|church|country|city|firm"
    r"|school|program\w*|club)|open (?:an?|our)|save (?:up|money|for)|join (?:the|an?|our)"
    r"|sign up for|learn|ship|migrate|replace|remove|rewrite|rename|deploy|release|support"
    r"|use (?!(?:an?|the|my|our|his|her|their|some)\b)|use(?=.* (?:because|for|instead|rather"
    r"|since)\b))"
)
_SEASON = r"(?:year|term|season|semester|spring|summer|autumn|fall|winter|christmas)"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_TO_COME = rf"(?=.*\b(?:from now on|(?:next|this) {_SEASON}|next (?:week|month|\w+day))\b)"
_KEEPS = (
    rf"{_WE_ARE} (?:(?:going|sticking) with(?! (?:my|our)\b)(?= {_A_THING}|"
    r" [\w-]+(?: \w+){0,2}[.!]*(?:$|,? (?:because|since|for|instead)\b))"
    r"|keeping (?:the|our|both|all (?:two|three|four|five))(?! (?:kid|baby|change|faith|peace"
    r"|distance|pace|rest|door|light"
    r"|window|eye|hand|ear|option|feet|side)s?\b)|(?:selling|renting|hiring|adopting|cutting"
    r"|dropping) (?:the|our)(?!.* off\b)"
    r"(?! (?:cake|grass|hair|lawn|crap|bread|ball|act|bull\w*)\b)"
    r"|naming (?:(?:the|our|my) \w+|her|him)\b"
    r"|taking(?= the (?:\w+ )?(?:flat|apartment|house|room|place|job|offer|deal|contract)\b)"
    r"|switching to(?! the other\b| (?:an?|another|my) (?:computer|device|phone|laptop|account)\b))"
)
_COMPARED = (
    r"(?:cheap|small|bigg|larg|new|old|nic|clos|short|long|light|dark|saf|simpl|fast|earli|lat"
    r"|quiet|warm)(?:er|est)"
)
# Who settles there sits down: `settled on the grass and watched the stars`.
_SEAT = (
    r"on (?:(?:the|a|an|our|my|his|her|their) (?:front |back )?(?:grass|lawn|porch|sand|beach|deck"
    r"|steps|stairs|bench|couch|blanket|swing|roof|ground|terrace|balcony|veranda|patio|floor)\b"
    r"(?=\W*$| (?:with|and|to|for|under|by|at|in)\b)"
    r"|[^,;.]+ (?:with (?:a|some|our|my|the) (?:\w+ )?(?:of|book|drinks?|wine|beers?|tea|coffee)\b"
    r"|and (?:watched|drank|ate|talked|listened|read|slept|chatted|looked)\b))"
)
_CUES = (
    # As in `I've decided to`: what is told as done now, whatever it is.
    rf"{_WE}(?:['\u2019]ve| have){_SOON} (?:decided|agreed) (?P<deed>(?:not )?to)\b",
    (
        rf"{_WE_HAVE}(?:decided|agreed) (?P<deed>(?:not )?to)"
        rf"(?= {_LASTING}\b| .*{_TO_COME})"
    ),
    # Who agrees and does not say with whom answers: `agreed on both counts`.
    rf"{_WE_HAVE}(?:decided|settled(?! {_SEAT})) on\b",
    rf"{_WE}(?:['\u2019]ve| have)?{_SOON} agreed on\b",
    rf"{_WE_HAVE}(?:opted for|decided against)\b",
    # Who went with a friend, or to see something, chose nothing.
    (
        rf"{_WE_HAVE}(?:gone|went) with(?= (?:the|an?|option|plan)\b|.* (?:because|since|for|over"
        r"|instead)\b)(?!.* to (?:the|an?|see|visit|watch)\b)"
    ),
    (
        rf"{_WE_HAVE}(?:decided|agreed)(?: that|,)? (?:we|I)(?:['\u2019]ll| will"
        r"|['\u2019](?:m|re) (?:not )?\w+ing)\b"
    ),
    # One of several, by what it is compared by: `went for the cheaper insurance`.
    (
        rf"{_OF_US}{_SOON} (?:(?:went|gone) (?:for|with)|booked|took|bought|rented|picked|chose)"
        rf"(?= the {_COMPARED} \w)"
    ),
    rf"{_WE_HAVE}decided:",
    # What one person chose is of a game, a tale or a name: `I chose wolf because I'm loyal`.
    (
        rf"{_OF_US}{_SOON} (?:chose|chosen|picked|ended up (?:choosing|picking|buying|renting"
        rf"|booking)(?= (?:the|our)\b))\b(?! (?:up|out|on|to)\b)"
        rf"(?:{_BECAUSE}|(?= (?:the|our) (?!wrong\b|worst\b).+ for (?:the|our)\b))"
    ),
    _KEEPS,
    # As in `we are doing secret santa instead of presents`.
    (
        rf"{_WE_ARE} (?:doing|having|getting|using|taking|making) (?!it\b|that\b|this\b)"
        r"(?=[^,;.]+ (?:instead of|rather than) \w+)"
    ),
    # As in `we'll be using the shared calendar from now on`, `from now on we ship on Mondays`.
    (r"\b[Ww]e(?:['\u2019](?:ll|re)| will| are)(?: be)? (?!be\b)(?=\w+ .+ from now on\b)"),
    (
        rf"^{_LEAD}(?i:(?:starting|as of) (?:next \w+|{_MONTH}|\w+day)"
        rf"|from (?:(?:now|here|today|\w+day) on(?:wards?)?|next (?:week|month"
        rf"|{_SEASON})"
        rf"|{_MONTH})(?: on(?:wards?)?)?),? (?:[Ww]e|I)"
        r"(?:['\u2019](?:ll|m|re)| will| are| am)?(?: only| always| never)? (?!(?:going to )?(?:be"
        r"|am|feel|love|hate|like)\b)(?=\w+ \w+)"
    ),
    # What is left out for once is decided, too: `we're not doing presents this year`.
    (
        rf"{_WE_ARE} not (?:doing|having|hosting|renewing|booking|buying|throwing)"
        rf"(?= (?!it\b|that\b|this\b).+ (?:this|next) {_SEASON}\b)"
    ),
    # Who plans a deed that lasts, binds themselves by it, or votes.
    rf"^{_LEAD}(?:the|our) plan (?:now )?is (?P<deed>to)(?= {_LASTING}\b)",
    rf"{_WE}(?:['\u2019]ve| have){_SOON} committed to (?=(?:the|an?|our)\b)",
    r"\b[Ww]e(?:['\u2019]ve| have)? voted (?:for (?=the\b)|and it['\u2019]?s (?=the\b))",
    r"\b(?:[Ww]e|I) won['\u2019]t be (?=\w+ing (?:the|our|my)\b.* (?:in|from|this|next)\b)",
    # For what it was chosen: `I've chosen Dr Amin for the surgery`.
    (
        rf"{_WE}(?:['\u2019]ve| have){_SOON} (?:chosen|picked) (?=(?:the|an?|our|my"
        rf"|(?-i:[A-Z])\w+)\b"
        r".* (?:for|as) (?:the|our|my)\b)"
    ),
    # As in `we picked Ollie as the godfather`, `we agreed no phones at dinner`.
    (
        rf"\b[Ww]e(?:['\u2019]ve| have)?{_SOON} (?:picked|chose|named) (?=\w+(?: \w+)? (?:as|to"
        rf" be) (?:the"
        rf"|our"
        rf"|my)\b)"
    ),
    rf"\b[Ww]e(?:['\u2019]ve| have)?{_SOON} agreed,? (?=no \w+)",
    rf"(?:^{_LEAD}|{_WE_ARE} )going to go ahead and (?=\w+ (?:the|our|my)\b)",
    rf"{_WE_ARE} going to (?:name|call) (?=(?:the|our) \w+ \w+)",
    # As in `I accepted the offer from Brightwell`: the deed itself binds.
    (
        rf"{_WE}(?:['\u2019]ve| have)?{_SOON} (?:accepted|took(?= the"
        r" (?:job|offer|flat|role|position|apartment)\b)|signed(?= the"
        r" (?:lease|contract|papers|deal)\b)|enrolled in|signed up for|said yes to)"
        r"(?= (?:the|an?) (?:[\w-]+ ){0,3}\w+)"
    ),
    (
        rf"^{_LEAD}(?:enrolled in|signed up for|ordered|bought|booked|hired|chose|picked)"
        r" (?=the .+ (?:after all|in the end)\b)"
    ),
    rf"{_WE_WILL} (?:go|stick|stay) with\b",
    rf"{_WE_WILL} (?:use|switch to|adopt|book|rent|hire|order|record|host|paint)\b",
    rf"^{_LEAD}(?:still )?(?:sticking|staying) with\b",
    rf"\b[Ww]e(?:['\u2019]re| are){_SOON} (?:stick|stay) with\b",
    # As in `I'm going to stick with my current landlord`.
    rf"{_WE_ARE} (?:stick|stay)(?:ing)? with (?=(?:my|our) (?:current|same|old|usual)\b)",
    (
        r"\b[Ll]et['\u2019]?s (?:go with|use|stick (?:with|to)|switch to|pick|choose|adopt)\b"
        r"(?=.* (?:because|since|so that|to avoid)\b|.*, (?:it|they)['\u2019]?(?:s|re| is| are|"
        r" has| have)\b)"
    ),
    # Who will take what was offered: `I'll take the job in Aarhus`.
    (
        rf"{_WE}(?:['\u2019]ll| will){_SOON} take(?= the (?:[\w-]+ )?(?:flat|apartment|house|room"
        r"|place|job|offer|role|position|course)\b)"
    ),
    (
        r"(?i)^(?:so )?(?:(?:our|the|final) decision(?: is|:)|(?:the|our) (?:verdict|outcome) is:"
        r"|(?:decision|decided|agreed):)"
    ),
    (
        rf"^{_LEAD}(?:going with(?= (?:the|an?) (?:.*(?: because|, (?:it|they)\b)|[\w-]+"
        rf"(?: \w+)?[.!]*$))|switching to (?=the .+ from \w+))"
    ),
    # As in `We agreed that Tom pays the gas`.
    (
        rf"\b[Ww]e(?:['\u2019]ve| have)?{_SOON} agreed(?: that)? (?:(?=(?-i:[A-Z])\w+"
        rf" (?:pays|takes|does|gets|keeps|brings|drives|cooks|hosts)\b)|(?<=that )(?!it\b|this\b)"
        rf"(?=\w+ (?:pays|brings|drives|cooks|hosts)\b))"
    ),
    (
        rf"{_WE}(?:['\u2019]ve| have)?{_SOON} decided that (?=(?:[A-Z]\w+|(?:my"
        rf" )?{relations.RELATION}) \w+s\b)"
    ),
    # What is decided against is no deed of a tale.
    (
        rf"{_WE}(?:['\u2019]ve| have)?{_SOON} decided (?P<deed>not to)"
        r"(?= \w+ (?:the|our|my|an?)\b| (?:invite|hire|book|renew|adopt|host) \w+)"
    ),
    rf"{_WE}(?:['\u2019]ve| have){_SOON} gone for (?=the\b)",
    rf"{_WE_ARE} giving up (?=(?:the|my|our)\b)",
    (
        rf"(?:^{_LEAD}|{_WE})(?:['\u2019]ve| have)?(?: |^)?agreed with (?:\w+ )?\w+ that (?=(?:I"
        rf"|we)\b)"
    ),
    # Whoever agreed to do something to what both know.
    rf"{_OF_US}{_SOON} agreed to (?=(?!go\b|be\b|meet\b)\w+ (?:the|our)\b)",
    # As in `rowing it is because I hate hills`.
    (
        rf"^{_LEAD}(?!(?:I|[Ww]e|[Yy]ou|[Nn]o|[Mm]aybe|[Ww]hen|[Ii]f|[Hh]ow|[Ww]hat|[Ww]hy)\b)"
        r"[\w'\u2019-]+(?: (?!(?:I|we|think|guess|is|was)\b)[\w'\u2019-]+){0,2} it is,?"
        r" (?=because|since)"
    ),
    f"(?i:{cue_phrases.INSTEAD})",
    f"(?i:{cue_phrases.TAKEN})",
    f"(?i:{cue_phrases.BACK})",
)
_COMMITS = tuple(re.compile(cue) for cue in _CUES)
_WORDS = words("""
    decided agreed chosen chose settled opted gone went picked going sticking staying keeping
    selling renting hiring adopting cutting dropping naming taking switching ll will let lets
    decision it instead because since back from signed accepted enrolled yes doing having getting
    using taking making final official deal made backing settled that plan good
    took picked stick stay ended named call no mind minds committed voted won booked verdict outcome
    giving gone ordered bought hired take
""")
_ARTICLES = frozenset(("the", "our", "my"))
# That it was talked over binds all the more, and is no tale.
_TALKED_OVER = re.compile(
    r"(?i)^(?:after|following) (?:a|an|all|loads|lots|much|some|long|hours|weeks"
    r"|days)\b[\w ]{0,40}?"
    r",? (?=(?:we|I)\b)"
)
_OPENS = re.compile(rf"(?i)(?:^|[,;:.!\u2013\u2014-] |\b(?:and|but|so) ){_LEAD}$")
# `my friends and I` are no clause and another.
_CLAUSE = re.compile(
    r"(?i)\b(?:I|we|it|they|he|she|you|is|are|has|have|had|do|did|was|were|\w+ed)\b"
)
# What was told just before is then called settled: `living room is sage green, thats settled`.
_SETTLED = re.compile(
    r"(?i)(?:,|\bso\b| \u2013| -|\band\b) (?:(?:we"
    r"|I)(?:['\u2019]ve)? (?:already )?(?:settled|agreed on"
    r"|decided)(?: on)? (?:that|it)(?: last \w+| yesterday)?(?=\W*$)"
    r"|(?:so )?(?:that|it)['\u2019]s (?:all )?(?:settled|decided)\b|decided(?= ?\W*$))"
)
# What is told next, or was told before, is then called final: `final answer: X`, `X, thats final`.
_FINAL = (
    r"(?:(?:that['\u2019]?s|it['\u2019]?s|its|all|now)(?: all| now)? (?:final|official|decided"
    r"|settled"
    r"|fixed|set in stone|a done deal|booked|locked in)|booked|done deal|no (?:backing out|going"
    r" back|turning back)"
    r"|(?:and )?that['\u2019]s that|end of (?:story|discussion)|for good"
    r"|(?:(?:I|we)(?:['\u2019]ve| have)? )?made up (?:my|our) minds?|no (?:discussion|debate))"
)
_CLOSED = re.compile(
    rf"(?i)(?:[,;.!]|\bso\b| \u2013| -|\band\b|(?= (?:it|that)['\u2019]?s\b)) ?{_FINAL}(?:"
    rf" now)?\W*$"
)
_ANNOUNCED = re.compile(
    rf"(?i)^{_LEAD}(?:(?:my |our )?final (?:answer|decision|call)|(?:my|our) decision(?=:)"
    rf"|decision made|it['\u2019]s"
    r" (?:decided|settled|official)|(?:(?:I|we)(?:['\u2019]ve| have)? )?(?:finally )?made up"
    r" (?:my|our) minds?"
    r"|(?:my|our|the) decision is final|(?:so )?that['\u2019]s (?:it |all )?settled(?= ?[:,;-])"
    r"|(?:(?:the|our) )?plan(?:['\u2019]s| is) (?:fixed|set|locked(?: in)?|final)|settled)(?:"
    r" then)?(?:\s?[:,;.-]| and|(?= (?:I|we)\b))\s*"
)
# What stands behind such words is what is settled, unless it is of others.
_PLANNED = (
    rf"(?i){_LEAD}(?:(?:(?:my|our) )?(?:final )?(?:call|decision(?: made)?|answer)\s?:"
    rf"|(?:(?:the|our) )?plan(?:['\u2019]s| is) [^:]+:|it['\u2019]s (?:settled"
    rf"|decided)(?: then)?[,:]) ?$"
)
_OF_OTHERS = r"(?i)(?:he|she|they|you|it|that|this|his|her|their|your|who|what)\b"
# Whose plan it is: who speaks, or a deed without a subject (`going vegan`).
_OWN = re.compile(
    rf"(?i)^{_LEAD}(?:(?:I|we|my \w+ and I)\b(?!['\u2019]d| would| was| were| had| think| guess|"
    rf" hope)"
    r"|(?:booked|bought|ordered|signed|rented|hired|paid for) (?:the|our|my|an?)"
    r"|(?!(?:being|having|doing|saying|thinking|wondering|asking|hoping|feeling)\b)\w+ing"
    r"|(?-i:[A-Z])\w+ (?:it is|on))\b"
)
_UNSURE = (
    r"(?i)\b(?:if|unless|might|maybe|perhaps|probably|guess|thinking|wish|would|could|should|never"
    r"|until(?= (?:i|we|you|he|she|it|they)\b)|whether|apparently|unsure|pretend|imagine|joking"
    r"|kidding|dream\w*|basically|almost"
    r"|supposed)\b|\?"
)
_TALE = (
    r"(?i)\b(?:ago|was|were|had|when|while|after(?! all\b)|then|later|bored|randomly|eventually"
    r"|ended up(?! (?:choosing|picking|buying|renting|booking)\b)"
    r"|one (?:time|day|night|winter|summer)|at first"
    r"|last (?:summer|winter|year|night|time|month|week(?:end)?)"
    r"|this time|there['\u2019]?s this|back in)\b"
)
# Why one decides may lie in the past: `the car was old, so we decided to sell it`.
_HENCE = r"(?i)\b(?:so|but) "
_OF_THE_HOUR = (
    r"(?i)\b(?:right now|rn|at the moment|as we speak|for now|tonight|today|all day|atm|used to"
    r"|this (?:morning|evening|afternoon|time))\b"
)
# Of the chat itself, and what nobody can be held to.
_OF_THE_TALK = r"(?i)\b(?:chat\w*|conversations?|topics?|competition|challenge|games?|random)\b"
_CLAUSE_BEHIND = (
    r"(?i), (?=(?:she|he|it|they|we|I)(?:['\u2019]\w+)? \w+|both of (?:them|us)\b"
    r"|(?:signed|ordered|booked|paid|sent)\b)"
)
_POINTS = (
    r"(?i)\b(?:that(?! (?:we|i|the|my|has|was)\b)|this(?! (?:year|month|week\w*|summer|winter"
    r"|morning|spring|fall|season|term)\b)|those|these|you|your|here|ones?|its|stuff|something"
    r"|everything"
    r"|anything)\b"
    r"|\bthere\b(?= ?(?:\W|$|at|on|in))"
)
_OF_IT = r"(?i)\b(?:it|them|him|her(?= ?(?:\W|$)))\b"
_PEOPLE = re.compile(
    rf"(?i)\W*(?:(?:my|our|the|an?|his|her|their|some|both|either|two|three|\d+) (?:[\w-]+ )?)?"
    rf"(?:{relations.RELATION}|friend|girl|guy|boy|lad|team|crew|crowd|group|bunch|band|flow|kid"
    r"|people|lot|folk|family|partner|couple|one|someone|somebody|everyone)s?\b"
)
_PROPOSES = re.compile(
    rf"(?i)^{_LEAD}(?:let['\u2019]?s|shall we|i(?:['\u2019]d)? (?:say|vote) we)(?: just| all)? "
    r"(?P<what>(?!(?:see|go(?! with)|talk|hope|say|pretend|not|wait|be|face|get|call|chat|catch"
    r"|think|know"
    r"|hear|try|forget|hang|do (?:it|this|that)|ask|start|stop|play|guess|take turns)\b)"
    r"[a-z]+ [^?]{4,80}?)"
    r"(?:,? (?:then|though|ok(?:ay)?|deal|agreed|please|yeah|right|instead))*"
    # Why, behind a comma: `its half way`.
    r"(?:,? (?:because|since) .+|, (?:it['\u2019]?s|the|that way|we) .+)?\W*$"
)
_AGREED = re.compile(
    rf"(?i)^(?P<what>(?!{_LEAD}(?:you|it|that|this|he|she)\b)[^?]{{8,80}}?),? "
    r"(?:agreed|deal|settled|is that settled)\?+\W*$"
)
_ACCEPTS = re.compile(
    r"(?i)^\W*(?:ok(?:ay)?|yes+|yea+h*|yep|yup|sure|deal|agreed|perfect|perf|sold|done|bet|great"
    r"|sounds? (?:good|great|perfect)|works(?: for me)?|i['\u2019]?m (?:in|down)|good(?: idea)?"
    r"|fine(?: by me| with me)?|absolutely|definitely|for sure|it['\u2019]?s a deal"
    r"|let['\u2019]?s do"
    r" (?:it|that)|love (?:it|that)|k|kk|ya|alright|cool|say less|please|[, !.])+\W*$"
)
# What nobody can be held to: no day, no place, no thing.
_VAGUE = (
    r"(?i)\b(?:some(?:time|day|thing|where|how)|soon|one day|again|forever|together"
    r"|more|each other|everything|anything|stuff|things?|fun|a blast|world|life|best|positive"
    r"|motivated|in touch|posted|subject|questions?|answers?|later|eventually|moments?|memories)\b"
)
_LEAST = 2


def is_one(said: Sentence) -> bool:
    """Whether *said* tells alone what its speaker, or those they speak for, commit to."""
    read = run_ons_en.parted(casual_spelling.spelled(said.text))
    text = _opened(_TALKED_OVER.sub("", read))
    if _WORDS.isdisjoint(said.words) or re.search(_OF_THE_HOUR, text):
        return False
    if assertion_en.is_jest(text):
        return False
    return any(_binds(text, cue) for cue in _cues(text)) or _is_settled(text) or _is_final(text)


def _opened(text: str) -> str:
    """Return *text* with a small letter where it begins with the word that binds."""
    first = text.partition(" ")[0].lower()
    return f"{first}{text[len(first) :]}" if first in _WORDS | _ARTICLES else text


def _cues(text: str) -> Iterator[re.Match[str]]:
    return (found for pattern in _COMMITS if (found := pattern.search(text)))


def _binds(text: str, cue: re.Match[str]) -> bool:
    """Whether the *cue* in *text* stands in a clause of its own, of an object that it names."""
    before, cause = text[: cue.start()], re.search(cue_phrases.REASON, text[cue.end() :])
    what = text[cue.end() :][: cause.start()] if cause and cause[0].strip() else text[cue.end() :]
    if not _opens(before) or reported_speech.is_reported(text, cue.start()):
        return False
    # A clause of its own behind the comma gives the reason, and names nothing that was chosen.
    what = re.split(_CLAUSE_BEHIND, what)[0]
    told = f"{re.split(_HENCE, before)[-1]} {cue[0]} {what}"
    if re.search(_TALE, told) or re.search(_UNSURE, f"{before} {cue[0]} {what}"):
        return False
    if chosen := re.match(r"(?P<what>.+) it is\b", cue[0]):
        what = chosen["what"]
    elif "what" in cue.re.groupindex:
        what = f"{cue['what']}{what}"
    return _is_named(what, is_deed="deed" in cue.re.groupindex, is_with=cue[0].endswith("with"))


def _opens(before: str) -> bool:
    """Whether nothing governs the clause that begins behind *before*."""
    opens = _OPENS.search(before)
    if opens is None or not re.search(r"(?i)\band $", before):
        return opens is not None
    return opens.start() == 0 or _CLAUSE.search(before) is not None


def _is_named(what: str, *, is_deed: bool, is_with: bool) -> bool:
    """Whether *what* one commits to, a deed or a thing, is told in so many words."""
    if _PEOPLE.match(what if is_with else what.partition(" go with ")[2]):
        return False
    if any(re.search(p, what) for p in (_POINTS, _OF_IT, _OF_THE_TALK)) or antecedents.hangs(what):
        return False
    told = what.strip().partition(" ")[2] if is_deed else what
    return not unsaid_choices.is_how_much(told)


def _is_settled(text: str) -> bool:
    """Whether *text* calls settled what it told before, if that is a clause."""
    found = _SETTLED.search(text)
    told = text[: found.start()] if found else ""
    if len(set(analysis.terms(told))) < _LEAST or re.search(rf"{_UNSURE}|n['\u2019]t\b", text):
        return False
    return re.search(_POINTS, told) is None and not antecedents.hangs(told)


def _is_final(text: str) -> bool:
    """Whether *text* tells a plan of one's own and, before or behind it, that it is final."""
    opened, closed = _ANNOUNCED.match(text), _CLOSED.search(text)
    told = text[opened.end() if opened else 0 : closed.start() if closed else len(text)]
    if opened and re.match(_PLANNED, opened[0]):
        is_theirs = re.match(_OF_OTHERS, told) is None and "?" not in told
        return is_theirs and len(set(analysis.terms(told))) >= _LEAST
    if (
        not (opened or closed)
        or any(re.search(p, told) for p in (_UNSURE, _TALE))
        or _OWN.match(told) is None
    ):
        return False
    if re.search(_POINTS, told) or re.search(_OF_THE_TALK, told) or antecedents.hangs(told):
        return False
    return len(set(analysis.terms(told)) | set(analysis.figures(told)[0])) >= _LEAST


def announces(text: str) -> bool:
    """Whether *text* says that what follows it is final, and no more: `final answer:`."""
    opened = _ANNOUNCED.match(text)
    return opened is not None and not text[opened.end() :].strip()


def proposal(said: Sentence, after: Sequence[Sentence]) -> str:
    """Return what *said* proposes, in its words, if a person takes it up in the next turn."""
    text = casual_spelling.spelled(said.text)
    found = _PROPOSES.match(text) or _AGREED.match(text)
    if found is None or assertion_en.is_jest(text) or not _is_certain(found["what"]):
        return ""
    following = [s for s in after if s.turn > said.turn]
    reply = [s.text for s in following if s.turn == following[0].turn]
    others = {s.speaker for s in following[:1] if s.role == "user"} - {said.speaker}
    accepts = bool(others) and _ACCEPTS.match(" ".join(reply)) is not None
    return said.text.rstrip("?! ") if accepts else ""


def _is_certain(what: str) -> bool:
    """Whether *what* is proposed can be understood alone, and held to."""
    if any(re.search(p, what) for p in (_VAGUE, _POINTS, _OF_IT, _OF_THE_TALK)):
        return False
    if antecedents.hangs(what):
        return False
    return len(set(analysis.terms(what)) | set(analysis.figures(what)[0])) >= _LEAST
