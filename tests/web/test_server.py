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
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from vaultmem.cli.web import web

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


def test_a_port_that_is_taken_is_named(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        argv = ["--vault", str(folder), "--no-open", "--port", str(port)]
        done = CliRunner().invoke(web, argv)
    assert f"port {port} is not available" in str(done.exception)


def test_a_folder_that_is_no_vault_is_not_served(tmp_path: Path) -> None:
    done = CliRunner().invoke(web, ["--vault", str(tmp_path), "--no-open"])
    assert "vaultmem init" in str(done.exception)
