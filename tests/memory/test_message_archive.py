"""An agent's context is made to fit, and all that is taken out of it stays on disk."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.errors import BadInput, SwitchedOff
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import Summary, Task

pytestmark = pytest.mark.without_history

GITHUB = "ghp_" + "a1B2c3D4" * 5
BODY = [base64.b64encode(hashlib.sha384(b"%d" % n).digest()).decode() for n in range(9)]
PEM = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *BODY, "-----END RSA PRIVATE KEY-----"])
Messages = list[dict[str, object]]


def long(*first: str) -> Messages:
    """Return a conversation that is too long; it begins with *first*."""
    said = [*first, *(f"Turn {n}: " + "words and more words " * 60 for n in range(300))]
    return [{"role": ("user", "assistant")[n % 2], "content": x} for n, x in enumerate(said)]


def kept(vault: Vault) -> list[Path]:
    """Return the transcripts of contexts."""
    return sorted((vault.path / "agents/ada/sessions/shrunk").glob("*"))


def test_what_fits_is_left_alone_and_nothing_is_written(vault: Vault) -> None:
    """No transcript, no agent's folder."""
    given: Messages = [{"role": "user", "content": "Hello."}]
    done = vault.shrink(json.dumps(given), agent="ada")
    assert ([m.plain() for m in done.messages], done.level, done.transcript) == (given, "none", "")
    assert not (vault.path / "agents").exists()


@pytest.mark.long
@pytest.mark.with_history
def test_what_a_summary_stands_for_is_whole_on_disk(vault: Vault) -> None:
    """Every message, a line each, the newest in the context too."""
    given = long()
    done = vault.shrink(json.dumps(given), agent="ada")
    assert done.level == "auto"
    assert done.tokens_after < done.tokens_before / 4
    lines = (vault.path / done.transcript).read_text().splitlines()
    assert [json.loads(line) for line in lines] == given
    assert done.messages[-1].plain() == given[-1]
    assert vault.log()[0].subject == "shrink(ada): 300 messages archived"


@pytest.mark.long
def test_a_line_that_was_said_again_and_again_stands_once_in_the_summary(vault: Vault) -> None:
    """Also in nearly the same words, and what was said between them is not lost for it."""
    again = "The test suite of the parser fails on Mondays since the merge of the lexer."
    given: Messages = [{"role": "user", "content": "Please mend the build of the parser."}]
    for n in range(400):
        step = f"Step {n}: rule {n} of the lexer lost its state, so the tokenizer keeps it now."
        said = f"{again}{' ' * (n % 3)}" if n % 20 else step
        given.append({"role": "assistant", "content": said})
        given.append({"role": "user", "content": f"Go on with number {n}. " + "All right. " * 40})
    done = vault.shrink(json.dumps(given), agent="ada")
    summary = json.dumps(done.messages[0].plain())
    assert summary.count("The test suite of the parser fails") == 1
    assert summary.count("of the lexer lost its state") >= 5


class Counting(Extractive):
    """Stands for a model, and counts what it is asked."""

    def __init__(self) -> None:
        """Nothing was asked yet."""
        self.asked = 0

    def summarize(self, task: Task) -> Summary:
        """Answer, and count that."""
        self.asked += 1
        return super().summarize(task)


@pytest.mark.long
@pytest.mark.parametrize(("percent", "asked"), [(50, False), (20, True)])
def test_a_model_writes_the_summary_where_rules_leave_much(
    folder: Path, percent: int, *, asked: bool
) -> None:
    """Here rules take two thirds away, and the rest is still too much."""
    config = folder / "config/memory_compaction.md"
    config.write_text(
        config.read_text().replace("session_model_from: 50", f"session_model_from: {percent}")
    )
    model = Counting()
    with Vault.open(folder, summarizer=model) as vault:
        done = vault.shrink(json.dumps(long_with_tools()), agent="ada", tokens=300_000)
    assert done.level == "auto"
    assert bool(model.asked) is asked


class Listening(Extractive):
    """Stands for a model, and keeps what it is told."""

    def __init__(self) -> None:
        """Nothing was told yet."""
        self.heard: list[str] = []

    def summarize(self, task: Task) -> Summary:
        """Answer, and keep that."""
        self.heard += (passage.text for passage in task.passages)
        return super().summarize(task)


@pytest.mark.long
def test_what_is_private_is_in_no_summary_no_file_and_sent_to_no_model(folder: Path) -> None:
    """A message that stays is as it was given: it is the program's own."""
    given = long("Mend the boiler.", "On Friday. <private>Mara paid heliotrope</private> At ten.")
    given[-1]["content"] = "Now <private>heliotrope</private>"
    model = Listening()
    with Vault.open(folder, summarizer=model) as vault:
        done = vault.shrink(json.dumps(given), agent="ada", tokens=300_000)
    *told, newest = (json.dumps(message.plain()) for message in done.messages)
    assert any("On Friday. At ten." in text for text in model.heard)
    assert not any("heliotrope" in text for text in (*model.heard, *told))
    assert newest == json.dumps(given[-1])
    assert not any("heliotrope" in path.read_text() for path in kept(vault))


@pytest.mark.long
def test_a_call_whose_input_is_private_all_through_is_kept_without_it(vault: Vault) -> None:
    """Its JSON stays JSON."""
    call = {"type": "tool_use", "id": "t1", "name": "run", "input": {"a": '{"<private>": 4711}'}}
    answer = {"type": "tool_result", "tool_use_id": "t1", "content": "Done."}
    given = long("Open the door.")
    given[1:3] = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [answer]}]
    done = vault.shrink(json.dumps(given), agent="ada")
    line = (vault.path / done.transcript).read_text().splitlines()[1]
    assert json.loads(line)["content"] == [{**call, "input": {"a": "{}"}}]


def long_with_tools() -> Messages:
    """Return a conversation two thirds of which are what tools answered."""
    made: Messages = []
    for n in range(100):
        call = {
            "type": "tool_use",
            "id": f"t{n}",
            "name": "bash",
            "input": {"command": f"make {n}"},
        }
        result = {"type": "tool_result", "tool_use_id": f"t{n}", "content": f"{n} " * 500}
        said = f"I make part {n} of {n + 7} now. " + f"The cause of fault {n} was wire {n}. " * 20
        made.append({"role": "assistant", "content": [{"type": "text", "text": said}, call]})
        made.append({"role": "user", "content": [result]})
    return [{"role": "user", "content": "Make all of it."}, *made]


@pytest.mark.long
def test_a_summary_uses_what_it_is_given(folder: Path) -> None:
    """Twice the share is about twice the text, and how much that was is measured."""
    config = folder / "config/memory_compaction.md"
    plain, found = config.read_text(), list[float]()
    for percent in (2, 4):
        config.write_text(
            plain.replace("session_compression: 25", f"session_compression: {percent}")
        )
        with Vault.open(folder) as vault:
            found.append(vault.shrink(json.dumps(long()), agent="ada").compression or 0)
    less, more = found
    assert 0.005 < less <= 0.02
    assert 1.5 * less < more <= 0.04


@pytest.mark.long
def test_the_same_messages_are_kept_once(vault: Vault, clock: object) -> None:
    """A retry, later, names the transcript that is there; other messages get their own."""

    def transcript(messages: Messages) -> str:
        return vault.shrink(json.dumps(messages), agent="ada", tokens=180_000).transcript

    first = transcript(long()[:60])
    clock.advance(minutes=1)  # type: ignore[attr-defined]
    assert transcript(long()[:60]) == first
    assert len(kept(vault)) == 1
    transcript(long("Hello.", "Yes?")[:60])
    assert len(kept(vault)) == 2


@pytest.mark.long
def test_no_credential_reaches_the_transcript(vault: Vault) -> None:
    """Neither where JSON escapes it, nor under the name that gives it away; it stays JSON."""
    call: dict[str, object] = {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "t", "name": "login",
                     "input": {"password": "Xk29vQp7LmZr84"}}],
    }  # fmt: skip
    result: dict[str, object] = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t", "content": PEM}],
    }
    given = [*long(GITHUB, 'It says {"password": "Zt61wBn3KsYd20"}.', "So?"), call, result]
    done = vault.shrink(json.dumps(given), agent="ada")
    text = (vault.path / done.transcript).read_text()
    for secret in (GITHUB, BODY[4], "Xk29vQp7LmZr84", "Zt61wBn3KsYd20"):
        assert secret not in text
    assert [json.loads(line)["role"] for line in text.splitlines()] == [m["role"] for m in given]


@pytest.mark.long
def test_the_providers_own_count_decides(vault: Vault) -> None:
    """What we think short may be long by its tokenizer."""
    given = long()[:120]
    assert vault.shrink(json.dumps(given), agent="ada").level == "none"
    told = vault.shrink(json.dumps(given), agent="ada", tokens=180_000)
    assert (told.level, told.tokens_before) == ("auto", 180_000)


@pytest.mark.long
def test_a_transcript_of_a_context_is_no_session(vault: Vault) -> None:
    """It is not folded and not listed."""
    vault.shrink(json.dumps(long()), agent="ada")
    assert vault.sessions() == ()
    assert vault.fsck().ok


def test_nothing_is_kept_for_an_agent_that_is_switched_off(vault: Vault) -> None:
    """It is told, rather than left with a summary of what is nowhere."""
    config = vault.path / "config/memory_compaction.md"
    config.write_text(re.sub(r"(?m)^disabled_agents:.*$", "disabled_agents: [ada]",
                             config.read_text()))  # fmt: skip
    with pytest.raises(SwitchedOff):
        vault.shrink(json.dumps(long()), agent="ada")
    assert not (vault.path / "agents").exists()


@pytest.mark.parametrize("text", [
    "", "{", "3", '"hello"', "[1]", '[{"role": "boss", "content": "x"}]', '[{"role": "user"}]',
    '[{"role": "user", "content": "\\ud800"}]', "[" * 100_000,
])  # fmt: skip
def test_what_are_no_messages_is_said_in_a_sentence(vault: Vault, text: str) -> None:
    """With the place, where there is one."""
    with pytest.raises(BadInput, match=r"message|JSON"):
        vault.shrink(text, agent="ada")
