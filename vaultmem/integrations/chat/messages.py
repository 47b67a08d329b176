"""A session's turns as messages that any provider takes, whatever killed the session.

A transcript holds texts. An assistant's calls stand as the last lines of its turn, one each
(`memory/messages/call_lines.py`); their results follow as turns of the role tool. Read back, every
call has a result and every result a call: where a kill came between, the result says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from vaultmem.api.agent_memory.turn_fence import fenced_turn
from vaultmem.integrations.chat.types import ToolCall
from vaultmem.memory.folding import ENDED
from vaultmem.memory.messages import call_lines
from vaultmem.memory.messages.message import Block, Message
from vaultmem.retrieval.context.messages import GOES_ON
from vaultmem.storage.transcripts import Turn

UNFINISHED = "No result: the session was interrupted here. Do it again if it is still needed."
SHOWN = 12_000
"""Characters of a tool's result that a model is shown; the transcript has all of it."""

_CALL = re.compile(r"\[uses ([\w-]{1,64}): (\{.*\})\]")


class _Said(NamedTuple):
    """An assistant's turn: its words, and its calls."""

    text: str
    calls: tuple[tuple[str, Mapping[str, object]], ...]


_Numbered = tuple[int, Turn]


def recorded(text: str, calls: Iterable[ToolCall]) -> str:
    """Return what the transcript keeps of an assistant's turn."""
    lines = (call_lines.line(c.name, c.input or {}) for c in calls)
    return "\n".join(filter(None, (call_lines.escaped(text.strip()), *lines)))


def messages(turns: Sequence[Turn], first: int = 1, *, able: bool) -> tuple[Message, ...]:
    """Return *turns*, the first of them number *first*, as messages that begin with the user's.

    Results that nobody called for stand in their fences; so do all to who is not *able* to call,
    and those that were imported, whose words nobody escaped.
    """
    made: list[Message] = []
    told = [(n, t) for n, t in enumerate(turns, first) if t.content and t.origin != ENDED]
    for message in _messages(told, able=able):
        if made and made[-1].role == message.role:
            made[-1] = Message(message.role, (*made[-1].blocks, *message.blocks))
        else:
            made.append(message)
    if made and made[0].role != "user":
        made.insert(0, text_message("user", GOES_ON))
    return tuple(made)


def text_message(role: str, *texts: str) -> Message:
    """Return the message of *role* that says *texts*, a block each."""
    return Message(role, tuple(Block({"type": "text", "text": t}) for t in texts if t.strip()))


def answered(results: Iterable[tuple[str, str, bool]], note: str = "") -> Message:
    """Return the message with *results*: of each the call's id, the text, whether it failed."""
    blocks = [_result(*result) for result in results]
    return Message("user", (*blocks, *text_message("user", note).blocks))


def _result(call: str, text: str, error: bool) -> Block:  # noqa: FBT001  # a tuple's third
    failed = {"is_error": True} if error else {}
    return Block({"type": "tool_result", "tool_use_id": call, "content": text, **failed})


def shown(text: str, turn: int) -> str:
    """Return what the model is shown of a result whose whole text is turn *turn*."""
    if len(text) <= SHOWN:
        return text
    return f"{text[:SHOWN]}\n[… cut; `read` with turn={turn} and offset={SHOWN} has the rest]"


def _messages(turns: Sequence[_Numbered], *, able: bool) -> Iterator[Message]:
    at = 0
    while at < len(turns):
        (number, turn), at = turns[at], at + 1
        if turn.role != "assistant" or turn.origin or not able:
            yield _plain(turn, number)
            continue
        spoken = _read(turn.content)
        if not spoken.calls:
            yield text_message("assistant", spoken.text)
            continue
        results, beside = _results(turns[at:], spoken)
        at += len(results) + len(beside)
        yield from _called(number, spoken, results)
        yield from (_plain(turn, number) for number, turn in beside)


def _plain(turn: Turn, number: int) -> Message:
    if turn.role == "assistant":
        return text_message("assistant", turn.content)
    if turn.role in {"tool", "system"}:
        text = shown(turn.content, number) if turn.role == "tool" else turn.content
        return text_message("user", fenced_turn(turn, number, text).text.rstrip())
    return text_message("user", f"{turn.speaker}: {turn.content}" if turn.speaker else turn.content)


def _results(
    turns: Sequence[_Numbered], spoken: _Said
) -> tuple[Sequence[str], Sequence[_Numbered]]:
    """Return what the turns at the head of *turns* answer to the calls, in their order.

    And what the program noted in between, as when a task begins or ends.
    """
    results, beside = list[str](), list[_Numbered]()
    for number, turn in turns:
        wanted = [name for name, _ in spoken.calls[len(results) :][:1]]
        if turn.role == "tool" and [turn.tool] == wanted:
            results.append(shown(turn.content, number))
        elif turn.role == "system" and wanted:
            beside.append((number, turn))
        else:
            break
    return results, beside


def _called(number: int, spoken: _Said, results: Sequence[str]) -> Iterator[Message]:
    """Yield the calls of turn *number* and their results."""
    ids = [f"turn_{number}_{n}" for n, _ in enumerate(spoken.calls)]
    uses = [
        Block({"type": "tool_use", "id": id_, "name": name, "input": given})
        for id_, (name, given) in zip(ids, spoken.calls, strict=True)
    ]
    yield Message("assistant", (*text_message("assistant", spoken.text).blocks, *uses))
    missing = len(spoken.calls) - len(results)
    told = [(text, False) for text in results] + [(UNFINISHED, True)] * missing
    yield answered((id_, *it) for id_, it in zip(ids, told, strict=True))


def _read(text: str) -> _Said:
    """Take the calls from the end of an assistant's turn."""
    lines, calls = text.split("\n"), list[tuple[str, Mapping[str, object]]]()
    while lines and (call := _call(lines[-1])):
        calls.insert(0, call)
        lines.pop()
    said = "\n".join(lines).strip() if calls else text
    return _Said(call_lines.unescaped(said), tuple(calls))


def _call(line: str) -> tuple[str, Mapping[str, object]] | None:
    found = _CALL.fullmatch(line)
    if found is None:
        return None
    try:
        given = json.loads(found[2])
    except (ValueError, RecursionError):
        return None
    return (found[1], given) if isinstance(given, dict) else None


def rounds_since(messages: Sequence[Message], tool: str) -> int:
    """Return how many times the assistant has spoken since it last used *tool*."""
    spoken = [m for m in messages if m.role == "assistant"]
    for back, message in enumerate(reversed(spoken)):
        if any(b.type == "tool_use" and b.string("name") == tool for b in message.blocks):
            return back
    return len(spoken)
