"""`experience`: keep what came of a task."""

from __future__ import annotations

from functools import partial

import click

from vaultmem.cli import output

_OUTCOMES = ("success", "partial", "failure", "feedback", "preference", "tool")
_many = partial(click.option, multiple=True, metavar="TEXT")


@click.command()
@output.common
@click.argument("task", nargs=-1, required=True)
@click.option("--outcome", required=True, type=click.Choice(_OUTCOMES),
              help="How it ended; or that a preference or tool was new.")  # fmt: skip
@click.option("--approach", default="", help="How it was done, one step per line.")
@click.option("--result", default="", help="The result in words.")
@_many("--decision", "decisions", help="A decision; `what: why` gives its reason.")
@_many("--feedback", help="What the user said about it.")
@_many("--tool", "tools", help="A tool that was used.")
@_many("--lesson", "lessons", help="What to repeat or do differently next time.")
@click.option("--session", default="", help="The session in which it was done.")
@output.agent("The agent who remembers it.")
@click.option(
    "--at", default="", help="When it was done, such as 2026-11-20 or 2026-11-20T10:15:00Z."
)
@click.option("--importance", type=float, help="From 0 to 1; by default from the outcome.")
@click.option("--redact", is_flag=True, help="Blank out secrets instead of refusing the text.")
def experience(  # noqa: PLR0913
    task: tuple[str, ...], outcome: str, approach: str, result: str, decisions: tuple[str, ...],
    feedback: tuple[str, ...], tools: tuple[str, ...], lessons: tuple[str, ...], session: str,
    agent: str, at: str, importance: float | None, *, redact: bool,
) -> None:  # fmt: skip
    """Record what came of TASK, for the next one like it.

    Call it when a task is over, not at every turn. Text between <private> and </private> is not
    stored.
    """
    from dataclasses import replace
    from typing import cast

    from vaultmem.api.types import Experience, ExperienceOutcome, decisions_of
    from vaultmem.records import moment

    kept = Experience(
        " ".join(task),
        cast("ExperienceOutcome", outcome),
        approach.replace("\\n", "\n"),
        result,
        decisions_of(decisions, redact=redact),
        feedback,
        tools,
        lessons,
    )
    with output.vault() as vault:
        made = vault.experiences.add(
            kept, agent=agent, session=session, at=moment(at) if at else None, weight=importance,
            redact=redact,
        )  # fmt: skip
        made = replace(made, commit=vault.history.commit_pending().get(made.id))
    word = "known already:" if made.known else "kept"
    output.wrote(made, lambda: output.line(f"{word} {made.path}"))


COMMANDS = {"experience": experience}
