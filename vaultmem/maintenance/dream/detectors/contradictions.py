"""Find facts that a newer one contradicts: the same subject, the same attribute, another value.

Only what can have one value at a time is compared (`statements` says what that is). Of the values,
the newest stands, unless it is less trusted than the other; of two that are equally old, or
undated, the one that was written further down.
What cards say is compared by `card_contradictions`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vaultmem.maintenance.dream import fact_identity, states
from vaultmem.maintenance.dream.statements import Statement, names_itself, spoken
from vaultmem.maintenance.dream.types import Fact, Lines, Note, Proposal, Seen
from vaultmem.records import PERSON_SOURCES, SCAFFOLDING, TRUST, Record, first_line

_SHOWN = 80
_STAMPED = re.compile(r"(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(?:-|\Z)")
_TAIL = re.compile(r"\s*\(\s*\[\[[^()]*\]\]\s*\)\s*\Z")


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a fact, or else a memory, says; when that was (ISO 8601), and how far it is trusted."""

    said: Statement
    text: str
    at: str
    trust: int
    where: str
    fact: Fact | None = None
    agent: str = ""


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a correction for every fact of a topic that a newer claim contradicts."""
    notes = {note.path: note for note in seen.notes}
    times = {record.stem: record.created for record in (*seen.memories, *seen.episodes)}
    found: defaultdict[str, list[_Claim]] = defaultdict(list)
    for claim in _of_notes(seen.notes, times):
        found[claim.said.about].append(claim)
    for claim in list(_of_memories(seen.memories, found)):
        found[claim.said.about].append(claim)
    for claims in found.values():
        if len({claim.said.value for claim in claims}) > 1:
            yield from _outdated(claims, notes)


class NoteClaim(NamedTuple):
    """What the *fact* of a note says, when that was (ISO 8601, "" unknown), and its trust."""

    said: Statement
    fact: Fact
    at: str
    trust: int


def claims_of(seen: Seen) -> Iterator[NoteClaim]:
    """Yield what notes say, as far as it has one value at a time; cards aside."""
    times = {record.stem: record.created for record in (*seen.memories, *seen.episodes)}
    for claim in _of_notes(seen.notes, times):
        if claim.fact:
            yield NoteClaim(claim.said, claim.fact, claim.at, claim.trust)


# --- claims ----------------------------------------------------------------------------------


def _of_notes(notes: Iterable[Note], times: Mapping[str, str]) -> Iterator[_Claim]:
    for note in notes:
        record = note.record
        ended = record.valid_to or record.superseded_by
        if record.type in {"card", "skill"} or ended or note.path in SCAFFOLDING:
            continue
        for fact in note.facts:
            is_said = fact.kind == "bullet" or fact_identity.is_paragraph(fact, note)
            for statement in states.told(fact.text) if is_said else ():
                at = statement.since or _time_of(note, fact, times)
                yield _Claim(statement, fact.text, at, fact_identity.trust(note), fact.path, fact)


def _time_of(note: Note, fact: Fact, times: Mapping[str, str]) -> str:
    """Return when the youngest source of *fact* was made, else when its note was; "" is unknown."""
    stems = (source.rpartition("/")[2] for source in fact.sources)
    named = [at for stem in stems if (at := _stamped(stem) or times.get(stem, ""))]
    return max(named, default=note.record.created)


def _stamped(stem: str) -> str:
    m = _STAMPED.match(stem)
    return f"{m[1]}-{m[2]}-{m[3]}T{m[4]}:{m[5]}:{m[6]}Z" if m else ""


def _of_memories(memories: Iterable[Record], known: Container[str]) -> Iterator[_Claim]:
    """Yield what people said of what a topic makes claims about."""
    for memory in memories:
        if memory.source not in PERSON_SOURCES or memory.superseded_by or memory.valid_to:
            continue
        statement = spoken(memory.body, memory.speaker)
        if statement and statement.about in known:
            body = " ".join(memory.body.split())
            trust = TRUST.index(memory.trust) if memory.trust in TRUST else 0
            at = statement.since or memory.created
            yield _Claim(statement, body, at, trust, memory.stem, agent=memory.agent)


# --- outdated claims --------------------------------------------------------------------------


def _outdated(claims: Sequence[_Claim], notes: Mapping[str, Note]) -> Iterator[Proposal]:
    for old in claims:
        if old.fact is None or notes[old.fact.path].fixed:
            continue
        later = [claim for claim in claims if _age(claim) > _age(old)]
        rivals = [claim for claim in later if _may_replace(claim, old, old.fact, notes)]
        newest = max(rivals, key=_age, default=old)
        value = newest.said.value
        values = {c.said.value for c in rivals if c.at == newest.at and c.fact is None}
        if value != old.said.value and values <= {value}:
            yield from _correction(old, old.fact, [c for c in rivals if c.said.value == value])


def _age(claim: _Claim) -> tuple[str, bool, bool, str, int]:
    """Return what sorts claims by when they were made: a memory must be newer than any fact.

    Of facts of one day, or of none, that which tells of a change came after the other.
    """
    fact, changed = claim.fact, claim.said.changed
    if fact:
        return claim.at, True, changed, fact.path, fact.at
    return claim.at, False, changed, claim.where, 0


def _may_replace(new: _Claim, old: _Claim, fact: Fact, notes: Mapping[str, Note]) -> bool:
    """Whether *new* speaks of the same thing as the *fact* that says *old*, as trustworthily."""
    loose = old.said.loose or new.said.loose
    if new.trust < old.trust or (loose and not new.said.changed):
        return False
    if new.fact is None:
        return _concerns(new, fact, notes[fact.path])
    if fact_identity.scope(new.where) not in {"", fact_identity.scope(fact.path)}:
        return False
    near = new.where == fact.path or names_itself(new.said, old.said)
    here, there = (fact_identity.subjects(notes[path]) for path in (new.where, fact.path))
    # One file at least is about it.
    told = fact_identity.stems(new.said.what) & fact_identity.stems(old.said.what) & (here | there)
    clear = fact_identity.is_personal(new.fact, fact) or any(
        fact_identity.is_of_any(it, notes[it.path]) for it in (new.fact, fact)
    )
    return bool(near or here == there or told or clear) and fact_identity.alike(
        new.fact, fact, notes.__getitem__
    )


def _concerns(new: _Claim, fact: Fact, note: Note) -> bool:
    """Whether what was said in a conversation must mean what *fact* means."""
    if fact_identity.scope(fact.path) not in {"", f"agents/{new.agent}"}:
        return False
    shared = fact_identity.stems(new.said.what) & fact_identity.subjects(note)
    return names_itself(new.said) or bool(shared)


def _correction(old: _Claim, fact: Fact, agreeing: Sequence[_Claim]) -> Iterator[Proposal]:
    """Yield what makes the newest value stand once: the old fact goes, or says it from now on."""
    new = max(agreeing, key=lambda claim: (claim.fact is not None, claim.at))
    instead = () if new.fact else _rewritten(fact, old, new)
    if instead is None:
        return
    yield Proposal(
        "correct",
        fact.path,
        f'{new.where} says "{first_line(new.text, _SHOWN)}" ({_day(new)}), which contradicts'
        f' "{first_line(fact.text, _SHOWN)}" ({_day(old)})',
        (Lines(fact.path, fact.at, fact.lines, instead),),
        sources=tuple(dict.fromkeys([new.where, fact.path, *fact.sources])),
        losses=(fact.text, *(() if instead else fact_identity.nested(fact))),
        contradiction=True,
        # Of two files without a date nobody knows which is newer.
        doubtful=new.at == old.at and new.where != fact.path,
    )


def _day(claim: _Claim) -> str:
    return claim.at[:10] or "undated"


def _rewritten(fact: Fact, old: _Claim, new: _Claim) -> tuple[str, ...] | None:
    """Return the lines of *fact* with the value of the memory *new*, which is their source then.

    None where that is not plainly one line with the old value in it once.
    """
    own, raw = _TAIL.sub("", fact.lines[0]), old.said.raw
    if len(fact.lines) > 1 or not raw or own.count(raw) != 1 or old.said.since:
        return None
    return (f"{own.replace(raw, new.said.raw)} ([[{new.where}]])",)
