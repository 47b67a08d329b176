"""What the system does not let us read is named, stops nothing else, and is not taken for gone."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cases import rarely
from tests.commands import Commands, unprivileged
from tests.conftest import Prepared
from vaultmem import Vault

Run = Callable[..., subprocess.CompletedProcess[str]]
_ON = (["recall", "well"], ["context"], ["fold", "--force"], ["watch", "--once"], ["digest"])


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    """Start what runs commands as a user whom permissions bind."""
    with unprivileged() as running:
        yield running


def dig(vault: Vault) -> None:
    """Let something of each kind be in the vault."""
    for n in range(3):
        vault.remember(f"Well {n} is deep.", agent="ada")
    vault.tasks.create("Paint the fence.")
    vault.say("talk", "The well is dry.", agent="ada")


@pytest.fixture
def run(commands: Commands, prepared: Prepared) -> Iterator[Run]:
    """Return what runs a command on the vault; all is opened in the end."""
    with prepared(dig) as vault:
        folder = vault.path

    def command(*args: str | Path) -> subprocess.CompletedProcess[str]:
        return commands("--vault", folder, *args)

    yield command
    for path in sorted(folder.rglob("*")):
        if not path.is_symlink() and ".git" not in path.parts:
            path.chmod(0o700 if path.is_dir() else 0o600)


def memory(folder: Path) -> Path:
    """Return the file of a memory."""
    return min((folder / "agents/ada/memories").rglob("*.md"))


def tracked(folder: Path) -> set[str]:
    """Return what the last commit has."""
    said = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "HEAD"],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(said.stdout.splitlines())


@pytest.mark.parametrize(
    ("shut", "with_index"),
    [
        ("lost+found/", True),
        ("agents/ada/memories/", False),
        ("agents/ada/", True),
        *rarely(
            ("tasks/", True),
            ("agents/ada/memories/", True),
            ("agents/ada/sessions/", True),
            ("agents/ada/", False),
        ),
    ],
)
def test_a_folder_that_cannot_be_read_is_named_and_what_is_in_it_is_not_gone(
    run: Run, folder: Path, shut: str, *, with_index: bool
) -> None:
    (folder / shut).mkdir(exist_ok=True)
    before = tracked(folder)
    if not with_index:
        for made in (folder / ".vaultmem/index").iterdir():
            made.unlink()
    (folder / shut).chmod(0)
    for args in (["status"], ["fsck"], ["fsck", "--repair"], ["fsck"]):
        done = run(*args)
        assert f"{shut}: Permission denied: what is in it is not read" in done.stdout, done.stderr
        assert done.returncode == (0 if args == ["status"] else 1)
        assert "gone from disk" not in done.stdout
        assert "! index" not in done.stdout
    for args in _ON:
        done = run(*args)
        assert done.returncode == 0, done.stderr
    if "ada" not in shut:
        assert "Well 0" in run("recall", "well").stdout
    assert run("remember", "The moon is near.", "--agent", "bob").returncode == 0
    assert before <= tracked(folder)
    (folder / shut).chmod(0o700)
    run("watch", "--once")
    whole = run("fsck")
    assert whole.stdout.startswith("ok"), whole.stdout
    assert "Well 0" in run("recall", "well").stdout


@pytest.mark.parametrize("which", ["memory", "transcript", *rarely("MEMORY.md")])
def test_a_file_that_cannot_be_read_is_named_and_stops_nothing_else(
    run: Run, folder: Path, which: str
) -> None:
    """It is found at once though nothing but its permissions changed."""
    own = {"memory": memory(folder), "transcript": folder / "agents/ada/sessions/talk.jsonl"}
    path = own.get(which, folder / which)
    before, name = tracked(folder), path.relative_to(folder).as_posix()
    path.chmod(0)
    for args in (["status"], ["fsck"], ["fsck", "--repair"], ["fsck"]):
        done = run(*args)
        assert f"{name}: Permission denied; make it readable" in done.stdout, done.stderr
        assert done.returncode == (0 if args == ["status"] else 1)
    for args in _ON:
        done = run(*args)
        assert done.returncode == 0, done.stderr
    assert before <= tracked(folder)
    path.chmod(0o600)
    run("watch", "--once")
    whole = run("fsck")
    assert whole.stdout.startswith("ok"), whole.stdout


def test_an_export_that_would_lack_something_is_refused_with_all_of_it(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    """The one that stands there stays whole; a folder that never held anything is no lack."""
    target = tmp_path / "out.json"
    (folder / "lost+found").mkdir()
    (folder / "lost+found").chmod(0)
    assert run("export", "json", target).returncode == 0
    whole = target.read_bytes()
    shut = memory(folder)
    shut.chmod(0)
    (folder / "tasks").chmod(0)
    refused = run("export", "json", target)
    assert refused.returncode == 4
    assert f"{shut.relative_to(folder).as_posix()}, tasks/ cannot be read" in refused.stderr
    assert target.read_bytes() == whole
    assert json.loads(whole.splitlines()[0])["path"]


@pytest.mark.parametrize("shut", ["the tombstone", *rarely("tombstones/")])
def test_a_tombstone_that_cannot_be_read_keeps_new_texts_out_and_stops_nothing_else(
    run: Run, folder: Path, shut: str
) -> None:
    """What was forgotten could come back with them."""
    assert run("forget", memory(folder).relative_to(folder), "--yes").returncode == 0
    (stone,) = (folder / "tombstones").iterdir()
    (folder / shut if shut.endswith("/") else stone).chmod(0)
    assert "Permission denied" in run("status").stdout
    for args in _ON:
        assert run(*args).returncode == 0, args
    refused = run("remember", "The moon is near.", "--agent", "ada")
    assert refused.returncode == 4
    assert "tombstones" in refused.stderr


def test_nothing_is_forgotten_while_some_cannot_be_searched(run: Run, folder: Path) -> None:
    (folder / "tasks").chmod(0)
    refused = run("forget", memory(folder).relative_to(folder), "--yes")
    assert refused.returncode == 4
    assert "tasks/ cannot be read: it may contain what is to be forgotten" in refused.stderr
    assert memory(folder).exists()


@pytest.mark.long
@pytest.mark.parametrize(
    ("shut", "args"),
    [
        ("topics", ["topic", "set", "Rent", "Rent is due."]),
        (
            "agents/ada/memories/2026/11",
            ["remember", "Rent is due.", "--agent", "ada", "--at", "2026-11-20T10:00:00Z"],
        ),
        ("agents/ada", ["working", "set", "--goal", "Pay the rent", "--agent", "ada"]),
        (".vaultmem/journal", ["remember", "Rent is due.", "--agent", "ada"]),
        *rarely(("tasks", ["task", "create", "Pay the rent."])),
    ],
)
def test_a_folder_that_cannot_be_written_is_named_and_not_the_vault(
    run: Run, folder: Path, shut: str, args: list[str]
) -> None:
    (folder / shut).mkdir(exist_ok=True)
    (folder / shut).chmod(0o500)
    refused = run(*args)
    assert refused.stderr == (
        f"vaultmem: {shut}: Permission denied; nothing was changed: fix that and run it again\n"
    )
    assert refused.returncode == 4
