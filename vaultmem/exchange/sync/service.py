"""Bring two clones of a vault in step. Nothing is ever forced."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from vaultmem.documents import public_text
from vaultmem.errors import Refused, Unavailable
from vaultmem.exchange.sync.backoff import Pace
from vaultmem.exchange.sync.merge_draft import HELD_HERE
from vaultmem.exchange.sync.sync_run import SyncRun
from vaultmem.exchange.sync.types import Synced
from vaultmem.maintenance import forgotten_texts
from vaultmem.nlp.tasks import Summarizer
from vaultmem.records import Problem
from vaultmem.storage import (
    git,
    human_edits,
    transcript_files,
    transcripts,
    troubles,
    waiting_edits,
)
from vaultmem.storage.git import Remote, Repository
from vaultmem.storage.store import Store

_PACE = Pace()


class Sync:
    """The runner, for one vault."""

    def __init__(
        self, store: Store, summarizer: Callable[[], Summarizer], pace: Pace = _PACE
    ) -> None:
        """Sync the vault at *store*; what must be rewritten *summarizer* writes."""
        self._store, self._summarizer, self._pace = store, summarizer, pace

    def run(
        self, remote: str = "", *, push: bool = True, dry_run: bool = False,
        accept_missing: bool = False,
    ) -> Synced:  # fmt: skip
        """Bring this clone in step with *remote*, else with the branch's upstream, else `origin`.

        *accept_missing* deletes here, too, when many files were deleted there.

        Raises BadInput for a remote that there is not, Refused for what a person must see to,
        Unavailable when the remote does not answer: what is here is safe in each case.
        """
        repository = self._store.writer.repository
        if repository and repository.is_shared:
            raise Refused(_SHARED.format(top=repository.top))
        there = repository.counterpart(remote) if repository else None
        if repository is None or there is None:
            if not git.available():
                raise Unavailable(_NO_GIT)
            reason = _ALONE if repository else _NO_HISTORY
            return Synced(reason=reason, told=tuple(said for _, said in self._left_behind()))
        _refuse_unready(repository, there, push=push)
        work = SyncRun(self._store, repository, there, self._summarizer, self._pace)
        work.accepts_missing = accept_missing
        done = work.shown() if dry_run else work.run(push=push)
        left = (
            said for path, said in self._left_behind() if HELD_HERE.format(path) not in done.told
        )
        faults = () if dry_run else (*self._faults(done.pulled), *self._lowered(done))
        return replace(done, told=(*done.told, *faults, *left))

    def _faults(self, came: Collection[str]) -> Iterator[str]:
        """Say what is wrong with the files that *came*: something may not work beside them."""
        root = self._store.root
        read = (transcripts.load_if_allowed(root, it) for it in came if transcript_files.holds(it))
        torn = (fault for it in read if it for fault in it.faults)
        for it in (*troubles.found(self._store), *torn):
            if it.path in came:
                yield f"{it.path} came as it is: {it.message}; {it.repair}"

    def _lowered(self, done: Synced) -> Iterator[str]:
        """Say which memories came that claim a person's trust and have it not, in a line."""
        told = tuple(it.partition(", ")[0] for it in done.told)
        came = {path for path in done.pulled if path not in told}
        lower = [path for path in self._store.index.claiming() if path in came] if came else []
        if memories := [it.path for it in self._store.index.at(lower) if it.type == "memory"]:
            shown = shlex.quote(public_text.shown(memories[0]))
            many = f" and {len(memories) - 1} more" if len(memories) > 1 else ""
            yield _LOWERED.format(public_text.shown(memories[0]), many, shown)

    def _left_behind(self) -> Iterator[tuple[str, str]]:
        """Say what people wrote that no sync takes along, and what was forgotten and is here."""
        held = forgotten_texts.held_and_forgotten(self._store)
        again = forgotten_texts.problems(self._store)
        private = human_edits.held_back(self._store)
        young = waiting_edits.unrested(self._store)
        told: dict[str, Problem] = {}
        for it in (*waiting_edits.problems(self._store), *held, *again, *private, *young):
            told.setdefault(it.path, it)
        for it in told.values():
            yield it.path, f"{it.path or 'vault'}: {it.message}; {it.repair}"


def _refuse_unready(repository: Repository, there: Remote, *, push: bool) -> None:
    """Raise Refused for what a person must see to in *repository* before it is synced."""
    if why := repository.blocked():
        raise Refused(f"{why} in {repository.top}: finish that, then sync again")
    if push and (own := repository.unpublished()):
        own, name = public_text.shown(own), public_text.shown(there.name)
        raise Refused(_UNPUBLISHED.format(own, shlex.quote(name), shlex.quote(own)))
    head = repository.head()
    if head and (known := repository.files(head, ".vaultmem")):
        raise Refused(_PRIVATE.format(min(known)))


_LOWERED = (
    "{}{} came as a person's word, and no operation in the history gave it that: an agent's word "
    "here, which ends nothing that a person said, until the machine where it was said syncs, or "
    "you vouch for it: `vaultmem review accept {}` (`vaultmem review` lists what waits)"
)
_SHARED = (
    "this vault shares the repository {top}: a sync would merge and push work that is not its own; "
    "nothing was done. `git pull` and `git push` there take the vault with them"
)
_UNPUBLISHED = (
    "the branch {} is in no remote yet, and another branch here is: nothing was synced, since a "
    "sync would publish it. If that is meant, `git push -u {} {}` first; else go back to the other "
    "(`git switch`), or take in what is there: `vaultmem sync --no-push`"
)
_ALONE = "there is no remote to sync with: add one with `git remote add origin URL`"
_NO_GIT = "git is not on PATH, and a sync is git's work: install it; the files are safe"
_NO_HISTORY = "there is no git history to sync: `git init` in the vault starts one"
_PRIVATE = (
    "{} is in the git history here, and whoever brought it could have noted there what to take "
    "into this vault: nothing was synced; `git rm -r --cached .vaultmem`, delete the folder "
    ".vaultmem, and commit that: it is recreated, and no memory is in it alone"
)
