"""A question's dates are read however they are written, and fit the times that they mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.recall.dates import Date, named

NOW = "2026-03-11T10:00:00Z"  # a Wednesday


@pytest.mark.parametrize(
    "query",
    ["on 5 May 2026", "on May 5th, 2026", "on the 5th of May 2026", "on 2026-05-05",
     "MAY 5 2026?", "on 5 may 2026", "2026年5月5日"],
)  # fmt: skip
def test_a_day_is_read_however_it_is_written(query: str) -> None:
    assert named(query) == (Date("2026", "05", "05"),)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("in June 2026", Date("2026", "06", "")),
        ("on 3rd Sept", Date("", "09", "03")),
        ("in Dec 2025", Date("2025", "12", "")),
        ("in 2026-05", Date("2026", "05", "")),
        ("what happened in 2025", Date("2025", "", "")),
        ("what was in May", Date("", "05", "")),
        ("2025年的事", Date("2025", "", "")),
        ("6月3号", Date("", "06", "03")),
    ],
)
def test_what_a_date_leaves_open_is_empty(query: str, expected: Date) -> None:
    assert named(query) == (expected,)


@pytest.mark.parametrize(
    "query",
    ["May I ask you something", "what may he want", "the march to the sea", "a jar of marmalade",
     "who sold 2000 cakes", "how far is it", "the marathon", "4 apricots"],
)  # fmt: skip
def test_what_only_looks_like_a_date_is_none(query: str) -> None:
    assert named(query) == ()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did she say yesterday?", (Date("2026", "03", "10"),)),
        ("Was it today?", (Date("2026", "03", "11"),)),
        ("Who came last month?", (Date("2026", "02", ""),)),
        ("Who came last year?", (Date("2025", "", ""),)),
        ("昨天说了什么", (Date("2026", "03", "10"),)),
    ],
)
def test_what_is_relative_is_counted_from_now(query: str, expected: tuple[Date, ...]) -> None:
    assert named(query, NOW) == expected
    assert named(query) == ()


def test_last_week_is_its_seven_days_from_monday() -> None:
    days = [f"{d.year}-{d.month}-{d.day}" for d in named("who came last week", NOW)]
    assert (days[0], days[-1], len(days)) == ("2026-03-02", "2026-03-08", 7)


def test_a_date_named_twice_counts_once() -> None:
    assert named("on 2026-05-05, the 5th of May 2026") == (Date("2026", "05", "05"),)


@pytest.mark.parametrize(
    ("date", "created", "worth"),
    [
        (Date("2026", "05", "05"), "2026-05-05T10:00:00Z", 1.0),
        (Date("", "05", "05"), "2024-05-05T10:00:00Z", 1.0),
        (Date("2026", "05", "05"), "2026-05-06T10:00:00Z", 0.5),
        (Date("2026", "05", ""), "2026-05-06T10:00:00Z", 0.5),
        (Date("2026", "", ""), "2026-05-06T10:00:00Z", 0.25),
        (Date("2026", "05", "05"), "2025-05-05T10:00:00Z", 0.0),
        (Date("", "05", "05"), "2026-06-05T10:00:00Z", 0.0),
        (Date("2026", "", ""), "", 0.0),
        (Date("", "05", ""), "long ago", 0.0),
    ],
)
def test_the_nearer_to_the_date_the_better_it_fits(date: Date, created: str, worth: float) -> None:
    assert date.fits(created) == worth


@given(query=st.text(), now=st.text() | st.just("0001-01-01"), created=st.text())
def test_any_text_may_be_asked(query: str, now: str, created: str) -> None:
    assert all(0 <= date.fits(created) <= 1 for date in named(f"{query} last week", now))
