"""What English says of somebody's tastes, pastimes, routines and belongings, after its subject."""

from __future__ import annotations

from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.extraction.grammar.phrases_en import (
    ADVERBS,
    BE,
    END,
    HAVE_DONE,
    LAST,
    NOUNS,
    OFTEN,
    STOP,
    WORDS,
)
from vaultmem.nlp.extraction.grammar.traits import traits

_HABIT = r"(?:eat|drink|take|sit|book|order|fly|travel|wear|buy|drive|smoke|choose|commute)s?"
_WANDERS = (
    r"\b(?! (?:to|on|for|up|out|off|over|care|time|part|place|no|the blame|sides|chances|risks"
    r"|credit|offen[cs]e|advantage|things|it|that|into)\b)"
)
_NOT_LIKED = (
    r"(?!(?:to|for|how|when|where|what|it|the way|the fact|being|having|hearing|seeing|going"
    r"|getting|talking|saying|knowing|thinking|the idea|the thought)\b)"
    # Bare verbs, a count and where something is are nothing that is liked: `and like 4 cats`.
    # Nor is when or how one does so: `I don't drink during the week`.
    r"(?!(?:during|after|before|alone|until|between|out|well|enough|properly|together|fast"
    r"|slowly|late|early|while|around|through|outside|inside)\b)"
    r"(?!(?:a (?:ton|lot|bunch|couple|few)|lots|tons|some|love|like|play|go|eat|do|be|see|either"
    r"|neither|\d+(?:st|nd|rd|th)?|in|on|at|with"
    r"|from|under|over) )"
    r"(?!\d+(?:st|nd|rd|th)?(?:[^\w'\u2019]|$))"
    # On a card `my team` is nobody's.
    r"(?!(?:\w+ ){0,3}(?:my|our|me|us)\b)"
)
_CONTRAST = (
    r"(?!.{0,40}?(?:,? but|,? though|,? although|;|,? yet)"
    r" (?!(?:I|he|she) (?:also|especially)\b|(?:I )?(?:hate|dislike|can['\u2019]?t stand"
    r"|detest)\b(?! (?:it|them|that)\b)|not (?!as|so|that|really|anymore)\b))"
    r"(?!,? (?:he|she|they|we) (?:wants?|likes?|prefers?)\b)"
)
"""A liking that the next clause takes back or weighs against another tells nothing sure."""
IDLE = (
    r"(?!(?:am|is|are|was|were|be|been|have|has|had|do|does|did|can|could|will|would|should|must"
    r"|may|might|need|want|love|like|hate|enjoy|prefer|think|thinks|know|feel|feels|see|hear"
    r"|miss|hope|wish|wonder|forget|forgets|regret|remember|thank|say|tell|ask|mean|guess|get"
    r"|gets|look|looks|seem|try|tries|keep|keeps|dream|cry|complain|worry|struggle|spend|spends"
    r"|check|live|lives|lose|waste|never|always|not|just|appreciate|admire|learn|realize|grow"
    r"|run late|fall|falls|die|dies|bump|bumps|start|stop|end|used|kept|went|got|saw|came|made"
    r"|took|gave|found|said"
    r"|told|met|had|did"
    r"|thought|felt|left|became|won|ate|drank|ran|swam|rode|drove|wrote|sang|[a-z]{2,}ed)s?\b)"
)
"""What no routine is, for use before its verb."""
_NORMALLY = (
    r"(?: (?:also|still|usually|always|normally|generally|typically|mostly|really|just|only"
    r"|[a-z]+ly))*+"
)
# Nobody drives or rides an hour and a friend but for once.
_THING = (
    rf"(?![^,{STOP}]{{0,30}} of )(?!an? (?:\w+ )?(?:hour|mile|lot|bit|way|bargain"
    rf"|{relations.RELATION})\b)an? {NOUNS}"
)
_HOUSE = (
    r"(?:vegetable garden|allotment|garden|greenhouse|motorbike|motorcycle|bike|bicycle|car|van"
    r"|truck|camper|campervan|caravan|motorhome|boat|canoe|kayak|dinghy|yacht|sailboat|piano"
    r"|guitar|violin|cello|drum kit|sewing machine|telescope|3D printer|record player|typewriter"
    r"|cabin|cottage|flat|apartment|house|farmhouse|farm|houseboat|holiday home|campsite|scooter)"
)

_DO_NOT = r" (?:don['\u2019]?t|do not|doesn['\u2019]?t|does not)(?: really)?"

# What one makes or keeps by saying or noting it is no craft.
_WORDY = (
    r"(?:questions|concerns|issues|eyebrows|e-?mails|reports|receipts|records|notes|tabs|lists"
    r"|plans|excuses|promises|secrets|appointments|calls|decisions|changes|copies|reservations"
    r"|arrangements|jokes|faces|noises|points|suggestions|complaints|demands)"
)

TASTES = (
    *traits(
        "preferences",
        rf"{ADVERBS} (?:drinks?|takes?|likes?) (?:my|his|her) (?P<thing>coffee|tea)"
        rf" (?P<v>(?:black|strong|weak|plain|decaf|iced|with|without|green)\b[^,{STOP}]{{0,40}}?)"
        rf"(?:, always)?(?=\s*(?:[,{STOP}]|$)| (?:and|but|in the|at|every)\b)",
        rf"{ADVERBS} (?:drinks?|takes?) (?P<thing>coffee|tea) (?P<v>(?:black|strong|weak|plain"
        rf"|decaf|iced|with|without)\b[^{STOP}]{{0,40}}?)(?:, always)?{LAST}",
    ),
    *traits(
        "preferences prefers",
        rf"{ADVERBS} prefers? (?P<v>{_NOT_LIKED}{WORDS})"
        rf"(?:(?= (?:to|over|rather than|instead of) )|{LAST})",
        r"['\u2019]d prefer (?P<v>(?:an?|the) (?:window|aisle)(?: seat)?)\b",
    ),
    *traits(
        "preferences dislikes",
        rf"(?: really| absolutely)? (?:hates?|dislikes?|can['\u2019]?t stand|cannot stand"
        rf"|loathes?|detests?) (?P<v>{_NOT_LIKED}{WORDS})(?:(?=,? (?:it|they) )|{LAST})",
        rf"(?: really)?{_DO_NOT} (?:like|enjoy) (?P<v>{_NOT_LIKED}{WORDS}){LAST}",
        rf"(?:['\u2019]m| am|['\u2019]s| is) not(?: really)? (?:a )?(?:big "
        rf"|huge )?fan of (?P<v>{WORDS}){LAST}",
    ),
    # For whatever reason: who eats no pork may well like it.
    *traits("preferences avoids", rf"{_DO_NOT} (?:eat|drink) (?P<v>{_NOT_LIKED}{WORDS}){LAST}"),
    *traits(
        "preferences likes",
        rf"{ADVERBS} (?:likes?|loves?|enjoys?|adores?)"
        rf" (?>(?P<v>{_NOT_LIKED}{WORDS}){LAST}){_CONTRAST}",
        rf"{BE} a (?:big|huge|great|die-hard|lifelong) (?P<v>[A-Za-z]+(?: [A-Z][a-z]+)?) fan\b",
        rf"{BE} a (?:big |huge |great )?fan of (?P<v>{WORDS}){LAST}",
        rf"{BE}(?: (?:fond of|keen on|into(?! (?:overtime|debt|trouble|rehab|hospital|labou?r)\b)"
        rf"|crazy about))"
        rf" (?>(?P<v>{_NOT_LIKED}{NOUNS})){_CONTRAST}(?! (?:called|named)\b)",
    ),
    *traits(
        "preferences fears",
        rf"{BE}(?: (?:deathly|really|terribly))? (?:terrified|afraid|scared|petrified|frightened)"
        rf" of (?P<v>{NOUNS})",
    ),
)

ROUTINES = (
    *traits(
        "hobbies routine",
        rf"{_NORMALLY} {IDLE}(?P<v>(?P<core>[a-z]{{2,}}(?: [\w'\u2019-]+){{0,7}}?) {OFTEN})(?=\W"
        rf"|$)",
        rf" always (?P<v>{_HABIT}{_WANDERS} {WORDS}){LAST}",
    ),
    *traits("preferences never", rf" never (?P<v>{_HABIT}{_WANDERS} {WORDS}){LAST}"),
)

PASTIMES = (
    *traits(
        "hobbies plays",
        rf"{ADVERBS} plays? (?:the )?(?P<v>(?!(?:an?|my|with|like|along|around|fair|hard|safe|dumb"
        rf"|dead"
        rf"|fool|second fiddle|truant|possum|devil|tricks?|part|role|some|games?|catch|instruments"
        rf"|host"
        rf"|catch-up|music|video)\b){NOUNS})"
        rf"(?! (?:in|for) (?:an?|the|our|this) (?:\w+ )?(?:show|play|film|movie|musical)\b)",
    ),
    *traits(
        "hobbies plays",
        rf"{HAVE_DONE} been playing (?:the )?(?P<v>{NOUNS})(?= (?:since|for)\b)",
    ),
    *traits(
        "hobbies sings",
        rf"{ADVERBS} sings?(?: (?:soprano|alto|tenor|bass|baritone))? (?:in|with)"
        rf" (?P<v>(?:an?|the|my|our|his|her) {NOUNS})",
    ),
    *traits(
        "hobbies collects",
        rf"{ADVERBS} collects? (?P<v>(?!(?:my|dust|data|the|his|her|unemployment|benefits|welfare"
        rf"|debts?"
        rf"|rent|taxes|money|points|tickets|payments?|an? (?:\w+ )?(?:pension|salary"
        rf"|pay))\b){NOUNS})",
    ),
    *traits(
        "hobbies hobby",
        rf"{ADVERBS} go(?:es)? (?P<v>(?!(?:looking|shopping|being|missing|nothing|crying|something"
        rf"|anything|begging|blaming)\b)[a-z-]+ing){END}(?! for (?:compliments|trouble)\b)",
        rf"{ADVERBS} do(?:es)? (?P<v>pottery|yoga|judo|karate|pilates|ballet|ceramics|archery"
        rf"|gymnastics|crosswords|calligraphy|origami|parkour|improv|tai chi|martial arts|aikido"
        rf"|boxing|embroidery|woodwork(?:ing)?|photography|stand-up|triathlons){END}",
        rf"{ADVERBS} (?P<v>(?:knit|sew|crochet|brew|bake|paint|restore|repair|build|breed|grow"
        rf"|carve|weave|write|coach|train|raise|make|keep|tend)s? (?!\w+ing\b|(?:\w+ )?(?:my|our"
        rf"|the|his|her|your|some|these|those)\b)(?!(?:me|you"
        rf"|sure|sense|friends|money|use|up|out|on|to|in|for|mistakes|time|fun|track"
        rf"|quiet)\b)(?!(?:\w+ )?{_WORDY}\b)"
        rf"(?:[a-z-]+ ){{0,2}}?(?!\w+selves\b)[a-z-]{{3,}}s){END}",
    ),
    *traits(
        "hobbies volunteers",
        rf"{ADVERBS} volunteers? (?:at|for|with|in) (?:the )?(?P<v>{NOUNS})",
        rf"{BE} a volunteer (?:at|for|with|in) (?:the )?(?P<v>{NOUNS})",
    ),
    *traits(
        "hobbies trains_for",
        rf"{BE} training for (?:an?|the|my|our|his|her) (?P<v>(?:[\w'\u2019-]+ ){{0,3}}?(?:marathon"
        r"|half-marathon|triathlon|race|ironman|tournament|championships?|olympics|relay"
        rf"|duathlon)){END}",
    ),
    *traits(
        "hobbies member_of",
        rf"{BE} (?:a member of|in) (?P<v>(?:an?|the|my|our|his|her) (?:[\w-]+ ){{0,3}}?(?:choir"
        rf"|band"
        rf"|orchestra|club|league|quartet|theatre group|society|association)){END}",
    ),
)

BELONGINGS = (
    *traits(
        "belongings drives",
        rf"{ADVERBS} drives? (?P<v>{_THING})",
    ),
    *traits("belongings rides", rf"{ADVERBS} rides? (?P<v>{_THING})"),
    *traits(
        "belongings owns",
        rf"{ADVERBS} owns? (?P<v>{_THING}(?: and an? {NOUNS})?)",
        rf"(?: have| has|['\u2019]ve got"
        rf"|['\u2019]s got) (?P<v>an? (?:[\w-]+ ){{0,3}}?{_HOUSE}){END}",
    ),
    *traits(
        "personal wears_size",
        r" (?:wears?|takes?)(?: an?)? (?:shoe |dress )?size (?P<v>\d{1,2}(?:\.5)?|XX?S|S|M|L"
        r"|X{1,3}L)\b",
    ),
    *traits("travel room", rf"{BE} in room (?P<v>\w*\d\w*)\b"),
    *traits("travel seat", rf"{BE} (?:in|on) seat (?P<v>\d{{1,2}}[A-K])\b"),
)
