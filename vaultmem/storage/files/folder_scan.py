"""List what lies in folders: one folder, all there is, or the notes of all folders that moved.

No link is ever followed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from vaultmem.documents import public_text
from vaultmem.errors import DiskRefused, disk_errors
from vaultmem.storage.files.file_status import stamp_of, walk
from vaultmem.storage.files.paths import EDITORS_OWN, holds_texts, inside, is_text_name
from vaultmem.storage.files.types import DOUBTED, Folder, Listing, Root, Stamp

GIT_PATTERNS = frozenset({".gitignore", ".gitattributes"})
"""What git opens in every folder, and waits at where it is a named pipe."""
_LINES = ".jsonl"
"""How the name of a transcript ends, which no folder has."""
_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH


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
    files = {name: stamp_of(x) for name, x in found if stat.S_ISREG(x.st_mode)}
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
        elif found := _folder(root, prefix, waiting, digests.get(prefix)):
            yield found


def _folder(root: Root, prefix: str, waiting: list[str], known_as: str | None) -> Folder | None:
    """Return the folder at *prefix* as it is now; those in it are added to *waiting*.

    Its files are not told of where it is *known_as* the digest of its notes. None where it was
    removed, or became a link, after its name was listed.
    """
    odd: list[str] = []
    try:
        with walk(root, prefix.split("/")[:-1]) as fd:
            stamp = stamp_of(os.fstat(fd))
            notes = _notes(fd, prefix, waiting, odd)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as e:
        # Who may read a folder shows in no stamp: look each time.
        return Folder(prefix, DOUBTED, shut=_why_shut(prefix, e))
    made, files = digest(*notes), dict[str, Stamp]()
    is_settled = bool(notes.names) and made == known_as
    if not is_settled:
        _add(notes, prefix, files, odd)
    return Folder(prefix, stamp, files, tuple(odd), digest=made, settled=is_settled)


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
    """What a folder has of notes: their names in order, and their stamps, four numbers each."""

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
        stamps += (it.st_size, it.st_mtime_ns if is_open else -1, it.st_ino, it.st_ctime_ns)
    return _Notes(names, stamps)


def _add(notes: _Notes, prefix: str, files: dict[str, Stamp], odd: list[str]) -> None:
    numbers = iter(notes.stamps)
    for name, *stamp in zip(notes.names, *[numbers] * 4, strict=True):
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
        return folder in known and known[folder] == stamp_of(
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
