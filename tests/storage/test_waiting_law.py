"""What was acknowledged, beside a person's git in any order: on disk, in the history, or named.

Every write brings a word that nothing else has. Whatever git, an editor or a cleaning does before
its commit, the word is in its file, or in the history, or its file is named; and after two rounds
it is in the history, and in its file unless a person put a version of theirs there.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.api.types import TopicPatch
from vaultmem.errors import VaultError
from vaultmem.knowledge.cards.types import Patch

TALK = "agents/ada/sessions/talk.jsonl"
CARD, TASK, TOPIC = "cards/people/sarah.md", "tasks/task-0001.md", "topics/garden.md"
PATHS = st.sampled_from((TALK, CARD, TASK, TOPIC))
AWAY = st.sampled_from(
    (
        ("stash", "-q"),
        ("stash", "-qu"),
        ("stash", "pop", "-q"),
        ("reset", "-q", "--hard"),
        ("clean", "-fdq"),
        ("checkout", "-q", "--", "."),
        ("-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "-q", "-i", "HEAD~1"),
        ("rebase", "--abort"),
        ("commit", "-qam", "mine"),
    )
)


class Beside(RuleBasedStateMachine):
    """A vault, somebody who writes to it, and a person who uses git and an editor."""

    def __init__(self, *, is_first: bool = False) -> None:
        """Begin with a card, a task and a topic in the history, and a talk of two turns."""
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="vaultmem-beside-")
        self.path = Path(self.folder.name) / "vault"
        self.now = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
        self.words: dict[str, str] = {}
        self.said = 0
        self.theirs: set[str] = set()
        self.old: dict[str, bytes] = {}
        if is_first:
            create.create(self.path, self.clock)
        else:
            first = first_day()
            self.words, self.said, self.now = dict(first.words), first.said, first.now
            shutil.copytree(first.path, self.path, symlinks=True)
        self.vault = Vault.open(self.path, clock=self.clock)
        if is_first:
            for write in (self.set_card, self.set_topic, self.say, self.say, self.remember):
                write(busy=False)
            self.vault.tasks.create("Paint the shed")
            self.vault.tick()
            self.vault.close()

    def clock(self) -> datetime:
        """Return the time of the scene."""
        return self.now

    def word(self, path: str = "") -> str:
        """Return a word that is nowhere, and will be at *path*."""
        self.now += timedelta(seconds=1)
        self.said += 1
        made = f"plum{self.said:04}"
        self.words[made] = path
        return made

    def written(self, write: Callable[[], object], *, busy: bool) -> None:
        """Write, and keep git busy meanwhile if asked; what is refused is not acknowledged."""
        lock = self.path / ".git/index.lock"
        self.vault.store.writer.commits._git_was_busy = busy  # it waited already, in vain
        if busy:
            lock.touch()
        try:
            write()
        except VaultError:
            self.words.popitem()
        if busy:
            lock.unlink()

    def git(self, *args: str) -> str:
        """Run git as a person would, whether or not it does that."""
        done = subprocess.run(
            ["git", *args], cwd=self.path, check=False, capture_output=True, text=True
        )
        return done.stdout

    # --- the program ----------------------------------------------------------------------------

    @rule(busy=st.booleans())
    def say(self, *, busy: bool) -> None:
        """Say something, whose commit waits for the next round."""
        text = f"It hides {self.word(TALK)}."
        self.written(lambda: self.vault.say("talk", text, agent="ada"), busy=busy)

    @rule(busy=st.booleans())
    def set_card(self, *, busy: bool) -> None:
        """Learn something of somebody."""
        word = self.word(CARD)
        patch = Patch(fields={word: word}, backstory="told", person="Sarah", relationship="kin")
        self.written(lambda: self.vault.cards.set("people/sarah", patch), busy=busy)

    @rule(busy=st.booleans())
    def describe_task(self, *, busy: bool) -> None:
        """Say anew what a task is."""
        before = [word for word, path in self.words.items() if path == TASK]
        word = self.word(TASK)
        said = f"Buy {word}."
        self.written(lambda: self.vault.tasks.update(1, description=said), busy=busy)
        for replaced in before if word in self.words else ():
            del self.words[replaced]

    @rule(busy=st.booleans())
    def set_topic(self, *, busy: bool) -> None:
        """Learn a fact."""
        patch = TopicPatch((f"The {self.word(TOPIC)} blooms.",))
        self.written(lambda: self.vault.topics.set("Garden", patch), busy=busy)

    @rule(busy=st.booleans())
    def remember(self, *, busy: bool) -> None:
        """Remember something."""
        word = self.word()
        text = f"The {word} was served at four."

        def remembered() -> None:
            self.words[word] = self.vault.remember(text, agent="ada").path

        self.written(remembered, busy=busy)

    @rule()
    def round(self) -> None:
        """Commit what waits, and what people changed."""
        self.now += timedelta(minutes=1)
        self.vault.tick()

    # --- the person -----------------------------------------------------------------------------

    @rule(command=AWAY)
    def use_git(self, command: tuple[str, ...]) -> None:
        """Do something with git, which may refuse it."""
        self.git(*command)

    @rule()
    def drop_a_stash(self) -> None:
        """Throw away what was put aside, with the files that git did not have."""
        aside = self.git("ls-tree", "-r", "--name-only", "stash@{0}^3").splitlines()
        self.theirs |= {path for path in aside if not (self.path / path).exists()}
        self.git("stash", "drop", "-q")

    @rule(path=PATHS)
    def check_out_an_earlier_version(self, path: str) -> None:
        """Get back what a file was one commit ago."""
        self.git("checkout", "-q", "HEAD~1", "--", path)
        self.theirs.add(path)

    @rule(path=PATHS)
    def open_in_an_editor(self, path: str) -> None:
        """Read a file, to save it later."""
        if (self.path / path).exists():
            self.old[path] = (self.path / path).read_bytes()

    @precondition(lambda self: self.old)
    @rule(data=st.data(), mend=st.sampled_from((b"", b"\n", b"\xef\xbb\xbf", b"Ada: ")))
    def save_what_was_opened(self, data: st.DataObject, mend: bytes) -> None:
        """Save it, over whatever was written since."""
        path = data.draw(st.sampled_from(sorted(self.old)))
        (self.path / path).parent.mkdir(parents=True, exist_ok=True)
        (self.path / path).write_bytes(mend + self.old.pop(path))
        self.theirs.add(path)

    # --- the law --------------------------------------------------------------------------------

    @invariant()
    def what_was_acknowledged_is_there_or_named(self) -> None:
        """Look at the files; ask git and `status` for what is in none."""
        gone = {word: path for word, path in self.words.items() if not self.is_on_disk(word)}
        if gone:
            kept = self.history()
            lost = {word: path for word, path in gone.items() if word not in kept}
            named = {it.path for it in self.vault.status().problems} if lost else set()
            assert {*lost.values()} <= named, self.vault.status().problems

    def is_on_disk(self, word: str) -> bool:
        """Tell whether the file of *word* has it."""
        file = self.path / self.words[word]
        return file.is_file() and word in file.read_text(errors="replace")

    def history(self) -> str:
        """Return all that the commits of the branch brought; a stash is none of them."""
        return self.git("log", "-p", "-m", "--format=%s", "main", "HEAD")

    def teardown(self) -> None:
        """Let git come to rest: then all is in the history."""
        try:
            self.git("rebase", "--abort")
            while self.git("stash", "list"):
                self.drop_a_stash()
            self.git("reset", "-q")
            for _ in range(2):
                self.round()
            kept = self.history()
            assert [word for word in self.words if word not in kept] == []
            ours = {word: path for word, path in self.words.items() if path not in self.theirs}
            assert {w: p for w, p in ours.items() if not self.is_on_disk(w)} == {}
            assert self.vault.store.writer.waiting() == 0
        finally:
            self.vault.close()
            self.folder.cleanup()


@cache
def first_day() -> Beside:
    """Return the day whose vault, at rest, all others begin with a copy of."""
    return Beside(is_first=True)


# `--hypothesis-profile thorough` makes more and longer days.
Beside.TestCase.settings = settings(max_examples=settings().max_examples // 10)
TestBeside = pytest.mark.timeout(10 * settings().max_examples)(Beside.TestCase)
