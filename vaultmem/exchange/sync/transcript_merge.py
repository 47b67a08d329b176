"""Two transcripts of one session: every turn of both, each number one line.

What is published keeps its numbers: their turns stand first, ours follow. A transcript is only
added to, and so it is for everybody who has theirs already; a talk that went on in two places at
once is told one place after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vaultmem.exchange.sync.types import Versions
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.transcript_lines import fields, numbered, split


@dataclass(frozen=True, slots=True)
class MergedTranscript:
    """The lines of both sides; *moved* is what our turns behind *common* are called now."""

    data: bytes
    common: int
    moved: Mapping[int, int]

    def place(self, turn: int) -> int:
        """Return the number that our *turn* has now."""
        return self.moved.get(turn, turn)

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Return where our turns from *first* to *last* are now, None when they were parted."""
        places = [self.place(n) for n in range(first, last + 1)]
        whole = list(range(places[0], places[0] + len(places))) if places else []
        return (places[0], places[-1]) if places and places == whole else None


def merge(sides: Versions) -> MergedTranscript:
    """Return the transcript with the turns of both sides; neither side may be absent."""
    base, ours, theirs = (split(x or b"") for x in (sides.base, sides.ours, sides.theirs))
    common = min(len(base), len(ours), len(theirs))
    head = [_changed(*three) for three in zip(base, ours, theirs, strict=False)][:common]
    made = [*head, *theirs[common:]]
    known = {origin: n for n, line in enumerate(made, 1) if (origin := _origin(line))}
    moved: dict[int, int] = {}
    for number, line in enumerate(ours[common:], common + 1):
        if (origin := _origin(line)) and known.get(origin, 0) > common:
            moved[number] = known[origin]  # an import of the same talk on both machines
            continue
        made.append(numbered(line, len(made) + 1))
        moved[number] = len(made)
    return MergedTranscript(b"".join(line + b"\n" for line in made), common, moved)


def _changed(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Return a line that both have: what was forgotten on either side stays so."""
    if ours == base or fields(theirs).get("content") == MARK:
        return theirs
    return ours


def _origin(line: bytes) -> str:
    said = fields(line)
    origin = said.get("origin")
    return f"{said.get('role')}\n{origin}" if isinstance(origin, str) and origin else ""
