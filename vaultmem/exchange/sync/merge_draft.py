"""A merge thought out: three versions of each file, what becomes of them, and what stops it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from vaultmem.documents import public_text
from vaultmem.errors import Refused
from vaultmem.exchange.sync import (
    forgotten,
    kept_tombstones,
    kept_turns,
    losses,
    merge_plan,
    obeyed_changes,
    remote_checks,
    shared_names,
)
from vaultmem.exchange.sync.losses import Losses
from vaultmem.exchange.sync.types import Data, Lines, Merged, Sides, Versions
from vaultmem.storage import gone_tombstones, tombstones
from vaultmem.storage.git import Fork, Remote, Repository, Row
from vaultmem.storage.store import Store


@dataclass(frozen=True, slots=True)
class Trees:
    """What *repository* has of this clone and of *there*; *fork* returns the files of both."""

    store: Store
    repository: Repository
    there: Remote
    fork: Callable[[str, str, str], Fork]

    def draft(self, lines: Lines) -> MergeDraft:
        """Return the merge of both *lines*; raises Refused where it may not be."""
        sides = self.sides(lines)
        kept = kept_turns.find(sides, lines, self.repository)
        sides = {**sides, **kept_turns.sides(sides, kept)}
        lines = lines.over(sides, keeps=bool(kept))
        made = self._decided(lines, sides)
        draft = MergeDraft(self, lines, sides, made, losses.find(sides, made))
        draft.made.aside += kept_turns.notes(kept)
        draft.made.notices += [*draft.staying(), *kept_turns.notices(kept)]
        return draft

    def files(self, lines: Lines) -> Fork:
        """Return all files of both *lines*, and of where they part."""
        return self.fork(lines.base, lines.ours, lines.theirs)

    def sides(self, lines: Lines) -> Sides:
        """Return the three versions of every path that either side changed."""
        ours = self._changed(lines.base, lines.ours)
        theirs = self._changed(lines.base, lines.theirs, check=True)
        for path, row in theirs.items():
            if path not in ours or ours[path].new != row.new:
                remote_checks.refuse_program(row)
        blobs = {blob for row in (*ours.values(), *theirs.values()) for blob in (row.old, row.new)}
        data = self.repository.contents(blobs, remote_checks.giant_check(theirs.values()))
        sides: dict[str, Versions] = {}
        for path in ours.keys() | theirs.keys():
            base = (ours.get(path) or theirs[path]).old
            three = (base, *(side[path].new if path in side else base for side in (ours, theirs)))
            sides[path] = Versions(*(data.get(blob.id) for blob in three))
        shared_names.refuse_twins(sides, self.files(lines).there)
        noted = gone_tombstones.learn_once(self.store).seen
        return kept_tombstones.apart(sides, lines, noted, self.repository)

    def _changed(self, old: str, new: str, *, check: bool = False) -> Mapping[str, Row]:
        rows = self.repository.between(old, new)
        if check:
            for row in rows:
                remote_checks.refuse(row)
        return {r.path: r for r in rows if remote_checks.is_plain(r)}

    def _decided(self, lines: Lines, sides: Sides) -> Merged:
        owner, listed = self.store.config().owner, self.files(lines)
        if lines.is_forward:
            files_of = {path: it.theirs for path, it in sides.items()}
            made = Merged(files_of, forgotten=forgotten.forgotten_paths(sides, owner))
        else:
            self._refuse_purged(lines, sides)
            here, there = frozenset(listed.here), frozenset(listed.there)
            made = merge_plan.merge(sides, here, there, owner)
        made.notices += remote_checks.settings(sides, made, lines.theirs)
        made.notices += obeyed_changes.notices(sides, made, lines, self.repository)
        made.notices += kept_tombstones.notices(sides, lines, listed.before, listed.there)
        made.notices += kept_tombstones.come_back(sides, self._was_here)
        remote_checks.refuse_damaged_tombstones(sides, made, lines.theirs)
        return made

    def _was_here(self, path: str) -> bool:
        return bool(self.repository.log(1, paths=(path,)))

    def _refuse_purged(self, lines: Lines, sides: Sides) -> None:
        """Raise Refused where one side took from its history what the other one still has.

        What both went on from has no tombstone of that.
        """
        for path, it in sides.items():
            here, there = map(tombstones.has_left_history, (it.ours, it.theirs))
            is_new = tombstones.is_path(path) and path not in self.files(lines).before
            if is_new and here != there:
                raise Refused(purged_here(self.there, lines.theirs) if here else _PURGED_THERE)


@dataclass(frozen=True, slots=True)
class MergeDraft:
    """What the merge of two *lines* comes to, in *made*; nothing of it is written yet.

    *lost* is what goes by that: looked for before anything is laid into the inbox, since a copy
    there, with the id of a file that goes, is not where that moved to.
    """

    trees: Trees
    lines: Lines
    sides: Sides
    made: Merged
    lost: Losses

    def moved(self) -> dict[str, Data]:
        """Return what files say after it that are not so here, in path order."""
        return {path: data for path, data in sorted(self.made.files.items())
                if path not in self.sides or data != self.sides[path].ours}  # fmt: skip

    def deleted_memories(self) -> list[str]:
        """Return the ids of the memories that go and that nobody forgot."""
        ids = (forgotten.id_of(self.sides[path].ours) for path in self.lost.memories)
        return [*filter(None, ids)]

    def refuse(self, *, accepted: bool) -> None:
        """Raise Refused for what stops it; a person has *accepted* that much is gone there."""
        for why in self.stopping(accepted=accepted):
            raise Refused(why)
        self._refuse_unwritten()
        remote_checks.refuse_settings(self.made, self.trees.store.texts.read)

    def stopping(self, *, accepted: bool) -> Iterator[str]:
        """Say what stops it when more is gone there than a person has *accepted*."""
        index = self.trees.store.index
        lost = self.lost
        if not accepted and losses.need_consent(lost, index.documents(), index.memories()):
            yield _CROWD.format(len(lost.all), lost.all[0])

    def staying(self) -> Iterator[str]:
        """Say what goes, and what stays here all the same that went there."""
        own = self.trees.store.texts.own
        # What holds something else than our commit is not taken away.
        staying = [p for p in self.lost.deleted if own(p) not in {None, self.sides[p].ours}]
        gone = self.lost.deleted
        undone, emptied = (
            losses.taken_away(self.lines, self.trees.repository, *how) if gone else frozenset()
            for how in ((losses.UNDO,), losses.FORGETTING)
        )  # fmt: skip
        # What a forgetting there left nothing of went with what was forgotten.
        left = replace(
            self.lost, deleted=tuple(p for p in gone if p in staying or p not in emptied)
        )
        yield from losses.notices(left, self.lines.ours, staying, undone)
        for path, now in self._outliving():
            if public_text.is_held(now):
                yield HELD_HERE.format(path)

    def _refuse_unwritten(self) -> None:
        """Raise Refused where somebody is writing, right now, what was taken away there."""
        for path, now in self._outliving():
            if not public_text.is_held(now):
                raise Refused(_EDITED_MEANWHILE.format(path, "forgotten there"))
        for path, new in losses.moved_while_written(
            self.sides, self.made, self.trees.store.texts.own
        ):
            raise Refused(_EDITED_MEANWHILE.format(path, f"moved to {new} there"))
        for path in filter(self.trees.store.writer.commits.edits.is_cut, self.made.files):
            raise Refused(_CUT.format(path))

    def _outliving(self) -> Iterator[tuple[str, bytes]]:
        """Yield what was forgotten there, and stands here with other words than git has.

        Or in another place, which git does not know.
        """
        for path, gone in self.made.forgotten.items():
            now = self.trees.store.texts.own(path)
            if self.made.files.get(path) is None and now is not None and now not in gone.gone:
                yield path, now
        for it in self.trees.store.index.identified(forgotten.ids_forgotten_there(self.sides)):
            if not tombstones.is_path(it.path) and it.path not in self.trees.files(self.lines).here:
                now = self.trees.store.texts.own(it.path)
                if now is not None:
                    yield it.path, now


def purged_here(there: Remote, tip: str) -> str:
    """Say why what is at *tip* cannot be merged, and the way out: it was purged here."""
    return _PURGED_HERE.format(f"{there.branch}:{tip[:12]} {there.name} HEAD:{there.branch}")


_CROWD = (
    "{} files are gone or forgotten there, {} among them; nothing was merged: `vaultmem sync "
    "--accept-missing` deletes them here, too (this machine's git still has them), or restore them "
    "there"
)
HELD_HERE = (
    "{} was forgotten there, and holds something private or a credential here, which git does not "
    "have: it stays as it is, on this machine alone; delete it to forget it here, too"
)
_EDITED_MEANWHILE = (
    "{} was {}, and is being written here: nothing was merged; sync again when it has "
    "not changed for half a minute, or delete it"
)
_CUT = (
    "{0} lacks what git has of it, and more came to it there: nothing was merged; "
    "`git checkout -- {0}` brings it back, then sync"
)
_PURGED_HERE = (
    "what was purged here is still in the history there, and a merge would bring it back: "
    "`git push --force-with-lease={}` puts the rewritten history there, sync never forces; other "
    "clones must be cloned again"
)
_PURGED_THERE = (
    "something was purged there that the history here still holds, and a merge would bring it "
    "back: clone the remote again and copy over what only this clone has"
)
