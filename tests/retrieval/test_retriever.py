"""Questions are answered by words and meaning, now or as of a date, whoever is away."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Clock
from tests.wire import Answer, Call, Status, Vectors, Wire, bag
from vaultmem import Vault
from vaultmem.errors import BadInput
from vaultmem.retrieval import usage

pytestmark = pytest.mark.without_history

SYNONYMS = {"automobile": "car", "purchase": "buy"}


def meant(call: Call) -> Answer:
    """Embed each text by its words, a synonym being the word it stands for."""
    return Vectors([bag(" ".join(map(_same, text.split()))) for text in call.body["input"]])


def _same(word: str) -> str:
    return SYNONYMS.get(word.strip(".,?").lower(), word)


@pytest.fixture
def wire() -> Iterator[Wire]:
    """Run an Ollama that embeds."""
    with Wire(lambda _: "", embed=meant) as server:
        yield server


def opened(folder: Path, clock: Clock, wire: Wire, **more: str) -> Vault:
    """Open the vault with the Ollama of *wire* as its embedder."""
    env = {"OLLAMA_HOST": wire.url, "VAULTMEM_EMBEDDER": "ollama", "VAULTMEM_EMBED_MODEL": "test"}
    return Vault.open(folder, clock=clock, env=env | more)


def embeddings(wire: Wire) -> int:
    """Return how many texts the server was given to embed."""
    return sum(len(call.body["input"]) for call in wire.calls if call.path == "/api/embed")


CAR, CAT = "They purchase an automobile in spring.", "The cat sleeps all day."


def test_meaning_finds_what_shares_no_word(folder: Path, clock: Clock, wire: Wire) -> None:
    with opened(folder, clock, wire) as vault:
        vault.remember(CAR, agent="ada")
        vault.remember(CAT, agent="ada")
        answer = vault.recall("buy car", mode="semantic")
        assert (answer.hits[0].snippet, answer.degraded_reason) == (CAR, None)
        assert not vault.recall("buy car", mode="lexical").hits
        index = vault.status().index
        assert (index.embedder, index.embedded) == ("ollama:test", 2)


PRIVATE = "<private>It is red.</private>"
KEY = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    "asked",
    [f"Who buys a car? {PRIVATE}", f"Who buys a car? {KEY}", "Who buys a car? <private>It is red."],
)
def test_an_embedder_gets_what_may_leave_of_a_question(
    asked: str, folder: Path, clock: Clock, wire: Wire
) -> None:
    """For hits and for contexts."""
    with opened(folder, clock, wire) as vault:
        vault.remember(CAR, agent="ada")
        vault.condense()
        found = vault.recall(asked, agent="ada").hits
        vault.context(asked, agent="ada", budget=1000)
    questions = [
        text for call in wire.calls if call.path == "/api/embed" for text in call.body["input"]
    ]
    assert any("Who buys a car?" in text for text in questions)
    assert not [text for text in questions if "<private>" in text or KEY in text]
    assert CAR in [hit.snippet for hit in found]


def test_a_question_that_is_all_private_is_answered_by_words(
    folder: Path, clock: Clock, wire: Wire
) -> None:
    """They find the whole of it."""
    with opened(folder, clock, wire) as vault:
        vault.remember("It is red.", agent="ada")
        vault.recall("red")
        before = embeddings(wire)
        answer = vault.recall(PRIVATE)
    assert [hit.snippet for hit in answer.hits] == ["It is red."]
    assert "is not asked" in str(answer.degraded_reason)
    assert embeddings(wire) == before


def test_nothing_is_embedded_twice(folder: Path, clock: Clock, wire: Wire) -> None:
    """Neither by the next question nor by the next process; the question itself once each."""
    with opened(folder, clock, wire) as vault:
        vault.remember(CAR, agent="ada")
        vault.recall("buy car")
    with opened(folder, clock, wire) as vault:
        vault.recall("buy car")
        vault.recall("buy car")
    assert embeddings(wire) == 3


def test_remembering_never_waits_for_an_embedder(folder: Path, clock: Clock, wire: Wire) -> None:
    with opened(folder, clock, wire) as vault:
        vault.remember(CAR, agent="ada")
    assert embeddings(wire) == 0


def test_a_round_leaves_no_text_to_the_next_question(
    folder: Path, clock: Clock, wire: Wire
) -> None:
    with opened(folder, clock, wire) as vault:
        vault.remember(CAR, agent="ada")
        vault.tick()
        assert embeddings(wire) == 1
        vault.recall("buy car")
        assert embeddings(wire) == 2


def test_who_is_away_is_named_and_words_answer(folder: Path, clock: Clock, wire: Wire) -> None:
    with opened(folder, clock, wire, OLLAMA_HOST="http://127.0.0.1:9") as vault:
        vault.remember(CAR, agent="ada")
        answer = vault.recall("automobile")
        assert answer.hits[0].snippet == CAR
        assert "ollama" in str(answer.degraded_reason)
        assert vault.context("automobile", agent="ada").degraded_reason == answer.degraded_reason
        assert vault.status().index.embedded == 0


def test_a_server_that_fails_is_no_failure_of_a_round(
    folder: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        Wire(lambda _: "", embed=lambda _: Status(401)) as wire,
        opened(folder, clock, wire) as vault,
    ):
        vault.remember(CAR, agent="ada")
        vault.tick()
    assert "vectors wait" in caplog.text


def test_a_setting_that_cannot_be_is_told_and_status_answers(folder: Path, clock: Clock) -> None:
    with Vault.open(folder, clock=clock, env={"VAULTMEM_EMBEDDER": "magic"}) as vault:
        with pytest.raises(BadInput, match="VAULTMEM_EMBEDDER is 'magic'"):
            vault.recall("tea")
        assert "embedder" in [p.code for p in vault.status().problems]


# --- the past -----------------------------------------------------------------------------------


EDITOR = "topics/editor.md"
BELIEVED = "2024-05-01T12:00:00Z"


def commit(folder: Path, text: str, date: str) -> None:
    """Write what the team thinks of editors, and commit it at *date*."""
    (folder / EDITOR).parent.mkdir(exist_ok=True)
    (folder / EDITOR).write_text(f"---\ntype: topic\ntitle: Editor\n---\n{text}\n")
    env = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    for argv in (["add", "-A"], ["commit", "-qm", "by hand"]):
        subprocess.run(["git", "-C", str(folder), *argv], env=env, check=True)


@pytest.fixture
def changed(folder: Path) -> Path:
    """Fill the vault with what was believed once, and what is now."""
    commit(folder, "The team uses Vim.", BELIEVED)
    commit(folder, "The team uses Emacs.", "2026-11-01T12:00:00Z")
    return folder


@pytest.mark.with_history
def test_the_past_says_what_was_believed_then(changed: Path, clock: Clock) -> None:
    """By recall and by context; what is found there is of no use today."""
    with Vault.open(changed, clock=clock) as vault:
        past = vault.recall("which editor", as_of="2024-06-01")
        assert [h.snippet for h in past.hits] == ["The team uses Vim."]
        assert "Vim" in vault.context("which editor", as_of="2024-06-01").text
        assert usage.load(changed) == {}
        assert [h.snippet for h in vault.recall("which editor").hits] == ["The team uses Emacs."]
        assert "Vim" not in vault.context("which editor").text


@pytest.mark.with_history
def test_the_past_is_found_by_meaning_too(folder: Path, clock: Clock, wire: Wire) -> None:
    """What had a vector has it still, though the text is gone."""
    commit(folder, CAR, BELIEVED)
    with opened(folder, clock, wire) as vault:
        vault.embed()
        commit(folder, CAT, "2026-11-01T12:00:00Z")
        past = vault.recall("buy car", mode="semantic", as_of="2024-06-01")
        assert [h.snippet for h in past.hits] == [CAR]
