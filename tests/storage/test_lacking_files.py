"""What waits for its commit, and what a person's git, editor or cleaning makes of it on disk."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Clock, Prepared
from vaultmem import Vault
from vaultmem.api.types import TopicPatch
from vaultmem.knowledge.cards.types import Patch
from vaultmem.storage import files, journal
from vaultmem.storage.commits.waiting_versions import Version, left_out

TALK = "agents/ada/sessions/talk.jsonl"
EDITED = "-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "-q", "-i"
"""Begins a rebase that stops behind its first commit."""


def talk(vault: Vault) -> None:
    """Let two turns of a talk be in the history."""
    for text in ("The emu is called Ede.", "It eats clover."):
        vault.say("talk", text, agent="ada")
    vault.tick()
    assert git(vault, "status", "--porcelain") == ""


@pytest.fixture
def talking(prepared: Prepared) -> Vault:
    """Return a vault in whose history two turns of a talk are."""
    return prepared(talk)


def git(vault: Vault, *args: str) -> str:
    """Run git as a person would."""
    return subprocess.run(
        ["git", *args], cwd=vault.path, check=True, capture_output=True, text=True
    ).stdout


def said(vault: Vault) -> list[tuple[int, str]]:
    """Return the numbers and the words of the turns on disk."""
    lines = (vault.path / TALK).read_text().splitlines()
    return [(turn["turn"], turn["content"]) for turn in map(json.loads, lines)]


def gone(vault: Vault) -> list[str]:
    """Return what `fsck` and `status` name as gone before its commit."""
    found, told = (
        [p.path for p in it.problems if p.code == "gone-before-commit"]
        for it in (vault.fsck(), vault.status())
    )
    assert found == told
    return found


def cut(vault: Vault) -> list[str]:
    """Return which transcripts `fsck` and `status` name as other than git has them."""
    found, told = (
        [p.path for p in it.problems if p.code == "cut-transcript"]
        for it in (vault.fsck(), vault.status())
    )
    assert found == told
    return found


def committed(vault: Vault) -> str:
    """Return what the last commit has of the talk."""
    return git(vault, "show", f"HEAD:{TALK}")


@pytest.mark.parametrize("away", [("stash", "-q"), ("reset", "-q", "--hard"), ("checkout", ".")])
def test_turns_that_git_cut_off_before_their_commit_come_back(
    talking: Vault, away: tuple[str, ...]
) -> None:
    for text in ("It hides spoons.", "And forks."):
        talking.say("talk", text, agent="ada")
    git(talking, *away)
    assert len(said(talking)) == 2
    (problem,) = [p for p in talking.fsck().problems if p.code == "gone-before-commit"]
    assert problem.path == TALK
    talking.tick()
    assert [number for number, _ in said(talking)] == [1, 2, 3, 4]
    assert "It hides spoons." in committed(talking)
    assert talking.fsck().ok


def test_a_turn_after_those_that_git_cut_off_is_said_behind_them(talking: Vault) -> None:
    talking.say("talk", "It hides spoons.", agent="ada")
    git(talking, "stash", "-q")
    talking.say("talk", "And forks.", agent="ada")
    assert [text for _, text in said(talking)][2:] == ["It hides spoons.", "And forks."]
    talking.tick()
    git(talking, "stash", "drop", "-q")
    assert [number for number, _ in said(talking)] == [1, 2, 3, 4]
    assert talking.fsck().ok


def test_a_talk_that_a_clean_up_took_before_its_commit_comes_back(vault: Vault) -> None:
    vault.say("talk", "The emu is called Ede.", agent="ada")
    git(vault, "clean", "-fdq")
    vault.say("talk", "It eats clover.", agent="ada")
    assert [number for number, _ in said(vault)] == [1, 2]


def test_a_talk_that_a_person_gave_another_name_before_its_commit_is_not_written_again(
    vault: Vault,
) -> None:
    vault.say("talk", "The emu is called Ede.", agent="ada")
    shutil.move(vault.path / TALK, vault.path / "agents/ada/sessions/emu.jsonl")
    vault.tick()
    assert not (vault.path / TALK).exists()


def test_turns_behind_a_talk_that_was_set_back_are_in_the_history_with_what_it_lacks(
    talking: Vault, tmp_path: Path
) -> None:
    shutil.copy(talking.path / TALK, tmp_path / "old")
    talking.say("talk", "It hides spoons.", agent="ada")
    talking.tick()
    shutil.copy(tmp_path / "old", talking.path / TALK)
    talking.say("talk", "And forks.", agent="ada")
    talking.tick()
    assert "It hides spoons." in committed(talking)
    assert "And forks." in committed(talking)


def test_turns_that_wait_stand_behind_what_an_old_copy_of_their_talk_lacks(
    talking: Vault, tmp_path: Path
) -> None:
    """A backup that is older than what git has is put over it."""
    (tmp_path / "old").write_text((talking.path / TALK).read_text().partition("\n")[0] + "\n")
    talking.say("talk", "It hides spoons.", agent="ada")
    shutil.copy(tmp_path / "old", talking.path / TALK)
    assert TALK in gone(talking)
    talking.tick()
    assert [number for number, _ in said(talking)] == [1, 2, 3]
    assert "It hides spoons." in committed(talking)
    assert talking.fsck().ok


@pytest.mark.long
@pytest.mark.parametrize("mend", [b"\xef\xbb\xbf", b"<<<<<<< HEAD\n", b"\n"])
def test_turns_that_wait_stand_behind_a_version_that_a_person_saved_without_them(
    talking: Vault, mend: bytes
) -> None:
    """Nothing of theirs is overwritten."""
    file = talking.path / TALK
    theirs = mend + file.read_bytes().replace(b"Ede", b"Edda")
    talking.say("talk", "It hides spoons.", agent="ada")
    file.write_bytes(theirs)
    assert TALK in gone(talking)
    talking.tick()
    assert file.read_bytes().startswith(theirs)
    assert b"It hides spoons." in file.read_bytes()
    assert "It hides spoons." in committed(talking)
    assert gone(talking) == []


def test_a_turn_said_behind_conflict_markers_comes_back_when_git_takes_all_of_it(
    talking: Vault,
) -> None:
    """Where it began is no place in the file that git has."""
    with (talking.path / TALK).open("ab") as file:
        file.write(b"<<<<<<< Updated upstream\n=======\n>>>>>>> Stashed changes\n")
    talking.say("talk", "It hides spoons.", agent="ada")
    git(talking, "reset", "-q", "--hard")
    talking.tick()
    assert "It hides spoons." in committed(talking)
    assert "It hides spoons." in (talking.path / TALK).read_text()


def test_a_waiting_turn_whose_words_a_person_mends_is_said_once(vault: Vault) -> None:
    vault.say("talk", "The emu is called Ede.", agent="ada")
    file = vault.path / TALK
    file.write_text(file.read_text().replace("Ede", "Edda the Great"))
    vault.tick()
    assert said(vault) == [(1, "The emu is called Edda the Great.")]
    assert gone(vault) == []


@pytest.mark.parametrize("waits", [1, 2])
def test_a_waiting_turn_whose_words_a_person_mends_is_committed_as_it_was_said(
    talking: Vault, waits: int
) -> None:
    """Then the edit is named like one of a turn that was committed before."""
    for text in ("It never hides spoons.", "It only naps."):
        talking.say("talk", text, agent="ada")
    file = talking.path / TALK
    was = file.read_bytes()
    old, new = ((b"never hides", b"often hides"), (b"only naps", b"just naps"))[waits - 1]
    file.write_bytes(was.replace(old, new))
    talking.tick()
    assert committed(talking).encode() == was
    assert file.read_bytes() == was.replace(old, new)
    assert cut(talking) == [TALK]
    git(talking, "checkout", "--", TALK)
    assert (file.read_bytes(), cut(talking)) == (was, [])


def mended(vault: Vault) -> Path:
    """Return the transcript of a turn that waits, and that its person mended and committed."""
    vault.say("talk", "It never hides spoons.", agent="ada")
    file = vault.path / TALK
    file.write_bytes(file.read_bytes().replace(b"never hides", b"often hides"))
    git(vault, "commit", "-qam", "mine")
    return file


def test_a_waiting_turn_that_a_person_mends_and_commits_stands_as_they_committed_it(
    talking: Vault,
) -> None:
    """What is said after that comes behind it."""
    file = mended(talking)
    as_mended = file.read_bytes()
    talking.tick()
    assert (committed(talking).encode(), file.read_bytes()) == (as_mended, as_mended)
    assert (cut(talking), gone(talking), talking.store.writer.waiting()) == ([], [], 0)
    talking.say("talk", "It only naps.", agent="ada")
    talking.tick()
    assert committed(talking) == file.read_text()
    assert [text for _, text in said(talking)][2:] == ["It often hides spoons.", "It only naps."]


def test_what_waits_beside_a_turn_that_a_person_mends_and_commits_is_committed_as_it_was_said(
    talking: Vault,
) -> None:
    """They commit the first of two that wait, and the rest is on disk, or edited there."""
    file = mended(talking)
    talking.say("talk", "It only naps.", agent="ada")
    whole = file.read_bytes()
    file.write_bytes(whole.replace(b"only naps", b"just naps"))
    talking.tick()
    assert committed(talking).encode() == whole
    assert cut(talking) == [TALK]


@pytest.mark.long
@pytest.mark.parametrize("takes", ["all of it", "the first"])
def test_two_turns_of_one_second_that_a_person_mends_are_both_in_the_history(
    vault: Vault, takes: str
) -> None:
    """One of them is in it, and the other waits, when they commit both, or the first alone."""
    vault.say("talk", "ran /home/mara/emu tests: 118 passed, exit code 0", agent="ada", role="tool")
    vault.tick()
    vault.say("talk", "ran /home/mara/emu lint: 7 passed, exit code 1", agent="ada", role="tool")
    file = vault.path / TALK
    first, second = file.read_text().splitlines(keepends=True)
    first = first.replace("/home/mara/", "/")
    if takes == "all of it":
        second = second.replace("/home/mara/", "/")
        file.write_text(first + second)
        git(vault, "commit", "-qam", "mine")
    else:
        file.write_text(first)
        git(vault, "commit", "-qam", "mine")
        file.write_text(first + second)
    vault.tick()
    assert (committed(vault), file.read_text()) == (first + second, first + second)
    assert (cut(vault), gone(vault), vault.store.writer.waiting()) == ([], [], 0)


@pytest.mark.long
def test_a_turn_cut_off_behind_one_of_its_second_comes_back_when_git_forgot_what_that_said(
    vault: Vault,
) -> None:
    """A person mends the first, amends the commit that has it, and lets git throw away the old."""
    vault.say("talk", "It hides all my spoons.", agent="ada")
    vault.tick()
    vault.say("talk", "It hides all my forks.", agent="ada")
    file = vault.path / TALK
    mended = file.read_text().splitlines(keepends=True)[0].replace("spoons", "cups")
    file.write_text(mended)
    git(vault, "commit", "-qa", "--amend", "--no-edit")
    git(vault, "reflog", "expire", "--expire=now", "--all")
    git(vault, "gc", "-q", "--prune=now")
    vault.tick()
    assert said(vault) == [(1, "It hides all my cups."), (2, "It hides all my forks.")]
    assert committed(vault) == file.read_text()


def test_a_waiting_turn_that_a_person_says_in_other_words_is_named_and_stays_as_they_are(
    talking: Vault,
) -> None:
    talking.say("talk", "It hides spoons.", agent="ada")
    file = talking.path / TALK
    file.write_text(file.read_text().replace("It hides spoons.", "Left out."))
    assert gone(talking) == [TALK]
    talking.tick()
    assert [text for _, text in said(talking)][2:] == ["Left out."]
    assert history(talking, "It hides spoons.")


def test_a_turn_said_while_a_rebase_had_the_talk_away_comes_behind_it_with_the_next_number(
    vault: Vault, clock: Clock
) -> None:
    vault.remember("Cows moo.", agent="ada")
    vault.say("talk", "The emu is called Ede.", agent="ada")
    vault.history.commit_pending()
    git(vault, *EDITED, "HEAD~2")
    clock.advance(minutes=1)
    vault.say("talk", "It hides spoons.", agent="ada")
    git(vault, "clean", "-fdq")
    git(vault, "rebase", "--abort")
    vault.tick()
    assert said(vault) == [(1, "The emu is called Ede."), (2, "It hides spoons.")]
    assert committed(vault) == (vault.path / TALK).read_text()
    assert vault.fsck().ok


@pytest.mark.parametrize("copy", ["talk.jsonl~", "talk (copy).jsonl"])
def test_a_copy_that_an_editor_kept_of_the_first_turns_is_not_the_talk(
    vault: Vault, copy: str
) -> None:
    vault.say("talk", "The emu is called Ede.", agent="ada")
    shutil.copy(vault.path / TALK, vault.path / "agents/ada/sessions" / copy)
    vault.say("talk", "It eats clover.", agent="ada")
    (vault.path / TALK).unlink()
    assert gone(vault) == [TALK]
    vault.tick()
    assert [number for number, _ in said(vault)] == [1, 2]


# --- files that are written whole -----------------------------------------------------------------


CARD, TASK, TOPIC = "cards/people/sarah.md", "tasks/task-0001.md", "topics/garden.md"
SARAH = Patch(fields={"age": "7"}, backstory="told", person="Sarah", relationship="kin")


def make_known(vault: Vault) -> None:
    """Let a card, a task and a topic be in the history."""
    vault.cards.set("people/sarah", SARAH)
    vault.tasks.create("Paint the shed")
    vault.topics.set("Garden", TopicPatch(("Roses bloom in June.",)))
    vault.remember("Cows moo.", agent="ada")
    vault.tick()
    assert git(vault, "status", "--porcelain") == ""


@pytest.fixture
def known(prepared: Prepared) -> Vault:
    """Return a vault in whose history a card, a task and a topic are."""
    return prepared(make_known)


@contextlib.contextmanager
def rebasing(vault: Vault) -> Iterator[None]:
    """Begin a rebase as a person would, which they give up in the end."""
    git(vault, *EDITED, "HEAD~1")
    yield
    git(vault, "rebase", "--abort")


def change(vault: Vault) -> None:
    """Change what is known, and note something new."""
    vault.cards.set("people/sarah", Patch(fields={"age": "8"}))
    vault.tasks.update(1, status="completed")
    vault.topics.set("Garden", TopicPatch(("Tulips bloom in April.",)))


def history(vault: Vault, word: str) -> bool:
    """Tell whether some commit of the branch brought *word*."""
    return git(vault, "log", "--format=%h", f"-S{word}") != ""


@pytest.mark.long
def test_what_was_changed_while_a_rebase_was_half_done_comes_back_when_it_is_given_up(
    known: Vault, clock: Clock
) -> None:
    with rebasing(known):
        change(known)
    assert {CARD, TASK, TOPIC} <= {*gone(known)}
    known.tick()
    clock.advance(minutes=1)
    known.tick()
    assert known.cards.get("people/sarah")["age"] == "8"
    assert known.tasks.get(1).status == "completed"
    assert "Tulips" in (known.path / TOPIC).read_text()
    assert git(known, "status", "--porcelain") == ""
    assert known.fsck().ok


@pytest.mark.long
def test_what_was_made_while_a_rebase_was_half_done_outlives_a_clean_up(
    vault: Vault, clock: Clock
) -> None:
    """And what was forgotten meanwhile is forgotten."""
    secret = vault.remember("The safe code is under the oak.", agent="ada")
    vault.remember("Cows moo.", agent="ada")
    with rebasing(vault):
        vault.forget(secret.path)
        vault.tasks.create("Buy paint")
        vault.topics.set("Garden", TopicPatch(("Roses bloom in June.",)))
        git(vault, "clean", "-fdq")
    assert {secret.path, TASK, TOPIC} <= {*gone(vault)}
    vault.tick()
    clock.advance(minutes=1)
    vault.tick()
    assert not (vault.path / secret.path).exists()
    assert [task.subject for task in vault.tasks.list()] == ["Buy paint"]
    assert "Roses" in (vault.path / TOPIC).read_text()
    assert "human" not in git(vault, "log", "--format=%s")
    assert vault.fsck().ok


@pytest.mark.long
@pytest.mark.parametrize("look", ["round", "write"])
def test_a_task_made_while_a_rebase_had_another_away_gets_a_number_that_is_free(
    vault: Vault, clock: Clock, look: str
) -> None:
    """It has all that was done to it, and what waits for it waits on."""
    vault.remember("Cows moo.", agent="ada")
    vault.tasks.create("Paint the shed")
    vault.tasks.create("Sell it", blocked_by=[1])
    git(vault, *EDITED, "HEAD~3")
    vault.tasks.create("Buy milk")
    vault.tasks.update(1, description="Two litres of it.")
    vault.tasks.create("Drink it", blocked_by=[1])
    git(vault, "clean", "-fdq")
    git(vault, "rebase", "--abort")
    assert TASK in gone(vault)
    if look == "write":
        vault.tasks.update(1, description="In red.")
    for _ in range(2):
        vault.tick()
        clock.advance(minutes=1)
    made = {it.subject: it for it in vault.tasks.list()}
    assert sorted(made) == ["Buy milk", "Drink it", "Paint the shed", "Sell it"]
    assert (made["Paint the shed"].id, made["Sell it"].blocked_by) == (1, (1,))
    assert made["Paint the shed"].description == ("In red." if look == "write" else "")
    assert made["Buy milk"].description == "Two litres of it."
    assert made["Drink it"].blocked_by == (made["Buy milk"].id,)
    assert git(vault, "status", "--porcelain") == ""
    assert vault.fsck().ok


def waits(vault: Vault) -> contextlib.AbstractContextManager[None]:
    """Keep git busy."""

    @contextlib.contextmanager
    def held() -> Iterator[None]:
        (vault.path / ".git/index.lock").touch()
        yield
        (vault.path / ".git/index.lock").unlink()

    return held()


@pytest.mark.long
def test_a_change_is_made_on_what_waits_and_git_took_away(known: Vault) -> None:
    with waits(known):
        known.cards.set("people/sarah", Patch(fields={"age": "8"}))
    git(known, "stash", "-q")
    known.cards.set("people/sarah", Patch(fields={"city": "Lyon"}))
    card = known.cards.get("people/sarah")
    assert (card["age"], card["city"]) == ("8", "Lyon")
    assert git(known, "show", f"HEAD:{CARD}") == (known.path / CARD).read_text()


def test_what_a_person_saved_without_it_stays_and_what_waited_is_in_the_history(
    known: Vault, clock: Clock
) -> None:
    """An editor had the file open, and saved its own version over ours."""
    old = (known.path / TOPIC).read_text()
    with waits(known):
        known.topics.set("Garden", TopicPatch(("Tulips bloom in April.",)))
    (known.path / TOPIC).write_text(f"{old}\nMoss grows.\n")
    assert gone(known) == [TOPIC]
    known.tick()
    assert (known.path / TOPIC).read_text() == f"{old}\nMoss grows.\n"
    assert history(known, "Tulips")
    clock.advance(minutes=1)
    known.tick()
    assert git(known, "show", f"HEAD:{TOPIC}") == f"{old}\nMoss grows.\n"
    assert gone(known) == []


@pytest.mark.long
def test_what_a_later_write_left_out_is_named_and_comes_into_the_history(known: Vault) -> None:
    """It was made on what a person had saved over the first."""
    old = (known.path / TOPIC).read_text()
    with waits(known):
        known.topics.set("Garden", TopicPatch(("Tulips bloom in April.",)))
        (known.path / TOPIC).write_text(f"{old}\nMoss grows.\n")
        known.topics.set("Garden", TopicPatch(("Asters bloom in May.",)))
    assert gone(known) == [TOPIC]
    known.history.commit_pending()
    assert history(known, "Tulips")
    assert gone(known) == []
    known.tick()
    lies = (known.path / TOPIC).read_text()
    assert ("Moss" in lies, "Asters" in lies, "Tulips" in lies) == (True, True, False)
    assert git(known, "show", f"HEAD:{TOPIC}") == lies


def test_a_later_write_of_the_very_same_leaves_nothing_out() -> None:
    """As of an `init` that was killed and is begun anew: nothing of it is anybody else's."""
    made = Version("topics/tea.md", (None,), b"Oolong.\n")
    assert left_out(made, files.content(b"Oolong.\n"), None, before=None) is None
    assert left_out(made, files.content(b"Sencha.\n"), None, before=None) is not None


def test_a_change_of_a_person_s_own_text_that_git_took_away_is_in_the_history(
    known: Vault,
) -> None:
    """Git never had what it was made on, and has other lines there."""
    text = (known.path / TASK).read_text()
    with waits(known):
        (known.path / TASK).write_text(text.replace("pending", "in_progress"))
        known.tasks.update(1, status="completed")
    git(known, "checkout", "-q", "--", ".")
    known.tick()
    assert history(known, "status: completed")


@pytest.mark.long
def test_what_was_written_between_lines_that_a_person_has_staged_waits_for_their_commit(
    known: Vault, clock: Clock
) -> None:
    """An earlier version was checked out; what came into that cannot be told apart from it."""
    known.topics.set("Garden", TopicPatch(("Tulips bloom in April.",)))
    git(known, "checkout", "-q", "HEAD~1", "--", TOPIC)
    known.topics.set("Garden", TopicPatch(("Asters bloom in May.",)))
    git(known, "stash", "-q")
    assert gone(known) == [TOPIC]
    known.tick()
    assert history(known, "Asters")
    git(known, "stash", "drop", "-q")
    clock.advance(minutes=1)
    known.tick()
    assert (journal.names(known.store.root), git(known, "status", "--porcelain")) == ([], "")


def test_what_was_written_between_a_person_s_lines_is_done_with_once_they_commit_it(
    known: Vault, clock: Clock
) -> None:
    known.topics.set("Garden", TopicPatch(("Tulips bloom in April.",)))
    git(known, "checkout", "-q", "HEAD~1", "--", TOPIC)
    known.topics.set("Garden", TopicPatch(("Asters bloom in May.",)))
    assert len(journal.names(known.store.root)) == 1
    assert (known.status().uncommitted, known.fsck().uncommitted) == (0, 0)
    git(known, "commit", "-qam", "mine")
    clock.advance(minutes=1)
    known.tick()
    assert (journal.names(known.store.root), git(known, "status", "--porcelain")) == ([], "")
    assert "Tulips" not in (known.path / TOPIC).read_text()


def test_an_edit_of_what_waits_is_not_named(known: Vault) -> None:
    with waits(known):
        known.topics.set("Garden", TopicPatch(("Tulips bloom in April.",)))
    with (known.path / TOPIC).open("a") as file:
        file.write("\nMoss grows.\n")
    assert gone(known) == []
    known.history.commit_pending()
    assert "Tulips" in git(known, "show", f"HEAD:{TOPIC}")
    assert "Moss" not in git(known, "show", f"HEAD:{TOPIC}")


def test_other_lines_that_git_put_in_its_place_take_what_waits(known: Vault) -> None:
    """The file was read in the middle of a rebase, and differs from what the branch has."""
    text = (known.path / TOPIC).read_text()
    theirs = text.replace("---\n", "---\nmood: calm\n", 1)
    (known.path / TOPIC).write_text(theirs)
    git(known, "commit", "-qam", "mine")
    git(known, "checkout", "-q", "HEAD~1")
    known.topics.set("Garden", TopicPatch(("Tulips bloom in April.",)))
    git(known, "checkout", "-q", "-f", "main")
    assert gone(known) == [TOPIC]
    known.tick()
    for now in ((known.path / TOPIC).read_text(), git(known, "show", f"HEAD:{TOPIC}")):
        assert "mood: calm" in now
        assert "Tulips" in now


def test_lines_that_a_person_committed_in_its_place_come_behind_what_waited(
    known: Vault, clock: Clock
) -> None:
    """Both are in the history, and theirs is what counts."""
    text = (known.path / TASK).read_text()
    with waits(known):
        known.tasks.update(1, status="completed")
    (known.path / TASK).write_text(text.replace("pending", "in_progress"))
    git(known, "commit", "-qam", "mine")
    known.tick()
    clock.advance(minutes=1)
    known.tick()
    assert history(known, "status: completed")
    assert known.tasks.get(1).status == "in_progress"
    assert git(known, "status", "--porcelain") == ""


def test_as_long_as_it_cannot_be_put_back_it_waits(known: Vault) -> None:
    """Somebody is writing: git's commit alone would let a person's next one take it back."""
    with waits(known):
        known.cards.set("people/sarah", Patch(fields={"age": "8"}))
    git(known, "checkout", "-q", ".")
    old = (known.path / CARD).read_text()
    store = known.history._store
    with store.writer.writing():
        store.writer.commit_pending()
    assert (known.path / CARD).read_text() == git(known, "show", f"HEAD:{CARD}") == old
    assert gone(known)
    known.tick()
    assert (known.path / CARD).read_text() == git(known, "show", f"HEAD:{CARD}") != old


@pytest.mark.long
def test_a_topic_that_was_put_into_a_stash_before_its_commit_is_not_deleted(
    vault: Vault, clock: Clock
) -> None:
    with waits(vault):
        vault.topics.set("Garden", TopicPatch(("Roses bloom in June.",)))
    git(vault, "stash", "-qu")
    for _ in range(2):
        vault.tick()
        clock.advance(minutes=1)
    assert not (vault.path / TOPIC).exists()
    assert "Roses" in git(vault, "show", f"HEAD:{TOPIC}")
    assert [p.path for p in vault.fsck().problems if p.code == "stashed"] == [TOPIC]
    git(vault, "stash", "pop", "-q")
    assert "Roses" in (vault.path / TOPIC).read_text()
