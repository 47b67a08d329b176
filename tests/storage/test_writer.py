"""The one door: what passes it is done exactly once, and a person's bytes win."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
import threading
import traceback
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import (
    Busy,
    DiskRefused,
    ReadOnly,
    Refused,
    SecretFound,
    StaleWrite,
    Unconfirmed,
)
from vaultmem.storage import files, git, journal, write_lock, writer
from vaultmem.storage.commits import commit_messages
from vaultmem.storage.files import Root, Step, appending, atomic_write, new_file
from vaultmem.storage.git import index_lock as git_index_lock
from vaultmem.storage.git.types import Place
from vaultmem.storage.journal import Intent
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.writer import Writer

Reopen = Callable[[], Writer]
KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def change(path: str, old: bytes | None, new: bytes | None) -> Change:
    """Return a change of one file."""
    return Change(path, old, new, "a scene needs it")


def apply(writer: Writer, *changes: Change | Append, kind: str = "test", op: str = "") -> str:
    """Pass *changes* through the writer as one operation; return its id."""
    op = op or writer.mint()[0]
    with writer.writing() as put:
        put(Plan(op, kind, f"{kind}: {op}", changes, agent="ada"))
    return op


TALK = "agents/ada/sessions/bill.jsonl"


def say(writer: Writer, text: bytes, *, session: str = "bill") -> str:
    """Add a line to a session; return the operation's id."""
    path = f"agents/ada/sessions/{session}.jsonl"
    there = files.stamp(writer.root, path)
    step = Append(path, there.size if there else 0, text, "a scene needs it")
    op = writer.mint()[0]
    with writer.writing() as put:
        put(Plan(op, "turn", f"turn: {op}", (step,), "ada", session, count=text.count(b"\n")))
    return op


def person(folder: Path, *args: str) -> str:
    """Run git as a person does."""
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def notes(folder: Path) -> dict[str, bytes]:
    """Return the files of the scene."""
    return {p.name: p.read_bytes() for p in (folder / "notes").glob("*")}


def inbox(folder: Path) -> list[bytes]:
    """Return what was set aside."""
    return sorted(p.read_bytes() for p in (folder / "inbox").glob("conflict-*"))


def committed(writer: Writer, op: str) -> list[str]:
    """Return the commits that name the operation."""
    assert writer.repository is not None
    return [e.commit for e in writer.repository.log(None) if (git.OP, op) in e.trailers]


def head(folder: Path, path: str) -> str:
    """Return the text of a file as it is committed."""
    return person(folder, "show", f"HEAD:{path}")


def subjects(folder: Path) -> list[str]:
    """Return the subjects of all commits, newest first."""
    return person(folder, "log", "--format=%s").splitlines()


def rest(*paths: Path) -> None:
    """Let files look as if nobody had touched them for a minute."""
    for path in paths:
        for each in (path, path.parent):
            then = each.stat().st_mtime - 60
            os.utime(each, (then, then))


def touch(path: Path, clock: Clock) -> None:
    """Let a file look as if somebody had touched it just now, by *clock*."""
    os.utime(path, (clock().timestamp(), clock().timestamp()))


@pytest.fixture
def old(writer: Writer, folder: Path) -> bytes:
    """Commit two notes, and return what both of them say."""
    apply(writer, change("notes/old.md", None, b"old\n"), change("notes/gone.md", None, b"old\n"))
    writer.commit_pending()
    assert notes(folder) == {"old.md": b"old\n", "gone.md": b"old\n"}
    return b"old\n"


# --- crashes -------------------------------------------------------------------------------------


def dies(act: Callable[[], object], owner: object, name: str, nth: int = 1) -> None:
    """Run *act* in a process that is killed when it comes to the *nth* use of owner.name."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            _arm(owner, name, nth)
            act()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9, "it never came so far"


def _arm(owner: object, name: str, nth: int) -> None:
    real, uses = getattr(owner, name), [0]

    def fatal(*args: object, **kwargs: object) -> object:
        uses[0] += 1
        if uses[0] == nth:
            os._exit(9)
        return real(*args, **kwargs)

    setattr(owner, name, fatal)


CRASHES = [
    pytest.param((Writer, "_apply", 1), id="only promised"),
    pytest.param((new_file, "create", 2), id="first bytes staged"),
    pytest.param((atomic_write, "_publish", 2), id="all staged, nothing named"),
    pytest.param((atomic_write, "_publish", 3), id="one named"),
    pytest.param((atomic_write, "_publish", 4), id="two named"),
    pytest.param((journal, "applied", 1), id="written, not noted"),
    pytest.param((Writer, "commit_pending", 1), id="not committed"),
    pytest.param((git.Lock, "_move_head", 1), id="commit built, HEAD not moved"),
    pytest.param((journal, "finish", 1), id="committed, not forgotten"),
]


@pytest.mark.parametrize("point", CRASHES)
def test_a_crash_anywhere_leaves_everything_done_exactly_once(
    reopen: Reopen, folder: Path, old: bytes, point: tuple[object, str, int]
) -> None:
    """A file made, one changed and one removed: after reopening all of it, in one commit."""
    writer = reopen()
    op = writer.mint()[0]

    def act() -> None:
        apply(
            reopen(),
            change("notes/new.md", None, b"new\n"),
            change("notes/old.md", old, b"newer\n"),
            change("notes/gone.md", old, None),
            op=op,
        )
        reopen().commit_pending()

    dies(act, *point)
    for _ in range(2):  # and once more, for a recovery must not undo a recovery
        writer = reopen()
        writer.recover()
        writer.commit_pending()
        writer.sweep(quiet=0)
        assert notes(folder) == {"new.md": b"new\n", "old.md": b"newer\n"}
        assert len(committed(writer, op)) == 1
        assert journal.names(writer.root) == []
        assert person(folder, "status", "--porcelain") == ""
    assert inbox(folder) == []
    assert list(files.leftovers(writer.root)) == []
    assert writer.repository is not None
    assert writer.repository.fsck() is None


def test_a_crash_before_the_promise_leaves_nothing(reopen: Reopen, folder: Path) -> None:
    """What was not acknowledged need not be there, and half of it never is."""
    dies(lambda: apply(reopen(), change("notes/a.md", None, b"x")), atomic_write, "_publish")
    writer = reopen()
    writer.recover()
    assert (notes(folder), journal.names(writer.root)) == ({}, [])


@pytest.mark.parametrize("nth", [1, 2], ids=["intent", "notes"])
def test_recovering_clears_the_half_made_files_of_the_dead(
    reopen: Reopen, folder: Path, nth: int
) -> None:
    """Without a walk of the vault: only where the torn write was; another's work stays."""
    plan = [change(path, None, b"x") for path in ("top.md", "notes/a.md", "notes/b.md")]
    dies(lambda: apply(reopen(), *plan), atomic_write, "_publish", nth)
    ours = folder / ".vaultmem/journal" / files.leftover_files.temporary("0" * 26, 0)
    ours.write_bytes(b"half")
    root = reopen().root
    assert len(list(files.leftovers(root))) > 1
    reopen().recover()
    assert list(files.leftovers(root)) == [ours.relative_to(folder).as_posix()]


def test_the_next_writer_finishes_first_what_a_crash_left(reopen: Reopen, folder: Path) -> None:
    """It may build on what was promised before it."""
    dies(lambda: apply(reopen(), change("notes/a.md", None, b"one\n")), Writer, "_apply")
    with reopen().writing():
        assert notes(folder) == {"a.md": b"one\n"}
    apply(reopen(), change("notes/a.md", b"one\n", b"two\n"))
    assert notes(folder) == {"a.md": b"two\n"}


def test_what_a_crash_left_unwritten_is_not_called_removed(
    reopen: Reopen, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Who settles before anything else finishes it."""
    path = "agents/ada/memories/2026/11/20261120-101500-tea-aaaaaa.md"
    dies(lambda: apply(reopen(), change(path, None, b"tea\n")), Writer, "_apply")
    reopen().commit_pending()
    assert (folder / path).read_bytes() == b"tea\n"
    assert caplog.messages == []


def test_a_person_who_commits_on_top_of_a_crash_is_not_taken_back(
    reopen: Reopen, folder: Path
) -> None:
    """Our commit was made and not noted; their next one changes the same file."""
    op = apply(reopen(), change("notes/a.md", None, b"ours\n"))
    dies(lambda: reopen().commit_pending(), journal, "finish")
    (folder / ".git/index.lock").unlink()  # as git advises
    (folder / "notes/a.md").write_bytes(b"theirs\n")
    person(folder, "commit", "-qam", "mine")
    writer = reopen()
    writer.commit_pending()
    assert (head(folder, "notes/a.md"), len(committed(writer, op))) == ("theirs\n", 1)
    assert journal.names(writer.root) == []


def test_a_persons_edit_between_promise_and_replay_wins(
    reopen: Reopen, folder: Path, old: bytes
) -> None:
    """Their bytes stay where they are, ours wait in the inbox, and the rest is done."""
    plan = (change("notes/new.md", None, b"new\n"), change("notes/old.md", old, b"ours\n"))
    dies(lambda: apply(reopen(), *plan), Writer, "_apply")
    (folder / "notes/old.md").write_bytes(b"theirs\n")
    for _ in range(2):
        reopen().recover()
        assert notes(folder) == {"new.md": b"new\n", "old.md": b"theirs\n", "gone.md": old}
        assert inbox(folder) == [b"ours\n"]


def test_two_notes_of_one_name_are_both_set_aside(reopen: Reopen, folder: Path) -> None:
    """Folders do not tell them apart in the inbox, their bytes do."""
    plan = [change(f"notes/{x}/{'long-' * 20}.md", None, x.encode()) for x in "ab"]
    dies(lambda: apply(reopen(), *plan), Writer, "_apply")
    for each in plan:
        (folder / each.path).parent.mkdir(parents=True)
        (folder / each.path).write_bytes(b"theirs")
    reopen().recover()
    assert inbox(folder) == [b"a", b"b"]


def test_a_link_that_a_person_puts_in_the_way_does_not_stop_the_replay(
    reopen: Reopen, folder: Path, tmp_path: Path
) -> None:
    """The folder was moved to another disk and linked; our file goes to the inbox."""
    dies(lambda: apply(reopen(), change("notes/a.md", None, b"x")), Writer, "_apply")
    (folder / "notes").symlink_to(tmp_path)
    writer = reopen()
    writer.recover()
    assert inbox(folder) == [b"x"]
    assert apply(writer, change("other/b.md", None, b"y"))


def test_a_reader_does_not_wait_for_a_writer_at_work(writer: Writer, reopen: Reopen) -> None:
    """A half-done write whose writer holds the lock is the writer's own affair."""
    with writer.writing():
        todo = journal.intent(
            Plan("OP", "test", "s", (change("a.md", None, b"x"),)), "0" * 26, None
        )
        journal.begin(writer.root, todo)
        reopen().recover()
        assert not (writer.root.path / "a.md").exists()
    reopen().recover()
    assert (writer.root.path / "a.md").read_bytes() == b"x"


# --- refusing before anything is visible ---------------------------------------------------------


def untouched(writer: Writer, *changes: Change) -> type[BaseException]:
    """Return what refused *changes*; the vault must be as before and still take a write."""
    before = person(writer.root.path, "status", "--porcelain", "--ignored")
    error: type[BaseException] = type(None)  # type: ignore[assignment]
    try:
        apply(writer, *changes)
    except Refused as e:
        error = type(e)
    assert person(writer.root.path, "status", "--porcelain", "--ignored") == before
    assert journal.names(writer.root) == []
    assert apply(writer, change(f"notes/{writer.mint()[0]}.md", None, b"x"))
    writer.commit_pending()
    return error


@pytest.mark.parametrize(
    ("path", "stale", "error"),
    [
        ("notes/old.md", b"as once read", StaleWrite),
        ("notes/gone", b"never there", StaleWrite),
        ("notes/what?.md", None, Refused),
        ("agents/con/memories/x.md", None, Refused),
        ("notes/old.md/below.md", None, Refused),
        (".git/hooks/post-commit", None, Refused),
        ("../x.md", None, Refused),
    ],
)
def test_a_step_that_cannot_be_done_refuses_the_whole_plan(
    writer: Writer, old: bytes, path: str, stale: bytes | None, error: type[BaseException]
) -> None:
    """Nothing of it is visible, nothing is promised, and the next write is not in its way."""
    assert old
    first = change("notes/first.md", None, b"x")
    assert untouched(writer, first, change(path, stale, b"ours")) is error


def test_a_secret_is_refused_by_rule_and_never_repeated(writer: Writer) -> None:
    """Neither the sentence nor the whole traceback says what it was."""
    with pytest.raises(SecretFound) as refusal:
        apply(writer, change("notes/a.md", None, f"the token is {KEY}\n".encode()))
    assert (refusal.value.where, refusal.value.rule) == ("notes/a.md", "github-token")
    told = repr(refusal.value) + "".join(traceback.format_exception(refusal.value))
    assert KEY not in told + repr(vars(refusal.value))
    assert not (writer.root.path / "notes").exists()


def test_a_secret_that_was_there_before_does_not_stop_a_change(
    writer: Writer, folder: Path
) -> None:
    """A person put it there; to refuse every later write would not take it out."""
    (folder / "notes").mkdir()
    was = f"token: {KEY}\n".encode()
    (folder / "notes/a.md").write_bytes(was)
    apply(writer, change("notes/a.md", was, was + b"More.\n"))
    assert notes(folder) == {"a.md": was + b"More.\n"}


# --- the disk says no ----------------------------------------------------------------------------


CREATE, PUBLISH = (new_file, "create"), (atomic_write, "_publish")


def refuse(monkeypatch: pytest.MonkeyPatch, use: tuple[object, str], nth: int, code: int) -> None:
    """Let the *nth* use of a function of files fail."""
    real, uses = getattr(*use), [0]

    def faulty(*args: object, **kwargs: object) -> object:
        uses[0] += 1
        if uses[0] == nth:
            raise OSError(code, os.strerror(code))
        return real(*args, **kwargs)

    monkeypatch.setattr(*use, faulty)


@pytest.mark.parametrize(("use", "nth"), [(CREATE, 1), (CREATE, 2), (PUBLISH, 2)])
def test_what_the_disk_refused_is_not_done_later_behind_our_back(
    writer: Writer, folder: Path, monkeypatch: pytest.MonkeyPatch, use: tuple[object, str], nth: int
) -> None:
    """Told that nothing was changed one asks again, and then it is there once."""
    with monkeypatch.context() as fault:
        refuse(fault, use, nth, errno.ENOSPC)
        with pytest.raises(DiskRefused, match="nothing was changed"):
            apply(writer, change("notes/a.md", None, b"x"))
    assert (notes(folder), journal.names(writer.root)) == ({}, [])
    apply(writer, change("notes/b.md", None, b"x"))
    assert notes(folder) == {"b.md": b"x"}


def test_what_the_disk_stopped_half_way_is_finished_later(
    writer: Writer, folder: Path, old: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says so, and whatever comes next does it."""
    with monkeypatch.context() as fault:
        refuse(fault, PUBLISH, 3, errno.ENOSPC)  # the first is the intent's own
        with pytest.raises(Unconfirmed, match="not known"):
            apply(writer, change("notes/a.md", None, b"x"), change("notes/old.md", old, b"newer\n"))
    writer.recover()
    assert notes(folder) == {"a.md": b"x", "old.md": b"newer\n", "gone.md": old}


def test_after_an_io_error_the_vault_can_be_read_and_mended(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No write passes until fsck has looked; what was refused is kept when it is said again."""
    first = vault.remember("Oolong in the morning.", agent="ada")
    with monkeypatch.context() as fault:
        refuse(fault, CREATE, 2, errno.EIO)
        with pytest.raises(ReadOnly):
            vault.remember("Sencha in the evening.", agent="ada")
    with pytest.raises(ReadOnly):
        vault.remember("And again.", agent="ada")
    assert [h.id for h in vault.recall("oolong").hits] == [first.id]
    vault.fsck(repair=True)
    assert vault.recall("sencha").hits == ()
    assert vault.remember("Sencha in the evening.", agent="ada").commit
    assert len(vault.recall("sencha").hits) == 1


# --- what was cleaned away before its commit -----------------------------------------------------


def memory(writer: Writer, n: int, *, old: bytes | None = None, new: bytes | None = None) -> str:
    """Write memory number *n*; return its path."""
    path = f"agents/ada/memories/2026/11/{n}.md"
    apply(writer, change(path, old, new))
    return path


def test_what_waits_is_read_once_to_see_what_was_cleaned_away(
    writer: Writer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command asks that, and who writes while git is busy has many that wait.

    Of what they say nothing is held but of the two that are gone.
    """
    first, second, third = (memory(writer, n, new=b"one\n") for n in range(3))
    memory(writer, 1, old=b"one\n", new=b"two\n")
    memory(writer, 2, old=b"one\n")
    read: list[str] = []
    real = journal.get

    def counted(root: Root, name: str, only: Collection[str] | None = None) -> Intent | None:
        read.append(name)
        return real(root, name, only)

    monkeypatch.setattr(journal, "get", counted)
    for path in (first, second):
        (folder / path).unlink()
    assert not (folder / third).exists()
    steps = [it.step for it in writer.lacking()]
    assert steps == [Step(first, None, b"one\n"), Step(second, None, b"two\n")]
    assert sorted(read) == journal.names(writer.root)


@pytest.mark.parametrize("when", range(3))
def test_what_another_commits_meanwhile_was_not_cleaned_away(
    writer: Writer, monkeypatch: pytest.MonkeyPatch, when: int
) -> None:
    """A memory made and taken away, both of which somebody else is done with, in this order."""
    memory(writer, 1, new=b"one\n")
    memory(writer, 1, old=b"one\n")
    real, waiting, read = journal.get, journal.waiting(writer.root), [0]

    def overtaken(root: Root, name: str, only: Collection[str] | None = None) -> Intent | None:
        if read[0] == when:
            for _, todo in waiting:
                journal.finish(root, todo)
        read[0] += 1
        return real(root, name, only)

    monkeypatch.setattr(journal, "get", overtaken)
    assert writer.lacking() == ()


@pytest.mark.parametrize(
    ("path", "asked"), [("topics/b.md", 0), ("agents/ada/memories/2026/11/x.txt", 3), ("a.md", 0)]
)
def test_what_waits_elsewhere_is_not_taken_apart_before_a_write(
    writer: Writer, monkeypatch: pytest.MonkeyPatch, path: str, asked: int
) -> None:
    """An import of a million had a thousand that wait, and each of its summaries read them all."""
    for n in range(3):
        memory(writer, n, new=b"one\n")
    read: list[bytes] = []
    real = journal.load

    def counted(data: bytes, *, applied: bool) -> Intent | None:
        read.append(data)
        return real(data, applied=applied)

    monkeypatch.setattr(journal, "load", counted)
    apply(writer, change(path, None, b"new\n"))
    assert len(read) == asked


# --- locks ---------------------------------------------------------------------------------------


def test_the_write_lock_excludes_threads(reopen: Reopen, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second door in the same process waits, and says after a while that it is busy."""
    monkeypatch.setattr(writer, "_LOCK_PATIENCE", 0.05)
    told: list[str] = []

    def second() -> None:
        try:
            with reopen().writing():
                told.append("in")
        except Busy as e:
            told.append(e.what)

    with reopen().writing():
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    second()
    assert told == ["the vault's write lock", "in"]


def test_the_write_lock_excludes_processes_and_dies_with_them(
    reopen: Reopen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is killed inside the door leaves it open for the next."""
    monkeypatch.setattr(writer, "_LOCK_PATIENCE", 0.05)
    inside, leave = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        with reopen().writing():
            os.write(inside[1], b"!")
            os.read(leave[0], 1)
            os._exit(9)
    os.read(inside[0], 1)
    with pytest.raises(Busy), reopen().writing():
        pass
    os.write(leave[1], b"!")
    os.waitpid(child, 0)
    for fd in (*inside, *leave):
        os.close(fd)
    assert apply(reopen(), change("notes/a.md", None, b"x"))


def test_the_write_lock_excludes_others_though_somebody_deletes_its_file(
    reopen: Reopen, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_LOCK_PATIENCE", 0)
    with reopen().writing():
        (folder / write_lock.WRITE_LOCK).unlink()
        with pytest.raises(Busy), reopen().writing():
            pass
    with reopen().writing():
        shutil.rmtree(folder / ".vaultmem")  # as `git clean -fdx` does
        with pytest.raises(Busy), reopen().writing():
            pass
    assert apply(reopen(), change("notes/a.md", None, b"x"))


# --- what a commit holds -------------------------------------------------------------------------


def test_a_persons_work_is_never_swept_into_our_commit(
    writer: Writer, folder: Path, old: bytes
) -> None:
    """Staged, half-typed and untracked work is as it was, beside our new file in HEAD."""
    (folder / "staged.md").write_text("staged\n")
    person(folder, "add", "staged.md")
    (folder / "notes/old.md").write_bytes(old + b"half a sen")
    (folder / "untracked.md").write_text("mine\n")
    op = apply(writer, change("notes/new.md", None, b"new\n"))
    (sha,) = writer.commit_pending().values()
    assert [sha] == committed(writer, op)
    assert person(folder, "show", "--format=", "--name-only", "HEAD").split() == ["notes/new.md"]
    status = " M notes/old.md\nA  staged.md\n?? untracked.md\n"
    assert person(folder, "status", "--porcelain") == status


def test_our_lines_of_a_half_typed_memory_md_are_committed_and_theirs_are_not(
    writer: Writer, folder: Path
) -> None:
    """HEAD gets its own text plus our region; their lines stay in the work tree, uncommitted."""
    file = folder / "MEMORY.md"
    was = file.read_text()
    typed = was.replace(
        "<!-- vaultmem:begin -->", "My own line, half ty\n\n\n<!-- vaultmem:begin -->"
    )
    assert typed != was
    file.write_text(typed)
    pointer = "- [Tea](notes/tea.md): oolong\n"
    end = "<!-- vaultmem:end -->"
    apply(
        writer,
        change("MEMORY.md", typed.encode(), typed.replace(end, pointer + end).encode()),
    )
    assert writer.commit_pending()
    assert file.read_text() == typed.replace(end, pointer + end)
    assert head(folder, "MEMORY.md") == was.replace(end, pointer + end)


def test_an_untracked_note_we_changed_is_left_for_its_person_to_commit(
    writer: Writer, folder: Path
) -> None:
    """To commit our change of it would commit their text."""
    (folder / "mine.md").write_bytes(b"mine\n")
    op = apply(writer, change("mine.md", b"mine\n", b"mine\nours\n"),
                   change("notes/a.md", None, b"x"))  # fmt: skip
    assert list(writer.commit_pending()) == [op]
    assert person(folder, "status", "--porcelain") == "?? mine.md\n"


def test_a_file_made_and_changed_in_one_operation_is_committed_as_it_is(
    writer: Writer, folder: Path
) -> None:
    """An import and the compactions it brings are one commit of several writes."""
    op = apply(writer, change("notes/a.md", None, b"one\n"))
    apply(writer, change("notes/a.md", b"one\n", b"two\n"), op=op)
    assert list(writer.commit_pending()) == [op]
    assert len(committed(writer, op)) == 1
    assert head(folder, "notes/a.md") == "two\n"
    assert person(folder, "status", "--porcelain") == ""


def test_a_part_of_an_operation_that_is_committed_early_does_not_lose_the_other(
    writer: Writer, folder: Path, reopen: Reopen
) -> None:
    """Another process settles between the two writes, and after the second was promised."""
    op = apply(writer, change("notes/a.md", None, b"one\n"))
    base = writer.commits.head()
    reopen().commit_pending()
    todo = journal.intent(
        Plan(op, "test", "second", (change("notes/b.md", None, b"two\n"),)), writer.mint()[0], base
    )
    journal.begin(writer.root, todo)
    writer.recover()
    writer.commit_pending()
    assert head(folder, "notes/b.md") == "two\n"
    assert len(committed(writer, op)) == 2


def test_a_quiet_batch_of_memories_is_one_commit(vault: Vault, folder: Path) -> None:
    """Those of one agent that wait together are committed together, each named in the body."""
    writer = vault.store.writer
    ops = [apply(writer, change(f"notes/{n}.md", None, b"x"), kind="remember") for n in range(3)]
    commits = writer.commit_pending()
    assert (sorted(commits), len(set(commits.values()))) == (sorted(ops), 1)
    assert subjects(folder)[0] == "remember(ada): 3 memories"


def test_the_workings_are_never_committed(tmp_path: Path, clock: Callable[[], object]) -> None:
    """A repository that was there before may not ignore them, and the folder may be deleted."""
    folder = tmp_path / "old"
    folder.mkdir()
    person(folder, "init", "-q")
    (folder / ".gitignore").write_text("*.pyc\n")
    create.create(folder, clock)  # type: ignore[arg-type]
    subprocess.run(["rm", "-r", folder / ".vaultmem"], check=True)
    with Vault.open(folder) as vault:
        vault.store.writer.commit_edits(quiet=0)
    assert ".vaultmem" not in person(folder, "ls-files")
    assert (folder / ".vaultmem/.gitignore").stat().st_mode & 0o777 == 0o600


# --- files that grow -----------------------------------------------------------------------------


GROWING = [
    pytest.param((Writer, "_apply", 1), id="only promised"),
    pytest.param((appending, "extend", 1), id="all staged, nothing written"),
    pytest.param((appending, "_there", 3), id="looked at"),
    pytest.param((journal, "applied", 1), id="written, not noted"),
    pytest.param((Writer, "commit_pending", 1), id="not committed"),
    pytest.param((git.Lock, "_move_head", 1), id="commit built, HEAD not moved"),
    pytest.param((journal, "finish", 1), id="committed, not forgotten"),
]


@pytest.mark.parametrize("point", GROWING)
def test_a_crash_leaves_a_turn_said_exactly_once(
    reopen: Reopen, folder: Path, point: tuple[object, str, int]
) -> None:
    """Together with what else its operation does, in one commit."""
    say(reopen(), b"one\n")
    reopen().commit_pending()
    op = reopen().mint()[0]

    def act() -> None:
        more = Append(TALK, len(b"one\n"), b"two\n", "more")
        apply(reopen(), more, change("notes/a.md", None, b"x"), op=op)
        reopen().commit_pending()

    dies(act, *point)
    for _ in range(2):
        writer = reopen()
        writer.recover()
        writer.commit_pending()
        writer.sweep(quiet=0)
        assert (folder / TALK).read_bytes() == b"one\ntwo\n"
        assert notes(folder) == {"a.md": b"x"}
        assert (len(committed(writer, op)), writer.waiting()) == (1, 0)
        assert person(folder, "status", "--porcelain") == ""


def test_a_line_that_a_person_adds_to_a_torn_one_stays_and_ours_is_set_aside(
    reopen: Reopen, folder: Path
) -> None:
    """What cannot be completed without touching their bytes waits for them in the inbox."""
    say(reopen(), b"one\n")
    dies(lambda: say(reopen(), b"two\n"), appending, "extend")
    with (folder / TALK).open("ab") as file:
        file.write(b"tmine\n")
    reopen().recover()
    assert (folder / TALK).read_bytes() == b"one\ntmine\n"
    assert inbox(folder) == [b"two\n"]


def test_a_full_disk_takes_nothing_of_a_turn_and_the_next_try_all_of_it(
    writer: Writer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was told that nothing changed, so it is said again, and stands there once."""
    say(writer, b"one\n")
    with monkeypatch.context() as fault:

        def full(fd: int, step: files.Addition) -> None:
            os.write(fd, step.data[:2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        fault.setattr(appending, "_write", full)
        with pytest.raises(DiskRefused, match="nothing was changed"):
            say(writer, b"two\n")
    assert ((folder / TALK).read_bytes(), len(journal.begun(writer.root))) == (b"one\n", 0)
    say(writer, b"two\n")
    assert (folder / TALK).read_bytes() == b"one\ntwo\n"


def test_turns_that_wait_together_are_one_version_of_their_file_in_one_commit(
    writer: Writer, folder: Path
) -> None:
    """Whatever was remembered in between is a batch of its own."""
    ops = []
    for n in range(3):
        ops.append(say(writer, b"turn %d\n" % n))
        apply(writer, change(f"notes/{n}.md", None, b"x"), kind="remember")
    ops.append(say(writer, b"turn 3\nturn 4\n"))
    assert writer.waiting() == 7
    commits = writer.commit_pending()
    assert len({commits[op] for op in ops}) == 1
    assert writer.waiting() == 0
    assert subjects(folder)[:2] == ["turns(ada): 5 turns of bill", "remember(ada): 3 memories"]
    assert head(folder, TALK) == "turn 0\nturn 1\nturn 2\nturn 3\nturn 4\n"
    assert len(person(folder, "log", "--format=%h", "--", TALK).split()) == 1
    assert person(folder, "status", "--porcelain") == ""


def test_turns_of_several_sessions_share_a_commit(writer: Writer, folder: Path) -> None:
    for session in ("bill", "rent", "bill"):
        say(writer, b"x\n", session=session)
    say(writer, b"y\n", session="rent")
    writer.commit_pending()
    assert subjects(folder)[0] == "turns(ada): 4 turns of 2 sessions"
    assert (head(folder, TALK), head(folder, TALK.replace("bill", "rent"))) == ("x\nx\n", "x\ny\n")


def test_what_a_person_adds_behind_a_turn_is_left_for_them_to_commit(
    writer: Writer, folder: Path
) -> None:
    """It comes in with the next turn, which stands behind it."""
    say(writer, b"one\n")
    with (folder / TALK).open("ab") as file:
        file.write(b"mine\n")
    writer.commit_pending()
    assert head(folder, TALK) == "one\n"
    assert person(folder, "status", "--porcelain") == f" M {TALK}\n"
    say(writer, b"two\n")
    writer.commit_pending()
    assert head(folder, TALK) == "one\nmine\ntwo\n"


def test_what_a_person_changed_before_a_turn_is_left_for_them_to_commit(
    writer: Writer, folder: Path
) -> None:
    """Our line joins the lines that git has; theirs stay in the work tree."""
    say(writer, b"one\nof\nmany\nlines\n")
    writer.commit_pending()
    (folder / TALK).write_bytes(b"ONE\nof\nmany\nlines\n")
    say(writer, b"two\n")
    writer.commit_pending()
    assert head(folder, TALK) == "one\nof\nmany\nlines\ntwo\n"
    assert (folder / TALK).read_bytes() == b"ONE\nof\nmany\nlines\ntwo\n"


@pytest.mark.parametrize(
    ("now", "lies"),
    [
        (b"", "one\ntwo\n"),
        (b"on", "one\ntwo\n"),
        (b"shorter\n", "shorter\none\ntwo\n"),
        (b"one\nand another end\n", "one\nand another end\ntwo\n"),
        (b"\xef\xbb\xbfone\r\n", "\ufeffone\r\ntwo\n"),
    ],
)
def test_what_waits_is_put_behind_what_a_person_put_in_its_place(
    writer: Writer, folder: Path, now: bytes, lies: str
) -> None:
    """It was acknowledged, and nobody meant to take it back; nothing waits for ever."""
    ops = [say(writer, b"one\n"), say(writer, b"two\n")]
    (folder / TALK).unlink()
    (folder / TALK).write_bytes(now)
    assert list(writer.commit_pending()) == ops
    assert writer.waiting() == 0
    assert (folder / TALK).read_bytes().decode() == lies
    assert person(folder, "status", "--porcelain") == ""


def test_half_a_line_of_a_person_stays_and_what_waits_is_in_the_history(
    writer: Writer, folder: Path
) -> None:
    op = say(writer, b"one\n")
    (folder / TALK).write_bytes(b"half a li")
    assert list(writer.commit_pending()) == [op]
    assert (head(folder, TALK), writer.waiting()) == ("one\n", 0)
    assert (folder / TALK).read_bytes() == b"half a li"


def test_what_a_person_has_committed_first_is_not_taken_back(writer: Writer, folder: Path) -> None:
    """Our turn, and their line behind it."""
    say(writer, b"one\n")
    with (folder / TALK).open("ab") as file:
        file.write(b"mine\n")
    person(folder, "add", TALK)
    person(folder, "commit", "-qm", "mine")
    assert (writer.commit_pending(), writer.waiting()) == ({}, 0)
    assert head(folder, TALK) == "one\nmine\n"


def test_a_session_that_git_never_had_is_committed_whole(writer: Writer, folder: Path) -> None:
    """It was begun where there was no repository, or its history is gone."""
    (folder / TALK).parent.mkdir(parents=True)
    (folder / TALK).write_bytes(b"one\n")
    say(writer, b"two\n")
    writer.commit_pending()
    assert head(folder, TALK) == "one\ntwo\n"


@pytest.mark.long
def test_a_turn_costs_a_turn_however_long_the_session(writer: Writer, folder: Path) -> None:
    """Neither the file nor its old text is read or written again."""
    say(writer, b"x" * 3_000_000 + b"\n")
    writer.commit_pending()
    before = traffic()
    say(writer, b"two\n")
    assert [now - then < 100_000 for then, now in zip(before, traffic(), strict=True)] == [True] * 2
    assert (folder / TALK).stat().st_size == 3_000_005


def traffic() -> list[int]:
    """Return how many bytes this process has read and written."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return [int(line.partition(": ")[2]) for line in lines[:2]]


# --- a person's edits ----------------------------------------------------------------------------


def test_a_commit_of_what_a_person_did_says_whether_files_came_went_or_were_renamed(
    writer: Writer, folder: Path
) -> None:
    (folder / "notes").mkdir()
    (folder / "notes/a.md").write_text("a\n")
    writer.commit_edits(quiet=0)
    for name in ("b", "c"):
        (folder / f"notes/{name}.md").write_text(f"{name}\n")
    writer.commit_edits(quiet=0)
    (folder / "notes/a.md").rename(folder / "notes/a2.md")
    writer.commit_edits(quiet=0)
    for name in ("a2", "b"):
        (folder / f"notes/{name}.md").rename(folder / f"notes/{name}-moved.md")
    writer.commit_edits(quiet=0)
    for name in ("b-moved", "c"):
        (folder / f"notes/{name}.md").unlink()
    writer.commit_edits(quiet=0)
    assert subjects(folder)[:5] == [
        "human: delete 2 files", "human: rename 2 files",
        "human: rename notes/a.md to notes/a2.md", "human: add 2 files", "human: add notes/a.md",
    ]  # fmt: skip


def test_rested_edits_are_committed_apart_and_the_rest_is_left(
    writer: Writer, folder: Path, clock: Clock, old: bytes
) -> None:
    """Staged, fresh, broken and secret ones wait; ours stays out of their commit."""
    for name in ("staged", "fresh", "broken", "secret", "rested"):
        (folder / f"{name}.md").write_text(f"{name}\n")
    person(folder, "add", "staged.md")
    (folder / "secret.md").write_text(f"{KEY}\n")
    (folder / "notes/gone.md").unlink()
    (folder / "notes/old.md").write_bytes(old + b"and more\n")
    rest(*(folder / f"{x}.md" for x in ("staged", "broken", "secret", "rested", "notes/old")))
    touch(folder / "fresh.md", clock)
    sha = writer.commit_edits(leave=frozenset({"broken.md"}))
    assert sha == person(folder, "rev-parse", "HEAD").strip()
    assert person(folder, "log", "-1", "--format=%B") == (
        "human: edit 3 files\n\nnotes/gone.md\nnotes/old.md\nrested.md\n\n"
    )
    assert person(folder, "status", "--porcelain").split("\n")[:-1] == [
        "A  staged.md", "?? broken.md", "?? fresh.md", "?? secret.md"
    ]  # fmt: skip
    assert writer.commit_edits(leave=frozenset({"broken.md"})) is None


@pytest.mark.parametrize("rests", [True, False])
def test_what_was_moved_is_committed_with_its_new_file_and_waits_with_it(
    writer: Writer, folder: Path, clock: Clock, *, rests: bool
) -> None:
    """The file keeps its time on its way; the folder that it left does not."""
    (folder / "notes").mkdir()
    note = b"---\nid: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZM\n---\nOne.\n"
    (folder / "notes/a.md").write_bytes(note)
    writer.commit_edits(quiet=0)
    (folder / "notes/a.md").unlink()
    (folder / "b.md").write_bytes(note + b"Two.\n")
    if rests:
        rest(folder / "b.md")
        touch(folder / "notes", clock)
    else:
        touch(folder / "b.md", clock)
        rest(folder / "notes")
    head = writer.commits.head()
    writer.commit_edits()
    paths = person(folder, "show", "--name-only", "--format=", "--no-renames").split()
    assert paths == (["b.md", "notes/a.md"] if rests else ["notes/a.md"])
    assert (head != writer.commits.head()) == rests


def test_one_edited_file_is_named_in_the_subject(writer: Writer, folder: Path, old: bytes) -> None:
    """An edit and a removal read as what they are."""
    (folder / "notes/old.md").write_bytes(old + b"more\n")
    writer.commit_edits(quiet=0)
    (folder / "notes/old.md").unlink()
    writer.commit_edits(quiet=0)
    assert subjects(folder)[:2] == ["human: delete notes/old.md", "human: edit notes/old.md"]


def test_what_we_have_written_and_not_yet_committed_is_no_persons_edit(
    writer: Writer, folder: Path
) -> None:
    """It waits for its own commit, under its own name."""
    op = apply(writer, change("notes/a.md", None, b"x"))
    assert writer.commit_edits(quiet=0) is None
    assert list(writer.commit_pending()) == [op]
    assert subjects(folder)[0] == f"test: {op}"


# --- git is busy, or gone ------------------------------------------------------------------------


@contextlib.contextmanager
def index_lock(folder: Path, _: pytest.MonkeyPatch) -> Iterator[None]:
    """Hold the lock as another program does."""
    (folder / ".git/index.lock").touch()
    yield
    (folder / ".git/index.lock").unlink()


@contextlib.contextmanager
def merging(folder: Path, _: pytest.MonkeyPatch) -> Iterator[None]:
    """Be in the middle of a merge."""
    (folder / ".git/MERGE_HEAD").write_text(person(folder, "rev-parse", "HEAD"))
    yield
    (folder / ".git/MERGE_HEAD").unlink()


@contextlib.contextmanager
def detached(folder: Path, _: pytest.MonkeyPatch) -> Iterator[None]:
    """Look at an old commit."""
    person(folder, "checkout", "-q", "--detach")
    yield
    person(folder, "checkout", "-q", "main")


@contextlib.contextmanager
def without_git(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lose the program itself for a while."""
    assert folder.is_dir()
    with monkeypatch.context() as path:
        path.setenv("PATH", "/nowhere")
        yield


@pytest.mark.parametrize("trouble", [index_lock, merging, detached, without_git])
def test_while_git_is_in_no_state_to_commit_a_write_waits_and_then_lands(
    reopen: Reopen,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Callable[[Path, pytest.MonkeyPatch], contextlib.AbstractContextManager[None]],
) -> None:
    """The file is there at once, its commit when it can be; a door already open finds it, too."""
    early = reopen()
    assert early.repository
    with trouble(folder, monkeypatch):
        ops = [apply(early, change("notes/a.md", None, b"x")),
               apply(reopen(), change("notes/b.md", None, b"y"))]  # fmt: skip
        assert [d.commit_pending(patience=0.05) for d in (early, reopen())] == [{}, {}]
        assert early.commit_edits(quiet=0) is None
        assert notes(folder) == {"a.md": b"x", "b.md": b"y"}
        assert len(journal.names(early.root)) == 2
    assert sorted(early.commit_pending()) == sorted(ops)
    assert journal.names(early.root) == []
    assert person(folder, "status", "--porcelain") == ""


def test_under_a_lock_that_is_held_a_command_waits_once(
    writer: Writer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it settles; and as soon as the lock is free, all is committed."""
    patience: list[float] = []
    real = git_index_lock.take

    def take(place: Place, seconds: float) -> tuple[str, int]:
        patience.append(seconds)
        return real(place, min(seconds, 0.01))

    monkeypatch.setattr(git_index_lock, "take", take)
    (folder / "mine.md").write_text("a person's\n")
    with index_lock(folder, monkeypatch):
        ops = [apply(writer, change("notes/a.md", None, b"x"))]
        assert writer.commit_pending() == {}
        ops.append(apply(writer, change("notes/b.md", None, b"y")))
        assert (writer.commit_pending(), writer.commit_edits(quiet=0)) == ({}, None)
    assert sorted(writer.commit_pending()) == sorted(ops)
    assert writer.commit_edits(quiet=0)
    assert patience == [git.PATIENCE, 0, 0, 0, git.PATIENCE]


def test_without_a_repository_nothing_waits_for_one(tmp_path: Path, reopen: Reopen) -> None:
    """A vault may do without history; then an intent is forgotten once it is done."""
    assert reopen()
    plain = tmp_path / "plain"
    plain.mkdir()
    root = files.Root(plain)
    writer = Writer(root, reopen().clock, git.find)
    apply(writer, change("notes/a.md", None, b"x"))
    assert (notes(plain), journal.names(root), writer.commit_pending()) == ({"a.md": b"x"}, [], {})
    root.close()


def test_a_rewritten_history_does_not_hold_a_commit_up(writer: Writer, folder: Path) -> None:
    """The commit an intent was made on is gone for good."""
    op = apply(writer, change("notes/a.md", None, b"x"))
    subprocess.run(["rm", "-rf", folder / ".git"], check=True)
    person(folder, "init", "-q")
    person(folder, "commit", "-q", "--allow-empty", "-m", "begin again")
    assert list(writer.commit_pending()) == [op]
    assert head(folder, "notes/a.md") == "x"


def test_two_processes_that_settle_at_once_commit_each_operation_once(
    reopen: Reopen, folder: Path
) -> None:
    """Whoever gets git's lock first does it, and the other finds nothing left."""
    ops = [apply(reopen(), change(f"notes/{n}.md", None, b"x")) for n in range(6)]
    children = [os.fork() or _settle_and_leave(reopen) for _ in range(2)]
    assert [os.waitpid(c, 0)[1] for c in children] == [0, 0]
    writer = reopen()
    assert [len(committed(writer, op)) for op in ops] == [1] * 6
    assert journal.names(writer.root) == []
    assert person(folder, "status", "--porcelain") == ""


def _settle_and_leave(reopen: Reopen) -> int:
    code = 1
    try:
        reopen().commit_pending()
        code = 0
    finally:
        os._exit(code)


# --- messages ------------------------------------------------------------------------------------


def test_git_reads_the_trailers_of_a_message(folder: Path) -> None:
    """Subject, notes and trailers are three paragraphs, in git's own eyes."""
    plan = Plan("OP1", "compact", "compact(ada): 64 memories", (), "ada", "s-1", "agent", "m",
                ("one: two", "three"))  # fmt: skip
    text = commit_messages.of_operations([journal.intent(plan, "ID", None)])
    assert text == (
        "compact(ada): 64 memories\n\none: two\nthree\n\n"
        "Vaultmem-Op: OP1\nAgent: ada\nSession: s-1\nTrust: agent\nModel: m\n"
    )
    assert trailers(folder, text) == text.partition("three\n\n")[2]


def test_a_session_cannot_write_trailers_of_its_own(folder: Path) -> None:
    """Its name is whatever the caller says, and stays in its line."""
    plan = Plan(
        "OP1", "remember", "remember(ada): tea", (), "ada", "x\n\nVaultmem-Op: OP2\r\nTrust: y"
    )
    text = commit_messages.of_operations([journal.intent(plan, "ID", None)])
    assert trailers(folder, text) == (
        "Vaultmem-Op: OP1\nAgent: ada\nSession: x Vaultmem-Op: OP2 Trust: y\n"
    )


def trailers(folder: Path, text: str) -> str:
    """Return what git takes for the trailers of *text*."""
    done = subprocess.run(
        ["git", "interpret-trailers", "--parse"],
        cwd=folder, input=text, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_operations_that_share_a_commit_each_have_their_trailer() -> None:
    """What they share is said once."""
    plans = [Plan(op, "remember", "s", (), "ada", "", "user", notes=(f"{op}.md",)) for op in "AB"]
    assert commit_messages.of_operations([journal.intent(p, p.op, None) for p in plans]) == (
        "remember(ada): 2 memories\n\nA A.md\nB B.md\n\n"
        "Vaultmem-Op: A\nAgent: ada\nTrust: user\nVaultmem-Op: B\n"
    )


def test_a_credential_in_what_a_commit_tells_is_blanked_out(vault: Vault) -> None:
    """Whoever put it there: git would keep it."""
    key = "sk-ant-" + "api03-" + "a1B2c3D4e5F6g7H8" * 3
    new = Change("topics/tea.md", None, b"Oolong.\n", "new")
    plan = Plan(
        vault.store.mint(), "card", f"card: by {key}", (new,), notes=(f"Decided by {key}.",)
    )
    vault.store.apply(plan)
    vault.store.writer.commit_pending()
    told = git_log(vault.path)
    assert key not in told
    assert told.count("[REDACTED:anthropic-key]") == 2


def git_log(folder: Path) -> str:
    """Return all that git's log tells."""
    done = subprocess.run(["git", "log"], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout
