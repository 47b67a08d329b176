"""Make proposals of what a model suggested about facts: the same rules hold for them as for all.

The model names facts by number and words; what becomes of files is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultmem.documents.bodies import bullets
from vaultmem.documents.markdown import outline
from vaultmem.maintenance.dream import inherited_trust
from vaultmem.maintenance.dream.types import Edit, Fact, Kept, Lines, Op, Proposal, Seen, key
from vaultmem.memory import memory_index
from vaultmem.nlp.tasks import NumberedFact, Suggestion

MOST_FACTS = 400
"""So many facts a model is shown, of the files that were changed last."""

_CONTRADICTED = frozenset({"correct", "delete"})
"""What is suggested of a fact that others put right, or end."""


def shown(seen: Seen) -> dict[int, Fact]:
    """Return the facts that a model may be asked about, by number."""
    open_to_it = [
        note
        for note in seen.notes
        if not note.fixed and note.path != memory_index.PATH and not note.path.startswith("skills/")
    ]
    newest = sorted(open_to_it, key=lambda n: (n.record.updated, n.record.created), reverse=True)
    facts = [fact for note in newest for fact in note.facts if fact.kind == "bullet"]
    return dict(enumerate(facts[:MOST_FACTS], 1))


def numbered(seen: Seen, facts: dict[int, Fact]) -> tuple[NumberedFact, ...]:
    """Return *facts* as a model is shown them."""
    dates = {note.path: note.record.created for note in seen.notes}
    return tuple(NumberedFact(n, f.path, f.text, dates[f.path]) for n, f in facts.items())


@dataclass(frozen=True, slots=True)
class Suggested:
    """What the model *by* would have done to *facts*: see `Suggestion`."""

    op: Op
    facts: tuple[Fact, ...]
    text: str
    reason: str
    by: str


def resolved(
    suggestions: Iterable[Suggestion], facts: Mapping[int, Fact], by: str
) -> tuple[Suggested, ...]:
    """Return *suggestions* with the *facts* that their numbers mean, those that name no other."""
    return tuple(
        Suggested(it.op, tuple(facts[n] for n in it.numbers), it.text, it.reason, by)
        for it in suggestions
        if facts.keys() >= set(it.numbers)
    )


def standing(suggested: Suggested, seen: Seen) -> tuple[Fact, ...]:
    """Return the facts it is about as they stand now; none where one of them was changed."""
    paths = {fact.path for fact in suggested.facts}
    known = {(f.path, f.lines): f for n in seen.notes if n.path in paths for f in n.facts}
    now = [known.get((fact.path, fact.lines)) for fact in suggested.facts]
    return tuple(fact for fact in now if fact) if all(now) else ()


def find(seen: Seen, suggested: Iterable[Suggested]) -> Iterator[Proposal]:
    """Yield a proposal for each suggestion about facts that still stand where they stood."""
    for it in suggested:
        if now := standing(it, seen):
            yield from _proposed(it, now, seen)


def _proposed(it: Suggested, facts: Sequence[Fact], seen: Seen) -> Iterator[Proposal]:
    first, *others = facts
    text = " ".join(it.text.split())
    sources = tuple(dict.fromkeys(f.path for f in facts))
    kept: tuple[Kept, ...] = ()
    losses: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    if it.op == "merge" and all(len(f.lines) == 1 for f in others):
        edits = (_reworded(first, text, facts), *(_gone(f) for f in others))
        kept = tuple(Kept(f.text, text) for f in facts)
    elif it.op == "correct":
        edits, kept = (_reworded(first, text, [first]),), (Kept(first.text, text),)
    elif it.op == "delete":
        edits, losses = (_gone(first),), (first.text,)
    elif it.op == "abstract" and not _is_known(text, seen):
        edits = (_below(first, f"- {bullets.sourced(text, _all_sources(facts))}"),)
    elif it.op == "move":
        edits = tuple(_moved(first, it.text, seen))
    if edits:
        yield Proposal(
            it.op, first.path, it.reason, edits, sources, kept, losses, it.by,
            contradiction=it.op in _CONTRADICTED,
        )  # fmt: skip


def _gone(fact: Fact) -> Lines:
    return Lines(fact.path, fact.at, fact.lines, ())


def _reworded(fact: Fact, text: str, sources: Sequence[Fact]) -> Lines:
    """Return the edit that has *fact* say *text*, with what hangs on it, and all the sources."""
    own = outline.own_lines(fact.lines)
    line = (outline.lead(fact.lines[0]) or "- ") + bullets.sourced(text, _all_sources(sources))
    return Lines(fact.path, fact.at, fact.lines, (line, *fact.lines[own:]))


def _below(fact: Fact, line: str) -> Lines:
    return Lines(fact.path, fact.at, fact.lines, (*fact.lines, line))


def _moved(fact: Fact, where: str, seen: Seen) -> Iterator[Lines]:
    """Yield the edits that take *fact* to the end of the bullets of the file at *where*."""
    notes = {n.path: n for n in seen.notes}
    home = notes.get(where)
    is_open = home and not home.fixed and inherited_trust.may_take(home, notes[fact.path])
    note = home if is_open else None
    last = next((f for f in reversed(note.facts) if f.kind == "bullet"), None) if note else None
    if last and where != fact.path:
        yield _gone(fact)
        yield Lines(where, last.at, last.lines, (*last.lines, *fact.lines))


def _all_sources(facts: Iterable[Fact]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source for fact in facts for source in fact.sources))


def _is_known(text: str, seen: Seen) -> bool:
    text_key = key(text)
    return any(key(fact.text) == text_key for note in seen.notes for fact in note.facts)
