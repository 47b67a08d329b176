"""`export`: what goes out to other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output
from vaultmem.cli.output import count

if TYPE_CHECKING:
    from vaultmem.api.types import Exported


@click.command()
@output.common
@click.argument("form", metavar="FORMAT")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--agent", default="", help="Only this agent's own files and those all agents share.")
@click.option("--untrusted", is_flag=True, help="Include untrusted notes.")
def export(form: str, path: Path, agent: str, *, untrusted: bool) -> None:
    """Export what recall may return to PATH, overwriting only files written by vaultmem.

    FORMAT is okf (a folder, Open Knowledge Format), json (a file of JSON lines) or claude-code (a
    memory folder of topics and cards).
    """
    with output.vault() as vault:
        done = vault.export(form, path, agent=agent, untrusted=untrusted)
    output.out(done, lambda: _print_exported(done))


def _print_exported(done: Exported) -> None:
    removed = f", {done.removed} removed" if done.removed else ""
    output.say(
        f"exported {count(done.notes, 'note')} to {done.path}: {count(done.written, 'file')} "
        f"written, {done.unchanged} unchanged{removed}"
    )
    for left in done.left_out:
        output.note(f"{left.count} left out: {left.why}")
    if done.turns_left:
        turns, sessions = count(done.turns_left, "turn"), count(done.sessions_left, "session")
        output.note(f"{turns} of {sessions} are not exported, only what was drawn from them")


COMMANDS = {"export": export}
