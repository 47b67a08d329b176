"""Add to an experience's body what was learnt later; no line that stands there is touched."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.documents.bodies import bullets
from vaultmem.documents.bodies.line_editor import Draft
from vaultmem.documents.bodies.sections import KEY_DECISIONS, LESSONS, TOOLS, USER_FEEDBACK

_APPROACH = "Approach"
_ORDER = (
    "Task",
    _APPROACH,
    "Outcome",
    KEY_DECISIONS.heading,
    USER_FEEDBACK.heading,
    TOOLS.heading,
    LESSONS.heading,
)


def lesson_lines(lessons: Sequence[str]) -> list[str]:
    """Return the bullets that say *lessons*, those left out that say nothing."""
    return [x for it in LESSONS.bullets(lessons) for x in bullets.write(it, LESSONS.parts)]


def added(body: str, approach: Sequence[str], lessons: Sequence[str]) -> str:
    """Return *body* with these lines at the end of the sections that they belong to."""
    draft = Draft(body, _APPROACH, _ORDER)
    draft.add_last(approach)
    draft = Draft(draft.text(), LESSONS.heading, _ORDER)
    draft.add_last(lessons)
    return draft.text()
