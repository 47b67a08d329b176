"""What comes up for questions of known evidence, judged for memories and for sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from xml.etree import ElementTree as ET

import pytest

from vaultmem import Vault
from vaultmem.errors import BadInput
from vaultmem.evaluation import charts, comparison, misses, retrieval, thresholds
from vaultmem.evaluation import runner as evaluation_runner
from vaultmem.evaluation.charts import Chart
from vaultmem.evaluation.evidence import Known
from vaultmem.evaluation.metrics import Paired
from vaultmem.evaluation.questions import LabelledQuestion
from vaultmem.evaluation.retrieval import Library, RankedResult, Run
from vaultmem.evaluation.runner import Way
from vaultmem.evaluation.thresholds import Held
from vaultmem.records import Record
from vaultmem.retrieval import usage
from vaultmem.retrieval.search import Answer, Hit

pytestmark = pytest.mark.without_history

TEXTS = (("a", "may", "Tea."), ("b", "may", "Oat milk. " * 200), ("c", "june", "Bread."))
LIBRARY = Library.of(
    [Record(f"{name}.md", "", id=name, session=session) for name, session, _ in TEXTS],
    {f"{name}.md": body for name, _, body in TEXTS}.__getitem__,
)


def hit(name: str) -> Hit:
    """Return a hit on the memory of that id."""
    return Hit(name, f"{name}.md", (1, 1), "", "", "", "memory", "", "", 1.0, "", "agent", False)  # noqa: FBT003


def known(text: str, gold: str, category: str = "", conversation: str = "") -> Known:
    """Return a question; each letter of *gold* is a memory that is evidence."""
    sessions = tuple(frozenset({LIBRARY.files[g].session}) for g in gold if g in LIBRARY.files)
    asked = LabelledQuestion(text, tuple(gold), category, conversation=conversation)
    return Known(asked, tuple(frozenset(g) for g in gold), sessions)


def answering(**answers: str) -> retrieval.Ask:
    """Return what answers each question with the memories its letters name."""

    def ask(asked: LabelledQuestion, k: int) -> Answer:
        return Answer(tuple(hit(name) for name in answers[asked.text][:k]))

    return ask


def ticking() -> Callable[[], float]:
    """Return a timer: the first question takes 1 ms, the next 2 ms, and so on."""
    ticks = count(1)

    def times() -> Iterator[float]:
        for tick in ticks:
            yield 0.0
            yield tick / 1000

    return times().__next__


def run(questions: Sequence[Known], ask: retrieval.Ask, k: int = 10, mode: str = "lexical") -> Run:
    """Ask the questions by a timer of ours."""
    found = tuple(retrieval.ask_all(questions, ask, LIBRARY, k, ticking()))
    return Run(mode, k, LIBRARY, found)


# --- asking -----------------------------------------------------------------------------------


def test_a_question_is_asked_once_and_alone_is_timed() -> None:
    asked: list[tuple[str, int]] = []

    def ask(question: LabelledQuestion, k: int) -> Answer:
        asked.append((question.text, k))
        return Answer((hit("b"), hit("c")), "no embedder", ("june", "may"))

    (found,) = retrieval.ask_all([known("tea", "a")], ask, LIBRARY, 50, ticking())
    assert asked == [("tea", 50)]
    assert found == RankedResult(
        known("tea", "a"), ("b", "c"), ("june", "may"), found.costs, 0.001, "no embedder"
    )
    assert found.costs[0] > 400
    assert found.costs[1] < 5


def test_sessions_that_recall_does_not_rank_are_those_of_the_hits() -> None:
    (found,) = retrieval.ask_all([known("tea", "a")], answering(tea="bac"), LIBRARY, 10)
    assert found.sessions == ("may", "june")


# --- judging ----------------------------------------------------------------------------------


def test_memories_and_sessions_are_judged_apart() -> None:
    """Its neighbour in the same session is found first: the session is, the memory is second."""
    made = retrieval.report(run([known("tea", "a")], answering(tea="bca")))
    assert made.n == 1
    assert [made.overall["hit@1"], made.overall["mrr"]] == pytest.approx([0, 1 / 3], abs=1e-4)
    assert (made.sessions["hit@1"], made.sessions["mrr"]) == (1, 1)
    assert made.figures()["sessions.hit@1"] == 1


def test_what_a_reader_sees_depends_on_what_stands_before_it() -> None:
    made = retrieval.report(run([known("tea", "c")], answering(tea="bbc")))
    assert (made.overall["recall@1k_tokens"], made.overall["recall@2k_tokens"]) == (0, 1)


def test_categories_are_judged_apart() -> None:
    questions = [known("one", "a", "temporal"), known("two", "b", "temporal"), known("odd", "c")]
    made = retrieval.report(run(questions, answering(one="a", two="a", odd="c")))
    assert {name: (c.n, c.overall["hit@1"]) for name, c in made.categories.items()} == {
        "temporal": (2, 0.5),
        "uncategorized": (1, 1.0),
    }


def test_latency_is_the_median_and_the_slow_end_in_milliseconds() -> None:
    """Twenty questions took 1 to 20 ms."""
    questions = [known("tea", "a") for _ in range(20)]
    assert retrieval.report(run(questions, answering(tea="a"))).latency_ms == {
        "p50": 10.0,
        "p95": 19.0,
    }


def test_a_memory_without_a_session_is_judged_for_itself_alone() -> None:
    made = retrieval.report(run([known("tea", "x")], answering(tea="ax")))
    assert (made.overall["mrr"], made.sessions, made.intervals["sessions"]) == (0.5, {}, {})


def test_degraded_answers_are_counted_and_explained() -> None:
    def ask(asked: LabelledQuestion, _: int) -> Answer:
        return Answer((hit("a"),), "ollama is down" if asked.text == "late" else None)

    made = retrieval.report(run([known("early", "a"), known("late", "a")], ask))
    assert (made.degraded, made.degraded_reason) == (1, "ollama is down")


def test_conversations_are_drawn_whole_where_there_are_several() -> None:
    def clusters(*names: str) -> list[str]:
        asked = [known("tea", "a", conversation=name) for name in names]
        return retrieval.clusters(run(asked, answering(tea="a")).found)

    assert clusters("x", "y", "x", "") == ["x", "y", "x", "#3"]
    assert clusters("x", "x") == clusters("", "") == ["#0", "#1"]


# --- comparing --------------------------------------------------------------------------------


def test_a_win_is_the_later_modes() -> None:
    questions = [known("one", "a"), known("two", "b"), known("odd", "c")]
    first = run(questions, answering(one="ca", two="b", odd="ac"), mode="lexical")
    second = run(questions, answering(one="a", two="b", odd="abc"), mode="auto")
    (pair,) = comparison.pairs([first, second])
    assert (pair.first, pair.second) == ("lexical", "auto")
    assert pair.overall["hit@1"] == Paired(1, 0, 2, 1.0)
    assert pair.overall["mrr"] == Paired(1, 1, 1, 1.0)
    assert pair.sessions["hit@1"] == Paired(1, 0, 2, 1.0)


# --- misses and floors ------------------------------------------------------------------------


def test_the_worst_miss_comes_first_and_a_hit_never() -> None:
    questions = [known("hit", "a"), known("late", "a"), known("lost", "a")]
    made = run(questions, answering(hit="a", late="cba", lost="cb"))
    assert [(m.question, m.rank, m.gold, m.first) for m in misses.worst(made, 5)] == [
        ("lost", None, ("a.md",), "c.md"),
        ("late", 3, ("a.md",), "c.md"),
    ]
    assert len(misses.worst(made, 1)) == 1


SAID = ["Tea?", "Oolong.", "Yes.", "The boat is red.", *["Rain."] * 12]
TALK = Library.of(
    [
        Record(f"{name}.md", "", id=name, session="may", created=f"2026-05-05T10:{n:02}:00Z")
        for n, name in enumerate("abcdefghijklmnop")
    ],
    {f"{name}.md": said for name, said in zip("abcdefghijklmnop", SAID, strict=True)}.__getitem__,
)


@pytest.mark.parametrize(
    ("question", "hits", "cause"),
    [
        ("Which tea?", "", "nothing found"),
        ("Which tea?", "d", "only a turn beside it"),
        ("Which tea?", "ghijklmnopb", "ranked low"),
        ("Which boat?", "gh", "no word in common"),
        ("Was it oolongs?", "gh", "not found"),
    ],
)
def test_a_miss_has_a_cause(question: str, hits: str, cause: str) -> None:
    """The evidence is the second turn."""
    asked = Known(LabelledQuestion(question, ("b",)), (frozenset("b"),))
    found = retrieval.ask_all([asked], answering(**{question: hits}), TALK, 20)
    (made,) = misses.by_cause(Run("lexical", 20, TALK, tuple(found)))
    assert (made.cause, made.n, made.share) == (cause, 1, 1.0)
    assert [example.question for example in made.examples] == [question]


def test_what_is_found_is_no_miss() -> None:
    assert misses.by_cause(run([known("tea", "a")], answering(tea="ba"))) == ()


def test_a_floor_is_the_least_that_holds() -> None:
    wanted = [thresholds.read("mrr=0.5"), thresholds.read(" sessions.hit@1 = 0.7")]
    assert thresholds.check(wanted, {"mrr": 0.5, "sessions.hit@1": 0.6}) == (
        Held("mrr", 0.5, 0.5, holds=True),
        Held("sessions.hit@1", 0.7, 0.6, holds=False),
    )


@pytest.mark.parametrize("text", ["mrr", "mrr=", "mrr=high"])
def test_a_floor_without_a_number_is_none(text: str) -> None:
    with pytest.raises(BadInput, match=r"recall_any@10=0\.7"):
        thresholds.read(text)


def test_a_floor_for_what_is_not_measured_names_what_is() -> None:
    with pytest.raises(BadInput, match=r"no figure 'recall@7'.*: mrr, hit@1"):
        thresholds.check([thresholds.read("recall@7=0.7")], {"mrr": 1, "hit@1": 1})


# --- charts -----------------------------------------------------------------------------------


def test_bars_are_as_long_as_their_figures() -> None:
    chart = Chart("recall", "hits", {"recall": [(1, 0.5), (10, 1.0)]})
    assert list(charts.bars(chart, plain=True)) == [
        "recall, by hits",
        f"   1  recall  {'#' * 20:<40}  0.500",
        f"  10  recall  {'#' * 40}  1.000",
    ]
    unicode = list(charts.bars(Chart("r", "hits", {"r": [(1, 0.53)]}), plain=False))
    assert unicode[1] == f"  1  r  {'█' * 21 + '▎':<40}  0.530"


def test_the_curves_are_the_figures_of_the_run() -> None:
    made = run([known("tea", "ac")], answering(tea="ba"))
    by_hits, by_tokens = charts.of_runs([made])
    assert by_hits.curves == {
        "recall_any": [(1, 0), (3, 1), (5, 1), (10, 1)],
        "recall": [(1, 0), (3, 0.5), (5, 0.5), (10, 0.5)],
    }
    assert by_tokens.curves["recall"][0] == (250, 0)
    assert by_tokens.curves["recall"][-1] == (4000, 0.5)


def test_a_comparison_has_a_curve_for_each_mode() -> None:
    runs = [run([known("tea", "a")], answering(tea="a"), mode=m) for m in ("lexical", "auto")]
    assert [list(chart.curves) for chart in charts.of_runs(runs)] == [["lexical", "auto"]] * 2


def test_the_drawing_is_whole_and_escapes_what_it_is_told() -> None:
    points = [(1, 0.0), (5, 0.5), (50, 1.0)]
    drawn = ET.fromstring(charts.svg([Chart("<recall>", "hits & co", {"a<b": points})]))  # noqa: S314  # ours
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in drawn.iter(f"{space}text")]
    assert {"<recall>", "hits & co", "a<b", "1", "5", "50"} <= set(texts)
    (line,) = drawn.iter(f"{space}polyline")
    xs, ys = zip(*(map(float, p.split(",")) for p in line.attrib["points"].split()), strict=True)
    assert xs[1] - xs[0] == xs[2] - xs[1]
    assert ys[0] > ys[1] > ys[2]


# --- in a vault -------------------------------------------------------------------------------


def test_a_vault_is_asked_through_its_own_recall_and_counts_no_use(vault: Vault) -> None:
    tea = vault.remember("Ada likes green tea.", agent="ada", session="may")
    for n in range(5):
        vault.remember(f"Filler {n} about bread.", agent="ada", session="june")
    asked = [
        LabelledQuestion("Which tea does Ada like?", (tea.id,)),
        LabelledQuestion("Which bread?", ("coffee is bad",)),
    ]
    made = evaluation_runner.ask_questions(vault, asked, Way("ada", "lexical", 10))
    report = retrieval.report(made)
    assert (report.n, report.overall["hit@1"], report.sessions["hit@1"]) == (1, 1, 1)
    assert report.degraded_reason is None
    assert [left.question for left in report.left_out] == ["Which bread?"]
    assert made.found[0].ranked[0] == tea.id
    assert usage.load(vault.path) == {}


def test_a_question_may_name_its_agent(vault: Vault) -> None:
    vault.remember("Ada likes green tea.", agent="ada")
    bobs = vault.remember("Bob likes black tea.", agent="bob")
    made = evaluation_runner.ask_questions(
        vault,
        [LabelledQuestion("Who likes tea?", ("likes black tea",), agent="bob")],
        Way(mode="lexical"),
    )
    assert made.found[0].ranked == (bobs.id,)


def test_a_vault_without_any_of_the_evidence_says_so(vault: Vault) -> None:
    vault.remember("Ada likes green tea.", agent="ada")
    with pytest.raises(BadInput, match="line 3, for one, names D1:1: no memory has this id"):
        evaluation_runner.ask_questions(
            vault, [LabelledQuestion("Tea?", ("D1:1",), line=3)], Way(mode="lexical")
        )


def test_an_unknown_agent_is_named(vault: Vault) -> None:
    vault.remember("Ada likes green tea.", agent="ada")
    with pytest.raises(BadInput, match="no agent 'eve'"):
        evaluation_runner.ask_questions(
            vault, [LabelledQuestion("Tea?", ("green tea",))], Way("eve", "lexical")
        )
