"""What was acknowledged in a commit of ours stands in HEAD, or is named with where it stands."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import Clock, Prepared
from vaultmem import Vault
from vaultmem.errors import Refused
from vaultmem.knowledge.cards.types import Patch
from vaultmem.records import Problem
from vaultmem.storage import ledger
from vaultmem.storage.git import Blob, Repository, history_rewrite
from vaultmem.storage.ledger import service

CODE = "not-in-head"
TALK = "agents/ada/sessions/talk.jsonl"
CARD = "cards/people/sarah.md"
TASK = "tasks/task-0001.md"
OLDER = "only in older commits"
Person = Callable[..., str]


def run(folder: Path, *args: str) -> str:
    """Run git in *folder* as a person does."""
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def person(folder: Path) -> Person:
    """Return what runs git as a person does."""
    return lambda *args: run(folder, *args)


def say(vault: Vault, text: str) -> None:
    """Say *text* in a session, in a commit of its own."""
    vault.say("talk", text, agent="ada")
    vault.history.commit_pending()


def set_age(vault: Vault, age: int) -> None:
    """Change the card of Sarah."""
    vault.cards.set("people/sarah", Patch({"age": age}, (), "Sarah", "daughter", "told"))
    vault.history.commit_pending()


@pytest.fixture
def vault(prepared: Prepared) -> Vault:
    """Open the vault with what stays: a turn and a card."""
    return prepared(begin)


def begin(vault: Vault) -> None:
    """Make what stays: a turn and a card."""
    say(vault, "One alpha.")
    set_age(vault, 7)


def work(vault: Vault) -> None:
    """Do what will leave HEAD: a turn, a change of the card, a task."""
    say(vault, "Two beta.")
    set_age(vault, 9)
    vault.tasks.create("Buy paint")


def told(problems: Sequence[Problem]) -> list[tuple[str, str]]:
    """Return which files are named, and where what was done to them is said to stand."""
    named = [p for p in problems if p.code == CODE]
    return [(p.path, p.message.rpartition("HEAD: it is ")[2]) for p in named]


def both(vault: Vault) -> list[tuple[str, str]]:
    """Return what `fsck` and `status` name, who must agree."""
    by_fsck, by_status = told(vault.fsck().problems), told(vault.status().problems)
    assert by_fsck == by_status
    return by_fsck


def turns(folder: Path) -> list[tuple[int, str]]:
    """Return the turns of the talk, each with its number."""
    lines = map(json.loads, (folder / TALK).read_text().splitlines())
    return [(line["turn"], line["content"]) for line in lines]


def everywhere(place: str) -> list[tuple[str, str]]:
    """Return what is named where all of the work stands at *place*."""
    return [(TALK, place), (CARD, place), (TASK, place)]


# --- leaving and coming back ----------------------------------------------------------------------


@pytest.mark.long
def test_what_a_reset_took_is_named_and_comes_back_without_a_word_of_others_lost(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    work(vault)
    person("reset", "-q", "--hard", "HEAD~3")
    clock.advance(seconds=1)
    say(vault, "Three gamma.")
    assert both(vault) == everywhere(OLDER)
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha."), (2, "Three gamma."), (3, "Two beta.")]
    assert 'age: "9"' in (folder / CARD).read_text()
    assert "Buy paint" in (folder / TASK).read_text()
    assert "Buy paint" in (folder / "TASKS.md").read_text()
    assert (person("status", "--porcelain"), both(vault)) == ("", [])
    shutil.rmtree(folder / ".vaultmem")
    assert both(vault) == []  # the history says that it is here again


@pytest.mark.long
def test_what_was_done_on_a_branch_for_a_moment_is_named_with_it_until_it_is_here(
    vault: Vault, person: Person
) -> None:
    person("checkout", "-qb", "aside")
    work(vault)
    person("checkout", "-q", "main")
    assert both(vault) == everywhere("on branch aside")
    person("checkout", "-q", "aside")
    assert both(vault) == []
    person("checkout", "-q", "main")
    assert both(vault) == everywhere("on branch aside")
    person("branch", "-qD", "aside")
    assert both(vault) == everywhere(OLDER)
    assert vault.fsck(repair=True).ok


@pytest.mark.long
def test_an_amended_commit_has_what_it_had_whatever_a_person_mends_beside_it(
    vault: Vault, folder: Path, person: Person
) -> None:
    """Their message names no operation any more; what was done is there all the same."""
    say(vault, "Two gama.")
    talk = folder / TALK
    talk.write_text(talk.read_text().replace("gama", "gamma"))
    person("commit", "-qa", "--amend", "-m", "mend a word")
    set_age(vault, 9)
    with (folder / CARD).open("a") as card:
        card.write("She likes tea.\n")
    person("commit", "-qa", "--amend", "-m", "my own line")
    assert both(vault) == []
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha."), (2, "Two gamma.")]


@pytest.mark.long
def test_a_turn_that_an_amended_commit_says_in_other_words_is_named_and_stays_as_they_are(
    vault: Vault, folder: Path, person: Person
) -> None:
    """A person may have taken them out: they do not come back beside it."""
    say(vault, "Two beta.")
    talk = folder / TALK
    talk.write_text(talk.read_text().replace("Two beta.", "Left out."))
    person("commit", "-qa", "--amend", "-m", "leave it out")
    assert both(vault) == [(TALK, OLDER)]
    (one,) = [p for p in vault.fsck(repair=True).problems if p.code == CODE]
    assert "`git show " in one.repair
    assert turns(folder) == [(1, "One alpha."), (2, "Left out.")]
    assert vault.fsck(accept_missing=True).ok


@pytest.mark.long
def test_a_turn_that_two_commits_brought_which_left_comes_back_once(
    vault: Vault, folder: Path, person: Person
) -> None:
    say(vault, "Two beta.")
    person("commit", "-q", "--amend", "--no-edit", "--date=2026-11-20T11:00:00")
    person("reset", "-q", "--hard", "HEAD~1")
    shutil.rmtree(folder / ".vaultmem")  # the reflog has both
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha."), (2, "Two beta.")]


@pytest.mark.long
def test_while_a_rebase_is_half_done_nothing_is_told_of_what_it_may_bring(
    vault: Vault, folder: Path, person: Person
) -> None:
    (folder / "notes").mkdir()
    (folder / "notes/mine.md").write_text("Mine.\n")
    person("add", "notes")
    person("commit", "-qm", "a note of mine")
    work(vault)
    person("-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "-qi", "HEAD~4")
    assert not (folder / TASK).exists()
    assert both(vault) == []
    vault.fsck(repair=True)
    person("rebase", "--continue")
    assert (turns(folder)[1:], both(vault)) == ([(2, "Two beta.")], [])


@pytest.mark.long
def test_while_something_is_named_the_newest_operation_is_guarded_too(
    vault: Vault, person: Person
) -> None:
    say(vault, "Two beta.")
    person("reset", "-q", "--hard", "HEAD~1")
    assert both(vault) == [(TALK, OLDER)]
    set_age(vault, 9)
    vault.tasks.create("Buy paint")
    person("reset", "-q", "--hard", "HEAD~1")
    assert both(vault) == [(TALK, OLDER), (TASK, OLDER)]
    assert vault.fsck(repair=True).ok
    assert both(vault) == []


@pytest.mark.long
def test_what_a_person_took_into_a_commit_of_their_own_is_named_once_that_leaves(
    vault: Vault, person: Person
) -> None:
    work(vault)
    person("reset", "-q", "--soft", "HEAD~3")
    person("commit", "-qm", "my day")
    assert both(vault) == []
    person("commit", "-q", "--amend", "-m", "my whole day")
    assert both(vault) == []
    vault.tasks.create("Paint the shed")
    person("reset", "-q", "--hard", "HEAD~1")
    assert both(vault) == [("tasks/task-0002.md", OLDER)]
    person("reset", "-q", "--hard", "HEAD~1")
    assert both(vault) == [("tasks/task-0002.md", OLDER), *everywhere(OLDER)]
    assert vault.fsck(repair=True).ok
    assert both(vault) == []


@pytest.mark.long
def test_what_git_has_thrown_away_is_named_once_the_commit_that_has_it_leaves(
    vault: Vault, person: Person
) -> None:
    work(vault)
    person("reset", "-q", "--soft", "HEAD~3")
    person("commit", "-qm", "my day")
    assert both(vault) == []
    person("reflog", "expire", "--expire=now", "--all")
    person("gc", "-q", "--prune=now")
    person("reset", "-q", "--hard", "HEAD~1")
    assert both(vault) == everywhere("nowhere in git")


@pytest.mark.long
def test_what_was_taken_back_behind_a_persons_commit_stays_taken_back_when_it_is_reworded(
    vault: Vault, person: Person
) -> None:
    set_age(vault, 9)
    person("commit", "-q", "--amend", "-m", "mine")
    assert both(vault) == []
    person("revert", "--no-edit", "HEAD")
    person("commit", "-q", "--amend", "-m", "not so")
    assert both(vault) == []
    set_age(vault, 11)
    person("commit", "-q", "--amend", "-m", "but so")
    assert both(vault) == []


@pytest.mark.long
def test_a_squash_that_quotes_operations_and_lacks_their_work_does_not_settle_them(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    person("checkout", "-qb", "aside")
    work(vault)
    person("checkout", "-q", "main")
    clock.advance(seconds=1)
    say(vault, "Two gamma.")
    vault.tasks.create("Sell paint")
    with pytest.raises(subprocess.CalledProcessError):
        person("merge", "-q", "--squash", "aside")
    person("checkout", "-q", "--ours", ".")
    person("add", "-A")
    person("commit", "-q", "--no-edit")
    person("branch", "-qD", "aside")
    assert both(vault) == [(TALK, OLDER), (TASK, OLDER)]
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha."), (2, "Two gamma."), (3, "Two beta.")]
    assert [it.subject for it in vault.tasks.list()] == ["Sell paint", "Buy paint"]


@pytest.mark.long
def test_a_turn_that_a_commit_of_its_name_lacks_is_named_and_what_it_says_of_a_card_counts(
    vault: Vault, folder: Path, person: Person
) -> None:
    set_age(vault, 9)
    card = folder / CARD
    card.write_text(card.read_text().replace('"9"', '"8"'))
    person("commit", "-qa", "--amend", "--no-edit")
    assert both(vault) == []
    say(vault, "Two beta.")
    said = (folder / TALK).read_text().splitlines(keepends=True)
    (folder / TALK).write_text(said[0])
    person("commit", "-qa", "--amend", "--no-edit", "--allow-empty")
    assert both(vault) == [(TALK, OLDER)]


def test_what_a_person_changes_as_they_pick_it_is_theirs_to_say(
    vault: Vault, folder: Path, person: Person
) -> None:
    """Also where git says behind it from where it was picked."""
    person("checkout", "-qb", "aside")
    set_age(vault, 9)
    person("checkout", "-q", "main")
    person("cherry-pick", "-x", "aside")
    (folder / CARD).write_text((folder / CARD).read_text().replace('"9"', '"8"'))
    person("commit", "-qa", "--amend", "--no-edit")
    assert "(cherry picked from" in person("log", "-1", "--format=%b")
    assert both(vault) == []


@pytest.mark.long
def test_a_merge_of_the_branch_settles_it_before_and_after_a_repair(
    vault: Vault, person: Person
) -> None:
    person("checkout", "-qb", "aside")
    work(vault)
    person("checkout", "-q", "main")
    assert both(vault)
    assert vault.fsck(repair=True).ok
    person("merge", "-q", "aside")
    assert (vault.fsck().ok, both(vault)) == (True, [])


def join_lines(person: Person) -> None:
    person("checkout", "-q", "main")
    person("merge", "-q", "aside")


def pick(person: Person) -> None:
    person("checkout", "-q", "main")
    person("cherry-pick", "-x", "main..aside")


def squash(person: Person) -> None:
    person("checkout", "-q", "main")
    person("merge", "-q", "--squash", "aside")
    person("commit", "-q", "--no-edit")


def squash_in_own_words(person: Person) -> None:
    person("checkout", "-q", "main")
    person("merge", "-q", "--squash", "aside")
    person("commit", "-qm", "All of it.")


def rebase(person: Person) -> None:
    person("commit", "-q", "--allow-empty", "-m", "other work")
    person("checkout", "-q", "main")
    person("commit", "-q", "--allow-empty", "-m", "a person's own")
    person("rebase", "-q", "main", "aside")


@pytest.mark.long
@pytest.mark.parametrize("bring", [join_lines, pick, squash, squash_in_own_words, rebase])
def test_what_a_person_brings_by_other_commits_is_there(
    vault: Vault, folder: Path, person: Person, bring: Callable[[Person], None]
) -> None:
    person("checkout", "-qb", "aside")
    work(vault)
    bring(person)
    set_age(vault, 10)  # it goes on from there, before anybody looks
    say(vault, "Three gamma.")
    assert both(vault) == []
    shutil.rmtree(folder / ".vaultmem")
    assert both(vault) == []


@pytest.mark.long
def test_what_was_undone_there_and_what_a_person_takes_back_is_no_loss(
    vault: Vault, person: Person
) -> None:
    person("checkout", "-qb", "aside")
    set_age(vault, 9)
    vault.undo(vault.log(1)[0].ops[0])
    person("checkout", "-q", "main")
    assert both(vault) == []
    set_age(vault, 11)
    person("revert", "--no-edit", "HEAD")
    assert both(vault) == []


@pytest.mark.long
def test_of_a_file_that_is_another_now_the_commit_is_named_and_nothing_is_overwritten(
    vault: Vault, folder: Path, person: Person
) -> None:
    set_age(vault, 9)
    commit = person("rev-parse", "HEAD").strip()
    person("reset", "-q", "--hard", "HEAD~1")
    set_age(vault, 12)
    (one,) = [p for p in vault.fsck(repair=True).problems if p.code == CODE]
    assert (one.path, f"`git show {commit[:12]}`" in one.repair) == (CARD, True)
    assert 'age: "12"' in (folder / CARD).read_text()
    assert vault.fsck(accept_missing=True).ok
    assert both(vault) == []
    shutil.rmtree(folder / ".vaultmem")
    assert both(vault) == []  # the history says that it was let go


@pytest.mark.long
def test_a_task_whose_number_another_has_comes_back_under_one_that_is_free(
    vault: Vault, folder: Path, person: Person
) -> None:
    """With all that was done to it, and what waits for it."""
    person("checkout", "-qb", "aside")
    vault.tasks.create("Buy milk")
    vault.tasks.update(1, description="Two litres of it.")
    vault.tasks.create("Drink it", blocked_by=[1])
    person("checkout", "-q", "main")
    vault.tasks.create("Paint the shed")
    vault.tasks.create("Sell it", blocked_by=[1])
    assert both(vault) == [(f"tasks/task-000{n}.md", "on branch aside") for n in (1, 1, 1)]
    assert vault.fsck(repair=True).ok
    tasks = [(it.subject, it.description, it.blocked_by) for it in vault.tasks.list()]
    assert tasks == [
        ("Paint the shed", "", ()),
        ("Sell it", "", (1,)),
        ("Buy milk", "Two litres of it.", ()),
        ("Drink it", "", (3,)),
    ]
    assert "Drink it" in (folder / "TASKS.md").read_text()
    assert (person("status", "--porcelain"), both(vault)) == ("", [])
    assert vault.fsck(repair=True).ok
    assert len(vault.tasks.list()) == len(tasks)


@pytest.mark.long
def test_a_change_that_left_is_named_though_one_behind_it_was_made_again(
    vault: Vault, person: Person
) -> None:
    vault.cards.set("people/sarah", Patch(fields={"city": "Lyon"}))
    set_age(vault, 9)
    person("reset", "-q", "--hard", "HEAD~2")
    vault.cards.set("people/sarah", Patch(fields={"age": "9", "sport": "judo"}))
    assert both(vault) == [(CARD, OLDER)]


def test_what_was_changed_again_before_a_person_joined_it_is_no_loss(
    vault: Vault, folder: Path, person: Person
) -> None:
    set_age(vault, 8)
    set_age(vault, 9)
    with (folder / CARD).open("a") as card:
        card.write("She likes tea.\n")
    person("reset", "-q", "--soft", "HEAD~2")
    person("commit", "-qam", "all of it")
    assert both(vault) == []


@pytest.mark.long
def test_an_operation_comes_back_whole_or_not_at_all(
    vault: Vault, folder: Path, person: Person
) -> None:
    """A note under its new name beside the old one would be there twice."""
    reach = vault.reach()
    reach.create("notes/plan.md", "Paint the shed.\n")
    vault.history.commit_pending()
    reach.rename("notes/plan.md", "notes/shed.md")
    vault.history.commit_pending()
    person("reset", "-q", "--hard", "HEAD~1")
    (one,) = [p for p in vault.fsck(repair=True).problems if p.code == CODE]
    assert (one.path, "`git show " in one.repair) == ("notes/plan.md", True)
    assert [it.name for it in (folder / "notes").iterdir()] == ["plan.md"]
    assert vault.fsck(accept_missing=True).ok


@pytest.mark.long
def test_while_a_crowd_is_gone_from_disk_what_comes_back_waits_for_it_and_says_so(
    vault: Vault, folder: Path, person: Person
) -> None:
    for n in range(12):
        vault.remember(f"Fact {n} of the sea.", agent="ada")
    vault.tasks.create("Paint the shed")
    say(vault, "Two beta.")
    set_age(vault, 9)
    person("reset", "-q", "--hard", "HEAD~2")
    shutil.rmtree(folder / "agents/ada/memories")
    (folder / CARD).unlink()
    problems = vault.fsck(repair=True).problems
    assert {CODE, "vanished"} <= {p.code for p in problems}
    first = "bring back what is gone from disk"
    assert all(p.repair.startswith(first) for p in problems if p.code == CODE)
    person("checkout", "--", "agents")
    problems = vault.fsck(repair=True).problems
    ((path, repair),) = [(p.path, p.repair) for p in problems if p.code == CODE]
    assert (path, f"`git checkout -- {CARD}`" in repair) == (CARD, True)
    assert turns(folder) == [(1, "One alpha."), (2, "Two beta.")]
    person("checkout", "--", ".")
    assert vault.fsck(repair=True).ok
    assert 'age: "9"' in (folder / CARD).read_text()
    assert "Paint the shed" in (folder / "TASKS.md").read_text()


@pytest.mark.long
def test_what_another_branch_alone_has_comes_here_in_one_go(
    vault: Vault, folder: Path, person: Person
) -> None:
    """Many files among that, which are a crowd that went with the branch."""
    person("checkout", "-qb", "aside")
    for n in range(12):
        vault.tasks.create(f"Task {n}")
    work(vault)
    person("checkout", "-q", "main")
    assert vault.fsck(repair=True).ok
    assert len(vault.tasks.list()) == 13
    assert "Buy paint" in (folder / "TASKS.md").read_text()
    assert turns(folder) == [(1, "One alpha."), (2, "Two beta.")]


@pytest.mark.long
def test_what_a_soft_reset_left_staged_is_named_until_it_is_committed_again(
    vault: Vault, person: Person
) -> None:
    """A repair has nothing to bring back, and lets nothing go."""
    vault.tasks.create("Buy paint")
    set_age(vault, 9)
    person("reset", "-q", "--soft", "HEAD~2")
    laid = "only on disk"
    assert both(vault) == [(TASK, laid), (CARD, laid)]
    vault.fsck(repair=True)
    assert both(vault) == [(TASK, laid), (CARD, laid)]
    person("reset", "-q", "--hard")
    assert both(vault) == [(TASK, OLDER), (CARD, OLDER)]
    assert vault.fsck(repair=True).ok
    person("reset", "-q", "--soft", "HEAD~1")
    person("commit", "-qm", "mine")
    assert both(vault) == []


@pytest.mark.long
def test_what_is_let_go_stays_away(vault: Vault, folder: Path, person: Person) -> None:
    work(vault)
    person("reset", "-q", "--hard", "HEAD~3")
    assert vault.fsck(accept_missing=True).ok
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha.")]
    assert person("show", "-s", "--format=%s", "HEAD") == "release: 3 missing operations\n"


@pytest.mark.long
def test_where_our_own_folder_is_gone_the_reflog_and_the_branches_tell(
    vault: Vault, folder: Path, person: Person
) -> None:
    person("checkout", "-qb", "aside")
    set_age(vault, 9)
    person("checkout", "-q", "main")
    say(vault, "Two beta.")
    person("reset", "-q", "--hard", "HEAD~1")
    shutil.rmtree(folder / ".vaultmem")
    assert both(vault) == [(CARD, "on branch aside"), (TALK, OLDER)]


@pytest.mark.long
def test_what_git_has_thrown_away_stays_named(vault: Vault, person: Person) -> None:
    say(vault, "Two beta.")
    person("reset", "-q", "--hard", "HEAD~1")
    assert both(vault) == [(TALK, OLDER)]
    person("reflog", "expire", "--expire=now", "--all")
    person("gc", "-q", "--prune=now")
    assert both(vault) == [(TALK, "nowhere in git")]
    vault.fsck(repair=True)
    assert both(vault) == [(TALK, "nowhere in git")]
    assert vault.fsck(accept_missing=True).ok


@pytest.mark.long
def test_a_commit_that_head_was_on_and_that_git_has_thrown_away_is_named(
    vault: Vault, person: Person
) -> None:
    """What else was done on it nobody can tell."""
    person("checkout", "-qb", "aside")
    set_age(vault, 9)
    commit = person("rev-parse", "HEAD")[:12]
    person("checkout", "-q", "main")
    person("branch", "-qD", "aside")
    person("reflog", "expire", "--expire=now", "--all")
    person("gc", "-q", "--prune=now")
    thrown = (
        f"HEAD was on {commit}, which git has thrown away: "
        "what was done on it beyond memories is not known"
    )
    assert both(vault) == [("", thrown)]
    vault.fsck(repair=True)
    say(vault, "Two beta.")
    assert both(vault) == [("", thrown)]
    assert vault.fsck(accept_missing=True).ok
    assert both(vault) == []


# --- what others committed first ------------------------------------------------------------------


@contextmanager
def busy(folder: Path) -> Iterator[None]:
    """Let a person's git be at work: what is done meanwhile waits for its commit."""
    lock = folder / ".git/index.lock"
    lock.touch()
    yield
    lock.unlink()


def take(vault: Vault, folder: Path, person: Person) -> str:
    """Do work that a person's own commit takes, on a branch of theirs; return their commit."""
    person("checkout", "-qb", "aside")
    with busy(folder):
        work(vault)
    (folder / "notes").mkdir()
    (folder / "notes/mine.md").write_text("Mine.\n")
    person("add", "-A")
    person("commit", "-qm", "my day")
    taken = person("rev-parse", "HEAD").strip()
    vault.history.commit_pending()
    assert both(vault) == []
    return taken


@pytest.mark.long
def test_what_waited_and_a_person_committed_is_named_with_its_branch_and_comes_back(
    vault: Vault, folder: Path, person: Person
) -> None:
    """Nothing of theirs comes along, though it is in the same commit."""
    take(vault, folder, person)
    person("checkout", "-q", "main")
    assert both(vault) == [(TALK, "on branch aside")]
    (one,) = [p for p in vault.fsck().problems if p.code == CODE]
    assert "my day" in one.message
    assert "and 2 more" in one.message
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha."), (2, "Two beta.")]
    assert 'age: "9"' in (folder / CARD).read_text()
    assert "Buy paint" in (folder / TASK).read_text()
    assert not (folder / "notes/mine.md").exists()
    person("branch", "-qD", "aside")
    assert both(vault) == []


@pytest.mark.long
def test_what_waited_and_a_person_committed_stays_named_when_git_has_thrown_it_away(
    vault: Vault, folder: Path, person: Person
) -> None:
    take(vault, folder, person)
    person("checkout", "-q", "main")
    (folder / ".vaultmem/verified.json").unlink()  # the ledger knows it all the same
    assert both(vault) == [(TALK, "on branch aside")]
    person("branch", "-qD", "aside")
    person("reflog", "expire", "--expire=now", "--all")
    person("gc", "-q", "--prune=now")
    assert both(vault) == [(TALK, "nowhere in git")]
    assert vault.fsck(accept_missing=True).ok
    assert both(vault) == []


@pytest.mark.long
def test_what_waited_and_a_person_committed_is_there_where_they_bring_it_otherwise(
    vault: Vault, folder: Path, person: Person
) -> None:
    taken = take(vault, folder, person)
    person("checkout", "-q", "main")
    assert both(vault) == [(TALK, "on branch aside")]
    person("cherry-pick", taken)
    person("branch", "-qD", "aside")
    assert both(vault) == []
    person("commit", "-q", "--amend", "-m", "my whole day")
    assert both(vault) == []
    person("reset", "-q", "--hard", "HEAD~1")
    assert both(vault) == [(TALK, OLDER)]


@pytest.mark.long
def test_of_two_turns_that_a_person_committed_one_of_both_are_answered_for(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    vault.say("talk", "Two beta.", agent="ada")
    person("commit", "-qam", "my day")
    clock.advance(seconds=1)
    say(vault, "Three gamma.")
    assert both(vault) == []
    person("reset", "-q", "--hard", "HEAD~2")
    assert both(vault) == [(TALK, OLDER), (TALK, OLDER)]
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha."), (2, "Two beta."), (3, "Three gamma.")]


def test_what_git_lost_of_a_persons_commit_holds_up_no_commit_of_ours(
    vault: Vault, folder: Path, person: Person
) -> None:
    vault.say("talk", "Two beta.", agent="ada")
    for text in ("Mine.\n", "Two beta.\n"):
        (folder / TALK).write_text((folder / TALK).read_text() + text)
        person("commit", "-qam", "my day")
    lost = person("rev-parse", f"HEAD~1:{TALK}").strip()
    (folder / ".git/objects" / lost[:2] / lost[2:]).unlink()
    assert vault.store.writer.waiting() == 1
    vault.history.commit_pending()
    assert vault.store.writer.waiting() == 0


def test_a_commit_of_a_person_that_has_nothing_of_what_waited_is_theirs_alone(
    vault: Vault, folder: Path, person: Person
) -> None:
    vault.say("talk", "Two beta.", agent="ada")
    with (folder / CARD).open("a") as card:
        card.write("She likes tea.\n")
    person("commit", "-qm", "her tea", CARD)
    with busy(folder):
        vault.cards.set("people/sarah", Patch({"age": 9}, (), "Sarah", "daughter", "told"))
    vault.history.commit_pending()
    person("revert", "--no-edit", "HEAD~2")
    assert both(vault) == []


@pytest.mark.long
def test_what_waited_while_a_person_merged_is_answered_for_by_their_merge(
    vault: Vault, folder: Path, person: Person
) -> None:
    """Nothing of ours is committed then, and who ends the merge commits all there is."""
    person("checkout", "-qb", "aside")
    for branch in ("aside", "main"):
        person("checkout", "-q", branch)
        (folder / f"{branch}.md").write_text("Mine.\n")
        person("add", "-A")
        person("commit", "-qm", branch)
    before = person("rev-parse", "HEAD").strip()
    person("merge", "-q", "--no-commit", "--no-ff", "aside")
    work(vault)
    person("add", "-A")
    person("commit", "-qm", "merged")
    vault.history.commit_pending()
    assert both(vault) == []
    person("reset", "-q", "--hard", before)
    assert both(vault) == [(TALK, OLDER)]
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha."), (2, "Two beta.")]
    assert 'age: "9"' in (folder / CARD).read_text()
    assert "Buy paint" in (folder / TASK).read_text()
    assert not (folder / "aside.md").exists()


@pytest.mark.long
def test_a_merge_that_leaves_out_what_a_person_committed_first_is_named(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    take(vault, folder, person)
    person("checkout", "-q", "main")
    clock.advance(seconds=1)
    say(vault, "Two gamma.")
    place = merge_for_one_side(person, "ours", "aside")
    assert both(vault) == [(TALK, place)]
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha."), (2, "Two gamma."), (3, "Two beta.")]


# --- cut transcripts ------------------------------------------------------------------------------


def cut(person: Person, folder: Path, *turns: int) -> str:
    """Commit the talk as a person does with these *turns* of it, and return how that is named."""
    lines = (folder / TALK).read_text().splitlines(keepends=True)
    (folder / TALK).write_text("".join(lines[n - 1] for n in turns))
    person("commit", "-qam", "wip")
    return f"only in older commits: the commit {person('rev-parse', 'HEAD')[:12]} left it out"


@pytest.mark.long
def test_turns_that_a_person_s_commit_cut_are_named_until_they_are_back(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    for each in ("Two beta.", "Three gamma."):
        clock.advance(seconds=1)
        say(vault, each)
    clock.advance(seconds=1)
    place = cut(person, folder, 1)
    assert both(vault) == [(TALK, place), (TALK, place)]
    say(vault, "Four delta.")
    assert both(vault) == [(TALK, place), (TALK, place)]
    assert vault.fsck(repair=True).ok
    said = ["One alpha.", "Four delta.", "Two beta.", "Three gamma."]
    assert turns(folder) == [*enumerate(said, 1)]
    assert (person("status", "--porcelain"), both(vault)) == ("", [])


@pytest.mark.long
def test_what_was_forgotten_is_not_missed_once_a_person_amended_the_commit(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    """The tombstone is in HEAD; what is cut beside it is named as ever."""
    for _ in range(3):
        clock.advance(seconds=1)
        vault.say("talk", "The key is under the third flower pot.", agent="ada", speaker="Mara")
        vault.say("talk", "The roof is fine.", agent="ada", speaker="Mara")
        vault.history.commit_pending()
    vault.forget(f"{TALK}:2")
    person("commit", "--amend", "-qm", "tidied")
    assert (both(vault), vault.fsck().ok) == ([], True)
    assert [text for _, text in turns(folder)][1::2] == ["[forgotten]"] * 3
    place = cut(person, folder, 1, 2, 4, 5, 6, 7)
    assert both(vault) == [(TALK, place)]


@pytest.mark.long
def test_a_turn_that_left_with_a_branch_is_named_while_not_all_of_it_was_forgotten(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    """What says the forgotten alone is not missed; of the other its rest comes back."""
    safe, rest = "The safe in Graz opens with the number four.", "The plumber comes on Monday."
    memory = vault.remember(safe, agent="ada").id
    vault.history.commit_pending()
    person("checkout", "-qb", "draft")
    for text in (safe, f"{safe} {rest}"):
        clock.advance(seconds=1)
        say(vault, text)
    person("checkout", "-q", "main")
    vault.forget(memory)
    assert both(vault) == [(TALK, "on branch draft")]
    person("branch", "-qD", "draft")
    assert both(vault) == [(TALK, OLDER)]
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha."), (2, f"[forgotten] {rest}")]
    assert both(vault) == []


@pytest.mark.long
def test_what_another_said_of_herself_is_named_though_somebody_s_same_words_were_forgotten(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    text = "I am allergic to hazelnuts and cashews."
    for speaker in ("Mara", "Mara Huber", "Tom"):
        clock.advance(seconds=1)
        vault.say("talk", text, agent="ada", speaker=speaker)
        vault.history.commit_pending()
    person("reset", "-q", "--hard", "HEAD~2")
    assert both(vault) == [(TALK, OLDER), (TALK, OLDER)]
    vault.forget(f"{TALK}:2")
    assert both(vault) == [(TALK, OLDER)]
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha."), (2, "[forgotten]"), (3, text)]
    assert '"speaker": "Tom"' in (folder / TALK).read_text()


@pytest.mark.long
def test_a_turn_of_which_a_part_was_forgotten_in_its_own_place_is_not_missed(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    """A person who amends the commit of the forgetting takes its trailers away."""
    safe = "The safe in Graz opens with the number four."
    memory = vault.remember(safe, agent="ada").id
    clock.advance(seconds=1)
    say(vault, f"{safe} The roof is fine.")
    vault.forget(memory)
    person("commit", "--amend", "-qm", "tidied")
    assert "four" not in (folder / TALK).read_text()
    assert (both(vault), vault.fsck().ok) == ([], True)


@pytest.mark.long
def test_a_session_that_a_person_s_commit_deleted_is_named_until_it_is_let_go(
    vault: Vault, folder: Path, person: Person
) -> None:
    person("rm", "-q", TALK)
    person("commit", "-qm", "tidy")
    commit = person("rev-parse", "HEAD")[:12]
    assert both(vault) == [(TALK, f"only in older commits: the commit {commit} left it out")]
    assert vault.fsck(accept_missing=True).ok
    assert (both(vault), (folder / TALK).exists()) == ([], False)


def test_a_session_that_has_another_name_now_is_no_loss(vault: Vault, person: Person) -> None:
    person("mv", TALK, TALK.replace("talk", "chat"))
    person("commit", "-qm", "tidy")
    assert both(vault) == []


@pytest.mark.long
def test_turns_that_were_cut_elsewhere_stay_here_and_are_there_again(
    vault: Vault, folder: Path, person: Person, tmp_path: Path, clock: Clock
) -> None:
    run(tmp_path, "init", "-q", "--bare", "-b", "main", "hub.git")
    person("remote", "add", "origin", str(tmp_path / "hub.git"))
    said = ["One alpha.", "Two beta.", "Three gamma.", "Four delta."]
    for each in said[1:]:
        clock.advance(seconds=1)
        say(vault, each)
    vault.sync_clones()
    there = tmp_path / "there"
    run(tmp_path, "clone", "-q", str(tmp_path / "hub.git"), "there")
    with Vault.open(there, clock=clock) as other:
        place = cut(lambda *args: run(there, *args), there, 1, 4)
        assert {where for _, where in both(other)} == {place}
        other.sync_clones()
        told = vault.sync_clones().told
        assert any("2 turns are gone there, and not forgotten" in it for it in told)
        assert turns(folder) == [*enumerate(said, 1)]
        assert vault.fsck().ok
        other.sync_clones()
        assert turns(there) == [*enumerate(said, 1)]
        assert (both(other), other.fsck().ok) == ([], True)


# --- merges ---------------------------------------------------------------------------------------


def merge_for_one_side(person: Person, side: str, branch: str) -> str:
    """Merge *branch*, resolve every conflict for one *side*, and return how the merge is named."""
    with pytest.raises(subprocess.CalledProcessError):
        person("merge", "-q", branch)
    person("checkout", "-q", f"--{side}", ".")
    person("add", "-A")
    person("commit", "-qm", "merge")
    commit = person("rev-parse", "HEAD")[:12]
    return f"only in older commits: the commit {commit} left it out"


@pytest.mark.long
@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_what_a_merge_resolved_for_one_side_left_out_is_named_and_comes_back(
    vault: Vault, folder: Path, person: Person, clock: Clock, side: str
) -> None:
    person("checkout", "-qb", "aside")
    say(vault, "Two beta.")
    vault.tasks.create("Buy paint")
    vault.tasks.update(1, description="Two litres of it.")
    person("checkout", "-q", "main")
    clock.advance(seconds=1)
    say(vault, "Two gamma.")
    vault.tasks.create("Sell paint")
    vault.tasks.update(1, description="One litre of it.")
    assert vault.fsck().problems
    place = merge_for_one_side(person, side, "aside")
    assert sorted(both(vault)) == [(TALK, place), (TASK, place), (TASK, place)]
    assert vault.fsck(repair=True).ok
    here, there = ("gamma", "beta") if side == "ours" else ("beta", "gamma")
    assert turns(folder) == [(1, "One alpha."), (2, f"Two {here}."), (3, f"Two {there}.")]
    tasks = {it.subject: it.description for it in vault.tasks.list()}
    assert tasks == {"Buy paint": "Two litres of it.", "Sell paint": "One litre of it."}
    assert both(vault) == []


@pytest.mark.long
def test_what_a_merge_left_out_is_looked_for_in_one_list_of_its_files(
    vault: Vault, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many files that are."""
    person("checkout", "-qb", "aside")
    for session in ("barn", "farm", "mill", "well"):
        vault.say(session, "Two beta.", agent="ada")
        vault.history.commit_pending()
    person("checkout", "-q", "main")
    person("merge", "-q", "-s", "ours", "-m", "merge", "aside")
    listed = Counter[tuple[str, ...]]()
    files = Repository.files

    def count(self: Repository, *asked: str) -> dict[str, Blob]:
        listed[asked] += 1
        return files(self, *asked)

    monkeypatch.setattr(Repository, "files", count)
    assert len(told(vault.fsck().problems)) == 4
    assert max(listed.values()) < 4


def leave_out(vault: Vault, person: Person) -> list[tuple[str, str]]:
    """Leave two sessions and a task out of a merge; return how these are named."""
    person("checkout", "-qb", "aside")
    vault.say("well", "Two beta.", agent="ada")
    vault.history.commit_pending()
    vault.say("barn", "Three gamma.", agent="ada")
    vault.tasks.create("Buy paint")
    person("checkout", "-q", "main")
    person("merge", "-q", "-s", "ours", "-m", "merge", "aside")
    return told(vault.status().problems)


@pytest.mark.long
def test_while_a_merge_has_left_something_out_no_write_lists_the_files_of_a_commit(
    vault: Vault, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even one to a file of that name: what the write touched alone is judged again."""
    left = leave_out(vault, person)
    assert len(left) == 3
    with monkeypatch.context() as patched:
        patched.setattr(Repository, "files", None)
        vault.remember("The moon is near.", agent="ada")
        assert told(vault.status().problems) == left
        vault.say("well", "Four delta.", agent="ada")
        vault.history.commit_pending()
        assert sorted(told(vault.status().problems)) == sorted(left)
    assert sorted(both(vault)) == sorted(left)


@pytest.mark.long
def test_what_a_merge_left_out_is_there_where_it_comes_under_another_name(
    vault: Vault, folder: Path, person: Person
) -> None:
    """Word for word, or with its id in its folder."""
    left = dict(leave_out(vault, person))
    for path, new in ((TASK, "tasks/paint.md"), (TALK.replace("talk", "well"), "barn.jsonl")):
        (folder / new).parent.mkdir(exist_ok=True)
        (folder / new).write_text(person("show", f"aside:{path}"))
    with (folder / "tasks/paint.md").open("a") as task:
        task.write("Blue.\n")
    person("add", "-A")
    person("commit", "-qm", "bring")
    barn = TALK.replace("talk", "barn")
    assert told(vault.status().problems) == [(barn, left[barn])]


@pytest.mark.long
def test_what_a_merge_elsewhere_left_out_is_named_where_a_sync_brings_it(
    vault: Vault, folder: Path, person: Person, tmp_path: Path, clock: Clock
) -> None:
    run(tmp_path, "init", "-q", "--bare", "-b", "main", "hub.git")
    person("remote", "add", "origin", str(tmp_path / "hub.git"))
    vault.sync_clones()
    there = tmp_path / "there"
    run(tmp_path, "clone", "-q", str(tmp_path / "hub.git"), "there")
    with Vault.open(there, clock=clock) as other:
        say(other, "Two beta.")
        other.tasks.create("Buy paint")
        other.sync_clones()
        clock.advance(seconds=1)
        say(vault, "Two gamma.")
        vault.tasks.create("Sell paint")
        person("fetch", "-q")
        place = merge_for_one_side(person, "ours", "origin/main")
        assert both(vault) == [(TALK, place), (TASK, place)]
        vault.sync_clones()
        other.sync_clones()
        assert both(other) == [(TASK, place)]  # a turn that was here stays
        assert other.fsck(repair=True).ok
        assert turns(there) == [(1, "One alpha."), (2, "Two beta."), (3, "Two gamma.")]
        other.sync_clones()
    vault.sync_clones()
    assert both(vault) == []
    assert turns(folder) == [(1, "One alpha."), (2, "Two beta."), (3, "Two gamma.")]
    assert {it.subject for it in vault.tasks.list()} == {"Buy paint", "Sell paint"}


@pytest.mark.long
def test_how_a_person_joins_what_both_sides_changed_is_no_loss(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    """Nor is a turn in its place with a number of theirs, nor a file that they moved."""
    person("checkout", "-qb", "aside")
    set_age(vault, 8)
    say(vault, "Two beta.")
    vault.reach().create("notes/plan.md", "Paint the shed.\n")
    vault.history.commit_pending()
    theirs = (folder / TALK).read_text().splitlines(keepends=True)
    person("checkout", "-q", "main")
    clock.advance(seconds=1)
    set_age(vault, 9)
    say(vault, "Two gamma.")
    with pytest.raises(subprocess.CalledProcessError):
        person("merge", "-q", "aside")
    person("checkout", "-q", "--ours", ".")
    with (folder / TALK).open("a") as talk:
        talk.write(theirs[1].replace('"turn": 2', '"turn": 3'))
    (folder / "notes/plan.md").rename(folder / "notes/shed.md")
    person("add", "-A")
    person("commit", "-qm", "merge")
    assert both(vault) == []


@pytest.mark.long
def test_what_a_merge_left_out_is_let_go_or_comes_otherwise(
    vault: Vault, person: Person, clock: Clock
) -> None:
    person("checkout", "-qb", "aside")
    say(vault, "Two beta.")
    person("checkout", "-q", "main")
    clock.advance(seconds=1)
    say(vault, "Two gamma.")
    place = merge_for_one_side(person, "ours", "aside")
    assert both(vault) == [(TALK, place)]
    person("reset", "-q", "--hard", "HEAD~1")
    assert both(vault) == [(TALK, "on branch aside")]
    place = merge_for_one_side(person, "ours", "aside")
    set_age(vault, 9)
    assert both(vault) == [(TALK, place)]
    assert vault.fsck(accept_missing=True).ok
    assert both(vault) == []


# --- undoing a repair -----------------------------------------------------------------------------


def contents(folder: Path) -> dict[str, bytes]:
    """Return what the files of the vault say, but ours and git's."""
    files = (it for it in folder.rglob("*") if it.is_file())
    own = {it.relative_to(folder).as_posix(): it.read_bytes() for it in files}
    return {
        path: data for path, data in own.items() if not path.startswith((".git/", ".vaultmem/"))
    }


@pytest.mark.long
def test_a_repair_that_brought_operations_back_is_undone_byte_for_byte(
    vault: Vault, folder: Path, person: Person
) -> None:
    vault.tasks.create("Sell the car")
    person("checkout", "-qb", "aside")
    set_age(vault, 9)
    vault.remember("Cows moo.", agent="ada")
    vault.tasks.create("Drink it", blocked_by=[1])
    person("checkout", "-q", "main")
    vault.tasks.create("Paint the shed")
    vault.tick()
    before = contents(folder)
    assert vault.fsck(repair=True).ok
    assert len(vault.tasks.list()) == 3
    vault.undo(vault.log(1)[0].ops[0])
    assert contents(folder) == before
    assert (person("status", "--porcelain"), vault.fsck().problems) == ("", ())


@pytest.mark.long
def test_a_repair_that_put_turns_behind_others_is_not_undone_and_says_why(
    vault: Vault, folder: Path, person: Person
) -> None:
    work(vault)
    person("reset", "-q", "--hard", "HEAD~3")
    assert vault.fsck(repair=True).ok
    before = contents(folder)
    with pytest.raises(Refused, match=f"{TALK} is a transcript, which is append-only"):
        vault.undo(vault.log(1)[0].ops[0])
    assert contents(folder) == before


# --- clones, worktrees, purges --------------------------------------------------------------------


@pytest.mark.long
def test_a_clone_misses_nothing_that_it_never_had(
    vault: Vault, folder: Path, person: Person, tmp_path: Path, clock: Clock
) -> None:
    person("checkout", "-qb", "aside")
    work(vault)
    person("checkout", "-q", "main")
    for name, how in (("whole", ()), ("shallow", ("--depth=1",))):
        run(tmp_path, "clone", "-q", *how, f"file://{folder}", name)
        with Vault.open(tmp_path / name, clock=clock) as clone:
            assert both(clone) == []
            say(clone, "Two there.")
            assert both(clone) == []
            run(tmp_path / name, "reset", "-q", "--hard", "HEAD~1")
            assert both(clone) == [(TALK, OLDER)]
            assert clone.fsck(repair=True).ok


@pytest.mark.long
def test_a_clone_that_is_made_shallow_calls_nothing_lost_behind_its_edge(
    vault: Vault, folder: Path, tmp_path: Path, clock: Clock
) -> None:
    run(tmp_path, "clone", "-q", f"file://{folder}", "clone")
    with Vault.open(tmp_path / "clone", clock=clock) as clone:
        assert both(clone) == []
        work(vault)
        run(tmp_path / "clone", "fetch", "-q", "--depth=1", "origin")
        run(tmp_path / "clone", "reset", "-q", "--hard", "origin/main")
        assert both(clone) == []


@pytest.mark.long
def test_a_linked_worktree_goes_its_own_way(
    vault: Vault, person: Person, tmp_path: Path, clock: Clock
) -> None:
    person("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    with Vault.open(tmp_path / "side", clock=clock) as side:
        say(side, "Two there.")
        assert both(side) == []
        run(tmp_path / "side", "reset", "-q", "--hard", "HEAD~1")
        assert both(side) == [(TALK, OLDER)]
    assert both(vault) == []


@pytest.mark.long
def test_a_purge_that_makes_the_history_anew_loses_nothing(vault: Vault, folder: Path) -> None:
    hit = vault.remember("The zanzibar key hangs behind the door.", agent="ada")
    work(vault)
    vault.forgetting.purge([hit.id])
    assert both(vault) == []
    shutil.rmtree(folder / ".vaultmem")
    assert both(vault) == []


@pytest.mark.long
def test_a_purge_that_is_killed_once_the_old_history_is_gone_misses_nothing(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hit = vault.remember("The zanzibar key hangs behind the door.", agent="ada")
    work(vault)
    real = history_rewrite.scrub

    def killed(place: Repository) -> None:
        real(place)
        raise SystemExit

    monkeypatch.setattr(history_rewrite, "scrub", killed)
    with pytest.raises(SystemExit):
        vault.forgetting.purge([hit.id])
    with Vault.open(folder) as again:
        assert both(again) == []


@pytest.mark.long
def test_a_purge_makes_a_commit_anew_that_a_person_made_and_it_is_answered_for(
    vault: Vault, folder: Path, person: Person
) -> None:
    hit = vault.remember("The zanzibar key hangs behind the door.", agent="ada")
    before = take(vault, folder, person)
    vault.forgetting.purge([hit.id])
    assert (both(vault), before in person("log", "--format=%H")) == ([], False)
    person("reset", "-q", "--hard", "main")
    assert both(vault) == [(TALK, OLDER)]


@pytest.mark.long
def test_a_purge_takes_away_no_work_that_older_commits_alone_have(
    vault: Vault, person: Person
) -> None:
    hit = vault.remember("The zanzibar key hangs behind the door.", agent="ada")
    say(vault, "Two beta.")
    person("reset", "-q", "--hard", "HEAD~1")
    with pytest.raises(Refused, match=rf"{TALK}: .*would leave git for good.*fsck --repair"):
        vault.forgetting.purge([hit.id])
    assert vault.fsck(repair=True).ok
    vault.forgetting.purge([hit.id])
    assert both(vault) == []


@pytest.mark.long
def test_a_purge_does_not_wait_for_what_it_is_asked_to_take(vault: Vault, person: Person) -> None:
    said = "The zanzibar key hangs behind the green door of the shed."
    hit = vault.remember(said, agent="ada")
    say(vault, said)
    person("reset", "-q", "--hard", "HEAD~1")
    vault.forgetting.purge([hit.id])
    assert both(vault) == []


@pytest.mark.long
def test_a_turn_that_was_forgotten_does_not_come_back(
    vault: Vault, folder: Path, person: Person
) -> None:
    said = "The zanzibar key hangs behind the green door of the shed."
    say(vault, said)
    person("reset", "-q", "--hard", "HEAD~1")
    hit = vault.remember(said, agent="ada")
    vault.forget(hit.id)
    assert both(vault) == []
    assert vault.fsck(repair=True).ok
    assert turns(folder) == [(1, "One alpha.")]


@pytest.mark.long
def test_what_the_remote_has_is_for_a_sync_to_bring(
    vault: Vault, folder: Path, person: Person, tmp_path: Path
) -> None:
    run(tmp_path, "init", "-q", "--bare", "-b", "main", "hub.git")
    person("remote", "add", "origin", str(tmp_path / "hub.git"))
    say(vault, "Two beta.")
    vault.sync_clones()
    person("reset", "-q", "--hard", "HEAD~1")
    (one,) = [p for p in vault.fsck(repair=True).problems if p.code == CODE]
    assert (one.path, one.repair.startswith("`vaultmem sync` brings it")) == (TALK, True)
    vault.sync_clones()
    assert (vault.fsck().ok, turns(folder)) == (True, [(1, "One alpha."), (2, "Two beta.")])


# --- what it costs --------------------------------------------------------------------------------


def test_at_rest_no_git_is_asked_and_our_own_commits_need_no_look(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert vault.fsck().ok
    work(vault)
    assert ledger.is_current(folder)
    monkeypatch.setattr(service.Acknowledged, "compare", None)
    assert vault.status().status == "OK"


@pytest.mark.long
def test_what_a_rebase_put_our_own_commits_over_is_named_and_comes_back(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    person("checkout", "-qb", "draft")
    say(vault, "Two on the draft.")
    vault.tasks.create("Buy paint")
    vault.history.commit_pending()
    person("checkout", "-q", "main")
    clock.advance(minutes=1)
    say(vault, "Two beta.")
    vault.tasks.create("Sell the boat")
    vault.history.commit_pending()
    person("checkout", "-q", "draft")
    person("rebase", "-q", "-X", "theirs", "main")
    assert {path for path, _ in both(vault)} == {TALK, TASK}
    assert vault.fsck(repair=True).ok
    assert [said for _, said in turns(folder)] == ["One alpha.", "Two on the draft.", "Two beta."]
    assert {it.subject for it in vault.tasks.list()} == {"Buy paint", "Sell the boat"}


@pytest.mark.long
def test_a_turn_that_an_amended_commit_of_ours_cut_is_named(
    vault: Vault, folder: Path, person: Person
) -> None:
    say(vault, "Two beta.")
    say(vault, "Three gamma.")
    lines = (folder / TALK).read_text().splitlines(keepends=True)
    (folder / TALK).write_text(lines[0] + lines[2])
    person("commit", "-q", "-a", "--amend", "--no-edit")
    assert [path for path, _ in both(vault)] == [TALK]


@pytest.mark.long
def test_what_waits_and_was_taken_away_comes_back_with_what_left_at_one_go(
    vault: Vault, folder: Path, person: Person, clock: Clock
) -> None:
    person("checkout", "-qb", "draft")
    say(vault, "Two on the draft.")
    person("checkout", "-q", "main")
    clock.advance(minutes=1)
    vault.say("talk", "Two beta.", agent="ada")
    person("checkout", "-q", "--", ".")
    assert vault.fsck(repair=True).ok
    assert [said for _, said in turns(folder)] == ["One alpha.", "Two beta.", "Two on the draft."]
