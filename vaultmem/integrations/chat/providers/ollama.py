"""Talk with a model of this house through Ollama's official client.

Who can call tools converses at `/api/chat`. Of the others the profile says whether they converse or
go on with a page, at `/api/generate`: a base model has no template that a message would survive.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vaultmem.documents import tokens
from vaultmem.integrations.chat.messages import recorded
from vaultmem.integrations.chat.types import (
    Answer,
    AnswerLength,
    ModelRequest,
    ToolCall,
    Usage,
    called,
    given,
    whole,
)
from vaultmem.memory.messages.message import Block, Message
from vaultmem.models.providers import Request, provider_errors
from vaultmem.models.providers.ollama import Ollama, piece
from vaultmem.models.providers.ollama_client import KEEP, UNREADABLE, connected
from vaultmem.models.providers.profile import Profile
from vaultmem.models.providers.types import Surroundings

if TYPE_CHECKING:
    from ollama import ChatResponse, Client, GenerateResponse

    Part = GenerateResponse | ChatResponse

_SIZE = ".context_length"
_NEXT_SPEAKER = "\n~"
_NO_INPUT = {"": "no JSON object"}
"""Stands for the arguments of a call that are none: the client takes nothing but an object."""


class Llama(Ollama):
    """A Talker that asks an Ollama, with the waits and faults of the summarizer's."""

    most_tokens = 2048
    window = 32_768
    """What most models of a house hold; Ollama says it of each."""

    _tools: bool | None = None

    def has_tools(self) -> bool:
        """Tell whether the model can call tools, as Ollama says of it; raises ModelAway."""
        if self._tools is None:
            with connected(self._host, self._waits, self.model) as client:
                self.model = self.model or self._first(client)
                self._learn(client)
        return bool(self._tools)

    def is_base(self) -> bool:
        """Tell whether the profile lets the model go on with a page; raises ModelAway."""
        return not self.has_tools() and self._profile.endpoint == "generate"

    def _learn(self, client: Client) -> None:
        """Note what Ollama says of the model; an old one says nothing of tools."""
        try:
            told = client.show(self.model)
            sizes = [v for k, v in (told.modelinfo or {}).items() if k.endswith(_SIZE)]
        except UNREADABLE:
            self._tools = False
            return
        self._tools = "tools" in (told.capabilities or ())
        self.window = next((n for n in sizes if isinstance(n, int) and n > 0), self.window)

    def talk(self, asked: ModelRequest, hear: Callable[[str], None]) -> Answer:
        """Answer *asked*; raises ModelAway."""
        self.has_tools()
        heard = _StreamedAnswer(hear, f"call_{len(asked.messages)}")
        with connected(self._host, self._waits, self.model, _with_readable_calls) as client:
            for part in self._parts(lambda: self._stream(client, asked)):
                heard.take(part)
                if part.done or heard.length.is_full:
                    return heard.answer(part, asked)
        raise provider_errors.cut(self.name)

    def close(self) -> None:
        """Do nothing: each question has a line of its own, for nothing between here and there."""

    def _stream(self, client: Client, asked: ModelRequest) -> Iterator[Part]:
        if self.is_base():
            stop = [*self._profile.stop, _NEXT_SPEAKER]
            return client.generate(
                self.model, asked.page, stream=True, think=False, keep_alive=KEEP,
                options={**self._room(asked.page), "stop": stop},
            )  # fmt: skip
        system = "\n\n".join(block["text"] for block in asked.system)
        said = [{"role": "system", "content": system}, *spoken(asked.messages)]
        tools = [_tool(t.name, t.description, t.schema) for t in asked.tools]
        shown = json.dumps([said, tools], ensure_ascii=False)
        return client.chat(
            self.model, said, tools=tools if asked.may_call else None, stream=True, think=False,
            keep_alive=KEEP, options=self._room(shown),
        )  # fmt: skip

    def _room(self, text: str) -> dict[str, object]:
        """Return what the model runs with, for *text*; no stop: a talk may have headings."""
        options = self._options(Request("", text, self.most_tokens), text)
        return {key: value for key, value in options.items() if key != "stop"}


def _tool(name: str, description: str, schema: Mapping[str, object]) -> dict[str, Any]:
    function = {"name": name, "description": description, "parameters": schema}
    return {"type": "function", "function": function}


def spoken(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return *messages* in Ollama's form, a tool's result as a message of its own."""
    names = {b.string("id"): b.string("name") for m in messages for b in m.blocks}
    return [part for message in messages for part in _spoken(message, names)]


def _spoken(message: Message, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for block in message.blocks:
        if block.type == "tool_result":
            name = names.get(block.string("tool_use_id"), "")
            yield {"role": "tool", "content": block.string("content"), "tool_name": name}
    text = "\n\n".join(b.string("text") for b in message.blocks if b.type == "text")
    calls = [
        {"function": {"name": b.string("name"), "arguments": b.raw.get("input")}}
        for b in message.blocks
        if b.type == "tool_use"
    ]
    if calls:
        yield {"role": message.role, "content": text, "tool_calls": calls}
    elif text:
        yield {"role": message.role, "content": text}


def _with_readable_calls(line: bytes) -> bytes:
    """Return a *line* of an answer whose calls the client can read, whatever is wrong with one.

    It would give up the whole answer for it.
    """
    if b'"tool_calls"' not in line:
        return line
    try:
        part = json.loads(line)
        calls = part["message"]["tool_calls"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return line  # it says so itself
    if not isinstance(calls, list):
        return line
    part["message"]["tool_calls"] = list(map(_readable, calls))
    return json.dumps(part).encode()


def _readable(call: object) -> dict[str, Any]:
    function = call.get("function") if isinstance(call, dict) else None
    asked: dict[str, Any] = function if isinstance(function, dict) else {}
    name, put = asked.get("name"), given(asked.get("arguments"))
    return {
        "function": {
            "name": name if isinstance(name, str) else "",
            "arguments": _NO_INPUT if put is None else put,
        }
    }


@dataclass(slots=True)
class _StreamedAnswer:
    """An answer as its parts come in; *mark* begins the ids of its calls, for Ollama has none."""

    hear: Callable[[str], None]
    mark: str
    said: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    length: AnswerLength = field(default_factory=AnswerLength)

    def take(self, part: Part) -> None:
        """Take in one part."""
        message = getattr(part, "message", None)
        for call in (message and message.tool_calls) or ():
            asked = dict(call.function.arguments)
            put = None if asked == _NO_INPUT else given(asked)
            self.calls.append(ToolCall(f"{self.mark}_{len(self.calls)}", call.function.name, put))
            self.length.add(repr(put))
        if said := piece(part) if self.said else piece(part).lstrip():
            self.said.append(said)
            self.length.add(said, is_text=True)
            self.hear(said)

    def answer(self, last: Part, asked: ModelRequest) -> Answer:
        """Return what was said, with *last* having ended it."""
        text, calls = whole("".join(self.said)), called(self.calls)
        uses = [
            Block({"type": "tool_use", "id": c.id, "name": c.name, "input": c.input or {}})
            for c in calls
        ]
        said = [Block({"type": "text", "text": text})] if text.strip() else []
        cut = last.done_reason == "length" or self.length.is_full
        return Answer(
            text, calls, Message("assistant", (*said, *uses)),
            Usage(
                last.prompt_eval_count or tokens.estimate(asked.page),
                last.eval_count or tokens.estimate(recorded(text, calls)),
            ),
            "tools" if calls else "length" if cut else "done",
        )  # fmt: skip


def talker(model: str, profile: Profile, surroundings: Surroundings) -> Llama:
    """Return what talks as *model*; nothing is asked yet."""
    return Llama(profile, model, surroundings.ollama_host)
