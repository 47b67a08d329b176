"""Each figure is what it is called: worked out by hand, and true of any ranking."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.evaluation import metrics
from vaultmem.evaluation.metrics import Interval, Paired, Places, places

RANKED = ("a", "b", "c", "d", "e")
REFS = st.sampled_from("abcdefghij")
RANKINGS = st.lists(REFS, unique=True)
GOLD = st.lists(st.frozensets(REFS, min_size=1, max_size=2), min_size=1, max_size=5)


def gold(*refs: str) -> list[frozenset[str]]:
    """Return pieces of evidence that one ref each holds."""
    return [frozenset({ref}) for ref in refs]


# --- by hand ----------------------------------------------------------------------------------


def test_two_of_three_pieces_are_found_at_two_and_five() -> None:
    at = places(RANKED, gold("b", "e", "z"))
    assert at == Places((2, 5), 3)
    assert [metrics.recall_any(at, k) for k in (1, 2, 5)] == [0, 1, 1]
    assert [metrics.recall_all(at, k) for k in (1, 2, 5)] == [0, 0, 0]
    assert [metrics.recall(at, k) for k in (1, 2, 5)] == pytest.approx([0, 1 / 3, 2 / 3])
    assert [metrics.reciprocal_rank(at, k) for k in (1, 2, 5)] == [0, 1 / 2, 1 / 2]
    gained = 1 / log2(3) + 1 / log2(6)
    assert metrics.ndcg(at) == pytest.approx(gained / (1 + 1 / log2(3) + 1 / log2(4)))


def test_the_ideal_gain_counts_all_evidence_found_or_not_up_to_the_cut() -> None:
    """Twelve pieces, ten of them on top: at ten nothing better is possible."""
    everything = [chr(ord("a") + n) for n in range(12)]
    assert metrics.ndcg(places(everything[:10], gold(*everything))) == pytest.approx(1)
    assert metrics.ndcg(places(everything[:1], gold("a", "b"))) == pytest.approx(
        1 / (1 + 1 / log2(3))
    )


def test_the_first_two_ranks_are_discounted_differently() -> None:
    """Some published code discounts neither."""
    first, second = (metrics.ndcg(places(r, gold("a"))) for r in (("a", "b"), ("b", "a")))
    assert [first, second] == pytest.approx([1, 1 / log2(3)])


def test_any_of_the_duplicates_is_the_piece() -> None:
    assert places(RANKED, [frozenset({"z", "d"}), frozenset({"b"})]) == Places((2, 4), 2)


def test_two_names_for_the_same_evidence_are_one_piece() -> None:
    assert places(RANKED, gold("b", "b")) == Places((2,), 1)


def test_a_question_without_evidence_has_no_score() -> None:
    with pytest.raises(ValueError, match="without evidence"):
        places(RANKED, [])


def test_what_does_not_fit_ends_the_packing() -> None:
    """Of 400, 700 and 100 tokens the third would fit a thousand, but the second ended it."""
    at = places(("a", "b", "c"), gold("a", "c"))
    assert [metrics.within(at, (400, 700, 100), b) for b in (399, 400, 1000, 1200)] == [
        0,
        0.5,
        0.5,
        1,
    ]


def test_every_figure_is_reported_down_to_its_depth() -> None:
    ten = metrics.scores(places(RANKED, gold("b")), 10)
    assert {"hit@1", "recall_any@5", "recall_any@10", "recall_all@10", "mrr", "ndcg@10"} <= set(ten)
    assert "recall_any@20" not in ten
    assert "ndcg@10" not in metrics.scores(places(RANKED, gold("b")), 5)


def test_no_figure_counts_what_stands_below_its_depth() -> None:
    assert set(metrics.scores(places(RANKED, gold("e")), 3).values()) == {0}


def test_the_mean_is_over_questions() -> None:
    assert metrics.mean([{"mrr": 1.0}, {"mrr": 0.5}]) == {"mrr": 0.75}
    assert metrics.mean([]) == {}


# --- of any ranking ---------------------------------------------------------------------------


@given(RANKINGS, GOLD, st.integers(1, 12))
def test_recall_all_is_no_more_than_recall_is_no_more_than_any(
    ranked: Sequence[str], pieces: Sequence[frozenset[str]], k: int
) -> None:
    at = places(ranked, pieces)
    assert metrics.recall_all(at, k) <= metrics.recall(at, k) <= metrics.recall_any(at, k)
    assert metrics.recall(at, k) <= metrics.recall(at, k + 1)


@given(RANKINGS, GOLD)
def test_every_figure_is_between_nothing_and_one(
    ranked: Sequence[str], pieces: Sequence[frozenset[str]]
) -> None:
    assert all(0 <= score <= 1 for score in metrics.scores(places(ranked, pieces), 50).values())


@given(st.lists(REFS, unique=True, min_size=1, max_size=8), RANKINGS)
def test_evidence_on_top_is_the_best_ranking(found: Sequence[str], rest: Sequence[str]) -> None:
    at = places([*found, *(r for r in rest if r not in found)], gold(*found))
    assert metrics.ndcg(at) == pytest.approx(1)
    assert metrics.reciprocal_rank(at, 1) == 1
    assert metrics.recall_all(at, len(found)) == 1


@given(RANKINGS, GOLD, st.lists(st.integers(0, 500), min_size=10, max_size=10))
def test_more_tokens_never_show_less(
    ranked: Sequence[str], pieces: Sequence[frozenset[str]], costs: Sequence[int]
) -> None:
    at, spent = places(ranked, pieces), costs[: len(ranked)]
    assert metrics.within(at, spent, 1000) <= metrics.within(at, spent, 2000)
    assert metrics.within(at, spent, sum(spent)) == metrics.recall(at, len(ranked))


# --- doubts -----------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_interval_around_the_mean() -> None:
    rows = [{"mrr": n % 4 / 3, "hit@1": float(n % 2)} for n in range(200)]
    each = [str(n) for n in range(200)]
    made = metrics.intervals(rows, each, seed=7)
    assert made == metrics.intervals(rows, each, seed=7)
    assert made != metrics.intervals(rows, each, seed=8)
    # 1.96 standard errors of a fair coin tossed 200 times are 0.069.
    assert made["hit@1"].low == pytest.approx(0.5 - 0.069, abs=0.02)
    assert made["hit@1"].high == pytest.approx(0.5 + 0.069, abs=0.02)


def test_questions_of_one_conversation_are_no_independent_evidence() -> None:
    """Two conversations, one all found and one not at all: the mean may be anything."""
    rows = [{"mrr": float(n < 100)} for n in range(200)]
    of = ["first" if n < 100 else "second" for n in range(200)]
    assert metrics.intervals(rows, of, seed=1)["mrr"] == Interval(0, 1)


def test_no_rows_have_no_interval() -> None:
    assert metrics.intervals([], [], seed=1) == {}


def test_what_never_varies_has_no_doubt() -> None:
    assert metrics.intervals([{"mrr": 0.5}] * 9, ["a", "b", "c"] * 3, seed=1)["mrr"] == Interval(
        0.5, 0.5
    )


def test_wins_and_losses_are_the_seconds() -> None:
    """Six wins and one loss: (1 + 7) / 128, twice."""
    first = [0, 0, 0, 0, 0, 0, 1, 1, 0]
    second = [1, 1, 1, 1, 1, 1, 0, 1, 0]
    assert metrics.paired(first, second) == Paired(6, 1, 2, 0.125)


def test_no_difference_is_no_evidence() -> None:
    assert metrics.paired([1, 0], [1, 0]) == Paired(0, 0, 2, 1.0)


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_a_split_is_as_unlikely_whoever_wins(wins: int, losses: int) -> None:
    one = metrics.paired([0] * wins + [1] * losses, [1] * wins + [0] * losses)
    other = metrics.paired([1] * wins + [0] * losses, [0] * wins + [1] * losses)
    assert 0 <= one.p == other.p <= 1
