"""Wordings that say the same with another build: what is denied, what is done by nobody named.

`in_one_form` takes a text as it is written, `rebuilt` the words that `fact_similarity` made of it.
"""

from __future__ import annotations

import re

from vaultmem.nlp.facts import synonyms
from vaultmem.nlp.text import word_order

_DENIALS = (
    (re.compile(r"\bdislikes\b"), "does not like"),
    (re.compile(r"\bdislike\b"), "do not like"),
    (re.compile(r"\b(is|are) closed\b(?! by\b)"), r"\1 not open"),
    (re.compile(r"((?:\b(?:can)?not|n't) \w+) any (?!more\b|longer\b)"), r"\1 "),
    (re.compile(r"\A[Nn]ever (?=[a-z])"), "Do not "),
    (re.compile(r"\AOur (?=[a-z]|[A-Z]{2})"), "The "),
)
_OWNED = (
    (re.compile(r"\b(?:is|am|are) the owners? of\b"), "owns"),
    (re.compile(r"\A[Tt]he owner of (?P<what>[^,;]+?) is (?P<who>[A-Z][^,;]*?)(?=[.!]?\Z)"),
     r"\g<who> owns \g<what>"),
    (re.compile(r"\A(?P<what>[^,;]+?) belongs? to (?P<who>(?:the )?[A-Z][^,;]*?)(?=[.!]?\Z)"),
     r"\g<who> owns \g<what>"),
)  # fmt: skip
_HOW = "(?:black|cold|hot|iced|lukewarm|medium|mild|plain|rare|raw|spicy|strong|sweet|warm|weak)"
_FOOD = (
    "(?:beer|chocolate|cocoa|coffee|curry|eggs|espresso|fish|juice|meat|milk|porridge|rice|soup|steak"
    "|tea|water|wine)"
)
_OFFICE = r"\w*(?:er|or|ist|ent|ant|man|woman|head|king|queen|chair|captain)\b"
"""What somebody is named without being called it."""

WORKS_AS = (
    r"\A(?P<who>(?!The |This |That |It |Our |My |Your |Its )[A-Z]\w*(?: [A-Z]\w+)?) works? as an? "
    r"(?=[a-z])"
)
"""Of whom a name or a pronoun tells what it works as: what a sofa works as is no trade."""

_SAME_BUILD = (
    (re.compile(WORKS_AS), r"\g<who> is a "),
    (re.compile(rf"\b(?P<be>is|are) named (?!{_OFFICE})(?=[\w-]+[.!]?\Z)"), r"\g<be> called "),
    (re.compile(r"\bDoctor (?=[A-Z])"), "Dr "),
    (re.compile(r"\A(?:In order|So as) to (?=[a-z])"), "To "),
    (re.compile(r" has an? (?P<what>[a-z]+) (?:called|named) "), r"'s \g<what> is called "),
    (re.compile(rf"\b(?:takes|has) (?P<whose>her|his|their) (?=(?:tea|coffee) {_HOW}[.!]?\Z)"),
     r"drinks \g<whose> "),
)  # fmt: skip
_SERVED = re.compile(
    rf"\b(?P<verb>likes|loves|prefers|drinks|eats|orders) (?:her|his|their) (?P<what>{_FOOD})"
    rf" (?P<how>{_HOW})(?=[.!]?\Z)"
)
_NONE = re.compile(r"\b(?P<verb>takes|eats|drinks|wears|uses|needs|wants|has) no (?=[a-z])")
_BASES = {"takes": "take", "eats": "eat", "drinks": "drink", "wears": "wear", "uses": "use",
          "needs": "need", "wants": "want", "has": "have"}  # fmt: skip
_BEING = re.compile(r"\b(?:are|is) (?=(?P<done>\w+)\b)")
_OWED = re.compile(
    r"\b(?:has|have|needs?|(?:is|are) required) to (?!have\b)(?=(?P<be>be )?(?P<done>\w+))"
)
_OF_WHAT = re.compile(r"\b(?:what|all|which|that|\w*thing|whatever)\b")
"""What stands before what somebody has, and has to offer."""

_AROUND = re.compile(
    r"\b(?:approximately|roughly|circa|ca|approx|~) "
    r"(?=h\d\d:|[$\u20ac\u00a3] ?\d|\d\S* (?:percent|euros?|dollars?|pounds?|francs?|seconds?"
    r"|minutes?|hours?|days?|weeks?|months?|years?|met(?:re|er)s?|kilomet(?:re|er)s?|km|cm|mm|miles?"
    r"|kg|kilos?|grams?|lit(?:re|er)s?|degrees?|[kmgt]b)\b)"
)
"""Before a measure; `about` five people may be of them."""

_OURS = re.compile(r"we (?P<verb>(?!do )[a-z]+) (?P<what>[^,;]+)")
_RATED = re.compile(
    r"(?P<how>monthly|yearly|weekly) (?P<what>\w+)(?P<verb> costs)? (?P<much>(?:\d\S*|xfigure) \w+)"
)
_SPANS = {"monthly": "month", "yearly": "year", "weekly": "week"}
_DAYS = re.compile(r"\b(\w+days?) and (\w+days?)\b")
_LIST = re.compile(r"[,;&/+|]|\b(?:and|or|plus)\b|(?<![\d-])\d{1,3}-\d{1,3}(?![\d-])")
_ORDERED_OFF = re.compile(r"\A(?:Do not|Don't) ")
_ON_A_DAY = re.compile(r"\bon an? (\w+day)\b")
_DATE = r"(?:m\d\dd\d\d|\d{4}-\d\d-\d\d)\b"
_RELATIVES = "husband|wife|father|mother|brother|sister|son|daughter|boss|dentist|doctor|landlord"
_DOING = re.compile(r"\b(?P<when>before|after|when|while) (?:you|we) (?P<verb>[a-z]+)\b")
_SETTLED = (
    (re.compile(r"\b(?:has|have) (\w+) allergy\b"), r"allergic to \1"),
    (re.compile(r"\ballergic to (\w{3,}?)s\b"), r"allergic to \1"),
    (re.compile(r"\A(\w+) has (?:her|his|their) (birthday|wedding)\b"), r"\1 's \2"),
    (re.compile(r"\bprefers (\w+) to (?=\w+\Z)"), r"prefers \1 over "),
    (re.compile(r"\b(color|price|address|version|size) of (\w+)\b"), r"\2 \1"),
    (
        re.compile(
            r"\b(code|password|pin|port) (?:of|for) ((?:our )?\w+(?: [a-z]+)??)"
            r"(?= (?:\d|is|in|on|at|under|behind)|\Z)"
        ),
        r"\2 \1",
    ),
    (re.compile(r"\bhas (\w+) intolerance\b"), r"\1 intolerant"),
    (re.compile(r"\b(?:is|are) run (?=(?:on|in) )"), "runs "),
    (re.compile(rf"\bmust be paid by (?={_DATE})"), "due on "),
    (re.compile(rf"\bdue by (?={_DATE})"), "due on "),
    (re.compile(rf"\bruns until (?={_DATE})"), "ends on "),
    (re.compile(r"\A(\w+(?: \w+)?) was born on (?=m\d\dd\d\d\Z)"), r"\1 's birthday "),
    (re.compile(r"('s birthday) on (?=m\d)"), r"\1 "),
    (re.compile(rf"('s (?:{_RELATIVES})) is called (?=\w+\Z)"), r"\1 "),
    (re.compile(r"\A(daily|weekly|monthly|yearly|nightly) (\w+) ((?:at|on|in) .+)"), r"\2 \3 \1"),
)
_DOUBLED = synonyms.words("begin commit cut get forget plan put run set ship stop submit win")
_MINDS = synonyms.words("find forget know like lose love own prefer sell tell want win")
"""Whom we want is not wanted by all."""

_PARTICIPLES = {base: done for done, (base, _) in synonyms.ACTIVE.items()}


def in_one_form(text: str) -> str:
    """Return *text* in the usual order of words, and with `not` wherever it says no."""
    for pattern, instead in _OWNED:
        text = pattern.sub(instead, text)
    said = word_order.usual(text)
    for pattern, instead in (*_DENIALS, *_SAME_BUILD):
        said = pattern.sub(instead, said)
    said = _SERVED.sub(r"\g<verb> \g<how> \g<what>", said)
    if _ORDERED_OFF.match(said):
        said = _ON_A_DAY.sub(r"on \1s", said)
    return _NONE.sub(lambda m: f"does not {_BASES[m['verb']]} ", said)


def in_one_sense(said: str) -> str:
    """Return the words of *said* with one word for those that mean it where they stand.

    The key must be in the car, for it is nowhere else: it need not be there.
    """
    said = _AROUND.sub("about ", said)
    return said if _OF_WHAT.search(said) else _OWED.sub(_owed, said)


def _owed(m: re.Match[str]) -> str:
    done = m.string[m.end("be") :].split(" ", 1)[0] if m["be"] else ""
    return m[0] if m["be"] and not _is_done(done) else "must "


def rebuilt(said: str) -> str:
    """Return the words of *said* as if nobody did what is done: `we keep logs` are logs kept."""
    said = _DOING.sub(_doing, said)
    ours, rated = _OURS.fullmatch(said), _RATED.fullmatch(said)
    if ours and ours["verb"] in _PARTICIPLES.keys() - _MINDS:
        what = ours["what"].removeprefix("our ")
        said = _undone(_PARTICIPLES[ours["verb"]], what) or said
    elif rated:
        verb = rated["verb"] or ""
        said = f"{rated['what']}{verb} {rated['much']} per {_SPANS[rated['how']]}"
    said = _BEING.sub(lambda m: "is " if _is_done(m["done"]) else m[0], said)
    for pattern, instead in _SETTLED:
        said = pattern.sub(instead, said)
    rest, listed = _DAYS.subn("", said, count=1)
    if not listed or lists_more(rest):
        return said
    return _DAYS.sub(lambda m: " and ".join(sorted(m.groups())), said)


def lists_more(rest: str) -> bool:
    """Return whether a list is in the *rest* of a text beside one: each may belong to one of it."""
    return _LIST.search(rest) is not None


def _doing(m: re.Match[str]) -> str:
    """Return `before pushing` for `before you push`, any other time as it is."""
    known = {m["verb"], m["verb"].removeprefix("re")} & (_DOUBLED | _PARTICIPLES.keys())
    return f"{m['when']} {gerund(m['verb'])}" if known else m[0]


def gerund(base: str) -> str:
    """Return the gerund of a verb."""
    if base in _DOUBLED:
        return f"{base}{base[-1]}ing"
    return f"{base.removesuffix('e')}ing"


def _undone(done: str, what: str) -> str:
    words = what.split()
    ends = (n for n, word in enumerate(words) if word in synonyms.PREPOSITIONS or word == "every")
    end = next(ends, len(words))
    return " ".join([*words[:end], "is", done, *words[end:]]) if end else ""


def _is_done(word: str) -> bool:
    return word in synonyms.ACTIVE or word.endswith(("ed", "en"))
