"""A case is lived through in a vault of its own, and its context holds its facts or does not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from vaultmem.errors import BadInput
from vaultmem.evaluation import case_files, cases
from vaultmem.evaluation.cases import Case, Fact, Judged
from vaultmem.exchange.formats.jsonl_message import Message

DATA = Path(__file__).resolve().parents[3] / "shared/data/user-memory-dev"
GOLD = Path(__file__).parents[1] / "cases/gold"
OFFLINE = {"VAULTMEM_SUMMARIZER": "extractive", "VAULTMEM_EMBEDDER": "none"}
YAML = """\
test_id: layer1_01_tea
category: layer1
user_question: Which tea do I like?
evaluation_criteria: not ours
conversation_histories:
- conversation_id: shop_001
  timestamp: '2024-06-15 14:00:00'
  metadata: {business: Tea Shop}
  messages:
  - {role: user, content: I like oolong best.}
  - {role: assistant, content: 'Noted: the order is TX-77.'}
"""
TEA = Case(
    "layer1_01_tea",
    "layer1",
    "Which tea do I like?",
    (
        Message(id=1, session="shop_001", role="user", content="I like oolong best.",
                at="2024-06-15T14:00:00Z"),
        Message(id=2, session="shop_001", role="assistant", content="Noted: the order is TX-77.",
                at="2024-06-15T14:00:30Z"),
    ),
)  # fmt: skip
FACTS = {"case": "layer1_01_tea", "facts": [{"name": "tea", "any": ["Oolong", "wulong"]}]}


def put(path: Path, text: str | object) -> Path:
    """Write a file, as JSON unless it is text, and return where it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


# --- reading ----------------------------------------------------------------------------------


def test_a_published_case_is_read_with_the_gold_beside_it(tmp_path: Path) -> None:
    put(tmp_path / "layer1/tea.yaml", YAML)
    assert case_files.load(tmp_path) == (TEA,)
    put(tmp_path / "layer1/tea.gold.json", FACTS)
    (read,) = case_files.load(tmp_path)
    assert read.facts == (Fact("tea", ("Oolong", "wulong")),)


@pytest.mark.parametrize("name", ["any-name.json", "layer1/tea.gold.json"])
def test_gold_may_lie_elsewhere(tmp_path: Path, name: str) -> None:
    """In folders of its own, too."""
    put(tmp_path / "cases/tea.yaml", YAML)
    put(tmp_path / "gold" / name, FACTS)
    assert case_files.load(tmp_path / "cases", tmp_path / "gold")[0].facts


def test_a_line_of_jsonl_is_a_case(tmp_path: Path) -> None:
    said = [{"session": "s", "role": "user", "content": "Oolong.", "at": "2024-06-15"}]
    line = {"case": "tea", "level": "mine", "question": "Which?", "messages": said}
    put(tmp_path / "mine.jsonl", json.dumps(line) + "\n\n")
    (read,) = case_files.load(tmp_path)
    assert (read.name, read.level, read.question) == ("tea", "mine", "Which?")
    assert [m.content for m in read.messages] == ["Oolong."]


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.yaml", "a: [", "no YAML"),
        ("a.yaml", "test_id: x\n", "a.yaml: category: it is missing: add it"),
        ("a.yaml", YAML.replace("2024-06-15 14", "some day"), "is not a date"),
        ("a.jsonl", "{}\n", "a.jsonl:1: case: it is missing: add it"),
        ("a.gold.json", '{"case": "x", "facts": []}', "facts: it is empty: name one at least"),
        ("a.txt", "nothing", "no case in it"),
    ],
)
def test_what_is_no_case_is_named(tmp_path: Path, name: str, text: str, why: str) -> None:
    if name.endswith(".gold.json"):
        put(tmp_path / "tea.yaml", YAML)
    put(tmp_path / name, text)
    with pytest.raises(BadInput, match=why.replace(".", r"\.")):
        case_files.load(tmp_path)


# --- judging ----------------------------------------------------------------------------------


def test_a_case_passes_with_four_of_five_facts() -> None:
    facts = tuple(Fact(name, (name,)) for name in ("one", "two", "three", "four", "five"))
    case = Case("c", "layer2", "?", (), facts)
    assert cases.judge(case, "One, two;\nTHREE four", 40) == Judged(
        "c", "layer2", 0.8, passed=True, tokens=40, missing=("five",)
    )
    assert not cases.judge(case, "one two three", 40).passed


def test_any_phrase_of_a_fact_will_do() -> None:
    case = Case("c", "layer1", "?", (), (Fact("fee", ("$1,250", "twelve fifty")),))
    assert cases.judge(case, "It costs $1250.", 5).passed
    assert not cases.judge(case, "It costs $12500.", 5).passed


def test_levels_are_means_of_their_cases() -> None:
    judged = [
        Judged("a", "layer1", 1.0, passed=True, tokens=100, missing=()),
        Judged("b", "layer1", 0.5, passed=False, tokens=300, missing=("x",)),
        Judged("c", "layer2", 0.0, passed=False, tokens=200, missing=("x",)),
    ]
    assert cases.levels(judged) == {
        "layer1": cases.Level(2, 0.5, 0.75, 200),
        "layer2": cases.Level(1, 0, 0, 200),
    }
    assert cases.figures(judged) == {
        "pass_rate": pytest.approx(1 / 3),
        "keyword_recall": 0.5,
        "layer1.pass_rate": 0.5,
        "layer1.keyword_recall": 0.75,
        "layer2.pass_rate": 0,
        "layer2.keyword_recall": 0,
    }


# --- living -----------------------------------------------------------------------------------


def test_a_case_is_lived_and_judged_by_its_context() -> None:
    """What was said is in the context, what was not is missing, and the question does not count."""
    facts = (Fact("tea", ("oolong",)), Fact("order", ("TX-77",)), Fact("milk", ("oat milk",)))
    case = Case(TEA.name, TEA.level, "Did I order oat milk?", TEA.messages, facts)
    judged = cases.live(case, 2000, OFFLINE)
    assert judged.missing == ("milk",)
    assert judged.keyword_recall == pytest.approx(2 / 3)
    assert 0 < judged.tokens <= 2000


@pytest.mark.skipif(not DATA.is_dir(), reason="the published cases are not here")
def test_every_published_case_has_gold_that_its_conversations_hold() -> None:
    """A fact that nobody said could never be found."""
    read = case_files.load(DATA, GOLD)
    assert len(read) == 30
    for case in read:
        assert case.facts, case.name
        everything = "\n".join(m.content for m in case.messages)
        assert cases.judge(case, everything, 0).missing == (), case.name


def test_a_case_makes_the_same_context_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    contexts: list[str] = []
    judge = cases.judge

    def heard(case: Case, context: str, tokens: int) -> Judged:
        contexts.append(context)
        return judge(case, context, tokens)

    monkeypatch.setattr(cases, "judge", heard)
    told = replace(TEA, facts=(Fact("tea", ("Oolong",)),))
    assert cases.live(told, 8000, OFFLINE) == cases.live(told, 8000, OFFLINE)
    assert contexts[0] == contexts[1]
