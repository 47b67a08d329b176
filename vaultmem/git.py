"""History: commit exactly the bytes we are given, beside a person who uses the same repository.

A commit is HEAD's tree plus our paths, built by one `git fast-import`, so the work tree, the
person's index and every filter stay out of it. It is published under git's own index.lock.
Whatever the repository's config would run, it does not run here.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import itertools
import os
import re
import secrets
import shutil
import socket
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

from vaultmem.errors import Busy, Refused, Unavailable

OP = "Vaultmem-Op"

_KEEP = frozenset(
    {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"}
)
_KEEP_PREFIXES = ("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_SSL_")
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone fetches a missing object through any transport its config names. A git that
    # does not know the first of these is left without a transport by the second.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
_CONFIG = (
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "core.alternateRefsCommand=",
    "core.sshCommand=false",
    "core.askPass=",
    "core.pager=cat",
    "core.editor=false",
    "credential.helper=",
    "diff.external=",
    "commit.gpgSign=false",
    "log.showSignature=false",
    "gpg.program=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "core.fsync=all",
    "core.fsyncMethod=fsync",
    "core.filesRefLockTimeout=2000",
    # A split or sparse index names its other half by path, which a copy would get wrong.
    "core.splitIndex=false",
    "index.sparse=false",
    "core.quotePath=false",
    "i18n.commitEncoding=UTF-8",
    "fastimport.unpackLimit=100",
)
_FLAGS = (
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    *itertools.chain.from_iterable(("-c", setting) for setting in _CONFIG),
)
_PATCH = (
    *("--patch", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"),
    *("--submodule=short", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/"),
)
_SECONDS = 60.0
_LONG = 900.0

_NOBODY = b"vaultmem <vaultmem@localhost>"
# fast-import needs a name for what it builds; the stream resets it before any ref is written.
_REF = b"refs/vaultmem/building"
_PLAIN = frozenset({"100644", "100755"})
_NEVER_A_NAME = re.compile(r"|\.{1,2}|\.git[. ]*|git~1|[^\0]*\0.*", re.IGNORECASE | re.DOTALL)
_TRAILER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*:[ \t]*(.*)")
_REBUILDS = 8
_PAUSE, _LONGEST_PAUSE = 0.004, 0.12
_TOKEN_LIMIT = 1 << 16
_TOKEN_WORDS = 5
_RECORD = re.compile(r"([0-9a-f]{40,64}) ([0-9a-f]{40,64})")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_SMALL = 16 << 20

_WAITS = {
    "MERGE_HEAD": "a merge is in progress",
    "rebase-merge": "a rebase is in progress",
    "rebase-apply": "a rebase or am is in progress",
    "CHERRY_PICK_HEAD": "a cherry-pick is in progress",
    "REVERT_HEAD": "a revert is in progress",
    "sequencer": "a cherry-pick or revert is in progress",
    "BISECT_LOG": "a bisect is in progress",
}
# What git stores for these is not what lies on disk, and only the person's git may convert.
_CONVERSIONS = ("filter", "working-tree-encoding", "ident")

_Kind = Literal["modified", "untracked", "deleted"]


@dataclass(frozen=True, slots=True)
class Change:
    """One path of a commit, relative to the vault; *data* None deletes it."""

    path: str
    data: bytes | None


@dataclass(frozen=True, slots=True)
class FileChange:
    """What one commit did to one file; None where there is none."""

    path: str
    old: bytes | None
    new: bytes | None


@dataclass(frozen=True, slots=True)
class Dirty:
    """A file of the work tree that the index does not know as it is."""

    path: str
    kind: _Kind


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit of the log; *body* stands without subject and trailers."""

    commit: str
    when: datetime
    author: str
    subject: str
    body: str
    trailers: tuple[tuple[str, str], ...]


class _Blob(NamedTuple):
    """One file of a tree or of the index."""

    mode: str
    id: str


class _Edit(NamedTuple):
    """A change by its blob id; *data* is None when the repository already holds the blob."""

    path: str
    blob: str | None
    data: bytes | None


class _Row(NamedTuple):
    """One line of a raw diff; *path* counts from the top of the work tree."""

    old: _Blob
    new: _Blob
    path: str


@dataclass(frozen=True, slots=True)
class Repository:
    """The git repository a vault lives in; the vault may be a folder of a bigger one."""

    root: Path
    top: Path
    git_dir: Path
    common_dir: Path
    prefix: str
    algorithm: str

    def head(self) -> str | None:
        """Return the commit HEAD stands on, None on an unborn branch."""
        return _resolve(self, "HEAD")

    def blocked(self) -> str | None:
        """Say why a commit must wait: a person's operation is half done; None when free."""
        for name, why in _WAITS.items():
            if os.path.lexists(self.git_dir / name):
                return why
        # A file committed on a detached HEAD would vanish at the next checkout.
        attached = _git(self, "symbolic-ref", "-q", "HEAD", okay=(0, 1))
        return None if attached else "detached HEAD"

    @contextlib.contextmanager
    def locked(self, patience: float = 10.0) -> Iterator[Lock]:
        """Hold git's index.lock, so that what is read inside is what gets committed.

        Raises Busy when another process keeps it for more than *patience* seconds.
        """
        lock = _acquire(self, patience)
        try:
            lock.recover()
            yield lock
        finally:
            lock.release()

    def commit(
        self,
        changes: Iterable[Change],
        message: str,
        *,
        when: datetime | None = None,
        patience: float = 10.0,
    ) -> str | None:
        """Commit *changes* on top of HEAD; None when HEAD already holds them.

        Raises Busy after *patience* seconds of a foreign lock, Refused when `blocked()`,
        Unavailable when git fails.
        """
        with self.locked(patience) as lock:
            return lock.commit(changes, message, when=when)

    def log(
        self, limit: int | None, *, since: str | None = None, paths: Sequence[str] = ()
    ) -> list[Entry]:
        """Return at most *limit* commits of the vault after *since*, newest first."""
        if self.head() is None:
            return []
        count = () if limit is None else (f"--max-count={limit}",)
        return _entries(self, *count, _range(self, since), *_below(self, paths))

    def find_op(self, op: str) -> Entry | None:
        """Return the newest commit whose trailers name the operation *op*."""
        found = _mentions(self, f"{OP}: {op}", None)
        return next((entry for entry in found if (OP, op) in entry.trailers), None)

    def ops_since(self, base: str | None) -> frozenset[str]:
        """Return every operation committed after *base*; None asks the whole history."""
        found = _mentions(self, f"{OP}: ", base)
        return frozenset(v for entry in found for key, v in entry.trailers if key == OP)

    def changed(self, commit: str) -> tuple[FileChange, ...]:
        """Return what *commit* did below the vault, against its first parent.

        Raises Unavailable when there is no such commit.
        """
        old, new = _step(self, commit)
        rows = [row for row in _diff_tree(self, old, new, *_below(self)) if _is_file(row)]
        blobs = _blobs(self, (blob for row in rows for blob in (row.old, row.new)))
        return tuple(
            FileChange(_inside(self, row.path), blobs.get(row.old.id), blobs.get(row.new.id))
            for row in rows
        )

    def show(self, commit: str, path: str) -> bytes | None:
        """Return the bytes of *path* in *commit* (or HEAD), None when either is missing."""
        found = _resolve(self, commit)
        blob = _tree(self, found, path).get(path) if found else None
        return None if blob is None else _git(self, "cat-file", "blob", blob.id)

    def diff(self, commit: str | None, paths: Sequence[str] = ()) -> str:
        """Return the patch of one commit, or of tracked files against HEAD when None.

        Raises Unavailable when there is no such commit.
        """
        if commit is None:
            return _diff_worktree(self, paths)
        return _patch(self, *_step(self, commit), paths, {})

    def staged(self) -> frozenset[str]:
        """Return the paths below the vault whose index entry differs from HEAD."""
        rows = _diff_index(self, self.head(), *_below(self))
        return frozenset(_inside(self, row.path) for row in rows)

    def unstaged(self) -> tuple[Dirty, ...]:
        """Return the files a person changed and has not staged, in path order.

        The bytes are compared here: git's own comparison would run the repository's filters.
        """
        staged = self.staged()
        tracked = ((p, b) for p, b in _index(self).items() if b and p not in staged)
        dirty: dict[str, _Kind] = dict.fromkeys(_untracked(self) - staged, "untracked")
        dirty |= {path: kind for path, blob in tracked if (kind := _kind(self, path, blob))}
        own = dirty.keys() - _converted(self, dirty)
        return tuple(Dirty(path, dirty[path]) for path in sorted(own))

    def fsck(self) -> str | None:
        """Return what git finds wrong with the repository, None when it is whole."""
        args = ("fsck", "--strict", "--no-dangling", "--no-progress")
        done = _run(_argv(self, args), self.top, limit=_LONG)
        said = (done.stdout + done.stderr).decode(errors="replace").strip()
        return None if done.returncode == 0 else said or f"git fsck failed ({done.returncode})"


@dataclass(frozen=True, slots=True)
class Lock:
    """Git's index.lock, held by us; get one from `Repository.locked`.

    The lock file is our token, and every line after the first is the (old, new) of a commit we
    began to publish: whoever takes the lock over after a crash knows what to put right.
    """

    repository: Repository
    tag: str
    fd: int

    def commit(
        self, changes: Iterable[Change], message: str, *, when: datetime | None = None
    ) -> str | None:
        """Commit *changes* on top of HEAD; None when HEAD already holds them.

        Raises Refused when `blocked()` or a path is no path of a vault, Busy when HEAD keeps
        moving, Unavailable when git fails.
        """
        repo = self.repository
        if why := repo.blocked():
            raise Refused(f"{why} in {repo.top}; the commit waits until it is over")
        facts = _facts(repo, message, when or datetime.now().astimezone())
        blobs: dict[str, str | None] = {}
        edits = _edits(changes, repo.algorithm, blobs)
        for _ in range(_REBUILDS):
            base = repo.head()
            new = self._build(base, edits, facts)
            if new is None or self._publish(base, new, message):
                return new
            # Someone moved HEAD without taking the lock. Our blobs are stored; only name them.
            edits = (_Edit(path, blob, None) for path, blob in blobs.items())
        raise Busy(f"HEAD of {repo.top}", 0)

    def recover(self) -> None:
        """Put right what a dead process of ours left: its index entries, its temporary files."""
        for old, new in _records(self.fd):
            self._heal(old, new)
        for stray in self.repository.git_dir.glob("vaultmem-*"):
            if self.tag not in stray.name and _is_stray(stray):
                stray.unlink(missing_ok=True)

    def release(self) -> None:
        """Give the lock back, unless someone already took it away from us."""
        if self._held():
            _lock_file(self.repository).unlink()
        os.close(self.fd)

    def _held(self) -> bool:
        return _is_at(self.fd, _lock_file(self.repository))

    def _build(self, base: str | None, edits: Iterable[_Edit], facts: bytes) -> str | None:
        repo = self.repository
        news = _news(edits, _tree(repo, base))
        first = next(news, None)
        if first is None:
            return None
        rest = itertools.chain([first], news)
        return _import(repo, _stream(facts, base, repo.prefix, rest), {})

    def _publish(self, base: str | None, new: str, message: str) -> bool:
        # The index goes first, then HEAD. A crash between the two leaves our files staged: at
        # worst a person's next commit carries them. The other way round they would stand as
        # staged deletions, and that commit would drop them from history.
        old = base or _nothing(self.repository)
        self._note(old, new)
        with contextlib.ExitStack() as undo:
            undo.callback(self._heal, old, new)
            self._shift(old, new)
            if not self._move_head(base, new, message):
                return False
            undo.pop_all()
        return True

    def _note(self, old: str, new: str) -> None:
        with _disk(self.repository):
            os.write(self.fd, f"{old} {new}\n".encode())
            os.fsync(self.fd)

    def _move_head(self, base: str | None, new: str, message: str) -> bool:
        repo = self.repository
        self._must_hold()
        subject = message.replace("\0", "").strip().partition("\n")[0]
        args = ("update-ref", "-m", f"commit: {subject}", "HEAD", new, base or "0" * len(new))
        done = _run(_argv(repo, args), repo.top)
        if done.returncode != 0 and repo.head() == base:
            raise _failed(repo, "update-ref", done.stderr)
        return done.returncode == 0

    def _must_hold(self) -> None:
        if not self._held():
            raise Unavailable(
                f"someone removed {_lock_file(self.repository)} while a commit was written; "
                "nothing was committed: try again"
            )

    def _heal(self, old: str, new: str) -> None:
        # Index entries that a publish moved to *new* follow HEAD, wherever HEAD ended up.
        repo = self.repository
        head = repo.head() or _nothing(repo)
        if head == new or not (_is_tree(repo, old) and _is_tree(repo, new)):
            return
        ours = {row.path for row in _diff_tree(repo, old, new)}
        self._shift(new, head, ours)

    def _shift(self, old: str, new: str, only: AbstractSet[str] | None = None) -> None:
        # Every index entry that stands as in *old* moves to *new*; a staged one stays as it is.
        repo = self.repository
        rows = _diff_tree(repo, old, new)
        staged = {row.path for row in _diff_index(repo, old)} if rows else set()
        moved = [r for r in rows if r.path not in staged and (only is None or r.path in only)]
        if moved:
            self._write_index(b"".join(_index_line(row) for row in moved))

    def _write_index(self, lines: bytes) -> None:
        repo = self.repository
        index = repo.git_dir / "index"
        copy = index.with_name(f"vaultmem-{self.tag}.index")
        with _disk(repo):
            if index.exists():
                shutil.copyfile(index, copy)
            extra = {"GIT_INDEX_FILE": str(copy)}
            _git(repo, "update-index", "-z", "--index-info", stdin=lines, extra=extra)
            self._must_hold()
            copy.replace(index)
            # HEAD may only move once the disk has the index, see `_publish`.
            _sync(repo.git_dir)


def available() -> bool:
    """Say whether there is a git to run."""
    return shutil.which("git") is not None


def find(root: Path) -> Repository | None:
    """Return the repository *root* lies in.

    None when there is no git, no repository, or one that ignores this folder.
    """
    ask = ("--show-toplevel", "--git-dir", "--git-common-dir", "--show-object-format")
    args = ("rev-parse", "--path-format=absolute", *ask, "--show-prefix")
    if not available() or not root.is_dir():
        return None
    done = _run(args, root)
    lines = os.fsdecode(done.stdout).split("\n")
    if done.returncode != 0 or len(lines) != len(ask) + 2:
        return None
    top, git_dir, common_dir, algorithm, prefix, _ = lines
    here = root.resolve()
    repo = Repository(here, Path(top), Path(git_dir), Path(common_dir), prefix, algorithm)
    # A core.worktree that points elsewhere makes git speak of other files than ours.
    return repo if Path(top, prefix) == here and not _is_ignored(repo) else None


def create(root: Path) -> Repository:
    """Make *root* a repository of its own, without the hooks of any template.

    Raises Unavailable when git is missing or refuses.
    """
    done = _run(("init", "--quiet", "--template=", str(root)), Path.cwd())
    repo = find(root) if done.returncode == 0 else None
    if repo is None:
        why = done.stderr.decode(errors="replace").strip()
        raise Unavailable(f"git init failed in {root}: {why}; the vault works without history")
    return repo


# Running git.


def _argv(repo: Repository, args: Sequence[str]) -> tuple[str, ...]:
    return (f"--git-dir={repo.git_dir}", f"--work-tree={repo.top}", *args)


def _git(
    repo: Repository,
    *args: str,
    stdin: bytes = b"",
    extra: Mapping[str, str] | None = None,
    okay: tuple[int, ...] = (0,),
) -> bytes:
    done = _run(_argv(repo, args), repo.top, stdin=stdin, extra=extra)
    if done.returncode not in okay:
        raise _failed(repo, args[0], done.stderr)
    return done.stdout


def _failed(repo: Repository, verb: str, stderr: bytes) -> Unavailable:
    why = stderr.decode(errors="replace").strip() or "no reason given"
    return Unavailable(
        f"git {verb} failed in {repo.top}: {why}; the files are safe, only history waits"
    )


def _import(repo: Repository, stream: Iterable[bytes], extra: Mapping[str, str]) -> str:
    process = _start(repo, ("fast-import", "--quiet", "--done"), extra)
    with process, _killed_at_the_end(process):
        with contextlib.suppress(BrokenPipeError):
            for chunk in stream:
                process.stdin.write(chunk)  # type: ignore[union-attr]
        out, err = process.communicate()
    if process.returncode != 0:
        raise _failed(repo, "fast-import", err)
    return out.decode().strip()


def _start(
    repo: Repository, args: Sequence[str], extra: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    argv, pipe = ["git", *_FLAGS, *_argv(repo, args)], subprocess.PIPE
    with _unavailable():
        return subprocess.Popen(
            argv,
            cwd=repo.top,
            env=_environ(extra),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,
        )


# Names and paths.


def _resolve(repo: Repository, name: str) -> str | None:
    args = ("rev-parse", "-q", "--verify", "--end-of-options", f"{name}^{{commit}}")
    return _git(repo, *args, okay=(0, 1)).decode().strip() or None


def _step(repo: Repository, name: str) -> tuple[str, str]:
    commit = _resolve(repo, name)
    if commit is None:
        raise Unavailable(f"no commit {name!r} in {repo.top}: `git log` lists them")
    return _resolve(repo, f"{commit}^1") or _nothing(repo), commit


def _nothing(repo: Repository) -> str:
    return _object_id(repo.algorithm, b"tree", b"")


def _inside(repo: Repository, path: str) -> str:
    return path.removeprefix(repo.prefix)


def _below(repo: Repository, paths: Sequence[str] = ()) -> tuple[str, ...]:
    wanted = [repo.prefix + path for path in paths] or [repo.prefix]
    return ("--", *filter(None, wanted))


def _range(repo: Repository, since: str | None) -> str:
    return "HEAD" if since is None else f"{_step(repo, since)[1]}..HEAD"


# Reading history.


def _entries(repo: Repository, *args: str) -> list[Entry]:
    shape = "--format=%H%x00%at%x00%an%x00%s%x00%b%x00"
    raw = _git(repo, "rev-list", "--no-commit-header", "--encoding=UTF-8", shape, *args)
    fields = raw.decode(errors="replace").split("\0")[:-1]
    return [_entry(*fields[at : at + 5]) for at in range(0, len(fields), 5)]


def _mentions(repo: Repository, text: str, base: str | None) -> list[Entry]:
    if repo.head() is None:
        return []
    return _entries(repo, "--fixed-strings", f"--grep={text}", _range(repo, base), "--")


def _diff_tree(repo: Repository, old: str, new: str, *below: str) -> list[_Row]:
    return _rows(_git(repo, "diff-tree", "-r", "-z", "--no-renames", old, new, *below))


def _diff_index(repo: Repository, base: str | None, *below: str) -> list[_Row]:
    tree = base or _nothing(repo)
    args = ("diff-index", "--cached", "-z", "--no-renames", "--ita-invisible-in-index")
    return _rows(_git(repo, *args, tree, *below))


def _tree(repo: Repository, commit: str | None, *paths: str) -> dict[str, _Blob]:
    if commit is None:
        return {}
    raw = _git(repo, "ls-tree", "-r", "-z", "--full-tree", commit, *_below(repo, paths))
    lines = (line.partition(b"\t") for line in raw.split(b"\0") if line)
    found = ((head.decode().split(" "), os.fsdecode(path)) for head, _, path in lines)
    return {_inside(repo, path): _Blob(mode, oid) for (mode, _, oid), path in found}


def _blobs(repo: Repository, wanted: Iterable[_Blob]) -> dict[str, bytes]:
    ids = sorted({blob.id for blob in wanted if blob.mode in _PLAIN})
    raw = _git(repo, "cat-file", "--batch", stdin="".join(f"{i}\n" for i in ids).encode())
    found, at = {}, 0
    for oid in ids:
        end = raw.index(b"\n", at)
        size = int(raw[at:end].rsplit(b" ", 1)[1])
        found[oid] = raw[end + 1 : end + 1 + size]
        at = end + size + 2
    return found


def _patch(
    repo: Repository, old: str, new: str, paths: Sequence[str], extra: Mapping[str, str]
) -> str:
    relative = (f"--relative={repo.prefix}",) if repo.prefix else ()
    args = ("diff-tree", "-r", *_PATCH, *relative, old, new, *_below(repo, paths))
    return _git(repo, *args, extra=extra).decode(errors="replace")


def _diff_worktree(repo: Repository, paths: Sequence[str]) -> str:
    # The patch of the commit the work tree would become, built in a store of its own that is
    # thrown away: comparing through `git diff` would run the clean filters.
    base = repo.head()
    tree = _tree(repo, base, *paths)
    changes = list(_worktree_changes(repo, tree, paths))
    if not changes:
        return ""
    with tempfile.TemporaryDirectory(prefix="vaultmem-") as store:
        extra = {
            "GIT_OBJECT_DIRECTORY": store,
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quote(repo.common_dir / "objects").decode(),
        }
        news = _news(_edits(changes, repo.algorithm, {}), tree)
        facts = _commit_head(_NOBODY, _NOBODY, datetime.now(UTC), "")
        new = _import(repo, _stream(facts, base, repo.prefix, news), extra)
        return _patch(repo, base or _nothing(repo), new, paths, extra)


# Reading the work tree: bytes by our own hand, so that no filter runs.


def _index(repo: Repository, paths: Sequence[str] = ()) -> dict[str, _Blob | None]:
    # None: an entry whose file is not ours to judge. Only an `H` may be compared with its
    # file: `S` is left out of the checkout, a small letter is assumed unchanged, `M` unmerged.
    raw = _git(repo, "ls-files", "-s", "-v", "-z", *_below(repo, paths))
    lines = (line.partition(b"\t") for line in raw.split(b"\0") if line)
    found: dict[str, _Blob | None] = {}
    for head, _, path in lines:
        tag, mode, oid, _ = head.decode().split(" ")
        fit = tag == "H" and mode in _PLAIN
        found[_inside(repo, os.fsdecode(path))] = _Blob(mode, oid) if fit else None
    return found


def _untracked(repo: Repository) -> set[str]:
    raw = _git(repo, "ls-files", "-o", "-z", "--exclude-standard", *_below(repo))
    paths = {_inside(repo, os.fsdecode(path)) for path in raw.split(b"\0") if path}
    return {path for path in paths if stat.S_ISREG(_mode(repo.root / path))}


def _converted(repo: Repository, paths: Iterable[str]) -> set[str]:
    names = b"\0".join(os.fsencode(repo.prefix + path) for path in paths)
    raw = _git(repo, "check-attr", "-z", "--stdin", *_CONVERSIONS, stdin=names) if names else b""
    fields = raw.split(b"\0")[:-1]
    rows = zip(fields[::3], fields[1::3], fields[2::3], strict=True)
    unset = {b"unspecified", b"unset"}
    return {_inside(repo, os.fsdecode(path)) for path, _, value in rows if value not in unset}


def _kind(repo: Repository, path: str, blob: _Blob) -> _Kind | None:
    try:
        with _opened(repo.root, path) as file:
            return "modified" if file and not _same(repo, file, blob.id) else None
    except (FileNotFoundError, NotADirectoryError):
        return "deleted"
    except OSError:
        # A link, or a file we may not read: nothing we could commit.
        return None


def _same(repo: Repository, file: BinaryIO, oid: str) -> bool:
    size = os.fstat(file.fileno()).st_size
    digest = hashlib.new(repo.algorithm, b"blob %d\0" % size, usedforsecurity=False)
    while block := file.read(1 << 20):
        digest.update(block)
    # A checkout may have written CRLF (eol, autocrlf): the same text is no edit.
    return digest.hexdigest() == oid or (size < _SMALL and _same_text(repo, file, oid))


def _same_text(repo: Repository, file: BinaryIO, oid: str) -> bool:
    file.seek(0)
    text = file.read().replace(b"\r\n", b"\n")
    return _object_id(repo.algorithm, b"blob", text) == oid


def _worktree_changes(
    repo: Repository, head: Mapping[str, _Blob], paths: Sequence[str]
) -> Iterator[Change]:
    index = _index(repo, paths)
    candidates = {p for p, blob in index.items() if blob} | (head.keys() - index.keys())
    for path in sorted(candidates - _converted(repo, candidates)):
        blob = head.get(path)
        kind = _kind(repo, path, blob) if blob else "modified"
        if kind == "deleted" or path not in index:
            yield Change(path, None)
        elif kind and (data := _read(repo, path)) is not None:
            yield Change(path, data)


def _read(repo: Repository, path: str) -> bytes | None:
    try:
        with _opened(repo.root, path) as file:
            return file.read() if file else None
    except OSError:
        return None


def _identity(repo: Repository, role: str) -> bytes:
    # Without useConfigOnly git makes a name up from the machine's accounts.
    args = ("-c", "user.useConfigOnly=true", *_argv(repo, ("var", f"GIT_{role}_IDENT")))
    done = _run(args, repo.top)
    return done.stdout.rsplit(b" ", 2)[0] if done.returncode == 0 else _NOBODY


def _run(
    args: Sequence[str],
    cwd: Path,
    *,
    stdin: bytes = b"",
    extra: Mapping[str, str] | None = None,
    limit: float = _SECONDS,
) -> subprocess.CompletedProcess[bytes]:
    argv = ["git", *_FLAGS, *args]
    env = _environ(extra or {})
    # A session of its own: a signal to our whole group would kill `update-ref` between its lock
    # and its rename, and the reference lock it leaves is one that nobody may remove but a person.
    with _unavailable():
        return subprocess.run(
            argv,
            cwd=cwd,
            env=env,
            input=stdin,
            capture_output=True,
            timeout=limit,
            check=False,
            start_new_session=True,
        )


@contextlib.contextmanager
def _unavailable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unavailable(f"cannot run git: {error}; the files are safe, history waits") from error
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"git did not answer within {error.timeout:g} s; try again") from error


def _environ(extra: Mapping[str, str]) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if _is_kept(key)}
    return kept | _ENVIRONMENT | dict(extra)


def _is_kept(key: str) -> bool:
    return not key.startswith("GIT_") or key in _KEEP or key.startswith(_KEEP_PREFIXES)


@contextlib.contextmanager
def _killed_at_the_end(process: subprocess.Popen[bytes]) -> Iterator[None]:
    # Told that its input ended early, fast-import would leave a crash report in the git folder.
    timer = threading.Timer(_LONG, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        process.kill()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()  # type: ignore[union-attr]


def _is_ignored(repo: Repository) -> bool:
    if not repo.prefix:
        return False
    # check-ignore dies of --literal-pathspecs; a leading "./" disarms the magic of a colon.
    args = _argv(repo, ("check-ignore", "-q", "--", f"./{repo.prefix}"))
    return _run(("--no-literal-pathspecs", *args), repo.top).returncode == 0


def _is_tree(repo: Repository, name: str) -> bool:
    args = ("rev-parse", "-q", "--verify", "--end-of-options", f"{name}^{{tree}}")
    return _run(_argv(repo, args), repo.top).returncode == 0


# Values: no process, no disk.


def _object_id(algorithm: str, kind: bytes, data: bytes) -> str:
    header = b"%s %d\0" % (kind, len(data))
    return hashlib.new(algorithm, header + data, usedforsecurity=False).hexdigest()


def _rows(raw: bytes) -> list[_Row]:
    fields = raw.split(b"\0")[:-1]
    pairs = zip(fields[::2], fields[1::2], strict=True)
    return [_row(head.decode().lstrip(":").split(" "), path) for head, path in pairs]


def _row(head: Sequence[str], path: bytes) -> _Row:
    old_mode, new_mode, old, new, _ = head
    return _Row(_Blob(old_mode, old), _Blob(new_mode, new), os.fsdecode(path))


def _is_file(row: _Row) -> bool:
    return row.old.mode in _PLAIN or row.new.mode in _PLAIN


def _index_line(row: _Row) -> bytes:
    mode = "0" if row.new.mode == "000000" else row.new.mode
    return f"{mode} {row.new.id}\t".encode() + os.fsencode(row.path) + b"\0"


def _entry(commit: str, at: str, author: str, subject: str, body: str) -> Entry:
    text, trailers = _trailers(body)
    when = datetime.fromtimestamp(int(at), UTC)
    return Entry(commit.lstrip("\n"), when, author, subject, text, trailers)


def _trailers(body: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    # Read here and not by git, whose idea of a trailer the repository's config can change.
    text, _, last = ("\n\n" + body.strip()).rpartition("\n\n")
    found = [_TRAILER.fullmatch(line) for line in last.splitlines()]
    if not found or None in found:
        return body.strip(), ()
    return text.strip(), tuple((m[1], m[2].strip()) for m in found if m)


def _edits(
    changes: Iterable[Change], algorithm: str, blobs: dict[str, str | None]
) -> Iterator[_Edit]:
    for change in changes:
        if any(_NEVER_A_NAME.fullmatch(part) for part in change.path.split("/")):
            raise Refused(f"{change.path!r} is no path of a vault; nothing was committed")
        blob = None if change.data is None else _object_id(algorithm, b"blob", change.data)
        blobs[change.path] = blob
        yield _Edit(change.path, blob, change.data)


def _news(edits: Iterable[_Edit], tree: dict[str, _Blob]) -> Iterator[tuple[_Edit, str]]:
    # Only what differs from *tree*, with the mode to store: a script stays executable.
    for edit in edits:
        was = tree.get(edit.path)
        if edit.blob is None:
            if tree.pop(edit.path, None):
                yield edit, ""
        elif was is None or was.id != edit.blob or was.mode not in _PLAIN:
            mode = was.mode if was and was.mode in _PLAIN else "100644"
            tree[edit.path] = _Blob(mode, edit.blob)
            yield edit, mode


def _stream(
    head: bytes, base: str | None, prefix: str, news: Iterable[tuple[_Edit, str]]
) -> Iterator[bytes]:
    # The mark is asked back, then the ref is reset before fast-import would write it.
    yield b"feature done\ncommit %s\nmark :1\n%s" % (_REF, head)
    if base:
        yield b"from %s\n" % base.encode()
    for edit, mode in news:
        path = _quote(prefix + edit.path)
        if edit.blob is None:
            yield b"D %s\n" % path
        elif edit.data is None:
            yield b"M %s %s %s\n" % (mode.encode(), edit.blob.encode(), path)
        else:
            yield b"M %s inline %s\ndata %d\n" % (mode.encode(), path, len(edit.data))
            yield edit.data
            yield b"\n"
    yield b"\nget-mark :1\nreset %s\n\ndone\n" % _REF


def _facts(repo: Repository, message: str, when: datetime) -> bytes:
    return _commit_head(_identity(repo, "AUTHOR"), _identity(repo, "COMMITTER"), when, message)


def _commit_head(author: bytes, committer: bytes, when: datetime, message: str) -> bytes:
    aware = when.astimezone() if when.tzinfo is None else when
    date = f"{max(0, int(aware.timestamp()))} {aware.strftime('%z')[:5]}".encode()
    text = message.replace("\0", "").strip().encode(errors="replace") + b"\n"
    facts = (author, date, committer, date, len(text), text)
    return b"author %s %s\ncommitter %s %s\ndata %d\n%s" % facts


def _quote(path: str | Path) -> bytes:
    raw = os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"%s"' % raw


# The lock and the files.


def _lock_file(repo: Repository) -> Path:
    return repo.git_dir / "index.lock"


def _acquire(repo: Repository, patience: float) -> Lock:
    tag = f"{os.getpid()}-{secrets.token_hex(6)}"
    token = repo.git_dir / f"vaultmem-{tag}.lock"
    with contextlib.ExitStack() as undo, _disk(repo):
        fd = os.open(token, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        undo.callback(os.close, fd)
        with contextlib.ExitStack() as always:
            always.callback(token.unlink, missing_ok=True)
            _sign(fd)
            _wait(lambda: _claim(token, fd, _lock_file(repo)), patience, _lock_file(repo))
        undo.pop_all()
    return Lock(repo, tag, fd)


@contextlib.contextmanager
def _disk(repo: Repository) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unavailable(
            f"cannot write below {repo.git_dir}: {error}; the files are safe, only history waits"
        ) from error


def _sign(fd: int) -> None:
    # Whoever finds this lock can tell whether we still live: by process, and by the flock, which
    # the kernel drops with us even where process numbers of another container mean nothing.
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    pid = os.getpid()
    os.write(fd, f"vaultmem {socket.gethostname()} {_boot()} {pid} {_started(pid)}\n".encode())
    os.fsync(fd)


def _wait(attempt: Callable[[], bool], patience: float, what: Path) -> None:
    until, pause = time.monotonic() + patience, _PAUSE
    while not attempt():
        left = until - time.monotonic()
        if left <= 0:
            raise Busy(str(what), patience)
        # Jitter, or two that wait would meet again and again.
        time.sleep(min(left, pause * (0.5 + secrets.randbelow(1000) / 1000)))
        pause = min(_LONGEST_PAUSE, pause * 1.6)


def _claim(token: Path, fd: int, lock: Path) -> bool:
    try:
        os.link(token, lock)
    except FileExistsError:
        return _inherit(token, fd, lock)
    return True


def _inherit(token: Path, fd: int, lock: Path) -> bool:
    # One rename, so that no moment lies between a dead lock of ours and our own.
    try:
        dead = os.open(lock, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return False
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, dead)
        if not _is_abandoned(dead) or not _is_at(dead, lock):
            return False
        os.write(fd, b"".join(f"{old} {new}\n".encode() for old, new in _records(dead)))
        os.fsync(fd)
        token.replace(lock)
    return True


def _is_abandoned(fd: int) -> bool:
    # Only a token of ours is ever locked by us; the lock also keeps two from inheriting at once.
    who = os.pread(fd, _TOKEN_LIMIT, 0).decode(errors="replace").partition("\n")[0].split(" ")
    if len(who) != _TOKEN_WORDS or who[:2] != ["vaultmem", socket.gethostname()]:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    _, _, boot, pid, started = who
    return boot != _boot() or not _lives(pid, started)


def _lives(pid: str, started: str) -> bool:
    if not pid.isdecimal():
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return started in {"", _started(int(pid))}


def _boot() -> str:
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return ""


def _started(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def _records(fd: int) -> list[tuple[str, str]]:
    lines = os.pread(fd, _TOKEN_LIMIT, 0).decode(errors="replace").splitlines()[1:]
    found = [_RECORD.fullmatch(line) for line in lines]
    return [(match[1], match[2]) for match in found if match]


def _is_at(fd: int, path: Path) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(fd), path.lstat())
    return False


def _is_stray(path: Path) -> bool:
    # An index copy belongs to whoever holds the lock, and that is us; a token may be waiting.
    if path.suffix != ".lock" or path.name.endswith(".index.lock"):
        return True
    with contextlib.suppress(OSError), path.open("rb") as token:
        facts = os.fstat(token.fileno())
        # Not yet signed: its process died, or is about to sign.
        old = facts.st_size == 0 and time.time() - facts.st_mtime > _LONG
        return old or _is_abandoned(token.fileno())
    return False


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


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
