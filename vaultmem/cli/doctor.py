"""`doctor`: what a report of a bug needs."""

from __future__ import annotations

import click

from vaultmem.cli import output


@click.command()
@output.common
def doctor() -> None:
    """Print what a report of a bug needs: versions, counts, kinds and codes; nothing private.

    No path, no name, no text and no value of a variable is among it.
    """
    from vaultmem.api import diagnosis

    found = diagnosis.facts(output.where())
    width = max(len(fact.about) for fact in found)
    output.out(dict(found), lambda: [output.line(f"{f.about:<{width}}  {f.value}") for f in found])


COMMANDS = {"doctor": doctor}
