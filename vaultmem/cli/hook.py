"""`hook`: what Claude Code calls at its events, and how it comes to do so."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.integrations.claude_code.install import Installed, Uninstalled
    from vaultmem.integrations.claude_code.plugin_files import Scope, Target
    from vaultmem.integrations.mcp_clients.service import Entered

_MOST = 16 * 1024 * 1024
"""Bytes of a hook's input; a prompt may be long."""

_PROGRAMS = ("claude-code", "cursor", "codex", "gemini", "vscode")
"""Which programs `hook install` knows, the first by default."""

_MADE = "made the folder {}: there was none"

_GUARD = "VAULTMEM_HOOK"
"""Set for all that a hook starts: whatever that is, it has no hooks of its own."""


class _Hooks(output.Group):
    """The events by name, beside the commands; one that is yet to come is told as such."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        return _event(cmd_name) if found is None and cmd_name[:1].isupper() else found


@click.group(cls=_Hooks)
@output.common
def hook() -> None:
    """Serve Claude Code: `hook EVENT` reads JSON and answers with JSON; `hook install` sets it up.

    The events are SessionStart, UserPromptSubmit, PreCompact, Stop and SessionEnd. A hook never
    makes a session fail: errors are logged in the vault's .vaultmem/hooks.log.
    """


def _event(name: str) -> click.Command:
    """Return the command of one event; it minds no option that it does not know."""

    @click.command(name, context_settings={"ignore_unknown_options": True})
    @output.common
    # Not `output.agent`: what a hook refuses stops what a person does.
    @click.option("--agent", default="", help="The agent whose memory to use.")
    @click.argument("_more", nargs=-1, type=click.UNPROCESSED)
    def event(agent: str, _more: tuple[str, ...]) -> None:
        """Answer one event; reads JSON from standard input."""
        if os.environ.get(_GUARD):
            return
        os.environ[_GUARD] = "1"
        from vaultmem.integrations.claude_code.events import Call, run, unanswered

        if why := unanswered(name):
            output.note(why)
        given = b"" if sys.stdin.isatty() else sys.stdin.buffer.read(_MOST)
        named = output.where()
        answer = run(Call(name, given, "" if named == "." else named, agent, _program()))
        if answer:
            click.echo(answer)

    return event


@hook.command()
@output.common
@click.argument("path", metavar="[PATH]", default=".")
@click.option(
    "--for",
    "program",
    type=click.Choice(_PROGRAMS),
    default=_PROGRAMS[0],
    show_default=True,
    help="The program; all but Claude Code get the MCP server alone.",
)
@click.option(
    "--scope",
    type=click.Choice(["plugin", "settings"]),
    default="plugin",
    show_default=True,
    help="Claude Code: a plugin, or entries in your settings.",
)
@output.agent("The agent whose memory to use; by default the vault's.")
def install(path: str, program: str, scope: Scope, agent: str) -> None:
    """Install hooks, skills, commands and the MCP server into the project at PATH.

    Existing files stay as they are; entries are added to settings without touching others.
    """
    project = Path(path).expanduser().absolute()
    if program != _PROGRAMS[0]:
        from vaultmem.integrations.mcp_clients import service as mcp_clients

        entered = mcp_clients.install(project, program, _target(agent))
        output.out(entered, lambda: _print_entered(entered))
        return
    from vaultmem.integrations.claude_code import install as claude_code_install

    made = claude_code_install.install(project, scope, _target(agent))
    output.out(made, lambda: _show(made))


def _print_entered(entered: Entered) -> None:
    if entered.made:
        output.say(_MADE.format(entered.made))
    if entered.changed:
        output.line(f"wrote {entered.path}")
    else:
        output.line(f"{entered.path} has it already: nothing was written")
    output.say(f"next: {entered.then}")


def _target(agent: str) -> Target:
    from vaultmem.api import location
    from vaultmem.config import agent_name
    from vaultmem.integrations.claude_code.plugin_files import Target

    vault = location.find(output.where())
    return Target(_program(), str(vault), agent_name(agent) if agent else "")


def _program() -> str:
    """Return the very program that runs, or that of the same Python; else the one on the PATH."""
    for me in (Path(sys.argv[0]), Path(sys.executable).with_name("vaultmem")):
        if me.name == "vaultmem" and os.access(me, os.X_OK):
            return str(_plain(me))
    return shutil.which("vaultmem") or "vaultmem"


def _plain(program: Path) -> Path:
    """Return the path of *program* without `..`, its last link not followed: a venv is known by it.

    Whoever reads the line in a file looks for the program there.
    """
    plain = Path(os.path.abspath(program))  # noqa: PTH100  # `absolute` keeps the dots
    return plain if plain.exists() else program.parent.resolve() / program.name


def _show(made: Installed) -> None:
    if not made.written:
        output.say(f"{made.path} has it already: nothing was written")
        return
    if made.made:
        output.say(_MADE.format(made.path))
    for path in made.written:
        output.say(f"wrote {path}")
    output.say("\n      ".join((f"next: {made.then[0]}", *made.then[1:])))


@hook.command()
@output.common
@click.argument("path", metavar="[PATH]", default=".")
@click.option("--for", "program", type=click.Choice(_PROGRAMS), default=_PROGRAMS[0],
              show_default=True, help="The program that it was installed for.")  # fmt: skip
@output.agent("The agent that it was installed with.")
def uninstall(path: str, program: str, agent: str) -> None:
    """Remove from the project at PATH exactly what was installed."""
    project = Path(path).expanduser().absolute()
    if program != _PROGRAMS[0]:
        from vaultmem.integrations.mcp_clients import service as mcp_clients

        gone = mcp_clients.uninstall(project, program, _target(agent))
        what = "removed our part" if gone.changed else "nothing of ours is there"
        output.out(gone, lambda: output.line(f"{what}: {gone.path}"))
        return
    from vaultmem.integrations.claude_code import install as claude_code_install

    done = claude_code_install.uninstall(project)
    kept = [*map(claude_code_install.changed_by_hand, done.kept)]
    output.out(done, lambda: _print_uninstalled(done, kept))


def _print_uninstalled(done: Uninstalled, kept: Sequence[str]) -> None:
    for path in done.removed:
        output.say(f"removed our part: {path}")
    for each in kept:
        output.note(each)


COMMANDS = {"hook": hook}
