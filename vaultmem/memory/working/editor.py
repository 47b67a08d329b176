"""Change in a working memory's body what differs between two states, and no other line.

What a person nested in a bullet goes with it; their sections and prose stay byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import TypeVar

from vaultmem.documents.bodies import bullets
from vaultmem.documents.bodies.bullets import BOX, OUTCOMES, Bullet, prose_lines
from vaultmem.documents.bodies.line_editor import Bullets, Draft
from vaultmem.documents.bodies.sections import Listing
from vaultmem.documents.markdown.outline import Entry, Section, sections
from vaultmem.errors import Refused
from vaultmem.memory.working.markdown import (
    GOAL,
    NOTES,
    ORDER,
    STATE,
    STEPS,
    TODOS,
    parse,
    render,
    text,
)
from vaultmem.memory.working.types import Working

T = TypeVar("T")


def update(body: str, new: Working) -> str:
    """Return *body* so that it says *new*, which reads back as it is.

    Raises Refused where its lines are so entangled that this cannot be done.
    """
    made = _prose(body, GOAL, new.goal)
    made = _prose(made, STATE, new.state)
    made = _list(made, STEPS, new.steps)
    made = _list(made, TODOS, new.todos)
    made = _list(made, NOTES, new.scratchpad)
    if render(parse(made)) != render(new):
        raise Refused("its sections cannot be edited line by line: put each bullet on its own line")
    return made


def _prose(body: str, heading: str, meant: str) -> str:
    draft = _Draft(body, heading, ORDER)
    if text(draft.here, heading) == meant:
        return body
    for section in draft.here:
        draft.replace([line for line in section.lines if line.kind != "idle" and line.bare])
    draft.add_last(prose_lines(meant))
    return draft.text()


def _list(body: str, listing: Listing[T], values: Sequence[T]) -> str:
    meant = listing.bullets(values)
    if [bullet for _, bullet in listing.entries(sections(body))] == meant:
        return body
    return Bullets(
        begin=partial(_Draft, body, listing.heading, ORDER),
        read=listing.entries,
        key=attrgetter("name", "text"),
        write=lambda bullet, lead: bullets.write(bullet, listing.parts, lead),
        amend=_amend,
    ).changed(meant)


def _amend(draft: Draft, entry: Entry, was: Bullet, now: Bullet) -> None:
    """Change the box of *entry*, and what came of it; its text stays as it is written."""
    first = entry.own[0]
    if was.mark != now.mark:
        box = BOX.match(first.text)
        rest = first.text[box.end() :] if box else first.text
        draft.replace([first], f"{first.lead}[{now.mark}] {rest}")
    lead = " " * first.indent + "  - "
    came = bullets.labelled(now, "result", lead)
    if came == bullets.labelled(was, "result", lead):
        return
    lines = [line for label in OUTCOMES for line in entry.nested.get(label, ())]
    if lines:
        draft.replace(lines, came)
    else:
        draft.insert(entry.own[-1].at + 1, [came])


class _Draft(Draft):
    """A body in which a section that was emptied is gone."""

    def text(self) -> str:
        """Return the body as it is now."""
        for section in self.here:
            kept = [x for x in section.lines if x.bare and self.replaced.get(x.at) != ""]
            if self.replaced and not kept and not self.inserted:
                self._vanish(section)
        return super().text()

    def _vanish(self, section: Section) -> None:
        """Take *section* away; of the last one also the blank line above it."""
        lines = [line for line in (section.heading, *section.lines) if line]
        start, stop = lines[0].at, lines[-1].at + 1
        if stop == len(self.raw) and start and not self.raw[start - 1].strip():
            start -= 1
        self.replaced.update(dict.fromkeys(range(start, stop), ""))
