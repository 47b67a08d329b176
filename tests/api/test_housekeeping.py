"""One round of what is due."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.at_rest import let_rest
from tests.work import folders_opened
from vaultmem import Vault
from vaultmem.api import housekeeping
from vaultmem.api.housekeeping import Condensed
from vaultmem.knowledge.topics.types import TopicPatch
from vaultmem.storage.git import clean_folders
from vaultmem.storage.git.types import Place

OLD = 1_700_000_000


def git(folder: Path, *args: str) -> str:
    """Run git as a person does."""
    return subprocess.run(
        ["git", *args], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def by_hand(vault: Vault, name: str, text: str, *, rested: bool = True) -> Path:
    """Write a file as a person does, some time ago if it has *rested*."""
    path = vault.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    when = OLD if rested else vault.store.clock().timestamp()
    os.utime(path, (when, when))
    return path


def test_a_round_with_nothing_due_does_nothing(vault: Vault) -> None:
    """Not a commit."""
    done = vault.tick()
    assert (done.condensed, done.commits, done.edits) == (Condensed(), (), None)


def test_a_round_lists_memories_once_and_asks_git_twice(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the index; and before anything is made of what a tool said, and before the commit."""
    vault.remember("The ferry leaves at noon.", agent="ada")
    vault.tick()
    opened, looks = folders_opened(monkeypatch), list[str]()
    look = clean_folders.Look.at

    def noting(place: Place, head: str) -> clean_folders.Look | None:
        looks.append(head)
        return look(place, head)

    monkeypatch.setattr(clean_folders.Look, "at", noting)
    vault.tick()
    months = [prefix for prefix in opened if "/memories/2" in prefix]
    assert len(months) == len({*months}) > 0
    assert len(looks) == len(("take in", "commit"))


def test_of_a_folder_that_is_clean_no_name_is_kept(vault: Vault) -> None:
    """A vault has a million of them."""
    kept = vault.remember("The ferry leaves at noon.", agent="ada").path
    let_rest([vault.path / kept, (vault.path / kept).parent])
    vault.tick()
    repository = vault.store.writer.repository
    assert repository
    look = clean_folders.Look.at(repository, repository.head() or "")
    assert look
    folder = f"{kept.rpartition('/')[0]}/"
    assert folder in look.found.keys() - look.doubted()
    assert not look.found[folder].names


def test_where_nothing_is_due_no_memory_is_looked_at(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders tell how many there are; where something is due, an edit in place is seen."""
    with Vault.open(folder) as vault:
        config = vault.path / "config/memory_compaction.md"
        config.write_text(config.read_text().replace("_window: 64", "_window: 2"))
        kept = [vault.remember(f"Fact {n} of the garden.", agent="ada").path for n in range(3)]
    let_rest([(folder / kept[0]).parent])  # a folder that moved just now is in doubt
    with Vault.open(folder) as vault:
        vault.status()
    opened = folders_opened(monkeypatch)
    with Vault.open(folder) as vault:
        assert vault.agents() == ("ada",)
        assert not vault.compact("ada").compactions
        assert not vault.sessions.compact_due("ada")
        assert vault.sessions.reflect("ada") == ()
        assert [prefix for prefix in opened if "/memories/" in prefix] == []
    first = folder / kept[0]
    first.write_text(first.read_text().replace("Fact 0 of the garden", "Bo feeds the herons"))
    with Vault.open(folder) as vault:
        assert not vault.compact("ada", force=True).compactions  # it waits to be accepted


def test_a_round_compacts_for_every_agent(vault: Vault) -> None:
    """What came by hand or by merge is summarized by the next round."""
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("_window: 64", "_window: 2"))
    for agent in ("ada", "cat"):
        for n in range(4):
            by_hand(
                vault, f"agents/{agent}/memories/20240301-00000{n}-x-{agent}{n}.md",
                f"---\nid: 01J5XK3M9QZ7V4T8R2N6{agent.upper()}00{n}\ntype: memory\n"
                f"created: 2024-03-01T00:00:0{n}Z\n---\nFact {n} of the garden.\n",
            )  # fmt: skip
        by_hand(
            vault, f"agents/{agent}/memories/20240301-000009-x-{agent}9.md",
            f"---\nid: 01J5XK3M9QZ7V4T8R2N6{agent.upper()}009\ntype: memory\n"
            "created: 2024-03-01T00:00:09Z\n---\nFact 9 of the garden.\n",
        )  # fmt: skip
    done = vault.tick()
    assert [(c.agent, c.count) for c in done.condensed.compactions] == [("ada", 3), ("cat", 3)]
    assert vault.fsck().ok


def test_a_round_points_memory_md_at_what_a_person_wrote(vault: Vault) -> None:
    """A new topic is one line in the index."""
    by_hand(vault, "topics/tea.md", "---\ntype: topic\ntitle: Tea\n---\nOolong first.\n")
    vault.tick()
    assert "- [Tea](topics/tea.md): Oolong first." in (vault.path / "MEMORY.md").read_text()
    assert vault.tick().commits == ()


def test_a_round_commits_what_a_person_wrote_and_no_command_looks_for_it(vault: Vault) -> None:
    """A write costs the same in a vault of any size."""
    by_hand(vault, "notes/tea.md", "Oolong.\n")
    vault.remember("Sencha at six.", agent="ada")
    vault.topics.set("Coffee", TopicPatch(("Beans from Graz.",)))
    assert git(vault.path, "status", "--porcelain", "notes") == "?? notes/\n"
    assert vault.tick().edits is not None
    assert git(vault.path, "status", "--porcelain") == ""


def test_a_person_s_edit_is_committed_apart_once_it_has_rested(vault: Vault) -> None:
    """Under its own subject, with nothing of ours in it."""
    by_hand(vault, "topics/tea.md", "Oolong.\n")
    by_hand(vault, "topics/coffee.md", "Too fresh.\n", rested=False)
    done = vault.tick()
    assert done.edits is not None
    subject, *paths = git(vault.path, "show", "--format=%s", "--name-only", done.edits).split("\n")
    assert subject == "human: add topics/tea.md"
    assert [p for p in paths if p] == ["topics/tea.md"]


@pytest.mark.parametrize("text", ["my token is ghp_" + "a1B2c3D4" * 5, "---\ntorn: yes"])
def test_a_broken_file_or_one_with_a_secret_is_not_committed(vault: Vault, text: str) -> None:
    """What is in git stays in git."""
    by_hand(vault, "topics/tea.md", text)
    assert vault.tick().edits is None
    assert "topics" in git(vault.path, "status", "--porcelain")


def test_edits_are_left_alone_when_the_config_says_so(vault: Vault) -> None:
    """commit_human_edits: false."""
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("edits: true", "edits: false"))
    by_hand(vault, "topics/tea.md", "Oolong.\n")
    assert vault.tick().edits is None


def test_a_round_commits_what_a_busy_git_delayed(vault: Vault) -> None:
    """And says which commits came of it."""
    lock = vault.path / ".git/index.lock"
    lock.touch()
    vault.memories.keep("The well is deep.", agent="ada")
    lock.unlink()
    done = vault.tick()
    made = git(vault.path, "rev-list", "-2", "--reverse", "HEAD").split()
    assert done.commits == tuple(made)  # the memory, and MEMORY.md that points at it


def test_a_round_counts_what_people_had_ticked(vault: Vault) -> None:
    assert housekeeping.once(vault.store, vault.summarizer, ticked=2).ticked == 2
