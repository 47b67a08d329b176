"""What was acknowledged stands in HEAD, or is named with the place where it stands."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.cases import rarely
from tests.conftest import Clock
from tests.work import at_most
from vaultmem import Vault
from vaultmem.errors import DiskRefused, MassVanish, NothingToUndo
from vaultmem.records import Problem
from vaultmem.storage import git, ledger
from vaultmem.storage.index import edited_memories
from vaultmem.storage.ledger import entries, missing_cache, service
from vaultmem.storage.ledger.entries import Ledger, holds, memory_id
from vaultmem.storage.ledger.types import Entry, Release
from vaultmem.storage.writer import Writer

CODE = "not-in-head"
KNOWN = "01M827G91D053J4SZMB0077Y1A"
Person = Callable[..., str]


@pytest.fixture
def person(folder: Path) -> Person:
    """Return what runs git as a person does."""

    def git(*args: str) -> str:
        done = subprocess.run(
            ["git", *args], cwd=folder, capture_output=True, text=True, check=True
        )
        return done.stdout

    return git


def remember(vault: Vault, text: str = "The key hangs behind the door.") -> str:
    """Keep *text* and return its path."""
    made = vault.remember(text, agent="ada")
    assert made.commit
    return made.path


def told(problems: Sequence[Problem]) -> list[tuple[str, str]]:
    """Return which memories are named, and where they are said to stand."""
    named = [p for p in problems if p.code == CODE]
    return [(p.path, p.message.rpartition("HEAD: it is ")[2]) for p in named]


def both(vault: Vault) -> list[tuple[str, str]]:
    """Return what `fsck` and `status` name, who must agree."""
    by_fsck, by_status = told(vault.fsck().problems), told(vault.status().problems)
    assert by_fsck == by_status
    return by_fsck


def head(person: Person) -> list[str]:
    """Return the memories that HEAD has."""
    return person("ls-tree", "-r", "--name-only", "HEAD", "--", "agents").split()


def lose(folder: Path, person: Person, act: Callable[[], str]) -> str:
    """Let a git that read its index before *act* write it back after, and a person commit."""
    index = (folder / ".git/index").read_bytes()
    path = act()
    (folder / ".git/index").write_bytes(index)
    person("commit", "-qm", "a person's work", "--allow-empty")
    assert path not in head(person)
    return path


def test_a_memory_with_a_line_break_in_its_name_is_in_head(vault: Vault, folder: Path) -> None:
    (folder / "agents/ada/memories").mkdir(parents=True)
    for name in ("a\nb.md", "plain.md"):
        path = folder / "agents/ada/memories" / name
        path.write_text("The walnut tree was felled.\n")
        os.utime(path, (1_700_000_000, 1_700_000_000))
    vault.tick()
    assert ledger.count(folder) == 2
    assert both(vault) == []


# --- leaving and coming back ----------------------------------------------------------------------


def test_a_ledger_that_knows_no_texts_still_names_what_is_missing(
    vault: Vault, folder: Path, person: Person
) -> None:
    """As it was written before texts were accepted."""
    path = lose(folder, person, lambda: remember(vault))
    file = folder / missing_cache.ENTRIES
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("".join(json.dumps(line[:4]) + "\n" for line in lines))
    assert [it for it, _ in told(vault.fsck().problems)] == [path]


def replaced(vault: Vault, clock: Clock, act: Callable[[Path, Path], object]) -> tuple[str, str]:
    """Put one of two memories in the place of the other, by hand, and return where both were."""
    one, other = remember(vault), remember(vault, "The lamp stands on the sill.")
    act(vault.path / one, vault.path / other)
    clock.advance(minutes=5)
    return one, other


@pytest.mark.long
def test_a_memory_that_another_was_moved_onto_is_deleted_by_that(
    vault: Vault, folder: Path, clock: Clock
) -> None:
    one, other = replaced(vault, clock, Path.replace)
    assert [p.path for p in vault.fsck().problems if p.code == "missing"] == [other]
    assert vault.tick().commits
    assert [it.subject for it in vault.log(None)][1] == f"human: replace {other} by {one}"
    assert both(vault) == []
    (folder / missing_cache.ENTRIES).unlink()
    assert both(vault) == []


@pytest.mark.long
def test_a_memory_that_another_was_copied_onto_is_missing_and_comes_back_beside_it(
    vault: Vault, person: Person, clock: Clock
) -> None:
    _, other = replaced(vault, clock, shutil.copyfile)
    assert vault.tick().commits
    assert [path for path, _ in both(vault)] == [other]
    vault.fsck(repair=True)
    assert both(vault) == []
    texts = [person("show", f"HEAD:{it}") for it in head(person)]
    assert any("The lamp stands on the sill." in text for text in texts)


@pytest.mark.long
@pytest.mark.parametrize("act", [Path.replace, shutil.copyfile])
def test_a_memory_in_whose_place_a_person_committed_another_is_named_and_comes_back_beside_it(
    vault: Vault, folder: Path, person: Person, clock: Clock, act: Callable[[Path, Path], object]
) -> None:
    one, other = replaced(vault, clock, act)
    text = person("show", f"HEAD:{other}")
    person("commit", "-qam", "a person's work")
    assert [path for path, _ in both(vault)] == [other]
    assert [it.place for it in vault.store.writer.missing()] == [""]  # not on the branch it left
    (folder / missing_cache.ENTRIES).unlink()
    assert [path for path, _ in both(vault)] == [other]
    vault.fsck(repair=True)
    assert both(vault) == []
    (came,) = {*head(person)} - {one, other}
    assert (folder / came).read_text() == text
    assert memory_id((folder / other).read_bytes()) != memory_id(text.encode())


@pytest.mark.long
def test_two_memories_that_changed_places_are_both_there(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    def swap(one: Path, other: Path) -> None:
        texts = one.read_bytes(), other.read_bytes()
        one.write_bytes(texts[1])
        other.write_bytes(texts[0])

    _, other = replaced(vault, clock, swap)
    person("commit", "-qam", "a person's work")
    assert both(vault) == []
    (folder / other).unlink()
    person("commit", "-qam", "a person's work")
    ((path, place),) = both(vault)
    assert (path, place) == (other, "only in older commits")
    vault.fsck(repair=True)
    assert both(vault) == []


@pytest.mark.long
def test_what_has_an_older_version_of_another_in_its_place_comes_back_as_it_was_last(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    """Git has the newest version of a path, which is of the other memory by then."""
    _, other = replaced(vault, clock, Path.replace)
    text = person("show", f"HEAD:{other}")
    person("commit", "-qam", "a person's work")
    person("rm", "-q", other)
    person("commit", "-qm", "a person's work")
    (folder / missing_cache.ENTRIES).unlink()
    assert {path for path, _ in both(vault)} >= {other}
    vault.fsck(repair=True)
    assert both(vault) == []
    assert text in {(folder / path).read_text() for path in head(person)}


@pytest.mark.long
def test_what_an_old_index_took_out_is_named_and_comes_back_with_the_next_round(
    vault: Vault, folder: Path, person: Person
) -> None:
    path = lose(folder, person, lambda: remember(vault))
    assert both(vault) == [(path, "only on disk")]
    commit, _pointers = vault.tick().commits
    assert person("log", "-1", "--format=%H %s", commit).split(" ", 1) == [
        commit, "restore: a memory that had left the history\n"
    ]  # fmt: skip
    assert (path in head(person), both(vault)) == (True, [])
    assert person("status", "--porcelain") == ""


def test_any_command_that_commits_brings_it_back_in_a_commit_apart(
    vault: Vault, folder: Path, person: Person
) -> None:
    path = lose(folder, person, lambda: remember(vault))
    other = remember(vault, "The well is deep.")
    assert {path, other} <= {*head(person)}
    assert person("show", "--format=%s", "--name-only", "HEAD").split("\n\n") == [
        "restore: a memory that had left the history", f"{path}\n"
    ]  # fmt: skip


def test_it_comes_back_as_it_was_and_an_edit_stays_an_edit(
    vault: Vault, folder: Path, person: Person
) -> None:
    path = lose(folder, person, lambda: remember(vault))
    was = (folder / path).read_text()
    (folder / path).write_text(f"{was}half typ")
    vault.store.writer.commit_pending()
    assert person("show", f"HEAD:{path}") == was
    assert person("status", "--porcelain") == f" M {path}\n"


@pytest.mark.long
def test_what_stands_on_another_branch_is_named_with_it_until_it_is_here(
    vault: Vault, person: Person
) -> None:
    person("checkout", "-qb", "aside")
    path = remember(vault)
    person("checkout", "-q", "main")
    assert both(vault) == [(path, "on branch aside")]
    vault.tick()
    assert path not in head(person)  # it is the person who goes back, merges, or repairs
    person("checkout", "-q", "aside")
    assert both(vault) == []
    person("checkout", "-q", "main")
    person("merge", "-q", "aside")
    assert (path in head(person), both(vault)) == (True, [])


def test_a_repair_brings_it_here_from_another_branch(
    vault: Vault, folder: Path, person: Person
) -> None:
    person("checkout", "-qb", "aside")
    path = remember(vault)
    text = (folder / path).read_text()
    person("checkout", "-q", "main")
    assert vault.fsck(repair=True).ok
    assert (path in head(person), (folder / path).read_text()) == (True, text)
    person("merge", "-q", "aside")
    assert person("status", "--porcelain") == ""


@pytest.mark.long
def test_when_the_branch_goes_it_is_said_to_stand_in_older_commits(
    vault: Vault, person: Person
) -> None:
    person("checkout", "-qb", "aside")
    path = remember(vault)
    person("checkout", "-q", "main")
    assert both(vault) == [(path, "on branch aside")]
    person("branch", "-qD", "aside")
    assert both(vault) == [(path, "only in older commits")]
    assert vault.fsck(repair=True).ok
    assert path in head(person)


@pytest.mark.long
def test_what_a_rebase_dropped_is_brought_back_by_a_repair(vault: Vault, person: Person) -> None:
    kept = remember(vault, "The well is deep.")
    path = remember(vault)
    person("reset", "-q", "--hard", "HEAD~1")
    assert both(vault) == [(path, "only in older commits")]
    assert vault.fsck(repair=True).ok
    assert {kept, path} <= {*head(person)}


def test_an_amended_commit_that_drops_another_memory_lets_it_not_go(
    vault: Vault, folder: Path, person: Person
) -> None:
    """It has the message of an operation of ours, which took nothing away."""
    index = (folder / ".git/index").read_bytes()
    path = remember(vault)
    remember(vault, "The well is deep.")
    (folder / ".git/index").write_bytes(index)
    person("commit", "-q", "--amend", "--no-edit")
    assert (path, "only on disk") in both(vault)


@pytest.mark.long
def test_a_crowd_on_another_branch_is_counted_by_status_and_named_by_fsck(
    vault: Vault, person: Person
) -> None:
    person("checkout", "-qb", "aside")
    paths = [remember(vault, f"Fact {n} of the sea.") for n in range(11)]
    person("checkout", "-q", "main")
    vault.store.index.accept_missing()
    assert [path for path, _ in told(vault.fsck().problems)] == paths
    (crowd,) = (p for p in vault.status().problems if p.code == CODE)
    assert crowd.message.startswith("11 acknowledged memories are not in HEAD")
    assert "branch aside" in crowd.message


def test_a_credential_in_the_name_of_a_branch_is_not_told(vault: Vault, person: Person) -> None:
    secret = "ghp_" + "a1B2c3D4" * 5
    person("checkout", "-qb", f"by/{secret}")
    path = remember(vault)
    person("checkout", "-q", "main")
    ((named, place),) = both(vault)
    assert named == path
    assert place.startswith("on branch by/")
    assert secret not in place


@pytest.mark.long
def test_a_repair_brings_a_crowd_here_from_another_branch(vault: Vault, person: Person) -> None:
    """What is gone from here waits for a person, who has said now what it is to be."""
    person("checkout", "-qb", "aside")
    paths = {remember(vault, f"Fact {n} of the sea.") for n in range(12)}
    person("checkout", "-q", "main")
    with pytest.raises(MassVanish, match="the branch that has them"):
        vault.remember("The well is deep.", agent="ada")
    assert vault.fsck(repair=True).ok
    assert paths <= {*head(person)}
    vault.remember("The well is deep.", agent="ada")


# --- what is let go -------------------------------------------------------------------------------


def test_what_is_forgotten_is_not_missed(vault: Vault, person: Person) -> None:
    path = remember(vault)
    vault.forget(path)
    assert both(vault) == []
    assert path not in head(person)


def test_what_is_undone_is_not_missed(vault: Vault) -> None:
    made = vault.remember("The well is deep.", agent="ada")
    vault.undo(made.id)
    assert both(vault) == []


def test_what_a_person_deleted_and_we_committed_is_not_missed(
    vault: Vault, folder: Path, person: Person
) -> None:
    path = remember(vault)
    (folder / path).unlink()
    vault.store.sync()
    assert vault.store.writer.commit_edits(quiet=0)
    assert both(vault) == []
    assert path not in head(person)


@pytest.mark.long
@pytest.mark.parametrize("first", ["the memory", "the copy"])
def test_a_memory_of_which_a_person_kept_a_changed_copy_is_answered_for_there(
    vault: Vault, folder: Path, person: Person, first: str
) -> None:
    """They settle that two files have one id: no word of it is given up by that."""
    path = remember(vault)
    copy = f"{path.removesuffix('.md')}-copy.md"
    (folder / copy).write_text((folder / path).read_text() + "The spare one, too.\n")
    vault.store.sync()
    assert vault.store.writer.commit_edits(quiet=0)
    gone, kept = (path, copy) if first == "the memory" else (copy, path)
    (folder / gone).unlink()
    vault.store.sync()
    assert vault.store.writer.commit_edits(quiet=0)
    assert (head(person), both(vault)) == ([kept], [])
    person("rm", "-q", kept)
    person("commit", "-qm", "away with it")
    assert both(vault) == [(kept, "only in older commits")]


def test_what_a_person_deleted_by_a_commit_of_theirs_is_named_until_they_accept_it(
    vault: Vault, person: Person
) -> None:
    path = remember(vault)
    person("rm", "-q", path)
    person("commit", "-qm", "away with it")
    assert both(vault) == [(path, "only in older commits")]
    vault.tick()
    assert path not in head(person)
    assert vault.fsck(accept_missing=True).ok
    assert both(vault) == []


def let_go(vault: Vault, person: Person) -> tuple[str, str]:
    """Let a person delete a memory and let it go; return its path, and the commit that has it."""
    path, had = remember(vault), person("rev-parse", "HEAD").strip()
    person("rm", "-q", path)
    person("commit", "-qm", "away with it")
    assert vault.fsck(accept_missing=True).ok
    return path, had


@pytest.mark.long
@pytest.mark.parametrize("way", ["their commit", *rarely("a commit of ours", "another name")])
@pytest.mark.parametrize("command", [Vault.fsck, Vault.status])
def test_what_was_let_go_and_is_brought_back_is_answered_for_again(
    vault: Vault, folder: Path, person: Person, way: str, command: Callable[[Vault], object]
) -> None:
    remember(vault, "The well is deep.")
    path, had = let_go(vault, person)
    if way == "a commit of ours":
        (folder / path).write_text(person("show", f"{had}:{path}"))
        vault.store.sync()
        assert vault.store.writer.commit_edits(quiet=0)
    else:
        person("checkout", "-q", had, "--", path)
        if way == "another name":
            person("mv", path, path := f"{path.removesuffix('.md')}-again.md")
        person("commit", "-qm", "back again")
    assert path in head(person)
    command(vault)
    person("rm", "-q", path)
    person("commit", "-qm", "and away once more")
    assert both(vault) == [(path, "only in older commits")]
    vault.fsck(repair=True)
    assert path in head(person)


@pytest.mark.long
def test_what_comes_and_was_acknowledged_by_its_commit_costs_no_look_for_what_was_let_go(
    vault: Vault, folder: Path, person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go(vault, person)
    person("clone", "-q", str(folder), str(tmp_path / "clone"))
    with Vault.open(tmp_path / "clone", clock=vault.store.clock) as clone:
        remember(clone, "The well is deep.")
    person("pull", "-q", str(tmp_path / "clone"), "HEAD")
    monkeypatch.delattr(Ledger, "let_go")
    vault.store.writer.missing()


@pytest.mark.long
def test_what_was_let_go_stays_so_where_the_ledger_is_gone_and_in_clones(
    vault: Vault, folder: Path, person: Person, tmp_path: Path, clock: Clock
) -> None:
    """Also what stands on another branch: the history says that it was let go after that."""
    person("checkout", "-qb", "aside")
    remember(vault, "The spare key is at the neighbour's.")
    person("checkout", "-q", "main")
    path = remember(vault)
    person("rm", "-q", path)
    person("commit", "-qm", "away with it")
    clock.advance(seconds=1)
    assert vault.fsck(accept_missing=True).ok
    (folder / missing_cache.ENTRIES).unlink()
    assert both(vault) == []
    vault.fsck(repair=True)
    assert head(person) == []
    person("clone", "-q", str(folder), str(tmp_path / "clone"))
    with Vault.open(tmp_path / "clone", clock=clock) as clone:
        assert both(clone) == []
    (undone,) = (op.ops[0] for op in vault.log(1))
    with pytest.raises(NothingToUndo, match="changed no file"):
        vault.undo(undone)


@pytest.mark.long
def test_what_was_let_go_elsewhere_is_answered_for_where_it_still_stands(
    vault: Vault, folder: Path, person: Person, tmp_path: Path
) -> None:
    remember(vault, "The well is deep.")
    path = remember(vault)
    there = tmp_path / "there"
    person("clone", "-q", str(folder), str(there))
    with Vault.open(there, clock=vault.store.clock) as other:
        assert both(other) == []
        person("reset", "-q", "--hard", "HEAD~1")
        assert vault.fsck(accept_missing=True).ok
        for command in (
            ["pull", "-q", "--no-rebase", str(folder), "main"],
            ["rm", "-q", "--cached", path],
            ["commit", "-qm", "an old index"],
        ):
            subprocess.run(["git", *command], cwd=there, check=True)
            named = both(other)
    assert named == [(path, "only on disk")]


@pytest.mark.long
def test_what_is_purged_leaves_the_ledger_too(vault: Vault, folder: Path) -> None:
    path = remember(vault, "The zanzibar ledger is under the floor.")
    vault.forgetting.purge([path])
    assert b"zanzibar" not in (folder / missing_cache.ENTRIES).read_bytes()
    assert both(vault) == []


def test_a_memory_that_was_put_aside_before_its_commit_is_not_deleted(
    vault: Vault, folder: Path, person: Person
) -> None:
    """`git stash -u` took the file while its commit waited."""
    (folder / ".git/index.lock").touch()
    made = vault.remember("The well is deep.", agent="ada")
    (folder / ".git/index.lock").unlink()
    person("stash", "-qu")
    assert made.id in vault.store.writer.commit_pending()
    assert vault.store.writer.commit_edits(quiet=0) is None
    assert made.path in head(person)
    person("stash", "pop", "-q")
    assert (folder / made.path).exists()


def stashes(vault: Vault) -> list[tuple[str, str]]:
    """Return what `fsck` and `status` say of memories put aside, who must agree."""
    by_fsck, by_status = (
        [(p.path, p.message, p.repair) for p in problems if p.code in {"stashed", "missing"}]
        for problems in (vault.fsck().problems, vault.status().problems)
    )
    assert by_fsck == by_status
    return [(path, f"{message}; {repair}") for path, message, repair in by_fsck]


@pytest.mark.long
def test_a_memory_in_a_stash_is_named_with_it_before_and_after_its_commit_until_it_is_back(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    remember(vault)
    path = waiting(vault, folder)
    assert stashes(vault) == []
    person("stash", "-qu")
    (folder / "notes").mkdir(exist_ok=True)
    (folder / "notes/a.md").write_text("A person's own.\n")
    person("stash", "-qu")
    for _ in range(2):
        ((named, said),) = stashes(vault)
        assert named == path
        assert "it is in git's stash (stash@{1}); `git stash pop stash@{1}` brings it back" in said
        vault.tick()
        clock.advance(hours=1)
    assert path in head(person)
    person("stash", "pop", "-q", "stash@{1}")
    assert stashes(vault) == []
    assert [hit.path for hit in vault.recall("well deep").hits] == [path]


@pytest.mark.long
def test_a_memory_whose_stash_is_dropped_is_missing_and_may_be_deleted(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    path = waiting(vault, folder)
    person("stash", "-qu")
    vault.tick()
    person("stash", "drop", "-q")
    (found,) = vault.fsck().problems
    assert (found.code, found.path) == ("missing", path)
    clock.advance(hours=1)
    vault.tick()
    assert path not in head(person)
    assert vault.fsck().ok


def waiting(vault: Vault, folder: Path) -> str:
    """Keep a memory whose commit waits, and return its path."""
    (folder / ".git/index.lock").touch()
    made = vault.remember("The well is deep.", agent="ada")
    (folder / ".git/index.lock").unlink()
    assert made.commit is None
    return made.path


def test_a_memory_that_was_cleaned_away_before_its_commit_is_named_and_comes_back(
    vault: Vault, folder: Path, clock: Clock, person: Person
) -> None:
    """`git clean` takes what git has not: nobody deleted it."""
    path = waiting(vault, folder)
    text = (folder / path).read_bytes()
    person("clean", "-fdq")
    assert not (folder / path).exists()
    for problems in (vault.fsck().problems, vault.status().problems):
        assert path in [p.path for p in problems if p.code == "gone-before-commit"]
    vault.tick()
    clock.advance(hours=1)
    vault.tick()
    assert (folder / path).read_bytes() == text
    assert path in head(person)
    assert "human" not in person("log", "--format=%s")
    assert vault.fsck().ok


def test_a_journal_that_cannot_be_read_afterwards_refuses_nothing_that_was_written(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To look what was cleaned away is the next command's work, too."""

    def refuse(*_: object) -> tuple[()]:
        raise DiskRefused(".vaultmem/journal", "Input/output error")

    path = waiting(vault, folder)
    with monkeypatch.context() as refusing:
        refusing.setattr(Writer, "lacking", refuse)
        made = vault.correct(path, "The pump was serviced in May.")
    assert (folder / made.path).exists()


def test_a_memory_that_was_moved_before_its_commit_stays_where_it_was_moved(
    vault: Vault, folder: Path, clock: Clock, person: Person
) -> None:
    path = waiting(vault, folder)
    (folder / "archive").mkdir()
    (folder / path).rename(folder / "archive/well.md")
    clock.advance(hours=1)
    vault.tick()
    assert not (folder / path).exists()
    assert person("ls-tree", "--name-only", "HEAD", "archive/").split() == ["archive/well.md"]


@pytest.mark.long
def test_a_memory_that_was_forgotten_before_its_commit_stays_away(
    vault: Vault, folder: Path, person: Person
) -> None:
    path = waiting(vault, folder)
    (folder / ".git/index.lock").touch()
    vault.forget(path)
    (folder / ".git/index.lock").unlink()
    assert [p for p in vault.fsck().problems if p.code == "gone-before-commit"] == []
    vault.tick()
    assert not (folder / path).exists()
    assert path not in head(person)


# --- moved ----------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("committed_by", ["them", "us"])
def test_a_memory_that_a_person_moved_is_known_where_it_is(
    vault: Vault, folder: Path, person: Person, committed_by: str
) -> None:
    path = remember(vault)
    (folder / "archive").mkdir()
    person("mv", path, "archive/key.md")
    if committed_by == "them":
        person("commit", "-qm", "archived")
    else:
        person("reset", "-q")
        vault.store.sync()
        assert vault.store.writer.commit_edits(quiet=0)
    assert both(vault) == []
    person("rm", "-q", "archive/key.md")
    person("commit", "-qm", "away with it")
    assert both(vault) == [("archive/key.md", "only in older commits")]


@pytest.mark.long
@pytest.mark.parametrize("ledger_is_gone", [False, True])
def test_a_memory_of_which_one_of_two_copies_was_deleted_is_known_by_the_other(
    vault: Vault, folder: Path, person: Person, *, ledger_is_gone: bool
) -> None:
    """As `fsck` advises a person; what they keep is answered for as before."""
    path = remember(vault)
    copy = path.replace(".md", "-copy.md")
    text = (folder / path).read_text()
    (folder / copy).write_text(text.replace("agent: ada\n", "agent: ada\nmood: calm\n"))
    vault.store.sync()
    assert vault.store.writer.commit_edits(quiet=0)
    assert [p.code for p in vault.fsck().problems] == ["twins"]
    (folder / path).unlink()
    vault.store.sync()
    assert vault.store.writer.commit_edits(quiet=0)
    if ledger_is_gone:
        ledger.discard(folder)
    assert both(vault) == []
    person("rm", "-q", copy)
    person("commit", "-qm", "a person's work")
    assert both(vault) == [(copy, "only in older commits")]


# --- rebuilt ------------------------------------------------------------------------------------


@pytest.mark.parametrize("committed", [False, True])
def test_a_folder_whose_new_names_alone_are_staged_waits_for_its_person(
    vault: Vault,
    folder: Path,
    person: Person,
    committed: bool,  # noqa: FBT001
) -> None:
    """Else its memories were in no commit, and a `git reset --hard` would take them from disk."""
    path = remember(vault)
    month = (folder / path).parent
    new = month.rename(month.with_name("renamed")) / month.joinpath(path).name
    os.utime(month.parent, (1_700_000_000,) * 2)
    person("add", str(new))
    if not committed:
        vault.tick()
        assert path in head(person)
        person("reset", "-q", "--hard")
        assert (folder / path).exists()
        assert both(vault) == []
        return
    person("commit", "-qm", "renamed")
    vault.tick()
    assert head(person) == [str(new.relative_to(folder))]
    assert ledger.count(folder) == 1


@pytest.mark.long
def test_a_ledger_that_is_gone_is_made_anew_from_every_branch(
    vault: Vault, folder: Path, person: Person
) -> None:
    kept, gone = remember(vault), remember(vault, "The well is deep.")
    vault.forget(gone)
    person("checkout", "-qb", "aside")
    path = remember(vault, "The spare key is at the neighbour's.")
    person("checkout", "-q", "main")
    dropped = remember(vault, "The cellar is damp.")
    person("reset", "-q", "--hard", "HEAD~1")
    before = both(vault)
    (folder / missing_cache.ENTRIES).unlink()
    assert sorted(both(vault)) == sorted(before)
    assert {p for p, _ in before} == {path, dropped}
    with Ledger.of(folder) as made:
        assert {e.path for e in made.alive()} == {kept, path, dropped}


@pytest.mark.long
@pytest.mark.parametrize("harm", [b"", b"\0"])
def test_a_ledger_that_lost_its_second_half_is_made_anew(
    vault: Vault, folder: Path, person: Person, harm: bytes
) -> None:
    let_go, kept = remember(vault, "The well is deep."), remember(vault, "The cellar is damp.")
    person("rm", "-q", let_go)
    person("commit", "-qm", "nobody needs it")
    vault.fsck(accept_missing=True)
    lost = remember(vault)
    assert both(vault) == []
    file = folder / missing_cache.ENTRIES
    *first, last = file.read_bytes().splitlines(keepends=True)
    assert lost.encode() in last
    file.write_bytes(b"".join(first) + harm * len(last))
    person("rm", "-q", lost)
    person("commit", "-qm", "a merge tool's work")
    assert [path for path, _ in told(vault.fsck().problems)] == [lost]
    with Ledger.of(folder) as made:
        assert {e.path for e in made.alive()} == {kept, lost}


@pytest.mark.long
def test_a_vault_without_its_workings_loses_nothing_that_was_acknowledged(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    path = lose(folder, person, lambda: remember(vault))
    vault.close()
    shutil.rmtree(folder / ".vaultmem")
    with Vault.open(folder, clock=clock) as again:
        assert both(again) == [(path, "only on disk")]
        again.tick()
        assert path in head(person)


@pytest.mark.long
def test_what_comes_from_elsewhere_by_a_pull_is_in_the_ledger(
    vault: Vault, folder: Path, person: Person, tmp_path: Path
) -> None:
    """Another machine acknowledged it; here an old index may take it out as well."""
    remember(vault)
    there = tmp_path / "there"
    person("clone", "-q", str(folder), str(there))
    with Vault.open(there, clock=vault.store.clock) as other:
        path = remember(other, "The well is deep.")
    both(vault)
    person("pull", "-q", str(there), "main")
    assert both(vault) == []
    person("rm", "-q", "--cached", path)
    person("commit", "-qm", "an old index")
    assert both(vault) == [(path, "only on disk")]


def test_half_a_line_that_a_crash_left_is_passed_over(folder: Path) -> None:
    one, other = Entry("A" * 26, "agents/ada/memories/a.md", "op"), Release("B" * 26, "", "forget")
    with Ledger.of(folder) as made:
        made.become([one])
    with (folder / missing_cache.ENTRIES).open("ab") as file:
        file.write(b'["+","CCC')
    with Ledger.of(folder) as made:
        made.add([other])
        assert [*made.since(0)] == [one, other]


def test_a_new_ledger_takes_the_place_of_the_old_one_under_its_lock(folder: Path) -> None:
    one = Entry("A" * 26, "agents/ada/memories/a.md", "op")
    with Ledger.of(folder) as made:
        made.become([one])
        made.add([one])
    with Ledger.of(folder) as made:
        assert [*made.since(0)] == [one, one]


# --- what it costs --------------------------------------------------------------------------------


def filled(folder: Path, size: int) -> None:
    """Let the ledger hold so many memories, with a line each."""
    with Ledger.of(folder) as made:
        made.become(
            Entry(f"{n:026}", f"agents/ada/memories/2026/11/m{n}.md", KNOWN, f"{n:016x}")
            for n in range(size)
        )


@pytest.mark.long
@pytest.mark.without_history
def test_a_ledger_three_times_as_long_takes_no_more_memory(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is counted, learnt by an index, or rid of the lines of a memory."""
    monkeypatch.setattr(entries, "_PAGE", 1 << 14)
    monkeypatch.setattr(entries, "_AT_ONCE", 100)
    peaks: dict[int, list[int]] = {}
    for size in (700, 2_100):
        filled(folder, size)
        acts = (
            lambda: ledger.count(folder),
            vault.store.learn_accepted,
            lambda: service.purge(folder, ["agents/ada/memories/2026/11/m7.md"], {}),
        )
        peaks[size] = [at_most(act) for act in acts]
        assert ledger.count(folder) == size - 1
    few, many = peaks.values()
    assert [b / a < 1.5 for a, b in zip(few, many, strict=True)] == [True, True, True], peaks


def test_an_index_learns_a_ledger_page_by_page(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is whole lines, and each begins where the index has read up to."""
    monkeypatch.setattr(entries, "_PAGE", 200)
    filled(folder, 20)
    vault.store.learn_accepted()
    paths = [f"agents/ada/memories/2026/11/m{n}.md" for n in range(20)]
    assert [edited_memories.lost_at(vault.store.index, path) for path in paths] == [
        f"{n:026}" for n in range(20)
    ]
    assert ledger.growth(folder, edited_memories.learnt(vault.store.index)) is None


@pytest.mark.parametrize("torn", [b"\0" * 1000, b"[" * 100_000])
def test_what_a_torn_disk_left_in_a_ledger_hides_no_line_behind_it(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch, torn: bytes
) -> None:
    monkeypatch.setattr(entries, "_PAGE", 200)
    (folder / missing_cache.ENTRIES).write_bytes(torn + b"\n")
    path = "agents/ada/memories/2026/11/tea.md"
    with Ledger.of(folder) as made:
        made.add([Entry("1" * 26, path, KNOWN, f"{1:016x}")])
    vault.store.learn_accepted()
    assert edited_memories.lost_at(vault.store.index, path) == "1" * 26
    assert [it.path for it in ledger.standing(folder)] == [path]


def test_a_giant_line_that_a_torn_disk_left_is_not_held_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be joined again with every page."""
    monkeypatch.setattr(entries, "_PAGE", 1 << 14)
    (folder / missing_cache.ENTRIES).write_bytes(b"\0" * (1 << 22))
    known = Entry("1" * 26, "agents/ada/memories/2026/11/tea.md", KNOWN)
    with Ledger.of(folder) as made:
        made.add([known])
        assert at_most(lambda: [*made.since(0)]) < 1 << 18


def test_a_ledger_that_takes_the_place_of_one_that_is_read_is_not_mixed_with_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a purge of another process: nobody waits for who only reads."""
    monkeypatch.setattr(entries, "_PAGE", 200)
    filled(folder, 20)
    read, new = os.pread, Entry("A" * 26, "agents/ada/memories/a.md", "op")

    def beside(fd: int, size: int, start: int) -> bytes:
        data = read(fd, size, start)
        monkeypatch.setattr(os, "pread", read)
        with Ledger.of(folder) as made:
            made.become([new] * 20)
        return data

    monkeypatch.setattr(os, "pread", beside)
    assert sorted(it.id for it in ledger.standing(folder)) == [f"{n:026}" for n in range(20)]
    assert [*ledger.standing(folder)] == [new]


@pytest.mark.parametrize("made", [os.mkdir, os.mkfifo])
def test_a_ledger_that_cannot_be_read_is_not_gone(
    vault: Vault, folder: Path, made: Callable[[Path], None]
) -> None:
    """Nor waits anybody at a pipe that stands in its place."""
    path = remember(vault)
    file, aside = folder / missing_cache.ENTRIES, folder / ".vaultmem/aside"
    with (folder / path).open("a") as edited:
        edited.write("And the spare one is at Mara's.\n")
    vault.store.sync()
    named = {path: ""}
    assert edited_memories.paths(vault.store.index) == named
    file.rename(aside)
    made(file)
    vault.store.sync()
    assert edited_memories.paths(vault.store.index) == named
    with pytest.raises(DiskRefused, match=missing_cache.ENTRIES):
        ledger.count(folder)
    for problems in (vault.fsck().problems, vault.status().problems):
        (one,) = [p for p in problems if p.path == missing_cache.ENTRIES]
        assert one.message.startswith("it is no file: whether HEAD lacks a memory is not known")
    with pytest.raises(DiskRefused, match=missing_cache.ENTRIES), Ledger.of(folder):
        pass


def test_a_last_look_that_cannot_be_taken_away_is_told(vault: Vault, folder: Path) -> None:
    remember(vault)
    look = folder / ".vaultmem/verified.json"
    look.unlink()
    look.mkdir()
    with Ledger.of(folder) as known, pytest.raises(DiskRefused, match=look.name):
        known.become(())


def test_while_nothing_moves_no_git_is_asked(
    vault: Vault, folder: Path, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(vault)
    remember(vault, "The well is deep.")
    assert ledger.is_current(folder)
    person("gc", "-q")
    assert ledger.is_current(folder)
    monkeypatch.setattr(service.Acknowledged, "compare", None)
    assert vault.status().status == "OK"
    assert vault.store.writer.commit_pending() == {}


def test_a_stash_in_which_no_memory_is_asks_no_git(
    vault: Vault, folder: Path, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(vault)
    (folder / "own.txt").write_text("A person's own.\n")
    person("stash", "-qu")
    monkeypatch.setattr(git.Repository, "stashed", None)
    assert (vault.status().status, stashes(vault)) == ("OK", [])


def test_our_own_commits_need_no_second_look(vault: Vault, folder: Path) -> None:
    """One comparison at the beginning; each commit of ours moves what is known along."""
    remember(vault)
    for n in range(3):
        remember(vault, f"Fact {n} of the sea.")
        assert ledger.is_current(folder)
    raw = json.loads((folder / ".vaultmem/verified.json").read_text())
    assert raw["size"] == (folder / missing_cache.ENTRIES).stat().st_size


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"---\nid: {KNOWN}\n---\nx", KNOWN),
        (f"---\r\ntype: memory\r\nid: '{KNOWN.lower()}'\r\n---\r\nx", KNOWN),
        (f"---\ntype: memory\n---\nid: {KNOWN}\n", ""),
        ("no frontmatter", ""),
    ],
)  # fmt: skip
def test_the_id_of_a_memory_is_read_from_its_frontmatter_alone(text: str, found: str) -> None:
    assert memory_id(text.encode()) == found


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("agents/ada/memories/2026/11/a.md", True),
        ("inbox/review/a.md", True),
        ("agents/ada/summaries/longterm.md", False),
        ("topics/memories/a.md", False),
        ("agents/ada/memories/a.txt", False),
    ],
)
def test_memories_are_told_by_where_they_lie(path: str, is_one: bool) -> None:  # noqa: FBT001
    assert holds(path) is is_one


def test_the_memories_that_a_page_of_the_ledger_speaks_of_are_asked_for_at_once(
    vault: Vault,
) -> None:
    """One by one they took as long as to note what it says of them."""
    for place in ("door", "stairs", "clock"):
        remember(vault, f"A key hangs behind the {place}.")
    asked: list[str] = []
    db = vault.store.index.db
    (growth,) = filter(None, [ledger.growth(vault.path, "")])
    db.set_trace_callback(asked.append)
    edited_memories.learn(vault.store.index, growth)
    db.set_trace_callback(None)
    assert len([it for it in asked if "JOIN bodies" in it]) == 1
