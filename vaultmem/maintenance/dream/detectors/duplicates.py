"""Find what stands twice: facts within and across notes, pointers, and twins among the memories."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

from vaultmem.documents.markdown import outline
from vaultmem.maintenance.dream import fact_identity
from vaultmem.maintenance.dream.types import (
    Edit,
    Fact,
    Kept,
    Lines,
    Note,
    Proposal,
    Remove,
    Seen,
    key,
)
from vaultmem.memory import memory_index
from vaultmem.nlp.facts import fact_similarity, paraphrases
from vaultmem.nlp.text.stopwords import EVENTS
from vaultmem.records import Record, first_line

_FEWEST = 2
_FEWEST_APART = 3
"""Content words that a fact needs to count as a duplicate, within a file and across files."""

_FEWEST_SAID = 5
NEWEST = 64
"""Memories of an agent that stay though an older one says the same."""

_SHOWN = 80
_STEP = re.compile(r"\s*\d+[.)]\s")
_TARGET = re.compile(r"\]\(([^)\s]+)\)")
_MOMENT = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|now|again|ago|this|last|next|just)\b"
    "|[\u4eca\u6628\u660e]\u5929|\u521a\u624d|\u73b0\u5728",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\)\s*\Z")


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a merge for every duplicate fact, a deletion for every duplicate memory."""
    notes = {note.path: note for note in seen.notes}
    yield from _facts(notes)
    yield from _pointers(notes.get(memory_index.PATH))
    yield from _memories(seen)


# --- facts ------------------------------------------------------------------------------------


def _facts(notes: dict[str, Note]) -> Iterator[Proposal]:
    facts = [fact for note in notes.values() for fact in note.facts if _is_standalone(fact, note)]
    for places in paraphrases.groups([fact.text for fact in facts]):
        for stays, gone in _duplicates([facts[place] for place in places], notes):
            yield from _merges(stays, gone)


def _is_standalone(fact: Fact, note: Note) -> bool:
    """Whether it is a fact by itself: no step of a procedure, no line of a longer paragraph."""
    if note.record.type == "skill" or note.path.startswith("skills/"):
        return False
    words = fact_similarity.content_words(fact.text)
    if fact.kind == "bullet":
        return not _STEP.match(fact.lines[0]) and words >= _FEWEST
    return words >= _FEWEST_APART and fact_identity.is_paragraph(fact, note)


def _duplicates(facts: Sequence[Fact], notes: dict[str, Note]) -> Iterator[tuple[Fact, list[Fact]]]:
    """Yield each fact that stays with those that go because of it; none goes because of two."""
    stay: list[tuple[Fact, list[Fact]]] = []
    for fact in sorted(facts, key=lambda fact: _rank(fact, notes[fact.path])):
        better = next((s for s in stay if _replaces(s[0], fact, notes)), None)
        if better:
            better[1].append(fact)
        else:
            stay.append((fact, []))
    yield from (pair for pair in stay if pair[1])


def _rank(fact: Fact, note: Note) -> tuple[object, ...]:
    """Order facts that say the same: the best to keep comes first."""
    return (
        fact.path == memory_index.PATH,
        bool(fact_identity.scope(fact.path)),
        -fact_identity.trust(note),
        not note.fixed,
        -len(fact_identity.nested(fact)),
        fact.kind != "bullet",
        not fact.sources,
        note.record.created or "9",
        fact.path,
        fact.at,
    )


def _replaces(stays: Fact, gone: Fact, notes: dict[str, Note]) -> bool:
    keeper, loser = notes[stays.path], notes[gone.path]
    if loser.fixed or fact_identity.trust(keeper) < fact_identity.trust(loser):
        return False
    if fact_identity.scope(stays.path) not in {"", fact_identity.scope(gone.path)}:
        return False
    if not set(fact_identity.nested(gone)) <= set(fact_identity.nested(stays)):
        return False
    apart = stays.path != gone.path
    if apart and fact_similarity.content_words(gone.text) < _FEWEST_APART:
        return False
    writable = stays.kind == "bullet" and not keeper.fixed
    keeps_sources = writable or not _missing(stays, [gone])
    return keeps_sources and fact_identity.same_thing(stays, gone, notes.__getitem__)


def _missing(stays: Fact, gone: Iterable[Fact]) -> tuple[str, ...]:
    """Return the sources that only the facts which go have."""
    named = (source for fact in gone for source in fact.sources)
    return tuple(dict.fromkeys(source for source in named if source not in stays.sources))


def _merges(stays: Fact, gone: Sequence[Fact]) -> Iterator[Proposal]:
    """Yield a proposal for each fact that goes; those that bring sources go together.

    They change the same line, so that one of them alone would keep the others from fitting.
    """
    bring = [fact for fact in gone if _missing(stays, [fact])]
    if bring:
        yield _merge(stays, bring)
    for fact in gone:
        if fact not in bring:
            yield _merge(stays, [fact])


def _merge(stays: Fact, gone: Sequence[Fact]) -> Proposal:
    edits: list[Edit] = [Lines(fact.path, fact.at, fact.lines, ()) for fact in gone]
    if more := _missing(stays, gone):
        edits.append(Lines(stays.path, stays.at, stays.lines, _sourced(stays, more)))
    inside = gone[0].path == stays.path
    where = "appears twice in this file" if inside else f"repeats what {stays.path} says"
    return Proposal(
        "merge",
        gone[0].path,
        f"{where}: {first_line(stays.text, _SHOWN)}",
        tuple(edits),
        sources=tuple(dict.fromkeys([stays.path, *(fact.path for fact in gone)])),
        kept=tuple(Kept(fact.text, stays.text) for fact in gone),
    )


def _sourced(fact: Fact, more: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of *fact* with *more* sources behind its text."""
    last = outline.own_lines(fact.lines) - 1
    links = ", ".join(f"[[{source}]]" for source in more)
    line = fact.lines[last].rstrip()
    line = _TAIL.sub(f", {links})", line) if fact.sources else f"{line} ({links})"
    return (*fact.lines[:last], line, *fact.lines[last + 1 :])


# --- pointers ---------------------------------------------------------------------------------


def _pointers(index: Note | None) -> Iterator[Proposal]:
    """Yield a merge for every line of the index that points where one above it does."""
    if index is None or index.fixed:
        return
    to: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in index.facts:
        if fact.kind == "pointer" and (link := _TARGET.search(fact.text)):
            to[link[1].removeprefix("./")].append(fact)
    for target, (first, *others) in to.items():
        stays = max((first, *others), key=lambda fact: len(set(key(fact.text).split())))
        for fact in (first, *others):
            if fact is not stays and set(key(fact.text).split()) <= set(key(stays.text).split()):
                edit = Lines(fact.path, fact.at, fact.lines, ())
                reason = f"points to {target}, as another line does"
                kept = (Kept(fact.text, stays.text),)
                yield Proposal("merge", fact.path, reason, (edit,), kept=kept)


# --- memories ---------------------------------------------------------------------------------


def _memories(seen: Seen) -> Iterator[Proposal]:
    """Yield a deletion for each memory that an earlier one of the same agent and speaker tells."""
    named = _named(seen)
    by_agent: defaultdict[str, list[Record]] = defaultdict(list)
    for memory in seen.memories:
        by_agent[memory.agent].append(memory)
    for agent, memories in by_agent.items():
        known: dict[bytes, Record] = {}
        for place, memory in enumerate(memories):
            if not _is_informative(memory):
                continue
            first = known.setdefault(digest(memory), memory)
            older = place < len(memories) - NEWEST
            if first is not memory and older and _is_twin(memory, first, named):
                yield _twin(memory, first, agent)


def digest(memory: Record) -> bytes:
    """Return what is the same for memories that say the same: very many are held at once."""
    said = "\n".join((memory.speaker, *fact_similarity.key(memory.body)))
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _named(seen: Seen) -> frozenset[str]:
    """Return what notes and episodes name as their sources: taking it away would break them."""
    facts = {source for note in seen.notes for fact in note.facts for source in fact.sources}
    records = [note.record for note in seen.notes] + list(seen.episodes)
    whole = {source for record in records for source in record.sources}
    return frozenset(name.strip("[]").rpartition("/")[2] for name in facts | whole)


def _is_informative(memory: Record) -> bool:
    if memory.trust == "untrusted" or memory.superseded_by or memory.problem:
        return False
    return is_telling(memory.body)


def is_telling(body: str) -> bool:
    """Tell whether *body* says enough to be told twice, and asks nothing."""
    body = body.strip()
    asks = body.endswith(("?", "\uff1f"))
    return not asks and fact_similarity.content_words(body) >= _FEWEST_SAID


def _is_twin(memory: Record, first: Record, named: frozenset[str]) -> bool:
    """Whether *memory* adds nothing to *first*: what happened on another day happened again."""
    if memory.stem in named or memory.importance > first.importance:
        return False
    if first.trust != memory.trust or not set(memory.tags) <= set(first.tags):
        return False
    return memory.created[:10] == first.created[:10] or not _is_event(memory.body)


def _is_event(body: str) -> bool:
    words = re.findall(r"\w+", body.casefold())
    past = any(word in EVENTS or word.endswith("ed") or word in {"was", "were"} for word in words)
    return past or _MOMENT.search(body) is not None or "\u4e86" in body


def _twin(memory: Record, first: Record, agent: str) -> Proposal:
    quoted = first_line(first.body, _SHOWN)
    return Proposal(
        "delete",
        memory.path,
        f"{agent or 'the agent'} already remembers this, in {first.stem}: {quoted}",
        (Remove(memory.path, memory.sha),),
        sources=(first.stem,),
        kept=(Kept(" ".join(memory.body.split()), " ".join(first.body.split())),),
    )
