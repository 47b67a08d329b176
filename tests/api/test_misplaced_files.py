"""A link, a folder, a pipe or a socket in the place of a file or a folder of the vault.

It is named, neither read through nor written, and everything else goes on.
"""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cases import rarely
from tests.conftest import Clock, Template
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import BadInput, CannotOpen, DiskRefused
from vaultmem.knowledge.cards.types import Patch

OUTSIDE = "The outside is a zanzibar."
ROOT = ("MEMORY.md", "TASKS.md", "README.md", "AGENTS.md")
NOTES = ("tasks/task-0001.md", "topics/tea.md", "cards/medical/sarah.md")
OWN = (
    "agents/ada/working.md",
    "agents/ada/summaries/longterm.md",
    "agents/ada/sessions/talk.jsonl",
)
FOLDERS = ("topics", "tasks", "cards", "inbox")
OF_ADA = ("agents/ada/sessions", "agents/ada/summaries")
NESTED = ("topics/tea.md", "topics")
Place = Callable[[Path, Path], None]


def link_outside(path: Path, away: Path) -> None:
    """Link to where the file went, which says something else by now."""
    for note in (away, *away.rglob("*.md")):
        if note.is_file():
            note.write_text(f"{note.read_text()}\n{OUTSIDE}\n")
    path.symlink_to(away)


def link_inside(path: Path, away: Path) -> None:
    """Link to where the file went, in the vault."""
    vault = next(folder for folder in path.parents if (folder / ".vaultmem").is_dir())
    inner = vault / "elsewhere" / away.name
    inner.parent.mkdir(exist_ok=True)
    if away.exists():
        shutil.move(away, inner)
    path.symlink_to(inner)


def dangling_link(path: Path, away: Path) -> None:
    """Link to nothing."""
    path.symlink_to(away.parent / "nowhere")


def folder_or_file(path: Path, away: Path) -> None:
    """Put a folder in the place of a file, a file in that of a folder."""
    if away.is_file():
        path.mkdir()
        (path / "inner.md").write_text("In a folder.\n")
    else:
        path.write_text("A file.\n")


def pipe(path: Path, away: Path) -> None:
    """Put a pipe there, which nobody writes to."""
    assert away.parent.is_dir()
    os.mkfifo(path)


def unix_socket(path: Path, away: Path) -> None:
    """Put a socket there; a name this long is bound from within its folder."""
    before = Path.cwd()
    assert away.parent.is_dir()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.chdir(before)


def misplace(vault: Path, name: str, place: Place, outside: Path) -> None:
    """Move what is at *name* to *outside*, and put something else there."""
    path, away = vault / name, outside / Path(name).name
    outside.mkdir(exist_ok=True)
    if path.exists():
        shutil.move(path, away)
    place(path, away)


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Make a vault that has some of everything."""
    path = tmp_path_factory.mktemp("lived-in") / "vault"
    create.create(path, Clock())
    config = path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("_window: 64", "_window: 2"))
    (path / "topics").mkdir()
    (path / "topics/tea.md").write_text("---\ntype: topic\ntitle: Tea\n---\nOolong first.\n")
    (path / "cards/medical").mkdir(parents=True)
    (path / "cards/medical/sarah.md").write_text(
        "---\ntype: card\ncategory: medical\nkey: sarah\nperson: Sarah\nrelationship: daughter\n"
        "date_created: 2026-01-01\nallergy: hazelnuts\n---\nShe is allergic.\n"
    )
    with Vault.open(path, clock=Clock()) as vault:
        for n in range(9):
            vault.remember(f"Well {n} of the garden is {n} metres deep.", agent="ada")
        vault.tasks.create("Paint the fence.")
        vault.say("talk", "The well is dry.", agent="ada")
        (path / "agents/ada/working.md").write_text("---\ntype: working\n---\n## Goal\n\nDig.\n")
        for note in path.rglob("*.md"):
            os.utime(note, (1_700_000_000, 1_700_000_000))
        vault.tick()
    return Template(path)


PLACES = (link_outside, link_inside, dangling_link, folder_or_file, pipe, unix_socket)


def together() -> Iterator[dict[str, Place]]:
    """Yield every name, with those beside it that one vault shows as well."""
    kinds = itertools.cycle(PLACES)
    for names in (ROOT, NOTES, OWN, FOLDERS, OF_ADA, ("agents/ada/memories",), ("agents/ada",)):
        yield dict(zip(names, kinds, strict=False))


@pytest.mark.long
@pytest.mark.parametrize(
    "places",
    [
        *itertools.islice(together(), 3),
        *rarely(*itertools.islice(together(), 3, None)),
        *rarely(*({name: place} for name in NESTED for place in PLACES)),
    ],
)
def test_what_stands_in_a_file_s_or_a_folder_s_place_is_named_and_all_else_goes_on(
    lived_in: Template, tmp_path: Path, clock: Clock, places: dict[str, Place]
) -> None:
    path, outside = tmp_path / "vault", tmp_path / "outside"
    had = kept(lived_in.write(path))
    for name, place in places.items():
        misplace(path, name, place, outside)
    before = {p: p.read_bytes() for p in outside.rglob("*") if p.is_file()}
    with Vault.open(path, clock=clock) as vault:
        told = [p for p in vault.status().problems if p.path in places]
        assert {p.path: p.code for p in told} == dict.fromkeys(places, "link")
        assert len(told) == len(places)
        assert all("which is neither read through nor written" in p.message for p in told)
        assert all("move it out of the vault" in p.repair for p in told)
        assert set(told) <= {*vault.fsck().problems}
        clock.advance(hours=1)
        vault.tick()
        agent = "bob" if places.keys() & {"agents/ada", "agents/ada/memories"} else "ada"
        for n in range(4):
            clock.advance(minutes=1)
            assert vault.remember(f"The moon is near, {n} times.", agent=agent).path
        assert not any(OUTSIDE in hit.snippet for hit in vault.recall("zanzibar").hits)
        assert OUTSIDE not in vault.context("zanzibar", agent="ada").text
        vault.tick()
        assert "gone" not in {p.code for p in vault.fsck().problems}
        vault.fsck(repair=True)
    assert {p: p.read_bytes() for p in outside.rglob("*") if p.is_file()} == before
    assert had <= kept(path)


def test_a_vault_whose_settings_are_behind_a_link_says_how_to_get_them_back(
    lived_in: Template, tmp_path: Path
) -> None:
    path = tmp_path / "vault"
    lived_in.write(path)
    misplace(path, "config", link_outside, tmp_path / "outside")
    with pytest.raises(CannotOpen, match="config is a symbolic link, and no folder: move it out"):
        Vault.open(path)


@pytest.mark.long
@pytest.mark.parametrize("place", [link_outside, link_inside, pipe])
def test_while_tombstones_are_hidden_nothing_comes_in_and_all_else_goes_on(
    lived_in: Template, tmp_path: Path, clock: Clock, place: Place
) -> None:
    """What was forgotten cannot be told then, and would come back for good."""
    path, secret = tmp_path / "vault", "The heliotrope umbrella is in Graz."
    lived_in.write(path)
    with Vault.open(path, clock=clock) as vault:
        vault.forget(vault.remember(secret, agent="ada").id)
        misplace(path, "tombstones", place, tmp_path / "outside")
        clock.advance(hours=1)
        dropped = path / "agents/ada/memories/dropped.md"
        dropped.write_text(f"{secret}\n")
        os.utime(dropped, (1_700_000_000, 1_700_000_000))
        for text in (secret, "The moon is near."):
            with pytest.raises(DiskRefused, match=r"tombstones is a .*neither read"):
                vault.remember(text, agent="ada")
        assert "link" in {p.code for p in vault.status().problems if p.path == "tombstones"}
        vault.tick()
        vault.digest()
        vault.fsck(repair=True)
        assert dropped.read_text() == f"{secret}\n"
        assert vault.recall("well").hits


@pytest.mark.long
@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", "topics/.gitignore"])
def test_a_pipe_that_git_would_wait_at_is_named_and_all_but_edits_goes_on(
    lived_in: Template, tmp_path: Path, clock: Clock, name: str
) -> None:
    """An edit made by hand is committed once the pipe is gone."""
    path = tmp_path / "vault"
    lived_in.write(path)
    misplace(path, name, pipe, tmp_path / "outside")
    (path / "topics/rain.md").write_text("It rains.\n")
    os.utime(path / "topics/rain.md", (1_700_000_000, 1_700_000_000))
    with Vault.open(path, clock=clock) as vault:
        (told,) = (p for p in vault.status().problems if p.path == name)
        assert told.code == "link"
        assert told.message.startswith("a named pipe, which is neither read through nor written")
        assert "no edit made by hand is committed while it is there" in told.message
        assert told in vault.fsck().problems
        vault.tick()
        memory = vault.remember("The moon is near.", agent="ada")
        vault.store.writer.commit_pending()
        assert memory.path in kept(path)
        vault.cards.set("medical/sarah", Patch(fields={"phone": "0456"}, source="user"))
        assert "topics/rain.md" not in kept(path)
        (path / name).unlink()
        assert name not in {p.path for p in vault.status().problems}
        vault.tick()
    assert "topics/rain.md" in kept(path)


@pytest.mark.parametrize("place", [link_outside, pipe])
def test_a_linked_profile_is_named_and_what_needs_no_summary_is_done(
    lived_in: Template, tmp_path: Path, clock: Clock, place: Place
) -> None:
    path, name = tmp_path / "vault", "config/profiles/summarizer.md"
    lived_in.write(path)
    misplace(path, name, place, tmp_path / "outside")
    (path / "topics/rain.md").write_text("It rains.\n")
    os.utime(path / "topics/rain.md", (1_700_000_000, 1_700_000_000))
    with Vault.open(path, clock=clock) as vault:
        assert name in [p.path for p in vault.status().problems]
        with pytest.raises(BadInput, match=r"summarizer\.md is a .*, which is neither read"):
            vault.tick()
    assert "topics/rain.md" in kept(path)


@pytest.mark.parametrize("name", [".vaultmem/held", ".vaultmem/commit-delay"])
@pytest.mark.parametrize("place", [link_outside, dangling_link, pipe])
def test_a_note_of_our_own_workings_that_is_no_file_stops_no_round(
    lived_in: Template, tmp_path: Path, clock: Clock, name: str, place: Place
) -> None:
    """People's edits are committed all the same."""
    path = tmp_path / "vault"
    lived_in.write(path)
    misplace(path, name, place, tmp_path / "outside")
    (path / "topics/rain.md").write_text("It rains.\n")
    os.utime(path / "topics/rain.md", (1_700_000_000, 1_700_000_000))
    with Vault.open(path, clock=clock) as vault:
        assert vault.status().agents
        vault.tick()
    assert "topics/rain.md" in kept(path)


@pytest.mark.parametrize("name", ["MEMORY.md", "TASKS.md"])
def test_what_the_program_makes_is_written_anew_once_the_link_is_away(
    lived_in: Template, tmp_path: Path, clock: Clock, name: str
) -> None:
    """As the sentence about it says; a person's own lines come back from the last commit."""
    path = tmp_path / "vault"
    lived_in.write(path)
    before = (path / name).read_text()
    misplace(path, name, link_outside, tmp_path / "outside")
    with Vault.open(path, clock=clock) as vault:
        (told,) = (p for p in vault.status().problems if p.path == name)
        assert "the next round (`vaultmem watch --once`) writes the file anew" in told.repair
        vault.tick()
        (path / name).unlink()
        vault.tick()
        assert (path / name).read_text() == before
        assert vault.fsck().ok


def kept(vault: Path) -> set[str]:
    """Return the files that the last commit has."""
    said = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "HEAD"],
        cwd=vault, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(said.stdout.splitlines())
