"""Tell in everyday Chinese what people say of themselves, in earnest and of now.

A subject that is left out is who speaks (zero anaphora: Li & Thompson 1981); anybody else is named
before the verb. What is supposed, heard, laughed at or over is no stance of theirs, whatever the
verb: this is the one place that says so for what they choose, refuse, leave open and like.
"""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

import re
from itertools import takewhile

from vaultmem.nlp.extraction.grammar import relations, statement_zh
from vaultmem.nlp.text import analysis

_CLAUSES = re.compile("[，,。；;：:！!]|\\s+")
_TALE = (
    "去年|前年|上次|上回|那[年次时]|那天(?=.*[了过])|以前|之前|当时|小时候|从前|[岁年]的时候"
    "|有一次|本来|原来(?![那的])|差一?点"
)
_JEST = "哈{2,}|嘿{2,}|呵{2,}|笑死|狗头|[~～]|躺平|开玩笑"
_SUPPOSED = (
    "要是|如果|假如|假设|假使|万一|比如|例如|的话|除非|倘若|要不(?!要)|可能|也许|大概|说不定|好像"
    "|让我选|等[^，, ]{1,8}再"
)
_HEARD = (
    "听说|据说|[他她]们?说|告诉我|[^\\W我咱们你]{1,4}(?:跟我|对我)?说"
    "(?!好|定|清|真|实|到底|什么|不)"
)
_OF_THE_HOUR = (
    "今天(?!起)|今晚|今早|刚才?(?!毕业)|现在|等[会下]|一?会儿|待会|明[天晚早]|马上|改天|先"
)
_NO_STANCE = re.compile(f"{_JEST}|{_SUPPOSED}|{_HEARD}|[?？]|[吗呢]\\W*$")
_OTHERS = re.compile(
    "[你您他她它]|人家|别人|公司|老板|领导|学校|政府|市里|单位"
    f"|(?:{relations.RELATION_ZH})(?!的)|[^\\W我咱]们|[小老阿](?!区|家|房)[^\\W我]"
)
LEAD = (
    "(?:好的?|行|嗯|那么?|所以|于是|最后|最终|后来|然后|但是?|而且|反正|其实|真的?|老实说|说实话|唉|哎"
    "|今年|明年|这个?[周月]|下个?[周月]|这学期|暑假|寒假|最近|这次|以后|从今以后|仍|已经|也|都|还是|还|就"
    "|终于|总算|一直|平时|目前|完全|根本|实在|到底|决定|打算|准备"
    "|我(?:和|跟|与)(?:我)?[^\\W你您他她它我]{1,3}?|我们俩?|咱们?俩?|我|一起)*"
)
"""What may stand between the beginning of a clause of one's own and its verb."""

_POINTS = re.compile(
    "^(?:这[个些样里]?|那[个些样里]?|它|什么|怎么|谁|哪|自己|我们?|咱们?|一[下些点])?$|[你您他她它]"
    "|^这(?!个?[周月]|学期|次|边)|的$|[了过着]$"
)


def clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of *text* up to a tale; none where it is supposed, heard, a jest or asked.

    What follows a tale goes on with it.
    """
    if _NO_STANCE.search(text):
        return ()
    told = takewhile(lambda clause: not is_tale(clause), _CLAUSES.split(text))
    return tuple(it for it in told if it)


def is_tale(clause: str) -> bool:
    """Whether *clause* is of what was."""
    return re.search(_TALE, clause) is not None


def rest(text: str, clause: str) -> str:
    """Return what *text* says behind *clause*, as one line."""
    behind = text.partition(clause)[2]
    return "，".join(it for it in _CLAUSES.split(behind) if it)


def is_passing(clause: str) -> bool:
    """Whether *clause* is of the hour."""
    return re.search(_OF_THE_HOUR, clause) is not None


def is_of_others(before: str) -> bool:
    """Whether what stands *before* a verb names somebody else who does it."""
    return _OTHERS.search(before) is not None or statement_zh.is_of_others(before)


def points(what: str) -> bool:
    """Whether only what was said before tells what *what* is: `那个`, but not `那辆车`."""
    return _POINTS.search(what) is not None


def names(what: str) -> bool:
    """Whether *what* names something by itself."""
    return not points(what) and bool(analysis.terms(what))
