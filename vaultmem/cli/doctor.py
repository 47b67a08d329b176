"""`doctor`: what a report of a bug needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli import output
from vaultmem.records import visible_line

if TYPE_CHECKING:
    from vaultmem.api.diagnosis import Fact


@click.command()
@output.common
def doctor() -> None:
    """Print what a report of a bug needs: versions, counts, kinds and codes; nothing private.

    No path, no name, no text and no value of a variable is among it.
    """
    from vaultmem.api import diagnosis

    found = diagnosis.facts(output.where())
    output.out(dict(found), lambda: _show(found))


def _show(found: tuple[Fact, ...]) -> None:
    width = max(len(fact.about) for fact in found)
    for fact in found:
        output.prose(f"{fact.about:<{width}}  {visible_line(fact.value)}", indent=" " * (width + 2))


COMMANDS = {"doctor": doctor}
