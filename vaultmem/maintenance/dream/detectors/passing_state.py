"""Delete what will not matter later: work of the day, what the code or git says itself.

Of topics the bullets and paragraphs go of which all is such, and on which nothing hangs.

Of MEMORY.md a bullet or paragraph goes where all of it is such. In one that says something lasting,
too, the sentences go that are such: of a paragraph only in lines that begin and end with a
sentence, since half of one may read like another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.maintenance.dream import fact_identity
from vaultmem.maintenance.dream.index_units import Unit, index, taken_out, units
from vaultmem.maintenance.dream.types import Fact, Kept, Lines, Note, Proposal, Seen
from vaultmem.nlp.extraction.durable import ephemeral
from vaultmem.nlp.text import analysis

_ENDS = re.compile(r"[.!?\u2026\u3002][\"')*_]*\s*$")


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a proposal for each bullet, paragraph or line that has nothing or less that lasts."""
    yield from _of_index(seen)
    for note in seen.notes:
        if note.record.type == "topic" and not note.fixed:
            yield from _of_topic(note)


def _of_topic(note: Note) -> Iterator[Proposal]:
    for fact in note.facts:
        alone = fact.kind == "bullet" or fact_identity.is_paragraph(fact, note)
        if alone and not fact_identity.nested(fact) and (reason := ephemeral.reason(fact.text)):
            edits = (Lines(fact.path, fact.at, fact.lines, ()),)
            yield Proposal("delete", note.path, f"it {reason}", edits, losses=(fact.text,))


def _of_index(seen: Seen) -> Iterator[Proposal]:
    note = index(seen)
    for unit in units(note) if note else ():
        if note is None or unit.kind not in {"bullet", "prose"}:
            continue
        if reason := why(unit):
            losses = tuple(fact.text for fact in note.facts if unit.at <= fact.at < unit.stop)
            edits = tuple(taken_out(note, [unit], ()))
            yield Proposal("delete", note.path, f"it {reason}", edits, losses=losses)
        else:
            yield from _of_lines(note, unit)


def why(unit: Unit) -> str:
    """Say why nothing of *unit* will matter later; "" when some of it may."""
    text = " ".join(line.strip().lstrip("-*+ ") for line in unit.lines)
    return "" if unit.kind == "code" else ephemeral.reason(text)


def _of_lines(note: Note, unit: Unit) -> Iterator[Proposal]:
    whole = len(unit.lines) == 1 or all(_ENDS.search(line) for line in unit.lines)
    facts = [fact for fact in note.facts if unit.at <= fact.at < unit.stop]
    for fact in facts if whole else ():
        if len(fact.lines) == 1 and (passing := _passing(fact)):
            yield _without(note, fact, passing)


def _passing(fact: Fact) -> list[str]:
    """Return the sentences of *fact* that will not matter later."""
    return [s for s in analysis.sentences(fact.text) if ephemeral.reason(s)]


def _without(note: Note, fact: Fact, passing: Sequence[str]) -> Proposal:
    (line,) = fact.lines
    rest, text = line, fact.text
    for sentence in passing:
        rest, text = (re.sub(rf"\s?{re.escape(sentence)}", "", x, count=1) for x in (rest, text))
    new = (rest,) if text.strip() else ()
    kept = (Kept(fact.text, text.strip()),) if new else ()
    reason = f"part of it {ephemeral.reason(passing[0])}" if new else f"it {ephemeral.reason(line)}"
    edit = Lines(note.path, fact.at, fact.lines, new)
    return Proposal("delete", note.path, reason, (edit,), kept=kept, losses=tuple(passing))
