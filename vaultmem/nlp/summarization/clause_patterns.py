"""Where English clauses begin and end, and which of them cannot stand alone: the patterns.

They are compiled by `re` on first use, for the sake of commands that never summarize.
"""

from __future__ import annotations

from vaultmem.nlp.text.stopwords import words

OPENING = (
    r"(?i)(?:(?:yeah|yes|yep|yup|no|nah|well|so|oh|wow|whoa|hey|hi|aww?|ah|hmm|actually"
    r"|anyways?|also|and|plus|btw|by the way|in the meantime|in other news|lol|haha|hah"
    r"|honestly|to be honest|guess what|besides|likewise|good news|great news|definitely"
    r"|absolutely|totally|exactly|sure|thanks|thank you|of course|agreed|for sure|luckily"
    r"|recently|lately|thankfully|fortunately|unfortunately|sadly|turns out|as you know"
    r"|you know(?: what)?"
    r"|speaking of \w+|on (?:another|a different) note|glad you \w+ (?:it|that)"
    r"|sounds \w+|o+h+|so{2,}|ok(?:ay)?)(?: ?[,:;!\u2013\u2014-]+ *"
    r"| +(?=(?:(?:oh|ok|okay|so|and|btw|also|well|yeah) )*"
    r"(?:(?:I|we|my|our)|(?!need)\w{3,}ed)\b)))+"
)
BORDER = (
    r"\s*[,;]?\s+(?:and|plus|so|then|and then|and so)\s+(?=(?:I|we)(?:['\u2019]\w+)?\s)"
    r"|\s*,\s+(?=(?:I|we)(?:['\u2019]\w+)?\s)|\s*;\s+|\s+[-\u2013\u2014]+\s+|\s*\u2014\s*"
    r"|(?<=[a-z])-\s+(?!(?:and|or)\b)"
)
# What may go from a clause's end: it explains or comments, and does not turn what stands before.
TAIL = (
    r"\s*,\s+(?:which|who|where|while|whereas|so|and (?:it|that|they|she|he|this|there)|it"
    r"|that|they|this|she|he)\b|\s*,?\s+(?:because|(?<!the )(?<!a )'?cause|since|so that"
    r"|as (?:I|we|it|they)"
    r"|so (?:I|we|it|they|that|he|she|you)|and (?:it|they|she|he|that"
    r"|this)(?:['\u2019]\w+)?)\s|\s*,?\s+and (?=(?:am|was|is|are|were|feel|felt|love|loved)\b)"
)
# What is said behind these words is no fact of the speaker's.
_SAYING = (
    r"(?:says?|said|saying|claim(?:s|ed)?|thinks?|thought|believe[sd]?|tells?|told|writes?|wrote"
    r"|dream(?:s|ed|t)?|imagin(?:e|es|ed)|pretend(?:s|ed)?|swears?|swore|assum(?:e|es|ed)"
    r"|suppos(?:e|es|ed)|lie[sd]?|lying|joke[sd]?|heard?|rumou?rs?)"
)
_OPEN = (
    r"(?:we(?:['\u2019]?ll| will| shall) (?:just )?(?:have to )?(?:wait and )?see"
    r"|let['\u2019]?s (?:just )?(?:wait and )?see|time will tell|who knows)"
    r"(?=\W*$| (?:how|if|whether|what|about|when)\b)|fingers (?:are )?crossed"
    r"|tentative(?:ly)?|tbd|tbc"
)
# What leaves open what the sentence before it said: `I join Siemens in Berlin. We'll see.`
LEFT_OPEN = (
    r"(?i)^\W*(?:(?:but|and|so|well|ok|okay|anyway|still|it['\u2019]?s|it is|that['\u2019]?s"
    r"|this is|all|(?:I['\u2019]m )?keeping my|just|I guess|I am|I['\u2019]m)[,. ]+)*"
    rf"(?:(?:{_OPEN})\b|not (?:quite |really )?(?:sure|certain|final|confirmed|fixed)(?: yet)?\W*$"
    r"|nothing(?: is|['\u2019]s)? (?:signed|sure|certain|final|fixed|decided|confirmed|official))"
)
# What follows one of these may turn the meaning of what stands before, and so may a negation.
TURN = (
    r"(?i)\b(?:not|no|never|none|nothing|nobody|neither|nor|without|unless|except|but|if|until"
    r"|however|yet|although|though|instead|only|hardly|barely|failed|false|wrong|unlikely"
    r"|cannot|joke|joking|kidding|dream(?:ed|t|ing)?|lies?|lied|mistake|fraud|fake|hoax|prank|scam"
    r"|rumou?rs?|woke|should|would|ought|used to|wait|mean|sorry|rather|correction|cancel+ed"
    r"|declined|refused|returned|regret(?:ted)?|cleared|maybe|perhaps|probably|possibly"
    r"|allegedly|supposedly|apparently|hopefully|(?:in )?theory|according|depend(?:s|ed|ing)"
    r"|pending|undecided|deciding|decide|option|idea|guess|reckon|almost|nearly)\b|n['\u2019]t\b"
    rf"|\b(?:{_OPEN})\b|\b{_SAYING}$"
    r"|\b(?:so to speak|as it were|told (?:me|us)|seems?|hopes?|looks? like)\W*$"
    r"|\b(?:do|does|did|is|was|are|were|have|has|had|wo|would|could|should|ca|ai)nt\b"
)
TURNING = (
    r"(?i)\s*[,;\u2013\u2014-]*\s*(?:but|however|yet|although|though|except|unless|until|if|or"
    r"|instead|not|just kidding|I mean|sorry|wait|correction|or rather)\b"
)
# What stands behind these may be hoped, feared, meant or said with it: `I hope I pass, and I move`.
SCOPE = (
    r"(?i)\b(?:hop(?:e|ed|ing)|fear(?:ed)?|afraid|suppos(?:e|ed)|believ(?:e|ed|es)|think|thought"
    r"|guess|doubt(?:ed)?|imagined?|pretend(?:ed)?|wish(?:ed)?|worr(?:y|ied)|told|said|say|says"
    r"|claim(?:s|ed)?|dream(?:ed|t)?|not true|rumou?r|what if|suspected|accused|offered"
    r"|(?:need|needed|have|had|want|wanted|plan|planned|planning|going|about|meant|was|were) to(?= "
    r"[a-z]))\b"
)
# What undoes what was said before: `I was diagnosed in May; it was a mistake`.
AFTERMATH = (
    r"(?i)\b(?:mistake|error|mix-up|cancel+ed|declined|refused|turned (?:it|that|them) down"
    r"|called off|fell through|backed out|changed my mind|cleared|regret(?:ted)?|returned|undid"
    r"|gave (?:it|that|them) back|took (?:it|that) back)\b"
)
# `as soon as I sell`, `Graz, wait, it was Linz`: no tail begins behind these.
GOES_ON = r"(?i)\b(?:soon|long|well|much|many|far|good|wait|sorry|mean)$"
# `I read so I can write better`: what for.
PURPOSE = r"(?:I|we) (?:can|could|do ?n['\u2019]t|wo ?n['\u2019]t)\b"
REPORT = rf"(?i)\b(?:{_SAYING}|a lie|the following)\W*$|\b(?:says?|said|claim(?:s|ed)?) that\b"
# `I moved to Oslo, they say`: from others, or not so.
HEARSAY = (
    rf"(?i),\s*(?:(?!I\b)[\w'\u2019]+ ){{1,2}}{_SAYING}(?: so)?$|,\s*{_SAYING} (?!I\b)\w+(?: \w+)?$"
    r"|\b(?:rumou?r|story|legend) (?:goes|has it)\b|\b(?:allegedly|supposedly|in my dreams?)\b"
)
# After these it was not so; a wish leaves it open.
TAKEN_BACK = (
    r"(?i)\b(?:woke up|(?:made|making) (?:that|it|this|all) (?:all )?up|(?:am|was|['\u2019]m) "
    r"(?:just |only )?(?:joking|kidding|lying|dreaming)|lied|a lie|not true"
    r"|(?:so )?the (?:rumou?r|story) goes|they (?:say|said|claim))\b"
)
WISH = (
    r"I (?:dream|wish|imagine)\b|I (?:think|guess|hope|suppose|believe|reckon|assume)(?: so)?\W*$"
)
CONDITION = (
    r"(?i)(?:if|unless|although|though|even if|even though|suppose|imagine|had I|were I"
    r"|whether|not only|either|neither)\b"
)
CLAUSE_OPENER = (
    r"(?i)\b(?:if|when|whenever|unless|although|though|once|since|while|because|as|before"
    r"|after|after all|until)\b"
)
OTHER = r"(?i)\b(?:you|your|yours|yourself|you['\u2019]\w+|ya|y'all|let['\u2019]?s|us both)\b"
REACTION = (
    r"(?i)(?:\w+ years older$|(?:I(?:['\u2019]m| am)|I) (?:so |really |super |very |also "
    r"|totally |just "
    r"|definitely )*(?:glad|happy (?:for|to hear|that)|sorry|proud of|excited (?:for"
    r"|to (?:hear|see))|hear\b|show\b|agree|bet|know\b|guess|see\b|understand|get it|appreciate"
    r"|hope|wish|thank|promise|can['\u2019]?t wait|could(?:n['\u2019]t)? (?:agree|imagine)|can "
    r"imagine|mean\b|swear|believe|admire|envy|wonder|'ll let|will let)|(?:that|it|this)\b"
    r"|(?:I )?(?:do|did|ca|could)n['\u2019]t (?:even |really )?(?:think|know|remember|recall"
    r"|believe|see|mean|mind|care|tell|understand|get)\b"
    r"|(?:I )?(?:just )?(?:like|love|hate) the (?:fact|idea|way|thought)\b"
    r"|not\b|for (?:instance|example)\b|thanks|thank"
    r"|(?:I )?(?:probably|perhaps|maybe)\b"
    r"|my (?:pleasure|bad|goodness|gosh|god|heart goes)|our friendship"
    r"|the (?:best|more|only) )"
)
PLATITUDE = (
    r"(?i)\b(?:means? (?:a lot|so much|everything|the world)|priceless|makes sense"
    r"|never give up|keep (?:going"
    r"|pushing|at it|it up)|make a difference|take a look|check (?:it|this|that) out|here's"
    r"|so proud|what matters|no matter what|at the end of the day|here for"
    # What somebody says to cheer themselves on, and that they are well.
    r"|keep(?:ing)? (?:on )?(?:believing|dreaming|chasing|fighting|trying|moving forward)"
    r"|(?:won['\u2019]?t|will not|never|not (?:going to|gonna)) (?:quit|give up|stop"
    r"|back down)(?! (?:my|smoking|drinking|eating|using)\b)"
    r"|(?:quit|giv(?:e|ing) up) on my dreams?|motivates me"
    r"|stay(?:ing|ed)? (?:positive|strong|focused|determined|motivated|optimistic|calm)"
    r"|no matter how|fills? me with|feeling of gratitude"
    r"|since we (?:last )?(?:talked|spoke|chatted)"
    r"|(?:completely|totally|perfectly) content|re\w?com+end \w+ing)\b"
)
# Whom `her` or `him` may mean.
SOMEBODY = (
    r"\b(?:[Mm]y|[Oo]ur) \w+|(?:^|(?<=[\w,] ))[A-Z][a-z]+"
    r"|\b(?:an?|the|this) (?:\w+ )?(?:wom[ae]n|man|girl|boy|friend|lady|guy|person|kid|child"
    r"|colleague|neighbou?r|teacher|doctor|student|client|customer|cat|dog|puppy|kitten)\b"
)
# Where somebody went or is: what `there` may stand for.
PLACE = (
    r"(?i)\b(?:in|at|to|from|near|through|around|visit(?:ed|ing)?|explor(?:ed|ing)) "
    r"(?:(?:the|an?|my|our|this) )?\w+"
)
HANGING = (
    r"(?i)\b(?:he|she|him|her|hers|they|them|their|theirs|it|its|here|those|these|ones"
    r"|one(?=$|[,.]| (?:is|was|has|of|and|but|with|for|to|in|on|at|that|which"
    r"|because|['\u2019]?cause)\b)"
    r"|some(?=$|[,.]| (?:to|for|in|on|at)\b)|a few(?: more)?(?=$|[,.]| (?:in|on|at|to|for)\b)"
    r"|there"
    r"|another|both|same|such|did too|do too|(?:this|that)(?!\s+(?:I|we|my|our|the|a|an|week"
    r"|weekend|month|year|summer|winter|spring|fall|autumn)\b))\b"
)
# What a pronoun can stand for: `my book`, `books`, `Oslo`.
THING = (
    r"\b(?:[Tt]he|[Aa]n?|[Mm]y|[Oo]ur|some|two|three|new|these) \w{3,}|\w{2,}(?<!s)s\b"
    r"|(?<=\s)[A-Z]\w"
)
MANY = r"(?i)(?:they|them|their|theirs|those|these|ones)\b"
THINGS = (
    r"(?i)\b(?!says|is|was|has|does|this|always|needs|wants|gets|makes|takes|goes|us|yes|knows"
    r"|asks|thinks)\w{2,}(?<!s)s\b|\band\b|\b(?:some|two|three|four|many|people|kids|all)\b"
)
POINTING = (
    r"(?i)\b(?:about|of|like|for|in|on|at|with|to|from|by|than|is|was|do|did|love|loved|see"
    r"|saw|got|get|doing|after|before|during|over|around) (?:this|that|those"
    r"|these)\b(?!\s+(?:I|we|week|weekend|month|year|summer|winter|spring|fall|autumn|morning"
    r"|time)\b)|(?i:\b(?:about|for|of|with|from|on|to|into|at|in) it$)"
)
# `painted that lake` showed a picture; in a note it is the lake.
SHOWN = (
    r"\b(bought|built|wrote|found|drew|made|read|took|saw|got|painted|crafted|visited|watched"
    r"|own|tried|sold|across) (?:this|that) (?=[a-z])(?!(?:after|before|when|for|with|in|on|at"
    r"|and|as|because|is|was|to|so|one|about|while)\b)"
)
RELATIVE = (
    r"(?i)\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this|past|the "
    r"other) (?:few )?(?:night|morning|week|weekend|month|year|day|time|spring|summer|autumn"
    r"|fall|winter|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov"
    r"|dec)\w*|ago|earlier|right now|so far|(?:day|week|weekend|month|year)s? (?:later|after"
    r"|before))\b|(?<!every )(?<!each )(?<!\ba )"
    r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b(?! \d)"
    r"|\bif I could\b"
    r"|\b(?:this|that|these|those)(?:$|[,.]| and\b)"
)
SUBJECT = r"I(?P<short>['\u2019](?:m|ve|ll|d|re)|m)?\s+(?:am\s+)?"
FILLERS = (
    r"(?i)(?<![\w-])(?<!not )(?<!n't )(?:just|really|actually|definitely|totally|absolutely"
    r"|super|literally|honestly|basically|truly|obviously|kinda|also|so much|such|incredibly"
    r"|very) (?!as |because |in case |that |far |friends|if |much |good at|if )"
)
WOULD = r"(?:love|like|rather|be|prefer|never|definitely|enjoy|say|also|really|want)\b"
# A name, or several, and what is said of them.
NAMED = (
    r"[A-Z]\w+(?: and [A-Z]\w+| [A-Z]\w+)*(?:(?: (?:is|are|was|were|has|have|had|will|can"
    r"|[a-z]+ed|[a-z]+s)|['\u2019]s (?:a|an|the|my|our|been|not|\w+ing|\w+ed))\b|, my \w+)"
)
# Who says these without a subject may speak of the other, or bid the other do it.
FIRST = r"(?:I|we|my|our)\b"
OF_ALL = (
    r"(?i)\b(?:is|are|was|were|must|can|could|will|would|makes?|helps?|brings?|has|have"
    r"|\w+['\u2019]s)\b"
)
# Of which not the speaker is the subject: `gonna be a great night`, `been a busy week`.
OF_IT = (
    r"(?i)(?:(?:gonna|going to) be (?:an? |so |the |such )?(?:\w+ )?(?:night|day|week|weekend"
    r"|event|party|time|year|show|fun|blast|great|good|awesome|amazing)\b"
    r"|(?:staffed|increased|decreased|covered"
    r"|included|reduced|limited|based|located|rated|priced|capped|required|billed|filled|listed"
    r"|claimed"
    r"|usually|typically|normally|takes|runs|expired|(?:costs?|price|total|fee) (?:is|are|was)"
    r"|measured|approaching|targeting|depending|including|assuming|according)\b"
    r"|been (?:ages|a while|forever|(?:an? |some |such an? )?(?:\w+ )?(?:day|week|weekend|month"
    r"|year|time|while|ride|journey)s?\b)|\w+ing (?:but|and|yet) \w+(?:ing|ed|ful)?$"
    r"|(?:seeing|hearing|watching|feeling|knowing|being)\b(?!.* (?:\w+s|\w+ed) (?:me|us)\b))"
)
OWN = r"(?i)\b(?:my|me|I|our|myself)\b"
JUDGED = r"(?i)\b(?:sounds?|looks?|seems?|must (?:be|have|feel))\b"
BIDS = frozenset({"cut", "hurt", "quit", "read"})
# Nor is what one does by talking.
NO_DEED = words(
    "amazing anything everything exciting nothing something speaking talking asking saying telling"
    " referring wondering joking kidding chatting typing guessing"
)
ELLIPTIC = (
    r"(?i)(?:been|gonna|going|planning|looking|thinking|working|hoping|trying|lost|took|got|had"
    r"|made"
    r"|saw|went|met|did|(?:just|finally|recently|currently),? (?:\w+ing|\w+ed|got|had|made|went|met"
    r"|took|lost|saw|bought|found|won))\b"
)
NOUNY = (
    r"(?i)(?:the|a|an|one of|last|this|yesterday|today|every|on|in|at|after|before|when|since"
    r"|until|under|without|sometimes|usually|often|rarely"
    r"|during|some|two|three|four|five|six|both my|me and|as a|for|there (?:is|are|was|were)"
    r"|there['\u2019]s)\b"
)
VERB = (
    r"(?i)\b(?:is|are|was|were|am|has|have|had|will|can|could|would|should|do|does|did|love"
    r"|(?<!, )like|want|need|plan|hope|go|keep|live|work|think|started|means?|helps?|makes?|said"
    r"|says|enjoy|play|use|prefer)\b|['\u2019](?:re|ve|ll|m|d)\b|\w['\u2019]s (?:been|a|an|the|my"
    r"|our|so|not|going|\w+ing|\w+ed)\b"
)
SUBORDINATE = r"(?i)(?:when|since|after|before|while|during)\b"
FIRST_PERSON = r"(?:I|[Ww]e)\b"
# `the shelter I volunteer at yesterday`: the day is not where.
PLACED = r"\b(at) (?=\d{4}-\d\d)"
# Years that are counted from the day of speaking, as a note under that day says them.
YEARS = (
    (r"(?i)\blast year\b(?!['\u2019])", "the year before"),
    (r"(?i)\bnext year\b(?!['\u2019])", "the year after"),
    (r"(?i)(?<=\byear )ago\b|(?<=\byears )ago\b", "before"),
)
# What no note has: markup, and what was broken off.
ODD = (
    r"[?\[\]|`\u2026]|\.\.\.|n['\u2019]t (?:I|we|it|they|he|she)$"
    r"|, (?:yes|no)$|\bmore like$|\bdo(?:es)? (?:during|when|after|before)\b"
)
# What describes a thing, and is no verb of it: `a two-car attached garage`.
OF_THINGS = words(
    "advanced assisted attached based certified combined detailed detached expedited fixed limited"
    " related unlimited used"
)
# The day in front of a note says it.
TODAY = (
    r"(?i),? (?<!of )(?<!for )(?<!until )(?<!since )(?<!from )(?<!by )(?<!to )today\b(?!['\u2019])"
)
# Opens what states something of a thing, where a verb and a name or a figure follow.
STATED = (
    r"[A-Z][\w'\u2019]+ (?:\w+ ){0,3}?(?:is|are|was|were|has|have|had|costs?|will|needs?|wants?"
    r"|says|takes|starts)\b"
)
# Whom these stand for only an opening name or relative tells.
THIRD = r"(?i)\b(?:he|she|him)\b"
RELATED = r"(?:[Mm]y|[Oo]ur|[A-Z][a-z]+) "
# `for bathroom work` has no verb.
FOR_ALONE = r"(?i)for\b(?!.*\b(?:I|we|my|our|is|are|was|were|has|have|had|will|can)\b)"
CAME = frozenset({"came", "agreed", "said", "called", "asked", "wants", "says", "needs"})
WITH_ME = r"[Mm]y (?:\w+ ){1,2}and I\b"
# What opens or ends a clause and says nothing in a note.
TRIMMED = (
    r"(?i)^(?:even|then|now) (?=\w+(?:ed|ing)\b|found\b|got\b)"
    r"|,? (?:there|though|tho|too|btw|lol|haha|as well)$"
)
# What a line of notes would take for the day of the note.
DATE_LEAD = r"^([A-Z][a-z]+ \d{1,2}(?:, \d{4})?): "
