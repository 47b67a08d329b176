"""Conversations become summaries, and what is asked later is looked for in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem.errors import BadInput
from vaultmem.evaluation import summaries

pytestmark = pytest.mark.without_history

OFFLINE = {"VAULTMEM_SUMMARIZER": "extractive", "VAULTMEM_EMBEDDER": "none"}
QUESTIONS = [
    {"question": "Where does Ada live?", "answer": "In Bath", "category": "single-hop"},
    {"question": "When did she move?", "answer": 2019, "category": "temporal"},
    {"question": "What is her cat called?", "answer": "Rex", "category": "adversarial"},
    {"question": "Why?", "answer": "because there were so many very good old schools nearby then"},
]


def put(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def conversation(folder: Path, *said: str) -> summaries.Conversation:
    put(folder / "a.questions.jsonl", *QUESTIONS)
    rows = (
        {"id": f"{n}", "session": "s", "speaker": "Ada", "content": text,
         "at": f"2026-01-01T10:{n // 60:02}:{n % 60:02}Z"}
        for n, text in enumerate(said)
    )  # fmt: skip
    put(folder / "a.messages.jsonl", *rows)
    (found,) = summaries.load(folder)
    return found


def test_an_answer_is_held_by_four_in_five_of_its_words(tmp_path: Path) -> None:
    """Adversarial and long answers are left out; grammar does not count."""
    it = conversation(tmp_path, "I live in Bath.", "I moved there in 2019.", "Nice.", "Yes.")
    assert it.answers == (frozenset({"bath"}), frozenset({"2019"}))
    made = summaries.measure(it, ["Ada: lives in Bath.", "More."], ["Ada came in 2019 to Bath."])
    assert (made.answers, made.summaries) == (2, 2)
    assert (made.short_term.words, made.short_term.held) == (5, 0.5)
    assert (made.long_term.held, made.long_term.share) == (1.0, 6 / 11)
    assert 0 < made.long_term.by_chance < 1
    assert made.long_term.ratio == pytest.approx(1 / made.long_term.by_chance)


@pytest.mark.long
def test_a_conversation_is_compacted_in_a_vault_of_its_own(tmp_path: Path) -> None:
    said = [f"I painted boat number {n} in Bath with Ines and Karl in 2019." for n in range(129)]
    made = summaries.live(conversation(tmp_path, *said), OFFLINE)
    assert (made.name, made.summaries, made.long_term.words) == ("a", 1, 0)
    assert made.short_term.held == 1.0
    assert 0 < made.short_term.share < 0.06
    assert summaries.figures([made])["short_term.held"] == 1.0


def test_a_folder_without_a_conversation_and_a_bad_line_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no NAME\.messages\.jsonl"):
        summaries.load(tmp_path)
    conversation(tmp_path, "I live in Bath.")
    put(tmp_path / "a.questions.jsonl", QUESTIONS[0], {"answer": "Bath"})
    with pytest.raises(BadInput, match=r"a\.questions\.jsonl:2: "):
        summaries.load(tmp_path)
    put(tmp_path / "a.questions.jsonl", QUESTIONS[2])
    with pytest.raises(BadInput, match="no short answer"):
        summaries.load(tmp_path)
