"""`vaultmem mcp` as a client starts it: a process, a message a line, and its end."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage

from vaultmem.integrations.mcp import stdio_transport
from vaultmem.integrations.mcp.request_ids import EDGE, TooLong
from vaultmem.integrations.mcp.request_ids import request_id as whose
from vaultmem.storage import git

_COMMAND = (sys.executable, "-m", "vaultmem")
_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {},
          "clientInfo": {"name": "scene", "version": "1"}}  # fmt: skip


class Process:
    """A server that was started, spoken to line by line."""

    def __init__(self, folder: Path, *options: str) -> None:
        """Start it on the vault at *folder* and greet it."""
        self.process = subprocess.Popen(
            [*_COMMAND, "--vault", str(folder), "mcp", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.asked = 0

    def write(self, data: bytes) -> None:
        """Put *data* on its input."""
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """Return the next message it says."""
        assert self.process.stdout
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def send(self, method: str, **params: object) -> int:
        """Ask, and return the id to wait for."""
        self.asked += 1
        call = {"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}
        self.write(json.dumps(call).encode() + b"\n")
        return self.asked

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """Ask, and return the answer."""
        asked = self.send(method, **params)
        answer = self.read()
        assert answer["id"] == asked
        return answer

    def hang_up(self) -> tuple[int, bytes, bytes]:
        """Close its input; return its exit code, and what it said since."""
        out, err = self.process.communicate()
        return self.process.returncode, out, err


@contextmanager
def started(folder: Path, *options: str) -> Iterator[Process]:
    server = Process(folder, *options)
    try:
        server.ask("initialize", **_HELLO)
        server.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


def call(content: str) -> dict[str, object]:
    return {"name": "memory_write", "arguments": {"content": content}}


def asking(named: int, content: bytes) -> bytes:
    """Return a request to remember *content*, which is JSON."""
    return (
        b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"memory_write",'
        b'"arguments":{"content":%s}}}' % (named, content)
    )


def answers_by_its_id_what_cannot_be_served(server: Process) -> None:
    long = b'"' + b"x" * stdio_transport.LONGEST + b'"'
    for line, code in (
        (asking(4, b"[" * 99_999 + b"]" * 99_999), -32700),
        (asking(4, long), -32600),
        (b'{"method":"ping","params":{"id":7,"x":%s},"jsonrpc":"2.0","id":4}' % long, -32600),
        (b'{"jsonrpc":"2.0","id":4,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":4,"method":"\\ud800"}', -32601),
        (
            b'{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"\\udfff"}}',
            -32602,
        ),
    ):
        server.write(line + b"\n")
        said = server.read()
        assert (said["id"], said["error"]["code"]) == (4, code)
    server.write(asking(5, rb'"half \ud800 of it"') + b"\n")
    said = server.read()
    assert (said["id"], said["result"]["isError"]) == (5, True)
    assert "half a character" in said["result"]["content"][0]["text"]
    server.write(asking(6, rb'"x","\udfff":1') + b"\n")
    said = server.read()
    assert (said["id"], said["result"]["isError"]) == (6, True)
    assert server.ask("tools/list")["result"]["tools"]


@pytest.mark.long
def test_a_broken_client_does_not_break_the_server(folder: Path) -> None:
    with started(folder) as server:
        for line, code in (
            (b"tea\n", -32700), (b"\xff\xfe\x00\n", -32700), (b"[" * 99_999 + b"\n", -32700),
            (b"[]\n", -32600), (b"null\n", -32600), (b"{}\n", -32600), (b'{"id":{}}\n', -32600),
        ):  # fmt: skip
            server.write(line)
            said = server.read()
            assert (said["error"]["code"], said["id"]) == (code, None)
        server.write(b"\n\n")
        server.write(b"x" * (stdio_transport.LONGEST + 70_000) + b"\n")
        assert "more than" in server.read()["error"]["message"]
        assert server.ask("memory/sing")["error"]["code"] == -32601
        assert server.ask("tools/call", name="sing")["error"]["code"] == -32602
        assert server.ask("tools/call")["error"]["code"] == -32602
        assert "ping" not in server.ask("ping")
        answers_by_its_id_what_cannot_be_served(server)
        # What was asked before the input ends is answered, and nothing else is said anywhere.
        asked = server.send("tools/call", **call("Ada likes tea."))
        code, out, err = server.hang_up()
    assert json.loads(out)["id"] == asked
    assert (code, err) == (0, b"")
    repository = git.find(folder)
    assert repository
    assert repository.log(1)[0].subject.endswith("Ada likes tea.")


@pytest.mark.long
def test_two_servers_share_a_task_and_what_came_of_it(folder: Path) -> None:
    """One process makes it, another claims and ends it, the first reads what came of it."""

    def task(server: Process, **given: object) -> dict[str, Any]:
        answer = server.ask("tools/call", name="memory_task", arguments=given)
        found: dict[str, Any] = answer["result"]
        return found

    with started(folder, "--agent", "ada") as ada, started(folder, "--agent", "bob") as bob:
        task(ada, op="create", subject="Bake")
        task(ada, op="create", subject="Eat", blocked_by=[1])
        assert not task(bob, op="claim", id=1).get("isError")
        assert task(ada, op="claim", id=1)["isError"]
        task(bob, op="update", id=1, status="completed", result="two trays")
        eat, bake = task(ada, op="get", id=2)["structuredContent"]["tasks"]
        assert (eat["waits_for"], bake["owner"], bake["result"]) == ([], "bob", "two trays")
        assert ada.hang_up() == bob.hang_up() == (0, b"", b"")


@given(
    st.dictionaries(st.text(max_size=3), st.text('"id:,{}[]\\\\1', max_size=9), max_size=3),
    st.integers() | st.text(max_size=4),
    st.permutations(["jsonrpc", "id", "method", "params"]),
)
def test_the_id_of_a_request_is_its_own(
    params: dict[str, str], named: str | int, order: list[str]
) -> None:
    said = {"jsonrpc": "2.0", "id": named, "method": "x", "params": {**params, "id": -1}}
    line = json.dumps({key: said[key] for key in order}).encode()
    assert whose(line, line) == named
    assert whose(b"", line) in {named, None}
    assert whose(line[: len(line) // 2], line[len(line) // 2 :]) in {named, None}


@pytest.mark.long
def test_a_signal_ends_it_with_all_committed(folder: Path) -> None:
    with started(folder) as server:
        server.ask("tools/call", **call("Ada likes tea."))
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait() == 0
        assert server.process.stderr
        assert server.process.stderr.read() == b""
    repository = git.find(folder)
    assert repository
    assert repository.log(1)[0].subject.endswith("Ada likes tea.")


_PARENT = """
import signal, subprocess, sys
server = subprocess.Popen([sys.executable, "-m", "vaultmem", "--vault", sys.argv[1], "mcp"])
print(server.pid, file=sys.stderr, flush=True)
signal.pause()
"""


@pytest.mark.long
def test_it_does_not_outlive_who_started_it(folder: Path) -> None:
    # The pipe stays open in this process: only the parent's death can tell.
    source, target = os.pipe()
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, str(folder)], stdin=source, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert parent.stderr
    assert parent.stdout
    server = int(parent.stderr.readline())
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO}
    os.write(target, json.dumps(hello).encode() + b"\n")
    try:
        parent.stdout.readline()
    finally:
        parent.kill()
        parent.wait()
    _ends(server)
    for stream in (parent.stdout, parent.stderr):
        stream.close()
    os.close(source)
    os.close(target)


def _ends(pid: int) -> None:
    """Wait until a process that is not our child has ended."""
    with contextlib.suppress(ProcessLookupError):
        process = os.pidfd_open(pid)
        select.select([process], [], [])
        os.close(process)


@pytest.mark.long
def test_where_there_is_no_vault_it_says_so_and_ends(tmp_path: Path) -> None:
    done = subprocess.run(
        [*_COMMAND, "--vault", str(tmp_path), "mcp"], input=b"", capture_output=True, check=False
    )
    assert done.returncode == 5
    assert done.stdout == b""
    assert b"no vault" in done.stderr.lower()
    assert b"Traceback" not in done.stderr


def heard(data: bytes, longest: int) -> list[bytes | TooLong]:
    """Return the lines of *data* as they come through a pipe."""
    source, target = os.pipe()
    os.write(target, data)
    os.close(target)
    found = list(stdio_transport.lines(source, longest))
    os.close(source)
    return found


@given(st.lists(st.binary(max_size=9).filter(lambda line: b"\n" not in line)))
def test_lines_are_read_whole(said: list[bytes]) -> None:
    data = b"".join(line + b"\n" for line in said)
    assert heard(data + b"rest", 9) == [*(line for line in said if line.strip()), b"rest"]


def test_a_line_that_is_too_long_is_read_past(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    long, longer = b"y" * 11, b"ab" + b"x" * 200_000 + b"yz"
    file.write_bytes(b"\n".join((b"one", b"", longer, b"two", long, b"three", longer)))
    with file.open("rb") as source:
        one, first, two, second, three, last = stdio_transport.lines(source.fileno(), 10)
    assert (one, two, three) == (b"one", b"two", b"three")
    assert second == TooLong(long, long)
    for ends in (first, last):
        assert isinstance(ends, TooLong)
        assert ends.head.startswith(b"abx")
        assert ends.tail == longer[-EDGE:]


def test_nobody_waits_for_what_was_cancelled() -> None:
    source, target = os.pipe()

    async def scene() -> None:
        async with stdio_transport.streams(source, 2) as (incoming, outgoing):
            os.write(target, b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            os.write(target, b'{"jsonrpc":"2.0","method":"notifications/cancelled",'
                             b'"params":{"requestId":1}}\n')  # fmt: skip
            os.close(target)
            with anyio.fail_after(5):
                assert len([said async for said in incoming]) == 2
            await outgoing.aclose()
            await incoming.aclose()

    anyio.run(scene)
    os.close(source)


def test_a_client_that_stops_listening_ends_the_connection() -> None:
    source, target = os.pipe()
    heard, gone = os.pipe()
    os.close(heard)

    async def scene() -> None:
        async with stdio_transport.streams(source, gone) as (incoming, outgoing):
            os.write(target, b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            asked = await incoming.receive()
            assert isinstance(asked, SessionMessage)
            await outgoing.send(asked)
            with pytest.raises(anyio.EndOfStream):
                await incoming.receive()
            await outgoing.aclose()
            await incoming.aclose()

    anyio.run(scene)
    for end in (source, target, gone):
        os.close(end)
