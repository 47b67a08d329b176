"""Dreams: each proposed change as a diff with reason and sources, ticked here or in the note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.api.rendering import gate_sentence
from vaultmem.api.types import Dreamt, Proposal, WaitingChange
from vaultmem.errors import Unavailable
from vaultmem.web.rendering import diffs, markdown
from vaultmem.web.rendering.diffs import FileDiff
from vaultmem.web.rendering.templates import path_label
from vaultmem.web.types import Asked, Page, Reader

_OPS = {
    "merge": "Merge", "correct": "Correct", "delete": "Remove", "move": "Move",
    "split": "Split", "promote": "Promote", "abstract": "Summarize", "link": "Link",
    "archive": "Archive", "supersede": "Replace", "card": "Card", "skill": "New skill",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Proposed:
    """A change that is proposed, and whether its box is ticked.

    *about* is how the file is called that it changes; *sources* are title and path each, "" for
    what is not there.
    """

    proposal: Proposal
    verb: str
    about: str
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
    names = dict.fromkeys(map(_bare, proposal.sources))
    known = reader.view.resolve(names)
    titles = reader.view.titles([proposal.path, *known.values()])
    sources = tuple(
        (titles.get(path) or path_label(name), path)
        for name in names
        for path in (known.get(name, ""),)
    )
    return Proposed(
        proposal, _OPS.get(proposal.op, proposal.op),
        titles.get(proposal.path) or path_label(proposal.path), diffs.parsed(change.diff),
        sources, proposal.id in ticked,
    )  # fmt: skip


def _bare(source: str) -> str:
    return next(iter(markdown.linked(source)), source.removesuffix(".md"))


PAGE = Page("/dreams", "Dreams", "dreams.html", query)
