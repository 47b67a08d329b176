"""The command line: parse, call Vault, print. Commands load when they are called."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from typing import NamedTuple

import click

from vaultmem import __version__
from vaultmem.cli.screen import common
from vaultmem.errors import VaultError

_INTERRUPTED = 130


class _Entry(NamedTuple):
    """Where a command lives, and what help says of it without loading it."""

    module: str
    help: str
    hidden: bool = False


COMMANDS: Mapping[str, _Entry] = {
    "init": _Entry("setup", "Make a folder a vault."),
    "demo": _Entry("setup", "Show the whole loop on a bundled conversation."),
    "remember": _Entry("remember", "Keep a memory."),
    "import": _Entry("remember", "Remember whole conversations."),
    "recall": _Entry("recall", "Find what was remembered."),
    "context": _Entry("recall", "Print what an agent's prompt should hold."),
    "compact": _Entry("upkeep", "Summarize memories that aged out of the window."),
    "status": _Entry("upkeep", "Show counts, windows, budgets and health."),
    "watch": _Entry("upkeep", "Do what is due: commits, compactions."),
    "fsck": _Entry("upkeep", "Prove that nothing is lost, and repair."),
    "log": _Entry("past", "List what was done, newest first."),
    "diff": _Entry("past", "Show what an operation changed."),
    "undo": _Entry("past", "Take one operation back, keeping later edits."),
    "completion": _Entry("setup", "Print the completion script of a shell."),
    "@compact-memories": _Entry("at", "Compact now, below the threshold too."),
    "@memory-status": _Entry("at", "Show counts, windows and health."),
    "@memory-budget": _Entry("at", "Show how full MEMORY.md and the windows are."),
    "@remember": _Entry("at", "Keep a memory."),
    "@recall": _Entry("at", "Find what was remembered."),
    "@bootstrap-summaries": _Entry("at", "Build summaries for memories that have none."),
}


class _Commands(click.Group):
    """The commands by name; only the one that is called is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module = importlib.import_module(f"vaultmem.cli.{entry.module}")
        found: object = module.COMMANDS[cmd_name]
        return found if isinstance(found, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # In chat an @command and its text are one string: '@remember she likes tea'.
        if args and args[0].startswith("@"):
            name, _, rest = args[0].partition(" ")
            args = [name, *([rest] if rest.strip() else []), *args[1:]]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        plain = [(n, e.help) for n, e in COMMANDS.items() if not n.startswith("@")]
        at = [(n, e.help) for n, e in COMMANDS.items() if n.startswith("@")]
        for heading, rows in (("Commands", plain), ("In chat and in notes", at)):
            with formatter.section(heading):
                formatter.write_dl(rows)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@common
@click.version_option(__version__, prog_name="vaultmem")
def cli() -> None:
    """Give AI agents a memory that people own: a folder of Markdown files in git."""


def main() -> None:
    """Run the command line; every mistake is one sentence on stderr and an exit code."""
    # What a vault holds is nobody else's business, whatever the shell's umask.
    os.umask(0o077)
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run one command and return its exit code."""
    try:
        result = cli.main(args, prog_name="vaultmem", standalone_mode=False)
    except VaultError as e:
        click.echo(f"vaultmem: {e}", err=True)
        return e.exit_code
    except click.ClickException as e:
        e.show()
        return e.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("vaultmem: interrupted; what was acknowledged is safe", err=True)
        return _INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return result if isinstance(result, int) else 0
