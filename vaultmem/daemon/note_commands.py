"""The @commands that people write into notes: found as lines, answered directly below.

Pure text. What a quote, a code fence, a comment or the frontmatter holds is no command, so an
answer, which is a quote, never asks anything itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from vaultmem.api.at_commands import not_known
from vaultmem.documents import note_answers
from vaultmem.documents.markdown import code_and_comments

_COMMAND = re.compile(r"(@[a-zA-Z][a-zA-Z-]*)(?=[ \t\r]|$)")
_NAMED = re.compile(
    r"^(remembered |tick what you want in |)(\S[^\n\[\]|]*?)\.md"
    r"(?:(:\d+)(?=  (?:\d{4}-|undated))|()(?=, then |$))",
    re.MULTILINE,
)
"""What `recall`, `remember` and `dream` print of a file."""
_HIDDEN: frozenset[code_and_comments.Kind] = frozenset({"code", "comment", "formula"})

_HEAD_ENDS = frozenset({"---", "..."})


@dataclass(frozen=True, slots=True)
class Question:
    """An @command as it stands on a line, counted from 0."""

    line: int
    command: str

    @property
    def name(self) -> str:
        """What it begins with, in small letters: `@recall`. A phone begins lines with a capital."""
        return self.begins_with.lower()

    @property
    def begins_with(self) -> str:
        """What it begins with, as it is written."""
        found = _COMMAND.match(self.command)
        return found[1] if found else ""


def questions(text: str) -> tuple[Question, ...]:
    """Return the lines of *text* that begin with an @command and have no answer yet."""
    lines = text.split("\n")
    return tuple(
        Question(n, line.lstrip("\ufeff").rstrip())
        for n, line in _open_lines(lines)
        if _COMMAND.match(line.lstrip("\ufeff"))
        and not (n + 1 < len(lines) and lines[n + 1].startswith(note_answers.MARK))
    )


def _open_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines, by their number, that are read: not frontmatter, fences or comments."""
    first = _first(lines)
    hidden = code_and_comments.lines("\n".join(lines[first:]), _HIDDEN, to_the_end=True)
    for n in range(first, len(lines)):
        if n - first not in hidden:
            yield n, lines[n].rstrip("\r")


def _first(lines: Sequence[str]) -> int:
    """Return the number of the first line behind the frontmatter, if there is any."""
    if lines[0].lstrip("\ufeff").rstrip() != "---":
        return 0
    ends = (n for n, line in enumerate(lines) if n and line.rstrip() in _HEAD_ENDS)
    return next(ends, -1) + 1


def unknown(name: str, known: Collection[str]) -> str:
    """Return what to answer to an @command *name* that is none of the *known* ones."""
    return f"{not_known(name, known)}there are {', '.join(sorted(known))}"


def linked(answer: str) -> str:
    """Return *answer* with links to the files that it names at the beginning of a line."""
    return _NAMED.sub(r"\1[[\2]]\3", answer)


def answered(text: str, question: Question, answer: str, when: datetime) -> str:
    """Return *text* with *answer* as a callout directly below the *question*.

    Nothing else changes; a line that follows at once is parted from the callout by an empty one,
    or it would be read as part of the quote.
    """
    lines = text.split("\n")
    end = "\r" if lines[question.line].endswith("\r") else ""
    callout = f"{note_answers.MARK} {when.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    quoted = (f"> {line}".rstrip() for line in answer.strip().splitlines())
    below = [line + end for line in (callout, *quoted)]
    rest = lines[question.line + 1 :]
    if not rest:  # the file ends without a newline
        rest = [""]
        lines[question.line] += end
    elif rest[0].strip():
        below.append(end)
    return "\n".join([*lines[: question.line + 1], *below, *rest])
