"""The marks by which a file says that a part of it is less trusted than the file: a tool said it.

What came of a task may stand in a tool's words, and so may lines of a working memory. Whoever is
handed such a file as it is, is handed it by the least of what is in it.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.records import TRUST

OUTCOME = frozenset({"result", "error"})
"""The lines of a task's file that say what came of it."""

OUTCOME_TRUST = "outcome_trust"
"""The line of a task's file that says that its result, or its error, is in a tool's words."""

TOOL_LINES = "tool_lines"
"""The line that says which lines of a body are, each by its mark.

A working memory has it, and a file that is untrusted for them.
"""

HEAD = "frontmatter"
"""Stands there for what a tool had said of a file above its body, or in its name."""

MAY_QUOTE = frozenset({"working", "task"})
"""Types of notes that may hold what a tool answered, however trusted they are."""


def least(trust: str, head: Mapping[str, object]) -> str:
    """Return the least trust of what is in a file of that *trust* with the frontmatter *head*."""
    is_told = OUTCOME_TRUST in head or bool(head.get(TOOL_LINES))
    return TRUST[0] if is_told else trust


def of_the_rest(head: Mapping[str, object]) -> Mapping[str, object]:
    """Return what *head* says of the lines of a working memory that no mark says are a tool's.

    Beside such marks the program writes the trust of the marked lines.
    """
    return {k: v for k, v in head.items() if k != "trust"} if head.get(TOOL_LINES) else head


def told_keys(head: Mapping[str, object]) -> frozenset[str]:
    """Return the keys of *head* whose words are a tool's; without them it says nothing of it."""
    return OUTCOME | {OUTCOME_TRUST} if OUTCOME_TRUST in head else frozenset()
