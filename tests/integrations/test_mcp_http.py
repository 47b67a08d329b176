"""`vaultmem mcp --http`: what is refused before the protocol sees it, and what is served."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.conftest import StalledGit
from vaultmem.api import create
from vaultmem.cli.mcp import mcp
from vaultmem.integrations.mcp.http_guard import LARGEST
from vaultmem.records import utc_now
from vaultmem.storage import git

TOKEN = "a-token-of-this-scene-alone"  # noqa: S105  # it opens nothing else
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {},
               "clientInfo": {"name": "scene", "version": "1"}},
}  # fmt: skip


@dataclass(frozen=True)
class Server:
    """Where it listens, its process, and what it said on stderr at its start."""

    port: int
    process: subprocess.Popen[bytes]
    said: bytes

    def post(self, body: bytes, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        """Post *body* with good headers, those in *headers* instead; "" leaves one out."""
        good = {
            "Host": f"127.0.0.1:{self.port}", "Authorization": f"Bearer {TOKEN}",
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body)),
        }  # fmt: skip
        named = {k.replace("_", "-"): v for k, v in headers.items()}
        asked = http.client.HTTPConnection("127.0.0.1", self.port)
        asked.putrequest("POST", "/mcp", skip_host=True, skip_accept_encoding=True)
        for key, value in {**good, **named}.items():
            if value:
                asked.putheader(key, value)
        asked.endheaders()
        asked.send(body)
        answer = asked.getresponse()
        found = answer.status, answer.read(), {k.lower(): v for k, v in answer.getheaders()}
        asked.close()
        return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start one server for all scenes that only knock."""
    folder = tmp_path_factory.mktemp("served") / "vault"
    create.create(folder, utc_now, with_git=False)
    process = subprocess.Popen(
        [sys.executable, "-m", "vaultmem", "--vault", str(folder), "mcp", "--http"],
        stderr=subprocess.PIPE, env={**os.environ, "VAULTMEM_MCP_TOKEN": TOKEN},
    )  # fmt: skip
    assert process.stderr
    said = process.stderr.readline()
    port = int(said.rpartition(b":")[2].partition(b"/")[0])
    yield Server(port, process, said)
    process.terminate()
    process.communicate()


@pytest.mark.long
def test_who_knows_the_token_is_served(server: Server) -> None:
    status, body, headers = server.post(json.dumps(HELLO).encode())
    assert status == 200
    assert b'"vaultmem"' in body
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
    status, body, _ = server.post(
        json.dumps(listed).encode(),
        mcp_session_id=headers["mcp-session-id"],
        origin=f"http://127.0.0.1:{server.port}",
    )
    assert status == 200
    assert b"memory_search" in body


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        *(({"Host": host}, 421) for host in (
            "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1",
            "127.0.0.1.evil.example:{port}", "127.0.0.1:{port}@evil.example", "0.0.0.0:{port}",
            "[::1]", "127.0.0.1:{port}.evil.example", "LOCALHOST.:{port}",
        )),
        *(({"Origin": origin}, 403) for origin in (
            "null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1",
            "http://127.0.0.1:{port}.evil.example", "http://localhost:{port}/", "file://",
            "http://127.0.0.1:1", "chrome-extension://abc", "http://evil.example:{port}",
        )),
        *(({"Authorization": known}, 401) for known in (
            "", "Bearer", "Bearer ", "Bearer x", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x",
            f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN.upper()}", "Bearer t\u00e9",
        )),
        *(({"Content-Type": kind}, 415) for kind in (
            "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
            "application/jsonp", "text/plain; application/json",
        )),
        *(({"Content-Length": length}, 413) for length in (str(LARGEST + 1), str(10**15))),
    ],
)  # fmt: skip
def test_a_request_that_is_not_ours_is_refused(
    server: Server, headers: dict[str, str], status: int
) -> None:
    named = {k.replace("-", "_"): v.format(port=server.port) for k, v in headers.items()}
    if status == 413:
        assert server.post(b"", **named)[0] == 413
        return
    found, body, told = server.post(
        json.dumps(HELLO).encode(), **{k.replace("_", "-"): v for k, v in named.items()}
    )
    assert found == status
    assert list(json.loads(body)) == ["error"]
    assert "access-control-allow-origin" not in told
    assert TOKEN not in body.decode()


def test_a_body_is_bounded_though_it_does_not_say_how_long_it_is(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 20) as raw:
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {TOKEN}"
            "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        raw.sendall(head.encode())
        chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
        with contextlib.suppress(OSError):  # it hangs up
            for _ in range(6):
                raw.sendall(chunk)
        assert raw.recv(64).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "twice",
    ["Host: evil.example", "Host: 127.0.0.1:{port}", "Origin: http://evil.example",
     "Authorization: Bearer x", "Authorization: Bearer {token}", "Content-Type: text/plain",
     "Content-Length: 0", "Content-Length: 3", "Transfer-Encoding: chunked",
     "transfer-encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: gzip"],
)  # fmt: skip
@pytest.mark.parametrize("first", [True, False])
def test_a_header_that_comes_twice_is_refused(server: Server, twice: str, first: bool) -> None:  # noqa: FBT001  # a scene
    """Who checks one of two may act by the other; so are two ways to say how long it is."""
    body = json.dumps(HELLO).encode()
    good = [
        f"Host: 127.0.0.1:{server.port}", f"Authorization: Bearer {TOKEN}",
        f"Origin: http://127.0.0.1:{server.port}", "Content-Type: application/json",
        "Accept: application/json, text/event-stream", f"Content-Length: {len(body)}",
    ]  # fmt: skip
    other = twice.format(port=server.port, token=TOKEN)
    lines = "\r\n".join([other, *good] if first else [*good, other])
    with socket.create_connection(("127.0.0.1", server.port), 20) as raw:
        raw.sendall(f"POST /mcp HTTP/1.1\r\n{lines}\r\n\r\n".encode() + body)
        status = raw.recv(1 << 16).split(b" ")[1]
    assert status in {b"400", b"501"}


def test_no_other_protocol_gets_past_the_gate(server: Server) -> None:
    """An upgrade that is asked for without the token is a request without it."""
    head = (
        f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), 20) as raw:
        raw.sendall(head.encode())
        assert raw.recv(64).startswith(b"HTTP/1.1 401")


HASTY = """
import sys
from pathlib import Path
from vaultmem import Vault
from vaultmem.integrations.mcp import http
from vaultmem.api.loopback import server
from vaultmem.api.loopback.connection import Connection
from vaultmem.integrations.mcp.vault_session import Limits
Connection.patience, Connection.most = float(sys.argv[2]), int(sys.argv[3])
at = server.listening(0)
print(at.getsockname()[1], flush=True)
http.run(lambda: Vault.open(Path(sys.argv[1])), Limits(), at, sys.argv[4])
"""


@contextlib.contextmanager
def hasty(folder: Path, patience: float, most: int) -> Iterator[Server]:
    """Start a server that waits so many seconds for a request, of so many at once."""
    process = subprocess.Popen(
        [sys.executable, "-c", HASTY, str(folder), str(patience), str(most), TOKEN],
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    try:
        yield Server(int(process.stdout.readline()), process, b"")
    finally:
        process.terminate()
        process.communicate()


HALVES = [
    b"", b"POST /mcp HTTP/1.1\r\nHost: 127",
    b"POST /mcp HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 99,
    b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\nx",
]  # fmt: skip


@pytest.mark.long
def test_who_does_not_end_a_request_in_time_is_let_go(folder: Path) -> None:
    """However far it came; one that was refused may not send its body for ever either."""
    with hasty(folder, patience=0.2, most=64) as server:
        for half in HALVES:
            with socket.create_connection(("127.0.0.1", server.port), 20) as raw:
                raw.sendall(half)
                with contextlib.suppress(ConnectionResetError):
                    while raw.recv(1 << 16):
                        pass
        assert server.post(json.dumps(HELLO).encode())[0] == 200


@pytest.mark.long
def test_who_waits_longest_makes_room(folder: Path) -> None:
    """So many may be silent; who knows the token is served, and keeps a connection."""
    with hasty(folder, patience=600, most=4) as server, contextlib.ExitStack() as open_:

        def silent() -> socket.socket:
            return open_.enter_context(socket.create_connection(("127.0.0.1", server.port), 20))

        known = http.client.HTTPConnection("127.0.0.1", server.port)
        named = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json",
                 "Accept": "application/json, text/event-stream"}  # fmt: skip
        for n in range(3):
            known.request("POST", "/mcp", json.dumps(HELLO), named)
            answer = known.getresponse()
            assert (answer.status, bool(answer.read())) == (200, True)
            held = [silent() for _ in range(6)]
            assert held[0].recv(1) == b"", n
        known.close()


def test_a_page_may_not_even_ask(server: Server) -> None:
    asked = http.client.HTTPConnection("127.0.0.1", server.port)
    asked.request("OPTIONS", "/mcp", headers={
        "Origin": "http://evil.example", "Access-Control-Request-Method": "POST",
    })  # fmt: skip
    assert asked.getresponse().status == 403
    asked.close()


def test_nobody_else_reaches_it(server: Server) -> None:
    name = socket.gethostname()
    for address in {found[4][0] for found in socket.getaddrinfo(name, None, socket.AF_INET)}:
        if not str(address).startswith("127."):
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((str(address), server.port), 1)


def test_a_token_of_the_environment_is_not_printed(server: Server) -> None:
    assert TOKEN.encode() not in server.said


@contextlib.contextmanager
def _remembers(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a server with a token of its own that was told something to remember."""
    process = subprocess.Popen(
        [sys.executable, "-m", "vaultmem", "--vault", str(folder), "mcp", "--http"],
        stderr=subprocess.PIPE,
    )
    assert process.stderr
    url = process.stderr.readline()
    token = process.stderr.readline().partition(b"Bearer ")[2].strip().decode()
    assert len(token) >= 32
    server = Server(int(url.rpartition(b":")[2].partition(b"/")[0]), process, url)
    named = {"Authorization": f"Bearer {token}"}
    _, _, headers = server.post(json.dumps(HELLO).encode(), **named)
    named["mcp_session_id"] = headers["mcp-session-id"]
    kept = {"name": "memory_write", "arguments": {"content": "Ada likes tea."}}
    asked = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": kept}
    assert server.post(json.dumps(asked).encode(), **named)[0] == 200
    yield process
    _, rest = process.communicate()
    assert (process.returncode, rest) == (0, b"")
    repository = git.find(folder)
    assert repository
    assert repository.log(1)[0].subject.endswith("Ada likes tea.")
    assert not (folder / ".git/index.lock").exists()


@pytest.mark.long
def test_each_start_has_a_token_of_its_own_and_ends_with_all_committed(folder: Path) -> None:
    with _remembers(folder) as process:
        process.send_signal(signal.SIGTERM)


@pytest.mark.long
def test_a_second_signal_does_not_break_in_on_the_commit(
    folder: Path, stalled_git: StalledGit
) -> None:
    with _remembers(folder) as process:
        process.send_signal(signal.SIGINT)
        stalled_git.stalls()
        process.send_signal(signal.SIGTERM)
        stalled_git.goes_on()


@pytest.mark.parametrize(
    ("options", "token", "told"),
    [
        (["--port", "80"], "", "--port is for --http"),
        (["--http"], "short", "shorter than 16 plain characters"),
    ],
)
def test_options_that_cannot_be_are_told(options: list[str], token: str, told: str) -> None:
    done = CliRunner().invoke(mcp, options, env={"VAULTMEM_MCP_TOKEN": token})
    assert told in str(done.exception)


def test_a_port_that_is_taken_is_told(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(mcp, ["--vault", str(folder), "--http", "--port", port])
    assert "choose another" in str(done.exception)
