"""The daemon's socket: who asks there is read by a deadline, and answered one after the other.

All of it in one thread beside the loop, which knows nothing of it: a slow or silent client keeps
nobody waiting, a strange one is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

from vaultmem.daemon.query_handler import Answerer
from vaultmem.records import visible
from vaultmem.retrieval.daemon_client import protocol, socket_path

_log = logging.getLogger(__name__)
PATIENCE = 5.0
"""Seconds to say a question, and to take its answer: who asks waits no longer either."""
_AT_ONCE = 32
"""Who is here longest makes room for the one after so many."""
_GRACE = 5.0


class SocketServer:
    """The socket of a vault, there while the context lasts; the caller holds the daemon's lock."""

    def __init__(
        self, vault: Path, answerer: Callable[[], Answerer], patience: float = PATIENCE
    ) -> None:
        """Be about to serve at *vault* by an *answerer* made in the thread that serves."""
        self._vault, self._answerer, self._patience = vault, answerer, patience
        self._server: _Server | None = None
        self._inode: int | None = None

    def __enter__(self) -> Self:
        """Begin to serve."""
        self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        """Serve nobody any more, and leave no socket behind."""
        self._end()

    def renew(self) -> None:
        """Begin anew where somebody took the socket away, with all the workings maybe."""
        if self._server and socket_path.inode(self._vault) != self._inode:
            self._end()
            self._begin()

    def _begin(self) -> None:
        """Begin, or say why not: whoever would ask does it himself."""
        try:
            listener = socket_path.listening(self._vault, _AT_ONCE)
        except OSError as e:
            _log.warning("no questions are answered from here: %s", visible(str(e)))
            return
        self._inode = socket_path.inode(self._vault)
        self._server = _Server(listener, self._answerer, self._patience)

    def _end(self) -> None:
        if self._server:
            socket_path.remove(self._vault, self._inode)
            self._server.stop()
            self._server = None


class _Server:
    """A thread that serves at *listener* until it is stopped."""

    def __init__(
        self, listener: socket.socket, answerer: Callable[[], Answerer], patience: float
    ) -> None:
        self._listener, self._patience = listener, patience
        self._meeting = dict[asyncio.Task[None], None]()
        self._accepted = set[socket.socket]()  # those that no transport has yet
        self._over = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        # It dies with the process: it writes nothing that matters.
        self._thread = threading.Thread(
            target=self._run, args=(answerer,), name="vaultmem-serving", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End, after the answer that is under way."""
        with contextlib.suppress(RuntimeError):  # it ended by a fault, which was told
            self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(_GRACE)

    def _run(self, answerer: Callable[[], Answerer]) -> None:
        with (
            self._listener,
            contextlib.closing(answerer()) as self._answers,
            asyncio.Runner(loop_factory=lambda: self._loop) as runner,
        ):
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._listener.setblocking(False)  # noqa: FBT003  # so it is called
        async with asyncio.TaskGroup() as both:  # a fault in one ends the other
            accepting = both.create_task(self._accept())
            await self._over.wait()
            accepting.cancel()

    async def _accept(self) -> None:
        while True:
            try:
                peer, _ = await self._loop.sock_accept(self._listener)
            except OSError:  # no descriptor is left: somebody will give one back
                await asyncio.sleep(self._patience)
                continue
            if not socket_path.is_ours(peer):
                peer.close()
                continue
            if len(self._meeting) >= _AT_ONCE:
                self._drop_longest()
            self._accepted.add(peer)
            meeting = self._loop.create_task(self._meet(peer))
            self._meeting[meeting] = None
            meeting.add_done_callback(functools.partial(self._met, peer))

    def _drop_longest(self) -> None:
        """Make room: who is here longest says nothing, or takes no answer."""
        longest = next(iter(self._meeting))
        del self._meeting[longest]
        longest.cancel()

    def _met(self, peer: socket.socket, meeting: asyncio.Task[None]) -> None:
        self._meeting.pop(meeting, None)
        if peer in self._accepted:  # dropped before it was accepted: no transport closes it
            self._accepted.discard(peer)
            peer.close()
        if not meeting.cancelled() and (fault := meeting.exception()):
            _log.error("a question was not answered: a fault of vaultmem", exc_info=fault)

    async def _meet(self, peer: socket.socket) -> None:
        """Answer one question; whoever does not finish it, or take the answer, in time is cut."""
        reader, writer = await asyncio.open_unix_connection(
            sock=peer, limit=protocol.LONGEST_REQUEST
        )
        self._accepted.discard(peer)
        writer.transport.set_write_buffer_limits(0)  # drained is sent
        try:
            async with asyncio.timeout(self._patience):
                line = await reader.readline()
            writer.write(self._answers.reply(line))
            async with asyncio.timeout(self._patience):
                await writer.drain()
        except (OSError, ValueError) as e:  # gone, silent, or endless
            _log.debug("somebody asked in vain: %s", e)
        finally:
            writer.transport.abort()
