"""A living process looks at what moved alone, and knows no less than after looking at it all."""

from __future__ import annotations

import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tests.storage.test_index import Points, state
from tests.work import at_most, folders_opened
from vaultmem.storage.files import Stamp
from vaultmem.storage.index import Index
from vaultmem.storage.index.catalog import Sync
from vaultmem.storage.index.diff import Known, Move, moves

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
        self.server = Points(vault)
        self.other = self.server.opened(self.server.index.path)
        self.count = 0
        for path in PATHS:
            self.write(path)
        self.rest()

    def teardown(self) -> None:
        """Throw the folder away."""
        self.other.close()
        self.server.close()
        self.folder.cleanup()

    def _at(self, path: str) -> Path:
        return self.server.path / path

    def write(self, path: str) -> None:
        """Save a file as vim does, another text each time."""
        self.count += 1
        new = self.server.put(str(Path(path).with_name(".new")), f"text {self.count}\n")
        new.replace(self._at(path))

    @rule(path=paths)
    def save(self, path: str) -> None:
        """Make or replace a file."""
        self.write(path)

    @rule(path=paths)
    def save_by_our_door(self, path: str) -> None:
        """Make or replace a file, and say so."""
        self.write(path)
        self.server.index.absorb([path])

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
        for top, inner, names in os.walk(self.server.path):
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
        self.server.index.accept_missing()

    @rule()
    def look(self) -> None:
        """Look where something moved, and compare with a look at everything."""
        with tempfile.TemporaryDirectory() as elsewhere:
            copy = self.server.opened(Path(elsewhere, "catalog.sqlite3"))
            self.server.index.db.backup(copy.db)
            copy.db.execute("DELETE FROM folders")
            copy.sync()
            self.server.index.fresh(math.inf)
            assert told(self.server.index) == told(copy)
            copy.close()

    @rule(look=st.sampled_from((Index.sync_names, Index.sync_notes)))
    def begin_a_process(self, look: Callable[[Index], Sync]) -> None:
        """Look, as a process that has seen nothing, at what moved since anybody looked."""
        with tempfile.TemporaryDirectory() as elsewhere:
            copy = self.server.opened(Path(elsewhere, "catalog.sqlite3"))
            self.server.index.db.backup(copy.db)
            copy.db.execute("DELETE FROM folders")
            copy.sync()
            begun = self.server.opened(self.server.index.path)
            look(begun)
            known, truth = ((state(it), it.vanished(), it.generation()) for it in (begun, copy))
            assert known == truth
            begun.close()
            copy.close()


TestMoving = Moving.TestCase
TestMoving.settings = settings(
    max_examples=settings().max_examples // 2, stateful_step_count=25, deadline=None
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Points]:
    """Open a folder of two folders, all at rest and known."""
    made = Points(tmp_path)
    for number in range(60):
        made.put(f"many/{number}.md", f"number {number}\n")
    made.put("few/tea.md", "oolong\n")
    made.calm()
    made.index.sync()
    made.scans = 0
    yield made
    made.close()


def test_what_did_not_move_is_not_looked_at(server: Points) -> None:
    """A text that was changed in place, which no folder tells, stays as it was known."""
    server.put("many/0.md", "changed in place\n")
    server.put("few/cup.md", "blue\n")
    server.index.fresh(math.inf)
    known = server.bodies()
    assert (known["few/cup.md"], known["many/0.md"]) == ("blue\n", "number 0\n")
    assert server.scans == 0


def test_looking_at_a_part_does_not_put_off_the_look_at_everything(server: Points) -> None:
    """It is due since the last look at everything."""
    begun = server.index._scanned
    server.put("few/cup.md", "blue\n")
    server.index.fresh(math.inf)
    assert server.index._scanned == begun


def test_folders_that_change_places_are_told_apart(server: Points) -> None:
    """Their times go with them and may be the same."""
    (server.path / "many").rename(server.path / ".aside")
    (server.path / "few").rename(server.path / "many")
    (server.path / ".aside").rename(server.path / "few")
    server.index.fresh(math.inf)
    assert server.bodies()["many/tea.md"] == "oolong\n"
    assert server.bodies()["few/7.md"] == "number 7\n"


def test_a_folder_that_goes_with_a_crowd_waits_for_a_person(server: Points) -> None:
    """What else moves meanwhile does not make it forgotten; it may come back."""
    (server.path / "many").rename(server.path / ".aside")
    server.index.fresh(math.inf)
    assert len(server.index.vanished()) == 60
    server.put("few/cup.md", "blue\n")
    server.index.fresh(math.inf)
    assert len(server.index.vanished()) == 60
    (server.path / ".aside").rename(server.path / "many")
    server.index.fresh(math.inf)
    assert server.index.vanished() == ()
    assert len(server.bodies()) == 62


def test_a_folder_that_only_another_process_knew_is_not_remembered(server: Points) -> None:
    """It noted what lay there, and was gone before the folder was."""
    other = server.opened(server.index.path)
    target = server.put("new/folder/tea.md", "sencha\n")
    other.sync()
    other.close()
    shutil.rmtree(target.parents[1])
    server.index.fresh(math.inf)
    assert "new/folder/tea.md" not in server.bodies()


def test_a_link_that_another_process_noted_is_told_here_and_so_that_it_went(
    server: Points, tmp_path: Path
) -> None:
    """Who looks where something moved sees nothing there: the other has noted the folder."""
    other = server.opened(server.index.path)
    (tmp_path / "link").symlink_to(tmp_path / "few")
    server.calm()
    other.sync()
    server.index.fresh(math.inf)
    assert server.index.odd == ("link",)
    (tmp_path / "link").unlink()
    server.calm()
    other.sync()
    other.close()
    server.index.fresh(math.inf)
    assert not server.index.odd


def test_a_folder_that_was_away_while_another_process_looked_is_read_again(server: Points) -> None:
    """It is as it was, but the index that both share is not."""
    other = server.opened(server.index.path)
    (server.path / "few").rename(server.path / ".few")
    other.sync()
    other.close()
    (server.path / ".few").rename(server.path / "few")
    server.index.fresh(math.inf)
    assert server.bodies()["few/tea.md"] == "oolong\n"


def test_a_folder_that_became_a_link_to_itself_is_gone(server: Points, tmp_path: Path) -> None:
    """What lies deeper has the same time and inode, but not in the vault."""
    server.put("few/deep/er/cup.md", "blue\n")
    server.calm()
    server.index.sync()
    (tmp_path / "few").rename(tmp_path / ".few")
    (tmp_path / "few").symlink_to(tmp_path / ".few")
    server.index.fresh(math.inf)
    assert [path for path in server.bodies() if path.startswith("few")] == []
    assert server.index.odd == ("few",)


def test_an_odd_file_is_told_of_though_another_folder_moved(server: Points) -> None:
    """And no longer once it is gone."""
    link = server.path / "many/link.md"
    link.symlink_to("0.md")
    server.index.fresh(math.inf)
    os.utime(server.path / "many", (DAY, DAY))
    server.index.fresh(math.inf)
    server.put("few/cup.md", "blue\n")
    server.index.fresh(math.inf)
    assert list(server.index.odd) == ["many/link.md"]
    link.unlink()
    server.index.fresh(math.inf)
    assert list(server.index.odd) == []


def test_whether_a_crowd_is_gone_is_asked_anew_once_we_write_there(tmp_path: Path) -> None:
    """Six of eleven are one, and without the one that we took away five of ten are none."""
    server = Points(tmp_path)
    for number in range(6):
        server.put(f"many/{number}.md", f"number {number}\n")
    for number in range(5):
        server.put(f"few/{number}.md", f"a few: {number}\n")
    server.calm()
    server.index.sync()
    (tmp_path / "many").rename(tmp_path / ".aside")
    server.calm()
    server.index.fresh(math.inf)
    assert len(server.index.vanished()) == 6
    server.index.absorb(["many/0.md"])
    server.index.fresh(math.inf)
    assert server.index.vanished() == ()
    server.close()


# --- what it costs ----------------------------------------------------------------------------


class Compared(list[int]):
    """How many rows of files each look compared."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Count from now on."""
        super().__init__()

        def counting(known: Mapping[str, Known], found: Mapping[str, Stamp]) -> Iterator[Move]:
            self.append(len(known))
            return moves(known, found)

        monkeypatch.setattr("vaultmem.storage.index.catalog.moves", counting)


def test_a_look_at_files_that_rest_reads_no_row_of_them(
    server: Points, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does that of another process; after an edit in place those of its folder are read."""
    compared = Compared(monkeypatch)
    server.index.sync()
    other = server.opened(server.index.path)
    other.sync()
    assert sum(compared) == 0
    (server.path / "few/tea.md").write_text("sencha, and in place\n")
    other.sync()
    assert sum(compared) == 1
    assert server.bodies()["few/tea.md"] == "sencha, and in place\n"
    other.close()


@pytest.mark.long
def test_four_times_as_many_folders_take_no_more_memory_to_index(tmp_path: Path) -> None:
    """Neither where nothing is known of them, nor where all was replaced by copies of itself."""
    peaks = [*map(_indexed, (tmp_path / "warm", tmp_path / "few", tmp_path / "many"), (2, 5, 20))]
    _, few, many = peaks
    assert [b / a < 1.5 for a, b in zip(few, many, strict=True)] == [True, True], peaks


def _indexed(path: Path, folders: int) -> list[int]:
    """Return the bytes held at once to index so many folders, first, and when all is in doubt."""
    path.mkdir()
    server = Points(path)
    for n in range(folders * 200):
        server.put(f"a-folder-with-a-name/{n % folders}/a-note-of-its-own-{n}.md", "sencha\n")
    server.calm()
    first = at_most(server.index.sync)
    server.index.db.execute("UPDATE seen SET inode = 0")
    again = at_most(server.index.sync)
    assert server.index.db.execute("SELECT count(*) FROM seen").fetchone() == (folders * 200,)
    server.close()
    return [first, again]


def test_a_write_looks_into_no_folder_that_rests(
    server: Points, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that begins knows from others which do; what came to one is seen."""
    opened = folders_opened(monkeypatch)
    begun = server.opened(server.index.path)
    begun.sync_names()
    assert opened == []
    server.put("few/cup.md", "of porcelain\n")
    (server.path / "few/tea.md").unlink()
    begun.sync_names()
    assert opened == ["few/"]
    assert [path for path in server.bodies() if path.startswith("few/")] == ["few/cup.md"]
    begun.close()


def test_who_asks_of_cards_looks_into_no_folder_of_memories_that_rests(
    server: Points, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of memories names alone count; what was edited in place elsewhere is seen."""
    server.put("agents/ada/memories/2026/11/cup.md", "of porcelain\n")
    server.put("agents/ada/working.md", "at rest\n")
    server.calm()
    server.index.sync()
    opened = folders_opened(monkeypatch)
    (server.path / "few/tea.md").write_text("sencha, and in place\n")
    (server.path / "agents/ada/working.md").write_text("at work\n")
    begun = server.opened(server.index.path)
    begun.sync_notes()
    assert sorted(opened) == ["", "agents/", "agents/ada/", "few/", "many/"]
    server.put("agents/ada/memories/2026/12/pot.md", "of iron\n")
    begun.sync_notes()
    bodies = server.bodies()
    assert bodies["few/tea.md"] == "sencha, and in place\n"
    assert bodies["agents/ada/working.md"] == "at work\n"
    assert bodies["agents/ada/memories/2026/12/pot.md"] == "of iron\n"
    begun.close()
