"""Messages for a chat API, as plain dictionaries, and the mark up to which a provider may cache.

OpenAI caches a prefix unasked; Anthropic caches up to a block that says `cache_control`, and takes
the system's content apart from the messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NotRequired, TypedDict

GOES_ON = "(The conversation continues.)"


class Block(TypedDict):
    """A piece of text in Anthropic's form."""

    type: Literal["text"]
    text: str
    cache_control: NotRequired[dict[str, str]]


class Message(TypedDict):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str | list[Block]


class Said(TypedDict):
    """What one of the two said, as text."""

    role: Literal["user", "assistant"]
    content: str


def messages(
    stable: str, changing: str, now: str, *, mark: bool, said: Sequence[Said] = ()
) -> list[Message]:
    """Return a system's message that begins with *stable*, marked if asked, and a user's.

    Between them stands what was *said*; *now* is part of the user's last message.
    """
    first: Block = {"type": "text", "text": stable, "cache_control": {"type": "ephemeral"}}
    rest: Block = {"type": "text", "text": changing}
    marked = [first, rest] if changing else [first]  # an empty block is refused
    past = marked if mark else stable + changing
    talk = _in_turns([*said, {"role": "user", "content": now.lstrip("\n")}])
    whole: list[Message] = [{"role": "system", "content": past}]
    return whole + [{"role": each["role"], "content": each["content"]} for each in talk]


def _in_turns(said: Iterable[Said]) -> list[Said]:
    """Return *said* as providers want it: the two take turns, and the user begins."""
    made: list[Said] = []
    for each in said:
        if made and made[-1]["role"] == each["role"]:
            both = f"{made[-1]['content']}\n\n{each['content']}"
            made[-1] = {"role": each["role"], "content": both}
        else:
            made.append(each)
    opening: Said = {"role": "user", "content": GOES_ON}
    return [opening, *made] if made and made[0]["role"] != "user" else made
