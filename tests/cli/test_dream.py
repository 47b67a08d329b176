"""`dream` as people type it and scripts rely on it."""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.cli import run

Say = Callable[..., str]
TEA = "---\ntype: topic\ntitle: Tea\ncreated: 2024-05-10T09:00:00Z\n---\n## Facts\n"
TWICE = "- The big samovar stands in the blue kitchen of Graz.\n"
ROWS = {"id", "op", "path", "reason", "sources", "protected", "losses", "by"}


@pytest.fixture
def say(folder: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Return what runs a command on a vault with a topic that says a thing twice."""
    (folder / "topics").mkdir(exist_ok=True)
    (folder / "topics/tea.md").write_text(TEA + TWICE + "- Milk first.\n" + TWICE)
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    subprocess.run(["git", "commit", "-qm", "by hand"], cwd=folder, check=True)

    def command(*args: str, code: int = 0) -> str:
        assert run(["--vault", str(folder), *args]) == code
        out, err = capsys.readouterr()
        return out if code == 0 else err

    return command


def test_a_list_of_nothing_is_a_sentence(say: Say) -> None:
    assert say("dream", "log") == "no dream was applied yet\n"
    assert say("share", "--list") == "nothing is shared\n"


def data(text: str) -> dict[str, object]:
    """Read what `--json` printed."""
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def test_a_plan_for_scripts(say: Say, folder: Path) -> None:
    found = data(say("dream", "plan", "--json"))
    assert found.keys() == {
        "id", "changes", "losses", "gate", "diff", "note", "left", "commit", "reason",
        "contradictions",
    }  # fmt: skip
    changes = found["changes"]
    assert isinstance(changes, list)
    assert all(change.keys() == ROWS for change in changes)
    assert "merge" in {change["op"] for change in changes}
    assert f"-{TWICE}" in str(found["diff"])
    assert (folder / str(found["note"])).exists()


def test_a_plan_for_people_shows_the_way_on(say: Say) -> None:
    said = say("dream", "plan")
    assert f"-{TWICE}" in said
    assert re.search(r"^[0-9a-f]{8}  merge  +topics/tea\.md ", said, re.MULTILINE)
    assert "`vaultmem dream apply --all` takes all that is not protected" in said


def test_a_dream_that_is_asked_for_in_a_note_names_the_note_with_the_changes(say: Say) -> None:
    """And shows no diff, whose lines are no links and no quotes."""
    told = say("@dream")
    assert re.search(r"^tick what you want in inbox/dream-[-0-9]+\.md, then ", told, re.MULTILINE)
    assert "+++" not in told


def test_apply_undo_and_log(say: Say, folder: Path) -> None:
    before = (folder / "topics/tea.md").read_text()
    say("dream", "plan")
    done = data(say("dream", "apply", "--all", "--json"))
    stays = {"id", "op", "changes", "losses", "gate", "diff", "commit"}
    assert done.keys() == {*stays, "skipped", "contradictions", "declined"}
    assert done["id"] == done["op"]
    assert (folder / "topics/tea.md").read_text().count(TWICE) == 1
    assert str(done["op"]) in say("dream", "log")
    undone = data(say("dream", "undo", "--json"))
    assert undone.keys() == {*stays, "undone"}
    (changed,) = [c for c in json.loads(json.dumps(undone["changes"])) if "tea" in c["path"]]
    assert changed.keys() == ROWS
    assert f"+{TWICE}" in str(undone["diff"])
    assert undone["undone"] == done["op"]
    assert (folder / "topics/tea.md").read_text() == before
    (entry,) = json.loads(say("dream", "log", "--json"))["dreams"]
    assert entry.keys() == {"op", "commit", "when", "subject", "changes", "undone"}
    assert entry["undone"]
    assert "taken back" in say("dream", "log")


def test_a_dream_counts_the_contradictions_that_it_found(say: Say, folder: Path) -> None:
    """In its note, and when it is shown and applied."""
    facts = "- The port of heron is 8080.\n- The port of heron is 9090.\n"
    (folder / "topics/heron.md").write_text(TEA.replace("Tea", "Heron") + facts)
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    subprocess.run(["git", "commit", "-qm", "by hand"], cwd=folder, check=True)
    counts = "2 changes: merge 1, correct 1; 1 contradiction found"
    assert counts in say("dream", "plan")
    (review,) = (folder / "inbox").glob("dream-*.md")
    assert f"{counts}.\n" in review.read_text()
    done = say("dream", "apply", "--all")
    assert done.endswith(f"{counts}\n2 changes applied; `vaultmem dream undo` undoes it\n")


def test_what_was_applied_is_told_to_people(say: Say) -> None:
    say("dream", "plan")
    said = say("dream", "apply", "--all")
    assert "merge topics/tea.md: " in said
    assert said.endswith("applied; `vaultmem dream undo` undoes it\n")
    assert say("dream", "plan") == "no dream: no improvement was found\n"


def test_single_changes_are_chosen_by_id(say: Say) -> None:
    changes = json.loads(say("dream", "plan", "--json"))["changes"]
    (merge,) = [change for change in changes if change["op"] == "merge"]
    done = json.loads(say("dream", "apply", "--only", merge["id"], "--json"))
    assert [change["id"] for change in done["changes"]] == [merge["id"]]


def test_a_change_that_is_not_proposed_is_refused(say: Say) -> None:
    say("dream", "plan")
    said = say("dream", "apply", "--only", "nope", code=3)
    assert "skipped nope: no review note has a change of this id: " in said


@pytest.mark.long
def test_why_nothing_was_applied_of_what_is_a_persons_own_is_said(say: Say, folder: Path) -> None:
    say("dream", "plan")
    say("dream", "apply", "--all")
    (folder / "topics/tea.md").write_text(TEA + TWICE + "- Milk first.\n" + TWICE)
    say("dream", "plan")
    done = json.loads(say("dream", "apply", "--all", "--json"))
    assert done["changes"] == []
    assert "tick this change, or include what is protected" in done["skipped"][0]["reason"]
    way_out = say("dream", "apply", "--include-protected", code=2)
    assert "or use `vaultmem dream apply --all --include-protected`" in way_out


def test_mistakes_are_said_with_the_way_out(say: Say) -> None:
    assert "`vaultmem dream plan` makes a plan" in say("dream", "apply", code=2)
    say("dream", "plan")
    assert "nothing is ticked" in say("dream", "apply", code=2)
    assert "there is no dream to undo" in say("dream", "undo", code=2)


def test_unbidden_it_says_which_gate_is_shut(say: Say) -> None:
    found = data(say("dream", "plan", "--if-due", "--json"))
    assert found["changes"] == []
    assert found["reason"] == "0 of 5 sessions are new since the last dream"


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return what types the answers to the next command."""

    def type_in(*lines: str) -> None:
        typed = "".join(f"{line}\n" for line in lines)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))

    return type_in


@pytest.mark.long
def test_a_review_asks_of_each_change_and_applies_what_was_taken(
    say: Say, folder: Path, answer: Callable[..., None]
) -> None:
    (folder / "topics/mint.md").write_text(TEA.replace("Tea", "Mint") + TWICE * 2)
    say("dream", "plan")
    answer("?", "y", "never", "no, a joke")
    said = say("dream", "review")
    assert "(1/3) merge topics/" in said
    assert f"-{TWICE}" in said
    assert "never - leave it" in said
    assert "1 change applied" in said
    texts = [(folder / f"topics/{name}.md").read_text() for name in ("tea", "mint")]
    assert sorted(text.count(TWICE) for text in texts) == [1, 2]
    assert "(no, a joke)" in (folder / "inbox/declined.md").read_text()
    say("dream", "apply", "--all")
    assert say("dream", "review").startswith("nothing waits")


def test_where_the_answers_end_the_rest_stays_on_offer(
    say: Say, folder: Path, answer: Callable[..., None]
) -> None:
    (folder / "topics/mint.md").write_text(TEA.replace("Tea", "Mint") + TWICE * 2)
    say("dream", "plan")
    answer("n")
    assert "(2/3)" in say("dream", "review")
    answer("s")
    assert "(1/3)" in (said := say("dream", "review"))
    assert "0 changes applied" in said
    assert "asks a person" in say("dream", "review", "--json", code=2)
    assert not (folder / "inbox/declined.md").exists()


def test_a_never_for_what_was_applied_meanwhile_is_named(
    say: Say,
    folder: Path,
    answer: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    say("dream", "plan")

    def apply_elsewhere(*, filename: str) -> None:
        assert filename
        with Vault.open(folder) as vault:
            vault.dreams.apply(everything=True)

    monkeypatch.setattr("click.edit", apply_elsewhere)
    answer("e", "never", "a joke")
    assert run(["--vault", str(folder), "dream", "review"]) == 0
    _, noted = capsys.readouterr()
    assert "it was applied meanwhile, and is not struck out: `vaultmem dream undo`" in noted
    assert "struck out for good" not in noted
    assert not (folder / "inbox/declined.md").exists()


def test_a_file_can_be_edited_before_the_answer(
    say: Say, folder: Path, answer: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    say("dream", "plan")
    monkeypatch.setenv("EDITOR", "sed -i s/Milk.first/Sugar.first/")
    answer("e", "y")
    say("dream", "review")
    assert "- Sugar.first.\n" in (folder / "topics/tea.md").read_text()
    assert (folder / "topics/tea.md").read_text().count(TWICE) == 1
