"""A vault as it would be: proposals are judged against it, and those that are taken change it.

The same judgement stands when a dream is planned and when what was chosen of it is applied.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from vaultmem.errors import Unreadable
from vaultmem.knowledge.cards import patching
from vaultmem.maintenance.dream import facts, inherited_trust, loss_check
from vaultmem.maintenance.dream.edits import Drift, Fitted, Misfit, Read, fit
from vaultmem.maintenance.dream.inherited_trust import ToolOf
from vaultmem.maintenance.dream.loss_check import Budget, Pieces, Spent
from vaultmem.maintenance.dream.types import Edit, Make, Move, Note, Proposal, Remove, Seen
from vaultmem.memory import memory_index
from vaultmem.storage import supersessions


@dataclass(frozen=True, slots=True)
class Judged:
    """A proposal that fits: what it makes of files, what is said less and more, what it costs."""

    fitted: Fitted
    notes: Mapping[str, Note]
    less: Pieces
    more: Pieces
    spent: Spent


class Draft:
    """The files of a vault with some proposals made, and what is said in all of it."""

    def __init__(self, seen: Seen, read: Read, tool_of: ToolOf = inherited_trust.nobodys) -> None:
        """Begin with what was *seen*, and the bytes that *read* gives; *tool_of* names tools."""
        self._seen, self._disk, self._tool_of = seen, read, tool_of
        self._notes = {note.path: note for note in seen.notes}
        self._raw = {record.path: record for record in (*seen.memories, *seen.episodes)}
        self.changed: dict[str, bytes | None] = {}
        """What is not as on disk: the bytes by path, None for a file that went."""
        self._pieces = {note.path: loss_check.of_note(note) for note in seen.notes}
        self._stands: Pieces = Counter()
        for pieces in self._pieces.values():
            self._stands.update(pieces)
        for note in seen.instructions:
            self._stands.update(loss_check.of_note(note))
        held = seen.episodes if seen.told else self._raw.values()
        for record in held:
            self._stands.update(loss_check.of_record(record))
        self._told = seen.told or (lambda _piece: 0)
        counts = {path: pieces.total() for path, pieces in self._pieces.items()}
        self._budget, self._spent = Budget(counts, len(seen.notes)), Spent()

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file as it would be."""
        return self.changed[path] if path in self.changed else self._disk(path)

    def seen(self) -> Seen:
        """Return what a dream would see of it."""
        gone = {path for path, data in self.changed.items() if data is None}
        came = {path for path, data in self.changed.items() if data is not None}
        return replace(
            self._seen,
            notes=tuple(self._notes[path] for path in sorted(self._notes)),
            memories=tuple(r for r in self._seen.memories if r.path in self._raw),
            episodes=tuple(r for r in self._seen.episodes if r.path in self._raw),
            paths=self._seen.paths - gone | came,
        )

    def judge(self, proposal: Proposal, drift: Drift | None = None) -> Judged:
        """Return what *proposal* would do here; raises Misfit when it may not be, or does not fit.

        It may not touch what is fixed or raw, give words another's trust, lose a fact that it does
        not name, or go over the budget together with what was taken before.
        """
        for edit in proposal.edits:
            self._refuse_fixed(edit)
        fitted = self._with_marks(fit(proposal, self.read, drift))
        moved = {path for e in proposal.edits if isinstance(e, Move) for path in (e.path, e.to)}
        files = {path: data for path, data in fitted.files.items() if path not in moved}
        notes = {p: self._note(p, data) for p, data in files.items() if data is not None}
        if why := inherited_trust.refusal(fitted.proposal, self._notes, notes, self._tool_of):
            raise Misfit(why)
        before = _sum(self._pieces_of(path) for path in files)
        after = _sum(loss_check.of_note(note) for note in notes.values())
        less, more = before - after, after - before
        gone = [piece for piece in less if self._times_said(piece) <= less[piece]]
        self._refuse_undeclared(gone, fitted.proposal, notes, more)
        spent = self._spent.plus(*self._cost(gone, fitted.proposal, files))
        if why := self._budget.exceeded(spent):
            raise Misfit(why)
        return Judged(fitted, notes, less, more, spent)

    def take(self, judged: Judged) -> None:
        """Make what was judged just now."""
        for path, data in judged.fitted.files.items():
            self.changed[path] = data
            self._notes.pop(path, None)
            self._raw.pop(path, None)
            self._pieces.pop(path, None)
        for path, note in judged.notes.items():
            self._pieces[path] = loss_check.of_note(note)
            if facts.is_cleaned(path):
                self._notes[path] = note
        self._stands.subtract(judged.less)
        self._stands.update(judged.more)
        self._spent = judged.spent

    def _refuse_fixed(self, edit: Edit) -> None:
        note, path = self._notes.get(edit.path), edit.path
        if isinstance(edit, Make):
            if not (facts.is_cleaned(path) or path.startswith(f"{supersessions.FOLDER}/")):
                raise Misfit(f"{path} is not a place where a dream may write")
        elif isinstance(edit, Remove | Move) and path in self._raw:
            return
        elif note is None:
            raise Misfit(f"{path} is not a file that a dream may change")
        elif note.fixed:
            raise Misfit(f"{path} is pinned, read-only or not trusted")

    def _with_marks(self, fitted: Fitted) -> Fitted:
        """Return it with a card's words still said by who said them, where we put them right."""
        proposal, (path, *others) = fitted.proposal, fitted.proposal.paths
        note, data = self._notes.get(path), fitted.files[path]
        is_ours = not (proposal.by or others)
        if is_ours and note and data is not None and note.record.type == "card":
            with contextlib.suppress(Unreadable):
                was = self.read(path) or b""
                return replace(fitted, files={path: patching.put_right(path, was, data)})
        return fitted

    def _note(self, path: str, data: bytes) -> Note:
        """Return the file as it would be: what it was believed it is, while it claims no other."""
        made = facts.note(path, data)
        if made is None:
            raise Misfit(f"{path} could not be read any more")
        if old := self._notes.get(path):
            was, now = old.record, made.record
            if (was.claimed or was.trust) == (now.claimed or now.trust):
                return replace(made, record=replace(now, trust=was.trust, claimed=was.claimed))
        return made

    def _times_said(self, piece: str) -> int:
        """Return how often *piece* is said in all of the vault."""
        return self._stands[piece] + self._told(piece)

    def _pieces_of(self, path: str) -> Pieces:
        if path in self._raw:
            return loss_check.of_record(self._raw[path])
        return self._pieces.get(path, Counter())

    def _refuse_undeclared(
        self, gone: list[str], proposal: Proposal, notes: Mapping[str, Note], more: Pieces
    ) -> None:
        if not gone:
            return
        stays = _RemainingPieces(self._times_said, frozenset(gone), more)
        texts = ("\n".join(note.lines) for note in notes.values())
        if loss_check.undeclared_losses(gone, proposal, stays, texts):
            raise Misfit("a fact would be lost without being listed")

    def _cost(
        self, gone: list[str], proposal: Proposal, files: Mapping[str, bytes | None]
    ) -> tuple[Mapping[str, int], frozenset[str]]:
        """Return how many facts each of the *files* loses, and which of them go.

        An index is no place for facts: what it loses by name, dead pointers and work of the day,
        is no share of anything, and whatever lasts of it moves.
        """
        lost, notes = loss_check.lost(gone, proposal), files.keys() - {memory_index.PATH}
        held = {path: sum(p in self._pieces_of(path) for p in lost) for path in notes}
        removed = frozenset(path for path, data in files.items() if data is None)
        return {path: count for path, count in held.items() if count}, removed


@dataclass(frozen=True, slots=True)
class _RemainingPieces:
    """The pieces that the vault has once some are *gone* and some *more* came."""

    stands: Callable[[str], int]
    gone: frozenset[str]
    more: Pieces

    def __contains__(self, piece: object) -> bool:
        return piece in self.more or (piece not in self.gone and self.stands(str(piece)) > 0)


def _sum(each: Iterable[Pieces]) -> Pieces:
    total: Pieces = Counter()
    for pieces in each:
        total.update(pieces)
    return total
