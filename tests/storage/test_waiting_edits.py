"""What people wrote that waits for a commit is named: what they staged, what git did not take."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.conftest import no_lock_of_git
from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.storage import staged_cache, waiting_edits
from vaultmem.storage.git import Repository

STAGED = (
    "topics/tea.md: staged in git, which vaultmem leaves to you; commit it with git, or "
    "`git restore --staged topics/tea.md`, and the next round commits it"
)


def git(vault: Vault, *args: str) -> str:
    """Run the person's own git; return what it prints."""
    done = subprocess.run(
        ["git", *args], cwd=vault.path, capture_output=True, text=True, check=True
    )
    return done.stdout


def write(vault: Vault, path: str, text: str = "The tea is green.\n") -> None:
    """Write a file by hand, which has rested since."""
    file = vault.path / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    os.utime(file, (vault.store.clock().timestamp() - 120,) * 2)


def said(vault: Vault) -> list[str]:
    """Return what a vault that is opened anew says of edits that wait."""
    codes = {waiting_edits.STAGED, waiting_edits.REFUSED}
    with Vault.open(vault.path, clock=vault.store.clock) as again:
        found = [p for p in again.status().problems if p.code in codes]
    return [f"{p.path}: {p.message}; {p.repair}" for p in found]


def test_a_staged_file_is_named_with_what_to_do(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    """It waits for its person for ever: `status`, a round and `sync` say so."""
    write(vault, "topics/tea.md")
    git(vault, "add", "topics/tea.md")
    for command in (["status"], ["watch", "--once"], ["sync"], ["sync", "--dry-run"]):
        assert run([*command, "--vault", str(vault.path)]) == 0
        assert f"\n! {STAGED}\n" in capsys.readouterr().out
    git(vault, "restore", "--staged", "topics/tea.md")
    assert said(vault) == []
    assert vault.tick().edits
    assert git(vault, "status", "--porcelain") == ""


def test_a_file_that_was_staged_as_it_changed_is_named_until_it_is_committed(vault: Vault) -> None:
    write(vault, "AGENTS.md", "Be brief.\n")
    git(vault, "add", "AGENTS.md")
    assert "AGENTS.md: staged in git" in said(vault)[0]
    git(vault, "commit", "-qm", "mine")
    assert said(vault) == []


def test_many_staged_files_are_one_sentence(vault: Vault) -> None:
    for name in "abcde":
        write(vault, f"topics/{name}.md")
    git(vault, "add", "topics")
    (told,) = said(vault)
    assert told.startswith(
        ": 5 files are staged in git, which vaultmem leaves to you "
        "(topics/a.md, topics/b.md, topics/c.md and 2 more); commit them with git"
    )


def test_git_is_not_asked_again_while_nothing_has_moved(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor after a commit of ours that began where nothing was staged."""
    asked: list[int] = []
    real = Repository.staged

    def staged(repository: Repository) -> frozenset[str]:
        asked.append(1)
        return real(repository)

    monkeypatch.setattr(Repository, "staged", staged)
    said(vault)
    del asked[:]
    for text in ("The well is deep.", "The moon is far."):
        assert vault.remember(text, agent="ada").commit
        assert said(vault) == []
    assert asked == []
    write(vault, "topics/tea.md")
    git(vault, "add", "topics")
    assert said(vault) == said(vault) == [STAGED]
    assert len(asked) == 1
    # What is staged stays so beside a commit of ours.
    assert vault.remember("The hens are fed.", agent="ada").commit
    assert said(vault) == [STAGED]


def test_what_a_person_takes_back_into_the_index_is_named(vault: Vault) -> None:
    """`git reset --soft` moves HEAD, and leaves the index alone."""
    vault.remember("The well is deep.", agent="ada")
    assert said(vault) == []
    write(vault, "topics/tea.md")
    git(vault, "add", "topics")
    git(vault, "commit", "-qm", "mine")
    assert said(vault) == []
    git(vault, "reset", "-q", "--soft", "HEAD~1")
    assert said(vault) == [STAGED]


def test_what_a_half_done_merge_has_staged_is_to_be_finished(vault: Vault) -> None:
    """Taking it out of the index would be bad advice."""
    git(vault, "checkout", "-qb", "other")
    write(vault, "topics/tea.md")
    git(vault, "add", "topics")
    git(vault, "commit", "-qm", "theirs")
    git(vault, "checkout", "-q", "main")
    git(vault, "merge", "-q", "--no-ff", "--no-commit", "other")
    (told,) = said(vault)
    assert told.endswith("; a merge is in progress: finish that with git")


def test_who_commits_alone_is_told_nothing_of_it(vault: Vault) -> None:
    config = vault.path / "config/memory_compaction.md"
    text = config.read_text()
    config.write_text(text.replace("commit_human_edits: true", "commit_human_edits: false"))
    git(vault, "add", "config")
    assert said(vault) == []


def test_an_edit_that_git_did_not_take_is_named_with_the_reason(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whoever asks later, too, until a round commits it."""
    write(vault, "topics/tea.md")
    with monkeypatch.context() as patch:
        patch.setattr(os, "link", no_lock_of_git)
        (problem,) = vault.tick().left
    assert problem.path == "topics/tea.md"
    assert problem.message.startswith("an edit made by hand waits for its commit: cannot write")
    (told,) = said(vault)
    assert "Permission denied" in told
    assert vault.tick().edits
    assert said(vault) == []


@pytest.mark.parametrize(("published", "unbroken"), [
    ([], False),
    ([("a", "b")], True),
    ([("a", "x"), ("x", "b")], True),
    ([("a", "x"), ("y", "b")], False),
    ([("x", "b")], False),
    ([("a", "x")], False),
])  # fmt: skip
def test_only_commits_of_ours_in_a_row_keep_what_is_known(
    published: list[tuple[str, str]], *, unbroken: bool
) -> None:
    assert staged_cache.is_unbroken("a", published, "b") is unbroken
