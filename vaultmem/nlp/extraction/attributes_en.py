"""What is said of somebody in English: the turns of phrase that leave no doubt, and their values.

A predicate follows its subject at once (`I` + ` am allergic to nuts`), an attribute its owner
(`my daughter's` + ` birthday is May 3`), so that "might be", "used to" and "am not" never fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import STOP


class Trait(NamedTuple):
    """One thing that can be said: its category, its field, how it is said.

    The pattern's group `v` is the value; a group `thing` is added to the field: `favorite_color`.
    *many* values stand in a list: "peanuts, kiwi and shellfish".
    """

    category: str
    field: str
    pattern: str
    many: bool = False


class Attribute(NamedTuple):
    """What was told: category, field and value."""

    category: str
    field: str
    value: str


def traits(name: str, *patterns: str, many: bool = False) -> Iterator[Trait]:
    """Yield a trait for each of *patterns*; *name* is its category and its field."""
    category, _, field = name.partition(" ")
    return (Trait(category, field, pattern, many) for pattern in patterns)


_STOP = r"[.;:!?()\u2013\u2014\u2026\"]"
# Where a value ends.
_END = (
    rf"(?=\s*(?:{_STOP}|,|$)|\s+-+\s|\s+(?:and|but|so|because|since|which|who|when|while|if|though"
    r"|although|as|for|at|with|too|now|these|right|by|from)\b)"
)
_LAST = (
    rf"(?=\s*(?:{_STOP}|$)|\s+-+\s|,? (?:but|so|because|since|which|who|when|while|if|though"
    r"|although|please|as well|too|just|anyway|especially|particularly|most of all)\b|,? and (?:I"
    r"|my|we|our|he|she|his|her|they|it|has|have|had|is|am|are|was|would|will|can|need|needs|also"
    r"|that|there|the|carr\w+|usually|always|never|love|loves|like|likes|hate|hates|live|lives"
    r"|work|works)\b|, (?:I|my|we|he|she|it|they|the)\b)"
)
_WORDS = rf"[^\s,{_STOP[1:-1]}]+(?:,? [^\s,{_STOP[1:-1]}]+){{0,9}}?"
_ADV = (
    r"(?: (?:really|also|still|just|currently|now|actually|personally|absolutely|definitely"
    r"|severely|very|highly|deathly|terribly|extremely|mildly|quite|both|simply|especially"
    r"|particularly|generally|truly|completely|officially|strictly|so|do|does|both|all|always"
    r"|mostly))*"
)
_BE = rf"(?:['\u2019](?:m|s)| am| is){_ADV}"
_HAVE = r"(?:['\u2019](?:ve|s) got| have| has)"
_CAPITAL = r"(?:(?:St|Mt|Ft)\. )?[A-Z\u00c0-\u00de][\w'\u2019-]*"
PLACE = (
    rf"(?:U\.S\.(?:A\.)?|(?:the )?{_CAPITAL}(?:(?: of| upon| am| de"
    rf"| la)* {_CAPITAL})*(?:, {_CAPITAL}(?: {_CAPITAL})*)?)"
)
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b(?:\.(?= ?\d))?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}(?:[./]\d{{2,4}})?"
    rf"|{_DAY}(?: of)? {_MONTH}(?:,? \d{{4}})?|(?:the )?{_DAY} of {_MONTH}(?:,? \d{{4}})?"
    rf"|{_MONTH} (?:the )?{_DAY}(?:,? \d{{4}})?|{_MONTH} \d{{4}})"
)
_YEAR = rf"(?:{DATE}|{_MONTH}|(?:19|20)\d\d)"
_OCCUPATION = (
    r"(?:[a-z-]+ ){0,3}?(?:engineer|developer|programmer|designer|teacher|professor|nurse|doctor"
    r"|physician|surgeon|dentist|pharmacist|lawyer|attorney|accountant|architect|carpenter"
    r"|electrician|plumber|chef|cook|baker|waiter|waitress|journalist|writer|author|editor"
    r"|photographer|musician|pianist|violinist|actor|actress|artist|painter|scientist|researcher"
    r"|physicist|chemist|biologist|psychologist|therapist|counselor|analyst|consultant|manager"
    r"|director|entrepreneur|freelancer|banker|broker|salesperson|realtor|pilot|driver|mechanic"
    r"|farmer|gardener|librarian|paramedic|firefighter|police officer|soldier|veteran|student"
    r"|social worker|translator|interpreter|veterinarian|barista|hairdresser|contractor)"
)
_LANGUAGE = (
    r"(?:fluent |some |a little |basic )?(?:English|Spanish|French|German|Italian|Portuguese"
    r"|Dutch|Russian|Polish|Ukrainian|Turkish|Arabic|Hebrew|Hindi|Urdu|Bengali|Chinese|Mandarin"
    r"|Cantonese|Japanese|Korean|Vietnamese|Thai|Greek|Swedish|Danish|Norwegian|Finnish|Swahili)"
)
_CONDITION = (
    r"(?:(?:type (?:1|2|one|two|I|II) )?diabetes|asthma|celiac disease|coeliac disease|arthritis"
    r"|rheumatoid arthritis|hypertension|high blood pressure|epilepsy|migraines|eczema|psoriasis"
    r"|ADHD|autism|dyslexia|lupus|osteoporosis|sleep apnea|insomnia|scoliosis|fibromyalgia"
    r"|endometriosis|hypothyroidism|(?:chronic )?(?:depression|anxiety|back pain|kidney disease)"
    r"|multiple sclerosis|glaucoma|tinnitus|hay fever|anemia|a pacemaker|a heart condition)"
)
_DOSE = (
    r"(?:[A-Za-z]{4,}(?: [A-Z]{2})? \d+(?:\.\d+)? ?(?:mg|mcg|ml|units)\b|\d+(?:\.\d+)? ?(?:mg"
    r"|mcg|ml|units) of [A-Za-z]{4,})"
)
_HABIT = (
    r"(?:eat|drink|use|take|sit|book|order|fly|travel|wear|buy|work|drive|sleep|start|pay|stay"
    r"|write|reply|run|go|cook|read|carry|keep|choose|watch|smoke|skip|bring|walk|bike|swim|add"
    r"|shop|commute|tip|put|check in)s?"
)
# What leans on something said before can stand on no card.
_CONTEXT = (
    r"(?i)\b(?:it|its|that|this|those|these|they|them|their|theirs|one|ones|him|her|his|he|she"
    r"|you|your|yours|what|how|when|whatever|everything|something|anything|nothing|someone"
    r"|everyone|people|idea|same|such|way|sound|look|looks|vibe|vibes|photo|pic|picture|there"
    r"|here|stuff|thing|things|moment|moments|day|time|be able|us|too|know|think|see|seeing|hear"
    r"|hearing|say|believe|tell|help|lot|all|much|more|bit|most|place|job|fact|part|pieces?"
    r"|feeling|feel|another|new|get|got|getting|both|each|other|others|two)\b|['\u2019](?:re|ll"
    r"|ve|m)\b|['\u2019]s (?:so|been|a|the)\b|\u2026"
)
_DEFINITE = (
    "^the [a-z]|^[\u4f60\u60a8\u8fd9\u90a3\u5b83\u4ed6\u5979]|[\u8fd9\u90a3](?:\u4e2a|\u6837"
    "|\u79cd|\u4e9b)"
)
_LISTED = (
    r",? (?:and|or|as well as) |, |\bboth |\beither |[\u3001\u548c\u8ddf\u4e0e\u53ca]|\u4ee5\u53ca"
)
_NO = r"(?:not|no|never|none|nor|neither|nothing)\b"
_NO_ZH = "(?:\u800c)?(?:\u4e0d\u662f|\u5e76\u975e|\u5e76\u4e0d|\u6ca1\u6709)|\u800c\u975e"
# What is said not to be so, up to the end of its clause: `, not hazelnuts`.
_DENIED = rf"(?i)(?:^|,? (?:and|or|but|yet) |, )\s*{_NO}|[,\u3001]?\s*(?:{_NO_ZH})"
_NOT = r"(?i)\s*\bnot\b"
_DENIAL_ZH = "^[\u4e0d\u6ca1\u6c92\u65e0\u975e]"
# A list that turns into a sentence: `walnuts, hazelnuts are fine`.
_CLAUSE = (
    r"(?i)\s(?:is|are|was|were|does|do|did|can|could|may|(?:is|are|was|were|does|do|did|ca|could)"
    r"n['\u2019]t|cannot|okay|ok|fine)\b"
)
_EXCEPT = r"(?i),? \b(?:except|excluding|other than|apart from)\b"
# What joins a second predicate to the same subject.
_JOINED = r",? and(?= (?!I\b|we\b|my\b))"
_NOT_LIKED = r"(?!to (?:know|see|say|think|hear|help|tell|be)\b)"

PREDICATES = (
    *traits(
        "medical allergy",
        rf"{_BE} allergic to (?P<v>[^{_STOP[1:-1]}]{{3,80}}?){_LAST}",
        rf"{_HAVE}{_ADV}(?: an?)?(?: (?:severe|serious|bad|mild|terrible|known|slight"
        rf"|strong))? allerg(?:y|ies) to (?P<v>[^{_STOP[1:-1]}]{{3,80}}?){_LAST}",
        many=True,
    ),
    *traits(
        "medical allergy",
        rf"{_HAVE} an? (?:(?:severe|serious|bad|mild|terrible|known|slight|strong) )?"
        r"(?P<v>(?!new |real |big |food )[a-z]+(?: [a-z]+)?) allergy\b",
        rf"{_HAVE} (?P<v>seasonal|food|pollen|pet|drug) allergies\b",
    ),
    *traits(
        "medical intolerance",
        rf"{_BE} (?P<v>(?:lactose|gluten|fructose|histamine))[- ]intolerant\b",
    ),
    *traits(
        "medical condition",
        rf"{_HAVE}(?: (?:mild|severe|chronic))? (?P<v>{_CONDITION}){_END}",
        rf"{_BE}(?: a)? (?P<v>(?:type (?:1|2|one|two) )?diabetic|asthmatic|pregnant"
        rf"|colou?r-?blind|epileptic|dyslexic|autistic){_END}",
        rf"(?:{_BE}| was) diagnosed with (?P<v>{_CONDITION}){_END}",
    ),
    *traits("medical medication", rf"(?: take| takes|{_BE} (?:taking|on)) (?P<v>{_DOSE})"),
    *traits(
        "preferences diet",
        rf"{_BE}(?: an?)? (?P<v>vegetarian|vegan|pescatarian|gluten-free|dairy-free|keto|halal"
        rf"|kosher){_END}",
    ),
    *traits(
        "personal age",
        rf"{_BE} (?P<v>\d{{1,3}}) (?:years?|yrs?)[- ]old\b",
        rf"{_BE} (?P<v>[1-9]\d?)(?=\s*(?:[.;!]|$)|,? (?:and|but)\b(?! a\b))",
        r"(?: just)? (?:turned|turns) (?P<v>\d{1,3})(?!\d|[:.,]\d|\s?%| (?:of|in) the)\b",
    ),
    *traits(
        "dates birthday",
        rf" was born on (?P<v>{DATE})",
        rf" turns (?:\d{{1,3}}|[a-z]+(?:-[a-z]+)?) on (?P<v>{DATE})",
    ),
    *traits(
        "preferences coffee",
        rf"{_ADV} (?:drinks?|takes?) (?:(?:my|his|her) )?coffee (?P<v>(?:black|strong|weak|plain"
        rf"|decaf|iced|with|without)\b[^{_STOP[1:-1]}]{{0,40}}?)(?:, always)?{_LAST}",
    ),
    *traits("dates birthday", rf" was born in (?P<v>(?:{_MONTH} )?(?:19|20)\d\d)\b"),
    *traits("personal birthplace", rf" was born(?: and raised)? in (?P<v>(?!{_MONTH}){PLACE})"),
    *traits(
        "contact city",
        rf"{_ADV} lives?(?: (?:right|here|over))* in (?P<v>{PLACE})",
        rf"{_BE} (?:living|based) in (?P<v>{PLACE})",
        rf"(?:['\u2019]ve| have| has)?(?: (?:just|recently))* moved (?:back )?to (?P<v>{PLACE})",
    ),
    *traits("contact address", rf" lives? at (?P<v>\d+[^{_STOP[1:-1]}]{{5,60}}?){_LAST}"),
    *traits("personal origin", rf"{_BE}(?: originally)? from (?P<v>{PLACE})"),
    *traits(
        "work employer",
        rf"{_ADV} works? (?:for|at) (?P<v>{PLACE}(?: (?:&|and) [A-Z]\w+)?)",
        rf"{_BE} working (?:for|at) (?P<v>{PLACE})",
    ),
    *traits(
        "work workplace",
        rf"{_ADV} works? (?P<v>from home|remotely){_END}",
        rf"{_ADV} works? at (?P<v>(?:an?|the) [a-z]+(?: [a-z]+){{0,3}}?){_END}",
    ),
    *traits(
        "work occupation",
        rf"{_ADV} works? as (?P<v>(?:an?|the|head|director) [A-Za-z-]+(?: [a-z-]+){{0,4}}?){_END}",
        rf"{_BE} (?:an? |the )(?P<v>{_OCCUPATION}){_END}",
        rf"{_BE} (?P<v>(?:the )?(?:CEO|CTO|CFO|COO|VP|founder|co-founder|head|director) (?:of"
        rf"|at) {PLACE})",
    ),
    *traits(
        "family marital_status",
        rf"{_BE}(?: happily)? (?P<v>married|divorced|widowed|single|engaged)(?=\s*(?:[.,;!]|$)"
        rf"| to [A-Z]| and\b| with\b)",
    ),
    *traits(
        "family children",
        rf"{_HAVE} (?P<v>(?:an?|one|two|three|four|five|six|\d) (?:\w+ )?(?:kids?|children|sons?"
        rf"|daughters?)){_END}",
    ),
    *traits(
        "family siblings",
        rf"{_HAVE} (?P<v>(?:an?|one|two|three|four|five|\d) (?:\w+ )?(?:brothers?|sisters?"
        rf"|siblings?)){_END}",
    ),
    *traits(
        "pets pets",
        rf"{_HAVE} (?P<v>(?:an?|one|two|three|four|\d) (?:\w+ )?(?:dogs?|cats?|pupp(?:y|ies)"
        rf"|kittens?|parrots?|rabbits?|hamsters?|turtles?|horses?|snakes?)){_END}",
    ),
    *traits(
        "personal languages",
        rf"{_ADV} speaks? (?P<v>{_LANGUAGE}(?:(?:,| and|, and) {_LANGUAGE})*)",
        many=True,
    ),
    *traits(
        "preferences prefers",
        rf"{_ADV} prefers? (?P<v>{_NOT_LIKED}{_WORDS}){_LAST}",
        r"['\u2019]d prefer (?P<v>(?:an?|the) (?:window|aisle)(?: seat)?)\b",
    ),
    *traits(
        "preferences dislikes",
        rf"(?: really| absolutely)? (?:hates?|dislikes?|can['\u2019]?t stand|cannot stand"
        rf"|loathes?|detests?) (?P<v>{_NOT_LIKED}{_WORDS}){_LAST}",
        rf"(?: really)? (?:don['\u2019]t|do not|doesn['\u2019]t|does not)(?: really)? (?:like"
        rf"|enjoy|eat|drink) (?P<v>{_NOT_LIKED}{_WORDS}){_LAST}",
        rf"(?:['\u2019]m| am|['\u2019]s| is) not(?: really)? (?:a )?(?:big "
        rf"|huge )?fan of (?P<v>{_WORDS}){_LAST}",
    ),
    *traits(
        "preferences likes",
        rf"{_ADV} (?:likes?|loves?|enjoys?|adores?) (?P<v>{_NOT_LIKED}{_WORDS}){_LAST}",
        rf"{_BE} a (?:big|huge|great|die-hard|lifelong) (?P<v>[A-Za-z]+(?: [A-Z][a-z]+)?) fan\b",
        rf"{_BE} a (?:big |huge |great )?fan of (?P<v>{_WORDS}){_LAST}",
    ),
    *traits(
        "preferences always",
        rf" always (?P<v>{_HABIT}\b(?! (?:to|on|for|up|out|care|time)\b) {_WORDS}){_LAST}",
    ),
    *traits(
        "preferences never",
        rf" never (?P<v>{_HABIT}\b(?! (?:to|on|for|up|out|care|time)\b) {_WORDS}){_LAST}",
    ),
    *traits(
        "personal wears_size", r" wears?(?: an?)? size (?P<v>\d{1,2}(?:\.5)?|XX?S|S|M|L|X{1,3}L)\b"
    ),
    *traits("travel room", rf"{_BE} in room (?P<v>\w*\d\w*)\b"),
    *traits("travel seat", rf"{_BE} (?:in|on) seat (?P<v>\d{{1,2}}[A-K])\b"),
)

_IS = r"(?: is| are|['\u2019]s|:| =)(?: (?:still|now|currently|on|at))*"
_CODE = r"[A-Z0-9][A-Z0-9-]*\d[A-Z0-9-]*"
ATTRIBUTES = (
    *traits(
        "medical",
        r" (?P<thing>doctor|dentist|dermatologist|pediatrician|paediatrician|cardiologist"
        rf"|therapist|vet){_IS} (?P<v>(?:Dr\.? |Doctor ){_CAPITAL}){_END}",
    ),
    *traits("dates birthday", rf" (?:birthday|date of birth|birthdate){_IS} (?P<v>{DATE})"),
    *traits("dates anniversary", rf" (?:wedding )?anniversary{_IS} (?P<v>{DATE})"),
    *traits(
        "dates",
        rf" (?P<thing>(?!birthday|anniversary|date )[a-z]+(?: (?!is "
        rf"|expires )[a-z]+){{0,2}}(?: expires)?)(?: is| is due| is scheduled"
        rf"|(?<=expires))(?: (?:on|for))? (?P<v>{DATE})",
    ),
    *traits(
        "contact phone",
        r" (?:(?:cell|mobile|home|work|office|new) )?(?:phone|mobile|cell|cell phone|telephone"
        r"|contact)(?: number)?(?: is| =|:) (?P<v>\+?\(?\d[\d ().-]{5,20}\d)",
    ),
    *traits(
        "contact email",
        r" (?:e-?mail|e-?mail address)(?: is| =|:) (?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
    ),
    *traits(
        "contact address",
        rf" (?:(?:home|mailing|current|new"
        rf"|street) )?address{_IS} (?P<v>\d[^{_STOP[1:-1]}]{{6,80}}?)(?=\s*(?:{_STOP}|$))",
    ),
    *traits("contact city", rf" (?:hometown|home town|home city){_IS} (?P<v>{PLACE})"),
    *traits("work employer", rf" (?:employer|company){_IS} (?P<v>{PLACE})"),
    *traits(
        "work occupation",
        rf" (?:job title|job|occupation|profession"
        rf"|title){_IS}(?: an?)? (?P<v>[A-Za-z -]{{4,40}}?)(?=\s*[.;!,]|\s*$)",
    ),
    *traits(
        "medical blood_type",
        r" blood (?:type|group)(?: is|:) (?P<v>(?:AB|A|B|O)(?:[+-]| ?(?:positive|negative))?)",
    ),
    *traits(
        "medical allergy",
        rf" (?:only )?allerg(?:y is|ies are|ies:) (?:to )?(?P<v>[^{_STOP[1:-1]}]{{3,80}}?){_LAST}",
        many=True,
    ),
    *traits(
        "personal",
        r" (?P<thing>(?:shoe|shirt|dress|ring|hat|glove|pants|jacket|clothing) size)(?: is"
        r"|:) (?:an? |US |EU |UK )?(?P<v>\d{1,2}(?:\.5)?|XX?S|S|M|L|X{1,3}L|small|medium|large)\b",
    ),
    *traits("personal age", r" age(?: is|:) (?P<v>\d{1,3})\b"),
    *traits(
        "personal height", r" height(?: is|:) (?P<v>\d[\w'\u2019\". ]{1,14}?)(?=\s*[.,;!]|\s*$)"
    ),
    *traits(
        "travel", r" (?P<thing>(?:hotel )?room|seat|gate)(?: number)?(?: is|:) (?P<v>\w*\d\w*)\b"
    ),
    *traits(
        "contact",
        rf" (?P<thing>(?:employee|member|membership|frequent flyer|loyalty|confirmation|booking"
        rf"|reservation|case|order|policy|patient|student|customer|license plate"
        rf"|claim)) ?(?:number|id|ID|no\.?|code)?(?: is|:) #?(?P<v>{_CODE})\b",
    ),
    *traits("personal timezone", r" time ?zone(?: is|:) (?P<v>[A-Z][\w/+:-]+)"),
    *traits(
        "personal languages",
        rf" (?:native|first|mother) (?:language|tongue)(?: is|:) (?P<v>{_LANGUAGE})",
    ),
    *traits("personal pronouns", r" pronouns(?: are|:) (?P<v>\w+/\w+(?:/\w+)?)"),
    *traits(
        "preferences favorite",
        rf" (?:all-time |absolute |personal )?favou?rite (?P<thing>(?!one|thing|part|way|time"
        rf"|memory)[a-z]+(?: (?!is |are )[a-z-]+){{0,3}}?) (?:is|are)(?: (?:definitely|still"
        rf"|probably the))? (?P<v>{_WORDS}){_LAST}",
    ),
)


def attributes(rest: str, traits: tuple[Trait, ...]) -> Iterator[Attribute]:
    """Yield what *rest*, which follows a subject or an owner, says: `lives in Lyon and works ...`.

    Of the traits the first that fits counts, and those of what is joined to it by "and".
    """
    while found := next(((t, m) for t in traits if (m := re.match(t.pattern, rest))), None):
        trait, match = found
        each = list(values(trait, match))
        yield from each
        joined = re.match(_JOINED, rest[match.end() :]) if each else None
        rest = rest[match.end() + joined.end() :] if joined else ""


def values(trait: Trait, found: re.Match[str]) -> Iterator[Attribute]:
    """Yield what *found*, a match of *trait*, tells."""
    thing = found.groupdict().get("thing") or ""
    field = "_".join([*trait.field.split(), *thing.replace("-", " ").split()]).lower()
    for value in _each(found["v"]) if trait.many else [_affirmed(found["v"])]:
        kept = _closed(value)
        if (
            kept
            and not re.search(_DENIAL_ZH, kept)
            and not (trait.category == "preferences" and leans(kept))
        ):
            yield Attribute(trait.category, field, kept)


def leans(value: str) -> bool:
    """Whether *value* says nothing by itself, away from what was said before it."""
    vague = all(word in STOP for word in analysis.heads(value))
    return vague or re.search(_DEFINITE, value) is not None or bool(re.search(_CONTEXT, value))


def _closed(value: str) -> str:
    """Return *value* without marks at its ends; the point of an abbreviation stays."""
    value = value.strip(" ,'\u2019-*_~")
    return value[:-1] if re.search(r"[a-z]{4}\.$", value) else value


def _affirmed(value: str) -> str:
    """Return what *value* says before it says what is not so: `walnuts, not hazelnuts`."""
    return re.split(_DENIED, value, maxsplit=1)[0]


def _each(values: str) -> list[str]:
    if re.search(_EXCEPT, values):  # what is left out of the whole cannot stand beside it
        return [_affirmed(values)]
    if clause := re.search(_CLAUSE, values):
        values = values[: clause.start()].rpartition(",")[0]
    values = re.split(_NOT, _affirmed(values), maxsplit=1)[0]
    parts = re.split(_LISTED, f" {values}")
    return [re.sub(r"^(?:the|any|some) ", "", part.strip()) for part in parts if part.strip()]
