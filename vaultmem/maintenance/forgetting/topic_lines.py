"""A topic's body without the bullets whose sources are all gone, and without links to these.

A line that a person wrote loses the links to the sources that are gone, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from vaultmem.documents.bodies import bullets
from vaultmem.documents.bodies.bullets import LABELS, Bullet, Parts
from vaultmem.documents.bodies.line_editor import Draft
from vaultmem.documents.bodies.sections import FACTS
from vaultmem.documents.markdown.outline import Entry, Line, entries
from vaultmem.storage import reader

_PARTS: Parts = frozenset({*LABELS, "sources"})


@dataclass(frozen=True, slots=True)
class TopicLines:
    """What goes of topics: what names *targets* alone, but for a person's *own* lines."""

    targets: AbstractSet[str]
    own: AbstractSet[str] = frozenset()

    def without(self, body: str) -> str:
        """Return the *body* of a topic without what goes of its bullets."""
        draft = Draft(body, FACTS.heading, [FACTS.heading])
        for section in draft.outline:
            self._edit(draft, section.lines)
        return draft.text()

    def _edit(self, draft: Draft, lines: Sequence[Line]) -> None:
        for entry in entries(lines, LABELS):
            self._edit_entry(draft, entry)
            self._edit(draft, entry.hung)

    def _edit_entry(self, draft: Draft, entry: Entry) -> None:
        theirs = {line.at for line in entry.lines if self._is_own(draft, line)}
        for line in (x for x in entry.lines if x.at in theirs and x not in entry.hung):
            self._unlink(draft, [line])
        ours = [line for line in entry.own if line.at not in theirs]
        if not ours or ours[0] is not entry.own[0]:
            return
        if not self._goes(bullets.read(Entry(ours, entry.nested), _PARTS)):
            self._unlink(draft, ours)
            return
        parts = [x for x in entry.lines if x.at not in theirs and x not in entry.hung]
        draft.replace(parts)
        if len(parts) < len(entry.lines):
            draft.insert(entry.own[0].at, draft.wordless(entry))

    def _is_own(self, draft: Draft, line: Line) -> bool:
        return draft.raw[line.at].removesuffix("\n").removesuffix("\r") in self.own

    def _goes(self, bullet: Bullet) -> bool:
        return bool(bullet.sources) and not [*self._left(bullet.sources)]

    def _left(self, sources: Sequence[str]) -> Iterator[str]:
        return (s for s in sources if reader.link_target(s) not in self.targets)

    def _unlink(self, draft: Draft, lines: Sequence[Line]) -> None:
        """Take the sources that are gone out of the last of *lines*, where they stand."""
        last = lines[-1]
        text, sources = bullets.unsourced(last.text)
        left = [*self._left(sources)]
        if len(left) < len(sources):
            draft.replace([last], (last.lead + bullets.sourced(text, left)).rstrip())
