"""English phrases that predicates are made of: noun phrases, places, dates, names of work.

Patterns are strings, compiled by `re` on first use; all are linear.
"""

from __future__ import annotations

STOP = r".;:!?()\u2013\u2014\u2026\""
"""Marks that end a phrase, for use inside brackets."""

CAPITAL = r"(?:(?:St|Mt|Ft)\. )?[A-Z\u00c0-\u00de][\w'\u2019-]*"
_BEYOND = r"(?:by|in|on|at|near|outside|off)"
# What asks for assent, which chat sets off by nothing: `I can't eat nuts remember`.
_TAG = (
    r",? (?:remember|right|ok(?:ay)?|yeah|innit|huh|eh|(?:you|ya|u) know|lol|btw"
    rf"|tbh|honestly|obviously|tho|though)(?=\s*(?:[{STOP},]|$))"
)
# Where a phrase ends that holds no preposition but `of`.
END = (
    rf"(?={_TAG}|\s*(?:[{STOP}](?=\W|$)|,|$)|\s+-+\s|\s+(?:and|or|but|so|because|since|which|who|that|when|while"
    r"|if|though|although|as|for|at|with|in|on|near|from|by|to|into|around|over|under|outside"
    r"|through|until|till|after|before|during|without|between|among|every|each|most|once|twice"
    r"|daily|weekly|part-time|full-time|too|also|now|today|tonight|these|right|nowadays|currently"
    r"|here|there|downtown|again|together|alone|instead|mostly|mainly|especially|professionally"
    r"|last|this|next|all|almost|ever|just|only|whenever|regularly|sometimes|often|usually"
    r"|please|myself|himself|herself|ourselves|called|named|whose|where|is|are|was|has|have)\b)"
)
# Where a list or a long phrase ends: before the next clause.
LAST = (
    rf"(?={_TAG}|\s*(?:[{STOP}]|$)|\s+-+\s"
    r"|,? (?:but|so|because|since|which|who|when|while|if|though|although"
    r"|please|as well|too|just|anyway|especially|particularly|most of all)\b"
    rf"|,? (?:now|nowadays|these days|at the moment)(?=\s*(?:[{STOP}]|$))|,? and (?:I"
    r"|my|we|our|he|she|his|her|they|it|has|have|had|is|am|are|was|would|will|can|need|needs|also"
    r"|that|there|the|carr\w+|usually|always|never|love|loves|like|likes|hate|hates|live|lives"
    r"|work|works)\b|, (?:I|my|we|he|she|it|they|the)\b)"
)
_WORD = rf"(?:(?:[A-Z]|St|Dr|Mr|Mrs|Ms)\.(?= [A-Z])|[^\s,{STOP}]+)"
WORDS = rf"{_WORD}(?:,? {_WORD}){{0,9}}?"
# A noun phrase to its end: the shortest that `END` lets stand.
_PLAIN = r"[\w][\w'\u2019&/-]*"
_JOINS = r"(?:in|at|on|for|with|from|and|or|but|to|of|by)"
NOUNS = rf"{_PLAIN}(?: (?:of (?:the )?)?(?!{_JOINS}\b){_PLAIN}){{0,5}}?{END}"
A_NOUN = rf"(?:an?|two|three|four|my own|our own|his own|her own|several|some) {NOUNS}"
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

PLACE = (
    rf"(?:U\.S\.(?:A\.)?|(?:the )?(?:Isle of )?{CAPITAL}(?:(?: of| upon| am| de"
    rf"| la)* {CAPITAL})*(?:, {CAPITAL}(?: {CAPITAL})*)?)"
)
SOMEWHERE = rf"(?:(?:an?|the) (?!{CAPITAL})[a-z][^\s,{STOP}]*(?: [a-z][a-z-]+){{0,3}} {_BEYOND} )?"
"""What may stand between a verb of place and the name: `a care home in`."""
_FIRM = rf"{PLACE}(?: (?:&|and) {CAPITAL})?{END}"
_SITE = rf"(?:an?|the|my own|our own|his own|her own) {NOUNS}"
AT_WORK = (
    rf"(?:(?: in the [a-z]+(?: department| team)?)?,?(?: from home)?"
    rf" (?:at|for|with) (?:(?P<employer>{_FIRM})|(?P<workplace>{_SITE})))?"
)
AT_SCHOOL = rf"(?: (?:at|in) (?P<school>{PLACE}|(?:an?|the) {NOUNS}(?: in {PLACE})?))?"
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

_TRADE = (
    r"(?:nurse|captain|doctor|physician|surgeon|chef|cook|pilot|vet|judge|butcher|tailor|plumber|clerk"
    r"|coach|guard|host|guide|aide|attorney|architect|mechanic|apprentice|executive|representative"
    r"|student|professor|actress|waitress|seamstress|midwife|housewife|detective|paralegal"
    r"|paramedic|veteran|accountant|assistant|consultant|attendant|sergeant|lieutenant|agent"
    r"|conductor|director|editor|actor|author|tutor|doctor|contractor|counsel+or|instructor"
    r"|inspector|investor|translator|operator|administrator|coordinator|illustrator|animator"
    r"|curator|solicitor|auditor|realtor|sculptor|pastor|tailor|sailor|diplomat|barista"
    r"|analyst|[a-z]+(?:smith|wright|keeper|maker|monger|herd|hand|fighter)|au pair"
    r"|[a-z]*(?:man|woman)(?<!\bwoman)(?<!\bman)(?<!human)|CEO|CTO|CFO|COO|VP|GP|MD|DJ|nanny"
    r"|priest|monk|nun|rabbi|imam|chemist|[a-z]{3,}(?:ist|ician|arian|grapher|ologist|ographer)"
    r"|[a-z]{2,}(?:eer|ier|ner|yer|der|ter|ker|ger|ser|cer|per|mer|ver|cher|ther|her|ler|fer|rer"
    r"|ster))"
)
# What ends like a trade and is none.
_NO_TRADE = (
    r"(?:lover|believer|member|owner|beginner|loser|winner|newcomer|partner|sister|brother|mother"
    r"|father|daughter|master|monster|killer|sucker|stranger|outsider|disaster|sleeper|riser"
    r"|eater|drinker|smoker|thinker|dreamer|learner|reader|viewer|listener|follower|subscriber"
    r"|user|customer|buyer|voter|neighbou?r|sinner|quitter|fighter|survivor|starter|supporter"
    r"|hoarder|spender|saver|talker|walker|runner|swimmer|hiker|skier|biker|cyclist|gamer|chatter"
    r"|teenager|youngster|foreigner|villager|islander|southerner|northerner|westerner|easterner"
    r"|later|better|other|another|rather|over|under|never|ever|after|either|whether|together"
    r"|loner|joker|poser|hater|cheater|insider|rider|per|her|tired?er|closer|older|younger|bigger|smaller|fewer|number|matter|order|letter"
    r"|perfectionist|optimist|pessimist|realist|idealist|minimalist|feminist|pacifist|racist"
    r"|sexist|narcissist|introvert|tourist|leftist|activist|humanitarian|vegetarian"
    r"|librarian(?= at heart)|keeper|stickler|goner|bummer|wanderer|planner|sharer|hugger|crier"
    r"|worrier|overthinker|procrastinator|troublemaker|star|bookworm|human|drifter|prisoner)"
)
# A judgement of how well somebody does it, which tells no trade.
_JUDGED = (
    r"(?:good|bad|great|terrible|awful|decent|poor|horrible|lousy|fast|slow|quick|big|huge|proud"
    r"|real|true|total|complete|bit|better|best|worse|worst|amazing|excellent|mean|lazy|early|late"
    r"|heavy|light|deep|sore|born|natural|slow|strong|nervous|careful|reckless|picky|fussy|bit of"
    r"|great|little|such|messy|only|first|second|third|single|perfect|pretty|crazy|die-hard)"
)
OCCUPATION = rf"(?!(?:[\w-]+ ){{0,2}}?{_JUDGED}\b)(?:[A-Za-z-]+ ){{0,3}}?(?!{_NO_TRADE}\b){_TRADE}"

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
PETS = rf"(?:[A-Za-z-]+ ){{0,2}}?(?:{_SPECIES})(?:s|es)?"
CONDITION = (
    r"(?:(?:type (?:1|2|one|two|I|II) )?diabetes|asthma|celiac disease|coeliac disease|arthritis"
    r"|rheumatoid arthritis|hypertension|(?:high|low) blood pressure|epilepsy|migraines?|eczema"
    r"|psoriasis|ADHD|autism|dyslexia|lupus|osteoporosis|sleep apn(?:o)?ea|insomnia|scoliosis"
    r"|fibromyalgia|endometriosis|hypothyroidism|(?:chronic )?(?:depression|anxiety|back pain"
    r"|kidney disease)|multiple sclerosis|glaucoma|tinnitus|hay fever|an(?:a)?emia|a pacemaker"
    r"|a heart condition|Parkinson['\u2019]s(?: disease)?|Crohn['\u2019]s(?: disease)?|gout|IBS"
    r"|PCOS|vertigo|sciatica|reflux|[a-z]{4,}(?:itis|osis|algia|plegia|philia|oma))"
)
