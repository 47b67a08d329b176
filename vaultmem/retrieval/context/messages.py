"""Messages for a chat API, as plain dictionaries, and the mark up to which a provider may cache.

OpenAI caches a prefix unasked; Anthropic caches up to a block that says `cache_control`, and takes
the system's content apart from the messages.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Block(TypedDict):
    """A piece of text in Anthropic's form."""

    type: Literal["text"]
    text: str
    cache_control: NotRequired[dict[str, str]]


class Message(TypedDict):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str | list[Block]


def messages(stable: str, changing: str, now: str, *, mark: bool) -> list[Message]:
    """Return a system's message that begins with *stable*, marked if asked, and a user's."""
    first: Block = {"type": "text", "text": stable, "cache_control": {"type": "ephemeral"}}
    rest: Block = {"type": "text", "text": changing}
    marked = [first, rest] if changing else [first]  # an empty block is refused
    past = marked if mark else stable + changing
    return [{"role": "system", "content": past}, {"role": "user", "content": now.lstrip("\n")}]
