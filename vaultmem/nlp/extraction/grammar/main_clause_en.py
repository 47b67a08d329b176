"""Whether an English sentence has a main clause: a subject and a verb that agrees with it.

`A lamp that dims by itself` has a verb in its relative clause alone, `the spare key from a locked
drawer` a participle before its noun, `Check the fuse` no subject: they tell nothing by themselves.
"""

from __future__ import annotations

import re

from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS, NUMBER_WORDS, words

_DETERMINER = (
    r"(?:the|an?|your|my|our|his|her|their|its|this|that|these|those|all|each|every|any|both)\b"
)
_SUBJECT = (
    r"(?i)(?:(?:also|btw|so|oh|and) )?(?:im|ive|the(?! one\b)|my|our|a|an|i|we|all|every|this"
    r"|(?-i:[A-Z])\w+['\u2019]s(?= \w))\b"
)
# A participle before a noun is no verb: `from a retired server`, `the failed drive`.
_NOT_BEFORE_NOUN = "".join(
    rf"(?<!\b{word} )"
    for word in sorted(words("a an the my our your his her its some any no of from with for in"))
)
_OPENS_CLAUSE = (
    r"(?:^|[,;:.\u2013\u2014-] |\b(?:and|but|so|because|since|when|while|if|that|cause|cuz|as"
    r"|where|what|how|until|after|before|though|then|now|today|yesterday|week|month|year|night"
    r"|also|well) )"
)
_VERB = (
    r"(?i)\b(?:am|is|are|was|were|has|have|had|will|can|could|would|should|must|do|does|did"
    rf")\b|{_OPENS_CLAUSE}(?:i(?!-)|we)\b"
    rf"|['\u2019](?:m|re|ve|ll|d)\b|(?<!^){_NOT_BEFORE_NOUN}(?<!-)\b\w{{3,}}ed\b"
    # Without its subject, as in chat; `Assisted living` is a noun.
    rf"|^\w{{3,}}ed (?={_DETERMINER}|(?:in|on|at|to|for|from|with|by|into|off|up|out|it|him|her"
    r"|them|us|me)\b)"
    r"|\b(?:it|that|there|what|who|where)['\u2019]s\b"
)
# So many commas and no verb: a list.
_LISTED = 2
# After its first word, what may be a verb: `the door fits`, `we need a plumber`.
_MAY_ACT = r"(?i)^(?:(?:also|btw|so|oh|and) )?(?:im|ive|i|we|all|every)\b|^\S+ .*\b\w{2,}s\b"
# `Ben keeps the kettle in the chapel`; with two of them, an -s is a plural: `Mail and phone calls`.
_NAME = r"[A-Z][\w'\u2019-]+"
_NAME_DOES = re.compile(
    rf"(?P<name>{_NAME})(?: {_NAME})? [a-z]{{2,}}(?:s(?! or\b)|ed)\b"
    rf"|{_NAME} and {_NAME} [a-z]{{2,}}ed\b"
)
# What opens with a capital and names nobody: `Monthly fees`, `Parking spaces`, `Rotate passwords`.
_NO_NAME = re.compile(
    r"(?:\w+ly|\w+ing|\w{3,}ate|\w+(?:ify|ize)"
    r"|Several|Some|Many|Most|Few|Various|Other|Old|New|Our|My)"
)
# A title before its list: `Two sizes: the small bag for $20 and the large one`.
_LISTS = re.compile(r"(?P<title>[^:,.;]+ [^:,.;]+): ")
# What is summed up needs a verb of its own: `Back to 80 a head, that's 2,400 in all`.
_SUMS_UP = re.compile(r"(?i)(?P<noun>.+?), (?:that|this|it)(?:['\u2019]s| is| comes| makes)\b")
_LEAD = (
    r"(?i)\W*(?:(?:and|but|so|or|well|also|then|now|next|first|second|finally|just|please|plus"
    r"|yeah|yes|yep|no|oh|ok(?:ay)?|actually|great|good|perfect|sure)[,.!:]? )*"
)
_FRONTED = r"(?i)(?:if|when|once|while|before|after|until|since|as|although|unless)\b[^,]{2,60}, "
_URGES = r"(?i)let(?:['\u2019]s| us| me)\b"
# A word of no closed class before an article is a verb, and here one without a subject.
_BARE_VERB = re.compile(
    r"(?P<verb>[A-Za-z]{2,})(?: (?:up|out|in|off|on|back|down|through))?"
    rf" (?i:{_DETERMINER})"
)
_NO_VERB = words("""
    in on at by to of for from with without within into onto over under above below behind beside
    between beyond across along around about after before during through throughout toward towards
    until till since despite unlike like as than via per near off out up down inside outside
    and or but nor so yet if when while because although though unless once whether where that
    which who whom whose what how why not only even just also then now here there still again
    all both half such quite rather many what is are was were am be been has had do does did
    will would can could should must may might shall today tomorrow yesterday tonight sometimes
    often always never once twice soon later maybe perhaps besides instead meanwhile otherwise
    except plus minus nearly almost i we you he she they it this those these him her them us me
""")
# A noun that a clause tells more of: `a lamp that dims`, `the rooms we paint`.
_RELATIVE = re.compile(
    r"(?i)^(?:(?:an?|the|one|any|some|every|just|only)\b)(?P<noun>[^,;:]*?)"
    r" (?:that|who|which) \S+(?P<rest>[^,;:]*)$"
)
_CONTACT = re.compile(
    r" (?P<noun>[a-z]{2,}) (?:i|we|you|they)(?:['\u2019]\w+)?(?: \w+){1,3}\W*$", re.IGNORECASE
)
_TAKES_CLAUSE = re.compile(
    r"(?i)(?:\w{3,}ed|says?|said|thinks?|thought|knows?|knew|hopes?|tells?|told|means?|meant|feels?"
    r"|felt|bet|guess|wish(?:es)?|believes?|and|or|but|so|because|since|when|while|if|that|cause"
    r"|cuz|as|where|what|how|why|until|till|after|before|though|then|now|today|yesterday|week"
    r"|month|year|night|also|well|than|whether|like|me|us|him|her|them|which|who|once|unless"
    r"|tomorrow|time|day|days|\w+day|later|ago|sure|glad|\w+ly)"
)


def is_one(text: str) -> bool:
    """Whether *text* has a subject and a verb, as far as its words tell."""
    opens = re.match(_LEAD, text)
    rest = text[opens.end() :] if opens else text
    fronted = re.match(_FRONTED, rest)
    main = rest[fronted.end() :] if fronted else rest
    lists = _LISTS.match(rest)
    if lists is not None and not _acts(lists["title"]):
        return False
    summed = _SUMS_UP.match(main)
    if summed is not None and not _acts(summed["noun"]):
        return False
    if re.match(_URGES, main) or bids(main) or _is_noun_of_clause(rest):
        return False
    return _acts(main) or (fronted is None and _acts(text))


def names_doer(text: str) -> bool:
    """Whether *text* opens with somebody by name, and what they do."""
    found = _NAME_DOES.match(text)
    if found is None:
        return False
    name = found["name"] or ""
    return _NO_NAME.fullmatch(name) is None and name.casefold() not in NUMBER_WORDS


def acts(text: str) -> bool:
    """Whether *text* has a word that is surely a verb."""
    return bool(re.search(_VERB, text)) or not EVENTS.isdisjoint(analysis.heads(text))


def takes_clause(word: str) -> bool:
    """Whether a clause may hang on *word*, or go on with what it begins: `said`, `because`."""
    return _TAKES_CLAUSE.fullmatch(word) is not None or word.casefold() in _NO_VERB


def bids(clause: str) -> bool:
    """Whether *clause* opens with a verb that has no subject: `Check the fuse`, `Says the fuse`."""
    found = _BARE_VERB.match(clause)
    if found is None:
        return False
    verb = found["verb"].casefold()
    is_other = verb in _NO_VERB or verb in EVENTS or verb in NUMBER_WORDS
    return not (is_other or verb.endswith(("ing", "ed", "ly")))


def _is_noun_of_clause(text: str) -> bool:
    """Whether *text* is a noun, and all that it does is in a clause about it."""
    related = _RELATIVE.match(text)
    if related is not None and not acts(related["noun"]):
        return not acts(related["rest"])
    contact = _CONTACT.search(text)
    if contact is None or _TAKES_CLAUSE.fullmatch(contact["noun"]):
        return False
    if text.split(maxsplit=1)[0].casefold() in _NO_VERB:
        return False
    return not _acts(text[: contact.end("noun")])


def _acts(text: str) -> bool:
    if acts(text) or text.count(",") >= _LISTED:
        return acts(text)
    if names_doer(text):
        return True
    return re.match(_SUBJECT, text) is not None and re.search(_MAY_ACT, text) is not None
