"""`init`, `demo`, `completion`: the first minute."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem import arguments
from vaultmem.cli import output
from vaultmem.errors import BadInput

if TYPE_CHECKING:
    from vaultmem.api.create import Made
    from vaultmem.cli.demo import Step


@click.command()
@output.common
@click.argument("path", default=None, metavar="[PATH]")
@click.option("--no-git", is_flag=True, help="Create no git repository; all but history works.")
@click.option("--in-repo", is_flag=True, help="Use the git repository that PATH is in.")
@click.option(
    "--layout",
    type=click.Choice(["month", "day"]),
    default="month",
    help="Folders for memories: of months, and of days where a month is full; or of days.",
)
def init(path: str | None, *, no_git: bool, in_repo: bool, layout: str) -> None:
    """Turn PATH (by default this folder) into a vault; existing files stay.

    It gets a git repository of its own, even inside another work tree, which is told to ignore it.
    """
    from vaultmem.api import create
    from vaultmem.records import utc_now

    named = output.where() if path is None else path
    arguments.check_path(named)
    folder = Path(named).expanduser().absolute()
    if no_git and in_repo:
        raise BadInput("--no-git and --in-repo are opposites: name one of them")
    made = create.create(folder, utc_now, with_git=not no_git, in_repo=in_repo, layout=layout)
    output.out({"path": str(folder), **asdict(made)}, lambda: _show_made(folder, made))


def _show_made(folder: Path, made: Made) -> None:
    first = " and a first commit" if made.commit else ""
    output.say(f"{folder} is a vault: {len(made.files)} files{first}")
    for note in made.notes:
        output.say(f"  {note}")
    vault = shlex.quote(str(folder))
    output.say(f'next: vaultmem --vault {vault} remember "Sarah is allergic to nuts."')


@click.command()
@output.common
@click.argument("path", default="", metavar="[PATH]")
def demo(path: str) -> None:
    """Run the whole cycle on a bundled conversation, in a new vault at PATH (else temporary)."""
    import tempfile

    from vaultmem.cli import demo as walkthrough

    made = path or tempfile.mkdtemp(prefix="vaultmem-demo-")
    folder = Path(made).expanduser().absolute()
    steps = []
    for step in walkthrough.run(folder):
        steps.append(step)
        if not output.shared().json:
            _show(step)
    if output.shared().json:
        output.out({"path": str(folder), "steps": steps}, lambda: None)


def _show(step: Step) -> None:
    click.secho(f"\n{step.title}", bold=True)
    if step.command:
        click.secho(f"$ {step.command}", fg="cyan")
    for line in step.lines:
        click.echo(f"  {line}")


@click.command()
@output.common
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL; `eval` it in the shell's start-up file."""
    script = completion_script(shell)
    output.out({"shell": shell, "script": script}, lambda: click.echo(script))


def completion_script(shell: str) -> str:
    """Return the script by which *shell* asks the program; raises BadInput for another shell."""
    from click.shell_completion import get_completion_class

    from vaultmem.cli import cli
    from vaultmem.errors import BadInput

    found = get_completion_class(shell)
    if found is None:
        raise BadInput(f"{output.quoted(shell)} is no shell that is completed: bash, zsh or fish")
    script = found(cli, {}, "vaultmem", "_VAULTMEM_COMPLETE").source()
    # Click's script for fish ends what a command does at the first comma in it.
    return script.replace('string split ","', 'string split -m 1 ","')


COMMANDS = {"init": init, "demo": demo, "completion": completion}
