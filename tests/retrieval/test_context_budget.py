"""How a budget is divided: by what is asked, within bounds, and nothing is left that is needed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.retrieval.context.budget import (
    BASE,
    Needs,
    Shares,
    Stated,
    allocate,
    complexity,
    knowledge,
    length,
    rooms,
    shares,
)
from vaultmem.retrieval.context.lookup import worth

NEED = st.floats(0, 1)
NEEDS = st.builds(Needs, NEED, NEED, NEED)


def test_middling_needs_give_the_base() -> None:
    got = shares(Needs())
    assert (got.system, got.memory, got.history, got.reserve) == pytest.approx((0.1, 0.6, 0.2, 0.1))
    assert BASE.system + BASE.memory + BASE.history + BASE.reserve == pytest.approx(1)


@given(NEEDS)
def test_shares_sum_to_one_within_their_bounds(needs: Needs) -> None:
    got = shares(needs)
    assert got.system + got.memory + got.history + got.reserve == pytest.approx(1)
    assert 0.06 <= got.system <= 0.19
    assert 0.35 <= got.memory <= 0.79
    assert 0.07 <= got.history <= 0.41
    assert 0.03 <= got.reserve <= 0.24


@given(NEED, NEED, NEED, NEED)
def test_a_greater_need_never_lowers_its_share(a: float, b: float, x: float, y: float) -> None:
    less, more = sorted((a, b))
    assert shares(Needs(less, x, y)).memory <= shares(Needs(more, x, y)).memory + 1e-9
    assert shares(Needs(x, less, y)).history <= shares(Needs(x, more, y)).history + 1e-9
    assert shares(Needs(x, y, less)).reserve <= shares(Needs(x, y, more)).reserve + 1e-9


@pytest.mark.parametrize(
    ("stated", "memory"),
    [
        (Stated(complexity=0.0), 0.3), (Stated(complexity=0.6), 0.6),
        (Stated(complexity=1.0), 0.8), (Stated(knowledge=False), 0.3),
        (Stated(0.0, knowledge=True), 0.6), (Stated(1.0, knowledge=False), 0.4),
    ],
)  # fmt: skip
def test_what_a_caller_says_of_its_task_decides_memory_s_share(
    stated: Stated, memory: float
) -> None:
    got = allocate(Needs(), stated)
    assert got.memory == pytest.approx(memory)
    assert got.system + got.memory + got.history + got.reserve == pytest.approx(1)
    assert got.history / got.system == pytest.approx(BASE.history / BASE.system)


def test_the_config_moves_the_base() -> None:
    mine = Shares(system=0.1, memory=0.5, history=0.3, reserve=0.1)
    got = shares(Needs(), mine)
    assert (got.system, got.memory, got.history) == pytest.approx((0.1, 0.5, 0.3))
    assert allocate(Needs(), Stated(complexity=1.0), mine).memory == pytest.approx(2 / 3)


# --- what is asked --------------------------------------------------------------------------------


def test_a_question_about_somebody_needs_more_than_a_greeting() -> None:
    asked = [
        "hello there",
        "what is the plan",
        "what did Melanie plan",
        "do you remember what Melanie planned",
    ]
    needs = [knowledge(query, ()) for query in asked]
    assert needs == sorted(set(needs))
    assert knowledge("你还记得小梅喜欢什么吗", ()) > knowledge("你好", ())


def test_a_best_hit_that_stands_out_says_that_memory_knows() -> None:
    query = "what did Melanie plan"
    assert knowledge(query, (1.0, 0.2, 0.1)) > knowledge(query, (1.0, 0.9, 0.9))
    assert knowledge(query, (1.0, 0.9, 0.9)) > knowledge(query, ())


@given(st.text(max_size=200), st.lists(st.floats(-1, 3), max_size=9))
def test_needs_stay_between_nothing_and_one(query: str, scores: list[float]) -> None:
    assert 0 <= knowledge(query, scores) <= 1 + 1e-9
    assert 0 <= complexity(query) < 1


def test_clauses_lists_code_and_questions_make_a_task_complex() -> None:
    short = complexity("Write a poem.")
    assert short < complexity("Write a poem, then translate it, and explain why, if you can.")
    assert short < complexity("Do this:\n- write a poem\n- translate it\n- explain it")
    assert short < complexity("Why does this fail?\n```\nfor x in y: print(x)\n```")
    assert short < complexity("Who was it? When? And where did they go?")
    assert complexity("写诗") < complexity("先写一首诗、然后翻译、而且解释为什么、如果可以的话。")


@pytest.mark.parametrize("run", ["1234567890", "\n", "f(", "; "])
def test_a_long_run_of_the_same_is_judged_in_no_time(run: str) -> None:
    assert 0 <= complexity(run * 200_000) <= 1


def test_a_longer_conversation_needs_more_history() -> None:
    assert length(5, 64, 64) < length(20, 64, 64) < length(200, 64, 64) < 1
    assert length(20, 0, 64) == 0.5
    assert (length(0, 0, 64), length(0, 32, 64), length(0, 64, 64)) == (0, 0.25, 0.5)


# --- rooms ----------------------------------------------------------------------------------------


def test_what_one_part_does_not_need_goes_to_the_other() -> None:
    halves = {"a": 1.0, "b": 1.0}
    assert rooms(100, {"a": 10, "b": 500}, halves) == {"a": 10, "b": 90}
    assert rooms(100, {"a": 500, "b": 500}, halves) == {"a": 50, "b": 50}
    assert rooms(100, {"a": 10, "b": 20}, halves) == {"a": 10, "b": 20}
    assert rooms(-5, {"a": 10, "b": 20}, halves) == {"a": 0, "b": 0}


@given(
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(0, 9000), st.floats(0.01, 1)), min_size=1, max_size=5),
)
def test_rooms_keep_the_total_and_waste_nothing(total: int, parts: list[tuple[int, float]]) -> None:
    wanted = {str(n): want for n, (want, _) in enumerate(parts)}
    given_rooms = rooms(total, wanted, {str(n): weight for n, (_, weight) in enumerate(parts)})
    assert all(0 <= given_rooms[p] <= wanted[p] for p in wanted)
    left = min(total, sum(wanted.values())) - sum(given_rooms.values())
    assert 0 <= left <= len(parts)  # each is rounded down


# --- how many hits --------------------------------------------------------------------------------


def test_hits_are_taken_while_they_score_like_the_best() -> None:
    assert worth((2.0, 1.9, 1.5, 1.2, 0.9, 0.6)) == 4
    assert worth((1.0,) * 50) == 50


def test_hits_below_a_wide_gap_are_left() -> None:
    assert worth((2.0, 1.0, 0.99, 0.98)) == 1
    assert worth((2.0, 1.9, 0.95, 0.9)) == 2


@given(st.lists(st.floats(-2, 5), max_size=30))
def test_the_best_hit_is_always_worth_its_room(scores: list[float]) -> None:
    ranked = sorted(scores, reverse=True)
    assert min(len(ranked), 1) <= worth(ranked) <= len(ranked)
