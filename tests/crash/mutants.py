"""Mutants: the write protocol, each with one guarantee taken out. A proof must catch them all."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from unittest import mock

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import VaultError
from vaultmem.maintenance import missing_memories
from vaultmem.records import utc_now
from vaultmem.storage import files, journal, processes
from vaultmem.storage.commits import Commits
from vaultmem.storage.files import Addition, Root, Step, appending, name_exchange, new_file
from vaultmem.storage.files import atomic_write as protocol
from vaultmem.storage.files.appending import Tail
from vaultmem.storage.journal import Intent
from vaultmem.storage.ledger import comparison
from vaultmem.storage.ledger.service import Acknowledged
from vaultmem.storage.old_inodes import OldInodes
from vaultmem.storage.writer import Writer

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


@contextmanager
def _instead(*swaps: tuple[object, str, object]) -> Iterator[None]:
    with ExitStack() as stack:
        for where, name, what in swaps:
            stack.enter_context(mock.patch.object(where, name, what))
        yield


def _no_file_fsync() -> AbstractContextManager[None]:
    return _instead((new_file, "create", _write_unsynced))


def _write_unsynced(folder: int, name: str, chunks: Iterable[bytes], **_: object) -> None:
    fd = os.open(name, _NEW, 0o600, dir_fd=folder)
    os.write(fd, b"".join(chunks))
    os.close(fd)


def _no_folder_fsync() -> AbstractContextManager[None]:
    return _instead((new_file, "sync_folder", lambda *_: None))


def _no_journal() -> AbstractContextManager[None]:
    nothing = lambda *_: None  # noqa: E731
    return _instead(*((journal, name, nothing) for name in ("begin", "applied", "finish")))


def _intent_removed_early() -> AbstractContextManager[None]:
    real = files.write

    def apply(self: Writer, todo: Intent) -> None:
        journal.finish(self.root, todo)
        real(self.root, [w.step for w in todo.writes], todo.id)

    return _instead((Writer, "_apply", apply), (journal, "applied", lambda *_: None))


def _retired_first() -> AbstractContextManager[None]:
    real = protocol._publish

    def publish(writing: protocol._Writing, step: Step | Addition, temp: str) -> bool:
        *folder, name = files.inside(step.path)
        if isinstance(step, Addition) or step.pre is None or step.data is None:
            return real(writing, step, temp)
        fd = writing.folder(tuple(folder))
        writing.touched.add(tuple(folder))
        os.unlink(name, dir_fd=fd)
        return protocol._create(fd, temp, name)

    return _instead((protocol, "_publish", publish))


def _written_in_place() -> AbstractContextManager[None]:
    real = protocol._publish

    def publish(writing: protocol._Writing, step: Step | Addition, temp: str) -> bool:
        *folder, name = files.inside(step.path)
        if isinstance(step, Addition) or step.pre is None or step.data is None:
            return real(writing, step, temp)
        fd = os.open(name, os.O_WRONLY | os.O_TRUNC, dir_fd=writing.folder(tuple(folder)))
        os.write(fd, step.data)
        os.fsync(fd)
        os.close(fd)
        return True

    return _instead((protocol, "_publish", publish))


def _published_before_fsync() -> AbstractContextManager[None]:
    real = protocol._Writing.sync

    def sync(self: protocol._Writing) -> None:
        real(self)
        for folder in self.fds.values():
            with os.scandir(folder) as entries:
                for entry in entries:
                    _fsync_name(folder, entry.name)

    return _instead((new_file, "create", _write_unsynced), (protocol._Writing, "sync", sync))


def _fsync_name(folder: int, name: str) -> None:
    with suppress(IsADirectoryError):
        fd = os.open(name, os.O_WRONLY | os.O_NOFOLLOW, dir_fd=folder)
        os.fsync(fd)
        os.close(fd)


def _folder_before_file() -> AbstractContextManager[None]:
    """Acknowledge after the journal alone: the vault's folders are never synced."""

    def sync(self: protocol._Writing) -> None:
        ours = {parts for parts in self.touched if parts[:1] == (".vaultmem",)}
        for parts in ours:
            new_file.sync_folder(self.fds[parts], "/".join(parts))
        self.touched.clear()

    return _instead((protocol._Writing, "sync", sync))


def _fsync_tried_again() -> AbstractContextManager[None]:
    def create(folder: int, name: str, chunks: Iterable[bytes], **_: object) -> None:
        fd = os.open(name, _NEW, 0o600, dir_fd=folder)
        os.write(fd, b"".join(chunks))
        try:
            os.fsync(fd)
        except OSError:
            os.fsync(fd)
        os.close(fd)

    return _instead((new_file, "create", create))


def _no_fsync_of_additions() -> AbstractContextManager[None]:
    return _instead((appending, "_write", _add_unsynced))


def _add_unsynced(fd: int, step: Addition) -> None:
    os.write(fd, step.data)


UNSYNCED_ADDITION = "no fsync of what is added"

MUTANTS: Mapping[str, Callable[[], AbstractContextManager[None]]] = {
    "no fsync of files": _no_file_fsync,
    "no fsync of folders": _no_folder_fsync,
    "no fsync of the vault's own folders": _folder_before_file,
    "no journal": _no_journal,
    "the intent removed before the write": _intent_removed_early,
    "the old file removed first": _retired_first,
    "written in place": _written_in_place,
    "published before its fsync": _published_before_fsync,
    "fsync tried again after EIO": _fsync_tried_again,
    UNSYNCED_ADDITION: _no_fsync_of_additions,
}
"""What is broken, and the change that breaks it; each is caught by states of the power model."""

FIXED_NAME = "one temporary name for all"
BLIND_REPLAY = "a replay that does not look first"
ADDED_AGAIN = "a replay that adds again what is there"


@contextmanager
def fixed_name() -> Iterator[None]:
    """Stage every file under the same name, as `path.with_suffix('.tmp')` does."""

    def stage(writing: protocol._Writing, step: Step, n: int) -> str:
        del n
        *folder, _ = files.inside(step.path)
        fd = writing.folder(tuple(folder), make=True)
        out = os.open(files.TEMP, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600, dir_fd=fd)
        os.write(out, step.data or b"")
        os.close(out)
        return files.TEMP

    with mock.patch.object(protocol, "_stage", stage):
        yield


def two_writers(root: Root) -> Sequence[str]:
    """Let a writer stage, another write as a whole, and the first go on; return what went wrong.

    This is the scene for `fixed_name`: the second one's bytes must not end under the first's name.
    """
    mine, theirs = Step("mine.md", None, b"mine\n"), Step("theirs.md", None, b"theirs\n")
    real = protocol._publish

    def publish(writing: protocol._Writing, step: Step, temp: str) -> bool:
        if step == mine:
            files.write(root, [theirs], "B" * 26)
        return real(writing, step, temp)

    try:
        with mock.patch.object(protocol, "_publish", publish):
            files.write(root, [mine], "A" * 26)
    except (OSError, VaultError) as e:
        return (f"{type(e).__name__}: {e}",)
    wrong = (s for s in (mine, theirs) if (found := files.read(root, s.path)) is None
             or found.data != s.data)  # fmt: skip
    return tuple(f"{s.path} holds other bytes" for s in wrong)


_EXCHANGE = name_exchange.exchange
BLIND_EXCHANGE = "a replacing that does not look at what it takes"


@contextmanager
def blind_exchange() -> Iterator[None]:
    """Let a rename take whatever stands there by then."""
    with mock.patch.object(name_exchange, "exchange", return_value=False):
        yield


def late_save(root: Root) -> Sequence[str]:
    """Let an editor save just before a file gets its new bytes; return what went wrong.

    This is the scene for `blind_exchange`: what was saved must be in the file, or kept.
    """
    path, step = root.path / "tea.md", Step("tea.md", files.sha256(b"old"), b"ours")
    path.write_bytes(b"old")
    swap, move = name_exchange.exchange, os.replace

    def save(name: object) -> None:
        if name == path.name:
            path.with_name("fresh").write_bytes(b"saved")
            move(path.with_name("fresh"), path)

    def exchanged(shelf: int, kept: str, folder: int, name: str) -> bool:
        save(name if swap is _EXCHANGE else "")
        return swap(shelf, kept, folder, name)

    def moved(name: str, to: str, **folders: int) -> None:
        save(to)
        move(name, to, **folders)

    with _instead((os, "replace", moved), (name_exchange, "exchange", exchanged)):
        files.write(root, [step], "A" * 26)
    held = [p.read_bytes() for p in root.path.rglob("*") if p.is_file()]
    return () if b"saved" in held else ("a save is in no file",)


KNOWN_BY_NUMBER = "a process known by its number alone"


@contextmanager
def known_by_number() -> Iterator[None]:
    """Take whoever has the number of a dead process for it."""
    with mock.patch.object(processes, "started_at", return_value=""):
        yield


def number_given_again(root: Root) -> Sequence[str]:
    """Sweep what a process left whose number is ours now; return what went wrong.

    This is the scene for `known_by_number`: in a container every start has the numbers of the last.
    """
    ours = files.leftover_files.temporary("A" * 26, 0)
    dead = ours.replace(processes.own_name(), f"{os.getpid()}.1")
    for name in {ours, dead}:
        (root.path / name).write_bytes(b"half")
    files.sweep(root, [""])
    return tuple(f"{name} is still there" for name in files.names(root, "") if name == dead)


KNOWN_BY_OLD_BYTES = "an old inode known by its old bytes alone"


@contextmanager
def known_by_old_bytes() -> Iterator[None]:
    """Take our own bytes in the place of an old inode for somebody's."""
    with mock.patch.object(files.ReplacedFile, "is_known", return_value=False):
        yield


def half_an_exchange(root: Root) -> Sequence[str]:
    """Lose one of the two folders of an exchange with the power; return what went wrong.

    This is the scene for `known_by_old_bytes`: what we wrote is kept where it was, and goes.
    """
    (root.path / "tea.md").write_bytes(b"old")
    files.write(root, [Step("tea.md", files.sha256(b"old"), b"ours")], "A" * 26)
    for kept in files.replaced_files(root):
        (root.path / kept.kept).write_bytes(b"ours")
        (root.path / "tea.md").unlink()
        OldInodes(root, utc_now, lambda: "B" * 26).let_go(kept)
    return tuple(f"our own bytes are in {name}" for name in files.names(root, "inbox"))


@contextmanager
def blind_replay() -> Iterator[None]:
    """Carry out every step of a replay, whatever stands there now."""

    def publish(writing: protocol._Writing, step: Step, temp: str) -> bool:
        *folder, name = files.inside(step.path)
        fd = writing.folder(tuple(folder))
        writing.touched.add(tuple(folder))
        if temp:
            os.replace(temp, name, src_dir_fd=fd, dst_dir_fd=fd)
        else:
            os.unlink(name, dir_fd=fd)
        return True

    with (
        mock.patch.object(protocol, "_due", return_value=True),
        mock.patch.object(protocol, "_publish", publish),
    ):
        yield


@contextmanager
def added_again() -> Iterator[None]:
    """Add to the end of a file whatever stands there already."""
    with _instead((appending, "_tail", lambda *_: Tail.FREE), (appending, "_write", _add_unsynced)):
        yield


@contextmanager
def no_ledger() -> Iterator[None]:
    """Acknowledge, and write nothing down; nor make the ledger anew from commits."""
    with _instead(
        (Acknowledged, "add", lambda *_: None), (comparison, "acknowledged", lambda *_: iter(()))
    ):
        yield


@contextmanager
def not_brought_back() -> Iterator[None]:
    """Leave what lies only on disk and has left HEAD."""
    with _instead((Commits, "_bring_back", lambda *_: None)):
        yield


def old_index(path: Path) -> Sequence[str]:
    """Let a git write back an index that it read before a memory was kept, and a person commit.

    This is the scene for `no_ledger` and `not_brought_back`: the memory must be named, and be in
    HEAD after the next round.
    """
    create.create(path, utc_now)
    with Vault.open(path) as vault:
        index = (path / ".git/index").read_bytes()
        kept = vault.remember("The key hangs behind the door.", agent="ada").path
        (path / ".git/index").write_bytes(index)
        argv = ["git", "-c", "user.name=P", "-c", "user.email=p@example.org"]
        work = ["commit", "--quiet", "--allow-empty", "-m", "a person's work"]
        subprocess.run([*argv, *work], cwd=path, check=True, capture_output=True)
        named = kept in {p.path for p in vault.status().problems if p.code == missing_memories.CODE}
        vault.tick()
        repository = vault.store.writer.repository
        back = repository is not None and repository.show("HEAD", kept) is not None
    wrong = {"is not named": named, "is not in HEAD after a round": back}
    return tuple(f"{kept} {what}" for what, holds in wrong.items() if not holds)


OF_THE_LEDGER: Mapping[str, Callable[[], AbstractContextManager[None]]] = {
    "nothing written into the ledger": no_ledger,
    "what left HEAD not brought back": not_brought_back,
}
