"""Read what commits hold: their names, their trees, and what differs between two of them."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import IO, Literal

from vaultmem.documents.public_text import quoted
from vaultmem.errors import Unavailable
from vaultmem.storage.git import process
from vaultmem.storage.git.types import ORDINARY, PLAIN, Blob, Place, Row, object_id

_PATCH = (
    *("--patch", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"),
    *("--submodule=short", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/"),
)

_FEW = 32
"""Files of a commit that are asked for one by one: each time git reads the folders above them."""
_MANY = 1000
_BRANCH = re.compile(rb"ref: (refs/heads/(?!.*\.\.)[^.\0\n][^\0\n]*)\n")
_COMMIT = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64})\n")
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SIZE = re.compile(rb"[0-9a-f]+ blob (\d+)\n")


def head(place: Place) -> str | None:
    """Return the commit HEAD stands on, None on an unborn branch."""
    # Asked several times by each write, and a process costs a hundred times what two small files
    # do. Only a file of its own outweighs what git has packed; all else is git's to say.
    if branch := branch_file(place):
        try:
            if at := _COMMIT.fullmatch((place.common_dir / branch).read_bytes()):
                return at[1].decode()
        except FileNotFoundError:
            # Git packs a reference before it takes the file away.
            if not os.path.lexists(place.common_dir / "packed-refs"):
                return None
        except OSError:
            pass
    return resolve(place, "HEAD")


def is_at(place: Place, ref: str, commit: str) -> bool:
    """Tell whether *ref* has a file of its own that names the *commit*: what git has packed yields.

    Not so where it stands there otherwise.
    """
    with contextlib.suppress(OSError):
        return (place.common_dir / ref).read_bytes() == f"{commit}\n".encode()
    return False


def branch_file(place: Place) -> str:
    """Return where git keeps the branch that HEAD is on, "" unless the file HEAD says it plainly.

    Where git keeps its references elsewhere (reftable) that file names `refs/heads/.invalid`.
    """
    with contextlib.suppress(OSError):
        if said := _BRANCH.fullmatch((place.git_dir / "HEAD").read_bytes()):
            return os.fsdecode(said[1])
    return ""


def resolve(place: Place, name: str) -> str | None:
    """Return the commit that *name* stands for, None when there is none."""
    args = ("rev-parse", "-q", "--verify", "--end-of-options", f"{name}^{{commit}}")
    return process.git(place, *args, okay=(0, 1)).decode().strip() or None


def step(place: Place, name: str) -> tuple[str, str]:
    """Return the first parent of a commit, or the empty tree, and the commit."""
    commit = resolve(place, name)
    if commit is None:
        raise Unavailable(f"no commit {quoted(name)} in {place.top}: `git log` lists them")
    return resolve(place, f"{commit}^1") or nothing(place), commit


def nothing(place: Place) -> str:
    """Return the empty tree, which stands for the parent of a first commit."""
    return object_id(place.algorithm, b"tree", b"")


def is_tree(place: Place, name: str) -> bool:
    """Say whether the repository knows a tree by *name*."""
    args = ("rev-parse", "-q", "--verify", "--end-of-options", f"{name}^{{tree}}")
    return process.run(process.argv(place, args), place.top).returncode == 0


def files(place: Place, commit: str | None, *paths: str) -> dict[str, Blob]:
    """Return the files of the vault in *commit*, or those below *paths*."""
    return {} if commit is None else _listed(place, commit, paths, "-r")


def sized(place: Place, commit: str) -> Iterator[tuple[str, Blob, int]]:
    """Yield the files of the vault in *commit*, each with how many bytes it has; none is kept.

    Not those whose bytes the repository has not got, nor submodules.
    """
    args = ("ls-tree", "-r", "-l", "-z", "--full-tree", commit, *place.below())
    for line in process.parts(place, *args):
        start, _, path = line.partition(b"\t")
        mode, _, oid, size = start.decode().split()
        if size.isdecimal():
            yield place.inside(os.fsdecode(path)), Blob(mode, oid), int(size)


def _listed(
    place: Place, commit: str, paths: Sequence[str], *how: Literal["-r"]
) -> dict[str, Blob]:
    """Return the files of *commit* at *paths* and in these folders, with `-r` all below them."""
    raw = process.git(place, "ls-tree", *how, "-z", "--full-tree", commit, *place.below(paths))
    lines = (line.partition(b"\t") for line in raw.split(b"\0") if line)
    found = ((start.decode().split(" "), os.fsdecode(path)) for start, _, path in lines)
    return {
        place.inside(path): Blob(mode, oid) for (mode, kind, oid), path in found if kind != "tree"
    }


def names(place: Place, commit: str, folders: Collection[str]) -> frozenset[str]:
    """Return the paths of all that *commit* has right in *folders* of the vault, folders, too.

    The vault itself is "".
    """
    asked = [f"{folder}/" for folder in sorted(folders) if folder]
    slices = [asked[n : n + _MANY] for n in range(0, len(asked), _MANY)]
    # Without a path git lists the top: a vault that is one has no other name for it.
    slices += [[]] if "" in folders else []
    args = ("ls-tree", "--name-only", "-z", "--full-tree", commit)
    told = (process.git(place, *args, *place.below(some)).split(b"\0") for some in slices)
    return frozenset(place.inside(os.fsdecode(path)) for some in told for path in some if path)


def at(place: Place, commit: str, paths: Collection[str]) -> dict[str, Blob]:
    """Return those of the files at *paths* of the vault that *commit*, by its whole name, has.

    Links and submodules, too. What is known already is not asked for.
    """
    known = place.known_files.of(commit)
    if unknown := [path for path in paths if place.prefix + path not in known]:
        there = _asked(place, commit, unknown)
        new = {place.prefix + path: there.get(path) for path in unknown}
        place.known_files.note(commit, new)
        known = {**known, **new}
    return {path: blob for path in paths if (blob := known[place.prefix + path])}


def _asked(place: Place, commit: str, paths: Sequence[str]) -> dict[str, Blob]:
    """Return the files at *paths* of the vault in *commit*, and maybe others beside them."""
    return files(place, commit, *paths) if len(paths) <= _MANY else beside(place, commit, paths)


def beside(place: Place, commit: str, paths: Iterable[str]) -> dict[str, Blob]:
    """Return the files of the vault in *commit* in the folders that *paths* lie in."""
    # A command line has an end. So many lie in few folders, and a vault has far more files.
    folders = sorted({path[: path.rfind("/") + 1] or path for path in paths})
    slices = (folders[n : n + _MANY] for n in range(0, len(folders), _MANY))
    return {path: blob for some in slices for path, blob in _listed(place, commit, some).items()}


def refs(place: Place) -> dict[str, str]:
    """Return every ref and what it points at: branches first, what was moved last first.

    Not one that only stands for another, as `origin/HEAD` does.
    """
    shape = ("--sort=-committerdate", "--format=%(objectname) %(refname) %(symref)")
    raw = os.fsdecode(process.git(place, "for-each-ref", *shape))
    rows = [(at, name) for at, name, other in (x.split(" ") for x in raw.splitlines()) if not other]
    rows.sort(key=lambda row: not row[1].startswith("refs/heads/"))
    return {name: at for at, name in rows}


def blobs(place: Place, commit: str, paths: Sequence[str]) -> dict[str, Blob]:
    """Return those of the files at *paths* of the vault that *commit* has, whatever their mode."""
    if len(paths) > _FEW:
        there = _asked(place, commit, paths)
        return {path: there[path] for path in paths if path in there}
    wanted = [path for path in paths if "\n" not in path]  # a line asks for one
    broken = [path for path in paths if "\n" in path]
    there = files(place, commit, *broken) if broken else {}
    asked = b"".join(os.fsencode(f"{commit}:{place.prefix}{path}\n") for path in wanted)
    check = ("cat-file", "--buffer", "--batch-check=%(objecttype) %(objectname)")
    lines = process.git(place, *check, stdin=asked).decode("utf-8", "replace")
    found = (line.split(" ") for line in lines.split("\n")[:-1])
    pairs = zip(wanted, found, strict=True)
    return there | {path: Blob(ORDINARY, told[1]) for path, told in pairs if told[0] == "blob"}


def text(place: Place, commit: str, path: str) -> bytes | None:
    """Return the bytes of a file of the vault in *commit*, None when it has none.

    Raises Unavailable where the repository has not got them.
    """
    if "\n" not in path:  # a line asks for one
        asked = os.fsencode(f"{commit}:{place.prefix}{path}\n")
        said, _, data = process.git(place, "cat-file", "--batch", stdin=asked).partition(b"\n")
        if found := _SIZE.fullmatch(said + b"\n"):
            return data[: int(found[1])]
    # It says the same of a file that the commit has not, and of one whose bytes are missing.
    blob = files(place, commit, path).get(path)
    return None if blob is None else process.git(place, "cat-file", "blob", blob.id)


def contents(
    place: Place, wanted: Iterable[Blob], check: Callable[[str, int], None] | None = None
) -> dict[str, bytes]:
    """Return the bytes of plain files by blob id; raises as `reading` does."""
    plain = {blob.id: blob for blob in wanted if blob.mode in PLAIN}
    if not plain:
        return {}
    with reading(place, check) as read:
        return {oid: read(blob) for oid, blob in plain.items()}


def sizes(place: Place, wanted: Iterable[Blob]) -> dict[str, int]:
    """Return how many bytes plain files have, by blob id, without reading one."""
    asked = b"".join({f"{blob.id}\n".encode(): None for blob in wanted if blob.mode in PLAIN})
    if not asked:
        return {}
    said = process.git(place, "cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked)
    rows = (line.split() for line in said.decode().splitlines())
    return {oid: int(size) for oid, size in rows if size.isdecimal()}


def held(place: Place, ids: Iterable[str]) -> frozenset[str]:
    """Return those of the objects with *ids* that the repository has."""
    asked = "".join(f"{oid}\n" for oid in ids).encode()
    # With its size: the name alone is said of an empty file, too, which a power cut leaves.
    check = ("cat-file", "--batch-check=%(objectname) %(objectsize)")
    lines = process.git(place, *check, stdin=asked).decode().splitlines()
    return frozenset(line.split(" ")[0] for line in lines if not line.endswith(" missing"))


@contextlib.contextmanager
def reading(
    place: Place, check: Callable[[str, int], None] | None = None
) -> Iterator[Callable[[Blob], bytes]]:
    """Yield what returns the bytes of a blob, as committed; one process reads them all.

    It raises Unavailable for a blob that the repository has not got. *check* is given the id and
    the size of each before a byte of it is read, and may raise.
    """
    with process.talking(place, "cat-file", "--batch") as running:
        ask, answer = running.stdin, running.stdout
        assert ask  # noqa: S101  # for mypy: both are pipes
        assert answer  # noqa: S101  # likewise
        yield lambda blob: _bytes(place, ask, answer, blob.id, check)


def _bytes(
    place: Place,
    ask: IO[bytes],
    answer: IO[bytes],
    oid: str,
    check: Callable[[str, int], None] | None,
) -> bytes:
    with contextlib.suppress(BrokenPipeError):
        ask.write(f"{oid}\n".encode())
        ask.flush()
    found = _SIZE.fullmatch(answer.readline())
    if found and check:
        check(oid, int(found[1]))
    data = answer.read(int(found[1]) + 1) if found else b""
    if found is None or len(data) <= int(found[1]):
        raise Unavailable(
            f"git has no object {oid} in {place.top}: `git fsck` there says what is wrong; "
            "a partial clone gets it with `git fetch --refetch --no-filter`"
        )
    return data[:-1]


def changes(place: Place, old: str, new: str, *below: str) -> list[Row]:
    """Return what differs between two trees; by their whole names git is asked once."""
    if old == new:
        return []
    asked = (old, new, *below)
    if (known := place.known_rows.answers.get(asked)) is not None:
        return [*known]
    found = _rows(process.git(place, "diff-tree", "-r", "-z", "--no-renames", *asked))
    if is_id(old) and is_id(new):
        place.known_rows.note(asked, tuple(found))
    return found


def is_id(name: str) -> bool:
    """Tell whether *name* is the whole name of an object, which never changes."""
    return _ID.fullmatch(name) is not None


def staged(place: Place, base: str | None, *below: str) -> list[Row]:
    """Return what differs between *base* and the index."""
    tree = base or nothing(place)
    args = ("diff-index", "--cached", "-z", "--no-renames", "--ita-invisible-in-index")
    return _rows(process.git(place, *args, tree, *below))


def patch(place: Place, old: str, new: str, paths: Sequence[str], extra: Mapping[str, str]) -> str:
    """Return what differs between two trees as a patch."""
    relative = (f"--relative={place.prefix}",) if place.prefix else ()
    args = ("diff-tree", "-r", *_PATCH, *relative, old, new, *place.below(paths))
    return process.stored(place, *args, extra=extra).decode(errors="replace")


def _rows(raw: bytes) -> list[Row]:
    fields = raw.split(b"\0")[:-1]
    pairs = zip(fields[::2], fields[1::2], strict=True)
    return [_row(start.decode().lstrip(":").split(" "), path) for start, path in pairs]


def _row(start: Sequence[str], path: bytes) -> Row:
    old_mode, new_mode, old, new, _ = start
    return Row(Blob(old_mode, old), Blob(new_mode, new), os.fsdecode(path))
