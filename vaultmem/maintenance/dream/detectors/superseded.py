"""Find memories that the same person has superseded since: `I live in Linz now`.

A wrong one would hide what holds. So the older memory must say one thing and no more, of a person
or thing that it names; the later one must say of the same that it is otherwise *now*, or no longer;
and nobody may have said the older value again since. What was noted, and not said in talk, is read
in freer wording, too, without its title. Neither memory is changed: a file of its own names both,
and the index marks the older one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultmem.maintenance.dream import clauses, slots, statements, states
from vaultmem.maintenance.dream.statements import Statement
from vaultmem.maintenance.dream.types import Make, Proposal, Seen
from vaultmem.records import TRUST, Record, first_line, lowest
from vaultmem.storage import supersessions
from vaultmem.storage.index.supersession import may_end

_SHOWN = 80
_HERE = "what this dream proposes"
_SOURCES = frozenset({"user", "human", "agent", "import"})
_AGAIN = re.compile(r"\b(?:again|back|still|return(?:ed|s)?)\b|\u56de|\u8fd8", re.IGNORECASE)
_PROGRAMS = frozenset({"assistant", "ai", "bot", "model", "system", "tool"})


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a memory says, and whether that is a *change*; else it says nothing but that."""

    memory: Record
    said: Statement
    change: bool

    @property
    def at(self) -> tuple[str, str]:
        return self.memory.created, self.memory.id


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a proposal for every memory that its speaker has superseded."""
    voices: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
    for memory in seen.memories:
        if _counts(memory):
            who = memory.speaker.strip().casefold() or f"from {memory.source}"
            voices[memory.agent, who].append(memory)
    for memories in voices.values():
        yield from _of_one(memories, seen.paths)


def marked(seen: Seen, proposed: Iterable[Proposal]) -> Seen:
    """Return *seen* as the others shall see it: what is *proposed* as superseded holds no more."""
    ended = {proposal.path for proposal in proposed}
    memories = (
        replace(memory, superseded_by=_HERE) if memory.path in ended or _is_ended(memory, seen)
        else memory
        for memory in seen.memories
    )  # fmt: skip
    return replace(seen, memories=tuple(memories))


def _is_ended(memory: Record, seen: Seen) -> bool:
    return supersessions.path(memory.id) in seen.paths and not memory.superseded_by


def _counts(memory: Record) -> bool:
    """Whether somebody vouches for it who may be named, and it still holds."""
    named = memory.speaker.strip().casefold() not in _PROGRAMS
    known = memory.source in _SOURCES and bool(memory.speaker or memory.source != "import")
    over = memory.superseded_by or memory.valid_to
    return named and known and memory.trust in TRUST[1:] and not over and bool(memory.id)


def _of_one(memories: Sequence[Record], paths: Collection[str]) -> Iterator[Proposal]:
    changes = [claim for memory in memories for claim in _changes(memory)]
    about = {claim.said.about for claim in changes}
    whole = [claim for memory in memories if about for claim in _whole(memory)]
    told: defaultdict[str, list[_Claim]] = defaultdict(list)
    for claim in (*whole, *changes):
        told[claim.said.about].append(claim)
    for old in whole:
        path = supersessions.path(old.memory.id)
        new = _latest(old, told[old.said.about]) if path not in paths else None
        if new and not _is_back(old, new, memories):
            yield _supersession(old, new, path)
            paths = {*paths, path}


def _changes(memory: Record) -> Iterator[_Claim]:
    yield from (_Claim(memory, said, change=True) for said in ends(memory))


def _whole(memory: Record) -> Iterator[_Claim]:
    yield from (_Claim(memory, said, change=False) for said in says(memory))


def ends(memory: Record) -> Iterator[Statement]:
    """Yield what *memory* says is so now, which ends what else was said of it."""
    for said in statements.changed(memory.body, memory.speaker):
        if statements.is_named(said):
            yield said._replace(changed=True)
    for said in _noted(memory):
        if said.changed or slots.is_slot(said):
            yield said


def says(memory: Record) -> Iterator[Statement]:
    """Yield what *memory* says, if it is one thing and no more."""
    said = statements.spoken(memory.body, memory.speaker)
    if said and statements.is_named(said):
        yield said
        yield statements.answer(said, "yes")
    yield from _noted(memory) if clauses.is_one(clauses.untitled(memory.body)) else ()


def _noted(memory: Record) -> Iterator[Statement]:
    """Yield what somebody noted who does not speak in talk, below the title that it may have."""
    if not memory.speaker and not memory.session:
        for said in states.told(clauses.untitled(memory.body)):
            if not statements.is_common(said):
                yield said


def _latest(old: _Claim, told: Iterable[_Claim]) -> _Claim | None:
    """Return what ended *old*, None where nothing did, or it was said once more."""
    later = [claim for claim in told if claim.at > old.at]
    ends = [claim for claim in later if claim.change and _ends(claim, old)]
    newest = max(ends, key=lambda claim: claim.at, default=None)
    again = (c.at for c in later if c.said.value == old.said.value)
    return newest if newest and all(at < newest.at for at in again) else None


def is_again(text: str) -> bool:
    """Tell whether *text* has a word for what is as it was, or has stayed so."""
    return _AGAIN.search(text) is not None


def _is_back(old: _Claim, new: _Claim, memories: Iterable[Record]) -> bool:
    """Whether something after *new* says in any words that it is as it was, or has stayed so."""
    value = value_of(old.said, old.memory)
    said = (m.body for m in memories if m.created > new.memory.created)
    return any(value in text and is_again(text) for text in said)


def value_of(said: Statement, memory: Record) -> str:
    """Return the word for what *memory* says something is."""
    return said.raw or memory.body.split()[-1].rstrip(".!")


def _ends(new: _Claim, old: _Claim) -> bool:
    if new.said.value == old.said.value or not may_end(new.memory.trust, old.memory.trust):
        return False
    if slots.is_slot(new.said):
        return new.said.changed or not (new.said.loose or old.said.loose)
    return _kind(new.said.raw) == _kind(old.said.raw)


def _kind(value: str) -> str:
    """Return what kind of value it is: a name, a figure, or a word.

    Who lives in a flat may live in Linz.
    """
    if re.match(r"v?\d", value):
        return "figure"
    return "name" if value[:1].isupper() else "word"


def _supersession(old: _Claim, new: _Claim, path: str) -> Proposal:
    trust = lowest(["user", new.memory.trust])
    return Proposal(
        "supersede",
        old.memory.path,
        f'"{_quoted(old.memory)}" ({old.memory.created[:10]}) no longer holds: '
        f'"{_quoted(new.memory)}" ({new.memory.created[:10]})',
        (Make(path, supersessions.text(old.memory, new.memory, trust)),),
        sources=(new.memory.stem, old.memory.stem),
    )


def _quoted(memory: Record) -> str:
    return first_line(clauses.untitled(memory.body), _SHOWN)
