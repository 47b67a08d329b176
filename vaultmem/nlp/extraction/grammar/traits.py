"""Read what is said of somebody: a trait is one turn of phrase, a value what it tells.

A predicate follows its subject at once (`I` + ` am allergic to nuts`), an attribute its owner
(`my daughter's` + ` birthday is May 3`), so that "might be", "used to" and "am not" never fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultmem.documents.patterns import compiled
from vaultmem.nlp.extraction.grammar import noun_phrases


class Trait(NamedTuple):
    """One thing that can be said: its category, its field, how it is said.

    The pattern's group `v` is the value; a group `thing` is added to the field: `favorite_color`.
    *many* values stand in a list: "peanuts, kiwi and shellfish". Groups named in `ASIDE` are told
    along with it: the employer of an occupation. Where there is a group `core`, it must be whole
    in the value's stead.
    """

    category: str
    field: str
    pattern: str
    many: bool = False

    def match(self, text: str) -> re.Match[str] | None:
        """Return what *text* begins with, where that says it."""
        return compiled(self.pattern).match(text)


class Attribute(NamedTuple):
    """What was told: category, field and value."""

    category: str
    field: str
    value: str


ASIDE = {
    "employer": ("work", "employer"), "workplace": ("work", "workplace"),
    "occupation": ("work", "occupation"), "school": ("studies", "school"),
    "spouse": ("family", "spouse"), "birthday": ("dates", "birthday"),
    "names": ("pets", "pets"), "city": ("contact", "city"),
    "origin": ("personal", "origin"),
}  # fmt: skip
"""Category and field of what may be told along with a value, by its group."""

_FREE = frozenset({"preferences", "hobbies", "belongings", "work", "studies"})
"""Categories whose values are any noun phrase, so that each must prove to be one."""

_FREE_FIELDS = frozenset({"avoids", "condition"})
_SITED = frozenset({"work", "studies", "hobbies"})

_AND_ZH = r"[\u3001\u548c\u8ddf\u4e0e\u53ca]|\u4ee5\u53ca"
_LISTED = rf",? (?:and|or|as well as|und|oder) |, |\bboth |\beither |{_AND_ZH}"
_LISTED_BY_WORD = rf",? (?:and|or|as well as|und|oder) |{_AND_ZH}"
_TWO = 2
_NO = r"(?:not|no|never|none|nor|neither|nothing|nicht|kein\w*)\b"
_NO_ZH = "(?:\u800c)?(?:\u4e0d\u662f|\u5e76\u975e|\u5e76\u4e0d|\u6ca1\u6709)|\u800c\u975e"
# What is said not to be so, up to the end of its clause: `, not hazelnuts`.
_DENIED = rf"(?i)(?:^|,? (?:and|or|but|yet) |, )\s*{_NO}|[,\u3001]?\s*(?:{_NO_ZH})"
_NOT = r"(?i)\s*\bnot\b"
_DENIAL_ZH = "^[\u4e0d\u6ca1\u6c92\u65e0\u975e]"
# A list that turns into a sentence: `walnuts, hazelnuts are fine`.
_CLAUSE = (
    r"(?i)\s(?:is|are|was|were|does|do|did|can|could|may|(?:is|are|was|were|does|do|did|ca|could)"
    r"n['\u2019]t|cannot|okay|ok|fine)\b"
)
_OURS = r"\b(?:my|our)\b"
# Which one studies in earnest, and is allergic to in jest.
_MATHS = r"(?i)\bmaths?$"
_PRONOUN = (
    r"(?i)(?:them|it|him|her|that|this|those|these|both|either|all of them|one|some|sie|ihn|ihnen"
    r"|dich|euch)"
)
_EXCEPT = r"(?i),? \b(?:except|excluding|other than|apart from)\b"
# Of two, one is so, and nobody knows which: `lives in Graz or Linz`.
_OR = (
    r",? or (?:(?:in|at|near|on|an?|the) )?(?=[A-Z\d])|,? or (?:in|at|near|on|an?|the) "
    r"|,? or (?:somewhere|something|so|whatever|thereabouts)\b|/(?=\w)"
)
# Which of them it is, the clause behind tells: the neighbour's, perhaps.
_WHICH = (
    r" (?:that|which|who|whom|whose)\b(?!['\u2019]s| (?:is|are) (?:called|named))"
    r"|, (?:die|der|das|den|dem|deren|dessen)"
    r" (?!(?:ist|sind|war|hat|haben)\b|(?:[A-Z]\w+ )?hei\u00df)"
)
_INDEFINITE = (
    r"(?i)(?:an?|one|two|three|four|five|six|\d+|some|several|einen?|zwei|drei|vier) "
    r"|.* (?:and|or) an? "
)
_MONTHS = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december|lent"
    "|ramadan|advent|easter|christmas|passover|januar|februar|m\u00e4rz|mai|juni|juli|oktober"
    "|dezember|ostern|weihnachten)"
)
_A_WHILE = (
    rf"(?:now|today|the (?:moment|time being|weekend|summer|winter|next|rest)|{_MONTHS}"
    r"|(?:an?|one|two|three|four|six|\d+|a few|a couple of|this) (?:day|week|weekend|month)s?)"
)
# For so long, or at such times: it is no trait of anybody.
_LIMITED = (
    rf",? (?:only |just |nur )?(?i:for {_A_WHILE}|(?:until|till|up to)(?! now\b| today\b)"
    rf"|(?:during|in|on|im|am) (?:the )?(?:{_MONTHS}|week|\w+days?|\w+tag|mittwoch)"
    rf"|(?:this|diese[nr]?) (?:week|month|{_MONTHS}|summer|winter|woche|monat)|today|tonight|heute"
    r"|temporarily|vor\u00fcbergehend|auf zeit|bis(?! heute\b| jetzt\b)|w\u00e4hrend"
    r"|f\u00fcr (?:eine?n?|zwei|drei|vier|\d+|ein paar) (?:tage?|wochen?|monate?))(?!\w)"
)
_PASSING = frozenset({"diet", "avoids", "prefers"})
"""Fields of what somebody does for good, and not for a time."""

# What is said of a sentence, and not by it: `I live in Rome | is the title of her book`.
_CITED = r" (?:is|was|isn['\u2019]t|wasn['\u2019]t|means?|sounds?) "
# What joins a second predicate to the same subject.
_JOINED = r",? (?:and|but)(?= (?!I\b|we\b|my\b))"
# Between a predicate and what is joined to it: `works as a nurse | in Cork and | lives ...`.
_BETWEEN = r"(?: (?!(?:and|but)\b)[\w'\u2019-]+){0,4}?"
_UNKNOWN = (
    r"(?: (?!(?:and|or|who|which|that|when|if|while|not|never|to|than|n[o\u2019']t|can|could|will"
    r"|should|may|must|was|were|had|did|hope|hopes|want|wants|wish|plan|plans)\b)[\w-]+){1,6}?"
)


def traits(name: str, *patterns: str, many: bool = False) -> Iterator[Trait]:
    """Yield a trait for each of *patterns*; *name* is its category and its field."""
    category, _, field = name.partition(" ")
    return (Trait(category, field, pattern, many) for pattern in patterns)


def attributes(rest: str, known: Sequence[Trait]) -> Iterator[Attribute]:
    """Yield what *rest*, which follows a subject or an owner, says: `lives in Lyon and works ...`.

    Of the traits the first that fits counts, and those of what is joined to it by "and" or "but".
    """
    found = _first(rest, known)
    if found is None:
        rest = _after_unknown(rest)
        found = _first(rest, known)
    while found:
        trait, match = found
        behind = rest[match.end() :]
        if re.match(_CITED, behind):
            return
        is_open = not trait.many and re.match(_OR, behind)
        each = [] if is_open or _is_partly_so(trait, match) else list(values(trait, match))
        yield from each
        joined = re.match(rf"{_BETWEEN}{_JOINED}", behind) if each else None
        rest = behind[joined.end() :] if joined else ""
        found = _first(rest, known)


def _is_partly_so(trait: Trait, match: re.Match[str]) -> bool:
    """Whether what follows the value tells which of such are meant, or for how long it is so.

    Whichever sister one has is one's sister.
    """
    behind = match.string[match.end("v") :]
    is_any = trait.category != "family" and re.match(_INDEFINITE, match["v"])
    if is_any and re.match(_WHICH, behind):
        return True
    if trait.field not in _PASSING or " been" in match[0]:
        return False
    return bool(re.match(_LIMITED, behind) or re.search(_LIMITED, match["v"]))


def _first(text: str, known: Sequence[Trait]) -> tuple[Trait, re.Match[str]] | None:
    """Return the first of the traits *known* that *text* begins with, and where."""
    return next(((trait, m) for trait in known if (m := trait.match(text))), None)


def _after_unknown(rest: str) -> str:
    """Return what follows a predicate that no trait knows: `gets up at five and | loves tea`."""
    found = re.match(rf"{_UNKNOWN}{_JOINED}", rest)
    return rest[found.end() :] if found else rest


def values(trait: Trait, found: re.Match[str]) -> Iterator[Attribute]:
    """Yield what *found*, a match of *trait*, tells; of a list, what in it can stand alone."""
    groups = found.groupdict()
    thing = groups.get("thing") or ""
    field = "_".join([*trait.field.split(), *thing.replace("-", " ").split()]).lower()
    read = [*_each(found["v"])] if trait.many else [_affirmed(found["v"])]
    if trait.field == "avoids" and not re.search(_LISTED_BY_WORD, f" {found['v']}"):
        read = read[:1] if len(read) == _TWO else read  # `nuts, dentist`: a comma lists no two
    core = groups.get("core") or ""
    kept = [value for each in read if (value := _closed(each)) and _stands(trait, value, core)]
    yield from (Attribute(trait.category, field, value) for value in kept)
    for group, (category, field) in ASIDE.items() if kept else ():
        value = _closed(groups.get(group) or "")
        # May is no verb in a date.
        if value and (category == "dates" or noun_phrases.is_whole(value)):
            yield Attribute(category, field, value)


def _stands(trait: Trait, value: str, core: str) -> bool:
    """Whether *value* is one that can stand on a card by itself; its *core*, where it has one."""
    if re.search(_DENIAL_ZH, value) or re.fullmatch(_PRONOUN, value):
        return False
    may_be_maths = trait.category == "studies" or trait.field == "teaches"
    is_subject = may_be_maths and re.search(_MATHS, value) is not None
    if noun_phrases.is_joke(core or value) and not is_subject:
        return False
    if trait.category == "preferences" and re.search(_OURS, value):
        return False
    if trait.category == "medical" and noun_phrases.is_no_matter(value):
        return False
    # What is known as "the city library" needs nothing said before it, unlike "the office".
    known = re.sub(r"^the (?=\S+ \S)", "", core or value) if trait.category in _SITED else value
    is_free = trait.category in _FREE or trait.field in _FREE_FIELDS
    return not is_free or noun_phrases.is_whole(core or known)


def _closed(value: str) -> str:
    """Return *value* without marks at its ends; the point of an abbreviation stays."""
    value = value.strip(" ,'\u2019-*_~")
    return value[:-1] if re.search(r"[a-z]{4}\.$", value) else value


def _affirmed(value: str) -> str:
    """Return what *value* says before it says what is not so: `walnuts, not hazelnuts`."""
    return re.split(_DENIED, value, maxsplit=1)[0]


def _each(values: str) -> list[str]:
    if re.search(_EXCEPT, values):  # what is left out of the whole cannot stand beside it
        return [_affirmed(values)]
    if clause := re.search(_CLAUSE, values):
        values = values[: clause.start()].rpartition(",")[0]
    values = re.split(_NOT, _affirmed(values), maxsplit=1)[0]
    parts = re.split(_LISTED, f" {values}")
    return [re.sub(r"^(?:the|any|some) ", "", part.strip()) for part in parts if part.strip()]
