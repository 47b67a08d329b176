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
_SOFT = (
    r"(?:(?:really|kinda|lowkey|honestly|just|also|still|so|actually|always|usually"
    r"|only|mostly) )*"
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
    rf"|{_START}I(?:['\u2019]d| would) (?:rather|take)\b(?! (?:die|kill|starve|quit|not\b|that|it"
    r"|you)).{3,40}? (?:than|over) \w+"
    rf"|{_START}I don['\u2019]t (?:really )?(?:do|drink|eat) (?!well\b|much\b|so\b"
    rf"|enough\b|shit\b)"
    rf"{_OBJECT}(?=\W*$|,| (?:so|and|but|or|because|after|before|on|at)\b)"
    rf"|{_START}I (?:only|always|mostly) (?:drink|eat|buy|run|listen|read|wear|use"
    rf"|watch|cook|order"
    rf"|work|sleep) {_OBJECT}"
    rf"|{_START}I (?:work|sleep|think|write|study|focus|run) (?:way |much |so much )?better"
    r" (?:at|in|on|with|after|before) \w+"
    rf"|{_START}I (?:kinda|lowkey|highkey|honestly|secretly) (?:\w+ )?(?:love|hate|like"
    rf"|prefer|enjoy)"
    rf" {_OBJECT}"
    rf"|{_START}I can['\u2019]t stand {_OBJECT}"
    rf"|{_START}I(?:['\u2019]m| am) (?:a |now )?(?:veggie|vegan|vegetarian|pescatarian|lactose"
    r" intolerant|gluten[- ]free|celiac|teetotal)\b"
    rf"|^(?:(?:tbh|btw|so|and|but|also|yeah|ok) )*(?!(?:it|that|this|he|she|they|you"
    rf"|what)\b)[\w' -]{{3,40}}?"
    r"(?:['\u2019]s| is| are) (?:more my thing|(?:just )?not my thing"
    r"|my (?:all[- ]time )?(?:favorite"
    r"|go-?to|jam|comfort food)\b)"
    rf"|{_START}(?:[Gg]ive me|I['\u2019]ll take) {_OBJECT}(?: \w+){{0,3}} any day\b"
)
# What only keeps the other listening: `i hate ebooks u know that`.
_FILLER = (
    r"(?i),? \b(?:(?:as )?(?:u|you|ya|y) know(?: (?:that|this|me))?"
    r"|don['\u2019]?t judge(?: me)?|fight me|not gonna lie|ngl|tbh|sorry not sorry"
    r"|haha+)(?=\W*$|,)"
)
_PASSING = (
    r"(?i)\b(?:today|tonight|tomorrow|right now|rn|this (?:one|time|week|morning)|for now|if"
    r"|chat\w*|can(?:not|['\u2019]?t) remember|here (?:is|are|was))\b|\?"
)


def is_told(text: str) -> bool:
    """Whether *text*, as it would be spelled with care, tells a taste that is to last."""
    return _TASTE.search(text) is not None and re.search(_PASSING, text) is None


def without_fillers(text: str) -> str:
    """Return *text* without what is said at its end to the other alone: `u know`, `dont judge`."""
    return re.sub(_FILLER, "", text)


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
