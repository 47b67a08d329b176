"""`task create|claim|update|list|get`: what is to be done, and what waits for what."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Literal

import click

from vaultmem.cli import output
from vaultmem.errors import BadInput
from vaultmem.records import TRUST

if TYPE_CHECKING:
    from vaultmem.api.types import Task, TaskGraph

_links = {
    "blocked_by": click.option("--blocked-by", multiple=True, metavar="ID",
                               help="A task that must be completed first; can be repeated."),
    "blocks": click.option("--blocks", multiple=True, metavar="ID",
                           help="A task that waits for this one; can be repeated."),
}  # fmt: skip

_source = click.option(
    "--source", type=click.Choice(("agent", "user")), default="agent", show_default=True,
    help="Whose words it is in: an agent may not take a tool's for its own.",
)  # fmt: skip


@click.group(cls=output.Group)
@output.common
def task() -> None:
    """Manage tasks and what blocks them; TASKS.md draws the graph."""


@task.command()
@output.common
@click.argument("subject", nargs=-1, required=True)
@click.option("--description", default="", help="What to do, in Markdown.")
@click.option("--owner", default="", help="Who does it.")
@_links["blocked_by"]
@_links["blocks"]
@_source
def create(  # noqa: PLR0913
    subject: tuple[str, ...], description: str, owner: str, blocked_by: tuple[str, ...],
    blocks: tuple[str, ...], source: Literal["agent", "user"],
) -> None:  # fmt: skip
    """Create a task with the given SUBJECT."""
    with output.vault() as vault:
        made = vault.tasks.create(
            " ".join(subject), description=description, owner=owner, blocked_by=blocked_by,
            blocks=blocks, source=source,
        )  # fmt: skip
    output.wrote(made, lambda: output.line(f"task {made.id}: {made.path}"))


@task.command()
@output.common
@click.argument("task_id", metavar="ID")
@click.option("--owner", required=True, help="Who does it from now on.")
def claim(task_id: str, owner: str) -> None:
    """Start the task ID as OWNER's.

    Refused for a task that is another's, waits or is completed; of several who claim a task at
    once, one gets it.
    """
    with output.vault() as vault:
        made = vault.tasks.claim(task_id, owner)
    output.wrote(made, lambda: _changed(made, []))


@task.command()
@output.common
@click.argument("task_id", metavar="ID")
@click.option("--status", help="The new status: pending, in_progress or completed.")
@click.option("--subject", help="The new subject.")
@click.option("--description", help="What to do, replacing the current description.")
@click.option("--owner", help='Who does it; "" leaves it unassigned.')
@click.option("--result", help="What came of it, in a line.")
@click.option("--error", help="Why it failed, in a line.")
@click.option("--log", metavar="PATH", help="The file of the vault that tells how it went.")
@_links["blocked_by"]
@_links["blocks"]
@click.option("--unblock", multiple=True, metavar="ID", help="A task it no longer waits for.")
@_source
def update(  # noqa: PLR0913
    task_id: str, status: str | None, subject: str | None, description: str | None,
    owner: str | None, result: str | None, error: str | None, log: str | None,
    blocked_by: tuple[str, ...], blocks: tuple[str, ...], unblock: tuple[str, ...],
    source: Literal["agent", "user"],
) -> None:  # fmt: skip
    """Change the task ID, such as 4 or task-0004."""
    values = (status, subject, description, owner, result, error, log)
    if all(it is None for it in values) and not (blocked_by or blocks or unblock):
        raise BadInput("nothing to change: give --status, --subject, --description, --owner, "
                       "--result, --error, --log, --blocked-by, --blocks or --unblock")  # fmt: skip
    with output.vault() as vault:
        before = {it.id for it in vault.tasks.list(ready=True)}
        made = vault.tasks.update(
            task_id, status=status, subject=subject, description=description, owner=owner,
            result=result, error=error, log=log, blocked_by=blocked_by, blocks=blocks,
            unblocked_by=unblock, source=source,
        )  # fmt: skip
        freed = [it for it in vault.tasks.list(ready=True) if it.id not in before | {made.id}]
    output.wrote(made, lambda: _changed(made, freed))


def _changed(made: Task, freed: list[Task]) -> None:
    output.say(f"task {made.id} is {made.status}: {made.subject}")
    for it in freed:
        output.say(f"ready now: {it.id} {it.subject}")


@task.command("list")
@output.common
@click.option("--ready", is_flag=True, help="Only tasks that can be started now.")
@click.option("--blocked", is_flag=True, help="Only tasks that wait for others.")
@click.option("--status", default="",
              help="Only this status: pending, in_progress or completed.")  # fmt: skip
@click.option("--owner", default="", help="Only this owner's tasks.")
def list_(status: str, owner: str, *, ready: bool, blocked: bool) -> None:
    """List the tasks, and what each waits for."""
    with output.vault() as vault:
        graph = vault.tasks.graph()
    found = graph.select(ready=ready, blocked=blocked, status=status, owner=owner)
    output.out(_listed(graph, found), lambda: _table(graph, found))


def _listed(graph: TaskGraph, found: tuple[Task, ...]) -> dict[str, object]:
    everything = graph.tasks.values()
    counts = {
        "ready": sum(map(graph.is_ready, everything)),
        "in_progress": sum(it.status == "in_progress" for it in everything),
        "blocked": sum(map(graph.is_blocked, everything)),
        "completed": sum(not it.is_open for it in everything),
    }
    return {"tasks": [asdict(it) for it in found], "counts": counts, "problems": graph.problems}


def _table(graph: TaskGraph, found: tuple[Task, ...]) -> None:
    if found:
        waits = [graph.waits_for(it) if it.is_open else () for it in found]
        rows = [(it.id, it.status, it.owner or "-", ", ".join(map(str, ids)) or "-", _subject(it))
                for it, ids in zip(found, waits, strict=True)]  # fmt: skip
        output.table(("task", "status", "owner", "waits for", "subject"), rows)
    else:
        output.say("no such task" if graph.tasks else "no tasks: `vaultmem task create SUBJECT`")
    for problem in graph.problems:
        output.note(f"{problem.path}: {problem.message}; {problem.repair}")


def _subject(it: Task) -> str:
    return f"({it.trust}) {it.subject}" if it.trust == TRUST[0] else it.subject


@task.command()
@output.common
@click.argument("task_id", metavar="ID")
def get(task_id: str) -> None:
    """Show the task ID, such as 4 or task-0004."""
    with output.vault() as vault:
        found = vault.tasks.get(task_id)
        graph = vault.tasks.graph()
    output.out(found, lambda: _page(graph, found))


def _page(graph: TaskGraph, it: Task) -> None:
    output.line(f"{it.id}: {it.subject}  ({it.path})", bold=True)
    facts = (it.status, it.owner and f"of {it.owner}", graph.is_ready(it) and "ready")
    output.say(", ".join(x for x in facts if x))
    for word, said in (("result", it.result), ("error", it.error), ("log", it.log)):
        if said:
            output.say(f"{word}: {_came(it, said) if word != 'log' else said}")
    for word, others in (("waits for", it.blocked_by), ("before", it.blocks)):
        for n in others:
            other = graph.tasks.get(n)
            output.say(f"{word} {n}: {_state(other) if other else 'not there'}")
    if it.description:
        output.say(f"\n{it.description}")


def _state(it: Task) -> str:
    came = _came(it, it.result) or (it.error and f"error: {_came(it, it.error)}")
    return f"{it.subject} ({it.status})" + (f": {came}" if came else "")


def _came(it: Task, said: str) -> str:
    """Return what is *said* of how it went, in a fence where a tool said it."""
    from vaultmem.api.rendering import fenced

    return fenced(said, path=it.path, kind="task", trust=it.outcome_trust) if said else ""


COMMANDS = {"task": task}
