"""Eight agents at once on one vault, each through a process of its own: all of it is to be kept.

    python tests/bench/crowding.py [--each 125]

Four write through the MCP server, four through Anthropic's memory tool. What was acknowledged is
counted in the files, in the index and in git.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.records import utc_now
from vaultmem.storage import git

_EACH_WAY = 4
_TOOL = """
import sys
from vaultmem import Vault
from vaultmem.integrations.memory_tool import VaultMemoryTool
name, count = sys.argv[2], int(sys.argv[3])
with Vault.open(sys.argv[1]) as vault:
    tool = VaultMemoryTool(vault, agent=name)
    for n in range(count):
        path = f"/memories/notes/{name}-{n}.md"
        text = f"{name} saw boat {n}.\\n"
        tool.call({"command": "create", "path": path, "file_text": text})
        print(path.removeprefix("/memories/"), flush=True)
"""


@click.command()
@click.option("--each", default=125, show_default=True, help="Memories of each of the eight.")
def main(each: int) -> None:
    """Let eight processes write, and count what is kept."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        vault = Path(name) / "vault"
        create.create(vault, utc_now)
        began = time.perf_counter()
        acknowledged = asyncio.run(_crowd(vault, each))
        click.echo(f"{len(acknowledged)} acknowledged in {time.perf_counter() - began:.1f} s")
        kept = _kept(vault, acknowledged)
    sys.exit(not kept)


async def _crowd(vault: Path, each: int) -> set[str]:
    names = [f"agent{n}" for n in range(_EACH_WAY)]
    by_server = (_through_server(vault, f"mcp-{name}", each) for name in names)
    by_tool = (asyncio.to_thread(_through_tool, vault, f"tool-{name}", each) for name in names)
    return set().union(*await asyncio.gather(*by_server, *by_tool))


async def _through_server(vault: Path, name: str, each: int) -> set[str]:
    args = ["-m", "vaultmem", "--vault", str(vault), "mcp", "--agent", name]
    paths = set()
    async with Client(StdioServerParameters(command=sys.executable, args=args)) as client:
        for n in range(each):
            said = {"content": f"{name} saw boat {n}."}
            done: CallToolResult = await client.call_tool("memory_write", said)
            if done.is_error:
                click.echo(f"{name}: {done.content}")
            else:
                paths.add(done.structured_content["path"])
    return paths


def _through_tool(vault: Path, name: str, each: int) -> set[str]:
    argv = [sys.executable, "-c", _TOOL, str(vault), name, str(each)]
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=True)
    return set(done.stdout.split())


def _kept(vault: Path, acknowledged: set[str]) -> bool:
    files = {p for p in acknowledged if (vault / p).exists()}
    with Vault.open(vault) as opened:
        opened.store.sync()
        opened.store.writer.commit_pending()
        rows = opened.store.index.db.execute("SELECT path FROM docs")
        indexed = acknowledged & {path for (path,) in rows}
        sound = opened.fsck().ok
    repository = git.find(vault)
    assert repository
    committed = acknowledged & repository.files(repository.head() or "").keys()
    click.echo(f"{len(files)} files, {len(indexed)} in the index, {len(committed)} in git, "
               f"fsck {'ok' if sound else 'not ok'}")  # fmt: skip
    return sound and files == indexed == committed == acknowledged


if __name__ == "__main__":
    main()
