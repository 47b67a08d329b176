"""`export`: what goes out to other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output
from vaultmem.cli.output import count

if TYPE_CHECKING:
    from vaultmem.api.types import Exported
    from vaultmem.api.vault import Vault

_BEGINS_ANEW = "the vault is as it was, an export may be there in part; the same command ends it"


@click.command()
@output.common
@click.argument("form", metavar="FORMAT")
@click.argument("path")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@output.agent("Only this agent's own files and those all agents share.")
@click.option("--untrusted", is_flag=True, help="Include untrusted notes, and what tools answered.")
def export(form: str, path: str, file: Path | None, agent: str, *, untrusted: bool) -> None:
    """Export what is remembered to PATH, overwriting only files written by vaultmem.

    FORMAT is okf (a folder, Open Knowledge Format), json (a file of JSON lines, which
    `import jsonl` takes again), basic-memory (a folder of its notes, without what is archived),
    claude-code (a memory folder of topics and cards), or folded: then PATH is a session, whose
    episodes, items of topics and newest turns go to FILE, by default {session}_folded.json in this
    folder, or beside the vault where this folder is in it.
    """
    is_folded = form == "folded"
    if file and not is_folded:
        raise click.UsageError(f"{form} has one PATH: {file} is one too many")
    with output.interruptible(_BEGINS_ANEW), output.vault() as vault:
        where, session = (file or _beside(vault), path) if is_folded else (Path(path), "")
        with output.tally("exporting"):
            done = vault.export(form, where, agent=agent, untrusted=untrusted, session=session)
    output.out(done, lambda: _print_exported(done))


def _beside(vault: Vault) -> Path:
    """Return this folder, or the one that has the vault where this folder is in it."""
    root = vault.path.resolve()
    return root.parent if root in {here := Path.cwd(), *here.parents} else Path()


def _print_exported(done: Exported) -> None:
    removed = f", {done.removed} removed" if done.removed else ""
    what = count(done.notes, "note") + (f" and {count(done.turns, 'turn')}" if done.turns else "")
    output.say(
        f"exported {what} to {done.path}: {count(done.written, 'file')} written, "
        f"{done.unchanged} unchanged{removed}"
    )
    for left in done.left_out:
        output.note(f"{left.count} left out: {left.why}")
    if done.turns_left:
        turns, sessions = count(done.turns_left, "turn"), count(done.sessions_left, "session")
        output.note(f"{turns} of {sessions} are not exported, only what was drawn from them")


COMMANDS = {"export": export}
