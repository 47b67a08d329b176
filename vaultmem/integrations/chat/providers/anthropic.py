"""Talk with Claude through the official SDK: one streamed message a question, with tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from vaultmem.integrations.chat.types import (
    Answer,
    AnswerLength,
    Ended,
    ModelRequest,
    ToolCall,
    Usage,
    called,
    given,
    whole,
)
from vaultmem.memory.messages.message import Block, Message
from vaultmem.models.providers import provider_errors
from vaultmem.models.providers.anthropic import ENDED, Anthropic, StreamState
from vaultmem.models.providers.profile import Profile
from vaultmem.models.providers.types import Surroundings

if TYPE_CHECKING:
    from anthropic import Anthropic as Client

_TEXT_KEYS = ("text", "thinking", "signature")
_CACHE = {"cache_control": {"type": "ephemeral"}}
_ENDED: Mapping[object, Ended] = {**ENDED, "tool_use": "tools"}


class Claude(Anthropic):
    """A Talker that asks the Messages API, with the waits and faults of the summarizer's Claude."""

    most_tokens = 8192
    window = 200_000
    _line: Client | None = None

    def has_tools(self) -> bool:
        """Tell that it can call tools: every Claude can."""
        return True

    def is_base(self) -> bool:
        """Tell that it converses: every Claude does."""
        return False

    def talk(self, asked: ModelRequest, hear: Callable[[str], None]) -> Answer:
        """Answer *asked*; raises ModelAway."""
        return self._thinking_if_it_must(lambda: self._stream_answer(asked, hear))

    def close(self) -> None:
        """Hang up."""
        if self._line:
            self._line.close()
            self._line = None

    def _open(self) -> Client:
        """Return the line, kept from question to question: to read whom to trust takes 30 ms."""
        if self._line is None:
            self._line = self._client()
        return self._line

    def _stream_answer(self, asked: ModelRequest, hear: Callable[[str], None]) -> Answer:
        heard = _StreamedAnswer(hear)
        thinking = self._thinking()
        with self._faults(), self._open().messages.create(
            model=self.model,
            max_tokens=self.most_tokens,
            system=cast("Any", list(asked.system)),
            messages=cast("Any", marked(asked.messages, asked.fresh)),
            stream=True,
            thinking=thinking,
            **_tools(asked),
        ) as stream:  # fmt: skip
            for event in stream:
                heard.take(event)
                if heard.length.is_full:
                    return heard.answer()
        if not heard.state.whole:
            raise provider_errors.cut(self.name)
        return heard.answer()


def _tools(asked: ModelRequest) -> dict[str, Any]:
    if not asked.tools:
        return {}
    tools = [
        {"name": t.name, "description": t.description, "input_schema": t.schema}
        for t in asked.tools
    ]
    # They stay in the prompt, whose messages speak of them.
    return {"tools": tools} | ({} if asked.may_call else {"tool_choice": {"type": "none"}})


def marked(messages: Sequence[Message], fresh: int) -> list[dict[str, object]]:
    """Return *messages* on the wire, to be cached up to the question, and up to their end."""
    last = len(messages) - 1
    return [_marked(m) if at in {fresh - 1, last} else m.plain() for at, m in enumerate(messages)]


def _marked(message: Message) -> dict[str, object]:
    *before, end = message.blocks
    return Message(message.role, (*before, Block({**end.raw, **_CACHE}))).plain()


@dataclass(slots=True)
class _StreamedAnswer:
    """A message as its events come in, block by block; what is not understood says nothing."""

    hear: Callable[[str], None]
    blocks: dict[int, dict[str, Any]] = field(default_factory=dict)
    inputs: dict[int, str] = field(default_factory=dict)
    state: StreamState = field(default_factory=StreamState)
    length: AnswerLength = field(default_factory=AnswerLength)

    def take(self, event: object) -> None:
        """Take in one event."""
        from anthropic import BaseModel  # noqa: PLC0415  # it comes with the client
        from anthropic import types as sdk  # noqa: PLC0415  # as above

        self.state.take(event)
        match event:
            case sdk.RawContentBlockStartEvent(index=int(index), content_block=BaseModel() as it):
                block = it.to_dict(mode="json", warnings=False)
                # What is told in words and came as something else is left out.
                self.blocks[index] = {
                    k: v for k, v in block.items() if k not in _TEXT_KEYS or isinstance(v, str)
                }
                self._take_text(self.blocks[index].get("text"))
            case sdk.RawContentBlockDeltaEvent(index=int(index), delta=delta):
                self._add(index, delta)

    def _add(self, index: int, delta: object) -> None:
        for key in _TEXT_KEYS:
            if isinstance(piece := getattr(delta, key, None), str):
                block = self.blocks.setdefault(index, {"type": "text"})
                block[key] = block.get(key, "") + piece
                self.length.add("" if key == "text" else piece)
                self._take_text(piece if key == "text" else "")
        if isinstance(part := getattr(delta, "partial_json", None), str):
            self.inputs[index] = self.inputs.get(index, "") + part
            self.length.add(part)

    def _take_text(self, piece: object) -> None:
        if isinstance(piece, str) and piece:
            self.length.add(piece, is_text=True)
            self.hear(piece)

    def answer(self) -> Answer:
        """Return what was said, now that all of it was, or as much as anybody listens to."""
        for block in self.blocks.values():
            block.update({k: whole(v) for k, v in block.items() if k == "text"})
        asked = [at for at in sorted(self.blocks) if self._is_call(at)]
        calls = called(map(self._call, asked))
        text = "".join(str(b["text"]) for _, b in sorted(self.blocks.items()) if b.get("text"))
        ended, usage = _ENDED.get(self.state.stopped, "done"), self.state.usage
        return Answer(
            whole(text), calls, self._message(dict(zip(asked, calls, strict=False))),
            Usage(
                usage.get("input_tokens", 0), usage.get("output_tokens", 0),
                usage.get("cache_read_input_tokens", 0),
                usage.get("cache_creation_input_tokens", 0),
            ),
            "length" if self.length.is_full else "tools" if calls and ended == "done" else ended,
        )  # fmt: skip

    def _is_call(self, index: int) -> bool:
        return self.blocks[index].get("type") == "tool_use"

    def _call(self, index: int) -> ToolCall:
        block = self.blocks[index]
        return ToolCall(_str(block.get("id")), _str(block.get("name")), self._input(index))

    def _input(self, index: int) -> Mapping[str, object] | None:
        """Return the input of a call, None where it is not a JSON object: it was cut, say."""
        return given(self.inputs.get(index) or self.blocks[index].get("input") or {})

    def _message(self, calls: Mapping[int, ToolCall]) -> Message:
        """Return the message as it goes back: an empty text would be refused."""
        blocks = [
            Block(_use(calls[at]) if at in calls else b)
            for at, b in sorted(self.blocks.items())
            if at in calls or (not self._is_call(at) and _has_content(b))
        ]
        return Message("assistant", tuple(blocks))


def _has_content(block: Mapping[str, object]) -> bool:
    return block.get("type") != "text" or bool(str(block.get("text", "")).strip())


def _use(call: ToolCall) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": call.input or {}}


def _str(value: object) -> str:
    return value if isinstance(value, str) else ""


def talker(model: str, _profile: Profile, surroundings: Surroundings) -> Claude:
    """Return what talks as *model*; nothing is asked yet."""
    return Claude(model, surroundings.anthropic_key, surroundings.anthropic_url)
