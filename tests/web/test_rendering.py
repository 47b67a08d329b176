"""From values to what a page shows: Markdown, diffs, times, drawings."""

from __future__ import annotations

import html
import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web_client import Parsed
from vaultmem.api.types import Task
from vaultmem.api.views.types import DayCount, LinkedFiles, Relation, Span
from vaultmem.storage import plan
from vaultmem.storage.plan import Change, Plan
from vaultmem.web.rendering import (
    calendars,
    dependencies,
    diffs,
    graphs,
    markdown,
    operations,
    relations,
    timelines,
    times,
)

pytestmark = pytest.mark.without_history
NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
CONTEXT = markdown.Context("notes/a.md", {"topics/tea": "topics/tea.md"}, markdown.address)


@given(st.text(alphabet="[]()<>!`*_#-|:/\\\"' \nahtjsx.&;=", max_size=80))
def test_no_markdown_becomes_anything_that_acts(text: str) -> None:
    seen = Parsed(str(markdown.html(text, CONTEXT)))
    assert (seen.loads, seen.inline) == ([], [])
    assert {*seen.tags} <= markdown._TAGS
    safe = ("http://", "https://", "mailto:", "/file/")
    assert all(link.startswith(safe) or not link for link in seen.links)


def test_each_line_of_what_was_made_asks_where_it_comes_from() -> None:
    context = markdown.Context("x.md", {}, markdown.address, lambda n: f"/why?ref=x.md:{n}", 10)
    seen = Parsed(str(markdown.html("# Tea\n\nOne.\nTwo.\n\n- three\n", context)))
    assert seen.links == ["/why?ref=x.md:12", "/why?ref=x.md:13", "/why?ref=x.md:15"]


def test_a_relative_link_leads_into_the_vault_and_never_out() -> None:
    text = "[a](../topics/tea.md) [b](../../topics/tea.md) [c](//evil.example/x.md)"
    assert markdown.linked(text, "notes/a.md") == ["topics/tea"]
    assert Parsed(str(markdown.html(text, CONTEXT))).links == ["/file/topics/tea.md", "", ""]


def test_the_words_of_a_line_that_changed_are_marked() -> None:
    change = Change("tea.md", b"Oolong at four.\nBread.\n", b"Oolong at five.\nBread.\n", "")
    (file,) = diffs.parsed(plan.diff(Plan("", "", "", (change,))))
    assert (file.path, file.verb, file.added, file.removed) == ("tea.md", "changed", 1, 1)
    shown = [(line.kind, [p.text for p in line.parts if p.changed]) for line in file.lines]
    assert shown == [
        ("place", []), ("removed", ["four"]), ("added", ["five"]), ("same", []),
    ]  # fmt: skip


def test_a_new_a_removed_and_a_moved_file_are_told_apart() -> None:
    changes = (
        Change("a.md", None, b"One.\n", ""), Change("b.md", b"Two.\n", None, ""),
        Change("c.md", b"Three.\n", None, ""), Change("d.md", None, b"Three.\n", ""),
    )  # fmt: skip
    found = diffs.parsed(plan.diff(Plan("", "", "", changes)))
    told = {(it.path, it.verb) for it in found}
    assert told == {("a.md", "new"), ("b.md", "removed"), ("c.md → d.md", "moved")}


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_diff_loses_no_line(was: str, now: str) -> None:
    lines = diffs.between("x.md", was, now)
    shown = [line for file in diffs.parsed(lines) for line in file.lines]
    came = ["".join(p.text for p in line.parts) for line in shown if line.kind == "added"]
    assert came == [line[1:] for line in lines[2:] if line.startswith("+")]


@pytest.mark.parametrize(
    ("before", "told"),
    [
        (timedelta(seconds=3), "just now"), (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=5), "5 hours ago"), (timedelta(days=3), "3 days ago"),
        (timedelta(days=40), "1 month ago"), (timedelta(days=800), "2 years ago"),
        (timedelta(days=-2), "in 2 days"),
    ],
)  # fmt: skip
def test_times_are_told_as_people_do(before: timedelta, told: str) -> None:
    assert times.ago((NOW - before).isoformat(), NOW) == told


def test_what_is_no_time_stays_what_it_is() -> None:
    assert times.ago("soon", NOW) == times.exact("soon") == times.day("soon") == "soon"


@pytest.mark.parametrize(
    ("subject", "told"),
    [
        ("remember(ada): Tea is green", "ada remembered: Tea is green"),
        ("undo: dream: 2 changes in 2 files", "Undone: Applied 2 changes in 2 files from a dream"),
        (
            "import(ada): 258 memories; compact(ada): 3 summaries",
            "Imported 258 memories for ada; wrote 3 summaries for ada",
        ),
        ("compact(ada): 64 memories into recent-000003", "Summarized 64 memories of ada's"),
        ("remember(ada): Tea; compact(ada): 3", "ada remembered: Tea; compact(ada): 3"),
        ("human: edit topics/tea.md", "Edited by hand: topics/tea.md"),
        ("human: add notes/x.md", "Added by hand: notes/x.md"),
        ("human: delete notes.md", "Deleted by hand: notes.md"),
        ("human: rename a.md to b.md", "Renamed by hand: a.md to b.md"),
        ("review: accept 2 memories", "Accepted 2 memories"),
        ("working(ada): Paint the shed", "ada updated its working memory: Paint the shed"),
        ("edit(person): topics/tea.md", "You edited topics/tea.md"),
        ("task(create): 3 Move the oven", "New task: Move the oven"),
        ("task(update): 3 in_progress", "Task 3: in progress"),
        ("Tidy up", "Tidy up"),
    ],
)
def test_an_operation_is_a_sentence(subject: str, told: str) -> None:
    assert operations.sentence(subject) == told


def test_a_calendar_of_old_talk_ends_where_it_ends() -> None:
    drawn = calendars.year([DayCount("2020-02-03", 70), DayCount("2020-02-05", 1)], NOW)
    shown = [(it.day, it.level) for it in drawn.squares if it.memories]
    assert shown == [("2020-02-03", 4), ("2020-02-05", 1)]


def test_a_timeline_draws_no_more_than_it_can_however_much_there_is() -> None:
    start = datetime(2000, 1, 1, tzinfo=UTC)
    days = [DayCount(f"{start + timedelta(days=n):%Y-%m-%d}", 11) for n in range(9000)]
    spans = [
        Span(f"s{n}.md", "summary", "recent", "t", "ada", "", days[n].day, days[n + 5].day, 64)
        for n in range(8000)
    ]
    drawn = timelines.drawn(days, spans, [], days[0].day, days[-1].day)
    assert drawn.memories == 99_000
    assert len(drawn.columns) <= 200
    (row,) = drawn.rows
    assert len(row.bars) <= 200
    assert len(row.bars) + row.more == 8000
    assert all(0 <= bar.x <= bar.x + bar.width <= 100.001 for bar in row.bars)


def test_a_file_that_names_no_time_spoils_no_timeline() -> None:
    spans = [Span("s.md", "topic", "", "t", "", "", "soon", "", 0)]
    drawn = timelines.drawn([], spans, [], "2026-11-01", "2026-11-20")
    assert drawn.rows == ()


def test_a_graph_is_drawn_alike_each_time_with_every_file_in_it() -> None:
    links = [
        LinkedFiles(f"t{n % 7}.md", "topic", "", f"m{n % 90}.md", "memory", "") for n in range(300)
    ]
    one, other = graphs.drawn(links), graphs.drawn(links)
    assert one == other
    assert {node.path for node in one.nodes} == {
        path for it in links for path in (it.path, it.source_path)
    }
    assert len({(node.x, node.y) for node in one.nodes}) == len(one.nodes)
    left, top, width, height = one.box
    assert all(left <= n.x <= left + width and top <= n.y <= top + height for n in one.nodes)


def test_a_name_in_the_graph_stands_in_lines_of_whole_words() -> None:
    title = "May to June 2023: adoption agencies, pottery"
    drawn = graphs.drawn([LinkedFiles("r.md", "summary", title, "m.md", "memory", "")])
    (label,) = [it.label for it in drawn.nodes if it.label]
    assert label == ("May to June 2023: adoption", "agencies, pottery")
    assert "…" not in graphs.svg(drawn, str)


def tasks(*edges: tuple[int, int], done: tuple[int, ...] = ()) -> dependencies.Dependencies:
    """Return the drawing of the tasks that *edges* name."""
    found = {n: Task(n, f"Task {n}") for edge in edges for n in edge}
    found |= {n: Task(n, f"Task {n}", "completed") for n in done}
    return dependencies.drawn(found, edges)


def test_what_waits_stands_to_the_right_of_what_it_waits_for() -> None:
    drawn = tasks((1, 2), (2, 3), (1, 3), done=(1,))
    left = {it.task.id: it.x for it in drawn.boxes}
    assert left[1] < left[2] < left[3]
    assert {it.task.id: it.waits for it in drawn.boxes} == {1: False, 2: False, 3: True}
    assert sorted(it.is_open for it in drawn.arrows) == [False, False, True]


def test_tasks_without_links_and_what_is_done_whole_are_not_drawn() -> None:
    assert tasks((1, 2), done=(1, 2, 3)).boxes == ()
    assert [it.task.id for it in tasks((1, 2), (4, 5), done=(1, 2)).boxes] == [4, 5]


@given(st.sets(st.tuples(st.integers(1, 12), st.integers(1, 12)), max_size=30))
def test_tasks_never_lie_on_each_other_even_where_they_wait_in_a_circle(
    edges: set[tuple[int, int]],
) -> None:
    drawn = tasks(*edges)
    named = {n for one, other in edges if one != other for n in (one, other)}
    assert {it.task.id for it in drawn.boxes} == named
    assert len({(it.x, it.y) for it in drawn.boxes}) == len(named)
    assert all(0 <= it.x < drawn.width and 0 <= it.y < drawn.height for it in drawn.boxes)


def test_people_stand_beside_those_whose_they_are_and_the_owners_own_nearest() -> None:
    known = [
        Relation("", "Mara", "friend"), Relation("Mara", "Tom", "husband"),
        Relation("Tom", "Ella", "daughter"), Relation("", "Jon", "colleague"),
    ]  # fmt: skip
    drawn = relations.drawn({"Mara": "m.md", "Jon": "j.md", "Lena": "l.md"}, known)
    middle = drawn.middle
    far = {it.name: math.dist((it.x, it.y), middle) for it in drawn.people}
    assert far["Mara"] < far["Tom"] < far["Ella"]
    assert {it.name: it.relationship for it in drawn.people} == {
        "Mara": "friend", "Tom": "", "Ella": "", "Jon": "colleague", "Lena": "",
    }  # fmt: skip
    assert [(it.one.name, it.other.name, it.label) for it in drawn.ties] == [
        ("Mara", "Tom", "husband"), ("Tom", "Ella", "daughter"),
    ]  # fmt: skip
    assert {it.name for it in drawn.people if it.path} == {"Mara", "Jon", "Lena"}


@given(st.lists(st.tuples(st.sampled_from(["", *"ABCDEFGH"]), st.sampled_from("ABCDEFGH"))))
def test_no_two_people_stand_on_one_place(pairs: list[tuple[str, str]]) -> None:
    known = [Relation(one, other, "friend") for one, other in pairs if one != other]
    drawn = relations.drawn({"A": "a.md"}, known)
    named = {"A", *(n for it in known for n in (it.one, it.other) if n)}
    assert {it.name for it in drawn.people} == named
    assert len({(it.x, it.y) for it in drawn.people}) == len(named)


def test_words_are_marked_and_everything_is_escaped() -> None:
    from vaultmem.web.rendering.templates import marked  # noqa: PLC0415

    assert marked("<b>Roasts</b> & roasting", "roast?") == (
        "&lt;b&gt;<mark>Roasts</mark>&lt;/b&gt; &amp; <mark>roasting</mark>"
    )
    assert marked("她喜欢深色烘焙", "深色") == "她喜欢<mark>深色</mark>烘焙"
    assert html.unescape(str(marked("a 'b'", ""))) == "a 'b'"
