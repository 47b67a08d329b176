"""Dreams: each proposed change as a diff with reason and sources, ticked here or in the note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.api.rendering import gate_sentence
from vaultmem.api.types import Dreamt, Proposal, WaitingChange
from vaultmem.errors import Unavailable
from vaultmem.web.rendering import diffs, markdown
from vaultmem.web.rendering.diffs import FileDiff
from vaultmem.web.types import Asked, Page, Reader

_OPS = {
    "merge": "Say it once", "correct": "Put right", "delete": "Take out", "move": "Move",
    "split": "Split", "promote": "Keep for good", "abstract": "Sum up", "link": "Link",
    "archive": "Put away", "supersede": "Replace", "card": "Note on a card", "skill": "New skill",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Proposed:
    """A change that is proposed, and whether its box is ticked; *sources* are paths by name."""

    proposal: Proposal
    verb: str
    files: tuple[FileDiff, ...]
    sources: tuple[tuple[str, str], ...]
    ticked: bool


@dataclass(frozen=True, slots=True)
class Note:
    """A review note: where it is, when it was made, its changes, and what its gate says."""

    path: str
    made: str
    changes: tuple[Proposed, ...]
    gate: str
    losses: tuple[str, ...]
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DreamsPage:
    """The dreams that wait, and those that were applied."""

    notes: tuple[Note, ...]
    applied: Sequence[Dreamt]


def query(reader: Reader, asked: Asked) -> DreamsPage:
    """Return the dreams there are now; a single agent's server has none, they are of all."""
    if asked.options.agent:
        return DreamsPage((), ())
    dreams = reader.vault.dreams
    notes = tuple(
        Note(
            it.path, it.dream.made,
            tuple(_proposed(reader, change, it.ticked) for change in it.changes),
            gate_sentence(it.dream.gate), it.dream.losses, it.dream.left,
        )
        for it in dreams.reviews()
    )  # fmt: skip
    try:
        applied = dreams.log()[:20]
    except Unavailable:
        applied = ()
    return DreamsPage(notes, applied)


def _proposed(reader: Reader, change: WaitingChange, ticked: frozenset[str]) -> Proposed:
    proposal = change.proposal
    names = [name for source in proposal.sources for name in (_bare(source),)]
    known = reader.view.resolve(names)
    sources = tuple((name, known.get(name, "")) for name in dict.fromkeys(names))
    return Proposed(
        proposal, _OPS.get(proposal.op, proposal.op), diffs.parsed(change.diff), sources,
        proposal.id in ticked,
    )  # fmt: skip


def _bare(source: str) -> str:
    return next(iter(markdown.linked(source)), source.removesuffix(".md"))


PAGE = Page("/dreams", "Dreams", "dreams.html", query)
