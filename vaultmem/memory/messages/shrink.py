"""Make a provider's messages fit a context, losing no goal, no open tool call, nothing new.

Three steps, each only while it is needed: old tool results become a line (micro), old chatter is
dropped by rule, and at last one summary stands for all but the newest (auto). Pure: the caller
writes the transcript, from `turns`, before it lets go of anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise
from typing import Literal

from vaultmem.documents import public_text, tokens
from vaultmem.errors import BadInput, Unusable
from vaultmem.storage.transcripts import Turn

LIMIT = 50_000
"""Tokens beyond which a summary stands for all but the newest messages."""

Level = Literal["none", "micro", "auto"]

# The opening line by which a summary of ours is known when it comes back.
OPENING = "[Earlier in this conversation, summarized]"

# What stays out of micro: the last results, and those of fewer characters.
_LAST_RESULTS, _SHORT_RESULT = 3, 100
# Old tool output of more tokens is cut to half of that in its middle.
_LONG_OUTPUT = 2_000
# Shares of the limit: the newest messages, the summary, the goal, none below the least of tokens.
_NEWEST, _SUMMARY, _GOAL, _LEAST = 1 / 8, 1 / 8, 1 / 16, 64
# A summary may have this share of what it replaces, which must hold so many tokens to be worth it.
_COMPRESSION, _WORTH = 1 / 4, 200
# Tokens beside the text: of a message, of a block, of an image of 1.15 megapixels (width * height /
# 750, Anthropic's vision guide), of a document whose text is not in the message: about one page.
_MESSAGE, _BLOCK, _IMAGE, _DOCUMENT = 4, 3, 1_600, 3_000

_ROLES = ("user", "assistant", "system")
_STRINGS = {"text": ("text",), "tool_use": ("id", "name"), "tool_result": ("tool_use_id",)}
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_THOUGHTS = ("thinking", "redacted_thinking")
_PLAIN = ("text", "image", "document", "search_result")
# read_file, ReadFile, mcp__fs__read_text_file, NotebookRead, view, cat, open_page, get_file_text
_READS = re.compile(r"(?:^|_)(?:read|readfile|view|cat|open|get_files?)(?:_|$)")
_WORD_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|\W+")
_THANKS = (
    r"(?:ok(?:ay)?|thanks|thank you|many thanks|great|perfect|nice|cool|understood|got it|i see"
    r"|all ?right|sounds good|no problem|you(?:'|\u2019)re welcome|(?:very|so) much|a lot)"
)
_ACKNOWLEDGEMENT = re.compile(rf"{_THANKS}(?:[\s,.!]+{_THANKS})*[\s,.!]*", re.IGNORECASE)
_LONGEST_ACKNOWLEDGEMENT = 60


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
        return (_text(self.content),) if isinstance(self.content, str) else self.content

    @cached_property
    def cost(self) -> int:
        """Its estimated tokens."""
        if isinstance(self.content, str):
            return _MESSAGE + tokens.estimate(self.content)
        return _MESSAGE + sum(block.cost for block in self.content)

    def plain(self) -> dict[str, object]:
        """Return the message as JSON has it."""
        content = self.content if isinstance(self.content, str) else [b.raw for b in self.content]
        return {"role": self.role, "content": content, **self.rest}


@dataclass(frozen=True, slots=True)
class Shrunk:
    """Messages that fit as well as they can, what was done, and the tokens before and after.

    *replaced* counts the messages that came in and are changed or gone.
    """

    messages: tuple[Message, ...]
    level: Level
    tokens_before: int
    tokens_after: int
    replaced: int


def shrink(
    messages: Sequence[Message],
    *,
    limit: int = LIMIT,
    tokens: int | None = None,
    summarize: Callable[[Sequence[Turn]], str],
) -> Shrunk:
    """Return *messages* fit into *limit* tokens as well as the newest one allows.

    *tokens* is the provider's own count of them all; our estimate is scaled to it. *summarize* is
    called at most once, with all that its text will stand for; what it raises comes through.
    Raises Unusable when it says nothing.
    """
    given = tuple(messages)
    estimated = _costs(given)
    scale = tokens / estimated if tokens and estimated else 1.0
    made, level = _fitted(given, int(limit / scale), summarize)
    kept = {id(m) for m in made}
    replaced = sum(id(m) not in kept for m in given)
    return Shrunk(
        made,
        level if replaced else "none",
        round(estimated * scale),
        round(_costs(made) * scale),
        replaced,
    )


def _fitted(
    given: tuple[Message, ...], room: int, summarize: Callable[[Sequence[Turn]], str]
) -> tuple[tuple[Message, ...], Level]:
    light = _micro(given)
    if _costs(light) <= room or not light[1:]:
        return light, "micro"
    parts = _parts(light, room)
    original = given[parts.first : parts.newest]
    old = _by_rules(light[parts.first : parts.newest], original)
    ruled = (*light[: parts.first], *old, *light[parts.newest :])
    if _costs(ruled) <= room or parts.replaced < _WORTH:
        return ruled, "micro"
    text = summarize(parts.to_summarize(original)).strip()
    if not text:
        raise Unusable("the summary of the older messages is empty; they were left as they are")
    summary = _text(f"{OPENING}\n\n{_cut(text, parts.summary_room)}")
    return _summarized(parts.goal, summary, light[parts.newest :]), "auto"


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


def _text(text: str) -> Block:
    return Block({"type": "text", "text": text})


# --- telling ----------------------------------------------------------------------------------


def turns(messages: Sequence[Message]) -> tuple[Turn, ...]:
    """Return what was said, in order, a tool's result as a turn of its own under its name.

    Calls are told with their input; pictures are named, thoughts and empty results left out.
    """
    uses = _uses(messages)
    return tuple(turn for message in messages for turn in _turns(message, uses) if turn.content)


def _turns(message: Message, uses: Mapping[str, Block]) -> Iterable[Turn]:
    for answers, blocks in groupby(message.blocks, lambda b: b.type == "tool_result"):
        if answers:
            for block in blocks:
                yield Turn("tool", _text_of(block), tool=_tool(block, uses))
        else:
            yield Turn(message.role, _texts(blocks))


def _texts(blocks: Iterable[Block]) -> str:
    return "\n\n".join(filter(None, map(_text_of, blocks)))


def _text_of(block: Block) -> str:
    if block.type == "text":
        return block.string("text")
    if block.type == "tool_result":
        return block.content if isinstance(block.content, str) else _texts(block.content)
    if block.type in _CALLS:
        return f"[uses {block.string('name')}: {_json(block.raw.get('input'))}]"
    if block.type in _THOUGHTS:
        return ""
    if block.type == "image" or _is_file(block):
        return f"[{block.type}]"
    return _json(block.raw)


def _is_file(block: Block) -> bool:
    """Tell whether a document's text is not in the message."""
    source = block.raw.get("source")
    kind = source.get("type") if isinstance(source, dict) else None
    return block.type == "document" and kind not in {"text", "content"}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _uses(messages: Iterable[Message]) -> dict[str, Block]:
    return {b.string("id"): b for m in messages for b in m.blocks if b.type == "tool_use"}


def _tool(result: Block, uses: Mapping[str, Block]) -> str:
    use = uses.get(result.string("tool_use_id"))
    return use.string("name") if use else "a tool"


# --- counting ---------------------------------------------------------------------------------


def _costs(messages: Iterable[Message]) -> int:
    return sum(message.cost for message in messages)


def _cost(block: Block) -> int:
    if block.type == "image":
        return _IMAGE
    if _is_file(block):
        return _DOCUMENT
    if block.type == "tool_result" and not isinstance(block.content, str):
        return sum(part.cost for part in block.content)
    if block.type in _THOUGHTS:
        return tokens.estimate(block.string("thinking") or block.string("data"))
    return tokens.estimate(_text_of(block))


# --- micro ------------------------------------------------------------------------------------


def _micro(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Shorten the results of tools, but for the last ones and those the model has yet to see."""
    uses = _uses(messages)
    results = [at for at, m in enumerate(messages) for b in m.blocks if b.type == "tool_result"]
    left = len(results[:-_LAST_RESULTS])
    made: list[Message] = []
    for message in messages[:-1]:
        blocks: list[Block] = []
        for block in message.blocks:
            answers = block.type == "tool_result"
            blocks.append(_mentioned(block, uses) if answers and left > 0 else block)
            left -= answers
        made.append(_with(message, blocks))
    return (*made, *messages[-1:])


def _with(message: Message, blocks: Sequence[Block]) -> Message:
    """Return *message* itself where none of its blocks is another one."""
    if isinstance(message.content, str):
        return message
    same = all(new is old for new, old in zip(blocks, message.content, strict=True))
    return message if same else replace(message, content=tuple(blocks))


def _mentioned(result: Block, uses: Mapping[str, Block]) -> Block:
    """Return *result* as a mention of its tool, or as it is: short, read, or not understood."""
    use = uses.get(result.string("tool_use_id"))
    if (use and _reads(use)) or not _is_long(result):
        return result
    mention = f"[Previous: used {_tool(result, uses)}]"
    short = result.answering(mention if isinstance(result.content, str) else [_text(mention)])
    return short if short.cost < result.cost else result


def _reads(use: Block) -> bool:
    """Tell whether a call only reads: what was read is reference, and asked for again if lost.

    By its name's words (read, view, cat, open, get_file), or as Anthropic's editor and memory
    tools do it, by the command `view`.
    """
    given = use.raw.get("input")
    if isinstance(given, dict) and given.get("command") == "view":
        return True
    return bool(_READS.search(_WORD_BREAK.sub("_", use.string("name")).lower()))


def _is_long(result: Block) -> bool:
    if isinstance(result.content, str):
        return len(result.content) > _SHORT_RESULT
    if any(part.type not in _PLAIN for part in result.content):
        return False  # a tool_reference, say, keeps the tool that it names at hand
    return len(_text_of(result)) > _SHORT_RESULT or any(p.type != "text" for p in result.content)


# --- rules ------------------------------------------------------------------------------------


def _by_rules(old: Sequence[Message], original: Sequence[Message]) -> tuple[Message, ...]:
    """Drop failures told before and bare thanks, and cut long output, also what was read.

    *original* are the same messages before micro, which makes all errors of a tool look alike.
    """
    kept = _without(old, _repeated_failures(original))
    kept = _without(kept, _acknowledgements(kept))
    return tuple(_with(m, [_trimmed(b) for b in m.blocks]) for m in kept)


def _without(messages: Sequence[Message], gone: Collection[int]) -> list[Message]:
    """Leave out the messages at *gone*, and join those of one role that thereby meet."""
    kept: list[Message] = []
    for at, message in enumerate(messages):
        if at in gone:
            continue
        if at - 1 in gone and kept and kept[-1].role == message.role:
            kept[-1] = replace(kept[-1], content=(*kept[-1].blocks, *message.blocks))
        else:
            kept.append(message)
    return kept


def _repeated_failures(messages: Sequence[Message]) -> set[int]:
    """Return where calls and answers stand that only say again what failed before."""
    seen: set[tuple[str, str]] = set()
    gone: set[int] = set()
    for at, (calls, answers) in enumerate(pairwise(messages)):
        failures = _failures(calls, answers)
        if failures and failures <= seen:
            gone |= {at, at + 1}
        seen |= failures
    return gone


def _failures(calls: Message, answers: Message) -> set[tuple[str, str]]:
    """Return tool and error of each call, none when something else is said or any call worked."""
    uses = _uses([calls])
    answered = {b.string("tool_use_id") for b in answers.blocks if b.raw.get("is_error") is True}
    kinds = {b.type for b in (*calls.blocks, *answers.blocks)}
    if not uses or answered != set(uses) or not kinds <= {"tool_use", "tool_result", *_THOUGHTS}:
        return set()
    told = {(_tool(b, uses), _text_of(b)) for b in answers.blocks}
    # What micro shortened in an earlier round may have been another error.
    return set() if any(error == f"[Previous: used {tool}]" for tool, error in told) else told


def _acknowledgements(messages: Sequence[Message]) -> set[int]:
    """Return where nothing but thanks is said, and no question was asked that it might answer."""
    around = zip(messages, messages[1:], messages[2:], strict=False)
    return {
        at
        for at, (before, message, after) in enumerate(around, 1)
        if _is_acknowledgement(message)
        and "?" not in _texts(before.blocks)
        and "system" not in {before.role, message.role, after.role}
    }


def _is_acknowledgement(message: Message) -> bool:
    if [b.type for b in message.blocks] != ["text"]:
        return False
    text = message.blocks[0].string("text").strip()
    return len(text) <= _LONGEST_ACKNOWLEDGEMENT and bool(_ACKNOWLEDGEMENT.fullmatch(text))


def _trimmed(block: Block) -> Block:
    """Return a tool's result cut in its middle where it is long."""
    if block.type != "tool_result" or block.cost <= _LONG_OUTPUT:
        return block
    if isinstance(block.content, str):
        return block.answering(_cut(block.content, _LONG_OUTPUT // 2))
    parts = [_cut_part(part) for part in block.content]
    return block if parts == list(block.content) else block.answering(parts)


def _cut_part(part: Block) -> Block:
    if part.type != "text" or part.cost <= _LONG_OUTPUT:
        return part
    return Block({**part.raw, "text": _cut(part.string("text"), _LONG_OUTPUT // 2)})


def _cut(text: str, room: int) -> str:
    """Return *text* in *room* tokens, its middle cut out where it has more."""
    cut, cost = text, tokens.estimate(text)
    half = len(text) * room // max(1, cost) // 2
    while cost > room and half:
        half = half * 7 // 8
        end = len(text) - half
        cut = f"{text[:half]}\n[… {end - half} characters cut …]\n{text[end:]}"
        cost = tokens.estimate(cut)
    return cut


# --- auto -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Parts:
    """Where a conversation may be cut: an opening, the old from *first* on, the *newest*.

    The opening is the *goal*, shortened if *whole* is long, and the *prior* summary, if any.
    *replaced* is how many tokens of the opening and the old a summary would newly stand for.
    """

    whole: Message
    goal: Message
    prior: str
    first: int
    newest: int
    replaced: int
    share: int

    @property
    def summary_room(self) -> int:
        """The most tokens of a new summary; a prior one was a quarter of its own before."""
        earned = tokens.estimate(self.prior) + int(self.replaced * _COMPRESSION)
        return min(self.share, earned)

    def to_summarize(self, old: Sequence[Message]) -> tuple[Turn, ...]:
        """Return what a summary has to cover: the prior one, a goal that was cut, the *old*."""
        prior = (Turn("system", self.prior),) if self.prior else ()
        goal = () if self.goal is self.whole else turns([self.whole])
        return (*prior, *goal, *turns(old))


def _parts(messages: Sequence[Message], room: int) -> _Parts:
    whole, prior, first = _opening(messages)
    goal = _shortened(whole, _share(room, _GOAL))
    newest = _newest(messages, first, int(room * _NEWEST))
    saved = whole.cost - goal.cost
    replaced = saved + _costs(messages[first:newest])
    return _Parts(whole, goal, prior, first, newest, replaced, _share(room, _SUMMARY))


def _share(room: int, part: float) -> int:
    return max(_LEAST, int(room * part))


def _opening(messages: Sequence[Message]) -> tuple[Message, str, int]:
    """Return the goal, the text of our last summary, and where what follows them begins."""
    goal, second = messages[0], messages[1]
    ours = [b for b in goal.blocks[1:] if _is_summary(b)]
    if ours:
        own = (goal.blocks[0], *(b for b in goal.blocks[1:] if not _is_summary(b)))
        return replace(goal, content=own), "\n\n".join(map(_summary_of, ours)), 1
    if messages[2:] and [_is_summary(b) for b in second.blocks] == [True]:
        return goal, _summary_of(second.blocks[0]), 2
    return goal, "", 1


def _is_summary(block: Block) -> bool:
    return block.string("text").startswith(OPENING)


def _summary_of(block: Block) -> str:
    return block.string("text").removeprefix(OPENING).strip()


def _shortened(goal: Message, room: int) -> Message:
    if goal.cost <= room:
        return goal
    return replace(goal, content=_cut(_texts(goal.blocks), room - _MESSAGE))


def _newest(messages: Sequence[Message], first: int, room: int) -> int:
    """Return where the newest messages begin: the last one, and as many more as have *room*.

    A tool's result is never parted from the call that it answers.
    """
    calls, spent, begin = _calls(messages), 0, None
    asked = len(messages)
    for at in range(len(messages) - 1, first - 1, -1):
        spent += messages[at].cost
        asked = min(asked, calls[at])
        if begin is not None and spent > room:
            break
        if at <= asked:
            begin = at
    return first if begin is None else begin


def _calls(messages: Sequence[Message]) -> list[int]:
    """Return for each message where the first call stands that it answers, else its own place."""
    asked: dict[str, int] = {}
    found: list[int] = []
    for at, message in enumerate(messages):
        answered = [b.string("tool_use_id") for b in message.blocks if b.type == "tool_result"]
        found.append(min((asked.get(i, at) for i in answered), default=at))
        asked |= {b.string("id"): at for b in message.blocks if b.type == "tool_use"}
    return found


def _summarized(goal: Message, summary: Block, newest: Sequence[Message]) -> tuple[Message, ...]:
    """Put the summary between goal and *newest* so that the roles still take turns."""
    if newest[0].role == "user":
        return (goal, Message("assistant", (summary,)), *newest)
    return (replace(goal, content=(*goal.blocks, summary)), *newest)
