"""Tell what friends say in chat that they like and do not: `not into port wine`, `im veggie`.

English as `casual_spelling` reads it, where a liking has other verbs than in a letter.
"""

from __future__ import annotations

import re

_OBJECT = (
    r"(?!(?:it|that|this|them|those|these|him|her|you\w*|any\w*|no\w*|much|all|what|how|when|the"
    r" (?:way|idea))\b)[\w'\u2019-]+"
)
_START = (
    r"(?:^|[,;.] |\b(?:and|but|because|so|though|tbh|btw|also|lol|though|since|honestly|yeah) )"
)
_LEAD = (
    r"(?:(?:tbh|btw|so|and|but|also|yeah|yes|ok|oh|well|honestly|personally|nah|no|sorry)\b,? )*"
)
_TASTE = re.compile(
    rf"{_START}(?:(?:I['\u2019]m|I am) )?not (?:really |that |super |much of |so |exactly )*"
    rf"(?:an? (?:big |huge )?fan of|big on|into) {_OBJECT}"
    rf"|{_START}I(?:['\u2019]m| am) (?:all about|more into|really into|so into|super into"
    rf"|big on|obsessed with|a sucker for|picky about|addicted to|a (?:big |huge )?fan of)"
    rf" {_OBJECT}"
    rf"|{_START}I(?:['\u2019]m| am) (?:(?:more|not (?:that |really )?much) of )?an?"
    r" (?!actual|real|human|normal|living|single|different|new|good|bad|only)"
    r"[\w-]+(?: [\w-]+)? (?:person|guy|girl|type)\b"
    rf"|(?:{_START}I(?:['\u2019]d| would)|^{_LEAD}would) (?:(?:much )?rather|take)"
    r"\b(?! (?:die|kill|starve|quit"
    rf"|not\b|that|it"
    r"|you)).{3,40}? (?:than|over) \w+"
    rf"|{_START}I don['\u2019]t (?:really )?(?:do|drink|eat) (?!well\b|much\b|so\b"
    rf"|enough\b|shit\b)"
    rf"{_OBJECT}(?=\W*$|,| (?:so|and|but|or|because|after|before|on|at)\b)"
    rf"|{_START}I (?:only|always|mostly) (?:drink|eat|buy|run|listen|read|wear|use"
    rf"|watch|cook|order"
    rf"|work|sleep) {_OBJECT}"
    rf"|{_START}I (?:work|sleep|think|write|study|focus|run) (?:best|(?:way |much |so much"
    rf" )?better)"
    r" (?:at|in|on|with|after|before) \w+"
    rf"|{_START}I (?:kinda|lowkey|highkey|honestly|secretly) (?:\w+ )?(?:love|hate|like"
    rf"|prefer|enjoy)"
    rf" {_OBJECT}"
    rf"|{_START}I can['\u2019]t stand {_OBJECT}"
    # In chat the subject is left out: `cant stand cilantro`, `big fan of thai food`.
    rf"|^{_LEAD}(?:(?:really|just|honestly|absolutely|totally) )*(?:can['\u2019]t stand|dislike"
    rf"|don['\u2019]t (?:like|drink|eat)|hate) {_OBJECT}(?! (?:you|u|for|of)\b)"
    rf"|^{_LEAD}(?:(?:such )?an? )?(?:(?:big|huge|massive) )?fan of {_OBJECT}"
    rf"|^{_LEAD}(?:really|super|so|very) into {_OBJECT}"
    rf"|^{_LEAD}not (?:really )?(?:an?|much of an?) \w+ person\b"
    rf"|^{_LEAD}love a good \w+"
    rf"|{_START}I can['\u2019]t (?:sleep|work|study|focus|cook)"
    rf" without (?!you|him|her|it|them)\w+"
    rf"|^{_LEAD}nothing beats (?:an?|the|my|\w+ing) \w+"
    rf"|^{_LEAD}(?:I(?:['\u2019]ve)? )?never liked {_OBJECT}"
    rf"|(?:{_START}I (?:take|have|like|love|drink|eat)|^{_LEAD}love) my"
    rf" (?:coffee|tea|eggs?|steak|toast|burger|pizza"
    rf"|food)\b"
    rf"|{_START}I (?:read|watch|listen to|drink|eat|wear|cook|play) mostly {_OBJECT}"
    rf"|^{_LEAD}my go-? ?to (?:\w+ )?is {_OBJECT}"
    # By which name somebody goes, and how they want to be met.
    r"|^(?:(?:please|just),? )*call me (?!(?:a|an|the|when|if|at|later|back|on|before|after"
    r"|today)\b)"
    r"\w+,? (?:please|instead|not \w+|nobody|everyone|everybody)\b"
    r"|^please (?:text|ring|knock|message|write)(?: me)? (?:before|first|ahead)\b"
    # Of those who are asked to do so, too: `I'd rather you email me than call`.
    rf"|{_START}I(?:['\u2019]d| would) rather you \w+ (?:me )?.{{0,30}}?(?:than|instead of) \w+"
    rf"|{_START}I (?:usually|always|generally) (?:(?:go for|order|drink|eat|book|wear|travel by)"
    rf" (?!so\b|too\b|a lot\b){_OBJECT}"
    r"|(?:take|choose|pick|sit (?:in|at|by|on)) (?:the|an?) (?:window|aisle|front|back|\w+ seat"
    r"|train|bus"
    r"|bike|tram|stairs|ferry|sleeper)\b)"
    rf"|{_START}I (?:(?:really|do|just) )*(?:don['\u2019]t )?(?:(?:really|much) )*(?:like|love|hate"
    r"|prefer)(?: it)? when (?!(?:it|that|this|he|she|they|we|I)\b|(?-i:[A-Z]))\w+"
    rf"|{_START}I (?:really )?(?:adore|dislike|detest|loathe|despise) (?:to )?{_OBJECT}"
    rf"|^{_LEAD}(?!(?:it|that|this|he|she|they|you|what|which)\b)[\w' -]{{3,40}}? (?:suits?"
    r"|works? for|agrees? with) me (?:best|better|most)\b"
    rf"|^{_LEAD}(?!(?:it|that|this|he|she|they|you|what)\b)[\w'-]+(?: [\w'-]+){{0,2}} (?:aren"
    r"|isn)['\u2019]t (?:really )?(?:my thing|for me)\b"
    rf"|^{_LEAD}(?!(?:it|that|this|he|she|they|you|what)\b)[\w'-]+(?: [\w'-]+){{0,2}} (?:is|are)"
    r" an? (?:hard |big )?no for me\b"
    rf"|^{_LEAD}(?!(?:it|that|this|I|he|she|they|you|what)\b)[\w'-]+(?: [\w'-]+){{0,2}} over"
    r" [\w'-]+(?: [\w'-]+){0,2} (?:any ?day|any time|every time|always)\b"
    rf"|^{_LEAD}(?:my )?(?:all[- ]time )?favou?rite \w+(?: [\w'-]+){{0,2}}(?:['\u2019]s| is| are)"
    rf" {_OBJECT}"
    # What a friend is to do each time, told with the reason: `dont send me voice notes, i never
    # listen to them`.
    r"|^(?:(?:also|and|but|btw|so|please),? )*(?:please (?:don['\u2019]t|do not|never|always)"
    r"|(?:don['\u2019]t|do not|never|always)(?= .*(?:please|,? (?:because )?I (?:never|always|hate"
    r"|like|prefer|love"
    r"|can['\u2019]t|don['\u2019]t|won['\u2019]t)\b)))"
    r" (?:send|call|text|ring|phone|write|email|message|wake|give|buy|bring|put) (?:me|my|things)\b"
    rf"|{_START}I(?:['\u2019]m| am) (?:a |now )?(?:veggie|vegan|vegetarian|pescatarian|lactose"
    r" intolerant|gluten[- ]free|celiac|teetotal)\b"
    rf"|^(?:(?:tbh|btw|so|and|but|also|yeah|ok) )*(?!(?:it|that|this|he|she|they|you"
    rf"|what)\b)[\w' -]{{3,40}}?"
    r"(?:['\u2019]s| is| are) (?:more my thing|(?:just )?not my thing"
    r"|my (?:all[- ]time )?(?:favorite"
    r"|go-?to|jam|comfort food)\b)"
    rf"|{_START}(?:[Gg]ive me|I['\u2019]ll take) {_OBJECT}(?: \w+){{0,3}} any day\b"
)
# A sentence without one of these tells no taste.
_HINT = re.compile(
    r"(?i)\b(?:I|my|me|please|don['\u2019]?t|do not|never|always|fan|big|into|stand|hate|love"
    r"|dislike"
    r"|favou?rite|over|person|call)\b"
)
# What only keeps the other listening: `i hate ebooks u know that`.
_FILLER = (
    r"(?i),? \b(?:(?:as )?(?:u|you|ya|y) know(?: (?:that|this|me))?"
    r"|don['\u2019]?t judge(?: me)?|fight me|not gonna lie|ngl|tbh|sorry not sorry"
    r"|haha+)(?=\W*$|,)"
)
_EXPLETIVE = r"(?i)\b(?P<verb>like|love|hate|prefer) it(?= when\b)"
_ASKED = r"(?i)\b(?P<kept>rather|prefer\b.*? (?:when|if)|please \w+(?: me)? before) (?:you|u)\b"
_PASSING = (
    r"(?i)\b(?:today|tonight|tomorrow|probably|maybe|right now|rn|this (?:one|time|week|morning)"
    r"|for now|if"
    r"|chat\w*|can(?:not|['\u2019]?t) remember|here (?:is|are|was))\b|\?"
)


def is_told(text: str) -> bool:
    """Whether *text*, as it would be spelled with care, tells a taste that is to last."""
    if _HINT.search(text) is None:
        return False
    return _TASTE.search(text) is not None and re.search(_PASSING, text) is None


def without_fillers(text: str) -> str:
    """Return *text* without what says nothing: `u know`, `dont judge`, `it` of `like it when`.

    Nor with what a standing request says of whom it asks: `I'd rather you email me`.
    """
    bare = re.sub(_EXPLETIVE, r"\g<verb>", re.sub(_FILLER, "", text))
    return re.sub(_ASKED, r"\g<kept>", bare)


# Of which kind only the question told: `i like brown best`, `My favorite is Rocky`.
_OF_WHICH = (
    r"(?i)\b(?:best|better|more|most)(?: now)?\W*$|\blike \w+ing (?:as well|too)\W*$"
    r"|\b(?:that|it|this)(?:['\u2019]s| is| was) (?:also |still )?my favou?rite\b"
    r"|\b(?:like|love|prefer|hate)(?: \d+(?:st|nd|rd|th)\b(?: (?:and|or))?)+\W*$"
    r"|\bmy favou?rite (?:is|was)\b|\bmy favou?rite\W*$|\bmedium\b"
)


def is_of_which(text: str) -> bool:
    """Whether *text* likes one of a kind that only the talk before it names."""
    return re.search(_OF_WHICH, text) is not None
