"""Purge: what is forgotten leaves the history and every cache, and a receipt says what is left."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from vaultmem.documents import public_text
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused, disk_errors
from vaultmem.maintenance import commit_delays, left_operations, missing_memories
from vaultmem.maintenance.forgetting import (
    caches,
    history_evidence,
    made_files,
    near_lines,
    redaction,
    verification,
)
from vaultmem.maintenance.forgetting.history_evidence import Evidence
from vaultmem.maintenance.forgetting.planner import Meant
from vaultmem.maintenance.forgetting.redaction import DistinctiveWords, Remainder, Run
from vaultmem.maintenance.forgetting.verification import Proof
from vaultmem.records import LISTS, iso
from vaultmem.storage import daemon_lock, journal, tombstones
from vaultmem.storage.git import Repository, history_rewrite, remote
from vaultmem.storage.plan import Change, Plan
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
_ALWAYS = (
    "texts that say it in other words and were not made from it here",
    "what was exported from here, and Claude Code's own transcripts",
    "clones of this vault elsewhere: a `git pull` and `git push` from one of them brings it back",
    "backups, snapshots and synchronized copies of this folder",
    "what is packed in archives (.zip, .gz, documents of an office), which are not opened",
    "Obsidian's File Recovery and Sync history, and what lies in .trash",
    "logs of the providers that embedded or summarized it",
    "blocks of the disk that the system has not overwritten yet",
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a purge did, in numbers, and what it could not reach.

    *files* are paths that are gone from every commit, *versions* old versions of other files in
    which lines went; *signatures* were lost with the commits they signed. *backup* still holds all
    of it.
    """

    files: int = 0
    versions: int = 0
    messages: int = 0
    commits: int = 0
    refs: int = 0
    signatures: int = 0
    objects_before: int = 0
    objects_after: int = 0
    caches: tuple[str, ...] = ()
    backup: str = ""
    out_of_reach: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Purged:
    """A purge that is done: its receipt, what was found afterwards, its commit."""

    receipt: Receipt
    proof: Proof
    commit: str | None


@dataclass(frozen=True, slots=True)
class Permit:
    """What a person allows: *remotes* keep what they have, *backup* is written first.

    *agree* is told what stays and says a name, a rare word or a phrase of it, before anything is
    done, and raises where that is not wanted.
    """

    remotes: bool = False
    backup: Path | None = None
    agree: Callable[[Sequence[Remainder]], None] | None = None


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
    _refuse_hindered(repository)
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
    return public_text.is_withheld(path, store.own(path))


def _refuse_hindered(repository: Repository) -> None:
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
    _refuse_losses(store, meant.tombstones)
    known = history_evidence.gather(
        repository, meant.tombstones, paths, meant.spoken, owner=store.config().owner
    )
    _refuse_remaining(known, made, refs)
    return _still(known, made)


def staying(store: Store, ids: Sequence[str]) -> tuple[Remainder, ...]:
    """Do as `refuse` for what is forgotten already, and has but its tombstones, *ids*."""
    entries = [*_tombstones_of(store, ids)]
    if not (repository := store.writer.repository):
        return ()
    _refuse_losses(store, entries)
    known = history_evidence.gather(repository, entries, owner=store.config().owner)
    _refuse_remaining(known, {}, ids)
    return _still(known, {})


def _still(known: Evidence, made: Mapping[str, str]) -> tuple[Remainder, ...]:
    """Return what stays and says a name, a rare word or a phrase of it."""
    stays = [it for it in known.remaining if it.place not in made and it.place not in known.live]
    own = (p for p in made if not tombstones.is_path(p) and p not in LISTS)
    leads = (known.leads.at(path, f"{path}\n{made[path]}") for path in own if made[path])
    in_files = (*stays, *(it for it in leads if it))
    return redaction.worth_naming(known.leads.names, known.beside, in_files)


def purge(  # noqa: PLR0913  # what is purged, who may and does it, and what to look for
    store: Store,
    ids: Sequence[str],
    paths: Collection[str],
    permit: Permit,
    trust: str,
    *,
    vectors: frozenset[bytes] = frozenset(),
) -> Purged:
    """Take the files with *ids*, or once at *paths*, out of the history and the caches; and look.

    *trust* is what the word of whoever does it is worth, *vectors* are those that are gone already:
    they are looked for, too, by their first bytes. Without a repository the caches alone are
    cleared. Raises Refused as `check` does, and while files that stay say it.
    """
    repository = check(store, permit)
    entries = list(_tombstones_of(store, ids))
    store.writer.sweep(quiet=0)  # what an editor wrote to an old inode is rescued first
    with store.writer.writing():
        cut = _cut(store, repository, entries, paths, permit) if repository else _Cut()
        servers = caches.servers(store)
        cleared = caches.clear(store, {*ids, *paths, *cut.paths}, cut.commits)
    if cut.distinctive:
        proof = verification.by_words(store, cut.distinctive, cut.vectors | vectors, cut.old)
        proof = replace(_with_versions(store, proof, cut.tellings), still=cut.still)
    else:
        proof = verification.by_hash(store, entries)
    if not proof.found:
        commit = _note(store, entries, cut.rows, trust)
    else:
        commit = _note_rewriting(store, entries, cut.rows, trust) if repository else None
    beyond = (*_out_of_reach(repository, permit), *servers, *_ALWAYS)
    backup = str(permit.backup or "")
    receipt = replace(cut.receipt, caches=cleared, backup=backup, out_of_reach=beyond)
    return Purged(receipt, proof, commit)


def _with_versions(store: Store, proof: Proof, tellings: Mapping[str, DistinctiveWords]) -> Proof:
    """Return *proof* with what old versions of files made of it say still, by *tellings*."""
    repository = store.writer.repository
    if not repository or not tellings:
        return proof
    found = dict.fromkeys((*proof.found, *made_files.left(repository, tellings)))
    return replace(proof, found=tuple(found), made=len(tellings))


@dataclass(frozen=True, slots=True)
class _Cut:
    """What was cut out of the history, and what tells whether it is gone."""

    distinctive: DistinctiveWords | None = None
    paths: frozenset[str] = frozenset()
    vectors: frozenset[bytes] = frozenset()
    receipt: Receipt = Receipt()
    old: frozenset[str] = frozenset()
    still: tuple[Remainder, ...] = ()
    rows: frozenset[Run] = frozenset()
    commits: Mapping[str, str] = field(default_factory=dict)
    tellings: Mapping[str, DistinctiveWords] = field(default_factory=dict)


def _cut(
    store: Store,
    repository: Repository,
    entries: Sequence[Tombstone],
    paths: Collection[str],
    permit: Permit,
) -> _Cut:
    """Rewrite the history; the caller holds the write lock."""
    before = history_rewrite.count(repository)
    _refuse_losses(store, entries)
    known = history_evidence.gather(repository, entries, paths, owner=store.config().owner)
    _refuse_remaining(known, {}, [entry.id for entry in entries])
    if permit.backup:
        history_rewrite.bundle(repository, permit.backup)
    with disk_errors(repository.git_dir, below=True):
        with repository.locked() as held:
            _refuse_hindered(repository)
            done = history_rewrite.rewrite(repository, known.wanted, held)
            history_rewrite.rebuild_index(repository, held)
        history_rewrite.scrub(repository)
    receipt = Receipt(
        files=len(known.wanted.paths),
        versions=len(known.wanted.blobs),
        messages=len(known.wanted.lines) + len(known.wanted.whole),
        commits=len(done.commits),
        refs=done.refs,
        signatures=done.signatures,
        objects_before=before,
        objects_after=history_rewrite.count(repository),
    )
    distinctive = known.distinctive if known.texts else None
    vectors = caches.vectors(store, known.records)
    still = _still(known, {})
    gone = known.paths.union(map(repository.inside, known.wanted.paths))
    return _Cut(
        distinctive, gone, vectors, receipt, known.old, still, known.rows, done.commits,
        known.tellings,
    )  # fmt: skip


def _refuse_losses(store: Store, entries: Sequence[Tombstone]) -> None:
    """Raise Refused while the history alone has a memory, or else, that would go with it."""
    lost = next(missing_memories.lost_with(store, entries), None)
    if lost := lost or next(left_operations.lost_with_purge(store, entries), None):
        raise Refused(
            f"{lost.path}: {lost.message}, and would leave git for good; nothing was purged: "
            f"{lost.repair}"
        )


def _refuse_remaining(known: Evidence, made: Mapping[str, str], refs: Sequence[str]) -> None:
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
    found |= {path: tuple(near_lines.saying(path, text, says)) for path, text in own.items()}
    remaining = {place for places in found.values() for place in places}
    # What is generated says what other files do: those are the cause.
    if causes := remaining - LISTS or remaining:
        named, more = ", ".join(sorted(causes)[:_NAMED]), len(causes) - _NAMED
        others = f" and {more} more" if more > 0 else ""
        turn = next((it for it in sorted(causes) if near_lines.is_line(it)), "")
        way = f" (`vaultmem forget {shlex.quote(turn)}` takes that turn)" if turn else ""
        raise Refused(
            f"the history was not rewritten, for these files still say it: {named}{others}; "
            f"edit or forget them{way}, then `{again}`"
        )


def _out_of_reach(repository: Repository | None, permit: Permit) -> Iterator[str]:
    for name in remote.names(repository) if repository else ():
        yield f"the remote {name}, until `git push --force-with-lease` brings it the new history"
    if repository and (modules := repository.git_dir / "modules").is_dir():
        yield f"the histories of submodules, in {modules}"
    if permit.backup:
        yield f"the backup {permit.backup}"


def _note(
    store: Store, entries: Sequence[Tombstone], rows: Collection[Run], trust: str
) -> str | None:
    """Note on the tombstones that the history is clean, which *rows* stay, and commit that."""
    found = [entry for entry in entries if not entry.purged]
    now = iso(store.clock())
    changes = tuple(
        tombstones.purged(store.read(s.path) or b"", s, now, _phrases(s, rows)) for s in found
    )
    return _committed(store, f"forget: {len(found)} purged", changes, trust)


def _phrases(tombstone: Tombstone, rows: Collection[Run]) -> list[str]:
    return [tombstones.phrase(row, tombstone.salt) for row in sorted(rows)]


def _note_rewriting(
    store: Store, entries: Sequence[Tombstone], rows: Collection[Run], trust: str
) -> str | None:
    """Note that the history is another though something is left: no sync merges the old one in."""
    found = [entry for entry in entries if not entry.purged and not entry.rewritten]
    now = iso(store.clock())
    changes = tuple(
        tombstones.rewritten(store.read(s.path) or b"", s, now, _phrases(s, rows)) for s in found
    )
    return _committed(store, f"forget: {len(found)} taken out of the history", changes, trust)


def _committed(store: Store, subject: str, changes: tuple[Change, ...], trust: str) -> str | None:
    if not changes:
        return None
    op = store.mint()
    store.apply(Plan(op, "forget", subject, changes, trust=trust))
    commit = store.writer.commit_pending().get(op)
    store.writer.sweep(quiet=0)
    return commit


def verify(store: Store, ids: Sequence[str]) -> Proof:
    """Look for what *ids* name: by its words while git has them, else by the tombstones' hashes.

    Raises BadInput when there is no tombstone.
    """
    entries = list(_tombstones_of(store, ids))
    if repository := store.writer.repository:
        known = history_evidence.gather(repository, entries, owner=store.config().owner)
        if known.records:
            found = verification.by_words(store, known.distinctive, old=known.old)
            return replace(_with_versions(store, found, known.tellings), still=_still(known, {}))
    return verification.by_hash(store, entries)


def _tombstones_of(store: Store, ids: Sequence[str]) -> Iterator[Tombstone]:
    for forgotten_id in ids:
        named = PurePosixPath(forgotten_id).name.removesuffix(".md").upper()
        found = tombstones.find(store, named)
        if found is None:
            raise BadInput(
                f"there is no tombstone of {quoted(forgotten_id)}: forget it first, or name one "
                "that is in tombstones/ by its id"
            )
        yield found
