"""Write a short-term summary: what is told of a chunk, and the file that it becomes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

from vaultmem.memory.compaction import human_lines, summary_file, summary_span
from vaultmem.memory.compaction.dependencies import Dependencies
from vaultmem.memory.compaction.summary_file import Written
from vaultmem.memory.compaction.types import Chunk, Past
from vaultmem.nlp.tasks import Passage, Summary, Task
from vaultmem.records import Record, compact_stamp, lowest, moment
from vaultmem.storage import files
from vaultmem.storage.operation_keys import operation_key
from vaultmem.storage.plan import Change

_ALL_CORRECTED = "Everything said here has been corrected since."
_ALL_WAIT = "What is left here was edited since, and waits to be accepted."
_SUFFIXES = ("", *(f"-{c}" for c in "bcdefghijklmnopqrstuvwxyz"))


class Condensed(NamedTuple):
    """A summary, the passages that it was made from, and what their sessions were opened for."""

    summary: Summary
    passages: tuple[Passage, ...]
    matters: tuple[str, ...]


class _Identity(NamedTuple):
    """What a summary keeps when it is written again."""

    path: str
    id: str
    created: str


class RecentWriter:
    """Writes the short-term summaries of one agent: the files of new ones, and of old ones anew."""

    def __init__(self, past: Past, means: Dependencies) -> None:
        """Write beside the summaries of *past*, with what *means* has."""
        self._agent, self._means = past.agent, means
        self._taken = {r.path for r in past.recents}

    def condense(self, chunk: Chunk) -> Condensed:
        """Summarize the chunk without what was corrected since: a correction is its own memory."""
        from vaultmem.memory.compaction import headings  # noqa: PLC0415  # most ask only what is due

        planned = [m for m in chunk.told if not m.superseded_by]
        members = self._means.as_planned(planned)
        passages = (Passage(m.body.strip(), m.speaker, m.created, m.importance) for m in members)
        nothing = _ALL_WAIT if chunk.untold else _ALL_CORRECTED
        sources = tuple(passages) or (Passage(nothing),)
        summary = self._means.ask(Task("recent", sources, self._agent))
        matters = headings.matters(members, self._agent, start=chunk.start)
        return Condensed(summary, sources, matters)

    def write(self, chunk: Chunk, condensed: Condensed) -> Written:
        """Return the file of a new summary of *chunk*."""
        new = _Identity(self._free_path(), self._means.mint(), self._means.now)
        made = self._record(new, "", chunk, condensed)
        change = Change(new.path, None, summary_file.recent(None, made, ""), _reason(chunk))
        return Written(made, change)

    def rewrite(self, old: Record, chunk: Chunk, condensed: Condensed) -> Written:
        """Return the file of *old* as a summary of *chunk*, below a person's own lines.

        It keeps its place in time: the newest one stays the newest.
        """
        before, (own, _) = self._means.bytes_as_planned(old), human_lines.split(old)
        same = _Identity(old.path, old.id, old.created)
        made = self._record(same, own, chunk, condensed)
        after = summary_file.recent(before, made, self._means.now)
        return Written(made, Change(old.path, before, after, _reason(chunk)))

    def drop(self, old: Record) -> Iterator[Change]:
        """Yield what removes *old*, all of whose memories are gone.

        What a person wrote there waits in the inbox.
        """
        before = self._means.bytes_as_planned(old)
        yield Change(old.path, before, None, "none of its memories is left to it")
        if own := summary_file.persons_part(old, before):
            yield Change(files.conflict("", old.path, own), None, own, "a person's lines")

    def _free_path(self) -> str:
        stamp = compact_stamp(moment(self._means.now))
        suffixes = chain(_SUFFIXES, (f"-z{n}" for n in count()))
        names = (f"agents/{self._agent}/summaries/recent-{stamp}{s}.md" for s in suffixes)
        path = next(n for n in names if n not in self._taken and self._means.read(n) is None)
        self._taken.add(path)
        return path

    def _record(self, it: _Identity, own: str, chunk: Chunk, condensed: Condensed) -> Record:
        from vaultmem.memory.compaction import headings  # noqa: PLC0415  # most ask only what is due

        summary, span = condensed.summary, summary_span.of_members(chunk.members)
        places = (chunk.start, chunk.end)
        named = headings.of_recent(
            condensed.passages, span, places, summary.text, condensed.matters
        )
        made = Record(
            it.path, "", id=it.id, created=it.created,
            type="summary", agent=self._agent, tier="recent",
            title=named.title, description=named.description,
            trust=lowest(m.trust for m in chunk.members),
            sources=tuple(m.stem for m in chunk.members),
            range_start=chunk.start, range_end=chunk.end,
            covers_from=span.first, covers_to=span.last,
            op=operation_key("recent", summary.prompt, chunk.told),
        )  # fmt: skip
        return summary_file.with_text(made, summary, own)


def _reason(chunk: Chunk) -> str:
    return f"{len(chunk.members)} memories, {chunk.start} to {chunk.end}"
