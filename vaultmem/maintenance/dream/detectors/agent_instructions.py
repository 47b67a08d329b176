"""Take out of topics and MEMORY.md what AGENTS.md or CLAUDE.md tells agents already.

What stands in both is read twice in each session, and corrected in one of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.maintenance.dream import fact_identity
from vaultmem.maintenance.dream.types import Fact, Kept, Lines, Note, Proposal, Seen
from vaultmem.memory import memory_index
from vaultmem.nlp.facts import fact_similarity
from vaultmem.records import first_line

_FEWEST = 3
"""Content words that a line needs to be known for the same in two files."""

_SHOWN = 80


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a deletion for each fact of a topic or of MEMORY.md that is an agent's instruction."""
    told = {
        key: fact
        for note in seen.instructions
        for fact in note.facts
        if _is_whole(fact, note) and (key := fact_similarity.key(fact.text))
    }
    for note in seen.notes if told else ():
        if note.fixed or not (note.record.type == "topic" or note.path == memory_index.PATH):
            continue
        for fact in note.facts:
            same = told.get(fact_similarity.key(fact.text)) if _is_whole(fact, note) else None
            if same and _is_of_all(fact, note):
                yield _delete(fact, same)


def _is_whole(fact: Fact, note: Note) -> bool:
    """Whether *fact* is a line by itself, on which nothing hangs."""
    if fact.kind == "prose":
        alone = fact_identity.is_paragraph(fact, note)
    else:
        alone = fact.kind == "bullet" and not fact_identity.nested(fact)
    return alone and fact_similarity.content_words(fact.text) >= _FEWEST


def _is_of_all(fact: Fact, note: Note) -> bool:
    """Whether *fact* says in the file of *note* no more than its words: no heading narrows it."""
    return fact_identity.is_general(fact, note) or fact_identity.names_itself(fact.text)


def _delete(fact: Fact, told: Fact) -> Proposal:
    return Proposal(
        "delete",
        fact.path,
        f"{told.path} tells agents so already: {first_line(told.text, _SHOWN)}",
        (Lines(fact.path, fact.at, fact.lines, ()),),
        sources=(told.path,),
        kept=(Kept(fact.text, told.text),),
    )
