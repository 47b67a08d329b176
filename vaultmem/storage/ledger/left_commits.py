"""Commits with work of ours that HEAD does not reach any more: which it has not got otherwise.

An operation is there where its files say what it made them say, or where another commit names it
alone, as after a rebase, a cherry-pick, an amend or a purge. What the files say holds for as long
as HEAD has that: else it is judged anew. What is acknowledged of memories is the ledger's, and what
is made anew from other files is nobody's loss.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vaultmem.errors import Unavailable
from vaultmem.storage.git import Entry as Commit
from vaultmem.storage.git import Row
from vaultmem.storage.ledger import commit_notes, overruled_commits, shown_changes
from vaultmem.storage.ledger.commit_notes import Said, named
from vaultmem.storage.ledger.missing_cache import Comparison, LeftCommit
from vaultmem.storage.ledger.our_commits import OurCommits
from vaultmem.storage.ledger.shown_changes import Made


class Found(NamedTuple):
    """The commits of ours that HEAD does not reach: those that *left* it with what they did.

    Those that are *settled* left it, too, but its files say what they did.
    """

    left: tuple[LeftCommit, ...] = ()
    settled: tuple[LeftCommit, ...] = ()


def find(
    ours: OurCommits, known: Comparison | None, head: str, moved: Sequence[Row] | None
) -> Found:
    """Return which of *ours* left HEAD, now at *head*, the oldest first.

    *known* is what was found last, and *moved* what differs since, None where nobody can tell: only
    that is looked at. Without it, all that HEAD ever stood on here, and the branches, are, as far
    as git still knows. What was settled is judged anew where HEAD went back. Raises Unavailable.
    """
    if known and known.head == head:
        return Found(known.left, known.settled)
    since = known.head if known and moved is not None else None
    told, settled = (known.left, known.settled) if known else ((), ())
    fresh = _known_to_have_left(ours, since, head)
    overruling = overruled_commits.gained(ours.repository, since, head) if head else []
    if not (fresh or told or settled or overruling):
        return Found()
    look = _Look(ours, since, head, moved, commit_notes.said(ours.repository, since, head))
    now = look.found(fresh, [it for it in told if not it.by], settled)
    overruled = look.overruled(overruling, [it for it in told if it.by])
    return Found(_in_order(told, (*overruled, *now.left)), _in_order(settled, now.settled))


@dataclass(frozen=True, slots=True)
class _Look:
    """A look at what HEAD, now at *head*, lost *since* the last one; None for all of its past.

    *moved* is what differs since, None where nobody can tell; *said* is what the commits between
    say.
    """

    ours: OurCommits
    since: str | None
    head: str
    moved: Sequence[Row] | None
    said: Said

    def found(
        self, fresh: Iterable[Commit], left: Sequence[LeftCommit], settled: Sequence[LeftCommit]
    ) -> Found:
        """Return what of *fresh*, and of what *left* or was *settled* before, HEAD lacks now."""
        stays = self._goes_on() if settled else False
        anew = () if stays else settled
        outside = self._still_left({it.commit: it for it in (*left, *anew)})
        doubted = {it.commit for it in outside.values() if not self._is_as_before(it)}
        known = {it.commit for it in (*left, *settled)}
        asked = {it.commit: it for it in fresh if it.commit not in known}
        again = self.ours.left_behind([*doubted], self.head)
        asked |= {it.commit: it for it in again if it.commit in doubted}
        lost = [it for it in reversed(asked.values()) if not {*named(it)} <= self.said.let_go]
        # What was settled long ago may have been changed since: all of the past of a file tells.
        found = self._judged(None if anew else self.since, lost)
        rest = [it for it in outside.values() if it.commit not in asked]
        were = {it.commit for it in anew}
        were -= self._gone_with([it for it in rest if it.commit in doubted & were])
        kept = settled if stays else [it for it in rest if it.commit in were]
        gone = [it for it in rest if it.commit not in were]
        return Found((*gone, *found.left), (*kept, *found.settled))

    def _goes_on(self) -> bool:
        """Tell whether HEAD stands on what it stood on: nobody took it back."""
        return bool(self.since) and self.ours.repository.goes_on(self.since or "", self.head)

    def _is_as_before(self, it: LeftCommit) -> bool:
        """Tell whether no file of *it* has moved, and nobody named it since."""
        is_untouched = self.moved is not None and {*it.paths}.isdisjoint(r.path for r in self.moved)
        return is_untouched and self.said.by.keys().isdisjoint(it.ops)

    def _still_left(self, before: Mapping[str, LeftCommit]) -> dict[str, LeftCommit]:
        """Return which of those *before* HEAD does not reach now, and nobody let go.

        One that git has thrown away is there only where a commit names it alone.
        """
        if not before:
            return {}
        said = self.said
        outside = {it.commit for it in self.ours.left_behind([*before], self.head)}
        pruned = before.keys() - self.ours.repository.held(before)
        either = said.let_go | said.alone
        here = {it.commit for it in before.values()
                if {*it.ops} <= (either if it.commit in pruned else said.let_go)}  # fmt: skip
        return {commit: it for commit, it in before.items() if commit in (outside | pruned) - here}

    def _judged(self, since: str | None, lost: Sequence[Commit]) -> Found:
        """Tell of *lost*, the oldest first, whether their files say what they should.

        One that another commit names is that one's to answer for.
        """
        ours, said = self.ours, self.said
        rows = ours.touched([it.commit for it in lost])
        by_path: dict[str, list[Made]] = defaultdict(list)
        for it in lost:
            # What names the operations of one of others has the rest of their work.
            is_alone = it.commit not in ours.taken and {*named(it)} <= said.alone
            for row in rows.get(it.commit, ()):
                by_path[row.path].append(Made(it.commit, row, is_alone))
        naming = dict.fromkeys(by for it in lost for op in named(it) for by in said.by.get(op, ()))
        paths = shown_changes.missed(ours.repository, since, self.head, by_path, naming)
        made = {it.commit: [row.path for row in rows.get(it.commit, ())]
                for it in lost if said.by.keys().isdisjoint(named(it))}  # fmt: skip
        return Found(
            tuple(_told(it, paths[it.commit]) for it in lost if it.commit in paths),
            tuple(_told(it, made[it.commit]) for it in lost
                  if it.commit not in paths and made.get(it.commit)),
        )  # fmt: skip

    def _gone_with(self, pruned: Sequence[LeftCommit]) -> set[str]:
        """Return which of *pruned*, which git has not any more, HEAD lost since it was settled.

        Those of which it never had a file as it was *since* then.
        """
        paths = [*dict.fromkeys(path for it in pruned for path in it.paths)]
        if not paths or self.since is None:
            return set()
        repository = self.ours.repository
        had, now = (repository.blobs(at, paths) for at in (self.since, self.head))
        came = shown_changes.came(repository, None, self.head, paths)
        lost = {path for path in paths if path in had and now.get(path) != had[path]
                and had[path].id not in came.get(path, ())}  # fmt: skip
        return {it.commit for it in pruned if not lost.isdisjoint(it.paths)}

    def overruled(
        self, commits: Sequence[str], before: Sequence[LeftCommit]
    ) -> Iterator[LeftCommit]:
        """Yield what *commits* left out, and what was *before* that HEAD still has not."""
        stay = [it for it in before if not {*it.ops} <= self.said.let_go]
        if stay and self.moved is not None and self._goes_on():
            yield from overruled_commits.still(self.ours, stay, self.head, self.moved)
        elif stay:
            known = {it.commit for it in stay}
            again = self._left_out_by([it for it in {it.by for it in stay} if self._stands_on(it)])
            yield from (it for it in again if it.commit in known)
        yield from self._left_out_by(commits)

    def _stands_on(self, commit: str) -> bool:
        """Tell whether HEAD reaches a *commit* that it did before."""
        there = self.ours.repository
        return there.holds(commit) and there.merge_base(commit, self.head) == commit

    def _left_out_by(self, commits: Sequence[str]) -> Iterator[LeftCommit]:
        """Yield what *commits* left out, and nobody let go."""
        for it in overruled_commits.find(self.ours, commits, self.head):
            if not {*named(it.commit)} <= self.said.let_go:
                yield _told(it.commit, it.paths)._replace(by=it.by)


def _in_order(before: Iterable[LeftCommit], now: Iterable[LeftCommit]) -> tuple[LeftCommit, ...]:
    """Return what there is *now*, each as it is told last, those that were there *before* first."""
    found = {it.commit: it for it in now}
    order = dict.fromkeys([*(it.commit for it in before), *found])
    return tuple(found[commit] for commit in order if commit in found)


def _known_to_have_left(ours: OurCommits, since: str | None, head: str) -> list[Commit]:
    """Return which of *ours* HEAD, now at *head*, reached and does not, newest first.

    Nothing where HEAD stands on what it stood on, nor what may lie behind the edge of a shallow
    clone.
    """
    repository = ours.repository
    if since and head and repository.goes_on(since, head):
        return []
    found = ours.left_behind(_tips(ours) if since is None else [since], head)
    if not (found and head and repository.is_shallow):
        return found
    if since is not None:
        return found if repository.merge_base(since, head) else []
    return [it for it in found if repository.merge_base(it.commit, head)]


def _tips(ours: OurCommits) -> list[str]:
    """Return where HEAD stood in this clone, the branches, and what others took."""
    there = ours.repository
    branches = (at for name, at in there.refs().items() if name.startswith("refs/heads/"))
    return [*dict.fromkeys([*there.reflog(), *branches, *ours.taken])]


def _told(it: Commit, paths: Sequence[str]) -> LeftCommit:
    return LeftCommit(it.commit, it.public.subject, tuple(dict.fromkeys(named(it))), (*paths,))


def placed(
    ours: OurCommits, refs: Mapping[str, str], head: str, left: Sequence[LeftCommit]
) -> tuple[LeftCommit, ...]:
    """Return *left*, each with the first of *refs* that has it."""
    places: dict[str, str] = {}
    wanted = {it.commit for it in left}
    for name, at in refs.items():
        if not wanted - places.keys():
            break
        for commit in _reached(ours, at, head) & wanted:
            places.setdefault(commit, name)
    return tuple(it._replace(place=places.get(it.commit, "")) for it in left)


def _reached(ours: OurCommits, at: str, head: str) -> set[str]:
    try:
        return {it.commit for it in ours.left_behind([at], head)}
    except Unavailable:  # a tag of something else than a commit
        return set()


def operations(left: Iterable[LeftCommit]) -> tuple[str, ...]:
    """Return the operations of *left*."""
    return tuple(dict.fromkeys(op for it in left for op in it.ops))
