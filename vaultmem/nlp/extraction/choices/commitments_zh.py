"""Tell what people commit to in everyday Chinese: `我们决定卖车`, and nobody else's `老板决定加班`.

As in English, who commits is who speaks, in a clause that nothing governs, in earnest, of
something that is named, and now: what was chosen last year is a tale.
"""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

import re

from vaultmem.nlp.extraction.talk import cue_phrases
from vaultmem.nlp.text import analysis, salience

_CLAUSES = re.compile("[，,。；;：:！!]|\\s+")
# Who commits: those who talk, or nobody is named.
_OURS = re.compile(
    "(?:好的?|行|嗯|那么?|所以|于是|最后|最终|后来|然后|但是?|而且|今天|昨天|刚刚?|已经|跟?我?老[公婆]"
    "|我们俩?|咱们俩?|我|都|也|还是|终于|一起|商量好?)*"
)
_TALE = "去年|前年|上次|上回|那[天年次时]|以前|当时|小时候|从前|有一次|本来|原来"
_JEST = "哈{2,}|嘿{2,}|呵{2,}|笑死|狗头|[~～]|躺平|开玩笑"
# What only the talk names, what is proposed, and what a clause says of a choice.
_POINTS = "这个|那个|这样|那样|它|他们?|她们?|你的?|您的?|吧\\W*$|很|却|取决"
# Where nobody is named, a page may speak of anybody: `采用时尚设计`.
_EARNEST = "[我咱]|因为|由于|所以|就[选用]"
_LEAST = 2


def is_one(text: str) -> bool:
    """Whether *text* tells what its speaker, or those they speak for, commit to."""
    if salience.is_question(text) or re.search(f"{_TALE}|{_JEST}", text):
        return False
    return re.search(_EARNEST, text) is not None and any(map(_commits, _CLAUSES.split(text)))


def _commits(clause: str) -> bool:
    cue = re.search(cue_phrases.DECISION.chinese, clause)
    if cue is None or not _OURS.fullmatch(clause[: cue.start()]):
        return False
    what = clause[cue.end() :]
    return len(what) >= _LEAST and not re.search(_POINTS, what) and bool(analysis.terms(what))
