"""The messages of a provider: read from JSON, told as turns, and what they cost in tokens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from vaultmem.documents import public_text, tokens
from vaultmem.errors import BadInput
from vaultmem.memory.messages import call_lines
from vaultmem.storage.transcripts import A_TOOL, Turn

# Tokens beside the text: of a message, of a block, of an image of 1.15 megapixels (width * height /
# 750, Anthropic's vision guide), of a document whose text is not in the message: about one page.
MESSAGE_COST, _BLOCK, _IMAGE, _DOCUMENT = 4, 3, 1_600, 3_000

_ROLES = ("user", "assistant", "system")
_STRINGS = {"text": ("text",), "tool_use": ("id", "name"), "tool_result": ("tool_use_id",)}
_NAMES = frozenset(("type", "id", "tool_use_id", "encrypted_content"))
"""Keys under which a single word is a name, and says nothing."""

THOUGHTS = ("thinking", "redacted_thinking")


@dataclass(frozen=True)  # without slots: its tokens are counted once
class Block:
    """A content block as the provider has it: *raw* is the user's, every key of it is kept."""

    raw: Mapping[str, object]

    @property
    def type(self) -> str:
        """What the provider calls it: `text`, `tool_use`, `tool_result` and so on."""
        return self.string("type")

    @property
    def content(self) -> str | tuple[Block, ...]:
        """What a tool answered, as a text or in blocks."""
        content = self.raw.get("content")
        if isinstance(content, list):
            return tuple(Block(part) for part in content)
        return content if isinstance(content, str) else ""

    @cached_property
    def cost(self) -> int:
        """Its estimated tokens."""
        return _BLOCK + _cost(self)

    def string(self, key: str) -> str:
        """Return the string at *key*, "" when there is none."""
        value = self.raw.get(key)
        return value if isinstance(value, str) else ""

    def answering(self, content: str | Iterable[Block]) -> Block:
        """Return this tool result with another *content*."""
        new = content if isinstance(content, str) else [part.raw for part in content]
        return Block({**self.raw, "content": new})


@dataclass(frozen=True)  # without slots: its tokens are counted once
class Message:
    """One message to or from a model; *rest* holds the keys that we do not know."""

    role: str
    content: str | tuple[Block, ...]
    rest: Mapping[str, object] = field(default_factory=dict)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The content in blocks, where it is a text too."""
        return (text_block(self.content),) if isinstance(self.content, str) else self.content

    @cached_property
    def cost(self) -> int:
        """Its estimated tokens."""
        if isinstance(self.content, str):
            return MESSAGE_COST + tokens.estimate(self.content)
        return MESSAGE_COST + sum(block.cost for block in self.content)

    def plain(self) -> dict[str, object]:
        """Return the message as JSON has it."""
        content = self.content if isinstance(self.content, str) else [b.raw for b in self.content]
        return {"role": self.role, "content": content, **self.rest}


# --- reading ----------------------------------------------------------------------------------


def messages(text: str) -> list[Message]:
    """Return the messages of a JSON array, or of the `messages` of an object.

    Raises BadInput, with the place, for what no provider would take for messages.
    """
    try:
        raw = json.loads(text)
        # Half a character or NaN: no provider takes it, and no transcript could hold it.
        json.dumps(raw, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as e:
        raise BadInput(f"the messages are not JSON that a provider accepts: {e}") from e
    if isinstance(raw, dict):
        raw = raw.get("messages")
    if not isinstance(raw, list):
        raise BadInput('no messages: give a JSON array of them, or {"messages": [...]}')
    read = [_message(item, f"message {n}") for n, item in enumerate(raw, 1)]
    if read and read[0].role != "user":
        raise BadInput(f"message 1: its role is {read[0].role}, a conversation opens with the user")
    return read


def _message(raw: object, where: str) -> Message:
    if not isinstance(raw, dict):
        raise BadInput(f"{where}: it is not an object with a role and content")
    role, content = raw.get("role"), raw.get("content")
    if role not in _ROLES:
        raise BadInput(f"{where}: its role is {_named(role)}, give one of {', '.join(_ROLES)}")
    rest = {k: v for k, v in raw.items() if k not in {"role", "content"}}
    if isinstance(content, str):
        return Message(role, content, rest)
    return Message(role, _blocks(content, where, "block"), rest)


def _named(role: object) -> str:
    """Return what a message calls its role, which may be any of its words."""
    return repr(public_text.shown(role)) if isinstance(role, str) else "no text"


def _blocks(raw: object, where: str, kind: str) -> tuple[Block, ...]:
    if not isinstance(raw, list):
        raise BadInput(f"{where}: its content is neither a text nor a list of blocks")
    return tuple(_block(item, f"{where}, {kind} {n}") for n, item in enumerate(raw, 1))


def _block(raw: object, where: str) -> Block:
    if not isinstance(raw, dict) or not isinstance(raw.get("type"), str):
        raise BadInput(f"{where}: it is not an object with a type")
    for key in _STRINGS.get(raw["type"], ()):
        if not isinstance(raw.get(key), str):
            raise BadInput(f"{where}: a {raw['type']} needs a {key} that is a string")
    if raw["type"] == "tool_result" and not isinstance(raw.get("content", ""), str):
        _blocks(raw["content"], where, "part")
    return Block(raw)


def text_block(text: str) -> Block:
    """Return *text* as a block."""
    return Block({"type": "text", "text": text})


# --- telling ----------------------------------------------------------------------------------


def turns(messages: Sequence[Message]) -> tuple[Turn, ...]:
    """Return what was said, in order, a tool's result as a turn of its own under its name.

    Who speaks says texts, and calls tools; whatever else stands in a message, a result of any type,
    a document, a passage that a text cites, is a tool's. Calls are told with their input; pictures
    are named, thoughts and empty results left out.
    """
    uses = tool_uses(messages)
    return tuple(turn for message in messages for turn in _turns(message, uses) if turn.content)


def _turns(message: Message, uses: Mapping[str, Block]) -> Iterable[Turn]:
    for owned, blocks in groupby(message.blocks, is_own):
        if not owned:
            for block in blocks:
                yield Turn("tool", _answer(block), tool=tool_of(block, uses))
            continue
        own = [*blocks]
        if cited := "\n\n".join(text for block in own for text in _cited(block)):
            yield Turn("tool", cited, tool=A_TOOL)
        yield Turn(message.role, "\n\n".join(filter(None, map(_kept, own))))


def is_own(block: Block) -> bool:
    """Tell whether *block* has words of whoever speaks, or stands for what has none."""
    is_told = block.type in {"text", "image", *THOUGHTS} or _is_call(block)
    return is_told or _is_file(block)


def _is_call(block: Block) -> bool:
    """Tell whether *block* calls a tool, the caller's or the provider's."""
    is_one = "input" in block.raw and "content" not in block.raw
    return block.type == "tool_use" or (is_one and bool(block.string("name")))


def _answer(block: Block) -> str:
    """Return what a tool's *block* says; of a type that is not known, every text in it."""
    return text_of(block) if block.type == "tool_result" else "\n".join(_strings(block.raw))


def _cited(block: Block) -> Iterator[str]:
    """Yield the passages that a text names as what it is taken from."""
    citations = block.raw.get("citations")
    for citation in citations if isinstance(citations, list) else ():
        yield from _strings(citation)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (text for part in value for text in _strings(part))
    elif isinstance(value, Mapping):
        said = (part for key, part in value.items() if key not in _NAMES or not _is_word(part))
        yield from (text for part in said for text in _strings(part))


def _is_word(value: object) -> bool:
    return isinstance(value, str) and len(value.split()) == 1


def _kept(block: Block) -> str:
    """Return what a transcript keeps of *block*: words that look like a call are none."""
    text = text_of(block)
    return call_lines.escaped(text) if block.type == "text" else text


def texts(blocks: Iterable[Block]) -> str:
    """Return what *blocks* say, in paragraphs."""
    return "\n\n".join(filter(None, map(text_of, blocks)))


def text_of(block: Block) -> str:
    """Return what *block* says: a call with its input, a picture by its kind, "" for a thought."""
    if block.type == "text":
        return block.string("text")
    if block.type == "tool_result":
        return block.content if isinstance(block.content, str) else texts(block.content)
    if _is_call(block):
        return call_lines.line(block.string("name"), block.raw.get("input"))
    if block.type in THOUGHTS:
        return ""
    if block.type == "image" or _is_file(block):
        return f"[{block.type}]"
    return json.dumps(block.raw, ensure_ascii=False)


def _is_file(block: Block) -> bool:
    """Tell whether a document's text is not in the message."""
    source = block.raw.get("source")
    kind = source.get("type") if isinstance(source, dict) else None
    return block.type == "document" and kind not in {"text", "content"}


def tool_uses(messages: Iterable[Message]) -> dict[str, Block]:
    """Return the calls of tools by their ids."""
    return {b.string("id"): b for m in messages for b in m.blocks if _is_call(b)}


def tool_of(result: Block, uses: Mapping[str, Block]) -> str:
    """Return the name of the tool that gave *result*, or what was attached."""
    call = result.string("tool_use_id")
    use = uses.get(call)
    return use.string("name") if use else A_TOOL if call else result.type


# --- counting ---------------------------------------------------------------------------------


def costs(messages: Iterable[Message]) -> int:
    """Return the estimated tokens of *messages*."""
    return sum(message.cost for message in messages)


def _cost(block: Block) -> int:
    if block.type == "image":
        return _IMAGE
    if _is_file(block):
        return _DOCUMENT
    if block.type == "tool_result" and not isinstance(block.content, str):
        return sum(part.cost for part in block.content)
    if block.type in THOUGHTS:
        return tokens.estimate(block.string("thinking") or block.string("data"))
    return tokens.estimate(text_of(block))
