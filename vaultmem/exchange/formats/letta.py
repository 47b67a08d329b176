"""Letta's agent file (`.af`): the messages of each agent, and the blocks of its core memory.

A block is told as a message without a time, under its label. What an older agent says stands in
its calls of `send_message`, and what a person says to one in a JSON of its own; both are unpacked.
Prompts, heartbeats, thinking and calls of other tools stay behind.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vaultmem.errors import BadInput
from vaultmem.exchange.formats import discovery, json_stream
from vaultmem.exchange.formats.types import Format, ImportedMessage, Item, MessageReader

_SAYS = "send_message"
_RESULT = 4000
_Raw = Mapping[str, object]


def files(path: Path) -> Iterator[Path]:
    """Return the agent files that *path* is or holds, in the order of their names."""
    return discovery.named(path, lambda name: name.endswith(".af"), "*.af")


def read(path: Path) -> Iterator[Item]:
    """Yield what the agents of the file *path* know and said; raises OSError, BadInput."""
    try:
        with path.open("rb") as stream:
            found = next(json_stream.objects(stream), None)
    except BadInput as e:
        raise BadInput(f"{path.name} {e}; save it again") from e
    if not isinstance(found, dict) or not isinstance(found.get("agents"), list):
        raise BadInput(f"{path.name} is no agent file of Letta: it has no list of agents")
    blocks = {_text(it, "id"): it for it in _objects(found.get("blocks"))}
    for number, agent in enumerate(_objects(found["agents"]), 1):
        yield from _Agent(path.name, number, agent, blocks).items()


@dataclass(frozen=True, slots=True)
class _Agent:
    """The agent *number* of the file *name*, as it has it in *raw*."""

    name: str
    number: int
    raw: _Raw
    blocks: Mapping[str, _Raw]

    @property
    def key(self) -> str:
        return _text(self.raw, "id")

    @property
    def called(self) -> str:
        return _text(self.raw, "name") or self.key

    def items(self) -> Iterator[Item]:
        """Yield its blocks, then its messages in their order."""
        inner = 0
        for inner, block in enumerate(self._blocks(), 1):  # counts on below
            yield self._block(inner, block)
        tools: dict[str, str] = {}
        for at, message in enumerate(_objects(self.raw.get("messages")), inner + 1):
            tools |= {_text(c, "id"): name for name, c in _calls(message)}
            yield self._message(at, message, tools)

    def _blocks(self) -> list[_Raw]:
        ids = self.raw.get("block_ids")
        named = ids if isinstance(ids, list) else []
        return [self.blocks[each] for each in named if each in self.blocks]

    def _block(self, inner: int, block: _Raw) -> Item:
        label, value = _text(block, "label"), _text(block, "value").strip()
        if not value:
            return Item(self.name, self.number, skipped="an empty block", inner=inner)
        said = ImportedMessage(value, _text(block, "id"), self.key, self.called, label, "assistant")
        return Item(self.name, self.number, said, inner=inner)

    def _message(self, inner: int, message: _Raw, tools: Mapping[str, str]) -> Item:
        role = _text(message, "role")
        text, why = _said(message, role)
        if not text:
            return Item(self.name, self.number, skipped=why, inner=inner)
        tool = tools.get(_text(message, "tool_call_id"), "tool") if role == "tool" else ""
        if tool == _SAYS:
            why = "what came of a call that only says something"
            return Item(self.name, self.number, skipped=why, inner=inner)
        speaker = tool or _text(message, "name") or role
        said = ImportedMessage(
            text, _text(message, "id"), self.key, self.called, speaker, role,
            _text(message, "created_at"), tool, source="tool" if tool else "import",
        )  # fmt: skip
        return Item(self.name, self.number, said, inner=inner)


def _said(message: _Raw, role: str) -> tuple[str, str]:
    """Return what *message* says, or "" and why it says nothing."""
    if role not in {"user", "assistant", "tool"}:
        return "", f"a message of the {role or 'unknown'} role"
    text = _content(message.get("content"))
    if role == "user":
        return _unpacked(text)
    if role == "tool":
        cut = f"{text[:_RESULT].rstrip()} … [{len(text)} characters in all]"
        return (text if len(text) <= _RESULT else cut), "a result without a word"
    calls = [
        _text(_object(c.get("function")), "arguments") for n, c in _calls(message) if n == _SAYS
    ]
    spoken = [words for call in calls if (words := _field(call, "message"))]
    return ("\n\n".join(spoken), "") if spoken else (text, "thinking, or a call of a tool")


def _unpacked(text: str) -> tuple[str, str]:
    """Return what a person says, out of the JSON that older agents wrap it in."""
    kind = _field(text, "type")
    if not kind:
        return text, "a message without a word"
    words = _field(text, "message") if kind == "user_message" else ""
    return words, f"an event of the program's own: {kind[:40]}"


def _content(content: object) -> str:
    """Return the text of a message, without its thinking and pictures."""
    if isinstance(content, str):
        return content.strip()
    parts = (_text(p, "text") for p in _objects(content) if _text(p, "type") == "text")
    return "\n\n".join(filter(None, map(str.strip, parts)))


def _calls(message: _Raw) -> Iterator[tuple[str, _Raw]]:
    """Yield the calls of tools in *message*, each with the tool's name."""
    for call in _objects(message.get("tool_calls")):
        yield _text(_object(call.get("function")), "name"), call


def _field(text: str, key: str) -> str:
    """Return a text of the JSON object that *text* is, "" where it is none."""
    with contextlib.suppress(ValueError, RecursionError):
        return _text(_object(json.loads(text)), key) if text.startswith("{") else ""
    return ""


def _objects(found: object) -> Sequence[_Raw]:
    return [it for it in found if isinstance(it, dict)] if isinstance(found, list) else []


def _object(found: object) -> _Raw:
    return found if isinstance(found, dict) else {}


def _text(found: _Raw, key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""


FORMAT = Format(
    "letta",
    becomes=("turns", "memories"),
    help="an agent file",
    messages=MessageReader(files, lambda path, _: read(path), wanted="an agent file, *.af"),
)
