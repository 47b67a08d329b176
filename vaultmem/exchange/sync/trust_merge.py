"""What a merged file is worth: no more than either side of it, whoever changed what.

One side may tidy a tool's words away and clear the mark that they had, while the other adds more
under it: line by line, or key by key, the mark would go and the words stay. So what lowers trust is
no key like others: `trust` is the least of both sides, and which parts are a tool's is found anew
in the merged text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vaultmem.documents import foreign_fields, frontmatter
from vaultmem.documents.bodies import working_text
from vaultmem.documents.frontmatter import Field, Value
from vaultmem.documents.part_trust import OUTCOME, OUTCOME_TRUST, TOOL_LINES
from vaultmem.records import TRUST, TRUST_OF_SOURCE, lowest
from vaultmem.storage import files, reader


@dataclass(frozen=True, slots=True)
class _Version:
    """One version of a file: its frontmatter, its body, and the trust that it has or asks for."""

    head: Mapping[str, Value]
    body: str
    trust: str

    @property
    def outcome(self) -> frozenset[tuple[str, str]]:
        """What it says came of a task, each by its key."""
        return frozenset((key, str(it)) for key, it in self.head.items() if key in OUTCOME)

    @property
    def is_told(self) -> bool:
        """Whether a tool said what came of it."""
        return OUTCOME_TRUST in self.head

    @property
    def marks(self) -> frozenset[str]:
        """The marks of the lines that stand in a tool's words."""
        return frozenset(foreign_fields.texts(self.head.get(TOOL_LINES)))

    @property
    def worth(self) -> str:
        """Its trust, without what it lacks for its marked lines alone."""
        return TRUST_OF_SOURCE["agent"] if self.marks else self.trust


def lowered(path: str, merged: bytes, sides: Iterable[bytes]) -> bytes:
    """Return the file *merged* with no more trust than its *sides* have; all of them are sound.

    Raises Refused where that cannot be said line by line.
    """
    made, both = _version(path, merged), [_version(path, data) for data in sides]
    marks = _marks(made, both)
    is_told = _is_told(made, both)
    due: dict[str, Field | None] = {"trust": _least(made, both, marks)}
    due = {} if due["trust"] == made.trust else due
    due |= {} if made.marks == {*marks} else {TOOL_LINES: list(marks) or None}
    due |= {} if made.is_told == is_told else {OUTCOME_TRUST: TRUST[0] if is_told else None}
    if not due:
        return merged
    doc = frontmatter.parse(frontmatter.decode(merged))
    most = reader.most_frontmatter(path)
    return frontmatter.render(frontmatter.update(doc, due, most=most)).encode()


def _version(path: str, data: bytes) -> _Version:
    record = reader.record(path, files.content(data))
    doc = reader.parsed(path, frontmatter.decode(data))
    head = frontmatter.fields(doc, reader.most_frontmatter(path))
    return _Version(head, doc.body, record.claimed or record.trust)


def _marks(made: _Version, both: Sequence[_Version]) -> tuple[str, ...]:
    """Return the marks of the lines of *made* that either side has from a tool."""
    told = frozenset[str]().union(*(side.marks for side in both))
    there = map(working_text.mark, made.body.splitlines() if told else ())
    return tuple(dict.fromkeys(mark for mark in there if mark in told))


def _least(made: _Version, both: Sequence[_Version], marks: Sequence[str]) -> str:
    if marks:
        return TRUST[0]
    # What is untrusted for its lines alone is trusted again without them.
    own = [] if any(side.marks for side in both) else [made.trust]
    return lowest([*own, *(side.worth for side in both)])


def _is_told(made: _Version, both: Sequence[_Version]) -> bool:
    """Tell whether *made* says what came of a task in other words than a side that no tool told."""
    told, own = (
        frozenset[tuple[str, str]]().union(*(it.outcome for it in both if it.is_told is is_told))
        for is_told in (True, False)
    )
    return any(it.is_told for it in both) and not made.outcome <= own - told
