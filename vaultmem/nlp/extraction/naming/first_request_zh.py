"""What a user came to an agent for, in Chinese: what a measure word counts, or what is at fault."""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

import re
from collections.abc import Sequence

_MARK = "，。！？、；：,.!?;:\\s"
# As in `一个适合老人的三天行程`: what describes stands before 的.
_COUNTED = re.compile(
    f"[一两三几这][个封份篇套张项款条段首本台门](?:[^{_MARK}的]{{1,14}}的)*(?P<thing>[^{_MARK}的]{{2,8}}?)"
    f"(?=[{_MARK}]|翻译|改成|写成|做成|$)"
)
# As in `线上的订单接口从昨晚开始超时`.
_AT_FAULT = re.compile(
    f"^(?:[^{_MARK}的]{{1,6}}的|这[个款台篇])?(?P<thing>[^{_MARK}的我你他她]{{2,8}}?)"
    "(?:在|从|自|昨|今天|一直|突然|总是|老是|报错|出现|启动不|打不开|无法|没法|不能)"
)
_NOTHING = re.compile("问题|事情?|忙|东西|时候|朋友|人|文件|项目|代码|建议|办法")
_OPENING = 2


def subject(sentences: Sequence[str]) -> str:
    """Return the thing that the opening of *sentences* names, "" for none."""
    for sentence in sentences[:_OPENING]:
        for found in (_COUNTED.search(sentence), _AT_FAULT.match(sentence)):
            if found and _NOTHING.fullmatch(found["thing"]) is None:
                return found["thing"]
    return ""
