"""Where fenced code, comments and formulas stand in a Markdown text.

What begins first hides what begins in it. One that begins a line and never ends goes on to the end
of the text, as Markdown has it; whoever would lose words by that takes it for none. A comment in
the middle of a line ends within its paragraph, or is none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

Kind = Literal["code", "comment", "formula"]

# A span of code on one line is passed over: a mark in it begins nothing.
_OPENING = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})"
    r"|(?<!`)(`{1,2})(?!`)[^`\n]+\3(?!`)"
    r"|(?P<mark>%%|<!--|\$\$)",
    re.MULTILINE,
)
_FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})[ \t\r]*$", re.MULTILINE)
_ENDS = {"%%": "%%", "<!--": "-->", "$$": "$$"}
_GAP = re.compile(r"\n[ \t\r]*\n")
_BLANK = re.compile(r"\s*")
_CODE_INDENT = 4


class Part(NamedTuple):
    """A part of a text, `text[first:last]`, with the marks around it.

    It *leads* where nothing but other such parts stands before it on its line.
    """

    kind: Kind
    first: int
    last: int
    leads: bool


def parts(text: str, *, to_the_end: bool) -> Iterator[Part]:
    """Yield the parts in their order; *to_the_end* says what one that never ends is: the rest."""
    ends = _Ends(text)
    at = clear = looked = line = 0
    while found := _OPENING.search(text, at):
        at = found.end()
        if not (mark := found["fence"] or found["mark"]):
            continue
        first = found.start() + len(found["indent"] or "")
        line, looked = max(line, text.rfind("\n", looked, first) + 1), first
        leads = _BLANK.fullmatch(text, max(line, clear), first) is not None
        last = ends.of_fence(found) if found["fence"] else ends.of_mark(found, leads=leads)
        if last < 0 and to_the_end and leads and not _is_deep(found["indent"] or ""):
            last = len(text)
        if last >= 0:
            yield Part(_kind(mark), first, last, leads)
            at, clear = last, last if leads else clear


def lines(text: str, kinds: Collection[Kind], *, to_the_end: bool) -> frozenset[int]:
    """Return the lines of *text*, counted from 0, that a part of one of *kinds* begins or fills."""
    found, number, at = set[int](), 0, 0
    for part in parts(text, to_the_end=to_the_end):
        if part.kind in kinds:
            number, at = number + text.count("\n", at, part.first), part.first
            stop = number + text.count("\n", at, part.last) + 1
            found.update(range(number + (not part.leads), stop))
    return frozenset(found)


class _Ends:
    """Looks for the ends; what is not there it looks for once, however many openings there are."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._paragraph = 0
        self._none_before = dict[str, int]()
        self._endless = dict[tuple[str, bool], int]()

    def of_mark(self, opening: re.Match[str], *, leads: bool) -> int:
        """Return where the part of the *opening* ends, -1 for nowhere."""
        mark = opening["mark"]
        if mark == "$$" and not leads:
            return -1
        stop = len(self._text) if leads else self._paragraph_end(opening.end())
        if self._none_before.get(mark, 0) >= stop:
            return -1
        at = self._text.find(_ENDS[mark], opening.end(), stop)
        if at < 0:
            self._none_before[mark] = stop
            return -1
        return at + len(_ENDS[mark])

    def of_fence(self, opening: re.Match[str]) -> int:
        """Return where the code of the *opening* ends, -1 for nowhere: at as many signs, or more.

        What is indented like code ends only what is, too: the code of a point in a list.
        """
        fence, is_deep = opening["fence"], _is_deep(opening["indent"])
        known = fence[0], is_deep
        if known not in self._endless or len(fence) < self._endless[known]:
            for found in _FENCE.finditer(self._text, opening.end()):
                if found[2].startswith(fence) and (is_deep or not _is_deep(found[1])):
                    return found.end()
            self._endless[known] = len(fence)
        return -1

    def _paragraph_end(self, at: int) -> int:
        if at >= self._paragraph:
            gap = _GAP.search(self._text, at)
            self._paragraph = gap.start() if gap else len(self._text)
        return self._paragraph


def _kind(mark: str) -> Kind:
    if mark in _ENDS:
        return "formula" if mark == "$$" else "comment"
    return "code"


def _is_deep(indent: str) -> bool:
    return len(indent.expandtabs(_CODE_INDENT)) >= _CODE_INDENT
