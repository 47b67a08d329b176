"""`dream plan`, `review`, `apply`, `undo`, `log`: what would be better, chosen, taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.api.types import Applied, Change, Dreamt, Planned, Proposal

_REFUSED = 3
_MOST_LINES = 60


@click.group(cls=output.Group)
@output.common
def dream() -> None:
    """Plan a clean-up of the whole vault (duplicates, contradictions), and apply what you tick."""


_if_due = click.option(
    "--if-due", is_flag=True, help="Only if a dream is due, as the daemon decides."
)
_force = click.option(
    "--force", is_flag=True, help="Plan in any case, and propose again what you struck out."
)


@dream.command()
@output.common
@_if_due
@_force
def plan(*, if_due: bool, force: bool) -> None:
    """Propose changes in a review note in the inbox, with a box to tick for each; apply none."""
    found = _planned(if_due=if_due, force=force)
    output.out(_plan(found), lambda: _show_plan(found))


@click.command()
@output.common
@_if_due
@_force
def spoken(*, if_due: bool, force: bool) -> None:
    """Propose changes in a review note in the inbox, with a box to tick for each; apply none.

    The note says what each changes: in an answer between other lines a diff is no use.
    """
    found = _planned(if_due=if_due, force=force)
    output.out(_plan(found), lambda: _show_told(found))


def _planned(*, if_due: bool, force: bool) -> Planned:
    with (
        output.interruptible("no change was proposed or made; `vaultmem dream plan` begins anew"),
        output.vault() as vault,
        output.tally("dreaming") as told,
    ):
        return vault.dreams.plan(if_due=if_due, force=force, progress=told, phase=told.phase)


def _plan(found: Planned) -> dict[str, object]:
    return {
        "id": found.id, "changes": _rows(found.proposals), "losses": found.losses,
        "gate": found.gate, "diff": found.diff, "note": found.note, "left": found.left,
        "commit": found.commit, "reason": found.reason,
        "contradictions": _contradictions(found.proposals),
    }  # fmt: skip


@dream.command()
@output.common
@click.option("--all", "everything", is_flag=True, help="Apply all changes that are not protected.")
@click.option("--include-protected", is_flag=True,
              help="Include lines you wrote since the last dream.")  # fmt: skip
@click.option(
    "--only", "ids", multiple=True, metavar="ID", help="Apply this change, ticked or not."
)
def apply(ids: tuple[str, ...], *, everything: bool, include_protected: bool) -> int:
    """Apply what is ticked in the review note, in one commit."""
    with output.vault() as vault:
        done = vault.dreams.apply(
            everything=everything, include_protected=include_protected, ids=ids
        )
    output.out(_result(done), lambda: _show_applied(done))
    return _REFUSED if ids and not done.applied else 0


@dream.command()
@output.common
def review() -> int:
    """Answer the changes that wait one by one, as with `git add -p`; then apply what you took."""
    from vaultmem.api.types import Applied
    from vaultmem.cli import dream_review

    if output.shared().json:
        raise click.UsageError(
            "it asks a person: for scripts there are `dream plan --json` and `dream apply --only`"
        )

    with output.vault() as vault:
        waiting, folder = vault.dreams.waiting(), str(vault.path)
    answers = dream_review.ask(waiting, folder)
    done = Applied()
    with output.vault() as vault:
        struck = vault.dreams.decline(answers.declined) if answers.declined else Applied()
        if answers.applied:
            done = vault.dreams.apply(ids=answers.applied)
    done = replace(
        done, declined=done.declined | struck.declined, skipped=(*struck.skipped, *done.skipped)
    )
    _show_reviewed(done, len(waiting))
    return _REFUSED if answers.applied and not done.applied else 0


@dream.command()
@output.common
@click.argument("op", default="")
@click.option("--partly", is_flag=True,
              help="Leave what changed since; the older text goes to the inbox.")  # fmt: skip
def undo(op: str, *, partly: bool) -> None:
    """Undo the newest dream, or the one with operation id OP, keeping later edits."""
    from vaultmem.api.types import Gate

    with output.vault() as vault:
        done = vault.dreams.undo(op, partly=partly)
    sentence = output.undone(f"the dream {done.undone}", done.op, len(done.changes), done.aside)
    result = {
        "id": done.op, "op": done.op, "undone": done.undone, "changes": _files(done.changes),
        "losses": (), "gate": Gate(), "diff": done.diff, "commit": done.commit,
    }  # fmt: skip
    output.out(result, lambda: click.echo(sentence))


@dream.command()
@output.common
def log() -> None:
    """List the dreams that were applied, newest first."""
    with output.vault() as vault:
        found = vault.dreams.log()
    output.out({"dreams": found}, lambda: _show_log(found))


def _result(done: Applied) -> dict[str, object]:
    """Return what was applied as scripts rely on it."""
    return {
        "id": done.op, "op": done.op, "changes": _rows(done.applied), "skipped": done.skipped,
        "losses": done.losses, "gate": done.gate, "diff": done.diff, "commit": done.commit,
        "contradictions": _contradictions(done.applied),
        "declined": sorted(done.declined),
    }  # fmt: skip


def _rows(proposals: Sequence[Proposal]) -> list[dict[str, object]]:
    """Return changes as scripts rely on them."""
    names = ("id", "op", "path", "reason", "sources", "protected", "losses", "by")
    return [{name: getattr(p, name) for name in names} for p in proposals]


def _contradictions(proposals: Sequence[Proposal]) -> int:
    """Count the changes to what something newer contradicts."""
    return sum(p.contradiction for p in proposals)


def _files(changes: Sequence[Change]) -> list[dict[str, object]]:
    """Return what was done to files, as rows like those of proposals."""
    plain: dict[str, object] = {"sources": (), "protected": False, "losses": (), "by": ""}
    return [{"id": "", "op": c.op, "path": c.path, "reason": c.reason, **plain} for c in changes]


def _show_plan(found: Planned) -> None:
    if found.proposals:
        rows = ((p.id, p.op, p.path, "yes" * p.protected, p.reason) for p in found.proposals)
        output.table(("change", "what", "file", "protected", "why"), rows)
        _show_diff(found.diff, " and ".join(_notes(found)))
    _show_told(found)


def _show_told(found: Planned) -> None:
    """Print what a plan comes to, and where its boxes are."""
    if not found.proposals:
        click.echo(f"no dream: {found.reason}")
        _show_left(found.left)
        return
    _show_losses(found.losses)
    _show_left(found.left)
    _show_gate(found)
    _show_counts(found.proposals, found.left)
    click.echo(
        f"tick what you want in {' and '.join(_notes(found))}, then `vaultmem dream apply`; "
        "`vaultmem dream apply --all` takes all that is not protected"
    )


def _notes(found: Planned) -> list[str]:
    """Return the review notes in which the boxes of a plan stand."""
    return list(dict.fromkeys([*found.waits.values(), found.note]))


def _show_diff(text: str, notes: str) -> None:
    """Print as much of a diff as one looks at; the note has all of it, change by change."""
    lines = text.splitlines(keepends=True)
    output.patch("".join(lines[:_MOST_LINES]))
    if len(lines) > _MOST_LINES:
        click.echo(f"… and {len(lines) - _MOST_LINES} lines more: see {notes}, or --json")


def _show_losses(losses: Sequence[str]) -> None:
    for loss in losses:
        output.say(f"lost for good: {loss}", fg="red")


def _show_left(left: Sequence[str]) -> None:
    for why in left:
        output.note(why)


def _show_counts(proposals: Sequence[Proposal], left: Sequence[str] = ()) -> None:
    from vaultmem.api.rendering import changes_sentence

    if proposals:
        click.echo(changes_sentence(proposals, left))


def _show_gate(found: Planned | Applied) -> None:
    from vaultmem.api.rendering import gate_sentence

    if found.gate.probes or found.diff:
        click.echo(gate_sentence(found.gate))


def _show_applied(done: Applied) -> None:
    for proposal in done.applied:
        output.line(f"{proposal.op} {proposal.path}: {proposal.reason}")
    _show_losses(done.losses)
    for one in done.skipped:
        output.note(f"skipped {' '.join(filter(None, (one.id, one.path)))}: {one.reason}")
    if done.declined:
        output.note(f"{len(done.declined)} struck out for good: see inbox/declined.md")
    _show_gate(done)
    _show_counts(done.applied)
    changes = output.count(len(done.applied), "change")
    click.echo(f"{changes} applied" + ("; `vaultmem dream undo` undoes it" * bool(done.op)))


def _show_reviewed(done: Applied, waiting: int) -> None:
    if waiting:
        _show_applied(done)
    else:
        click.echo("nothing waits: `vaultmem dream plan` looks for more")


def _show_log(found: Sequence[Dreamt]) -> None:
    if not found:
        output.say("no dream was applied yet")
        return
    rows = (
        (output.minute(d.when), d.op, d.subject, "taken back" if d.undone else "") for d in found
    )
    output.table(("when", "operation", "what", ""), rows)


COMMANDS = {"dream": dream}
