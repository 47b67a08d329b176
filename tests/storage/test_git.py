"""History beside a person: real git, real locks, real crashes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.at_rest import edit_unseen, let_rest
from vaultmem.errors import Busy, Refused, Unavailable
from vaultmem.storage import git
from vaultmem.storage.git import (
    Blob,
    Change,
    Dirty,
    Entry,
    FileChange,
    Repository,
    objects,
    process,
    worktree,
)
from vaultmem.storage.git import config as git_config
from vaultmem.storage.git import index_lock as tokens
from vaultmem.storage.git.index_lock import boot_id
from vaultmem.storage.git.types import Kind, Place
from vaultmem.storage.processes import started_at

Shell = Callable[..., str]
PATTERNS = (".gitignore", ".gitattributes")
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=timezone(timedelta(hours=1)))


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees or touches the configuration of whoever runs it."""
    home = tmp_path / "home"
    home.mkdir()
    for key in [key for key in os.environ if key.startswith("GIT_")] + ["EMAIL"]:
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Ada Person\n\temail = ada@example.org\n[init]\n\tdefaultBranch = trunk\n"
    )


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """Make an empty repository that is the vault itself."""
    return git.create(tmp_path / "vault")


@pytest.fixture
def person(repo: Repository) -> Shell:
    """Run git in the vault as a person does."""
    return plain(repo.root)


def plain(cwd: Path) -> Shell:
    """Return a plain git that runs in *cwd* as a person would run it."""

    def run(*args: str, okay: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run(
            ["git", *args], cwd=cwd, capture_output=True, stdin=subprocess.DEVNULL, check=False
        )
        assert done.returncode in okay, done.stderr.decode()
        return done.stdout.decode()

    return run


def put(repo: Repository, path: str, text: str) -> Change:
    """Write *text* in the work tree, as the one writer does, and return what to commit."""
    file = repo.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return Change(path, text.encode())


def litter(repo: Repository) -> list[str]:
    """Return what should never be left in the git folder or among the refs."""
    refs = plain(repo.root)("for-each-ref", "refs/vaultmem").split()
    folders = {repo.git_dir, repo.common_dir}
    names = [path.name for folder in folders for path in folder.iterdir()]
    return refs + [n for n in names if n.startswith(("vaultmem", "index.", "fast_import"))]


def whole(repo: Repository) -> None:
    """Assert that git finds nothing wrong and that we left nothing behind."""
    assert repo.fsck() is None
    assert litter(repo) == []


def test_a_commit_holds_exactly_the_paths_given(repo: Repository, person: Shell) -> None:
    """Two commits: the second changes, adds and deletes; the rest of the tree stays."""
    repo.commit(
        [put(repo, "a.md", "a\n"), put(repo, "b.md", "b\n"), put(repo, "c/d.md", "d\n")],
        "1",
        when=NOON,
    )
    (repo.root / "b.md").unlink()
    put(repo, "stranger.md", "not named\n")
    changes = [put(repo, "a.md", "A\n"), Change("b.md", None), put(repo, "e.md", "e\n")]
    commit = repo.commit(changes, "2", when=NOON)
    assert commit == repo.head()
    assert person("ls-tree", "-r", "--name-only", "HEAD").split() == ["a.md", "c/d.md", "e.md"]
    assert person("status", "--porcelain") == "?? stranger.md\n"
    assert repo.changed("HEAD") == (
        FileChange("a.md", b"a\n", b"A\n"),
        FileChange("b.md", b"b\n", None),
        FileChange("e.md", None, b"e\n"),
    )
    assert person("log", "-1", "--format=%ad|%cd|%an|%ce", "--date=iso-strict").strip() == (
        "2026-11-20T12:00:00+01:00|2026-11-20T12:00:00+01:00|Ada Person|ada@example.org"
    )
    assert person("reflog", "-1", "--format=%gs").strip() == "commit: 2"
    whole(repo)


def test_what_head_already_holds_is_no_commit(repo: Repository) -> None:
    """The same bytes again, and the deletion of what is not there, write no object."""
    assert repo.commit([], "nothing at all", when=NOON) is None
    repo.commit([put(repo, "a.md", "a\n")], "1", when=NOON)
    objects = sorted((repo.git_dir / "objects").rglob("*"))
    assert repo.commit([put(repo, "a.md", "a\n"), Change("gone.md", None)], "2", when=NOON) is None
    assert sorted((repo.git_dir / "objects").rglob("*")) == objects
    assert len(repo.log(None)) == 1
    whole(repo)


@pytest.mark.parametrize(
    "name",
    [
        "two words.md",
        'say "hi".md',
        "süß/日本.md",
        "back\\slash.md",
        " lead",
        "tab\there",
        "line\nfeed",
    ],
)
def test_any_name_survives_the_trip(repo: Repository, person: Shell, name: str) -> None:
    """A name with quotes, blanks or any letter comes back as it was."""
    repo.commit([put(repo, name, "x\n")], "odd name", when=NOON)
    assert repo.show("HEAD", name) == b"x\n"
    assert [change.path for change in repo.changed("HEAD")] == [name]
    assert person("status", "--porcelain") == ""
    put(repo, name, "y\n")
    assert repo.unstaged() == (Dirty(name, "modified"),)


@pytest.mark.parametrize(
    "name", ["", "/a", "a/../b", "./a", "a//b", ".git/config", "x/.GIT/y", "a\0b"]
)
def test_a_path_that_leaves_the_vault_is_refused(repo: Repository, name: str) -> None:
    """Nothing is committed, and the lock is given back."""
    with pytest.raises(Refused):
        repo.commit([Change("good.md", b"x"), Change(name, b"x")], "no", when=NOON)
    assert repo.head() is None
    whole(repo)


def test_a_script_stays_executable_and_a_link_becomes_a_file(
    repo: Repository, person: Shell
) -> None:
    """The mode of a tree entry is kept as far as it is the mode of a file."""
    script = put(repo, "run.sh", "old\n")
    (repo.root / "run.sh").chmod(0o755)
    (repo.root / "link.md").symlink_to("run.sh")
    person("add", ".")
    person("commit", "-qm", "mine")
    (repo.root / "link.md").unlink()
    repo.commit([Change(script.path, b"new\n"), put(repo, "link.md", "text\n")], "ours", when=NOON)
    modes = [line.split()[0] for line in person("ls-tree", "HEAD").splitlines()]
    assert modes == ["100644", "100755"]


def test_staged_work_of_a_person_is_untouched(repo: Repository, person: Shell) -> None:
    """What they staged is staged after our commit, and their next commit keeps our files."""
    repo.commit([put(repo, "note.md", "1\n"), put(repo, "old.md", "o\n")], "first", when=NOON)
    put(repo, "note.md", "staged by hand\n")
    put(repo, "mine.md", "mine\n")
    person("add", "note.md", "mine.md")
    person("rm", "-q", "--cached", "old.md")
    before = person("diff", "--cached")
    repo.commit([put(repo, "ours.md", "ours\n")], "ours", when=NOON)
    assert person("diff", "--cached") == before
    assert repo.staged() == {"note.md", "mine.md", "old.md"}
    person("commit", "-qm", "theirs")
    assert person("ls-tree", "--name-only", "HEAD").split() == ["mine.md", "note.md", "ours.md"]
    assert repo.show("HEAD", "note.md") == b"staged by hand\n"
    whole(repo)


def test_a_path_they_staged_keeps_their_version_in_the_index(
    repo: Repository, person: Shell
) -> None:
    """We commit other bytes for the same path: ours reach HEAD, theirs stay staged."""
    repo.commit([put(repo, "note.md", "1\n")], "first", when=NOON)
    put(repo, "note.md", "theirs\n")
    person("add", "note.md")
    repo.commit([Change("note.md", b"ours\n")], "ours", when=NOON)
    assert repo.show("HEAD", "note.md") == b"ours\n"
    assert person("show", ":note.md") == "theirs\n"


def test_a_file_announced_with_add_n_is_not_dropped_by_their_next_commit(
    repo: Repository, person: Shell
) -> None:
    """Intent-to-add is an empty promise; our commit fills it."""
    repo.commit([put(repo, "a.md", "a\n")], "first", when=NOON)
    change = put(repo, "new.md", "new\n")
    person("add", "-N", "new.md")
    repo.commit([change], "ours", when=NOON)
    assert person("status", "--porcelain") == ""
    person("commit", "-q", "--allow-empty", "-m", "theirs")
    assert repo.show("HEAD", "new.md") == b"new\n"


def test_half_typed_edits_are_not_swept_in(repo: Repository, person: Shell) -> None:
    """An edit that nobody named stays in the work tree only, byte for byte."""
    repo.commit([put(repo, "note.md", "1\n")], "first", when=NOON)
    put(repo, "note.md", "1\nhalf a sen")
    repo.commit([put(repo, "ours.md", "ours\n")], "ours", when=NOON)
    assert repo.show("HEAD", "note.md") == b"1\n"
    assert (repo.root / "note.md").read_bytes() == b"1\nhalf a sen"
    assert person("status", "--porcelain") == " M note.md\n"


@pytest.mark.long
def test_forty_commits_land_while_another_process_holds_the_lock_half_the_time(
    repo: Repository, person: Shell
) -> None:
    """None is lost, none is dropped by a person's own commits in between."""
    repo.commit([put(repo, "note.md", "0\n")], "first", when=NOON)
    holder = """
        import os, pathlib, random, sys, time
        lock, draw = pathlib.Path(sys.argv[1]), random.Random(7)
        print("ready", flush=True)
        while True:
            try:
                os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                time.sleep(0.001)
                continue
            hold = draw.uniform(0.005, 0.03)
            time.sleep(hold)
            lock.unlink()
            time.sleep(hold)
        """
    argv = [sys.executable, "-c", textwrap.dedent(holder), str(repo.git_dir / "index.lock")]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        for at in range(40):
            assert repo.commit([put(repo, f"m{at}.md", f"{at}\n")], f"m{at}", when=NOON)
        other.kill()
    (repo.git_dir / "index.lock").unlink(missing_ok=True)
    put(repo, "note.md", "mine\n")
    person("commit", "-qam", "theirs")
    names = set(person("ls-tree", "--name-only", "HEAD").split())
    assert names == {"note.md", *(f"m{at}.md" for at in range(40))}
    whole(repo)


@pytest.mark.long
def test_eight_writers_at_once_lose_nothing(repo: Repository, person: Shell) -> None:
    """Threads share no lock but git's, as processes do."""

    def write(name: int) -> None:
        for at in range(4):
            assert repo.commit([Change(f"{name}-{at}.md", b"x\n")], "x", patience=50, when=NOON)

    threads = [threading.Thread(target=write, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(person("ls-tree", "--name-only", "HEAD").split()) == 32
    assert len(repo.log(None)) == 32
    whole(repo)


def token(boot: str, pid: int, started: str) -> str:
    """Return what a lock of ours says."""
    return f"vaultmem {socket.gethostname()} {boot} {pid} {started}\n"


def foreign_locks() -> Iterator[bytes]:
    """Yield lock files that are none of our dead ones."""
    yield b""
    yield b"DIRC and so on"
    yield b"vaultmem elsewhere.example boot 999999999 1\n"
    yield b"vaultmem\n"
    yield token(boot_id(), os.getpid(), started_at(os.getpid())).encode()


@pytest.mark.parametrize("text", list(foreign_locks()), ids=range(5))
def test_a_foreign_lock_is_never_removed(repo: Repository, text: bytes) -> None:
    """Also not an empty one, one of another host, or one of a process that lives."""
    lock = repo.git_dir / "index.lock"
    lock.write_bytes(text)
    with pytest.raises(Busy) as caught:
        repo.commit([Change("a.md", b"a")], "a", patience=0.05, when=NOON)
    assert caught.value.what == str(lock)
    assert lock.read_bytes() == text
    assert repo.head() is None
    lock.unlink()
    whole(repo)


def dead_locks() -> Iterator[str]:
    """Yield locks of ours that nobody holds: dead, number used again, before a power cut."""
    yield token(boot_id(), 999_999_999, "1")
    yield token(boot_id(), os.getpid(), "1")
    yield token("earlier-boot", os.getpid(), started_at(os.getpid()))


@pytest.mark.parametrize("text", list(dead_locks()), ids=range(3))
def test_our_own_dead_lock_is_cleared(repo: Repository, text: str) -> None:
    """A token of this host whose process is gone, or whose boot is over, holds nobody up."""
    (repo.git_dir / "index.lock").write_text(text)
    assert repo.commit([Change("a.md", b"a")], "a", patience=0, when=NOON)
    whole(repo)


KILLED = """\
#!/bin/sh
for word; do
  case "$word" in update-ref) moves=1;; esac
  old="$new"; new="$last"; last="$word"
done
if [ "$moves" ] && [ ! -e "{done}" ]; then
  : > "{done}"
  {acts}
  kill -9 $$
fi
exec "{git}" "$@"
"""
LOCKED = ': > .git/HEAD.lock; echo "$new" > .git/refs/heads/trunk.lock'
EARLY = ": > .git/HEAD.lock; : > .git/refs/heads/trunk.lock"
LATE = ': > .git/HEAD.lock; echo "$new" > .git/refs/heads/trunk'


@pytest.mark.parametrize(("acts", "lands"), [(LOCKED, False), (EARLY, False), (LATE, True)])
def test_the_locks_of_a_git_of_ours_that_was_killed_hold_nobody_up(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, acts: str, *, lands: bool
) -> None:
    """Killed between its locks and its rename, or after it."""
    repo.commit([put(repo, "a.md", "a\n")], "first", when=NOON)
    program = tmp_path / "bin/git"
    program.parent.mkdir()
    program.write_text(KILLED.format(done=tmp_path / "done", acts=acts, git=shutil.which("git")))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    if lands:
        assert repo.commit([put(repo, "b.md", "b\n")], "second", when=NOON) == repo.head()
    else:
        with pytest.raises(Unavailable, match="update-ref"):
            repo.commit([put(repo, "b.md", "b\n")], "second", when=NOON)
        assert repo.commit([put(repo, "b.md", "b\n")], "second", when=NOON)
    assert [*repo.git_dir.rglob("*.lock")] == []
    whole(repo)


def test_a_lock_on_references_in_tables_is_named_once_it_has_stood(repo: Repository) -> None:
    """As a killed git leaves it in a repository of the format reftable."""
    lock = repo.git_dir / "reftable/tables.list.lock"
    lock.parent.mkdir()
    lock.touch()
    os.utime(lock, (1, 1))
    assert git.left_lock(repo) is None, "this one keeps them in files"
    (repo.git_dir / "HEAD").write_text("ref: refs/heads/.invalid\n")
    assert git.left_lock(repo) == lock
    lock.touch()
    assert git.left_lock(repo) is None


@pytest.mark.skipif(
    "ref-format"
    not in subprocess.run(
        ["git", "init", "-h"], capture_output=True, text=True, check=False
    ).stdout,
    reason="this git knows no reftable",
)
def test_a_left_lock_on_tables_delays_the_commit_alone(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "--ref-format=reftable", tmp_path / "r"], check=True)
    found = git.find(tmp_path / "r")
    assert found is not None
    lock = found.git_dir / "reftable/tables.list.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    with pytest.raises(Busy, match=r"tables\.list\.lock"):
        found.commit([put(found, "a.md", "a\n")], "first", when=NOON)
    lock.unlink()
    assert found.commit([put(found, "a.md", "a\n")], "first", when=NOON)


def crashed(repo: Repository, held: bytes, *, age: float = 60) -> list[Path]:
    """Leave what a process of ours and its git leave that are killed while HEAD moves."""
    old, new = repo.head(), "5" * 40
    lock, begun = repo.git_dir / "index.lock", time.time() - age
    lock.write_text(f"{token(boot_id(), 999_999_999, '1')}{old} {new}\n")
    left = [repo.git_dir / "HEAD.lock", repo.git_dir / "refs/heads/trunk.lock"]
    left[0].touch()
    left[1].write_bytes(held)
    for each in (lock, *left):
        os.utime(each, (begun, begun))
    return left


@pytest.mark.parametrize("held", [b"", b"5" * 40 + b"\n"], ids=["empty", "ours"])
def test_who_comes_after_a_crash_clears_the_locks_it_left_on_head(
    repo: Repository, held: bytes
) -> None:
    """The token of the dead tells which commit it was about to publish."""
    repo.commit([put(repo, "a.md", "a\n")], "first", when=NOON)
    crashed(repo, held)
    assert repo.commit([put(repo, "b.md", "b\n")], "second", patience=0, when=NOON)
    assert [*repo.git_dir.rglob("*.lock")] == []
    whole(repo)


@pytest.mark.parametrize(("held", "later"), [(b"6" * 40 + b"\n", 0), (b"", -30), (b"", 3600)])
def test_a_lock_on_head_that_another_git_may_hold_stays_and_is_said_at_once(
    repo: Repository, held: bytes, later: float
) -> None:
    """Another commit is in it, or it was taken before ours began, or long after."""
    repo.commit([put(repo, "a.md", "a\n")], "first", when=NOON)
    left = crashed(repo, held, age=7200)
    for each in left:
        then = each.stat().st_mtime + later
        os.utime(each, (then, then))
    objects = len([*repo.git_dir.rglob("objects/*/*")])
    with pytest.raises(Busy, match=re.escape(str(left[0]))):
        repo.commit([put(repo, "b.md", "b\n")], "second", when=NOON)
    assert [path.exists() for path in left] == [True, True]
    assert len([*repo.git_dir.rglob("objects/*/*")]) == objects


def test_what_dead_processes_left_beside_the_lock_is_swept(repo: Repository) -> None:
    """Tokens of the dead and index copies go; a token that may be about to sign stays."""
    left = {"1-a.lock": token(boot_id(), 999_999_999, "1"), "1-a.index": "", "1-a.index.lock": ""}
    for name, text in (left | {"2-b.lock": "", "3-c.lock": ""}).items():
        (repo.git_dir / f"vaultmem-{name}").write_text(text)
    os.utime(repo.git_dir / "vaultmem-2-b.lock", (0, 0))
    repo.commit([Change("a.md", b"a")], "a", when=NOON)
    assert litter(repo) == ["vaultmem-3-c.lock"]


def test_a_lock_whose_holder_lives_behind_another_pid_is_not_taken(repo: Repository) -> None:
    """In another container the number means nothing, yet the flock tells."""
    with repo.locked():
        lock = repo.git_dir / "index.lock"
        with lock.open("r+b") as text:
            text.write(token(boot_id(), 999_999_999, "1").encode())
        with pytest.raises(Busy):
            repo.commit([Change("a.md", b"a")], "a", patience=0.02, when=NOON)
    assert repo.commit([Change("a.md", b"a")], "a", patience=0, when=NOON)


def test_a_lock_taken_from_us_stops_the_commit(repo: Repository, person: Shell) -> None:
    """Someone removed our lock and may be at work: neither the index nor HEAD is touched."""

    def changes() -> Iterator[Change]:
        yield put(repo, "a.md", "a\n")
        (repo.git_dir / "index.lock").unlink()
        (repo.git_dir / "index.lock").write_bytes(b"theirs")

    with pytest.raises(Unavailable, match="someone removed"):
        repo.commit(changes(), "a", when=NOON)
    assert (repo.git_dir / "index.lock").read_bytes() == b"theirs"
    assert repo.head() is None
    assert person("ls-files") == ""


def test_git_itself_waits_for_our_lock(repo: Repository, person: Shell) -> None:
    """While we hold it, a person's git refuses, and works again after."""
    put(repo, "a.md", "a\n")
    with repo.locked():
        person("add", "a.md", okay=(128,))
    person("add", "a.md")


def test_what_is_read_under_the_lock_is_what_is_committed(repo: Repository) -> None:
    """One lock, two commits, both there."""
    with repo.locked() as lock:
        first = lock.commit([put(repo, "a.md", "a\n")], "a", when=NOON)
        second = lock.commit([put(repo, "b.md", "b\n")], "b", when=NOON)
    assert [entry.commit for entry in repo.log(None)] == [second, first]
    whole(repo)


def test_a_head_that_moves_under_us_is_built_upon(
    repo: Repository, person: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A push into the branch takes no index.lock: both commits survive, also from a generator."""
    repo.commit([put(repo, "a.md", "a\n")], "first", when=NOON)
    tree = person("rev-parse", "HEAD^{tree}").strip()
    theirs = person("commit-tree", "-p", "HEAD", "-m", "pushed", tree).strip()
    build, moves = git.Lock._build, iter([theirs])

    def build_then_move(self: git.Lock, *args: object, bare: bool) -> str | None:
        new = build(self, *args, bare=bare)  # type: ignore[arg-type]
        if (there := next(moves, None)) is not None:
            person("update-ref", "HEAD", there)
        return new

    monkeypatch.setattr(git.Lock, "_build", build_then_move)
    repo.commit((Change(f"{n}.md", n.encode()) for n in "xy"), "ours", when=NOON)
    assert [entry.subject for entry in repo.log(None)] == ["ours", "pushed", "first"]
    assert repo.show("HEAD", "y.md") == b"y"
    assert repo.staged() == set()
    whole(repo)


def test_a_failure_after_the_index_was_written_takes_it_back(
    repo: Repository, person: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk says no when HEAD should move: nothing is committed and nothing is staged."""
    repo.commit([put(repo, "a.md", "a\n")], "first", when=NOON)
    (repo.git_dir / "refs/heads/trunk.lock").touch()
    monkeypatch.setattr(process, "_FLAGS", (*process._FLAGS, "-c", "core.filesRefLockTimeout=0"))
    with pytest.raises(Unavailable, match="update-ref"):
        repo.commit([put(repo, "a.md", "A\n"), put(repo, "b.md", "b\n")], "second", when=NOON)
    (repo.git_dir / "refs/heads/trunk.lock").unlink()
    assert person("diff", "--cached", "--name-only") == ""
    assert repo.commit([Change("a.md", b"A\n")], "second", when=NOON)
    whole(repo)


def test_a_generator_that_fails_leaves_nothing(repo: Repository) -> None:
    """The caller's own error comes through; no commit, no lock, no crash report."""

    def changes() -> Iterator[Change]:
        yield Change("big.md", b"x" * 300_000)
        raise KeyError("gone")

    with pytest.raises(KeyError):
        repo.commit(changes(), "half", when=NOON)
    assert repo.head() is None
    whole(repo)


CRASH = """
    import os, signal, sys
    from datetime import UTC, datetime
    from pathlib import Path
    from vaultmem.storage import git
    from vaultmem.storage.git import fast_import, process

    place, name, moment, root = sys.argv[1:]
    owner = {"Lock": git.Lock, "fast_import": fast_import, "process": process}[place]
    real = getattr(owner, name)

    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    def fatal(*args, **kwargs):
        if name == "git" and args[1] != "update-index":
            return real(*args, **kwargs)
        if moment == "before":
            die()
        real(*args, **kwargs)
        die()

    setattr(owner, name, fatal)
    files = {"note.md": b"v1", "new.md": b"v1", "old.md": None}
    changes = [git.Change(path, data) for path, data in files.items()]
    git.find(Path(root)).commit(changes, "lost?", when=datetime.now(UTC))
    """


@pytest.mark.parametrize(
    "stage",
    [
        ("Lock", "recover", "before"),
        ("fast_import", "fast_import", "before"),
        ("fast_import", "fast_import", "after"),
        ("Lock", "_note", "after"),
        ("process", "git", "before"),
        ("process", "git", "after"),
        ("Lock", "_shift", "after"),
        ("Lock", "_move_head", "after"),
    ],
    ids="-".join,
)
def test_a_kill_at_any_stage_heals_with_the_next_commit(
    repo: Repository, person: Shell, stage: tuple[str, str, str]
) -> None:
    """Their staging stands, our paths are clean, and no commit of theirs drops a file."""
    first = [put(repo, f"{name}.md", "v0") for name in ("note", "old", "staged", "kept")]
    repo.commit(first, "first", when=NOON)
    put(repo, "staged.md", "by hand")
    person("add", "staged.md")
    (repo.root / "old.md").unlink()
    argv = [sys.executable, "-c", textwrap.dedent(CRASH), *stage, str(repo.root)]
    assert subprocess.run(argv, check=False).returncode == -signal.SIGKILL
    assert (repo.git_dir / "index.lock").read_bytes().startswith(b"vaultmem ")
    again = [put(repo, "note.md", "v2"), put(repo, "new.md", "v2"), Change("old.md", None)]
    assert repo.commit(again, "again", patience=0, when=NOON)
    assert person("status", "--porcelain") == "M  staged.md\n"
    person("commit", "-qm", "theirs")
    files = {n: repo.show("HEAD", f"{n}.md") for n in ("note", "new", "old", "staged", "kept")}
    assert files == {"note": b"v2", "new": b"v2", "old": None, "staged": b"by hand", "kept": b"v0"}
    whole(repo)


OUTLIVES = """\
#!/bin/sh
case " $* " in *" update-ref "*)
  [ -p "{begun}" ] && echo >"{begun}" && rm "{begun}" && read -r _ <"{goes_on}";;
esac
exec "{git}" "$@"
"""


def test_who_comes_after_a_kill_waits_for_the_git_that_outlives_it(
    repo: Repository, person: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It moves HEAD yet: an index put right before that would stand against what it committed."""
    repo.commit([put(repo, "a.md", "a\n")], "first", when=NOON)
    put(repo, "new.md", "v1")
    begun, goes_on, program = tmp_path / "begun", tmp_path / "goes_on", tmp_path / "bin/git"
    os.mkfifo(begun)
    os.mkfifo(goes_on)
    program.parent.mkdir()
    program.write_text(OUTLIVES.format(begun=begun, goes_on=goes_on, git=shutil.which("git")))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    argv = [sys.executable, "-c", textwrap.dedent(CRASH), "Lock", "release", "before"]
    with subprocess.Popen([*argv, str(repo.root)], stdin=subprocess.DEVNULL) as writer:
        begun.read_bytes()
        writer.kill()
    with pytest.raises(Busy):
        repo.commit([put(repo, "b.md", "b\n")], "second", patience=0, when=NOON)
    goes_on.write_bytes(b"\n")
    assert repo.commit([put(repo, "b.md", "b\n")], "second", patience=30, when=NOON)
    assert person("ls-tree", "--name-only", "HEAD").split() == ["a.md", "b.md", "new.md", "note.md"]
    assert repo.staged() == set()
    whole(repo)


def test_a_lock_removed_by_hand_after_a_crash_costs_no_file(
    repo: Repository, person: Shell
) -> None:
    """Killed between index and HEAD, unlocked with rm: their commit carries ours along."""
    repo.commit([put(repo, "note.md", "v0"), put(repo, "old.md", "v0")], "first", when=NOON)
    stage = ("Lock", "_shift", "after")
    argv = [sys.executable, "-c", textwrap.dedent(CRASH), *stage, str(repo.root)]
    subprocess.run(argv, check=False)
    (repo.git_dir / "index.lock").unlink()
    person("commit", "-qm", "theirs")
    assert person("ls-tree", "--name-only", "HEAD").split() == ["new.md", "note.md"]


def plant(repo: Repository, pwned: Path) -> None:
    """Fill the repository with everything that makes git run a command."""
    pwned.mkdir()

    def trap(name: str, rest: str = "cat") -> str:
        file = repo.git_dir / f"trap-{name}"
        file.write_text(f"#!/bin/sh\n: > '{pwned}/{name}'\n{rest}\n")
        file.chmod(0o755)
        return str(file)

    hooks = repo.git_dir / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("pre-commit", "post-commit", "reference-transaction", "post-index-change"):
        shutil.copy2(trap(hook, "exit 0"), hooks / hook)
    settings = {
        "core.fsmonitor": trap("fsmonitor", "exit 1"),
        "filter.evil.clean": trap("clean"),
        "filter.evil.smudge": trap("smudge"),
        "filter.worse.process": trap("process", "exit 1"),
        "diff.evil.textconv": trap("textconv", 'cat "$1"'),
        "diff.worse.command": trap("driver", "exit 0"),
        "diff.external": trap("external", "exit 0"),
        "commit.gpgSign": "true",
        "gpg.program": trap("gpg", "exit 1"),
        "log.showSignature": "true",
        "core.editor": trap("editor", "exit 1"),
        "core.pager": trap("pager"),
        "core.askPass": trap("askpass"),
        "trailer.Vaultmem-Op.cmd": trap("trailer"),
        "uploadpack.packObjectsHook": trap("pack"),
        "core.sshCommand": trap("ssh", "exit 1"),
        "core.alternateRefsCommand": trap("alternates", "exit 0"),
        "alias.evil": f"!{trap('alias')}",
        "credential.helper": f"!{trap('credential')}",
        "gc.recentObjectsHook": trap("recent", "exit 0"),
        "gc.auto": "1",
        "diff.submodule": "diff",
    }
    for key, value in settings.items():
        plain(repo.root)("config", key, value)
    (repo.root / ".gitattributes").write_text(
        "*.md filter=evil diff=evil\n*.txt filter=worse diff=worse\n"
    )


@pytest.mark.parametrize("command", ["clean", "process"])
def test_files_as_young_as_the_index_pass_no_filter(
    repo: Repository, person: Shell, tmp_path: Path, command: str
) -> None:
    """Git compares them once more as it writes the index, which a clone leaves behind."""
    put(repo, ".gitattributes", "*.md filter=a=b\n")
    put(repo, "p.md", "hi\n")
    person("add", "-A")
    person("commit", "-qm", "mine")
    person("config", f"filter.a=b.{command}", f"touch '{tmp_path}/ran'; cat")
    person("config", "filter.a=b.required", "true")
    os.utime(repo.git_dir / "index", (1, 1))
    assert repo.commit([put(repo, "n.txt", "n\n")], "n", when=NOON)
    assert not (tmp_path / "ran").exists()
    put(repo, "p.md", "ho\n")
    person("config", "--unset", f"filter.a=b.{command}")
    person("config", "--unset", "filter.a=b.required")
    assert person("status", "--porcelain").split() == ["M", "p.md"]


def test_a_hostile_repository_runs_nothing(repo: Repository, tmp_path: Path) -> None:
    """Twelve traps are live for plain git; none springs for us."""
    base = repo.commit(
        [put(repo, f"{n}", f"{n}\n") for n in ("a.md", "b.txt", "c.bin")], "base", when=NOON
    )
    plant(repo, tmp_path / "pwned")
    put(repo, "a.md", "edited\n")
    put(repo, "c.bin", "edited\n")
    found = git.find(repo.root)
    assert found == repo
    assert found.unstaged() == (Dirty(".gitattributes", "untracked"), Dirty("c.bin", "modified"))
    changes = [Change("n.md", b"n\n"), Change("b.txt", b"B\n"), Change("a.md", None)]
    assert found.commit(changes, "n\n\nVaultmem-Op: 1\n", when=NOON)
    assert "+edited" in found.diff(None)
    assert "+n\n" in found.diff("HEAD")
    assert len(found.changed("HEAD")) == 3
    assert len(found.log(None, since=base, paths=["n.md"])) == 1
    assert found.find_op("1")
    assert found.show("HEAD", "n.md") == b"n\n"
    assert found.staged() == set()
    assert found.blocked() is None
    assert found.fsck() is None
    assert list((tmp_path / "pwned").iterdir()) == []


def test_the_traps_of_the_hostile_repository_are_live(repo: Repository, tmp_path: Path) -> None:
    """Without this the test above could not fail."""
    assert sprung_by_plain_git(repo, tmp_path / "pwned") >= {
        *("fsmonitor", "clean", "process", "textconv", "external", "editor", "gpg", "alias"),
        *("pre-commit", "post-commit", "reference-transaction", "post-index-change"),
    }


def sprung_by_plain_git(repo: Repository, pwned: Path) -> set[str]:
    """Run what a careless program would run, and return the traps that it sprang."""
    repo.commit([put(repo, "a.md", "a\n"), put(repo, "c.bin", "c\n")], "base", when=NOON)
    plant(repo, pwned)
    put(repo, "a.md", "edited\n")
    put(repo, "c.bin", "edited\n")
    put(repo, "b.txt", "b\n")
    for command in (
        ["evil"],
        ["status"],
        ["diff"],
        ["-c", "diff.external=", "log", "-p"],
        ["add", "a.md", "c.bin"],
        ["commit", "-m", "not signed"],
        ["commit", "--no-gpg-sign"],
        ["commit", "--no-gpg-sign", "-m", "x"],
        ["add", "b.txt"],
    ):
        plain(repo.root)(*command, okay=(0, 1, 128, 129))
    return {path.name for path in pwned.iterdir()}


def test_a_missing_object_is_not_fetched(repo: Repository, person: Shell, tmp_path: Path) -> None:
    """A partial clone names a transport that is a command; we report the hole instead."""
    repo.commit([put(repo, "a.md", "a\n")], "a", when=NOON)
    blob = person("rev-parse", "HEAD:a.md").strip()
    (repo.git_dir / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::touch {tmp_path}/pwned",
        "protocol.ext.allow": "always",
    }.items():
        person("config", key, value)
    with pytest.raises(Unavailable):
        repo.show("HEAD", "a.md")
    assert not (tmp_path / "pwned").exists()
    person("cat-file", "blob", blob, okay=(128,))
    assert (tmp_path / "pwned").exists()


def test_the_caller_s_git_variables_do_not_reach_git(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a hook: GIT_DIR and GIT_INDEX_FILE name another repository; the author is kept."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Grace Hook")
    found = git.find(repo.root)
    assert found == repo
    found.commit([Change("a.md", b"a")], "a", when=NOON)
    assert [entry.author for entry in found.log(1)] == ["Grace Hook"]
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("MERGE_HEAD", "a merge is in progress"),
        ("rebase-merge", "a rebase is in progress"),
        ("CHERRY_PICK_HEAD", "a cherry-pick is in progress"),
        ("REVERT_HEAD", "a revert is in progress"),
        ("BISECT_LOG", "a bisect is in progress"),
    ],
)
def test_a_half_done_operation_blocks(repo: Repository, name: str, why: str) -> None:
    """The commit is refused while git's own marker lies there."""
    (repo.git_dir / name).touch()
    assert repo.blocked() == why
    with pytest.raises(Refused, match=why):
        repo.commit([Change("a.md", b"a")], "a", when=NOON)
    (repo.git_dir / name).unlink()
    assert repo.blocked() is None
    assert repo.commit([Change("a.md", b"a")], "a", when=NOON)


def test_a_rebase_that_never_began_is_told_with_what_ends_it(
    repo: Repository, person: Shell
) -> None:
    """Git that finds the index locked leaves its stash alone behind, and cannot abort that."""
    repo.commit([put(repo, "a.md", "a\n")], "base", when=NOON)
    put(repo, "a.md", "a person's\n")
    (repo.git_dir / "rebase-merge").mkdir()
    (repo.git_dir / "rebase-merge/autostash").write_text(person("stash", "create"))
    assert repo.blocked() == "a rebase was left before it began (`git rebase --quit` ends it)"
    person("rebase", "--abort", okay=(1,))
    person("rebase", "--quit")
    assert repo.blocked() is None


def test_a_real_merge_conflict_blocks_until_it_is_solved(repo: Repository, person: Shell) -> None:
    """The conflicted index is left exactly as it is."""
    repo.commit([put(repo, "a.md", "a\n")], "base", when=NOON)
    person("checkout", "-qb", "side")
    repo.commit([put(repo, "a.md", "side\n")], "side", when=NOON)
    person("checkout", "-q", "trunk")
    repo.commit([put(repo, "a.md", "trunk\n")], "trunk", when=NOON)
    person("merge", "side", okay=(1,))
    before = person("ls-files", "-s")
    with pytest.raises(Refused, match="merge"):
        repo.commit([Change("b.md", b"b")], "b", when=NOON)
    assert person("ls-files", "-s") == before
    assert repo.unstaged() == ()
    put(repo, "a.md", "both\n")
    person("commit", "-qam", "merged")
    assert repo.commit([Change("b.md", b"b")], "b", when=NOON)
    assert {change.path for change in repo.changed("HEAD^")} == {"a.md"}


def test_a_detached_head_blocks(repo: Repository, person: Shell) -> None:
    """A file committed there would vanish at the next checkout."""
    repo.commit([put(repo, "a.md", "a\n")], "a", when=NOON)
    person("checkout", "-q", "--detach")
    assert repo.blocked() == "detached HEAD"
    with pytest.raises(Refused, match="detached HEAD"):
        repo.commit([Change("b.md", b"b")], "b", when=NOON)


def test_another_spelling_of_a_name_is_another_file(repo: Repository, person: Shell) -> None:
    """Also where git is told that file names know no case: the new one is not the old one."""
    person("config", "core.ignoreCase", "true")
    repo.commit([Change("tea.md", b"Oolong.\n")], "tea", when=NOON)
    repo.commit([Change("tea.md", None), Change("Tea.md", b"Oolong.\n")], "Tea", when=NOON)
    assert person("ls-tree", "--name-only", "HEAD").split() == ["Tea.md"]


def test_what_head_has_is_known_of_the_commit_it_stands_on(repo: Repository, person: Shell) -> None:
    """Ours and a person's; a file in a folder's place, or a folder in a file's, takes that away."""
    paths = ("a", "a/b", "c", "d")

    def there() -> set[str]:
        assert repo.in_head(paths) == repo.files("HEAD")
        return {*repo.in_head(paths)}

    repo.commit([Change("a", b"a"), Change("c", b"c")], "a file", when=NOON)
    assert there() == {"a", "c"}
    repo.commit([Change("a/b", b"b")], "a folder", when=NOON)
    assert there() == {"a/b", "c"}
    repo.commit([Change("a", b"a"), Change("c", None)], "a file again", when=NOON)
    assert there() == {"a"}
    put(repo, "d", "d")
    person("add", "d")
    person("commit", "-qm", "mine")
    assert there() == {"a", "d"}


def test_of_very_many_files_their_folders_are_read_and_no_others(
    repo: Repository, person: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A vault has far more than whoever asks of its summaries."""
    many = [f"{folder}/{n}.md" for folder in ("a", "b") for n in range(3)]
    apart = ["a/deep/x.md", "c/y.md", "top.md"]
    for path in (*many, *apart):
        put(repo, path, "x")
    person("add", "-A")
    person("commit", "-qm", "many")
    monkeypatch.setattr(objects, "_MANY", 2)
    read = list[str]()
    run = process.git

    def noting(place: Place, *args: str) -> bytes:
        answer = run(place, *args)
        read.extend(line.partition("\t")[2] for line in answer.decode().split("\0") if line)
        return answer

    monkeypatch.setattr(process, "git", noting)
    asked = [*many, "top.md", "a/none.md", "none/x.md", "none.md", "a/deep"]
    assert repo.in_head(asked).keys() == {*many, "top.md"}
    assert {*read} == {*many, "a/deep", "top.md"}


def test_no_identity_falls_back(repo: Repository, person: Shell) -> None:
    """A machine where nobody told git a name still gets its history."""
    (Path(os.environ["HOME"]) / ".gitconfig").unlink()
    repo.commit([Change("a.md", b"a")], "a", when=NOON)
    assert person("log", "--format=%an <%ae> %cn <%ce>") == (
        "vaultmem <vaultmem@localhost> vaultmem <vaultmem@localhost>\n"
    )
    person("config", "user.name", "Only Here")
    person("config", "user.email", "here@example.org")
    repo.commit([Change("b.md", b"b")], "b", when=NOON)
    assert repo.log(1)[0].author == "Only Here"


@pytest.mark.parametrize(
    ("settings", "environment"),
    [
        ({}, {}),
        ({"user.name": "Bob", "user.email": "bob@example.org"}, {}),
        ({"author.name": "Bob", "committer.email": "c@example.org"}, {}),
        ({"author.name": ""}, {"GIT_COMMITTER_NAME": "Carol"}),
        ({"user.name": "  'J. <R.>\n Zoë, Jr.' "}, {"GIT_AUTHOR_EMAIL": "<j@example.org>"}),
        ({}, {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_EMAIL": "c@x"}),
    ],
    ids=str,
)
def test_who_commits_is_who_git_says(
    repo: Repository,
    person: Shell,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, str],
    environment: dict[str, str],
) -> None:
    """Author and committer, of every place where git lets a person name them."""
    for key, value in settings.items():
        person("config", key, value)
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    said = [person("var", f"GIT_{role}_IDENT") for role in ("AUTHOR", "COMMITTER")]
    repo.commit([Change("a.md", b"a")], "a", when=NOON)
    made = person("log", "--format=%an <%ae>%n%cn <%ce>").splitlines()
    assert made == [line.rsplit(" ", 2)[0] for line in said]


def _rewrite_in_place(home: Path) -> None:
    """Change a file, and neither its size nor the time of its last writing."""
    file = home / ".gitconfig"
    was = file.stat()
    file.write_bytes(file.read_bytes().replace(b"Ada", b"Eve"))
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))


@pytest.mark.parametrize("change", [
    _rewrite_in_place,
    lambda home: (home / ".gitconfig").unlink(),
    lambda home: (home / ".config/git/config").write_text("[committer]\n\tname = Carol\n"),
    lambda home: plain(home.parent / "vault")("config", "user.name", "Bob"),
    lambda home: os.environ.update(GIT_CONFIG_GLOBAL=str(home / "another")),
], ids=["in place", "gone", "new", "of the repository", "environment"])  # fmt: skip
def test_who_commits_may_change_between_two_commits(
    repo: Repository, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]
) -> None:
    """In any of the places where git looks, also where nothing was before."""
    home = Path(os.environ["HOME"])
    (home / "another").write_text("[user]\n\tname = Dora\n\temail = d@example.org\n")
    (home / ".config/git").mkdir(parents=True)
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    monkeypatch.setattr(git_config, "time", Later())
    for name in ("a.md", "b.md"):
        repo.commit([Change(name, b"a")], "as Ada", when=NOON)
    change(home)
    repo.commit([Change("c.md", b"c")], "as somebody else", when=NOON)
    committers = plain(repo.root)("log", "--format=%cn").splitlines()
    assert len(committers) == 3
    assert committers[0] != "Ada Person"
    assert committers[1:] == ["Ada Person", "Ada Person"]


class Later:
    """A clock by which nothing was changed just now."""

    @staticmethod
    def time_ns() -> int:
        """Return the nanoseconds of a minute from now."""
        return time.time_ns() + 60_000_000_000


def test_an_unborn_branch_has_no_history_and_can_begin_one(repo: Repository, person: Shell) -> None:
    """Every question has an answer before the first commit."""
    assert (repo.head(), repo.blocked(), repo.log(None)) == (None, None, [])
    assert (repo.find_op("1"), repo.show("HEAD", "a")) == (None, None)
    put(repo, "a.md", "a\n")
    assert repo.unstaged() == (Dirty("a.md", "untracked"),)
    person("add", "a.md")
    assert repo.staged() == {"a.md"}
    assert repo.unstaged() == ()
    repo.commit([put(repo, "b.md", "b\n")], "b", when=NOON)
    assert person("symbolic-ref", "HEAD") == "refs/heads/trunk\n"
    assert person("status", "--porcelain") == "A  a.md\n"
    assert repo.changed("HEAD") == (FileChange("b.md", None, b"b\n"),)
    whole(repo)


def test_a_vault_in_a_folder_of_a_bigger_repository(tmp_path: Path) -> None:
    """Paths count from the vault, and the rest of the repository is none of our business."""
    project = git.create(tmp_path / "project")
    project.commit(
        [put(project, "code.py", "1\n"), put(project, "sub/vault/a.md", "a\n")], "start", when=NOON
    )
    vault = git.find(project.root / "sub/vault")
    assert vault is not None
    assert (vault.prefix, vault.top) == ("sub/vault/", project.root)
    put(project, "code.py", "2\n")
    put(vault, "a.md", "typed\n")
    put(vault, "b c.md", "new\n")
    assert vault.unstaged() == (Dirty("a.md", "modified"), Dirty("b c.md", "untracked"))
    vault.commit([Change("a.md", b"typed\n")], "ours", when=NOON)
    assert vault.changed("HEAD") == (FileChange("a.md", b"a\n", b"typed\n"),)
    assert vault.show("HEAD", "a.md") == b"typed\n"
    assert "--- a/a.md\n+++ b/a.md\n" in vault.diff("HEAD")
    project.commit([Change("code.py", b"2\n")], "code", when=NOON)
    assert [entry.subject for entry in vault.log(None)] == ["ours", "start"]
    assert vault.changed("HEAD") == ()
    whole(project)


def test_a_folder_the_repository_ignores_has_no_repository(repo: Repository) -> None:
    """What git would never show there must not be committed there."""
    put(repo, ".gitignore", "private/\n")
    put(repo, "private/vault/a.md", "a\n")
    assert git.find(repo.root / "private/vault") is None
    assert git.find(repo.root.parent) is None
    assert git.find(repo.root / "nowhere") is None


def test_a_linked_worktree_commits_to_its_own_branch(
    repo: Repository, person: Shell, tmp_path: Path
) -> None:
    """Its index and its HEAD are its own; the objects are shared."""
    repo.commit([put(repo, "a.md", "a\n")], "a", when=NOON)
    person("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = git.find(tmp_path / "side")
    assert side is not None
    assert (side.common_dir, side.git_dir) == (repo.git_dir, repo.git_dir / "worktrees/side")
    side.commit([put(side, "b.md", "b\n")], "b", when=NOON)
    assert plain(side.root)("status", "--porcelain") == ""
    assert person("status", "--porcelain") == ""
    assert (repo.show("trunk", "b.md"), repo.show("side", "b.md")) == (None, b"b\n")
    put(side, "b.md", "B\n")
    assert "+B\n" in side.diff(None)
    whole(side)


def test_a_sha256_repository(tmp_path: Path) -> None:
    """Object names are longer, nothing else is different."""
    root = tmp_path / "long"
    root.mkdir()
    plain(root)("init", "-q", "--object-format=sha256")
    repo = git.find(root)
    assert repo is not None
    first = repo.commit([put(repo, "a.md", "a\n")], "a", when=NOON)
    assert first is not None
    assert len(first) == 64
    put(repo, "a.md", "A\n")
    assert repo.unstaged() == (Dirty("a.md", "modified"),)
    repo.commit([Change("a.md", b"A\n")], "A", when=NOON)
    assert plain(root)("status", "--porcelain") == ""
    whole(repo)


def test_packed_refs_and_a_split_index(repo: Repository, person: Shell) -> None:
    """What git may do to its own files changes nothing for us."""
    repo.commit([put(repo, "a.md", "a\n")], "a", when=NOON)
    person("pack-refs", "--all")
    person("update-index", "--split-index")
    repo.commit([put(repo, "a.md", "A\n"), put(repo, "b.md", "b\n")], "b", when=NOON)
    assert person("status", "--porcelain") == ""
    whole(repo)


@pytest.mark.long
def test_ten_thousand_files_are_one_commit(
    repo: Repository, person: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a generator: nothing holds all of them at once, and no file has a git of its own."""
    trace = tmp_path / "trace"
    names = [f"agents/ada/memories/2026/{n % 12:02}/m{n}.md" for n in range(10_000)]
    with monkeypatch.context() as counted:
        counted.setitem(process._ENVIRONMENT, "GIT_TRACE2", str(trace))
        repo.commit((Change(name, name.encode()) for name in names), "import", when=NOON)
    assert 0 < trace.read_text().count(" start ") < 20
    assert len(person("ls-files").splitlines()) == 10_000
    assert repo.show("HEAD", names[4321]) == names[4321].encode()


def test_a_commit_of_many_files_looks_at_their_folders_alone(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many files there are beside them; what is as it was, is not told of."""
    repo.commit(
        [put(repo, f"{d}/{n}.md", f"{n}\n") for d in "abc" for n in range(40)], "a", when=NOON
    )
    listed: list[str] = []
    read = process.git

    def watching(place: Place, *args: str, **options: Any) -> bytes:  # noqa: ANN401  # as it is asked
        listed.extend(args if args[0] == "ls-tree" else ())
        return read(place, *args, **options)

    monkeypatch.setattr("vaultmem.storage.git.commit_lock._AT_ONCE", 16)
    monkeypatch.setattr(process, "git", watching)
    changes = [put(repo, f"a/{n}.md", f"{n % 30}\n") for n in range(40)]
    sha = repo.commit([*changes, put(repo, "d.md", "d\n"), Change("c/7.md", None)], "b", when=NOON)
    assert sha
    monkeypatch.undo()
    assert {it.path for it in repo.changed(sha)} == {
        "c/7.md", "d.md", *(f"a/{n}.md" for n in range(30, 40)),
    }  # fmt: skip
    assert {arg for arg in listed if "." in arg or "/" in arg} == {"a/", "c/", "d.md"}
    assert "-r" not in listed
    whole(repo)


def test_git_is_asked_once_of_two_commits_whatever_is_to_be_known_of_them(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sync asks several times what differs between two, and which commits lie between.

    Of those that it made it does not ask.
    """
    one, two, three = (
        repo.commit([put(repo, "a.md", text)], text, when=NOON) or "" for text in "123"
    )
    again = git.find(repo.root)
    assert again
    repo = again
    asked: list[str] = []
    read = process.git

    def watching(place: Place, *args: str, **options: Any) -> bytes:  # noqa: ANN401  # as it is asked
        asked.append(args[0])
        return read(place, *args, **options)

    monkeypatch.setattr(process, "git", watching)
    for _ in range(2):
        assert [row.path for row in repo.between(one, three)] == ["a.md"]
        assert [entry.commit for entry in repo.since(one, three)] == [three, two]
        assert (repo.goes_on(one, three), repo.goes_on(three, one)) == (True, False)
    assert asked == ["diff-tree", "rev-list", "rev-list"]


def test_the_log_tells_subject_body_and_trailers(repo: Repository) -> None:
    """A commit may carry several operations; text that looks like a trailer elsewhere is text."""
    one = repo.commit(
        [Change("a.md", b"1")],
        "compact(ada): 64 memories\n\nVaultmem-Op: fake\nis text.\n\n"
        "Vaultmem-Op: 01A\nVaultmem-Op: 01B\nAgent: ada\n",
        when=NOON,
    )
    two = repo.commit(
        [Change("b.md", b"2")], "human: übung\n\nWhy: not a trailer\nat all", when=NOON
    )
    assert one
    assert repo.log(None)[1] == Entry(
        one,
        datetime(2026, 11, 20, 11, 0, tzinfo=UTC),
        "Ada Person",
        "compact(ada): 64 memories",
        "Vaultmem-Op: fake\nis text.",
        (("Vaultmem-Op", "01A"), ("Vaultmem-Op", "01B"), ("Agent", "ada")),
    )
    assert [entry.parents for entry in repo.log(None)] == [(one,), ()]
    assert [(e.subject, e.body) for e in repo.log(1)] == [
        ("human: übung", "Why: not a trailer\nat all")
    ]
    assert [entry.commit for entry in repo.log(None, since=one)] == [two]
    assert [entry.commit for entry in repo.log(None, paths=["a.md"])] == [one]
    found = repo.find_op("01B")
    assert found is not None
    assert found.commit == one
    for op in ("fake", "01", "01A.", "", "01A\0", "\ud800"):
        assert repo.find_op(op) is None


def test_an_unknown_commit_is_an_answer_not_an_option(repo: Repository) -> None:
    """A name from a command line reaches git as a name."""
    repo.commit([Change("a.md", b"1")], "a", when=NOON)
    (repo.root / "HEAD").touch()
    assert len(repo.log(None)) == 1
    for name in ("--all", "nothing", "f" * 40):
        assert repo.show(name, "a.md") is None
        with pytest.raises(Unavailable, match="no commit"):
            repo.changed(name)
        with pytest.raises(Unavailable, match=f"no commit|{name}..HEAD"):
            repo.log(None, since=name)


def test_unstaged_names_what_a_person_did(repo: Repository, person: Shell) -> None:
    """Modified, new and deleted files; nothing staged, ignored, linked, converted or unread."""
    names = ("same", "edited", "gone", "staged", "linked", "crlf", "sparse", "assumed")
    repo.commit([put(repo, f"{name}.md", f"{name}\n") for name in names], "all", when=NOON)
    repo.commit([put(repo, ".gitignore", "*.log\n")], "ignore", when=NOON)
    put(repo, "edited.md", "EDITED\n")
    put(repo, "crlf.md", "crlf\r\n")
    put(repo, "fresh/new.md", "new\n")
    put(repo, "noise.log", "x\n")
    put(repo, "staged.md", "staged, ")
    person("add", "staged.md")
    put(repo, "staged.md", "then typed on\n")
    for name in ("gone", "linked", "sparse"):
        (repo.root / f"{name}.md").unlink()
    (repo.root / "linked.md").symlink_to("same.md")
    (repo.root / "stray.md").symlink_to("/etc/passwd")
    person("update-index", "--skip-worktree", "sparse.md")
    person("update-index", "--assume-unchanged", "assumed.md")
    put(repo, "assumed.md", "edited\n")
    assert repo.unstaged() == (
        Dirty("edited.md", "modified"),
        Dirty("fresh/new.md", "untracked"),
        Dirty("gone.md", "deleted"),
    )


@pytest.fixture
def opened(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the files whose bytes are compared with git's, as that goes on."""
    (repo.root / ".vaultmem").mkdir()
    (repo.root / ".vaultmem/.gitignore").write_text("*\n")
    paths: list[str] = []
    kind = worktree._kind  # every file that is compared passes there

    def counting(place: Place, path: str, blob: Blob) -> Kind | None:
        paths.append(path)
        return kind(place, path, blob)

    monkeypatch.setattr(worktree, "_kind", counting)
    return paths


def rest(repo: Repository, *paths: str) -> None:
    """Let files have been written long ago."""
    let_rest(repo.root / path for path in paths)


def test_a_folder_that_was_found_clean_is_not_compared_again(
    repo: Repository, opened: list[str]
) -> None:
    """An edit in place, a new file and one that is gone are found all the same, each time."""
    names = [f"notes {n}[a]/{m}.md" for n in range(3) for m in "abc"]
    repo.commit([put(repo, name, f"{name}\n") for name in names], "all", when=NOON)
    rest(repo, *names)
    assert repo.unstaged() == ()
    assert sorted(opened) == names
    opened.clear()
    assert repo.unstaged() == ()
    assert opened == []
    edit_unseen(repo.root / names[4], "notes", "seton")
    assert repo.unstaged() == (Dirty(names[4], "modified"),)
    edit_unseen(repo.root / names[4], "seton", "notes")
    put(repo, names[0], "edited\n")
    put(repo, "notes 1[a]/new.md", "new\n")
    (repo.root / names[8]).unlink()
    dirty = (
        Dirty(names[0], "modified"),
        Dirty("notes 1[a]/new.md", "untracked"),
        Dirty(names[8], "deleted"),
    )
    assert repo.unstaged() == dirty
    assert repo.unstaged() == dirty


def test_a_clean_folder_is_compared_again_when_git_has_it_otherwise(
    repo: Repository, person: Shell, opened: list[str]
) -> None:
    """By a commit, by staging, or because git no longer keeps a file to itself."""
    repo.commit([put(repo, "a/b.md", "one\n"), put(repo, "c/d.md", "d\n")], "all", when=NOON)
    repo.commit([put(repo, ".gitignore", "e.md\n")], "ignore", when=NOON)
    put(repo, "c/e.md", "ignored\n")
    rest(repo, "a/b.md", "c/d.md", "c/e.md", ".gitignore")
    assert repo.unstaged() == repo.unstaged() == ()
    put(repo, ".gitignore", "nothing\n")
    assert Dirty("c/e.md", "untracked") in repo.unstaged()
    opened.clear()
    person("commit", "-qm", "past us", "--allow-empty")
    assert "a/b.md" not in opened
    person("rm", "-q", "--cached", "a/b.md")
    person("commit", "-qm", "left")
    assert Dirty("a/b.md", "untracked") in repo.unstaged()


def test_a_file_of_late_is_compared_each_time(repo: Repository, opened: list[str]) -> None:
    """Another text may have the same stamp within a tick."""
    repo.commit([put(repo, "a/b.md", "one\n")], "all", when=NOON)
    assert repo.unstaged() == repo.unstaged() == ()
    assert opened == ["a/b.md", "a/b.md"]


def test_a_file_the_person_s_git_converts_is_left_to_it(repo: Repository) -> None:
    """With git-crypt or LFS our bytes would be the plain ones."""
    repo.commit([put(repo, "secret.md", "cipher\n"), put(repo, "a.md", "a\n")], "all", when=NOON)
    repo.commit([put(repo, ".gitattributes", "secret* filter=crypt\n")], "attributes", when=NOON)
    put(repo, "secret.md", "plain\n")
    put(repo, "secret2.md", "plain\n")
    put(repo, "a.md", "A\n")
    assert repo.unstaged() == (Dirty("a.md", "modified"),)
    assert "plain" not in repo.diff(None)


def test_a_folder_that_became_a_link_is_not_followed(repo: Repository, tmp_path: Path) -> None:
    """The files behind it are neither read nor gone, whatever lies at its end."""
    repo.commit([put(repo, "notes/a.md", "a\n")], "a", when=NOON)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.md").write_text("secret\n")
    shutil.rmtree(repo.root / "notes")
    (repo.root / "notes").symlink_to(tmp_path / "outside")
    assert repo.unstaged() == ()
    assert "secret" not in repo.diff(None)


def test_the_diff_of_the_work_tree_is_git_s_own(repo: Repository, person: Shell) -> None:
    """Byte for byte what `git diff HEAD` prints, and no object is written for it."""
    repo.commit([put(repo, f"{n}.md", f"{n}\nlines\n") for n in "abc"], "all", when=NOON)
    put(repo, "a.md", "A\nlines")
    put(repo, "new.md", "staged\n")
    (repo.root / "b.md").unlink()
    put(repo, "untracked.md", "u\n")
    person("add", "new.md")
    before = sorted((repo.git_dir / "objects").rglob("*"))
    assert repo.diff(None) == person("diff", "HEAD")
    assert repo.diff(None, ["a.md"]) == person("diff", "HEAD", "--", "a.md")
    assert sorted((repo.git_dir / "objects").rglob("*")) == before
    assert repo.diff("HEAD") == person("show", "--format=", "HEAD")


def test_fsck_tells_what_is_broken(repo: Repository, person: Shell) -> None:
    """A blob that is gone is named."""
    repo.commit([put(repo, "a.md", "a\n")], "a", when=NOON)
    blob = person("rev-parse", "HEAD:a.md").strip()
    (repo.git_dir / "objects" / blob[:2] / blob[2:]).unlink()
    said = repo.fsck()
    assert said is not None
    assert blob in said


_PEAK_OF_GIT = """\
import resource, sys
from pathlib import Path
from vaultmem.storage import git
repo = git.find(Path(sys.argv[1]))
assert repo and repo.fsck() is None
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.long
def test_fsck_maps_no_pack_as_a_whole(repo: Repository, person: Shell) -> None:
    noise = repo.root / "noise"
    noise.mkdir()
    for n in range(48):
        (noise / f"{n}.bin").write_bytes(os.urandom(1 << 20))
    person("add", "-A")
    person("commit", "-qm", "noise")
    person("repack", "-adq")
    (pack,) = (repo.git_dir / "objects/pack").glob("*.pack")
    argv = [sys.executable, "-c", _PEAK_OF_GIT, str(repo.root)]
    said = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    assert int(said) * 1024 < pack.stat().st_size


def test_a_new_repository_has_no_hooks_and_the_person_s_branch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A template could plant hooks; the name of the first branch is the person's."""
    template = tmp_path / "template/hooks"
    template.mkdir(parents=True)
    (template / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(template.parent))
    repo = git.create(tmp_path / "fresh")
    assert not (repo.git_dir / "hooks").exists()
    assert plain(repo.root)("symbolic-ref", "HEAD") == "refs/heads/trunk\n"


def test_without_git_there_is_no_repository(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty PATH: asked, we say so; told to commit, we raise and leave no lock."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not git.available()
    assert git.find(repo.root) is None
    with pytest.raises(Unavailable, match="git"):
        git.create(tmp_path / "other")
    with pytest.raises(Unavailable, match="git"):
        repo.commit([Change("a.md", b"a")], "a", when=NOON)
    assert not (repo.git_dir / "index.lock").exists()


def test_the_objects_are_on_disk_before_head_moves(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git's own trace counts a hardware flush for the objects, the index and the reference."""
    trace = tmp_path / "trace"
    trace.touch()
    monkeypatch.setitem(process._ENVIRONMENT, "GIT_TRACE2_PERF", str(trace))
    repo.commit([Change("a.md", b"a")], "a", when=NOON)
    flushed = [line for line in trace.read_text().splitlines() if "fsync/hardware-flush" in line]
    assert len(flushed) >= 3


class Hours:
    """A clock that goes only while somebody sleeps."""

    def __init__(self) -> None:
        """Begin at noon."""
        self.now = 43_200.0

    def monotonic(self) -> float:
        """Return the seconds."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let them go by."""
        self.now += seconds


def test_busy_is_said_when_patience_is_over(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """We say busy when we promised to."""
    (repo.git_dir / "index.lock").touch()
    hours = Hours()
    monkeypatch.setattr(tokens, "time", hours)
    with pytest.raises(Busy):
        repo.commit([Change("a.md", b"a")], "a", patience=60, when=NOON)
    assert 60 <= hours.now - 43_200 <= 61


def test_why_git_failed_is_one_line_and_its_crash_report_is_cleared(repo: Repository) -> None:
    """Whoever is told of it reads a sentence, and nothing is left beside the history."""
    with (
        pytest.raises(Unavailable) as caught,
        process.fed(repo, ("fast-import", "--quiet"), {}) as running,
    ):
        running.stdin.write(b"no command of its\n")  # type: ignore[union-attr]
    assert str(caught.value) == (
        f"git fast-import failed in {repo.top}: Unsupported command: no command of its; "
        "the files are safe, only history waits"
    )
    assert not [*repo.git_dir.glob("fast_import_crash_*")]


@pytest.mark.parametrize(("said", "why"), [
    ("warning: no such file\nfatal: it is gone\nhint: look\n", "it is gone"),
    ("error: no room\nfatal: stopped\n", "no room"),
    ("it fell over\nbadly\n", "it fell over"),
    ("", "no reason given"),
])  # fmt: skip
def test_the_line_that_says_why_is_told(repo: Repository, said: str, why: str) -> None:
    told = str(process.failed(repo, "gc", said.encode()))
    assert told.startswith(f"git gc failed in {repo.top}: {why}; ")


PIPES = (
    *(f"{folder}{name}" for folder in ("", "notes/", "other/") for name in PATTERNS),
    ".git/info/exclude",
    ".git/info/attributes",
)


@pytest.fixture
def pipes_are_fatal(monkeypatch: pytest.MonkeyPatch) -> None:
    """End a git that waits at a pipe soon, so that a scene which has one fails and goes on."""
    run = process.run
    monkeypatch.setattr(process, "run", partial(run, limit=5))


@pytest.mark.usefixtures("pipes_are_fatal")
@pytest.mark.parametrize("name", PIPES)
def test_no_git_is_started_that_would_wait_at_a_pipe(repo: Repository, name: str) -> None:
    """The files of patterns that git opens, in whatever folder they are looked for."""
    repo.commit([put(repo, "notes/tea.md", "Oolong.\n")], "base", when=NOON)
    put(repo, "notes/tea.md", "Sencha.\n")
    put(repo, "other/new.md", "New.\n")
    (repo.root / name).unlink(missing_ok=True)
    (repo.root / name).parent.mkdir(exist_ok=True)
    os.mkfifo(repo.root / name)

    with pytest.raises(Unavailable, match=f"{re.escape(name)} is a named pipe.* remove it"):
        repo.unstaged()


@pytest.mark.usefixtures("pipes_are_fatal")
@pytest.mark.parametrize("name", ["notes/.gitattributes", ".gitattributes", "notes/.gitignore"])
def test_history_is_written_and_read_beside_a_pipe(repo: Repository, name: str) -> None:
    """What is stored does not depend on what the folders say."""
    repo.commit([put(repo, "notes/tea.md", "Oolong.\n")], "base", when=NOON)
    os.mkfifo(repo.root / name)
    done = repo.commit([put(repo, "notes/tea.md", "Oolong.\nSencha.\n")], "more", when=NOON)
    assert done

    assert "+Sencha." in repo.diff("HEAD")
    assert repo.line_counts([done]) == {(done, "notes/tea.md"): (1, 0)}
    assert repo.blame("notes/tea.md", b"Oolong.\nSencha.\n")[1] == done
    assert repo.fsck() is None


def test_the_other_side_is_the_one_that_git_follows(repo: Repository, person: Shell) -> None:
    """Its address is what git itself would fetch from."""
    for name, url in (("origin", "a:b/c"), ("team", "short:deep/er"), ("bare", "short:x")):
        person("remote", "add", name, url)
    person("config", "--add", "remote.team.url", "never:this")
    person("config", "--unset", "remote.bare.url")
    for long, short in (("https://one/", "short:"), ("https://two/", "short:deep/")):
        person("config", f"url.{long}.insteadOf", short)
    person("config", "core.sshCommand", "touch pwned;")
    listed = [line.split() for line in person("remote", "-v").splitlines()]
    fetched = {name: url for name, url, way in (x for x in listed if len(x) == 3)
               if way == "(fetch)"}  # fmt: skip
    found = {name: repo.counterpart(name) for name in ("origin", "team", "bare")}
    assert {name: it and it.url for name, it in found.items()} == fetched | {"bare": "bare"}
    assert repo.counterpart() == found["origin"]
    person("config", "branch.trunk.remote", "team")
    person("config", "branch.trunk.merge", "refs/heads/main")
    person("config", "--global", "core.sshCommand", "ssh -4")
    there = repo.counterpart()
    assert there
    assert (there.name, there.url, there.branch) == ("team", "https://two/er", "main")
    assert there.ssh.startswith("ssh -4 -o")


def test_no_push_is_begun_that_would_wait_at_a_pipe(
    repo: Repository, person: Shell, tmp_path: Path
) -> None:
    """Git asks for attributes of what it packs."""
    person("init", "-q", "--bare", str(tmp_path / "there.git"))
    person("remote", "add", "origin", str(tmp_path / "there.git"))
    there = repo.counterpart()
    done = repo.commit([put(repo, "notes/tea.md", "Oolong.\n")], "base", when=NOON)
    os.mkfifo(repo.root / "notes/.gitattributes")
    assert there
    assert done
    with pytest.raises(Unavailable, match=r"gitattributes is a named pipe"):
        repo.push(there, done)


@pytest.mark.usefixtures("pipes_are_fatal")
@pytest.mark.parametrize("name", [".gitignore", "memory/.gitignore"])
def test_a_pipe_above_a_vault_in_a_bigger_repository_is_named(repo: Repository, name: str) -> None:
    """Whether that repository ignores the vault cannot be told while it is there."""
    vault = repo.root / "memory"
    vault.mkdir()
    os.mkfifo(repo.root / name)
    with pytest.raises(Unavailable, match=r"\.gitignore is a named pipe"):
        git.find(vault)


@pytest.mark.parametrize("what", ["folder", "socket", "link"])
@pytest.mark.parametrize("name", PATTERNS)
def test_what_git_does_not_wait_at_keeps_nobody(
    repo: Repository, tmp_path: Path, name: str, what: str
) -> None:
    repo.commit([put(repo, "tea.md", "Oolong.\n")], "base", when=NOON)
    put(repo, "notes/new.md", "New.\n")
    odd = repo.root / "notes" / name
    if what == "folder":
        odd.mkdir()
    elif what == "link":
        os.mkfifo(tmp_path / "pipe")
        odd.symlink_to(tmp_path / "pipe")
    else:
        os.mknod(odd, stat.S_IFSOCK | 0o600)

    assert repo.unstaged() == (Dirty("notes/new.md", "untracked"),)
    assert repo.ignored(["notes/new.md"]) == set()
