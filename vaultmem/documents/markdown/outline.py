"""See a Markdown body as a person does: sections with bullets and what hangs on these.

Nothing here fails. What is no heading and no bullet is prose; headings and bullets in fenced code
are none. Lines keep their numbers, so that an editor of the body finds them again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from vaultmem.documents.markdown import code_and_comments

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HEADING = re.compile(r"(#{1,6})(?!\S)")
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|\Z)")
_IDLE = re.compile(r"([-*_])(?:\s*\1){2,}|<!--.*-->")
_LABEL = re.compile(r"(\*\*|__|\*|_|)(\w+(?:\s+\w+){0,2})(?:\s*:\1|\1\s*:)\s*(.*)")
_NESTED = 2
AKIN = 0.5
"""The least share of their words that a text and its later wording have in common."""
_CODE_INDENT = 4

Kind = Literal["heading", "bullet", "prose", "idle"]


class Line(NamedTuple):
    """One line: its place in the body, what it is, and what stands before its text."""

    at: int
    kind: Kind
    lead: str
    text: str

    @property
    def indent(self) -> int:
        """How many columns stand before the first mark."""
        lead = self.lead.expandtabs(4)
        return len(lead) - len(lead.lstrip())

    @property
    def bare(self) -> str:
        """The whole line without the space around it."""
        return (self.lead + self.text).strip()

    def label(self) -> tuple[str, str]:
        """Return a bullet's label in lower case, `why` of `**Why:** rain`, and what follows it."""
        found = _LABEL.match(self.text) if self.kind == "bullet" else None
        return (words(found[2]), found[3]) if found else ("", self.text)


@dataclass(frozen=True, slots=True)
class Entry:
    """A bullet with all that hangs on it: its own lines, and by label those nested in it.

    Nested lines without a label that counts are under "".
    """

    own: list[Line]
    nested: dict[str, list[Line]] = field(default_factory=dict)

    @property
    def hung(self) -> list[Line]:
        """What is nested in it and is no part of it: a person's, each a thing of its own."""
        return self.nested.get("", [])

    @property
    def lines(self) -> list[Line]:
        """Every line of it, in order."""
        nested = [line for lines in self.nested.values() for line in lines]
        return sorted([*self.own, *nested], key=lambda line: line.at)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the lines below it, to the next heading of whatever level."""

    heading: Line | None
    lines: list[Line] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The words of the heading, however they are set; "" before the first heading."""
        return words(self.heading.text) if self.heading else ""

    @property
    def is_title(self) -> bool:
        """Whether the heading is of the highest level."""
        return self.heading is not None and not self.heading.text.startswith("##")

    @property
    def stop(self) -> int:
        """The place behind the last line that is not blank."""
        last = next((line for line in reversed(self.lines) if line.bare), self.heading)
        return last.at + 1 if last else 0

    def prose(self) -> list[str]:
        """Return the lines that hold text, bullets with their marks."""
        return [line.bare for line in self.lines if line.kind != "idle" and line.bare]


def split(body: str) -> list[str]:
    """Return the lines of *body* with their ends; only a newline ends one."""
    return _LINE.findall(body)


def words(text: str) -> str:
    """Return *text* in lower case, without what is no word."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def likeness(one: str, two: str) -> float:
    """Return the share of the words of both that they have in common."""
    if one == two:
        return 1.0
    mine, yours = set(words(one).split()), set(words(two).split())
    return 0.99 * len(mine & yours) / max(len(mine | yours), 1)


def sections(body: str) -> list[Section]:
    """Return the sections of *body*; the first has no heading."""
    found = [Section(None)]
    raw = split(body)
    fenced = code_and_comments.lines(body, {"code"}, to_the_end=False)
    for at, text in enumerate(raw):
        line = Line(at, "idle", "", text.strip()) if at in fenced else _line(at, text.rstrip())
        if line.kind == "heading":
            found.append(Section(line))
        else:
            found[-1].lines.append(line)
    return found


def entries(lines: Sequence[Line], labels: Collection[str]) -> list[Entry]:
    """Return the bullets among *lines*; *labels* are those that count in a nested one.

    An indented line right below a bullet goes on with its text.
    """
    found: list[Entry] = []
    current: list[Line] | None = None
    for line in lines:
        if line.kind == "bullet":
            current = _place(line, found, labels)
            current.append(line)
        elif current is not None and line.kind == "prose" and line.text and line.indent > 0:
            current.append(line)
        else:
            current = None
    return found


def lead(line: str) -> str:
    """Return the mark of the bullet that *line* is, with the space around it; "" for none."""
    found = _BULLET.match(line)
    return found[0] if found else ""


def own_lines(lines: Sequence[str]) -> int:
    """Return how many of a bullet's *lines* are its own: what comes after is nested in it."""
    return next((n for n, line in enumerate(lines) if n and lead(line)), len(lines))


def _place(bullet: Line, found: list[Entry], labels: Collection[str]) -> list[Line]:
    """Return the lines that *bullet* belongs with: a new entry's, or some within the last one."""
    label = bullet.label()[0] if bullet.label()[0] in labels else ""
    depth = bullet.indent - found[-1].own[0].indent if found else 0
    # Markdown wants two columns; one is a slip where the label leaves no doubt.
    if depth >= _NESTED or (label and depth > 0):
        return found[-1].nested.setdefault(label, [])
    found.append(Entry([]))
    return found[-1].own


def _line(at: int, text: str) -> Line:
    bare = text.lstrip()
    lead = text[: len(text) - len(bare)]
    kind: Kind = "prose"
    if _HEADING.match(bare) and len(lead) < _CODE_INDENT:
        kind = "heading"
    elif _IDLE.fullmatch(bare):
        kind = "idle"
    elif bullet := _BULLET.match(text):
        return Line(at, "bullet", bullet[0], text[bullet.end() :])
    return Line(at, kind, lead, bare)
