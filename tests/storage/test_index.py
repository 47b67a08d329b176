"""The index equals the files, whatever was done to them, to it, and by however many at once."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.at_rest import edit_unseen, let_rest
from tests.conftest import Clock
from tests.forked import at_once
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import DiskRefused, IndexFailed
from vaultmem.memory import remember
from vaultmem.memory.remember import MemoryInput
from vaultmem.storage import files, reader
from vaultmem.storage.files import Content, Folder, Root, Stamp, folder_scan
from vaultmem.storage.index import Index, Source, Sync, coverage, passages
from vaultmem.storage.index.cache_database import Connection, long_meta, set_meta
from vaultmem.storage.index.schema import CATALOG
from vaultmem.storage.store import Store

WHERE = "agents/ada/memories/2026/11"
TEA = f"{WHERE}/tea.md"


def memory(body: str, *, letter: str = "A", extra: str = "") -> str:
    """Return the file of a memory, its id ending in *letter*."""
    return (
        f"---\nid: 01KAFXF{letter * 19}\ntype: memory\ncreated: 2026-11-20T10:15:00Z\n"
        f"trust: user\n{extra}---\n{body}\n"
    )


OOLONG = memory("Ada drinks oolong in the afternoon, never coffee.")


class Points:
    """A folder and its index, with counters at the index's eyes."""

    def __init__(self, path: Path) -> None:
        """Open the folder *path*, and an index that counts its scans."""
        self.path = path
        self.root = Root(path)
        self.scans = 0
        self.held: list[int] = []
        self.unreadable: set[str] = set()
        self.on_look: Callable[[], object] = lambda: None
        self.index = self.opened(path / ".vaultmem/index/catalog.sqlite3")

    def opened(self, where: Path) -> Index:
        """Return an index of this folder, kept at *where*."""
        source = Source(self._found, self._notes, lambda: nullcontext(self._read))
        return Index(where, source, reader.record)

    def _found(self, known: Mapping[str, Stamp], *more: Any) -> Iterator[Folder]:  # noqa: ANN401
        self.scans += not known
        self.on_look()
        return files.folders(self.root, known, *more)

    def _notes(self, folder: str) -> Mapping[str, Stamp]:
        found = files.notes(self.root, folder)
        self.held.append(len(found))
        return found

    def _read(self, path: str) -> Content | None:
        if path in self.unreadable:
            raise DiskRefused(path, "Permission denied")
        return files.read(self.root, path)

    def put(self, path: str, text: str | bytes) -> Path:
        """Write a file in place, as an editor may."""
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        return target

    def calm(self) -> None:
        """Let a minute pass since anything was touched."""
        let_rest([self.path, *(p for p in self.path.rglob("*") if ".vaultmem" not in p.parts)])

    def bodies(self) -> dict[str, str]:
        """Return what the index says stands in each file."""
        return {r.path: r.body for r in self.index.records()}

    def close(self) -> None:
        """Give everything back."""
        self.index.close()
        self.root.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Points]:
    """Open an empty folder and its index."""
    folder = tmp_path / "desk"
    folder.mkdir()
    made = Points(folder)
    yield made
    made.close()


def state(index: Index) -> object:
    """Return all that an index knows, without its row numbers."""
    ask = index.db.execute
    return {
        "seen": {path: known[:2] for path, known in index.seen().items()},
        "records": index.records(),
        "stems": ask("SELECT path, stem, recallable FROM docs ORDER BY path").fetchall(),
        "links": ask(
            "SELECT path, target FROM links JOIN docs USING(doc) ORDER BY path, target"
        ).fetchall(),
        "problems": index.problems(),
        "remembered": ask("SELECT * FROM remembered WHERE memories > 0").fetchall(),
        "uncovered": ask(
            "SELECT path FROM uncovered JOIN docs USING(doc) ORDER BY path"
        ).fetchall(),
        "stale": ask(
            "SELECT path, stale FROM unproved LEFT JOIN docs USING(doc) ORDER BY path"
        ).fetchall(),
        "words": ask(
            "SELECT path, words.title, words.body FROM words"  # noqa: S608  # our own constant
            f" JOIN docs ON docs.doc = {passages.OWNER} ORDER BY path, words.rowid DESC"
        ).fetchall(),
        "passages": ask(
            "SELECT path, number, first, last, line_first, line_last, heading, passages.sha"
            " FROM passages JOIN docs USING(doc) ORDER BY path, number"
        ).fetchall(),
        "orphans": index.value(
            "SELECT (SELECT count(*) FROM passages WHERE doc NOT IN (SELECT doc FROM docs)) +"  # noqa: S608
            f" (SELECT count(*) FROM words WHERE {passages.OWNER} NOT IN (SELECT doc FROM docs))"
        ),
    }


def rebuilt(server: Points) -> object:
    """Return what an index knows that never saw anything but the files as they are."""
    with tempfile.TemporaryDirectory() as elsewhere:
        fresh = server.opened(Path(elsewhere) / "catalog.sqlite3")
        fresh.sync()
        known = state(fresh)
        fresh.close()
    return known


# --- equal to the files -----------------------------------------------------------------------

PATHS = (
    TEA,
    f"{WHERE}/tea-too.md",
    "topics/tea leaves, green.md",
    "agents/ada/summaries/recent-20261120-101500.md",
    "Über den Tee.md",
)
SUMMARY = """\
---
type: summary
tier: recent
agent: ada
id: 01KAFXFZZZZZZZZZZZZZZZZZZZ
sources:
  - "[[tea]]"
  - "[[tea-too|Tea]]"
---
Ada drinks tea all day, 烏龍茶 too.
"""
TORN = "---\ntype: topic\ntorn: yes, this one never ends, and that is a problem\n"
LONG = "# Tea\n" + "Oolong is half oxidised. " * 60 + "\n## Coffee\n" + "Never had it. " * 90
# The others are no tenth of it, or they would pass for what is left of it.
TWO = "# Tea\n" + "Oolong is half oxidised. " * 30 + "\n## Coffee\n" + "Never had it. " * 38
TEXTS = (
    memory("Ada drinks oolong in the afternoon, and never coffee. " * 3),
    TWO,
    memory(TWO, extra="speaker: Ada\n"),
    memory("Ada drinks sencha in the morning, and never coffee. " * 3),
    memory("She moved to Lisbon in 2024 and has a cat, Miso. " * 3, extra="tags:\n  - home\n"),
    SUMMARY,
    "# Tea\n\n" + "No frontmatter at all, only a heading and a line of text. " * 3,
    TORN,
)


OLD = 1_760_000_000
"""Since then files are young."""


class Editing(RuleBasedStateMachine):
    """People, editors and programs change files in any order, and now and then we look."""

    def __init__(self) -> None:
        """Begin with an empty folder."""
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.server = Points(Path(self.folder.name))
        self.synced = True
        self.age = 0

    def teardown(self) -> None:
        """Throw the folder away."""
        self.server.close()
        self.folder.cleanup()

    def _path(self, path: str) -> Path:
        self.synced = False
        target = self.server.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    # A file that cannot be trusted keeps what it said before: nothing that a rebuild could know.
    def _clear(self, path: str, text: str) -> Path:
        target = self._path(path)
        if text == TORN:
            target.unlink(missing_ok=True)
            self.sync()
            self.synced = False
        return target

    @rule(path=st.sampled_from(PATHS), text=st.sampled_from(TEXTS))
    def write_in_place(self, path: str, text: str) -> None:
        """Save a file as `>` does."""
        self._clear(path, text).write_text(text)

    @rule(path=st.sampled_from(PATHS), text=st.sampled_from(TEXTS))
    def replace_by_rename(self, path: str, text: str) -> None:
        """Save a file as vim does."""
        target = self._clear(path, text)
        new = target.with_name(".new")
        new.write_text(text)
        new.replace(target)

    @rule(path=st.sampled_from(PATHS))
    def change_unseen(self, path: str) -> None:
        """Change a letter and put the time back."""
        target = self._path(path)
        if target.exists() and target.read_text() != TORN:
            before = target.stat()
            target.write_text(target.read_text().replace("t", "d").replace("dype", "type"))
            os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(path=st.sampled_from(PATHS))
    def delete(self, path: str) -> None:
        """Remove a file."""
        self._path(path).unlink(missing_ok=True)

    @rule(old=st.sampled_from(PATHS), new=st.sampled_from(PATHS))
    def rename(self, old: str, new: str) -> None:
        """Give a file another's name, whose own is overwritten."""
        source, target = self._path(old), self._path(new)
        if source.exists() and old != new and source.read_text() != TORN:
            source.replace(target)

    @rule()
    def grow_old(self) -> None:
        """Let all files have been written long ago, each look at another time."""
        self.age += 1
        for path in PATHS:
            if (target := self.server.path / path).exists():
                os.utime(target, (OLD - 10_000 + self.age,) * 2)
        self.server.index.sync()
        self.synced = True

    @rule()
    def absorb(self) -> None:
        """Tell the index of every path, as the door does with those it wrote."""
        self.server.index.absorb(PATHS)

    @rule()
    def sync(self) -> None:
        """Look at everything."""
        self.server.index.sync()
        self.synced = True

    @invariant()
    def a_synced_index_is_a_rebuilt_one(self) -> None:
        """Nothing of the past is left in it."""
        if self.synced:
            assert state(self.server.index) == rebuilt(self.server)


Editing.TestCase.settings = settings(
    max_examples=settings().max_examples // 2, stateful_step_count=16, deadline=None
)
TestEditing = Editing.TestCase


def test_the_words_of_many_files_are_written_at_once(server: Points) -> None:
    """FTS5 writes out what it holds before any statement that may be taken back by itself."""
    for letter in "BCDEFGHJKMNPQRSTVWXYZ":
        server.put(f"{WHERE}/{letter}.md", memory(f"A cup of oolong, {letter}.", letter=letter))
    server.put("agents/ada/summaries/recent-20261120-101500.md", SUMMARY)
    server.index.sync()
    assert server.index.value("SELECT count(DISTINCT segid) FROM words_idx") == 1


def test_a_sync_counts_what_it_did(server: Points) -> None:
    """Added, modified, removed; a touched file with the same bytes is none of them."""
    server.put(TEA, OOLONG)
    server.put("topics/a.md", "one\n")
    assert server.index.sync() == Sync(added=2)
    server.put("topics/a.md", "two\n")
    (server.path / TEA).touch()
    assert server.index.sync() == Sync(modified=1)
    (server.path / "topics/a.md").unlink()
    assert server.index.sync() == Sync(removed=1)
    assert server.index.sync() == Sync()


def test_a_same_size_edit_within_the_racy_window_is_seen(server: Points) -> None:
    """Size, time and inode are those of before: only the bytes tell."""
    target = server.put("topics/a.md", "aaaa\n")
    server.index.sync()
    before = target.stat()
    target.write_text("bbbb\n")
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert server.index.sync() == Sync(modified=1)
    assert server.bodies() == {"topics/a.md": "bbbb\n"}


def test_a_file_at_rest_is_not_read_again(server: Points) -> None:
    """A stamp old enough is believed."""
    server.put("topics/a.md", "aaaa\n")
    server.calm()
    server.index.sync()
    server.unreadable.add("topics/a.md")
    assert server.index.sync() == Sync()
    assert server.index.problems() == []


def test_an_edit_that_keeps_size_and_time_of_a_file_at_rest_is_seen(server: Points) -> None:
    """Nobody can put back when the system noted a change."""
    target = server.put("topics/a.md", "aaaa\n")
    server.calm()
    server.index.sync()
    edit_unseen(target, "aaaa", "bbbb")
    assert server.index.sync() == Sync(modified=1)
    assert server.bodies() == {"topics/a.md": "bbbb\n"}


def test_a_file_of_which_only_the_mode_or_a_name_changed_is_read_once(server: Points) -> None:
    target = server.put("topics/a.md", "aaaa\n")
    server.calm()
    server.index.sync()
    target.chmod(0o640)
    (server.path / "topics/a.copy").hardlink_to(target)
    server.calm()
    before = server.index.generation()
    assert server.index.sync() == Sync()
    server.unreadable.add("topics/a.md")
    assert server.index.sync() == Sync()
    assert (server.index.problems(), server.index.generation()) == ([], before)


def test_a_file_replaced_by_rename_under_the_same_time_is_seen(server: Points) -> None:
    """Its inode tells."""
    target = server.put("topics/a.md", "aaaa\n")
    server.calm()
    server.index.sync()
    new = server.put("topics/.new", "bbbb\n")
    server.calm()
    new.replace(target)
    assert server.index.sync() == Sync(modified=1)
    assert server.bodies() == {"topics/a.md": "bbbb\n"}


# --- what cannot be trusted -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bytes_now", "code"),
    [
        (b"---\nid: 01KAFXFAAAAAAAAAAAAAAAAAAA\ntype: mem", "torn"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe", "encoding"),
        (b"---\nid: [\n---\nx\n", "yaml"),
        (b"<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "conflict"),
        (b"", "empty"),
        (OOLONG.partition("Ada")[0].encode(), "emptied"),
    ],
)
def test_a_broken_file_keeps_what_it_said_last_and_is_reported(
    server: Points, bytes_now: bytes, code: str
) -> None:
    """Whole again, it is believed again."""
    server.put(TEA, OOLONG)
    server.index.sync()
    known = server.index.records()
    server.put(TEA, bytes_now)
    server.index.sync()
    assert [(p.code, p.path) for p in server.index.problems()] == [(code, TEA)]
    assert server.index.records() == known
    server.put(TEA, OOLONG)
    server.index.sync()
    assert server.index.problems() == []
    assert state(server.index) == rebuilt(server)


def test_a_short_memory_that_becomes_empty_is_reported_and_kept(server: Points) -> None:
    """However little it said, it said something."""
    server.put(TEA, memory("Tea."))
    server.index.sync()
    server.put(TEA, memory(""))
    server.index.sync()
    assert [p.code for p in server.index.problems()] == ["emptied"]
    assert server.bodies() == {TEA: "Tea.\n"}


@pytest.mark.parametrize("path", ["topics/tea.md", "skills/tea/SKILL.md", "knowledge/x/tea.md"])
def test_a_note_of_which_nothing_is_left_is_reported_and_kept(server: Points, path: str) -> None:
    """One that has lost its last fact is not, nor one that a person has just begun."""
    server.put(path, "")
    server.index.sync()
    assert server.index.problems() == []
    for text, codes in (("---\nname: tea\n---\nTea.\n", []), (" \n", ["emptied"])):
        server.put(path, text)
        server.index.sync()
        assert [p.code for p in server.index.problems()] == codes
    assert server.bodies() == {path: "Tea.\n"}
    server.put(path, "---\nname: tea\n---\n")
    server.index.sync()
    assert server.index.problems() == []


def test_a_memory_may_be_cut_by_half(server: Points) -> None:
    """That is an edit."""
    server.put(TEA, OOLONG)
    server.index.sync()
    server.put(TEA, memory("Ada drinks oolong."))
    assert server.index.sync() == Sync(modified=1)
    assert server.bodies() == {TEA: "Ada drinks oolong.\n"}
    assert server.index.problems() == []


def test_a_file_we_may_not_read_keeps_what_it_said_and_is_looked_at_again(server: Points) -> None:
    """Unreadable is not deleted, and stops no other file."""
    server.put(TEA, OOLONG)
    server.put("topics/a.md", "one\n")
    server.index.sync()
    known = server.bodies()
    server.unreadable.update({TEA, "topics/b.md"})
    server.put("topics/b.md", "two\n")
    server.index.sync()
    assert [(p.code, p.path) for p in server.index.problems()] == [
        ("unreadable", TEA),
        ("unreadable", "topics/b.md"),
    ]
    assert {p.message for p in server.index.problems()} == {"Permission denied"}
    assert server.bodies() == known
    assert server.index.sync() == Sync()
    server.unreadable.clear()
    server.index.sync()
    assert state(server.index) == rebuilt(server)


def test_a_link_is_reported_and_not_followed(server: Points) -> None:
    """It could lead anywhere."""
    (server.path / "elsewhere.md").symlink_to("/etc/hostname")
    server.index.sync()
    assert server.index.odd == ("elsewhere.md",)
    assert server.bodies() == {}


# --- a crowd that vanishes --------------------------------------------------------------------


def crowd(server: Points, count: int, stay: int) -> list[str]:
    """Write *count* notes of a shared folder and *stay* others, and sync."""
    gone = [f"gone/note no {n:03}.md" for n in range(count)]
    for path in [*gone, *(f"stay/{n:03}.md" for n in range(stay))]:
        server.put(path, f"{path}\n")
    server.index.sync()
    return gone


@pytest.mark.long
@pytest.mark.parametrize(("count", "stay"), [(6, 50), (51, 1000), (7, 0)])
def test_a_crowd_that_vanishes_is_kept_and_named(server: Points, count: int, stay: int) -> None:
    """More than a tenth, or more than fifty: a person should look first."""
    gone = crowd(server, count, stay)
    known = state(server.index)
    shutil.rmtree(server.path / "gone")
    assert server.index.sync() == Sync(vanished=tuple(gone))
    assert server.index.vanished() == tuple(gone)
    assert state(server.index) == known
    assert server.index.accept_missing() == count
    assert server.index.vanished() == ()
    assert state(server.index) == rebuilt(server)


@pytest.mark.parametrize(("count", "stay"), [(5, 0), (5, 45), (50, 460)])
def test_a_few_files_may_go(server: Points, count: int, stay: int) -> None:
    """Tidying up is no accident."""
    crowd(server, count, stay)
    shutil.rmtree(server.path / "gone")
    assert server.index.sync() == Sync(removed=count)
    assert server.index.vanished() == ()


def test_a_crowd_that_comes_back_is_forgotten_about(server: Points) -> None:
    """Moved away and back, the files have the very stamps they had."""
    crowd(server, 10, 10)
    server.calm()
    server.index.sync()
    (server.path / "gone").rename(server.path / ".aside")
    server.index.sync()
    assert len(server.index.vanished()) == 10
    (server.path / ".aside").rename(server.path / "gone")
    server.index.sync()
    assert server.index.vanished() == ()
    assert state(server.index) == rebuilt(server)


def test_a_folder_that_is_renamed_and_renamed_back_is_no_crowd(server: Points) -> None:
    """What lies elsewhere by its id, or its bytes, is not gone: as often as it lies there."""
    gone = [*crowd(server, 10, 10), "gone/tea.md", "gone/cup.md"]
    server.put("gone/tea.md", "---\nid: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZP\ntype: memory\n---\nGreen.\n")
    server.put("gone/cup.md", "gone/note no 001.md\n")
    server.index.sync()
    for old, new in (("gone", "renamed"), ("renamed", "gone")):
        (server.path / old).rename(server.path / new)
        server.put(f"{new}/tea.md", server.path.joinpath(new, "tea.md").read_text() + "Black.\n")
        assert server.index.sync() == Sync(added=12, removed=12)
        assert server.index.vanished() == ()
        assert state(server.index) == rebuilt(server)
    shutil.copytree(server.path / "gone", server.path / "copied")
    (server.path / "copied/cup.md").unlink()
    shutil.rmtree(server.path / "gone")
    assert server.index.sync().vanished == ()
    shutil.rmtree(server.path / "copied")
    assert len(server.index.sync().vanished) == len(gone) - 1


def test_removals_of_our_own_are_no_crowd(server: Points) -> None:
    """What we meant to remove goes; what else went with it stays in question."""
    gone = crowd(server, 20, 10)
    shutil.rmtree(server.path / "gone")
    assert server.index.sync(frozenset(gone[:4])) == Sync(removed=4, vanished=tuple(gone[4:]))
    assert server.index.sync(frozenset(gone)) == Sync(removed=16)


# --- one database, several processes ---------------------------------------------------------


def test_a_second_connection_gives_no_lock_of_the_first_one_up(tmp_path: Path) -> None:
    """Else the next process to close the database takes its log away, and tears it."""
    path = tmp_path / "catalog.sqlite3"
    first = CATALOG.connect(path)
    first.execute("INSERT INTO meta VALUES('colour', 'amber')")
    second = CATALOG.connect(path)
    code = (
        "import sys\nfrom pathlib import Path\nfrom vaultmem.storage.index.schema import CATALOG\n"
        "CATALOG.connect(Path(sys.argv[1])).close()"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert (tmp_path / "catalog.sqlite3-wal").exists()
    second.close()
    first.close()


# --- a shadow that can be thrown away ---------------------------------------------------------


def test_garbage_in_place_of_the_database_is_thrown_away(server: Points) -> None:
    """The files refill it."""
    server.put(TEA, OOLONG)
    server.index.sync()
    server.index.close()
    server.index.path.write_bytes(b"this is not a database, it only stands where one was" * 200)
    server.index = server.opened(server.index.path)
    server.index.sync()
    assert state(server.index) == rebuilt(server)


def test_what_is_no_database_is_closed_before_a_new_one_stands_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever closes it later would take the log of the new one away."""
    path, closed = tmp_path / "catalog.sqlite3", []
    path.write_bytes(b"this is not a database" * 200)
    inode = path.stat().st_ino
    monkeypatch.setattr(Connection, "close", lambda _: closed.append(path.stat().st_ino))
    CATALOG.connect(path)
    assert closed == [inode]


def test_damage_while_it_is_open_is_thrown_away(server: Points) -> None:
    """Pages overwritten under a living process cost a rebuild."""
    crowd(server, 40, 40)
    server.index.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = server.index.path.stat().st_size
    server.index.path.write_bytes(os.urandom(size))
    server.index.db.execute("PRAGMA shrink_memory")
    server.put("new.md", "new\n")
    server.index.sync()
    assert state(server.index) == rebuilt(server)


@pytest.mark.parametrize("ask", [Vault.fsck, Vault.status, lambda v: v.recall("health Mara").hits])
def test_a_text_that_is_no_text_is_thrown_away(
    folder: Path, clock: Clock, ask: Callable[[Vault], object]
) -> None:
    """One byte of it was flipped: whoever meets that is answered from an index made anew."""
    with Vault.open(folder, clock=clock) as vault:
        vault.remember("Mental health matters to Mara.", agent="ada")
        expected = ask(vault)
        vault.store.index.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    where = folder / ".vaultmem/index/catalog.sqlite3"
    data = where.read_bytes()
    where.write_bytes(data.replace(b"Mental health", b"Men\xffal health"))
    with Vault.open(folder, clock=clock) as vault:
        assert ask(vault) == expected
        assert vault.remember("Mental health is all.", agent="ada").path
        assert vault.fsck().ok


def test_of_other_letters_in_the_index_the_memory_is_not_blamed(folder: Path, clock: Clock) -> None:
    with Vault.open(folder, clock=clock) as vault:
        made = vault.remember("Mental health matters to Mara.", agent="ada")
        vault.store.index.db.execute("UPDATE bodies SET body = replace(body, 'Mental', 'Dental')")
        vault.store.index.db.execute("DELETE FROM meta WHERE key = 'ledger read up to'")
        assert [(p.code, p.path) for p in vault.fsck().problems] == [("index", made.path)]
        assert vault.fsck(repair=True).ok
        assert vault.store.index.body(made.path) == "Mental health matters to Mara.\n"


def test_what_has_written_is_not_asked_again_of_a_rebuilt_index(
    folder: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails once; the next to open the vault finds a new index."""
    keep = remember.keep
    with Vault.open(folder, clock=clock) as vault:

        def kept(store: Store, said: MemoryInput, **more: bool | str) -> object:
            made = keep(store, said, reason=str(more["reason"]))
            store.index.db.execute("UPDATE bodies SET body = CAST(x'4dff' AS TEXT)")
            store.index.records()
            return made

        monkeypatch.setattr(remember, "keep", kept)
        with pytest.raises(IndexFailed):
            vault.remember("Mental health matters to Mara.", agent="ada")
    assert not (folder / ".vaultmem/index/catalog.sqlite3").exists()
    with Vault.open(folder, clock=clock) as vault:
        assert vault.recall("health").hits
        assert vault.fsck().memories == 1


def test_another_schema_is_thrown_away(server: Points) -> None:
    """Its name tells, not its columns."""
    server.put(TEA, OOLONG)
    server.index.sync()
    server.index.db.execute("UPDATE meta SET value = '0-00000000' WHERE key = 'schema'")
    server.index.db.execute("DELETE FROM docs")
    server.index.close()
    server.index = server.opened(server.index.path)
    assert server.index.value("SELECT value FROM meta WHERE key = 'schema'") == CATALOG.schema
    server.index.sync()
    assert state(server.index) == rebuilt(server)


def test_somebody_elses_database_is_no_index(tmp_path: Path, server: Points) -> None:
    """Foreign tables go, ours come."""
    where = tmp_path / "foreign.sqlite3"
    foreign = sqlite3.connect(where)
    foreign.execute("CREATE TABLE docs(x)")
    foreign.commit()
    foreign.close()
    server.put(TEA, OOLONG)
    index = server.opened(where)
    index.sync()
    assert state(index) == rebuilt(server)
    index.close()


@pytest.mark.parametrize("look", [lambda i: i.sync(), lambda i: i.fresh()])
def test_a_database_deleted_while_open_comes_back(
    server: Points, look: Callable[[Index], object]
) -> None:
    """Else another process would not see what this one knows."""
    server.put(TEA, OOLONG)
    server.calm()
    server.index.sync()
    shutil.rmtree(server.index.path.parent)
    look(server.index)
    other = server.opened(server.index.path)
    assert state(other) == rebuilt(server)
    other.close()


def test_where_nothing_can_be_written_the_index_lives_in_memory(server: Points) -> None:
    """A vault on a read-only disk can still be read."""
    server.put(TEA, OOLONG)
    server.put("occupied", "a file where the index's folder should be")
    index = server.opened(server.path / "occupied/catalog.sqlite3")
    assert index.sync() == Sync(added=1)
    assert state(index) == rebuilt(server)
    index.close()


# --- looking only when something moved --------------------------------------------------------


def test_a_fresh_look_does_not_scan_when_nothing_moved(server: Points) -> None:
    """It asks the folders' times alone."""
    server.put(TEA, OOLONG)
    server.calm()
    server.index.fresh()
    server.scans = 0
    for _ in range(5):
        server.index.fresh()
    assert server.scans == 0


def test_a_fresh_look_finds_what_another_process_wrote(server: Points) -> None:
    """New files, replaced files and removed files show in their folder's time."""
    server.put(TEA, OOLONG)
    server.put("topics/a.md", "one\n")
    server.calm()
    server.index.sync()
    other = Points(server.path)
    server.scans = 0
    other.put("topics/.new", "two\n").replace(server.path / "topics/a.md")
    other.put("topics/deep/er/b.md", "three\n")
    (server.path / TEA).unlink()
    other.index.sync()
    other.close()
    server.index.fresh()
    assert server.bodies() == {"topics/a.md": "two\n", "topics/deep/er/b.md": "three\n"}
    assert server.scans == 0


def test_a_folder_touched_twice_in_one_tick_is_looked_at_again(server: Points) -> None:
    """A folder's time is no finer than the kernel's tick."""
    server.put("topics/a.md", "one\n")
    server.index.fresh()
    before = (server.path / "topics").stat()
    server.put("topics/b.md", "two\n")
    os.utime(server.path / "topics", ns=(before.st_atime_ns, before.st_mtime_ns))
    server.index.fresh()
    assert server.bodies() == {"topics/a.md": "one\n", "topics/b.md": "two\n"}


def test_an_edit_in_place_is_found_when_patience_ends(server: Points) -> None:
    """No folder time tells of it."""
    target = server.put("topics/a.md", "one\n")
    server.calm()
    server.index.sync()
    target.write_text("two\n")
    server.index.fresh(patience=60)
    assert server.bodies() == {"topics/a.md": "one\n"}
    server.index.fresh(patience=0)
    assert server.bodies() == {"topics/a.md": "two\n"}


@pytest.mark.parametrize(("takes", "rests"), [(0.0, 0), (0.1, 2), (30.0, 60)])
def test_the_quicker_a_look_at_everything_is_the_sooner_comes_the_next(
    server: Points, monkeypatch: pytest.MonkeyPatch, takes: float, rests: int
) -> None:
    """It has a twentieth of the time at most, and in a small vault sees all edits in place."""
    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    target = server.put("topics/a.md", "one\n")
    server.calm()
    server.on_look = lambda: clock.append(clock.pop() + takes)
    server.index.sync()
    target.write_text("two\n")
    if rests:
        clock[0] += rests - 1 - takes
        server.index.fresh()
        assert server.bodies() == {"topics/a.md": "one\n"}
        clock[0] += 1
    server.index.fresh()
    assert server.bodies() == {"topics/a.md": "two\n"}


# --- asking -----------------------------------------------------------------------------------


def test_the_generation_rises_with_every_change_and_with_nothing_else(server: Points) -> None:
    """A living process trusts it."""
    assert server.index.generation() == 0
    server.put(TEA, OOLONG)
    server.index.sync()
    server.index.sync()
    assert server.index.generation() == 1
    (server.path / TEA).unlink()
    server.index.absorb([TEA])
    assert server.index.generation() == 2


def test_origins_counts_and_coverage_are_answered_by_agent(server: Points) -> None:
    """Each agent has its own past; what waits for review is nobody's."""
    server.put(TEA, memory("Tea.", extra="origin: s1/1\n"))
    server.put(f"{WHERE}/later.md", memory("x", letter="B").replace("-20T", "-21T"))
    server.put("agents/bob/memories/2026/11/b.md", memory("x", letter="C", extra="origin: s1/2\n"))
    server.put("inbox/review/w.md", memory("x", letter="D", extra="agent: ada\n"))
    server.put("agents/ada/summaries/recent-20261120-101500.md", SUMMARY)
    server.index.sync()
    assert server.index.agents() == ["ada", "bob"]
    assert coverage.memories(server.index, "ada") == 2
    assert coverage.last_created(server.index, "ada") == "2026-11-21T10:15:00Z"
    assert server.index.covered("ada", ("tea", "tea-too", "milk")) == {"tea", "tea-too"}
    assert server.index.covered("bob", ("tea",)) == frozenset()
    wanted = [f"s1/{n}" for n in range(2000)]
    assert server.index.origins("ada", wanted) == {"s1/1"}
    assert server.index.origins("bob", wanted) == {"s1/2"}


def test_hand_written_times_are_ordered_as_times(server: Points) -> None:
    """A bare day, an offset, and our own way of writing them compare."""
    times = ("2026-11-20", "2026-11-20T09:00:00+02:00", "2026-11-20T08:00:00Z")
    for letter, when in zip("ABC", reversed(times), strict=True):
        text = memory("x", letter=letter).replace("2026-11-20T10:15:00Z", when)
        server.put(f"{WHERE}/{letter}.md", text)
    server.index.sync()
    assert [r.created for r in server.index.records()] == [
        "2026-11-20T00:00:00Z",
        "2026-11-20T07:00:00Z",
        "2026-11-20T08:00:00Z",
    ]


def test_a_text_has_a_row_a_passage_and_its_sha_is_of_what_is_embedded(server: Points) -> None:
    """A memory of one passage, and a topic of several."""
    server.put(TEA, memory("Ada drinks oolong.", extra="speaker: Ada\n"))
    server.put("topics/drinks.md", f"---\ntitle: Drinks\n---\n{LONG}")
    server.index.sync()
    rows = server.index.db.execute(
        "SELECT docs.path, heading, substr(body, first + 1, last - first), passages.sha"
        " FROM passages JOIN docs USING(doc) JOIN bodies USING(doc) ORDER BY docs.path, number"
    ).fetchall()
    assert [(path, heading) for path, heading, _, _ in rows] == [
        (TEA, ""),
        *[("topics/drinks.md", "Tea")] * 2,
        *[("topics/drinks.md", "Coffee")] * 2,
    ]
    headers = ["Ada (20 November 2026): ", *["Drinks. Tea: "] * 2, *["Drinks. Coffee: "] * 2]
    for header, (_, _, text, sha) in zip(headers, rows, strict=True):
        assert files.sha256((header + text).encode()) == sha


def test_the_words_of_a_long_text_are_told_of_each_passage_too(server: Points) -> None:
    """Those of a short one are not told twice."""
    server.put(TEA, memory("It is never coffee."))
    server.put("topics/drinks.md", LONG)
    server.index.sync()
    rows = server.index.db.execute("SELECT rowid FROM words WHERE words MATCH 'coffee OR had'")
    owners = sorted(passages.owner(row) for (row,) in rows)
    docs = dict(server.index.db.execute("SELECT path, doc FROM docs"))
    assert owners == sorted([docs[TEA], *[docs["topics/drinks.md"]] * 3])


def test_what_is_not_recalled_has_no_passages(server: Points) -> None:
    """Nobody pays for a vector that is never asked for."""
    server.put("README.md", OOLONG)
    server.put("inbox/tea.md", OOLONG)
    server.index.sync()
    assert server.index.value("SELECT count(*) FROM docs") == 2
    assert server.index.value("SELECT count(*) FROM passages") == 0


# --- many at once -----------------------------------------------------------------------------

BUSY = """
from pathlib import Path
with Vault.open(path) as vault:
    for n in range(5):
        vault.remember(f"{name} remembers number {n}", agent="ada")
        Path(path, f"note-{name}-{n}.md").write_text(f"{name} noted {n}\\n")
        vault.store.index.sync()
        if name == "deletes the index midway" and n == 2:
            for end in ("", "-wal", "-shm"):
                Path(path, f".vaultmem/index/catalog.sqlite3{end}").unlink(missing_ok=True)
        assert vault.recall(f"{name} remembers", k=50).hits
"""


@pytest.mark.long
@pytest.mark.parametrize("last", ["4", "deletes the index midway"])
def test_five_processes_end_with_an_index_equal_to_a_rebuild(tmp_path: Path, last: str) -> None:
    """None of them fails, nothing is missing, nothing is there twice."""
    folder = tmp_path / "vault"
    create.create(folder, lambda: datetime(2026, 11, 20, tzinfo=UTC), with_git=False)
    at_once(BUSY, folder, "0", "1", "2", "3", last)
    with Vault.open(folder) as vault:
        index = vault.store.index
        index.sync()
        server = Points(folder)
        assert state(index) == rebuilt(server)
        server.close()
        assert coverage.memories(index, "ada") == 25


def test_a_file_is_named_by_id_path_name_or_link(server: Points) -> None:
    """Id and path before the bare name, which several may share."""
    server.put(TEA, OOLONG)
    server.put("topics/tea.md", "---\ntype: topic\n---\nTea.\n")
    server.index.sync()
    for ref in (TEA, TEA.removesuffix(".md"), "01kafxf" + "a" * 19, f"[[{TEA}|tea]]"):
        assert [r.path for r in server.index.named(ref)] == [TEA]
    assert [r.path for r in server.index.named("tea")] == ["topics/tea.md", TEA]
    assert server.index.named("") == server.index.named("nothing") == []


def test_what_a_file_supersedes_is_marked_where_it_is_read_anew(server: Points) -> None:
    """The mark is the index's: the file that is superseded says nothing of it."""
    server.put(TEA, OOLONG)
    server.put(f"{WHERE}/sencha.md", memory("Sencha.", letter="B", extra="supersedes: '[[tea]]'\n"))
    server.index.sync()
    found = files.read(server.root, TEA)
    assert found is not None
    read = reader.record(TEA, found)
    assert (read.superseded_by, server.index.marked(read).superseded_by) == ("", "sencha")
    (server.path / WHERE / "sencha.md").unlink()
    server.index.sync()
    assert server.index.marked(read) == read


def test_what_cannot_be_looked_at_twice_is_not_gone(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder is read once to see whether it moved, and again for what is in it."""
    (vault.path / "notes").mkdir()
    for name in ("tea", "oat"):
        (vault.path / f"notes/{name}.md").write_text(f"Of {name}.\n")
    vault.store.index.sync()
    (vault.path / "notes/rye.md").write_text("Of rye.\n")
    looked, read = list[str](), folder_scan._notes  # the disk, which refuses once

    def refusing(fd: int, folder: str, *rest: list[str]) -> object:
        looked.append(folder)
        if folder == "notes/" and looked.count(folder) > 1:
            raise OSError(errno.EMFILE, "Too many open files")
        return read(fd, folder, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(folder_scan, "_notes", refusing)
        vault.store.index.sync()
    assert vault.store.index.shut == {"notes/": "Too many open files"}
    vault.store.index.sync_names()
    assert not vault.store.index.shut
    found = {hit.path for it in ("tea", "oat", "rye") for hit in vault.recall(it).hits}
    assert found == {"notes/tea.md", "notes/oat.md", "notes/rye.md"}


def test_the_passages_of_a_long_text_are_gathered_before_they_are_written_out(
    server: Points,
) -> None:
    """FTS5 does so whenever a row is below the one before: once a text is enough."""
    lines = (f"Heron {n} stood at the harbour of Porto." for n in range(400))
    server.put("long.md", "\n".join(lines))
    server.index.sync()
    ask = server.index.db.execute
    (parts,) = ask("SELECT count(*) FROM passages").fetchone()
    (written,) = ask("SELECT count(DISTINCT segid) FROM words_idx").fetchone()
    assert parts > 10
    assert written == 1


def test_a_long_note_of_the_index_is_read_again_when_it_changed_alone(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite3"
    ours, others = CATALOG.connect(path), CATALOG.connect(path)
    assert long_meta(ours, "words") == ""
    set_meta(others, "words", "a" * 100_000)
    first = long_meta(ours, "words")
    assert first == "a" * 100_000
    assert long_meta(ours, "words") is first
    set_meta(others, "words", "")
    assert long_meta(ours, "words") == ""
    set_meta(ours, "words", "b")
    others.execute("DELETE FROM meta WHERE key = 'words'")
    assert long_meta(ours, "words") == ""
    ours.close()
    others.close()
