"""Writes, crashes and people in any order: nothing acknowledged is lost, no person's byte changes.

Hypothesis makes up a day of a vault; after every step the files are looked at by our own eyes, and
at the end the index, the history and the journal must agree with them.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from vaultmem import Vault, config
from vaultmem.api import create
from vaultmem.knowledge.cards.types import Patch
from vaultmem.records import Problem, Record
from vaultmem.storage import files, git, journal, reader
from vaultmem.storage.files import atomic_write, new_file
from vaultmem.storage.human_edits import Uncommitted
from vaultmem.storage.index import Index, Source
from vaultmem.storage.writer import Writer

WINDOWS = (b"window: 64", b"window: 3")
FAULTS = st.sampled_from(
    [
        (new_file, "create"),
        (atomic_write, "_publish"),
        (atomic_write, "_replace"),
        (new_file, "sync_folder"),
        (Writer, "_apply"),
        (journal, "begin"),
        (journal, "applied"),
        (journal, "finish"),
        (git.Lock, "_shift"),
        (git.Lock, "_move_head"),
    ]
)
WHICH = st.integers(0, 15)
CARD = "family/tea"
_WORD = re.compile(r"plum\d{4}")
STALE = {"dangling-pointer", "stale-summary"}
FEW = 4  # so many files may go before a look without looking like an accident


class Day(RuleBasedStateMachine):
    """A vault, an agent that remembers, a person that edits, and processes that die."""

    def __init__(self) -> None:
        """Begin with an empty vault whose windows are small, so that compactions are due."""
        super().__init__()
        self.path = Path(tempfile.mkdtemp(prefix="vaultmem-day-")) / "vault"
        self.now = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
        create.create(self.path, self.clock)
        settings_file = self.path / config.PATH
        settings_file.write_bytes(settings_file.read_bytes().replace(*WINDOWS))
        self.remembered: dict[str, str] = {}
        self.people: dict[str, bytes] = {config.PATH: settings_file.read_bytes()}
        self.lines: list[str] = []
        self.card: dict[str, str] = {}
        self.forgotten: set[str] = set()
        self.gone = 0
        self.edited = False
        """Whether a person changed a memory since what is due was done.

        Until it is done again a summary may be stale, and MEMORY.md name what they deleted.
        """
        self.staged: set[str] = set()
        """The memories with a person's edit that waits for that person's commit."""
        self.said = 0
        self.vault = Vault.open(self.path, clock=self.clock)

    def clock(self) -> datetime:
        """Return the time of the scene."""
        return self.now

    def text(self) -> str:
        """Return something that was never said before."""
        self.said += 1
        self.now += timedelta(minutes=7)
        return f"Thought number {self.said} of the day is about oolong and plum{self.said:04}."

    # --- the program ----------------------------------------------------------------------------

    @rule()
    def remember(self) -> None:
        """Remember; from now on it may not be lost."""
        text = self.text()
        self.remembered[self.vault.remember(text, agent="ada").id] = text
        self.gone = 0

    @rule(fault=FAULTS, nth=st.integers(1, 6))
    def crash(self, fault: tuple[object, str], nth: int) -> None:
        """Let a process die while it remembers, and another take over."""
        text = self.text()
        self.vault.close()
        told, tell = os.pipe()
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                _arm(*fault, nth)
                os.write(tell, self.remembers(text).encode())
            os._exit(0)
        os.waitpid(child, 0)
        os.close(tell)
        with os.fdopen(told) as pipe:
            if known := pipe.read():
                self.remembered[known] = text
        self.vault = Vault.open(self.path, clock=self.clock)
        self.vault.store.sync()
        self.gone = 0

    def remembers(self, text: str) -> str:
        """Return the id under which a process of its own remembers *text*."""
        with Vault.open(self.path, clock=self.clock) as vault:
            return vault.remember(text, agent="ada").id

    @rule(key=st.sampled_from(["city", "phone"]))
    def sets_a_card(self, key: str) -> None:
        """Patch a card; the fact stands until it is patched again."""
        self.card[key] = f"{key} {self.text()}"
        self.vault.cards.set(CARD, _patch(key, self.card[key]))
        self.gone = 0

    @rule(nth=WHICH)
    @precondition(lambda self: self.remembered)
    def corrects(self, nth: int) -> None:
        """Say what holds instead; the old file may not change from now on."""
        path, known = self.some_memory(nth)
        self.people[path] = (self.path / path).read_bytes()
        text = self.text()
        self.remembered[self.vault.correct(known, text).id] = text
        self.gone = 0

    @rule(nth=WHICH)
    @precondition(lambda self: self.remembered)
    def forgets(self, nth: int) -> None:
        """Forget a memory; from now on nothing of the program's may say it."""
        path, known = self.some_memory(nth)
        if not self.lets_go(path, known):
            return
        self.forgotten.add(_word(self.remembered.pop(known)))
        self.people.pop(path, None)
        self.gone = 0

    @rule(nth=WHICH, does=st.sampled_from(["card", "correct", "forget"]))
    @precondition(lambda self: self.remembered)
    def changes_its_mind(self, nth: int, does: str) -> None:
        """Do something and take it back: cards and memories are as they were, to the byte."""
        path, known = self.some_memory(nth)
        before = self.kept()
        if does == "card":
            done = self.vault.cards.set(CARD, _patch("city", self.text()))
            op = self.operation(done.commit)
        elif does == "correct":
            op = self.vault.correct(known, self.text()).id
        else:
            op = self.lets_go(path, known)
        if op:
            self.vault.undo(op)
        assert self.kept() == before
        self.gone = 0

    @rule()
    def reopen(self) -> None:
        """End the process in peace, and begin another."""
        self.vault.close()
        self.vault = Vault.open(self.path, clock=self.clock)

    @rule()
    def tick(self) -> None:
        """Do what is due, and commit rested edits."""
        self.vault.tick()
        self.vault.store.writer.commit_edits(quiet=0)
        self.gone = 0
        self.edited = False

    @rule()
    def tidy(self) -> None:
        """Let go of old inodes and of dead processes' files."""
        self.vault.store.writer.sweep(quiet=0)

    # --- the person -----------------------------------------------------------------------------

    @rule(data=st.binary(max_size=60), name=st.sampled_from(["a", "Über uns", "what?"]))
    def writes_a_note(self, data: bytes, name: str) -> None:
        """Save any bytes under any name; each once, or sound text might turn into broken."""
        path = f"notes/{name} {len(self.people)}.md"
        (self.path / "notes").mkdir(exist_ok=True)
        (self.path / path).write_bytes(data)
        self.people[path] = data

    @rule(nth=WHICH)
    @precondition(lambda self: self.remembered)
    def edits_a_memory(self, nth: int) -> None:
        """Add a line to a memory, in place, as an editor does."""
        path, _ = self.some_memory(nth)
        file = self.path / path
        data = file.read_bytes() + b"And a person said so.\n"
        file.write_bytes(data)
        self.people[path] = data
        self.edited = True

    @rule(nth=WHICH)
    @precondition(lambda self: self.remembered and self.gone < FEW)
    def deletes_a_memory(self, nth: int) -> None:
        """Delete it for good, as a person may."""
        path, known = self.some_memory(nth)
        (self.path / path).unlink()
        del self.remembered[known]
        self.people.pop(path, None)
        self.gone += 1
        self.edited = True

    @rule()
    def writes_into_memory_md(self) -> None:
        """Add a line of their own above our region."""
        line = f"- [ ] do thing number {len(self.lines)}"
        file = self.path / "MEMORY.md"
        file.write_text(f"{line}\n{file.read_text()}")
        self.lines.append(line)

    @rule()
    def stages_a_note(self) -> None:
        """Stage everything: then it is theirs to commit."""
        subprocess.run(["git", "add", "-A", "."], cwd=self.path, check=True, capture_output=True)
        self.staged |= {p for p in self.people if "/memories/" in p}

    # --- what is there --------------------------------------------------------------------------

    def some_memory(self, nth: int) -> tuple[str, str]:
        """Return the path and the id of the *nth* memory that was acknowledged, and still is.

        In the order in which they were: what is drawn follows from the steps alone.
        """
        known = list(self.remembered)[nth % len(self.remembered)]
        (path,) = (p for p, r in self.found().items() if r.id == known)
        return path, known

    def lets_go(self, path: str, known: str) -> str:
        """Forget a memory and return the operation; none where a person's edit of it is staged."""
        before = self.kept()
        try:
            return self.vault.forget(known).op
        except Uncommitted:
            assert path in self.staged
            assert self.kept() == before
            return ""

    def kept(self) -> dict[str, bytes]:
        """Return the bytes of every memory, card and tombstone."""
        folders = ("agents/ada/memories", "cards", "tombstones")
        files = [p for folder in folders for p in (self.path / folder).rglob("*.md")]
        return {str(p.relative_to(self.path)): p.read_bytes() for p in files}

    def operation(self, commit: str | None) -> str:
        """Return the operation that made a commit."""
        return next(o.ops[0] for o in self.vault.log(None) if o.commit == commit)

    # --- what must hold -------------------------------------------------------------------------

    def found(self) -> dict[str, Record]:
        """Return every memory file, read by our own eyes."""
        memories = self.path.glob("agents/ada/memories/*/*/*.md")
        paths = [str(p.relative_to(self.path)) for p in memories]
        return {p: reader.record(p, files.content((self.path / p).read_bytes())) for p in paths}

    @invariant()
    def every_acknowledged_memory_is_in_exactly_one_file(self) -> None:
        """See that it has its text, and that no text is there twice."""
        found = self.found().values()
        texts = {r.id: r.body.partition("\n")[0] for r in found}
        assert len(texts) == len(set(texts.values())) == len(found)
        assert {k: texts.get(k) for k in self.remembered} == self.remembered

    @invariant()
    def every_byte_of_a_person_stands(self) -> None:
        """See their files as they left them, their lines of MEMORY.md in their order."""
        assert {p: (self.path / p).read_bytes() for p in self.people} == self.people
        lines = (self.path / "MEMORY.md").read_text().splitlines()
        assert [x for x in lines if x in self.lines] == self.lines[::-1]
        assert not list(self.path.glob("inbox/conflict-*"))

    @invariant()
    def the_card_says_what_was_said_last(self) -> None:
        """See each fact in the file."""
        assert not self.card or self.card.items() <= self.vault.cards.get(CARD).items()

    @invariant()
    def nothing_of_ours_says_what_was_forgotten(self) -> None:
        """Look into every file of the vault but those that a person has a hand in."""
        for path in self.path.rglob("*.md"):
            name = str(path.relative_to(self.path))
            if not name.startswith(".vaultmem") and name not in self.people:
                said = _WORD.findall(path.read_text(errors="replace"))
                assert self.forgotten.isdisjoint(said), name

    def teardown(self) -> None:
        """See index, history and journal agree with the files at the end of the day."""
        try:
            self.the_index_equals_a_fresh_one()
            self.the_history_is_whole()
            self.fsck_finds_nothing_but_what_a_person_did()
        finally:
            self.vault.close()
            shutil.rmtree(self.path.parent)

    def the_index_equals_a_fresh_one(self) -> None:
        """Compare the shadow that was kept up to date with one cast anew."""
        self.vault.store.sync()
        with self.fresh() as fresh:
            fresh.sync()
            assert by_path(self.vault.store.index) == by_path(fresh)

    def fsck_finds_nothing_but_what_a_person_did(self) -> None:
        """Let the program look for itself; what a person made stale is told again when asked."""
        ours = [p for p in self.problems() if not (self.edited and p.code in STALE)]
        assert ours == []
        self.vault.tick()
        assert self.problems() == []

    def problems(self) -> list[Problem]:
        """Return what is wrong with files that no person has a hand in."""
        found = self.vault.fsck(accept_missing=True).problems
        return [p for p in found if p.path not in self.people]

    @contextlib.contextmanager
    def fresh(self) -> Iterator[Index]:
        """Build an index from nothing."""
        root = self.vault.store.root
        index = Index(
            self.path.parent / "fresh.sqlite3",
            Source.of(root),
            self.vault.store.texts.record,
        )
        yield index
        index.close()

    def the_history_is_whole(self) -> None:
        """See all of ours committed, nothing half done left, and git without complaint."""
        writer = self.vault.store.writer
        self.vault.store.sync()
        writer.commit_pending()
        writer.sweep(quiet=0)
        assert journal.names(writer.root) == []
        assert list(files.leftovers(writer.root)) == []
        subprocess.run(["git", "reset", "-q"], cwd=self.path, check=True)
        writer.commit_edits(quiet=0)
        assert writer.repository is not None
        assert writer.repository.fsck() is None
        dirty = {d.path for d in writer.repository.unstaged()}
        assert dirty == set()


def _word(text: str) -> str:
    """Return the one word of a text that no other has."""
    found = _WORD.search(text)
    assert found
    return found[0]


def _patch(key: str, value: str) -> Patch:
    """Return what a person says of the one card there is."""
    return Patch(
        fields={key: value}, person="Tea", relationship="friend", backstory="Said at noon.",
        source="user",
    )  # fmt: skip


def by_path(index: Index) -> dict[str, Record]:
    """Return what an index knows."""
    return {r.path: r for r in index.records()}


def _arm(owner: object, name: str, nth: int) -> None:
    real: Callable[..., object] = getattr(owner, name)
    uses = [0]

    def fatal(*args: object, **kwargs: object) -> object:
        uses[0] += 1
        if uses[0] == nth:
            os._exit(9)
        return real(*args, **kwargs)

    setattr(owner, name, fatal)


# `--hypothesis-profile thorough` makes more and longer days.
Day.TestCase.settings = settings(max_examples=settings().max_examples // 10)
TestDay = pytest.mark.timeout(6 * settings().max_examples)(Day.TestCase)
