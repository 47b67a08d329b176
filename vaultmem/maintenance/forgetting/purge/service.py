"""Purge: what is forgotten leaves the history and every cache, and a receipt says what is left."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from vaultmem.errors import disk_errors
from vaultmem.maintenance.forgetting import caches
from vaultmem.maintenance.forgetting.purge import evidence, made_files, refusals, verification
from vaultmem.maintenance.forgetting.purge.evidence import Evidence
from vaultmem.maintenance.forgetting.purge.types import Permit, Proof, Purged, Receipt
from vaultmem.maintenance.forgetting.redaction import Run
from vaultmem.records import iso
from vaultmem.storage import tombstone_digests, tombstones
from vaultmem.storage.git import Repository, history_rewrite, remote
from vaultmem.storage.ledger import service as ledger
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone

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
    repository = refusals.check(store, permit)
    entries = list(refusals.tombstones_of(store, ids))
    store.writer.sweep(quiet=0)  # what an editor wrote to an old inode is rescued first
    with store.writer.writing():
        cut = _cut(store, repository, entries, paths, permit) if repository else _Cut()
        servers = caches.servers(store)
        cleared = caches.clear(store, {*ids, *paths, *cut.paths})
    known = cut.known
    if known and known.texts:
        proof = _by_evidence(store, known, cut.vectors | vectors)
    else:
        proof = verification.by_hash(store, entries)
    commit = None
    if repository or not proof.found:
        commit = _note(store, entries, known.rows if known else (), trust, clean=not proof.found)
    beyond = (*_out_of_reach(repository, permit), *servers, *_ALWAYS)
    backup = str(permit.backup or "")
    receipt = replace(cut.receipt, caches=cleared, backup=backup, out_of_reach=beyond)
    return Purged(receipt, proof, commit)


def verify(store: Store, ids: Sequence[str]) -> Proof:
    """Look for what *ids* name: by its words while git has them, else by the tombstones' hashes.

    Raises BadInput when there is no tombstone.
    """
    entries = list(refusals.tombstones_of(store, ids))
    if repository := store.writer.repository:
        known = evidence.gather(repository, entries, owner=store.config().owner)
        if known.records:
            return _by_evidence(store, known)
    return verification.by_hash(store, entries)


def _by_evidence(store: Store, known: Evidence, vectors: Collection[bytes] = ()) -> Proof:
    """Look for the words of what is *known*, in old versions of files made of it, too."""
    proof = verification.by_words(store, known.distinctive, vectors, known.old)
    proof = replace(proof, still=known.still({}))
    repository = store.writer.repository
    if not repository or not known.tellings:
        return proof
    found = dict.fromkeys((*proof.found, *made_files.left(repository, known.tellings)))
    return replace(proof, found=tuple(found), made=len(known.tellings))


@dataclass(frozen=True, slots=True)
class _Cut:
    """What was cut out of the history, *known* as it was there; *vectors* are its texts'."""

    known: Evidence | None = None
    paths: frozenset[str] = frozenset()
    vectors: frozenset[bytes] = frozenset()
    receipt: Receipt = field(default_factory=Receipt)


def _cut(
    store: Store,
    repository: Repository,
    entries: Sequence[Tombstone],
    paths: Collection[str],
    permit: Permit,
) -> _Cut:
    """Rewrite the history; the caller holds the write lock."""
    before = history_rewrite.count(repository)
    refusals.refuse_losses(store, entries)
    known = evidence.gather(repository, entries, paths, owner=store.config().owner)
    refusals.refuse_remaining(known, {}, [entry.id for entry in entries])
    if permit.backup:
        history_rewrite.bundle(repository, permit.backup)
    with disk_errors(repository.git_dir, below=True):
        with repository.locked() as held:
            refusals.refuse_hindered(repository)
            done = history_rewrite.rewrite(repository, known.wanted, held)
            history_rewrite.rebuild_index(repository, held)
        gone = known.paths.union(map(repository.inside, known.wanted.paths))
        # Before the old commits go: who is killed in between would miss them ever after.
        ledger.purge(store.root.path, {*(it.id for it in entries), *paths, *gone}, done.commits)
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
    return _Cut(known, gone, caches.vectors(store, known.records), receipt)


def _out_of_reach(repository: Repository | None, permit: Permit) -> Iterator[str]:
    for name in remote.names(repository) if repository else ():
        yield f"the remote {name}, until `git push --force-with-lease` brings it the new history"
    if repository and (modules := repository.git_dir / "modules").is_dir():
        yield f"the histories of submodules, in {modules}"
    if permit.backup:
        yield f"the backup {permit.backup}"


def _note(
    store: Store, entries: Sequence[Tombstone], rows: Collection[Run], trust: str, *, clean: bool
) -> str | None:
    """Note on the tombstones which *rows* stay, and that the history is *clean*, and commit that.

    Or that it is another though something is left: no sync merges the old one in.
    """
    mark, done = tombstones.purged, "purged"
    found = [entry for entry in entries if not entry.purged]
    if not clean:
        mark, done = tombstones.rewritten, "taken out of the history"
        found = [entry for entry in found if not entry.rewritten]
    if not found:
        return None
    now, op = iso(store.clock()), store.mint()
    changes = tuple(mark(store.texts.read(s.path) or b"", s, now, _phrases(s, rows)) for s in found)
    store.apply(Plan(op, "forget", f"forget: {len(found)} {done}", changes, trust=trust))
    commit = store.writer.commit_pending().get(op)
    store.writer.sweep(quiet=0)
    return commit


def _phrases(tombstone: Tombstone, rows: Collection[Run]) -> list[str]:
    return [tombstone_digests.phrase(row, tombstone.salt) for row in sorted(rows)]
