"""What keeps operations from their commit is named, with the reason that git gave."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import Clock, no_lock_of_git
from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.errors import Refused, Unavailable
from vaultmem.records import Problem
from vaultmem.storage import file_lock, journal
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.write_lock import WRITE_LOCK
from vaultmem.storage.writer import Writer

CODES = {"uncommitted", "history-gone", "intent"}


def named(problems: Sequence[Problem]) -> list[tuple[str, str]]:
    """Return what is said of commits that wait."""
    return [(p.code, p.message) for p in problems if p.code in CODES]


def everywhere(vault: Vault) -> list[tuple[str, str]]:
    """Return what `status`, `fsck` and a round of the daemon say, who must agree."""
    said = [
        named(vault.tick().delays),
        named(vault.status().problems),
        named(vault.fsck().problems),
    ]
    assert said[0] == said[1] == said[2]
    return said[0]


def subjects(folder: Path) -> list[str]:
    """Return the subjects of the newest commits."""
    log = subprocess.run(
        ["git", "log", "--format=%s"], cwd=folder, capture_output=True, text=True, check=True
    )
    return log.stdout.splitlines()


@pytest.mark.parametrize("name", ["HEAD.lock", "refs/heads/main.lock"])
def test_a_lock_on_head_that_some_git_left_is_named_with_its_age(vault: Vault, name: str) -> None:
    """It holds up every commit, and nobody but a person may remove it."""
    lock = vault.path / ".git" / name
    lock.touch()
    os.utime(lock, (vault.store.clock().timestamp() - 754,) * 2)
    assert vault.remember("The well is deep.", agent="ada").commit is None
    assert everywhere(vault) == [
        ("uncommitted", f"commits wait: .git/{name} belongs to another git process, 0:12:34 old")
    ]
    lock.unlink()
    assert vault.remember("The moon is far.", agent="ada").commit
    assert everywhere(vault) == []


@pytest.mark.parametrize(("name", "text", "reason"), [
    ("config", "[[[\n", "bad config line 1 in file .git/config"),
    ("HEAD", "garbage\n", ".git is no repository, or not a whole one"),
])  # fmt: skip
def test_what_is_written_while_git_does_not_open_the_history_is_committed_when_it_does(
    vault: Vault, clock: Clock, name: str, text: str, reason: str
) -> None:
    """As what it is, and not as an edit of a person."""
    file = vault.path / ".git" / name
    whole = file.read_bytes()
    file.write_text(text)
    with Vault.open(vault.path, clock=clock) as opened:
        made = opened.remember("The well is deep.", agent="ada")
        assert everywhere(opened) == [
            ("uncommitted", f"commits wait: git cannot open the history: {reason}")
        ]
        with pytest.raises(Unavailable, match=rf"{re.escape(reason)}; fix it, or put \.git back"):
            opened.log()
        file.write_bytes(whole)
        assert made.id in opened.store.writer.commit_pending()
        clock.advance(hours=1)
        opened.tick()
        assert everywhere(opened) == []
    assert [s for s in subjects(vault.path) if s.startswith("human")] == []


def test_a_git_folder_that_is_none_does_not_let_commits_go_to_the_repository_around(
    vault: Vault, tmp_path: Path, clock: Clock
) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (vault.path / ".git/HEAD").write_text("garbage\n")
    with Vault.open(vault.path, clock=clock) as opened:
        assert opened.store.writer.repository is None
        assert opened.remember("The well is deep.", agent="ada").commit is None
        assert "not a whole one" in str(everywhere(opened))


def gone(vault: Vault) -> None:
    """Remember two things, and lose the history."""
    for text in ("The well is deep.", "The moon is far."):
        assert vault.remember(text, agent="ada").commit
    shutil.move(vault.path / ".git", vault.path.parent / "away")


def test_a_history_that_is_gone_is_said_to_be_gone(vault: Vault, clock: Clock) -> None:
    """What is written meanwhile waits for it to come back."""
    gone(vault)
    said = [("history-gone", "the history is gone: no .git, and it held 2 acknowledged memories")]
    with Vault.open(vault.path, clock=clock) as opened:
        assert everywhere(opened) == said
        assert opened.status().status == "ERROR"
        with pytest.raises(Unavailable, match=r"history is gone.*put \.git back"):
            opened.log()
        made = opened.remember("The hens are fed.", agent="ada")
        shutil.move(vault.path.parent / "away", vault.path / ".git")
        assert made.id in opened.store.writer.commit_pending()
        assert everywhere(opened) == []


@pytest.mark.long
def test_a_new_history_takes_what_is_on_disk(vault: Vault, clock: Clock) -> None:
    gone(vault)
    subprocess.run(["git", "init", "-q", vault.path], check=True)
    with Vault.open(vault.path, clock=clock) as opened:
        opened.store.writer.commit_pending()
        assert everywhere(opened) == []
    assert subjects(vault.path)[-1] == "restore: 2 memories that had left the history"


def test_a_history_may_be_given_up(vault: Vault, clock: Clock) -> None:
    gone(vault)
    with Vault.open(vault.path, clock=clock) as opened:
        opened.remember("The hens are fed.", agent="ada")
        opened.fsck(accept_missing=True)
        assert everywhere(opened) == []
        opened.remember("The cat is out.", agent="ada")
        assert journal.names(opened.store.root) == []


def test_the_reason_that_git_gave_is_named_until_it_is_mended(vault: Vault) -> None:
    """Also to who wants to purge."""
    made = vault.remember("The well is deep.", agent="ada")
    objects = vault.path / ".git/objects"
    shutil.move(objects, vault.path.parent / "away")
    objects.write_text("no folder\n")
    assert vault.remember("The moon is far.", agent="ada").commit is None
    ((code, message),) = named(vault.status().problems)
    assert code == "uncommitted"
    assert (
        re.match(r"commits wait: git .* failed in .*: not a git ", message)
        or "cannot open" in message
    )
    assert (code, message) in named(vault.fsck().problems)
    with pytest.raises(Refused, match="nothing was purged; commits wait: git"):
        vault.forgetting.purge([made.id])
    objects.unlink()
    shutil.move(vault.path.parent / "away", objects)
    vault.store.writer.commit_pending()
    assert everywhere(vault) == []


@pytest.mark.long
def test_a_git_folder_that_may_not_be_written_is_named(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "link", no_lock_of_git)
        vault.remember("The well is deep.", agent="ada")
        ((_, message),) = everywhere(vault)
    assert re.match(r"commits wait: cannot write below .*\.git: .*Permission denied", message)
    (still,) = vault.fsck().problems  # which tries nothing itself
    assert still.repair.startswith("so the last try ended: fix that, if it is not mended yet")
    vault.store.writer.commit_pending()
    assert everywhere(vault) == []


def test_an_intent_that_cannot_be_read_is_named(vault: Vault) -> None:
    """By `status`, too: it waits for ever."""
    path = f"{journal.FOLDER}/{'0' * 26}.applied.json"
    (vault.path / path).parent.mkdir(exist_ok=True)
    (vault.path / path).write_text("{")
    assert everywhere(vault) == [("intent", "a journal entry that cannot be read")]


def test_what_waits_is_told_on_the_command_line(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a round, too, which could commit nothing."""
    (lock := vault.path / ".git/index.lock").touch()
    os.utime(lock, (time.time() - 60,) * 2)
    vault.remember("The well is deep.", agent="ada")
    assert run(["watch", "--once", "--vault", str(vault.path)]) == 0
    assert (
        "\n! vault: commits wait: .git/index.lock belongs to another git process"
        in capsys.readouterr().out
    )
    assert run(["status", "--vault", str(vault.path)]) == 0
    assert "\n2 writes wait for their commit: " in capsys.readouterr().out


@pytest.mark.long
def test_a_git_that_is_at_work_is_no_problem(vault: Vault) -> None:
    """Nobody has anything to do, and who removed its lock would do harm."""
    lock = vault.path / ".git/index.lock"
    for age, codes in ((1, []), (29, []), (31, ["uncommitted"]), (-3600, ["uncommitted"])):
        lock.touch()
        os.utime(lock, (vault.store.clock().timestamp() - age,) * 2)
        assert vault.remember(f"The well is {age} ells deep.", agent="ada").commit is None
        assert [code for code, _ in everywhere(vault)] == codes


def test_a_write_that_cannot_be_finished_is_named_once_no_writer_is_at_it(
    vault: Vault, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system may not let us: all writes wait for it then."""
    store = vault.store
    step = Change("notes/a.md", None, b"Oolong.\n", "made")
    todo = journal.intent(Plan(store.mint(), "write", "write: a", (step,)), store.mint(), None)
    journal.begin(store.root, todo)
    monkeypatch.setattr(Writer, "recover", lambda _: None)
    with file_lock.locked(vault.path / WRITE_LOCK):
        assert named(vault.status().problems) == []
        clock.advance(minutes=1)
        assert named(vault.status().problems) == [("intent", "a write was interrupted")]
        clock.advance(minutes=-1)
    assert named(vault.status().problems) == [("intent", "a write was interrupted")]
    assert named(vault.fsck().problems) == [("intent", "a write was interrupted")]
    monkeypatch.undo()
    vault.fsck(repair=True)
    assert (vault.path / "notes/a.md").read_text() == "Oolong.\n"
    assert named(vault.status().problems) == []
