"""Standard input and output as the protocol's streams: a message a line, and nothing else on them.

Both ends have a thread that dies with the process, so that a client which neither speaks nor
listens cannot keep us alive. Prints of others go to stderr.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field

import anyio
from anyio.from_thread import BlockingPortal
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

_log = logging.getLogger(__name__)
LONGEST = 4 * 1024 * 1024
"""Bytes of one message: as many as HTTP takes."""
_CHUNK = 64 * 1024
_CANCELLED = "notifications/cancelled"
_ANSWERS = 10.0
"""Seconds that what was asked has for its answer once the client has nothing more to say."""

_In = MemoryObjectReceiveStream[SessionMessage | Exception]
_Out = MemoryObjectSendStream[SessionMessage]


def take_over() -> tuple[int, int]:
    """Take standard input and output for the protocol alone; return their new descriptors.

    From now on whoever reads finds an end, and whoever prints prints on stderr.
    """
    ends = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return ends


@contextlib.asynccontextmanager
async def streams(source: int, target: int) -> AsyncIterator[tuple[_In, _Out]]:
    """Yield what comes in from the descriptor *source* and what goes out to *target*."""
    heard, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, said = anyio.create_memory_object_stream[SessionMessage](0)
    wire = _Wire(heard, _Pen(target))
    async with anyio.create_task_group() as tasks, BlockingPortal() as portal:
        tasks.start_soon(wire.send, said)
        threading.Thread(target=wire.listen, args=(source, portal), daemon=True).start()
        yield incoming, outgoing
        await portal.stop(cancel_remaining=True)
        tasks.cancel_scope.cancel()


@dataclass
class _Wire:
    """One connection: what is *open* was asked and is not answered yet."""

    heard: MemoryObjectSendStream[SessionMessage | Exception]
    pen: _Pen
    open: set[str | int] = field(default_factory=set)
    answered: anyio.Event = field(default_factory=anyio.Event)

    def listen(self, source: int, portal: BlockingPortal) -> None:
        """Hand on each line of *source* until it ends; on a thread of its own."""
        with contextlib.suppress(RuntimeError, CancelledError):  # we end before the client
            for line in lines(source):
                portal.call(self._hear, line)
            portal.call(self._end)

    async def _hear(self, line: bytes | None) -> None:
        message = _message(line)
        if isinstance(message, str):
            _log.info("%s", message)
            await self.pen.write(_refusal(message))
            return
        if isinstance(message, JSONRPCRequest):
            self.open.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == _CANCELLED:
            self._close((message.params or {}).get("requestId"))
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self.heard.send(SessionMessage(message))

    async def _end(self) -> None:
        """Let what was asked be answered, for a while, then say that nothing more comes."""
        if self.open:
            self.answered = anyio.Event()
            with anyio.move_on_after(_ANSWERS):
                await self.answered.wait()
        await self.heard.aclose()

    async def send(self, said: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Write each message; ends when the client is gone."""
        async with said:
            async for each in said:
                message = each.message
                try:
                    await self.pen.write(message)
                except OSError:
                    _log.info("the client is gone")
                    await self.heard.aclose()
                    return
                if isinstance(message, JSONRPCResponse | JSONRPCError):
                    self._close(message.id)

    def _close(self, asked: object) -> None:
        """Wait no more for the answer to *asked*: it is given, or nobody wants it."""
        self.open -= {asked}
        if not self.open:
            self.answered.set()


def _message(line: bytes | None) -> JSONRPCMessage | str:
    """Return the message of a *line*, or why there is none."""
    if line is None:
        return f"a message of more than {LONGEST} bytes: send less at once"
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except (ValidationError, RecursionError):
        return "this line is no JSON-RPC message"


def _refusal(why: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=PARSE_ERROR, message=why))


def lines(source: int, longest: int = LONGEST) -> Iterator[bytes | None]:
    """Yield the lines that say something; None for one that is too long, read past."""
    rest, past = b"", False
    while chunk := os.read(source, _CHUNK):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if past:
                past = False
                continue
            if line.strip():
                yield line if len(line) <= longest else None
        if len(rest) > longest:
            if not past:
                yield None
            rest, past = b"", True
    if rest.strip() and not past:
        yield rest


class _Pen:
    """The thread that writes; who writes waits for it, so that a slow client slows us down."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._jobs: queue.SimpleQueue[tuple[bytes, Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    async def write(self, message: JSONRPCMessage) -> None:
        """Write *message* as a line; raises OSError when nobody reads any more."""
        done: Future[None] = Future()
        line = message.model_dump_json(by_alias=True, exclude_unset=True)
        self._jobs.put((line.encode() + b"\n", done))
        await asyncio.wrap_future(done)

    def _run(self) -> None:
        while True:
            data, done = self._jobs.get()
            if not done.set_running_or_notify_cancel():
                continue
            try:
                while data:
                    data = data[os.write(self._target, data) :]
                done.set_result(None)
            except OSError as e:
                done.set_exception(e)
