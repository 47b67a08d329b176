"""What happens to the plan of a task: it begins, a step comes to its end, the next one is at work.

Pure: from one `Working` to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vaultmem.errors import BadInput, Refused
from vaultmem.memory.task_turns import is_same
from vaultmem.memory.working import LONGEST_FINDING, MOST_ITERATIONS, Step, Working, finding, noted
from vaultmem.records import first_line

_KEY = 60


def begun(  # noqa: PLR0913  # what a task begins with, by name
    working: Working,
    goal: str,
    steps: Sequence[str],
    *,
    session: str,
    task: int | None,
    max_iterations: int = MOST_ITERATIONS,
) -> Working:
    """Return *working* with a task at work, its first step begun.

    The same *goal* again goes on where it was. Raises Refused while another task is at work.
    """
    if is_same(working.goal, goal):
        return replace(working, task=working.task if task is None else task)
    if working.goal:
        raise Refused(
            f"{working.goal!r} is still in progress: first say how it ended, as a success, "
            "partial or a failure"
        )
    plan = _advanced(tuple(Step(text) for text in steps))
    return replace(
        working, goal=goal, steps=plan, iteration=0, max_iterations=max_iterations,
        session=session, task=task,
    )  # fmt: skip


def completed(working: Working, step: int | str, *, result: str, error: str) -> Working:
    """Return *working* with one *step* done, or failed where there is an *error*.

    *step* is its number, from 1, or its text; a text that is in no plan yet is one step more, for
    plans change as they are carried out. An error, and what of a result the steps after it may
    need, stand in the scratchpad, too: a plan changes, and a step that is tried again says what
    came of it last. Raises BadInput without a task or for a number too many.
    """
    if not working.goal:
        raise BadInput("no task is in progress: begin one with its goal")
    steps, at = _with_step(working.steps, step)
    done = replace(steps[at], status="failed" if error else "done", result=error or result)
    steps = _advanced((*steps[:at], done, *steps[at + 1 :]))
    return _ended(replace(working, steps=steps), done)


def planned(working: Working, steps: Sequence[Step]) -> Working:
    """Return *working* with *steps* as its whole plan; those that are new at their end count."""
    now = replace(working, steps=tuple(steps))
    for step in steps:
        if step.status in {"done", "failed"} and step not in working.steps:
            now = _ended(now, step)
    return now


def _ended(working: Working, step: Step) -> Working:
    """Count a *step* that came to its end, and keep what it found."""
    now = replace(working, iteration=working.iteration + 1)
    key = first_line(step.text, _KEY)
    if step.status == "failed":
        return noted(now, f"{key} (failed)", first_line(step.result, LONGEST_FINDING))
    return noted(now, key, found) if (found := finding(step.result)) else now


def _with_step(steps: tuple[Step, ...], wanted: int | str) -> tuple[tuple[Step, ...], int]:
    """Return the steps, with the one that is *wanted* among them, and where it stands, from 0."""
    if isinstance(wanted, int):
        if not 1 <= wanted <= len(steps):
            raise BadInput(f"there is no step {wanted}: the plan has {len(steps)}, from 1")
        return steps, wanted - 1
    if not wanted:
        raise BadInput("which step? name it by its number or its text")
    same = [n for n, step in enumerate(steps) if is_same(step.text, wanted)]
    still_open = [n for n in same if steps[n].status in {"pending", "in_progress"}]
    if same:
        return steps, (still_open or same[-1:])[0]
    return (*steps, Step(wanted)), len(steps)


def _advanced(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return *steps* with the first that waits at work, unless one is."""
    if any(step.status == "in_progress" for step in steps):
        return steps
    at = next((n for n, step in enumerate(steps) if step.status == "pending"), len(steps))
    return (*steps[:at], *(replace(s, status="in_progress") for s in steps[at : at + 1]),
            *steps[at + 1 :])  # fmt: skip
