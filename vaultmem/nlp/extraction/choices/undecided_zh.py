"""Tell what people have still to settle, in everyday Chinese: `到底谁去接机还没定`.

What is open is a question, told in a clause with who does not know the answer yet, before or
behind it. Chinese asks there as it asks anywhere (Huang 1982): it is the verb that makes of the
question what somebody does not know, so that this is looked at before whether anything is asked.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import own_words_zh
from vaultmem.nlp.text import analysis

_ASKED = re.compile(
    "([^\\W不没])(?:不|没)\\1|是否|能否|可否|谁|什么|哪|怎么|多少|几(?=[个点号天月年])|还是.|多[久长大]"
)
_OPEN = (
    "(?:不知道|不晓得|不确定|不清楚|没(?:想|决定|商量|考虑|打听|问)(?:好|清楚|明白)?(?:过)?|没定(?:好|下来)?"
    "|没确定|没头绪|没着落|没个准|拿不准|拿不定主意|搞不清楚?|没搞清楚?|没谱|(?:在|再|很|好)?(?:纠结|犹豫)"
    "|在(?:考虑|想|商量|讨论|打听|等消息)|(?:得|要|需要|还得)(?:去)?(?:问|查|打听)(?:一下|问|查|清楚)?)"
)
_BEFORE = re.compile(f"(?P<who>{own_words_zh.LEAD}){_OPEN}(?P<what>.+)")
_BEHIND = re.compile(
    f"(?P<what>.+?)(?P<who>(?:我们?|咱们?|大家|还|也|都|仍|一直|暂时)*){_OPEN}[啊呀呢嘛]?"
)
# As in `护理和师范我选不出来`.
_CANNOT = re.compile(
    "[^你您他她它]{1,8}[和跟还][^你您他她它]{1,8}?(?:我们?)(?:还|真的?|一直)*(?:选不出来|定不下来|决定不了|拿不定主意)[了啊]?"
)
# What is so now, or has been, is nothing to settle.
_IS_SO = re.compile("(?:谁|哪|什么|怎么)[^不没]*(?:在|又|来的|了)")
# Of the one who is asked, of what only the talk names, and what nobody has to settle.
_NOT_OURS = re.compile(
    "[你您他她它]|这(?!个?[周月]|学期|次|边)|为什么|怎么(?:回事|说|会|想|了|这么)|什么(?:意思|鬼|情况|东西|都)"
    "|说什么|[吃喝看干做聊]什么|是不是真"
)
_LEAST = 3


def is_open(text: str) -> bool:
    """Whether *text* tells by itself what its speakers have still to settle."""
    clauses = own_words_zh.clauses(text)
    return any(_leaves_open(clause) or _CANNOT.fullmatch(clause) is not None for clause in clauses)


def _leaves_open(clause: str) -> bool:
    for pattern in (_BEFORE, _BEHIND):
        found = pattern.fullmatch(clause)
        if found and _ASKED.search(found["what"]) and not _is_idle(clause, found["what"]):
            return not own_words_zh.is_of_others(found["who"]) and _has_matter(found["what"])
    return False


def _is_idle(clause: str, what: str) -> bool:
    return _NOT_OURS.search(clause) is not None or _IS_SO.search(what) is not None


def _has_matter(what: str) -> bool:
    told = _ASKED.sub("", what)
    return len(told) >= _LEAST and bool(analysis.terms(told))
