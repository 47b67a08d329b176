"""English phrases that predicates are made of: noun phrases, places, dates, names of work.

Patterns are strings, compiled by `re` on first use; all are linear.
"""

from __future__ import annotations

from vaultmem.nlp.extraction.grammar.occupations_en import OCCUPATION

STOP = r".;:!?()\u2013\u2014\u2026\""
"""Marks that end a phrase, for use inside brackets."""

CAPITAL = r"(?:(?:St|Mt|Ft)\. )?[A-Z\u00c0-\u00de][\w'\u2019-]*"
_BEYOND = r"(?:by|in|on|at|near|outside|off)"
# What asks for assent, or is said to the others, which chat sets off by nothing: `I can't eat nuts
# remember so no satay`.
_TAG = (
    r",? (?:remember|right|ok(?:ay)?|yeah|innit|huh|eh|(?:you|ya|u) know|lol|btw"
    rf"|tbh|honestly|obviously|tho|though|duh|fyi|atm|rn|y['\u2019]?all)"
    rf"(?=\s*(?:[{STOP},]|$)|\s+(?:so|but|and|because|cause|cuz)\b)"
)
# How it stands with what was said, or who is spoken to: `jazz mostly`, `ice cream, however`.
_ASIDE = (
    r",? (?:sometimes|however|regardless|XD|XP|often|lately|well|again|too|(?!(?:family|jelly|belly"
    r"|butterfly|fly"
    r"|lily)\b)"
    r"[a-z]+ly)"
    rf"(?=\s*(?:[{STOP},]|$))|, (?:silly|dude|man|bro|girl|guys|dear|mate|sir)(?=\s*(?:[{STOP}]|$))"
)
# Where a phrase ends that holds no preposition but `of`.
END = (
    rf"(?={_TAG}|{_ASIDE}|\s+(?:down|up|over|back) (?:in|at|on|by|to|near|from|the|here|there|home"
    rf"|north"
    r"|south|east|west)\b|\s+(?:off and on|on and off|part time|full time|big time|hands down)\b"
    rf"|\s*(?:[{STOP}](?=\W|$)|,|$)|\s+-+\s|\s+(?:and|or|but|so|because|since|which|who"
    rf"|that|when|while"
    r"|if|though|although|as|for|at|with|in|on|near|from|by|to|into|around|over|under|outside"
    r"|through|until|till|after|before|during|without|between|among|every|each|most|once|twice"
    r"|daily|weekly|part-time|full-time|too|also|now|today|tonight|these|right|nowadays|currently"
    r"|online|somewhere"
    r"|here|there|downtown|again|together|alone|instead|mostly|mainly|especially|professionally"
    r"|last|this|next|all|almost|ever|just|only|whenever|regularly|sometimes|often|usually|either"
    r"|essentially|basically|honestly|technically|overall|emphasis|concentration|emphasi[sz]ing"
    r"|speciali[sz]ing|focusing"
    r"|please|myself|himself|herself|ourselves|called|named|whose|where|is|are|was|has|have)\b)"
)
# How much, behind what is liked so: `apples the best`, `rain to bits`.
_DEGREE = (
    r"(?: (?:(?:very |so |too )?much|(?:the )?(?:best|most)|better|more(?! and)|to (?:death|bits"
    r"|pieces)"
    r"|for sure"
    r"|overall|in general|in particular|above all|essentially|basically|a (?:lot|ton|bunch)|alot"
    r"|by far|by (?:a mile|miles)|hands down|any day|big time|rip|without (?:a doubt|doubt"
    r"|question)"
    r"|with a passion|(?:way|a bit|a little) too much|like a lot|to be honest"
    r")|(?<! for)(?<! by)(?<! of)(?<! with)(?<! about)(?<! to)(?<!ing) (?:myself|himself|herself"
    r"|ourselves))"
    rf"(?=\s*(?:[{STOP},]|$)| (?:and|but|because|so|since|when|if|too)\b)"
)
# Where a list or a long phrase ends: before the next clause.
LAST = (
    rf"(?={_TAG}|\s*(?:\.(?![a-z]|\w\.)|[{STOP[1:]}]|$)|\s+-+\s|{_DEGREE}|{_ASIDE}"
    r"|,? (?:but|so|because|since|(?<!ing )which|(?<!ing )who|when|while|if|though|although"
    r"|please|as long as|as well|either|too|just|only|anyway|especially|particularly|most of all)\b"
    rf"|,? (?:(?:right )?now|nowadays|these days|at the moment)(?=\s*(?:[{STOP}]|$))|,? and (?:I"
    r"|my|we|our|he|she|his|her|they|it|has|have|had|is|am|are|was|would|will|can|need|needs|also"
    r"|so|that|there|the|carr\w+|usually|always|never|really|hope|want|wish|love|loves|like|likes"
    r"|hate|hates|live|lives"
    r"|work|works)\b|, (?:I|my|we|he|she|it|they|the|been|always|never|even|such|don['\u2019]?t"
    r"|can['\u2019]?t"
    r"|fight|trust|sorry|thanks|makes?|tastes?|smells?|looks?|feels?|keeps?|reminds?)\b)"
)
_WORD = rf"(?:(?:[A-Z]|St|Dr|Mr|Mrs|Ms)\.(?= [A-Z])|[^\s,{STOP}]+)"
WORDS = rf"{_WORD}(?:,? {_WORD}){{0,9}}?"
# A noun phrase to its end: the shortest that `END` lets stand.
_PLAIN = r"[\w][\w'\u2019&/-]*"
_JOINS = r"(?:in|at|on|for|with|from|and|or|but|to|of|by)"
NOUNS = rf"(?>(?!{_JOINS} ){_PLAIN}(?: (?:of (?:the )?)?(?!{_JOINS}\b){_PLAIN}){{0,5}}?{END})"
ADVERBS = (
    r"(?: (?:really|also|still|just|currently|now|actually|personally|absolutely|definitely"
    r"|severely|very|highly|deathly|terribly|extremely|mildly|quite|both|simply|especially"
    r"|particularly|generally|truly|completely|officially|strictly|so|do|does|both|all|always"
    r"|mostly|mainly|usually|often|regularly|sometimes|only|even|proudly|happily|presently))*"
)
BE = rf"(?:['\u2019](?:m|s|re)| am| is| are){ADVERBS}"
HAVE = r"(?:['\u2019](?:ve|s) got| have| has| have got| has got)"
HAVE_DONE = r"(?:['\u2019](?:ve|s)| have| has)"
BE_DOING = rf"(?:{BE}|{HAVE_DONE} been{ADVERBS})"
"""What stands before a verb in -ing that goes on: `am still`, `have been`."""

# Half a name: `South korea`.
_HALF = r"(?:South|North|East|West|New|San|Los|Las|Santa|St|El|Great|Upper|Lower|Northern|Southern)"
# What has a capital and opens a clause: `from Texas, I love it`.
_NO_PART = (
    r"(?:But|And|So|Or|I|My|We|Our|It|He|She|They|You|The|This|That|Then|Which|Where|How|What)"
)
PLACE = (
    rf"(?:U\.S\.(?:A\.)?|(?:the |(?!{_HALF}(?![\w'\u2019.-]| [A-Z])))(?:Isle of"
    rf" )?{CAPITAL}(?:(?: of"
    rf"| upon| am| de| la)* {CAPITAL})*(?: (?:area|region)\b)?"
    rf"(?:, (?!{_NO_PART}\b){CAPITAL}(?: {CAPITAL})*)?)"
)
# What is written like a place and is none: `I'm from Accounting`, `we moved to Linux`.
_NOWHERE = (
    r"(?!(?:the )?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|IT|HR|PR|Accounting|Accounts"
    r"|Finance|Sales|Marketing|Legal|Support|Customer|Payroll|Procurement|Engineering|Operations"
    r"|Plan|Team|Planet|Future|Church|Army|Navy|Internet|Year|Excel|Slack|Zoom|Teams|Discord"
    r"|Linux|Windows|Mac|Android|Python|Jira|Sesame)\b)"
)
TOWN = rf"{_NOWHERE}{PLACE}"
"""Where somebody is at home: no department, day or program."""
# On what is no island, coast or street one feeds: `I live on Red Bull`.
ON = (
    rf"on(?= (?:the|an?) | (?:{CAPITAL} ){{1,3}}(?:Islands?|Isles?|Street|St|Road|Lane|Avenue"
    r"|Drive|Hill|Coast|Beach|Shore)\b)"
)
SOMEWHERE = rf"(?:(?:an?|the) (?!{CAPITAL})[a-z][^\s,{STOP}]*(?: [a-z][a-z-]+){{0,3}} {_BEYOND} )?"
"""What may stand between a verb of place and the name: `a care home in`."""
_FIRM = rf"{PLACE}(?: (?:&|and) {CAPITAL})?{END}"
# What one works in and is at no place: `in an HR position`.
_NO_SITE = "".join(
    rf"(?<! {it})"
    for it in ("position", "role", "job", "field", "industry", "capacity", "shift", "pace")
)
_SITE = (
    rf"(?!an? (?:{OCCUPATION}{END}|(?:team|group|pair|hurry|rush|living)\b))(?:an?|the|my own"
    rf"|our own|his own|her own) {NOUNS}{_NO_SITE}"
)
AT_WORK = (
    rf"(?:(?: in the [a-z]+(?: department| team)?)?,?(?: from home)?"
    rf" (?:at|for|with) (?:(?P<employer>{_FIRM})|(?P<workplace>{_SITE})))?"
)
AT_SCHOOL = rf"(?: at (?P<school>{PLACE}|(?:an?|the) {NOUNS}(?: in {PLACE})?))?"
FIRM, SITE = _FIRM, _SITE

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b(?:\.(?= ?\d))?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}(?:[./]\d{{2,4}})?"
    rf"|{_DAY}(?: of)? {MONTH}(?:,? \d{{4}})?|(?:the )?{_DAY} of {MONTH}(?:,? \d{{4}})?"
    rf"|{MONTH} (?:the )?{_DAY}(?:,? \d{{4}})?|{MONTH} \d{{4}})"
)
YEAR = r"(?:19|20)\d\d"

_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_WEEKDAY = rf"{_DAY}s?"
_SPAN = (
    rf"(?:day|morning|afternoon|evening|night|week|weekend|month|year|spring|summer|autumn|fall"
    rf"|winter|season|Christmas|Easter|{_WEEKDAY}|{MONTH})s?"
)
OFTEN = (
    rf"(?:(?:every|each|most)(?: (?:single|other|second))? {_SPAN}(?: (?:morning|afternoon"
    rf"|evening|night)s?)?|on (?:{_DAY}s|{_DAY} (?:morning|afternoon|evening|night)s"
    rf"|weekends|weekdays)(?: and {_DAY}s)?|at (?:the )?weekends?|in the (?:mornings|evenings)"
    rf"|(?:once|twice|(?:three|four|five|\d) times) (?:a|per|every) {_SPAN})"
)
"""How often a routine comes round: `every Thursday evening`, `twice a week`.

Of one day the present tells a plan: `I call them on Monday`.
"""

LANGUAGE = (
    r"(?:(?:fluent|some|a little|a bit of|basic|conversational|native) )?"
    r"(?:English|Spanish|Castilian|Catalan|Basque|French|German|Italian|Portuguese|Dutch|Flemish"
    r"|Russian|Polish|Czech|Slovak|Slovene|Croatian|Serbian|Bosnian|Bulgarian|Romanian|Hungarian"
    r"|Ukrainian|Lithuanian|Latvian|Estonian|Turkish|Arabic|Hebrew|Persian|Farsi|Hindi|Urdu"
    r"|Punjabi|Gujarati|Tamil|Telugu|Bengali|Chinese|Mandarin|Cantonese|Japanese|Korean"
    r"|Vietnamese|Thai|Malay|Indonesian|Tagalog|Greek|Albanian|Swedish|Danish|Norwegian|Finnish"
    r"|Icelandic|Irish|Welsh|Gaelic|Swahili|Yoruba|Igbo|Zulu|Afrikaans|Amharic|Latin|Esperanto"
    r"|[Ss]ign [Ll]anguage|BSL|ASL)"
)
_SPECIES = (
    r"dog|cat|puppy|puppie|kitten|parrot|budgie|canary|canarie|cockatiel|rabbit|bunny|bunnie"
    r"|hamster|gerbil|guinea pig|rat|ferret|turtle|tortoise|terrapin|gecko|lizard|iguana|snake"
    r"|horse|pony|ponie|donkey|mule|goat|sheep|cow|pig|alpaca|llama|hen|chicken|duck|goose|geese"
    r"|pigeon|bird|bee|goldfish|fish|axolotl|spaniel|poodle|retriever|terrier|collie|shepherd"
    r"|beagle|dachshund|corgi|pug|bulldog|labrador|husky|whippet|greyhound|mutt|tabby|tomcat"
)
PETS = (
    rf"(?:(?!(?:hot|rubber|toy|stuffed|plush|inflatable|roast|wooden|dead)\b)[A-Za-z-]+"
    rf" ){{0,2}}?(?:{_SPECIES})(?:s|es)?\b"
)
CONDITION = (
    r"(?:(?:type (?:1|2|one|two|I|II) )?diabetes|asthma|celiac disease|coeliac disease|arthritis"
    r"|rheumatoid arthritis|hypertension|(?:high|low) blood pressure|epilepsy|migraines?|eczema"
    r"|psoriasis|ADHD|autism|dyslexia|lupus|osteoporosis|sleep apn(?:o)?ea|insomnia|scoliosis"
    r"|fibromyalgia|endometriosis|hypothyroidism|(?:chronic )?(?:depression|anxiety|back pain"
    r"|kidney disease)|multiple sclerosis|dementia|Alzheimer['\u2019]s(?: disease)?|glaucoma"
    r"|tinnitus|hay fever|an(?:a)?emia|a pacemaker"
    r"|a heart condition|Parkinson['\u2019]s(?: disease)?|Crohn['\u2019]s(?: disease)?|gout|IBS"
    r"|PCOS|vertigo|sciatica|reflux|(?!diagnosis|prognosis|hypnosis|metamorphosis"
    r"|diploma)[a-z]{4,}(?:itis|osis|algia|plegia|philia|oma))"
)
