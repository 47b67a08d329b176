"""`log`, `digest`, `diff`, `undo`: what was done, told, shown and taken back."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.api.types import Digest, DigestItem, Operation

_TELLING = 60
_LAST = "last"
_INDENT = "  "
_ONLY_LOOKED = "nothing was changed; `vaultmem diff` begins anew"
_NO_CHANGE = (
    "nothing to show: what is tracked is committed, or changed only by one of your git filters"
)


@click.command()
@output.common
@click.option("-n", "limit", default=20, show_default=True, type=click.IntRange(min=1),
              help="How many to list at most.")  # fmt: skip
@output.agent("Only operations of this agent.")
def log(limit: int, agent: str) -> None:
    """List the operations on the vault, newest first."""
    with output.vault() as vault:
        named = vault.agents(agent) if agent else ()
        every = vault.log(None if named else limit)
    found = [o for o in every if not named or dict(o.trailers).get("Agent") in named][:limit]
    rows = [row for operation in found for row in _rows(operation)]
    output.out({"operations": found}, lambda: output.table(("when", "operation", "what"), rows))


def _rows(found: Operation) -> Iterator[tuple[str, str, str]]:
    """Yield what was done under the name that `diff` and `undo` take; a batch, one by one."""
    when = output.minute(found.when)
    if len(found.ops) == 1:
        yield when, found.ops[0], found.subject
        return
    yield when, found.commit[:12], found.subject
    for line in found.body.splitlines() if found.ops else ():
        op, _, path = line.partition(" ")
        if op in found.ops:
            yield "", op, path


@click.command()
@output.common
@click.option("--since", default="7d", show_default=True, metavar="TIME",
              help="How far back: 7d, 2w, 24h, or a date.")  # fmt: skip
@output.agent("Only what concerns this agent.")
def digest(since: str, agent: str) -> None:
    """Report what was learnt, corrected and forgotten; when piped, as Markdown for a note."""
    from vaultmem.api.rendering import digest_markdown

    with output.vault() as vault:
        found = vault.digest(since, agent=agent)
    if sys.stdout.isatty():
        output.out(found, lambda: _page(found))
    else:
        output.out(found, lambda: click.echo(digest_markdown(found), nl=False))


def _page(found: Digest) -> None:
    from vaultmem.api.rendering import digest_sections, digest_title

    output.say(digest_title(found), bold=True)
    for section in digest_sections(found):
        if section.heading:
            output.say(section.heading, bold=section.main, fg="cyan")
        for item in section.items:
            if section.main:
                output.prose(item.text)
            else:
                _line(item)


def _line(item: DigestItem) -> None:
    """Print *item*, its text cut to a line, and its path beside it where there is room."""
    from vaultmem.records import first_line

    room = shutil.get_terminal_size().columns - len(_INDENT)
    beside = room - len(item.path) - 2
    text = first_line(item.text, room if beside < _TELLING else beside)
    is_beside = len(text) <= beside
    output.say(f"{_INDENT}{text}", nl=not (item.path and is_beside))
    if item.path:
        output.line("  " if is_beside else _INDENT * 3, nl=False)
        output.line(item.path, fg="bright_black")


@click.command()
@output.common
@click.argument("op", default="")
def diff(op: str) -> None:
    """Show what operation or commit OP changed, or what is not committed yet."""
    with output.interruptible(_ONLY_LOOKED), output.vault() as vault, output.tally("comparing"):
        text = vault.diff(op)
    output.out({"diff": text}, lambda: output.patch(text) if text else click.echo(_NO_CHANGE))


@click.command()
@output.common
@click.argument("op")
@click.option("--dry-run", is_flag=True, help="Print the diff and change nothing.")
@click.option(
    "--partly",
    is_flag=True,
    help="Leave what changed since, its older text in the inbox, or was purged.",
)
def undo(op: str, *, dry_run: bool, partly: bool) -> None:
    """Undo operation or commit OP, keeping later edits; `last` is the newest one."""
    from vaultmem.api.rendering import plan_diff, undo_uncommitted

    with output.vault() as vault:
        if op.lower() == _LAST:
            op, plan = vault.history.plan_newest_undo(partly=partly)
        else:
            plan = vault.plan_undo(op, partly=partly)
        commit = None if dry_run else vault.history.apply_undo(plan)
        text = vault.store.texts.without_hidden(plan_diff(plan))
        whole = vault.history.taken_back(plan)
    what = output.operation(op)
    why = undo_uncommitted(plan.unreached)
    result = {"undone": what, "op": plan.op, "commit": commit, "diff": text,
              "paths": [c.path for c in plan.changes], "uncommitted": why}  # fmt: skip
    named = f"{what} ({whole})" if whole else what
    done = output.undone(named, plan.op, len(plan.changes), plan.aside)

    def show() -> None:
        output.patch(text) if dry_run else click.echo(done)
        if dry_run and whole:
            output.note(f"that takes back {named}")
        if why:
            output.note(why)

    output.out(result, show)


COMMANDS = {"log": log, "digest": digest, "diff": diff, "undo": undo}
