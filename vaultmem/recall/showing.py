"""Show a candidate as a hit: where in its file it answers, in which words, how far to trust it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.index import Index, words
from vaultmem.model import Record, first_line
from vaultmem.recall.model import Hit, Likeness
from vaultmem.recall.ranking import Candidate

_SNIPPET = 240
_TITLE = 80
_OPENING = 400
_STEM = 5
_HEADING = re.compile(r"#{1,6}\s+(.*)")


@dataclass(frozen=True, slots=True)
class Showing:
    """What hits are shown by: the words of the question, or else what is nearest to it."""

    index: Index
    terms: Sequence[str]
    likeness: Likeness | None = None

    def hit(self, found: Candidate, score: float) -> Hit:
        """Return *found* as a hit, shown by its line that answers best."""
        (said,) = self.index.records("docs.doc = ?", (found.doc,))
        at, snippet = _best_line(said.body, self.terms, self._first(found))
        return _hit(said, found, score, at, snippet)

    def _first(self, found: Candidate) -> int:
        """Return where to look for words that hold nothing: at the nearest passage."""
        if found.words or found.passage or self.likeness is None:
            return 0
        near = self.index.value(_STARTS, found.doc, self.likeness.passage(found.doc))
        return int(str(near or 0))


_STARTS = "SELECT min(line_first) FROM passages WHERE doc = ? AND sha = ?"


def _hit(said: Record, found: Candidate, score: float, at: int, snippet: str) -> Hit:
    return Hit(
        id=said.id,
        path=said.path,
        lines=(said.body_line + at, said.body_line + at),
        heading=_heading(said.body, at),
        title=said.title or first_line(said.body.lstrip()[:_OPENING], _TITLE),
        date=said.created,
        type=said.type,
        agent=said.agent,
        snippet=snippet,
        score=round(score, 4),
        sha256=said.sha,
        trust=said.trust,
        stale=found.outdated,
        session=said.session,
        superseded_by=said.superseded_by,
    )


def _best_line(body: str, terms: Sequence[str], first: int) -> tuple[int, str]:
    """Return the number and the text of the line that holds most of *terms*, cut around them.

    Where several hold as many, it is the next one from line *first* on.
    """
    lines = body.split("\n")
    stems = tuple(words.plain(t)[:_STEM] for t in terms)
    held = [sum(s in words.plain(line) for s in stems) if line.strip() else -1 for line in lines]
    most = max(held)
    at = held.index(most, first if most in held[first:] else 0)
    return at, _cut(" ".join(lines[at].split()), stems)


def _cut(line: str, stems: Sequence[str]) -> str:
    if len(line) <= _SNIPPET:
        return line
    folded = words.plain(line)
    first = min((p for s in stems if (p := folded.find(s)) >= 0), default=0)
    start = max(min(first - _SNIPPET // 4, len(line) - _SNIPPET), 0)
    cut = line[start : start + _SNIPPET]
    return ("…" if start else "") + cut + ("…" if start + _SNIPPET < len(line) else "")


def _heading(body: str, at: int) -> str:
    above = [m[1] for line in body.split("\n")[: at + 1] if (m := _HEADING.match(line))]
    return above[-1].rstrip("# \t\r") if above else ""
