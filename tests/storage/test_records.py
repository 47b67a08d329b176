"""Times, trust and first lines."""

from __future__ import annotations

import tracemalloc
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.errors import BadInput
from vaultmem.records import (
    TRUST,
    Record,
    compact_stamp,
    end_of,
    first_line,
    iso,
    lowest,
    moment,
    visible,
)

MOMENTS = st.datetimes(
    datetime(1, 1, 2), datetime(9999, 12, 30),  # noqa: DTZ001  # the zone comes beside it
    timezones=st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m))),
)  # fmt: skip


@given(MOMENTS)
def test_a_time_is_written_in_utc_and_read_back(when: datetime) -> None:
    """Every year has four digits, and a file's name sorts as the time does."""
    assert len(iso(when)) == len("2026-11-20T10:15:00Z")
    assert moment(iso(when)) == when.replace(microsecond=0)
    assert compact_stamp(when) == "".join(c for c in iso(when) if c not in "-:Z").replace("T", "-")


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2026-11-20", datetime(2026, 11, 20, tzinfo=UTC)),
        ("2026-11-20T10:15:00Z", datetime(2026, 11, 20, 10, 15, tzinfo=UTC)),
        (" 2026-11-20 10:15 ", datetime(2026, 11, 20, 10, 15, tzinfo=UTC)),
        ("2026-11-20T10:15:00+02:00", datetime(2026, 11, 20, 8, 15, tzinfo=UTC)),
    ],
)
def test_a_date_or_a_time_is_read(text: str, when: datetime) -> None:
    """In UTC where it names no zone."""
    assert moment(text) == when


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2026-02-30", "20.11.2026", "2026-11-20T25:00", "0001-01-01T00:00:00+14:00",
     "9999-12-31T23:59:59-14:00"],
)  # fmt: skip
def test_what_is_no_date_is_refused_with_an_example(text: str) -> None:
    """The first and the last hours of all have no time in UTC."""
    with pytest.raises(BadInput, match="is not a date: write 2026-11-20 or"):
        moment(text)


def test_a_day_ends_with_its_last_second() -> None:
    """A time is its own end."""
    assert end_of("2026-11-20") == datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC)
    assert end_of("2026-11-20T10:15:00Z") == datetime(2026, 11, 20, 10, 15, tzinfo=UTC)


@given(st.lists(st.sampled_from(TRUST), min_size=1))
def test_the_lowest_trust_is_that_of_the_worst_source(trusts: list[str]) -> None:
    """Derived text is worth no more than what it was made of."""
    assert all(TRUST.index(lowest(trusts)) <= TRUST.index(t) for t in trusts)
    assert lowest(trusts) in trusts


def test_a_trust_nobody_knows_is_the_lowest() -> None:
    """And that of nothing is the agent's own."""
    assert (lowest(["verified", "absolute"]), lowest([])) == ("untrusted", "agent")


@given(st.text(), st.integers(2, 80))
def test_a_first_line_is_one_line_and_fits(text: str, limit: int) -> None:
    """It goes into subjects and pointers, where a second line would be something else."""
    line = first_line(text, limit)
    assert len(line) <= limit
    assert line == " ".join(line.split())
    assert len(line.splitlines()) <= 1


@given(
    st.text(st.sampled_from("ab ,\n\r\t\x0b\x1c\x85\u2028\u200e\u3000é"), max_size=60),
    st.integers(1, 20),
)
def test_a_first_line_is_that_of_the_whole_text_as_it_is_shown(text: str, limit: int) -> None:
    """However little of it is looked at."""
    lines = (" ".join(line.split()) for line in visible(text).splitlines())
    whole = next(filter(None, lines), "")
    line = first_line(text, limit)
    assert line == whole if len(whole) <= limit else whole.startswith(line.removesuffix("…"))


def test_the_first_line_of_a_long_text_costs_little() -> None:
    """Each turn's stands in its commit, and a tool may give back a book."""
    book = "word " * 2_000_000
    tracemalloc.start()
    first_line(book, 160)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < len(book) // 100, "all of it was looked at"


@pytest.mark.parametrize("text", ["<private>my pin</private>", "Mara owes me money. " * 9])
def test_what_cannot_have_been_meant_as_a_date_is_not_quoted(text: str) -> None:
    """A person may have typed anything where a date belongs."""
    with pytest.raises(BadInput, match=r"^that is not a date: write 2026-11-20 or"):
        moment(text)


def test_a_first_line_is_cut_between_words() -> None:
    """With a sign that there was more."""
    assert first_line("\n  Oolong in  the morning, always\n", 24) == "Oolong in the morning…"
    assert first_line("Oolong", 6) == "Oolong"


@pytest.mark.parametrize(
    ("path", "recallable"),
    [("agents/ada/memories/x.md", True), ("notes/x.md", True), ("README.md", False),
     ("notes/README.md", True), ("inbox/review/x.md", False), ("config/profiles/x.md", False),
     ("templates/x.md", False), ("tombstones/x.md", False)],
)  # fmt: skip
def test_scaffolding_and_what_waits_are_not_recalled(path: str, recallable: bool) -> None:  # noqa: FBT001
    """Only what a person or an agent remembers is."""
    assert Record(path, "").recallable is recallable


def test_what_a_terminal_would_obey_is_written_out() -> None:
    """Escapes and turned writing, but not the line's own shape."""
    assert visible("a\x1b[2J\tb\u202ec\n") == "a\\u001b[2J\tb\\u202ec\n"
    assert visible("深色 🫖") == "深色 🫖"
