"""The lock that writers, dreams and the daemon take: one at a time, and no longer than it lives."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from vaultmem.errors import Busy, DiskRefused
from vaultmem.storage import file_lock

pytestmark = pytest.mark.without_history


def forked(work: Callable[[], object]) -> int:
    """Return a fork of this process that ends once *work* is done."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


def is_free(path: Path) -> bool:
    try:
        with file_lock.locked(path, patience=0):
            return True
    except BlockingIOError:
        return False


def test_a_fork_that_ends_what_its_parent_began_leaves_the_lock_to_it(tmp_path: Path) -> None:
    """It has a copy of all, of the end of the block, too."""
    path = tmp_path / "lock"
    held = file_lock.locked(path)
    with held:
        child = forked(lambda: held.__exit__(None, None, None))
        assert os.waitpid(child, 0)[1] == 0
        assert not is_free(path)
    assert is_free(path)


def test_a_lock_ends_with_its_process_though_a_fork_of_that_lives_on(tmp_path: Path) -> None:
    path, (hears, lives), (born, bears) = tmp_path / "lock", os.pipe(), os.pipe()

    def live_on() -> None:
        os.close(lives)
        os.write(bears, b"1")
        os.read(hears, 1)

    def take_it_fork_and_die() -> None:
        with file_lock.locked(path):
            forked(live_on)
            os._exit(0)

    assert os.waitpid(forked(take_it_fork_and_die), 0)[1] == 0
    os.read(born, 1)  # until it runs it has had no time to close what it has of the lock
    assert is_free(path)
    for end in (lives, hears, born, bears):
        os.close(end)


def test_who_waited_for_a_file_that_was_removed_takes_the_one_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or two would hold a lock each, of two files with one name."""
    path = tmp_path / "lock"
    take = file_lock._take

    def remove_first(fd: int, how: int, patience: float) -> None:
        take(fd, how, patience)
        monkeypatch.setattr(file_lock, "_take", take)
        path.unlink()

    monkeypatch.setattr(file_lock, "_take", remove_first)
    with file_lock.locked(path):
        assert not is_free(path)


def test_the_lock_of_a_folder_stays_whatever_is_deleted_in_it(tmp_path: Path) -> None:
    path, fd = tmp_path / "lock", os.open(tmp_path, os.O_RDONLY)
    again = file_lock.alone(path, "a lock", 0, folder=fd)
    with file_lock.alone(path, "a lock", 0, folder=fd):
        path.unlink()
        with pytest.raises(Busy), again:
            pass
    with file_lock.alone(path, "a lock", 0, folder=fd):
        pass
    os.close(fd)


def test_where_folders_have_no_locks_the_file_s_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(fd: int, how: int, patience: float) -> None:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(errno.EBADF, "as NFS says")
        take(fd, how, patience)

    take = file_lock._take
    monkeypatch.setattr(file_lock, "_take", refuse)
    path, fd = tmp_path / "lock", os.open(tmp_path, os.O_RDONLY)
    with file_lock.alone(path, "a lock", 0, folder=fd):
        assert not is_free(path)
    os.close(fd)


def test_who_is_not_alone_is_told_who_is(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    again = file_lock.alone(path, "the dreams' lock", 0)
    with file_lock.alone(path, "the dreams' lock", 0), pytest.raises(Busy) as told, again:
        pass
    assert told.value.what == "the dreams' lock"
    with file_lock.alone(path, "the dreams' lock", 0):
        pass


def test_what_fails_inside_is_not_said_to_be_the_locks(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), file_lock.alone(tmp_path / "lock", "a lock", 0):
        (tmp_path / "nothing").read_bytes()
    with pytest.raises(DiskRefused), file_lock.alone(tmp_path / "no/lock", "a lock", 0):
        pass
