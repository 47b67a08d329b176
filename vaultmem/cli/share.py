"""`share`: a memory that one agent offers to all; what is shared; taking it back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output, references
from vaultmem.errors import BadInput

if TYPE_CHECKING:
    from vaultmem.api.types import Offer, Shared


@click.command()
@output.common
@click.argument("ref", default="")
@click.option(
    "--topic", default="", metavar="NAME", help="The topic to add it to, created if missing."
)
@click.option("--list", "listing", is_flag=True, help="List what is shared.")
@click.option("--withdraw", is_flag=True, help="Stop sharing REF.")
@click.option("--dry-run", is_flag=True, help="Show what would be written; write nothing.")
def share(*, ref: str, topic: str, listing: bool, withdraw: bool, dry_run: bool) -> None:
    """Share the memory REF (an id, a path or a wikilink) with all agents.

    It becomes a fact in a shared topic, with a link to the memory, whose file stays as it is.
    Forgetting the memory removes the fact; correcting it corrects the fact.
    """
    with output.vault() as vault:
        if listing:
            found = vault.shares.offers()
            output.out({"shared": [asdict(it) for it in found]}, lambda: _show_all(found))
            return
        if not ref:
            raise BadInput("name what to share: `vaultmem recall` gives ids and paths")
        if withdraw:
            gone = vault.shares.withdraw(references.in_vault(vault, ref))
            output.out(gone, lambda: output.line(f"no longer shared in {', '.join(gone.paths)}"))
            return
        done = vault.share(references.in_vault(vault, ref), topic=topic, dry_run=dry_run)
    output.wrote(done, lambda: _show(done))


def _show_all(found: tuple[Offer, ...]) -> None:
    if not found:
        output.say("nothing is shared")
        return
    rows = [(output.day(it.date), it.shared_by, it.text, it.path) for it in found]
    output.table(("said", "by", "fact", "file"), rows)


def _show(done: Shared) -> None:
    if done.diff:
        output.say(done.diff)
    elif done.known:
        output.line(f"it is in {done.path} already")
    else:
        output.line(f"{done.path}: {done.text}")


COMMANDS = {"share": share}
