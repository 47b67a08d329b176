"""Make a provider's messages fit a context, losing no goal, no open tool call, nothing new.

Three steps, each only while it is needed: old tool results become a line (micro), old chatter is
dropped by rule, and at last one summary stands for all but the newest (auto). Pure: the caller
writes the transcript, from `message.turns`, before it lets go of anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from vaultmem.documents import tokens
from vaultmem.errors import Unusable
from vaultmem.memory.messages.message import (
    MESSAGE_COST,
    THOUGHTS,
    Block,
    Message,
    costs,
    is_own,
    text_block,
    text_of,
    texts,
    tool_of,
    tool_uses,
    turns,
)
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
# Shares of the limit: the newest messages, the goal, none below the least of tokens.
_NEWEST, _GOAL, _LEAST = 1 / 8, 1 / 16, 64
# What a summary replaces must hold so many tokens to be worth it.
_WORTH = 200

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


@dataclass(frozen=True, slots=True)
class Shrunk:
    """Messages that fit as well as they can, what was done, and the tokens before and after.

    *replaced* counts the messages that came in and are changed or gone. *compression* is what share
    of the tokens it stands for the summary has, None without one.
    """

    messages: tuple[Message, ...]
    level: Level
    tokens_before: int
    tokens_after: int
    replaced: int
    compression: float | None = None


@dataclass(frozen=True, slots=True)
class Older:
    """What a summary is asked for: *turns*, in at most *room* tokens.

    *left* is what share of all tokens the rules have left.
    """

    turns: tuple[Turn, ...]
    room: int
    left: float


Summarize = Callable[[Older], str]


def shrink(
    messages: Sequence[Message],
    *,
    limit: int = LIMIT,
    tokens: int | None = None,
    compression: float = 0.25,
    summarize: Summarize,
) -> Shrunk:
    """Return *messages* fit into *limit* tokens as well as the newest one allows.

    *tokens* is the provider's own count of them all; our estimate is scaled to it. *summarize* is
    called at most once, with all that its text will stand for, and may use the share *compression*
    of its tokens; what it raises comes through. Raises Unusable when it says nothing.
    """
    given = tuple(messages)
    estimated = costs(given)
    scale = tokens / estimated if tokens and estimated else 1.0
    made, level, measured = _fitted(given, int(limit / scale), compression, summarize)
    kept = {id(m) for m in made}
    replaced = sum(id(m) not in kept for m in given)
    return Shrunk(
        made,
        level if replaced else "none",
        round(estimated * scale),
        round(costs(made) * scale),
        replaced,
        measured,
    )


def _fitted(
    given: tuple[Message, ...], room: int, compression: float, summarize: Summarize
) -> tuple[tuple[Message, ...], Level, float | None]:
    light = _micro(given)
    if costs(light) <= room or not light[1:]:
        return light, "micro", None
    parts = _parts(light, room)
    original = given[parts.first : parts.newest]
    old = _by_rules(light[parts.first : parts.newest], original)
    ruled = (*light[: parts.first], *old, *light[parts.newest :])
    if costs(ruled) <= room or parts.replaced < _WORTH:
        return ruled, "micro", None
    most = parts.summary_room(compression)
    older = Older(parts.to_summarize(original), most, costs(ruled) / costs(given))
    text = _cut(summarize(older).strip(), most)
    if not text:
        raise Unusable("the summary of the older messages is empty; they were left as they are")
    summary = text_block(f"{OPENING}\n\n{text}")
    stands_for = tokens.estimate(parts.prior) + parts.replaced
    measured = round(tokens.estimate(text) / stands_for, 3)
    return _summarized(parts.goal, summary, light[parts.newest :]), "auto", measured


# --- micro ------------------------------------------------------------------------------------


def _micro(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Shorten the results of tools, but for the last ones and those the model has yet to see."""
    uses = tool_uses(messages)
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
    mention = f"[Previous: used {tool_of(result, uses)}]"
    short = result.answering(mention if isinstance(result.content, str) else [text_block(mention)])
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
    return len(text_of(result)) > _SHORT_RESULT or any(p.type != "text" for p in result.content)


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
    uses = tool_uses([calls])
    answered = {b.string("tool_use_id") for b in answers.blocks if b.raw.get("is_error") is True}
    kinds = {b.type for b in (*calls.blocks, *answers.blocks)}
    if not uses or answered != set(uses) or not kinds <= {"tool_use", "tool_result", *THOUGHTS}:
        return set()
    failed = {(tool_of(b, uses), text_of(b)) for b in answers.blocks}
    # What micro shortened in an earlier round may have been another error.
    return set() if any(error == f"[Previous: used {tool}]" for tool, error in failed) else failed


def _acknowledgements(messages: Sequence[Message]) -> set[int]:
    """Return where nothing but thanks is said, and no question was asked that it might answer."""
    around = zip(messages, messages[1:], messages[2:], strict=False)
    return {
        at
        for at, (before, message, after) in enumerate(around, 1)
        if _is_acknowledgement(message)
        and "?" not in texts(before.blocks)
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
    room: int

    def summary_room(self, compression: float) -> int:
        """Return the most tokens of a new summary: that share of what it stands for, and of all.

        A prior one was such a share of its own.
        """
        earned = tokens.estimate(self.prior) + int(self.replaced * compression)
        return min(_share(self.room, compression), earned)

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
    replaced = saved + costs(messages[first:newest])
    return _Parts(whole, goal, prior, first, newest, replaced, room)


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
    """Return the *goal* in *room* tokens, in its own words: what came with it is named."""
    if goal.cost <= room:
        return goal
    told = [b if is_own(b) else text_block(f"[{b.type}]") for b in goal.blocks]
    return replace(goal, content=_cut(texts(told), room - MESSAGE_COST))


def _newest(messages: Sequence[Message], first: int, room: int) -> int:
    """Return where the newest messages begin: the last one, and as many more as have *room*.

    A tool's result is never parted from the call that it answers.
    """
    calls, spent, begin = _calls(messages), 0, None
    called = len(messages)
    for at in range(len(messages) - 1, first - 1, -1):
        spent += messages[at].cost
        called = min(called, calls[at])
        if begin is not None and spent > room:
            break
        if at <= called:
            begin = at
    return first if begin is None else begin


def _calls(messages: Sequence[Message]) -> list[int]:
    """Return for each message where the first call stands that it answers, else its own place."""
    called: dict[str, int] = {}
    found: list[int] = []
    for at, message in enumerate(messages):
        answered = [b.string("tool_use_id") for b in message.blocks if b.type == "tool_result"]
        found.append(min((called.get(i, at) for i in answered), default=at))
        called |= {b.string("id"): at for b in message.blocks if b.type == "tool_use"}
    return found


def _summarized(goal: Message, summary: Block, newest: Sequence[Message]) -> tuple[Message, ...]:
    """Put the summary between goal and *newest* so that the roles still take turns."""
    if newest[0].role == "user":
        return (goal, Message("assistant", (summary,)), *newest)
    return (replace(goal, content=(*goal.blocks, summary)), *newest)
