"""Questions and their evidence: read strictly, resolved to memories, never dropped in silence."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.errors import BadInput
from vaultmem.evaluation import json_lines, questions
from vaultmem.evaluation.evidence import Known, LeftOut, resolve
from vaultmem.evaluation.phrase_match import holds, normal
from vaultmem.evaluation.questions import BadQuestion, LabelledQuestion
from vaultmem.records import Record


def memory(number: int, body: str, session: str = "may", agent: str = "ada") -> Record:
    """Return an imported message: its id is m1, its message id D1:1."""
    return Record(
        path=f"agents/{agent}/memories/2026/05/turn-{number}.md",
        sha="",
        id=f"m{number}",
        type="memory",
        agent=agent,
        session=session,
        origin=f"{session}/D1:{number}",
        body=body,
    )


TEA = memory(1, "Ada likes green tea.\n")
OAT = memory(2, "Oat milk costs $1,250 a year.\n")
AGAIN = memory(3, "Ada likes  green\ntea.\n", session="june")


def asked(*evidence: str, agent: str = "", session: str = "") -> LabelledQuestion:
    """Return a question about tea."""
    return LabelledQuestion("Which tea?", evidence, agent=agent, session=session, line=4)


def known(question: LabelledQuestion, *memories: Record) -> list[set[str]]:
    """Return what a question's evidence is among *memories*."""
    ((found,), left_out) = resolve([question], memories or (TEA, OAT, AGAIN))
    assert left_out == ()
    return [set(piece) for piece in found.gold]


def missing(question: LabelledQuestion, *memories: Record) -> tuple[str, ...]:
    """Return why a question is left out."""
    found, (left,) = resolve([question], memories or (TEA, OAT, AGAIN))
    assert found == ()
    return left.missing


def write(path: Path, *lines: object) -> Path:
    """Write a file of questions and return where it is."""
    path.write_text("".join(f"{x if isinstance(x, str) else json.dumps(x)}\n" for x in lines))
    return path


# --- reading ----------------------------------------------------------------------------------


def test_a_line_is_a_question_with_its_evidence(tmp_path: Path) -> None:
    """A published line: its answer, a number here, is nobody's business."""
    line = {"question": "When?", "answer": 2022, "category": "temporal", "evidence": ["D1:2"]}
    file = write(tmp_path / "q.jsonl", "\ufeff" + json.dumps(line), "", {**line, "agent": "ada"})
    assert questions.load(file) == (
        LabelledQuestion("When?", ("D1:2",), "temporal", line=1),
        LabelledQuestion("When?", ("D1:2",), "temporal", "ada", line=3),
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "q.jsonl:2: it is no JSON: look at its quotes, commas and brackets; nothing"),
        ("[]", "it is no JSON object: put it in braces"),
        ('{"question": "When?"}', "evidence: it is missing: add it"),
        ('{"question": "When?", "evidence": []}', "evidence: it is empty: name one at least"),
        ('{"question": " ", "evidence": ["D1:1"]}', "question: it is empty: write something"),
        (
            f'{{"question": "{"?" * 5000}", "evidence": ["x"]}}',
            "question: it has more than 4096 characters: shorten it",
        ),
        ('{"question": "When?", "evidence": [3]}', "evidence.0: it is no text: put it in quotes"),
        ('{"question": "When?", "evidence": "D1:3"}', "evidence: it is no list: put it in square"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_asked(tmp_path: Path, line: str, why: str) -> None:
    good = {"question": "When?", "evidence": ["D1:1"]}
    with pytest.raises(BadQuestion) as caught:
        questions.load(write(tmp_path / "q.jsonl", good, line))
    assert (caught.value.file, caught.value.line) == ("q.jsonl", 2)
    assert str(caught.value).startswith("q.jsonl:2: ")
    assert why in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(("data", "why"), [(b"\xff", "not UTF-8"), (b"\n \n", "no question")])
def test_what_is_no_file_of_questions_is_said(tmp_path: Path, data: bytes, why: str) -> None:
    file = tmp_path / "q.jsonl"
    with pytest.raises(BadInput, match="No such file"):
        questions.load(file)
    file.write_bytes(data)
    with pytest.raises(BadInput, match=why):
        questions.load(file)


@given(st.text())
def test_any_text_is_refused_unless_it_is_blank(text: str) -> None:
    """No JSON object comes about by chance."""
    if text.strip("\ufeff \t\r\n"):
        with pytest.raises(BadQuestion) as caught:
            list(json_lines.parsed(text, questions._Line, partial(BadQuestion, "q.jsonl")))
        assert 1 <= caught.value.line <= text.count("\n") + 1
    else:
        assert list(json_lines.parsed(text, questions._Line, partial(BadQuestion, "q.jsonl"))) == []


def test_a_sample_is_the_seeds_and_keeps_the_order() -> None:
    each = [LabelledQuestion(str(n), ("D1:1",), line=n) for n in range(100)]
    drawn = questions.sample(each, 10, seed=5)
    assert drawn == questions.sample(each, 10, seed=5) != questions.sample(each, 10, seed=6)
    assert [q.line for q in drawn] == sorted({q.line for q in drawn})
    assert questions.sample(each, None, 5) == questions.sample(each, 1000, 5) == tuple(each)


# --- evidence ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["m2", "may/D1:2", "D1:2", "turn-2", "agents/ada/memories/2026/05/turn-2.md"]
)
def test_a_memory_is_meant_by_any_of_its_names(name: str) -> None:
    assert known(asked(name)) == [{"m2"}]


def test_words_mean_every_memory_that_holds_them() -> None:
    """In any case, with any blanks: either of two duplicates will do."""
    assert known(asked("ADA likes green tea", "costs $1250")) == [{"m1", "m3"}, {"m2"}]


def test_chinese_words_need_no_blank() -> None:
    allergic = memory(9, "用户对花生过敏。")
    assert known(asked("花生过敏"), allergic) == [{"m9"}]


def test_evidence_knows_its_sessions() -> None:
    ((found,), _) = resolve([asked("green tea", "D1:2")], (TEA, OAT, AGAIN))
    assert found.sessions == (frozenset({"may", "june"}), frozenset({"may"}))


def test_a_message_id_of_two_sessions_must_be_qualified() -> None:
    """Whose it is may follow from the question's session or agent."""
    twice = (TEA, memory(1, "Bye.", session="june"), memory(1, "Hi.", agent="bob"))
    twice = (twice[0], replace(twice[1], id="j1"), replace(twice[2], id="b1"))
    (why,) = missing(asked("D1:1"), *twice)
    assert why == "D1:1: 3 memories have this id: write may/D1:1"
    assert known(asked("june/D1:1"), *twice) == [{"j1"}]
    assert known(asked("D1:1", session="june"), *twice) == [{"j1"}]
    assert known(asked("D1:1", agent="bob"), *twice) == [{"b1"}]


def test_a_question_with_unknown_evidence_is_left_out_and_listed() -> None:
    """Half of its evidence would make it easier, so it is not asked at all."""
    found, left_out = resolve([asked("D1:1", "D7:7", "coffee or tea"), asked("D1:2")], (TEA, OAT))
    assert [k.asked.evidence for k in found] == [("D1:2",)]
    assert left_out == (
        LeftOut(
            4,
            "Which tea?",
            ("D7:7: no memory has this id", "coffee or tea: no memory holds these words"),
        ),
    )


def test_a_file_without_an_id_is_known_by_its_path() -> None:
    (found,), _ = resolve([asked("topics/tea.md")], [Record("topics/tea.md", "", body="Oolong.")])
    assert found == Known(asked("topics/tea.md"), (frozenset({"topics/tea.md"}),), ())


# --- wording ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "phrase", "there"),
    [
        ("It cost $1,250.", "$1250", True),
        ("Dr.\n  Chen\u2019s office", "dr. chen's", True),
        ("a party", "art", False),
        ("1500 dollars", "50", False),
        ("MV\u2013789", "mv-789", True),
        ("用户对花生过敏", "花生", True),
        ("anything", "", False),
        ("in 1,2,3 steps", "1,2,3", True),
    ],
)
def test_a_phrase_stands_whole_whatever_its_case_and_blanks(
    text: str, phrase: str, *, there: bool
) -> None:
    assert holds(normal(text), normal(phrase)) is there


@given(st.text(), st.text(), st.text())
def test_a_phrase_between_blanks_is_always_there(before: str, phrase: str, after: str) -> None:
    said = normal(phrase)
    assert holds(f"{normal(before)} {said} {normal(after)}", said) is bool(said)


@given(st.text())
def test_to_be_normal_is_lasting(text: str) -> None:
    assert normal(normal(text)) == normal(text)
