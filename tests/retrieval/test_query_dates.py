"""A question's dates are read however they are written, and fit the times that they mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.retrieval.search import query_dates
from vaultmem.retrieval.search.query_dates import Date, counted, written

NOW = "2026-03-11T10:00:00Z"  # a Wednesday


def named(query: str, now: str = "") -> tuple[Date, ...]:
    return query_dates.named(query, now).dates


@pytest.mark.parametrize(
    "query",
    ["on 5 May 2026", "on May 5th, 2026", "on the 5th of May 2026", "on 2026-05-05",
     "MAY 5 2026?", "on 5 may 2026", "2026年5月5日", "2026 年 5 月 5 号", "２０２６年５月５日",
     "二〇二六年五月五日", "二零二六年五月五号", "2026년 5월 5일", "am 5. Mai 2026", "am 5.5.2026?",
     "vom 05. 05. 2026 an", "20260505", "am 05.05.26", "el 5 de mayo de 2026",
     "\u0660\u0665/\u0660\u0665/\u0662\u0660\u0662\u0666",
     "on 5/5/2026", "on 05-05-2026", "on 2026/05/05", "on 2026.5.5",
     "at 2026-05-05T10:00:00Z", "on 5/5/26", "on 5-May-2026", "on MAY. 5TH 2026"],
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
        ("十二月二十九日", Date("", "12", "29")),
        ("im Jahr 2025", Date("2025", "", "")),
        ("im Jänner", Date("", "01", "")),
        ("seit dem 3. März", Date("", "03", "03")),
        ("am 29.12. war es", Date("", "12", "29")),
        ("in 12/2023", Date("2023", "12", "")),
        ("in 2023/12", Date("2023", "12", "")),
    ],
)
def test_what_a_date_leaves_open_is_empty(query: str, expected: Date) -> None:
    assert named(query) == (expected,)


@pytest.mark.parametrize(
    "query",
    ["May I ask you something", "what may he want", "the march to the sea", "a jar of marmalade",
     "who sold 2000 cakes", "how far is it", "the marathon", "4 apricots", "version 1.2.3",
     "Python 3.10.12", "part 20261301", "order 120260505",
     "10.0.2023.1", "29.13.2023 or 32.12.2023", "2023-13-01", "2023年13月45日", "1/2 of 3/4",
     "call 555-01-2023-9", "0.0.2023", "at 192.168.10.2023", "29.02.2026", "2026-02-30",
     "on the 31st of April"],
)  # fmt: skip
def test_what_only_looks_like_a_date_is_none(query: str) -> None:
    assert named(query) == ()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("05/06/2023", {("2023", "05", "06"), ("2023", "06", "05")}),
        ("5-6-2023", {("2023", "05", "06"), ("2023", "06", "05")}),
        ("05.06.2023", {("2023", "06", "05")}),
        ("12/29/2023", {("2023", "12", "29")}),
        ("29/12/2023", {("2023", "12", "29")}),
        ("12.29.2023", {("2023", "12", "29")}),
    ],
)
def test_what_two_countries_read_apart_is_both(
    query: str, expected: set[tuple[str, str, str]]
) -> None:
    """With dots the day is first, wherever that is a day."""
    assert set(named(f"What was on {query}?")) == {Date(*each) for each in expected}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did she say yesterday?", (Date("2026", "03", "10"),)),
        ("Was it today?", (Date("2026", "03", "11"),)),
        ("Who came last month?", (Date("2026", "02", ""),)),
        ("Who came last year?", (Date("2025", "", ""),)),
        ("昨天说了什么", (Date("2026", "03", "10"),)),
        ("What was the day before yesterday?", (Date("2026", "03", "09"),)),
        ("Was war gestern?", (Date("2026", "03", "10"),)),
        ("Was war letzten Monat?", (Date("2026", "02", ""),)),
    ],
)
def test_what_is_relative_is_counted_from_now(query: str, expected: tuple[Date, ...]) -> None:
    assert named(query, NOW) == expected
    assert named(query) == ()


@pytest.mark.parametrize("query", ["the week before last", "vorletzte Woche", "上上周", "上上週"])
def test_the_week_before_last_is_no_last_week(query: str) -> None:
    days = [f"{d.year}-{d.month}-{d.day}" for d in named(query, NOW)]
    assert (days[0], days[-1], len(days)) == ("2026-02-23", "2026-03-01", 7)


def test_last_week_is_its_seven_days_from_monday() -> None:
    days = [f"{d.year}-{d.month}-{d.day}" for d in named("who came last week", NOW)]
    assert (days[0], days[-1], len(days)) == ("2026-03-02", "2026-03-08", 7)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What happened in May last year?", "2025-05-"),
        ("on the 5th of May last year", "2025-05-05"),
        ("last year in May", "2025-05-"),
        ("last May", "2025-05-"),
        ("last February", "2026-02-"),
        ("last March", "2025-03-"),
        ("this May", "2026-05-"),
        ("next February", "2027-02-"),
        ("letzten Mai", "2025-05-"),
        ("im Mai letzten Jahres", "2025-05-"),
        ("letztes Jahr im Mai", "2025-05-"),
        ("vorletztes Jahr", "2024--"),
        ("im M\u00e4rz 2023", "2023-03-"),
        ("去年五月", "2025-05-"),
        ("去年5月8号", "2025-05-08"),
        ("前年", "2024--"),
        ("上個月", "2026-02-"),
        ("上上个月", "2026-01-"),
        ("the month before last", "2026-01-"),
        ("vorletzten Monat", "2026-01-"),
        ("上周一", "2026-03-02"),
        ("上星期天", "2026-03-08"),
        ("last Monday", "2026-03-09"),
        ("letzten Mittwoch", "2026-03-04"),
        ("3 days ago", "2026-03-08"),
        ("vor drei Tagen", "2026-03-08"),
        ("三天前", "2026-03-08"),
        ("vor einem Monat", "2026-02-"),
        ("三个月前", "2025-12-"),
    ],
)
def test_months_years_and_days_are_counted_from_now(query: str, expected: str) -> None:
    assert [f"{it.year}-{it.month}-{it.day}" for it in named(query, NOW)] == [expected]


@pytest.mark.parametrize(
    "query",
    ["the last week of October 2023", "die letzte Woche im Oktober 2023",
     "letzte Oktoberwoche 2023", "2023年10月最后一周", "2023年十月的最後一週"],
)  # fmt: skip
def test_the_last_week_of_a_month_is_its_last_seven_days(query: str) -> None:
    """And not today's last week besides."""
    assert named(query, NOW) == tuple(Date("2023", "10", str(day)) for day in range(25, 32))


@pytest.mark.parametrize(
    "query",
    ["the last weekend of August 2023", "am letzten Wochenende im August 2023",
     "letztes Augustwochenende 2023", "2023年8月最后一个周末"],
)  # fmt: skip
def test_a_weekend_of_a_month_is_two_days(query: str) -> None:
    """And not today's last weekend besides; without a year it is the month."""
    assert named(query, NOW) == (Date("2023", "08", "26"), Date("2023", "08", "27"))
    assert named(query.replace("2023年", "").replace("2023", ""), NOW) == (Date("", "08", ""),)


@pytest.mark.parametrize(
    ("query", "expected"),
    [("一昨日", "2026-03-09"), ("先月", "2026-02-"), ("昨年", "2025--"), ("一昨年", "2024--")],
)
def test_japanese_days_and_months_are_counted_from_now(query: str, expected: str) -> None:
    assert [f"{it.year}-{it.month}-{it.day}" for it in named(query, NOW)] == [expected]


@pytest.mark.parametrize(
    "query", ["the weekend before last", "vorletztes Wochenende", "上上个周末"]
)
def test_the_weekend_before_last_is_not_the_last_one(query: str) -> None:
    assert [it.day for it in named(query, NOW)] == ["28", "01"]


@pytest.mark.parametrize(
    ("query", "first"),
    [("the first week of May last year", "2025-05-01"), ("上周", "2026-03-02"),
     ("上週", "2026-03-02"), ("先週", "2026-03-02"), ("two weeks ago", "2026-02-23"),
     ("letzte Woche", "2026-03-02")],
)  # fmt: skip
def test_a_week_is_seven_days(query: str, first: str) -> None:
    days = named(query, NOW)
    assert (len(days), f"{days[0].year}-{days[0].month}-{days[0].day}") == (7, first)


@pytest.mark.parametrize(
    "query", ["the last week of the holidays", "the last may fail", "\u4ee5\u524d\u7684\u4e8b"]
)
def test_what_is_not_counted_from_today_is_no_date(query: str) -> None:
    assert named(query, NOW) == ()


@given(prefix=st.text(), date=st.sampled_from(["last May", "letzten Mai", "in May last year"]))
def test_what_stands_before_a_date_does_not_change_it(prefix: str, date: str) -> None:
    """However many letters it has in lower case or once it is folded."""
    assert Date("2025", "05", "") in named(f"{prefix}. {date}", NOW)


def test_a_date_named_twice_counts_once() -> None:
    assert named("on 2026-05-05, the 5th of May 2026") == (Date("2026", "05", "05"),)


@pytest.mark.parametrize(
    ("date", "created", "worth"),
    [
        (Date("2026", "05", "05"), "2026-05-05T10:00:00Z", 1.0),
        (Date("", "05", "05"), "2024-05-05T10:00:00Z", 1.0),
        (Date("2026", "05", "05"), "2026-05-06T10:00:00Z", 0.75),
        (Date("2026", "05", "01"), "2026-04-28T10:00:00Z", 0.75),
        (Date("2025", "12", "31"), "2026-01-02T10:00:00Z", 0.75),
        (Date("2026", "05", "05"), "2026-05-09T10:00:00Z", 0.5),
        (Date("2026", "05", "05"), "2026-05", 0.5),
        (Date("2026", "02", ""), "2026", 0.0),
        (Date("", "02", "29"), "2026-02-28T10:00:00Z", 0.5),
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


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("We went there last month.", ("2026-02",)),
        ("I saw it yesterday, or was it two days ago?", ("2026-03-10", "2026-03-09")),
        ("Last year we moved, and last year we married.", ("2025",)),
        ("Wir waren letzten Monat dort.", ("2026-02",)),
        ("The first week of May is free.", ()),
        ("It is a long road.", ()),
    ],
)
def test_a_text_counts_times_from_when_it_was_said(text: str, times: tuple[str, ...]) -> None:
    assert set(counted(text, NOW)) == set(times)


@pytest.mark.parametrize(
    ("date", "time", "over"),
    [
        (Date("2026", "03", ""), "2026-04-01T10:00:00Z", True),
        (Date("2026", "03", ""), "2026-03-31T10:00:00Z", False),
        (Date("2026", "03", "30"), "2026-03-31T10:00:00Z", True),
        (Date("2026", "03", "30"), "2026-03-30T10:00:00Z", False),
        (Date("2025", "", ""), "2026-01-01T00:00:00Z", True),
        (Date("", "05", ""), "2026-03-31T10:00:00Z", True),
    ],
)
def test_a_date_is_over_when_it_has_passed(date: Date, time: str, *, over: bool) -> None:
    assert date.is_over(time) is over


ODD = st.text() | st.lists(
    st.sampled_from(
        ["\u0130", "\u0131", "\u017f", "\u212a", "ß", "ẞ", "ﬃ", "ŉ", "ΐ", "\u0301", "\ud800", "\0",
         "\u0665", "²", "½", "年", "月", "十", "五", " in may ", "MAY", "Apr\u0131l", "29.12.2023",
         "12/29/2023", "99999999999", "last ", " week of ", "last year", "去年", "上周",
         "9 days ago", "999 years ago", " vor ", "一", "前"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(query=ODD, now=st.text() | st.just("0001-01-01"), created=st.text())
def test_any_text_may_be_asked(query: str, now: str, created: str) -> None:
    assert all(0 <= date.fits(created) <= 1 for date in named(f"{query} last week", now))
    assert all(0 < len(time) <= len(NOW) for time in counted(query, created))


@pytest.mark.parametrize(
    ("query", "words", "rest"),
    [("What happened in May 2026?", "May 2026", "What happened in         ?"),
     ("What was it last May?", "", "What was it         ?"),
     ("2026年5月发生了什么", "2026年5月", "       发生了什么")],
)  # fmt: skip
def test_what_names_a_date_is_told_from_the_rest(query: str, words: str, rest: str) -> None:
    found = query_dates.named(query, NOW)
    assert (found.words, found.rest) == (words, rest)


@pytest.mark.parametrize(
    ("text", "said", "times"),
    [("The dentist is on 12 May 2026.", "2026-03-01T10:00:00Z", ("2026-05-12",)),
     ("Ruth comes on January 3rd.", "2025-12-30T10:00:00Z", ("2026-01-03",)),
     ("We met on December 30th.", "2026-01-02T10:00:00Z", ("2025-12-30",)),
     ("It may rain.", "2026-01-02T10:00:00Z", ())],
)  # fmt: skip
def test_a_text_tells_of_the_dates_that_it_writes_out(
    text: str, said: str, times: tuple[str, ...]
) -> None:
    assert written(text, said) == times


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("a year ago", [("2025", "03", ""), ("2025", "", "")]),
        ("vor zwei Jahren", [("2024", "03", ""), ("2024", "", "")]),
        ("hace tres años", [("2023", "03", ""), ("2023", "", "")]),
        ("twelve days ago", [("2026", "02", "27")]),
        ("vor zwölf Tagen", [("2026", "02", "27")]),
        ("十二天前", [("2026", "02", "27")]),
        ("3日前", [("2026", "03", "08")]),
        ("vor einem halben Jahr", [("2025", "09", "")]),
        ("mayo del año pasado", [("2025", "05", "")]),
        ("去年の五月に", [("2025", "05", "")]),
        ("Q3 2025", [("2025", "07", ""), ("2025", "08", ""), ("2025", "09", "")]),
        ("the last quarter of 2025", [("2025", "10", ""), ("2025", "11", ""), ("2025", "12", "")]),
        ("2025年第三季度", [("2025", "07", ""), ("2025", "08", ""), ("2025", "09", "")]),
        ("Sommer 2025", [("2025", "06", ""), ("2025", "07", ""), ("2025", "08", "")]),
        ("2025年夏天", [("2025", "06", ""), ("2025", "07", ""), ("2025", "08", "")]),
        ("last summer", [("2025", "06", ""), ("2025", "07", ""), ("2025", "08", "")]),
        ("end of October 2023", [("2023", "10", f"{day}") for day in range(21, 32)]),
        ("Anfang Oktober 2023", [("2023", "10", f"{day:02}") for day in range(1, 11)]),
        ("2024年2月底", [("2024", "02", f"{day}") for day in range(21, 30)]),
    ],
)
def test_a_span_of_time_is_read_as_its_days_or_months(
    query: str, expected: list[tuple[str, str, str]]
) -> None:
    assert list(named(query, NOW)) == expected


@pytest.mark.parametrize("query", ["How late may I come?", "the end may come", "who takes a fall"])
def test_what_only_sounds_like_a_part_of_a_year_is_none(query: str) -> None:
    assert named(query, NOW) == ()
