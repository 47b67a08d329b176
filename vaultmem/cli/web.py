"""`web`: look at the vault in a browser, and put right what is wrong."""

from __future__ import annotations

import threading
import webbrowser

import click

from vaultmem.api import location
from vaultmem.cli import output
from vaultmem.config import agent_name


@click.command()
@output.common
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True,
              help="The port; 0 picks a free one.")  # fmt: skip
@click.option("--no-open", is_flag=True, help="Print the link instead of opening a browser.")
@click.option("--read-only", is_flag=True, help="Show everything, change nothing.")
@output.agent("Show only what this agent may see.")
def web(*, port: int, no_open: bool, read_only: bool, agent: str) -> None:
    """Look at the vault in a browser, and put right what is wrong.

    It serves this machine alone, until you press Ctrl-C. Its link opens one browser, once.
    """
    from vaultmem.api.loopback import server as loopback
    from vaultmem.web import server
    from vaultmem.web.gate import Keys
    from vaultmem.web.types import Options

    options = Options(agent_name(agent) if agent else "", read_only)
    path = location.find(output.where())
    with loopback.listening(port) as at:
        found = at.getsockname()[1]
        keys = Keys(found)
        link = server.link(found, keys)

        def ready() -> None:
            output.out({"url": link}, lambda: click.echo(f"{path} is at {link}"))
            if not no_open:
                # A browser for terminals would keep the server waiting.
                threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

        server.run(path, options, at, keys, ready)


COMMANDS = {"web": web}
