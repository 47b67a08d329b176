"""A tombstone that this clone has seen holds on every branch, and is missed where it is gone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Clock, Prepared
from vaultmem import Vault
from vaultmem.errors import DamagedTombstone, Refused, Unavailable
from vaultmem.storage import gone_tombstones, tombstone_ledger
from vaultmem.storage.git import Repository

TEXT = "The umbrella was left in Graz."


def git(vault: Vault, *args: str) -> None:
    """Run git in the vault."""
    subprocess.run(["git", *args], cwd=vault.path, check=True, capture_output=True)


def forget(vault: Vault) -> None:
    """Forget a memory on a branch of its own."""
    vault.remember("We met Ottokar.", agent="ada")
    git(vault, "branch", "older")
    vault.forget(vault.remember(TEXT, agent="ada").id)


def nothing(vault: Vault) -> None:
    """Leave the vault as it is."""


@pytest.fixture
def vault(request: pytest.FixtureRequest, prepared: Prepared) -> Vault:
    """Open the vault, in which a memory was forgotten where the scene asks for that."""
    return prepared(forget if "forgotten" in request.fixturenames else nothing)


@pytest.fixture
def forgotten(vault: Vault) -> str:
    """Return the path of the tombstone of what was forgotten."""
    (found,) = (vault.path / "tombstones").glob("*.md")
    return f"tombstones/{found.name}"


def gone(vault: Vault) -> list[tuple[str, str]]:
    """Return the tombstones that `status` misses, and what it says."""
    return [(p.path, p.message) for p in vault.status().problems if p.code == "tombstone-gone"]


def test_what_was_forgotten_on_one_branch_is_refused_on_another(
    vault: Vault, forgotten: str
) -> None:
    """`status` names it and where it stands, and `fsck --repair` brings its tombstone."""
    git(vault, "checkout", "-q", "older")
    with pytest.raises(Refused, match=r"is on branch main, and `vaultmem fsck --repair`"):
        vault.remember(TEXT, agent="ada")
    ((path, message),) = gone(vault)
    assert path == forgotten
    assert "on branch main" in message
    vault.fsck(repair=True)
    assert (vault.path / forgotten).exists()
    assert gone(vault) == []
    with pytest.raises(Refused, match="--allow-again` lets it back in"):
        vault.remember(TEXT, agent="ada")


def test_a_credential_in_the_name_of_a_branch_is_not_told(vault: Vault, forgotten: str) -> None:
    secret = "ghp_" + "a1B2c3D4" * 5
    git(vault, "branch", "-m", "main", secret)
    git(vault, "checkout", "-q", "older")
    ((path, message),) = gone(vault)
    assert path == forgotten
    assert "on branch " in message
    assert secret not in message


def test_a_damaged_one_of_another_branch_is_not_brought_here(vault: Vault, forgotten: str) -> None:
    """As after a sync that refused it: nothing new could be remembered with it."""
    (vault.path / forgotten).write_text("---\ntype: tombstone\n---\n")
    git(vault, "commit", "-qam", "by hand")
    git(vault, "checkout", "-q", "older")
    (vault.path / ".vaultmem/tombstones.jsonl").unlink()
    assert vault.fsck(repair=True).ok
    assert not (vault.path / forgotten).exists()
    vault.remember("Another thing.", agent="ada")


def test_fsck_knows_the_tombstones_of_all_branches_without_the_ledger(
    vault: Vault, forgotten: str
) -> None:
    git(vault, "checkout", "-q", "older")
    (vault.path / ".vaultmem/tombstones.jsonl").unlink()
    assert forgotten in {p.path for p in vault.fsck().problems}
    with pytest.raises(Refused):
        vault.remember(TEXT, agent="ada")
    vault.fsck(accept_missing=True)
    vault.remember(TEXT, agent="ada")
    assert gone(vault) == []


def tear(ledger: Path) -> None:
    """Cut the last line."""
    os.truncate(ledger, ledger.stat().st_size - 20)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "gone": lambda ledger: shutil.rmtree(ledger.parent),
    "emptied": lambda ledger: ledger.write_bytes(b""),
    "garbage": lambda ledger: ledger.write_bytes(bytes(range(256)) * 9),
    "torn": tear,
    "without its last line": lambda ledger: lose(ledger, slice(-1)),
    "without its last two": lambda ledger: lose(ledger, slice(-2)),
    "without a line within": lambda ledger: lose(ledger, slice(1, None)),
    "as it began": lambda ledger: ledger.write_bytes(b'["branches", 0]\n'),
}
UNWRITABLE: dict[str, Callable[[Path], object]] = {
    "a folder": Path.mkdir,
    "a link": lambda ledger: ledger.symlink_to(os.devnull),
}


def lose(ledger: Path, kept: slice) -> None:
    """Leave but the *kept* lines."""
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[kept]))


@pytest.mark.parametrize("damage", UNWRITABLE)
def test_where_the_ledger_cannot_be_written_all_branches_are_read_each_time(
    vault: Vault, forgotten: str, damage: str
) -> None:
    git(vault, "checkout", "-q", "older")
    ledger = vault.path / ".vaultmem/tombstones.jsonl"
    ledger.unlink()
    UNWRITABLE[damage](ledger)
    for _ in range(2):
        with pytest.raises(Refused, match="is on branch main"):
            vault.remember(TEXT, agent="ada")
    assert forgotten in {p.path for p in vault.fsck().problems}


@pytest.mark.parametrize("damage", DAMAGE)
def test_without_a_whole_ledger_all_branches_are_read_once(
    folder: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    with Vault.open(folder, clock=clock) as vault:
        git(vault, "branch", "older")
        made = vault.remember(TEXT, agent="ada")
        vault.forget(made.id)
        git(vault, "checkout", "-q", "older")
    DAMAGE[damage](folder / ".vaultmem/tombstones.jsonl")
    reads: list[Repository] = []
    on_all_branches = gone_tombstones._on_all_branches

    def counted(repository: Repository) -> dict[str, bytes]:
        reads.append(repository)
        return on_all_branches(repository)

    monkeypatch.setattr(gone_tombstones, "_on_all_branches", counted)
    with Vault.open(folder, clock=clock) as vault:
        for _ in range(2):
            with pytest.raises(Refused, match="is on branch main"):
                vault.remember(TEXT, agent="ada")
            vault.remember("Another thing.", agent="ada")
        assert [path for path, _ in gone(vault)] == [f"tombstones/{made.id}.md"]
    assert len(reads) == 1


@pytest.mark.long
def test_a_tombstone_that_was_altered_and_committed_is_known_by_how_it_was_made(
    vault: Vault, forgotten: str
) -> None:
    """Nothing is taken in before `fsck --repair` brought it back; the ledger may be gone."""
    path = vault.path / forgotten
    made = path.read_text()
    path.write_text(re.sub(r"(?m)^salt: .*", f"salt: {'0' * 32}", made))
    git(vault, "commit", "-qam", "x")
    (vault.path / ".vaultmem/tombstones.jsonl").unlink()
    with pytest.raises(DamagedTombstone):
        vault.remember(TEXT, agent="ada")
    assert ("tombstone", forgotten) in {(p.code, p.path) for p in vault.fsck().problems}
    assert vault.fsck(repair=True).ok
    assert path.read_text() == made
    with pytest.raises(Refused, match="--allow-again` lets it back in"):
        vault.remember(TEXT, agent="ada")


@pytest.mark.long
def test_a_tombstone_that_was_made_anew_is_not_altered(vault: Vault) -> None:
    """Taken back, and forgotten again: with another salt, for it was the only one."""
    made = vault.remember(TEXT, agent="ada")
    done = vault.forget(made.id)
    vault.undo(done.op)
    vault.forget(made.id)
    (vault.path / ".vaultmem/tombstones.jsonl").unlink()
    with pytest.raises(Refused, match="--allow-again` lets it back in"):
        vault.remember(TEXT, agent="ada")
    assert vault.fsck().ok


def test_a_clone_knows_the_tombstones_of_other_branches(
    vault: Vault, forgotten: str, tmp_path: Path, clock: Clock
) -> None:
    git(vault, "clone", "-qb", "older", str(vault.path), str(tmp_path / "clone"))
    with (
        Vault.open(tmp_path / "clone", clock=clock) as clone,
        pytest.raises(Refused, match=rf"{forgotten} is on branch origin/main"),
    ):
        clone.remember(TEXT, agent="ada")


def test_what_was_fetched_and_is_not_merged_yet_is_missed_nowhere(
    vault: Vault, tmp_path: Path, clock: Clock
) -> None:
    memory = vault.remember(TEXT, agent="ada")
    git(vault, "clone", "-q", str(vault.path), str(tmp_path / "clone"))
    vault.forget(memory.id)
    with Vault.open(tmp_path / "clone", clock=clock) as clone:
        git(clone, "fetch", "-q")
        assert clone.fsck().ok
        assert gone(clone) == []
        git(clone, "merge", "-q", "--ff-only", "@{upstream}")
        assert clone.fsck().ok
        git(clone, "reset", "-q", "--hard", "HEAD^")
        assert len(gone(clone)) == 1


def test_status_misses_tombstones_that_went_with_the_ledger(vault: Vault, forgotten: str) -> None:
    shutil.rmtree(vault.path / "tombstones")
    (vault.path / ".vaultmem/tombstones.jsonl").unlink()
    ((path, message),) = gone(vault)
    assert path == forgotten
    assert "may be remembered again" in message


@pytest.mark.parametrize("name", ["x.txt", ""])
def test_a_tombstone_that_is_renamed_or_deleted_is_named_and_comes_back(
    vault: Vault, forgotten: str, name: str
) -> None:
    """Its text is let in meanwhile: who deletes one wants that."""
    file = vault.path / forgotten
    whole = file.read_bytes()
    if name:
        file.rename(file.with_name(name))
    else:
        file.unlink()
    ((path, message),) = gone(vault)
    assert path == forgotten
    assert "may be remembered again" in message
    vault.fsck(repair=True)
    assert file.read_bytes() == whole
    file.unlink()
    vault.remember(TEXT, agent="ada")
    vault.fsck(accept_missing=True)
    assert gone(vault) == []
    assert not file.exists()


def test_a_tombstone_that_is_renamed_and_altered_is_named_and_comes_back(
    vault: Vault, forgotten: str
) -> None:
    """Its id is here, and knows another text."""
    file = vault.path / forgotten
    whole = file.read_bytes()
    other = file.with_name("zz.md")
    other.write_bytes(re.sub(rb"(?m)^  - [0-9a-f]{64}$", b"  - " + b"1" * 64, whole))
    file.unlink()
    assert [path for path, _ in gone(vault)] == [forgotten]
    vault.fsck(repair=True)
    assert file.read_bytes() == whole
    with pytest.raises(Refused, match="was forgotten"):
        vault.remember(TEXT, agent="ada")


@pytest.mark.parametrize("line", ["parts:\n(?:  - .*\n)+", "agent: .*\n"])
def test_a_tombstone_that_lost_a_line_of_what_it_refuses_is_named_and_comes_back(
    vault: Vault, forgotten: str, line: str
) -> None:
    file = vault.path / forgotten
    whole = file.read_text()
    file.write_text(re.sub(line, "", whole))
    assert file.read_text() != whole
    with pytest.raises(DamagedTombstone):
        vault.remember("Another thing.", agent="ada")
    vault.store.sync()
    assert forgotten in {p.path for p in vault.status().problems}
    assert vault.fsck(repair=True).ok
    assert file.read_text() == whole


def test_an_undone_forgetting_misses_nothing(vault: Vault, forgotten: str) -> None:
    vault.undo(vault.log()[0].ops[0])
    assert not (vault.path / forgotten).exists()
    assert gone(vault) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("lacking", "complete"),
    [
        ("--depth=1", "--unshallow"),
        ("--filter=blob:none", "--refetch --no-filter"),
        ("--filter=tree:0", "--refetch --no-filter"),
    ],
)
def test_a_clone_without_the_whole_history_sets_no_damaged_tombstone_aside(
    vault: Vault, forgotten: str, tmp_path: Path, lacking: str, complete: str
) -> None:
    """What it has not may have it whole: `fsck` says what brings that."""
    whole = (vault.path / forgotten).read_bytes()
    (vault.path / forgotten).write_text("x")
    git(vault, "commit", "-qam", "by hand")
    git(vault, "config", "uploadpack.allowFilter", "true")
    folder = tmp_path / "clone"
    git(vault, "clone", "-q", lacking, f"file://{vault.path}", str(folder))
    with Vault.open(folder) as clone:
        for problems in (clone.fsck(repair=True).problems, clone.status().problems):
            said = {p.repair for p in problems if p.path == forgotten}
            assert f"`git fetch {complete}` first, then `vaultmem fsck --repair`" in said
        assert (folder / forgotten).read_text() == "x"
        git(clone, "fetch", "-q", *complete.split())
        assert clone.fsck(repair=True).ok
        assert (folder / forgotten).read_bytes() == whole


@pytest.mark.long
def test_a_tombstone_that_a_sparse_checkout_leaves_out_is_not_gone(
    vault: Vault, forgotten: str, tmp_path: Path
) -> None:
    """Its text is refused, and what a part of the vault cannot tell is not done."""
    folder = tmp_path / "clone"
    git(vault, "clone", "-q", str(vault.path), str(folder))
    subprocess.run(
        ["git", "sparse-checkout", "set", "--no-cone", "/*", "!/topics/", "!/tombstones/"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    with Vault.open(folder) as clone:
        (forgot,) = (it for it in clone.log() if it.subject.startswith("forget"))
        other = clone.remember("Another thing.", agent="ada")
        for _ in range(2):
            with pytest.raises(Refused, match="once `git sparse-checkout disable` has"):
                clone.remember(TEXT, agent="ada")
            assert [p.code for p in clone.status().problems] == ["sparse"]
            assert clone.fsck(repair=True, accept_missing=True).ok
        for deed in (
            lambda: clone.forget(other.id),
            lambda: clone.forgetting.allow_again([forgotten]),
            lambda: clone.forgetting.find(query="Ottokar"),
            lambda: clone.undo(forgot.ops[0]),
        ):
            with pytest.raises(Unavailable, match=r"left out by a sparse checkout: .*disable"):
                deed()
        git(clone, "sparse-checkout", "disable")
        clone.forget(other.id)
        with pytest.raises(Refused, match="--allow-again` lets it back in"):
            clone.remember(TEXT, agent="ada")


def test_an_undo_that_was_killed_is_finished_with_the_tombstones_that_it_lets_go(
    vault: Vault, forgotten: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing calls for them afterwards, and what was forgotten may be said again."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    (op,) = vault.log(1)[0].ops
    with monkeypatch.context() as patched:
        patched.setattr(tombstone_ledger, "follow", killed)
        with pytest.raises(KeyboardInterrupt):
            vault.undo(op)
    vault.close()
    with Vault.open(vault.path) as again:
        assert gone(again) == []
        assert not (again.path / forgotten).exists()
        assert again.fsck().ok
        assert again.recall("umbrella").hits
