"""`session` and `fold` as people type them and scripts rely on them."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from vaultmem.cli import run
from vaultmem.storage.files import READ_ONLY

pytestmark = pytest.mark.without_history

GITHUB = "ghp_" + "a1B2c3D4" * 5
COMPACT = {
    "task", "current_state", "key_decisions", "eliminated_approaches", "open_questions",
    "next_steps", "relevant_tool_results", "compacted_at_turn",
}  # fmt: skip
Say = Callable[..., str]


@pytest.fixture
def say(folder: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Return what runs a command on the vault and returns what it prints, or its complaint."""

    def command(*args: str, code: int = 0) -> str:
        assert run(["--vault", str(folder), *args]) == code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        if code == 0:
            return out
        assert out == ""
        assert re.fullmatch(r"vaultmem: [^\n]+\n", err), err
        return err

    return command


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Return what puts bytes on standard input."""

    def put(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def turn(say: Say, *args: str, session: str = "bill") -> str:
    """Say something in a session of ada."""
    return say("session", "turn", "--agent", "ada", "--session", session, *args)


def data(text: str) -> dict[str, object]:
    """Read what `--json` printed."""
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def write(path: Path, *lines: dict[str, object] | str) -> str:
    """Write a conversation and return where."""
    said = (x if isinstance(x, str) else json.dumps(x) for x in lines)
    path.write_text("".join(f"{x}\n" for x in said))
    return str(path)


# --- session --------------------------------------------------------------------------------------


def test_a_session_from_its_first_turn_to_its_restoring(say: Say) -> None:
    """What a person sees on the way."""
    assert say("session", "show").startswith("no sessions yet")
    assert turn(say, "We", "pay bills.").startswith("turn 1 of bill, about ")
    turn(say, "--role", "tool", "--tool", "psql", "48213 rows")
    assert "psql: 48213 rows" in say("session", "start", "bill")
    assert re.search(r"bill +ada +2 +0 +no", say("session", "show"))
    assert say("session", "show", "bill", "--turn", "2") == "48213 rows\n"
    assert "  1  " in say("session", "show", "bill")
    assert "## Task\nWe pay bills." in say("session", "compact", "bill")
    assert '<session-compact session="bill">' in say("session", "restore", "bill")
    assert say("session", "end", "bill") == "bill ended at turn 3\n"
    assert "turns 1 to 3: " in say("session", "show", "bill", "--window")


def test_the_keys_that_scripts_rely_on(say: Say) -> None:
    """Of every command that prints JSON."""
    said = data(turn(say, "--json", "We pay bills.", "--tokens", "150000"))
    assert said == {
        "session": "bill", "path": "agents/ada/sessions/bill.jsonl", "turn": 1,
        "tokens": 150000, "due": "tokens", "left_out": "",
    }  # fmt: skip
    assert data(turn(say, "--json", "Good."))["due"] == "tokens"  # until somebody makes it
    made = data(say("--json", "session", "compact", "bill"))
    assert {*made} == COMPACT | {"session", "path", "model", "degraded", "commit"}
    assert (made["compacted_at_turn"], made["model"]) == (2, "extractive")
    again = data(say("--json", "session", "compact", "bill"))
    assert again == {**made, "commit": None}
    restored = data(say("--json", "session", "restore", "bill", "--as", "message"))
    assert (restored["as"], restored["compacted_at_turn"]) == ("message", 2)
    window = data(say("--json", "session", "show", "bill", "--window"))
    assert {*window} == {"compact", "episodes", "window"}
    begun = data(say("--json", "session", "start", "bill"))
    assert (begun["resumed"], begun["path"]) == (True, said["path"])
    assert data(say("--json", "session", "show", "bill", "--turn", "1"))["content"] == (
        "We pay bills."
    )
    (row,) = json.loads(say("--json", "session", "show"))["sessions"]
    assert {*row} == {"session", "agent", "path", "turns", "episodes", "compacted_at_turn", "over",
                      "last"}  # fmt: skip
    assert data(say("--json", "session", "end", "bill"))["turn"] == 3
    assert data(say("--json", "fold")) == {
        "episodes": [], "topics": [], "experiences": [],
        "reason": "no session has turns that are due",
    }  # fmt: skip


@pytest.mark.parametrize(("args", "why"), [
    (("session", "show", "nope"), "ada has no session 'nope': `vaultmem session show` lists"),
    (("session", "end", "nope"), "ada has no session 'nope'"),
    (("session", "compact", "nope"), "ada has no session 'nope'"),
    (("session", "restore", "bill"), "has no compact that is up to date: `vaultmem session"),
    (("session", "show", "bill", "--turn", "99"), "bill has 1 turn, not 99"),
    (("session", "show", "bill", "--turn", "0"), "--help` shows more"),
    (("session", "show", "bill", "--agent", "bob"), "no agent 'bob' in this vault; there are: ada"),
    (("session", "turn", "--session", "s", "--role", "boss", "Hi"),
     "is not a role: use one of user"),
    (("session", "turn", "--session", "s", ""), "nothing was said"),
    (("session", "turn", "--session", "s", "--tokens", "-5", "Hi"), "--help` shows more"),
    (("session", "turn", "Hi"), "missing option '--session'"),
    (("session", "turn", "--session", " ", "Hi"), "a session needs a name"),
    (("session", "turn", "--session", "x" * 201, "Hi"), "longer than 200 characters"),
    (("session", "shrink", "talk.json"), "messages come from standard input"),
    (("fold", "--agent", "bob"), "no agent 'bob'"),
])  # fmt: skip
def test_a_mistake_is_one_sentence(say: Say, args: tuple[str, ...], why: str) -> None:
    """That says what, and the way out."""
    turn(say, "We pay bills.")
    assert why in say(*args, code=2)


def test_a_credential_is_refused_and_not_repeated(say: Say) -> None:
    """Not even in the complaint."""
    for args in ((f"key {GITHUB}",), ("--speaker", GITHUB, "Hi")):
        assert GITHUB not in say("session", "turn", "--session", "s", *args, code=3)
    assert GITHUB.lower() not in say("session", "turn", "--session", GITHUB, "Hi", code=3).lower()
    say("session", "turn", "--session", "s", "--redact", f"key {GITHUB}")
    assert say("session", "show", "s", "--turn", "1") == "key [REDACTED:github-token]\n"


def test_text_comes_from_standard_input_too(say: Say, type_in: Callable[[bytes], None]) -> None:
    """Several lines; what is no UTF-8 is refused."""
    type_in("Zwölf Hühner\nund ein Hahn\n".encode())
    turn(say, "-")
    assert say("session", "show", "bill", "--turn", "1") == "Zwölf Hühner\nund ein Hahn\n"
    type_in(b"\xff")
    assert "not UTF-8" in say("session", "turn", "--session", "bill", "-", code=2)


def test_shrinking_prints_json_whatever_was_asked(
    say: Say, type_in: Callable[[bytes], None]
) -> None:
    """An agent's loop reads it."""
    given = [{"role": "user", "content": "Hello."}]
    type_in(json.dumps(given).encode())
    assert data(say("session", "shrink", "-", "--agent", "ada")) == {
        "messages": given, "level": "none", "transcript": None, "tokens_before": 7,
        "tokens_after": 7, "fits": True, "compression": None,
    }  # fmt: skip
    type_in(b'{"messages": 3')
    assert "not JSON that a provider accepts" in say("session", "shrink", "-", code=2)


def test_folding_tells_what_it_made(say: Say) -> None:
    """Paths, or that nothing is due."""
    turn(say, "We decided to pay bills because they are due.")
    assert say("fold") == "nothing to do: no session has turns that are due\n"
    assert say("fold", "--force").startswith("agents/ada/episodes/episode-0001-")
    assert say("fold", "--force", "--redo-degraded").startswith("nothing to do")


def test_without_git_everything_but_history_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a vault that has no repository."""
    path = str(tmp_path / "plain")
    for args in (
        ["init", path, "--no-git"], ["--vault", path, "session", "turn", "--session", "s", "Boil!"],
        ["--vault", path, "session", "end", "s"], ["--vault", path, "session", "compact", "s"],
        ["--vault", path, "fsck"],
    ):  # fmt: skip
        assert run(args) == 0
    assert capsys.readouterr().err == ""
    assert len(list((tmp_path / "plain/agents/default/episodes").iterdir())) == 1


def test_a_read_only_vault_refuses_a_turn_in_a_sentence(say: Say, folder: Path) -> None:
    """And still shows what is there."""
    turn(say, "We pay bills.")
    (folder / READ_ONLY).write_text("the disk failed\n")
    turn_refused = ("session", "turn", "--session", "s", "--agent", "ada", "Hi")
    assert "read-only" in say(*turn_refused, code=5)
    assert "We pay bills." in say("session", "show", "bill")


# --- import --as turns ----------------------------------------------------------------------------


def message(number: int, session: str = "farm") -> dict[str, object]:
    """Return one message of a conversation."""
    text = f"We decided to keep {number} hens because of the eggs."
    return {"id": number, "session": session, "role": "user", "content": text}


def bring(say: Say, file: str, *args: str, code: int = 0) -> str:
    """Import a conversation as turns."""
    return say("--json", "import", "jsonl", file, "--agent", "ada", "--as", "turns", *args,
               code=code)  # fmt: skip


def test_turns_are_imported_once(say: Say, tmp_path: Path, folder: Path) -> None:
    """However often; what is new joins them."""
    file = write(tmp_path / "t.jsonl", *(message(n) for n in range(3)))
    first = data(bring(say, file))
    assert (first["imported"], first["skipped"], first["failed"]) == (3, 0, 0)
    assert first["compactions"] == []
    assert [Path(str(p)).name[:12] for p in [*first["episodes"]]] == ["episode-0001"]  # type: ignore[misc]
    again = data(bring(say, file))
    assert (again["imported"], again["skipped"], again["episodes"]) == (0, 3, [])
    file = write(tmp_path / "t.jsonl", *(message(n) for n in range(5)))
    assert data(bring(say, file))["imported"] == 2
    lines = (folder / "agents/ada/sessions/farm.jsonl").read_text().splitlines()
    assert [json.loads(x)["turn"] for x in lines] == [1, 2, 3, 4, 5]
    assert "ok" in say("fsck")


def test_a_bad_line_is_named_and_nothing_is_imported(
    say: Say, tmp_path: Path, folder: Path
) -> None:
    """Unless bad lines are to be left out."""
    file = write(tmp_path / "t.jsonl", message(1), "{oops", message(2))
    assert "t.jsonl:2: " in bring(say, file, code=2)
    assert not (folder / "agents").exists()
    done = data(bring(say, file, "--skip-bad"))
    assert (done["imported"], done["failed"]) == (2, 1)


@pytest.mark.long
def test_imported_sessions_with_odd_names_do_not_meet(
    say: Say, tmp_path: Path, folder: Path
) -> None:
    """Each is a file of its own, and is found by its name."""
    names = ["a/b", "a-b", "A/B", "会议", "会話", "../x", "x"]
    file = write(tmp_path / "t.jsonl", *(message(n, name) for n, name in enumerate(names)))
    assert data(bring(say, file))["imported"] == len(names)
    assert len(list((folder / "agents/ada/sessions").glob("*.jsonl"))) == len(names)
    for number, name in enumerate(names):
        assert f"keep {number} hens" in say("session", "show", name)


def test_the_turns_of_a_switched_off_session_are_skipped(
    say: Say, tmp_path: Path, folder: Path
) -> None:
    """And an agent that is switched off gets nothing at all."""
    config = folder / "config/memory_compaction.md"
    config.write_text(re.sub(r"(?m)^disabled_sessions:.*$", "disabled_sessions: [secret]",
                             config.read_text()))  # fmt: skip
    file = write(tmp_path / "t.jsonl", message(1, "secret"), message(2))
    done = data(bring(say, file))
    assert (done["imported"], done["skipped"]) == (1, 1)
    assert not (folder / "agents/ada/sessions/secret.jsonl").exists()
    config.write_text(re.sub(r"(?m)^disabled_agents:.*$", "disabled_agents: [ada]",
                             config.read_text()))  # fmt: skip
    assert "disabled_agents" in bring(say, file, code=3)


def test_a_credential_in_a_line_is_refused_or_blanked(
    say: Say, tmp_path: Path, folder: Path
) -> None:
    """The line is named, the credential is not."""
    file = write(tmp_path / "t.jsonl", {"session": "farm", "content": f"key {GITHUB}"})
    why = bring(say, file, code=2)
    assert "t.jsonl:1: looks like a secret" in why
    assert GITHUB not in why
    bring(say, file, "--redact")
    assert GITHUB not in (folder / "agents/ada/sessions/farm.jsonl").read_text()


def test_an_agent_with_transcripts_alone_is_known(say: Say) -> None:
    """To every command that reads."""
    turn(say, "We pay bills.")
    assert "bill" in say("session", "show", "--agent", "ada")
    assert say("context", "--agent", "ada").endswith("~ada>\n")
    assert say("status")
    assert "nothing to do" in say("fold", "--agent", "ada")
