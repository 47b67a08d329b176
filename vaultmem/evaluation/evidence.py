"""Find the memories that a question's evidence names or quotes; what nobody holds is said, too.

Evidence is a memory's origin (`<session>/<message id>`), a bare message id, a memory's id, path or
file name, or words of its text. Each piece becomes the refs of which any one will do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from vaultmem.evaluation.phrase_match import holds, normal
from vaultmem.evaluation.questions import LabelledQuestion
from vaultmem.records import Record


@dataclass(frozen=True, slots=True)
class Known:
    """A question whose evidence is known: in which memories, and in which sessions they were."""

    asked: LabelledQuestion
    gold: tuple[frozenset[str], ...]
    sessions: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A question that is not asked: *missing* says which evidence nobody holds, and why."""

    line: int
    question: str
    missing: tuple[str, ...]


def ref(found: Record) -> str:
    """Return what names a file wherever it lies: its id, or else its path."""
    return found.id or found.path


def resolve(
    asked: Sequence[LabelledQuestion], memories: Iterable[Record]
) -> tuple[tuple[Known, ...], tuple[LeftOut, ...]]:
    """Return the questions whose evidence is wholly known, and those that must be left out."""
    names = _Evidence(memories, {piece for question in asked for piece in question.evidence})
    each = [_resolved(question, names) for question in asked]
    return (
        tuple(it for it in each if isinstance(it, Known)),
        tuple(it for it in each if isinstance(it, LeftOut)),
    )


def _resolved(asked: LabelledQuestion, names: _Evidence) -> Known | LeftOut:
    pieces = [(piece, names.meant(piece, asked)) for piece in asked.evidence]
    missing = tuple(f"{piece}: {why}" for piece, found in pieces if (why := _fault(piece, found)))
    if missing:
        return LeftOut(asked.line, asked.text, missing)
    return Known(
        asked,
        tuple(frozenset(map(ref, found)) for _, found in pieces),
        tuple(s for _, found in pieces if (s := frozenset(r.session for r in found if r.session))),
    )


def _fault(piece: str, found: Sequence[Record]) -> str:
    """Return why *found* is no evidence, "" when it is: words may stand in several memories."""
    if not found:
        return "no memory holds these words" if _is_text(piece) else "no memory has this id"
    if len(found) > 1 and not _is_text(piece):
        return f"{len(found)} memories have this id: write {found[0].origin or ref(found[0])}"
    return ""


def _is_text(piece: str) -> bool:
    """Tell words from a name: a name has no blank in it and is plain ASCII."""
    return " " in piece or not piece.isascii()


class _Evidence:
    """The memories that any of some pieces of evidence calls by a name, or quotes."""

    def __init__(self, memories: Iterable[Record], pieces: Collection[str]) -> None:
        self._named: dict[str, list[Record]] = defaultdict(list)
        self._quoted: dict[str, list[Record]] = defaultdict(list)
        quotes = {piece: normal(piece) for piece in pieces if _is_text(piece)}
        for record in memories:
            for name in dict.fromkeys(_names(record)):
                if name in pieces:
                    self._named[name].append(record)
            text = normal(record.body) if quotes else ""
            for piece, words in quotes.items():
                # `in` first: it is many times quicker than the pattern that looks at the edges.
                if words in text and holds(text, words):
                    self._quoted[piece].append(record)

    def meant(self, piece: str, asked: LabelledQuestion) -> Sequence[Record]:
        """Return the memories that *piece* means, those of the question's own agent alone."""
        named = [r for r in self._named.get(piece, ()) if _may_be_meant(r, asked)]
        if named or not _is_text(piece):
            return _alone(piece, named)
        return [r for r in self._quoted.get(piece, ()) if _may_be_meant(r, asked)]


def _names(record: Record) -> Iterator[str]:
    yield from (n for n in (record.id, record.path, record.stem, record.origin) if n)
    if record.origin and record.session:
        yield record.origin.removeprefix(f"{record.session}/")


def _may_be_meant(record: Record, asked: LabelledQuestion) -> bool:
    return (not asked.agent or record.agent == asked.agent) and (
        not asked.session or record.session == asked.session
    )


def _alone(piece: str, named: Sequence[Record]) -> Sequence[Record]:
    """Prefer the one that *piece* names in full to those whose message id it happens to be."""
    whole = [r for r in named if piece in {r.id, r.path, r.stem, r.origin}]
    return whole if len(whole) == 1 else named
