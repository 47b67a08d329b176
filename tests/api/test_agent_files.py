"""Files of a vault as an agent reaches them: read, listed, made, edited, renamed, forgotten."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.at_rest import let_rest
from tests.conftest import Clock
from tests.work import folders_opened
from vaultmem import Vault, config
from vaultmem.api.agent_files import IsFolder, LedOut, Missing, NoMatch
from vaultmem.errors import (
    BadInput,
    NameTaken,
    Refused,
    SecretFound,
    StaleWrite,
    SwitchedOff,
    Unreadable,
)
from vaultmem.records import iso
from vaultmem.storage import reader

pytestmark = pytest.mark.without_history


def put(folder: Path, path: str, text: str) -> None:
    """Write a file as a person does."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text)


def git(folder: Path, *args: str) -> str:
    """Return what git says."""
    return subprocess.run(
        ("git", *args), cwd=folder, check=True, capture_output=True, text=True
    ).stdout  # fmt: skip


@pytest.mark.with_history
def test_a_write_looks_into_no_folder_that_rests(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process that begins: it reads the file that it edits, edited in place a moment ago."""
    at = datetime(2025, 3, 2, 10, 15, tzinfo=UTC)
    old = vault.remember("The heron eats at noon.", agent="ada", at=at).path
    vault.reach("ada").create("notes/plan.md", "first line\n")
    let_rest((vault.path / old).parents[:3])  # a folder that was just written is looked at again
    vault.status()
    opened = folders_opened(monkeypatch)
    plan = vault.path / "notes/plan.md"
    plan.write_text(plan.read_text().replace("first", "other"))
    with Vault.open(vault.path, clock=vault.store.clock) as begun:
        begun.reach("ada").append("notes/plan.md", "second line\n")
    assert not [it for it in opened if it.startswith("agents/ada/memories/")]
    assert plan.read_text().endswith("other line\nsecond line\n")


# --- making ---------------------------------------------------------------------------------------


@pytest.mark.with_history
def test_a_note_is_made_with_the_programs_frontmatter_and_read_without(
    vault: Vault, folder: Path
) -> None:
    made = vault.reach("ada").create("notes/plan.md", "first line\n", reason="learnt today")
    record = reader.load(vault.store.root, "notes/plan.md")
    assert record is not None
    assert (record.type, record.agent, record.source, record.trust) == (
        "note", "ada", "agent", "agent",
    )  # fmt: skip
    page = vault.reach("ada").page("notes/plan.md")
    assert (page.text, page.sha256, page.trust) == ("first line\n", made.sha256, "agent")
    assert vault.reach("ada").page(record.id).path == "notes/plan.md"
    assert git(folder, "log", "-1", "--format=%s") == "write(ada): learnt today\n"
    assert git(folder, "status", "--porcelain") == ""
    assert made.commit == git(folder, "rev-parse", "HEAD").strip()


def test_a_file_that_has_a_name_elsewhere_is_neither_shown_nor_edited(
    vault: Vault, tmp_path: Path
) -> None:
    """A hard link may be to a file that nobody put into the vault."""
    secret = tmp_path / "diary.md"
    secret.write_text("Nobody knows.\n")
    (vault.path / "notes").mkdir()
    (vault.path / "notes/diary.md").hardlink_to(secret)
    for agent in ("", "ada"):
        reach = vault.reach(agent)
        with pytest.raises(Refused, match="has another name"):
            reach.page("notes/diary.md")
        with pytest.raises(Refused, match="has another name"):
            reach.append("notes/diary.md", "I know.\n")
        (entry,) = (it for it in reach.listing("notes") if it.path == "notes/diary.md")
        assert entry.description == ""
    assert secret.read_text() == "Nobody knows.\n"
    secret.unlink()
    assert vault.reach().page("notes/diary.md").text == "Nobody knows.\n"
    (entry,) = vault.reach().listing("notes")
    assert entry.description == "Nobody knows."


def test_what_was_edited_often_is_shown(vault: Vault) -> None:
    """Its old inodes have names of their own meanwhile."""
    reach = vault.reach("ada")
    reach.create("notes/plan.md", "0\n")
    for n in range(1, 5):
        reach.str_replace("notes/plan.md", str(n - 1), str(n))
    assert reach.page("notes/plan.md").text == "4\n"


def test_what_is_there_is_never_overwritten(vault: Vault) -> None:
    reach = vault.reach()
    reach.create("notes/plan.md", "mine\n")
    for path in ("notes/plan.md", "Notes/plan.md", "notes/PLAN.md", "notes/plan.md/x.md"):
        with pytest.raises((NameTaken, Refused)):
            reach.create(path, "yours\n")
    assert reach.page("notes/plan.md").text == "mine\n"


def test_a_topic_that_an_agent_makes_stands_in_memory_md(vault: Vault, folder: Path) -> None:
    text = "---\ntitle: Tea\ntrust: verified\ntype: memory\n---\n## Facts\n- Sencha at four\n"
    vault.reach().create("topics/tea.md", text)
    record = reader.load(vault.store.root, "topics/tea.md")
    assert record
    assert (record.type, record.trust, record.title) == ("topic", "agent", "Tea")
    assert "topics/tea.md" in (folder / "MEMORY.md").read_text()


def test_nothing_secret_private_or_forgotten_is_written(vault: Vault, folder: Path) -> None:
    reach = vault.reach("ada")
    with pytest.raises(SecretFound):
        reach.create("notes/a.md", "key AKIAIOSFODNN7EXAMPLQ\n")
    with pytest.raises(SecretFound):
        reach.create("notes/a.md", "key AKIA\u200bIOSFODNN7EXAMPLQ\n")
    with pytest.raises(SecretFound):
        reach.create("notes/a.md", "fine\n", reason="AKIAIOSFODNN7EXAMPLQ")
    reach.create("notes/a.md", "AKIA\n<private>my pin</private>rest\n")
    assert reach.page("notes/a.md").text == "AKIA\nrest\n"
    with pytest.raises(SecretFound):  # nor is it put together piece by piece
        reach.str_replace("notes/a.md", "AKIA\n", "AKIAIOSFODNN7EXAMPLQ\n")
    kept = vault.remember("Bo is allergic to peanuts and to walnuts.", agent="ada")
    vault.forget(kept.id)
    with pytest.raises(Refused, match="forgotten"):
        reach.create("notes/b.md", "Bo is allergic to peanuts and to walnuts.\n")
    with pytest.raises(Refused, match="forgotten"):
        reach.append("notes/a.md", "Bo is allergic to peanuts and to walnuts.\n")
    with pytest.raises(Refused, match="forgotten"):  # not below a title either
        reach.set_note("notes/b.md", "Bo is allergic to peanuts and to walnuts.")
    with pytest.raises(Refused, match="forgotten"):
        reach.create_note(
            "B", "Of Bo:\n\n- Likes tea.\n- Bo is allergic to peanuts and to walnuts."
        )
    assert not (folder / "notes/b.md").exists()


def test_text_that_no_note_can_hold_is_refused(vault: Vault) -> None:
    for text in ("a\0b", "\ud800", "x" * 200_000):
        with pytest.raises(BadInput):
            vault.reach().create("notes/a.md", text)
    with pytest.raises(Unreadable):
        vault.reach().create("notes/a.md", "---\na: b: c\n---\nx\n")


def test_an_agent_that_is_switched_off_writes_nothing(vault: Vault, folder: Path) -> None:
    config = folder / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("disabled_agents: []", "disabled_agents: [ada]"))
    with pytest.raises(SwitchedOff):
        vault.reach("ada").create("notes/a.md", "x\n")


# --- editing --------------------------------------------------------------------------------------


@pytest.mark.with_history
def test_an_edit_shows_its_diff_and_says_who(vault: Vault, folder: Path, clock: Clock) -> None:
    reach = vault.reach("ada")
    reach.create("notes/plan.md", "one\ntwo\n")
    clock.advance(minutes=5)
    done = reach.str_replace("notes/plan.md", "two", "TWO", reason="it is louder")
    assert "-two\n+TWO\n" in done.diff
    assert "updated: 2026-11-20T10:20:00Z\n" in (folder / "notes/plan.md").read_text()
    assert git(folder, "log", "-1", "--format=%s") == "edit(ada): it is louder\n"
    reach.insert("notes/plan.md", 0, "top")
    reach.append("notes/plan.md", "## End\n\nold")
    reach.replace_section("notes/plan.md", "End", "new")
    reach.set_field("notes/plan.md", "tags", ["tea", "plans"])
    page = reach.page("notes/plan.md")
    assert page.frontmatter["tags"] == ["tea", "plans"]
    assert page.text.endswith("---\ntop\none\nTWO\n## End\n\nnew\n")


def test_a_stale_edit_is_refused(vault: Vault) -> None:
    reach = vault.reach()
    seen = reach.create("notes/plan.md", "one\n").sha256
    reach.append("notes/plan.md", "two", expected_sha256=seen)
    with pytest.raises(StaleWrite):
        reach.append("notes/plan.md", "three", expected_sha256=seen)
    assert reach.page("notes/plan.md").text == "one\ntwo\n"


@pytest.mark.with_history
def test_an_edit_that_changes_nothing_writes_nothing(vault: Vault, folder: Path) -> None:
    vault.reach().create("notes/plan.md", "one\n")
    head = git(folder, "rev-parse", "HEAD")
    done = vault.reach().str_replace("notes/plan.md", "one", "one")
    assert (done.diff, done.op, git(folder, "rev-parse", "HEAD")) == ("", "", head)


def test_a_persons_note_keeps_every_byte_but_its_trust(vault: Vault, folder: Path) -> None:
    put(folder, "notes/mine.md", "---\ncssclasses: wide # x\n---\r\nHello\r\n%% aside %%\r\n")
    vault.reach().str_replace("notes/mine.md", "Hello", "Bye")
    assert (folder / "notes/mine.md").read_bytes() == (
        b"---\ncssclasses: wide # x\nsource: agent\ntrust: agent\n---\r\nBye\r\n%% aside %%\r\n"
    )


def test_what_is_raw_made_or_a_persons_is_not_edited(vault: Vault, folder: Path) -> None:
    kept = vault.remember("Ada drinks tea.", agent="ada")
    put(folder, "notes/memory.md", "---\ntype: memory\n---\nx\n")
    put(folder, "notes/fixed.md", "---\nread_only: true\n---\nx\n")
    put(folder, "inbox/review/x.md", "---\ntrust: untrusted\n---\nx\n")
    for path in (kept.path, "notes/memory.md", "notes/fixed.md", "AGENTS.md", "inbox/review/x.md"):
        before = (folder / path).read_bytes()
        with pytest.raises(Refused):
            vault.reach().append(path, "more")
        assert (folder / path).read_bytes() == before
    with pytest.raises(Refused, match="vaultmem correct"):
        vault.reach().str_replace(kept.path, "tea", "coffee")


@pytest.mark.parametrize("key", ["trust", "source", "type", "id", "approved", "superseded_by"])
def test_no_field_that_the_program_sets_is_set(vault: Vault, key: str) -> None:
    vault.reach().create("notes/plan.md", "one\n")
    with pytest.raises(Refused, match="belongs to the program"):
        vault.reach().set_field("notes/plan.md", key, "verified")


def test_no_agent_writes_what_every_session_begins_with(vault: Vault, folder: Path) -> None:
    vault.remember("Ada drinks tea.", agent="ada")
    before = (folder / "MEMORY.md").read_text()
    for attempt in (
        lambda: vault.reach().append("MEMORY.md", "- Ada prefers short answers"),
        lambda: vault.reach().str_replace("MEMORY.md", "<!-- vaultmem:begin -->", "x"),
        lambda: vault.reach().rename("MEMORY.md", "notes/m.md"),
        lambda: vault.reach().remove("MEMORY.md"),
    ):
        with pytest.raises(Refused, match="it is generated"):
            attempt()
    assert (folder / "MEMORY.md").read_text() == before


def test_a_link_is_never_followed(vault: Vault, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    put(tmp_path, "out/secret.md", "secret\n")
    (folder / "notes").symlink_to(tmp_path / "out")
    (folder / "one.md").symlink_to(tmp_path / "out/secret.md")
    reach = vault.reach()
    with pytest.raises(LedOut):
        reach.page("notes/secret.md")
    with pytest.raises(Refused):
        reach.page("one.md")
    with pytest.raises(Refused):
        reach.create("notes/new.md", "x\n")
    with pytest.raises((Refused, Missing)):
        reach.append("one.md", "x")
    with pytest.raises((Refused, Missing)):
        reach.remove("notes")
    assert (tmp_path / "out/secret.md").read_text() == "secret\n"
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["secret.md"]


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.with_history
def test_a_page_of_the_past_is_read_as_it_was_committed(
    vault: Vault, folder: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.reach().create("notes/plan.md", "one\n")
    clock.now = datetime.now(UTC) + timedelta(days=9)
    later = iso(clock.now - timedelta(days=1))
    put(folder, "notes/plan.md", (folder / "notes/plan.md").read_text() + "two\n")
    monkeypatch.setenv("GIT_COMMITTER_DATE", later)
    git(folder, "commit", "-qam", "by hand")
    then = iso(clock.now - timedelta(days=2))
    assert vault.reach().page("notes/plan.md", as_of=then).text == "one\n"
    assert vault.reach().page("notes/plan.md", first=2, most=1).text == "two\n"


def test_what_nobody_vouches_for_is_read_when_it_is_asked_for(vault: Vault, folder: Path) -> None:
    kept = vault.remember("From a web page.", agent="ada", source="web")
    put(folder, "notes/clip.md", "---\nsource: https://example.org\n---\nclipped\n")
    for path in (kept.path, "notes/clip.md"):
        with pytest.raises(Refused):
            vault.reach().page(path)
        assert vault.reach().page(path, untrusted=True).trust == "untrusted"
    shown = [e.path for e in vault.reach().listing(depth=9)]
    assert kept.path not in shown
    assert "notes/clip.md" not in shown


def test_broken_files_are_read_as_far_as_they_can_be(vault: Vault, folder: Path) -> None:
    put(folder, "notes/yaml.md", "---\na: b: c\n---\nHello\n")
    (folder / "notes/bytes.md").write_bytes(b"\xff\xfe")
    assert vault.reach().page("notes/yaml.md").text == "---\na: b: c\n---\nHello\n"
    with pytest.raises(Unreadable):
        vault.reach().page("notes/bytes.md")
    with pytest.raises(Unreadable):
        vault.reach().append("notes/yaml.md", "x")


def test_a_folder_and_nothing_are_told_apart(vault: Vault) -> None:
    vault.reach().create("notes/plan.md", "one\n")
    with pytest.raises(IsFolder):
        vault.reach().page("notes")
    with pytest.raises(Missing):
        vault.reach().page("notes/none.md")
    with pytest.raises(Missing):
        vault.reach().listing("none")
    with pytest.raises(BadInput, match="is a file"):
        vault.reach().listing("notes/plan.md")


def test_a_listing_shows_sizes_kinds_and_what_they_are_about(vault: Vault, folder: Path) -> None:
    reach = vault.reach("ada")
    reach.create("notes/plan.md", "# The plan\n")
    vault.say("talk", "hello", agent="ada")
    found = {e.path: e for e in reach.listing(depth=9)}
    assert next(iter(found)) == "MEMORY.md"
    plan = found["notes/plan.md"]
    assert (plan.size, plan.type) == ((folder / "notes/plan.md").stat().st_size, "note")
    assert plan.description == "# The plan"
    assert found["agents/ada/sessions/talk.jsonl"].type == "transcript"
    assert "hello" in reach.page("agents/ada/sessions/talk.jsonl").text
    assert [e.path for e in reach.listing(depth=9, kind="transcript") if not e.folder] == [
        "agents/ada/sessions/talk.jsonl"
    ]
    assert not any(p.startswith((".", "tombstones", "templates")) for p in found)


def test_an_agent_that_is_named_neither_sees_nor_writes_what_is_anothers(vault: Vault) -> None:
    vault.reach("bo").create("agents/bo/notes/own.md", "bo's\n")
    ada = vault.reach("ada")
    with pytest.raises(Missing):
        ada.page("agents/bo/notes/own.md")
    assert "agents/bo" not in [e.path for e in ada.listing()]
    for attempt in (
        lambda: ada.create("agents/bo/notes/new.md", "x\n"),
        lambda: ada.append("agents/bo/notes/own.md", "x"),
        lambda: ada.remove("agents/bo/notes/own.md"),
        lambda: ada.rename("agents/bo/notes/own.md", "notes/own.md"),
    ):
        with pytest.raises((Refused, Missing)):
            attempt()
    assert vault.reach("bo").page("agents/bo/notes/own.md").text == "bo's\n"


# --- renaming and removing ------------------------------------------------------------------------


@pytest.mark.with_history
def test_a_rename_keeps_id_and_history_and_names_the_links_that_broke(
    vault: Vault, folder: Path
) -> None:
    reach = vault.reach("ada")
    made = reach.create("notes/plan.md", "one\ntwo\nthree\n")
    reach.create("notes/other.md", "see [[plan]] and [[notes/plan]]\n")
    moved = reach.rename("notes/plan.md", "projects/roadmap.md")
    assert reach.page(made.op).path == "projects/roadmap.md"
    assert moved.links == ("notes/other.md",)
    assert not (folder / "notes/plan.md").exists()
    told = git(folder, "log", "--follow", "--format=%s", "--", "projects/roadmap.md")
    assert told.count("\n") == 2
    with pytest.raises(NameTaken):
        reach.rename("projects/roadmap.md", "notes/other.md")
    with pytest.raises(Missing):
        reach.rename("notes/plan.md", "notes/b.md")


def test_a_folder_is_renamed_and_never_into_itself(vault: Vault) -> None:
    reach = vault.reach("ada")
    for name in ("a", "b"):
        reach.create(f"notes/{name}.md", f"{name}\n")
    with pytest.raises(BadInput, match="into itself"):
        reach.rename("notes", "notes/inner")
    reach.rename("notes", "projects/notes")
    assert [e.path for e in reach.listing("projects")] == [
        "projects/notes", "projects/notes/a.md", "projects/notes/b.md",
    ]  # fmt: skip


@pytest.mark.with_history
@pytest.mark.parametrize(
    "new", ["CLAUDE.md", "cards/a/b.md", "notes/x.txt", ".git/x.md", "../x.md"]
)
def test_a_rename_ends_only_where_one_may_write(vault: Vault, new: str) -> None:
    vault.reach().create("notes/plan.md", "one\n")
    with pytest.raises((BadInput, Refused)):
        vault.reach().rename("notes/plan.md", new)
    assert vault.reach().page("notes/plan.md").text == "one\n"


@pytest.mark.with_history
def test_what_is_removed_leaves_a_tombstone_each_in_one_commit(vault: Vault, folder: Path) -> None:
    reach = vault.reach("ada")
    for name in ("a", "b"):
        reach.create(f"notes/{name}.md", f"The {name} of the matter\n")
    before = int(git(folder, "rev-list", "--count", "HEAD"))
    gone = reach.remove("notes", reason="done with it")
    assert gone.paths == ("notes/a.md", "notes/b.md")
    assert all((folder / stone).exists() for stone in gone.tombstones)
    assert len(gone.tombstones) == 2
    assert int(git(folder, "rev-list", "--count", "HEAD")) == before + 1
    with pytest.raises(Refused, match="forgotten"):
        reach.create("notes/a.md", "The a of the matter\n")


@pytest.mark.with_history
def test_a_memory_is_forgotten_and_what_is_made_of_it_is_not_removed(
    vault: Vault, folder: Path
) -> None:
    kept = vault.remember("Ada drinks tea.", agent="ada")
    summary = "agents/ada/summaries/recent-20261120-101500.md"
    put(folder, summary, "---\ntype: summary\n---\nTea\n")
    with pytest.raises(Refused, match="generated from what was said"):
        vault.reach().remove(summary)
    with pytest.raises(Refused):
        vault.reach().remove("agents/ada")
    assert vault.reach().remove(kept.path).paths == (kept.path,)


def test_a_crowd_does_not_go_at_once(vault: Vault, folder: Path) -> None:
    for n in range(60):
        put(folder, f"notes/{n}.md", f"note {n}\n")
    with pytest.raises(Refused, match="at most 50"):
        vault.reach().remove("notes")
    with pytest.raises(Refused):
        vault.reach().remove("")


@pytest.mark.with_history
def test_a_delayed_write_is_on_disk_and_waits_for_its_commit(vault: Vault, folder: Path) -> None:
    made = vault.reach().delayed().create("notes/plan.md", "one\n")
    assert made.commit is None
    assert (folder / "notes/plan.md").exists()
    assert made.op in vault.store.writer.commit_pending()
    assert git(folder, "status", "--porcelain") == ""


def test_a_hit_that_is_not_there_changes_nothing(vault: Vault, folder: Path) -> None:
    vault.reach().create("notes/plan.md", "one\n")
    before = (folder / "notes/plan.md").read_bytes()
    with pytest.raises(NoMatch):
        vault.reach().str_replace("notes/plan.md", "two", "three")
    assert (folder / "notes/plan.md").read_bytes() == before


# --- what a person has not committed yet ----------------------------------------------------------


HAND = "Hand written, not committed yet.\n"


@pytest.mark.with_history
def test_what_git_did_not_have_comes_back_when_its_removal_is_undone(
    vault: Vault, folder: Path
) -> None:
    put(folder, "notes/hand.md", HAND)
    done = vault.reach("ada").remove("notes/hand.md")
    assert not (folder / "notes/hand.md").exists()
    vault.undo(done.op)
    assert (folder / "notes/hand.md").read_text() == HAND


@pytest.mark.with_history
def test_what_git_did_not_have_comes_back_when_its_new_name_is_undone(
    vault: Vault, folder: Path
) -> None:
    put(folder, "notes/hand.md", HAND)
    done = vault.reach("ada").rename("notes/hand.md", "notes/else.md")
    assert done.commit
    vault.undo(done.op)
    assert (folder / "notes/hand.md").read_text() == HAND
    assert not (folder / "notes/else.md").exists()


@pytest.mark.with_history
def test_an_edit_of_what_git_did_not_have_is_an_operation_of_its_own(
    vault: Vault, folder: Path
) -> None:
    put(folder, "notes/hand.md", HAND)
    done = vault.reach("ada").str_replace("notes/hand.md", "not committed", "edited")
    assert done.commit
    assert git(folder, "log", "-2", "--format=%s", "--", "notes/hand.md") == (
        "edit(ada): notes/hand.md\nhuman: add notes/hand.md\n"
    )
    vault.undo(done.op)
    assert (folder / "notes/hand.md").read_text() == HAND


@pytest.mark.with_history
def test_a_persons_line_in_an_agents_note_outlives_the_removal_and_its_undoing(
    vault: Vault, folder: Path
) -> None:
    vault.reach("ada").create("notes/plan.md", "version one\n")
    with (folder / "notes/plan.md").open("a") as file:
        file.write("a line of a person's\n")
    both = (folder / "notes/plan.md").read_text()
    vault.undo(vault.reach("ada").remove("notes/plan.md").op)
    assert (folder / "notes/plan.md").read_text() == both


@pytest.mark.with_history
def test_what_a_person_staged_is_neither_removed_nor_renamed_nor_edited(
    vault: Vault, folder: Path
) -> None:
    put(folder, "notes/hand.md", HAND)
    git(folder, "add", "notes/hand.md")
    reach = vault.reach("ada")
    for step in (
        lambda: reach.remove("notes/hand.md"),
        lambda: reach.rename("notes/hand.md", "notes/else.md"),
        lambda: reach.append("notes/hand.md", "more"),
    ):
        with pytest.raises(Refused, match="staged: commit that first"):
            step()
    assert (folder / "notes/hand.md").read_text() == HAND
    assert git(folder, "diff", "--cached", "--name-only") == "notes/hand.md\n"


@pytest.mark.with_history
@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        (".gitignore", "hand.md\n", "where git ignores it"),
        (".git/MERGE_HEAD", "0" * 40 + "\n", "merge is in progress: finish that first"),
        (config.PATH, "---\ncommit_human_edits: false\n---\n", "leaves that to you"),
    ],
)
def test_what_cannot_be_committed_now_stays_as_it_is_and_is_said(
    vault: Vault, folder: Path, file: str, text: str, said: str
) -> None:
    put(folder, "notes/hand.md", HAND)
    put(folder, file, text)
    with pytest.raises(Refused, match=said):
        vault.reach("ada").remove("notes/hand.md")
    assert (folder / "notes/hand.md").read_text() == HAND


@pytest.mark.with_history
def test_what_we_wrote_and_git_does_not_have_yet_is_edited_and_removed_during_a_merge(
    vault: Vault, folder: Path
) -> None:
    put(folder, ".git/MERGE_HEAD", "0" * 40 + "\n")
    reach = vault.reach("ada")
    reach.create("notes/plan.md", "one\n")
    reach.append("notes/plan.md", "two")
    edited = (folder / "notes/plan.md").read_text()
    gone = reach.remove("notes/plan.md")
    assert gone.commit is None
    (folder / ".git/MERGE_HEAD").unlink()
    vault.undo(gone.op)
    assert (folder / "notes/plan.md").read_text() == edited


HELD = "# Plan\n\nThe only copy of my plan: sell the boat in May.\n\n<private>pin 1234</private>\n"


@pytest.mark.with_history
@pytest.mark.parametrize("old", ["sell the boat in May", "The only copy of my plan"])
def test_an_edit_that_takes_words_out_of_a_held_file_is_refused(
    vault: Vault, folder: Path, old: str
) -> None:
    put(folder, "notes/plan.md", HELD)
    with pytest.raises(Refused, match="marked private, which is not committed: add to it"):
        vault.reach("ada").str_replace("notes/plan.md", old, "As in June")
    assert (folder / "notes/plan.md").read_text() == HELD
    assert vault.store.writer.waiting() == 0


@pytest.mark.with_history
def test_what_is_added_to_a_held_file_takes_nothing_away_and_promises_no_undo(
    vault: Vault, folder: Path
) -> None:
    put(folder, "notes/plan.md", HELD)
    reach = vault.reach("ada")
    done = (
        reach.insert("notes/plan.md", 3, "Ask Bo first."),
        reach.str_replace("notes/plan.md", "in May.", "in May. Ask Eve, too."),
        reach.append("notes/plan.md", "Or in June."),
    )
    assert [(it.op, it.commit) for it in done] == [("", None)] * 3
    told = (folder / "notes/plan.md").read_text()
    for words in ("sell the boat in May. Ask Eve, too.\nAsk Bo first.", "pin 1234", "Or in June."):
        assert words in told


@pytest.mark.with_history
def test_a_held_file_that_a_person_committed_is_edited_and_promises_no_undo(
    vault: Vault, folder: Path
) -> None:
    """Git has the words that go, but gets no new version of such a file from a program."""
    put(folder, "notes/plan.md", HELD)
    git(folder, "add", "notes/plan.md")
    git(folder, "-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-qm", "mine")
    reach = vault.reach("ada")
    assert reach.str_replace("notes/plan.md", "in May", "in June").op == ""
    with pytest.raises(Refused, match="git does not have"):
        reach.str_replace("notes/plan.md", "in June", "never")


def test_without_a_history_no_write_promises_an_undo(plain: Vault) -> None:
    reach = plain.reach("ada")
    assert reach.create("notes/plan.md", "one\n").op == ""
    assert reach.append("notes/plan.md", "two").op == ""


@pytest.mark.with_history
def test_a_checkout_with_crlf_is_no_work_of_a_person(vault: Vault, folder: Path) -> None:
    put(folder, "notes/hand.md", HAND)
    git(folder, "add", "notes/hand.md")
    git(folder, "-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-qm", "hand")
    (folder / "notes/hand.md").write_bytes(HAND.replace("\n", "\r\n").encode())
    assert vault.reach("ada").append("notes/hand.md", "more").op
    assert "human:" not in git(folder, "log", "--format=%s")


def test_without_history_nothing_is_removed_for_good(plain: Vault) -> None:
    reach = plain.reach("ada")
    reach.create("notes/y.md", "y\n")
    with pytest.raises(Refused, match="no history, so what is forgotten is gone for good"):
        reach.remove("notes/y.md")
    assert reach.page("notes/y.md").text == "y\n"


# --- what is another agent's ----------------------------------------------------------------------


def test_a_name_of_another_agents_means_nothing_to_an_agent_that_is_named(
    vault: Vault, folder: Path
) -> None:
    theirs = vault.remember("The submarine leaves at dawn.", agent="bob")
    put(folder, "agents/bob/notes/tea.md", "his\n")
    put(folder, "agents/bob/notes/dossier.md", "his\n")
    put(folder, "agents/ada/notes/tea.md", "hers\n")
    ada = vault.reach("ada")
    for name in (theirs.id, "dossier", "[[dossier]]", Path(theirs.path).stem):
        with pytest.raises(Missing) as caught:
            ada.page(name)
        assert "bob" not in str(caught.value)
    assert ada.page("tea").text == "hers\n"
    with pytest.raises(BadInput, match=r"agents/bob/notes/tea\.md"):
        vault.reach().page("tea")


@pytest.mark.with_history
def test_what_a_write_tells_an_agent_names_no_file_of_anothers(vault: Vault, folder: Path) -> None:
    put(folder, "agents/bob/notes/his.md", "The submarine leaves at dawn. See [[plan]].\n")
    put(folder, "notes/shared.md", "The submarine leaves at dawn. See [[plan]].\n")
    ada = vault.reach("ada")
    ada.create("notes/plan.md", "The submarine leaves at dawn.\n")
    assert ada.rename("notes/plan.md", "notes/other.md").links == ("notes/shared.md",)
    assert ada.remove("notes/other.md").mentions == ("notes/shared.md",)


@pytest.mark.with_history
def test_a_refusal_names_no_file_of_another_agents(vault: Vault, folder: Path) -> None:
    fact = "The heliotrope submarine of Ottokar leaves Graz at dawn."
    vault.reach("ada").create("notes/plan.md", f"{fact}\n")
    head = "---\ntype: topic\nsource: agent\ntrust: agent\n---\n"
    put(folder, "agents/bob/topics/his.md", f"{head}## Facts\n- {fact}\n- Mine.\n")
    git(folder, "add", "agents/bob/topics/his.md")
    with pytest.raises(Refused) as caught:
        vault.reach("ada").remove("notes/plan.md")
    assert "bob" not in str(caught.value)
    assert "mentioned elsewhere" in str(caught.value)
    with pytest.raises(Refused, match=r"agents/bob/topics/his\.md"):
        vault.reach().remove("notes/plan.md")


def test_the_inbox_quotes_everybody_and_is_not_for_an_agent_that_is_named(
    vault: Vault, folder: Path
) -> None:
    for path in ("inbox/dream-2026.md", "inbox/review/x.md", "Inbox/y.md"):
        put(folder, path, "- bob said that the submarine leaves\n")
    ada = vault.reach("ada")
    for path in ("inbox/dream-2026.md", "inbox/review/x.md", "dream-2026", "Inbox/y.md"):
        with pytest.raises(Missing):
            ada.page(path, untrusted=True)
    with pytest.raises(Missing):
        ada.listing("inbox")
    assert not any(e.path.casefold().startswith("inbox") for e in ada.listing(depth=9))
    assert "submarine" in vault.reach().page("inbox/dream-2026.md").text
