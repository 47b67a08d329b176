"""How many git processes a sync starts: what was asked of two commits is not asked again."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import git_starts
from tests.conftest import Clock
from vaultmem import Vault

Begun = Callable[[Path], Vault]


def git(folder: Path, *args: str) -> str:
    """Return what git says in *folder*."""
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, check=True)
    return done.stdout.decode().strip()


@pytest.fixture
def begun(clock: Clock) -> Iterator[Begun]:
    """Return what opens a vault as a process does that begins."""
    opened: list[Vault] = []

    def begin(folder: Path) -> Vault:
        opened.append(Vault.open(folder, clock=clock))
        return opened[-1]

    yield begin
    for it in opened:
        it.close()


@pytest.fixture
def here(vault: Vault, tmp_path: Path) -> Path:
    """Return a vault that was synced with a bare repository."""
    git(tmp_path, "init", "-q", "--bare", "far.git")
    git(vault.path, "remote", "add", "origin", str(tmp_path / "far.git"))
    vault.remember("Tea at four.", agent="ada")
    vault.sync_clones()
    return vault.path


@pytest.fixture
def there(here: Path, tmp_path: Path, begun: Begun) -> Vault:
    """Return a clone of it that has given what it has."""
    branch = git(here, "symbolic-ref", "--short", "HEAD")
    git(tmp_path, "clone", "-q", "-b", branch, str(tmp_path / "far.git"), "there")
    other = begun(tmp_path / "there")
    other.remember("Coffee at five.", agent="ben")
    other.sync_clones()
    return other


@pytest.fixture
def started(here: Path, there: Vault, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what git is started for once both clones are there."""
    assert here != there.path
    git_starts.no_config_is_young(monkeypatch)
    return git_starts.counted(monkeypatch)


def synced(vault: Vault, started: list[str]) -> list[str]:
    """Return what a sync starts, but for looks at files: how many depends on how old these are."""
    started.clear()
    vault.sync_clones()
    return [it for it in started if it != "ls-files"]


_BEGIN = ["rev-parse", "config", "ls-tree"]
"""Where the repository is, what it is synced with, and what no history may have."""
_GIVE = ["push", "update-ref"]
_COMMIT = ["update-index", "update-ref"]


@pytest.mark.long
def test_a_sync_with_work_on_both_sides_asks_nothing_twice(
    here: Path, there: Vault, begun: Begun, started: list[str]
) -> None:
    """All files are listed once, and what our own merge has is known from how it was made."""
    assert there
    begun(here).remember("Rain at six.", agent="ada")
    told = synced(begun(here), started)
    assert told == [
        *_BEGIN,
        *("ls-tree", "rev-list", "diff-tree"),  # what people wrote; what is attested
        *(
            "ls-remote",
            "rev-list",
            "fetch",
            "merge-base",
            "rev-list",
            "diff-tree",
        ),  # what either has
        *("cat-file", "ls-tree", "update-ref"),  # the merge, thought out
        *("ls-tree", "fast-import", "diff-tree", "rev-parse", *_COMMIT),
        *("cat-file", "diff-tree"),  # what both sides accepted of one memory
        *["cat-file"] * 4,  # what is acknowledged with it, and that it is there
        *_GIVE,
        "ls-tree",  # what people wrote meanwhile
    ]


@pytest.mark.long
def test_a_sync_that_only_takes_asks_nothing_twice(
    here: Path, begun: Begun, started: list[str]
) -> None:
    told = synced(begun(here), started)
    assert told.count("rev-list") == 2  # what came, and whether all of it did
    assert told.count("cat-file") == 6
    assert told.count("rev-parse") == 2


@pytest.mark.long
def test_a_sync_without_news_asks_for_the_tip_there(
    here: Path, begun: Begun, started: list[str]
) -> None:
    begun(here).remember("Rain at six.", agent="ada")
    begun(here).sync_clones()
    assert synced(begun(here), started) == [*_BEGIN, "ls-remote", "ls-tree"]


@pytest.mark.long
def test_a_sync_that_only_gives_does_not_ask_again_whether_all_of_theirs_is_here(
    here: Path, begun: Begun, started: list[str]
) -> None:
    """Our own commits stand on what stood on it."""
    begun(here).sync_clones()
    begun(here).remember("Rain at six.", agent="ada")
    told = synced(begun(here), started)
    assert told.count("rev-list") == 2  # what is attested, and what the last commit did
    assert "push" in told
    assert "fast-import" in told


@pytest.mark.long
def test_what_git_has_of_memory_md_is_asked_with_what_that_points_at(
    here: Path, begun: Begun, started: list[str]
) -> None:
    begun(here).sync_clones()
    begun(here).remember("Rain at six.", agent="ada")
    told = synced(begun(here), started)
    assert [*map(told.count, ("fast-import", "ls-tree"))] == [1, 4]
