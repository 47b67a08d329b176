"""Find what people rule out in everyday Chinese: `健身卡不续了`, `那个方案被我们否了`.

`不 ... 了` says that what was to be is to be no longer (the change of state that `了` marks behind
a verb denied: Li & Thompson 1981). Of a deed that changes work, home, belongings or a way of life
that rules something out, if it is told which, that it is decided, or why; of food and talk it is of
the hour, unless it is for good. One syllable behind a verb is no thing but part of it: `开心`.
"""

from __future__ import annotations

import re

from vaultmem.documents.bodies import Eliminated
from vaultmem.nlp.extraction.grammar import own_words_zh

_LASTING = (
    "买|租|续费?|订|办|报名?|考(?!虑)|换|搬家?|卖|养|装|签|投|请|生|辞|读|参加|加入|结婚"
    "|领养|招|建|开"
)
_DAILY = f"{_LASTING}|去|吃|喝|抽|做|用|熬|玩|点|打|看|碰|叫|坐|住|逛|穿|追|刷|赌"
_PLACED = "去(?!上|睡|吃|了|看|玩|学校|公司)"
_NO = "不(?:再|打算|准备|想|要|会)*"
_FOR_GOOD = "(?:再也不|不再|以后(?:都|再也)?不|今后(?:都)?不|永远不|这辈子不)(?:会|想)?"
_SEASON = "(?:今年|明年|这学期|下学期|暑假|寒假|国庆|过年|春节|这个月|下个月)"
_REJECTS = "(?:拒绝?|否(?:决|掉)?|推掉|回绝|放弃|戒掉?)"
_PATTERNS = tuple(
    map(
        re.compile,
        (
            f"(?P<own>{own_words_zh.LEAD}){_FOR_GOOD}(?P<what>(?:{_DAILY}).+?)了?",
            f"(?P<own>{own_words_zh.LEAD}){_NO}(?:考虑)?(?P<what>(?:{_LASTING}).+)了",
            f"(?P<own>{own_words_zh.LEAD}){_NO}考虑(?P<what>.+)了",
            f"(?P<own>{own_words_zh.LEAD}{_SEASON}{own_words_zh.LEAD}){_NO}(?P<what>{_PLACED}.+)了",
            # What is told of it stands first: `那套房子我们不考虑了`.
            f"(?P<what>.{{2,12}}?)(?P<own>{own_words_zh.LEAD}){_NO}(?:考虑了?|(?:{_LASTING}|去|要)了)",
            f"(?P<what>.{{2,12}}?)(?P<own>{own_words_zh.LEAD}){_FOR_GOOD}(?:{_DAILY})了?",
            f"(?P<own>{own_words_zh.LEAD})把(?P<what>.{{2,12}}?)(?:给)?(?:{_REJECTS}|取消|退|砍)了",
            f"(?P<what>.{{2,12}}?)(?P<own>(?:被(?:我们?|咱们?)|{own_words_zh.LEAD})){_REJECTS}(?:.{{1,3}}[天周月年])?了",
            f"(?P<own>{own_words_zh.LEAD}){_REJECTS}了?(?P<what>(?!绝).{{2,12}})",
            "(?P<what>.{2,8}?)(?P<own>)就?算了吧?",
            "(?P<own>(?:那|就|还是|咱们?|我们)*)别再?(?P<what>(?:叫|请|约|买|租|订).{2,})了",
        ),
    )
)
_VERB = re.compile(f"^(?:考虑|{_DAILY})")
_IS_WHICH = re.compile("那.{2,}|.+的.+")
_DECIDED = re.compile(f"决定|打算|{_SEASON}|{_FOR_GOOD}|{_REJECTS}了?|考虑")
_NO_THING = re.compile("东西|学校|公司|单位|医院|外卖|买单|饭|课")
_LEAST = 2
_PASSIVE = re.compile("被(?!我|咱)")


def find(text: str) -> Eliminated | None:
    """Return what *text*, said by a person in everyday talk, rules out, and why."""
    for clause in own_words_zh.clauses(text):
        if approach := _approach(clause):
            why = re.sub("^(?:因为|由于|毕竟|主要是)", "", own_words_zh.rest(text, clause))
            return Eliminated(approach, why) if _is_meant(clause, approach, why) else None
    return None


def _is_meant(clause: str, approach: str, why: str) -> bool:
    """Whether the *clause* says which thing it is that is given up, that it is decided, or why."""
    thing = _VERB.sub("", approach)
    if _DECIDED.search(clause):
        return True
    if _NO_THING.search(thing) or len(thing) < _LEAST:
        return False
    return _IS_WHICH.fullmatch(thing) is not None or len(why) > _LEAST


def _approach(clause: str) -> str:
    if own_words_zh.is_passing(clause) or _PASSIVE.search(clause):
        return ""
    for pattern in _PATTERNS:
        found = pattern.fullmatch(clause)
        if found and not own_words_zh.is_of_others(clause[: found.end("own")]):
            what = found["what"]
            is_known = own_words_zh.names(what) and not own_words_zh.points(_VERB.sub("", what))
            return what if is_known else ""
    return ""
