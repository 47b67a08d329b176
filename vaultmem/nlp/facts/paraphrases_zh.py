"""What Chinese sentences that say the same share: signs and commas in order, no particles."""

from __future__ import annotations

import re

_FEWEST = 4
_NUMERALS = "\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d"
_COUNTED = re.compile(f"[{_NUMERALS}\u5341]+(?=[\u5e74\u6708\u65e5\u53f7\u70b9\u5c81])")
_BUILDS = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        ("\u661f\u671f|\u793c\u62dc", "\u5468"),  # weekdays
        ("\u6bcf\u4e2a", "\u6bcf"),
        ("(?<=\\d)\u53f7", "\u65e5"),  # days of a month
        ("(?:\u7684)?\u540d\u5b57(?:\u662f|\u53eb)", "\u53eb"),  # the name of … is
        ("\u73b0\u5728|\u76ee\u524d", ""),  # now
        ("\u5728(?P<where>[^\uff0c]+?)\u5f53(?=[^\uff0c]{2,4}\\Z)", "\u662f\\g<where>"),  # work as
        ("\u5bf9(?=.+\u8fc7\u654f)", ""),  # allergic to
        # whose something is; elsewhere it tells whom one loves from a wife
        ("(?<=[\u6211\u4f60\u60a8\u4ed6\u5979\u4eec])\u7684(?!\uff0c)", ""),
    )
)  # fmt: skip


def plain(sentence: str) -> str:
    """Return *sentence* as others that say the same have it; "" where it is too short to tell."""
    sentence = figured(sentence.replace(" ", ""))
    for pattern, instead in _BUILDS:
        sentence = pattern.sub(instead, sentence)
    return sentence if len(sentence) >= _FEWEST else ""


def figured(text: str) -> str:
    """Return *text* with its dates and ages in digits."""
    return _COUNTED.sub(lambda m: _figure(m[0]), text)


def _figure(numeral: str) -> str:
    """Return a number below a hundred, or one read sign by sign, in digits."""
    tens, ten, ones = numeral.rpartition("\u5341")
    if not ten:
        return "".join(str(_NUMERALS.index(sign)) for sign in numeral)
    return str((_digits(tens) or 1) * 10 + _digits(ones))


def _digits(numeral: str) -> int:
    return int("".join(str(_NUMERALS.index(sign)) for sign in numeral) or 0)
