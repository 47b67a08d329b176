"""A living process looks at what moved alone, and knows no less than after looking at it all."""

from __future__ import annotations

import math
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tests.storage.test_index import Desk, state
from vaultmem.storage.index import Index

DAY = 1_760_000_000
FOLDERS = ("a", "a/b", "a/b/c", "d", "d/e")
PATHS = ("top.md", *(f"{folder}/{name}.md" for folder in FOLDERS for name in ("tea", "cup")))
folders, paths = st.sampled_from(FOLDERS), st.sampled_from(PATHS)


def told(index: Index) -> object:
    """Return all that an index knows and says of itself."""
    return state(index), index.vanished(), index.odd, index.generation()


class Moving(RuleBasedStateMachine):
    """People and programs move names about; nobody writes into a file that is there."""

    def __init__(self) -> None:
        """Begin with an index that has looked once, and with another process's."""
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        vault = Path(self.folder.name, "vault")
        vault.mkdir()
        self.desk = Desk(vault)
        self.other = self.desk.opened(self.desk.index.path)
        self.count = 0
        for path in PATHS:
            self.write(path)
        self.rest()

    def teardown(self) -> None:
        """Throw the folder away."""
        self.other.close()
        self.desk.close()
        self.folder.cleanup()

    def _at(self, path: str) -> Path:
        return self.desk.path / path

    def write(self, path: str) -> None:
        """Save a file as vim does, another text each time."""
        self.count += 1
        new = self.desk.put(str(Path(path).with_name(".new")), f"text {self.count}\n")
        new.replace(self._at(path))

    @rule(path=paths)
    def save(self, path: str) -> None:
        """Make or replace a file."""
        self.write(path)

    @rule(path=paths)
    def save_by_our_door(self, path: str) -> None:
        """Make or replace a file, and say so."""
        self.write(path)
        self.desk.index.absorb([path])

    @rule(path=paths)
    def delete(self, path: str) -> None:
        """Remove a file."""
        self._at(path).unlink(missing_ok=True)

    @rule(old=paths, new=paths)
    def rename(self, old: str, new: str) -> None:
        """Give a file another's name, in whatever folder."""
        if self._at(old).exists() and self._at(new).parent.is_dir():
            self._at(old).replace(self._at(new))

    @rule(one=folders, two=folders)
    def swap_folders(self, one: str, two: str) -> None:
        """Let two folders change places, or one take another's."""
        aside, here, there = self._at(".aside"), self._at(one), self._at(two)
        if not f"{one}/".startswith(f"{two}/") and not f"{two}/".startswith(f"{one}/"):
            for old, new in ((here, aside), (there, here), (aside, there)):
                if old.exists() and not new.exists():
                    new.parent.mkdir(parents=True, exist_ok=True)
                    old.rename(new)

    @rule(folder=folders)
    def delete_folder(self, folder: str) -> None:
        """Remove a folder with all that is in it."""
        if not self._at(folder).is_symlink():
            shutil.rmtree(self._at(folder), ignore_errors=True)

    @rule(folder=folders)
    def turn_into_a_link(self, folder: str) -> None:
        """Take a folder out of the vault and leave a link to it, or bring it back."""
        away, here = Path(self.folder.name, folder.replace("/", "-")), self._at(folder)
        if here.is_symlink() and here.readlink() == away and away.exists():
            here.unlink()
            away.rename(here)
        elif here.is_dir() and not here.is_symlink() and not away.exists():
            here.rename(away)
            here.symlink_to(away)

    @rule(folder=folders)
    def fill(self, folder: str) -> None:
        """Make so many files that they go in a crowd."""
        for number in range(7):
            self.write(f"{folder}/{number}.md")

    @rule()
    def rest(self) -> None:
        """Let all folders have one old time, and look at them."""
        self.count += 1
        for top, inner, names in os.walk(self.desk.path):
            inner[:] = [name for name in inner if name != ".vaultmem"]
            for name in (".", *names):
                os.utime(Path(top, name), (DAY + self.count,) * 2, follow_symlinks=False)
        self.look()

    @rule()
    def another_process_looks(self) -> None:
        """Let somebody else note what is there."""
        self.other.fresh(math.inf)

    @rule()
    def accept(self) -> None:
        """Say that a crowd was meant to go."""
        self.desk.index.accept_missing()

    @rule()
    def look(self) -> None:
        """Look where something moved, and compare with a look at everything."""
        with tempfile.TemporaryDirectory() as elsewhere:
            copy = self.desk.opened(Path(elsewhere, "catalog.sqlite3"))
            self.desk.index.db.backup(copy.db)
            copy.sync()
            self.desk.index.fresh(math.inf)
            assert told(self.desk.index) == told(copy)
            copy.close()


TestMoving = Moving.TestCase
TestMoving.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Open a folder of two folders, all at rest and known."""
    made = Desk(tmp_path)
    for number in range(60):
        made.put(f"many/{number}.md", f"number {number}\n")
    made.put("few/tea.md", "oolong\n")
    made.calm()
    made.index.sync()
    made.scans = 0
    yield made
    made.close()


def test_what_did_not_move_is_not_looked_at(desk: Desk) -> None:
    """A text that was changed in place, which no folder tells, stays as it was known."""
    desk.put("many/0.md", "changed in place\n")
    desk.put("few/cup.md", "blue\n")
    desk.index.fresh()
    known = desk.bodies()
    assert (known["few/cup.md"], known["many/0.md"]) == ("blue\n", "number 0\n")
    assert desk.scans == 0


def test_looking_at_a_part_does_not_put_off_the_look_at_everything(desk: Desk) -> None:
    """It is due since the last look at everything."""
    begun = desk.index._scanned
    desk.put("few/cup.md", "blue\n")
    desk.index.fresh()
    assert desk.index._scanned == begun


def test_folders_that_change_places_are_told_apart(desk: Desk) -> None:
    """Their times go with them and may be the same."""
    (desk.path / "many").rename(desk.path / ".aside")
    (desk.path / "few").rename(desk.path / "many")
    (desk.path / ".aside").rename(desk.path / "few")
    desk.index.fresh()
    assert desk.bodies()["many/tea.md"] == "oolong\n"
    assert desk.bodies()["few/7.md"] == "number 7\n"


def test_a_folder_that_goes_with_a_crowd_waits_for_a_person(desk: Desk) -> None:
    """What else moves meanwhile does not make it forgotten; it may come back."""
    (desk.path / "many").rename(desk.path / ".aside")
    desk.index.fresh()
    assert len(desk.index.vanished()) == 60
    desk.put("few/cup.md", "blue\n")
    desk.index.fresh()
    assert len(desk.index.vanished()) == 60
    (desk.path / ".aside").rename(desk.path / "many")
    desk.index.fresh()
    assert desk.index.vanished() == ()
    assert len(desk.bodies()) == 62


def test_a_folder_that_only_another_process_knew_is_not_remembered(desk: Desk) -> None:
    """It noted what lay there, and was gone before the folder was."""
    other = desk.opened(desk.index.path)
    target = desk.put("new/folder/tea.md", "sencha\n")
    other.sync()
    other.close()
    shutil.rmtree(target.parents[1])
    desk.index.fresh()
    assert "new/folder/tea.md" not in desk.bodies()


def test_a_folder_that_was_away_while_another_process_looked_is_read_again(desk: Desk) -> None:
    """It is as it was, but the index that both share is not."""
    other = desk.opened(desk.index.path)
    (desk.path / "few").rename(desk.path / ".few")
    other.sync()
    other.close()
    (desk.path / ".few").rename(desk.path / "few")
    desk.index.fresh()
    assert desk.bodies()["few/tea.md"] == "oolong\n"


def test_a_folder_that_became_a_link_to_itself_is_gone(desk: Desk, tmp_path: Path) -> None:
    """What lies deeper has the same time and inode, but not in the vault."""
    desk.put("few/deep/er/cup.md", "blue\n")
    desk.calm()
    desk.index.sync()
    (tmp_path / "few").rename(tmp_path / ".few")
    (tmp_path / "few").symlink_to(tmp_path / ".few")
    desk.index.fresh()
    assert [path for path in desk.bodies() if path.startswith("few")] == []
    assert desk.index.odd == ("few",)


def test_an_odd_file_is_told_of_though_another_folder_moved(desk: Desk) -> None:
    """And no longer once it is gone."""
    link = desk.path / "many/link.md"
    link.symlink_to("0.md")
    desk.index.fresh()
    os.utime(desk.path / "many", (DAY, DAY))
    desk.index.fresh()
    desk.put("few/cup.md", "blue\n")
    desk.index.fresh()
    assert list(desk.index.odd) == ["many/link.md"]
    link.unlink()
    desk.index.fresh()
    assert list(desk.index.odd) == []
