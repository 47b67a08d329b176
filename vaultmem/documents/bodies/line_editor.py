"""A body being edited line by line: which lines are replaced, and what comes before which.

What nobody names stays byte for byte. Parts of a bullet go with it; what a person hung on it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Generic, TypeVar

from vaultmem.documents.markdown.outline import (
    AKIN,
    Entry,
    Line,
    Section,
    lead,
    likeness,
    sections,
    split,
    words,
)

T = TypeVar("T")
_Step = tuple[str, int, int, int, int]


class Draft:
    """A body being edited in the sections of one heading."""

    def __init__(self, body: str, heading: str, order: Sequence[str]) -> None:
        """Begin with *body*; *order* is that of the headings, *heading* among them."""
        self.raw, self.outline = split(body), sections(body)
        self.here = [section for section in self.outline if section.name == words(heading)]
        self._heading, self._order = heading, order
        self._eol = "\r\n" if self.raw and self.raw[0].endswith("\r\n") else "\n"
        self.replaced: dict[int, str] = {}
        self.inserted: dict[int, list[str]] = {}

    def text(self) -> str:
        """Return the body as it is now."""
        return "".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for at, line in enumerate([*self.raw, ""]):
            yield from self.inserted.get(at, ())
            yield self.replaced.get(at, line)

    def replace(self, lines: Sequence[Line], text: str = "") -> None:
        """Put *text* in the place of *lines*; none takes them away."""
        for line in lines:
            self.replaced[line.at] = ""
        if text:
            first = self.raw[lines[0].at]
            self.replaced[lines[0].at] = text + first[len(first.rstrip("\r\n")) :]

    def insert(self, at: int, lines: Sequence[str]) -> None:
        """Put *lines* before line *at* of the body as it was."""
        if not lines:
            return
        if at == len(self.raw) and self.raw and not self.raw[-1].endswith("\n"):
            self.raw[-1] += self._eol
        self.inserted.setdefault(at, []).extend(line + self._eol for line in lines)

    def add(self, found: Sequence[Entry], index: int, lines: Sequence[str]) -> None:
        """Put *lines* before the bullet at *index* of those *found*, or behind the last one."""
        if index < len(found):
            self.insert(found[index].own[0].at, lines)
        elif found:
            self.insert(found[-1].lines[-1].at + 1, lines)
        else:
            self.add_last(lines)

    def drop(self, entry: Entry) -> None:
        """Take a bullet and its parts away; what a person hung on it stays."""
        self.replace([line for line in entry.lines if line not in entry.hung])

    def wordless(self, entry: Entry) -> list[str]:
        """Return the mark of a bullet alone; right below prose it would make that a heading."""
        above = self.raw[entry.own[0].at - 1] if entry.own[0].at else ""
        is_prose = above.strip() and not (lead(above) or above.startswith("#"))
        return [*([""] if is_prose else []), entry.own[0].lead.rstrip()]

    def add_last(self, lines: Sequence[str]) -> None:
        """Put *lines* at the end of the section, which is made where there is none."""
        if self.here and lines:
            self.insert(self.here[0].stop, lines)
        elif lines:
            self._new_section(lines)

    def _new_section(self, lines: Sequence[str]) -> None:
        """Put a section with *lines* before the first that usually comes after it."""
        later = {words(heading) for heading in self._order[self._order.index(self._heading) + 1 :]}
        places = (s.heading.at for s in self.outline if s.heading and s.name in later)
        at = next(places, len(self.raw))
        above = [""] if at and self.raw[at - 1].strip() else []
        below = [""] if at < len(self.raw) else []
        self.insert(at, [*above, f"## {self._heading}", *lines, *below])


@dataclass(frozen=True, slots=True)
class Bullets(Generic[T]):
    """What the bullets of a section say, and how that is written.

    *begin* drafts the body anew. *key* is what makes a bullet the same one when the rest of it
    changes; *amend* changes that rest, *write* gives the lines of a new bullet behind its lead.
    """

    begin: Callable[[], Draft]
    read: Callable[[Sequence[Section]], list[tuple[Entry, T]]]
    key: Callable[[T], Hashable]
    write: Callable[[T, str], list[str]]
    amend: Callable[[Draft, Entry, T, T], None]

    def changed(self, meant: list[T]) -> str:
        """Return the body once its bullets say *meant*."""
        found = self.read(self.begin().outline)
        keys = [self.key(it) for _, it in found], [self.key(it) for it in meant]
        likely = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
        made = self._stepped(found, meant, likely, _lead(found))
        if [it for _, it in self.read(sections(made))] == meant:
            return made
        # For example so crookedly indented that a bullet gone or come moves others out of their
        # depth.
        return self._stepped(found, meant, [("replace", 0, len(found), 0, len(meant))], "- ")

    def _stepped(
        self, found: list[tuple[Entry, T]], meant: list[T], steps: Sequence[_Step], lead: str
    ) -> str:
        """Return the body after *steps* from the bullets *found* to those *meant*."""
        draft, entries = self.begin(), [entry for entry, _ in found]
        for step, start, stop, first, last in steps:
            there, wanted = found[start:stop], meant[first:last]
            if step == "equal":
                for (entry, was), now in zip(there, wanted, strict=True):
                    self.amend(draft, entry, was, now)
            else:
                left = self._hung_on(draft, there, wanted, lead)
                at = start if len(left) == len(wanted) else stop
                draft.add(entries, at, self._written(left, lead))
        return draft.text()

    def _hung_on(
        self, draft: Draft, gone: list[tuple[Entry, T]], wanted: list[T], mark: str
    ) -> list[T]:
        """Take away those *gone*; return which of those *wanted* have no place yet.

        What a person hung on one of them hangs on its like, else on a bullet without words.
        """
        done = 0
        for entry, was in gone:
            draft.drop(entry)
            if entry.hung:
                like = self._like(was, wanted[done:])
                lines = self._written(wanted[done : done + like], mark)
                draft.insert(entry.hung[0].at, lines or draft.wordless(entry))
                done += like
        return wanted[done:]

    def _like(self, was: T, wanted: list[T]) -> int:
        """Return how many of those *wanted* come up to what says anew what *was*, 0 for none."""
        found = [likeness(f"{self.key(was)}", f"{self.key(it)}") for it in wanted]
        best = max(found, default=0.0)
        return found.index(best) + 1 if best >= AKIN else 0

    def _written(self, wanted: list[T], mark: str) -> list[str]:
        return [line for it in wanted for line in self.write(it, mark)]


def _lead(found: Sequence[tuple[Entry, object]]) -> str:
    """Return what a new bullet begins with, like its neighbours."""
    lead = found[0][0].own[0].lead.rstrip() if found else ""
    return f"{lead} " if lead.endswith(("-", "*", "+")) else "- "
