"""Tell what people commit to in everyday Chinese: `我们决定卖车`, and nobody else's `老板决定加班`.

As in English, who commits is who speaks, in a clause that nothing governs, in earnest, of
something that is named, and now: what was chosen last year is a tale.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import own_words_zh
from vaultmem.nlp.extraction.talk import cue_phrases
from vaultmem.nlp.text import analysis, salience

# Who commits: those who talk, or nobody is named; of what may stand before: `数据库我们选了`.
_TOPIC = "(?:[^\\W我咱你您他她它说讲问听想觉要让叫如若]{1,8}(?=[我咱]))?"
_WITH = "我(?:和|跟|与)(?![你您他她它])\\w{1,3}?"
_OURS = (
    "(?:好的?|行|嗯|那么?|所以|于是|最后|最终|后来|然后|但是?|而且|今天|昨天|刚刚?|已经|跟?我?老[公婆]"
    f"|{_WITH}|我们俩?|咱们俩?|我|都|也|还是|终于|总算|一起|商量好?)*"
)
_OWN = re.compile(f"{_TOPIC}{_OURS}")
# What was talked over, or hung in the air, is settled, and the next clause tells how.
_SETTLED = re.compile(
    f"{_TOPIC}{_OURS}就?(?:这么)?(?:(?:商量|讨论|考虑|想|说|谈|讲|约|决定)(?:好|定|清楚)|[说敲约]?定)了"
    "[啊哦哈呀啦]?"
    "|(?!公司|老板|领导|学校|政府)[^\\W我咱你您他她它]{1,8}(?:名字|日子|地点|日期|方案|行程|选题)(?:也|已经|终于|总算)?"
    "(?:想好|[选定]好|敲?定)(?:下来)?了"
)
# What the clause before tells, all have agreed to.
_AGREED = re.compile("(?:大家|我们|所有人|双方)都?(?:同意|通过|没意见|没有意见)了?")
_AGREES = re.compile(f"{_OURS}(?:大家|我们|咱们|所有人)都?同意(?!了)")
_ERRAND = "闹钟|外卖|[位座餐]|.*票"
# The deed itself binds: `我报了周三的瑜伽课`.
_DEEDS = re.compile(
    f"{_OURS}(?:报(?:名(?:参加)?)?了(?=.+(?:课程?|班|营|比赛|考试|马拉松|项目)$)"
    "|签[了下](?=.*(?:合同|协议|约)$)|接受了?(?=.+(?:工作|职位|邀请|录取|offer)$)"
    "|(?:(?:最后|最终)|(?:想|考虑|纠结|犹豫)了.{1,4}?(?:[天周夜]|晚上?|久|个?月))还是[买选租报订]了"
    f"|(?:最后|最终)[选租报订]了|(?:敲定|定|订)了(?!{_ERRAND})(?=.{(4,)}))"
)
# `就 ... 了` settles on one thing, and looks no further: `装修就用原来那个师傅了`.
_SETTLES = re.compile(
    "(?P<of>(?:[^\\W我咱你您他她它]{1,6}(?=就))?)"
    f"(?P<who>{own_words_zh.LEAD})(?<=就)(?:用|选|买|租|订|定|报)(?P<what>.+)了"
)
# What is somebody else's, waits for more, or is over within the hour.
_NOT_OURS = "^(?:[你您他她它]|再|等|先|我?不(?:想|知)|我?要?[吃喝睡])|[吗呢见]$"
# What only the talk names, what is proposed, and what a clause says of a choice.
_POINTS = "这个|(?<!的)那个(?!\\w{2,}的\\w)|这样|那样|它|他们?|她们?|你的?|您的?|吧\\W*$|很|却|取决"
# Where nobody is named, a page may speak of anybody: `采用时尚设计`.
_EARNEST = "[我咱]|(?:还是|最后|终于)决定|因为|由于|所以|就[选用]"
_LEAST = 2


def is_one(text: str) -> bool:
    """Whether *text* tells what its speaker, or those they speak for, commit to."""
    if salience.is_question(text):
        return False
    clauses = own_words_zh.clauses(text)
    if any(map(_is_settled, clauses, clauses[1:])) or any(map(_binds, clauses)):
        return True
    if any(map(_settles, clauses)):
        return True
    return re.search(_EARNEST, text) is not None and any(map(_commits, clauses))


def _is_settled(clause: str, following: str) -> bool:
    """Whether one of both says of the other that it is settled."""
    if _SETTLED.fullmatch(clause):
        return _is_ours(following)
    return _AGREED.fullmatch(following) is not None and _is_ours(clause)


def _binds(clause: str) -> bool:
    settled = _SETTLED.match(clause)
    told = clause[settled.end() :] if settled else ""
    is_named = len(told) > _LEAST and not told.endswith("的") and not re.match(_ERRAND, told)
    if is_named and _is_ours(told):
        return True
    deed = _DEEDS.match(clause)
    return deed is not None and _is_ours(clause[deed.end() :])


def _settles(clause: str) -> bool:
    if agreed := _AGREES.match(clause):
        return _is_ours(clause[agreed.end() :])
    found = _SETTLES.fullmatch(clause)
    if found is None or own_words_zh.is_of_others(f"{found['of']}{found['who']}"):
        return False
    return not own_words_zh.is_passing(clause) and own_words_zh.names(found["what"])


def _commits(clause: str) -> bool:
    cue = re.search(cue_phrases.DECISION.chinese, clause)
    if cue is None or not _OWN.fullmatch(clause[: cue.start()]):
        return False
    return _tells(clause[cue.end() :])


def _is_ours(what: str) -> bool:
    """Whether *what*, a clause of its own, is a plan of those who talk."""
    return _tells(what) and re.search(_NOT_OURS, what) is None


def _tells(what: str) -> bool:
    """Whether *what* names by itself that to which somebody is bound."""
    return len(what) >= _LEAST and not re.search(_POINTS, what) and bool(analysis.terms(what))
