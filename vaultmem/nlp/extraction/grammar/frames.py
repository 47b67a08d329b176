"""What makes of a sentence no assertion, whatever it says: fiction, dictation, a denial, a jest.

A frame bars the sentence in which it stands or the one before, or from there on all of the turn,
or all of the turn up to it: "Two truths and a lie: I live in Rome. I speak French." and
"... None of it is true."
"""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from vaultmem.documents.patterns import compiled

_LONGEST = 400
"""Characters of a sentence that are looked at; of a longer one nothing is claimed anyway."""

Reach = Literal["sentence", "the one before", "from here on", "up to here"]


class Frame(NamedTuple):
    """A turn of phrase, what it makes of what is said, and how far that reaches."""

    reach: Reach
    of: str
    pattern: str


_LEAD = (
    r"^\W*(?:(?:please|now|ok|okay|so|and|hey|hi|let['\u2019]s|let us|i want you to"
    r"|(?:can|could|would|will) (?:we|you)),? )*"
)
# What one does with a text, what one does with one that is there, and what a text is.
_MEND = (
    r"(?:translate|correct|fix|check|proofread|rewrite|rephrase|paraphrase|edit|improve|shorten"
    r"|summari[sz]e|repeat|spell|conjugate|format|analy[sz]e|parse)"
)
_HANDLE = (
    rf"(?:{_MEND}|fill|complete|continue|finish|write|reply|answer|respond|say|tell|type|put|enter"
    r"|copy|paste|post|send|draft|use|sing|recite|practi[sc]e|quote|print|echo|output|read)"
)
_TEXT = (
    r"(?:lines?|verses?|lyrics|chorus|refrain|rhyme|poem|song|play|script|scene|dialogue|monologue"
    r"|letter|sheet|form|drill|exercise|homework|quiz|riddle|lies?|hint|clue|quote|motto|slogan"
    r"|proverb|bio|blurb|profile|template|example|sample|essay|headline|caption|subtitle"
    r"|grammar|spelling|sentences?|phrases?|paragraphs?|passage|vocabulary|translation|dictation"
    r"|password|punchline|joke|meme|prompt|placeholder|fiction|tattoo|t-?shirt|badge|sticker)"
)
_WORLD = (
    r"(?:book|film|movie|game|play|musical|opera|show|series|sitcom|story|tale|song|scene|novel"
    r"|poem|sonnet|comic|manga|anime|cartoon|simulation|campaign|dreams?|nightmare|fantasy"
    r"|screenplay|script|sketch|skit|improv|role-?play|example|docs|documentation|template|tutorial|screenshot"
    r"|mock-?up|(?:test|sample) data|lie|joke|meme)"
)
_WORLD_DE = (
    r"(?!grund|fr\u00fch|mit)\w*(?:st\u00fcck|m\u00e4rchen|gedicht|lied|comic|drehbuch|roman|film|buch|krimi|serie"
    r"|erz\u00e4hlung|kurzgeschichte|sketch|musical|novelle|rollenspiel|h\u00f6rspiel|videospiel"
    r"|spiel|traum|fantasie)"
)
_IN_A_DE = (
    r"(?:im|in (?:de[mr]|diese[mr]|(?:ein|mein|dein|sein|ihr|unser|eur?)e[mr]))"
    r"(?: [a-z\u00e4\u00f6\u00fc\u00df]+en)?"
)
_FOR_A_DE = (
    r"(?:f\u00fcr|aus|zu[mr]?|in|im|f\u00fcrs)"
    r"(?: (?:de[mnr]|das|die|(?:ein|mein|sein|ihr|unser)\w*))?"
    r"(?: [a-z\u00e4\u00f6\u00fc\u00df]+en?)?"
)
# Whoever stands on a stage is somebody else there, and still plays what they play.
_ON_STAGE = (
    r"(?:on[- ]?(?:the )?(?:stage|screen)|auf der b\u00fchne),? (?:i(?:['\u2019]m| am| go by)"
    r"|(?:my|our)|bin|ist|hei\u00dfe?n?)\b"
)
_WHICH = r"(?:the|this|that|an?|my|our|his|her)"
_GAMES = (
    r"(?:(?:the )?sims|minecraft|roblox|skyrim|fortnite|animal crossing|stardew valley|second life"
    r"|world of warcraft|wow|gta|zelda|pok[e\u00e9]mon|dungeons (?:and|&) dragons|d&d|star wars"
    r"|baldur['\u2019]s gate|duolingo|fallout|elden ring|monopoly)"
)
_MOCK = r"(?:test|demo|dummy|fake|sample|mock|fictional|made-?up|invented|throwaway|placeholder)"
_SOMEBODY = (
    r"(?:they|people|some|everyone|everybody|(?:the|my|our|his|her|their) \w+"
    r"|(?-i:[A-Z])\w+)"
)
_ALL_OF_IT = r"(?:it|this|that|these|those|which|them|the (?:above|rest|whole thing))"
_UNTRUE = (
    r"(?:(?:all )?(?:made up|invented|lies|fiction|fictional|fake|nonsense|bullshit|untrue|false"
    r"|a joke|a lie)|(?:not|n['\u2019]t) (?:true|real|serious))\b"
)
_SO = r"^\W*(?:(?:but|and|well|haha|ok|okay|of course),? )*"
_YEAR = r"(?:19|20)\d\d"

# Behind which one speaks of oneself: `About me: I live in Rome`.
_OF_TALK = (
    r"(?:(?:about |to |for )?(?:me|myself)|intro(?:duction)?|background|situation|context|info"
    r"|information|details|facts?|notes?|updates?|news|reminder|correction|heads[- ]up|fyi|ps|btw"
    r"|way|record|clear|honest|frank|sure|truth|short|brief|status|diet|allerg(?:y|ies)|health"
    r"|medical|food|family|work|job|hobb(?:y|ies)|pets?|languages?|home|birthday|answer|thing|point"
    r"|reason|remember|confession|disclosure|disclaimer|also|today|again|actually|ok(?:ay)?|yes|no"
    r"|now|is|was|are|tastes?|preferences?|likes|dislikes|contact|personal|profile|conclusion"
    r"|questions?|problem|issue|request|caveat|constraints?|requirements?|edit|warning|important"
    r"|else|more|next|first|second|third|lastly|finally|frage|problem|wichtig|achtung"
    r"|mir|mich|au\u00dferdem|noch (?:was|etwas|eins)"
    r"|\u00fcbrigens|kurz|notiz|hinweis|nachtrag|korrektur|erinnerung|fakten?|allergien?"
    r"|ern\u00e4hrung|familie|arbeit|beruf|hobbys?|haustiere?|sprachen|neuigkeit(?:en)?|und zwar)"
)
_TO_KEEP = r"(?:remember|note|save|keep|store|know|memori[sz]e|forget|merk\w*|denk\w*|notier\w*)"
_OF_TALK_ZH = (
    "(?:记住|记得|记一下|记下|问题|重要|注意|你好|介绍|关于我|我自己|备注"
    "|还有|提醒|更新|补充|顺便|情况|更正|另外|说明|告诉你|过敏|饮食|家庭|工作)"
)
_FIRST_PERSON = r"(?:i|i['\u2019]\w+|my|we|our|ich|wir|mein\w*|unser\w*)"
_USER = (
    r"(?:user|customer|client|visitor|admin(?:istrator)?|guest|subscriber|shopper|buyer"
    r"|seller|moderator|tenant|account holder)"
)

FRAMES = (
    Frame("from here on", "what stands behind a label",
          r"^(?!\W*(?:hi|hello|hey|dear|hallo|liebe\w*)\b)(?!\W*me:)"
          rf"(?![^:]{{0,60}}\b(?:{_OF_TALK}|{_TO_KEEP}\b[^:]{{0,30}}): )"
          rf"\W*(?:[^\W\d][\w'\u2019-]* ){{0,4}}[^\W\d][\w'\u2019-]*: (?={_FIRST_PERSON}\b)"
          rf"|^(?![^：:]{{0,12}}{_OF_TALK_ZH}[^：:]{{0,4}}[：:])[\u4e00-\u9fff]{{1,8}}[：:]\s?(?=我)"),
    Frame("from here on", "what stands behind the label of a work",
          rf"^[^:]{{0,80}}\b(?:(?:for|from|in|of) (?:{_WHICH}|next) (?:\w+ )?{_WORLD}"
          rf"|{_FOR_A_DE} {_WORLD_DE})(?: (?:tonight|today|tomorrow|heute|morgen))?: "
          rf"(?={_FIRST_PERSON}\b)"),
    Frame("from here on", "whoever uses what is planned",
          rf"^\W*as (?:an? )?(?:[\w-]+ ){{0,2}}?{_USER},? (?={_FIRST_PERSON}\b)"
          r"|^\W*as an? [\w -]{2,40}?,? i (?:want|need|should be able|would like|wish)"
          r" (?:to|my|the)\b.*\bso that\b"
          r"|^\W*als (?:\w+ )?(?:be)?(?:nutzer|anwender|kunde|kundin|besucher|gast|admin\w*)"
          r"(?:in)?\b"
          "|^\\W*作为(?:一个|一名|一位)?(?:用户|客户|访客|管理员|顾客)"),
    Frame("from here on", "a text that goes elsewhere",
          rf"{_LEAD}(?:add|append|insert|include|put|paste|copy|enter) (?:this|these|the following)"
          r"\b(?![^.]*\b(?:memory|memories|notes?|profile|cards?|records?|vault|calendar|remember)\b)"
          r"[^:?]{0,60}\W*$"),
    Frame("from here on", "a part that is played",
          rf"{_LEAD}(?:role-?play|imagine|pretend)\b|\bact as\b|\bmy character\b|\bin character\b"),
    Frame("from here on", "somebody else's part",
          r"^\W*(?:from now on,? |now,? )?you are (?:now )?(?:me\b|(?-i:[A-Z])\w+)"
          r"|^\W*(?:(?:from now on,? |now,? )?i am you|(?:be|play) me)\b"
          r"|^\W*du bist (?:jetzt )?(?:ich\b|(?-i:[A-Z])\w+)"),
    Frame("from here on", "an item of a list",
          r"^(?!\W*(?:facts?|notes?|things?|points?|reminders?|news)\b)"
          r"\W*(?:\w+ ){1,2}(?:\d{1,3}|(?-i:[A-Z])): "),
    Frame("from here on", "dictation",
          rf"{_LEAD}{_HANDLE}\b[^:]{{0,60}}:\s"
          r"|^\W*test(?:ing)?[:,]\s|^\W*(?:ignore|forget|disregard)\b[^:.]{0,30}:\s"
          r"|^(?!\W*(?:my|our) (?:\w+ )?(?:e-?mail|phone|password|title)\b)"
          rf"[^:]{{0,60}}\b{_TEXT}\b[^:]{{0,30}}:\s"),
    Frame("from here on", "a text that is to be mended",
          rf"{_LEAD}(?:grammar|spelling|spell)[ -]?(?:check|correction)\b"
          rf"|{_LEAD}{_MEND} (?:{_WHICH}|these|following) (?:\w+ )?"
          rf"(?:{_TEXT}|text|words|message)\b"
          rf"|{_LEAD}{_MEND} (?:this|the following)(?: for me)?(?:,? please)?\W*$"
          rf"|^\W*please {_MEND}\W*$|{_LEAD}{_MEND},? please\W*$"
          r"|\bmake (?:this|it|that) (?:sound|shorter|better|more)\b"),
    Frame("from here on", "a text that is announced",
          r"^(?!\W*here(?:['\u2019]s| is) my (?:profile|bio)\b)"
          r"\W*(?:here(?:['\u2019]s| is| are| comes?)|below is|this is|following is)"
          rf" (?:{_WHICH} )?(?:\w+ ){{0,2}}(?:{_TEXT}|text|(?:short|bedtime|little|funny) story)\b"
          r"|\b(?:as follows|the following)\W*$"),
    Frame("from here on", "a game about what is true",
          r"\btruths? and an? lies?\b|\b(?:spot|guess|find) the (?:lie|truth)\b"
          r"|\btrue or false\b|\bnever have i ever\b"),
    Frame("from here on", "somebody who is made up",
          rf"^\W*(?:for|in|on|as|with|using) {_WHICH} {_MOCK}\b"),
    Frame("sentence", "somebody who is made up",
          rf"\b{_MOCK} (?:account|profile|user|persona|identity|customer|patient)\b"),
    Frame("sentence", "a story",
          r"\b(?:imagin\w+|pretend\w*|hypothetical\w*|suppos(?:e|ing)|fiction\w*|role-?play\w*"
          r"|novel|character|(?:the|a|this|that) story|lyrics|screenplay|act as|as if|as though"
          r"|dream(?:s|t|ed)? (?:that|of|about)|for (?:example|instance)|e\.g\.|kidding"
          r"|jok(?:es?|ing)|sarcas\w+|let['\u2019]s say|(?:wrongly|falsely|mistakenly)"
          r" (?:said|told|wrote|claimed)|(?:said|told|wrote|claimed)\b[^.]{0,40}"
          r" (?:by mistake|wrongly))\b"),
    Frame("sentence", "fiction",
          rf"^\W*in (?:{_WHICH} (?:\w+ )?{_WORLD}|{_GAMES})\b"
          r"|^(?!.*\b(?:sing|play|act|danc|perform|work|star|compet|appear|interest)\w*\b)"
          rf".*\bin (?:{_WHICH} (?:\w+ )?{_WORLD}|{_GAMES})\W*$"
          r"|^\W*e\.?g\.?\s|\bfor (?:the sake of|argument['\u2019]s sake)\b"
          r"|\bin (?:my (?:dreams|head)|(?:a|another|my) (?:past|last|next) life)\b"
          rf"|^\W*{_ON_STAGE}|^\W*(?:(?:und|aber) )?{_IN_A_DE} {_WORLD_DE}\b"
          r"|^(?!.*\b(?:sing|spiel|tanz|tr[ie]tt|arbeit|wirk|mach|lese|schreib)\w*\b)"
          rf".*\b{_IN_A_DE} {_WORLD_DE}\W*$"),
    Frame("sentence", "what is only wished for or on paper",
          r"\bon my (?:wish[ -]?list|bucket list|vision board)\b|^\W*(?:officially|on paper"
          r"|for tax reasons|on (?:tinder|linkedin|facebook|instagram|hinge|bumble)"
          r"|on my (?:cv|resume|profile))\b"),
    Frame("sentence", "another time than now, or only some of it",
          rf"^\W*(?:until|till|up to|up until|before) (?:{_YEAR}|last|recently|then|now"
          r"|(?:the (?:end|beginning) of )?(?:january|february|march|april|may|june|july|august"
          r"|september|october|november|december))\b|^\W*by the time\b"
          rf"|^\W*(?:from|starting) (?:next|tomorrow|{_YEAR}|\w+ {_YEAR})\b"
          r"|^\W*(?:next (?:week|month|year|spring|summer|autumn|fall|winter)|soon|one day"
          r"|some ?day|tomorrow|(?:back )?in (?:the past|those days|my (?:youth|twenties)))\b"
          r"|\bon \w+days only\b|\bonly on \w+days\b|\buntil (?:some|any)(?:one|body)\b"),
    Frame("sentence", "what somebody else says or thinks",
          rf"\b(?:or )?so {_SOMEBODY} (?:\w+ )?(?:say|think|claim|believe|tell|hear)s?\W*$"
          rf"|, {_SOMEBODY} (?:wrongly |always |keeps? )*(?:say|claim|think|believe)s?\W*$"
          rf"|^\W*(?:nobody|no one|{_SOMEBODY}) (?:wrongly |still |all |always )*"
          r"(?:think|believe|assume|suppose)s? (?=(?:my|i|we)\b)|^\W*as far as\b"),
    Frame("sentence", "a comparison",
          r"\bas (?:much|little|likely|often) as\b|\bless and less\b"),
    Frame("sentence", "what is said not to be so",
          rf"\b(?:none|nothing|not a word) of {_ALL_OF_IT}\b|\b(?:all|most|half) of {_ALL_OF_IT}"
          rf" (?:is |are |was |were |is|are|was|were){_UNTRUE}|\b(?:is|was) (?:just )?"
          r"(?:a lie|a typo|a rumou?r|nonsense|fake news)\b|\(not\)|\.\. ?not\W*$|, not\W*$"
          r"|,? (?:psych|sike|as if)\W*$|[.!,;] ?(?:nvm|never ?mind|scratch that)\W*$"),
    Frame("sentence", "what is put right at once",
          r"(?:[,;\u2013\u2014]| -)\s*(?:oh |ah )?(?:no|nope|wait|well|sorry|hang on),? "
          r"(?:(?:no|wait|sorry),? )*"
          r"(?:(?:(?:that|it|she|he)['\u2019]?s|i mean|(?:my )?ex|not)\b)"
          r"|\bthat['\u2019]?s my ex\b"
          r"|(?:[,;\u2013\u2014]| -)\s*(?:no|nope|sorry|wait|oops),? (?:make that |rather )?"
          r"(?=\d|(?!i\b)(?-i:[A-Z]))"),
    Frame("sentence", "words that are cited",
          r"\b(?:is|was) (?:the|an?) (?:\w+ )?(?:title|name|line|chorus|refrain|motto|slogan"
          r"|caption|headline|punchline|lyrics?) (?:of|on|in|from|for)\b"
          r"|\b(?:is|was|stands?|stood) on (?:my|the|his|her|their) (?:badge|sign|t-?shirt|mug)\b"
          r"|\b(?:sentence|line|essay|text|answer) (?:was|is|reads?|goes|begins|starts) (?:with )?"
          r"(?=(?:my|i) (?!\w+ly\b))"),
    Frame("sentence", "what nobody takes for true",
          r"\bmoon is made of (?:\w+ )?cheese\b|\bpigs (?:can )?fly\b"
          r"|\b(?:lives?|works?|stud(?:y|ies)) (?:in|on|at) (?:the )?(?:mars|moon|narnia|la la"
          r" land|cloud nine|hogwarts|mordor"
          r"|moria|middle[- ]earth|neverland|wonderland|atlantis|gotham)\b"
          r"|\bi(?:['\u2019]m| am) the (?:pope|(?:queen|king) of)\b|^\W*ha! "
          r"|\bmy name(?:['\u2019]s| is) (?:mud|legion|bond|slim shady|inigo montoya|ozymandias"
          r"|nobody|whatever)\b"),
    Frame("sentence", "German that asserts nothing",
          r"\b(?:sch\u00f6n )?w\u00e4r['\u2019]?s\b|\bvon wegen\b|\bwer['\u2019]?s glaubt\b"
          r"|\bim (?:theaterst\u00fcck|st\u00fcck|m\u00e4rchen|gedicht|lied|comic|beispiel|formular"
          r"|videospiel)\b|\bauf dem papier\b|\b(?:gelogen|erfunden|stimmt (?:so )?nicht)\b"
          rf"|^\W*(?:bis|vor) (?:{_YEAR}|letzte\w*|vorige\w*|zum|zur)\b"
          r"|^\W*(?:\u00fcbersetz|korrigier|schreib|antwort|f\u00fcll|sag|trag)\w*\b[^:]{0,60}:\s"
          r"|\bnenn(?:t|e|en)? mich nicht\b|, nicht\W*$"
          r"|^\W*(?:nehmen wir an|angenommen|mir (?:wurde|wird) (?:gesagt|erz\u00e4hlt|nachgesagt)"
          r"|ich (?:tr\u00e4um(?:t)?e|hab(?:e)? (?:mal )?(?:getr\u00e4umt|gelogen)))\b"),
    Frame("sentence", "Chinese that asserts nothing",
          "谎|骗[人你]|编的|不是真的|是假的|瞎说|胡说|才怪|开玩笑|翻译[：:]|[剧戏梦歌]里"
          "|^\\W*在?[^，。我]{0,6}(?:[剧戏梦歌书诗]|电影|漫画|动漫|动画|游戏|小品|剧本|童话)[里中]面?[，,]"
          "|^\\W*在?[^，。我]{0,4}(?:舞台|台)上[，,]?我(?:叫|是|的名字)"),
    Frame("the one before", "what is taken back",
          r"^\W*(?:(?:true|agree|right) or (?:false|disagree|wrong)|tick if"
          r"|(?:richtig|wahr) oder falsch|gotcha|(?:i|you) wish(?=\W*$)|in my dreams|yeah,? right"
          r"|ha(?:ha)*,? no(?:pe|t)?"
          r"|or so (?:i|we|they)|or (?:(?:i|we|he|she) )?(?:did|was|used to)"
          r"|not (?:any ?more|at all|for real)|well,? (?:lived|worked|used to|was|were|had|did)"
          r"|at least (?:that['\u2019]s|that is|so|according|on paper)"
          r"|that (?:has )?(?:changed|was (?:before|until|then|last|a lie|a joke|years))"
          r"|(?:wait|oh|well),? that was)\b"),
    Frame("up to here", "what is taken back",
          rf"{_SO}(?:none|nothing|not a word) of {_ALL_OF_IT} (?:is|are|was|were) (?:\w+ )?"
          r"(?:true|real|so|correct|serious)\b"
          rf"|{_SO}(?:(?:all|most|half) of )?(?:{_ALL_OF_IT}|it all)(?: is| are| was| were"
          rf"|['\u2019]s|(?= ?(?:is|was|are|were)n)) ?(?:is|was|are|were)?{_UNTRUE}"
          r"|^\W*(?:all )?(?:lies|made up|fiction)\W*$|^\W*(?:not|psych|sike|as if)\W*$"
          r"|^\W*(?:(?:just|only|i['\u2019]?m|i was|we were|haha)[, ]+)*(?:kidding|joking"
          r"|j/?k(?=\W*$|,| lol| haha)|messing with you|pulling your leg|a joke)\b"
          r"|^\W*i (?:made|am making|was making) (?:it|that|this|all of (?:it|that)|everything)"
          r" (?:all )?up\b|^\W*i (?:lied|was lying)\b|^\W*april fools?\b"
          r"|^\W*(?:(?:nein|ach|quatsch|haha|sorry|ups|ne)[,.! ]+)*"
          r"(?:(?:das )?war (?:nur )?(?:ein )?|nur |kleiner )*(?:scherz|spa\u00df|witz|gelogen)\W*$"
          r"|^\W*(?:alles (?:gelogen|erfunden|quatsch)|nichts davon stimmt)\b"
          r"|^\W*(?:开玩笑|骗你的|都是假的|以上都是编的)"),
)  # fmt: skip
"""Every frame; in none does it matter what is written with a capital, but where it says so."""


def outside(sentences: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield those of *sentences*, a turn's, that no frame bars, each with its number from 0."""
    end = next((n for n, it in enumerate(sentences) if _stands(it, "from here on")), len(sentences))
    back = [n for n, it in enumerate(sentences) if _stands(it, "up to here")]
    start = back[-1] + 1 if back else 0
    for n in range(start, end):
        behind = "".join(sentences[n + 1 : n + 2])
        if not (_stands(sentences[n], "sentence") or _stands(behind, "the one before")):
            yield n, sentences[n]


def takes_back(sentence: str) -> bool:
    """Tell whether *sentence* takes back all that was said before it."""
    return _stands(sentence, "up to here")


def _stands(sentence: str, reach: Reach) -> bool:
    opening = sentence[:_LONGEST]
    return any(compiled(f"(?i){it.pattern}").search(opening) for it in FRAMES if it.reach == reach)
