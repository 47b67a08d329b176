"""A provider on this machine: it speaks the APIs of Anthropic and of Ollama, and OpenAI's chat.

`Wire(answer)` answers each completion with `answer(call)`: a text, or what else can come over a
wire. It speaks in small pieces, cut anywhere, as a network does. What is to be embedded is answered
with `embed(call)`: by itself with a vector that counts the words of each text.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self
from urllib.parse import urlsplit

Body = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A request as it came in."""

    path: str
    body: Body
    headers: Mapping[str, str]

    @property
    def prompt(self) -> str:
        """All text that the model is shown, the system prompt first."""
        system = self.body.get("system", "")
        shown = [system] if isinstance(system, str) else [b["text"] for b in system]
        shown += [_said(m.get("content") or "") for m in self.body.get("messages", [])]
        return "\n".join([*shown, self.body.get("prompt", "")])


def _said(content: str | list[Body]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(b.get("text") or b.get("content") or b.get("input")) for b in content)


@dataclass(frozen=True)
class Said:
    """A text that ends in its own way, costs what it says, or comes as a tool's input."""

    text: str
    stop: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)
    tool: bool = False


@dataclass(frozen=True)
class Calls:
    """Calls of tools by name with their input, once *text* was said; a text is sent as it is."""

    calls: list[tuple[str, Body | str]]
    text: str = ""
    stop: str = "tool_use"


@dataclass(frozen=True)
class Status:
    """An HTTP status that is no success."""

    code: int
    message: str = "no"
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "api_error"


@dataclass(frozen=True)
class Silence:
    """Nothing, once *text* was said, until the server is closed."""

    text: str = ""


@dataclass(frozen=True)
class Cut:
    """The line is cut once *text* was said, or it ends there as if that were the end (*clean*)."""

    text: str
    clean: bool = False


@dataclass(frozen=True)
class Trouble:
    """An error that comes in the stream, once *text* was said."""

    text: str
    kind: str = "overloaded_error"
    message: str = "Overloaded"


@dataclass(frozen=True)
class Raw:
    """These very bytes as the body of a success."""

    data: bytes


@dataclass(frozen=True)
class Torn:
    """What another answer is up to a *part* of its bytes (0 to 1); then as of `Cut`."""

    answer: Said | Calls
    part: float
    clean: bool = False


@dataclass(frozen=True)
class Endless:
    """What another answer says, without its end, and then these bytes again and again."""

    answer: Cut
    data: bytes


@dataclass(frozen=True)
class Vectors:
    """One vector a text, as they are."""

    rows: list[list[float]]


Answer = str | Said | Calls | Status | Silence | Cut | Trouble | Raw | Torn | Endless | Vectors

DIMENSIONS = 64


def bag(text: str) -> list[float]:
    """Return a vector that is near that of a text with the same words; its length is not 1."""
    vector = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.lower()) or [""]:
        vector[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
    return vector


def bags(call: Call) -> Answer:
    """Answer with the bags of the texts that *call* asks about."""
    return Vectors([bag(text) for text in call.body["input"]])


_PIECES = 500
"""How many a long text comes in, about: each costs both sides, and more of them show no more."""


def chunks(text: str, least: int = 7) -> list[str]:
    """Return *text* in pieces, one at least, which are small where it is not long."""
    size = max(least, len(text) // _PIECES)
    return [text[i : i + size] for i in range(0, len(text), size)] or [""]


class Wire:
    """The server, as a context manager: `url` is its address, `calls` what it was asked."""

    def __init__(
        self,
        answer: Callable[[Call], Answer],
        models: Iterable[Body] = (),
        embed: Callable[[Call], Answer] = bags,
        capabilities: Iterable[str] = ("completion",),
    ) -> None:
        """Answer with *answer* and *embed*.

        *models* is what `/api/tags` lists, *capabilities* are what `/api/show` says of each; one
        that `is_missing` it has not heard of.
        """
        self.answer, self.models, self.embed = answer, list(models), embed
        self.capabilities = list(capabilities)
        self.is_missing = False
        self.calls: list[Call] = []
        self.closing = threading.Event()
        handler = type("Handler", (_Handler,), {"wire": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def environment(self, backend: str) -> dict[str, str]:
        """Return the variables with which *backend* (`anthropic`, `ollama`) is asked here."""
        here = {"ANTHROPIC_BASE_URL": self.url, "OLLAMA_HOST": self.url}
        who = {"VAULTMEM_SUMMARIZER": backend, "VAULTMEM_MODEL": "test-model"}
        return {**here, **who, "ANTHROPIC_API_KEY": "test-key"}

    def __enter__(self) -> Self:
        """Begin to serve."""
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End every answer, then the server."""
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wire: ClassVar[Wire]

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def end_headers(self) -> None:
        """Say that the connection closes: a client that asked on it again would meet a fault."""
        self.send_header("Connection", "close")
        super().end_headers()

    def do_GET(self) -> None:
        known = {
            "/api/tags": {"models": self.wire.models},
            "/api/version": {"version": "0.13.0"},
        }
        self._whole(200, known.get(self.path, "Ollama is running"), {})

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length", 0)))
        call = Call(urlsplit(self.path).path, json.loads(data), dict(self.headers))
        if call.path == "/api/show" and self.wire.is_missing:
            missing = Status(404, f"model '{call.body['model']}' not found")
            self._whole(missing.code, _refusal(call, missing), {})
            return
        if call.path == "/api/show":
            size = {"test.context_length": 8192}
            told = {"capabilities": self.wire.capabilities, "details": {}, "model_info": size}
            self._whole(200, told, {})
            return
        self.wire.calls.append(call)
        said = (self.wire.embed if call.path == "/api/embed" else self.wire.answer)(call)
        self.close_connection = True
        with contextlib.suppress(ConnectionError):  # who had enough has hung up
            self._answer(call, said)

    def _answer(self, call: Call, said: Answer) -> None:
        speak = _claude if call.path.startswith("/v1/") else _llama
        if call.path.endswith(_CHAT):
            self._whole(200, _completion(call, said), {})
            return
        match said:
            case Status():
                self._whole(said.code, _refusal(call, said), said.headers)
            case Torn(answer=answer, part=part):
                data = speak(call, answer)
                self._stream(data[: int(part * len(data))], said)
            case Endless(answer=answer):
                self._stream(speak(call, answer), said)
            case _:
                self._stream(speak(call, said), said)

    def _whole(self, status: int, body: object, headers: Mapping[str, str]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        length = {"content-length": str(len(data)), "content-type": "application/json"}
        for key, value in {**length, **headers}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, data: bytes, said: Answer) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        size = max(50, len(data) // (4 * _PIECES))
        for i in range(0, len(data), size):
            self._piece(data[i : i + size])
        while isinstance(said, Endless) and not self.wire.closing.is_set():
            self._piece(said.data)
        if isinstance(said, Silence):
            self.wire.closing.wait(30)
        elif not isinstance(said, Cut | Torn) or said.clean:
            self.wfile.write(b"0\r\n\r\n")

    def _piece(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def _refusal(call: Call, said: Status) -> Body:
    if call.path.startswith("/v1/"):
        return {"type": "error", "error": {"type": said.kind, "message": said.message}}
    return {"error": said.message}


def _claude(call: Call, said: Answer) -> bytes:
    """Return *said* as the server-sent events of a message."""
    if isinstance(said, Raw):
        return said.data
    whole = Said(said) if isinstance(said, str) else said
    text = getattr(whole, "text", "")
    events: list[tuple[str, Body]] = [
        ("message_start", {"message": _message(call, whole)}),
        ("ping", {}),
    ]
    if text or not isinstance(whole, Calls):
        events += _block(text, tool=isinstance(whole, Said) and whole.tool)
    match whole:
        case Calls(calls=calls, stop=stop):
            for at, (name, given) in enumerate(calls, start=bool(text)):
                events += _use(call, at, name, given)
            delta = {"stop_reason": stop, "stop_sequence": None}
            spent = {"output_tokens": 7}
            events += [("message_delta", {"delta": delta, "usage": spent}), ("message_stop", {})]
        case Said():
            spent = {"output_tokens": whole.usage.get("output_tokens", 7)}
            delta = {"stop_reason": whole.stop or "end_turn", "stop_sequence": None}
            events += [("content_block_stop", {"index": 0})]
            events += [("message_delta", {"delta": delta, "usage": spent}), ("message_stop", {})]
        case Trouble(kind=kind, message=message):
            events += [("error", {"error": {"type": kind, "message": message}})]
    return "".join(
        f"event: {name}\ndata: {json.dumps({'type': name, **more}, ensure_ascii=False)}\n\n"
        for name, more in events
    ).encode()


def _message(call: Call, said: Answer) -> Body:
    usage = {"input_tokens": 11, **(said.usage if isinstance(said, Said) else {})}
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": call.body["model"],
        "content": [], "stop_reason": None, "stop_sequence": None,
        "usage": {**usage, "output_tokens": 1},
    }  # fmt: skip


def _use(call: Call, at: int, name: str, given: Body | str) -> list[tuple[str, Body]]:
    """Return the events of one call; its id is of no other call in the talk."""
    block = {"type": "tool_use", "id": f"toolu_{id(call)}_{at}", "name": name, "input": {}}
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in chunks(text)]
    return [
        ("content_block_start", {"index": at, "content_block": block}),
        *(("content_block_delta", {"index": at, "delta": delta}) for delta in deltas),
        ("content_block_stop", {"index": at}),
    ]


def _block(text: str, *, tool: bool) -> list[tuple[str, Body]]:
    start = {"type": "tool_use", "id": "toolu_1", "name": "answer", "input": {}}
    kind, part = ("input_json_delta", "partial_json") if tool else ("text_delta", "text")
    block = start if tool else {"type": "text", "text": ""}
    begun: tuple[str, Body] = ("content_block_start", {"index": 0, "content_block": block})
    deltas = [{"index": 0, "delta": {"type": kind, part: piece}} for piece in chunks(text)]
    return [begun, ("ping", {}), *(("content_block_delta", d) for d in deltas)]


_CHAT = "/chat/completions"


def _completion(call: Call, said: Answer) -> Body:
    """Return *said* as a completion of OpenAI's chat, whole."""
    text = said if isinstance(said, str) else getattr(said, "text", "")
    message: Body = {"role": "assistant", "content": text, "refusal": None}
    if isinstance(said, Calls):
        message["tool_calls"] = [
            {"id": f"call_{id(call)}_{n}", "type": "function",
             "function": {"name": name, "arguments": json.dumps(given)}}
            for n, (name, given) in enumerate(said.calls)
        ]  # fmt: skip
    choice = {"index": 0, "message": message, "logprobs": None,
              "finish_reason": "tool_calls" if isinstance(said, Calls) else "stop"}  # fmt: skip
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1_795_000_000}
    return {**head, "model": call.body["model"], "choices": [choice], "usage": usage}


def _llama(call: Call, said: Answer) -> bytes:
    """Return *said* as the JSON lines of a completion or a chat, or as the JSON of vectors."""
    if isinstance(said, Raw):
        return said.data
    if isinstance(said, Vectors):
        return json.dumps({"model": call.body["model"], "embeddings": said.rows}).encode()
    if isinstance(said, Cut) and call.path == "/api/embed":
        return said.text.encode()
    whole = Said(said) if isinstance(said, str) else said
    lines = [_part(call, piece) for piece in chunks(getattr(whole, "text", ""))]
    match whole:
        case Calls(calls=calls):
            asked = [{"function": {"name": n, "arguments": given}} for n, given in calls]
            lines[-1]["message"]["tool_calls"] = asked
            lines += [{**_part(call, ""), "done": True, "done_reason": "stop"}]
        case Said():
            done = {"done": True, "done_reason": whole.stop or "stop"}
            lines += [{**_part(call, ""), **done, "prompt_eval_count": 11, "eval_count": 7}]
            lines[-1] |= whole.usage
        case Trouble(message=message):
            lines += [{"error": message}]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _part(call: Call, piece: str) -> Body:
    head = {"model": call.body["model"], "created_at": "2026-11-20T10:15:00Z", "done": False}
    if call.path == "/api/chat":
        return {**head, "message": {"role": "assistant", "content": piece}}
    return {**head, "response": piece}
