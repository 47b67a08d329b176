"""What English says of something that is somebody's, after its owner: `my birthday is May 3`."""

from __future__ import annotations

from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.extraction.grammar.occupations_en import OCCUPATION
from vaultmem.nlp.extraction.grammar.phrases_en import (
    CAPITAL,
    DATE,
    END,
    LANGUAGE,
    LAST,
    NOUNS,
    PLACE,
    STOP,
    WORDS,
)
from vaultmem.nlp.extraction.grammar.traits import traits
from vaultmem.nlp.extraction.personal_facts import circumstances_en as circumstances
from vaultmem.nlp.extraction.personal_facts import habits_en as habits
from vaultmem.nlp.extraction.personal_facts import work_en as work

PREDICATES = (
    *circumstances.HEALTH,
    *circumstances.HOME,
    *habits.ROUTINES,
    *work.WORK,
    *work.STUDIES,
    *circumstances.FAMILY,
    *habits.TASTES,
    *habits.PASTIMES,
    *habits.BELONGINGS,
)
"""What may follow a subject, the surest first: the first that fits counts."""

_IS = r"(?: is| are|['\u2019]s|:| =)(?: (?:still|now|currently|on|at))*"
_CODE = r"[A-Z0-9][A-Z0-9-]*\d[A-Z0-9-]*"
ATTRIBUTES = (
    *traits(
        "medical",
        r" (?P<thing>doctor|dentist|dermatologist|pediatrician|paediatrician|cardiologist"
        rf"|therapist|vet){_IS} (?P<v>(?:Dr\.? |Doctor ){CAPITAL}){END}",
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
        r"|contact)(?: number)?(?: is(?: now)?| =|:) (?P<v>\+?\(?\d[\d ().-]{5,20}\d)",
        r" new number(?: is|:) (?P<v>\+?\(?\d[\d ().-]{5,20}\d)",
    ),
    *traits(
        "contact email",
        r" (?:new )?(?:e-?mail|e-?mail address)(?: is(?: now)?| =|:)"
        r" (?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
    ),
    *traits(
        "contact address",
        rf" (?:(?:home|mailing|current|new"
        rf"|street) )?address{_IS} (?P<v>\d[^{STOP}]{{6,80}}?)(?=\s*(?:[{STOP}]|$))",
    ),
    *traits(
        "family",
        rf" (?:two |three |four )?(?P<thing>kids|children|sons|daughters|twins|brothers|sisters"
        rf"|cats|dogs|parrots|rabbits|horses|hens|chickens|goats) (?:are(?: called| named)?)"
        rf" (?P<v>{relations.NAME}(?:, {relations.NAME})*(?:,? and {relations.NAME}))",
        rf" (?:two |three |four )(?P<thing>kids|children|sons|daughters|twins|brothers|sisters|cats"
        rf"|dogs|parrots|rabbits|horses|hens|chickens|goats),? (?:called |named )?"
        rf"(?P<v>{relations.NAME}(?:, {relations.NAME})*(?:,? and {relations.NAME}))(?=,| \w)",
    ),
    *traits(
        "belongings",
        # By its make, and not by what one thinks of it: `my car is a lemon`.
        rf" (?P<thing>car|bike|motorbike|bicycle|van|boat|phone|laptop|computer|camera|guitar"
        rf"|piano|printer|watch|tablet|truck) is (?P<v>an? (?=[^{STOP},]*[A-Z\d]){NOUNS})",
    ),
    *traits(
        "personal origin",
        rf" (?:whole )?family (?:(?:originally )?comes?|is|are)(?: originally)? from"
        rf" (?P<v>{PLACE}){END}",
    ),
    *traits("contact city", rf" (?:hometown|home town|home city){_IS} (?P<v>{PLACE})"),
    *traits("work employer", rf" (?:employer|company){_IS} (?P<v>{PLACE})"),
    *traits(
        "work occupation",
        rf" (?:job title|occupation|profession){_IS}(?: an?)? (?P<v>[A-Za-z -]{{4,40}}?)"
        rf"(?=\s*[.;!,]|\s*$)",
        # A job is boring, too.
        rf" (?:job|title){_IS}(?: an?)? (?P<v>{OCCUPATION}){END}",
    ),
    *traits(
        "medical blood_type",
        r" blood (?:type|group)(?: is|:) (?P<v>(?:AB|A|B|O)(?:[+-]| ?(?:positive|negative))?)",
    ),
    *traits(
        "medical allergy",
        rf" (?:only )?allerg(?:y is|ies are|ies:) (?:to )?(?P<v>[^{STOP}]{{3,80}}?){LAST}",
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
        rf" (?:native|first|mother) (?:language|tongue)(?: is|:) (?P<v>{LANGUAGE})",
    ),
    *traits("personal pronouns", r" pronouns(?: are|:) (?P<v>\w+/\w+(?:/\w+)?)"),
    *traits(
        "preferences favorite",
        rf" (?:all-time |absolute |personal )?favou?rite (?P<thing>(?!one|thing|part|way|time"
        rf"|memory|(?:at|in|on|of|so|right)\b)[a-z]+(?: (?!(?:is|are|at|in|on|from|right|now"
        rf"|so) )[a-z-]+){{0,3}}?)"
        rf" (?:is|are|has always been|have always"
        rf" been)(?: (?:definitely|still|easily|by far|hands down"
        rf"|probably the))? (?P<v>{WORDS}){LAST}",
    ),
)
