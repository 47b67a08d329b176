"""Read what took the place of what was: `Not at Kiwi any more, now at Plum`, `I used to row, ...`.

One clause says what is over, and the next what is so instead, which may leave out what both share.
Each is read by the grammar of its own: a pair of which one half says nothing is no replacement.
"""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.nlp.extraction.grammar import assertion_en
from vaultmem.nlp.extraction.personal_facts import departures
from vaultmem.nlp.text import salience
from vaultmem.nlp.text.stopwords import DAYS


class Replacement(NamedTuple):
    """A clause by which something is *over*, and a sentence that says what is so *now*."""

    over: str
    now: str


class Exchange(NamedTuple):
    """That the thing which is called *given* went for the thing *got*."""

    given: str
    got: str


_BORDER = re.compile(
    r"[,;] (?:(?:and|but|so|und|aber) )*|\s[\u2013\u2014-]+ |\. (?=(?:[Nn]ow|[Jj]etzt)\b)"
    r"| (?:and|but|und|aber) |，(?:而且|但是?)?|。(?=现在)"
)
# Of whichever kind what is over was, so is what is so now.
_SAME_KIND = (
    (
        (
            r"(?i)^(?:(?:now|currently|i['\u2019]?m|i am|i|just|have|['\u2019]ve) )*"
            r"(?:(?:work(?:ing)?|started(?: working)?) )?(?:at|with|for|joined)"
            r" (?P<v>(?-i:[A-Z]).*)$"
        ),
        "I work at {}",
    ),
    (
        (
            r"(?i)^(?:(?:jetzt|nun|bin|arbeite|ich) )*(?:bei|für)"
            r" (?P<v>(?:der |dem )?(?-i:[A-ZÄÖÜ]).*)$"
        ),
        "Ich arbeite bei {}",
    ),
    (r"^现在?(?:是)?在(?P<v>[^，。]+?)(?:工作|上班)[。！]?$", "我在{}上班。"),
)
_OF_NOW = re.compile(
    r"(?i)^(?:(?:now|nowadays|these days) (?:i(?:['\u2019]m| am)?\b)?"
    r"|i(?:['\u2019]?m| am)\b(?=.*\b(?:now|instead)\b)"
    r"|i (?:now|currently)\b|(?:jetzt|heute|nun) |ich .*\b(?:jetzt|nun)\b|现在|改)"
)
_NOW_LEFT_OUT = re.compile(r"(?i)^(?:now|nowadays|these days) (?=(?!it\b|its\b|i\b|im\b)[a-z])")
_FAVOURED = re.compile(
    r"(?i)^(?P<what>\W*(?:my|mein\w*) [^,;]{2,40}?) used to be [^,;]{2,40}?,? (?:(?:and|but) )*now"
    r" (?:it['\u2019]?s|it is) (?P<now>[^,;?]+)$"
)
_ONCE_DE = (
    ("war ich bei", "Ich arbeite bei"), ("arbeitete ich", "Ich arbeite"),
    ("habe ich bei", "Ich arbeite bei"), ("wohnte ich in", "Ich wohne in"),
    ("lebte ich in", "Ich lebe in"), ("spielte ich", "Ich spiele"), ("fuhr ich", "Ich fahre"),
    ("war ich", "Ich bin"), ("lernte ich", "Ich lerne"),
)  # fmt: skip
_USED_TO = re.compile(r"(?i)^\W*(?:(?:so|well|oh|and|but) )*I used to (?P<be>be )?(?P<what>.+)$")
_BEFORE_ZH = re.compile("^我?(?:以前|原来|过去|之前)(?:是)?(?P<what>.+)$")
_THING = rf"(?:(?:my|our|the) )(?!(?i:{'|'.join(sorted(DAYS))}))(?P<given>[\w-]+(?: [\w-]+)?)"
_WHEN = r"(?:,? (?:today|yesterday|last \w+|this \w+|in [A-Z]\w+|(?:a|two|three) \w+ ago))?"
_EXCHANGES = (
    re.compile(
        rf"^\W*{assertion_en.LEADS}(?:I|[Ww]e) (?:(?:just|finally|recently) )*"
        rf"(?:traded(?: in)?|swapped|part-exchanged) {_THING}(?: in)? for"
        r" (?P<got>an? (?:[a-z]+ )?[A-Z][\w-]*"
        rf"(?: [A-Z\d][\w-]*)*){_WHEN}\W*$"
    ),
    re.compile(
        r"^\W*(?i:ich habe?)(?: (?:gestern|jetzt|letzte\w* \w+|im \w+))?"
        r" (?:den|die|das|meinen?|mein) (?P<given>[A-ZÄÖÜ][\w-]+(?: [A-Z\d]\w*)?)"
        r"(?: (?:gestern|jetzt|letzte\w* \w+|im \w+))? gegen (?P<got>(?:einen?|ein)"
        r" (?:[a-zäöü]+en )?[A-ZÄÖÜ][\w-]+(?: [A-Z\d]\w*)?) (?:ein|um)?getauscht\W*$"
    ),
    re.compile(
        "^我(?:上周|上个?月|昨天|最近|去年|已经)*把(?:我的|那辆)?(?P<given>[^，。的]{2,8}?)卖(?:掉)?了，"
        "(?:换|买)(?:成|了)?(?:一?[辆台部])(?P<got>[^，。了]{2,8})[。！]?$"
    ),
)


# The verb is not said twice: `I stopped learning Greek and started Latin`.
_STOPPED = re.compile(
    r"\b(?:stopped|quit|gave up) (?P<doing>learning|studying|playing|teaching) [^,]+$"
)
_STARTED = re.compile(
    r"^(?:(?:I|now|just) )*(?:started|took up|began)(?: with)? (?P<what>(?!\w+ing\b)[^,;]+)$"
)


def exchange(sentence: str) -> Exchange | None:
    """Return what thing *sentence* says that its speaker gave for another; None if nothing."""
    if salience.is_question(sentence) or assertion_en.is_jest(sentence):
        return None
    found = next((m for it in _EXCHANGES if (m := it.match(sentence))), None)
    return Exchange(found["given"], found["got"]) if found else None


def replacements(sentence: str) -> Iterator[Replacement]:
    """Yield how *sentence* may be read as what is over and what is so instead."""
    if salience.is_question(sentence) or assertion_en.is_jest(sentence):
        return
    for border in _BORDER.finditer(sentence):
        over, now = sentence[: border.start()], sentence[border.end() :]
        left = departures.departure(over)
        if left and left.category == "work":
            yield from (Replacement(over, it) for it in _of_the_kind(now))
        if _OF_NOW.match(now):
            yield Replacement(over, _whole(now))
        did, does = _STOPPED.search(over), _STARTED.match(now)
        if did and does:
            yield Replacement(over, f"I am {did['doing']} {does['what']}")


def before(clause: str) -> str:
    """Return what *clause* says was so, as it was said then; "" where it tells of no before.

    `I used to row` ends nothing alone: only what it stands beside tells that it is over.
    """
    if found := _USED_TO.match(clause):
        return f"I {'am ' if found['be'] else ''}{found['what']}."
    if found := _BEFORE_ZH.match(clause):
        return f"我{found['what']}。"
    low = re.sub(r"(?i)^\W*früher ", "", clause)
    if low != clause:
        for was, is_so in _ONCE_DE:
            if low.startswith(f"{was} "):
                return f"{is_so}{low[len(was) :]}."
    return ""


def favoured(sentence: str) -> str:
    """Return what is so of what *sentence* says to have been another: `My team is Leeds`."""
    found = _FAVOURED.match(sentence)
    return f"{found['what']} is {found['now']}" if found else ""


def _of_the_kind(now: str) -> Iterator[str]:
    for pattern, whole in _SAME_KIND:
        if found := re.match(pattern, now):
            yield whole.format(re.sub(r"(?i) (?:now|instead|jetzt)(?=\W*$)", "", found["v"]))


def _whole(now: str) -> str:
    """Return *now* with the subject that it leaves out."""
    if now.startswith(("现在", "改")):
        rest = now.removeprefix("现在").removeprefix("改")
        return rest if rest.startswith("我") else f"我{rest}"
    now = _NOW_LEFT_OUT.sub("I ", now)
    now = re.sub(r"(?i)^(?:jetzt|heute|nun) (?P<does>[a-zäöüß]+) ich ", r"ich \g<does> ", now)
    return re.sub(r"(?i)^(?:now|nowadays|these days) (?=i\b|i['\u2019]|im\b)", "", now)
