"""What English sentences that say the same have in common: builds and bound words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from vaultmem.nlp.facts import fact_similarity, rewordings, synonyms
from vaultmem.nlp.text import word_order


class Terms(NamedTuple):
    """What a sentence says: its telling *words*, each with what binds it, and all as *spoken*."""

    words: tuple[str, ...]
    spoken: frozenset[str]


_NAME = r"(?:(?:Dr|Mr|Mrs|Ms|Herr|Frau|Aunt|Uncle)\.? )?[A-Z]\w+(?: [A-Z]\w+)?"
_TIME = (
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August"
    r"|September|October|November|December|Christmas|Easter"
)
_HAD = (
    "(?:[a-z]+ )?(?:address|age|bedroom|bike|birthday|boat|boss|brother|capital|car|cat|children"
    "|colou?r|daughter|deadline|dog|door|email|father|flat|garden|hair|height|house|husband|key"
    "|kitchen|landlord|laptop|manager|mother|name|number|office|owner|parents|password|phone|port"
    "|price|rent|roof|room|salary|shop|sister|size|son|team|version|weight|wife)"
)
"""What is mine where it is `of me`; a picture of me may be another's."""

_BUILDS = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        ((rf"(?P<what>.+?) (?:was|were) (?P<done>\w+ed)(?P<ways>(?: (?!and\b)\w+)*?) by"
         rf" (?P<who>(?!{_TIME}){_NAME})(?P<rest>(?: (?:on|in|at|for) .+)?)"),
         r"\g<who> \g<done> \g<what>\g<ways>\g<rest>"),
        (r"(?P<what>.+?) (?:is|are) (?:required|needed) (?:for|by) (?P<who>.+)",
         r"\g<who> needs \g<what>"),
        (r"(?P<doing>[A-Z]\w+ing) (?P<what>the .+?|[a-z]+) takes (?P<long>.+)",
         r"\g<what> takes \g<long> to \g<doing>"),
        (r"(?P<what>.+?) should be (?P<done>\w+ed|\w+en)(?P<rest>(?: .+)?)",
         r"should \g<done> \g<what>\g<rest>"),
    )
)  # fmt: skip
_SWAPS = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        ((rf"\A[Tt]he (?P<what>{_HAD}) of (?P<whose>(?:the |our |my )?\w+(?: and [A-Z]\w+)?)"
         r"(?= (?:is|are|was|were|has)\b)"), r"\g<whose>'s \g<what>"),
        (r"\A(?P<name>[A-Z]\w+), (?P<whose>[A-Z]\w+['\u2019]s) (?P<kin>\w+),",
         r"\g<whose> \g<kin> \g<name>"),
        (r"\A[Pp]lease ", ""),
        (rewordings.WORKS_AS, r"\g<who> is a "),
        (r"\btakes? place\b", "is"),
        (r"\A[Ww]e have our (?P<what>\w+) (?=(?:on|at|in) )", r"Our \g<what> is "),
        (r"\AAfter (?P<long>\d+ \w+),? (?P<rest>.+)", r"\g<rest> after \g<long>"),
        (r"\b(?P<when>after|before) (?=\d)", r"\g<when>_"),
        (r"['\u2019]s date of birth is (?:on )?", " was born on "),
        (r"['\u2019]s birthday is (?:on )?(?=.* \d{4}\Z)", " was born on "),
        ((r"\blikes? (?P<one>[a-z]+) (?:better|more) than"
          r" (?P<two>(?!him|her|me|you|us|them)[a-z]+)\Z"),
         r"prefers \g<one> over \g<two>"),
        (r"\bprefers? (?P<one>\w+) to (?P<two>\w+)\Z", r"prefers \g<one> over \g<two>"),
        (r"\bis (?P<what>\w+)[ -]intolerant\b", r"can not tolerate \g<what>"),
        (r"\A(?P<who>[A-Z]\w+) is (?P<age>\d+) years old\Z", r"\g<who> is \g<age>"),
        (r"\b(?P<be>is|are) (?:kept|stored) (?=(?:in|at|on|under|behind)\b)", r"\g<be> "),
        (r"(?P<no>(?:\b(?:not|never|no)|n['\u2019]t)\b.*) at all(?=\Z|,| (?:on|in|at)\b)",
         r"\g<no>"),
    )
)  # fmt: skip
_BINDS = synonyms.PREPOSITIONS | synonyms.words("""
    about above against all before behind below between each every her his near never no not
    nothing off only over should some most my its their too toward towards without your
""")
_LIGHT = synonyms.words("is are am be a an the our of there it please do , ; :")
_PARTICIPLES = {base: done for done, (base, _) in synonyms.ACTIVE.items()}
_WORDS = {"expires": "ends", "expire": "end", "have": "has", "need": "needs", "take": "takes",
          "prefer": "prefers"}  # fmt: skip
_LISTED = re.compile(r"\b([A-Z]\w+) and ([A-Z]\w+)")
_WEEKDAY = re.compile(r"\b(\w+day)s\b(?=.* weekly\b)")
_OUTINGS = {"climbing": "climb", "dancing": "dance", "fishing": "fish", "hiking": "hike",
            "jogging": "jog", "riding": "ride", "rowing": "row", "running": "run",
            "sailing": "sail", "shopping": "shop", "skating": "skate", "skiing": "ski",
            "swimming": "swim"}  # fmt: skip
_GOES = re.compile(rf"\b(?P<go>go|goes) (?P<out>{'|'.join(_OUTINGS)})\b")
_FORBIDDEN = re.compile(r"[Ii]t is (?P<how>\w+) to (?P<verb>[a-z]+)(?P<rest> .+)")
_TAKES = re.compile(r"(?P<what>.+ takes? .+) to (?P<verb>[a-z]+)")


def terms(sentence: str) -> Terms:
    """Return what *sentence* shares with others that say the same."""
    usual = word_order.usual(sentence)
    built = _built(_LISTED.sub(_joined, usual) if fact_similarity.is_one_list(usual) else usual)
    words = _WEEKDAY.sub(r"\1", fact_similarity.form(built)).split()
    return Terms(tuple(_bound(words)), frozenset(words))


def _joined(m: re.Match[str]) -> str:
    return "_".join(sorted(m.groups()))


def _built(plain: str) -> str:
    for pattern, instead in _SWAPS:
        plain = pattern.sub(instead, plain, count=1)
    plain = _GOES.sub(_outing, plain)
    if m := _FORBIDDEN.fullmatch(plain):
        return f"{rewordings.gerund(m['verb'])}{m['rest']} is {m['how']}"
    if m := _TAKES.fullmatch(plain):
        return f"{m['what']} to {rewordings.gerund(m['verb'])}"
    for pattern, instead in _BUILDS:
        if m := pattern.fullmatch(plain):
            return m.expand(instead)
    # What is asked for should be done.
    verb, _, what = plain.partition(" ")
    done = _PARTICIPLES.get(verb.casefold())
    return f"should {done} {what}" if done and what else plain


def _outing(m: re.Match[str]) -> str:
    base = _OUTINGS[m["out"]]
    return synonyms.third(base) if m["go"] == "goes" else base


def _bound(spoken: Iterable[str]) -> Iterator[str]:
    """Yield the telling words, `in+graz`, `anna+s`, with the endings that they have.

    Without them `Simone` were `Simon`, `Browning` were `Brown`, and `sons` were one.
    """
    before = ""
    words = [*spoken]
    for word, after in zip_longest(words, words[1:], fillvalue=""):
        if word in _LIGHT or word == "'s":
            continue
        if word in _BINDS:
            before += f"{word}+"
            continue
        yield f"{before}{_WORDS.get(word, word)}{'+s' * (after == chr(39) + 's')}"
        before = ""
    if before:
        yield before
