"""Run the protocol's public conformance suite against our server, and show what it says.

    npm install --prefix FOLDER node@22 @modelcontextprotocol/conformance
    python tests/bench/conformance.py FOLDER

The suite sends no token, so it talks to the application without its gate. Most of its scenarios
call tools, resources and prompts of a server made for it (`test_simple_text`, …), which ours is
not: those say nothing of us, and are counted apart.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import uvicorn

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.api.loopback.server import listening
from vaultmem.integrations.mcp import http
from vaultmem.integrations.mcp.vault_session import Limits
from vaultmem.integrations.mcp.worker import Worker
from vaultmem.records import utc_now

OURS = (
    "server-initialize", "ping", "completion-complete", "tools-list", "server-sse-multiple-streams",
    "resources-list", "prompts-list", "dns-rebinding-protection",
)  # fmt: skip
"""The scenarios that any server can be held to."""
_FOR_FIXTURES = (
    "tools-call-simple-text", "tools-call-image", "tools-call-audio",
    "tools-call-embedded-resource", "tools-call-mixed-content", "tools-call-with-logging",
    "tools-call-error", "tools-call-with-progress", "tools-call-sampling", "tools-call-elicitation",
    "json-schema-2020-12", "elicitation-sep1034-defaults", "server-sse-polling",
    "elicitation-sep1330-enums", "resources-read-text", "resources-read-binary",
    "resources-templates-read", "resources-subscribe", "resources-unsubscribe",
    "prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource",
    "prompts-get-with-image", "logging-set-level",
)  # fmt: skip


async def _run(folder: Path, suite: Path) -> int:
    create.create(folder, utc_now)
    with Vault.open(folder) as vault:
        vault.remember("Ada likes her tea without sugar.", agent="ada")
    at = listening(0)
    port = at.getsockname()[1]
    async with Worker(lambda: Vault.open(folder), Limits()) as worker:
        config = uvicorn.Config(http.open_app(worker, port), log_config=None)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[at]))
        failed = await asyncio.to_thread(_judge, suite, f"http://127.0.0.1:{port}{http.PATH}")
        server.should_exit = True
        await serving
    return failed


def _judge(suite: Path, url: str) -> int:
    failed = 0
    for scenario in (*OURS, *_FOR_FIXTURES):
        checks = list(_checks(suite, url, scenario))
        bad = [f"{c['name']}: {c.get('errorMessage', '')}" for c in checks if _failed(c)]
        binding = scenario in OURS
        failed += binding and bool(bad or not checks)
        verdict = "fails" if bad or not checks else "passes"
        click.echo(f"{scenario}: {verdict}{'' if binding else ' (made for a server of its own)'}")
        for line in bad if binding else ():
            click.echo(f"  {line}")
    return failed


def _checks(suite: Path, url: str, scenario: str) -> Iterator[dict[str, str]]:
    bins = suite / "node_modules" / ".bin"
    with tempfile.TemporaryDirectory() as results:
        subprocess.run(
            [str(bins / "conformance"), "server", "--url", url, "--scenario", scenario,
             "--output-dir", results],
            env={**os.environ, "PATH": f"{bins}:{os.environ['PATH']}"},
            check=False, capture_output=True, timeout=60,
        )  # fmt: skip
        for found in Path(results).rglob("checks.json"):
            yield from json.loads(found.read_text())


def _failed(check: dict[str, str]) -> bool:
    return check["status"] == "FAILURE"


@click.command()
@click.argument("suite", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(suite: Path) -> None:
    """Judge our server by the suite installed in SUITE."""
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(asyncio.run(_run(Path(folder) / "vault", suite.resolve())) > 0)


if __name__ == "__main__":
    main()
