"""Peers are asked the same questions as vaultmem, and who is not here is left out aloud."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.bench import peers

SAID = [
    ("D1:1", "may", "Ada", "My sister moved to Lisbon in March."),
    ("D1:2", "may", "Ben", "Does she like the trams there?"),
    ("D2:1", "june", "Ada", "I bought a violin from Greta Larsen."),
]
ASKED = [("Where did the sister move?", "D1:1"), ("Who sold the violin?", "D2:1")]
BASIC_MEMORY = """\
#!/bin/sh
case "$1 $2" in
  "project add") ls "$4"/may > "$HOME/added" ;;
  "tool search-notes") echo '{"results": [{"file_path": "may/00001.md"}]}' ;;
esac
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with one conversation, where nobody's weights are."""
    messages = [
        {"id": i, "session": s, "speaker": who, "content": text, "at": "2026-05-05T10:00:00Z"}
        for i, s, who, text in SAID
    ]
    questions = [{"question": text, "evidence": [piece]} for text, piece in ASKED]
    questions.append({"question": "Who stole it?", "evidence": ["D2:1"], "category": "adversarial"})
    for kind, rows in (("messages", messages), ("questions", questions)):
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        (tmp_path / f"talk.{kind}.jsonl").write_text(text)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def run(folder: Path, *options: str) -> Result:
    """Run the comparison."""
    done = CliRunner().invoke(peers.main, ["--conversations", str(folder), *options])
    assert done.exit_code == 0, done.output
    return done


def test_grep_and_fts5_stand_beside_vaultmem(folder: Path) -> None:
    got = json.loads(run(folder, "--only", "grep,fts5", "--json").output)
    assert got["n"] == 2
    seen = {row["figure"]: (row["seen"], row["ratio"]) for row in got["rows"]}
    for name in ("vaultmem", "grep", "fts5"):
        assert seen[f"recall_any@10, {name}"] == (1, 1)
        assert seen[f"p50, {name}"][0] > 0
    assert seen["session hit@1, vaultmem"] == (1, 1)


def test_who_is_not_here_is_left_out_aloud(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    done = run(folder)
    assert "basic-memory: left out: no basic-memory is installed" in done.stderr
    assert "chroma with MiniLM: left out: VAULTMEM_MODEL_DIR names no weights" in done.stderr
    assert "2 questions over 1 conversations; ratio: beside vaultmem" in done.stdout


def test_a_peers_command_is_run_on_a_copy_of_the_notes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers with the second message: no evidence, but in the right session of one question."""
    command = folder / "bin/basic-memory"
    command.write_text(BASIC_MEMORY)
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(command.parent), prepend=":")
    got = json.loads(run(folder, "--only", "basic-memory", "--json").output)
    seen = {row["figure"]: row["seen"] for row in got["rows"]}
    assert seen["recall_any@10, basic-memory"] == 0
    assert seen["session hit@1, basic-memory"] == 0.5


def test_a_peer_that_fails_is_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = folder / "bin/basic-memory"
    command.write_text("#!/bin/sh\nexit 3\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(command.parent), prepend=":")
    done = run(folder, "--only", "basic-memory")
    assert "basic-memory: left out: " in done.stderr
    assert "non-zero exit status 3" in done.stderr
