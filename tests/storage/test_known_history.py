"""What is known of commits of ours without asking git is what git says of them."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests import git_starts
from vaultmem.storage import git
from vaultmem.storage.git import Change, Repository

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """Return a repository with one commit."""
    found = git.create(tmp_path)
    commit(found, {"notes/tea.md": "Oolong.\n", "run.sh": "true\n", "old": "stays\n"})
    return found


def commit(repo: Repository, files: Mapping[str, str | None], message: str = "written") -> str:
    """Commit *files* on top of HEAD."""
    changes = (Change(path, None if it is None else it.encode()) for path, it in files.items())
    done = repo.commit(changes, message, when=NOON)
    assert done
    return done


def anew(repo: Repository) -> Repository:
    """Return the repository as a process finds it that begins."""
    found = git.find(repo.root)
    assert found
    return found


def head(repo: Repository) -> str:
    """Return the commit HEAD stands on."""
    found = repo.head()
    assert found
    return found


@pytest.mark.parametrize(
    "message",
    [
        "remember(ada): Tea",
        "two lines\nof a subject \n\nbody\n\nmore",
        "tab\t\n \t\nbody\n\nVaultmem-Op: 01ABC\nTrust: user",
        "\n\n  in front\n\r\nbehind\r\nit",
        "no break\N{NO-BREAK SPACE}\n\N{NO-BREAK SPACE}\nis blank",
        "page\f\n\f\nfeed\v",
        "data 5\ndata 6\n\ndata 7",
        "Vaultmem-Op: 01ABC",
        "Größe \udcff: 東京\0\n\nauthor Eve <e@e> 1 +0000",
    ],
)
def test_a_commit_of_ours_is_known_as_git_tells_it(
    repo: Repository, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = head(repo)
    assert len(repo.since("", first)) == 1
    second = commit(repo, {"a.md": "a\n"}, "second")
    third = commit(repo, {"a.md": "b\n"}, message)
    started = git_starts.counted(monkeypatch)
    known = [repo.since(old, third) for old in ("", first, second)]
    assert started == []
    assert known == [anew(repo).since(old, third) for old in ("", first, second)]


def test_who_commits_is_known_as_git_tells_it(repo: Repository) -> None:
    config = repo.git_dir / "config"
    config.write_bytes(
        config.read_bytes() + b'[user]\n\tname = "D. \xe4 B\xc3\xb6 <x"\n\temail = e@x\n'
    )
    first, second = head(repo), commit(repo, {"a.md": "a\n"})
    assert repo.since(first, second) == anew(repo).since(first, second)


def _forked(repo: Repository, theirs: Mapping[str, str | None]) -> tuple[str, str, str]:
    """Return where two lines part, ours, and another one with *theirs*; ours is out."""
    run = ("git", "-C", str(repo.root))
    base, branch = head(repo), subprocess.check_output((*run, "branch", "--show-current"))
    there = commit(repo, theirs, "theirs")
    subprocess.run((*run, "branch", "there"), check=True)
    subprocess.run((*run, "update-ref", f"refs/heads/{branch.decode().strip()}", base), check=True)
    subprocess.run((*run, "reset", "-q", "--hard"), check=True)
    return base, commit(repo, {"notes/oven.md": "Dualit.\n", "run.sh": None}, "ours"), there


@pytest.mark.parametrize(
    "merged",
    [
        {"notes/milk.md": "Oat.\n", "notes/tea.md": "Sencha.\n", "old": None},
        {"notes/milk.md": "Oat.\n", "old": None, "old/er.md": "now a folder\n"},
        {"old/er.md": "takes a file away unsaid\n"},
        {"notes": "takes a folder away unsaid\n"},
        {"run.sh": "false\n", "notes/oven.md": None},
        {},
    ],
)
def test_what_a_merge_of_ours_makes_of_either_side_is_known_as_git_tells_it(
    repo: Repository, merged: Mapping[str, str | None]
) -> None:
    base, ours, theirs = _forked(repo, {"notes/milk.md": "Oat.\n", "notes/tea.md": "Sencha.\n"})
    repo.ask_apart(base, ours, theirs)
    for side in (ours, theirs):
        assert repo.between(base, side) == anew(repo).between(base, side)
    changes = [Change(path, None if it is None else it.encode()) for path, it in merged.items()]
    joined = repo.join(repo.fork(base, ours, theirs), changes, "sync: merge", NOON)
    new = anew(repo)
    for side in (ours, theirs):
        assert repo.between(side, joined) == new.between(side, joined)
        assert repo.since(side, joined) == new.since(side, joined)
        assert repo.is_known_to_go_on(side, joined)


def test_what_a_merge_of_ours_holds_is_not_asked_of_git(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, ours, theirs = _forked(repo, {"notes/milk.md": "Oat.\n"})
    repo.ask_apart(base, ours, theirs)
    fork = repo.fork(base, ours, theirs)
    started = git_starts.counted(monkeypatch)
    joined = repo.join(fork, [Change("notes/milk.md", b"Oat.\n")], "sync: merge", NOON)
    assert [it.path for it in repo.between(ours, joined)] == ["notes/milk.md"]
    assert [it.path for it in repo.between(theirs, joined)] == ["notes/oven.md", "run.sh"]
    assert (repo.ahead(joined, theirs), repo.ahead(joined, ours)) == (2, 2)
    assert [it for it in started if it != "config"] == ["fast-import"]


def test_one_listing_tells_all_files_of_both_lines(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = {"notes/milk.md": "Oat.\n", "old": None, "old/er.md": "x\n", "notes/tea.md": "y\n"}
    three = _forked(repo, theirs)
    started = git_starts.counted(monkeypatch)
    fork = repo.fork(*three)
    assert sorted(started) == ["diff-tree", "diff-tree", "ls-tree"]
    assert (fork.before, fork.here, fork.there) == tuple(map(repo.files, three))


def test_what_commits_did_is_asked_once(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    commits = [head(repo), *(commit(repo, {"a.md": f"{n}\n"}) for n in range(3))]
    first = repo.touched(commits[1:3])
    started = git_starts.counted(monkeypatch)
    assert repo.touched(commits[2:0:-1]) == dict(reversed(first.items()))
    assert started == []
    assert repo.touched(commits) == anew(repo).touched(commits)
    assert [*repo.touched(commits)] == commits


def test_where_two_lines_part_is_asked_once(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, ours, theirs = _forked(repo, {"notes/milk.md": "Oat.\n"})
    started = git_starts.counted(monkeypatch)
    assert {repo.merge_base(ours, theirs) for _ in range(3)} == {base}
    assert started == ["merge-base"]
    assert repo.merge_base("HEAD", theirs) == base
    assert started == ["merge-base"] * 2


def test_of_a_shallow_clone_everything_is_asked_each_time(repo: Repository, tmp_path: Path) -> None:
    """Its first commits seem to have made all that they have, until more of its past comes."""
    commit(repo, {"a.md": "a\n"})
    shallow, argv = tmp_path / "shallow", ("git", "clone", "-q", "--depth=1")
    subprocess.run((*argv, f"file://{repo.root}", str(shallow)), check=True)
    found = git.find(shallow)
    assert found
    last = head(found)
    assert len(found.touched([last])[last]) == 4
    subprocess.run(("git", "fetch", "-q", "--unshallow"), cwd=shallow, check=True)
    assert [row.path for row in found.touched([last])[last]] == ["a.md"]
    assert len(found.since("", last)) == 2
