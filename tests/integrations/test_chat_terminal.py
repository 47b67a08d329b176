"""`chat` as people type it, scripts rely on it, and a kill leaves it."""

from __future__ import annotations

import json
import os
import pty
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.wire import Answer, Call, Calls, Cut, Said, Silence, Status, Trouble, Wire
from vaultmem import Vault
from vaultmem.api import at_commands
from vaultmem.cli import run
from vaultmem.cli.output import Ended
from vaultmem.integrations.chat import Chat
from vaultmem.integrations.chat import messages as chat_messages
from vaultmem.records import utc_now
from vaultmem.storage import daemon_lock

pytestmark = pytest.mark.without_history

STORY = "A long story about a cake."
TOKEN = "ghp_" + "a1B2c3D4" * 5
SOON = Status(529, headers={"retry-after-ms": "1"})


class Provider:
    """A provider on this machine whose next words are set."""

    def __init__(self) -> None:
        """Begin friendly."""
        self.says: Answer = "Hello to you."
        self.wire = Wire(lambda _: self.says)

    def prompt(self) -> str:
        """All that was shown to the model last."""
        return self.wire.calls[-1].prompt

    @property
    def calls(self) -> list[Call]:
        """What it was asked."""
        return self.wire.calls


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Provider]:
    made = Provider()
    with made.wire:
        for key, value in made.wire.environment("anthropic").items():
            monkeypatch.setenv(key, value)
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        yield made


@pytest.fixture
def once(
    folder: Path, provider: Provider, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[str, str]]:
    """Return what runs `chat --once` and gives back both outputs."""

    def command(*args: str, code: int = 0) -> tuple[str, str]:
        assert provider.wire.url
        assert run(["--vault", str(folder), "chat", "--agent", "ada", *args]) == code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return out, err

    return command


Once = Callable[..., tuple[str, str]]


def turns(folder: Path, session: str = "party") -> list[str]:
    """Return what is on disk of a session."""
    path = folder / f"agents/ada/sessions/{session}.jsonl"
    return [json.loads(line)["content"] for line in path.read_text().splitlines()]


# --- for scripts ------------------------------------------------------------------------------


def test_once_prints_the_answer_and_nothing_else(once: Once, folder: Path) -> None:
    assert once("--session", "party", "--once", "Hello.") == ("Hello to you.\n", "")
    assert turns(folder) == ["Hello.", "Hello to you."]


def test_once_in_json_tells_what_it_took(once: Once) -> None:
    out, _ = once("--session", "party", "--json", "--once", "Hello.")
    told = json.loads(out)

    assert {k: told[k] for k in ("session", "turn", "answer", "tools", "stop_reason")} == {
        "session": "party", "turn": 2, "answer": "Hello to you.", "tools": [],
        "stop_reason": "done",
    }  # fmt: skip
    assert told["usage"]["output_tokens"] == 7
    assert told["cost"] is None


@pytest.mark.long
def test_once_tells_how_much_a_model_wrote_that_wanted_to_write_too_much(
    once: Once, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vaultmem.integrations.chat.tools.MOST_WRITES", 3)
    provider.says = Calls([("remember", {"text": "She likes tea."})] * 2, "Kept.")
    out, err = once("--once", "Keep it.", code=1)
    assert "She" not in out
    told = err.splitlines()[0]
    assert told.startswith("! 3 things were written for this, and 31 more were refused")
    assert json.loads(once("--json", "--once", "Keep it.", code=1)[0])["written"] == 3


def test_a_command_is_answered_without_the_model(once: Once, provider: Provider) -> None:
    out, _ = once("--once", "@memory-status")

    assert out.startswith("OK ")
    assert provider.calls == []


def test_a_base_model_reads_of_the_commands_on_its_page(
    once: Once, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no tools, and may be asked what the person can do; one that chats is told nothing."""
    once("--once", "Hello.")
    assert "@memory-status" not in provider.prompt()

    provider.wire.capabilities = ["completion"]
    for key, value in provider.wire.environment("ollama").items():
        monkeypatch.setenv(key, value)
    once("--once", "Hello?")
    page = provider.calls[-1].body["prompt"]
    assert "\n@memory-status: " in page[page.index("## Commands") : page.index("## Situation")]
    once("--once", "Hello?", "--budget", "300")
    assert "@memory-status" not in provider.calls[-1].body["prompt"]  # no room: memory goes first


@pytest.mark.long
def test_what_a_command_remembers_is_the_agents_own(once: Once, folder: Path) -> None:
    once("--once", "@remember She likes tea.")

    assert list((folder / "agents/ada/memories").rglob("*likes-tea*.md"))


def test_a_private_part_of_what_is_said_once_is_left_out_and_told(once: Once) -> None:
    said = ("--once", "Hello. <private>The code is 4711.</private>")

    assert once(*said)[1].endswith("1 private part was left out\n")
    assert json.loads(once("--json", *said)[0])["left_out"] == "1 private part was left out"


@pytest.mark.parametrize(("by", "code"), [(Ended(signal.SIGTERM), 143), (KeyboardInterrupt(), 130)])
def test_who_ends_a_chat_before_its_answer_is_told_that_there_is_none(
    once: Once, folder: Path, monkeypatch: pytest.MonkeyPatch, by: BaseException, code: int
) -> None:
    """Words that are said again are another turn, whatever an earlier one remembered."""

    def ended(made: Chat, text: str) -> NoReturn:
        made.vault.say(made.session, text, agent=made.agent)
        made.vault.remember("She likes tea.", agent=made.agent)
        raise by

    monkeypatch.setattr(Chat, "answer", ended)
    _, said = once("--session", "party", "--once", "Hello.", code=code)
    assert "in session party (`vaultmem log` shows it), and have no whole answer" in said
    assert "not done twice" not in said
    assert turns(folder) == ["Hello."]


def test_the_last_session_is_gone_on_with(once: Once, provider: Provider) -> None:
    out, _ = once("--json", "--once", "Hello.")
    again, _ = once("--json", "--once", "And again.")

    assert json.loads(again)["session"] == json.loads(out)["session"]
    assert "Hello." in provider.prompt()


def test_a_provider_that_refuses_is_one_sentence_and_exit_code_4(
    once: Once, provider: Provider, folder: Path
) -> None:
    provider.says = Status(401, "invalid x-api-key")
    out, err = once("--session", "party", "--once", "Hello?", code=4)

    assert out == ""
    assert err == (
        "vaultmem: anthropic: refused with status 401: invalid x-api-key; "
        "see that ANTHROPIC_API_KEY holds a key that may ask this model\n"
    )
    assert turns(folder) == ["Hello?"]


@pytest.mark.usefixtures("ollama")
def test_an_ollama_that_refuses_is_asked_with_its_own_key(once: Once, provider: Provider) -> None:
    provider.says = Status(401, "unauthorized")
    _, err = once("--once", "Hello?", code=4)
    assert "set OLLAMA_API_KEY to a key that it accepts, or run `ollama signin`" in err


@pytest.mark.usefixtures("ollama")
def test_a_model_that_ollama_has_not_is_fetched_with_a_command(
    once: Once, provider: Provider
) -> None:
    provider.wire.is_missing = True
    _, err = once("--once", "Hello?", code=4)
    assert err.endswith(
        "model 'test-model' not found; `ollama pull test-model` fetches it; "
        "--model chooses another for this chat\n"
    )


def test_a_model_that_claude_has_not_is_changed_for_another(once: Once, provider: Provider) -> None:
    provider.says = Status(404, "model: toy")
    _, err = once("--once", "Hello?", code=4)
    assert err.endswith(
        "model: toy; the profile's `model` or VAULTMEM_MODEL names another; "
        "--model chooses another for this chat\n"
    )


@pytest.mark.parametrize(
    ("said", "out", "why"),
    [
        (Said("Half a", stop="max_tokens"), "Half a\n", "ran out of room: ask it to continue"),
        (Said("I can't.", stop="refusal"), "I can't.\n", "declines to answer that: rephrase it"),
        (Said(""), "", "the model said nothing: ask again"),
        (Calls([("task_list", {})]), "", "was stopped: ask it to continue"),
    ],
)
def test_what_is_no_whole_answer_is_no_success(
    once: Once, provider: Provider, said: Answer, out: str, why: str
) -> None:
    provider.says = said
    printed, err = once("--once", "Say it.", code=1)
    assert printed == out
    assert err.startswith("vaultmem: ")
    assert err.endswith("\n")
    assert why in err
    assert err.count("\n") == 1


def test_json_is_printed_of_what_is_no_answer_too(once: Once, provider: Provider) -> None:
    provider.says = Said("I can't.", stop="refusal")
    out, err = once("--json", "--once", "Say it.", code=1)
    told = json.loads(out)

    assert (told["stop_reason"], told["answer"]) == ("refusal", "I can't.")
    assert err.startswith("vaultmem: the model declines")
    provider.says = SOON
    assert json.loads(once("--json", "--once", "Say it.", code=4)[0])["stop_reason"] == "failed"


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (SOON, "status 529: no; try again later, or another model with --model\n"),
        (Trouble("Well,"), "Overloaded; try again later, or another model with --model\n"),
        (Cut("Well,"), "the answer was cut off; ask again: what was said is kept\n"),
        (Status(403), "ANTHROPIC_API_KEY holds a key that may ask this model\n"),
        (Status(400, "Your credit balance is too low."), "or choose another model\n"),
    ],
)
def test_who_gets_no_answer_is_told_what_to_do_next(
    once: Once, provider: Provider, fault: Answer, told: str
) -> None:
    provider.says = fault
    assert once("--once", "Say it.", code=4)[1].endswith(told)


def test_a_script_is_told_of_waits_only_where_it_wants_to_be(
    once: Once, provider: Provider
) -> None:
    provider.says = SOON
    waits = "anthropic: refused with status 529: no; trying again in 0.0 s\n"

    assert once("-v", "--once", "Hello?", code=4)[1].count(waits) == 2
    assert waits not in once("--once", "Hello?", code=4)[1]
    assert waits not in once("-v", "--json", "--once", "Hello?", code=4)[1]


def test_a_secret_is_refused_without_a_word_of_options_there_are_not(
    once: Once, provider: Provider, folder: Path
) -> None:
    out, err = once("--session", "party", "--once", f"My token is {TOKEN}", code=3)

    assert out == ""
    assert "the line was neither kept nor sent; say it without" in err
    assert "--redact" not in err
    assert provider.calls == []
    assert not (folder / "agents/ada/sessions/party.jsonl").exists()


def uncommitted(folder: Path) -> str:
    """Return what git knows nothing of."""
    status = ["git", "-C", str(folder), "status", "--porcelain", "-uall"]
    return subprocess.run(status, check=True, capture_output=True, text=True).stdout


@pytest.mark.with_history
def test_once_leaves_nothing_uncommitted(once: Once, provider: Provider, folder: Path) -> None:
    provider.says = "Hello to you."
    once("--session", "party", "--once", "Hello.")
    assert uncommitted(folder) == ""

    provider.says = Status(401)
    once("--session", "party", "--once", "Hello?", code=4)
    assert uncommitted(folder) == ""


@pytest.mark.with_history
def test_once_leaves_the_commit_to_the_daemon_that_watches(once: Once, folder: Path) -> None:
    with daemon_lock.Presence(folder, utc_now, "1.0"):
        once("--session", "party", "--once", "Hello.")
        assert "agents/ada/sessions/party.jsonl" in uncommitted(folder)


@pytest.mark.long
def test_without_a_model_it_says_what_to_set_and_commands_still_work(
    once: Once, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTMEM_SUMMARIZER", "anthropic")
    monkeypatch.delenv("ANTHROPIC_API_KEY")

    assert "ANTHROPIC_API_KEY is not set" in once("--once", "Hello.", code=4)[1]
    assert once("--once", "@memory-budget")[0]


def test_what_a_terminal_would_obey_is_written_out(once: Once, provider: Provider) -> None:
    provider.says = "\x1b]0;owned\x07Fine."

    assert once("--once", "Hello.")[0] == "\\u001b]0;owned\\u0007Fine.\n"


# --- killed -----------------------------------------------------------------------------------


@pytest.mark.with_history
@pytest.mark.long
def test_a_chat_killed_in_mid_stream_goes_on(once: Once, provider: Provider, folder: Path) -> None:
    """While it lives nobody else answers in its session."""
    provider.says = Silence("A long story")
    killed = subprocess.Popen(
        [sys.executable, "-m", "vaultmem", "--vault", folder, "chat", "--agent", "ada",
         "--session", "party", "--once", "Tell me of the cake."],
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    until(lambda: bool(provider.calls))
    assert "another chat is answering" in once("--session", "party", "--once", "I?", code=4)[1]
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert turns(folder) == ["Tell me of the cake."]

    provider.says = STORY
    assert once("--session", "party", "--once", "Go on.")[0] == f"{STORY}\n"
    assert "Tell me of the cake." in provider.prompt()


def test_a_call_whose_result_was_never_written_is_told_as_broken_off(
    once: Once, provider: Provider, folder: Path
) -> None:
    with Vault.open(folder) as vault:
        vault.say("party", "Plan it.", agent="ada")
        calls = '[uses task_list: {}]\n[uses recall: {"query": "cake"}]'
        vault.say("party", f"Let me see.\n{calls}", agent="ada", role="assistant")
        vault.say("party", "There are none.", agent="ada", role="tool", tool="task_list")
    once("--session", "party", "--once", "And?")

    _, called, results = provider.calls[-1].body["messages"]
    assert [b["type"] for b in called["content"]] == ["text", "tool_use", "tool_use"]
    told = [(b.get("content"), b.get("is_error")) for b in results["content"][:2]]
    assert told == [("There are none.", None), (chat_messages.UNFINISHED, True)]


# --- at a terminal ----------------------------------------------------------------------------


class Person:
    """Somebody at a terminal with a chat on it."""

    def __init__(self, folder: Path) -> None:
        """Begin to chat."""
        self.end, theirs = pty.openpty()
        self.seen = ""
        self.chat = subprocess.Popen(
            [sys.executable, "-m", "vaultmem", "--vault", folder, "chat", "--agent", "ada",
             "--session", "party"],
            stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ | {"TERM": "dumb"},
        )  # fmt: skip
        os.close(theirs)

    def types(self, text: str) -> None:
        """Write *text* on the keyboard."""
        os.write(self.end, text.encode())

    def sees(self, text: str) -> str:
        """Wait for *text* and return what came up to it."""
        while text not in self.seen:
            self.seen += os.read(self.end, 4096).decode(errors="replace")
        before, _, self.seen = self.seen.partition(text)
        return before

    def interrupts(self) -> None:
        """Press Ctrl-C at the prompt, once the chat waits there: before, it may go unnoticed."""
        state = ["ps", "-o", "state=", "-p", str(self.chat.pid)]
        until(lambda: subprocess.check_output(state, text=True).startswith("S"))
        self.chat.send_signal(signal.SIGINT)

    def leaves(self) -> int:
        """Press Ctrl-D and return how the chat ended."""
        self.types("\x04")
        return self.chat.wait()


@pytest.fixture
def ollama(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ollama answer: no SDK is loaded for it, which takes longer than most talks do."""
    for key, value in provider.wire.environment("ollama").items():
        monkeypatch.setenv(key, value)


@pytest.fixture
def person(provider: Provider, folder: Path) -> Iterator[Person]:
    assert provider.wire.url
    made = Person(folder)
    yield made
    made.chat.kill()
    made.chat.wait()
    os.close(made.end)


def until(fact: Callable[[], bool]) -> None:
    """Wait for *fact*, and give others the processor meanwhile."""
    while not fact():
        os.sched_yield()


@pytest.mark.with_history
@pytest.mark.long
def test_a_person_talks_breaks_in_and_leaves(
    person: Person, provider: Provider, folder: Path
) -> None:
    assert "session party: new" in person.sees("you> ")
    person.types("Hello.\n")
    person.sees("Hello to you.")
    assert "18 tokens" in person.sees("you> ")

    provider.says = Silence(STORY)
    person.types("Tell me a story.\n")
    person.sees(STORY[:-7])
    person.chat.send_signal(signal.SIGINT)
    person.sees("stopped; what was said is kept")
    person.sees("you> ")
    person.types("@help\n")
    person.sees("@memory-status")
    person.sees("you> ")
    person.types(f"My token is {TOKEN}\n")
    person.sees("looks like a secret")
    assert "neither kept nor sent" in person.sees("you> ")

    assert person.leaves() == 0
    assert turns(folder)[-1].endswith("[I was stopped here.]")
    kept = Path(os.environ["XDG_STATE_HOME"]) / "vaultmem/chat_history"
    assert kept.read_text().splitlines() == ["Hello.", "Tell me a story.", "@help"]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with Vault.open(folder) as vault:
        assert not vault.store.writer.waiting()


@pytest.mark.with_history
@pytest.mark.long
@pytest.mark.usefixtures("ollama")
def test_ctrl_c_drops_a_line_and_ends_the_chat_where_there_is_none(
    person: Person, provider: Provider, folder: Path
) -> None:
    person.sees("you> ")
    person.types("half a thought")
    person.sees("half a thought")
    person.interrupts()
    person.sees("you> ")
    person.types("Hello.\n")
    person.sees("Hello to you.")
    person.sees("you> ")
    person.interrupts()

    person.sees("`vaultmem chat --agent ada --session party` continues it")
    assert person.chat.wait() == 0
    assert turns(folder) == ["Hello.", "Hello to you."]
    assert len(provider.calls) == 1


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("@recal", "@recall"), ("@rember", "@remember"), ("@reacll", "@recall"),
        ("@memory-statos", "@memory-status"), ("@memory", "@memory-status"),
        ("@Recal", ""), ("@sarah", ""), ("@media", ""), ("@todo", ""), ("@param", ""),
        ("@team", ""),
    ],
)  # fmt: skip
def test_a_mistyped_command_is_told_from_a_name(name: str, nearest: str) -> None:
    known = ("@dream", "@forget", "@memory-status", "@recall", "@remember")
    assert at_commands.nearest(name, known) == nearest
    assert at_commands.is_asked(name, known) == bool(nearest)
    assert at_commands.is_asked("@Recall", known)


@pytest.mark.with_history
@pytest.mark.long
@pytest.mark.usefixtures("ollama")
def test_what_is_said_to_somebody_is_no_command(person: Person, provider: Provider) -> None:
    provider.says = Said("She is out.")
    person.sees("you> ")
    person.types("@Sarah hello\n")
    person.sees("She is out.")
    person.sees("you> ")
    assert person.leaves() == 0


@pytest.mark.with_history
@pytest.mark.long
@pytest.mark.usefixtures("ollama")
def test_a_person_is_told_of_waits_and_of_what_there_is(person: Person, provider: Provider) -> None:
    provider.says = SOON
    person.sees("you> ")
    person.types("Hello?\n")
    person.sees("status 529: no; trying again in 0.0 s; Ctrl-C stops it")
    person.sees("another model with --model")
    person.sees("you> ")
    person.types("@Memory-Status\n")
    person.sees("OK ")
    person.sees("you> ")
    person.types("@memory-statos\n")
    person.sees("there is no @memory-statos: did you mean `@memory-status`? @help lists")
    person.sees("you> ")
    assert person.leaves() == 0
