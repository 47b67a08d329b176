"""How the ledger stood to HEAD when they were compared last, kept so that nobody compares twice.

Read without git: `status` asks every time, and mostly nothing has moved.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from vaultmem.errors import disk_errors
from vaultmem.storage.files import private_file
from vaultmem.storage.ledger.types import Taken

ENTRIES = ".vaultmem/acknowledged.jsonl"
_STATE = ".vaultmem/verified.json"


class Missing(NamedTuple):
    """An acknowledged memory that HEAD has not; *op* acknowledged it.

    *blob* is its text in git, *place* the branch, stash or tag that holds it; each "" where that is
    not known.
    """

    id: str
    path: str
    op: str
    blob: str = ""
    place: str = ""


class LeftCommit(NamedTuple):
    """A commit of ours that HEAD does not reach, and the files that are asked for what it did.

    *place* is the ref that has it, "" where none does; or HEAD does reach it, and a commit of a
    person's, *by*, left out what it did.
    """

    commit: str
    subject: str
    ops: tuple[str, ...]
    paths: tuple[str, ...]
    place: str = ""
    by: str = ""


class Comparison(NamedTuple):
    """What HEAD lacked of the first *size* bytes of the ledger when it was at the commit *head*.

    *refs* tells whether branches have moved since the places of what is missing were looked up.
    *left* are the commits of ours that were in HEAD, and whose work it has not; *settled* those
    whose work its files have: as long as they do, nobody misses it. *thrown* are the commits that
    HEAD stood on when it was seen, and that git has not any more. *taken* is what the ledger says
    of others' commits. *pointers* are the paths of which HEAD has a pointer of git LFS alone, None
    where nobody has looked; *stay* is the `pointer_state` in which none of them could be replaced.
    """

    head: str
    size: int
    missing: tuple[Missing, ...] = ()
    refs: str = ""
    left: tuple[LeftCommit, ...] = ()
    settled: tuple[LeftCommit, ...] = ()
    thrown: tuple[str, ...] = ()
    taken: tuple[Taken, ...] = ()
    pointers: tuple[str, ...] | None = None
    stay: str = ""


def load(vault: Path) -> Comparison | None:
    """Return what was noted last, None when it is nothing or cannot be read."""
    try:
        raw = json.loads(private_file.read(vault / _STATE))
        missing = tuple(Missing(*map(str, each)) for each in raw["missing"])
        left, settled = (tuple(map(_left, raw.get(key, ()))) for key in ("left", "settled"))
        head, size, refs = str(raw["head"]), int(raw["size"]), str(raw["refs"])
        thrown = tuple(map(str, raw.get("thrown", ())))
        taken = tuple(map(_taken, raw.get("taken", ())))
        pointers = tuple(map(str, raw["pointers"])) if "pointers" in raw else None
        stay = str(raw.get("stay", ""))
        return Comparison(head, size, missing, refs, left, settled, thrown, taken, pointers, stay)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _left(raw: Sequence[Any]) -> LeftCommit:
    commit, subject, ops, paths, *more = raw
    return LeftCommit(str(commit), str(subject), tuple(ops), tuple(paths), *map(str, more))


def _taken(raw: Sequence[Any]) -> Taken:
    commit, path, ops = raw
    return Taken(str(commit), str(path), tuple(map(str, ops)))


def note(vault: Path, standing: Comparison) -> None:
    """Note *standing*, for as long as nothing moves; a disk that refuses costs the next look."""
    raw = {
        "head": standing.head, "size": standing.size, "refs": standing.refs,
        "missing": standing.missing,
        "left": standing.left,
        "settled": standing.settled, "thrown": standing.thrown,
        "taken": standing.taken, "stay": standing.stay,
    }  # fmt: skip
    if standing.pointers is not None:
        raw["pointers"] = standing.pointers
    with contextlib.suppress(OSError):
        private_file.write(vault / _STATE, json.dumps(raw).encode(), durable=False)


def forget(vault: Path) -> None:
    """Let the next look be a whole one; raises DiskRefused."""
    with disk_errors(vault / _STATE):
        (vault / _STATE).unlink(missing_ok=True)


def is_current(vault: Path) -> bool:
    """Tell whether the last look still holds, and left nothing to be done about.

    False where only git can tell.
    """
    known = load(vault)
    return (
        known is not None
        and not known.missing
        and not known.left
        and not known.thrown
        and known.pointers == ()
        and known.size == size(vault)
        and known.head == tip(vault / ".git")
    )


def is_due(vault: Path) -> bool:
    """Tell whether a comparison may find something that can be committed again now.

    What is missing, known, and not on disk waits for a person; so does a pointer that stays as long
    as nothing is otherwise that decides on it.
    """
    known = load(vault)
    if known is None or known.size != size(vault) or known.head != tip(vault / ".git"):
        return True
    if known.pointers is None or any((vault / each.path).exists() for each in known.missing):
        return True
    is_here = any((vault / path).exists() for path in known.pointers)
    return is_here and known.stay != pointer_state(vault, known.pointers)


def pointer_state(vault: Path, pointers: Sequence[str]) -> str:
    """Return what tells the files at *pointers*, and what says how git stores them, from others.

    Git's index has what is staged.
    """
    folders = {folder for path in pointers for folder in (vault / path).parents}
    attributes = (it / ".gitattributes" for it in folders if it.is_relative_to(vault))
    by_git = (vault / ".git" / it for it in ("info/attributes", "config", "index"))
    files = sorted({*attributes, *by_git, *(vault / path for path in pointers)})
    return hashlib.sha256("".join(map(_fingerprint, files)).encode()).hexdigest()


def _fingerprint(file: Path) -> str:
    try:
        found = file.lstat()
    except OSError:
        return f"{file}\0"
    return f"{file}\0{found.st_mtime_ns} {found.st_ctime_ns} {found.st_size} {found.st_ino}\0"


def size(vault: Path) -> int:
    """Return how long the ledger is, -1 where there is none."""
    try:
        return (vault / ENTRIES).stat().st_size
    except OSError:
        return -1


def tip(git_dir: Path) -> str:
    """Return the commit that HEAD stands on as far as plain files tell, "" where they do not."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        head = (git_dir / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head
        return _ref(git_dir, head.removeprefix("ref: "))
    return ""


def _ref(git_dir: Path, name: str) -> str:
    with contextlib.suppress(FileNotFoundError):
        return (git_dir / name).read_text().strip()
    packed = (git_dir / "packed-refs").read_text().splitlines()
    return next((line.split(" ")[0] for line in packed if line.endswith(f" {name}")), "")
