"""What the program answered in a person's note: callouts, of which no other line is ours."""

from __future__ import annotations

from collections.abc import Iterator

MARK = "> [!vaultmem]"
"""Begins an answer, which goes on for as long as the lines are of its quote."""

LEAD = "> "


def are_in(text: str) -> bool:
    """Tell whether *text* has an answer."""
    return any(is_ours for _, is_ours in lines(text)) if MARK in text else False


def lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each line of *text* with its end, and whether it is an answer's."""
    is_ours = False
    for line in text.splitlines(keepends=True):
        is_ours = line.startswith(MARK) or (is_ours and line.startswith(">"))
        yield line, is_ours


def own(text: str) -> str:
    """Return *text* without the answers in it."""
    if MARK not in text:
        return text
    return "".join(line for line, is_ours in lines(text) if not is_ours)


def without_questions(text: str) -> str:
    """Return *text* without the lines that were answered in it: who asks says nothing."""
    if MARK not in text:
        return text
    every = text.splitlines(keepends=True)
    below = [*every[1:], ""]
    return "".join(x for x, it in zip(every, below, strict=True) if not it.startswith(MARK))


def told(text: str) -> str:
    """Return the answers in *text* alone, without the marks of the quotes that they are."""
    every = lines(text) if MARK in text else ()
    return "".join(line.removeprefix(LEAD) for line, is_ours in every if is_ours)


def instead(line: str, mark: str) -> str:
    """Return what stands for a *line* of an answer that is taken out: a *mark*."""
    end = line[len(line.rstrip("\r\n")) :]
    return f"{LEAD}{mark}{end}"
