"""Whose lines they are: what came since the last dream, and by whom, as git and the disk tell."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.maintenance.authorship import Authorship, added
from vaultmem.storage.plan import Change, Plan

TEA = "topics/tea.md"
OLD = "---\ntype: topic\n---\n- Tea is at five.\n- Milk first.\n"


def git(folder: Path, *args: str) -> str:
    """Run git as a person does."""
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def write(vault: Vault, text: str) -> None:
    """Write topics/tea.md as a person does."""
    file = vault.path / TEA
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)


def commit(vault: Vault) -> str:
    """Commit all there is as a person does; return the commit."""
    git(vault.path, "add", "-A")
    git(vault.path, "commit", "-qm", "by hand")
    return git(vault.path, "rev-parse", "HEAD")


def ours(vault: Vault, old: str, new: str) -> None:
    """Write topics/tea.md as the program does."""
    change = Change(TEA, old.encode(), new.encode(), "better")
    vault.store.apply(Plan(vault.store.mint(), "dream", "dream: 1 change", (change,)))


def own(vault: Vault, since: str) -> frozenset[str]:
    """Return which lines of topics/tea.md are a person's."""
    repository = vault.store.writer.repository
    assert repository
    return Authorship(vault.store, repository, vault.store.texts.read, since).own([TEA])[TEA]


@pytest.fixture
def since(vault: Vault) -> str:
    """Return the commit of the last dream: a person wrote the topic before."""
    write(vault, OLD)
    return commit(vault)


def test_what_was_there_before_the_last_dream_is_nobodys(vault: Vault, since: str) -> None:
    assert own(vault, since) == frozenset()


def test_what_a_person_committed_since_is_theirs(vault: Vault, since: str) -> None:
    write(vault, OLD + "- No sugar.\n")
    commit(vault)
    assert own(vault, since) == {"- No sugar."}


def test_what_a_person_wrote_and_did_not_commit_is_theirs(vault: Vault, since: str) -> None:
    write(vault, OLD.replace("five", "six"))
    assert own(vault, since) == {"- Tea is at six."}


def test_a_new_file_is_theirs_whole(vault: Vault, since: str) -> None:
    (vault.path / TEA).rename(vault.path / "topics/old.md")
    write(vault, "- Coffee.\n")
    assert own(vault, since) == {"- Coffee."}


def test_what_the_program_wrote_is_not(vault: Vault, since: str) -> None:
    ours(vault, OLD, OLD + "- From a dream.\n")
    vault.store.writer.commit_pending()
    assert own(vault, since) == frozenset()


def test_what_waits_for_its_commit_is_not_either(vault: Vault, since: str) -> None:
    """A person's line beside it is."""
    write(vault, OLD + "- By hand.\n")
    ours(vault, OLD + "- By hand.\n", OLD + "- By hand.\n- From a dream.\n")
    assert own(vault, since) == {"- By hand."}


def test_a_line_that_is_gone_protects_nothing(vault: Vault, since: str) -> None:
    write(vault, OLD + "- No sugar.\n")
    commit(vault)
    write(vault, OLD)
    commit(vault)
    assert own(vault, since) == frozenset()


def test_other_line_ends_make_no_line_a_persons(vault: Vault, since: str) -> None:
    (vault.path / TEA).write_bytes(OLD.replace("\n", "\r\n").encode())
    assert own(vault, since) == frozenset()


def test_a_line_that_stands_once_more_came() -> None:
    assert added(b"- a\n", b"- a\n- a\n") == {"- a"}
