"""`log`, `diff`, `undo`: what was done, shown and taken back."""

from __future__ import annotations

import click

from vaultmem.cli import screen


@click.command()
@screen.common
@click.option("-n", "limit", default=20, show_default=True, help="How many at most.")
def log(limit: int) -> None:
    """List what was done to the vault, newest first."""
    with screen.vault() as vault:
        found = vault.log(limit)
    screen.out(
        {"operations": found},
        lambda: screen.table(
            ("when", "operation", "what"),
            [(o.when, o.ops[0] if o.ops else o.commit[:12], o.subject) for o in found],
        ),
    )


@click.command()
@screen.common
@click.argument("op", default="")
def diff(op: str) -> None:
    """Show what operation OP changed; without one, what is not committed yet."""
    with screen.vault() as vault:
        text = vault.diff(op)
    screen.out({"diff": text}, lambda: screen.patch(text))


@click.command()
@screen.common
@click.argument("op")
@click.option("--dry-run", is_flag=True, help="Print the diff and change nothing.")
def undo(op: str, *, dry_run: bool) -> None:
    """Take operation OP back; what came later stays."""
    from vaultmem import plan as plans

    with screen.vault() as vault:
        plan, commit = (vault.plan_undo(op), None) if dry_run else vault.undo(op)
    text = plans.diff(plan)
    result = {"undone": op.upper(), "op": plan.op, "commit": commit, "diff": text,
              "paths": [c.path for c in plan.changes]}  # fmt: skip
    done = f"took back {op.upper()}: {len(plan.changes)} files; `vaultmem undo {plan.op}` redoes it"
    screen.out(result, lambda: screen.patch(text) if dry_run else click.echo(done))


COMMANDS = {"log": log, "diff": diff, "undo": undo}
