"""Change in a topic's body what differs between two topics, and no other line.

What is nested in a bullet goes with it. A person's prose and sections stay byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from vaultmem.gist import Topic, bullets
from vaultmem.gist.bullets import LABELS, Bullet
from vaultmem.gist.listing import FACTS, PATTERNS, TOPIC_DECISIONS, TOPIC_RULED_OUT, Listing
from vaultmem.gist.outline import Entry, Line, sections, split, words

T = TypeVar("T")
Found = tuple[Entry, Bullet]
Step = tuple[str, int, int, int, int]

_ORDER = [FACTS.heading, TOPIC_DECISIONS.heading, TOPIC_RULED_OUT.heading, PATTERNS.heading]


def update_topic(body: str, old: Topic, new: Topic) -> str:
    """Return *body* with what changed from *old* to *new*.

    When *old* is what *body* says, the result says *new*. What *body* says besides, a person added
    since: it stays.
    """
    body = _update(body, FACTS, old.facts, new.facts)
    body = _update(body, TOPIC_DECISIONS, old.decisions, new.decisions)
    body = _update(body, TOPIC_RULED_OUT, old.eliminated, new.eliminated)
    return _update(body, PATTERNS, old.patterns, new.patterns)


def _update(body: str, listing: Listing[T], old: Sequence[T], new: Sequence[T]) -> str:
    found = listing.entries(sections(body))
    is_now = [bullet for _, bullet in found]
    meant = _merged(is_now, listing.bullets(old), listing.bullets(new))
    likely = SequenceMatcher(None, _texts(is_now), _texts(meant), autojunk=False).get_opcodes()
    edited = _Edit(body, listing, found).made(meant, likely, _lead(found))
    if [bullet for _, bullet in listing.entries(sections(edited))] == meant:
        return edited
    # For example so crookedly indented that a bullet gone or come moves others out of their depth.
    afresh = [("replace", 0, len(found), 0, len(meant))]
    return _Edit(body, listing, found).made(meant, afresh, "- ")


def _merged(is_now: list[Bullet], old: list[Bullet], new: list[Bullet]) -> list[Bullet]:
    """Return *is_now* with what changed from *old* to *new*."""
    if is_now == old:
        return new
    was, will = ({bullet.text: bullet for bullet in each} for each in (old, new))
    kept = [bullet for bullet in is_now if bullet.text in will or bullet.text not in was]
    known = {*was, *_texts(is_now)}
    changed = [
        will[bullet.text] if was.get(bullet.text) != will.get(bullet.text) else bullet
        for bullet in kept
    ]
    return changed + [bullet for bullet in new if bullet.text not in known]


def _texts(found: Sequence[Bullet]) -> list[str]:
    return [bullet.text for bullet in found]


def _lead(found: Sequence[Found]) -> str:
    """Return what a new bullet begins with, like its neighbours."""
    lead = found[0][0].own[0].lead.rstrip() if found else ""
    return f"{lead} " if lead.endswith(("-", "*", "+")) else "- "


def _resourced(entry: Entry, sources: Sequence[str]) -> str:
    """Return the line of *entry* with other *sources*, its marks and words as they are."""
    text, _ = bullets.unsourced(bullets.own_text(entry))
    return (entry.own[0].lead + bullets.sourced(text, sources)).rstrip()


class _Edit:
    """A body being edited: which lines are replaced, and what comes before which."""

    def __init__(self, body: str, listing: Listing[T], found: Sequence[Found]) -> None:
        self.outline, self.raw = sections(body), split(body)
        self.parts, self.heading = listing.parts, listing.heading
        self.here, self.found = listing.sections(self.outline), found
        self.eol = "\r\n" if self.raw and self.raw[0].endswith("\r\n") else "\n"
        self.replaced: dict[int, str] = {}
        self.inserted: dict[int, list[str]] = {}

    def made(self, meant: Sequence[Bullet], steps: Sequence[Step], lead: str) -> str:
        """Return the body once its bullets say *meant*; *steps* are how to get there."""
        for step, start, stop, first, last in steps:
            there, wanted = self.found[start:stop], meant[first:last]
            if step == "equal":
                for (entry, was), now in zip(there, wanted, strict=True):
                    self._amend(entry, was, now)
            else:
                for entry, _ in there:
                    self._replace(entry.lines)
                self._add(start, [x for b in wanted for x in bullets.write(b, self.parts, lead)])
        return "".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for at, line in enumerate([*self.raw, ""]):
            yield from self.inserted.get(at, ())
            yield self.replaced.get(at, line)

    def _amend(self, entry: Entry, was: Bullet, now: Bullet) -> None:
        """Change the parts of *entry*, whose text stays."""
        if was.sources != now.sources:
            self._replace(entry.own, _resourced(entry, now.sources))
        at, lead = entry.own[-1].at + 1, " " * entry.own[0].indent + "  - "
        for label in LABELS:
            lines = entry.nested.get(label, [])
            if was.labelled(label) != now.labelled(label):
                self._put(lines, at, bullets.labelled(now, label, lines[0].lead if lines else lead))
            at = lines[-1].at + 1 if lines else at

    def _put(self, lines: Sequence[Line], at: int, text: str) -> None:
        """Put *text* in the place of *lines*, or where there are none, before line *at*."""
        if lines:
            self._replace(lines, text)
        else:
            self._insert(at, [text])

    def _add(self, index: int, lines: Sequence[str]) -> None:
        """Put *lines* before the bullet at *index*, or at the end of the section."""
        if not lines:
            return
        if index < len(self.found):
            self._insert(self.found[index][0].own[0].at, lines)
        elif self.found:
            self._insert(self.found[-1][0].lines[-1].at + 1, lines)
        elif self.here:
            self._insert(self.here[0].stop, lines)
        else:
            self._new_section(lines)

    def _new_section(self, lines: Sequence[str]) -> None:
        """Put a section with *lines* before the first that usually comes after it."""
        later = {words(heading) for heading in _ORDER[_ORDER.index(self.heading) + 1 :]}
        places = (s.heading.at for s in self.outline if s.heading and s.name in later)
        at = next(places, len(self.raw))
        above = [""] if at and self.raw[at - 1].strip() else []
        below = [""] if at < len(self.raw) else []
        self._insert(at, [*above, f"## {self.heading}", *lines, *below])

    def _insert(self, at: int, lines: Sequence[str]) -> None:
        if at == len(self.raw) and self.raw and not self.raw[-1].endswith("\n"):
            self.raw[-1] += self.eol
        self.inserted.setdefault(at, []).extend(line + self.eol for line in lines)

    def _replace(self, lines: Sequence[Line], text: str = "") -> None:
        """Put *text* in the place of *lines*; none takes them away."""
        for line in lines:
            self.replaced[line.at] = ""
        if text:
            first = self.raw[lines[0].at]
            self.replaced[lines[0].at] = text + first[len(first.rstrip("\r\n")) :]
