"""What English says of somebody's health, home and family, after its subject."""

from __future__ import annotations

from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.extraction.grammar.phrases_en import (
    ADVERBS,
    AT_WORK,
    BE,
    CONDITION,
    DATE,
    END,
    HAVE,
    HAVE_DONE,
    LAST,
    MONTH,
    NOUNS,
    ON,
    PETS,
    PLACE,
    SOMEWHERE,
    STOP,
    TOWN,
    YEAR,
)
from vaultmem.nlp.extraction.grammar.traits import traits

_COUNT = r"(?:an?(?! (?:million|billion|hundred|thousand)\b)|one|two|three|four|five|six|\d)"
# One animal has its article; without, it is meat: `I have chicken for lunch`.
_MANY = r"(?=(?:[\w-]+ ){0,2}?[a-z]+(?:s|fish|geese|sheep)\b)"
_NO_MEAL = (
    r"(?! for (?:breakfast|lunch|dinner|supper|tea|thanksgiving|(?i:christmas|easter)"
    r"|the (?:barbecue|bbq|roast|grill|party|feast))\b)"
)
_NAMES = rf"{relations.NAME}(?:, {relations.NAME})*(?:,? and {relations.NAME})?"
_NAMED = rf"(?:[,:]? (?:named |called )?{_NAMES})?"
_CHILDREN = r"(?:kids?|children|sons?|daughters?|twins|boys|girls)"
# Who is named has a card, and needs no counting.
_SINGLY = r"(?:an?|one) (?:[\w-]+ ){1,2}(?:named|called)\b"
_DOSE = (
    r"(?:[A-Za-z]{4,}(?: [A-Z]{2})? \d+(?:\.\d+)? ?(?:mg|mcg|ml|units)\b|\d+(?:\.\d+)? ?(?:mg"
    r"|mcg|ml|units) of [A-Za-z]{4,})"
)
_AND_STAYED = (
    r"(?!.{0,80}?\b(?:came|come|moved|went|gone) (?:back|home|away|on|out|again)\b"
    r"|.{0,80}?\b(?:returned|left)\b)"
)
_DRUG = (
    r"(?:insulin|aspirin|ibuprofen|paracetamol|warfarin|steroids|antidepressants|antihistamines"
    r"|beta blockers|statins|blood thinners|[a-z]{3,}(?:formin|statin|pril|olol|azole|sartan"
    r"|oxetine|traline|cillin|mycin|pram|zepam|tidine|thyroxine|pine|done|mab|prazole|terol))"
)
_GRAVE = r"(?:(?:severe|serious|bad|mild|terrible|known|slight|strong|nasty) )?"
_UNBEARABLE = (
    r"(?: can['\u2019]?t| cannot| can not)(?: really)? (?:eat|digest|tolerate|have"
    rf"(?! (?:\w+ )?(?:kids|children|babies|pets|visitors|guests|company|{relations.RELATION})\b))"
    r"|(?: must not| mustn['\u2019]t| may not| isn['\u2019]t allowed to| am not allowed to) eat"
)
# No food: `I can't tolerate my sister's dog`, `I can't stomach Stephen King`.
_SOMEBODYS = r"(?:(?:right )?now|my|our|his|her|your|their|the|that|this|an?)\b|[A-Z][a-z]+ [A-Z]"
# What passes is no part of anybody: `I can't eat sweets right now`.
_NOT_FOR_NOW = r"(?!,? (?:right now|at the moment|today|tonight|this (?:week|month)|for now|yet)\b)"

# Whoever moves into a home lives where it stands.
_INTO = (
    r"(?:to|into) (?:(?:an?|the|our|my) (?:[a-z-]+ ){0,2}?(?:flat|apartment|house|cottage|bungalow"
    r"|studio|townhouse|condo|farm|farmhouse|village|suburb|place) (?:in|near|outside) )?"
)

HEALTH = (
    *traits(
        "medical allergy",
        rf"{BE} allergic to (?P<v>[^{STOP}]{{3,80}}?){LAST}",
        rf"{HAVE}{ADVERBS}(?: an?)?(?: {_GRAVE})? ?allerg(?:y|ies) to"
        rf" (?P<v>[^{STOP}]{{3,80}}?){LAST}",
        many=True,
    ),
    *traits(
        "medical allergy",
        rf"{HAVE} an? {_GRAVE}(?P<v>(?!new |real |big |food )[a-z]+(?: [a-z]+)?) allergy\b",
        rf"{HAVE} (?P<v>(?:seasonal|food|pollen|pet|drug) allergies)\b",
    ),
    *traits(
        "medical intolerance",
        rf"{BE} (?P<v>(?:lactose|gluten|fructose|histamine))[- ]intolerant\b",
        rf"{BE} intolerant (?:to|of) (?P<v>[a-z]+(?: [a-z]+)?){END}",
        many=True,
    ),
    *traits(
        "medical condition",
        rf"{HAVE}(?: an?)?(?: (?:mild|severe|chronic|bad))? (?P<v>{CONDITION}){END}",
        rf"{ADVERBS} suffers? from (?P<v>{NOUNS})",
        rf"{ADVERBS} gets? (?P<v>migraines|hay fever|nosebleeds|vertigo|panic attacks){END}",
        rf"{BE}(?: an?)? (?P<v>(?:type (?:1|2|one|two) )?diabetic|asthmatic|pregnant|epileptic"
        rf"|colou?r-?blind|dyslexic|autistic|hard of hearing|short-sighted|near-?sighted"
        rf"|ana?emic|(?:deaf|blind)(?!,))(?=\s*(?:[.,;!]|$)| (?:and|since|so|in (?:one|both|my|his"
        rf"|her))\b)",
        rf"(?:{BE}| was|{HAVE_DONE} been) diagnosed with (?P<v>{NOUNS})",
    ),
    *traits(
        "medical medication",
        rf"(?: take| takes|{BE} (?:taking|on)) (?P<v>{_DOSE})",
        rf"(?: take| takes|{BE} (?:taking|on)) (?P<v>{_DRUG}){END}",
    ),
    *traits(
        "medical aids",
        rf" (?:wears?|needs?) (?P<v>(?:reading )?glasses|contact lenses|contacts"
        r"|(?:an? )?hearing aids?"
        rf"|braces|dentures|an? insulin pump){END}",
    ),
    *traits(
        "medical avoids",
        rf"(?:{_UNBEARABLE}) (?!{_SOMEBODYS})(?>(?P<v>[^{STOP}]{{3,60}}?){LAST}){_NOT_FOR_NOW}",
        many=True,
    ),
    *traits(
        "preferences diet",
        rf"{HAVE_DONE} been(?: an?)? (?P<v>vegetarian|vegan|pescatarian|teetotal)(?= (?:since"
        rf"|for)\b)",
        rf"{BE}(?: an?)? (?P<v>vegetarian|vegan|pescatarian|gluten-free|dairy-free|keto|halal"
        rf"|kosher|teetotal|a teetotaller){END}(?! at\b)",
        rf"{ADVERBS} (?:eats?|keeps?) (?P<v>vegetarian|vegan"
        rf"|gluten-free|dairy-free|halal|kosher){END}",
    ),
    *traits("personal handedness", rf"{BE} (?P<v>left-handed|right-handed|ambidextrous)\b"),
)

_YEARS = (
    r"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|four|five"
    r"|six|seven|eight|nine))?|(?:thir|four|fif|six|seven|eigh|nine)teen|one|two|three|four|five"
    r"|six|seven|eight|nine|ten|eleven|twelve)"
)
# One turns pages and degrees, too.
_OF_LIFE = (
    r"(?=\s*(?:[.,;!)]|$)| (?:yesterday|today|tomorrow|now|recently|last|this|next|on (?:Mon|Tues"
    r"|Wednes|Thurs|Fri|Satur|Sun)day|in (?!the\b)"
    r"|and|but|so|two|three|a (?:week|month|year|few|couple))\b)"
)

HOME = (
    *traits(
        "personal age",
        rf"{BE} (?P<v>\d{{1,3}}) (?:years?|yrs?)[- ]old\b",
        rf"{BE} (?P<v>[1-9]\d?)(?=\s*(?:[.;!]|$)|,? (?:and|but)\b(?! a\b))",
        rf"(?: just)? (?:turned|turns) (?P<v>\d{{1,3}}|{_YEARS}){_OF_LIFE}",
    ),
    *traits(
        "dates birthday",
        rf" was born on (?P<v>{DATE})",
        rf" turns (?:\d{{1,3}}|[a-z]+(?:-[a-z]+)?) on (?P<v>{DATE})",
    ),
    *traits("dates birthday", rf" was born in (?P<v>(?:{MONTH} )?{YEAR})\b"),
    *traits(
        "personal birthplace",
        rf" was born(?: and raised)? in (?P<v>(?!{MONTH}){TOWN})"
        rf"(?: (?:in|on) (?P<birthday>{DATE}|{YEAR}))?"
        rf"(?:,? (?:and|but) (?:then )?(?:(?:was )?(?:raised|brought up)|grew up) (?:in|near)"
        rf" (?P<origin>{PLACE}))?",
    ),
    *traits(
        "contact city",
        rf"{ADVERBS} lives?(?: (?:right|here|over|alone|together|nearby|just|abroad|now))*"
        rf"(?: with [a-z' ]{{2,30}}?)? (?:in|near|{ON}|outside) {SOMEWHERE}(?P<v>{TOWN})",
        rf"{BE} (?:living|based) (?:in|near|{ON}) {SOMEWHERE}(?P<v>{TOWN})",
        rf"{HAVE_DONE} (?:been living|lived) (?:here )?(?:in|near|{ON}) (?P<v>{TOWN})"
        rf"(?=,? (?:since|for|all (?:my|his|her) life|now)\b)",
        rf"{HAVE_DONE}?(?: (?:just|recently|finally))* (?:moved|relocated){_AND_STAYED}"
        rf"(?: (?:over|here|back))*(?: from {PLACE})? {_INTO}(?P<v>{TOWN})"
        rf"(?:[^,{STOP}]{{0,40}}? for (?:an?|my|his|her) (?:new )?job{AT_WORK})?",
    ),
    *traits(
        "contact address",
        rf" lives? at (?P<v>\d+[^{STOP}]{{5,60}}?){LAST}",
        rf" live(?:s)? (?:in|on) (?P<v>\d+ {PLACE}(?: (?:Street|Road|Lane|Avenue))?){END}",
    ),
    *traits(
        "personal origin",
        rf"{BE}(?: (?:originally|actually))? from {SOMEWHERE}(?P<v>{TOWN})",
        rf"(?: originally)? (?:comes?|hails?) from {SOMEWHERE}(?P<v>{TOWN})",
        rf" (?:grew up|(?:was|were) raised) (?:in|near|{ON}|outside) {SOMEWHERE}(?P<v>{TOWN})",
    ),
)

FAMILY = (
    *traits(
        "family marital_status",
        rf"{BE}(?: happily)? (?P<v>married|engaged)"
        rf" to (?:an? {NOUNS}|(?:my \w+,? )?(?P<spouse>{relations.NAME}))",
        r"(?: just| finally)* got (?P<v>married)(?=(?: on \w+day| (?:last|this) \w+| yesterday"
        r"| today)?\s*[.!]*$)",
        rf"{BE}(?: happily)? (?P<v>married|divorced|widowed|single|engaged(?!"
        rf" with\b))(?=\s*(?:[.,;!]|$)"
        rf"| (?:and|with|now|since|for (?:[\w-]+ ){{1,3}}years)\b)",
    ),
    *traits(
        "dates wedding",
        rf"{HAVE_DONE}?(?: just)? (?:got|were|was|been)? ?married(?: to \w+)?(?: on| in)?"
        rf" (?P<v>{DATE}|{YEAR})",
        rf"(?:{BE} (?:getting|going to be|to be)|['\u2019]ll (?:be|get)| will (?:be|get)) married"
        rf"(?: to \w+)?(?: on| in)? (?P<v>{DATE}|{YEAR})",
    ),
    *traits(
        "family children",
        rf"{HAVE} (?!{_SINGLY})(?P<v>{_COUNT} (?:\w+ )?{_CHILDREN}{_NAMED}"
        rf"(?:(?:,| and|, and) {_COUNT} (?:\w+ )?{_CHILDREN}{_NAMED})*){END}",
    ),
    *traits(
        "family siblings",
        rf"{HAVE} (?!{_SINGLY})(?P<v>{_COUNT} (?:\w+ )?(?:brothers?|sisters?"
        rf"|siblings?){_NAMED}){END}",
    ),
    *traits(
        "pets pets",
        rf"(?:{HAVE}| keeps?| owns?) (?!(?:always|never|ever|also|already|been|had|seen|\w+ed) )"
        rf"(?P<v>(?:{_COUNT} |{_MANY}){PETS}{_NAMED}"
        rf"(?:(?:,| and|, and) (?:{_COUNT} )?{PETS}{_NAMED})*){END}(?! in (?:this|that"
        rf"|the|my)\b){_NO_MEAL}",
        rf"{HAVE_DONE}?(?: (?:just|recently))? (?:adopted|got|rescued|bought)"
        rf" (?P<v>{_COUNT} {PETS}{_NAMED}){END}{_NO_MEAL}"
        rf"(?:[^{STOP}]{{0,40}}? and (?:named|called) (?:him|her|it|them) (?P<names>{_NAMES}))?",
    ),
)
