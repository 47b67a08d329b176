"""`note set`: a note, appended to, written over or merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli import output, references
from vaultmem.cli.topic import given_text, strategy

if TYPE_CHECKING:
    from vaultmem.api.types import Reached, Strategy


@click.group(cls=output.Group)
@output.common
def note() -> None:
    """Update notes: Markdown files in notes/, knowledge/ and folders of your own."""


@note.command("set")
@output.common
@click.argument("ref", metavar="NOTE")
@click.argument("text", nargs=-1, required=True)
@strategy
@click.option("--section", default="", help="The heading below which it belongs.")
@output.agent("The agent who writes, and whose note a new one is.")
@click.option("--reason", default="", help="Why, for the history.")
def set_(  # noqa: PLR0913
    ref: str, text: tuple[str, ...], strategy: Strategy, section: str, agent: str, reason: str
) -> None:
    """Put TEXT, a line each, into NOTE, a path or a title; create the note if there is none.

    TEXT - is read from standard input. append adds what is not there yet at the end of the note or
    the section; overwrite replaces all text of either; merge takes each line as a fact, which
    replaces the bullet or one-sentence paragraph it contradicts, or is added. No model rewords a
    note.
    """
    content = given_text(text)
    with output.vault() as vault:
        made = vault.reach(agent).set_note(
            references.in_vault(vault, ref),
            content,
            strategy=strategy,
            section=section,
            reason=reason,
        )
    output.wrote(made, lambda: output.line(f"{made.path}: {_what(made)}"), content)


def _what(made: Reached) -> str:
    return "written" if made.diff else "nothing changed"


COMMANDS = {"note": note}
