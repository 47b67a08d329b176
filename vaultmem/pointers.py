"""MEMORY.md: a generated list of pointers between two marks, inside a budget; the rest is people's.

Cards, topics, summaries, open tasks, episodes, in that order; what does not fit falls from the end
and is counted in one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from vaultmem.model import TRUST, Record, first_line

PATH = "MEMORY.md"
BEGIN, END = "<!-- vaultmem:begin -->", "<!-- vaultmem:end -->"
MOST_LINES, MOST_BYTES, LONGEST_LINE = 200, 25_000, 150
_LONGEST_TITLE = 60
_GROUPS = (
    ("Cards", "card"),
    ("Topics", "topic"),
    ("Summaries", "summary"),
    ("Open tasks", "task"),
    ("Episodes", "episode"),
)
KINDS = frozenset(kind for _, kind in _GROUPS)


@dataclass(frozen=True, slots=True)
class Size:
    """How much of its budget a MEMORY.md uses; characters of the longest line are not budgeted."""

    lines: int
    bytes: int

    @property
    def share(self) -> float:
        """The larger used share of the two budgets, 1.0 is full."""
        return max(self.lines / MOST_LINES, self.bytes / MOST_BYTES)


def size(text: str) -> Size:
    """Return the size of a MEMORY.md."""
    return Size(len(text.splitlines()), len(text.encode()))


def regenerate(text: str, records: Iterable[Record]) -> str:
    """Return *text* with what stands between the marks made anew from *records*.

    A text without both marks is a person's and comes back as it is.
    """
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        return text
    around = size(head + BEGIN + "\n" + END + tail)
    room = Size(MOST_LINES - around.lines, MOST_BYTES - around.bytes)
    body = "".join(f"{line}\n" for line in _fitted(list(_lines(records)), room))
    return f"{head}{BEGIN}\n{body}{END}{tail}"


def _lines(records: Iterable[Record]) -> Iterator[str]:
    listed = [r for r in records if TRUST.index(r.trust) >= TRUST.index("agent")]
    for heading, kind in _GROUPS:
        group = sorted((r for r in listed if r.type == kind), key=_newest_first, reverse=True)
        if group:
            yield f"## {heading}"
            yield from (pointer(r) for r in group)


def _newest_first(record: Record) -> tuple[bool, str, str, str]:
    return record.tier == "longterm", record.created, record.id, record.path


def pointer(record: Record) -> str:
    """Return the line that points at *record*: `- [Title](path.md): hook`, at most 150 long."""
    title = _plain(first_line(record.title or record.stem, _LONGEST_TITLE))
    if record.agent:
        title = f"{record.agent}: {title}"
    start = f"- [{title}]({_quoted(record.path)})"
    room = LONGEST_LINE - len(start) - len(": ")
    hook = first_line(record.description or record.body, max(room, 0)) if room > 1 else ""
    return f"{start}: {_harmless(hook)}"[:LONGEST_LINE] if hook else start


def targets(text: str) -> list[str]:
    """Return the vault paths that a MEMORY.md points at."""
    from urllib.parse import unquote  # noqa: PLC0415  # 8 ms that only a check pays

    found = re.findall(r"(?m)^\s*[-*] \[[^\]]+\]\(([^)#?]+?\.md)\)", text)
    return [unquote(t) for t in found if "://" not in t and not t.startswith(("/", ".."))]


def _plain(title: str) -> str:
    return title.translate(str.maketrans("[]", "()"))


def _harmless(hook: str) -> str:
    # A description must not be able to end our region or hide in a comment.
    return hook.replace("<!--", "").replace("-->", "")


def _quoted(path: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415  # 8 ms that only a rewrite pays

    return quote(path, safe="/")


def _fitted(lines: Sequence[str], room: Size) -> Sequence[str]:
    """Return the first of *lines* that fit, and a line that counts the pointers left out."""
    if _fits(lines, room):
        return lines
    total = sum(line.startswith("- ") for line in lines)
    for keep in range(len(lines), -1, -1):
        shown = lines[:keep]
        left = total - sum(line.startswith("- ") for line in shown)
        closing = [*shown, f"- and {left} more: `vaultmem recall` finds them"]
        if _fits(closing, room):
            return closing
    return ()


def _fits(lines: Sequence[str], room: Size) -> bool:
    return len(lines) <= room.lines and sum(len(x.encode()) + 1 for x in lines) <= room.bytes
