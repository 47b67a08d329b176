"""A working memory as a prompt shows it: how far the work is, and nothing twice."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from hashlib import sha256

from vaultmem.documents.frontmatter import Value
from vaultmem.documents.markdown.outline import sections, words

MOST_ITERATIONS = 20
"""The steps that a task may take unless its developer says otherwise."""

_LONGEST = 9
_DIGITS = 12
_WORD, _BOX = re.compile(r"\w+"), re.compile(r"\[[^\]\n]\] ")
_RESULT = re.compile(r"(?m)^\s+- \*\*(?:Result|Error):\*\* (.+?)[ \t\r]*$")
_ENTRY = re.compile(r"(?m)^- `+[^`]+`+: (.+?)[ \t\r]*(?:\n|\Z)")


def progress(iteration: int, most: int) -> str:
    """Return how far the work is: the steps that came to an end, of those it may take."""
    return f"Progress: step {iteration} of {most}"


def shown(head: Mapping[str, Value], body: str) -> str:
    """Return the *body* of a working memory, whose frontmatter is *head*, for a prompt.

    How far the work is stands before it. A finding that a result of the plan says in the same words
    is left out.
    """
    results = set(_RESULT.findall(body))
    once = _ENTRY.sub(lambda entry: "" if entry[1] in results else entry[0], body)
    iteration = number(head.get("iteration")) or 0
    if not iteration and all(section.name != words("Goal") for section in sections(body)):
        return once
    most = number(head.get("max_iterations")) or MOST_ITERATIONS
    return f"{progress(iteration, most)}\n\n{once}"


def mark(line: str) -> str:
    """Return what a *line* is known by, by its words alone, "" where it has none."""
    words_of_it = _WORD.findall(_BOX.sub(" ", line).casefold())
    return sha256(" ".join(words_of_it).encode()).hexdigest()[:_DIGITS] if words_of_it else ""


def divided(body: str, marks: Collection[str]) -> tuple[str, str]:
    """Return the lines of *body* that are the agent's, and those that *marks* say are a tool's.

    Each stands below its heading; what has no line any more has no heading either.
    """
    parts, headings = (list[str](), list[str]()), ["", ""]
    for line in body.splitlines():
        if line.startswith("#"):
            headings = [line, line]
            continue
        side = int(mark(line) in marks)
        if headings[side] and line.strip():
            parts[side].append(headings[side])
            headings[side] = ""
        parts[side].append(line)
    own, told = ("\n".join(lines) for lines in parts)
    return own, told


def number(value: Value | None) -> int | None:
    """Return the number that *value* says, `4` or `[[task-0004]]`; None for none."""
    bare = value.strip().strip("[]").removeprefix("task-") if isinstance(value, str) else ""
    # More digits than a person counts to are no number of ours.
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) <= _LONGEST else None
