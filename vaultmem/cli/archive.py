"""`archive` and `unarchive`: put memories away that are not to be recalled, and bring them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli import output, references

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.api.types import Archived, MovedMemories


@click.command()
@output.common
@click.argument("refs", nargs=-1, metavar="[REF]...")
@output.agent("List what is archived of this agent only.")
def archive(refs: tuple[str, ...], agent: str) -> None:
    """Put the memories REF away: kept, told of in summaries, not recalled, and not shared.

    Without REF it lists what is archived.
    """
    with output.vault() as vault:
        if not refs:
            found = vault.memories.archived(agent)
            output.out({"archived": found}, lambda: _list(found))
            return
        done = vault.memories.archive(references.each_in_vault(vault, refs))
    output.out(done, lambda: _moved("archived", done))


@click.command()
@output.common
@click.argument("refs", nargs=-1, required=True, metavar="REF...")
def unarchive(refs: tuple[str, ...]) -> None:
    """Bring the archived memories REF back into recall."""
    with output.vault() as vault:
        done = vault.memories.unarchive(references.each_in_vault(vault, refs))
    output.out(done, lambda: _moved("brought back", done))


def _list(found: Sequence[Archived]) -> None:
    if not found:
        output.say("nothing is archived")
    for memory in found:
        output.say(f"{memory.path}  {output.day(memory.date)}")
        output.say(f"    {memory.text}")


def _moved(how: str, done: MovedMemories) -> None:
    for path in done.paths:
        output.line(f"{how}: {path}")
    for topic in done.withdrawn:
        output.line(f"no longer shared: {topic}")


COMMANDS = {"archive": archive, "unarchive": unarchive}
