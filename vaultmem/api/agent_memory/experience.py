"""What came of a task, as an experience: the way from the plan's steps, the tools from the turns.

Pure: from a `Working` and the turns of its session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.api.agent_memory.plan_steps import is_same
from vaultmem.documents.bodies import Decision, Experience, Outcome
from vaultmem.memory.working import Step, Working
from vaultmem.storage.transcripts import Turn

_BEGUN, _ENDED = "Task begun: ", "Task ended"


def opening(goal: str) -> str:
    """Return the turn that says where in a session a task began."""
    return f"{_BEGUN}{goal}"


def closing(working: Working, outcome: Outcome, shown: str) -> str:
    """Return the turn that says how a task ended, with its working memory as it is *shown*."""
    return f"{_ENDED} ({outcome}): {working.goal}\n\n{shown}".strip()


def tools(turns: Sequence[Turn], goal: str) -> tuple[str, ...]:
    """Return the tools whose results stand in *turns* since the task began, each once, in order."""
    first = opening(goal)
    begun = (n for n, t in enumerate(turns, 1) if t.role == "system" and is_same(t.content, first))
    since = turns[max(begun, default=0) :]
    return tuple(dict.fromkeys(turn.tool for turn in since if turn.role == "tool" and turn.tool))


def last_task(turns: Sequence[Turn]) -> str:
    """Return the goal of the task that a session began last, empty where it began none."""
    begun = (turn.content for turn in reversed(turns) if turn.role == "system")
    return next((text.removeprefix(_BEGUN) for text in begun if text.startswith(_BEGUN)), "")


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
