"""Take text out of the history: rewrite beside the repository, swap the refs, let the old go.

A bare repository beside it borrows its objects, git-filter-repo writes the new history there, its
pack is moved over, and one transaction moves all refs from the old commits to the new. Up to that
moment nothing of the repository is other than it was; after it, doing it all again finishes.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

from vaultmem.errors import Busy, Refused, Unavailable
from vaultmem.storage import subprocesses
from vaultmem.storage.git import commit_lock, process
from vaultmem.storage.git import objects as git_objects
from vaultmem.storage.git.types import PLAIN, Place

# Not `vaultmem-…`: what is called so in a git folder, whoever takes the lock sweeps away.
_BESIDE = "purge-of-vaultmem"
_REMAINS = ("COMMIT_EDITMSG", "FETCH_HEAD", "ORIG_HEAD", "AUTO_MERGE", "MERGE_RR", "gc.log")
_LINK = "120000"
_SET_UP = frozenset({"config", "description", "info/exclude"})
_UNNAMED = "Unnamed repository; edit this file 'description' to name the repository.\n"
_GRAPHS = ("objects/info/commit-graph", "objects/info/commit-graphs", "lost-found", "rr-cache")

_STAGED = "something is staged: commit or unstage it"
_WORKTREES = "it has other work trees: `git worktree remove` them"
_PARTIAL = "it is a partial clone: `git fetch --refetch --no-filter`"
_BORROWS = "it borrows objects: `git repack -a -d`, then remove objects/info/alternates"
_HIDDEN = "files are left out of the checkout, or assumed unchanged: undo that"

# The two callbacks look up what was decided beforehand; their text is all that runs inside.
_BLOBS = """
import pathlib
kept = pathlib.Path({folder!r}) / blob.original_id.decode()
if kept.exists():
    blob.data = kept.read_bytes()
"""
_MESSAGES = """
import json, pathlib
lines = json.loads(pathlib.Path({file!r}).read_text())
text = message.decode("utf-8", "surrogateescape")
told = lines["whole"].get(text)
if told is None:
    told = "\\n".join(lines["lines"].get(line, line) for line in text.split("\\n"))
return told.encode("utf-8", "surrogateescape")
"""


class Version(NamedTuple):
    """One version of a file: its blob, and the paths it ever had, counted from the top."""

    id: str
    paths: frozenset[str]


class Object(NamedTuple):
    """Something git stores: its id, its kind, and its bytes, of a tree the names alone."""

    id: str
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What shall be otherwise in every commit: *blobs* by id, *paths* gone, *lines* of messages.

    Of messages that are among the *whole* ones nothing else counts.
    """

    blobs: Mapping[str, bytes]
    paths: frozenset[str]
    lines: Mapping[str, str]
    whole: Mapping[str, str]

    def __bool__(self) -> bool:
        """Whether anything shall."""
        return bool(self.blobs or self.paths or self.lines or self.whole)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The *commits* that are others now, by their old ids, and how many refs are.

    *signatures* is how many commits lost theirs.
    """

    commits: Mapping[str, str] = field(default_factory=dict)
    refs: int = 0
    signatures: int = 0


# --- may it be ----------------------------------------------------------------------------------


def hindrance(place: Place) -> str | None:
    """Say why history cannot be rewritten now, and what would help; None when it can."""
    if why := commit_lock.blocked(place):
        return f"{why}: finish it first"
    refs, odd = _refs_and_odd_ones(place)
    common = place.common_dir
    checks = (
        (git_objects.staged(place, git_objects.head(place)), _STAGED),
        ("refs/stash" in refs, "there is a stash: apply or drop it (`git stash list`)"),
        (
            any(r.startswith("refs/replace/") for r in refs),
            "objects are replaced: `git replace -d`",
        ),
        (place.git_dir != common or _has(common / "worktrees"), _WORKTREES),
        ((common / "shallow").exists(), "it is a shallow clone: `git fetch --unshallow`"),
        (_has(common / "objects/pack", "*.promisor"), _PARTIAL),
        (_has(common / "objects/pack", "*.keep"), "a pack is marked .keep: remove the mark"),
        ((common / "objects/info/alternates").exists(), _BORROWS),
        (_superproject(place), "it is a submodule: purge it in a clone of its own"),
        (_odd_entries(place), _HIDDEN),
        (odd, "a tag points at something that is no commit: delete it"),
    )
    return next((why for found, why in checks if found), None)


def _has(folder: Path, pattern: str = "*") -> bool:
    return any(folder.glob(pattern))


def _superproject(place: Place) -> bool:
    if not any(os.path.lexists(folder / ".git") for folder in place.top.parents):
        return False
    # Asked without the folder of git, whose name alone would answer.
    asked = process.run(("rev-parse", "--show-superproject-working-tree"), place.top)
    return bool(asked.stdout.strip())


def _odd_entries(place: Place) -> bool:
    raw = process.git(place, "ls-files", "-v", "-z")
    return any(entry and not entry.startswith(b"H ") for entry in raw.split(b"\0"))


def _refs(place: Place) -> dict[str, str]:
    """Return all refs but symbolic ones, and what they point at."""
    return _refs_and_odd_ones(place)[0]


def _refs_and_odd_ones(place: Place) -> tuple[dict[str, str], list[str]]:
    """Return all refs but symbolic ones with what they point at, and those that are no commit."""
    shape = "--format=%(objectname)%00%(refname)%00%(symref)%00%(objecttype) %(*objecttype)"
    lines = os.fsdecode(process.git(place, "for-each-ref", shape)).split("\n")[:-1]
    rows = [line.split("\0") for line in lines]
    plain = {name: oid for oid, name, symbolic, _ in rows if not symbolic}
    return plain, [name for _, name, _, kind in rows if kind.split()[-1:] != ["commit"]]


# --- what exists --------------------------------------------------------------------------------


def versions(place: Place) -> tuple[Version, ...]:
    """Return every version of every file that some ref reaches."""
    commits = process.git(place, "rev-list", "--all")
    args = ("diff-tree", "--stdin", "-r", "-z", "-m", "--root", "--no-commit-id", "--no-renames")
    fields = _long(place, *args, stdin=commits).split(b"\0")[:-1]
    paths: dict[str, set[str]] = {}
    for start, raw in zip(fields[::2], fields[1::2], strict=True):
        _, mode, _, new, _ = start.decode().split(" ")
        path = os.fsdecode(raw)
        if mode in PLAIN or mode == _LINK:
            paths.setdefault(new, set()).add(path)
    return tuple(Version(oid, frozenset(names)) for oid, names in paths.items())


def messages(place: Place) -> Iterator[str]:
    """Yield the message of every commit and tag there is."""
    for each in objects(place):
        if each.kind in {"commit", "tag"}:
            yield each.data.partition(b"\n\n")[2].decode("utf-8", "surrogateescape")


def objects(place: Place) -> Iterator[Object]:
    """Yield every object that is stored, reachable or not; of a tree the names in it."""
    args = ("cat-file", "--batch-all-objects", "--batch", "--unordered", "--buffer")
    with process.talking(place, *args) as running:
        assert running.stdout  # noqa: S101  # for mypy: it is a pipe
        while head := running.stdout.readline():
            oid, kind, *size = head.decode().split()
            if not size:  # "missing", say
                raise Unavailable(f"git cannot read the object {oid}: {kind}")
            data = running.stdout.read(int(size[0]) + 1)[:-1]
            yield Object(oid, kind, _names(place, data) if kind == "tree" else data)


def _names(place: Place, tree: bytes) -> bytes:
    """Return the names in a raw tree, a line each: its ids are noise to whoever looks for words."""
    size, names, at = hashlib.new(place.algorithm).digest_size, list[bytes](), 0
    while at < len(tree):
        end = tree.index(b"\0", at)
        names.append(tree[at:end].partition(b" ")[2])
        at = end + 1 + size
    return b"\n".join(names)


def count(place: Place) -> int:
    """Return how many objects are stored."""
    raw = process.git(place, "count-objects", "-v").decode()
    said = dict(line.split(": ", 1) for line in raw.splitlines())
    return int(said["count"]) + int(said["in-pack"])


def bundle(place: Place, file: Path) -> None:
    """Write all of the history to *file*; raises Unavailable."""
    _long(place, "bundle", "create", "--quiet", str(file), "--all")
    file.chmod(0o600)


# --- rewriting ----------------------------------------------------------------------------------


def rewrite(place: Place, wanted: Rewrite, held: commit_lock.Lock) -> Rewritten:
    """Put a history in which all is as *wanted* in the place of the one there is.

    *held* is git's index.lock. Raises Refused when the files of HEAD would change, Busy when
    a ref moved meanwhile, Unavailable when git fails; then all refs are as they were.
    """
    if not wanted:
        return Rewritten()
    beside = place.common_dir / _BESIDE
    shutil.rmtree(beside, ignore_errors=True)
    try:
        old = _refs(place)
        new = _filtered(place, beside, old, wanted)
        _refuse_other_files(place, beside)
        moved = {name: oid for name, oid in new.items() if oid != old[name]}
        commits = _changed(beside)
        signatures = _signed(place, commits)
        _fetch(place, beside, moved, old)
        _swap(place, moved, old, held)
        return Rewritten(commits, len(moved), signatures)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _filtered(
    place: Place, beside: Path, old: Mapping[str, str], wanted: Rewrite
) -> dict[str, str]:
    """Make the new history in *beside*, and return where its refs are."""
    inner = _borrowing(place, beside, old)
    args = list(_arguments(beside, wanted))
    done = subprocesses.run(
        [sys.executable, "-m", "git_filter_repo", *args],
        cwd=beside, env=_environ(), timeout=process.LONG, start_new_session=True,
    )  # fmt: skip
    if done.returncode != 0:
        why = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise Unavailable(f"git-filter-repo failed: {why}; the history is as it was")
    new = _refs(inner)
    if new.keys() != old.keys():
        raise Unavailable("git-filter-repo lost a ref; the history is as it was")
    return new


def _borrowing(place: Place, beside: Path, refs: Mapping[str, str]) -> Place:
    """Make a bare repository that has the refs of *place* and borrows its objects."""
    form = f"--object-format={place.algorithm}"
    done = process.run(
        ("init", "--quiet", "--bare", "--template=", form, str(beside)), place.top
    )  # fmt: skip
    if done.returncode != 0:
        raise process.failed(place, "init", done.stderr)
    theirs = beside / "objects/info/alternates"
    theirs.parent.mkdir(exist_ok=True)
    theirs.write_bytes(os.fsencode(place.common_dir / "objects") + b"\n")
    inner = Place(beside, beside, beside, beside, "", place.algorithm)
    lines = "".join(f"create {name} {oid}\n" for name, oid in refs.items())
    process.git(inner, "update-ref", "--stdin", stdin=os.fsencode(lines))
    branch = process.git(place, "symbolic-ref", "HEAD").decode().strip()
    process.git(inner, "symbolic-ref", "HEAD", branch)
    return inner


def _arguments(beside: Path, wanted: Rewrite) -> Iterator[str]:
    # --partial: no remote is taken away, no reflog, no gc: what borrows must not tidy.
    yield from ("--force", "--partial", "--quiet")
    # Empty commits stay: their operations are named in the log.
    yield from ("--prune-empty", "never", "--prune-degenerate", "never")
    kept = beside / "texts"
    kept.mkdir()
    for oid, data in wanted.blobs.items():
        (kept / oid).write_bytes(data)
    yield from ("--blob-callback", _BLOBS.format(folder=str(kept)))
    lines = beside / "lines.json"
    lines.write_text(json.dumps({"lines": dict(wanted.lines), "whole": dict(wanted.whole)}))
    yield from ("--message-callback", _MESSAGES.format(file=str(lines)))
    if wanted.paths:
        gone = beside / "paths"
        gone.write_bytes(b"".join(b"literal:%s\n" % os.fsencode(p) for p in sorted(wanted.paths)))
        yield from ("--invert-paths", "--paths-from-file", str(gone))


def _environ() -> dict[str, str]:
    """Return an environment in which git knows no config but that of the new repository, ours."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    ours = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    return kept | ours | {"GIT_TERMINAL_PROMPT": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def _refuse_other_files(place: Place, beside: Path) -> None:
    tree = "HEAD^{tree}"
    inner = Place(beside, beside, beside, beside, "", place.algorithm)
    then, now = (process.git(p, "rev-parse", "--verify", tree) for p in (place, inner))
    if then != now:
        raise Refused(
            "the files of the last commit still say it: forget or fix them first; "
            "the history is as it was"
        )


def _changed(beside: Path) -> dict[str, str]:
    """Return the commits that are others now, by their old ids."""
    rows = (beside / "filter-repo/commit-map").read_text().splitlines()[1:]
    pairs = (row.split() for row in rows)
    return {old: new for old, new in pairs if old != new}


def _signed(place: Place, commits: Iterable[str]) -> int:
    """Return how many of *commits* were signed."""
    signed = 0
    with process.talking(place, "cat-file", "--batch") as running:
        ask, answer = running.stdin, running.stdout
        assert ask  # noqa: S101  # for mypy: both are pipes
        assert answer  # noqa: S101  # likewise
        for oid in commits:
            signed += b"\ngpgsig" in _commit(ask, answer, oid).partition(b"\n\n")[0]
    return signed


def _commit(ask: IO[bytes], answer: IO[bytes], oid: str) -> bytes:
    ask.write(f"{oid}\n".encode())
    ask.flush()
    head = answer.readline().split()
    return answer.read(int(head[2]) + 1) if len(head) == len(("id", "kind", "size")) else b""


def _fetch(place: Place, beside: Path, moved: Mapping[str, str], old: Mapping[str, str]) -> None:
    """Bring what is new into the repository; nothing points to it yet."""
    inner = Place(beside, beside, beside, beside, "", place.algorithm)
    tips = "\n".join((*moved.values(), "--not", *old.values(), ""))
    packs = place.common_dir / "objects/pack"
    packs.mkdir(exist_ok=True)
    if moved:
        _long(inner, "pack-objects", "--quiet", "--revs", str(packs / "pack"), stdin=tips.encode())


def _swap(
    place: Place, moved: Mapping[str, str], old: Mapping[str, str], held: commit_lock.Lock
) -> None:
    """Move all refs in one transaction, if they are where they were; *held* until that is over."""
    lines = "".join(f"update {name} {oid} {old[name]}\n" for name, oid in moved.items())
    done = process.run_holding(held.fd, place, "update-ref", "--stdin", stdin=os.fsencode(lines))
    if done.returncode == 0:
        return
    now = _refs(place)
    if any(now.get(name) != old[name] for name in moved):
        raise Busy(f"a branch of {place.top}", 0)
    raise process.failed(place, "update-ref", done.stderr)


def rebuild_index(place: Place, held: commit_lock.Lock) -> None:
    """Make the index anew from HEAD: it may hold names of what is gone. No file is touched."""
    fresh = place.git_dir / f"vaultmem-{held.tag}.index"
    process.git(place, "read-tree", "HEAD", extra={"GIT_INDEX_FILE": str(fresh)})
    fresh.replace(place.git_dir / "index")


# --- letting the old go -------------------------------------------------------------------------


def scrub(place: Place) -> None:
    """Drop reflogs, what git left of earlier work, and every object that no ref reaches.

    Raises Unavailable when git fails; doing it again is harmless.
    """
    _long(place, "reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    for name in _REMAINS:
        for folder in {place.git_dir, place.common_dir}:
            (folder / name).unlink(missing_ok=True)
    for name in _GRAPHS:
        there = place.common_dir / name
        if there.is_dir():
            shutil.rmtree(there)
        else:
            there.unlink(missing_ok=True)
    shutil.rmtree(place.common_dir / _BESIDE, ignore_errors=True)
    for left in (place.common_dir / "objects/pack").glob("tmp_*"):
        left.unlink(missing_ok=True)
    _long(place, "-c", "gc.recentObjectsHook=", "gc", "--prune=now", "--quiet")


def set_up(place: Place) -> Iterator[tuple[str, str]]:
    """Yield what a person told git of this repository, and where; not what every one has."""
    config = process.git(place, "config", "--local", "--null", "--list").decode(errors="replace")
    yield ".git/config", "\n".join(line.partition("\n")[2] for line in config.split("\0"))
    for name in ("description", "info/exclude"):
        file = place.common_dir / name
        with contextlib.suppress(OSError):
            text = file.read_text(errors="replace") if file.is_file() else ""
            lines = (x for x in text.splitlines() if not x.startswith("#"))
            yield f".git/{name}", "" if text == _UNNAMED else "\n".join(lines)


def own_files(place: Place) -> Iterator[tuple[Path, str]]:
    """Yield the files that git keeps beside its objects, and their names: index, refs, logs.

    See `paths_below`. What git or a person set up is no note of what was stored: samples of
    hooks, the config.
    """
    for folder in {place.git_dir, place.common_dir}:
        for path in paths_below(folder):
            inner = path.relative_to(folder)
            is_set_up = str(inner) in _SET_UP or inner.match("hooks/*.sample")
            if inner.parts[0] != "objects" and not is_set_up:
                yield path, str(inner)


def paths_below(folder: Path) -> Iterator[Path]:
    """Yield the plain files below *folder*, and what cannot be looked at, folders, too."""
    shut: list[str] = []
    for here, inner, names in os.walk(folder, onerror=lambda e: shut.append(str(e.filename))):
        inner.sort()
        yield from (path for name in sorted(names) if _may_hold(path := Path(here, name)))
    yield from map(Path, shut)


def _may_hold(path: Path) -> bool:
    """Tell whether *path* is a plain file, as far as the system says."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _long(place: Place, *args: str, stdin: bytes = b"") -> bytes:
    done = process.run(process.argv(place, args), place.top, stdin=stdin, limit=process.LONG)
    if done.returncode != 0:
        raise process.failed(place, args[0], done.stderr)
    return done.stdout
