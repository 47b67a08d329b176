"""Sentences become cards in a vault of their own, and what the cards hold is judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem.errors import BadInput
from vaultmem.evaluation import claims
from vaultmem.evaluation.claims import CardFact, Wrong

OFFLINE = {"VAULTMEM_SUMMARIZER": "extractive", "VAULTMEM_EMBEDDER": "none"}
SAID = [
    {"n": "1", "speaker": "Ada", "text": "I live in Bath.",
     "expect": [{"person": "Ada", "value": "bath"}]},
    {"n": "2", "speaker": "Ben", "text": "My wife Ines is allergic to walnuts.",
     "expect": [{"person": "Ines", "value": "walnuts"}, {"person": "Ben", "value": "Porto"}]},
    {"n": "3", "speaker": "Cleo", "text": "I live in York.", "not": ["city: York"]},
    {"n": "4", "speaker": "Dan", "text": "My brother Tom is a baker.", "not": ["Tom", "Leeds"]},
]  # fmt: skip


def put(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.mark.long
def test_a_vault_is_asked_what_its_cards_hold_of_what_was_said(tmp_path: Path) -> None:
    said = claims.load(put(tmp_path / "said.jsonl", *SAID))
    made = claims.report(said, claims.live(said, OFFLINE))
    assert (made.sentences, made.expected, made.found) == (4, 3, 2)
    assert made.missing == (Wrong("2", "Ben", "Porto", "My wife Ines is allergic to walnuts."),)
    assert made.false == (
        Wrong("3", "Cleo", "city: York", "I live in York."),
        Wrong("4", "Dan", "brother: Tom", "My brother Tom is a baker."),
        Wrong("4", "Tom", "", "My brother Tom is a baker."),
    )
    assert made.figures == {"precision": 0.4, "recall": 2 / 3}


def test_a_fact_counts_on_the_card_of_its_person_alone(tmp_path: Path) -> None:
    said = claims.load(put(tmp_path / "said.jsonl", SAID[0], SAID[2]))
    facts = [CardFact("Adam", "city: Bath"), CardFact("Ada (friend)", "city: York")]
    made = claims.report(said, facts)
    assert (made.found, made.false) == (0, ())
    assert claims.report(said, [CardFact("ada (friend)", "city: Bath")]).found == 1


@pytest.mark.parametrize("line", ["[]", '{"n": "1"}', '{"n": "1", "speaker": "", "text": "x"}'])
def test_a_line_that_is_no_sentence_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "said.jsonl"
    path.write_text(f"{json.dumps(SAID[0])}\n{line}\n")
    with pytest.raises(BadInput, match=r"said\.jsonl:2: "):
        claims.load(path)
    path.write_text("\n")
    with pytest.raises(BadInput, match="no sentence in it"):
        claims.load(path)
