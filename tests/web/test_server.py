"""`vaultmem web` as a process: what it prints, whom it serves, and how it ends."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from email.message import Message
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from vaultmem.cli.web import web
from vaultmem.web import live

pytestmark = pytest.mark.without_history


@contextmanager
def serving(folder: Path, *args: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Yield a server's process and its link."""
    argv = [sys.executable, "-m", "vaultmem", "--vault", str(folder), "web", "--no-open", "--json"]
    with subprocess.Popen(
        [*argv, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            yield process, json.loads(process.stdout.readline())["url"]
        finally:
            process.kill()


@pytest.mark.long
def test_one_line_tells_the_link_and_a_signal_ends_it(folder: Path) -> None:
    with serving(folder) as (process, link), ExitStack() as stack:
        at = urlsplit(link)
        asked = stack.enter_context(
            closing(http.client.HTTPConnection("127.0.0.1", at.port or 0, timeout=30))
        )
        asked.request("GET", f"/?{at.query}")
        opened = asked.getresponse()
        opened.read()
        cookie = opened.headers["Set-Cookie"].partition(";")[0]
        asked.request("GET", "/live", headers={"Cookie": cookie})
        live = asked.getresponse()
        assert live.headers["Content-Type"].startswith("text/event-stream")
        assert live.readline() == b"retry: 2000\n"
        process.send_signal(signal.SIGINT)  # while a stream without end is open
        assert process.wait(20) == 0
        assert process.stderr
        assert process.stderr.read() == ""


def opened(link: str) -> tuple[int, bytes]:
    """Return the port of a server's link, and the cookie that it gives."""
    at = urlsplit(link)
    status, headers, _ = asked(at.port or 0, f"/?{at.query}")
    assert status == 303
    return at.port or 0, headers["Set-Cookie"].partition(";")[0].encode()


def asked(port: int, path: str, cookie: bytes = b"") -> tuple[int, Message, bytes]:
    """Return the answer to one request over a connection of its own."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as there:
        there.request("GET", path, headers={"Cookie": cookie.decode()} if cookie else {})
        found = there.getresponse()
        return found.status, found.headers, found.read()


def request(port: int, cookie: bytes, line: bytes, *more: bytes) -> bytes:
    """Return a request as it is sent, with a browser's headers."""
    host = b"Host: 127.0.0.1:%d" % port
    return b"\r\n".join([line, host, b"Cookie: " + cookie, *more, b"", b""])


@pytest.mark.long
def test_who_sends_or_reads_slowly_keeps_nobody_else_waiting(folder: Path) -> None:
    with serving(folder) as (process, link), ExitStack() as stack:
        port, cookie = opened(link)
        form = (b"Content-Type: application/x-www-form-urlencoded", b"Content-Length: 900000")
        slow = [
            *[b"", b"GET /static/app.js HTTP/1.1\r\nHost: 127"] * 60,
            *[request(port, cookie, b"POST /do/edit HTTP/1.1", *form) + b"text="] * 20,
            *[request(port, cookie, b"GET /live HTTP/1.1")] * 20,
            *[request(port, cookie, b"GET /static/htmx.min.js HTTP/1.1") * 40] * 20,
        ]
        for sent in slow:  # and none of them ever reads
            peer = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            peer.sendall(sent)
        assert asked(port, "/health", cookie)[0] == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


@pytest.mark.long
def test_streams_are_bounded_and_whoever_goes_makes_room(folder: Path) -> None:
    with serving(folder) as (_, link):
        port, cookie = opened(link)
        with ExitStack() as stack:
            for _ in range(live.MOST):
                peer = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
                peer.sendall(request(port, cookie, b"GET /live HTTP/1.1"))
                assert peer.recv(12) == b"HTTP/1.1 200"
            assert asked(port, "/live", cookie)[0] == 503
        while status_of_stream(port, cookie) != 200:  # as soon as it learns that they are gone
            pass


def status_of_stream(port: int, cookie: bytes) -> int:
    """Return how a stream begins that nobody reads on."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as there:
        there.request("GET", "/live", headers={"Cookie": cookie.decode()})
        return there.getresponse().status


def test_a_port_that_is_taken_is_named(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        argv = ["--vault", str(folder), "--no-open", "--port", str(port)]
        done = CliRunner().invoke(web, argv)
    assert f"port {port} is not available" in str(done.exception)


def test_a_folder_that_is_no_vault_is_not_served(tmp_path: Path) -> None:
    done = CliRunner().invoke(web, ["--vault", str(tmp_path), "--no-open"])
    assert "vaultmem init" in str(done.exception)
