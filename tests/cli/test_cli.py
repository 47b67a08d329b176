"""The command line, as people type it and as scripts rely on it."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.commands import unprivileged
from tests.wire import Status, Wire
from vaultmem import Vault, __version__
from vaultmem.cli import COMMANDS, output, run
from vaultmem.records import iso

pytestmark = pytest.mark.without_history

GITHUB = "ghp_" + "a1B2c3D4" * 5
MAIN = "import os, sys; from vaultmem.cli import main; main()"
Say = Callable[..., str]


@pytest.fixture
def say(folder: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Return what runs a command on the vault in this process."""
    return speaker(folder, capsys)


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a vault for scenes that leave no mark, or none that matters to the others."""
    path = tmp_path_factory.mktemp("lasting") / "vault"
    assert run(["init", str(path)]) == 0
    return path


def speaker(folder: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Return what runs a command and returns what it prints, or its complaint."""

    def command(*args: str, code: int = 0) -> str:
        assert run(["--vault", str(folder), *args]) == code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        if code in {0, 1}:
            assert err == ""
            return out
        assert out == ""
        assert err.startswith("vaultmem: ")
        assert err.count("\n") == 1
        return err

    return command


def installed(
    *args: str | Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    argv = [sys.executable, "-c", MAIN, *map(str, args)]
    return subprocess.run(argv, capture_output=True, text=True, check=False, env=env)


def on_terminal(*args: str, env: dict[str, str] | None = None) -> str:
    """Return what the command prints to a terminal of eighty columns."""
    mine, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, *args], stdout=theirs, stderr=theirs,
        env={**os.environ, "COLUMNS": "80", "TERM": "xterm", **(env or {})},
    )  # fmt: skip
    os.close(theirs)
    said = b""
    while True:
        try:
            piece = os.read(mine, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        said += piece
    os.close(mine)
    assert process.wait() == 0
    return said.decode()


def talk(folder: Path, count: int) -> Path:
    """Write a conversation of *count* messages."""
    path = folder / "talk.jsonl"
    lines = (
        {"id": n, "content": f"Lantern {n} hangs in garden number {n}."}
        for n in range(1, count + 1)
    )
    path.write_text("".join(json.dumps(x) + "\n" for x in lines))
    return path


# --- the shape of it --------------------------------------------------------------------------


def test_every_command_is_there_and_explains_itself(say: Say) -> None:
    """Help names what the command takes."""
    for name in COMMANDS:
        text = say(name, "--help")
        assert text.startswith(f"Usage: vaultmem {name} ")
        assert "--json" in text
        assert "--vault" in text


def test_help_lists_every_command_in_two_groups(capsys: pytest.CaptureFixture[str]) -> None:
    """Plain ones and spoken ones."""
    assert run(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(re.search(rf"^  {re.escape(name)} +\w", text, re.MULTILINE) for name in COMMANDS)
    assert text.index("Everyday:") < text.index("In chats and notes:")


def test_nothing_at_all_is_answered_with_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """On stderr, as a mistake."""
    assert run([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Usage: vaultmem ")


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """As the package has it, and the commit of the checkout."""
    assert run(["--version"]) == 0
    said = capsys.readouterr().out
    assert re.fullmatch(rf"vaultmem {re.escape(__version__)}( \([0-9a-f]{{10}}\))?\n", said)


def test_words_are_found_whoever_is_said_to_embed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A setting that cannot be matters to who asks for meaning."""
    assert run(["--vault", str(folder), "remember", "The well is deep.", "--agent", "ada"]) == 0
    monkeypatch.setenv("VAULTMEM_EMBEDDER", "magic")
    assert run(["--vault", str(folder), "recall", "well", "--mode", "lexical"]) == 0
    assert "The well is deep." in capsys.readouterr().out
    assert run(["--vault", str(folder), "recall", "well"]) == 2


def test_a_person_hears_that_meaning_was_asked_for_in_vain(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And does not hear each time of an embedder that was never set up."""
    assert run(["--vault", str(folder), "recall", "well"]) == 0
    assert capsys.readouterr().err == ""
    assert run(["--vault", str(folder), "recall", "well", "--mode", "semantic"]) == 0
    assert "no embedder is set up" in capsys.readouterr().err


def test_a_person_hears_that_the_reranker_is_away(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever named one, and has no embedder, would take the order for the reranker's."""
    assert run(["--vault", str(folder), "remember", "The well is deep.", "--agent", "ada"]) == 0
    monkeypatch.setenv("VAULTMEM_RERANKER", "ollama")
    monkeypatch.setenv("VAULTMEM_RERANK_MODEL", "small")
    with Wire(lambda _: Status(404, "no such model")) as away:
        monkeypatch.setenv("OLLAMA_HOST", away.url)
        assert run(["--vault", str(folder), "recall", "well"]) == 0
    said = capsys.readouterr()
    assert "The well is deep." in said.out
    assert said.err.endswith("not reranked\n")


JSON: dict[tuple[str, ...], set[str]] = {
    ("remember", "The well is deep."): {
        "id", "path", "sha256", "commit", "quotes", "duplicate", "left_out",
    },
    ("recall", "well"): {"hits", "degraded_reason", "sessions"},
    ("context",): {"text", "tokens", "budget", "items", "dropped", "degraded_reason"},
    ("context", "--format", "messages", "--cache-hint"): {
        "messages", "cache", "tokens", "budget", "items", "dropped", "degraded_reason"
    },
    ("sync",): {
        "documents", "embedder", "caught", "vectors", "remote", "branch", "pulled", "gone",
        "pushed", "merged", "conflicts", "told", "commit", "reason",
    },
    ("share", "--list"): {"shared"},
    ("task", "list"): {"tasks", "counts", "problems"},
    ("embedder", "status"): {
        "kind", "model", "where", "why", "available", "problem", "space", "edition", "licence",
        "dimensions", "milliseconds",
    },
    ("compact",): {"compactions", "sessions", "experiences", "reason"},
    ("compact", "--dry-run"): {"compactions", "reason", "diff"},
    ("status",): {
        "status", "path", "format", "immediate_window", "recent_window", "agents", "memory_md",
        "index", "daemon", "summarizer", "uncommitted", "inbox", "problems",
    },
    ("card", "list"): {"cards"},
    ("card", "export"): {"categories"},
    ("topic", "list"): {"topics", "left_off"},
    ("experience", "Dig", "--outcome", "success"): {
        "id", "path", "importance", "known", "commit", "left_out"
    },
    ("dream", "plan"): {
        "id", "changes", "contradictions", "losses", "gate", "diff", "note", "left", "commit",
        "reason",
    },
    ("dream", "log"): {"dreams"},
    ("review",): {"reviews"},
    ("why", "AGENTS.md"): {"ref", "taken", "chain", "unsaid", "turned_round"},
    ("log",): {"operations"},
    ("diff",): {"diff"},
    ("fsck",): {
        "ok", "memories", "covered", "pending", "checked", "problems", "unsupported",
        "uncommitted", "not_checked_out", "set_aside", "tool_lines", "due",
    },
    ("watch", "--once"): {"compactions", "folded", "commits", "ticked", "answers", "problems"},
    ("@remember", "tea"): {
        "id", "path", "sha256", "commit", "quotes", "duplicate", "left_out",
    },
    ("@recall", "tea"): {"hits", "degraded_reason", "sessions"},
    ("@dream",): {
        "id", "changes", "contradictions", "losses", "gate", "diff", "note", "left", "commit",
        "reason",
    },
    ("@compact-memories",): {"compactions", "sessions", "experiences", "reason"},
    ("@bootstrap-summaries",): {"compactions", "sessions", "experiences", "reason"},
    ("@memory-budget",): {"budgets"},
    ("completion", "zsh"): {"shell", "script"},
}  # fmt: skip


@pytest.mark.parametrize("command", JSON, ids=" ".join)
def test_json_is_one_object_with_the_keys_that_stay(
    lasting: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """Before the command or after it, alone on stdout."""
    say = speaker(lasting, capsys)
    for args in (("--json", *command), (*command, "--json")):
        out = say(*args)
        assert set(json.loads(out)) == JSON[command]
        assert out.count("\n") == 1


def test_the_vault_may_be_named_after_the_command_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or by the environment, or by where one stands."""
    assert run(["status", "--vault", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["path"] == str(folder)


def test_the_vault_is_found_by_environment_and_by_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    """An option beats the environment, which beats the folder."""
    monkeypatch.chdir(folder / "config")
    assert run(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["path"] == str(folder)
    monkeypatch.setenv("VAULTMEM_VAULT", "~/nowhere")
    assert run(["status"]) == 2
    assert f"there is no {home}/nowhere" in capsys.readouterr().err
    assert run(["status", "--vault", str(folder)]) == 0


def test_in_json_each_part_of_a_status_has_its_name(say: Say) -> None:
    told = json.loads(say("status", "--json"))
    assert told["daemon"] == {"running": False, "heartbeat": None, "pid": None, "late": False}
    assert told["memory_md"].keys() == {"lines", "bytes"}
    assert told["index"].keys() >= {"documents", "fresh", "backend"}


def test_what_waits_in_the_inbox_has_the_same_name_in_words_and_in_json(
    say: Say, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "inbox/conflict-tea-0a1b2c3d.md").write_text("Green tea at six.\n")
    say("card", "set", "family/tom", "--field", "city=Lyon", "--person", "Tom",
        "--relationship", "son", "--backstory", "Said.", "--source", "user")  # fmt: skip
    assert run(["--vault", str(folder), "card", "set", "family/tom", "--field", "city=Nice",
                "--source", "web"]) == 3  # fmt: skip
    capsys.readouterr()
    waits = {"dreams": 0, "disagreements": 1, "reviews": 0, "conflicts": 1}
    assert json.loads(say("status", "--json"))["inbox"] == waits
    assert (
        "1 disagreement between the claims of a card, 1 conflict between two versions of a file"
        in " ".join(say("status").split())
    )


@pytest.mark.parametrize("way", ["option", "environment"])
def test_a_path_that_is_not_there_is_not_the_vault_around_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], way: str
) -> None:
    """A typo keeps nothing in the wrong vault."""
    monkeypatch.chdir(folder)
    given = ["--vault", "./typo/nowhere"] if way == "option" else []
    monkeypatch.setenv("VAULTMEM_VAULT", "typo/nowhere" * (way != "option"))
    assert run([*given, "remember", "x"]) == 2
    assert f"there is no {folder}/typo/nowhere: name the folder" in capsys.readouterr().err
    assert not list(folder.glob("agents/*/memories/**/*.md"))


# --- the way of a memory ----------------------------------------------------------------------


@pytest.mark.with_history
def test_the_first_memory_that_is_remembered_is_pointed_at(say: Say, folder: Path) -> None:
    """No round comes behind a command."""
    path = say("remember", "The well is deep.", "--agent", "ada").split()[-1]
    assert f"({path}): The well is deep." in (folder / "MEMORY.md").read_text()
    assert say("watch", "--once") == "0 compactions, 0 commits\n"
    assert say("diff").startswith("nothing to show: what is tracked is committed")


@pytest.mark.long
@pytest.mark.with_history
def test_the_whole_way(say: Say, tmp_path: Path) -> None:
    """Remember, import, recall, compact, look, take back, check."""
    path = say("remember", "The", "well", "is", "deep.", "--agent", "ada").split()[-1]
    assert path.startswith("agents/ada/memories/")
    assert say("import", "jsonl", str(talk(tmp_path, 3)), "--agent", "ada") == (
        "imported 3 memories, skipped 0, failed 0; 0 compactions\n"
    )
    assert say("recall", "deep", "well").splitlines()[1] == "    The well is deep."
    assert "Lantern 2" in say("context", "lantern")
    assert say("compact") == (
        "nothing to do: all 4 memories are within the immediate window of 64\n"
    )
    assert "OK" in say("status")
    assert say("log").splitlines()[0].split() == ["when", "operation", "what"]
    op = say("log").splitlines()[1].split()[2]
    assert "+Lantern 3" in say("diff", op)
    assert "-Lantern 3" in say("undo", op, "--dry-run")
    assert say("undo", op).startswith(f"undid {op}: 4 files; `vaultmem undo ")
    assert say("recall", "lantern") == "nothing found\n"
    assert say("fsck").startswith("ok  ")
    assert say("watch", "--once") == "0 compactions, 0 commits\n"
    assert say("diff").startswith("nothing to show: what is tracked is committed")


@pytest.mark.with_history
def test_the_last_operation_is_undone_by_that_name_and_so_is_that(say: Say, folder: Path) -> None:
    """As over MCP."""
    paths = [folder / say("remember", it, "--agent", "ada").split()[-1] for it in ("Tea.", "Oat.")]
    assert "-Oat." in say("undo", "last", "--dry-run")
    assert say("undo", "last").startswith("undid ")
    assert [path.exists() for path in paths] == [True, False]
    say("undo", "last")
    assert [path.exists() for path in paths] == [True, True]


def test_the_same_words_with_tags_that_they_have_are_stored_once(say: Say) -> None:
    words = ("remember", "The well is deep.", "--agent", "ada", "--tag", "well")
    path = say(*words).split()[-1]
    assert say(*words) == f"already in {path}; --again stores it anyway\n"
    assert say(*words[:-2]) == f"already in {path}; --again stores it anyway\n"
    assert say(*words, "--tag", "garden").split()[-1] != path


def test_the_same_words_are_stored_once(say: Say) -> None:
    """By the same agent, from the same source, and where nothing else is said of them."""
    words = ("remember", "The well is deep.", "--agent")
    path = say(*words, "ada").split()[-1]

    assert say(*words, "ada") == f"already in {path}; --again stores it anyway\n"
    again = json.loads(say(*words, "ada", "--json"))
    assert (again["path"], again["duplicate"]) == (path, True)
    for other in (
        (*words, "bob"), (*words, "ada", "--source", "user"), (*words, "ada", "--again"),
        (*words, "ada", "--session", "s"), (*words, "ada", "--at", "2026-11-02"),
        ("remember", "The well is deep. ", "Very.", "--agent", "ada"),
    ):  # fmt: skip
        assert say(*other).split()[-1] != path

    say("correct", path, "The well is dry.")
    assert json.loads(say(*words, "ada", "--json"))["path"] != path


@pytest.mark.parametrize("empty", ["", " "])
@pytest.mark.parametrize("option", ["--agent", "--tag"])
def test_an_empty_agent_or_tag_is_refused_and_not_taken_for_none(
    say: Say, folder: Path, option: str, empty: str
) -> None:
    """A script that names what is not set would write to, or ask, another agent's memory."""
    for command in (("remember", "Tea at four."), ("recall", "tea")):
        told = say(*command, option, empty, code=2)
        assert f"'{option}': it is empty: say which, or leave it out" in told
    assert not list(folder.glob("agents/*/memories/**/*.md"))
    assert say("remember", "Tea at four.")


def test_recall_explains_what_each_score_is_the_sum_of(say: Say) -> None:
    say("remember", "The well is deep.", "--agent", "ada", "--speaker", "Ada")
    say("remember", "The well is old, and nobody has ever seen the bottom.", "--agent", "ada")
    lines = say("recall", "How deep is Ada's well?", "--explain").splitlines()
    assert lines[2].split() == ["signal", "value", "weight", "part"]
    assert [line.split()[0] for line in lines[3:6]] == ["window", "words", "speaker"]
    hits = json.loads(say("recall", "How deep is Ada's well?", "--explain", "--json"))["hits"]
    for hit in hits:
        parts = hit["signals"]
        assert hit["score"] == pytest.approx(sum(it["part"] for it in parts), abs=0.001)
        assert all(
            it["part"] == pytest.approx(it["value"] * it["weight"], abs=0.001) for it in parts
        )
    plain = json.loads(say("recall", "How deep is Ada's well?", "--json"))["hits"]
    assert [hit["signals"] for hit in plain] == [[], []]


def test_recall_explains_by_no_signal_that_adds_nothing(say: Say) -> None:
    say("remember", "Ben's goat eats hay.", "--agent", "ada", "--speaker", "Ben")
    say("remember", "Did the goat eat hay, or was it the sheep that ate?", "--agent", "ada")
    for text in ("Rain fell on the hill.", "The hill was wet.", "Ben fed it.", "Hay is dear."):
        say("remember", text, "--agent", "ada", "--speaker", "Ben")
    told = say("recall", "When did Ben's goat eat hay?", "--explain", "-k", "50")
    parts = [line.split()[-1] for line in told.splitlines() if re.search(r" [+-]\d\.\d\d$", line)]
    assert parts
    assert not {"+0.00", "-0.00"} & {*parts}


@pytest.mark.long
@pytest.mark.with_history
def test_a_compaction_is_shown_before_and_after(say: Say, folder: Path, tmp_path: Path) -> None:
    """The diff first, the summary then; for everybody when nobody is named."""
    config = folder / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("_window: 64", "_window: 4"))
    for agent in ("ada", "bob"):
        say("import", "jsonl", str(talk(tmp_path, 8)), "--agent", agent)
    diff = say("compact", "--force", "--dry-run")
    assert "+++ b/agents/ada/summaries/recent-" in diff
    assert "+++ b/agents/bob/summaries/recent-" in diff
    done = json.loads(say("compact", "--force", "--json"))["compactions"]
    assert [(c["agent"], c["memory_range_start"], c["memory_range_end"]) for c in done] == [
        ("ada", 1, 4), ("bob", 1, 4),
    ]  # fmt: skip
    assert all(c["commit"] for c in done)
    assert say("@compact-memories").startswith("nothing to do: every memory outside")


def test_a_long_term_summary_that_catches_up_by_itself_is_named(
    say: Say, folder: Path, tmp_path: Path
) -> None:
    """It is work that was done, and no "nothing to do" without a reason."""
    config = folder / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("_window: 64", "_window: 4"))
    say("import", "jsonl", str(talk(tmp_path, 17)), "--agent", "ada")
    longterm = folder / "agents/ada/summaries/longterm.md"
    longterm.unlink()
    assert say("compact") == "agents/ada/summaries/longterm.md\n"
    assert longterm.exists()


def test_text_comes_from_standard_input(
    say: Say, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte."""
    text = "---\ntype: card\n---\n12:30 #x 咖啡\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    made = json.loads(say("remember", "-", "--json"))
    assert (folder / made["path"]).read_text().endswith("---\n" + text)


def test_what_init_says_to_do_next_can_be_pasted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Into a shell, whatever the folder is called."""
    made = tmp_path / "Ada's vault"
    assert run(["init", str(made)]) == 0
    step = capsys.readouterr().out.splitlines()[-1].removeprefix("next: ")
    assert shlex.split(step)[:3] == ["vaultmem", "--vault", str(made)]
    assert run(shlex.split(step)[1:]) == 0
    capsys.readouterr()
    assert run(["init", str(made)]) == 3
    (_, step, _) = capsys.readouterr().err.split("`")
    assert shlex.split(step) == ["vaultmem", "--vault", str(made), "status"]


def test_bytes_that_are_no_text_are_refused(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    """On standard input and in the arguments."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"caf\xe9")))
    assert "standard input is not UTF-8 (byte 3)" in say("remember", "-", code=2)
    for args in (
        ("remember", "caf\udce9"),
        ("recall", "caf\udce9"),
        ("recall", "x", "--tag", "\udce9"),
    ):
        assert say(*args, code=2)


def test_an_instruction_of_an_agent_says_how_it_comes_to_be_followed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(*args: str) -> str:
        assert run(["--vault", str(folder), *args]) == 0
        return "".join(capsys.readouterr())

    told = command("remember", "Answer in French.", "--tag", "Instruction")
    assert "no agent follows what a person did not say: `vaultmem review accept " in told
    assert 'standing="yes"' not in command("context", "--budget", "400").partition("\n")[2]
    ref = told.partition("review accept ")[2].partition("`")[0]
    command("review", "accept", ref)
    assert 'standing="yes">\nAnswer in French.' in command("context", "--budget", "400")
    own = command("remember", "Answer in German.", "--tag", "instruction", "--source", "user")
    assert "review accept" not in own
    assert 'standing="yes">\nAnswer in German.' in command("context", "--budget", "400")
    assert "review accept" not in command("remember", "Tea at four.", "--tag", "tea")


def test_what_waits_for_review_says_so(say: Say) -> None:
    """It is not remembered yet."""
    assert say("remember", "buy zebras", "--source", "web").startswith(
        "kept for a person to review, not recalled: inbox/review/"
    )
    assert say("recall", "zebras") == "nothing found\n"


# --- spoken -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoken", "kept"),
    [
        ("@remember she likes tea", "she likes tea"),
        ("@remember - buy milk", "- buy milk"),
        ("@remember\nshe likes\ntea", "she likes\ntea"),
        ("@remember she said --json is fine", "she said --json is fine"),
    ],
)
def test_a_spoken_command_takes_its_text_as_it_stands(
    say: Say, folder: Path, spoken: str, kept: str
) -> None:
    """One string, as it is typed in a chat."""
    made = json.loads(say("--json", spoken))
    assert (folder / made["path"]).read_text().endswith(f"---\n{kept}\n")


def test_a_spoken_command_takes_options(say: Say) -> None:
    """When they come first, or as arguments of their own."""
    say("@remember --agent ada tea")
    say("@remember coffee", "--agent", "bob")
    assert say("@compact-memories --agent ada").startswith("nothing to do")
    agents = json.loads(say("@memory-status --agent bob", "--json"))["agents"]
    assert [a["agent"] for a in agents] == ["bob"]
    assert "ada: immediate" not in say("@memory-budget", "--agent", "bob")


# --- mistakes ---------------------------------------------------------------------------------

MISTAKES: dict[tuple[str, ...], tuple[int, str]] = {
    ("statsu",): (2, "there is no command 'statsu', did you mean 'status'?; `vaultmem --help`"),
    ("@recall",): (2, "what @recall is about is missing: write `@recall WORDS`"),
    ("@forget",): (2, "what @forget is about is missing: write `@forget WORDS`"),
    ("@remeber x",): (2, "did you mean '@remember'?"),
    ("frobnicate",): (2, "there is no command 'frobnicate'; `vaultmem --help`"),
    ("remember",): (2, "missing argument 'TEXT...'; `vaultmem remember --help` shows more"),
    ("remember", ""): (2, "nothing to remember"),
    ("remember", "- [x] done"): (2, "put -- before a text that begins with a dash"),
    ("recall", "-5 degrees"): (2, "put -- before a text that begins with a dash"),
    ("why", "- [x] done"): (2, "put -- before a text that begins with a dash"),
    ("session", "turn", "- hello"): (2, "put -- before a text that begins with a dash"),
    ("why", "\udcff"): (2, "'\\udcff'"),
    ("share", "\udcff"): (2, "'\\udcff'"),
    ("review", "accept", "\udcff"): (2, "'\\udcff'"),
    ("remember", "x", "--agnet", "a"): (2, "--agent"),
    ("remember", "x", "--agent", "../evil"): (2, "'../evil' cannot name an agent"),
    ("remember", "x", "--importance", "7"): (2, "importance is 7.0, it must be from 0 to 1"),
    ("remember", "x", "--importance", "high"): (2, "'high' is not a valid float"),
    ("remember", "x", "--at", "yesterdayish"): (
        2,
        "'yesterdayish' is not a date: write 2026-11-20",
    ),
    ("remember", "x", "--source", "god"): (2, "'god' is not a source: use one of user, human"),
    ("remember", GITHUB): (
        3,
        "(`--redact`, where that is taken, keeps [REDACTED:github-token] instead)",
    ),
    ("import", "csv", "x"): (
        2,
        "'csv' is not a format that can be imported; there are: jsonl, claude-code",
    ),
    ("import", "jsonl", "nowhere.jsonl"): (2, "nowhere.jsonl: No such file or directory"),
    ("recall", ""): (2, "the query is empty"),
    ("recall", "x", "-k", "0"): (2, "k is 0, it must be from 1 to 50"),
    ("recall", "x", "--after", "13/45"): (2, "'13/45' is not a date"),
    ("recall", "x", "--agent", "nobody"): (2, "no agent 'nobody' in this vault"),
    ("context", "--budget", "1"): (2, "the budget is 1 token, a context needs 200"),
    ("compact", "--agent", "nobody"): (2, "no agent 'nobody' in this vault"),
    ("status", "--agent", "nobody"): (2, "no agent 'nobody' in this vault"),
    ("log", "-n", "0"): (2, "'-n'"),
    ("sync", "--watch", "0s"): (2, "'0s' is no time to wait: use one of a second or more"),
    ("sync", "--watch", "never"): (2, "'never' is no time to wait"),
    ("undo", "x"): (2, "no operation 'x' in the history: `vaultmem log` lists them"),
    ("watch", "--print-unit", "cron"): (2, "'cron' is not one of"),
    ("compact", "--estimate", "--agent", "nobody"): (2, "no agent 'nobody'"),
    ("digest", "--since", "once"): (2, "once"),
    ("init",): (3, "is already a vault"),
    ("completion", "tcsh"): (2, "'tcsh' is not one of"),
}


@pytest.mark.parametrize("args", MISTAKES, ids=" ".join)
def test_a_mistake_is_one_sentence_and_changes_nothing(
    lasting: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...]
) -> None:
    """What, where, and the way out; with the exit code of its kind."""
    code, sentence = MISTAKES[args]
    before = {p for p in lasting.rglob("*") if ".vaultmem" not in p.parts}
    told = speaker(lasting, capsys)(*args, code=code)
    assert sentence in told
    assert GITHUB not in told
    assert len(told) < 500
    assert {p for p in lasting.rglob("*") if ".vaultmem" not in p.parts} == before


@pytest.mark.parametrize(
    "args",
    [("undo", "{}"), ("log", "{}"), ("init", "--{}"), ("remember", "x", "--agent", "{}"),
     ("recall", "x", "--mode", "{}"), ("hook", "{}")],
    ids=" ".join,
)  # fmt: skip
def test_what_is_too_long_to_be_read_is_not_said_back_whole(
    lasting: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...]
) -> None:
    """What is wrong stands at the beginning of the sentence, and what to do at its end."""
    told = speaker(lasting, capsys)(*(arg.format("x" * 100_000) for arg in args), code=2)
    assert told.startswith("vaultmem: ")
    assert len(told) < 2000


def test_a_problem_that_was_found_is_exit_code_one(say: Say, folder: Path) -> None:
    """`status` tells it and is content."""
    (folder / "topics").mkdir()
    (folder / "topics/torn.md").write_text("---\ntype: top")
    assert "! torn: topics/torn.md: the frontmatter opens" in say("fsck", code=1)
    assert json.loads(say("fsck", "--json", code=1))["ok"] is False
    assert say("status").startswith("WARNING")


def test_a_vault_that_cannot_be_opened_is_exit_code_five(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """None there, or one from the future."""
    assert run(["--vault", str(tmp_path), "status"]) == 5
    assert f"`vaultmem init {tmp_path}` makes one" in capsys.readouterr().err
    config = folder / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("format: 1", "format: 9"))
    assert run(["--vault", str(folder), "status"]) == 5
    assert "format 9" in capsys.readouterr().err


def test_a_damaged_index_is_no_reason_to_stop(say: Say, folder: Path) -> None:
    """It is cast anew."""
    say("remember", "The well is deep.")
    for path in (folder / ".vaultmem/index").glob("catalog*"):
        path.write_bytes(b"garbage" * 1000)
    assert "The well is deep." in say("recall", "well")


def test_a_secret_is_echoed_nowhere(say: Say, folder: Path, tmp_path: Path) -> None:
    """Not on a terminal, not in JSON, not in any file below the vault."""
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps({"content": "fine"}) + "\n" + json.dumps({"content": GITHUB}) + "\n")
    told = [
        say("remember", f"token {GITHUB}", code=3),
        say("remember", f"token {GITHUB}", "--json", code=3),
        say("remember", "x", "--session", GITHUB, code=3),
        say("@remember " + GITHUB, code=3),
        say("import", "jsonl", str(bad), code=2),
        say("import", "jsonl", str(bad), "--skip-bad", "-v"),
        say("remember", f"token {GITHUB}", "--redact", "--json"),
    ]
    assert "bad.jsonl:2: looks like a secret (github-token)" in told[4]
    assert "`--redact` keeps" in " ".join(told[5].split())
    files = [p for p in folder.rglob("*") if p.is_file()]
    assert GITHUB not in "".join(told)
    assert not [p for p in files if GITHUB.encode() in p.read_bytes() or GITHUB in p.name]


# --- processes --------------------------------------------------------------------------------


@pytest.mark.with_history
@pytest.mark.long
def test_a_reader_that_has_seen_enough_is_no_error(folder: Path) -> None:
    """`| head -1`."""
    with Vault.open(folder) as vault:
        vault.import_files("jsonl", [talk(folder.parent, 300)], agent="ada")
    script = '"$0" -c "$1" --vault "$2" context --budget 100000 | head -1; echo "${PIPESTATUS[0]}"'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable, MAIN, str(folder)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "0"


@pytest.mark.with_history
@pytest.mark.long
def test_colours_are_for_terminals_and_for_who_wants_them(folder: Path) -> None:
    """A pipe gets plain text, NO_COLOR a plain terminal."""
    args = ("--vault", str(folder), "status")
    assert "\x1b[" not in installed(*args).stdout
    assert "\x1b[32m" in on_terminal(*args)
    assert "\x1b[" not in on_terminal(*args, env={"NO_COLOR": "1"})


@pytest.mark.long
@pytest.mark.with_history
def test_tables_are_drawn_on_terminals_only(folder: Path) -> None:
    """Words in columns elsewhere; nothing is cut off at eighty columns."""
    with Vault.open(folder) as vault:
        vault.remember("The well is deep.", agent="ada")
    shown = on_terminal("--vault", str(folder), "log", env={"NO_COLOR": "1"})
    assert "────" in shown
    assert "…" not in on_terminal("--vault", str(folder), "status", env={"NO_COLOR": "1"})
    plain = installed("--vault", folder, "log").stdout
    assert "─" not in plain
    assert "remember(ada): The well is deep." in plain


@pytest.mark.with_history
@pytest.mark.long
def test_progress_is_drawn_on_a_terminal_and_never_into_json(folder: Path, tmp_path: Path) -> None:
    """Standard error of a pipe stays empty."""
    path = talk(tmp_path, 50)
    done = installed("--vault", folder, "import", "jsonl", path)
    assert (done.returncode, done.stderr) == (0, "")
    shown = on_terminal("--vault", str(folder), "import", "jsonl", str(path), "--json")
    told = json.loads(shown)
    assert (told["imported"], told["skipped"], told["failed"]) == (0, 50, 0)


@pytest.mark.with_history
@pytest.mark.long
def test_dreaming_and_reading_many_files_are_drawn_on_a_terminal(folder: Path) -> None:
    assert "dreaming" in on_terminal("--vault", str(folder), "dream", "plan")
    assert "summarizing" in on_terminal("--vault", str(folder), "compact")
    for number in range(500):
        (folder / f"tea-{number}.md").write_text(f"Oolong {number}.\n")
    shown = on_terminal("--vault", str(folder), "dream", "plan")
    assert 0 < shown.index("indexing") < shown.rindex("dreaming")


@pytest.mark.long
def test_a_terminal_without_the_letter_gets_its_number(folder: Path) -> None:
    """And JSON stays JSON."""
    with Vault.open(folder) as vault:
        vault.remember("咖啡 😀", agent="ada")
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = installed("--vault", folder, "recall", "咖啡", env=env)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(installed("--vault", folder, "--json", "recall", "咖啡", env=env).stdout)
    assert told["hits"][0]["snippet"] == "咖啡 😀"


@pytest.mark.long
def test_shells_complete_commands_and_options() -> None:
    """The script of each shell, and what it asks for."""
    for shell in ("bash", "zsh", "fish"):
        assert "_VAULTMEM_COMPLETE" in installed("completion", shell).stdout
    env = {**os.environ, "_VAULTMEM_COMPLETE": "bash_complete", "COMP_CWORD": "1"}
    done = installed(env={**env, "COMP_WORDS": "vaultmem rec"})
    assert done.stdout.split() == ["plain,recall"]
    done = installed(env={**env, "COMP_WORDS": "vaultmem recall --ag", "COMP_CWORD": "2"})
    assert done.stdout.split() == ["plain,--agent"]


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not here")
def test_fish_tells_what_a_command_does_to_the_end(tmp_path: Path) -> None:
    """Commas in it, too."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/vaultmem"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m vaultmem "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}:{os.environ['PATH']}"
    (tmp_path / "vaultmem.fish").write_text(installed("completion", "fish").stdout)
    asks = f"source {tmp_path}/vaultmem.fish; complete -C 'vaultmem forg'"
    env = {**os.environ, "PATH": path, "HOME": str(tmp_path)}
    done = subprocess.run(["fish", "-c", asks], env=env, capture_output=True, text=True, check=True)
    ((name, told),) = [line.split("\t") for line in done.stdout.splitlines()]
    assert (name, "," in told) == ("forget", True)


@pytest.fixture
def shut(folder: Path) -> Iterator[Path]:
    """Return a vault that its user may read and not write."""
    with Vault.open(folder) as vault:
        vault.remember("The well is deep.", agent="ada")
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.mark.long
@pytest.mark.parametrize("with_index", [True, False])
def test_a_vault_on_a_read_only_disk_is_still_read(shut: Path, *, with_index: bool) -> None:
    """Recall and status work; a write is refused with a sentence."""
    if not with_index:
        for path in (shut, *(shut / ".vaultmem").rglob("*"), shut / ".vaultmem"):
            path.chmod(0o755)
        shutil.rmtree(shut / ".vaultmem")
        shut.chmod(0o555)
    with unprivileged() as command:
        found = command("--vault", shut, "recall", "well")
        status = command("--vault", shut, "status").stdout
        refused = command("--vault", shut, "remember", "more")
    assert "The well is deep." in found.stdout, found.stderr
    assert status.startswith("WARNING")
    assert "the index cannot be written: Permission denied" in status
    assert refused.returncode == 4
    assert re.fullmatch(r"vaultmem: .*: Permission denied; nothing was changed.*\n", refused.stderr)


@pytest.mark.with_history
def test_what_a_memory_says_is_not_obeyed_by_the_terminal(say: Say, folder: Path) -> None:
    """Escapes are written out for people; the file and JSON keep them."""
    with Vault.open(folder) as vault:
        vault.remember("evil \x1b[2J lantern", agent="ada")
    assert "\\u001b[2J" in say("recall", "lantern")
    assert "\x1b" not in say("log")


@pytest.mark.with_history
def test_a_line_break_in_a_name_makes_no_second_line(say: Say, folder: Path) -> None:
    """Whoever names a file forges no finding of ours, nor a line of a commit's message."""
    name = "notes/oolong\n! not-in-head: agents\tada.md"
    for parent in ("notes", "topics"):
        (folder / parent).mkdir(exist_ok=True)
    (folder / name).write_text("Oolong is a tea, and sencha is one.\n")
    (folder / "topics" / "a\nb.md").write_text("---\ntype: topic\n---\n# Tea\n\nOolong.\n")
    for path in (name, "topics/a\nb.md"):
        os.utime(folder / path, (1_700_000_000, 1_700_000_000))
    say("watch", "--once")
    shown = "notes/oolong\\u000a! not-in-head: agents\\u0009ada.md"
    assert shown in say("recall", "sencha")
    assert shown in say("why", "sencha")
    assert "topics/a\\u000ab.md" in say("topic", "list")
    for command in (("recall", "oolong"), ("why", "oolong"), ("topic", "list"), ("digest",),
                    ("log",), ("status",), ("fsck",)):  # fmt: skip
        lines = say(*command).splitlines()
        assert not [line for line in lines if line.startswith(("! not-in-head", "b.md"))]
    message = subprocess.run(
        ("git", "-C", str(folder), "log", "--format=%B"), capture_output=True, text=True, check=True
    ).stdout
    assert shown in message.splitlines()


def test_a_secret_in_the_wrong_place_is_not_quoted_back(say: Say) -> None:
    """A mistake is quoted, a credential in it is not."""
    key = "ghp_" + "a1B2c3D4" * 5
    assert key not in say("remember", "x", "--at", key, code=2)


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ({"seconds": 30}, "just now"), ({"minutes": 1}, "1 minute ago"),
        ({"hours": 3}, "3 hours ago"), ({"days": 2}, "2 days ago"), ({"days": 90}, "2026-08-22"),
        ({"days": -1}, "2026-11-21"),
    ],
)  # fmt: skip
def test_a_time_is_told_by_how_long_ago_it_was(before: dict[str, int], told: str) -> None:
    """What is far away, or ahead, by its day."""
    now = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
    assert output.age(iso(now - timedelta(**before)), now) == told
    assert output.age(None, now) == "-"


def test_the_status_of_a_chat_shows_the_summaries_whole(say: Say, folder: Path) -> None:
    """And that of a shell their first lines, with the days they tell of."""
    lines = "".join(
        json.dumps(
            {"id": n, "content": f"Fact {n} of the garden. Bee {n} came.", "at": "2024-03-01"}
        )
        + "\n"
        for n in range(129)
    )
    (folder.parent / "talk.jsonl").write_text(lines)
    say("import", "jsonl", str(folder.parent / "talk.jsonl"), "--agent", "ada")
    (path,) = (folder / "agents/ada/summaries").glob("recent-*.md")
    text = path.read_text().rpartition("---\n")[2]
    brief, whole = say("status"), say("@memory-status")
    assert f"{path.relative_to(folder)}, 2024-03-01\n    {text.splitlines()[0]}\n" in brief
    assert "windows: the newest 64 memories word for word, then 64 to a short-term summary" in brief
    assert all(f"    {line}\n" in whole for line in text.splitlines())


def test_a_single_round_answers_the_notes_that_ask(say: Say, folder: Path) -> None:
    """Once they have rested, as the daemon does."""
    say("remember", "Sarah hates hazelnuts.", "--agent", "ada")
    note = folder / "inbox/ask.md"
    note.write_text("@recall hazelnuts\n")
    assert "answered" not in say("watch", "--once")
    os.utime(note, (1, 1))
    assert say("watch", "--once").rstrip().endswith("1 note answered")
    assert "Sarah hates hazelnuts." in note.read_text()
    assert "answered" not in say("watch", "--once")


def test_topics_and_notes_are_set_from_arguments_and_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ["--vault", str(folder)]
    assert run([*at, "topic", "set", "Well", "It is deep", "It runs on port 8080"]) == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"It runs on port 9090\n")))
    assert run([*at, "topic", "set", "Well", "-", "--strategy", "merge", "--source", "user"]) == 0
    assert run([*at, "note", "set", "Plan", "Dig.", "--section", "Later"]) == 0
    assert run([*at, "note", "set", "Plan", "Dig."]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "topics/well.md: 2 facts added, 0 removed",
        "topics/well.md: 1 fact added, 1 removed",
        "notes/plan.md: written",
        "notes/plan.md: nothing changed",
    ]


def test_an_empty_path_means_no_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (work := tmp_path / "work").mkdir()
    monkeypatch.chdir(work)
    for args in (["init", ""], ["init", "--vault", ""], ["--vault", "", "init"]):
        assert run(args) == 2
        assert "the path of a vault is empty" in capsys.readouterr().err
    assert [*work.iterdir()] == []
    monkeypatch.chdir(folder)
    assert run(["--vault", "", "status"]) == 2
    monkeypatch.setenv("VAULTMEM_VAULT", "")
    assert run(["status"]) == 0
