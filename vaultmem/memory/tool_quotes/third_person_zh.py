"""What persons say in Chinese, as another tells it: the user's name stands for `我`."""

from __future__ import annotations

import re

USERS = ("用户", "该用户", "用戶", "該用戶", "使用者")
AGAIN = ("她", "他")
"""How who was named is called further on in a sentence."""

_SELF = re.compile("[我俺](?![们們])")


def selves(text: str) -> int:
    """Return how often somebody names themselves in *text*, as who does something."""
    return len(_SELF.findall(text))


def told(text: str, name: str, again: str) -> str:
    """Return *text* as told of *name*, *again* further on."""
    return _SELF.sub(again, _SELF.sub(name, text, count=1))
