"""Tell what people like, dislike and keep to in everyday Chinese: `咖啡我只喝美式`.

A taste is told of oneself by a verb of liking, by one thing set against another, or by what one
never or only eats, drinks, wears: the present that Chinese leaves bare tells a habit, while `了`
and `过` tell what happened (Smith 1997, *The Parameter of Aspect*).
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import own_words_zh

_DEGREE = (
    "(?:还是|比较|更|最|很|超级?|特别|非常|蛮|挺|真的?|一直|都|也|好|太|从小就?|不太?"
    "|不是很|不怎么|其实)"
)
_LIKES = (
    "(?:喜欢(?!的)|偏爱|偏好|讨厌|受不了|离不开|热爱|沉迷|痴迷|习惯|爱(?![情人护过上好])"
    "|烦(?![恼躁死])|迷(?![路糊你茫信人]))"
)
_PREFERS = f"(?:宁愿|宁可|更想|更愿意|更喜欢|还是{_LIKES})"
_TAKES = (
    "(?:吃(?!惊|亏|力|醋|完|饱)|喝|穿|坐|看(?!好|见|到|来|出|上去)|听(?!说|见|到|懂)|读|抽"
    "|睡(?!着))"
)
_ALWAYS = "(?:从来|从|一般|平时|通常|向来|完全|真的|永远|基本)*"
_TASTES = tuple(
    map(
        re.compile,
        (
            f"{own_words_zh.LEAD}我{own_words_zh.LEAD}{_DEGREE}*{_LIKES}(?P<what>.+)",
            # Who tells how much, tells it of themselves.
            f"{own_words_zh.LEAD}{_DEGREE}+{_LIKES}(?P<what>.+)",
            "(?:.{0,6}?)我(?:从来?)?不(?:太|怎么|能|爱)?[吃喝抽](?P<what>.+)",
            f"(?:.{{0,6}}?)我{_ALWAYS}(?:只|都|总是|都只){_TAKES}(?P<what>.+)",
            f"(?:.{{0,6}}?)我{_ALWAYS[:-1]}+(?:不|只|都)*{_TAKES}(?P<what>.+)",
            f"(?:.{{0,6}}?)我{_ALWAYS}[吃喝]不了(?P<what>(?![那这]).+)",
            f"(?P<what>.{{2,8}}?)我{_ALWAYS[:-1]}+(?:{_TAKES}|受|接受|欣赏)不(?:了|来|惯)",
        ),
    )
)
# What is set against it stands in a clause before: `比起海边 我更想去山里`.
_AGAINST = re.compile(
    f"(?:比起|相比|与其)(?P<one>.+?)(?:来说?)?(?:我|还是|也|都)*{_PREFERS}.+"
    f"|{own_words_zh.LEAD}(?:我|还是)*{_PREFERS}(?P<other>.+也不.+)"
)
# From this number on the patterns are of habits.
_HABITS = 2
_HAPPENED = re.compile("[了过着]|^一|完|什么|怎么|谁|多少|^(?:饭|药|水|早饭|晚饭|午饭)")


def is_told(text: str) -> bool:
    """Whether *text*, said by a person in everyday talk, tells a taste that is to last."""
    clauses = own_words_zh.clauses(text)
    against = _AGAINST.fullmatch("".join(clauses))
    if against is not None:
        return own_words_zh.names(against["one"] or against["other"])
    return any(map(_tells, clauses))


def _tells(clause: str) -> bool:
    if own_words_zh.is_passing(clause):
        return False
    return any(
        _is_lasting(found, i) for i, p in enumerate(_TASTES) if (found := p.fullmatch(clause))
    )


def _is_lasting(found: re.Match[str], i: int) -> bool:
    """Whether what is *found* by pattern number *i*, a liking or a habit, names a thing."""
    happened = _HAPPENED.search(found["what"]) if i >= _HABITS else None
    return happened is None and own_words_zh.names(found["what"])
