"""Put a sentence into a line: cut at a clause if it is long, framed by who said it and when."""

from __future__ import annotations

import re

from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis

_DAY = r"\d{4}-\d\d-\d\d(?!\d)"
_CLAUSE = (
    r"(?<=[,;:])\s+|\s+(?=[-\u2013\u2014]+\s)|(?<=[\uff0c\uff1b\uff1a\u3001])"
    r"|\s+(?=(?:and|so|because|which|while|who|where)\b)"
)
# What follows one of these may turn the meaning of what stands before.
_TURN = (
    r"(?i)\b(?:not|no|never|none|nothing|nobody|neither|nor|without|unless|except|but|if|until|however"
    r"|although|though|instead|only|hardly|barely|failed|false|wrong|unlikely|cannot)\b|n['\u2019]t\b"
    "|[\u4e0d\u6ca1\u6c92\u7121\u65e0\u672a\u975e]|\u9664\u4e86|\u4f46|\u5982\u679c|\u306a\u3044|\u307e\u305b\u3093"
)
# A quotation mark that does not occur in the text keeps its ends clear.
_MARKS = (('"', '"'), ("\u201c", "\u201d"), ("\u00ab", "\u00bb"))
_CJK_MARKS = (("\u201c", "\u201d"), ("\u300c", "\u300d"), ('"', '"'))
_FRAME = re.compile(
    rf"(?:\bOn (?={_DAY} )|^\W*)(?P<who>[^\"\u201c\u00ab:\n]{{1,80}}?)"
    '(?:, asked (?P<asked>\\\\?["\u201c\u00ab].{1,400}?["\u201d\u00bb]),)?'
    ' said: (?=\\\\?["\u201c\u00ab])'
)


def cut(sentence: str, limit: int) -> str:
    """Return *sentence*, or its beginning up to a clause boundary within *limit* words.

    A sentence whose tail may turn the meaning is returned whole, so the caller must check its size.
    """
    start = _first(sentence, limit)
    if start == sentence:
        return sentence
    turns = [turn.start() for turn in re.finditer(_TURN, sentence)]
    clauses = [boundary.start() for boundary in re.finditer(_CLAUSE, start)]
    last = clauses[-1] if clauses else 0
    if 3 * last < len(start) or (turns and turns[-1] >= last):
        return sentence
    return _closed(sentence[:last])


def chop(sentence: str, limit: int) -> str:
    """Return at most *limit* words of *sentence*: for when nothing better is left."""
    start = _first(sentence, limit)
    return sentence if start == sentence else _closed(start)


def _first(sentence: str, limit: int) -> str:
    """Return the first *limit* words; a sentence of that many comes back as it is."""
    if analysis.size(sentence) <= limit:
        return sentence
    parts = sentence.split(maxsplit=limit)
    start = sentence if len(parts) <= limit else " ".join(parts[:limit])
    while analysis.size(start) > limit:
        start = start[: max(1, len(start) * limit // analysis.size(start))]
    return start


def framed(sentence: str, passage: Passage, agent: str = "", asked: str = "") -> str:
    """Return the line that quotes *sentence*: `On 2023-05-08 Caroline said: "..."`.

    Of what answers, with what was *asked*: `On 2023-05-08 Caroline, asked "...", said: "..."`.
    """
    found = re.match(_DAY, passage.created)
    day = found[0] if found else ""
    who = " ".join(passage.speaker.split())
    if analysis.is_cjk(sentence):
        return _framed_cjk(sentence, day, who)
    if not who:
        return f"On {day}: {sentence}" if day else sentence
    name = "I" if agent and who.casefold() == agent.casefold() else who
    on = f"On {day} " if day else ""
    question = f", asked {_quoted(asked, _MARKS)}," if asked else ""
    return f"{on}{name}{question} said: {_quoted(sentence, _MARKS)}"


def unframed(line: str) -> str:
    """Return *line* without the words that `framed` puts there itself: who, and when, stay."""
    return _FRAME.sub(r"\g<who> \g<asked> ", line)


def _framed_cjk(sentence: str, day: str, who: str) -> str:
    opening = f"{day} {who}".strip()
    if not who:
        return f"{opening}\uff1a{sentence}" if opening else sentence
    return f"{opening}\uff1a{_quoted(sentence, _CJK_MARKS)}"


def _quoted(sentence: str, marks: tuple[tuple[str, str], ...]) -> str:
    free = (pair for pair in marks if not any(mark in sentence for mark in pair))
    opening, closing = next(free, marks[-1])
    return f"{opening}{sentence}{closing}"


def _closed(kept: str) -> str:
    return kept.rstrip(" ,;:-\u2013\u2014\uff0c\uff1b\uff1a\u3001") + "\u2026"
