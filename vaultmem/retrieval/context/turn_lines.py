"""Print turns a line each, in a fence that says once what they are and how far they are trusted.

A line begins with when and who, `2023-05-08 13:56 Mara: We open at nine.`; one that goes on right
behind the turn above it, within the hour, without the time. Where room is short the day stands in
its place, `2023-05-08 Mara: We open at nine.`, without the year that the line above it has, once
for the turns of a session. The lines of a text but its first are indented: none of them stands
where another turn begins.
"""

from __future__ import annotations

import re
from typing import Protocol

from vaultmem.documents import plain_letters
from vaultmem.records import PERSON_SOURCES, PERSONS, TRUST_OF_SOURCE, Record
from vaultmem.retrieval.context import fencing

END = "</memory>\n"
_INDENT = "\n  "
_YEAR, _DAY, _HOUR, _MINUTE = 5, 10, 13, 16
_NAME = re.compile(r"(?!.*\d[.-]\d)[^\W\d_](?:[\w .'-]{0,38}[\w.])?")
"""A name that no one takes for a date, and that ends where it seems to."""

ROLES = frozenset({*TRUST_OF_SOURCE, "assistant", "system", "developer", "ai"})
"""Whoever calls himself so might be taken for one who is it: a source, or a part in a chat."""


class Turn(Protocol):
    """A turn to be printed, and the path of the one that it answers or goes on from, if any."""

    @property
    def record(self) -> Record:
        """The turn's memory."""

    @property
    def follows(self) -> str:
        """The path of the turn right before it in its session; "" where that is not known."""

    @property
    def is_brief(self) -> bool:
        """Whether the day is enough of when it was."""


def line(record: Record) -> str:
    """Return a turn as a line of its fence, without when it was: who said it, and what."""
    said = fencing.harmless(fencing.body(record)).splitlines()
    return f"{_speaker(record)}: {_INDENT.join(said)}\n"


def lead(above: Turn | None, turn: Turn) -> str:
    """Return what stands between the line of the turn *above* and that of *turn*.

    That is its fence, where the one above is none of the same trust, and when it was said.
    """
    created = turn.record.created
    when = created[: _DAY if turn.is_brief else _MINUTE].replace("T", " ") + " " * bool(created)
    if above is None:
        return _begin(turn.record) + when
    if above.record.trust != turn.record.trust:
        return END + _begin(turn.record) + when
    same_talk = above.record.session == turn.record.session
    if not same_talk or above.record.created[:_DAY] != created[:_DAY]:
        same_year = above.record.created[:_YEAR] == created[:_YEAR]
        return when[_YEAR:] if turn.is_brief and same_year else when
    same_hour = above.record.created[:_HOUR] == created[:_HOUR]
    goes_on = turn.is_brief or (same_hour and turn.follows == above.record.path)
    return "" if goes_on else when[_DAY:].lstrip()


def _begin(record: Record) -> str:
    return f'<memory trust="{fencing.attribute(record.trust)}">\n'


def _speaker(record: Record) -> str:
    """Return who said a turn, so that it ends at the colon; without a name, by its source.

    Quoted is what could be taken for more than a name: a date, a source that it is not, a role.
    """
    source = _by_source(record)
    name = " ".join(record.speaker.split()) or source
    is_plain = _NAME.fullmatch(name) and plain_letters.as_latin(name).lower() not in ROLES
    quoted = f'"{fencing.attribute(name).replace(":", " ")}"'
    return name if is_plain or name == source else quoted


def _by_source(record: Record) -> str:
    """Return whose words a turn is in: a person's where it has the trust of one."""
    if says_a_person(record):
        return "user"
    return "agent" if record.source in PERSON_SOURCES else record.source or "agent"


def says_a_person(record: Record) -> bool:
    """Tell whether a person said *record*: its file says so, and has a person's trust."""
    return record.source in PERSON_SOURCES and record.trust in PERSONS
