"""What a person chose in the review notes, and what is told of the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vaultmem.errors import BadInput
from vaultmem.maintenance.dream import planner
from vaultmem.maintenance.dream.inbox import PendingReview
from vaultmem.maintenance.dream.planner import Choice
from vaultmem.maintenance.dream.results import Selection, Skipped

CONTESTED = "it is ticked in one place and struck out in another: leave one mark"
REWORDED = (
    "its diff was edited, and a change is done as a whole or not at all: `vaultmem dream apply"
    " --only {id}` does it as it was proposed; change the file after that, or instead"
)


def choice(notes: Sequence[PendingReview], selection: Selection) -> Choice:
    """Return what is chosen; raises BadInput when that is nothing."""
    if selection.ids:
        ticked = frozenset() if selection.unasked else selection.ids
        return Choice(selection.ids, ticked, selection.protected)
    if not notes:
        raise BadInput("no dream waits for review: `vaultmem dream plan` makes a plan")
    struck = struck_out(notes)
    ticked = ticked_in(notes) - struck
    if not selection.everything:
        if not ticked and not contested(notes, selection):
            raise BadInput(_why_nothing(notes))
        return Choice(ticked, ticked, selection.protected)
    every = {name for w in notes for name in _ids_of_note(w, selection)} - struck
    return Choice(ticked | every, ticked, selection.protected)


def is_nothing(notes: Sequence[PendingReview], selection: Selection) -> bool:
    """Tell whether nothing is chosen: no box is ticked, and nothing else is wanted."""
    wanted = selection.ids or selection.everything
    return not (wanted or ticked_in(notes) - struck_out(notes) or contested(notes, selection))


def ticked_in(notes: Iterable[PendingReview]) -> frozenset[str]:
    """Return the ids that are ticked, and were not dealt with yet."""
    return frozenset(name for w in notes for name in w.review.fresh)


def struck_out(notes: Iterable[PendingReview]) -> frozenset[str]:
    """Return the ids that are struck out."""
    return frozenset(name for w in notes for name in w.review.boxes.declined)


def contested(notes: Sequence[PendingReview], selection: Selection) -> frozenset[str]:
    """Return the ids of which the notes say both yes and no; one that is named is clear."""
    return (ticked_in(notes) & struck_out(notes)) - selection.ids


def reworded(
    notes: Sequence[PendingReview], selection: Selection, choice: Choice
) -> dict[str, str]:
    """Return which changes of *choice* a note shows otherwise than they are, with their paths.

    One that is named by its id is meant as it is.
    """
    theirs = (p for w in notes for p in w.open if p.id in w.reworded)
    return {p.id: p.path for p in theirs if p.id in choice.ids - selection.ids}


def kept_back(
    notes: Iterable[PendingReview], selection: Selection, choice: Choice
) -> Iterator[Skipped]:
    """Yield what was not done though everything was wanted: it changes a person's own lines."""
    theirs = (p for w in notes for p in w.open if selection.everything and p.protected)
    yield from (Skipped(p.id, p.path, planner.PROTECTED) for p in theirs if p.id not in choice.ids)


def _why_nothing(notes: Sequence[PendingReview]) -> str:
    """Return what to do where nothing is ticked."""
    waiting = [w for w in notes if w.open or w.dream is None]
    if not waiting:
        return "nothing is ticked, and nothing waits: `vaultmem dream plan` looks for more"
    free = any(w.dream is None or not all(p.protected for p in w.open) for w in waiting)
    alone, protected = (
        "`vaultmem dream apply --all`",
        "`vaultmem dream apply --all --include-protected`",
    )
    note = waiting[-1].path
    return f"nothing is ticked: tick boxes in {note}, or use {alone if free else protected}"


def _ids_of_note(note: PendingReview, selection: Selection) -> Iterator[str]:
    """Yield what a note has to be done when everything is wanted."""
    if note.dream is None:  # its plan is lost: planning anew tells which of it is protected
        review = note.review
        yield from review.boxes.known - review.boxes.declined - review.applied
    yield from (p.id for p in note.open if selection.protected or not p.protected)
