"""What English sentences that say the same have in common: builds, endings, bound words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from vaultmem.nlp.facts import fact_similarity, synonyms
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
_BUILDS = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        ((rf"(?P<what>.+?) (?:was|were|is|are) (?P<done>\w+ed)(?P<ways>(?: (?!and\b)\w+)*?) by"
         rf" (?P<who>(?!{_TIME}){_NAME})(?P<rest>(?: (?:on|in|at|for) .+)?)"),
         r"\g<who> \g<done> \g<what>\g<ways>\g<rest>"),
        (r"(?P<what>.+?) (?:is|are) (?:required|needed) (?:for|by) (?P<who>.+)",
         r"\g<who> needs \g<what>"),
        (r"(?P<what>.+?) (?:is|are) with (?P<who>[Tt]he .+|[A-Z]\w+)", r"\g<who> has \g<what>"),
        (r"(?P<doing>[A-Z]\w+ing) (?P<what>the .+?|[a-z]+) takes (?P<long>.+)",
         r"\g<what> takes \g<long> to \g<doing>"),
        (r"[Ii]t is (?P<how>\w+) to (?P<what>\w+)(?P<rest> .+)", r"\g<what>\g<rest> is \g<how>"),
        (r"(?P<what>.+?) should be (?P<done>\w+ed|\w+en)(?P<rest>(?: .+)?)",
         r"should \g<done> \g<what>\g<rest>"),
    )
)  # fmt: skip
_SWAPS = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        ((r"\A[Tt]he (?P<what>\w+(?: \w+)?) of (?P<whose>(?:the |our |my )?\w+(?: and [A-Z]\w+)?)"
         r"(?= (?:is|are|was|were|has)\b)"), r"\g<whose>'s \g<what>"),
        (r"\A(?P<name>[A-Z]\w+), (?P<whose>[A-Z]\w+['\u2019]s) (?P<kin>\w+),",
         r"\g<whose> \g<kin> \g<name>"),
        (r"\A[Pp]lease ", ""),
        (r"\bworks? as (?=an? )", "is "),
        (r"\bneeds? (?=(?:about )?[\w.]+ (?:second|minute|hour|day|week)s?\b)", "takes "),
        (r"\btakes? place\b", "is"),
        ((r"\bis an? (?P<what>(?:[a-z]+ )?)(?P<does>bak|clean|danc|design|driv|lead|manag|paint"
         r"|sing|teach|writ)er\b"), r"\g<does>es \g<what>"),
        (r"\A[Ww]e have our (?P<what>\w+) (?=(?:on|at|in) )", r"Our \g<what> is "),
        (r"\AAfter (?P<long>\d+ \w+),? (?P<rest>.+)", r"\g<rest> after \g<long>"),
        (r"\b(?P<when>after|before) (?=\d)", r"\g<when>_"),
        (r"['\u2019]s date of birth is (?:on )?", " was born on "),
        (r"['\u2019]s birthday is (?:on )?(?=.* \d{4}\Z)", " was born on "),
        (r"\bgo(?:es)? (?=\w+ing\b)", ""),
        (r"\blikes? (?P<one>\w+) (?:better|more) than (?P<two>\w+)\Z",
         r"prefers \g<one> over \g<two>"),
        (r"\bprefers? (?P<one>\w+) to (?P<two>\w+)\Z", r"prefers \g<one> over \g<two>"),
        (r"\bis (?P<what>\w+)[ -]intolerant\b", r"can not tolerate \g<what>"),
        (r"\b(?:is|are) broken\b", "does not work"),
        (r"(?<=\d) years old\Z", ""),
        (r"\b(?:kept|stored|saved) (?=(?:in|at|on|under|behind)\b)", ""),
        (r" at all\b", ""),
    )
)  # fmt: skip
_BINDS = synonyms.PREPOSITIONS | synonyms.words("""
    about above against all before behind below between each every her his near never no not
    nothing off only over some most their too toward towards without your
""")
_LIGHT = synonyms.words("is are am be a an the our my its of there it should please do , ; :")
_LY = re.compile(
    r"(?P<base>\w{4,})ly(?<!hardly)(?<!early)(?<!nearly)(?<!barely)(?<!lately)(?<!weekly)"
    r"(?<!family)(?<!monthly)(?<!yearly)(?<!likely)(?<!supply)(?<!shortly)(?<!nightly)(?<!assembly)"
)
_DOUBLED = re.compile(r"(?<=[aeiou])([bdgmnprt])\1\Z")
_PARTICIPLES = {base: done for done, (base, _) in synonyms.ACTIVE.items()}
_WORDS = {"deleted": "removed", "erased": "removed", "expires": "ends", "expire": "end",
          "owns": "has", "own": "has", "have": "has"}  # fmt: skip
_LISTED = re.compile(r"\b([A-Z]\w+) and ([A-Z]\w+)")
_WEEKDAY = re.compile(r"\b(\w+day)s\b(?=.* weekly\b)")
_WEEKDAYS = synonyms.words("mondays tuesdays wednesdays thursdays fridays saturdays sundays")


def terms(sentence: str) -> Terms:
    """Return what *sentence* shares with others that say the same."""
    usual = word_order.usual(sentence)
    built = _built(_LISTED.sub(_joined, usual) if usual.count(" and ") == 1 else usual)
    words = _WEEKDAY.sub(r"\1", fact_similarity.form(built)).split()
    spoken = [*fact_similarity.without_fillers(words, {"always"})]
    return Terms(tuple(_bound(spoken)), frozenset(spoken))


def _joined(m: re.Match[str]) -> str:
    return "_".join(sorted(m.groups()))


def _built(plain: str) -> str:
    for pattern, instead in _SWAPS:
        plain = pattern.sub(instead, plain, count=1)
    for pattern, instead in _BUILDS:
        if m := pattern.fullmatch(plain):
            return m.expand(instead)
    # What is asked for should be done.
    verb, _, what = plain.partition(" ")
    done = _PARTICIPLES.get(verb.casefold())
    return f"should {done} {what}" if done and what else plain


def _bound(spoken: Iterable[str]) -> Iterator[str]:
    """Yield the telling words without their endings, `in+graz`, `anna+s`."""
    before = ""
    words = [*spoken]
    for word, after in zip_longest(words, words[1:], fillvalue=""):
        if word in _LIGHT or word == "'s":
            continue
        if word in _BINDS:
            before += f"{word}+"
            continue
        yield f"{before}{bare(word)}{'+s' * (after == chr(39) + 's')}"
        before = ""
    if before:
        yield before


def bare(word: str) -> str:
    """Return *word* without the endings of a plural, of the present tense and of an adverb.

    The past keeps its own: what was is not what is.
    """
    if not word.isalpha() or not word.isascii() or word in _WEEKDAYS:
        return word
    word = _WORDS.get(word, word)
    if m := _LY.fullmatch(word):
        return m["base"]
    for ending, instead in (("ies", "y"), ("ing", ""), ("sses", "ss"), ("ss", "ss"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) > 2:  # noqa: PLR2004 -- `king`, `bus`
            word = word.removesuffix(ending) + instead
            break
    return _DOUBLED.sub(r"\1", word).removesuffix("e")
