"""The thing that a request is about, as it stands behind the words of asking.

English alone is read, and only a thing that an article, a pronoun or the verb before it announces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.extraction.naming.thing_phrases import (
    ARTICLE,
    BARE,
    FOR,
    MORE,
    NOTHING,
    PERSON,
    THING,
    WORD,
    is_one,
    is_somebody,
    is_wide,
    titled,
    whole,
)

_COUNT = r"(?:(?:two|three|four|few|other|attached|following|current|existing|whole|entire) )*"
_BARE_WORD = rf"(?!{ARTICLE}\b|how\b|what\b|why\b|me\b|us\b){WORD}"
_ANNOUNCED = re.compile(
    rf"(?i)\b{ARTICLE} {_COUNT}(?P<thing>{THING})"
    rf"(?: done| made| fixed)?{MORE}"
)
# What the verb is about: `to rent medical equipment`, `calling about bills`.
_OBJECT = re.compile(
    r"(?i)^(?: to (?:rent|buy|book|order|get|discuss|review|check(?: on)?|schedule|find|sell|set up"
    r"|plan|report|redeem|extend|cancel|change|return|renew|open|hire|insure|replace|transfer|fix"
    r"|talk about|ask about|call about|look at|look into)| about| help with)"
    rf" (?!\w+ing\b)(?P<thing>{_BARE_WORD}(?: {_BARE_WORD}){{1,3}})"
)
# The object of a deed stands right behind it: `props for HeroBanner`, `to me this repository`.
_DIRECT = re.compile(
    r"(?i)^(?: (?:me|us|to (?:me|us)|for(?= (?:an?|the|my|our)\b)|on|up|out|over|at|about)\b)*"
    r"(?:(?: (?:through|with|in|by|of|about|on))? \w{3,}ing"
    r"(?: (?:up|out|over|through|into|at|for))?(?= ))?"
    rf"(?: {ARTICLE})*"
    rf" {_COUNT}(?P<thing>{_BARE_WORD}(?: {_BARE_WORD}){{0,4}})"
    rf"{MORE}"
)
_DONE_TO = re.compile(r"(?i) (?:it|them|us|me|him|her|(?:this|that)(?=\W*(?:$|[.,;:?!])))\b")
# `daughter Emma Wilson's prescriptions`: the name tells who is meant.
_NAMED = re.compile(rf"(?:{relations.RELATION}) (?=[A-Z][\w-]*(?: [A-Z][\w-]*)*['\u2019]s )")
# Where another clause begins, or what is not meant.
_BEYOND = re.compile(r"(?i) (?:instead of|rather than|so (?:that|i|we)|because|since) .*")
# What a number stands for: `Task 2 - Flask API structure`.
_APPOSED = re.compile(rf"^ (?:-|\u2013|\u2014|:) (?P<thing>{WORD}(?: {WORD}){{1,4}})")
# As in `how a heat exchanger works`, `why the nightly export produces empty files`.
_CLAUSE = re.compile(r"(?i)\b(how|why|whether|if|when|that) $")
_DEED = re.compile(r"^(\S+ \S+) [a-z]{3,}s .*")


def behind(rest: str) -> str:
    """Return what *rest*, which follows the words of asking, is about."""
    direct = _OBJECT.match(rest)
    if direct and not PERSON.match(direct["thing"]):
        return titled(direct["thing"])
    if named := _telling(_announced(rest)):
        return titled(named)
    found_for = FOR.search(rest)
    thing = found_for["thing"] if found_for else ""
    return "" if is_wide(thing) or NOTHING.fullmatch(thing) else titled(thing)


def of_deed(rest: str) -> str:
    """Return what the deed is done to that *rest* follows right behind its verb.

    Where that says little, it is what is announced in the rest of the clause.
    """
    rest = _BEYOND.sub("", rest)
    direct = _DIRECT.match(rest)
    if direct is None or is_somebody(direct["thing"]):
        return behind(rest)
    named = _object(direct, rest)
    if " " in named or "." in named:
        return titled(named)
    thing, after = direct["thing"], rest[direct.end("thing") :]
    whom = FOR.search(after)
    if whom and not (NOTHING.fullmatch(thing) or is_one(whom["thing"])):
        return titled(f"{thing} for {whom['thing']}")
    # `make a commit and override the pre-commit hooks`: the second deed may say more.
    is_only = named and re.match(r"(?i) and \w+ ", after) is None
    return titled(named) if is_only else behind(rest) or titled(named)


def wide_object(rest: str) -> str:
    """Return the object that an article announces right behind a verb, however little it says.

    It will do for what a whole session is about: `to schedule a move`, or what something wide is
    added to: `my car to my insurance policy`. "" for a person.
    """
    direct = _DIRECT.match(rest) if re.match(r"(?i) (?:an?|the|my|our) ", rest) else None
    if direct is None or is_one(direct["thing"]) or direct["thing"].count(" ") > 1:
        return ""
    added_to = re.match(rf"(?i) to (?:my|our|the) (?P<thing>{THING})", direct["more"] or "")
    return titled(added_to["thing"] if added_to else direct["thing"])


def object_of(rest: str) -> str:
    """Return the object right behind the verb that *rest* follows, as written; "" for none."""
    direct = _DIRECT.match(rest)
    if direct is None or is_somebody(direct["thing"]):
        return ""
    return _object(direct, rest)


def _object(direct: re.Match[str], rest: str) -> str:
    thing, after = _NAMED.sub("", direct["thing"]), rest[direct.end("thing") :]
    if (told := _APPOSED.match(after)) and thing[-1].isdigit():
        return told["thing"]
    return whole(_without_deed(thing, after), (direct["more"] or "").strip())


def _announced(rest: str) -> Iterator[str]:
    """Yield the things that an article announces in *rest*."""
    for found in _ANNOUNCED.finditer(rest):
        thing = _NAMED.sub("", _without_deed(found["thing"], rest[found.end("thing") :]))
        if told := _CLAUSE.search(rest[: found.start()]):
            thing = thing.rpartition(" ")[0] if told[1] == "how" else _DEED.sub(r"\1", thing)
        if PERSON.match(thing) and not BARE.fullmatch(thing) and "'s " not in thing:
            continue
        if named := whole(thing, (found["more"] or "").strip()):
            yield named


def _telling(things: Iterator[str]) -> str:
    """Return the first of *things* that has more than a word, else the first."""
    found = list(things)
    return next((thing for thing in found if " " in thing), next(iter(found), ""))


def _without_deed(thing: str, after: str) -> str:
    """Return *thing* without what it is to do: `make the parser detect it`."""
    return thing.rpartition(" ")[0] or thing if _DONE_TO.match(after) else thing
