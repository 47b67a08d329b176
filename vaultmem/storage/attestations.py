"""Which bytes were given a trust above an agent's, by the program or by a person through it.

Anybody who can write a file can write `trust: user` into it, so a file is believed for its bytes:
they are those that an operation wrote which had that trust to give. Operations are noted as they
are carried out, and proven by their commits, from which the notes are rebuilt. An edit past the
program makes other bytes, which nobody has attested until a person lets them in.

A person may amend or squash such a commit, which then names no operation: what is noted here alone
would be worth more here than in any other clone. A sync says in a commit of its own what that is.

What the program put before a person in the inbox is noted, too: a box that is ticked counts where
the program drew it, not in a note that somebody dropped there, box and tick and all.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from vaultmem.documents import frontmatter
from vaultmem.errors import Busy, IndexFailed, Unavailable, Unreadable
from vaultmem.records import PERSONS
from vaultmem.storage import attestation_notes, journal
from vaultmem.storage.files import Root
from vaultmem.storage.git import Entry, Repository, Row
from vaultmem.storage.index.cache_database import (
    CacheDatabase,
    Connection,
    meta,
    set_meta,
    transaction,
)
from vaultmem.storage.plan import Change, Plan

FILE = ".vaultmem/attested.sqlite3"

_SHADOW = CacheDatabase(
    "what is attested", "CREATE TABLE attested(mark TEXT PRIMARY KEY) WITHOUT ROWID"
)
_GIVEN = frozenset(("Trust", trust) for trust in PERSONS)
_BY_A_PERSON = frozenset({"review", "accept"})
_MOVES = frozenset({"archive", "unarchive", "rename"})
"""What gives files other paths: it makes no bytes, whatever stood at those paths before."""

_READ = "read up to"
_PROVEN = "proven up to"
_CLAIM = re.compile(
    rb"""^[ \t]*["']?trust["']?[ \t]*:[ \t]*["']?(?:user|verified)\b""", re.MULTILINE
)
_HEAD = 32 << 10
_INBOX = "inbox/"
_BOX = re.compile(r"[ \t]*[-*+] \[.\] (.*\S)[ \t]*")
_Step = tuple[str, str]
"""A file's blob before and after; "" where there was none."""


class Attestations:
    """Those of the vault at *root*; *repository* finds its history when that is asked."""

    def __init__(self, root: Root, repository: Callable[[], Repository | None]) -> None:
        """Open nothing yet: most commands meet no claim that they have not seen."""
        self._root, self._repository = root, repository
        self._seen: object = None

    @cached_property
    def _db(self) -> Connection:
        return _SHADOW.connect(self._root.path / FILE)

    def close(self) -> None:
        """Close what was opened."""
        if "_db" in self.__dict__:
            self.__dict__.pop("_db").close()

    def holds(self, data: bytes) -> bool:
        """Tell whether somebody who could has given the file with the bytes *data* its trust."""
        with contextlib.suppress(IndexFailed, Busy):
            if any(map(self._has, _blobs(data))):
                return True
            self._learn()
            return any(map(self._has, _blobs(data)))
        return False

    def offered(self, note: str, text: str) -> bool:
        """Tell whether the program put *text*, a note's body or what stands behind a box, there.

        *note* is the id of the note in the inbox.
        """
        with contextlib.suppress(IndexFailed, Busy):
            if self._has(offer := _offer(note, text)):
                return True
            self._learn()
            return self._has(offer)
        return False

    def note(self, plan: Plan) -> None:
        """Note what *plan*, which is about to be carried out, gives; the write lock is held.

        Raises Unavailable when git does not say what a merge brings: what a person wrote there
        would stand here as an agent's.
        """
        with contextlib.suppress(IndexFailed, Busy):
            if plan.merge:
                self._learn_from(plan.merge)
                return
            changes = [c for c in plan.changes if isinstance(c, Change)]
            self._take(changes, given=_gives(plan.trailers), kind=plan.kind)

    def unproven(self) -> list[str]:
        """Return what HEAD has that holds here, and would not in a clone: blobs, by their names.

        Nothing where git does not say. What was looked at and is proven is not looked at again.
        """
        with contextlib.suppress(IndexFailed, Busy, Unavailable):
            if (repository := self._repository()) and (head := repository.head()):
                self._learn_from(head)
                if (start := meta(self._db, _PROVEN)) != head:
                    if left := self._unproven(repository, start, head):
                        return left
                    set_meta(self._db, _PROVEN, head)
        return []

    # --- what was noted -----------------------------------------------------------------------

    def _has(self, mark: str) -> bool:
        found = self._db.execute("SELECT 1 FROM attested WHERE mark = ?", (mark,))
        return found.fetchone() is not None

    def _take(self, changes: Iterable[Change | journal.Write], *, given: bool, kind: str) -> None:
        claiming = [c for c in changes if _claims(c.new)]
        steps = [step for c in claiming for step in zip(_blobs(c.old), _blobs(c.new), strict=True)]
        drawn = [o for c in changes if c.path.startswith(_INBOX) for o in _offers(c.new or b"")]
        if steps:
            self._attest(steps, given=given, kind=kind)
        if drawn:
            self._keep(drawn)

    def _keep(self, marks: Iterable[str]) -> None:
        self._db.executemany("INSERT OR IGNORE INTO attested VALUES(?)", [(m,) for m in marks])

    def _attest(self, steps: Iterable[_Step], *, given: bool, kind: str) -> None:
        self._keep([*_attested(steps, self._has, given=given, kind=kind)])

    # --- what the history proves --------------------------------------------------------------

    def _learn(self) -> None:
        """Read what operations are in the journal and in commits that were not read yet."""
        with contextlib.suppress(Unavailable):
            self._learn_from_head()
        for _, todo in self._waiting():
            if todo.merge:
                with contextlib.suppress(Unavailable):
                    self._learn_from(todo.merge)
            else:
                self._take(todo.writes, given=_gives(todo.trailers), kind=todo.kind)

    def _waiting(self) -> Iterator[tuple[str, journal.Intent]]:
        for name in journal.names(self._root):
            if todo := journal.get(self._root, name):
                yield name, todo

    def _learn_from_head(self) -> None:
        """Learn what HEAD proves, unless it was read here; its log shows that for free."""
        if (repository := self._repository()) is None:
            return
        stamp = _log_stamp(repository)
        if stamp is None or stamp != self._seen:
            self._learn_from("HEAD")
            self._seen = stamp

    def _learn_from(self, tip: str) -> None:
        start, repository = meta(self._db, _READ), self._repository()
        end = repository.head() if repository and tip == "HEAD" else tip
        if repository is None or end is None or end == start:
            return
        ours = [e for e in _since(repository, start, end) if e.ops]
        rows = repository.touched([entry.commit for entry in ours])
        drawn = [
            row.new for some in rows.values() for row in some
            if row.path.startswith(_INBOX) and _known(row.new.id)
        ]  # fmt: skip
        offers = [o for data in repository.contents(drawn).values() for o in _offers(data)]
        with transaction(self._db):
            self._keep(offers)
            for entry in reversed(ours):
                self._keep(_by_commit(entry, rows.get(entry.commit, ()), self._has))
            set_meta(self._db, _READ, end)

    def _unproven(self, repository: Repository, start: str, head: str) -> list[str]:
        """Return what came between the commits *start* and *head*, is there, and is noted here."""
        entries = _since(repository, start, head)
        rows = repository.touched([entry.commit for entry in entries])
        new, proven, there = set[str](), set[str](), dict[str, str]()
        for entry in reversed(entries):
            made = rows.get(entry.commit, ())
            steps = _steps(made)
            # What stood at the start was proven by then.
            proven |= {old for old, _ in steps if old and old not in new and self._has(old)}
            proven.update(_by_commit(entry, made, proven.__contains__))
            new.update(after for _, after in steps)
            there |= {row.path: row.new.id for row in made}
        paths = [path for path, blob in there.items() if blob not in proven and self._has(blob)]
        left = set(repository.blobs(head, paths).values())
        texts = repository.contents(left)
        return sorted({it.id for it in left if it.id not in proven and _claims(texts.get(it.id))})


def _by_commit(entry: Entry, rows: Iterable[Row], has: Callable[[str], bool]) -> list[str]:
    """Return what a commit attests; *has* tells what was attested before it."""
    kind, given = entry.subject.partition(":")[0].partition("(")[0], _gives(entry.trailers)
    if not entry.ops:
        return []
    if kind == attestation_notes.ATTEST:
        return [*attestation_notes.blobs(entry.body)] if given else []
    return [*_attested(_steps(rows), has, given=given, kind=kind)]


def _steps(rows: Iterable[Row]) -> list[_Step]:
    return [(_known(it.old.id), _known(it.new.id)) for it in rows if it.path.endswith(".md")]


def _attested(
    steps: Iterable[_Step], has: Callable[[str], bool], *, given: bool, kind: str
) -> Iterator[str]:
    """Yield the new blob of *steps*: of what is made with trust, reviewed, or was attested."""
    for before, after in steps if kind not in _MOVES else ():
        is_given = given and (not before or kind in _BY_A_PERSON)
        if after and (is_given or has(before)):
            yield after


def _log_stamp(repository: Repository) -> tuple[int, int] | None:
    with contextlib.suppress(OSError):
        found = (repository.git_dir / "logs" / "HEAD").stat()
        return found.st_mtime_ns, found.st_size
    return None


def _since(repository: Repository, start: str, end: str) -> list[Entry]:
    with contextlib.suppress(Unavailable):
        if start:
            return repository.since(start, end)
    return repository.since("", end)  # that commit is gone: the history was rewritten


def _gives(trailers: Iterable[tuple[str, str]]) -> bool:
    return not _GIVEN.isdisjoint(trailers)


def _claims(data: bytes | None) -> bool:
    return data is not None and _CLAIM.search(data[:_HEAD]) is not None


def _offers(data: bytes) -> Iterator[str]:
    """Yield what a note of the inbox puts before a person: its text, and what has a box."""
    with contextlib.suppress(Unreadable):
        doc = frontmatter.read(data)
        note = frontmatter.fields(doc).get("id")
        if isinstance(note, str) and note:
            yield _offer(note, doc.body)
            boxes = map(_BOX.fullmatch, doc.body.splitlines())
            yield from (_offer(note, box[1]) for box in boxes if box)


def _offer(note: str, text: str) -> str:
    said = "\0".join((note.upper(), " ".join(text.split())))
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()


def _known(blob: str) -> str:
    return blob if blob.strip("0") else ""


def _blobs(data: bytes | None) -> tuple[str, str]:
    """Return how git calls *data*, in a repository of either kind; "" where there is none."""
    if data is None:
        return "", ""
    whole = b"blob %d\0" % len(data) + data
    return hashlib.sha1(whole, usedforsecurity=False).hexdigest(), hashlib.sha256(whole).hexdigest()
