"""A summary as its file: the frontmatter that tells what it is made of, and below it the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from vaultmem.documents import frontmatter
from vaultmem.memory.compaction import human_lines
from vaultmem.nlp.tasks import Summary
from vaultmem.records import Record
from vaultmem.storage import reader
from vaultmem.storage.plan import Change

Head = dict[str, str | float | Sequence[str] | None]
"""The keys of a summary's frontmatter that are ours; None takes one away."""
KEYS = frozenset({
    "id", "type", "title", "description", "agent", "created", "updated", "trust", "tier",
    "memory_range_start", "memory_range_end", "memory_count", "covers_from", "covers_to", "op",
    "model", "prompt", "faithfulness", "coverage", "recent_coverage", "compression", "written",
    "degraded", "earlier_summaries", "earlier_digest", "sources",
})  # fmt: skip
"""All of them; any other key is a person's."""


class Written(NamedTuple):
    """A summary as it is to be, and the change that makes its file so."""

    record: Record
    change: Change


def with_text(made: Record, summary: Summary, own: str) -> Record:
    """Return *made* with what *summary* says, below a person's *own* lines, and how well."""
    return replace(
        made, body=own + summary.text, written=human_lines.written(summary.text),
        prompt=summary.prompt, model=summary.model, faithfulness=summary.faithfulness,
        coverage=summary.coverage, compression=summary.compression, degraded=summary.degraded,
    )  # fmt: skip


def recent(old: bytes | None, made: Record, updated: str) -> bytes:
    """Return the file of the short-term summary *made*: new, or the *old* one *updated*."""
    head: Head = {
        **_identity(made, updated),
        "memory_count": len(made.sources),
        **_covered(made),
        "op": made.op,
        **_quality(made, "coverage"),
        "sources": _links(made),
    }
    return _rendered(old, head, made)


def longterm(old: bytes | None, made: Record, updated: str) -> bytes:
    """Return the file of the long-term summary *made*: new, or the *old* one *updated*."""
    head: Head = {
        **_identity(made, updated),
        **_covered(made),
        "coverage": None,  # as it was called before it said of what
        **_quality(made, "recent_coverage"),
        "earlier_summaries": made.earlier_summaries or None,
        "earlier_digest": made.earlier_digest or None,
        "sources": _links(made),
    }
    return _rendered(old, head, made)


def _identity(made: Record, updated: str) -> Head:
    return {
        "id": made.id,
        "type": "summary",
        "title": made.title,
        "description": made.description,
        "agent": made.agent,
        "created": made.created,
        **({"updated": updated} if updated else {}),
        "trust": made.trust,
        "tier": made.tier,
        "memory_range_start": made.range_start,
        "memory_range_end": made.range_end,
    }


def _covered(made: Record) -> Head:
    return {"covers_from": made.covers_from or None, "covers_to": made.covers_to or None}


def _quality(made: Record, coverage: str) -> Head:
    """Return who wrote *made*, how well, and which lines are ours.

    *coverage* is what its coverage is called: it tells of the texts that it was made from.
    """
    return {
        "model": made.model,
        "prompt": made.prompt,
        "faithfulness": round(made.faithfulness or 0.0, 3),
        coverage: round(made.coverage or 0.0, 3),
        "compression": round(made.compression or 0.0, 3),
        "written": made.written,
        "degraded": made.degraded or None,
    }


def _links(made: Record) -> Sequence[str]:
    return [f"[[{source}]]" for source in made.sources]


def _rendered(old: bytes | None, head: Head, made: Record) -> bytes:
    """Return a summary's file: new, or *old* with our keys and the body changed."""
    body, most = made.body, reader.most_frontmatter(made.path)
    if old is None:
        known = {key: value for key, value in head.items() if value is not None}
        return frontmatter.new(known, body, most).encode()
    doc = frontmatter.read(old)
    if doc.opening.endswith("\r\n"):
        body = "\r\n".join(body.splitlines()) + "\r\n"
    return frontmatter.render(frontmatter.update(doc, head, body, most)).encode()


def persons_part(summary: Record, data: bytes) -> bytes:
    """Return a note of what a person wrote into a *summary*, whose file is *data*; b"" for nothing.

    Lines, keys and comments are as they stand there.
    """
    own, _ = human_lines.split(summary)
    title = f"What a person wrote in {summary.stem}"
    return human_lines.note(title, frontmatter.read(data), KEYS, own)
