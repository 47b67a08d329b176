"""`eval` as people type it and scripts rely on it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from vaultmem.cli import run

pytestmark = pytest.mark.without_history

Say = Callable[..., str]
TALK = [
    ("D1:1", "may", "Ada", "My sister Clara moved to a small flat in Lisbon in March."),
    ("D1:2", "may", "Ben", "Does she like the trams there?"),
    ("D1:3", "may", "Ada", "She walks; the bakery is around the corner."),
    ("D2:1", "june", "Ada", "I bought an old violin from Greta Larsen in Porto."),
    ("D2:2", "june", "Ben", "Was it expensive?"),
    ("D2:3", "june", "Ada", "Nine hundred euros, and a new bow."),
]
QUESTIONS = [
    {"question": "Where did the sister move?", "evidence": ["D1:1"], "category": "single-hop"},
    {"question": "Who sold the violin?", "evidence": ["june/D2:1"], "category": "single-hop"},
    {"question": "What did the violin and the bow cost?", "evidence": ["D2:1", "a new bow"],
     "category": "multi-hop", "answer": 900},
]  # fmt: skip


@pytest.fixture
def say(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Return what runs a command on a vault with a conversation, and returns what it prints."""
    talk = [
        {"id": i, "session": s, "speaker": who, "content": text, "at": "2026-05-05T10:00:00Z"}
        for i, s, who, text in TALK
    ]
    lines(tmp_path / "talk.jsonl", talk)

    def command(*args: str, code: int = 0) -> str:
        assert run(["--vault", str(folder), *args]) == code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return out or err

    command("import", "jsonl", str(tmp_path / "talk.jsonl"), "--agent", "ada")
    return command


@pytest.fixture
def asked(tmp_path: Path) -> str:
    """Return a file of questions."""
    return lines(tmp_path / "questions.jsonl", QUESTIONS)


def lines(path: Path, rows: Sequence[object]) -> str:
    """Write rows as JSONL and return where."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


# --- retrieval --------------------------------------------------------------------------------


def test_retrieval_gives_scripts_the_keys_they_rely_on(say: Say, asked: str) -> None:
    out = say(
        "eval", "retrieval", asked, "--agent", "ada", "--mode", "lexical", "-k", "10", "--json"
    )
    got = json.loads(out)
    assert got["n"] == 3
    assert {"recall_any@5", "recall_any@10", "recall_all@10", "mrr", "ndcg@10"} <= set(
        got["overall"]
    )
    assert got["overall"]["recall_all@10"] == 1
    assert got["sessions"]["hit@1"] == 1
    assert set(got["categories"]) == {"single-hop", "multi-hop"}
    assert 0 < got["latency_ms"]["p50"] <= got["latency_ms"]["p95"]
    assert got["index_s"] >= 0
    assert (got["left_out"], got["floors"], got["degraded_reason"]) == ([], [], None)
    assert got["misses"] == []


def test_retrieval_shows_a_person_tables_and_doubts(say: Say, asked: str) -> None:
    out = say("eval", "retrieval", asked, "--mode", "lexical")
    assert out.startswith("3 questions, lexical, 50 hits each\n")
    assert re.search(r"(?m)^10 +1\.000 +1\.00 to 1\.00 +1\.000 +1\.000$", out)
    assert re.search(r"(?m)^multi-hop +1 ", out)
    assert "recall within 1k tokens 1.000" in out
    assert "of the up to 50 hits that recall gives, whatever -k is" in out
    assert re.search(r"(?m)^MRR@\d+ ", out)
    assert re.search(r"p50 \d+\.\d ms, p95 \d+\.\d ms a question; indexed in ", out)


def test_what_cannot_be_asked_is_listed(say: Say, tmp_path: Path) -> None:
    rows = [{"question": f"Who {n}?", "evidence": ["D9:9"]} for n in range(7)]
    out = say("eval", "retrieval", lines(tmp_path / "q.jsonl", [*rows, *QUESTIONS]))
    assert "! 7 questions left out:\n    line 1: D9:9: no memory has this id\n" in out
    assert "and 2 more" in out
    alone = say("eval", "retrieval", lines(tmp_path / "q.jsonl", rows), code=2)
    assert "no question has evidence in this vault; line 1, for one, names D9:9" in alone


def test_a_floor_decides_the_exit_code(say: Say, asked: str) -> None:
    args = ("eval", "retrieval", asked, "--mode", "lexical", "--floor")
    assert "holds" in say(*args, "recall_any@10=0.7", "--floor", "sessions.hit@1=0.5")
    assert "floor mrr 1.5: " in (out := say(*args, "mrr=1.5", code=1))
    assert "BELOW" in out
    got = json.loads(say(*args, "mrr=1.5", "--json", code=1))
    assert got["floors"][0]["holds"] is False
    assert "no figure 'mmr'" in say(*args, "mmr=0.5", code=2)
    assert "write recall_any@10=0.7" in say(*args, "mrr", code=2)


def test_a_plot_is_drawn_here_or_in_a_file(say: Say, asked: str, tmp_path: Path) -> None:
    args = ("eval", "retrieval", asked, "--mode", "lexical", "--plot")
    out = say(*args)
    assert "recall, by hits\n" in out
    assert re.search(r"(?m)^  10  recall_any  #{40}  1\.000$", out)
    file = tmp_path / "recall.svg"
    assert f"plotted to {file}" in say(*args, str(file))
    assert file.read_text().startswith("<svg ")
    assert json.loads(say(*args, str(file), "--json"))["n"] == 3
    assert "name a FILE.svg" in say(*args, "recall.png", code=2)
    assert "--plot FILE.svg" in say("eval", "retrieval", asked, "--json", "--plot", code=2)


def test_a_bad_line_is_one_sentence(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"question": "Who?", "evidence": ["D1:1"]}\n{\n')
    assert re.fullmatch(
        r"vaultmem: q\.jsonl:2: [^\n]+\n", say("eval", "retrieval", str(file), code=2)
    )
    gone = say("eval", "retrieval", str(tmp_path / "none.jsonl"), code=2)
    assert "none.jsonl: No such file or directory" in gone


def test_a_limit_asks_some(say: Say, asked: str) -> None:
    args = (
        "eval",
        "retrieval",
        asked,
        "--mode",
        "lexical",
        "--limit",
        "2",
        "--seed",
        "3",
        "--json",
    )
    got = json.loads(say(*args))
    assert got["n"] == 2
    again = json.loads(say(*args))
    assert again["overall"] == got["overall"]
    assert again["intervals"] == got["intervals"]


def test_without_an_embedder_the_report_says_what_was_not_at_its_best(say: Say, asked: str) -> None:
    out = say("eval", "retrieval", asked)
    assert "! 3 of 3 answers degraded: no embedder is set up" in out


# --- compare ----------------------------------------------------------------------------------


def test_modes_stand_side_by_side(say: Say, asked: str) -> None:
    out = say("eval", "compare", asked, "--modes", "lexical,auto")
    assert re.search(r"(?m)^figure +lexical +auto$", out)
    assert re.search(r"(?m)^recall_any@10 +1\.000 +1\.000$", out)
    assert "auto against lexical" in out
    assert re.search(r"(?m)^mrr +0 +0 +3 +1\.0000$", out)
    assert "! auto: no embedder is set up" in out
    got = json.loads(say("eval", "compare", asked, "--modes", "lexical,auto", "--json"))
    assert set(got["modes"]) == {"lexical", "auto"}
    assert got["pairs"][0]["overall"]["mrr"] == {"wins": 0, "losses": 0, "ties": 3, "p": 1.0}
    assert "'fuzzy' is none of" in say("eval", "compare", asked, "--modes", "fuzzy", code=2)


# --- self -------------------------------------------------------------------------------------


def test_a_vault_can_be_asked_for_what_it_holds(say: Say) -> None:
    args = ("eval", "self", "--probes", "4", "--mode", "lexical", "--seed", "2")
    got = json.loads(say(*args, "--json"))
    assert got["n"] == len(got["probes"]) <= 4
    assert got["probes"] == json.loads(say(*args, "--json"))["probes"]
    assert got["overall"]["recall_any@10"] == 1
    assert set(got["categories"]) == {"memory"}
    out = say(*args, "--floor", "recall_any@10=0.9")
    assert "probes, lexical, 50 hits each" in out
    assert "holds" in out


def test_what_was_missed_is_shown_by_its_cause(say: Say, tmp_path: Path) -> None:
    row = {"question": "Qwertz?", "evidence": [TALK[0][0]], "category": "single-hop"}
    out = say("eval", "retrieval", lines(tmp_path / "lost.jsonl", [row]), "--mode", "lexical")
    assert "not among the first 10 hits\nmissed because  n  of all" in out
    assert "nothing found   1" in out
    assert out.count("Qwertz?") == 1


def test_what_is_missed_is_held_to_what_it_says(say: Say, tmp_path: Path) -> None:
    row = {"question": "Is the violin from Porto?", "evidence": [TALK[0][0]], "category": "x"}
    out = say("eval", "retrieval", lines(tmp_path / "other.jsonl", [row]), "--mode", "lexical")
    assert re.search(r"^no word in common +1\b", out, re.MULTILINE)


def test_the_worst_misses_are_shown(say: Say, folder: Path) -> None:
    """A memory that says nothing of its own is behind the ones that say more."""
    for n in range(3):
        say("remember", f"Otters swim, dive, sleep, hunt, play {n}.", "--agent", "ada")
    say(
        "remember",
        "Otters swim or they dive or they sleep or they hunt or they play or drift.",
        "--agent",
        "ada",
    )
    out = say("eval", "self", "--mode", "lexical", "--agent", "ada", "-k", "1")
    assert "the worst misses\nagents/ada/memories/" in out
    assert re.search("at [2-9], after agents/ada/memories/", out)
    assert not (folder / ".vaultmem/index/uses.sqlite3").exists()


# --- cases ------------------------------------------------------------------------------------


@pytest.mark.long
def test_cases_are_judged_by_level(say: Say, tmp_path: Path) -> None:
    said = [{"id": str(n), "session": s, "role": "user", "content": text, "at": "2026-05-05"}
            for n, (_, s, _, text) in enumerate(TALK)]  # fmt: skip
    rows = [
        {"case": name, "level": "layer1", "question": "Where is she?", "messages": said}
        for name in ("found", "lost", "unknown")
    ]
    for folder in ("cases", "gold"):
        (tmp_path / folder).mkdir()
    lines(tmp_path / "cases/mine.jsonl", rows)
    for name, phrase in (("found", "lisbon"), ("lost", "madrid")):
        gold = {"case": name, "facts": [{"name": "city", "any": [phrase]}]}
        (tmp_path / f"gold/{name}.json").write_text(json.dumps(gold))
    args = ("eval", "cases", str(tmp_path / "cases"), "--gold", str(tmp_path / "gold"))
    got = json.loads(say(*args, "--json", "--budget", "3000"))
    assert (got["n"], got["pass_rate"], got["budget"]) == (2, 0.5, 3000)
    assert got["levels"]["layer1"]["n"] == 2
    assert [(c["case"], c["passed"], c["missing"]) for c in got["cases"]] == [
        ("found", True, []),
        ("lost", False, ["city"]),
    ]
    assert got["without_gold"] == ["unknown"]
    out = say(*args, "--floor", "layer1.pass_rate=0.9", code=1)
    assert re.search(r"(?m)^layer1 +2 +50% +50% ", out)
    assert "! lost: 0%, without city" in out
    assert "! 1 case without gold: unknown" in out
    assert "help evaluation" in say("eval", "cases", str(tmp_path / "cases"), code=2)


# --- claims -----------------------------------------------------------------------------------


@pytest.mark.long
def test_claims_names_what_is_false_and_what_is_missing(say: Say, tmp_path: Path) -> None:
    rows = [
        {"n": "p1", "speaker": "Ada", "text": "I live in Bath.",
         "expect": [{"person": "Ada", "value": "Bath"}, {"person": "Ada", "value": "Rome"}]},
        {"n": "t1", "speaker": "Cleo", "text": "I live in York.", "not": ["York"]},
    ]  # fmt: skip
    path = lines(tmp_path / "said.jsonl", rows)
    got = json.loads(say("eval", "claims", path, "--json"))
    assert {"precision": 0.5, "recall": 0.5, "expected": 2, "found": 1}.items() <= got.items()
    assert [it["fact"] for it in (*got["false"], *got["missing"])] == ["city: York", "Rome"]
    out = say("eval", "claims", path, "--floor", "precision=0.9", code=1)
    assert re.search(r"(?m)^t1 +Cleo +city: York +I live in York\.$", out)
    assert re.search(r"(?m)^p1 +Ada +Rome ", out)


# --- summaries --------------------------------------------------------------------------------


@pytest.mark.long
def test_summaries_prints_what_the_summaries_of_a_conversation_hold(
    say: Say, tmp_path: Path
) -> None:
    rows = [
        {"id": f"{n}", "session": "s", "speaker": "Ada", "content": f"I sold boat {n} to Ines."}
        for n in range(129)
    ]
    lines(tmp_path / "boats.messages.jsonl", rows)
    lines(tmp_path / "boats.questions.jsonl", [{"question": "To whom?", "answer": "to Ines"}])
    args = ("eval", "summaries", str(tmp_path))
    got = json.loads(say(*args, "--json"))
    (one,) = got["conversations"]
    assert (got["short_term.held"], one["name"], one["answers"]) == (1.0, "boats", 1)
    out = say(*args, "--floor", "short_term.ratio=99", code=1)
    assert re.search(r"(?m)^boats +short-term +\d+ +\d+% +100%", out)
    assert "floor short_term.ratio 99" in out
