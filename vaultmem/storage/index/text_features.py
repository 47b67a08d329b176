"""What kind of text it is, noted once: how long, in which language, whether it tells a time.

Times and numbers are English and Chinese; a word counts where it stands alone, however it is
written.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.documents.languages import detection
from vaultmem.storage.index import tokenizer

_OPENING = 2000
"""Characters that are looked at for a time or a number: who answers does so soon."""
_QUESTION_ENDS = re.compile(
    r"(?:[?\uff1f\u061f]|(?:[吗嗎呢]|(?:です|ます|せん|した|しょう|だろう)か)[.\u3002]?)\s*\Z"
)
_ENDING = 100
"""Characters in which a text ends, with the blanks behind it."""
_TIMES = """
yesterday today tonight tomorrow last ago next week weekend month year years recently soon since
morning night summer winter spring autumn fall monday tuesday wednesday thursday friday saturday
sunday january february march april june july august september october november december
"""
_NUMBERS = """
one two three four five six seven eight nine ten once twice several couple few first second third
"""
_TIME_WORDS, _NUMBER_WORDS = frozenset(_TIMES.split()), frozenset(_NUMBERS.split())
_WORD = re.compile(r"\w+")
_YEAR = re.compile(r"\b\d{4}\b")
_DIGIT = re.compile(r"\d")
_CHINESE_TIME = re.compile(r"[昨今明前后]天|[上下]周|[上下]个月|[去今明]年|[年月日点]")
_CHINESE_NUMBER = re.compile(r"[一二三四五六七八九十百千万两]")


class Kind(NamedTuple):
    """How many words a text has, whether it ends in a question, tells a time, a number.

    And its *language*, "" for English and what is in doubt.
    """

    length: int
    asks: bool
    times: bool
    counts: bool
    language: str = ""


def kind(body: str) -> Kind:
    """Return what kind of text *body* is."""
    opening = body[:_OPENING]
    lower = opening.lower()
    said = frozenset(_WORD.findall(lower))
    has_digits = bool(_DIGIT.search(opening))
    chinese = "" if opening.isascii() else opening
    return Kind(
        length=tokenizer.length(body),
        asks=bool(_QUESTION_ENDS.search(body[-_ENDING:])),
        times=not said.isdisjoint(_TIME_WORDS)
        or (has_digits and bool(_YEAR.search(opening)))
        or bool(_CHINESE_TIME.search(chinese)),
        counts=has_digits
        or not said.isdisjoint(_NUMBER_WORDS)
        or bool(_CHINESE_NUMBER.search(chinese)),
        language=detection.language_of(said, "" if opening.isascii() else lower),
    )
