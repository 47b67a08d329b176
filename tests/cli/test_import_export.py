"""`import` and `export` as people type them and scripts rely on them."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from vaultmem.cli import run

pytestmark = pytest.mark.without_history

Say = Callable[..., str]
HELLO = {
    "type": "user", "uuid": "u1", "sessionId": "s1", "timestamp": "2026-01-02T10:00:00.000Z",
    "message": {"role": "user", "content": "Use tabs in Makefiles."},
}  # fmt: skip


@pytest.fixture
def say(folder: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Return what runs a command on the vault and returns what it prints, or its complaint."""

    def command(*args: str | Path, code: int = 0) -> str:
        assert run(["--vault", str(folder), *map(str, args)]) == code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        if code:
            assert re.fullmatch(r"vaultmem: [^\n]+\n", err), err
        return err if code else out

    return command


def test_what_was_left_out_is_told_with_its_reason(say: Say, tmp_path: Path) -> None:
    """A line for each reason: how often, why, and where first."""
    path = tmp_path / "s1.jsonl"
    path.write_text(json.dumps({"type": "summary"}) + "\n" + json.dumps(HELLO) + "\n")
    told = say("import", "claude-code", path, "--agent", "ada").splitlines()
    assert told[0] == "imported 1 turn, skipped 1, failed 0; 1 episode, 0 topics"
    assert told[2].split() == ["skipped", "1", "no", "message:", "summary", "s1.jsonl:1"]
    again = json.loads(say("import", "claude-code", path, "--agent", "ada", "--json"))
    assert (again["imported"], again["skipped"], again["compactions"]) == (0, 2, [])
    assert again["skipped_because"][0] == {
        "why": "no message: summary", "count": 1, "where": "s1.jsonl:1",
    }  # fmt: skip


def test_a_program_is_told_how_many_of_each_kind_came_in(say: Say, tmp_path: Path) -> None:
    """As a person is, whatever the format makes first."""
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps({"results": [{"id": "1", "memory": "Ada likes tea."}]}))
    turn = tmp_path / "s1.jsonl"
    turn.write_text(json.dumps(HELLO) + "\n")
    for form, file, kind in (("mem0", path, "memories"), ("claude-code", turn, "turns")):
        told = json.loads(say("import", form, file, "--agent", "ada", "--json"))
        assert {key for key in ("memories", "notes", "turns") if told[key]} == {kind}
        assert told[kind] == told["imported"] == 1


def test_a_folder_of_notes_is_imported_and_a_dry_run_says_so_before(
    say: Say, tmp_path: Path, folder: Path
) -> None:
    """The same words, and nothing written."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Tea\n\nGreen tea at four.\n")
    said = "imported 1 note, skipped 0, failed 0\n"
    assert say("import", "markdown", notes, "--dry-run") == said
    assert not (folder / "knowledge").exists()
    assert say("import", "markdown", notes) == said
    assert "knowledge/notes/a.md" in say("recall", "green", "tea")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("json", "x"), "what was exported as json is imported as jsonl"),
        (("csv", "x"), "'csv' is not a format that can be imported; there are: jsonl, claude-code"),
        (("markdown", "x", "--as", "turns"), "markdown becomes notes, not turns: leave that out"),
        (("jsonl", "x", "--prune"), "--prune is for markdown and basic-memory alone"),
        (("chatgpt", "nowhere.zip"), "nowhere.zip: No such file"),
        (("openclaw", "nowhere"), "nowhere is not a folder: name the workspace"),
        (("claude-code", "."), ".: no session (*.jsonl) in this folder or below it"),
        (("chatgpt", "."), ".: no conversations.json, whole or in parts, in this folder or below"),
        (("markdown", "."), ".: no note (*.md, *.markdown) in this folder or below it"),
        (("basic-memory", "pic.png"), "pic.png is not a note: no Markdown; looked for *.md"),
        (("openclaw", "."), ". is not a workspace of OpenClaw: it has no MEMORY.md"),
        (("chatgpt", "pics.zip"), "pics.zip holds no conversations.json"),
    ],
)
def test_a_mistake_is_one_sentence(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], says: str
) -> None:
    """With what there is instead; here stands a folder in which nothing fits."""
    (tmp_path / "here/memory").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    Path("pic.png").write_bytes(b"png")
    with zipfile.ZipFile("pics.zip", "w") as archive:
        archive.writestr("pic.png", "png")
    assert says in say("import", *args, code=2)


def test_what_is_not_as_it_was_is_told_with_its_first_place(say: Say, tmp_path: Path) -> None:
    """Names that other systems have not, and pictures that were not taken along."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Case.md").write_text('Tea. ![[pic.png|200]] ![Plan](img/plan%20b.pdf "x")\n')
    (notes / "case.md").write_text("![[pic.png]] and [[pic.png]], [[Case]], [[b.md]], [[v1. 2]].\n")
    (notes / "why?.md").write_text("[a](https://x.example/a.png), [b](mailto:b@x.example)\n")
    told = json.loads(say("import", "markdown", notes, "--json"))
    assert (told["imported"], told["skipped"]) == (3, 0)
    left, renamed = sorted(told["remarks"], key=lambda r: -r["count"])
    assert (left["count"], left["where"]) == (3, "Case.md: pic.png")
    assert "its link leads nowhere" in left["why"]
    assert (renamed["count"], renamed["where"]) == (2, "case.md is knowledge/notes/case-2.md")
    assert json.loads(say("import", "markdown", notes, "--json"))["remarks"] == []
    (notes / "new.md").write_text("![[pic.png]]\n")
    assert re.search(r"imported +1 +an attachment", say("import", "markdown", notes, "--dry-run"))


def test_an_export_says_what_it_wrote(say: Say, tmp_path: Path) -> None:
    """For people and for scripts, in each of the formats."""
    say("remember", "I like rain.", "--agent", "ada")
    path = tmp_path / "out.jsonl"
    assert say("export", "json", path) == (
        f"exported 1 note to {path}: 1 file written, 0 unchanged\n"
    )
    told = json.loads(say("export", "okf", tmp_path / "okf", "--json"))
    assert (told["path"], told["notes"], told["left_out"]) == (str(tmp_path / "okf"), 1, [])
    sent = json.loads(say("export", "claude-code", tmp_path / "mem", "--json"))
    assert (sent["files"], (tmp_path / "mem/MEMORY.md").exists()) == (1, True)
    assert "there are: okf, json, basic-memory, claude-code" in say("export", "csv", "x", code=2)


@pytest.mark.parametrize(
    ("form", "key", "says"),
    [
        ("json", "turns", "and 3 turns to"),
        ("okf", "turns_left", "3 turns of 3 sessions are not exported"),
    ],
)
def test_an_export_says_how_many_turns_go_along_or_stay_behind(  # noqa: PLR0913, PLR0917
    say: Say,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    form: str,
    key: str,
    says: str,
) -> None:
    """Whoever moves with an export must not learn it afterwards; another agent's are not told."""
    for agent, session in (("ada", "s1"), ("ada", "s2"), ("bob", "s3")):
        path = tmp_path / f"{session}.jsonl"
        path.write_text(json.dumps({**HELLO, "uuid": session, "sessionId": session}) + "\n")
        say("import", "claude-code", path, "--agent", agent)
    told = json.loads(say("export", form, tmp_path / "out", "--json"))
    assert (told[key], told["turns"] + told["turns_left"]) == (3, 3)
    told = json.loads(say("export", form, tmp_path / "out2", "--agent", "ada", "--json"))
    assert (told[key], told["turns"] + told["turns_left"]) == (2, 2)
    assert run(["--vault", str(folder), "export", form, str(tmp_path / "out")]) == 0
    assert says in "".join(capsys.readouterr())


def test_a_page_that_nobody_let_in_is_recalled_with_its_mark_when_it_is_asked_for(
    say: Say, tmp_path: Path
) -> None:
    """A person lets it in, and the mark goes."""
    notes = tmp_path / "web"
    notes.mkdir()
    (notes / "a.md").write_text("---\nsource: https://tea.example\n---\nGreen tea at four.\n")
    say("import", "markdown", notes)
    assert say("recall", "green", "tea") == "nothing found\n"
    assert json.loads(say("recall", "green", "tea", "--json"))["hits"] == []
    assert "  untrusted\n" in say("recall", "green", "tea", "--untrusted")
    assert "knowledge/web/a.md" in say("review", "list")
    say("review", "accept", "knowledge/web/a.md")
    assert "untrusted" not in say("recall", "green", "tea")
    assert "updated" not in say("import", "markdown", notes)  # its bytes are as they were
