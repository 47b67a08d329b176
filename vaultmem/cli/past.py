"""`log`, `diff`, `undo`: what was done, shown and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli import screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.history import Operation

_NO_CHANGE = "nothing to show: what is tracked is committed, or left to a filter of your git"


@click.command()
@screen.common
@click.option("-n", "limit", default=20, show_default=True, type=click.IntRange(min=1),
              help="How many at most.")  # fmt: skip
@click.option("--agent", default="", help="Only what was done for this agent.")
def log(limit: int, agent: str) -> None:
    """List what was done to the vault, newest first."""
    with screen.vault() as vault:
        named = vault.agents(agent) if agent else ()
        every = vault.log(None if named else limit)
    found = [o for o in every if not named or dict(o.trailers).get("Agent") in named][:limit]
    rows = [row for operation in found for row in _rows(operation)]
    screen.out({"operations": found}, lambda: screen.table(("when", "operation", "what"), rows))


def _rows(found: Operation) -> Iterator[tuple[str, str, str]]:
    """Yield what was done under the name that `diff` and `undo` take; a batch, one by one."""
    when = screen.minute(found.when)
    if len(found.ops) == 1:
        yield when, found.ops[0], found.subject
        return
    yield when, found.commit[:12], found.subject
    for line in found.body.splitlines() if found.ops else ():
        op, _, path = line.partition(" ")
        if op in found.ops:
            yield "", op, path


@click.command()
@screen.common
@click.argument("op", default="")
def diff(op: str) -> None:
    """Show what operation or commit OP changed; without one, what is not committed yet."""
    with screen.vault() as vault:
        text = vault.diff(op)
    screen.out({"diff": text}, lambda: screen.patch(text) if text else click.echo(_NO_CHANGE))


@click.command()
@screen.common
@click.argument("op")
@click.option("--dry-run", is_flag=True, help="Print the diff and change nothing.")
def undo(op: str, *, dry_run: bool) -> None:
    """Take operation or commit OP back; what came later stays."""
    from vaultmem import plan as plans

    with screen.vault() as vault:
        plan, commit = (vault.plan_undo(op), None) if dry_run else vault.undo(op)
    text = plans.diff(plan)
    result = {"undone": op.upper(), "op": plan.op, "commit": commit, "diff": text,
              "paths": [c.path for c in plan.changes]}  # fmt: skip
    files = screen.count(len(plan.changes), "file")
    done = f"took back {op.upper()}: {files}; `vaultmem undo {plan.op}` redoes it"
    screen.out(result, lambda: screen.patch(text) if dry_run else click.echo(done))


COMMANDS = {"log": log, "diff": diff, "undo": undo}
