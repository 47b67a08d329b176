"""Commit what people changed, apart from ours, once it has rested; tell what would be committed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence

from vaultmem.documents import public_text
from vaultmem.errors import Busy, NotAFile, Refused, Unavailable
from vaultmem.storage import delay_notes, files, git, transcript_files
from vaultmem.storage.commits import commit_messages, rested_edits
from vaultmem.storage.commits.rested_edits import QUIET, Changed, Compare, Laid, RestedEdits
from vaultmem.storage.commits.vault_history import VaultHistory
from vaultmem.storage.files import HELD, Step
from vaultmem.storage.git import Repository

_FEW = 64
"""Files that are looked at by themselves; of more a look at all there is costs no more."""


class EditCommits:
    """What people changed in the vault that *history* keeps."""

    def __init__(self, history: VaultHistory) -> None:
        """Nothing is looked at before it is asked for."""
        self.history, self.root = history, history.root

    @property
    def repository(self) -> Repository | None:
        """The repository that keeps the vault's history, None without one."""
        return self.history.repository

    def commit(
        self,
        compare: Compare,
        quiet: float = QUIET,
        leave: frozenset[str] = frozenset(),
        only: frozenset[str] | None = None,
        changed: Changed = None,
    ) -> str | None:
        """Commit what people changed and have not staged, apart from ours, once it has rested.

        *leave* names paths that must wait: broken ones, ones with a secret; *only*, if given, those
        that are meant; *changed* is what `changed` found just now. *compare* is asked about what
        can say whose words it has, before it is committed.
        """
        try:
            if self.repository is None or self.repository.blocked():
                return None
            done = self._commit_rested(self.repository, compare, quiet, leave, only, changed)
        except (Busy, Refused):  # Refused: a merge began after we asked
            return None
        except Unavailable as e:
            delay_notes.write(self.root.path, delay_notes.EDITS, str(e))
            return None
        if only is None:
            delay_notes.write(self.root.path, delay_notes.EDITS, "")
        return done

    def changed(self) -> Changed:
        """Return what nobody has staged, and is not as git has it; None if git does not answer."""
        with contextlib.suppress(Unavailable, Busy, Refused):  # who asks again says what ails it
            if self.repository and not self.repository.blocked():
                return self.repository.unstaged(self.history.staged())
        return None

    def due(
        self, leave: frozenset[str], quiet: float = QUIET, changed: Changed = None
    ) -> tuple[str, ...]:
        """Return the paths that `commit` would commit now, leaving *leave* alone.

        Nobody has touched them for *quiet* seconds. *changed* is what `changed` found just now.
        """
        with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
            if self.repository and not self.repository.blocked():
                found = self._rested(self.repository, quiet, leave, None, changed)
                return tuple(c.path for c in found if not public_text.is_withheld(c.path, c.data))
        return ()

    def laid_texts(self, quiet: float, changed: Changed = None) -> Laid:
        """Return what git has of the notes in Markdown and transcripts that are not as it has them.

        None for new ones; staged and held back ones, too. Nobody has touched them for *quiet*
        seconds. *changed* is what `changed` found just now.
        """
        with contextlib.suppress(Unavailable):
            if self.repository and not self.repository.blocked():
                staged = [
                    git.Dirty(path, "untracked") for path in sorted(self.history.staged() or ())
                ]
                found = self._rested(self.repository, quiet, frozenset(), None, changed, staged)
                return _laid(self.repository, found)
        return {}

    def _rested(  # noqa: PLR0913, PLR0917  # what `RestedEdits.find` asks for
        self,
        repository: Repository,
        quiet: float,
        leave: frozenset[str],
        only: frozenset[str] | None,
        changed: Changed,
        more: Sequence[git.Dirty] = (),
    ) -> list[git.Change]:
        """Return what of what is *changed*, and of *more*, has rested."""
        staged = self.history.staged()
        if changed is None and only is not None and not _is_any_changed(repository, only, staged):
            return []  # what was moved is told by a look at all there is
        edits = RestedEdits(self.root, repository, self.history.clock, staged or ())
        now = repository.unstaged(staged) if changed is None else changed
        return edits.find(quiet, leave, only, [*now, *more])

    def _commit_rested(  # noqa: PLR0913, PLR0917  # what `commit` is told
        self,
        repository: Repository,
        compare: Compare,
        quiet: float,
        leave: frozenset[str],
        only: frozenset[str] | None,
        changed: Changed,
    ) -> str | None:
        self.history.prepare()
        rested = self._rested(repository, quiet, leave, only, changed)
        public = [c for c in rested if not public_text.is_withheld(c.path, c.data)]
        if only is None:
            with contextlib.suppress(NotAFile):  # a link there is in nobody's way
                self._note_held({c.path for c in rested} - {c.path for c in public})
        if not public:
            return None
        mark = compare(_laid(repository, public))
        with self.history.locked(repository, git.PATIENCE) as lock:
            lines = self.history.acknowledged.edited(public)
            known = repository.in_head([change.path for change in public])
            moved = rested_edits.moved_whole(repository, public, known)
            message = commit_messages.of_edits(public, known, moved)
            sha = lock.commit(public, message, when=self.history.now())
            self.history.acknowledged.add(lines)
        mark()
        return sha

    def _note_held(self, paths: Iterable[str]) -> None:
        """Note which files were left out, for who tells of them; of notes the index knows it."""
        others = "".join(f"{path}\n" for path in sorted(paths) if not files.is_note(path))
        there = files.read(self.root, HELD)
        if others.encode() != (there.data if there else b""):
            step = Step(HELD, there.sha if there else None, others.encode() or None)
            files.write(self.root, [step], self.history.token())

    def is_cut(self, path: str) -> bool:
        """Tell whether a transcript or item log lacks what git has: it waits, as it only grows."""
        return self.repository is not None and rested_edits.is_cut(self.root, self.repository, path)


def _is_any_changed(
    repository: Repository, paths: frozenset[str], staged: frozenset[str] | None
) -> bool:
    """Tell whether of the files at *paths* one may be changed that nobody has *staged*."""
    if staged is None or len(paths) > _FEW:
        return True
    return repository.is_any_changed(sorted(paths - staged))


def _laid(repository: Repository, found: Iterable[git.Change]) -> Laid:
    """Return what *repository* has of the files that were *found* to be somebody's, see `Laid`."""
    there = (it.path for it in found if it.data is not None)
    paths = [path for path in there if _says_whose(path)]
    known = repository.in_head(paths) if paths else {}
    texts = repository.contents(known.values())
    return {path: texts[known[path].id] if path in known else None for path in paths}


def _says_whose(path: str) -> bool:
    """Tell whether the file at *path* can say whose words it has."""
    return (files.is_note(path) and not files.is_text(path)) or transcript_files.holds(path)
