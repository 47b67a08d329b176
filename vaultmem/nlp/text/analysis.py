"""Take text apart: sentences, terms, and the facts a reader could check.

Every pattern here is linear, so that a hostile memory cannot stall a compaction.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice, pairwise
from typing import NamedTuple

from vaultmem.documents.markdown import fences
from vaultmem.nlp.text.stopwords import (
    ABBREVIATIONS,
    CHAT,
    CJK_STOP,
    DAYS,
    MONTH_NAMES,
    MONTHS,
    NUMBER_WORDS,
    STOP,
)

# From kana to the unified ideographs.
_CJK_FIRST, _CJK_LAST = "\u3040", "\u9fff"
_EMOJI = "\U0001f1e6-\U0001faff\u2600-\u27bf\ufe0f\u200d"
_CLOSERS = "\"'\u201d\u2019\u300d\u300f\uff09\u00bb)*_\\]"

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_APOSTROPHE = re.compile("['\u2019]")

_MARKER = re.compile(r"\s*(?:[-*+\u2022] |\d{1,3}[.)] |#{1,6} |>+ ?|\|)(?:\[[ xX]\] )?")
_RULE = re.compile(r"[\s|:=_*-]*")
_END = re.compile(
    rf"[.!?\u2026]+[{_CLOSERS}]*(?:\s*[{_EMOJI}]+)*(?=\s)"
    rf"|[\u3002\uff01\uff1f]+[{_CLOSERS}]*"
    rf"|[{_EMOJI}]+(?=\s+[A-Z])"
)
# Where a sentence may begin: in chat often with a small letter.
_START = re.compile(r"(?<=[.!?])\s+([A-Za-z])")
_KEPT = re.compile(
    r'`[^`\n]{1,200}`|"[^"\n]{1,200}"'
    "|\u201c[^\u201c\u201d\n]{1,200}\u201d|\u300c[^\u300c\u300d\n]{1,200}\u300d"
)
_GERMAN_MONTH = (
    "(?:Januar|J\u00e4nner|Februar|M\u00e4rz|April|Mai|Juni|Juli|August|September|Oktober|November"
    "|Dezember)"
)
# A shorter line was not broken because it was full.
_WRAPPED = 50

# All but what is surely none: most texts have no figures, and need no search for them.
_MAYBE_DIGIT = re.compile(r"[^\x00-/:-\x7f\u2010-\u2027]")
_ISO = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_CJK_DATE = re.compile("(?:(\\d{4})\u5e74)?(\\d{1,2})\u6708(?:(\\d{1,2})[\u65e5\u53f7])?")
_WRITTEN = re.compile(
    r"(?:\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? )?"
    r"\b(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
    r"(?: (\d{1,2})(?:st|nd|rd|th)?\b(?![:.]\d))?(?:,? (\d{4})\b)?"
)
_MONTHS = tuple(month.capitalize() for month in MONTHS)
# "May" and "March" are verbs unless something dates them.
_VERBS = ("May", "March")
_DATED = re.compile(r"\b(?:in|last|next|since|by|until|this|early|late|of|from|to|and|for) $")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_OPENERS = frozenset('"\u201c\u300c:*_[(\u2026!?')
# Common words are stemmed once: so many of them are remembered.
_REMEMBERED = 1 << 14
# Words that say nothing of what a text is about.
_EMPTY = STOP | CHAT
_NEVER_NAMES = _EMPTY | DAYS | MONTH_NAMES

# What a stem loses, what it gets instead, and how many letters must remain.
_ENDINGS = (
    ("ies", "y", 2),
    ("ied", "y", 2),
    ("ings", "", 3),
    ("ing", "", 3),
    ("sses", "ss", 1),
    ("ed", "", 3),
    ("es", "", 3),
    ("ss", "ss", 0),
    ("us", "us", 1),
    ("s", "", 3),
    ("e", "", 3),
)


class Parsed(NamedTuple):
    """A text taken apart once: its words, what it is about, its numbers and dates."""

    text: str
    heads: list[str]
    terms: list[str]
    numbers: tuple[str, ...]
    dates: tuple[str, ...]


class Facts(NamedTuple):
    """Names (lower case, word by word), numbers (plain digits) and dates (ISO, or a part of one).

    A date without a year is `--05-08`, a month alone `--05`, a weekday its English name.
    """

    names: tuple[str, ...]
    numbers: tuple[str, ...]
    dates: tuple[str, ...]


def parsed(text: str) -> Parsed:
    """Take *text* apart."""
    found = heads(text)
    return Parsed(text, found, _terms(found), *figures(text))


def sentences(text: str) -> list[str]:
    """Split *text*: a bullet or fenced block is never joined to another, white space collapses."""
    return [sentence for block in _blocks(text) for sentence in _split(block)]


def words(text: str) -> list[str]:
    """Return the words and numbers of *text* as written; a run of Chinese or Japanese is one."""
    runs: list[str] = _WORD.findall(text)
    if text.isascii() or max(text) < _CJK_FIRST:
        return runs
    return [word for run in runs for word in _scripts(run)]


def heads(text: str) -> list[str]:
    """Return the words of *text* in lower case, without what hangs on their apostrophes."""
    return [word if word.isalpha() else head(word) for word in words(text.casefold())]


def terms(text: str) -> list[str]:
    """Return the stems that say what *text* is about, in order, with repetitions.

    Chinese and Japanese are taken by overlapping pairs, which need no dictionary.
    """
    return _terms(heads(text))


def stem(word: str) -> str:
    """Bring plural, past and progressive of an English *word* together (after Harman 1991)."""
    plain = head(word)
    for ending, instead, least in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= least:
            return _undoubled(plain[: -len(ending)] + instead)
    return plain


def head(word: str) -> str:
    """Return *word* in lower case without what hangs on its apostrophe."""
    word = word.casefold()
    return word if word.isalpha() else _APOSTROPHE.split(word, maxsplit=1)[0]


def folded(text: str) -> str:
    """Return *text* in lower case on one line: what makes two quotations the same."""
    return " ".join(text.casefold().split())


def size(text: str) -> int:
    """Count words as a reader would: by spaces, and two Chinese or Japanese characters as one."""
    return len(text.split()) + _count_cjk(text) // 2


def is_cjk(text: str) -> bool:
    """Whether *text* is mostly Chinese or Japanese."""
    return 3 * _count_cjk(text) > len(text)


def is_code(sentence: str) -> bool:
    """Whether *sentence* is a fenced block."""
    return fences.MARK.match(sentence) is not None


def bare(sentence: str) -> str:
    """Return *sentence* on one line; a fenced block without its fences."""
    if not (mark := fences.MARK.match(sentence)):
        return sentence
    lines = sentence.splitlines()[1:]
    if lines and fences.closes(lines[-1], mark[1]):
        lines.pop()
    return " ".join(" ".join(lines).split())


def facts(text: str) -> Facts:
    """Return the names, numbers and dates in *text*, each once, in order of appearance."""
    return Facts(names(sentences(text)), *figures(text))


def figures(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the numbers and the dates in *text*; what belongs to a date is no number."""
    rest, dates = _undated(text)
    found = words(rest) if _MAYBE_DIGIT.search(rest) or "day" in rest.casefold() else []
    numbers = (_THOUSANDS.sub("", word) for word in found if word[0].isdigit())
    weekdays = (head(word) for word in found if word[0].isupper() and head(word) in DAYS)
    return _once(numbers), _once([*dates, *weekdays])


def names(split: Iterable[str]) -> tuple[str, ...]:
    """Return what is written with a capital inside a sentence, in lower case, each once.

    A word that is capitalised only where a sentence opens is not taken for a name.
    """
    inside = (head(word) for sentence in split for word in _capitalised(sentence))
    return tuple(word for word in _once(inside) if word not in _NEVER_NAMES and len(word) > 1)


def spelled_numbers(text: str) -> tuple[str, ...]:
    """Return the digits of the numbers that *text* spells out."""
    return spelled(heads(text))


def spelled(heads: Iterable[str]) -> tuple[str, ...]:
    """Return the digits of the numbers among *heads*, each once."""
    return _once(NUMBER_WORDS[word] for word in heads if word in NUMBER_WORDS)


def _is_cjk(letter: str) -> bool:
    # A comparison, because a class of this width costs milliseconds to compile.
    return _CJK_FIRST <= letter <= _CJK_LAST


def _count_cjk(text: str) -> int:
    return 0 if text.isascii() else sum([_CJK_FIRST <= letter <= _CJK_LAST for letter in text])


def _scripts(run: str) -> Iterator[str]:
    """Yield *run* in pieces of one script: `LGBTQ\u56e2\u4f53` is two words."""
    for _, letters in groupby(run, _is_cjk):
        if piece := "".join(letters).lstrip("'\u2019"):
            yield piece


def _blocks(text: str) -> Iterator[str]:
    """Yield fenced code whole, and every bullet, heading and paragraph on one line."""
    block: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = fences.MARK.match(line)
        if fence:
            block.append(line)
            if mark and fences.closes(line, fence):
                yield "\n".join(block)
                block, fence = [], ""
        elif not mark and block and _continues(block[-1], line):
            block.append(line.strip())
        else:
            if block:
                yield " ".join(block)
            block = [line if mark else _unmarked(line)]
            fence = mark[1] if mark else ""
    yield ("\n" if fence else " ").join(block)


def _continues(before: str, line: str) -> bool:
    """Whether *line* goes on with a sentence that was wrapped after *before*."""
    if not before or before[-1] in ".!?\u3002\uff01\uff1f" or _MARKER.match(line):
        return False
    if _RULE.fullmatch(line):
        return False
    return line.lstrip()[0].islower() or len(before) >= _WRAPPED


def _unmarked(line: str) -> str:
    marker = _MARKER.match(line)
    return line[marker.end() if marker else 0 :].strip()


def _split(block: str) -> Iterator[str]:
    if is_code(block):
        yield block.strip()
        return
    kept = [found.span() for found in reversed(list(_KEPT.finditer(block)))]
    start = 0
    small = _is_small(block)
    for end in _END.finditer(block):
        while kept and kept[-1][1] <= end.start():
            kept.pop()
        inside = kept and kept[-1][0] < end.start() and end.end() < kept[-1][1]
        if not inside and _ends(block, start, end, small=small):
            yield from _cleaned(block[start : end.end()])
            start = end.end()
    yield from _cleaned(block[start:])


def _is_small(block: str) -> bool:
    """Whether sentences mostly begin with small letters, as in chat."""
    if block[:1].isupper():
        return False
    starts = [str(found[1]).islower() for found in _START.finditer(block)]
    return 2 * starts.count(True) > len(starts)


def _cleaned(sentence: str) -> Iterator[str]:
    sentence = " ".join(sentence.split())
    if any(map(str.isalnum, sentence)):
        yield sentence


def _ends(block: str, start: int, end: re.Match[str], *, small: bool) -> bool:
    """Whether the mark at *end* closes the sentence that began at *start*.

    In a text that is *small* sentences begin with small letters.
    """
    after = (words(block[end.end() : end.end() + 16]) or [""])[0]
    plain = small and end[0] == "."
    if after[:1].islower() and not plain and (end[0][-1] in _CLOSERS or end[0][0] in ".\u2026"):
        return False
    if end[0] != "." or head(after) in STOP:
        return True
    before = block[max(start, end.start() - 14) : end.start()]
    return not (_is_abbreviation(before) or _is_ordinal(before, after))


def _is_abbreviation(before: str) -> bool:
    last = (before.split() or [""])[-1].lstrip("(\"'*_").casefold()
    initial = len(last) == 1 and last.isalpha() and last != "i"
    return initial or last in ABBREVIATIONS


def _is_ordinal(before: str, after: str) -> bool:
    """Whether a point after *before* makes a day of it, as in German: `17. November`."""
    return before[-2:].strip().isdigit() and bool(re.fullmatch(_GERMAN_MONTH, after, re.IGNORECASE))


def _undoubled(word: str) -> str:
    """Undo the doubling in `runn(ing)` and `plann(ed)`."""
    if len(word) > len("ped") and word[-1] == word[-2] and word[-1] not in "aeiouls":
        return word[:-1]
    return word


def _terms(heads: Iterable[str]) -> list[str]:
    return list(chain.from_iterable(map(_terms_of, heads)))


@functools.lru_cache(maxsize=_REMEMBERED)
def _terms_of(word: str) -> tuple[str, ...]:
    if word in _EMPTY:
        return ()
    if _is_cjk(word[0]):
        return tuple(one + two for one, two in pairwise(word) if CJK_STOP.isdisjoint((one, two)))
    return (stem(word),) if len(word) > 1 and not word[0].isdigit() else ()


def _capitalised(sentence: str) -> Iterator[str]:
    """Yield the words that have a capital no opening sentence or quotation asked for."""
    if sentence[1:].islower():
        return
    gaps = _WORD.split(sentence)
    for gap, word in islice(zip(gaps, _WORD.findall(sentence), strict=False), 1, None):
        if word[0].isupper() and _OPENERS.isdisjoint(gap):
            yield word


def _undated(text: str) -> tuple[str, list[str]]:
    """Return *text* without its dates, and the dates."""
    dates: list[str] = []

    def take(year: str, month: str, day: str) -> str:
        dates.append(_date(year, month, day))
        return " "

    if _MAYBE_DIGIT.search(text):
        text = _ISO.sub(lambda m: take(*m[0].split("-")), text)
        text = _CJK_DATE.sub(lambda m: take(m[1] or "", m[2], m[3] or ""), text)
    if any(month in text for month in _MONTHS):
        text = _WRITTEN.sub(lambda m: m[0] if _is_verb(m) else take(*_written(m)), text)
    return text, dates


def _date(year: str, month: str, day: str) -> str:
    """Return as much of the ISO form as is known."""
    tail = f"-{int(day):02}" if day else ""
    return f"{year or '-'}-{int(month):02}{tail}"


def _written(found: re.Match[str]) -> tuple[str, str, str]:
    month = MONTHS.index(found[2][:3].casefold()) + 1
    return found[4] or "", str(month), found[1] or found[3] or ""


def _is_verb(found: re.Match[str]) -> bool:
    alone = not (found[1] or found[3] or found[4])
    before = found.string[max(0, found.start() - 8) : found.start()]
    return alone and found[2] in _VERBS and not _DATED.search(before)


def _once(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
