"""Bytes on disk: nothing leaves the root, nothing is overwritten blindly, no crash tears a file."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import ntpath
import os
import stat
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.errors import DiskRefused, NameTaken, ReadOnly, Refused, StaleWrite
from vaultmem.storage import files
from vaultmem.storage.files import (
    Addition,
    Ending,
    Root,
    Step,
    leftover_files,
    name_exchange,
    partial_reads,
    sha256,
)
from vaultmem.storage.index import scan
from vaultmem.storage.index.scan import Scan
from vaultmem.storage.writer import Writer

ULID = "01KA2B3C4D5E6F7G8H9JKMNPQR"
OUTSIDE = [
    "", "/", "/etc/passwd", "..", "../x.md", "a/../../x.md", "a/..", "a//b.md", "a/", "./a.md",
    "a/./b.md", "a\0.md", "a/\0", "\ud800.md", ".git/config", "a/.GIT/hooks/x", ".git. /x", "GIT~1",
]  # fmt: skip


def put(root: Root, path: str, data: bytes, *, mode: int = 0o644) -> Path:
    """Write a file as a person does."""
    file = root.path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    file.chmod(mode)
    return file


def create(path: str, data: bytes) -> Step:
    """Return the step that makes a new file."""
    return Step(path, None, data)


def change(path: str, old: bytes, new: bytes | None) -> Step:
    """Return the step from *old* to *new*."""
    return Step(path, sha256(old), new)


def tree(root: Root) -> dict[str, bytes]:
    """Return every file below the root but the shelf of old inodes."""
    found = (p for p in root.path.rglob("*") if p.is_file())
    names = {str(p.relative_to(root.path)): p.read_bytes() for p in found}
    return {name: data for name, data in names.items() if not name.startswith(files.LINGER)}


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Let everybody do everything, as a careless login does."""
    before = os.umask(0)
    yield
    os.umask(before)


# --- staying inside -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leaves_the_root_or_enters_git_is_refused(root: Root, path: str) -> None:
    """Reading, checking and writing say no alike, and nothing appears."""
    with pytest.raises(Refused):
        files.read(root, path)
    with pytest.raises(Refused):
        files.check(root, [create(path, b"x")])
    with pytest.raises(Refused):
        files.write(root, [create(path, b"x")], ULID)
    assert tree(root) == {}


@given(st.lists(st.sampled_from(["..", ".", "", "a", "~", "b.md", "\0", ".git"]) | st.text()))
def test_what_inside_lets_through_stays_inside(parts: list[str]) -> None:
    """However the pieces are joined, the normal form of what passes begins with the root."""
    path = "/".join(parts)
    try:
        found = files.inside(path)
    except Refused:
        return
    assert "/".join(found) == path
    assert os.path.normpath(f"/root/{path}") == f"/root/{path}"


@pytest.fixture
def prison(root: Root, tmp_path: Path) -> Path:
    """Put a secret outside, and links to it inside: one a file, one a folder."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_bytes(b"secret")
    (root.path / "file.md").symlink_to(outside / "secret.md")
    (root.path / "folder").symlink_to(outside)
    return outside


def test_a_link_is_not_followed_to_read(root: Root, prison: Path) -> None:
    """A linked file is refused, a linked folder has nothing in it."""
    with pytest.raises(Refused, match=r"file\.md is a symbolic link, which is neither"):
        files.read(root, "file.md")
    assert files.read(root, "folder/secret.md") is None
    assert files.stamp(root, "file.md") is None
    assert (prison / "secret.md").read_bytes() == b"secret"


def test_what_is_read_in_a_row_is_read_as_it_is_alone(root: Root, prison: Path) -> None:
    """From the folder that is held open, and from the next one; a link leads nowhere there."""
    there = {"a/b/1.md": b"1", "a/b/2.md": b"2", "a/3.md": b"3"}
    for path, data in there.items():
        put(root, path, data)
    (root.path / "a/b/out.md").symlink_to(prison / "secret.md")
    with files.reading_many(root) as read:
        found = {path: read(path) for path in (*there, "a/b/4.md", "folder/secret.md", "none/x.md")}
        with pytest.raises(Refused, match=r"out\.md is a symbolic link"):
            read("a/b/out.md")
    assert {path: it.data for path, it in found.items() if it} == there


def test_many_files_of_a_folder_are_walked_to_once(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way to it costs more than a file does."""
    opened: list[str] = []
    open_: Callable[..., int] = os.open

    def noting(path: str, *args: int, **kwargs: int) -> int:
        opened.append(path)
        return open_(path, *args, **kwargs)

    paths = [f"agents/ada/memories/{n}.md" for n in range(3)]
    for path in paths:
        put(root, path, b"tea")
    monkeypatch.setattr(os, "open", noting)
    with files.reading_many(root) as read:
        assert all(map(read, paths))
    assert opened == ["agents", "ada", "memories", "0.md", "1.md", "2.md"]


def test_a_link_is_not_followed_to_write(root: Root, prison: Path) -> None:
    """A check refuses it, and a write that comes all the same leaves it out."""
    steps = [
        create("file.md", b"x"),
        create("folder/new.md", b"x"),
        change("file.md", b"secret", b"x"),
        change("folder/secret.md", b"secret", b"x"),
    ]
    for step in steps:
        with pytest.raises(Refused):
            files.check(root, [step])
    assert files.write(root, steps, ULID) == tuple(steps)
    assert {p.name: p.read_bytes() for p in prison.iterdir()} == {"secret.md": b"secret"}


def test_a_link_is_not_followed_to_list(root: Root, prison: Path) -> None:
    """Links are named as odd and not entered."""
    assert prison.is_dir()
    listing = files.listing(root)
    assert (listing.files, listing.odd) == ({}, ("file.md", "folder"))


def test_a_device_is_refused_at_once(root: Root) -> None:
    """Nobody writes to this pipe, so waiting for it would never end."""
    os.mkfifo(root.path / "pipe.md")
    with pytest.raises(Refused):
        files.read(root, "pipe.md")
    (root.path / "folder.md").mkdir()
    with pytest.raises(Refused):
        files.read(root, "folder.md")
    step = create("pipe.md", b"x")
    assert files.write(root, [step], ULID) == (step,)
    assert files.listing(root).odd == ("folder.md", "pipe.md")


def test_a_folder_swapped_for_a_link_lets_nothing_out(root: Root, prison: Path) -> None:
    """Thousands of tries while the folder changes places with a link: never the outer bytes."""
    put(root, "swap/secret.md", b"inner")
    stop = threading.Event()

    def swap() -> None:
        real, away = root.path / "swap", root.path / "away"
        made = (root.path / f"made-{n}" for n in itertools.count())
        while not stop.is_set():
            real.rename(away)
            with contextlib.suppress(FileExistsError):
                real.symlink_to(prison)
                real.unlink()
            # The writer makes a folder that it misses, and this one is in our way now.
            while away.exists():
                with contextlib.suppress(OSError):
                    away.rename(real)
                if away.exists():
                    real.rename(next(made))

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        seen = {found.data if (found := files.read(root, "swap/secret.md")) else None
                for _ in range(4000)}  # fmt: skip
        for n in range(300):
            with contextlib.suppress(DiskRefused):
                files.write(root, [create(f"swap/{n}.md", b"ours")], f"{n:026}")
    finally:
        stop.set()
        swapper.join()
    assert seen <= {b"inner", None}
    assert [p.name for p in prison.iterdir()] == ["secret.md"]


def test_a_note_larger_than_any_is_not_read_and_told(vault: Vault, folder: Path) -> None:
    """Whoever lays three gigabytes among the notes stops nothing else."""
    for name in ("notes/huge.md", "cards/food/huge.md", "files/huge.txt"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.truncate(path, 3 << 30)
    vault.remember("Green tea at four.", agent="ada")
    assert [hit.snippet for hit in vault.recall("tea").hits] == ["Green tea at four."]
    told = {(p.path, p.message) for p in vault.status().problems if p.code == "unreadable"}
    assert told == {
        (name, "larger than 8 MiB, as no note is")
        for name in ("notes/huge.md", "cards/food/huge.md", "files/huge.txt")
    }
    with pytest.raises(DiskRefused, match=r"huge\.md: larger than 8 MiB"):
        files.read(vault.store.root, "notes/huge.md")


def test_a_name_no_file_can_have_is_the_name_of_none(root: Root) -> None:
    """A model may ask for anything."""
    assert files.read(root, "x" * 300 + ".md") is None
    with pytest.raises(Refused, match="longer than 120 bytes"):
        files.check(root, [create("x" * 300 + ".md", b"")])


# --- names ---------------------------------------------------------------------------------------


def fits_every_system(name: str) -> bool:
    """Tell by rules of others whether ext4, APFS, NTFS and Obsidian all take *name*."""
    return (
        len(name.encode()) <= 120
        and unicodedata.is_normalized("NFC", name)
        and not _is_reserved(name)
        and not set(name) & set('\\/:*?"<>|#^[]')
        and all(unicodedata.category(c)[0] != "C" for c in name)
        and not name.endswith((".", " "))
    )


def _is_reserved(name: str) -> bool:
    """Tell whether NTFS keeps *name* for a device: Python 3.13 has another name for the rule."""
    rule = getattr(ntpath, "isreserved", None)
    return bool(rule(name) if rule else PureWindowsPath(name).is_reserved())


@given(st.text(max_size=500))
def test_what_portable_lets_through_fits_every_system(title: str) -> None:
    """Titles of any kind: whatever passes is a name on each of them."""
    try:
        (name,) = files.portable(title)
    except (Refused, ValueError):
        return
    assert fits_every_system(name)


@given(st.text(max_size=500), st.integers(1, 80))
def test_a_slug_is_a_portable_name(title: str, limit: int) -> None:
    """A memory's file, named for any title, is a name everywhere."""
    slug = files.slug(title, limit)
    assert len(slug) <= limit
    assert slug == slug.lower()
    assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not slug.startswith("-")
    assert not slug.endswith("-")
    assert fits_every_system(f"20261120-101500-{slug}-7q3kzm.md")


def test_a_slug_keeps_whole_words() -> None:
    """The cut falls between words, and only a single long one is cut itself."""
    assert files.slug("Prefers Café au lait!", 15) == "prefers-cafe-au"
    assert files.slug("x" * 99, 5) == "xxxxx"
    assert files.slug("王芳 👍") == ""


@pytest.mark.parametrize(
    "name",
    ["con.md", "AUX", "lpt9.txt", "nul.tar.gz", "a:b.md", "what?.md", "tab\t.md", "e\u0301.md",
     "end.", "end ", "\u202e.md", "half\udcff.md", "x" * 121, "ä" * 61],
)  # fmt: skip
def test_a_name_some_system_cannot_hold_is_refused(root: Root, name: str) -> None:
    """It is said before anything is promised."""
    with pytest.raises(Refused, match="no name for every file system"):
        files.check(root, [create(f"cards/{name}", b"x")])
    assert tree(root) == {}


# --- writing -------------------------------------------------------------------------------------


def test_a_set_of_steps_creates_replaces_and_removes(root: Root) -> None:
    """Three kinds of step in one write, and the same write again changes nothing."""
    put(root, "old.md", b"old")
    put(root, "gone.md", b"gone")
    steps = [create("deep/er/new.md", b"new"), change("old.md", b"old", b"newer"),
             change("gone.md", b"gone", None)]  # fmt: skip
    files.check(root, steps)
    assert files.write(root, steps, ULID) == ()
    assert tree(root) == {"deep/er/new.md": b"new", "old.md": b"newer"}
    files.check(root, steps)
    assert files.write(root, steps, ULID) == ()
    assert tree(root) == {"deep/er/new.md": b"new", "old.md": b"newer"}


def test_create_never_overwrites(root: Root) -> None:
    """A person's file of that name stays, and the step is handed back."""
    put(root, "tea.md", b"theirs")
    step = create("tea.md", b"ours")
    with pytest.raises(NameTaken):
        files.check(root, [step])
    assert files.write(root, [step], ULID) == (step,)
    assert tree(root) == {"tea.md": b"theirs"}


def test_create_does_not_overwrite_what_appears_at_the_last_moment(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the naming a person saves a file of that name."""
    link: Callable[..., None] = os.link

    def late(*args: str, **kwargs: object) -> None:
        put(root, "tea.md", b"theirs")
        link(*args, **kwargs)

    monkeypatch.setattr(os, "link", late)
    step = create("tea.md", b"ours")
    assert files.write(root, [step], ULID) == (step,)
    assert tree(root) == {"tea.md": b"theirs"}


def test_replace_refuses_when_the_file_is_another(root: Root) -> None:
    """The hash that was read is the only one that is replaced; so with removing."""
    put(root, "tea.md", b"edited")
    for new in (b"ours", None):
        step = change("tea.md", b"as read", new)
        with pytest.raises(StaleWrite) as refusal:
            files.check(root, [step])
        found = (refusal.value.seen, refusal.value.found)
        assert found == (sha256(b"as read"), sha256(b"edited"))
        assert files.write(root, [step], ULID) == (step,)
    assert tree(root) == {"tea.md": b"edited"}


class Saving:
    """An editor that saves, by a rename, just before the names are exchanged; so often."""

    def __init__(self, root: Root, *texts: bytes) -> None:
        """Save these *texts*, one before each exchange."""
        self.root, self.texts, self.exchange = root, list(texts), name_exchange.exchange

    def __call__(self, folder: int, name: str, other: int, second: str) -> bool:
        """Save, and exchange."""
        if self.texts:
            put(self.root, "fresh", self.texts.pop(0)).rename(self.root.path / "tea.md")
        return self.exchange(folder, name, other, second)


def test_replace_leaves_what_is_saved_at_the_last_moment(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor replaces the file after we looked and before we do."""
    put(root, "tea.md", b"old")
    monkeypatch.setattr(name_exchange, "exchange", Saving(root, b"saved"))
    step = change("tea.md", b"old", b"ours")
    assert files.write(root, [step], ULID) == (step,)
    assert tree(root) == {"tea.md": b"saved"}
    assert list(files.replaced_files(root)) == []


def test_replace_gives_way_to_an_editor_that_saves_again_and_again(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest stays, and what was saved before it waits in the inbox."""
    put(writer.root, "tea.md", b"old")
    monkeypatch.setattr(name_exchange, "exchange", Saving(writer.root, b"first", b"second"))
    step = change("tea.md", b"old", b"ours")
    assert files.write(writer.root, [step], ULID) == (step,)
    assert (writer.root.path / "tea.md").read_bytes() == b"second"
    writer.sweep(quiet=0)
    assert list(conflicts(writer.root.path).values()) == [b"first"]


def test_what_is_deleted_while_it_is_replaced_stays_deleted(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is nothing to exchange any more."""
    real = name_exchange.exchange

    def late(folder: int, name: str, other: int, second: str) -> bool:
        (root.path / "tea.md").unlink()
        return real(folder, name, other, second)

    put(root, "tea.md", b"old")
    monkeypatch.setattr(name_exchange, "exchange", late)
    step = change("tea.md", b"old", b"ours")
    assert files.write(root, [step], ULID) == (step,)
    assert tree(root) == {}
    assert list(files.replaced_files(root)) == []


def test_removing_gives_back_what_is_saved_at_the_last_moment(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was taken is looked at when nobody can change it any more."""
    put(root, "tea.md", b"old")
    replace = os.replace

    def late(name: str, kept: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        put(root, "fresh", b"saved").rename(root.path / "tea.md")
        replace(name, kept, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(os, "replace", late)
    step = change("tea.md", b"old", None)
    assert files.write(root, [step], ULID) == (step,)
    assert tree(root) == {"tea.md": b"saved"}
    assert list(files.replaced_files(root)) == []


def test_where_nothing_can_be_exchanged_a_rename_replaces(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what was there is kept for whoever still types into it."""
    put(root, "tea.md", b"old")
    monkeypatch.setattr(name_exchange, "exchange", lambda *_: False)
    assert files.write(root, [change("tea.md", b"old", b"ours")], ULID) == ()
    assert tree(root) == {"tea.md": b"ours"}
    (kept,) = files.replaced_files(root)
    known = [data for data in (b"old", b"ours", b"late") if kept.is_known(sha256(data))]
    assert known == [b"old", b"ours"]


def test_modes_are_private_whatever_the_umask(root: Root, open_umask: None) -> None:
    """New files are 0600 and new folders 0700; a file that exists keeps its own mode."""
    assert open_umask is None
    put(root, "shared.md", b"old", mode=0o664)
    files.write(root, [create("a/b/new.md", b"x"), change("shared.md", b"old", b"new")], ULID)
    paths = ("a", "a/b", "a/b/new.md", "shared.md", ".vaultmem", files.LINGER)
    modes = {p: stat.S_IMODE((root.path / p).stat().st_mode) for p in paths}
    assert modes == {"a": 0o700, "a/b": 0o700, "a/b/new.md": 0o600, "shared.md": 0o664,
                     ".vaultmem": 0o700, files.LINGER: 0o700}  # fmt: skip


def test_short_writes_are_continued(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes seven bytes at a time gets them all."""
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:7]))
    data = bytes(range(256)) * 3
    assert files.write(root, [create("bytes.md", data)], ULID) == ()
    assert tree(root) == {"bytes.md": data}


# --- at the end of a file ------------------------------------------------------------------------

TALK = "ada/talk.jsonl"
OLD, ADDED = b"one\n", b"two\nthree\n"
MORE = Addition(TALK, len(OLD), ADDED)


def talk(root: Root) -> bytes | None:
    """Return what the file that grows holds."""
    found = files.read(root, TALK)
    return found.data if found else None


def test_what_is_added_follows_what_was_there_and_the_file_is_the_same(root: Root) -> None:
    """An editor that has it open sees it grow; nothing is copied, nothing lingers."""
    file = put(root, TALK, OLD)
    inode = file.stat().st_ino
    files.check(root, [MORE])
    assert files.write(root, [MORE], ULID) == ()
    assert tree(root) == {TALK: OLD + ADDED}
    assert (file.stat().st_ino, list(files.replaced_files(root))) == (inode, [])


def test_a_file_begins_with_its_first_addition(root: Root) -> None:
    """It is made as any new file is, its folders with it."""
    first = Addition(TALK, 0, OLD)
    files.check(root, [first])
    assert files.write(root, [first, create("b.md", b"x")], ULID) == ()
    assert tree(root) == {TALK: OLD, "b.md": b"x"}
    assert stat.S_IMODE((root.path / TALK).stat().st_mode) == 0o600


@pytest.mark.parametrize("there", [0, 1, len(ADDED) - 1, len(ADDED)])
@pytest.mark.parametrize("zeros", [False, True])
def test_a_torn_addition_is_completed_and_a_whole_one_left_alone(
    root: Root, there: int, *, zeros: bool
) -> None:
    """However much of it a crash left; a disk may know its length before its bytes."""
    part = ADDED[:there] + bytes(len(ADDED) - there if zeros else 0)
    put(root, TALK, OLD + part)
    for _ in range(2):
        assert files.write(root, [MORE], ULID, unsure=True) == ()
        assert talk(root) == OLD + ADDED


def test_an_addition_that_others_have_followed_is_done(root: Root) -> None:
    put(root, TALK, OLD + ADDED + b"four\n")
    assert files.write(root, [MORE, Addition(TALK, 0, OLD)], ULID) == ()
    assert talk(root) == OLD + ADDED + b"four\n"


@pytest.mark.parametrize(
    "moved",
    [None, b"", b"one", OLD + b"t2", OLD + b"\0\0 mine\n", b"mi\nne", OLD + ADDED[:-1] + b"!"],
)
def test_an_addition_whose_ground_has_moved_is_left_out(root: Root, moved: bytes | None) -> None:
    """Somebody's bytes stand there, or fewer than there were, or none: they stay as they are."""
    if moved is not None:
        put(root, TALK, moved)
    with pytest.raises(StaleWrite):
        files.check(root, [MORE])
    assert files.write(root, [MORE, create("b.md", b"x")], ULID) == (MORE,)
    assert (talk(root), files.begun(root, [MORE])) == (moved, False)
    assert files.read(root, "b.md")


def test_an_addition_to_a_link_goes_nowhere(root: Root, prison: Path) -> None:
    """Neither through the file nor through its folder."""
    for path in ("file.md", "folder/secret.md"):
        step = Addition(path, len(b"secret"), b"x\n")
        with pytest.raises(Refused):
            files.check(root, [step])
        assert files.write(root, [step], ULID) == (step,)
    assert (prison / "secret.md").read_bytes() == b"secret"


def test_an_addition_to_a_file_with_another_name_is_for_that_name_alone(
    root: Root, tmp_path: Path
) -> None:
    """A hard link may lead to anybody's file, a backup may be made of such."""
    file = put(root, TALK, OLD)
    file.chmod(0o640)
    other = tmp_path / "other.jsonl"
    other.hardlink_to(file)
    assert files.write(root, [MORE], ULID) == ()
    assert (talk(root), other.read_bytes()) == (OLD + ADDED, OLD)
    assert (tree(root), list(files.leftovers(root))) == ({TALK: OLD + ADDED}, [])
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_disk_that_refuses_such_a_copy_leaves_both_as_they_were(
    root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    other = tmp_path / "other.jsonl"
    other.hardlink_to(put(root, TALK, OLD))
    with monkeypatch.context() as fault:
        fail(fault, call, errno.ENOSPC, when=1)
        with pytest.raises(DiskRefused):
            files.write(root, [MORE], ULID)
    assert (talk(root), other.read_bytes(), list(files.leftovers(root))) == (OLD, OLD, [])


@pytest.mark.parametrize("outside", [False, True])
def test_names_of_our_own_are_none_elsewhere(root: Root, tmp_path: Path, *, outside: bool) -> None:
    """The shelf of old inodes, and what a crash left between a name and the end of another."""
    file = put(root, "a.md", b"a")
    (root.path / files.LINGER / leftover_files.backup_folder("a.md")).mkdir(parents=True)
    (root.path / files.LINGER / leftover_files.backup_folder("a.md") / "x").hardlink_to(file)
    (root.path / f"{files.TEMP}x").hardlink_to(file)
    if outside:
        (tmp_path / "other.md").hardlink_to(file)
    found = files.read(root, "a.md")
    assert found
    assert files.is_known_elsewhere(root, "a.md", found) is outside


def test_half_a_line_is_not_added_to(root: Root) -> None:
    put(root, TALK, b"one")
    step = Addition(TALK, len(b"one"), ADDED)
    with pytest.raises(Refused, match="ends in half a line; finish the line by hand"):
        files.check(root, [step])
    assert files.write(root, [step], ULID) == (step,)
    assert talk(root) == b"one"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_disk_that_refuses_half_way_leaves_no_half_line(
    root: Root, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    """It takes five bytes and no more; what an fsync failed on is not left to look written."""
    put(root, TALK, OLD)
    with monkeypatch.context() as fault:
        write = os.write
        fault.setattr(os, "write", lambda fd, data: write(fd, data[:5]))
        fail(fault, call, code, when=2 if call == "write" else 1)
        with pytest.raises((DiskRefused, ReadOnly)):
            files.write(root, [MORE], ULID)
    assert (talk(root), files.begun(root, [MORE])) == (OLD, False)
    assert files.write(root, [MORE], ULID) == ()
    assert talk(root) == OLD + ADDED


def test_what_could_not_be_taken_back_counts_as_begun(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then it is completed later, for whoever asked was told so."""
    put(root, TALK, OLD)
    with monkeypatch.context() as fault:
        fail(fault, "fsync", errno.ENOSPC)
        fail(fault, "ftruncate", errno.EROFS)
        with pytest.raises(DiskRefused, match=os.strerror(errno.ENOSPC)):
            files.write(root, [MORE], ULID)
    assert files.begun(root, [MORE])


@pytest.mark.parametrize("step", [MORE, create("ada/b.md", b"x")])
def test_a_replay_syncs_what_it_finds_done(
    root: Root, monkeypatch: pytest.MonkeyPatch, step: Step | Addition
) -> None:
    """Whoever wrote it may have been killed before the sync; who wrote it just now has synced."""
    put(root, TALK, OLD)
    files.write(root, [step], ULID)
    synced: list[Path] = []
    fsync = os.fsync

    def noted(fd: int) -> None:
        synced.append(Path(f"/proc/self/fd/{fd}").readlink())
        fsync(fd)

    monkeypatch.setattr(os, "fsync", noted)
    files.write(root, [step], ULID)
    assert synced == []
    files.write(root, [step], ULID, unsure=True)
    own = [root.path / TALK] if step is MORE else []
    assert synced == [*own, root.path / "ada", root.path]


@pytest.mark.parametrize(
    ("data", "line", "torn"),
    [
        (b"", b"", False), (b"one", b"one", True), (b"one\n", b"one", False),
        (b"one\n\n", b"", False), (b"one\ntwo", b"two", True), (b"one\ntwo\n", b"two", False),
        (b"one\n" + b"x" * 200_000 + b"\n", b"x" * 200_000, False), (b"\n", b"", False),
    ],
)  # fmt: skip
def test_the_end_of_a_file_is_read_alone(
    root: Root, data: bytes, line: bytes, *, torn: bool
) -> None:
    assert files.ending(root, TALK) is None
    put(root, TALK, data)
    assert files.ending(root, TALK) == Ending(len(data), line, torn)


def test_a_file_comes_in_stretches_of_whole_lines_and_a_line_longer_than_any_in_pieces(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(files.stretches(root, TALK)) == []
    (root.path / TALK).parent.mkdir(parents=True)
    (root.path / TALK).write_bytes(b"ab\ncd\nefghijk\nlonger than any\nend")
    assert len([*files.stretches(root, TALK)]) == 1
    monkeypatch.setattr(partial_reads, "_STRETCH", 4)
    monkeypatch.setattr(partial_reads, "LONGEST_LINE", 8)
    found = list(files.stretches(root, TALK))
    assert found == [b"ab\n", b"cd\n", b"efghijk\n", b"longer t", b"han any\n", b"end"]


# --- when the disk says no -----------------------------------------------------------------------


def fail(monkeypatch: pytest.MonkeyPatch, call: str, code: int, when: int = 1) -> list[int]:
    """Make the *when*-th use of an os function raise *code*; return what counts the uses."""
    real, uses = getattr(os, call), [0]

    def faulty(*args: object, **kwargs: object) -> object:
        uses[0] += 1
        if uses[0] == when:
            raise OSError(code, os.strerror(code))
        return real(*args, **kwargs)

    monkeypatch.setattr(os, call, faulty)
    return uses


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace"])
def test_a_refusing_disk_leaves_the_old_file_and_no_litter(
    root: Root, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    """Whatever step fails: a typed error, the old bytes, and success once the fault is gone."""
    put(root, "tea.md", b"old")
    step = change("tea.md", b"old", b"new")
    with monkeypatch.context() as fault:
        fail(fault, call, code)
        with pytest.raises(DiskRefused, match=os.strerror(code)):
            files.write(root, [step], ULID)
    assert tree(root) == {"tea.md": b"old"}
    assert files.write(root, [step], ULID) == ()
    assert tree(root) == {"tea.md": b"new"}


def test_an_io_error_of_fsync_is_never_retried(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page may be lost and look clean, so one failure is the last write."""
    uses = fail(monkeypatch, "fsync", errno.EIO)
    put(root, "tea.md", b"old")
    with pytest.raises(ReadOnly):
        files.write(root, [change("tea.md", b"old", b"new"), create("b.md", b"x")], ULID)
    assert uses == [1]
    assert tree(root) == {"tea.md": b"old"}


@pytest.mark.parametrize("code", [errno.EMFILE, errno.EIO, errno.EACCES])
def test_a_listing_that_cannot_be_made_is_no_empty_one(
    root: Root, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """Whatever the reason: it is said, and nobody takes the notes for gone."""
    put(root, "a/tea.md", b"x")
    fail(monkeypatch, "listdir", code)
    with pytest.raises(DiskRefused, match=os.strerror(code)):
        files.listing(root)


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOTSUP])
def test_a_file_system_that_cannot_sync_folders_is_tolerated(
    root: Root, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """Some network file systems say EINVAL to the fsync of a folder."""
    fsync = os.fsync

    def no_folders(fd: int) -> None:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(code, os.strerror(code))
        fsync(fd)

    monkeypatch.setattr(os, "fsync", no_folders)
    assert files.write(root, [create("a/tea.md", b"x")], ULID) == ()
    files.discard(root, "a/tea.md")
    assert tree(root) == {}


def test_a_file_that_may_not_be_read_is_not_a_missing_one(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No permission is an error with a sentence; only absence is None."""
    put(root, "a/tea.md", b"x")
    with monkeypatch.context() as fault:
        fail(fault, "open", errno.EACCES, when=2)
        with pytest.raises(DiskRefused, match="Permission denied"):
            files.read(root, "a/tea.md")
    with monkeypatch.context() as fault:
        fail(fault, "open", errno.EACCES)
        found = scan.of(files.folders(root))
    assert (found.counts, found.shut) == ({}, {"a/": "Permission denied"})
    assert (found.hides("a/tea.md"), found.hides("b/tea.md")) == (True, False)
    with monkeypatch.context() as fault:
        fail(fault, "listdir", errno.EACCES)
        with pytest.raises(DiskRefused, match="Permission denied"):
            files.listing(root)


# --- old inodes ----------------------------------------------------------------------------------


def conflicts(folder: Path) -> dict[str, bytes]:
    """Return what waits in the inbox."""
    return {p.name: p.read_bytes() for p in (folder / "inbox").glob("conflict-*")}


def replaced(writer: Writer, name: str) -> None:
    """Replace a note while an editor holds it open; the editor then saves into the old inode."""
    put(writer.root, name, b"old")
    with (writer.root.path / name).open("r+b") as editor:
        files.write(writer.root, [change(name, b"old", b"ours")], writer.mint()[0])
        editor.write(b"typed late")


def test_what_an_editor_writes_into_a_replaced_file_reaches_the_inbox(
    writer: Writer, clock: Clock
) -> None:
    """Nothing of it is lost, our version stands, and the old inode is let go once it rested."""
    replaced(writer, "tea.md")
    (old,) = files.replaced_files(writer.root)
    clock.now = datetime.fromtimestamp(old.since + 3599, UTC)
    writer.sweep(quiet=3600)
    assert conflicts(writer.root.path) == {}
    writer.sweep(quiet=0)
    assert list(conflicts(writer.root.path).values()) == [b"typed late"]
    assert (writer.root.path / "tea.md").read_bytes() == b"ours"
    assert list((writer.root.path / files.LINGER).iterdir()) == []


@pytest.mark.skipif(not hasattr(fcntl, "F_SETLEASE"), reason="nobody tells who has a file open")
def test_an_old_inode_stays_for_as_long_as_an_editor_holds_it_open(writer: Writer) -> None:
    """Who saves over a slow line may take longer than a file takes to rest."""
    put(writer.root, "tea.md", b"old")
    with (writer.root.path / "tea.md").open("r+b", buffering=0) as editor:
        files.write(writer.root, [change("tea.md", b"old", b"ours")], writer.mint()[0])
        editor.write(b"typed")
        writer.sweep(quiet=0)
        assert conflicts(writer.root.path) == {}
        editor.write(b" very late")
    writer.sweep(quiet=0)
    assert list(conflicts(writer.root.path).values()) == [b"typed very late"]
    assert list((writer.root.path / files.LINGER).iterdir()) == []


@pytest.mark.parametrize("name", ["What is tea?.md", "x" * 240 + ".md", "caf\u00e9/" + "ä" * 100])
def test_a_late_edit_is_kept_whatever_the_note_is_called(writer: Writer, name: str) -> None:
    """A person's name for a note may be one that we would not give."""
    replaced(writer, name)
    writer.sweep(quiet=0)
    assert list(conflicts(writer.root.path).values()) == [b"typed late"]


def test_two_late_edits_in_one_second_are_both_kept(writer: Writer) -> None:
    """The same note, or two of one name: each version has a file of its own."""
    for name in ("a/tea.md", "b/tea.md"):
        put(writer.root, name, name.encode())
        with (writer.root.path / name).open("r+b") as editor:
            files.write(writer.root, [change(name, name.encode(), b"ours")], writer.mint()[0])
            editor.write(f"late in {name}".encode())
    writer.sweep(quiet=0)
    assert sorted(conflicts(writer.root.path).values()) == [
        b"late in a/tea.md",
        b"late in b/tea.md",
    ]


def test_our_own_bytes_are_no_late_edit(writer: Writer) -> None:
    """The power went between the two folders of an exchange; the note has moved on since."""
    put(writer.root, "tea.md", b"old")
    files.write(writer.root, [change("tea.md", b"old", b"ours")], writer.mint()[0])
    (old,) = files.replaced_files(writer.root)
    (writer.root.path / old.kept).write_bytes(b"ours")
    (writer.root.path / "tea.md").unlink()
    writer.sweep(quiet=0)
    assert conflicts(writer.root.path) == {}
    assert list((writer.root.path / files.LINGER).iterdir()) == []


def test_an_old_inode_that_still_has_its_name_is_no_conflict(writer: Writer) -> None:
    """A crash came between the second name and the replacing; the person goes on typing."""
    note = put(writer.root, "tea.md", b"old")
    shelf = writer.root.path / files.LINGER / "tea.md~"
    shelf.mkdir(parents=True)
    (shelf / f"{sha256(b'old')}-{ULID}").hardlink_to(note)
    note.write_bytes(b"typed on")
    writer.sweep(quiet=0)
    assert conflicts(writer.root.path) == {}
    assert note.read_bytes() == b"typed on"


def test_an_old_inode_that_says_what_stands_there_is_no_conflict(writer: Writer) -> None:
    """A power loss came in the middle of an exchange, and the recovery wrote the same again."""
    put(writer.root, "tea.md", b"ours")
    kept = f"{files.LINGER}/tea.md~/{sha256(b'old')}-{ULID}"
    put(writer.root, kept, b"ours")
    writer.sweep(quiet=0)
    assert conflicts(writer.root.path) == {}
    assert not (writer.root.path / kept).exists()


# --- leftovers -----------------------------------------------------------------------------------


def dead_process() -> int:
    """Return the number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_only_temporary_files_of_dead_processes_are_swept(writer: Writer) -> None:
    """Ours still writes, another machine's cannot be judged; the dead ones' go.

    One of them had the number that we have now, as it is in a container that was started anew.
    """
    host = leftover_files._host()
    dead = [f".obsidian/{files.TEMP}{host}-{dead_process()}-{ULID}-0",
            f"notes/{files.TEMP}{host}-{os.getpid()}.1-{ULID}-0"]  # fmt: skip
    kept = [f"notes/{leftover_files.temporary(ULID, 0)}",
            f"notes/{files.TEMP}elsewhere-{dead_process()}-{ULID}-0"]  # fmt: skip
    for name in (*dead, *kept):
        put(writer.root, name, b"half")
    assert sorted(files.leftovers(writer.root)) == sorted([*dead, *kept])
    writer.sweep()
    assert sorted(files.leftovers(writer.root)) == sorted(kept)


def test_a_dead_namesake_does_not_stop_a_write(root: Root) -> None:
    """Who died at this very write had the name we have, where nobody says when we started."""
    put(root, leftover_files.temporary(ULID, 0), b"half")
    assert files.write(root, [create("tea.md", b"whole")], ULID) == ()
    assert tree(root) == {"tea.md": b"whole"}


# --- listing -------------------------------------------------------------------------------------


def test_a_listing_has_the_notes_and_nothing_else(root: Root) -> None:
    """Dot-folders, editors' files and other formats are not notes; every folder is watched."""
    names = ["tea.md", "a/b/deep.md", ".hidden.md", ".obsidian/x.md", ".git/y.md", "tea.md~",
             "tea.md.swp", "tea.md.tmp", "a.canvas", "a/tea.md.icloud"]  # fmt: skip
    for name in names:
        put(root, name, b"x")
    listing = files.listing(root)
    assert sorted(listing.files) == ["a/b/deep.md", "tea.md"]
    assert listing.files["tea.md"] == files.stamp(root, "tea.md")
    assert sorted(listing.folders) == ["", "a/", "a/b/"]
    assert scan.of(files.folders(root, listing.folders)) == Scan(
        listing.folders, unmoved=frozenset(listing.folders)
    )
    assert listing.odd == ()


def test_a_name_that_is_no_utf_8_is_odd_and_can_be_shown(root: Root) -> None:
    """Linux lets any bytes be a name; no index and no terminal would take this one."""
    put(root, os.fsdecode(b"caf\xe9.md"), b"x")
    put(root, os.fsdecode(b"d\xe9p/tea.md"), b"x")
    listing = files.listing(root)
    assert (listing.files, listing.odd) == ({}, ("caf\\xe9.md", "d\\xe9p"))


def test_what_disappears_under_a_listing_is_left_out(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder and a file are removed just after their names were read."""
    for name in ("stays.md", "goes.md", "gone/tea.md"):
        put(root, name, b"x")
    listdir = os.listdir

    def slow(fd: int) -> list[str]:
        """Return names that are no more true by then."""
        names = listdir(fd)
        (root.path / "goes.md").unlink(missing_ok=True)
        (root.path / "gone/tea.md").unlink(missing_ok=True)
        if (root.path / "gone").exists():
            (root.path / "gone").rmdir()
        return names

    monkeypatch.setattr(os, "listdir", slow)
    assert sorted(files.listing(root).files) == ["stays.md"]


def test_a_vault_that_lives_shows_no_leftovers(vault: Vault) -> None:
    """An ordinary day leaves no temporary file behind."""
    vault.remember("Oolong in the morning.", source="user")
    vault.tick()
    assert list(files.leftovers(vault.store.root)) == []
