"""What passes between the loop, a model that talks, and the face a person sees: plain values.

Messages are in Anthropic's form wherever they go; who speaks another one translates.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass
from itertools import islice
from operator import add
from typing import Literal, Protocol

from vaultmem.documents import wide_text
from vaultmem.errors import VaultError
from vaultmem.memory.messages.message import Message
from vaultmem.retrieval.context.messages import Block

Ended = Literal["done", "tools", "length", "refusal"]
Stop = Literal["done", "length", "refusal", "rounds", "empty", "interrupted", "failed"]

MOST_CALLS = 32
"""The calls of one answer that are carried out."""
LONGEST = 64_000
"""Bytes of the text of one answer; more than any model is asked for, less than a turn can hold."""
_MOST_HEARD = 1 << 20
"""Bytes of one answer with its thoughts and calls, after which it is not listened to any more."""
_LONGEST_INPUTS = 32_000
_LONGEST_NAME = 64
_NO_NAME = re.compile(r"[^\w-]", re.ASCII)

# What Anthropic asks for cached input, in parts of the price of input (5 minutes).
_READ, _WRITTEN = 0.1, 1.25


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a model is told of it; *schema* is the JSON schema of its input."""

    name: str
    description: str
    schema: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a model wants done; *input* is None where it came as no JSON object."""

    id: str
    name: str
    input: Mapping[str, object] | None


def called(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """Return those of *calls* that are carried out, fit for any provider and for a transcript.

    A name is letters, digits, `-` and `_`; an id stands for one call; what is too long for a turn
    to keep comes as no input at all, so that the model says it shorter.
    """
    made, ids, room = list[ToolCall](), set[str](), _LONGEST_INPUTS
    for n, call in enumerate(islice(calls, MOST_CALLS)):
        size = len(json.dumps(call.input, ensure_ascii=False).encode())
        own = call.id if call.id and call.id not in ids else f"{call.id}_{n}"
        ids.add(own)
        put = call.input if size <= room else None
        room -= size if put is not None else 0
        made.append(ToolCall(own, _NO_NAME.sub("_", call.name)[:_LONGEST_NAME] or "_", put))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call: what the model is told, in full."""

    call: ToolCall
    text: str
    error: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; those read from and written to its cache come apart."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_written_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Return both together."""
        return Usage(*map(add, astuple(self), astuple(other)))

    def believed(self, of: Callable[[int], int]) -> Usage:
        """Return what is believed of each count."""
        return Usage(*map(of, astuple(self)))

    @property
    def shown(self) -> int:
        """All tokens of the prompt, cached or not: what fills the model's window."""
        return self.input_tokens + self.cache_read_tokens + self.cache_written_tokens

    @property
    def billed(self) -> int:
        """The prompt's tokens at the price of plain input."""
        cached = _READ * self.cache_read_tokens + _WRITTEN * self.cache_written_tokens
        return self.input_tokens + round(cached)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a model is asked: system blocks, messages, tools, and how long it may answer.

    *fresh* is the number of messages that stood before the question: they may be cached. *page* is
    all of it as one text, for a model that goes on with a text. Unless it *may_call*, the tools are
    there to be read of only.
    """

    system: tuple[Block, ...]
    messages: tuple[Message, ...]
    fresh: int
    page: str
    tools: tuple[Tool, ...]
    may_call: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said: its text, its calls, and both as the *message* that goes back to it."""

    text: str
    calls: tuple[ToolCall, ...]
    message: Message
    usage: Usage
    ended: Ended


def given(raw: object) -> Mapping[str, object] | None:
    """Return the input of a call as *raw* (JSON text, or read already) has it, None for none.

    None too for what no other provider would take back: half a character, or NaN.
    """
    try:
        read = json.loads(raw) if isinstance(raw, str) else raw
        json.dumps(read, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def whole(text: str) -> str:
    """Return *text* without half characters, two halves that meet being one, as far as it is kept.

    What is longer than a turn can hold ends there; a NUL, which no file holds, is marked.
    """
    text = wide_text.without_zeros(wide_text.whole_letters(text))
    return text.encode()[:LONGEST].decode(errors="ignore")


@dataclass(slots=True)
class AnswerLength:
    """How much was heard of one answer: a provider may not keep to what it was asked for."""

    text: int = 0
    all: int = 0

    def add(self, piece: str, *, is_text: bool = False) -> None:
        """Count a *piece*, which is *is_text* when it is of the answer's text."""
        size = len(piece.encode(errors="replace"))
        self.all += size
        self.text += size * is_text

    @property
    def is_full(self) -> bool:
        """Whether it is to be listened to no more."""
        return self.text > LONGEST or self.all > _MOST_HEARD


class Talker(Protocol):
    """A model that converses, word by word."""

    @property
    def name(self) -> str:
        """The backend: `anthropic`, `ollama`."""

    @property
    def model(self) -> str:
        """The model's id, as the provider spells it; empty until it is asked where any will do."""

    @property
    def most_tokens(self) -> int:
        """The most tokens of one answer."""

    @property
    def window(self) -> int:
        """The tokens that it can hold, as far as it is known by now."""

    def has_tools(self) -> bool:
        """Tell whether it can call tools; raises ModelAway."""

    def is_base(self) -> bool:
        """Tell whether it goes on with a page rather than converses; raises ModelAway."""

    def talk(self, asked: ModelRequest, hear: Callable[[str], None]) -> Answer:
        """Answer *asked*; *hear* gets each piece of text as it comes. Raises ModelAway."""

    def close(self) -> None:
        """Hang up, if a line is still open."""


class Face(Protocol):
    """Whoever looks on while an answer is made."""

    def text(self, piece: str) -> None:
        """Show a piece of the answer."""

    def tool(self, outcome: Outcome) -> None:
        """Show that a tool was used."""

    def waiting(self, why: str) -> None:
        """Say what is waited for; it may be another thread that tells."""

    def listening(self) -> contextlib.AbstractContextManager[object]:
        """Return what surrounds the wait for a model: here alone a person may break in."""


class SilentFace:
    """A Face that shows nothing."""

    def text(self, piece: str) -> None:
        """Show nothing."""

    def tool(self, outcome: Outcome) -> None:
        """Show nothing."""

    def waiting(self, why: str) -> None:
        """Show nothing."""

    def listening(self) -> contextlib.AbstractContextManager[object]:
        """Surround with nothing."""
        return contextlib.nullcontext()


@dataclass(frozen=True, slots=True)
class Answered:
    """One turn of a person and what came of it.

    *turn* is the number of the session's last turn; *cost* is in US dollars, None when no price is
    known. *problem* says what went wrong, if something did: what was said stands in any case.
    *written* is how often a tool wrote, *refused* how often one would have once that was enough.
    """

    session: str
    turn: int
    answer: str
    tools: tuple[str, ...]
    usage: Usage
    cost: float | None
    stop_reason: Stop
    problem: VaultError | None = None
    written: int = 0
    refused: int = 0
