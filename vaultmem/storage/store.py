"""An open vault: its folder, index, writer and clock, handed to whatever proposes plans."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from vaultmem.config import Config
from vaultmem.documents import public_text
from vaultmem.documents.public_text import quoted
from vaultmem.errors import (
    BadInput,
    Busy,
    CannotOpen,
    DiskRefused,
    HeldBack,
    IndexFailed,
    MassVanish,
    NameTaken,
    Refused,
    StaleWrite,
    Unavailable,
    disk_errors,
)
from vaultmem.records import Clock, Problem, Record
from vaultmem.storage import files, journal, ledger, reader, tombstone_ledger
from vaultmem.storage.files import Content, Root
from vaultmem.storage.index import Index, edited_memories
from vaultmem.storage.plan import Change, Plan, edit
from vaultmem.storage.ulids import Entropy

if TYPE_CHECKING:
    from vaultmem.storage.attestations import Attestations
    from vaultmem.storage.unconfirmed_operations import Earlier
    from vaultmem.storage.writer import Writer

_T = TypeVar("_T")

_MOVE = "move it out of the vault; if git has a file there, `git checkout -- {path}` brings it back"
_NO_NAME = "a name that vaultmem cannot read"
_RENAME = "give it a name in UTF-8, or move it out of the vault"
_ANEW = "move it out of the vault; the next round (`vaultmem watch --once`) writes the file anew"
_MADE_ANEW = frozenset({"MEMORY.md", "TASKS.md"})
_HIDDEN = "what is in it is not read, and does not count as gone"
_NO_EDITS = "no edit made by hand is committed while it is there"
_OPEN = "make it readable, or move it out of the vault"
_OWN_FOLDERS = (
    "agents/", "cards/", "inbox/", "knowledge/", "skills/", "supersessions/", "tasks/",
    "tombstones/", "topics/",
)  # fmt: skip
_OF_AN_AGENT = ("archive", "episodes", "memories", "sessions", "summaries", "topics")
_BRING_BACK = (
    "`git checkout -- .` (or the branch that has them, or `git sparse-checkout disable`) brings "
    "them back, `vaultmem fsck --accept-missing` lets them go"
)
_ANY_NOTE = "topics/note.md"
_TRIES = 16
"""Who is overtaken plans anew; of eight that write at once each may be, several times in a row."""
_FILTERED = "lets a program change what git stores of notes, so the history lacks their text"
_UNFILTER = "remove notes from it: what people write in them is neither committed nor undone"
_GIT_LOCK = ".git/index.lock"
_SIGNED = b"vaultmem "
_INDEX = ".vaultmem/index/catalog.sqlite3"


@dataclass(frozen=True)
class Store:
    """One open vault."""

    root: Root
    index: Index
    clock: Clock
    random: Entropy = os.urandom

    @cached_property
    def writer(self) -> Writer:
        """Open the one way to write; it and git load when something is written."""
        from vaultmem.storage import git  # noqa: PLC0415  # `status` does not pay for it
        from vaultmem.storage.writer import Writer  # noqa: PLC0415  # likewise

        return Writer(self.root, self.clock, git.find, self.random)

    @cached_property
    def attestations(self) -> Attestations:
        """Know what was given more trust than a file has by its own word."""
        from vaultmem.storage.attestations import Attestations  # noqa: PLC0415  # likewise

        return Attestations(self.root, lambda: self.writer.repository)

    def check(self) -> None:
        """Raise Closed once it is closed, OtherProcess or OtherThread to who did not open it."""
        self.root.check()

    def close(self) -> None:
        """Give back what is held open; twice is once. Raises OtherThread."""
        self.index.close()
        if "attestations" in self.__dict__:
            self.attestations.close()
        self.root.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self.root.closed

    def config(self) -> Config:
        """Return the settings as the file states them now."""
        return reader.settings(self.root)

    def sync(self) -> None:
        """Finish what a crash left, then make the index equal to the files."""
        self._recover()
        self.index.sync()
        self.learn_accepted()

    def sync_soon(self) -> None:
        """Like `sync`, for a process that lives: scan only when something seems to have moved."""
        self._recover()
        self.index.fresh()
        self.learn_accepted()

    def sync_names(self) -> None:
        """Like `sync`, for a write that needs none of the files: look at folders that moved alone.

        Who decides on what files say looks first, see `sync_soon`.
        """
        self._recover()
        self.index.sync_names()
        self.learn_accepted()

    def sync_notes(self) -> None:
        """Like `sync_soon`, for who decides on cards, topics or tasks, and on no memory's words."""
        self._recover()
        self.index.sync_notes()
        self.learn_accepted()

    def learn_accepted(self, *, from_history: bool = False) -> None:
        """Let the index know which texts of memories are accepted since it looked last.

        *from_history*: where there is no ledger, as in a fresh clone, one is made first.
        """
        if from_history and ledger.size(self.root.path) < 0:
            self.writer.missing()
        with contextlib.suppress(IndexFailed, Busy):  # it lags until the next look
            known = edited_memories.learnt(self.index)
            growth = ledger.growth(self.root.path, known)
            if growth.up_to != known:
                edited_memories.learn(self.index, growth)

    def _recover(self) -> None:
        if journal.half_done(self.root) or self._may_be_ours():
            self.writer.recover()

    def left_out(self) -> frozenset[str]:
        """Return the files that git has, and that nobody sees in the work tree: they are not gone.

        A person left them out of the checkout, or they lie in a folder that cannot be read.
        """
        with contextlib.suppress(Unavailable):
            if repository := self.writer.repository:
                shut = repository.files("HEAD", *self.index.shut) if self.index.shut else ()
                return repository.left_out() | frozenset(shut)
        return frozenset()

    def is_git_locked(self) -> bool:
        """Tell whether some git, ours or a person's, is at work on the index."""
        return (self.root.path / _GIT_LOCK).exists()

    def has_left_lock(self) -> bool:
        """Tell whether git's lock is one of ours whose process is dead: the next sync clears it."""
        if not self._may_be_ours():
            return False
        from vaultmem.storage.git import index_lock  # noqa: PLC0415  # hardly ever

        return index_lock.is_stray(self.root.path / _GIT_LOCK)

    def _may_be_ours(self) -> bool:
        """Tell whether git's lock is signed by a process of ours."""
        try:
            with (self.root.path / _GIT_LOCK).open("rb") as lock:
                return lock.read(len(_SIGNED)) == _SIGNED
        except OSError:
            return False

    def troubles(self) -> Iterator[Problem]:
        """Yield what the last scan found wrong: broken files, links, a crowd that is gone."""
        odd = {*self.index.odd}
        yield from (problem for problem in self.index.problems() if problem.path not in odd)
        yield from self._misplaced()
        for folder, why in sorted(self.index.shut.items()):
            if why not in files.KINDS:  # those were told of
                yield Problem("unreadable", folder, f"{why}: {_HIDDEN}", _OPEN)
        yield from self._filtered()
        if gone := self.index.vanished():
            message = f"{len(gone)} files are gone since the last scan; writes wait"
            yield Problem("vanished", gone[0], message, _BRING_BACK)

    def _misplaced(self) -> Iterator[Problem]:
        """Name what stands where a file or a folder should be, and is neither."""
        behind = {folder for folder, why in self.index.shut.items() if why in files.KINDS}
        for path in sorted({*self.index.odd, *(f[:-1] for f in behind), *self._no_folders()}):
            if public_text.named_secret(path):
                continue  # told of with what is held back
            kind = files.kind_of(self.root, path)
            what = f"{kind or _NO_NAME}, which is neither read through nor written"
            if f"{path}/" in behind:
                what += f": {_HIDDEN}"
            if path.rpartition("/")[2] in files.GIT_PATTERNS:
                what += f", and git would wait at it for ever: {_NO_EDITS}"
            yield Problem("link", path, what, _way_out(path) if kind else _RENAME)

    def _no_folders(self) -> Iterator[str]:
        """Yield what stands in the place of a folder of ours, and is none."""
        own = (f"agents/{it}/{name}/" for it in self.index.agents() for name in _OF_AN_AGENT)
        for folder in (*_OWN_FOLDERS, *own):
            if files.kind_of(self.root, folder[:-1]) not in {"", files.FOLDER}:
                yield folder[:-1]

    def _filtered(self) -> Iterator[Problem]:
        """Say so where git is told to keep something else of a note than its text."""
        found = self.read_if_allowed(".gitattributes") or b""
        for line in found.decode("utf-8", "replace").splitlines():
            pattern, *named = line.split() or [""]
            if any(it.startswith("filter=") for it in named) and fnmatch(_ANY_NOTE, pattern):
                yield Problem(
                    "filtered", ".gitattributes", f"`{line.strip()}` {_FILTERED}", _UNFILTER
                )

    def exists(self, path: str, sha: str) -> bool:
        """Tell whether the file is there with these bytes, as the index claims."""
        found = files.read(self.root, path)
        return found is not None and found.sha == sha

    def apply(self, plan: Plan, guard: Callable[[], None] | None = None) -> Earlier | None:
        """Write what *plan* says, whole or not at all, and let the index know.

        Return the earlier operation that did the same and was confirmed to nobody, where there is
        one: then nothing is written. *guard* runs under the write lock and raises when the plan's
        reason is gone by now. Raises MassVanish while a crowd of files is missing unexplained
        (unless all that the plan does is bring some of it back), and whatever `Writer.writing`
        does.
        """
        if (gone := self.index.vanished()) and not _brings_back(plan, gone):
            raise MassVanish(len(gone), gone[0])
        with disk_errors(self.root.path, below=True), self.writer.writing() as put:
            if guard:
                guard()
            owned = self._owned(plan)
            self.attestations.note(owned)
            self.index.note_write()
            earlier = put(owned)
            # Still under the lock: the next writer's guard asks the index. It knows notes alone.
            paths = earlier.paths if earlier else [c.path for c in plan.changes]
            tombstone_ledger.follow(self.root.path, plan.changes)
            if notes := [path for path in paths if files.is_note(path)]:
                self.index.absorb(notes)
            return earlier

    def note_unconfirmed(self) -> bool:
        """Note what was written last and is confirmed to nobody, as `Writer.note_unconfirmed` does.

        The vault may be closed.
        """
        return "writer" in self.__dict__ and self.writer.note_unconfirmed()

    def can(self, change: Change) -> bool:
        """Tell whether *change* touches nothing that is not public."""
        try:
            self.owned(change)
        except HeldBack:
            return False
        return True

    def _owned(self, plan: Plan) -> Plan:
        changes = (self.owned(c) if isinstance(c, Change) else c for c in plan.changes)
        return replace(plan, changes=tuple(changes))

    def retry(
        self, step: Callable[[], _T], tries: int = _TRIES, *, scan: bool = True,
        between: Callable[[int], None] = lambda _: None,
    ) -> _T:  # fmt: skip
        """Take *step*, which plans and carries out, again when somebody else changed the vault.

        The index is brought up to the files in between. Without *scan* it is not: for a step that
        does that itself, or that reads one file and asks the index nothing. *between* is called
        with how often it was overtaken, before the next try. Raises StaleWrite or NameTaken when
        that never ends.
        """
        for number in range(1, tries):
            try:
                return step()
            except (StaleWrite, NameTaken):
                between(number)
                if scan:
                    self.index.sync()
        return step()

    def read(self, path: str) -> bytes | None:
        """Return what may leave a file, as bytes, None when there is none.

        A plan that is made on it changes the file's own bytes accordingly, see `owned`.
        """
        data = self.own(path)
        return None if data is None else public_text.public(path, data)

    def read_if_allowed(self, path: str) -> bytes | None:
        """Like `read`, None also where the system refuses: for callers that only list files."""
        with contextlib.suppress(DiskRefused):
            return self.read(path)
        return None

    def is_gone(self, path: str) -> bool:
        """Tell whether there is no file at *path*; one that cannot be read is there."""
        with contextlib.suppress(DiskRefused):
            return self.read(path) is None
        return False

    def unread(self) -> list[str]:
        """Return what of the vault cannot be read, files and folders, as the last scan found it.

        Not a folder in which nothing of the vault ever lay: a file system has some of its own.
        """
        shut = tuple(self.index.shut)
        known = [path for path in self.index.seen() if path.startswith(shut)] if shut else []
        folders = (
            folder
            for folder in self.index.shut
            if folder.startswith(_OWN_FOLDERS) or any(path.startswith(folder) for path in known)
        )
        files_ = (p.path for p in self.index.problems() if p.code == "unreadable")
        return sorted({*folders, *files_})

    def refuse_unread(self, consequence: str, *, recalled: bool = False) -> None:
        """Raise Unavailable, which tells the *consequence*, when some of the vault is unread.

        *recalled*: what is never recalled, as MEMORY.md, may be unread.
        """
        unread = self.unread()
        beside = {r.path for r in self.index.at(unread) if recalled and not r.recallable}
        if paths := [path for path in unread if path not in beside]:
            raise Unavailable(
                f"{', '.join(paths)} cannot be read: {consequence}; make that readable (`vaultmem "
                "status` says what is wrong with it), or move it out of the vault"
            )

    def own(self, path: str) -> bytes | None:
        """Return a file's own bytes, which are to be written again or compared, and not shown."""
        found = files.read(self.root, path)
        return found.data if found else None

    def transcripts(self) -> list[str]:
        """Return the paths of the transcripts of sessions, in order."""
        from vaultmem.storage import transcripts  # noqa: PLC0415  # `status` names them itself

        return [found.path for found in transcripts.transcript_files(self.root)]

    def own_alone(self, path: str) -> bytes | None:
        """Like `own`; raises Refused for a file that has another name, which may be anywhere."""
        found = files.read(self.root, path)
        if found and files.is_known_elsewhere(self.root, path, found):
            raise Refused(
                f"{path} has another name (a hard link), so it may be somebody else's file: a "
                "person may put a copy in its place"
            )
        return found.data if found else None

    def owned(self, change: Change) -> Change:
        """Return *change*, made on what `read` returned, as one of the file's own bytes.

        Raises HeldBack when it would touch what is not public.
        """
        now = None if change.old is None else self.own(change.path)
        if now is None or now == change.old:
            return change
        if public_text.public(change.path, now) != change.old:
            return change  # somebody wrote: the writer says so
        if change.new is None:
            return replace(change, old=now)
        return edit(change.path, now, change.new, change.reason)

    def load(self, record: Record) -> Record:
        """Return *record* with the text and sha its file has now; as it is when that is gone."""
        return self.now_at(record.path, record.sha) or record

    def now_at(self, path: str, sha: str) -> Record | None:
        """Return the record of the file at *path* as it is now, None when it is gone.

        What the bytes with that *sha* say was read before.
        """
        found = files.read(self.root, path)
        if found is None:
            return None
        known = self.index.at([path]) if found.sha == sha else []
        return known[0] if known and known[0].sha == sha else self._fresh(path, found)

    def _fresh(self, path: str, content: Content) -> Record:
        return self.index.marked(self.record(path, content))

    def record(self, path: str, content: Content) -> Record:
        """Return what *content* says, with the trust that it was given if that is attested."""
        record = reader.record(path, content)
        if record.claimed and self.attestations.holds(content.data):
            return replace(record, trust=record.claimed, claimed="")
        return record

    def mint(self) -> str:
        """Return a new ULID; raises DiskRefused where nothing can be written."""
        return self.mint_many(1)[0]

    def mint_many(self, count: int) -> list[str]:
        """Return *count* new ULIDs, rising."""
        with disk_errors(self.root.path, below=True):
            return self.writer.mint(count, floor=self.index.newest_id())

    def agents(self) -> list[str]:
        """Return the agents that have files or transcripts, by name."""
        from vaultmem.storage import transcripts  # noqa: PLC0415  # `status` names all there are itself

        return sorted(
            {*self.index.agents(), *(f.agent for f in transcripts.transcript_files(self.root))}
        )

    def agent(self, name: str = "") -> str:
        """Return the agent that *name* means, else the config's, the only one, or `default`."""
        if name:
            return name
        known = self.agents()
        return self.config().agent or (known[0] if len(known) == 1 else "default")

    def require_agent(self, name: str = "") -> str:
        """Like `agent`, for reading: raises BadInput when the one that is named has no files."""
        known = self.agents()
        if name and name not in known and name != self.agent():
            here = ", ".join(known) or "none yet: its first memory makes one"
            raise BadInput(f"no agent {quoted(name)} in this vault; there are: {here}")
        meant = self.agent(name)
        if len(known) > 1 and meant not in known and not self.config().agent:
            raise BadInput(f"which agent? name one (`agent=NAME`): {', '.join(known)}")
        return meant


def _way_out(path: str) -> str:
    """Return what to do about what stands at *path*, where a file or a folder should be."""
    return _ANEW if path in _MADE_ANEW else _MOVE.format(path=shlex.quote(path))


def _brings_back(plan: Plan, gone: Collection[str]) -> bool:
    """Tell whether all that *plan* does is to write files again that are *gone*."""
    return all(isinstance(c, Change) and c.old is None and c.path in gone for c in plan.changes)


def refuse_links(path: Path, inner: str) -> None:
    """Raise CannotOpen when *inner*, which is our own, would lead out of the vault at *path*."""
    for ours in (Path(inner), *Path(inner).parents[:-1]):
        if (path / ours).is_symlink():
            raise CannotOpen(f"{path / ours} is a link; remove it, and it will be recreated")


def open_store(path: Path, clock: Clock, random: Entropy = os.urandom) -> Store:
    """Open the vault whose folder is *path*; raises CannotOpen, BadInput or TooNew."""
    root = Root(path)
    reader.settings(root)
    refuse_links(path, _INDEX)

    def record(name: str, content: Content) -> Record:
        return store.record(name, content)

    def blocked(name: str) -> tuple[str, str]:
        folder = files.obstacle(root, name)
        return folder, files.kind_of(root, folder) if folder else ""

    index = Index(
        path / _INDEX,
        partial(files.listing, root),
        lambda name: files.read(root, name),
        record,
        blocked,
    )
    store = Store(root, index, clock, random)
    return store
