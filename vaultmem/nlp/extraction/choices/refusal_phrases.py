"""The turns of phrase that rule something out, and say why: in English and Chinese.

Each has an `approach` and a `why`. Like all cues they are linear, and compiled on first use.
"""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

from vaultmem.nlp.extraction.talk.cue_phrases import REASON
from vaultmem.nlp.text.stopwords import words

_GONE = (
    r"(?:(?:is|are|was|were|['\u2019]s|['\u2019]re|has been|have been|got) (?:\w+ ){0,2}?"
    r"(?:sold out|out of stock|unavailable|discontinued|deprecated|cancel(?:l)?ed|withdrawn"
    r"|fully booked|booked out|closed(?: down)?|bankrupt|gone|dead|end[- ]of[- ]life"
    r"|not (?:available|supported|sold|made|delivered|in stock|to be had))"
    r"|(?:is|are) no longer (?:available|supported|sold|made|maintained|on sale)"
    r"|fell through|went bankrupt|cannot be had|can['\u2019]t be (?:had|delivered))\b"
)
# As in `The Ferro is sold out, so ...`: what cannot be had any more.
UNAVAILABLE = rf"(?i)^(?P<approach>(?:[^,;.:?!]|[.](?=\w)){{2,50}}?) (?P<why>{_GONE}.*)"

_NP = r"(?P<approach>[^\s,;.:?!][^,;:?!]{0,70}?)"
_START = (
    r"(?:^|[,;:\u2013\u2014]\s*|[.]\s+|\b(?:but|and|because|that|as|since|though|although|so"
    r"|found)\s+)"
)
_REFUSED = (
    r"(?:(?:hits?|hit|ran into|runs into|exceeds?|exceeded|gets?|got) "
    r"(?:(?:the|our|its|their|a|api|strict|daily|hourly)\s)*rate[ -]?limit"
    r"|(?:is|was|are|were|got|gets|being) (?:constantly |always |heavily )?rate[ -]?limited"
    r"|(?:did(?:n['\u2019]t| not)|does(?:n['\u2019]t| not)|do(?:n['\u2019]t| not)"
    r"|won['\u2019]t|will not|never) "
    r"(?:really |actually )?(?:work(?:s|ed)?(?! (?:out )?(?:for|at|there|today|on|in))|scale"
    r"|help here)\b"
    r"|(?:is|was|are|were|would be|proved|turned out|turns out to be) "
    r"(?:just |simply |far |way |much |still )?too "
    r"(?:slow|expensive|costly|complex|complicated|fragile|brittle|heavy|risky|flaky"
    r"|memory-hungry)\b"
    r"|(?:keeps? |kept )?tim(?:es|ed|ing) out\b|(?:runs?|ran) out of memory\b|deadlock(?:s|ed)\b"
    r"|(?:is|was|are|were) (?:not an option|out of the question|a dead end|off the table"
    r"|no good(?! at\b)"
    r"|ruled out|rejected|discarded|a no-go|infeasible|not feasible|not viable)\b"
    r"|(?:isn['\u2019]t|wasn['\u2019]t|aren['\u2019]t) (?:an option|feasible|viable"
    r"|going to work)\b)"
)
# What one person is not able to use is no choice: `I can't use a clutch`.
_DROP = (
    r"(?:\b(?:we|i|they|he|she|team) (?:have |had |also |already |finally |therefore |'ve )*"
    r"(?:ruled out|rule out|(?<!they )(?<!he )rejected|abandoned|gave up on|decided against"
    r"|discarded|scrapped"
    r"|(?:(?<!\b[Ii] )can(?:no|['\u2019])t|won['\u2019]t|will not|don['\u2019]t want to|do not"
    r" want to"
    r"|must not) use"
    r"|decided (?:not to (?:use|take|buy|go (?:with|for))|to (?:drop|scrap|abandon|stop using)))"
    r"|^(?:ruled out|rejected|abandoned|decided against|ruling out)|\bno longer using"
    r"|\bstopped using):?"
)
# What says of something tried that it was no good, and forbids to try it again.
_FAILED = (
    r"(?:n['\u2019]t (?:really |actually |even )?(?:work|help|scale|hold|fit|last|suffice"
    r"|pay off|go"
    r"|make (?:a|any) difference|survive|compile|converge)|\bno (?:luck|effect|difference|good)\b"
    r"|\bnever (?:worked|finished|converged|came up)|\bin vain\b|\bfail(?:s|ed|ing|ure)?\b"
    r"|\berrors?\b|\bcrash|\btoo (?:slow|expensive|costly|complex|complicated|fragile|brittle|heavy"
    r"|risky|flaky|noisy|unreliable)\b|\btim(?:es|ed|e|ing)[- ]?outs?\b|\brate[- ]?limit"
    r"|\b(?:hangs|hung(?! an?\b)|leaks?|leaked|stalls?|stalled|deadlock\w*|corrupt\w*|flaky"
    r"|unreliable)\b|\b(?:breaks|broke|blocks|blocked|loses|lost) (?:the|our|its|all|every|half"
    r"|data|jobs|messages|connections|state|rows)\b"
    r"|\bruled (?:it |that |this |them )?out\b|\b(?:rejected|abandoned|discarded|dropped)\b"
    r"|\bgave (?:it |that )?up\b|\bdead end\b|\bwaste of\b|\bworse\b)"
)
_FORBIDDEN = (
    r"(?:\b(?:do not|don['\u2019]t|never|let['\u2019]s not|(?:we )?(?:should|must) not"
    r"|(?:we )?(?:should|must)n['\u2019]t|not to|no need to) (?:\w+ )?"
    r"(?:re-?try|re-?tried|try|tried|repeat|repeated|revisit|go there|do (?:it|that) again"
    r"|re-?explore|use (?:it|that)|bother)\b|\b(?:not|never) again\b)"
)
# What may stand before the reason: `ruled out because the proxy is slow`.
VERDICT = (
    r"(?i)\W*(?:(?:and|so|we|i) )*(?:ruled (?:it |that |them )?out|(?:rejected|dropped|abandoned"
    r"|discarded|scrapped)(?: it| that| them)?|gave (?:it |that )?up)(?: again)?"
)
_WENT_WELL = (
    r"(?:\b(?:no|without|zero|fewer) (?:\w+ )?(?:errors?|failures?|crash\w*|issues?|problems?)\b"
    r"|\b(?:fix|fixes|fixed|solves?|solved|fun|loved?|great|perfect|passes|any ?more|no longer)\b"
    r"|n['\u2019]t (?:crash|fail|hang|leak|break|time out))"
)
ELIMINATED = (
    # As in `Not Redis, because it needs a server`.
    (
        words("not"),
        (
            r"(?i)^(?:no,? )?not (?!(?:sure|only|just|really|yet|all|always|every"
            r"|that)\b)(?P<approach>[^,;:.?!]{2,60}?)(?:\s+(?:because|since)"
            r"|(?:[,;:]|\s+[-\u2013\u2014]+)\s+(?:because|since|as|it))\b\s*(?P<why>.{3,})"
        ),
    ),
    # As in `We ruled out Redis because it needs a server`.
    (
        words("ruled rule ruling rejected abandoned gave decided discarded scrapped use using"),
        (
            rf"(?i){_DROP}\s+(?P<approach>[^,;.?!]{{2,70}}?)(?P<why>(?:{REASON[4:]}).+|$|[,;]\s.*"
            rf"|[.!?].*$)"
        ),
    ),
    # As in `We tried polling, but it was too slow`.
    (
        words("tried"),
        (
            r"(?i)\b(?:we|i) (?:also |already |first |even |have |'ve )*tried "
            r"(?:using |out |to use )?(?!to )"
            r"(?P<approach>[^,;.?!]{2,60}?)(?:,| -| \u2014|;)?\s+(?:but|and|however,?|which)\s+"
            r"(?P<why>(?=.*(?:n['\u2019]t|\bnot\b|\btoo\b|fail|error|crash|slow|broke|timed|limit"
            r"|hang|hung)).+)"
        ),
    ),
    # As in `We tried polling, it causes rate limiting, don't retry`.
    (
        words("tried trying"),
        (
            r"(?i)(?:^|\b(?:we|i|they) )(?:also |already |first |even |have |had |'ve |just )*"
            r"(?:tried|trying) (?:using |out |to use "
            r"|with )?(?!to )(?P<approach>[^,;:.?!\u2013\u2014]{2,60}?)"
            r"(?:[,;:]| -| ?[\u2013\u2014])\s*(?:and |but )?"
            rf"(?P<why>(?=.*(?:{_FAILED}|{_FORBIDDEN}))(?!.*{_WENT_WELL}).+)"
        ),
    ),
    # As in `We looked at Orbis, but it charges per seat, so we're not doing that`.
    (
        words("looked considered thought"),
        (
            r"(?i)\b(?:we|i) (?:also |first )?(?:looked (?:at|into)|considered|thought about)"
            r" (?P<approach>[^,;:.?!]{2,50}?)(?: too| as well)?,? but (?P<why>[^.;?!]{3,80}?)"
            r"(?=,? so (?:we|i)(?:['\u2019](?:re|m)| are| am)? (?:not|won['\u2019]?t)\b)"
        ),
    ),
    # As in `Let's drop the heat pump, the radiators are too small`.
    (
        words("let lets"),
        (
            r"(?i)\blet['\u2019]?s (?:just |better |rather |then )?(?:drop|scrap|ditch|abandon"
            r"|discard"
            r"|rule out|give up on|leave out|stop using|not (?:use|go (?:with|for)|take|buy|pick))"
            r" (?!(?:by|off|in|out|down|over|back|everything|anything|work|school|class|sleep"
            r"|(?:the|our) (?:subject|topic|matter|formalities|prices?|ball|act|kids))\b)"
            r"(?![^,;:]* (?:at|off)\b)(?P<approach>[^,;:.?!\u2013\u2014]{2,60}?)"
            rf"(?P<why>(?:{REASON[4:]}).+|[,;:]\s(?!(?:then|and|or|so|please|ok)\b).+"
            r"|\s+[-\u2013\u2014]+\s.+)"
        ),
    ),
    # As in `Let's not rent a car because the tolls are too high`.
    (
        words("let lets"),
        (
            r"(?i)\blet['\u2019]?s not (?P<approach>(?!(?:forget|worry|fight|argue|talk|panic"
            r"|rush|be"
            r"|start|do|say|think|even|get|pretend|kid|jump|bother|go there)\b)[a-z]+ "
            rf"[^,;:.?!\u2013\u2014]{{2,60}}?)(?P<why>(?:{REASON[4:]}).+|:\s(?:the|it|we|our)\b.+)"
        ),
    ),
    # As in `The public API hits rate limits`.
    (
        words(
            "rate limited work works worked working scale help too times timed timing keeps out "
            "deadlocks"
            " option question dead table good ruled rejected discarded go feasible infeasible "
            "viable"
        ),
        rf"(?i){_START}{_NP} (?P<why>{_REFUSED}.*)",
    ),
)
# Behind what was given up: chat, and when that was.
TRAILING = (
    r"(?i)[ ,]+(?:btw|tho|lol) .*$"
    r"|[ ,]+(?:btw|by the way|lol|tho|though|anyway|too|again|for now|back then|yesterday"
    r"|in the end|after all|of course|to be honest|for good|at last|finally|eventually"
    r"|recently|everywhere(?: in .*)?"
    r"|(?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter))\W*$"
    "|\u4e86$"
)
# What ends a clause and bounds nothing, as `this year` would.
IN_PASSING = r"(?i)[ ,]+(?:by the way|in the end|after all|of course|to be honest|at last)\W*$"
ASIDE = r"(?i)[ ,]+(?:btw|by the way|lol|tho)\W*$"
# What was told before the clause that names it: `the budget is small so a new roof`.
LEADING = (
    r"(?i)^.*\b(?:is|are|was|were|has|have|had|\w{2,}s|\w+ed)\b.* (?:so|but|because|since|although"
    r"|though)(?: that)? (?=\w)"
)
# As in `is not an option because ...`: the reason stands behind.
NO_OPTION = (
    r"(?i)^(?:is|are|was|were|['\u2019]s)(?: simply| just)? (?:not an option|out of the question"
    r"|off the table|a dead end|a no-go|no good|ruled out|rejected|discarded|not feasible"
    r"|not viable) (?=because|since|as\b|due to)"
)
# What is done in the place of what was given up: `the old calendar and use an app`.
INSTEAD_OF_IT = (
    r"(?i) and (?:just )?(?:use|switch|go|take|try|get|move|buy|stick)\b"
    r"| (?:just )?(?:use|go with|switch to) (?:the|an?|our)\b"
)
# What asks to mend a fault, and what gives something up all the same.
TO_MEND = (
    r"(?i)\b(?:fix(?:es|ed|ing)?|figure out|find out|look into|debug|investigate|repair|mend|solve"
    r"|diagnose|any idea|what(?:['\u2019]s| is) wrong|how come|why (?:is|does|do|are|did)"
    r"|(?:can|could|would) you|please (?:help|check|look)|help me)\b"
)
GIVEN_UP = (
    r"(?i)\b(?:ruled? out|rejected|abandoned|discarded|dropped|scrapped|gave up|decided"
    r"|let['\u2019]?s|won['\u2019]t|instead|no longer|tried|don['\u2019]t (?:re)?try"
    r"|dead end|not an option|off the table)\b"
)
# Who gives it up in their own name: `they abandoned the city` is told of others.
GIVEN_UP_IN_EARNEST = (
    r"(?i)^(?!.*\b(?:they|he|she|you|failure|failing|quitting|losing)\b).*?"
    r"(?:\b(?:we|I)(?:['\u2019](?:ve|re|m)| have| are| am)?"
    r"(?: (?:also|already|finally|just|both))* (?:ruled out|ruling out|rejected|abandoned|scrapped"
    r"|dropped|ditched|gave up on|giving up on|decided (?:against|not to|to (?:drop|scrap|abandon"
    r"|stop))|won['\u2019]t use|no longer|stopped using"
    r"|not (?:doing|using|going with|taking|buying))\b"
    r"|\blet['\u2019]?s (?:just |better |rather |then )?(?:drop|scrap|ditch|abandon|rule out"
    r"|give up on|leave out|stop|not (?:use|go|take|buy|pick|rent|book|hire|invite|order|sell"
    r"|paint|drive|fly|move|adopt|host|pay|eat))\b"
    r"|\b(?:don['\u2019]t retry|a dead end|not an option|out of the question"
    r"|off the table|ruled out|a no-go)\b)"
)
# As in `No, polling breaks when the laptop sleeps`.
REFUSAL = (
    r"(?i)^(?:no|nope)[,.;:]+\s+(?:because )?(?!actually|wait|sorry|thank|worries"
    r"|problem)(?P<approach>[^,;.:?!]{2,50}?) "
    r"(?P<why>(?:(?:is|are|was|were|would be|will be) (?:not\b|\w*n['\u2019]t\b|(?:\w+ )?too\b)"
    r"|(?:is|are|was|were|would|wo|ca|does|do|did)n['\u2019]t|cannot|hits?|breaks?|fails?|needs?"
    r"|costs?|takes?|crash(?:es)?|leaks?"
    r"|blocks?|loses?|lacks?"
    r"|has|have|requires?|locks?|adds?|drops?)\b.*)"
)
PROPOSAL = (
    r"(?i)^(?:(?:so|and|but|then|ok|hmm|well),? )*(?:should we|shall we|can we|could we"
    r"|why not|why don't we"
    r"|what about|how about|do we|shouldn't we|can't we|couldn't we|would it help to"
    r"|maybe we could)\s+"
    r"(?:just |simply |also )?(?P<approach>.{3,80}?)(?: instead)?\?"
    "|^(?:要不|我们)?(?:要不要|能不能|可不可以|是不是该|为什么不)(?P<plan>.{2,30}?)[？?吗呢]"
)
# In German.
STEAD_OF = r"(?:(?:an)?statt|anstelle(?: von)?)"
INSTEAD = (
    rf"(?i)\b(?:instead of|rather than|{STEAD_OF})\s+(?!\w+ing (?:to"
    r"|for)\b)(?P<approach>[^,;.:?!()]{2,40}?)(?=$|[,;.:!()]|"
    r"\s+(?:because|since|so that|as|for|to|and|but|weil|und|aber|zu)\b)"
)
# Somebody gives it up; and what is only found wanting, which at work is given up by that.
GIVEN_UP_ZH = (
    (
        "(?<![不别要])(?:不用|不能用|不要用|别用|不采用|不考虑|决定不用|放弃了?|排除了?|否决了?"
        "|淘汰了?)(?!担心|着急|害怕|谢|客气|惊慌)"
        "(?P<approach>[^，。；,;：:！？因]{1,30}?)(?P<why>[，,：:；\\s]*(?:因为|由于|原因是"
        "|理由是|毕竟).+)"
    ),
    (
        "(?:我们|已经|最终|最后|先|都|就|团队)(?:放弃了?|排除了?|否决了?"
        "|淘汰了?)(?P<approach>[^，。；,;：:！？因]{1,30})"
        "(?P<why>)"
    ),
    "^(?:放弃了?|排除了?|否决了?|淘汰了?)(?P<approach>[^，。；,;：:！？因]{2,30})(?P<why>)",
)
ELIMINATED_ZH = (
    *GIVEN_UP_ZH,
    (
        "(?:^|[，。；,;：:]|但是?|因为|不过|发现)(?P<approach>[^，。；,;：:！？]{1,24}?)"
        "(?P<why>(?:太慢|太贵|太复杂|太重|会超时|总是超时|会被限流|被限流|触发限流|会触发限流"
        "|行不通|走不通"
        "|不可行|被排除|扩展性太?差|不可靠|不合适).*)"
    ),
)
REFUSAL_ZH = (
    "^不[，,行]+(?P<approach>[^，。；,;：:！？]{1,20}?)"
    "(?P<why>(?:会|太|不能|没法|需要|不支持|没有).*)"
)
# What only the talk names: `I gave up on that mower`.
POINTS_IN_TALK = (
    r"(?i)\b(?:it|them|those|these|one|ones|that(?! (?:the|we|i|our|my)\b)"
    r"|this(?! (?:year|month|week\w*|summer|winter|spring|fall)\b))\b"
)
