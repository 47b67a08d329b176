"""What persons say in Chinese, as another tells it: the user's name stands for `我`."""

from __future__ import annotations

import re
from collections.abc import Collection

USERS = ("用户", "该用户", "用戶", "該用戶", "使用者")
AGAIN = ("她", "他")
"""How who was named is called further on in a sentence."""

_SELF = re.compile("[我俺](?![们們])")


def selves(text: str) -> int:
    """Return how often somebody names themselves in *text*, as who does something."""
    return len(_SELF.findall(text))


def told(_: Collection[str], name: str, again: str, text: str) -> str:
    """Return *text* as told of *name*, *again* further on: no word has another form for that."""
    return _SELF.sub(again, _SELF.sub(name, text, count=1))
