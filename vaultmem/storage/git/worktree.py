"""Read the work tree by our own hand, so that no filter of the repository runs."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import BinaryIO

from vaultmem.storage.git import clean_folders, fast_import, identity, named_pipes, objects, process
from vaultmem.storage.git.types import (
    PLAIN,
    Blob,
    Change,
    Dirty,
    FileChange,
    Kind,
    Place,
    folders_above,
    object_id,
)

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_SMALL = 16 << 20
# What git stores for these is not what lies on disk, and only the person's git may convert.
_CONVERSIONS = ("filter", "working-tree-encoding", "ident")


def unstaged(place: Place, staged: AbstractSet[str]) -> tuple[Dirty, ...]:
    """Return the files that changed and are not *staged*, in path order.

    Where nothing is staged the index is HEAD's, and folders that were found clean are passed over.
    """
    head = objects.head(place)
    look = None if staged or head is None else clean_folders.Look.at(place, head)
    doubted = look.doubted() if look else None
    if look and not doubted:
        return ()
    index, untracked = _index_and_untracked(place, doubted)
    tracked = ((p, b) for p, b in index.items() if b and p not in staged)
    new = _without_rivals(untracked - staged, index)
    dirty: dict[str, Kind] = dict.fromkeys(new, "untracked")
    dirty |= {path: kind for path, blob in tracked if (kind := _kind(place, path, blob))}
    if look:
        look.note(index, dirty)
    own = dirty.keys() - converted(place, dirty)
    return tuple(Dirty(path, dirty[path]) for path in sorted(own))


def is_any_changed(place: Place, paths: Sequence[str]) -> bool:
    """Tell whether a file at one of *paths* is not as the index has it, or is new to that.

    Nothing else is looked at. Raises Unavailable where a named pipe would keep git.
    """
    named_pipes.refuse_above(place, paths)
    args = ("-c", "-o", "-s", "-v", "-z", "--exclude-standard", *place.below(paths))
    lines = [line for line in process.git(place, "ls-files", *args).split(b"\0") if line]
    if any(line.startswith(b"? ") for line in lines):
        return True
    return any(blob and _kind(place, it, blob) for it, blob in _entries(place, lines).items())


def diff(place: Place, paths: Sequence[str]) -> str:
    """Return the patch from HEAD to the tracked files as they lie on disk."""
    # The patch of the commit the work tree would become, built in a store of its own that is
    # thrown away: comparing through `git diff` would run the clean filters.
    base = objects.head(place)
    tree, changes = _changed(place, base, paths)
    if not changes:
        return ""
    from tempfile import TemporaryDirectory  # noqa: PLC0415  # who writes asks for no patch

    with TemporaryDirectory(prefix="vaultmem-") as store:
        theirs = fast_import.quote(place.common_dir / "objects").decode()
        extra = {"GIT_OBJECT_DIRECTORY": store, "GIT_ALTERNATE_OBJECT_DIRECTORIES": theirs}
        edits = fast_import.edits(changes, place.algorithm, {})
        news = fast_import.news(place, edits, tree.get)
        with fast_import.fast_import(place, extra) as importing:
            new = importing.store(identity.no_facts(), base, news)
        return objects.patch(place, base or objects.nothing(place), new, paths, extra)


def left_out(place: Place) -> frozenset[str]:
    """Return the files that git has, and by a person's wish not in the work tree."""
    raw = process.git(place, "ls-files", "-v", "-z", *place.below())
    rows = (row for row in raw.split(b"\0") if row.startswith(b"S "))
    paths = (place.inside(os.fsdecode(row[2:])) for row in rows)
    return frozenset(path for path in paths if not _mode(place.root / path))


def _index(place: Place, paths: Sequence[str] = ()) -> dict[str, Blob | None]:
    raw = process.git(place, "ls-files", "-s", "-v", "-z", *place.below(paths))
    return _entries(place, filter(None, raw.split(b"\0")))


def _index_and_untracked(
    place: Place, only: AbstractSet[str] | None
) -> tuple[dict[str, Blob | None], set[str]]:
    """Return what `_index` does, and the files that git neither has nor ignores, at one go.

    *only* those that lie in these folders, whose names are those of the vault at the top.
    """
    named_pipes.refuse(place)
    args = ("-c", "-o", "-s", "-v", "-z", "--exclude-standard", *place.below())
    lines = [line for line in process.git(place, "ls-files", *args).split(b"\0") if line]
    if only is not None:
        wanted = {os.fsencode(folder) for folder in only}
        lines = [line for line in lines if _folder(line) in wanted]
    new = (place.inside(os.fsdecode(line[2:])) for line in lines if line.startswith(b"? "))
    index = _entries(place, (line for line in lines if not line.startswith(b"? ")))
    return index, {path for path in new if stat.S_ISREG(_mode(place.root / path))}


def _folder(line: bytes) -> bytes:
    """Return the folder, with its slash, of the file that a line of `ls-files -s -v` is of."""
    path = line[line.find(b"\t") + 1 :] if not line.startswith(b"? ") else line[2:]
    return path[: path.rfind(b"/") + 1]


def _entries(place: Place, lines: Iterable[bytes]) -> dict[str, Blob | None]:
    # None: an entry whose file is not ours to judge. Only an `H` may be compared with its
    # file: `S` is left out of the checkout, a small letter is assumed unchanged, `M` unmerged.
    found: dict[str, Blob | None] = {}
    for head, _, path in (line.partition(b"\t") for line in lines):
        tag, mode, oid, _ = head.decode().split(" ")
        fit = tag == "H" and mode in PLAIN
        found[place.inside(os.fsdecode(path))] = Blob(mode, oid) if fit else None
    return found


def ignored(place: Place, paths: Sequence[str]) -> set[str]:
    """Return those of *paths* that git is told to ignore, tracked or not.

    Raises Unavailable where a named pipe would keep git.
    """
    named_pipes.refuse_above(place, paths)
    args = ("-c", "-o", "-i", "-z", "--exclude-standard", *place.below(paths))
    raw = process.git(place, "ls-files", *args)
    return {place.inside(os.fsdecode(path)) for path in raw.split(b"\0") if path}


def _without_rivals(new: AbstractSet[str], tracked: Iterable[str]) -> AbstractSet[str]:
    """Return those of *new* that may be committed without taking away what is *tracked*.

    Not what lies in a folder where a file is tracked, nor a file where a folder of such is: nobody
    said that those shall go.
    """
    if not new:
        return new
    files, folders = set(tracked), set[str]()
    for path in files:
        folders.update(folders_above(path))
    return {p for p in new if p not in folders and files.isdisjoint(folders_above(p))}


def converted(place: Place, paths: Collection[str]) -> set[str]:
    """Return those of *paths* of which git is told to store something else than their text.

    Raises Unavailable where a named pipe would keep git.
    """
    if not paths:
        return set()
    named_pipes.refuse_above(place, paths)
    names = b"\0".join(os.fsencode(place.prefix + path) for path in paths)
    raw = process.git(place, "check-attr", "-z", "--stdin", *_CONVERSIONS, stdin=names)
    fields = raw.split(b"\0")[:-1]
    rows = zip(fields[::3], fields[1::3], fields[2::3], strict=True)
    unset = {b"unspecified", b"unset"}
    return {place.inside(os.fsdecode(path)) for path, _, value in rows if value not in unset}


def _kind(place: Place, path: str, blob: Blob) -> Kind | None:
    try:
        with _opened(place.root, path) as file:
            return "modified" if file and not _same(place, file, blob.id) else None
    except FileNotFoundError:
        return "deleted"
    except OSError:
        # A link, a file we may not read, or what stands in the place of its folder: nothing we
        # could commit, and nothing that is gone.
        return None


def _same(place: Place, file: BinaryIO, oid: str) -> bool:
    size = os.fstat(file.fileno()).st_size
    digest = hashlib.new(place.algorithm, b"blob %d\0" % size, usedforsecurity=False)
    while block := file.read(1 << 20):
        digest.update(block)
    # A checkout may have written CRLF (eol, autocrlf): the same text is no edit.
    return digest.hexdigest() == oid or (size < _SMALL and _same_text(place, file, oid))


def _same_text(place: Place, file: BinaryIO, oid: str) -> bool:
    file.seek(0)
    text = file.read().replace(b"\r\n", b"\n")
    return object_id(place.algorithm, b"blob", text) == oid


def edits(place: Place) -> tuple[FileChange, ...]:
    """Return what the tracked files on disk are, where HEAD has them otherwise."""
    tree, changes = _changed(place, objects.head(place), ())
    blobs = objects.contents(place, (tree[c.path] for c in changes if c.path in tree))
    had = {c.path: blobs.get(tree[c.path].id) for c in changes if c.path in tree}
    return tuple(FileChange(c.path, had.get(c.path), c.data) for c in changes)


def _changed(
    place: Place, base: str | None, paths: Sequence[str]
) -> tuple[dict[str, Blob], list[Change]]:
    """Return what the commit *base* has at *paths*, or anywhere, and what the disk has otherwise.

    Without *paths* no file is read in a folder that was found clean; nothing is told where all are.
    """
    look = clean_folders.Look.at(place, base) if base and not paths else None
    doubted = look.doubted() if look else None
    is_staged = bool(objects.staged(place, base, *place.below())) if look else True
    if not (doubted or is_staged):
        return {}, []
    tree, index = objects.files(place, base, *paths), _index(place, paths)
    there = (p for p, blob in index.items() if blob and (look is None or _is_in(p, doubted)))
    candidates = {*there, *(tree.keys() - index.keys())}
    left = converted(place, candidates)
    kinds = {p: _kind_since(place, p, tree.get(p), index) for p in sorted(candidates - left)}
    changed = {path: kind for path, kind in kinds.items() if kind}
    if look and not is_staged:
        look.note(index, left | changed.keys())
    return tree, list(_changes(place, changed))


def _is_in(path: str, folders: AbstractSet[str] | None) -> bool:
    return folders is None or path[: path.rfind("/") + 1] in folders


def _kind_since(
    place: Place, path: str, blob: Blob | None, index: Mapping[str, Blob | None]
) -> Kind | None:
    """Return how the file at *path*, of which HEAD has *blob*, changed since."""
    if path not in index:
        return "deleted"
    return _kind(place, path, blob) if blob else "modified"


def _changes(place: Place, changed: Mapping[str, Kind]) -> Iterator[Change]:
    for path, kind in changed.items():
        if kind == "deleted":
            yield Change(path, None)
        elif (data := _read(place, path)) is not None:
            yield Change(path, data)


def _read(place: Place, path: str) -> bytes | None:
    try:
        with _opened(place.root, path) as file:
            return file.read() if file else None
    except OSError:
        return None


def _mode(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.lstat().st_mode
    return 0


@contextlib.contextmanager
def _opened(root: Path, path: str) -> Iterator[BinaryIO | None]:
    # Walked folder by folder without following a link; None when it is no plain file.
    *folders, name = path.split("/")
    with contextlib.ExitStack() as stack:
        here = os.open(root, _FOLDER)
        stack.callback(os.close, here)
        for folder in folders:
            here = os.open(folder, _FOLDER | os.O_NOFOLLOW, dir_fd=here)
            stack.callback(os.close, here)
        if not stat.S_ISREG(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
            yield None
            return
        fd = os.open(name, _FILE, dir_fd=here)
        file = stack.enter_context(os.fdopen(fd, "rb"))
        yield file if stat.S_ISREG(os.fstat(fd).st_mode) else None
