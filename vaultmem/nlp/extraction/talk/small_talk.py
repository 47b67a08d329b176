"""Tell what is said in passing: praise, mood, leisure, resolve, and what leans on words elsewhere.

A sentence counts only when each of its clauses does, and it names nobody and nothing: what has a
name, a number or a date tells something. English alone is read; nothing else is small talk.
"""

from __future__ import annotations

import re

from vaultmem.nlp.text import analysis

_ADVERBS = r"(?:(?:really|also|absolutely|just|still|even|do|so|totally|always) )*"
_LIKES = r"(?:love|like|enjoy|adore|dig|appreciate|hate|dislike)d?"
# What was just shown or said is praised: `I love the smell of it`.
_PRAISE = (
    rf"\b(?:I|we) {_ADVERBS}{_LIKES}"
    r" (?:all )?(?:the|this|that|these|those|it|its|his|her|their|your|how|when|what)\b"
)
# Nothing but how one is: `It has been a quiet month here`.
_MOOD = (
    r"^(?=(?:\S+\s*){1,8}$)(?:(?:I|we|it)(?:['\u2019]\w+| have| had| has)? )?(?:just )?"
    r"(?:been|had|having|have) (?:an? )?(?:\w+ )?"
    r"(?:busy|quiet|crazy|wild|hectic|rough|tough|long|lazy|great|good|bad|nice|fun)\b"
    r"|^not much (?:is new|new|(?:has )?changed)\b|\b(?:doing|going) (?:great|good|fine|well|ok)\b"
)
# An answer to the other's news.
_ANSWER = (
    r"\b(?:sorry|glad|happy|great|good) to hear\b|\b(?:so|really) (?:glad|happy|proud|sorry)\b"
)
_LEISURE = (
    r"\b(?:hung out|play(?:ed|ing) games|hang(?:ing)? out|chill(?:ed|ing|in)\b|laugh(?:ed|ing)"
    r"|good (?:times?|food)|had fun"
    r"|having fun|for fun|yummy|relax(?:ed|ing)?|recharg(?:ed|ing)|(?:a )?blast|good laugh)\b"
)
_RESOLVE = (
    r"\b(?:keep|keeps|kept|keeping|continue|gotta)(?: \w+)? (?:going|grinding|pushing|working hard"
    r"|work hard|pursuing|trying|moving|fighting|focus(?:ing|ed)?|at it|on going)\b"
    r"|\bgotta focus\b|\bmov(?:e|ing) (?:ahead|forward|on)\b|\bsee what happens\b"
    r"|\b(?:never|not (?:gonna|going to)|n['\u2019]t|won['\u2019]t) (?:ever )?(?:give up|quit)\b"
    r"|\bthings are looking up\b|\bshin(?:e|ing) on\b"
)
_VAGUE = (
    r"(?:something|someone|somebody|somewhere|things|stuff|everyone|some(?: \w+)? (?:people|folks))"
)
# Somebody, something: `I just talked to someone`.
_UNNAMED = (
    r"\b(?:I|we)(?:['\u2019]\w+)?(?: \w+){1,2}"
    rf" (?:(?:to|with|into|on|about|from|for|at) )?{_VAGUE}\b"
)
_ADVICE = (
    r"^(?:I(?:'d| would)? (?:rec+om+end|suggest)\b|check out\b|take a look\b"
    r"|you (?:should|could)\b)"
)
_PASSING = (
    r"(?:\b(?:am|are|is|was|were)|['\u2019](?:m|re|s)) (?:\w+ ){0,4}?\w+ing\b.*"
    r"\b(?:this (?:weekend|week|morning|afternoon|evening)|tonight|today|right now)\b"
)
_REPLIES = re.compile(_ANSWER, re.IGNORECASE)
_SAYS_NOTHING = re.compile(
    f"{_PRAISE}|{_MOOD}|{_LEISURE}|{_RESOLVE}|{_UNNAMED}|{_ADVICE}|{_PASSING}", re.IGNORECASE
)

_OPENS_ELSEWHERE = re.compile(
    r"(?:(?:and|but|so|also|then|plus|yeah|yes|well|oh),? )*"
    r"(?:it|its|that|this|those|these|they|them|their|he|she|his|her|there|one"
    r"|reminds?|makes?|feels?|looks?|sounds?|almost as"
    r"|(?:somewhat |kind of |very |quite )?(?:similar|same)|the \w+ (?:was|were))\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:he|she|him|(?:her|his|their|its)(?! own\b)|they|them|it|(?:these|those)(?= \w))\b"
    r"|\b(?<!of )(?P<bare>this|that)(?=\s*(?:[.,;:!?]|$|because\b|since\b))",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:about|on|for|with|to) (?:this|that|it|them|one)\W*$", re.IGNORECASE)
# What a pronoun can stand for in its own sentence: `the community`, or so many terms before it.
_NOUN = re.compile(
    r"\b(?:the|an?|my|our|some|two|three|new)\s(?!time|bit|lot|few)\w{3,}", re.IGNORECASE
)
_ANTECEDENT = 2
_TIME = re.compile(
    r"(?:(?:last|next|this|the other|a few|two|in the last) \w+(?: ago)?"
    r"|yesterday|recently|lately),? ",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[;,]\s+|\s+[-\u2013\u2014]+\s*|[-\u2013\u2014]+\s+")


def is_small_talk(text: str, *, named: bool) -> bool:
    """Whether *text* says nothing that matters later; *named* tells that it names what it is of."""
    if analysis.is_cjk(text):
        return False
    clauses = [clause for clause in _CLAUSES.split(text) if analysis.terms(clause)]
    if _REPLIES.search(text):
        return True
    says_nothing = bool(clauses) and all(_SAYS_NOTHING.search(clause) for clause in clauses)
    return not named and (says_nothing or leans(text))


def leans(text: str) -> bool:
    """Whether *text* is of something that only another sentence names."""
    if _OPENS_ELSEWHERE.match(text):
        return True
    time = _TIME.match(text)
    text = text[time.end() :] if time else text
    found = _ELSEWHERE.search(text)
    if not found:
        return False
    before = text[: found.start()]
    known = _NOUN.search(before) or len(analysis.terms(before)) >= _ANTECEDENT
    return found["bare"] is not None or not known


def leaves_open(chosen: str) -> bool:
    """Whether a decision ends with a word for what was chosen: `We settled on a name for it`."""
    return _POINTS.search(chosen) is not None and not analysis.facts(chosen).names
