"""The turns of phrase that announce a decision, a doubt, a wish: in English and Chinese.

A cue is looked for only in a sentence that has one of its words, since patterns are slow. They are
linear, and compiled by `re` on first use.
"""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text.stopwords import words


class Cue(NamedTuple):
    """Words of which an English sentence must have one, and the patterns that then decide."""

    words: frozenset[str]
    english: str
    chinese: str

    def match(self, sentence: Sentence) -> re.Match[str] | None:
        """Return where the cue is in *sentence*."""
        if not self.words.isdisjoint(sentence.words):
            match = re.search(self.english, sentence.text)
            if match:
                return match
        return re.search(self.chinese, sentence.text) if has_chinese(sentence.text) else None


def unlabelled(sentence: Sentence) -> Sentence:
    """Return *sentence* without the label that heads it, as `Note:` does."""
    label = re.match(LABEL, sentence.text)
    rest = sentence.text[label.end() :] if label else ""
    return sentence._replace(text=rest) if rest else sentence


def has_chinese(text: str) -> bool:
    """Whether *text* has a letter of a script that is written without spaces."""
    return not text.isascii() and any("\u3040" <= letter <= "\u9fff" for letter in text)


# Without a subject, as in notes, only a reason tells a choice from a deed: `Picked apples today`.
_CHOSE = (
    r"^(?:(?:so|and|finally|eventually|in the end|for now|ok(?:ay)?),? )*(?:chose|picked"
    r"|settled on|opted (?:for|to)|going with|sticking with|switched to"
    r"|went with(?!.* to (?:the|a|an|see|visit|watch)\b))"
    r"(?! (?:up|out|not|my|our|his|her|their|him|them|me|us|you)\b)(?!.* up\b)"
    r"(?=.* (?:because|since|as (?:it|we|they)|so that|to avoid|due to|instead of"
    r"|rather than)\b)"
)
# Something else than before is taken: `so we take the Calda instead`.
INSTEAD = (
    r"\b(?:we|i)(?:'ll| will|'re going to| are going to|'m going to| am going to| now)? "
    r"(?:take|use|go (?:for|with)|choose|pick|buy|order|book|rent|hire|switch to|move to"
    r"|settle for|stay with)\b(?! up\b)(?=.*\binstead\b(?! of \w+ing\b))"
)
# One thing of a name, and why: `We take the Ferro because it heats water`, but no bus and no day.
TAKEN = (
    r"\bwe(?:'ll| will)? (?:take|buy|order|rent|hire|choose|pick) "
    r"(?:the|an?|option|plan|variant|model) "
    r"(?P<what>(?-i:(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)[A-Z0-9][\w-]*))\b"
    r"(?! (?:train|bus|line|tram|metro|subway|ferry|boat|road|exit|motorway|flight|off|out|up)\b)"
    r"(?=.* (?:because|since|as (?:it|we|they)|so that|to avoid|due to)\b)"
)
# What was left is taken again: `We're back to REST for the API`, but no school and no bed.
BACK = (
    r"\bwe(?:'re| are| went| switched| moved| go)(?: now)? back to "
    r"(?!(?:our|my|you|\w+ing|the (?:start|beginning|office|hotel|city|drawing board|old))\b|\d)"
    r"(?:(?-i:[A-Z])\w+(?= for\b|[.!]*$|,? (?:because|since|as (?:it|we|they))\b)"
    r"|[^,;:.?!]{2,40}? (?:for (?:the|our)|because|since|as (?:it|we|they))\b)"
)
# What is taken up or kept, and why: `We go with S3, since ...`, `For X we're using Y, because`.
_TAKES_UP = (
    r"\bwe(?:['\u2019]re| are)? (?:go(?:ing)? with|us(?:e|ing)|stick(?:ing)? (?:with|to)"
    r"|stay(?:ing)? with)"
    r" (?!(?:it|that|this|them|these|those|you\w*|one|an?)\b)(?=[^,;:.?!]{2,50},?"
    r" (?:because|since) (?!(?:we (?:started|began|moved|joined)|\d|last|then|yesterday)\b)\w+ \w+)"
    r"|\bso we(?:['\u2019]re| are) (?:sticking|staying) with"
    r" (?!(?:it|that|this|them|these|those|you\w*|my|him|her)\b)(?=\w)"
)
DECISION = Cue(
    words(
        "decided decision settled opted let we i they agreed agree is go going use yes keep"
        " chose picked went sticking switched back lets using staying"
    ),
    r"(?i)\bdecided\b(?! (?:yet|later|whether|if|against|not to))"
    r"|\b(?:we|i) (?:have |'ve )?(?:all |finally |both )*(?:settled on|opted (?:for|to)"
    r"|chose\b(?! not)|(?<!ones we )choose\b|pick(?:ed)?\b(?! (?:\w+ ){0,3}(?:up|out|on|off)\b)"
    r"|agreed (?:to"
    r"|on|that)|went with(?! (?:my|our|his|her|them|him|me|you|us)\b)|will go with)"
    r"|\b(?:we|i)(?:'ll| will) (?:go with|stick (?:with|to)|opt for)"
    r"|\bwe(?:'ll| will) (?:use|keep(?! \w+ing)|switch to|store|adopt)\b"
    r"|\b(?:i'm|we're|i am|we are) going with\b"
    r"|\blet['\u2019]?s (?:go with|use|stick (?:with|to)|switch to|pick|choose|adopt|store|target"
    r"|keep(?! (?:in touch|it|up|this|that|at|on|each other|our|\w+in(?:g\b|['\u2019])))\b)\b"
    # As in `our decision is to wait`, but not `when the decision is hard`.
    r"|\b(?:the|our|my|final) decision(?: is (?:to\b|that\b|for\b|against\b"
    r"|(?-i:[A-Z]))|:)"
    r"|^(?:decision|decided|agreed):"
    r"|^(?:(?:yes|ok(?:ay)?|sure|fine|right|agreed|good)[,.!:] ?)?(?:let's )?(?:go with"
    r"|stick with)\b(?! (?:(?:an?|my|your|the) (?:friend|group|partner|crowd|flow)|someone|somebody"
    r"|him|her|them|me|us|your)\b)"
    r"|^(?:yes|ok(?:ay)?|sure|fine|right|agreed|good)[,.!:] ?(?:use|keep(?! (?:me|us|it|going|up"
    r"|that)\b)"
    # What is only handed over decides nothing: `yes, use ana@example.org`.
    r"|take|adopt)\b(?! (?:my|the same|\S+@|\+?\d))"
    r"|^use\b(?=.* (?:because|since|so that|as (?:we|it|they)|to avoid)\b)"
    r"|\bwe (?:use|keep(?! ourselves\b)|store|run) .{2,80} (?:because|so that)\b"
    r"|(?:^|, )(?:ok(?:ay)?,? |then |so |fine,? )?(?!.*\b(?:how|what|as|the more|whatever|i|we|you"
    r"|he|she|they|indeed|course|mean|in|because|when|if|where|since|that"
    r"|who)\b.* it is)(?!.*\b(?:yeah|yes|yep|no|ya|sure"
    r"|like|haha\w*) it is)[^,.;:?]{2,50}"
    r" it is(?:,? then)?[.!]*(?:$"
    r"|,? (?=because|since))"
    rf"|{_CHOSE}|{INSTEAD}|{TAKEN}|{BACK}|{_TAKES_UP}",
    "决定|敲定|拍板|选定|就用|就选|改用|采用|统一用|定为|一致同意|(?:我们|我|最后"
    "|最终)选择?(?:了|用)?"
    "|选择了|确定(?:用|采用|使用|选)",
)
# What heads a line of notes and says nothing: `Step 1: We decided on Dock 1`.
LABEL = (
    r"(?i)^[*_]{0,3}(?:(?:step|phase|stage|part|item|point|task|day|week|round|no\.?|#) ?"
    r"(?:#?\d{1,3}[a-z]?|one|two|three|four|five|six)"
    r"|(?:\w+ )?(?:notes?|updates?|minutes|reminder|outcome|conclusion|summary)"
    r"|fyi|nb|n\.b\.|ps|p\.s\.|edit|status|result|tl;?dr"
    "|第[一二三四五六七八九十\\d]{1,3}步|步骤 ?\\d{1,3}|备注|注意|更新|结论|补充"
    ")[*_]{0,3}[:：][*_]{0,3}\\s*"
)
UNDECIDED = (
    r"(?i)^(?:(?:so|and|but|ok(?:ay)?|well|then),? )*(?:if|unless|in case|maybe|perhaps|suppose"
    r"|assuming)\b|n['\u2019]?t (?:\w+ )?decided|\b(?:not|never)\b(?: \w+){0,2} decided"
    r"|\bto be decided"
    r"|\b(?:if|when|once|until|before|whether|unless|would|could|might|maybe|perhaps"
    r"|had) (?:\w+ ){0,2}"
    r"(?:decided?|agreed?|chosen?|choose|pick|use|go with)\b|\bundecided"
    "|(?:没|没有|未|尚未|还没|无法|怎么|如何|再|才能|由\\w{0,4}|难以|是否|要不要)(?:有|能)?"
    "(?:决定|选择|确定|采用|敲定|定为)|如果|要是|可能|也许|或许|是否"
)
REASON = (
    r"(?i)(?:,\s*|\s+[-\u2013\u2014]+\s*|\s+)?(?:\(\s*)?(?:(?:mainly|mostly|simply|just"
    r"|partly|only|and) )?"
    r"(?:(?:\bbe|['\u2019])cause(?: of)?|\bdue to|\bgiven(?: that)?|\bso that"
    r"|\bthe reason (?:is|being)(?: that)?|\bto avoid"
    r"|\bsince(?= (?:we|it|they|the|he|she|our|this|that|there|i|my|all|its|their|a|an|no"
    r"|most|both"
    r"|everyone|everything|nobody|only|some|you)\b)"
    r"|(?<=, )since(?! (?:last|then|early|late|mid|about|around|yesterday)\b)(?= [a-z]+ [a-z]+ \w)"
    r"|\bas(?= (?:we|it|they|he|she|i|there|otherwise)\b)|\bin order to|\breason:)\s*"
    r"|,\s+(?:weil|denn)\s+|,\s+da\s+(?=(?:wir|ich|es|sie|er|die|der|das|man|sonst)\b)"
    r"|\s+[-\u2013\u2014]+\s+(?=(?:it|they|that|this|we|no)\b)|[;:]\s+(?=(?:it|they|that|this"
    r"|we)\b)"
    "|[，,；;\\s]*(?:因为|由于|原因是|理由是|因\u70ba|毕竟|以便|为了|以免|省得|这样)[，,：:]?"
)
# A sentence of its own that gives the reason of the one before it.
BECAUSE = (
    r"(?i)(?:(?:it'?s|this is|that's|that is|mainly|mostly|just|simply) )*because\b(?: of)?\s*"
    r"|(?:the |my |our |main )*reasons?(?: is| being|:)(?: that)?\s*|why:\s*|otherwise,?\s+"
    r"|(?:that|this) way,?\s+"
    "|(?:因为|由于|原因是|原因：|理由是|理由：|这样|否则|不然)[，,：:]?\\s*"
)
# A clause that binds; where it starts inside a sentence.
BOUND = (
    r"(?i)[,;:]\s*(?=[^,;]{0,40}\b(?:must|has to|have to|cannot|can't|mustn't|needs to|may not)\b)"
    r"|\s+(?:but|and|though)\s+(?=(?:\S+ ){0,4}(?:must|has to|have to|cannot|can't|mustn't"
    r"|needs to)\b)"
    r"|[,;]?\s+(?=(?:as long as|provided|only if|unless|under the condition|on condition)\b)"
    "|[，；,;]\\s*(?=(?:但是?|不过|而且|并且|前提是|条件是)?[^，；,;]{0,12}"
    "(?:必须|不能|不得|只能|不可以|不超过|不要超过|至少|至多|最多|需要满足))"
    "|[，；,;]\\s*(?=前提是|条件是|除非|只要)"
)
WITHOUT = r"(?i)[,;]?\s+(?=without\b|within \d|(?:at most|at least|no more than) \d)"
BINDING = (
    r"(?i)\b(?:must|has to|have to|cannot|can't|mustn't|needs to|as long as|without|only if"
    r"|at most"
    r"|at least|no more than|not exceed)\b"
    "|必须|不能|不得|只能|前提|不超过|至少|至多|最多|除非|只要"
)
# Where the reason came first, as in `Redis loses jobs, so SQLite it is`.
HENCE = (
    r"(?i),? (?:and )?(?:so|therefore|hence|that's why)(?: then)?,? (?!that\b|far\b|much\b"
    r"|many\b)|[，,；](?:所以|因此|于是)[，,]?"
)
INTENT = r"(?i)\bI(?:'ll| will)\b|\u2019ll\b|^let me\b|^我(?:来|先|会|去)"
LINK = r"(?i)(?:but|and|though|但是?|不过|而且|并且|前提是|条件是)[，,：:]?\s*"

# What was chosen once, elsewhere: `we went with Postgres in the last project`.
BACK_THEN = (
    r"(?i)\b(?:chose|went|picked|used|settled|decided|opted)\b.*\b(?:back then|years? ago|at first"
    r"|(?:in|on|for|at) (?:the|my|our) (?:last|previous|old|other|earlier|former) \w+)\b"
)
# Of what is not said: `still open, they will tell us`.
OPEN_ALONE = (
    r"(?i)^(?:(?:that|this|it)(?:['\u2019]s| is| remains)? )?(?:still |yet |not yet )?(?:open"
    r"|unclear|tbd|undecided|unknown|to be decided|not (?:yet )?(?:decided|clear|settled))"
    r"\W*(?:$|[,;.:\u2013\u2014-])"
)
OPEN = Cue(
    words(
        "open unclear tbd decided undecided question remains sure know decide figure clear find"
        " settled certain"
    ),
    r"(?i)n['\u2019]?t (?:\w+ )?decided\b|"
    r"\b(?:(?:remains?|still|left) (?:an )?open\b(?! (?:to|source"
    r"|for|till|until))"
    r"|\bopen question|\bunclear\b|\btbd\b|to be decided|(?:not|n['\u2019]t)(?: yet| been"
    r"| really)* decided"
    r"|undecided|remains? to be (?:seen|decided|done)|(?:yet|still (?:need"
    r"|have)) to (?:decide|figure out)"
    r"|(?:have|need) to find out (?:whether|if|how|why|which|what|who|when|where)\b"
    r"|^it(?:['\u2019]s| is) (?:still )?(?:open|(?:not|n['\u2019]t) (?:yet )?(?:settled|certain))"
    r" (?:whether|how|why|which|what|who|when|where)\b"
    r"|we (?:do not|don['\u2019]?t) know (?:yet|whether|if|how|why|which|what)"
    r"|(?:we(?:'re| are) |still )not sure (?:whether|if|how|which|why|what)|need to (?:decide"
    r"|figure out)"
    r"|not (?:yet )?clear (?:whether|if|how|why|which))",
    "还不清楚|尚不清楚|不清楚(?:为什么|是否|怎么|如何)|待定|没定|未定|尚未决定"
    "|还没(?:有)?(?:决定|想好|确定)|有待"
    "|悬而未决|待确认|不确定(?:是否|要不要|怎么)",
)
DEFERRED = (
    r"(?i)\b(?:not sure|no idea|don['\u2019]?t know|idk|let me (?:check|think|look|see)"
    r"|i(?:'ll| will) (?:check|look|ask|find out)|later|noted|good point"
    r"|good question|get back to you|need to (?:check|think|ask)|unclear|hard to say|depends"
    r"|tbd|remains open"
    r"|still open|open question|undecided|wait)\b"
    "|不知道|不清楚|不确定|以后再|稍后|回头|再说|待定|没定|好问题|看情况|我查一下|还没"
)
# The answer is not to come in this talk.
LEFT_OPEN = (
    r"(?i)\b(?:(?:do|does|can)(?: not|n['\u2019]t) (?:say|know)"
    r"|not certain|(?:have|has)(?: not|n['\u2019]t) (?:yet )?decided"
    r"|(?:will|['\u2019]ll) tell you (?:tomorrow|soon|when|once|next|on|tonight)"
    r"|decide (?:that|this|it) (?:next|when|once|tomorrow|on|in|then)"
    r"|(?:would|will|['\u2019]d|['\u2019]ll) have to (?:ask|check|look|think))\b"
)
MOVES_ON = (
    r"(?i)^(?:(?:ok(?:ay)?|well|fine|so|but|for now)[,.]? )*let(?:['\u2019]s| us) (?:move on"
    r"|(?:first )?(?:turn|go on|get) to|(?:come|get) back to (?:that|this|it)"
    r"|(?:leave|park|skip|postpone) (?:that|this|it))\b"
)
PHATIC = (
    r"(?i)^(?:(?:so|and|but|hey|hi|oh|wow|well)[,!]? )*(?:how are you|how(?:'s| is| have"
    r"| has) (?:it|you|life|your"
    r"|everything|things)|what's (?:up|new|going on)|how about you|what about you|and you|you\?"
    r"|right\?|ok(?:ay)?\?"
    r"|really\?|sound(?:s)? good|make sense|does that (?:help|make|sound|work)"
    r"|anything (?:else|new)|any (?:other )?questions"
    r"|would you like me|do you want me|shall i\b|should i\b|want me to|can i (?:help|do)"
    r"|is there anything|isn't it"
    r"|guess what|remember|can you believe|who knows|why not|ready|can you|could you"
    r"|would you|will you|may i|can i)"
    "|^(?:你好|最近怎么样|对吗|是吗|好吗|真的吗|怎么样|可以吗|行吗|你呢|要我|需要我|能不能帮"
    "|可以帮)"
)
YES_NO = r"(?i)(?:yes|no|yeah|yep|nope|sure|not (?:yet|really))\b|[是对不好没]"
# A question that is a sentence: `Does it scale?`, but not `Passport number?`.
ASKS = (
    r"(?i)\b(?:what|which|who|whom|whose|where|when|why|how)\b"
    r"|\b(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|must|may"
    r"|might)(?:n['\u2019]t)? (?:\w|['\u2019])+"
)
# What only goes on with what was said: `And the fees?`, `What about the sink?`.
GOES_ON = (
    r"(?i)(?:(?:so|ok(?:ay)?|well|wait|oh|yeah|but|no|hmm+|also)[,.! ]+)*"
    r"(?:and\b|or\b|plus\b|like\b|any\b|even\b|(?:what|how) about\b|what if\b|why would\b"
    r"|what (?:are|is|were|was) (?:my|your|the) \w+\?|what \w+\?|what else\b)"
)

# What the speakers themselves have to settle: `Who fits it?`, but not `Did you like it?`.
TO_SETTLE = (
    r"(?i)^(?!.*\byou)(?:(?:so|and|but|then|ok(?:ay)?|fine|well)[,.]? )*"
    r"(?:who|which|when|where|what|how (?:much|many|long|often|far|do we|can we|should we)"
    r"|(?:do|should|can|must|could|will) we)\b"
)

CORRECTION = Cue(
    words(
        "no actually wrong meant correction mistaken misspoke not incorrect right should "
        "mistake sorry wait"
    ),
    r"(?i)^(?:no|nope)[,.!;:\u2013\u2014-]+ ?"
    r"(?:actually|it(?:'s| is| was| should)|that(?:'s| is| was)|i meant|the \w+ (?:is|was)"
    r"|not|correction|we |you )"
    r"|^(?:wait|sorry|oops|hang on|hmm)[,.!;:\u2013\u2014-]+ ?(?:no[,.]? )?"
    r"(?:actually|it should|i meant|the \w+ (?:is|was)|not|correction|it(?:'s| is| was) \d"
    r"|(?:it|that)(?:'s| is| was) (?:not|wrong))"
    r"|^actually,? (?:no\b|it(?:'s| is| was) (?:not|n't|\d)|that(?:'s| is) (?:not|wrong)"
    r"|the .{2,40} (?:is|was) (?:not )?)"
    r"|^(?:small |quick |one )?correction\b|\b(?:that|this|it|which)(?:'s| is| was) (?:wrong"
    r"|incorrect|not (?:right(?! that| to| for)|correct|what i"
    r" (?:said|meant|asked|wanted)))|(?<!what )(?<!why )\bi (?:meant|misspoke|was (?:wrong"
    r"|mistaken))\b(?! (?:a|so|to|by) )|\byou (?:got|have) .{2,40} wrong"
    r"|(?<!\bI'm )(?<!\bI\u2019m )(?<!\bam )(?<!\bwas )\bnot (?!just|only|so|too|really|yet"
    r"|fully|always|entirely|necessarily|quite|sure)"
    r"[\w.:$%'-]+(?: [\w.:$%'-]+){0,3}, but (?!I\b|you\b|we\b"
    r"|it\b|still\b)[\w$]"
    r"|(?<=[\w,]) not \$?\d[\w.:%]*[.!]*$|\bshould (?:be|have been) .{1,40}(?:, not "
    r"| instead of | rather than )",
    "更正|纠正一下|说错|搞错|记错|弄错|^(?:不对|不是)[，,。！]"
    "|不是[^，。]{1,20}[，,]?(?:而)?是|应该是[^，。]{1,20}[，,]?(?:而)?不是"
    "|^(?:不对.{0,3})?应该是.*\\d|其实(?:不是|应该)",
)
DENIAL = r"(?i)^(?:no|nope|not)\b"
HOLLOW = (
    r"(?i)^(?:no|nope|wait|sorry|actually|oops|correction|[\s,.!;:-]|that(?:'s| is| was)"
    r"|this is|it's|it is|not|wrong|incorrect|right|correct"
    r"|quite|what i (?:meant|said|asked|wanted))*$"
    "|^(?:不对|不是|错了?|更正|说错了?|搞错了?|我|你|这个|那个|[，。！,.!\\s])*$"
)

# Where a clause begins: `I love rye`, but not `the rye I love`.
_I = (
    r"(?:^|[^\w\s'\u2019]\s*|\b(?:[Aa]nd|[Bb]ut|[Ss]o|because|[Ss]ince|as|that|know|mean|much"
    r"|think|guess|say|[Hh]onestly|[Pp]ersonally|[Aa]ctually|[Yy]e[as]h?|[Aa]nyway) )I\b"
)
_LIKED = (
    r"(?! (?:it|that|this|them|these|those|how|your|you|to hear|hearing|seeing to|all the"
    r"|the (?:idea|way|sound|look|photo|pic|picture)"
    r"|what|when|him|her|us|seeing|this|when)\b)(?! to (?:know|see|say|think|help|hear)\b)"
)
PREFERENCE = Cue(
    words(
        "prefer like love hate dislike enjoy always never please now future favorite favourite "
        "don do stand stop"
        " avoid allergic"
    ),
    rf"{_I} (?:(?:really|also|absolutely|generally|usually|still|much"
    rf"|strongly|do"
    rf"|just|personally|now|no longer) )*"
    rf"(?:prefer|like|love|hate|dislike|enjoy|can['\u2019]t stand)\b{_LIKED}(?= \w+)"
    # For this once: `I'd prefer the 15th`.
    r"|\bI(?:['\u2019]d| would) prefer\b(?!.*(?:\b\d{1,2}(?:st|nd|rd|th|:\d\d)\b|day\b"
    r"|\b(?:morning|afternoon|evening|tonight|tomorrow|week|month)\b))"
    r"|\bI (?:don['\u2019]t|do not) (?:like|love|enjoy) .{2,60} any ?more\b"
    r"|\bI(?:['\u2019]m| am) allergic to\b"
    r"|^(?!.*\b(?:I|[Ww]e)(?:['\u2019](?:ll|m|re)| will| am| are)\b)"
    r".*\b(?:[Ff]rom now on|[Ii]n (?:the )?future,|[Gg]oing forward)\b"
    r"|\b[Mm]y (?:all-time |absolute )?favou?rite\b.{1,60}\b(?:is|are)\b"
    r"|(?:^(?:(?:[Aa]lso|[Aa]nd|[Bb]ut|[Oo]h|OK|Ok|ok),? )?|\b[Pp]lease )"
    r"(?:[Pp]lease )?(?:always|never|Always|Never) (?!had\b|been|saw|seen"
    r"|again (?:am|can|did|do|shall|should|will|would)\b"
    r"|thought|knew|heard|have\b|a\b|the\b|mind|say|give|felt|calm|happy|good|nice)[a-z]+"
    r"|\bI always want\b(?! to\b)"
    r"|\bI (?:always|never) (?!\w+[^e\W]ed\b|broken|taken|gotten|saw|went|did|got"
    r"|took|came|met|told|made|ate|found"
    r"|thought|knew|expected|imagined|said|really|seen|know|get|give"
    r"|stop|forget|would|feel|be|been|had|have\b|felt|wanted|realized)[a-z]+"
    r"|\b(?:[Pp]lease)(?:,)? (?:don['\u2019]t|do not|stop|avoid|keep|write|answer|reply"
    r"|respond|call me|address|use)\b"
    r"|^(?:[Dd]o not|[Dd]on['\u2019]t|Avoid|Stop) (?!worry|quit|feel|like|want|even|get\b|see\b"
    r"|stress|hold|expect|need|really|forget|know|think|get me|give up"
    r"|hesitate|be\b|you\b|mind|have\b|sweat|miss|let)[a-z]+",
    "我(?:比较|更|最|很|特别|非常|一直|还是|也|都|不太?|不是很)*(?:喜欢|偏好|讨厌|倾向于?"
    "|偏爱|习惯|受不了)(?!你|这个|那个|它|他|她|的|\\W*$)"
    "|(?:请|麻烦)(?:不要|别|勿|始终|总是|务必|一律|都|用|以后)|以后(?:都|请|不要|别|一律|就"
    "|每次)|今后|从现在(?:开始|起)|每次都(?:要|得|请)|永远(?:不要|别)"
    "|^(?:不要|别)再?(?!担心|客气|忘|急|说了|误会|放弃|介意|怕)|我对.{1,10}过敏",
)
STANDING = (
    r"(?i)\b(?:from now on|in (?:the )?future|going forward|always|never|please)\b"
    r"|(?:^|[,;:\u2013\u2014-] ?)(?:and |but |so )?(?:don['\u2019]t|do not|avoid|stop)\b"
    "|请|以后|今后|从现在|每次|永远|不要|别"
)

STEP = Cue(
    words(
        "next then todo we i ll remaining remains left need needs step steps follow still tomorrow"
    ),
    r"(?i)^(?:and |so |but )?(?:next|then|after that|afterwards),? (?:we|i|up|step|let's|you"
    r"|the|is|comes?|on|[a-z]+ing|[a-z]+ the)\b"
    r"|^(?:next|next steps?|to ?do)\s?:\s"
    r"|\bnext (?:step|up|i|we|thing|task|on)\b|\btodo\b|\b(?:we|i)(?:'ll| will)(?: also| then"
    r"| still| now| next)* "
    r"(?!go with|use|see|be (?:able|fine|there|back)|let you|keep|need|have|stick|never"
    r"|always|miss|get back|take that)[a-z]+"
    r"|\b(?:we|i|you) (?:still |also |now |then |just )*(?:need to|have to|must"
    r"|should (?:also|then|still|now))\b"
    r"|\b(?:remaining (?:steps?|tasks?|work|issues?|todos?)|what(?:'s| is) left|still (?:missing"
    r"|to do|needs?|left)|follow[- ]up)\b",
    "下一步|接下来|然后(?:我们|再|把)|还需要|还要|待办|还得|剩下|后续|之后(?:我们|再|要)"
    "|我们(?:需要|要|得)|还没(?:有)?(?:做|写|完成|测|改)|明天(?:再|要|我)",
)
DONE = (
    r"(?i)\b(?:done|finished|completed?|fixed|merged|deployed|implemented|added|created"
    r"|removed|updated|renamed|released|shipped"
    r"|wrote|written|passes|passed|resolved|works now|is (?:ready|live|up|in place)|sent"
    r"|published|migrated|installed|switched|ran)\b"
    "|完成|搞定|做好|写好|改好|修好|上线了|已经|已(?:部署|修复|合并|发布|更新|添加|删除)"
    "|通过了|好了"
)
NOT_DONE = (
    r"(?i)\b(?:not|never|nobody|nothing|still|yet|until|when|once|if|should|must|need|needs"
    r"|to be|will|next"
    r"|todo|before|after)\b|n['\u2019]t\b|'ll\b"
    "|没|未|还要|还需|如果|之后|等"
)
STATE = (
    r"(?i)\b(?:now|currently|so far|at the moment|is|are|has|have|pass(?:es|ed)?|fail(?:s|ed"
    r"|ing)?|works?|running|left)\b"
    "|现在|目前|已|正在|通过|失败|完成|剩"
)
# With what somebody bids to do it.
TASK_VERBS = (
    r"implement|build|write|fix|create|add|refactor|ship|make|migrate|move|port|design|set up|find"
    r"|debug|test|review|update|remove|convert|import|plan|draft|prepare|investigate|speed|deploy"
    r"|clean|rewrite|translate|explain|analy[sz]e|improve|optimi[sz]e|replace|rename|split|document"
    r"|summari[sz]e|organi[sz]e|book|choose|compare|check"
)
GOAL = (
    r"(?i)^(?:(?:hi|hello|hey|ok(?:ay)?|so|now|please|well|great|thanks)[,!.]? )*(?:(?:can"
    r"|could|would) you|i(?:'d like| want| need|['\u2019]m trying)"
    r"|we (?:need|want|have|should|must)|let's|help me|the (?:goal|task|plan)|(?:my "
    rf"|our )?(?:goal|task)|{TASK_VERBS})\b"
    "|帮我|请(?:帮|你|把|写|做)|我想|我要|我需要|我们(?:要|需要|想)|目标|任务|实现|修复|开发"
    "|编写|设计|重构|迁移|优化|把.{1,20}(?:改|迁|换|移)"
)
NEW_GOAL = (
    r"(?i)\b(?:new (?:task|goal|topic)|next task|different (?:task|topic)|change of plan"
    r"|the (?:goal|task) is now|forget (?:about )?(?:that|the|all)"
    r"|something else|let's (?:move on|turn) to|now (?:please |let's |i want you to "
    r"|i'd like you to )(?:implement|build|write|fix|create|migrate|port|refactor|design))\b"
    "|新任务|新的任务|换个任务|下一个任务|目标改|任务改|新目标"
)
REPORT = (
    r"(?i)\b\d[\d,.]*\s?(?:%|\w+ )?(?:ms|s|sec(?:ond)?s?|minutes?|hours?|rows?|records?"
    r"|tests?|errors?|warnings?|files?|lines?|MB|GB|KB|kB|bytes|tokens?"
    r"|requests?|users?|items?|entries|messages|documents|queries|failures|commits|cases"
    r"|points?|percent|rps|qps|x faster)\b|\d%"
    "|\\d[\\d,.]*\\s?(?:行|条|个|次|秒|毫秒|分钟|小时|万|%|项|份|字节|倍)"
)
