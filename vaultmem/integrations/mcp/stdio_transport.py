"""Standard input and output as the protocol's streams: a message a line, and nothing else on them.

Both ends have a thread that dies with the process, so that a client which neither speaks nor
listens cannot keep us alive. Prints of others go to stderr.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
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
    INVALID_REQUEST,
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
from pydantic_core import PydanticSerializationError

from vaultmem.integrations.mcp import request_ids
from vaultmem.integrations.mcp.request_ids import EDGE, TooLong

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
    receiving, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, sending = anyio.create_memory_object_stream[SessionMessage](0)
    wire = _Wire(receiving, _WriterThread(target))
    async with anyio.create_task_group() as tasks, BlockingPortal() as portal:
        tasks.start_soon(wire.send, sending)
        threading.Thread(target=wire.listen, args=(source, portal), daemon=True).start()
        yield incoming, outgoing
        await portal.stop(cancel_remaining=True)
        tasks.cancel_scope.cancel()


@dataclass
class _Wire:
    """One connection: what is *open* was asked and is not answered yet."""

    received: MemoryObjectSendStream[SessionMessage | Exception]
    writer: _WriterThread
    open: set[str | int] = field(default_factory=set)
    answered: anyio.Event = field(default_factory=anyio.Event)

    def listen(self, source: int, portal: BlockingPortal) -> None:
        """Hand on each line of *source* until it ends; on a thread of its own."""
        with contextlib.suppress(RuntimeError, CancelledError):  # we end before the client
            for line in lines(source):
                portal.call(self._receive, line)
            portal.call(self._end)

    async def _receive(self, line: bytes | TooLong) -> None:
        try:
            message = _message(line)
        except _Unfit as e:
            _log.info("%s", e.refusal.error.message)
            await self.writer.write(e.refusal)
            return
        if isinstance(message, JSONRPCRequest):
            self.open.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == _CANCELLED:
            self._close((message.params or {}).get("requestId"))
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self.received.send(SessionMessage(message))

    async def _end(self) -> None:
        """Let what was asked be answered, for a while, then say that nothing more comes."""
        if self.open:
            self.answered = anyio.Event()
            with anyio.move_on_after(_ANSWERS):
                await self.answered.wait()
        await self.received.aclose()

    async def send(self, said: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Write each message; ends when the client is gone."""
        async with said:
            async for each in said:
                message = each.message
                try:
                    await self.writer.write(message)
                except OSError:
                    _log.info("the client is gone")
                    await self.received.aclose()
                    return
                if isinstance(message, JSONRPCResponse | JSONRPCError):
                    self._close(message.id)

    def _close(self, asked: object) -> None:
        """Wait no more for the answer to *asked*: it is given, or nobody wants it."""
        self.open -= {asked}
        if not self.open:
            self.answered.set()


class _Unfit(Exception):
    """A line that cannot be handed on, and what its sender is told."""

    def __init__(self, code: int, why: str, line: TooLong) -> None:
        """Refuse *line*, under its own id where it shows: else its caller waits for ever."""
        error = ErrorData(code=code, message=why)
        self.refusal = JSONRPCError(jsonrpc="2.0", id=request_ids.request_id(*line), error=error)
        super().__init__(why)


def _message(line: bytes | TooLong) -> JSONRPCMessage:
    """Return the message of a *line*; raises _Unfit.

    JSON may hold half a character, which pydantic does not read: the tools refuse it by name.
    """
    if isinstance(line, TooLong):
        why = f"a message of more than {LONGEST} bytes: send less at once"
        raise _Unfit(INVALID_REQUEST, why, line)
    ends = TooLong(line[:EDGE], line[-EDGE:])
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as e:
        raise _Unfit(PARSE_ERROR, "this line is not JSON, or nested too deep", ends) from e
    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except (ValidationError, RecursionError) as e:
        raise _Unfit(INVALID_REQUEST, "this line is not a JSON-RPC message", ends) from e


def _read(source: int) -> bytes:
    """Return what there is to read, b"" at the end: an input that was closed under us has ended."""
    try:
        return os.read(source, _CHUNK)
    except OSError:
        return b""


def lines(source: int, longest: int = LONGEST) -> Iterator[bytes | TooLong]:
    """Yield the lines that say something; of one that is too long, its ends."""
    rest, head = b"", b""
    while chunk := _read(source):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if head or len(line) > longest:
                yield TooLong(head or line[:EDGE], line[-EDGE:])
                head = b""
            elif line.strip():
                yield line
        if head or len(rest) > longest:
            head, rest = head or rest[:EDGE], rest[-EDGE:]
    if head:
        yield TooLong(head, rest)
    elif rest.strip():
        yield rest


def _line(message: JSONRPCMessage) -> str:
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True)
    except PydanticSerializationError:  # half a character, given back: JSON has a way to write it
        return json.dumps(message.model_dump(by_alias=True, exclude_unset=True))


class _WriterThread:
    """The thread that writes; who writes waits for it, so that a slow client slows us down."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._jobs: queue.SimpleQueue[tuple[bytes, Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    async def write(self, message: JSONRPCMessage) -> None:
        """Write *message* as a line; raises OSError when nobody reads any more."""
        done: Future[None] = Future()
        self._jobs.put((_line(message).encode() + b"\n", done))
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
