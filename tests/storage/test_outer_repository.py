"""A vault in the work tree of another repository: with one of its own, or sharing that one."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.cli import run
from vaultmem.errors import BadInput, Refused
from vaultmem.maintenance.forgetting import Permit
from vaultmem.records import Clock

FACT = "Zwieback was left in Graz by Ottokar."


def git(folder: Path, *args: str) -> str:
    """Run git in *folder* as a person does."""
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return os.fsdecode(done.stdout).rstrip("\n")


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Make a project: two commits, a branch, a tag, and work in every state."""
    here = tmp_path / "code"
    here.mkdir()
    git(here, "init", "-q")
    for number in (1, 2):
        (here / "app.py").write_text(f"# {FACT} {number}\n")
        git(here, "add", "-A")
        git(here, "commit", "-qm", f"app {number}: {FACT}")
    git(here, "branch", "feature")
    git(here, "tag", "v1")
    (here / "app.py").write_text("# changed, not staged\n")
    (here / "staged.py").write_text("# staged\n")
    git(here, "add", "staged.py")
    (here / "new.md").write_text("untracked\n")
    return here


def state(folder: Path) -> tuple[str, ...]:
    """Return all that a person sees of a repository, and where each ref is."""
    asked = (("status", "--porcelain"), ("for-each-ref",), ("log", "--all", "--oneline"))
    return tuple(git(folder, *args) for args in asked)


def live(vault: Vault) -> None:
    """Let everything happen in *vault* that commits."""
    for n in range(20):
        vault.remember(f"The {n}th oven was too wide for the door.", agent="ada")
    vault.compact(agent="ada", force=True)
    memory = vault.remember("Mara likes tea.", agent="ada")
    (vault.path / "topics").mkdir(exist_ok=True)
    (vault.path / "topics/tea.md").write_text("---\ntype: topic\ntitle: Tea\n---\nGreen.\n")
    os.utime(vault.path / "topics/tea.md", (1, 1))
    vault.tick()
    vault.undo(vault.forget(memory.id).op)
    vault.store.writer.commit_pending()


# --- of its own -------------------------------------------------------------------------------


@pytest.mark.long
def test_a_vault_in_a_project_has_a_repository_of_its_own(code: Path, clock: Clock) -> None:
    """And the project sees nothing of it, whatever happens in it."""
    before = state(code)
    made = create.create(code / "memory", clock)
    assert (made.repository, made.shared) == (str(code / "memory"), False)
    assert made.left_out == str(code / ".git/info/exclude")
    assert str(code) in made.notes[0]
    with Vault.open(code / "memory", clock=clock) as vault:
        live(vault)
        memory = vault.remember(FACT, agent="ada")
        _, done = vault.forgetting.purge([memory.id], permit=Permit(remotes=True))
    assert done.receipt.commits > 0
    assert state(code) == before
    assert git(code / "memory", "status", "--porcelain") == ""


def test_the_command_says_whose_history_it_is(
    code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To people in a line, to scripts by keys."""
    assert run(["init", str(code / "memory")]) == 0
    assert f"repository {code}, and has one of its own" in capsys.readouterr().out
    assert run(["init", "--json", "--in-repo", str(code / "shared")]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["repository"], said["shared"], said["left_out"]) == (str(code), True, "")
    assert run(["init", "--no-git", "--in-repo", str(code / "x")]) == 2


@pytest.mark.parametrize(
    "name", ["memory", "my [notes] *?", "back\\slash", "trailing ", "#a", "!b"]
)
def test_any_folder_is_left_out_and_no_other(code: Path, clock: Clock, name: str) -> None:
    """What its name holds is no pattern."""
    for other in ("my nnotes aab", "backslash", "trailing", "a", "b"):
        (code / other).mkdir()
        (code / other / "x").touch()
    before = state(code)
    create.create(code / name, clock)
    assert state(code) == before


def test_a_list_of_what_is_ignored_keeps_its_lines(code: Path, clock: Clock) -> None:
    """A last line without an end is one of them; a second vault adds its own."""
    file = code / ".git/info/exclude"
    file.write_text("*.tmp")
    create.create(code / "a", clock)
    create.create(code / "b", clock)
    assert file.read_text() == "*.tmp\n/a/\n/b/\n"


def test_a_missing_list_of_what_is_ignored_is_made(code: Path, clock: Clock) -> None:
    """With its folder, as in a repository made without a template."""
    (code / ".git/info/exclude").unlink(missing_ok=True)
    if (code / ".git/info").exists():
        (code / ".git/info").rmdir()
    create.create(code / "memory", clock)
    assert "memory" not in git(code, "status", "--porcelain")


def test_a_list_that_cannot_be_written_is_told(code: Path, clock: Clock) -> None:
    """The vault is made, and the person knows what to do."""
    file = code / ".git/info/exclude"
    file.unlink(missing_ok=True)
    file.mkdir(parents=True)
    made = create.create(code / "memory", clock)
    assert made.left_out == ""
    assert "could not be written" in made.notes[0]
    assert f"add `/memory/` to {code}/.gitignore" in made.notes[0]
    assert made.commit
    with Vault.open(code / "memory", clock=clock) as vault:
        assert vault.fsck().ok


def test_a_gitignore_that_takes_it_in_again_is_told(code: Path, clock: Clock) -> None:
    """A .gitignore counts more than the list."""
    (code / ".gitignore").write_text("!/memory/\n")
    made = create.create(code / "memory", clock)
    assert "again: add" in made.notes[0]


def test_an_ignored_folder_needs_no_line(code: Path, clock: Clock) -> None:
    """It has its own repository, all the same."""
    (code / ".gitignore").write_text("memory/\n")
    made = create.create(code / "memory", clock)
    assert (made.repository, made.left_out) == (str(code / "memory"), "")
    assert "which ignores it" in made.notes[0]


def test_files_that_the_project_tracks_are_not_taken_from_it(code: Path, clock: Clock) -> None:
    """Two repositories for one file is one too many; nothing was made."""
    (code / "docs").mkdir()
    (code / "docs/a.md").write_text("a\n")
    git(code, "add", "docs")
    with pytest.raises(
        Refused, match=r"has 1 file in .*/docs: `vaultmem init --in-repo` shares it"
    ):
        create.create(code / "docs", clock)
    with pytest.raises(Refused, match="has 1 file"):
        create.create(code / "docs", clock, with_git=False)
    assert sorted(p.name for p in (code / "docs").iterdir()) == ["a.md"]


def test_a_repository_that_is_there_is_the_vaults(code: Path, clock: Clock) -> None:
    """The outer one is told to leave it alone; its history is told to be the vault's."""
    (code / "memory").mkdir()
    git(code / "memory", "init", "-q")
    git(code / "memory", "commit", "-qm", "mine", "--allow-empty")
    made = create.create(code / "memory", clock)
    assert made.left_out
    assert "is the vault's now" in made.notes[-1]
    assert git(code / "memory", "log", "--format=%s").endswith("mine")
    assert "memory" not in git(code, "status", "--porcelain")


@pytest.mark.long
def test_a_submodule_is_a_repository_of_its_own(code: Path, clock: Clock, tmp_path: Path) -> None:
    """The project tracks it as one; nothing is to be ignored. A folder in it is another thing."""
    git(tmp_path, "init", "-q", "bare")
    git(tmp_path / "bare", "commit", "-qm", "start", "--allow-empty")
    git(code, "-c", "protocol.file.allow=always", "submodule", "-q", "add", "../bare", "memory")
    made = create.create(code / "memory", clock)
    assert (made.repository, made.left_out) == (str(code / "memory"), "")
    assert "submodule" in made.notes[0]
    with Vault.open(code / "memory", clock=clock) as vault:
        memory = vault.remember(FACT, agent="ada")
        with pytest.raises(Refused, match="it is a submodule"):
            vault.forgetting.purge([memory.id], permit=Permit(remotes=True))
    git(code, "-c", "protocol.file.allow=always", "submodule", "-q", "add", "../bare", "lib")
    inner = create.create(code / "lib/memory", clock)
    assert inner.left_out == str(code / ".git/modules/lib/info/exclude")
    assert git(code / "lib", "status", "--porcelain") == ""


def test_a_linked_worktree_of_a_project_is_left_alone(code: Path, clock: Clock) -> None:
    """The list that all its work trees share names the folder."""
    git(code, "worktree", "add", "-q", "../side", "-b", "side")
    made = create.create(code.parent / "side/memory", clock)
    assert made.left_out == str(code / ".git/info/exclude")
    assert made.repository == str(code.parent / "side/memory")
    assert git(code.parent / "side", "status", "--porcelain") == ""


def test_a_bare_repository_around_it_is_no_work_tree(tmp_path: Path, clock: Clock) -> None:
    """There is nothing that could be told to ignore it."""
    git(tmp_path, "init", "-q", "--bare", "b.git")
    made = create.create(tmp_path / "b.git/memory", clock)
    assert (made.repository, made.notes) == (str(tmp_path / "b.git/memory"), ())


def test_what_a_hook_of_the_project_says_of_git_is_not_heard(
    code: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook runs with the folder, the index and the work tree of its own repository."""
    before = state(code)
    for key, value in (("GIT_DIR", ".git"), ("GIT_WORK_TREE", "."), ("GIT_INDEX_FILE", "i")):
        monkeypatch.setenv(key, str(code / value))
    made = create.create(code / "memory", clock)
    with Vault.open(code / "memory", clock=clock) as vault:
        vault.remember(FACT, agent="ada")
        vault.store.writer.commit_pending()
    for key in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(key)
    assert made.repository == str(code / "memory")
    assert state(code) == before
    assert git(code / "memory", "log", "--format=%s").startswith("remember(ada)")


def test_a_vault_without_git_commits_nothing_to_the_project(code: Path, clock: Clock) -> None:
    """It has no history, the project's included."""
    before = state(code)
    made = create.create(code / "memory", clock, with_git=False)
    assert (made.repository, made.commit) == ("", None)
    with Vault.open(code / "memory", clock=clock) as vault:
        live_without_history(vault)
    assert state(code) == before


def live_without_history(vault: Vault) -> None:
    """Remember, and let what people wrote come to rest."""
    vault.remember(FACT, agent="ada")
    (vault.path / "note.md").write_text("A note.\n")
    os.utime(vault.path / "note.md", (1, 1))
    vault.tick()
    assert vault.store.writer.repository is None


def test_no_vault_is_made_in_a_vault(folder: Path, clock: Clock) -> None:
    """The outer one would take its notes for its own; not even a folder is made."""
    with pytest.raises(Refused, match=rf"lies in the vault {folder}"):
        create.create(folder / "deep/inner", clock)
    assert not (folder / "deep").exists()


# --- sharing ----------------------------------------------------------------------------------


@pytest.mark.long
def test_a_vault_that_shares_a_repository_commits_its_own_files_alone(
    code: Path, clock: Clock
) -> None:
    """What is staged, changed or new beside it stays so."""
    before = git(code, "status", "--porcelain")
    made = create.create(code / "memory", clock, in_repo=True)
    assert (made.repository, made.shared, made.left_out) == (str(code), True, "")
    assert "shares the repository" in made.notes[0]
    with Vault.open(code / "memory", clock=clock) as vault:
        live(vault)
        assert vault.fsck().ok
        subjects = [it.subject for it in vault.log(None)]
    names = git(code, "log", "--format=", "--name-only", "v1..HEAD").splitlines()
    assert {name.split("/")[0] for name in names} == {"memory"}
    assert "human: add topics/tea.md" in subjects
    assert not any(subject.startswith("app") for subject in subjects)
    assert git(code, "status", "--porcelain") == before
    assert git(code, "diff", "--cached", "--name-only") == "staged.py"


@pytest.mark.long
def test_what_would_touch_more_than_the_vault_is_refused(code: Path, clock: Clock) -> None:
    """Before anything is forgotten; a forgetting without a purge is not refused."""
    git(code, "remote", "add", "origin", "../nowhere.git")
    create.create(code / "memory", clock, in_repo=True)
    with Vault.open(code / "memory", clock=clock) as vault:
        memory = vault.remember("Mara likes tea.", agent="ada")
        vault.store.writer.commit_pending()
        before = state(code)
        with pytest.raises(Refused, match=r"shares the repository .*`vaultmem forget` takes it"):
            vault.forgetting.purge([memory.id], permit=Permit(remotes=True))
        with pytest.raises(Refused, match=r"push work that is not its own.*`git pull`"):
            vault.sync_clones()
        assert state(code) == before
        assert (vault.path / memory.path).exists()
        vault.forget(memory.id)
        assert not (vault.path / memory.path).exists()


def test_a_folder_of_files_may_become_a_vault_that_shares(code: Path, clock: Clock) -> None:
    """As may one that has files already."""
    (code / "docs").mkdir()
    (code / "docs/a.md").write_text("a\n")
    git(code, "add", "docs")
    git(code, "commit", "-qm", "docs", "docs")
    assert create.create(code / "docs", clock, in_repo=True).commit
    assert git(code, "status", "--porcelain", "docs") == ""


Prepare = Callable[[Path], object]


@pytest.mark.parametrize(
    ("prepare", "error", "says"),
    [
        (lambda c: git(c, "init", "-q", "memory"), Refused, "a repository of its own"),
        (lambda c: (c / ".gitignore").write_text("memory\n"), Refused, "git ignores"),
        (lambda c: (c / ".git").rename(c / "git"), BadInput, "does not lie in the work tree"),
    ],
)
def test_there_must_be_a_repository_to_share(
    code: Path, clock: Clock, prepare: Prepare, error: type[Exception], says: str
) -> None:
    """And it must be one that takes the folder."""
    prepare(code)
    with pytest.raises(error, match=says):
        create.create(code / "memory", clock, in_repo=True)
    assert not (code / "memory/config").exists()
