"""Bytes on disk: read, list, and the one way to write a set of files so that a crash tears none.

Every path is walked component by component from a held descriptor, with O_NOFOLLOW, so that no
check is apart from its use. Nothing here knows what a memory is.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from vaultmem.errors import DiskRefused, NameTaken, ReadOnly, Refused, StaleWrite

TEMP = ".vm-tmp-"
LINGER = ".vaultmem/linger"
READ_ONLY = ".vaultmem/read-only"
"""What a failed fsync leaves; only `fsck --repair` takes it away."""

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_REGULAR = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_DIRECTORY_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP})
_UNPORTABLE = frozenset('\\:*?"<>|#^[]')
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10)}
)
_GITS_OWN = re.compile(r"\.git[. ]*|git~1", re.IGNORECASE)
_LONGEST_NAME = 120
_LONGEST_SHELF = 200
_NO_FILE = frozenset({errno.ELOOP, errno.ENXIO, errno.EISDIR})
_OTHER = "no regular file"
_EDITORS_OWN = (".tmp", "~", ".swp", ".swo", ".swx", ".icloud")


class Stamp(NamedTuple):
    """What tells a changed file from an unchanged one without reading it."""

    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it was read: its bytes, their sha-256, its stamp."""

    data: bytes
    sha: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Listing:
    """Every Markdown file below the root, every folder's mtime, and what is neither."""

    files: dict[str, Stamp]
    folders: dict[str, int]
    odd: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One file of a write: from the bytes hashed *pre* to *data*; None is absence."""

    path: str
    pre: str | None
    data: bytes | None

    @property
    def post(self) -> str | None:
        """The sha-256 the file has when this step is done."""
        return None if self.data is None else sha256(self.data)


class Root:
    """A folder held open: all access below it goes through this descriptor."""

    def __init__(self, path: Path) -> None:
        """Open the folder at *path*; raises DiskRefused when the system does not let us."""
        self.path = path
        try:
            self.fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as e:
            raise DiskRefused(str(path), e.strerror or str(e)) from e

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self.fd)


def sha256(data: bytes) -> str:
    """Return the lower-case hexadecimal sha-256 of *data*."""
    return hashlib.sha256(data).hexdigest()


def content(data: bytes) -> Content:
    """Return *data* as if it had been read from a file, without a stamp."""
    return Content(data, sha256(data), Stamp(len(data), 0, 0))


# --- names ------------------------------------------------------------------------------------


def inside(path: str) -> tuple[str, ...]:
    """Return the components of a relative *path*; raises Refused when it could leave the root.

    What git keeps for itself is outside, too: its config runs commands.
    """
    parts = tuple(path.split("/"))
    if "\0" in path or not _encodable(path) or any(_leaves(p) for p in parts):
        raise Refused(f"{path!r} is not a path inside the vault")
    return parts


def _leaves(part: str) -> bool:
    return part in {"", ".", ".."} or _GITS_OWN.fullmatch(part) is not None


def _encodable(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def portable(path: str) -> tuple[str, ...]:
    """Return the components of *path*; raises Refused when some system could not hold it."""
    parts = inside(path)
    for part in parts:
        if fault := _fault(part):
            raise Refused(f"{path!r} is no name for every file system: {fault}")
    return parts


def _fault(name: str) -> str | None:
    if not (name.isprintable() and _UNPORTABLE.isdisjoint(name)):
        return "holds a character that Windows or Obsidian refuses"
    if len(name.encode()) > _LONGEST_NAME:
        return f"longer than {_LONGEST_NAME} bytes"
    if name != unicodedata.normalize("NFC", name):
        return "not in Unicode's composed form (NFC)"
    if name.endswith((".", " ")) or name.partition(".")[0].lower() in _DEVICES:
        return "Windows keeps this name for itself"
    return None


def slug(text: str, limit: int = 60) -> str:
    """Return a lower-case ASCII name for *text* of at most *limit* characters; may be empty."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = "".join(c if c.isalnum() else " " for c in ascii_text).split()
    while words and len("-".join(words)) > limit:
        if len(words) == 1:
            return words[0][:limit]
        words.pop()
    return "-".join(words)


# --- reading ----------------------------------------------------------------------------------


@contextlib.contextmanager
def _folder(root: Root, parts: Sequence[str]) -> Iterator[int]:
    """Yield a descriptor of the folder that *parts* name, following no link."""
    fd = os.dup(root.fd)
    try:
        for part in parts:
            inner = os.open(part, _DIRECTORY, dir_fd=fd)
            os.close(fd)
            fd = inner
        yield fd
    finally:
        os.close(fd)


def read(root: Root, path: str) -> Content | None:
    """Return the file at *path*, None when there is none.

    Raises Refused for a link or device and DiskRefused when the system does not let us read.
    """
    *folder, name = inside(path)
    try:
        with _folder(root, folder) as fd:
            return _read(fd, name)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as e:
        if e.errno == errno.ENAMETOOLONG:  # nothing can have this name
            return None
        if e.errno in _NO_FILE:
            raise Refused(f"{path} is a link or a device; vaultmem reads regular files") from e
        raise DiskRefused(path, e.strerror or str(e)) from e


def _read(folder: int, name: str) -> Content:
    fd = os.open(name, _REGULAR, dir_fd=folder)
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EISDIR, "not a regular file", name)
        with open(fd, "rb", closefd=False) as stream:
            data = stream.read()
    finally:
        os.close(fd)
    return Content(data, sha256(data), _stamp(found))


def _stamp(found: os.stat_result) -> Stamp:
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino)


def stamp(root: Root, path: str) -> Stamp | None:
    """Return the stamp of the regular file at *path*, None when there is none."""
    found = _stat(root, path)
    return _stamp(found) if found and stat.S_ISREG(found.st_mode) else None


def _stat(root: Root, path: str) -> os.stat_result | None:
    *folder, name = inside(path)
    try:
        with _folder(root, folder) as fd:
            return os.stat(name, dir_fd=fd, follow_symlinks=False)
    except OSError:  # gone, or a folder on the way is now something else: not there for us
        return None


def listing(root: Root) -> Listing:
    """Return every Markdown file below *root* but dot-folders and editors' temporary files.

    Raises DiskRefused for a folder we may not read: what is in it is not gone.
    """
    files: dict[str, Stamp] = {}
    folders: dict[str, int] = {}
    odd: list[str] = []
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        # A folder may be removed, or become a link, after its name was listed.
        with (
            contextlib.suppress(FileNotFoundError, NotADirectoryError),
            _listed(root, prefix) as fd,
        ):
            folders[prefix] = os.fstat(fd).st_mtime_ns
            with os.scandir(fd) as entries:
                for entry in entries:
                    _list(entry, prefix, files, waiting, odd)
    return Listing(files, folders, tuple(sorted(odd)))


@contextlib.contextmanager
def _listed(root: Root, prefix: str) -> Iterator[int]:
    try:
        with _folder(root, prefix.split("/")[:-1]) as fd:
            yield fd
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as e:
        raise DiskRefused(prefix or ".", e.strerror or str(e)) from e


def _list(
    entry: os.DirEntry[str],
    prefix: str,
    files: dict[str, Stamp],
    waiting: list[str],
    odd: list[str],
) -> None:
    name = entry.name
    if name.startswith("."):
        return
    if name.endswith(".md") and name.isascii():  # nearly all: a vault of years has many
        _list_note(entry, prefix + name, files, odd)
    elif name.endswith(_EDITORS_OWN):
        return
    elif entry.is_symlink() or not _is_text(name):
        # A name that is no UTF-8 could not even be shown.
        odd.append(os.fsencode(prefix + name).decode("utf-8", "backslashreplace"))
    elif name.endswith(".md"):
        _list_note(entry, prefix + name, files, odd)
    elif entry.is_dir(follow_symlinks=False):
        waiting.append(prefix + name + "/")


def _list_note(entry: os.DirEntry[str], path: str, files: dict[str, Stamp], odd: list[str]) -> None:
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return
    if stat.S_ISREG(found.st_mode):
        files[path] = Stamp(found.st_size, found.st_mtime_ns, found.st_ino)
    else:
        odd.append(path)


def _is_text(name: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in name)


def folder_mtimes(root: Root, folders: Iterable[str]) -> dict[str, int]:
    """Return the mtime in nanoseconds of each of *folders* (as in a Listing) that still stands."""
    found: dict[str, int] = {}
    for folder in folders:
        with contextlib.suppress(OSError):
            there = os.stat(folder or ".", dir_fd=root.fd, follow_symlinks=False)
            found[folder] = there.st_mtime_ns
    return found


def leftovers(root: Root) -> Iterator[str]:
    """Yield the paths of temporary files of ours, wherever they lie."""
    for base, folders, names, _ in os.fwalk(dir_fd=root.fd, follow_symlinks=False):
        folders[:] = [f for f in folders if f not in {".git", ".trash"}]
        yield from (str(PurePosixPath(base, n)) for n in names if n.startswith(TEMP))


# --- writing ----------------------------------------------------------------------------------


class _Writing:
    """The folders one write has open, so that each is walked and synced once."""

    def __init__(self, root: Root, token: str, *, unsure: bool) -> None:
        self.root = root
        self.token = token
        self.unsure = unsure
        self.fds: dict[tuple[str, ...], int] = {(): os.dup(root.fd)}
        self.touched: set[tuple[str, ...]] = set()
        self.staged: list[tuple[int, str]] = []

    def folder(self, parts: tuple[str, ...], *, make: bool = False) -> int:
        """Return the descriptor of a folder, made with mode 0700 if asked."""
        if parts not in self.fds:
            above = self.folder(parts[:-1], make=make)
            if make:
                self._make(above, parts)
            self.fds[parts] = os.open(parts[-1], _DIRECTORY, dir_fd=above)
        return self.fds[parts]

    def _make(self, above: int, parts: tuple[str, ...]) -> None:
        try:
            os.mkdir(parts[-1], 0o700, dir_fd=above)
        except FileExistsError:
            if not self.unsure:
                return
        self.touched.add(parts[:-1])

    def sync(self) -> None:
        """Make every touched folder durable, the deepest first."""
        for parts in sorted(self.touched, key=len, reverse=True):
            _sync_folder(self.fds[parts], "/".join(parts))
        self.touched.clear()

    def close(self) -> None:
        """Remove what was staged and not published, and give the descriptors back."""
        for fd, name in self.staged:
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=fd)
        for fd in self.fds.values():
            os.close(fd)


def check(root: Root, steps: Iterable[Step]) -> None:
    """Raise StaleWrite or NameTaken when a file is not as its step expects; writes nothing.

    Raises Refused for a new file whose name or folder could not be: found out later, it would
    stop a write that is already promised.
    """
    ways: set[str] = set()
    for step in steps:
        if step.pre is None:
            portable(step.path)
            folder = step.path.rpartition("/")[0]
            if folder not in ways:
                _check_way(root, step.path)
                ways.add(folder)
        current = read(root, step.path)
        found = current.sha if current else None
        if found not in {step.pre, step.post}:
            raise _conflict(step, found)


def _check_way(root: Root, path: str) -> None:
    try:
        with contextlib.suppress(FileNotFoundError), _folder(root, inside(path)[:-1]):
            pass
    except NotADirectoryError as e:
        raise Refused(f"{path}: a file or a link stands where its folder should be") from e
    except OSError as e:
        raise DiskRefused(path, e.strerror or str(e)) from e


def begun(root: Root, steps: Iterable[Step]) -> bool:
    """Tell whether some step's file is by now as the step wants it."""
    return any(_is_done(root, s) for s in steps if s.pre != s.post)


def _is_done(root: Root, step: Step) -> bool:
    try:
        current = read(root, step.path)
    except Refused:
        return False
    return (current.sha if current else None) == step.post


def _conflict(step: Step, found: str | None) -> StaleWrite | NameTaken:
    return NameTaken(step.path) if step.pre is None else StaleWrite(step.path, step.pre, found)


def write(
    root: Root, steps: Sequence[Step], token: str, *, unsure: bool = False
) -> tuple[Step, ...]:
    """Carry out *steps* in order: all bytes durable first, then all names, then all folders.

    *token* (a ULID) makes temporary names unique. A step whose file already is as it should be is
    left alone, so a repeated write is harmless. Returns the steps that were left out because their
    file is neither as expected nor as wanted: its bytes are somebody's and stay. *unsure* syncs the
    folders that were there already: who made them may have been killed before. Raises
    DiskRefused when the disk says no, and ReadOnly when an fsync failed: such a page must not be
    trusted again (fsyncgate).
    """
    left: list[Step] = []
    with _disk(root):
        writing = _Writing(root, token, unsure=unsure)
        try:
            due = [s for s in steps if _due(writing, s, left)]
            temps = [_stage(writing, s, n) for n, s in enumerate(due)]
            for step, temp in zip(due, temps, strict=True):
                if not _publish(writing, step, temp):
                    left.append(step)
            writing.sync()
        finally:
            writing.close()
    return tuple(left)


@contextlib.contextmanager
def _disk(root: Root) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        if e.errno == errno.EIO:
            raise ReadOnly(str(e.filename or root.path)) from e
        raise DiskRefused(str(e.filename or root.path), e.strerror or str(e)) from e


def _due(writing: _Writing, step: Step, left: list[Step]) -> bool:
    """Tell whether *step* is still to be done; one that cannot be goes to *left*."""
    found = _current(writing, step.path)
    if found not in {step.pre, step.post}:
        left.append(step)
    return found == step.pre and step.pre != step.post


def _current(writing: _Writing, path: str) -> str | None:
    *folder, name = inside(path)
    try:
        return _sha(writing.folder(tuple(folder)), name)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        return _OTHER


def _sha(folder: int, name: str) -> str | None:
    """Return the file's sha-256, None when there is none, `_OTHER` for a link or a device."""
    try:
        return _read(folder, name).sha
    except FileNotFoundError:
        return None
    except OSError as e:
        if e.errno in _NO_FILE:
            return _OTHER
        raise


def _stage(writing: _Writing, step: Step, n: int) -> str:
    """Write the step's bytes, durable, beside their target; return the temporary name."""
    if step.data is None:
        return ""
    *folder, _ = portable(step.path) if step.pre is None else inside(step.path)
    fd = writing.folder(tuple(folder), make=True)
    temp = f"{TEMP}{_host()}-{os.getpid()}-{writing.token}-{n}"
    writing.staged.append((fd, temp))
    _write_new(fd, temp, step.data)
    return temp


def _host() -> str:
    return slug(os.uname().nodename, 20) or "host"


def _write_new(folder: int, name: str, data: bytes) -> None:
    fd = _open_new(folder, name)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
        os.fsync(fd)
    finally:
        os.close(fd)


def _open_new(folder: int, name: str) -> int:
    try:
        return os.open(name, _FRESH, 0o600, dir_fd=folder)
    except FileExistsError:
        # Left at this very write by a dead process whose number we have now: in a container
        # every process may have the same.
        os.unlink(name, dir_fd=folder)
        return os.open(name, _FRESH, 0o600, dir_fd=folder)


def _publish(writing: _Writing, step: Step, temp: str) -> bool:
    """Give the staged bytes their name; False when somebody's bytes stand there by now."""
    *folder, name = inside(step.path)
    fd = writing.folder(tuple(folder))
    writing.touched.add(tuple(folder))
    if step.pre is None:
        return _create(fd, temp, name)
    if not _linger(writing, fd, name, step):
        return False
    if step.data is None:
        os.unlink(name, dir_fd=fd)
    else:
        os.chmod(temp, stat.S_IMODE(os.stat(name, dir_fd=fd).st_mode), dir_fd=fd)
        os.replace(temp, name, src_dir_fd=fd, dst_dir_fd=fd)
    return True


def _create(fd: int, temp: str, name: str) -> bool:
    # A link refuses to overwrite, a rename does not.
    try:
        os.link(temp, name, src_dir_fd=fd, dst_dir_fd=fd, follow_symlinks=False)
    except FileExistsError:
        return False
    os.unlink(temp, dir_fd=fd)
    return True


def _linger(writing: _Writing, fd: int, name: str, step: Step) -> bool:
    """Keep the old inode by a second name: an editor that holds it open may still write to it.

    False when the file changed since it was checked, or is gone.
    """
    shelf = writing.folder((*LINGER.split("/"), _quoted(step.path)), make=True)
    kept = f"{step.pre}-{writing.token}"
    with contextlib.suppress(FileExistsError, FileNotFoundError):
        os.link(name, kept, src_dir_fd=fd, dst_dir_fd=shelf, follow_symlinks=False)
    return _sha(fd, name) == step.pre


def _quoted(path: str) -> str:
    # The end tells a person most, and no file system takes a longer name.
    whole = path.replace("%", "%25").replace("/", "%2F")
    return os.fsencode(whole)[-_LONGEST_SHELF:].decode("utf-8", "ignore")


def _unquoted(name: str) -> str:
    return name.replace("%2F", "/").replace("%25", "%")


@dataclass(frozen=True, slots=True)
class Lingering:
    """The old inode of a replaced file: where it is kept, what it was, since when (Unix time).

    *live* when it has another name still: a crash came before the replacing.
    """

    kept: str
    path: str
    sha: str
    since: float
    live: bool = False


def lingering(root: Root) -> Iterator[Lingering]:
    """Yield the old inodes of files we replaced or removed."""
    for shelf in _names(root, LINGER):
        for kept in _names(root, f"{LINGER}/{shelf}"):
            where = f"{LINGER}/{shelf}/{kept}"
            found = _stat(root, where)
            if found:
                live = found.st_nlink > 1
                sha, path = kept.split("-")[0], _unquoted(shelf)
                yield Lingering(where, path, sha, found.st_ctime, live)


def _names(root: Root, folder: str) -> list[str]:
    try:
        with _folder(root, inside(folder)) as fd, os.scandir(fd) as entries:
            return sorted(entry.name for entry in entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as e:
        raise DiskRefused(folder, e.strerror or str(e)) from e


def clear_shelves(root: Root) -> None:
    """Remove the folders of let-go inodes: their names tell what was once written."""
    for shelf in _names(root, LINGER):
        with contextlib.suppress(OSError), _folder(root, inside(LINGER)) as fd:
            os.rmdir(shelf, dir_fd=fd)


def discard(root: Root, path: str) -> None:
    """Remove a file of our own workings (a temporary, a lingering inode, an intent), durably."""
    *folder, name = inside(path)
    with _disk(root), contextlib.suppress(FileNotFoundError), _folder(root, folder) as fd:
        os.unlink(name, dir_fd=fd)
        _sync_folder(fd, path)


def rename(root: Root, old: str, new: str) -> None:
    """Rename a file of our own workings within its folder; not durable until the next sync."""
    *folder, name = inside(old)
    with _disk(root), _folder(root, folder) as fd:
        os.replace(name, inside(new)[-1], src_dir_fd=fd, dst_dir_fd=fd)


def _sync_folder(fd: int, path: str) -> None:
    try:
        os.fsync(fd)
    except OSError as e:
        if e.errno not in _NO_DIRECTORY_SYNC:
            e.filename = path
            raise


def alive(temp: str) -> bool:
    """Tell whether the process that owns the temporary file named *temp* still runs here."""
    parts = PurePosixPath(temp).name.removeprefix(TEMP).rsplit("-", 3)
    if len(parts) != len(("host", "pid", "token", "n")) or parts[0] != _host():
        return True  # another machine's: not ours to judge
    try:
        os.kill(int(parts[1]), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
