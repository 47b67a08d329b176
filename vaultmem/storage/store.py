"""An open vault: its folder, index, writer and clock, handed to whatever proposes plans."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from vaultmem.config import Config
from vaultmem.documents.public_text import quoted
from vaultmem.errors import (
    BadInput,
    Busy,
    CannotOpen,
    DiskRefused,
    IndexFailed,
    MassVanish,
    NameTaken,
    StaleWrite,
    Unavailable,
    disk_errors,
)
from vaultmem.records import Clock, Record
from vaultmem.storage import (
    files,
    git_state_files,
    held_notes,
    hidden_texts,
    journal,
    ledger,
    reader,
    source_files,
    turn_names,
)
from vaultmem.storage.file_texts import FileTexts
from vaultmem.storage.files import Content, Root
from vaultmem.storage.hidden_texts import Lines
from vaultmem.storage.hidden_words import HiddenWords
from vaultmem.storage.index import Index, Source, edited_memories, marked_files
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.ulids import Entropy

if TYPE_CHECKING:
    from vaultmem.storage.attestations import Attestations
    from vaultmem.storage.commits.rested_edits import Laid
    from vaultmem.storage.hand_turns import HandTurns
    from vaultmem.storage.transcripts import RunningSession, Transcript
    from vaultmem.storage.turn_index import TurnIndex
    from vaultmem.storage.unconfirmed_operations import Earlier
    from vaultmem.storage.waiting_writes import WaitingWrites
    from vaultmem.storage.writer import Writer

_T = TypeVar("_T")

_TRIES = 16
"""Who is overtaken plans anew; of eight that write at once each may be, several times in a row."""
_GIT_LOCK = ".git/index.lock"
_SIGNED = b"vaultmem "
_INDEX = ".vaultmem/index/catalog.sqlite3"


Running = Callable[["Store", str], "Sequence[RunningSession]"]


def none_runs(*_: object) -> Sequence[RunningSession]:
    """Tell of no session that runs."""
    return ()


Compare = Callable[["Store", "Laid"], Callable[[], None]]


def none_is_compared(*_: object) -> Callable[[], None]:
    """Mark nothing as a tool's."""
    return lambda: None


Tell = Callable[["Transcript", int], Iterable[Record]]


def none_is_told(*_: object) -> Iterable[Record]:
    """Tell of no turn."""
    return ()


Judge = Callable[["Store", HiddenWords], Lines]


def _none_is_judged(*_: object) -> Lines:
    return {}


@dataclass(frozen=True)
class Store:
    """One open vault."""

    root: Root
    index: Index
    clock: Clock
    random: Entropy = os.urandom
    running: Running = none_runs
    """Tells what is said in sessions of an agent that run, and are not taken in yet."""
    compare: Compare = none_is_compared
    """Compares what people wrote, before it is committed, with what tools said; see `Writer`."""
    tell: Tell = none_is_told
    """Returns which turns of a transcript may be told, from a number on, as records."""

    @cached_property
    def writer(self) -> Writer:
        """Open the one way to write; it and git load when something is written."""
        from vaultmem.storage import git  # noqa: PLC0415  # `status` does not pay for it
        from vaultmem.storage.writer import Writer  # noqa: PLC0415  # likewise

        writer = Writer(self.root, self.clock, git.find, self.random, self._places)
        writer.compare = lambda laid: self.compare(self, laid)
        writer.edits_too = lambda: self.config().commit_human_edits
        return writer

    def _places(self, ids: Collection[str]) -> list[str]:
        """Return where the files lie that have one of *ids*, as the index knows."""
        return [record.path for record in self.index.identified(ids)]

    @cached_property
    def attestations(self) -> Attestations:
        """Know what was given more trust than a file has by its own word."""
        from vaultmem.storage.attestations import Attestations  # noqa: PLC0415  # likewise

        return Attestations(self.root, lambda: self.writer.repository)

    def _is_attested(self, data: bytes) -> bool:
        """Tell whether a file with the bytes *data* was given the trust that it claims."""
        return self.attestations.holds(data)

    @cached_property
    def waiting_writes(self) -> WaitingWrites:
        """Know what waits for its commit."""
        from vaultmem.storage.waiting_writes import WaitingWrites  # noqa: PLC0415  # likewise

        return WaitingWrites(self.root)

    @cached_property
    def hand_turns(self) -> HandTurns:
        """Know which turns no program of ours wrote."""
        from vaultmem.storage.hand_turns import HandTurns  # noqa: PLC0415  # likewise

        return HandTurns(self.root, lambda: self.writer.repository, self.waiting_writes)

    @cached_property
    def texts(self) -> FileTexts:
        """Read what its files say, and what of it may be told."""
        return FileTexts(self.root, self.index, self._is_attested)

    def turns(self) -> TurnIndex | None:
        """Return the index of what was said in sessions as it is now; None where nothing was.

        It is looked at anew each time: what a session said last is in it, what went is not. None,
        too, while another process has it for longer than anybody waits.
        """
        from vaultmem.storage import transcript_files, turn_index  # noqa: PLC0415  # likewise

        if self.tell is none_is_told:
            return None
        if not (turn_index.is_made(self.root.path) or transcript_files.every(self.root)):
            return None
        with contextlib.suppress(Busy):
            self._turn_index.sync()
            return self._turn_index
        return None

    def release_turns(self) -> None:
        """Close the index of turns, whose file is about to be deleted; whoever asks has it anew."""
        if made := self.__dict__.pop("_turn_index", None):
            made.close()

    @cached_property
    def _turn_index(self) -> TurnIndex:
        from vaultmem.storage import turn_index  # noqa: PLC0415  # likewise

        refuse_links(self.root.path, turn_index.FILE)
        path = self.root.path / turn_index.FILE
        return turn_index.TurnIndex(path, self.root, self.hand_turns, self.tell)

    def check(self) -> None:
        """Raise Closed once it is closed, OtherProcess or OtherThread to who did not open it."""
        self.root.check()

    def close(self) -> None:
        """Give back what is held open; twice is once. Raises OtherThread."""
        self.index.close()
        self.release_turns()
        if "attestations" in self.__dict__:
            self.attestations.close()
        if "hand_turns" in self.__dict__:
            self.hand_turns.close()
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

    def sync_sources(self, path: str) -> None:
        """Look at what the file at *path* was made from, and at nothing else.

        For who tells of it between two full looks: see `sync_soon`.
        """
        source_files.look_at(self.root, self.index, path)

    def learn_accepted(self, *, from_history: bool = False) -> None:
        """Let the index know which texts of memories are accepted since it looked last.

        *from_history*: where there is no ledger, as in a fresh clone, one is made first.
        """
        if from_history and ledger.size(self.root.path) < 0:
            self.writer.missing()
        # It lags until the next look; what compares the ledger with HEAD says what ails it.
        with contextlib.suppress(IndexFailed, Busy, DiskRefused):
            while growth := ledger.growth(self.root.path, edited_memories.learnt(self.index)):
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

    def not_checked_out(self) -> frozenset[str]:
        """Return the notes that a person told git to leave out of a sparse checkout.

        What lists or summarizes files is not made anew of a part of them.
        """
        if not git_state_files.is_sparse(self.root.path):
            return frozenset()
        return frozenset(path for path in self.left_out() if files.is_note(path))

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

    def exists(self, path: str, sha: str) -> bool:
        """Tell whether the file is there with these bytes, as the index claims.

        Of a turn that is the transcript that has it.
        """
        turn = turn_names.parse(path)
        found = files.read(self.root, turn.path if turn else path)
        return found is not None and found.sha == sha

    def apply(self, plan: Plan, guard: Callable[[], None] | None = None) -> Earlier | None:
        """Write what *plan* says, whole or not at all, and let the index know.

        Return the earlier operation that did the same, was confirmed to nobody and holds, where
        there is one: then nothing is written. *guard* runs under the write lock and raises when the
        plan's reason is gone by now. Raises MassVanish while a crowd of files is missing
        unexplained (unless all that the plan does is bring some of it back), and whatever
        `Writer.writing` does.
        """
        if (gone := self.index.vanished()) and not _brings_back(plan, gone):
            raise MassVanish(len(gone), gone[0])
        with disk_errors(self.root.path, below=True), self.writer.writing() as put:
            if guard:
                guard()
            earlier = self.writer.earlier(plan.asked, self._holds)
            self.index.note_write()
            if earlier is None:
                owned = self._owned(plan)
                self.attestations.note(owned)
                put(owned)
            # Still under the lock: the next writer's guard asks the index. It knows notes alone.
            paths = earlier.paths if earlier else [c.path for c in plan.changes]
            if notes := [path for path in paths if files.is_note(path)]:
                self.index.absorb(notes)
            return earlier

    def _holds(self, earlier: Earlier) -> bool:
        """Tell whether nothing that an operation made was superseded since."""
        return not any(it.superseded_by for it in self.index.at(earlier.paths, body=False))

    def note_unconfirmed(self) -> bool:
        """Note what was written last and is confirmed to nobody, as `Writer.note_unconfirmed` does.

        The vault may be closed.
        """
        return "writer" in self.__dict__ and self.writer.note_unconfirmed()

    def _owned(self, plan: Plan) -> Plan:
        """Return *plan* on the files' own bytes; it notes what git will not have, for its undo."""
        made = [(c, self.texts.owned(c) if isinstance(c, Change) else c) for c in plan.changes]
        held = (own.path for it, own in made if own is not it and own.op != "delete")
        notes = (*plan.notes, *map(held_notes.note, held))
        return replace(plan, changes=tuple(own for _, own in made), notes=notes)

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

    def transcripts(self) -> list[str]:
        """Return the paths of the transcripts of sessions, in order."""
        from vaultmem.storage import transcript_files  # noqa: PLC0415  # `status` names them itself

        return [found.path for found in transcript_files.every(self.root)]

    def trust_again(self) -> None:
        """Let the index read again what was given, since it was read, the trust that it claims."""
        with contextlib.suppress(IndexFailed, Busy), files.reading_many(self.root) as read:
            found = [(path, read(path)) for path in self.index.claiming()]
            self.index.read_again(
                [path for path, it in found if it and self.attestations.holds(it.data)]
            )

    def mint(self) -> str:
        """Return a new ULID; raises DiskRefused where nothing can be written."""
        return self.mint_many(1)[0]

    def mint_many(self, count: int) -> list[str]:
        """Return *count* new ULIDs, rising."""
        with disk_errors(self.root.path, below=True):
            return self.writer.mint(count, floor=self.index.newest_id())

    def agents(self) -> list[str]:
        """Return the agents that have files or transcripts, by name."""
        from vaultmem.storage import transcript_files  # noqa: PLC0415  # `status` names them itself

        return sorted({*self.index.agents(), *(f.agent for f in transcript_files.every(self.root))})

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


def _brings_back(plan: Plan, gone: Collection[str]) -> bool:
    """Tell whether all that *plan* does is to write files again that are *gone*."""
    return all(isinstance(c, Change) and c.old is None and c.path in gone for c in plan.changes)


def refuse_links(path: Path, inner: str) -> None:
    """Raise CannotOpen when *inner*, which is our own, would lead out of the vault at *path*."""
    for ours in (Path(inner), *Path(inner).parents[:-1]):
        if (path / ours).is_symlink():
            raise CannotOpen(f"{path / ours} is a link; remove it, and it will be recreated")


def open_store(  # noqa: PLR0913, PLR0917  # what it asks of those above it
    path: Path, clock: Clock, random: Entropy = os.urandom, running: Running = none_runs,
    judge: Judge = _none_is_judged, compare: Compare = none_is_compared,
    tell: Tell = none_is_told,
) -> Store:  # fmt: skip
    """Open the vault whose folder is *path*; raises CannotOpen, BadInput or TooNew.

    *judge* tells which lines their sources do not bear out as these may be shown. *compare* and
    *tell* as in `Store`.
    """
    root = Root(path)
    reader.settings(root)
    refuse_links(path, _INDEX)

    def record(name: str, content: Content) -> Record:
        said = store.texts.record(name, content)
        if hidden_texts.is_told(index, said):
            marked_files.doubt(index)
        return said

    index = Index(path / _INDEX, Source.of(root), record)
    store = Store(root, index, clock, random, running, compare, tell)
    index.settled = lambda whole: hidden_texts.learn(
        root, index, lambda hidden: judge(store, hidden), whole=whole
    )
    index.removed = lambda: store.waiting_writes.removed()  # noqa: PLW0108  # loaded when asked
    return store
