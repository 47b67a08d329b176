"""Letta's agent file (`.af`): the messages of each agent, and the blocks of its core memory.

A block is told under its label, of the time that it was changed at, or of the newest message: it is
what the agent knew then, and had before it at all times, so a memory of its own. What an older
agent says stands in its calls of `send_message`, and what a person says to one in a JSON of its
own; both are unpacked. Prompts, heartbeats, thinking and calls of other tools stay behind. What of
a file nobody said is compared with what the agent says, but for the prompt, in which its own blocks
stand. An older file is one agent, whose blocks and messages have no ids.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from vaultmem.documents import speakers
from vaultmem.errors import BadInput
from vaultmem.exchange.formats import discovery, json_stream, shown_texts, tool_results
from vaultmem.exchange.formats.json_fields import Raw, date, object_of, objects_of, text_of, without
from vaultmem.exchange.formats.types import Format, ImportedMessage, Item, MessageReader, Shown

_SAYS = "send_message"
_RESULT = 4000
_PROGRAM = "Letta"
"""Who is told to have shown what stands in a file where no tool is."""

_SYSTEM = "system"
_OWN = {"text": "text", "reasoning": "reasoning", "tool_call": "input"}
"""The field that its sender wrote of a part of a message of the talk, by the type of that."""

_OF_ALL = frozenset(("agents", "blocks"))
_OF_AN_AGENT = frozenset(("messages", "core_memory", _SYSTEM, "name", "description"))
"""What is told, or was written by whoever made the agent: all else may be a file that it opened."""


def files(path: Path) -> Iterator[Path]:
    """Return the agent files that *path* is or holds, in the order of their names."""
    return discovery.named(path, lambda name: name.endswith(".af"), "*.af")


def read(path: Path) -> Iterator[Item]:
    """Yield what the agents of the file *path* know and said; raises OSError, BadInput."""
    found = object_of(next(json_stream.of_file(path), None))
    if isinstance(found.get("agents"), list):
        blocks = {text_of(it, "id"): it for it in objects_of(found.get("blocks"))}
        beside = shown_texts.of(without(found, _OF_ALL))
        for number, agent in enumerate(_each(found["agents"]), 1):
            yield from _Agent(path.name, number, agent, blocks, beside).items()
    elif "agent_type" in found and isinstance(found.get("messages"), list):
        yield from _Agent(path.name, 1, found, {}).items()
    else:
        raise BadInput(
            f"{path.name} is no agent file of Letta: it has no list of `agents`, nor, as older "
            "ones, an `agent_type` with its `core_memory` and its `messages`"
        )


@dataclass(frozen=True, slots=True)
class _Agent:
    """The agent *number* of the file *name*, as it has it in *raw*, what stands *beside* it."""

    name: str
    number: int
    raw: Raw
    blocks: Mapping[str, Raw]
    beside: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        # An older file has no ids: its agent is who has this name since then.
        own = (text_of(self.raw, "name"), text_of(self.raw, "created_at"))
        return text_of(self.raw, "id") or " ".join(filter(None, own)) or "letta"

    @property
    def called(self) -> str:
        return text_of(self.raw, "name") or self.key

    def items(self) -> Iterator[Item]:
        """Yield its messages in their order, then its blocks, which rest on what was said.

        Before all of them it was shown what it has opened.
        """
        opened = (*self.beside, *shown_texts.of(without(self.raw, _OF_AN_AGENT)))
        for item in self._items():
            texts = (*opened, *(item.shown.texts if item.shown else ()))
            by, at = (item.shown.by, item.shown.at) if item.shown else (_PROGRAM, "")
            yield replace(item, shown=Shown.of(by, texts, at))
            opened = ()

    def _items(self) -> Iterator[Item]:
        said = _each(self.raw.get("messages"))
        last = max((date(message.get("created_at")) for message in said), default="")
        tools: dict[str, str] = {}
        for at, message in enumerate(said, 1):
            tools |= {text_of(c, "id"): name for name, c in _calls(message)}
            yield self._message(at, message, tools)
        for inner, block in enumerate(self._blocks(), 1):
            yield self._block(inner, block, text_of(block, "updated_at") or last)

    def _blocks(self) -> list[Raw]:
        if own := _each(self.raw.get("core_memory")):
            return own
        ids = self.raw.get("block_ids")
        named = filter(_is_text, ids) if isinstance(ids, list) else ()
        return [self.blocks[each] for each in named if each in self.blocks]

    def _block(self, inner: int, block: Raw, at: str) -> Item:
        label, value = text_of(block, "label"), text_of(block, "value").strip()
        piece = f"agent {self.number}, block {inner}"
        if not value:
            return Item(self.name, self.number, skipped="an empty block", piece=piece)
        said = ImportedMessage(
            value,
            text_of(block, "id") or f"block-{label}",
            self.key,
            self.called,
            label,
            "assistant",
            at,
            lasting=True,
        )
        return Item(self.name, self.number, said, piece=piece)

    def _message(self, inner: int, message: Raw, tools: Mapping[str, str]) -> Item:
        role = text_of(message, "role")
        is_prompt = inner == 1 and role == _SYSTEM
        if not is_prompt and speakers.of_line(message) == "tool":
            role = "tool"
        named = tools.get(text_of(message, "tool_call_id")) or text_of(message, "name")
        tool = (named or "tool") if role == "tool" else ""
        whole = _content(message.get("content"))
        text, why = _said(message, role, whole)
        if tool == _SAYS:
            text, why = "", "what came of a call that only says something"
        piece = f"agent {self.number}, message {inner}"
        shown = None if is_prompt else _shown(message, role, tool, is_said=bool(text))
        if not text:
            return Item(self.name, self.number, skipped=why, piece=piece, shown=shown)
        speaker = tool or text_of(message, "name") or role
        said = ImportedMessage(
            text, text_of(message, "id"), self.key, self.called, speaker, role,
            text_of(message, "created_at"), tool, source="tool" if tool else "import",
            whole=whole if role == "tool" and text != whole else "",
        )  # fmt: skip
        return Item(self.name, self.number, said, piece=piece, shown=shown)


def _shown(message: Raw, role: str, tool: str, *, is_said: bool) -> Shown | None:
    texts = shown_texts.of(_unsaid(message, role, is_said=is_said))
    return Shown.of(tool or _PROGRAM, texts, text_of(message, "created_at"))


def _unsaid(message: Raw, role: str, *, is_said: bool) -> Raw:
    """Return what of *message* nobody said: all of one that is none of the talk's."""
    if role != "assistant" and not (role == "user" and is_said):
        return message
    content = message.get("content")
    parts = content if isinstance(content, list) else [] if isinstance(content, str) else [content]
    rest = [without(it, {_OWN.get(text_of(it, "type"), "")}) for it in map(object_of, parts)]
    return {**without(message, {"content", "tool_calls"}), "content": rest}


def _each(found: object) -> list[Raw]:
    """Return the entries of the list that *found* is, an empty object for what is none."""
    return [*map(object_of, found)] if isinstance(found, list) else []


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _said(message: Raw, role: str, text: str) -> tuple[str, str]:
    """Return what *message*, whose content is *text*, says, or "" and why it says nothing."""
    if role not in {"user", "assistant", "tool"}:
        return "", f"a message of the {role or 'unknown'} role"
    if role == "user":
        return _unpacked(text)
    if role == "tool":
        return tool_results.shortened(text, _RESULT), "a result without a word"
    calls = [
        text_of(object_of(c.get("function")), "arguments") for n, c in _calls(message) if n == _SAYS
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
    parts = (text_of(p, "text") for p in objects_of(content) if text_of(p, "type") == "text")
    return "\n\n".join(filter(None, map(str.strip, parts)))


def _calls(message: Raw) -> Iterator[tuple[str, Raw]]:
    """Yield the calls of tools in *message*, each with the tool's name."""
    for call in objects_of(message.get("tool_calls")):
        yield text_of(object_of(call.get("function")), "name"), call


def _field(text: str, key: str) -> str:
    """Return a text of the JSON object that *text* is, "" where it is none."""
    with contextlib.suppress(ValueError, RecursionError):
        return text_of(object_of(json.loads(text)), key) if text.startswith("{") else ""
    return ""


FORMAT = Format(
    "letta",
    becomes=("turns", "memories"),
    help="an agent file",
    messages=MessageReader(files, lambda path, _: read(path), wanted="an agent file, *.af"),
)
