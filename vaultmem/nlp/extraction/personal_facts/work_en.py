"""What English says of somebody's work, studies and languages, after its subject."""

from __future__ import annotations

from vaultmem.nlp.extraction.grammar.occupations_en import OCCUPATION
from vaultmem.nlp.extraction.grammar.phrases_en import (
    ADVERBS,
    AT_SCHOOL,
    AT_WORK,
    BE,
    BE_DOING,
    CAPITAL,
    END,
    FIRM,
    HAVE,
    HAVE_DONE,
    LANGUAGE,
    NOUNS,
    PLACE,
    SITE,
)
from vaultmem.nlp.extraction.grammar.traits import traits

# `got a job at the aquarium but quit`, `in 2004`: it may be over.
_LASTS = r"(?!.{0,60}?\b(?:but|until|once|when|for a (?:while|year|summer)|(?:19|20)\d\d)\b)"
_HOURS = (
    r"(?: (?:nights|days|weekends|shifts|(?:night|day|early|late|evening) shifts|full[- ]time"
    r"|part[- ]time|freelance))?"
)
_PROMOTED = rf"(?: was| were| got|{HAVE_DONE} (?:been|got|gotten))(?: just| recently)? promoted to"
# How somebody works, and not as what.
_NO_TRADE = r"(?!an? (?:favou?r|joke|hobby|treat|test|team|unit)\b)"
# A pupil is promoted, too, and a team.
_NO_POST = r"(?:the|\w*(?:first|second|third|th)|level|class|(?:[\w-]+ )?(?:grade|league|tier))\b"
_NEW_JOB = (
    rf"(?:{HAVE}|{HAVE_DONE}?(?: just)? (?:got|found|started)) an?"
    r" (?:new |part-time )?job (?:at|with)"
)
_NEW_POST = (
    rf"{HAVE_DONE}?(?: just| recently)? (?:(?:started|begun|began)(?: (?:an?|my) (?:new )?(?:job"
    r"|position|post|role))?|(?:got|found|took|taken) an? (?:new )?(?:job|position|post|role))"
)
# Who is at one works there.
_HOUSE = (
    r"(?:fintech|start-?up|company|firm|agency|studio|bank|shop|store|school|lab|clinic|hospital"
    r"|nonprofit|charity|practice|brewery|restaurant|caf[e\u00e9]|bakery|publisher|newspaper)"
)
_BUSINESS = (
    r"(?:[a-z-]+ ){0,2}?(?:[a-z]*(?:shop|store)|bakery|company|business|caf\u00e9|cafe"
    r"|restaurant|studio|farm|firm|practice|agency|school|salon|hotel|hostel|garage|charity"
    r"|pub|bar|gallery|kiosk|vineyard|brewery|nursery|clinic|inn|workshop|kitchen|stall"
    r"|podcast|blog|gym|ranch|bed and breakfast)"
)

WORK = (
    *traits(
        "work occupation",
        rf"{ADVERBS} works?{_HOURS} as (?P<v>{_NO_TRADE}(?:an?|the|head|director) {NOUNS})"
        rf"{AT_WORK}",
        rf"{_PROMOTED} (?P<v>(?!{_NO_POST}){NOUNS}){_LASTS}{AT_WORK}",
        rf"{BE_DOING} working as (?P<v>an? {NOUNS}){AT_WORK}",
        rf"(?:(?: just| recently| finally)? became|{HAVE_DONE}(?: just| recently)? become)"
        rf" (?P<v>an? {OCCUPATION}){END}"
        rf"{_LASTS}{AT_WORK}",
        rf"{_NEW_POST} as (?P<v>an? {NOUNS}){_LASTS}{AT_WORK}",
        rf"{BE} (?:an? |the )(?P<v>{OCCUPATION}){END}(?! at heart\b| (?:tonight|today|this)\b| in"
        rf" (?:the|our|a|this|that) (?:club|band|team|group|choir|soap|play|film|movie|show|series"
        rf"|musical|game|sitcom|drama)\b){AT_WORK}(?: in "
        rf"(?P<city>{PLACE}))?",
        rf"{BE} (?P<v>(?:the )?(?:CEO|CTO|CFO|COO|VP|founder|co-founder|head|director) (?:of"
        rf"|at) {PLACE})",
    ),
    *traits(
        "work workplace",
        rf"{ADVERBS} works? (?P<v>from home|remotely)(?:{END}|(?= (?:two|three|four|\d) days\b))",
    ),
    *traits(
        "work employer",
        rf"{ADVERBS} works?{_HOURS} (?:for|at) (?P<v>{FIRM})"
        rf"(?: as (?P<occupation>an? {NOUNS}))?",
        rf"{BE} (?:working (?:for|at)|employed (?:by|at)) (?P<v>{FIRM})",
        rf"(?:{ADVERBS} works?{_HOURS}|{BE} working|{BE}) (?:for|at) an? (?:[a-z-]+"
        rf" ){{0,3}}?{_HOUSE}"
        rf" (?:called|named) (?P<v>{FIRM})",
        rf"{HAVE_DONE} (?:been working|worked) (?:for|at) (?P<v>{FIRM})(?= (?:since|for)\b)",
    ),
    *traits(
        "work workplace",
        rf"{ADVERBS} works?{_HOURS} (?:for|at|in) (?P<v>{SITE})"
        rf"(?: (?:in|near) {PLACE})?(?: as (?P<occupation>an? {NOUNS}))?",
        rf"{BE} working (?:for|at|in) (?P<v>{SITE})",
    ),
    *traits(
        "work employer",
        rf"{_NEW_JOB} (?P<v>{FIRM}){_LASTS}",
    ),
    *traits(
        "work workplace",
        rf"{_NEW_JOB} (?P<v>{SITE}){_LASTS}",
    ),
    *traits(
        "work sector",
        rf"{ADVERBS} works? in (?P<v>(?:finance|IT|HR|marketing|sales|retail|tech|education"
        rf"|health ?care|insurance|publishing|advertising|construction|logistics|hospitality"
        rf"|banking|law|tourism|film|television|research|software|real estate|agriculture"
        rf"|aviation|engineering|journalism|cyber ?security|public relations)){END}",
    ),
    *traits("work status", rf"{BE} (?P<v>retired|self-employed|unemployed|a freelancer){END}",
            r"(?: just| recently)? (?P<v>retired) (?:from|in|last|at)\b"),
    *traits(
        "work teaches",
        rf"(?:{ADVERBS} teach(?:es)?|{BE} teaching|{HAVE_DONE} been teaching) (?P<v>(?!my|me|him"
        rf"|her|us|you){NOUNS})"
        rf"(?: (?:to [a-z]+ )?(?:at|in) (?P<workplace>{FIRM}|{SITE}(?: in {PLACE})?))?",
    ),
    *traits(
        "work business",
        rf"{ADVERBS} (?:runs?|owns?|manages?)(?P<v> (?:an?|my own|our own|his own|her own|my|our)"
        rf" {_BUSINESS}){END}(?: in {PLACE})?",
        rf"(?: have| has) (?P<v>(?:my|our|his|her) own {_BUSINESS}{END}(?: in {PLACE})?)",
    ),
)  # fmt: skip
# One that stands in a list with languages is one.
_TONGUE = r"(?:(?:fluent|some|a little|basic) )?[A-Z][a-z]+"
_SCHOOL = (
    r"(?:primary|middle|high|secondary|elementary|boarding|art|music|night|law|medical|nursing"
    r"|business|film|drama|graduate|grad|vet|dental) school"
)
_A_SCHOOL = (
    rf"(?:the )?(?:University|College|Academy) of {PLACE}|(?:{CAPITAL} )+(?:University|College"
    rf"|School"
    r"|High|Academy|Institute|Elementary|Primary|Secondary|Middle School|Polytechnic|Uni)"
    r"|[A-Z]{2,5}(?=\s*(?:[.,;!]|$)| and\b| in\b)"
)
"""A name that is a school's: one goes to a shop and to a town, too."""
_DEGREE = (
    r"(?:PhD|Ph\.D\.|doctorate|master['\u2019]?s|bachelor['\u2019]?s|degree|MA|MSc|BA|BSc|MBA"
    r"|diploma|apprenticeship)"
)
# `Applied and computational mathematics` is one subject, named once.
_SUBJECT = (
    rf"(?!(?:for|hard|abroad|the|an?|my)\b)(?:[a-z]+(?:ed|al|ic|ive|ary|an|ish) and )?{NOUNS}"
)

STUDIES = (
    *traits(
        "studies goal",
        rf"{BE_DOING} (?:studying|training|(?:in|at) (?:school|college|university)) to"
        rf" (?:be|become) an? (?P<v>{NOUNS}){AT_SCHOOL}",
    ),
    *traits(
        "studies studies",
        rf"{BE_DOING} (?:studying|majoring in) (?P<v>{_SUBJECT}){AT_SCHOOL}",
        rf"{BE} (?:doing|pursuing|working on|finishing|taking) (?:an?|my|his|her) {_DEGREE}"
        rf"(?: degree)? (?:in|on) (?P<v>{NOUNS}){AT_SCHOOL}",
        rf"{BE} in (?:my|his|her) (?:first|second|third|fourth|fifth|sixth|final|last) year"
        rf" (?:of|at)"
        rf" (?P<v>(?!(?:marriage|retirement|recovery|sobriety|therapy|life|being|doing|living"
        rf"|work\w*|my"
        rf"|the|his|her|an?(?! [a-z ]+ (?:degree|course)\b))\b){NOUNS}){AT_SCHOOL}",
        rf"{ADVERBS} (?:study|studies|majors? in) (?P<v>{_SUBJECT}){AT_SCHOOL}",
    ),
    *traits(
        "studies thesis",
        rf"{BE_DOING} writing (?:my|his|her|an?) (?:\w+ )?(?:dissertation|thesis) (?:on|about)"
        rf" (?P<v>{NOUNS})",
    ),
    *traits(
        "studies school_year",
        rf"{BE} in (?P<v>(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
        rf"|tenth|eleventh|twelfth|\d\d?(?:st|nd|rd|th)) (?:grade|year|form|semester|class)"
        rf"|kindergarten|(?:year|grade) \d+|(?:primary|middle|high|secondary|elementary|law"
        rf"|medical) school){AT_SCHOOL}",
    ),
    *traits(
        "studies school",
        rf" (?:goes|go) to (?P<v>{_A_SCHOOL}|nursery|kindergarten|preschool|university|college"
        rf"|{_SCHOOL}){END}(?: in (?P<city>{PLACE}))?",
        rf"(?: just)? (?:attends?|started(?: at)?) (?P<v>nursery|kindergarten"
        rf"|preschool|school|university"
        rf"|college|{_SCHOOL}){END}(?: in (?P<city>{PLACE}))?",
        rf" attends? (?P<v>{PLACE})",
    ),
    *traits(
        "studies status",
        rf"{BE} an?(?: (?:broke|poor|busy|fellow|tired|mere))* (?P<v>(?:[A-Za-z-]+"
        rf" ){{0,2}}?(?:student|apprentice|trainee"
        rf"|freshm[ae]n|sophomore)){END}{AT_SCHOOL}",
    ),
    *traits(
        "personal learning",
        rf"{BE_DOING} (?:learning|teaching (?:myself|himself|herself))(?: to speak| how to speak)?"
        rf" (?P<v>{LANGUAGE})",
        rf"{BE_DOING} (?:learning|teaching (?:myself|himself|herself))(?: how)? to"
        rf" (?P<v>(?:play|sew|knit|drive|swim|dance|cook|paint|sail|ski|surf|code|weld|weave"
        rf"|carve|ride"
        rf"|row|climb|crochet|juggle|bake|draw|sculpt|fly|dive|brew|type|sing|skate|fence|read"
        rf"|write"
        rf"|repair|build|tune|prune|graft)\b"
        rf"(?:{END}| (?:the )?[a-z]+{END}))",
        rf"{BE} learning the (?P<v>[a-z]+){END}",
        rf"{ADVERBS} teach(?:es)? (?:myself|himself|herself) (?:the )?(?P<v>(?!to\b|how\b){NOUNS})",
    ),
    *traits(
        "personal languages",
        rf" grew up (?:speaking|with) (?P<v>{LANGUAGE}(?:(?:,| and) {LANGUAGE})*)",
        rf"{ADVERBS} speaks? (?P<v>{LANGUAGE}(?:(?:,| and|, and| as well as| but) {LANGUAGE})*)",
        # The verb is not said twice: `speak Persian at home and | English at work`.
        rf" (?P<v>{LANGUAGE}) (?:at (?:home|work|school)|with (?:my|our|his|her|friends))\b",
        rf"{ADVERBS} speaks? (?P<v>{_TONGUE}(?:(?:, and|,| and) {_TONGUE})*(?:, and|,| and)"
        rf" {LANGUAGE})",
        rf"{BE} (?:fluent|a native speaker) (?:in|of) (?P<v>{LANGUAGE}(?:(?:,| and) {LANGUAGE})*)",
        many=True,
    ),
)
