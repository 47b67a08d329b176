"""Give a clause of chat the speaker whom it leaves out: `sold the boat` is `I sold the boat`.

Only verbs by which something ends are read so, and only where nothing said before them could be
their subject; German has its own in `subjects_de.with_subject`.
"""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

import re

_OPENS = r"^\W*(?:(?i:so|well|ok|okay|oh|yeah|yep|update|btw|ugh|welp|news)[,:]? )*"
_ONCE = r"(?:(?i:just|finally|recently|officially|sadly) )*"
_DONE = (
    r"(?i:sold|scrapped|quit|left|resigned|retired|stopped|gave up|handed in|traded|swapped"
    r"|got (?:moved|transferred|relocated|laid off|fired|sacked|let go|made redundant)"
    r"|broke up with|dropped out|lost my job|used to|came off|went off"
    r"|(?:don['\u2019]?t|do not) [^,.;:!?]{2,40}? any ?more)\b"
)
_ENGLISH = (
    (re.compile(rf"{_OPENS}(?P<said>{_ONCE}{_DONE})"), "I "),
    (re.compile(rf"{_OPENS}(?P<said>no longer\b)", re.IGNORECASE), "I'm "),
    (re.compile(rf"{_OPENS}(?P<said>not (?:at|with)\b)(?=.*any ?more)", re.IGNORECASE), "I'm "),
)
_WHEN_ZH = "(?:今天|昨天|上周|上个?月|去年|最近|现在|已经|刚刚?|终于|前几天)"
_CHINESE = re.compile(
    f"^(?P<said>{_WHEN_ZH}*(?:把[^，。]{{1,12}}?(?:卖|戒)|不(?:再|在|住|吃|喝|抽|弹|学|养)|辞职|离职|辞掉|戒掉?了|搬离"
    f"|退休了|被裁))"
)


def with_subject(text: str) -> str:
    """Return *text* with the `I` that its first verb lacks, or as it is."""
    for pattern, subject in _ENGLISH:
        if found := pattern.match(text):
            said = text[found.start("said") :]
            return f"{subject}{said[0].lower()}{said[1:]}"
    return f"我{text}" if _CHINESE.match(text) else text
