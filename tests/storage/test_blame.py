"""Which commit wrote a line: by git's own blame, which runs nothing that a repository names."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vaultmem.storage import git
from vaultmem.storage.git import Change, Repository

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
TEA = "topics/tea.md"


@pytest.fixture(params=["", "deep/vault"])
def repository(tmp_path: Path, request: pytest.FixtureRequest) -> Repository:
    """Make a repository whose vault is all of it, or a folder of it."""
    top = tmp_path / "top"
    git.create(top)
    (root := top / request.param).mkdir(parents=True, exist_ok=True)
    found = git.find(root)
    assert found
    return found


def commit(repository: Repository, text: str, path: str = TEA) -> str | None:
    return repository.commit([Change(path, text.encode())], "tea", when=NOON)


def test_each_line_has_the_commit_that_wrote_it(repository: Repository) -> None:
    one = commit(repository, "a\nb\nc\n")
    two = commit(repository, "a\nB\nc\n")
    assert repository.blame(TEA, b"a\nB\nc\n") == [one, two, one]
    assert repository.blame(TEA, b"a\r\nB\r\nc") == [one, two, one]
    assert {e.commit for e in repository.entries([str(one), str(two)])} == {two, one}


def test_a_line_that_is_not_committed_has_none_and_shifts_no_other(repository: Repository) -> None:
    one = commit(repository, "a\nb\nc\n")
    assert repository.blame(TEA, b"new\na\nc\nend\n") == [None, one, one, None]


def test_what_git_has_not_got_has_no_commit(repository: Repository) -> None:
    assert repository.blame(TEA, b"a\n") == [None]  # not even a first commit
    commit(repository, "a\n", "topics/other.md")
    assert repository.blame(TEA, b"a\n") == [None]
    assert repository.entries([]) == []


def test_a_name_with_magic_in_it_is_a_name(repository: Repository) -> None:
    one = commit(repository, "a\n", ":(top)*.md")
    assert repository.blame(":(top)*.md", b"a\n") == [one]


def test_nothing_that_the_repository_names_is_run(repository: Repository, tmp_path: Path) -> None:
    one = commit(repository, "a\n")
    mark = tmp_path / "ran"
    evil = f"touch {mark}; cat"
    for key, value in (
        ("diff.evil.textconv", evil),
        ("diff.evil.command", evil),
        ("diff.external", evil),
        ("filter.evil.clean", evil),
        ("filter.evil.smudge", evil),
        ("core.pager", evil),
    ):
        subprocess.run(["git", "config", key, value], cwd=repository.top, check=True)
    (repository.top / ".gitattributes").write_text("* diff=evil filter=evil\n")
    (repository.root / TEA).parent.mkdir(parents=True, exist_ok=True)
    (repository.root / TEA).write_text("b\n")
    assert repository.blame(TEA, b"a\n") == [one]
    assert not mark.exists()
