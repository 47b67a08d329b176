"""Find relative dates in notes and write the dates that they meant: `yesterday` goes stale.

A date is counted from the day of the fact's own source, on a card of the memory that says it, else
from the day the note was created, else from the day on which git first had its line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from vaultmem.documents.bodies import bullets
from vaultmem.documents.markdown import outline
from vaultmem.maintenance.dream.types import Fact, Kept, Lines, Note, Proposal, Seen
from vaultmem.nlp.text import absolute_dates, absolute_dates_de
from vaultmem.records import day_of, first_line

_SHOWN = 80
_SOME_DAY = date(2001, 1, 1)
_LONGEST = 8000
"""Characters of a fact that is looked through, anew for every date in it."""

_MAYBE = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|last|next|this|ago|in|from"
    r"|heute|(?:vor)?gestern|(?:\u00fcber)?morgen|vor|(?:letzt|vorig|vergangen|n\u00e4chst|kommend"
    r"|dies)e[nrs]?)\b"
    "|[\u5929\u665a\u65e9\u5468\u6708\u5e74]|\u661f\u671f|\u793c\u62dc",
    re.IGNORECASE,
)
_STAMPED = re.compile(r"(\d{4})(\d\d)(\d\d)-\d{6}(?:-|\Z)")


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a correction for every fact that names a day, week, month or year relatively."""
    days = _days(seen)
    for note, fact in _said(seen):
        counted_from = _named(fact, days) or _told(note, fact, seen) or _written(note, fact, seen)
        if len(counted_from) == 1:
            yield from _corrected(fact, *counted_from)


def undated(seen: Seen) -> dict[str, frozenset[str]]:
    """Return the lines whose relative date needs the day on which they were written, by path."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    days = _days(seen)
    for note, fact in _said(seen):
        if not _named(fact, days) and _created(note) is None:
            found[note.path] |= _relative(fact)
    return {path: frozenset(lines) for path, lines in found.items() if lines}


def unresolved(seen: Seen) -> Iterator[str]:
    """Yield which notes keep a relative date because nobody knows when it was written."""
    for path, lines in undated(seen).items():
        if waits := len(lines - seen.days.get(path, {}).keys()):
            yield (
                f"{path}: {waits} line{'s' * (waits != 1)} with a relative date, and neither the"
                " file nor git says on which day it was written"
            )


def _days(seen: Seen) -> dict[str, str]:
    return {record.stem: record.created for record in (*seen.memories, *seen.episodes)}


def _said(seen: Seen) -> Iterator[tuple[Note, Fact]]:
    """Yield the facts that may hold a relative date, each with its note."""
    for note in seen.notes:
        if note.fixed or note.record.type == "skill" or note.path.startswith("skills/"):
            continue
        for fact in note.facts:
            text = "\n".join(fact.lines)
            is_said = fact.kind in {"bullet", "prose"} and len(text) <= _LONGEST
            if is_said and _MAYBE.search(text) and not fact.text.startswith(">"):
                yield note, fact


# --- proposals --------------------------------------------------------------------------------


def _corrected(fact: Fact, today: date) -> Iterator[Proposal]:
    old = "\n".join(fact.lines)
    new = _absolute(old, today)
    if new == old:
        return
    lines = tuple(new.split("\n"))
    yield Proposal(
        "correct",
        fact.path,
        f"says a date relative to {today}: {first_line(fact.text, _SHOWN)}",
        (Lines(fact.path, fact.at, fact.lines, lines),),
        sources=(fact.path, *fact.sources),
        kept=tuple(_kept(fact, lines)),
    )


def _absolute(text: str, today: date) -> str:
    return absolute_dates_de.absolute(absolute_dates.absolute(text, today), today)


def _kept(fact: Fact, lines: Sequence[str]) -> Iterator[Kept]:
    text = _text(fact, lines)
    if text != fact.text:
        yield Kept(fact.text, text)
    for old, new in zip(fact.lines[1:], lines[1:], strict=True):
        if old != new:
            yield Kept(old.strip(), new.strip())


def _text(fact: Fact, lines: Sequence[str]) -> str:
    if fact.kind != "bullet":
        return lines[0].strip()
    entry = outline.entries(outline.sections("\n".join(lines))[0].lines, bullets.LABELS)[0]
    return bullets.unsourced(bullets.own_text(entry))[0]


def _named(fact: Fact, days: Mapping[str, str]) -> frozenset[date]:
    """Return the days of the sources of *fact*."""
    stems = [source.rpartition("/")[2] for source in fact.sources]
    stamps = (m.expand(r"\1-\2-\3") if (m := _STAMPED.match(stem)) else "" for stem in stems)
    both = zip(stems, stamps, strict=True)
    found = (day_of(at) or day_of(days.get(stem, "")) for stem, at in both)
    return frozenset(day for day in found if day)


def _told(note: Note, fact: Fact, seen: Seen) -> frozenset[date]:
    """Return the days of those sources of a card that say *fact*, which one of several did."""
    if note.record.type != "card":
        return frozenset()
    stems = {source.rpartition("/")[2] for source in note.record.sources}
    said = " ".join(fact.text.split()).rstrip(".")
    ours = (memory for memory in seen.memories if memory.stem in stems)
    found = (day_of(m.created) for m in ours if said in " ".join(m.body.split()))
    return frozenset(day for day in found if day)


def _written(note: Note, fact: Fact, seen: Seen) -> frozenset[date]:
    """Return the day on which *fact* was written, by its note or else by git; none if unknown."""
    if created := _created(note):
        return frozenset({created})
    known = seen.days.get(note.path, {})
    found = {day_of(known.get(line, "")) for line in _relative(fact)}
    return frozenset() if None in found else frozenset(day for day in found if day)


def _created(note: Note) -> date | None:
    """Return the day on which a note was written, None when unknown.

    What a dream has moved there was written on some day before: nobody knows on which.
    """
    return None if note.record.source == "dream" else day_of(note.record.created)


def _relative(fact: Fact) -> frozenset[str]:
    """Return the lines of *fact* that count from the day on which they were written."""
    changed = _absolute("\n".join(fact.lines), _SOME_DAY).split("\n")
    return frozenset(old for old, new in zip(fact.lines, changed, strict=True) if old != new)
