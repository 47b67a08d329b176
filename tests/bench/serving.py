"""How fast the MCP server starts and answers, asked through stdio by the official client.

    python tests/bench/serving.py [--vault FOLDER] [--memories 10000] [--calls 200]

Times are what a client waits. A copy of FOLDER is served, or a vault that is made for it.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import click
from mcp import Client, StdioServerParameters

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import timing
from tests.bench.bench import FULL, Bench
from vaultmem import Vault
from vaultmem.documents import tokens
from vaultmem.integrations.mcp.registry import TOOLS
from vaultmem.storage import git

_STARTS = 5
_PAUSE = 1.5
_WORDS = ("tea", "garden", "studio", "letter", "river", "bread", "winter", "music")
Call = Callable[[int], Awaitable[object]]


@click.command()
@click.option("--vault", type=click.Path(exists=True, path_type=Path), help="One that is there.")
@click.option("--memories", default=10_000, show_default=True, help="How many are made else.")
@click.option("--calls", default=200, show_default=True, help="Of each tool.")
def main(vault: Path | None, memories: int, calls: int) -> None:
    """Start the server and call its tools."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:  # a real disk
        folder = Path(name)
        served = _copied(vault, folder) if vault else _made(folder, memories)
        with Vault.open(served) as opened:
            count = sum(a.memories for a in opened.status().agents)
            words = [r.split()[-1] for r in _texts(opened)]
        click.echo(f"{count} memories")
        _tokens()
        asyncio.run(_measure(served, calls, words))


def _copied(vault: Path, folder: Path) -> Path:
    return Path(shutil.copytree(vault, folder / "vault", copy_function=shutil.copy2))


def _made(folder: Path, memories: int) -> Path:
    made = Bench(folder, FULL).vault(memories)
    git.create(made)
    return made


def _texts(vault: Vault) -> Sequence[str]:
    rows = vault.store.index.db.execute("SELECT body FROM bodies WHERE length(body) > 20 LIMIT 500")
    return [str(body).strip() for (body,) in rows]


def _tokens() -> None:
    told = [t.described().model_dump(mode="json", by_alias=True) for t in TOOLS]
    shown = [{k: t[k] for k in ("name", "description", "inputSchema")} for t in told]
    click.echo(f"tools: {tokens.estimate(str(shown))} tokens to a model")


async def _measure(vault: Path, calls: int, words: Sequence[str]) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "vaultmem", "--vault", str(vault), "mcp"]
    )
    starts = []
    for _ in range(_STARTS):
        began = time.perf_counter()
        async with Client(server, mode="legacy"):
            starts.append(time.perf_counter() - began)
    _show("start", starts)
    async with Client(server, mode="legacy") as client:
        await _calls(client, calls, words)


async def _calls(client: Client, calls: int, words: Sequence[str]) -> None:
    def search(n: int) -> Awaitable[object]:
        query = f"{words[n % len(words)]} {words[(n * 7) % len(words)]}"
        return client.call_tool("memory_search", {"query": query})

    def write(n: int) -> Awaitable[object]:
        said = f"On visit {n} to the {_WORDS[n % 8]} place Ada saw {n * 31} boats."
        return client.call_tool("memory_write", {"content": said})

    await search(0)
    await write(10**6)
    await asyncio.sleep(_PAUSE)
    _show("memory_search", await _times(search, calls))
    _show("memory_write", await _times(write, calls))
    _show("search while it writes", await _between(write, search, calls))
    status = client.call_tool("memory_status", {})
    _show("memory_status", await _times(lambda _: status, 1))


async def _times(call: Call, count: int) -> list[float]:
    found = []
    for n in range(count):
        began = time.perf_counter()
        await call(n)
        found.append(time.perf_counter() - began)
    return found


async def _between(write: Call, search: Call, count: int) -> list[float]:
    """Return what a search takes right after each write."""
    found = []
    for n in range(count // 2):
        await write(10**7 + n)
        found += await _times(search, 1)
    return found


def _show(what: str, seconds: Sequence[float]) -> None:
    middle, late = (timing.quantile(seconds, share) * 1000 for share in (0.5, 0.95))
    click.echo(f"{what}: p50 {middle:.1f} ms, p95 {late:.1f} ms, worst {max(seconds) * 1000:.0f}")


if __name__ == "__main__":
    main()
