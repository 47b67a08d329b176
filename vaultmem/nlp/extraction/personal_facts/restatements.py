"""Take up what a speaker puts right at once, as in `My birthday is on 3 May. Sorry, 5 May`.

What is put right is the only part of the sentence before it of the same kind: a date, a time, a
number, a weekday or a name. Where there are several it is not sure which one was meant, and nothing
is told. English is read, and of German the words that take back.
"""

# ruff: noqa: RUF001, RUF003  Chinese is matched with its own marks.

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from vaultmem.nlp.text.stopwords import DAYS, MONTH_NAMES, NUMBER_WORDS, words

_MONTH = rf"(?:{'|'.join(sorted(MONTH_NAMES, key=len, reverse=True))}"
_MONTH += "|januar|februar|m\u00e4rz|mai|juni|juli|oktober|dezember)"
_KINDS: Mapping[str, str] = {
    "date": (
        rf"\d{{4}}-\d\d-\d\d|(?i:\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of)? {_MONTH}\b(?:,? \d{{4}}\b)?"
        rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?)"
    ),
    "time": r"\b\d{1,2}(?::\d\d)?(?: ?[ap]m\b| o'clock\b)|\b\d{1,2}:\d\d\b",
    "number": r"\b\d[\d,.]*\d\b|\b\d\b",
    "weekday": rf"(?i:\b(?:{'|'.join(sorted(DAYS))})\b)",
    "name": r"\b[A-Z][\w'\u2019-]*[a-z][\w'\u2019-]*(?: [A-Z][\w'\u2019-]*[a-z][\w'\u2019-]*){0,2}",
}
"""How each kind of value is written, in the order in which they are looked for."""

_OWNS = (
    r"(?:sorry|pardon|oops|correction|my mistake|i misspoke|make that|or rather|i mean(?:t)?(?: to"
    r" say)?"
    r"|(?:no,? )?(?:wait|hang on|actually no)|wait,? no|scratch that|entschuldigung|sorry|quatsch"
    r"|korrektur"
    r"|ich mein(?:t)?e|besser gesagt|stimmt nicht)"
)
_PREPOSITION = r"(?:in|on|at|from|to|for|with|am|im|bei|aus|nach|um)"
_PUTS_RIGHT = re.compile(
    rf"^\W*(?i:(?:(?:oh|ah|well|no|wait|hm+|nein|ach|ups|ne),? )*{_OWNS}[\s,!.:\u2013\u2014-]+"
    r"(?:(?:it['\u2019]s|it is|it was|i mean(?:t)?|es ist|ich meine?),? )?)"
    rf"(?:(?P<where>{_PREPOSITION}) )?(?:the )?(?P<value>[^,;?!]+?)(?:,? not"
    rf" (?P<instead>[^,;?!]+?))?[.!]*$"
)
_DENIES = re.compile(
    rf"^\W*(?i:no|nein|ne)[,.!:\u2013\u2014-]+ (?:(?P<where>{_PREPOSITION}) )?(?:the )?"
    r"(?P<value>[^,;?!]+?)(?:,? not (?P<instead>[^,;?!]+?))?[.!]*$"
)
# `Well, Potsdam, to be exact`.
_PRECISELY = (
    r"(?:to be (?:more )?(?:exact|precise|accurate|specific)|(?:or )?more (?:precisely|exactly"
    r"|accurately|specifically)|strictly speaking|or rather|(?:oder )?(?:genauer|besser|richtiger)"
    r"(?: gesagt)?|um genau(?:er)? zu sein|genau genommen|streng genommen)"
)
_HEDGE = r"(?:(?:well|or|oh|ok|okay|actually|so|naja|na ja|also|oder|eigentlich),? )"
_EXACTLY = re.compile(
    rf"^\W*(?i:{_HEDGE}*)(?:(?i:{_PRECISELY}),? )?(?:(?P<where>{_PREPOSITION}) )?(?:the )?"
    rf"(?P<value>[A-Z\d][^,;?!]*?)(?:,? not"
    rf" (?P<instead>[^,;?!]+?))?(?:,? (?i:{_PRECISELY}))?[.!]*$"
)
# Whoever says one of these puts a name in the place of another; `Sorry, Ada` may speak to Ada.
_NAMES_ANEW = (
    rf"(?i)\b(?:{_PRECISELY}|(?:wait,? no|no,? wait|actually no|(?:nein|ach),? quatsch)\b(?!.*!)"
    r"|i mean(?:t)?|correction|make that|or rather|scratch that"
    r"|it['\u2019]s|ich mein(?:t)?e|korrektur|besser gesagt)\b"
)
# What has a capital where a sentence begins, and what is no name.
_NO_NAME = words("i i'm i've i'll my our we he she they it the a an ich wir mein meine sie er es")
# `说错了，是苏州`: what it puts right has no capital; it is the only value of the sentence before.
_PUTS_RIGHT_ZH = re.compile(
    r"^\W*(?:(?:不|不对|不是|啊|哦|抱歉|对不起|不好意思|等等|等一下)[，,、\s]*)*我?(?:说|打|写|搞)错了?"
    r"[，,。！!\s]*(?:应该|其实|我是说)*(?:是|叫|在|住在)(?P<value>[^\W\d_]{2,8}?)(?:才对)?[。！.!]*$"
)
# `Dentist, sorry`, `sorry, a dentist`: a word is what another was, and has no capital to tell.
_OWNED_WORD = re.compile(
    r"^\W*(?i:(?:(?:oh|ah|no|wait|ups|ach),? )*)(?:(?i:an?|the|einen?|die|der|das) )?"
    r"(?P<value>[A-Za-z\u00c0-\u00ff][a-z\u00df-\u00ff-]*(?: [a-z\u00df-\u00ff-]+)?)"
    r",? (?i:sorry|i mean(?:t)?|oops|my bad|pardon|my mistake|meinte? ich|meine ich)[.!]*$"
    rf"|^\W*(?i:(?:(?:oh|ah|no|wait|ups|ach),? )*{_OWNS}[\s,!.:\u2013\u2014-]+)"
    r"(?:(?i:an?|the) )?"
    r"(?P<word>[a-z\u00df-\u00ff][a-z\u00df-\u00ff-]*(?: [a-z\u00df-\u00ff-]+)?)[.!]*$"
)
# Nothing but that what was said before does not count: `nvm`.
_TAKES_BACK = re.compile(
    r"^\W*(?i:(?:(?:oh|ah|lol|haha|no|wait|sorry|actually|ok|okay|well|ups|ach|nein|ne)[,.! ]+)*"
    r"(?:jk|j/k|just kidding|nvm|never ?mind(?: that| me)?"
    r"|(?:scratch|ignore|forget|strike|disregard) (?:that|it|what i (?:just )?said)"
    r"(?: last (?:one|bit|part|message))?|my bad,? (?:that['\u2019]?s"
    r" )?(?:wrong|not true)|i take (?:it|that) back|quatsch|stimmt (?:gar |ja |doch )?nicht"
    r"|vergiss (?:es|das)|war nicht ernst gemeint)(?: (?:lol|haha\w*|sorry|please))*)\W*$"
    r"|^\W*(?:(?:不|不对|啊|哦|抱歉|对不起|不好意思|等等)[，,\s]*)*"
    r"我?(?:说错|打错|搞错|口误)(?:了|啦)?\W*$"
    r"|^\W*(?:算了|当我没说|忘了吧|别当真)\W*$"
)
# Said whole once more: `Sorry, I meant I live in Wells`.
_SAYS_ANEW = re.compile(
    r"^\W*(?i:(?:(?:oh|ah|well|no|wait|sorry|oops|pardon|actually),? )*i mean(?:t)?(?: to say)?"
    r"(?: that)?),? (?=(?:I|[Mm]y|[Ww]e|[Oo]ur)\b)"
)
# What concedes that the sentence before said too much, or of somebody what they were.
_CONCEDES = re.compile(
    r"^\W*(?i:(?:well|okay|ok|alright|fine|sorry|oops|pardon|actually|no|wait|oh)[,.!]* )+"
)
_NUMBER = rf"(?:\d+|(?i:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))}))\b"
_FORMER = re.compile(r"(?i)(?:my |make that )?ex(?:[- ]\w+)?\W*$")
_COUNTS = re.compile(rf"{_NUMBER}(?:\W*$|\s*[,;]|\s+(?P<what>\w+))")
_LESS = re.compile(r"(?i)(?:(?:I|we) )?(?:can|could|only|just|barely|hardly|mostly)\b")
_ONLY = re.compile(r"(?i)(?:only|just|barely|hardly|almost|sort of|kind of)\b[^,;]{0,30}$")
_NAME = re.compile(r"(?<=\s)[A-Z][\w'\u2019-]+")


class Restated(NamedTuple):
    """A sentence as its speaker put it right: the value that stood there, and the one of now."""

    text: str
    was: str
    value: str


def restated(sentence: str, after: str, *, at_once: bool) -> Restated | None:
    """Return *sentence* as *after* puts it right; None where that is not sure.

    A bare `No, Linz` does so *at_once*, in the same breath: later it may answer somebody.
    """
    found = _fixed(after) or (_DENIES.match(after) if at_once else None)
    if found is None:
        return None
    value = found["value"].strip()
    kind = _kind(value)
    is_placed = found["where"] or found["instead"] or re.search(_NAMES_ANEW, after)
    if kind == "name" and not is_placed:
        return None
    was = _only(sentence, kind, found["where"] or "", (found["instead"] or "").strip())
    if was is None or was[0] == value:
        return None
    return Restated(f"{sentence[: was.start()]}{value}{sentence[was.end() :]}", was[0], value)


def is_one(after: str) -> bool:
    """Whether *after* puts a value of some kind right, be it sure which or not."""
    found = _fixed(after)
    return found is not None and _kind(found["value"].strip()) != ""


def takes_back(after: str) -> bool:
    """Whether *after* says that what was said before it does not count, and nothing else."""
    return _TAKES_BACK.match(after) is not None or _PUTS_RIGHT_ZH.match(after) is not None


def of_values(sentence: str, values: Iterable[str], after: str) -> Restated | None:
    """Return *sentence* with the value of *after* in the place of the only one of its *values*.

    In Chinese no capital tells what a name is, but what the sentence says does.
    """
    found, told = _PUTS_RIGHT_ZH.match(after), {*values}
    if found is None or len(told) != 1:
        return None
    was, value = told.pop(), found["value"]
    is_once = sentence.count(was) == 1 and was != value
    return Restated(sentence.replace(was, value), was, value) if is_once else None


def is_word(after: str) -> bool:
    """Whether *after* may give a word in the place of another: `dentist, sorry`."""
    return _OWNED_WORD.match(after) is not None and not is_one(after)


def of_words(sentence: str, values: Sequence[str], after: str) -> Restated | None:
    """Return *sentence* with the word of *after* in the place of the only one of its *values*."""
    found = _OWNED_WORD.match(after)
    if found is None or len(values) != 1 or sentence.count(values[0]) != 1:
        return None
    was, value = values[0], found["value"] or found["word"]
    value = value[0].lower() + value[1:] if was[0].islower() else value
    article = "an" if value[0] in "aeiou" else "a"
    text = re.sub(rf"\ban? (?={re.escape(was)})", f"{article} ", sentence).replace(was, value)
    return Restated(text, was, value) if was != value else None


def _fixed(after: str) -> re.Match[str] | None:
    """Return how *after* puts a value in the place of another, or says it more precisely."""
    is_exact = re.search(rf"(?i)\b{_PRECISELY}\b", after)
    return _PUTS_RIGHT.match(after) or (_EXACTLY.match(after) if is_exact else None)


def anew(sentence: str) -> str:
    """Return what *sentence* says once more, and whole, in the place of before; "" if nothing."""
    found = _SAYS_ANEW.match(sentence)
    return sentence[found.end() :] if found else ""


def concedes(sentence: str, after: str) -> bool:
    """Whether *after* owns that *sentence* said too much: `I speak Dutch. Okay, only a little`.

    It gives another count, or names what was named as something one does only part of, or makes
    of somebody who they were.
    """
    found = _CONCEDES.match(after)
    if found is None or restated(sentence, after, at_once=True):
        return False
    rest = after[found.end() :]
    if _FORMER.match(rest) or _ONLY.match(rest):
        return True
    if count := _COUNTS.match(rest):
        is_of_it = not count["what"] or re.search(rf"\b{count['what']}\b", sentence)
        return bool(is_of_it and re.search(rf"\b{_NUMBER}", sentence))
    named = set(_NAME.findall(sentence)) & set(_NAME.findall(rest))
    return _LESS.match(rest) is not None and bool(named)


def joined(sentences: Sequence[str]) -> list[str]:
    """Return *sentences*, each together with the next where that one puts it right."""
    whole: list[str] = []
    for sentence in sentences:
        if whole and is_one(sentence):
            whole[-1] = f"{whole[-1]} {sentence}"
        else:
            whole.append(sentence)
    return whole


def _kind(value: str) -> str:
    return next((kind for kind, form in _KINDS.items() if re.fullmatch(form, value)), "")


def _only(sentence: str, kind: str, where: str, instead: str) -> re.Match[str] | None:
    """Return the only part of *sentence* of that *kind*, behind *where* or called *instead*."""
    if not kind:
        return None
    parts = [m for m in re.finditer(_KINDS[kind], sentence) if not _is_no_name(m)]
    if instead:
        parts = [m for m in parts if m[0] == instead]
    elif where:
        parts = [m for m in parts if re.search(rf"(?i)\b{where} (?:the )?$", sentence[: m.start()])]
    return parts[0] if len(parts) == 1 else None


def _is_no_name(part: re.Match[str]) -> bool:
    return part[0].split(maxsplit=1)[0].lower() in _NO_NAME | DAYS | MONTH_NAMES
