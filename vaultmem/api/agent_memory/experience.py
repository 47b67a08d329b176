"""What came of a task, as an experience: the way from the plan's steps, the tools from the turns.

Pure: from a `Working` and the turns of its session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vaultmem.documents.bodies import Decision, Experience, Outcome
from vaultmem.memory.working import Step, Working
from vaultmem.storage.transcripts import Turn


def tools(turns: Iterable[Turn]) -> tuple[str, ...]:
    """Return the tools whose results stand in *turns*, each once, in order."""
    return tuple(dict.fromkeys(turn.tool for turn in turns if turn.role == "tool" and turn.tool))


def experience(  # noqa: PLR0913  # what is known beside it, by name
    working: Working,
    outcome: Outcome,
    *,
    result: str = "",
    decisions: Sequence[Decision] = (),
    feedback: Sequence[str] = (),
    lessons: Sequence[str] = (),
    tools: Sequence[str] = (),
) -> Experience:
    """Return what came of the task at work; its approach is the steps that were gone.

    Without a *result* that of the last step stands for it.
    """
    return Experience(
        working.goal,
        outcome,
        "\n".join(_gone(working.steps)),
        result or next((s.result for s in reversed(working.steps) if s.result), ""),
        tuple(decisions),
        tuple(feedback),
        tuple(tools),
        tuple(lessons),
    )


def _gone(steps: Sequence[Step]) -> Iterator[str]:
    """Yield the steps that were gone, a line each; one that failed says why."""
    for step in steps:
        text = " ".join(step.text.split())
        if step.status == "done":
            yield text
        elif step.status == "failed":
            yield f"{text} (failed: {' '.join(step.result.split())})"
