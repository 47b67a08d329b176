"""A raw memory that was edited by hand is named until a person says what holds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cases import rarely
from tests.conftest import Clock
from vaultmem import Vault, config
from vaultmem.cli import run
from vaultmem.errors import BadInput, Refused
from vaultmem.storage import accepted_text


@pytest.fixture
def memory(vault: Vault) -> Path:
    """Return the file of a memory that is acknowledged."""
    made = vault.remember("Sarah is allergic to hazelnuts.", agent="ada", source="user")
    return vault.path / made.path


def edit(path: Path, old: str = "hazelnuts", new: str = "walnuts") -> None:
    """Write *new* for *old* into a file, as a person does."""
    path.write_text(path.read_text().replace(old, new))


def named(vault: Vault) -> list[str]:
    """Return which memories `fsck` and `status` name as edited, who must agree."""
    by_fsck, by_status = (
        [p.path for p in report.problems if p.code == "edited"]
        for report in (vault.fsck(), vault.status())
    )
    assert by_fsck == by_status
    return by_fsck


def here(vault: Vault, path: Path) -> list[str]:
    """Return the path of one file as problems name it."""
    return [path.relative_to(vault.path).as_posix()]


def test_an_edited_memory_is_named_until_its_text_is_back(vault: Vault, memory: Path) -> None:
    edit(memory)
    assert named(vault) == here(vault, memory)
    vault.store.writer.commit_edits(quiet=0)
    assert named(vault) == here(vault, memory), "a person's commit accepts nothing"
    edit(memory, "walnuts", "hazelnuts")
    assert vault.fsck().ok


@pytest.mark.long
def test_who_takes_a_later_edit_back_has_not_accepted_the_earlier_one(
    vault: Vault, memory: Path
) -> None:
    """Nor is the memory pointed at: all is as it was before the later edit."""
    for old, new in (("hazelnuts", "walnuts"), ("walnuts", "pecans")):
        edit(memory, old, new)
        vault.store.writer.commit_edits(quiet=0)
        vault.tick()
        before, index = memory.read_text(), (vault.path / "MEMORY.md").read_text()
    edit(memory, "pecans", "cashews")
    last = vault.store.writer.commit_edits(quiet=0)
    assert last is not None
    vault.undo(last)
    assert (memory.read_text(), named(vault)) == (before, here(vault, memory))
    assert (vault.path / "MEMORY.md").read_text() == index


def test_an_edited_memory_is_not_shared_until_somebody_settles_it(
    vault: Vault, memory: Path
) -> None:
    """With the same advice as everywhere; a review settles it, too."""
    edit(memory)
    (path,) = here(vault, memory)
    with pytest.raises(Refused, match=f"edited since it was accepted.*fsck --accept {path}"):
        vault.share(path)
    vault.fsck(accept=[path])
    assert vault.share(path).topic == "Shared"


@pytest.fixture
def known(vault: Vault, memory: Path) -> Path:
    """Return a memory in a folder that was at rest when a process that lives looked at it last."""
    at = memory.stat().st_mtime - 3600
    os.utime(memory.parent, (at, at))
    vault.store.sync()
    return memory


def test_what_was_edited_in_place_a_moment_ago_is_not_shared(vault: Vault, known: Path) -> None:
    """An edit in place shows in no folder's time."""
    edit(known)
    with pytest.raises(Refused, match="edited since it was accepted"):
        vault.share(known.stem)


def test_why_shows_what_was_edited_in_place_a_moment_ago(vault: Vault, known: Path) -> None:
    edit(known)
    said = [link.text for link in vault.why(known.stem).chain if link.kind == "memory"]
    assert said == ["Sarah is allergic to walnuts."]


@pytest.mark.parametrize(
    ("gone", "other"),
    [("id", f"id: 01KAFXF{0:019}"), *rarely(("id", "remark: none"), ("type", "type: note"))],
)
def test_an_edit_is_named_when_the_id_went_with_it(
    vault: Vault, memory: Path, clock: Clock, gone: str, other: str
) -> None:
    """Or its type: it is the same file, and a memory was acknowledged there."""
    memory.write_text(re.sub(f"(?m)^{gone}: .*", other, memory.read_text(), count=1))
    edit(memory)
    os.utime(memory, (1, 1))
    clock.advance(hours=1)
    vault.tick()
    assert named(vault) == here(vault, memory)


@pytest.mark.long
@pytest.mark.parametrize(
    ("gone", "other"),
    [("type", "type: note"), *rarely(("id", f"id: 01KAFXF{0:019}"), ("type", "type: x"))],
)
def test_a_memory_that_calls_itself_something_else_is_named_until_it_is_let_go(
    vault: Vault, memory: Path, gone: str, other: str
) -> None:
    """Its words are as they were, and no file is that memory; putting it back will do, too."""
    whole = memory.read_text()
    memory.write_text(re.sub(f"(?m)^{gone}: .*", other, whole, count=1))
    vault.store.writer.commit_edits(quiet=0)
    assert named(vault) == here(vault, memory)
    with pytest.raises(BadInput, match="put `id: "):
        vault.fsck(accept=here(vault, memory))
    memory.write_text(whole)
    assert named(vault) == []

    memory.write_text(re.sub(f"(?m)^{gone}: .*", other, whole, count=1))
    vault.store.writer.commit_edits(quiet=0)
    assert not [p for p in vault.fsck(accept_missing=True).problems if p.code == "edited"]
    memory.write_text(memory.read_text() + "Whatever.\n")
    assert named(vault) == []


def test_an_id_that_was_deleted_is_put_back(vault: Vault, memory: Path, clock: Clock) -> None:
    """A memory keeps its name: links and summaries have it."""
    whole = memory.read_text()
    memory.write_text(re.sub("(?m)^id: .*\n", "", whole, count=1))
    os.utime(memory, (1, 1))
    clock.advance(hours=1)
    vault.tick()
    assert sorted(memory.read_text().splitlines()) == sorted(whole.splitlines())
    assert vault.fsck().ok


@pytest.mark.long
@pytest.mark.parametrize("line", ["", f"id: 01KAFXF{0:019}\n"])
def test_forgetting_what_calls_itself_something_else_leaves_nothing_to_answer_for(
    vault: Vault, memory: Path, line: str
) -> None:
    """Also where the ledger is made anew of commits."""
    memory.write_text(re.sub("(?m)^id: .*\n", line, memory.read_text(), count=1))
    vault.store.writer.commit_edits(quiet=0)
    vault.forget(here(vault, memory)[0])
    assert vault.fsck().ok
    (vault.path / ".vaultmem/acknowledged.jsonl").unlink()
    assert vault.fsck().ok


@pytest.mark.long
def test_moving_an_edited_memory_accepts_nothing(vault: Vault, memory: Path) -> None:
    """Nor does forgetting it, and taking that back; nor a ledger that is made anew."""
    edit(memory)
    vault.store.writer.commit_edits(quiet=0)
    for move in (vault.memories.archive, vault.memories.unarchive):
        (there,) = move(
            here(vault, memory)[:1]
            if move == vault.memories.archive
            else [it.path for it in vault.memories.archived()]
        ).paths
        assert named(vault) == [there]
    vault.forget(there)
    vault.undo(vault.log(1)[0].ops[0])
    assert named(vault) == [there]
    (vault.path / ".vaultmem/acknowledged.jsonl").unlink()
    assert named(vault) == [there]


def test_a_repair_that_brings_an_edited_memory_back_accepts_nothing(
    vault: Vault, memory: Path
) -> None:
    edit(memory)
    path = here(vault, memory)[0]
    for args in (("commit", "-qam", "mine"), ("rm", "-q", path), ("commit", "-qam", "gone")):
        subprocess.run(["git", *args], cwd=vault.path, check=True)
    assert "edited" in {p.code for p in vault.fsck(repair=True).problems}


def test_why_shows_what_was_accepted_when_the_edit_was_corrected(
    vault: Vault, memory: Path
) -> None:
    edit(memory)
    vault.store.writer.commit_edits(quiet=0)
    vault.correct(here(vault, memory)[0], "Sarah is allergic to almonds.")
    assert vault.fsck().ok
    told = [link.text for link in vault.why(here(vault, memory)[0]).chain]
    assert any("hazelnuts" in text for text in told)


@pytest.mark.long
def test_another_memory_may_stand_where_one_was_forgotten(vault: Vault, clock: Clock) -> None:
    dropped = vault.path / "agents/ada/memories/dropped.md"
    for text in ("The first one.\n", "The second one.\n"):
        dropped.parent.mkdir(parents=True, exist_ok=True)
        dropped.write_text(text)
        os.utime(dropped, (1, 1))
        clock.advance(hours=1)
        vault.tick()
        assert vault.fsck().ok
        vault.forget(dropped.relative_to(vault.path).as_posix())


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "now"),
    [
        ("is allergic", "<private>is</private> allergic"),
        *rarely(
            ("Sarah is allergic to hazelnuts.", "The parcel came. <private>x</private>"),
            ("to hazelnuts", "to ghp_" + "a1B2c3D4" * 5),
        ),
    ],
)
def test_a_memory_that_says_something_else_in_public_is_edited_whatever_it_hides(
    vault: Vault, memory: Path, words: str, now: str
) -> None:
    """It cannot be accepted as long as git has not got what it says."""
    edit(memory, words, now)
    assert named(vault) == here(vault, memory)
    with pytest.raises(Refused, match="not committed"):
        vault.fsck(accept=[memory.stem])
    vault.forgetting.purge([memory.stem])
    with pytest.raises(Refused, match="was forgotten"):
        vault.remember("Sarah is allergic to hazelnuts.", agent="ada")


def test_forgetting_an_edited_memory_forgets_what_it_said_before(
    vault: Vault, memory: Path
) -> None:
    """Neither text comes back."""
    edit(memory)
    vault.store.writer.commit_edits(quiet=0)
    vault.forget(here(vault, memory)[0])
    for nuts in ("hazelnuts", "walnuts"):
        with pytest.raises(Refused, match="was forgotten"):
            vault.remember(f"Sarah is allergic to {nuts}.", agent="ada")


def test_all_but_the_words_of_the_text_may_change(vault: Vault, memory: Path) -> None:
    edit(memory, "source: user\n", "source: user\ntags:\n  - food\nimportance: 0.9\n")
    edit(memory, "Sarah is allergic", "Sarah is\nallergic")
    edit(memory, "hazelnuts.", "hazelnuts. <private>And to Tom.</private>")
    assert named(vault) == []


def test_an_edit_is_accepted_in_one_commit_that_undo_takes_back(vault: Vault, memory: Path) -> None:
    edit(memory)
    assert vault.recall("walnuts").hits[0].trust == "agent"
    vault.fsck(accept=[memory.stem])
    assert vault.fsck().ok
    assert vault.recall("walnuts").hits[0].trust == "user"
    done = vault.log()[0]
    assert done.subject == "accept(ada): an edited memory"
    vault.undo(done.ops[0])
    assert "walnuts" in memory.read_text()
    assert named(vault) == here(vault, memory)


@pytest.mark.long
def test_an_edit_of_what_was_accepted_is_named_again(vault: Vault, memory: Path) -> None:
    edit(memory)
    vault.fsck(accept=[memory.stem])
    edit(memory, "walnuts", "peanuts")
    assert named(vault) == here(vault, memory)
    edit(memory, "peanuts", "walnuts")
    assert vault.fsck().ok


@pytest.mark.long
def test_what_is_accepted_is_known_again_from_the_history(
    vault: Vault, memory: Path, clock: Clock
) -> None:
    other = vault.path / vault.remember("Tom is from Lyon.", agent="ada", source="user").path
    edit(memory)
    vault.fsck(accept=[memory.stem])
    edit(other, "Lyon", "Nice")
    vault.store.writer.commit_edits(quiet=0)
    path = vault.path
    vault.close()
    shutil.rmtree(path / ".vaultmem")
    with Vault.open(path, clock=clock) as again:
        again.compact("ada")
        assert named(again) == here(again, other)


@pytest.mark.parametrize("look", ["fsck", "status"])
def test_a_fresh_clone_names_an_edit_at_the_first_look(
    vault: Vault, memory: Path, tmp_path: Path, look: str
) -> None:
    edit(memory)
    vault.store.writer.commit_edits(quiet=0)
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(vault.path), str(clone)], check=True)
    with Vault.open(clone) as other:
        problems = getattr(other, look)().problems
        assert [p.path for p in problems if p.code == "edited"] == here(vault, memory)


def test_a_correction_settles_an_edit(vault: Vault, memory: Path) -> None:
    edit(memory)
    vault.correct(memory.stem, "Sarah is allergic to all nuts.")
    assert vault.fsck().ok


def test_a_review_settles_an_edit(vault: Vault, memory: Path) -> None:
    edit(memory)
    assert named(vault) == here(vault, memory)
    vault.reviews.accept([memory.stem])
    assert vault.fsck().ok


def test_why_shows_what_was_accepted_below_what_it_says_now(vault: Vault, memory: Path) -> None:
    first = vault.log()[0].commit
    edit(memory)
    vault.store.writer.commit_edits(quiet=0)
    chain = [(link.kind, link.text) for link in vault.why(memory.stem).chain]
    assert ("memory", "Sarah is allergic to walnuts.") in chain
    assert ("accepted", "Sarah is allergic to hazelnuts.") in chain
    (was,) = [link for link in vault.why(memory.stem).chain if link.kind == "accepted"]
    assert was.commit == first


def test_what_a_person_wrote_is_accepted_as_it_was_taken_in(vault: Vault, clock: Clock) -> None:
    own = vault.path / "agents/ada/memories/tea.md"
    own.parent.mkdir(parents=True)
    own.write_text("Mara takes her tea without milk.\n")
    then = clock().timestamp() - 60
    os.utime(own, (then, then))
    vault.tick()
    assert "id: " in own.read_text()
    assert named(vault) == []
    edit(own, "without", "with")
    assert named(vault) == here(vault, own)


@pytest.mark.long
def test_no_summary_is_made_anew_of_an_edit_before_it_is_accepted(
    vault: Vault, memory: Path
) -> None:
    settings = vault.path / config.PATH
    edit(settings, "window: 64", "window: 4")
    for n in range(9):
        vault.remember(f"Lantern {n} hangs in the garden.", agent="ada", source="user")
    (summary, *_) = sorted((vault.path / "agents/ada/summaries").glob("recent-*.md"))
    before = summary.read_text()
    assert memory.stem in before
    edit(memory)
    vault.compact("ada", force=True)
    assert summary.read_text() == before
    vault.fsck(accept=[memory.stem])
    vault.compact("ada")
    assert "hazelnuts" not in summary.read_text().partition("\n---\n")[2]
    assert vault.fsck().ok


def test_a_status_digests_no_text_that_did_not_change(
    vault: Vault, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.status()
    looked: list[str] = []
    digest = accepted_text.digest

    def counted(body: str) -> str:
        looked.append(body)
        return digest(body)

    monkeypatch.setattr(accepted_text, "digest", counted)
    vault.store.sync()
    vault.status()
    assert looked == []
    edit(memory)
    vault.store.sync()
    vault.status()
    assert len(looked) == 1


@pytest.mark.parametrize("ref", ["nobody", "MEMORY.md"])
def test_only_an_edited_memory_can_be_accepted(vault: Vault, memory: Path, ref: str) -> None:
    with pytest.raises(BadInput, match="names no edited memory"):
        vault.fsck(accept=[ref])
    with pytest.raises(BadInput, match="names no edited memory"):
        vault.fsck(accept=[memory.stem])


def test_without_a_history_nothing_is_known_of_edits(plain: Vault) -> None:
    edit(plain.path / plain.remember("Tea at four.", agent="ada").path, "four", "five")
    assert named(plain) == []


def test_the_command_accepts_and_says_by_its_code_what_is_left(vault: Vault, memory: Path) -> None:
    edit(memory)
    assert run(["--vault", str(vault.path), "fsck"]) == 1
    assert run(["--vault", str(vault.path), "fsck", "--accept", memory.stem]) == 0
