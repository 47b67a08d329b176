"""What takes long tells its client how far it is, and ends between two steps when cancelled."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.mcp_client import make_due
from tests.wire import Answer, Call, Wire
from vaultmem import Vault
from vaultmem.api.types import of_many
from vaultmem.errors import BadInput
from vaultmem.integrations.mcp.call_progress import CallProgress, Stopped
from vaultmem.integrations.mcp.vault_session import Limits, ServerSession
from vaultmem.integrations.mcp.worker import Worker

pytestmark = pytest.mark.without_history

_COMMAND = ("-m", "vaultmem", "--vault")
WRONG = "This is no answer that a summary could be made of."


class Model:
    """A model that lets what is asked of it wait while it is held; it never answers well."""

    def __init__(self) -> None:
        """Answer at once, until held."""
        self.asked, self.free = threading.Event(), threading.Event()
        self.free.set()

    def __call__(self, _call: Call) -> Answer:
        """Answer once nobody holds it."""
        self.asked.set()
        assert self.free.wait(60)
        return WRONG


@contextmanager
def filled(folder: Path, answer: Callable[[Call], Answer]) -> Iterator[Wire]:
    """Have what `make_due` says due, by a model that is asked over a wire."""
    make_due(folder)
    with Wire(answer) as wire:
        yield wire


@asynccontextmanager
async def over_stdio(folder: Path, wire: Wire) -> AsyncIterator[Client]:
    """Start the program as clients do, and connect with the official one."""
    server = StdioServerParameters(
        command=sys.executable, args=[*_COMMAND, str(folder), "mcp"],
        env={**os.environ, **wire.environment("ollama")},
    )  # fmt: skip
    async with Client(stdio_client(server)) as client:
        yield client


@contextmanager
def served(folder: Path, wire: Wire, token: str) -> Iterator[str]:
    """Start the program to serve at a port to who knows the *token*, and yield its address."""
    process = subprocess.Popen(
        [sys.executable, *_COMMAND, str(folder), "mcp", "--http"], stderr=subprocess.PIPE,
        env={**os.environ, "VAULTMEM_MCP_TOKEN": token, **wire.environment("ollama")},
    )  # fmt: skip
    try:
        assert process.stderr
        yield process.stderr.readline().decode().split()[-1]
    finally:
        process.terminate()
        process.communicate()


@asynccontextmanager
async def over_http(folder: Path, wire: Wire) -> AsyncIterator[Client]:
    """Connect with the official client to a port."""
    token = "t" * 32
    bearer = {"Authorization": f"Bearer {token}"}
    with served(folder, wire, token) as url:
        async with (
            httpx2.AsyncClient(headers=bearer, timeout=60) as http_client,
            Client(streamable_http_client(url, http_client=http_client)) as client,
        ):
            yield client


def summaries(folder: Path) -> list[Path]:
    return sorted(folder.glob("agents/ada/summaries/*.md"))


Connect = Callable[[Path, Wire], AbstractAsyncContextManager[Client]]
transports = pytest.mark.parametrize("connected", [over_stdio, over_http])


@pytest.mark.with_history
@pytest.mark.long
@transports
def test_a_client_hears_how_far_a_compaction_is(folder: Path, connected: Connect) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def scene(wire: Wire) -> None:
        async with connected(folder, wire) as client:
            done = await client.call_tool(
                "memory_compact", {"scope": "ada", "apply": True}, progress_callback=note
            )
        assert not done.is_error
        assert done.structured_content
        assert len(done.structured_content["summaries"]) == 4

    with filled(folder, Model()) as wire:
        anyio.run(scene, wire)
    assert heard[0] == (0, 4, "summarizing")
    assert [it[0] for it in heard] == sorted({it[0] for it in heard})
    assert {it[1:] for it in heard} == {(4, "summarizing")}
    assert len(heard) > 2


@pytest.mark.with_history
@pytest.mark.long
@transports
def test_a_cancelled_compaction_changes_nothing_and_the_server_goes_on(
    folder: Path, connected: Connect
) -> None:
    model = Model()

    async def scene(wire: Wire) -> None:
        async with connected(folder, wire) as client:
            await client.list_tools()
            model.free.clear()
            compact = partial(client.call_tool, "memory_compact", {"scope": "ada", "apply": True})
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(compact)
                await anyio.to_thread.run_sync(model.asked.wait)
                tasks.cancel_scope.cancel()
            # What was cancelled has not ended: it is asking a model. Whoever comes next waits.
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_is_well, client)
                model.free.set()
            asked = len(wire.calls)
            done = await client.call_tool("memory_search", {"query": "Who met Ada on day 3?"})
            assert done.structured_content
            assert done.structured_content["hits"]
            assert len(wire.calls) == asked
            assert summaries(folder) == []
            done = await compact()
            assert done.structured_content
            assert done.structured_content["commit"]

    async def _is_well(client: Client) -> None:
        found = await client.call_tool("memory_status", {})
        assert found.structured_content
        assert found.structured_content["agents"][0]["summaries"] == 0

    with filled(folder, model) as wire:
        anyio.run(scene, wire)
    assert len(summaries(folder)) == 5
    with Vault.open(folder) as vault:
        assert vault.fsck().ok


def test_what_was_cancelled_before_its_turn_is_not_done(folder: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()
    done: list[str] = []

    def wait(_session: ServerSession) -> None:
        begun.set()
        assert go_on.wait(60)

    async def scene() -> None:
        async with Worker(partial(Vault.open, folder), Limits()) as worker:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(worker.do, wait)
                await anyio.to_thread.run_sync(begun.wait)
                with anyio.move_on_after(0.01):
                    await worker.do(lambda _: done.append("late"))
                go_on.set()
            await worker.do(lambda _: done.append("next"))

    anyio.run(scene)
    assert done == ["next"]


def test_nothing_is_compacted_on_the_heels_of_a_call_that_was_cancelled(folder: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def compact(session: ServerSession) -> None:
        begun.set()
        assert go_on.wait(60)
        session.vault.plan_compaction("ada", progress=session.progress("summarizing"))

    async def scene(*, then_write: bool) -> None:
        async with Worker(partial(Vault.open, folder), Limits(), rest=0) as worker:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(partial(worker.do, compact, writes="memory_compact"))
                await anyio.to_thread.run_sync(begun.wait)
                tasks.cancel_scope.cancel()
            go_on.set()
            for _ in range(2):  # by the second one, what came of the timer has had its turn
                await worker.do(lambda _: None)
            assert summaries(folder) == []
            if then_write:
                await worker.do(lambda _: None, writes="memory_compact")

    make_due(folder)
    anyio.run(partial(scene, then_write=False))
    assert summaries(folder) == []
    begun.clear()
    go_on.clear()
    anyio.run(partial(scene, then_write=True))
    assert len(summaries(folder)) == 5


@pytest.mark.parametrize("fails", [False, True])
def test_what_was_cancelled_too_late_is_told_to_whoever_calls_next(
    folder: Path, *, fails: bool
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def remember(session: ServerSession) -> None:
        begun.set()
        assert go_on.wait(60)
        if fails:
            raise BadInput("no")
        session.vault.remember("Tea at four.", agent="ada")

    async def scene() -> list[str]:
        async with Worker(partial(Vault.open, folder), Limits(), rest=0) as worker:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(partial(worker.do, remember, writes="memory_write"))
                await anyio.to_thread.run_sync(begun.wait)
                tasks.cancel_scope.cancel()
            go_on.set()
            return [await worker.do(lambda session: session.reminder()) for _ in range(2)]

    told, again = anyio.run(scene)
    assert told.startswith("memory_write was cancelled too late, and was carried out") != fails
    assert again == ""


def test_progress_only_grows_through_all_that_a_call_does() -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def report(*news: Any) -> None:  # noqa: ANN401  # as it comes
        told.append(news)

    async def scene() -> None:
        call = CallProgress(report)
        read, make = call.of_all("reading"), call.of("making")
        for tell, done, total in (
            (read, 0, 2), (read, 2, 2), (make, 0, 3), (make, 1, 3),
            (make, 0, 3), (make, 2, 3), (make, 3, 3),
        ):  # fmt: skip
            await anyio.to_thread.run_sync(tell, done, total)
            await call.heard()
        call.stop()
        read(3, 3)  # what is read is read for everybody
        with pytest.raises(Stopped):
            make(4, 4)

    anyio.run(scene)
    assert told == [
        (0, 2, "reading"), (2, 2, "reading"), (3, 5, "making"), (5, 6, "making"), (6, 6, "making"),
    ]  # fmt: skip


def test_little_work_is_done_before_anybody_looks() -> None:
    told: list[int] = []
    tell = of_many(lambda done, _total: told.append(done))
    tell(0, 499)
    tell(499, 499)
    tell(0, 500)
    assert told == [0]
