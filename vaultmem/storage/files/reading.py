"""Look at what is on disk: one file, its stamp, or all there is; no link is ever followed."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import os
import stat
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from vaultmem.documents import public_text
from vaultmem.errors import DiskRefused, NotAFile, Refused, disk_errors
from vaultmem.storage.files.paths import (
    EDITORS_OWN,
    holds_texts,
    inside,
    is_text,
    is_text_name,
)
from vaultmem.storage.files.types import (
    DOUBTED,
    Content,
    Ending,
    Folder,
    Listing,
    Root,
    Stamp,
    sha256,
)

DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NO_FILE = frozenset({errno.ELOOP, errno.ENXIO, errno.EISDIR})
"""How the system answers when a name is a link or a device."""
_CHUNK = 1 << 16
GIT_PATTERNS = frozenset({".gitignore", ".gitattributes"})
"""What git opens in every folder, and waits at where it is a named pipe."""
LARGEST_NOTE = 8 << 20
"""Bytes of a note that is read at all, eighty times a memory's: what is larger is no note."""
LONGEST_LINE = 16 << 20
"""Bytes of a line that are read at one go; no turn has that many."""
_STRETCH = 1 << 20
_LINES = ".jsonl"
"""How the name of a transcript ends, which no folder has."""

_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH

T = TypeVar("T")
Read = Callable[[str], Content | None]
WalkTo = Callable[[Sequence[str]], contextlib.AbstractContextManager[int]]


@contextlib.contextmanager
def walk(root: Root, parts: Sequence[str]) -> Iterator[int]:
    """Yield a descriptor of the folder that *parts* name, following no link."""
    fd = os.dup(root.fd)
    try:
        for part in parts:
            inner = os.open(part, DIRECTORY, dir_fd=fd)
            os.close(fd)
            fd = inner
        yield fd
    finally:
        os.close(fd)


def read(root: Root, path: str, walk_to: WalkTo | None = None) -> Content | None:
    """Return the file at *path*, None when there is none; *walk_to* as for `look_at`.

    Raises NotAFile for a link or device and DiskRefused when the system does not let us read, or
    for a note that is larger than any.
    """
    most = LARGEST_NOTE if path.endswith(".md") or is_text(path) else None
    return look_at(root, path, partial(read_at, most=most), walk_to)


@contextlib.contextmanager
def reading_many(root: Root) -> Iterator[Read]:
    """Yield what reads files as `read` does, and holds the folder of the last one open.

    Where many files of one folder are read in a row, it is walked to once.
    """
    with contextlib.ExitStack() as held:
        yield partial(read, root, walk_to=_LastFolder(root, held).walk)


def ending(root: Root, path: str) -> Ending | None:
    """Return how the file at *path* ends, None when there is none; reads its last line alone.

    Raises NotAFile for a link or device and DiskRefused when the system does not let us read.
    """
    return look_at(root, path, _ending_at)


def tail(root: Root, path: str, most: int) -> bytes | None:
    """Return the whole lines among the last *most* bytes of a file, None when there is none.

    Raises as `read` does.
    """
    return look_at(root, path, partial(_tail_at, most=most))


def stretches(root: Root, path: str) -> Iterator[bytes]:
    """Yield the file at *path* in stretches of whole lines, none where there is no file.

    However large it is, little of it is held at once: a line of more than LONGEST_LINE bytes comes
    in pieces. Raises as `ending` does.
    """
    start = 0
    while some := look_at(root, path, partial(_stretch_at, start=start)):
        yield some
        start += len(some)


def look_at(
    root: Root, path: str, look: Callable[[int, str], T], walk_to: WalkTo | None = None
) -> T | None:
    """Return what *look* finds, given the open folder and the name of *path*; None for no file.

    *walk_to* opens the folder, if that is not to be `walk`. Raises NotAFile for a link or device
    and DiskRefused when the system says no.
    """
    *folder, name = inside(path)
    try:
        with walk_to(folder) if walk_to else walk(root, folder) as fd:
            return look(fd, name)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as e:
        if e.errno == errno.ENAMETOOLONG:  # nothing can have this name
            return None
        if e.errno in NO_FILE:
            raise NotAFile(path, kind_of(root, path) or "no regular file") from e
        raise DiskRefused.of(path, e) from e


class _LastFolder:
    """The folder that was walked to last, *held* open until another one is."""

    def __init__(self, root: Root, held: contextlib.ExitStack) -> None:
        self._root, self._held = root, held
        self._parts: Sequence[str] | None = None
        self._fd = -1

    def walk(self, parts: Sequence[str]) -> contextlib.AbstractContextManager[int]:
        """Have its descriptor in a block, as `walk` does."""
        if parts != self._parts:
            self._parts = None
            self._held.close()
            self._fd = self._held.enter_context(walk(self._root, parts))
            self._parts = parts
        return contextlib.nullcontext(self._fd)


def read_at(folder: int, name: str, most: int | None = None) -> Content:
    """Return the file *name* in an open *folder*; raises OSError, one of NO_FILE for no file.

    EFBIG is for one of more than *most* bytes, of which none is read.
    """
    with regular(folder, name, os.O_RDONLY) as fd:
        found = os.fstat(fd)
        if most is not None and found.st_size > most:
            raise OSError(errno.EFBIG, f"larger than {most >> 20} MiB, as no note is", name)
        # Its size tells how much room it needs: to ask for *most* would take all that each time.
        data = io.FileIO(fd, closefd=False).readall()
    return Content(data, sha256(data), _stamp(found), found.st_nlink)


@contextlib.contextmanager
def regular(folder: int, name: str, flags: int) -> Iterator[int]:
    """Yield a descriptor of the regular file *name*; raises OSError, one of NO_FILE for no file."""
    fd = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EISDIR, "not a regular file", name)
        yield fd
    finally:
        os.close(fd)


def _ending_at(folder: int, name: str) -> Ending:
    with regular(folder, name, os.O_RDONLY) as fd:
        size = start = os.fstat(fd).st_size
        tail = b""
        while start and b"\n" not in tail[:-1]:
            start = max(0, start - max(_CHUNK, len(tail)))
            tail = os.pread(fd, size - start, start)
    torn = bool(tail) and not tail.endswith(b"\n")
    return Ending(size, tail.removesuffix(b"\n").rpartition(b"\n")[2], torn)


def _stretch_at(folder: int, name: str, start: int) -> bytes:
    most = _STRETCH
    with regular(folder, name, os.O_RDONLY) as fd:
        data = os.pread(fd, most, start)
        while len(data) == most < LONGEST_LINE and b"\n" not in data:
            most *= 2
            data = os.pread(fd, most, start)
    end = data.rfind(b"\n") + 1
    return data[:end] if end and len(data) == most else data


def _tail_at(folder: int, name: str, most: int) -> bytes:
    with regular(folder, name, os.O_RDONLY) as fd:
        start = max(0, os.fstat(fd).st_size - most)
        data = os.pread(fd, most, start)
    return data.partition(b"\n")[2] if start else data


def _stamp(found: os.stat_result) -> Stamp:
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino)


def stamp(root: Root, path: str) -> Stamp | None:
    """Return the stamp of the regular file at *path*, None when there is none."""
    found = status(root, path)
    return _stamp(found) if found and stat.S_ISREG(found.st_mode) else None


def touched(root: Root, path: str) -> float:
    """Return when whatever is at *path* changed last, in Unix time, 0 where there is nothing.

    A program may set back when a file was written, and not when the system noted that it did.
    """
    found = status(root, path)
    return max(found.st_mtime, found.st_ctime) if found else 0.0


def status(root: Root, path: str) -> os.stat_result | None:
    """Return what the system knows of whatever is at *path*, None when there is nothing."""
    *folder, name = inside(path)
    try:
        with walk(root, folder) as fd:
            return os.stat(name, dir_fd=fd, follow_symlinks=False)
    except OSError:  # gone, or a folder on the way is now something else: not there for us
        return None


def kind_of(root: Root, path: str) -> str:
    """Return what is at *path*, in words (`a symbolic link`); "" for nothing that has a name."""
    with contextlib.suppress(Refused):
        if found := status(root, path):
            return _KINDS.get(stat.S_IFMT(found.st_mode), _DEVICE)
    return ""


FILE, FOLDER, _DEVICE = "a file", "a folder", "a device"
_KINDS = {
    stat.S_IFREG: FILE,
    stat.S_IFDIR: FOLDER,
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
}
KINDS = frozenset({*_KINDS.values(), _DEVICE})
"""What may stand at a name, as `kind_of` says it."""


def obstacle(root: Root, path: str) -> str:
    """Return the folder on the way to *path* that is none by now (a link, a file), "" for none."""
    folder = ""
    for part in inside(path)[:-1]:
        folder = f"{folder}/{part}" if folder else part
        found = status(root, folder)
        if found is None or not stat.S_ISDIR(found.st_mode):
            return folder if found else ""
    return ""


def entries(root: Root, path: str) -> tuple[dict[str, Stamp], list[str]]:
    """Return what lies directly in the folder *path*: files with their stamps, folders, by name.

    Nothing when there is no such folder. Raises DiskRefused for one we may not read.
    """
    try:
        with walk(root, inside(path)) as fd, os.scandir(fd) as listed:
            found = [(e.name, there) for e in listed if (there := _status(e))]
    except (FileNotFoundError, NotADirectoryError):
        return {}, []
    except OSError as e:
        raise DiskRefused.of(path, e) from e
    files = {name: _stamp(x) for name, x in found if stat.S_ISREG(x.st_mode)}
    return files, sorted(name for name, x in found if stat.S_ISDIR(x.st_mode))


def names(root: Root, folder: str) -> list[str]:
    """Return the names of all that lies directly in *folder*, in order; none where there is none.

    Raises DiskRefused for one we may not read.
    """
    try:
        with walk(root, inside(folder) if folder else ()) as fd, os.scandir(fd) as found:
            return sorted(entry.name for entry in found)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as e:
        raise DiskRefused.of(folder, e) from e


def paths(root: Root, leave: Callable[[str], bool]) -> Iterator[str]:
    """Yield the path of all below *root* that is no folder, a link's own path too.

    Folders whose name is one to *leave* are not looked into, nor are those we may not read.
    """
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        inner: list[str] = []
        with contextlib.suppress(OSError), walk(root, prefix.split("/")[:-1]) as fd:
            with os.scandir(fd) as found:
                listed = [(e.name, e.is_dir(follow_symlinks=False)) for e in found]
            inner = [prefix + name for name, is_folder in listed if not is_folder]
            waiting += [f"{prefix}{name}/" for name, deep in listed if deep and not leave(name)]
        yield from inner


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except FileNotFoundError:  # gone since its name was read
        return None


def folders(
    root: Root,
    known: Mapping[str, Stamp] = MappingProxyType({}),
    digests: Mapping[str, str] = MappingProxyType({}),
    rests: Callable[[str], bool] = lambda _: True,
) -> Iterator[Folder]:
    """Yield the folders below *root* with their Markdown files and kept texts.

    None of dot-folders and editors.

    What is called by a credential is odd, as a link is, and nothing below it is looked at; so is a
    named pipe that git would wait at.

    Of *known* folders, whose stamps the index holds with their files, those that have not moved
    stand in the result without these, but only where the folder *rests*: a file changed in place
    moves none. Nor are files told of where all notes of a folder still have the digest that
    *digests* has. A folder below *root* that we may not read is `shut`: what is in it is not gone.
    Raises DiskRefused where that is *root*.
    """
    inner, waiting = _inner(known), [""]
    while waiting:
        prefix = waiting.pop()
        if rests(prefix) and _is_unmoved(root, prefix, known):
            waiting += inner.get(prefix, ())
            yield Folder(prefix, known[prefix], unmoved=True)
            continue
        # A folder may be removed, or become a link, after its name was listed.
        odd: list[str] = []
        try:
            with walk(root, prefix.split("/")[:-1]) as fd:
                stamp = _stamp(os.fstat(fd))
                notes = _notes(fd, prefix, waiting, odd)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as e:
            # Who may read a folder shows in no stamp: look each time.
            yield Folder(prefix, DOUBTED, shut=_why_shut(prefix, e))
            continue
        made, files = digest(*notes), dict[str, Stamp]()
        is_settled = bool(notes.names) and made == digests.get(prefix)
        if not is_settled:
            _add(notes, prefix, files, odd)
        yield Folder(prefix, stamp, files, tuple(odd), digest=made, settled=is_settled)


def listing(root: Root) -> Listing:
    """Return all of `folders` at once, which in a large vault is much."""
    found = list(folders(root))
    return Listing(
        {path: stamp for folder in found for path, stamp in folder.files.items()},
        {folder.path: folder.stamp for folder in found},
        tuple(sorted(odd for folder in found for odd in folder.odd)),
    )


def notes(root: Root, folder: str) -> dict[str, Stamp]:
    """Return the Markdown files and kept texts that lie directly in *folder*, as `folders` does.

    None where it is no folder by now. Raises DiskRefused where it cannot be read: what is in it is
    not gone.
    """
    files: dict[str, Stamp] = {}
    gone = contextlib.suppress(FileNotFoundError, NotADirectoryError)
    with disk_errors(root.path / folder), gone, walk(root, folder.split("/")[:-1]) as fd:
        _add(_notes(fd, folder, [], []), folder, files, [])
    return files


class _Notes(NamedTuple):
    """What a folder has of notes: their names in order, and their stamps, three numbers each."""

    names: list[str]
    stamps: list[int]


def digest(names: Iterable[str], stamps: Iterable[int]) -> str:
    """Return what no two folders share but those with the same names and stamps, in one order.

    "" for numbers that no file system should have.
    """
    try:
        numbers = array("q", stamps)
    except OverflowError:
        return ""
    told = "\0".join(names).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(told + b"\0" + numbers.tobytes(), digest_size=16).hexdigest()


def _notes(fd: int, prefix: str, waiting: list[str], odd: list[str]) -> _Notes:
    """Return the notes in the open folder *prefix*; put aside what is none."""
    names: list[str] = []
    stamps: list[int] = []
    us = os.geteuid()
    any_text = holds_texts(prefix)
    for name in sorted(os.listdir(fd)):
        # Written out: a call more for each file is felt by every command on a large vault.
        is_named = name.endswith(".md") or (any_text and is_text_name(name))
        if not is_named or name[0] == "." or not (name.isascii() or _is_text(name)):
            _list(fd, name, prefix, waiting, odd)
            continue
        try:
            it = os.stat(name, dir_fd=fd, follow_symlinks=False)
        except FileNotFoundError:  # gone since its name was read
            continue
        mode = it.st_mode
        if not stat.S_ISREG(mode):
            if name.endswith(".md"):
                odd.append(prefix + name)
            else:  # a folder among texts, whose names tell nothing
                _list(fd, name, prefix, waiting, odd)
            continue
        # Who may read a file shows in no time: one that seems closed to us is always to be tried.
        is_open = mode & stat.S_IRUSR and (mode & _OTHERS_READ or it.st_uid == us)
        names.append(name)
        stamps += (it.st_size, it.st_mtime_ns if is_open else -1, it.st_ino)
    return _Notes(names, stamps)


def _add(notes: _Notes, prefix: str, files: dict[str, Stamp], odd: list[str]) -> None:
    numbers = iter(notes.stamps)
    for name, *stamp in zip(notes.names, numbers, numbers, numbers, strict=True):
        if public_text.named_secret(name):
            odd.append(prefix + name)
        else:
            files[prefix + name] = Stamp(*stamp)


def _inner(known: Iterable[str]) -> Mapping[str, list[str]]:
    """Return the folders that lie directly in each of the *known* ones."""
    inner: defaultdict[str, list[str]] = defaultdict(list)
    for folder in filter(None, known):
        inner[folder[: folder.rfind("/", 0, -1) + 1]].append(folder)
    return inner


def _is_unmoved(root: Root, folder: str, known: Mapping[str, Stamp]) -> bool:
    with contextlib.suppress(OSError):  # whoever opens it finds out why
        return folder in known and known[folder] == _stamp(
            os.stat(folder or ".", dir_fd=root.fd, follow_symlinks=False)
        )
    return False


def _why_shut(prefix: str, e: OSError) -> str:
    why = e.strerror or str(e)
    if not prefix:
        raise DiskRefused(".", why) from e
    return why


def _list(fd: int, name: str, prefix: str, waiting: list[str], odd: list[str]) -> None:
    """Put a folder among those to look into, what is neither that nor a plain file aside."""
    kind = _kind_at(fd, name)
    if name.startswith("."):
        if name in GIT_PATTERNS and kind == stat.S_IFIFO:
            odd.append(prefix + name)
    elif public_text.named_secret(name):
        odd.append(prefix + name)
    elif name.endswith(EDITORS_OWN) or not kind:
        return
    elif kind == stat.S_IFLNK or not _is_text(name):
        # A name that is no UTF-8 could not even be shown.
        odd.append(os.fsencode(prefix + name).decode("utf-8", "backslashreplace"))
    elif kind == stat.S_IFDIR and not name.endswith(_LINES):
        waiting.append(prefix + name + "/")
    elif kind != stat.S_IFREG:
        odd.append(prefix + name)


def _kind_at(fd: int, name: str) -> int:
    """Return what *name* is in an open folder, as the system numbers kinds; 0 for nothing."""
    try:
        return stat.S_IFMT(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return 0


def _is_text(name: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in name)
