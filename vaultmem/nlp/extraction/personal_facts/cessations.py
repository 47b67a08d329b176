"""Read what a speaker says is so no longer as the sentence that once said it is so.

`I'm not vegetarian any more` is read as `I'm vegetarian`, by the grammar of what is so, so that
whatever can be told of somebody can end. What each says has to be the whole of its clause; of what
follows behind a comma only the reason is told.
"""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.nlp.extraction.grammar import assertion_en
from vaultmem.nlp.text import salience

_OPENS = rf"^\W*(?i:turns out )?{assertion_en.LEADS}"
# When it ended, which is read elsewhere.
_WHEN = (
    r"(?i:,? (?:(?:back )?(?:in|since|on) (?:(?:early|late|mid) )?(?!\w+days\b)"
    r"(?-i:[A-Z])\w+(?: (?:19|20)\d\d)?"
    r"|(?:in|since) (?:19|20)\d\d|(?:since |as of )?(?:today|yesterday|(?:last|this) \w+)"
    r"|at (?:christmas|easter)|for good|(?:an?|two|three|four|five|six|a few|\d+)"
    r" (?:days?|weeks?|months?|years?) ago))?"
)
_TAIL = rf"{_WHEN}(?i:,? (?:btw|by the way|thankfully|luckily|sadly|at last|either))?"
_WHY = r"(?:[.!]*|[,;\u2013\u2014] ?(?!(?i:but|except|only|just|unless)\b)(?P<why>[^?]*))$"
_OVER = rf"(?i:,? any ?more|,? after all|,? now){_TAIL}{_WHY}"
_NOT_WHY = r"[^,.;:!?]{2,60}?"
_WHAT = rf"(?P<what>{_NOT_WHY})"
_STOPPED = (
    r"(?i:(?: have|['\u2019]ve)? ?(?:just |finally |recently )?"
    r"(?:stopped|quit|gave up|given up))"
)
_PLACE_TO_GO = r"(?:gym|pool|sauna|climbing wall)\b"
_FORMS = (
    (rf"{_OPENS}I(?:['\u2019]m| am) not {_WHAT}{_OVER}", ("I am {}.",)),
    (rf"{_OPENS}I(?:['\u2019]m| am) no longer {_WHAT}{_TAIL}{_WHY}", ("I am {}.",)),
    (rf"^\W*[Nn]ot {_WHAT}(?i: any ?more){_TAIL}{_WHY}", ("I am {}.",)),
    (rf"{_OPENS}I (?:don['\u2019]t|do not) {_WHAT}(?i:,? any ?more){_TAIL}{_WHY}", ("I {}.",)),
    (rf"{_OPENS}I no longer {_WHAT}{_TAIL}{_WHY}", ("I {}.",)),
    (
        rf"{_OPENS}I{_STOPPED} taking {_WHAT}{_TAIL}{_WHY}",
        ("I take {}.",),
    ),
    (
        (
            rf"{_OPENS}I{_STOPPED} (?P<what>(?:learning|studying|driving|riding|keeping|collecting"
            rf"|volunteering|coaching|working|living) {_NOT_WHY}){_TAIL}{_WHY}"
        ),
        ("I am {}.",),
    ),
    (
        (
            rf"{_OPENS}I{_STOPPED} (?:playing )?(?!\w+ing\b|(?:the )?{_PLACE_TO_GO})"
            rf"(?:the )?{_WHAT}{_TAIL}{_WHY}"
        ),
        ("I play {}.",),
    ),
    (
        (
            rf"{_OPENS}I(?:(?:['\u2019]m| am)(?: now)?|(?: have|['\u2019]ve)?(?: just| finally)?"
            rf" (?:came|come|went|gone)) off {_WHAT}{_TAIL}{_WHY}"
        ),
        ("I take {}.",),
    ),
    (
        (
            rf"{_OPENS}[Mm]y (?P<what>[a-z]+(?: [a-z]+)?) allergy (?:is|has) "
            rf"(?:gone|over|cured|disappeared){_TAIL}{_WHY}"
        ),
        ("I am allergic to {}.", "I am allergic to {}s.", "I have a {} allergy."),
    ),
)
# What comes round no more, as it was done.
_DEED = (
    r"(?P<what>[a-z]+ (?!not\b)"
    r"(?:(?!(?:after|before|on|when|with|at|in|than)\b)[^,.;:!? ]+ ?){1,5}?)"
)
_HABITS = (
    (rf"{_OPENS}I (?:don['\u2019]t|do not) {_DEED}(?i:,? any ?more){_TAIL}{_WHY}", "{}"),
    (rf"{_OPENS}I no longer {_DEED}{_TAIL}{_WHY}", "{}"),
    (
        rf"{_OPENS}I{_STOPPED} (?:going to )?(?P<what>the {_PLACE_TO_GO}){_TAIL}{_WHY}",
        "go to {}",
    ),
    (
        (
            rf"{_OPENS}I{_STOPPED} going (?P<what>to (?:the |my )?[^ ,.;:!?]{{3,40}}"
            rf"(?: (?:class|club|group|meetings))?){_TAIL}{_WHY}"
        ),
        "go {}",
    ),
)
# What somebody eats again who once did not, and what they were called for that.
_MEAT = r"(?:meat|chicken|beef|pork|steaks?|bacon|ham|burgers|sausages?|lamb"
_MEAT += r"|\w*[Ff]leisch|Wurst|荤|\w*肉)"
_FISH = r"(?:fish|seafood|salmon|tuna|shellfish|Fisch|海鲜|鱼肉?)"
_DAIRY = r"(?:dairy|cheese|eggs?|milk|butter|honey|yogh?urt|K\u00e4se|Eier|Milch|鸡蛋|蛋|牛?奶)"
_VEGAN = ("I am vegan.", "Ich bin Veganer.", "Ich bin Veganerin.", "Ich bin vegan.", "我吃纯素。")
_VEGETARIAN = (
    "I am vegetarian.", "Ich bin Vegetarier.", "Ich bin Vegetarierin.", "Ich bin vegetarisch.",
    "我吃素。",
)  # fmt: skip
# What somebody is called who eats so.
_EATERS = (
    ("vegan", ("Ich bin Veganer.", "Ich bin Veganerin.")),
    ("vegetarisch", ("Ich bin Vegetarier.", "Ich bin Vegetarierin.")),
)
_DIETS = (
    (_MEAT, (*_VEGETARIAN, *_VEGAN, "I am pescatarian.")),
    (_FISH, (*_VEGETARIAN, *_VEGAN)),
    (_DAIRY, _VEGAN),
)
_SINCE = r"(?i:,? (?:since|after|for|from|now|these days|seit|nach)\b[^?.]*)?"
_AGAIN_EN = (
    r"(?i:(?: have|['\u2019]ve)?(?: just| recently| now)? (?:(?:started|begun|began|gone back to"
    r"|went back to) (?:eating|drinking|having)|(?:started|begun|began) to (?:eat|drink))"
    r"|(?: am|['\u2019]m)(?: now)? (?:eating|drinking)|(?: do)?(?: now)? (?:eat|drink))"
)
_RESUMED = (
    (rf"{_OPENS}I{_AGAIN_EN} {_WHAT}(?i: again){_SINCE}{_TAIL}{_WHY}", "I don't eat {}."),
    (
        (
            rf"{_OPENS}I(?i:(?:(?: am|['\u2019]m)|(?: have|['\u2019]ve)? (?:gone|went)) back to"
            rf" (?:eating|drinking)) {_WHAT}{_TAIL}{_WHY}"
        ),
        "I don't eat {}.",
    ),
    (
        (
            r"^\W*(?i:(?:(?:\u00fcbrigens|also|ja|aber|jetzt)[, ]+)*(?:ich (?:esse|trinke)"
            r"|seit [\w. ]{2,20} (?:esse|trinke) ich)"
            r"(?: jetzt| nun| inzwischen| seit [\w. ]{2,20}?)*)"
            rf" wieder {_WHAT}{_SINCE}{_WHY}"
        ),
        "Ich esse kein {}.",
    ),
    (
        (
            "^\\W*我(?:现在|最近|已经|终于)*(?:又|重新|恢复)(?:开始)?[吃喝](?P<what>[\u4e00-\u9fff]{1,4}?)"
            "(?:了|啦)?(?P<why>)[。！.!]*$"
        ),
        "我不吃{}。",
    ),
)
# What is given up by a word of its own.
_GIVEN_UP: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        (
            "^\\W*我(?:已经|终于|最近|现在|刚刚?|去年|上个?月)*(?:戒掉?了?(?P<what>[\u4e00-\u9fff]{1,4}?)"
            "|把(?P<gone>[\u4e00-\u9fff]{1,4}?)戒掉?)(?:了|啦)?[。！.!]*$"
        ),
        ("我喜欢喝{}。", "我喜欢抽{}。", "我爱喝{}。", "我喜欢吃{}。", "我爱吃{}。", "我喜欢{}。"),
    ),
    (
        "^\\W*我(?:已经|现在|再也)*不(?:再)?喜欢(?P<what>[\u4e00-\u9fff]{1,8}?)(?:了|啦)[。！.!]*$",
        ("我喜欢{}。",),
    ),
    (
        (
            r"^\W*(?i:ich habe(?: [\w. ]{2,20}?)?"
            r" (?:mit (?:dem |der |meine[mr] )?(?P<what>(?-i:[A-Z])\w+?)(?:spielen|unterricht)?"
            r" aufgeh\u00f6rt"
            r"|aufgeh\u00f6rt,? (?P<gone>(?-i:[A-Z])\w+) zu (?:spielen|essen|trinken"
            r"|nehmen)|(?:das |die |den )?(?P<given>(?-i:[A-Z])\w+)"
            r" (?:aufgegeben|an den nagel geh\u00e4ngt|hingeschmissen)))[.!]*$"
        ),
        (
            "Ich spiele {}.",
            "Ich nehme {}.",
            "Ich mag {}.",
            "Ich esse gerne {}.",
            "Ich trinke gerne {}.",
        ),
    ),
)
_ONCE = (
    (r"(?<=[a-z\u00df]) nicht mehr(?= )", ""),
    (r"不再", ""),
    (
        r"(?:已经|现在)*不(过敏|[吃喝抽弹拉吹打玩学开骑养练唱收住][^\s，。！？了你我他她]{1,8})了(?=\W*$)",
        r"\1",
    ),
)
_SPEAKS = r"^\W*(?:[Ii]ch (?:bin|esse|spiele|nehme|fahre|trinke|lebe) nicht mehr |我)"


def was(sentence: str) -> tuple[str, ...]:
    """Return how what *sentence* says is over was said once, in each way; none if nothing is."""
    if salience.is_question(sentence) or assertion_en.is_jest(sentence):
        return ()
    return next(filter(None, (read(sentence) for read in (_ended, _resumed, _given_up, _once))), ())


def _ended(sentence: str) -> tuple[str, ...]:
    for pattern, before in _FORMS:
        found = re.match(pattern, sentence)
        if found and not re.search(assertion_en.DOUBT, found["why"] or ""):
            return tuple(each.format(found["what"]) for each in before)
    return ()


def _resumed(sentence: str) -> tuple[str, ...]:
    """Return what was so until somebody took up again what they say: `I eat meat again`."""
    for pattern, before in _RESUMED:
        found = re.match(pattern, sentence)
        if found and not re.search(assertion_en.DOUBT, found["why"] or ""):
            return (before.format(found["what"]), *dict.fromkeys(_diets(found["what"])))
    return ()


def _given_up(sentence: str) -> tuple[str, ...]:
    for pattern, before in _GIVEN_UP:
        if found := re.match(pattern, sentence):
            what = next(filter(None, found.groups()))
            return tuple(each.format(what) for each in before)
    return ()


def _once(sentence: str) -> tuple[str, ...]:
    for over, instead in _ONCE if re.match(_SPEAKS, sentence) else ():
        if len(re.findall(over, sentence)) == 1:
            once = re.sub(over, instead, sentence)
            return (once, *_called_so(once))
    return ()


def _called_so(once: str) -> tuple[str, ...]:
    """Return in which other words *once* may have been said, where it says of a diet."""
    return next((called for diet, called in _EATERS if re.search(rf"\b{diet}\b", once)), ())


def _diets(food: str) -> Iterator[str]:
    """Yield what somebody said who is of a diet that knows no such *food*."""
    for foods, diets in _DIETS:
        if re.fullmatch(rf"(?:\w+ )?{foods}(?: (?:and|und) \w+)?", food):
            yield from diets


def habits(sentence: str) -> tuple[str, ...]:
    """Return in which words the routine that *sentence* says is over tells what is done."""
    if salience.is_question(sentence) or assertion_en.is_jest(sentence):
        return ()
    for pattern, routine in _HABITS:
        found = re.match(pattern, sentence)
        if found and not re.search(assertion_en.DOUBT, f"{found['what']} {found['why'] or ''}"):
            return (routine.format(found["what"]),)
    return ()
