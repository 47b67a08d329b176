"""A unified diff as lines to show: what came, what went, and which words of a line changed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["same", "added", "removed", "place", "note"]
MOST = 2000
"""Lines of a diff that a page shows."""
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_SIGNS: dict[str, Kind] = {"+": "added", "-": "removed", " ": "same", "@": "place"}
_ALIKE = 0.4
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Part:
    """Some words of a line, and whether they *changed*."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a diff in its parts."""

    kind: Kind
    parts: tuple[Part, ...]

    @property
    def sign(self) -> str:
        """What stands before it."""
        return {"added": "+", "removed": "\N{MINUS SIGN}", "same": " ", "place": "", "note": ""}[
            self.kind
        ]


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What a diff does to one file; *more* counts the lines that are not shown."""

    path: str
    verb: str
    lines: tuple[Line, ...] = field(default=())
    more: int = 0

    @property
    def added(self) -> int:
        """How many lines came."""
        return sum(line.kind == "added" for line in self.lines)

    @property
    def removed(self) -> int:
        """How many lines went."""
        return sum(line.kind == "removed" for line in self.lines)


def parsed(diff: str | Iterable[str]) -> tuple[FileDiff, ...]:
    """Return the unified *diff* file by file; what is no diff is one file of notes."""
    lines = diff.split("\n") if isinstance(diff, str) else list(diff)
    found, left = [], MOST
    for old, new, body in _files(lines):
        shown = body[:left]
        left -= len(shown)
        path, verb = _named(old, new)
        found.append(FileDiff(path, verb, tuple(_lines(shown)), len(body) - len(shown)))
    return tuple(found)


def between(path: str, was: str, now: str) -> list[str]:
    """Return the lines of the diff from one text of the file at *path* to another."""
    old, new = (text.split("\n") for text in (was, now))
    return list(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm=""))


def _files(lines: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the old and the new name of each file, and the lines between it and the next."""
    old = new = ""
    body: list[str] = []
    for line in lines:
        starts = line.startswith(("--- ", "diff --git ", "rename from "))
        if starts and (body or new):
            yield old, new, body
            old, new, body = "", "", []
        if line.startswith(("--- ", "rename from ")):
            old = line.split(" ", 2 if line[0] == "r" else 1)[-1]
        elif line.startswith(("+++ ", "rename to ")):
            new = line.split(" ", 2 if line[0] == "r" else 1)[-1]
        elif line[:1] in _SIGNS and (new or old):
            body.append(line)
    if body or new:
        yield old, new, body


def _named(old: str, new: str) -> tuple[str, str]:
    was, now = (_bare(name) for name in (old, new))
    if not was or was == "/dev/null":
        return now, "new"
    if now == "/dev/null":
        return was, "removed"
    return (now, "changed") if was == now else (f"{was} → {now}", "moved")


def _bare(name: str) -> str:
    return name.rstrip("\t").strip('"').removeprefix("a/").removeprefix("b/")


def _lines(body: Sequence[str]) -> Iterator[Line]:
    at = 0
    while at < len(body):
        gone = _run(body, at, "-")
        come = _run(body, at + len(gone), "+")
        if gone and len(gone) == len(come):
            pairs = [_compared(a[1:], b[1:]) for a, b in zip(gone, come, strict=True)]
            yield from (Line("removed", was) for was, _ in pairs)
            yield from (Line("added", now) for _, now in pairs)
            at += len(gone) + len(come)
        else:
            yield Line(_SIGNS[body[at][0]], (Part(body[at][body[at][0] != "@" :]),))
            at += 1


def _run(body: Sequence[str], at: int, sign: str) -> list[str]:
    end = at
    while end < len(body) and body[end].startswith(sign):
        end += 1
    return list(body[at:end])


def _compared(was: str, now: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return two lines with the words marked that differ; whole, where little is alike."""
    one, other = _WORD.findall(was), _WORD.findall(now)
    if len(one) + len(other) > _LONGEST:
        return (Part(was),), (Part(now),)
    match = difflib.SequenceMatcher(None, one, other, autojunk=False)
    if match.ratio() < _ALIKE:
        return (Part(was),), (Part(now),)
    left, right = list[Part](), list[Part]()
    for tag, i1, i2, j1, j2 in match.get_opcodes():
        changed = tag != "equal"
        left += [Part("".join(one[i1:i2]), changed)] * (i2 > i1)
        right += [Part("".join(other[j1:j2]), changed)] * (j2 > j1)
    return tuple(left), tuple(right)
