"""Why a purge is not done: the history cannot be rewritten now, or what stays says it still."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.documents import public_text
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused
from vaultmem.maintenance import commit_delays, left_operations, missing_memories
from vaultmem.maintenance.forgetting import line_names, near_lines
from vaultmem.maintenance.forgetting.planner import Meant
from vaultmem.maintenance.forgetting.purge import evidence
from vaultmem.maintenance.forgetting.purge.evidence import Evidence
from vaultmem.maintenance.forgetting.purge.types import Permit
from vaultmem.maintenance.forgetting.redaction import Remainder
from vaultmem.records import LISTS
from vaultmem.storage import daemon_lock, journal, tombstones
from vaultmem.storage.git import Repository, history_rewrite, remote
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone

_NAMED = 3
_SHARED = (
    "this vault shares the repository {top}: a purge would rewrite commits, branches and tags that "
    "are not its own; nothing was purged. `vaultmem forget` takes it out of the files. To purge "
    "later ones give the vault a repository of its own: `git rm -r --cached {folder}` and a commit "
    "in {top}, `/{folder}` in its .gitignore, `git init` in the vault; what {top} has of it stays "
    "there"
)


def check(store: Store, permit: Permit) -> Repository | None:
    """Return the repository, None without one; raises Refused while it cannot be rewritten."""
    if daemon_lock.present(store.root.path):
        raise Refused("a daemon watches this vault and holds its index open: stop it first")
    repository = store.writer.repository
    if repository is None:
        if store.writer.commits.keeps_history():
            raise Refused("the git history here cannot be opened, so nothing was purged: bring git "
                          "back first")  # fmt: skip
        return None
    if repository.is_shared:
        raise Refused(_SHARED.format(top=repository.top, folder=repository.prefix))
    store.writer.commit_pending()
    _check_history(store, repository, permit)
    if file := permit.backup:
        if file.resolve().is_relative_to(repository.top):
            raise BadInput(f"{file} lies in the repository: a backup belongs outside of it")
        if file.exists():
            raise BadInput(f"{file} exists: name a new file for the backup")
    return repository


def _check_history(store: Store, repository: Repository, permit: Permit) -> None:
    if journal.due(store.root):
        delays = (*commit_delays.problems(store), *commit_delays.unreadable(store))
        why = next((f"{it.message}; {it.repair}" for it in delays), "git is busy: try again")
        raise Refused(f"some writes wait for their commit, so nothing was purged; {why}")
    refuse_hindered(repository)
    whole = repository.whole
    changed = (d.path for d in whole.unstaged() if d.kind != "untracked")
    # What is held back is never to be committed: it stays as it lies there, an uncommitted change.
    if dirty := [path for path in changed if not _is_held_back(store, path)]:
        raise Refused(f"{dirty[0]} is changed and not committed: commit it first (`git commit`)")
    if (named := remote.names(repository)) and not permit.remotes:
        raise Refused(
            f"there is a remote, {', '.join(named)}, that keeps what was pushed to it: "
            "once that is permitted (`yes=true`), the history here is rewritten, and differs from "
            "its"
        )


def _is_held_back(store: Store, path: str) -> bool:
    return public_text.is_withheld(path, store.texts.own(path))


def refuse_hindered(repository: Repository) -> None:
    """Raise Refused while git is in the middle of something that a rewrite would spoil."""
    if why := history_rewrite.hindrance(repository):
        raise Refused(f"the history cannot be rewritten now: {why}; nothing was purged")


def refuse(
    store: Store, meant: Meant, paths: Collection[str], refs: Sequence[str]
) -> tuple[Remainder, ...]:
    """Raise Refused while files would say it still when what is *meant* is done.

    Return what would stay and say a part of it. *refs* name what goes, whose files are at *paths*.
    """
    changes = (it for it in meant.plan.changes if isinstance(it, Change))
    made = {it.path: (it.new or b"").decode("utf-8", "replace") for it in changes}
    if not (repository := store.writer.repository):
        return ()
    refuse_losses(store, meant.tombstones)
    known = evidence.gather(
        repository, meant.tombstones, paths, meant.spoken, owner=store.config().owner
    )
    refuse_remaining(known, made, refs)
    return known.still(made)


def staying(store: Store, ids: Sequence[str]) -> tuple[Remainder, ...]:
    """Do as `refuse` for what is forgotten already, and has but its tombstones, *ids*."""
    entries = [*tombstones_of(store, ids)]
    if not (repository := store.writer.repository):
        return ()
    refuse_losses(store, entries)
    known = evidence.gather(repository, entries, owner=store.config().owner)
    refuse_remaining(known, {}, ids)
    return known.still({})


def refuse_losses(store: Store, entries: Sequence[Tombstone]) -> None:
    """Raise Refused while the history alone has a memory, or else, that would go with it."""
    lost = next(missing_memories.lost_with(store, entries), None)
    if lost := lost or next(left_operations.lost_with_purge(store, entries), None):
        raise Refused(
            f"{lost.path}: {lost.message}, and would leave git for good; nothing was purged: "
            f"{lost.repair}"
        )


def refuse_remaining(known: Evidence, made: Mapping[str, str], refs: Sequence[str]) -> None:
    """Raise Refused for what stays, and says it, when the texts *made* stand."""
    again = shlex.join(["vaultmem", "forget", *refs, "--purge"])
    if copies := [path for path in known.live if path not in made]:
        raise Refused(
            f"{copies[0]} is a remaining copy of it: `git rm` and commit that first, then "
            f"`{again}`; the history was not rewritten"
        )
    own = {p: text for p, text in made.items() if not tombstones.is_path(p)}
    says = known.sentences.are_in
    found = {path: places for path, places in known.repeating.items() if path not in made}
    found |= {path: near_lines.names(path, text, says) for path, text in own.items()}
    remaining = {place for places in found.values() for place in places}
    # What is generated says what other files do: those are the cause.
    if causes := remaining - LISTS or remaining:
        named, more = ", ".join(sorted(causes)[:_NAMED]), len(causes) - _NAMED
        others = f" and {more} more" if more > 0 else ""
        turn = next((it for it in sorted(causes) if line_names.is_line(it)), "")
        way = f" (`vaultmem forget {shlex.quote(turn)}` takes that turn)" if turn else ""
        raise Refused(
            f"the history was not rewritten, for these files still say it: {named}{others}; "
            f"edit or forget them{way}, then `{again}`"
        )


def tombstones_of(store: Store, ids: Sequence[str]) -> Iterator[Tombstone]:
    """Yield the tombstones that *ids* name, by path or id; raises BadInput where there is none."""
    for forgotten_id in ids:
        named = PurePosixPath(forgotten_id).name.removesuffix(".md").upper()
        found = tombstones.find(store, named)
        if found is None:
            raise BadInput(
                f"there is no tombstone of {quoted(forgotten_id)}: forget it first, or name one "
                "that is in tombstones/ by its id"
            )
        yield found
