"""The index answers by filters and by named questions: no caller writes SQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.points import Points
from vaultmem.storage.index import Filter, Index

FILES = {
    "agents/ada/memories/20261101-100000-tea.md": (
        "type: memory\nid: 01KAFX00000000000000000001\ncreated: 2026-11-01T10:00:00Z\n"
        "source: agent\ntrust: agent\nsession: s1\ntags: [food, 100%]\n"
    ),
    "agents/ada/memories/20261102-100000-rye.md": (
        "type: memory\nid: 01KAFX00000000000000000002\ncreated: 2026-11-02T10:00:00Z\n"
        "source: agent\nsession: s1\ntags: [food]\n"
    ),
    "agents/ada/memories/20261103-100000-page.md": (
        "type: memory\nid: 01KAFX00000000000000000003\ncreated: 2026-11-03T10:00:00Z\n"
        "source: web\ntags: [1000]\n"
    ),
    "agents/bob/memories/20261104-100000-bus.md": (
        "type: memory\nid: 01KAFX00000000000000000004\ncreated: 2026-11-04T10:00:00Z\n"
        "source: agent\n"
    ),
    "agents/ada/summaries/recent-20261105-100000.md": (
        "type: summary\nid: 01KAFX00000000000000000005\ncreated: 2026-11-05T10:00:00Z\n"
        "tier: recent\ndegraded: 'model: away'\n"
        'sources: ["[[20261101-100000-tea]]"]\n'
    ),
    "agents/ada/episodes/episode-0001-told.md": (
        "type: episode\nid: 01KAFX00000000000000000006\ncreated: 2026-11-06T10:00:00Z\n"
        "session: s1\n"
    ),
    "agents/ada/episodes/episode-0002-lived.md": (
        "type: episode\nid: 01KAFX00000000000000000007\ncreated: 2026-11-07T10:00:00Z\n"
        "session: s1\noutcome: success\n"
    ),
    "topics/tea.md": "type: topic\nid: 01KAFX00000000000000000008\ncreated: 2026-11-08T10:00:00Z\n",
    "topics_old.md": "type: note\ncreated: 2026-11-09T10:00:00Z\n",
    "inbox/review/wait.md": (
        "type: memory\nid: 01KAFX00000000000000000009\ncreated: 2026-11-10T10:00:00Z\nsource: web\n"
    ),
}
TEA, RYE, PAGE, BUS, RECENT, TOLD, LIVED, TOPIC, OLD, REVIEW = FILES


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    """Open the index of a folder that has one file of each sort."""
    points = Points(tmp_path / "vault")
    for path, head in FILES.items():
        points.put(path, f"---\n{head}---\nIt is about [[tea]].\n")
    points.index.sync()
    yield points.index
    points.close()


@pytest.mark.parametrize(
    ("where", "meant"),
    [
        (Filter(), [*FILES]),
        (Filter(type="memory"), [TEA, RYE, PAGE, BUS, REVIEW]),
        (Filter(type=("topic", "note")), [TOPIC, OLD]),
        (Filter(type="memory", agent="ada"), [TEA, RYE, PAGE]),
        (Filter(agent=("", "bob"), recallable=True), [BUS, TOPIC, OLD]),
        (Filter(type="episode", session="s1"), [TOLD, LIVED]),
        (Filter(type="episode", session="s1", outcome=""), [TOLD]),
        (Filter(outcome="success"), [LIVED]),
        (Filter(tier="recent"), [RECENT]),
        (Filter(degraded=True), [RECENT]),
        (Filter(below="topics"), [TOPIC]),
        (Filter(below="agents/ada/episodes"), [TOLD, LIVED]),
        (Filter(tags=("food",)), [TEA, RYE]),
        (Filter(tags=("food", "100%")), [TEA]),
        (Filter(tags=("100_",)), []),
        (Filter(after="2026-11-02T10:00:00Z", before="2026-11-04T10:00:00Z"), [RYE, PAGE, BUS]),
        (Filter(type="memory", recallable=True, trusted=True), [TEA, RYE, BUS]),
        (Filter(below="inbox"), [REVIEW]),
        (Filter(below="topics", identified=True), [TOPIC]),
    ],
)
def test_a_filter_means_what_it_sets_and_no_more(
    index: Index, where: Filter, meant: list[str]
) -> None:
    assert [r.path for r in index.records(where)] == meant
    assert index.has(where) == bool(meant)


def test_the_newest_come_in_order_of_time(index: Index) -> None:
    found = index.records(Filter(type="memory", agent="ada"), newest=2, body=False)
    assert [(r.path, r.body) for r in found] == [(RYE, ""), (PAGE, "")]


def test_words_are_counted_no_further_than_is_asked(index: Index) -> None:
    """Short texts as four, so that many of them are soon too many."""
    mine = Filter(type="memory", agent="ada")
    texts = [record.body for record in index.records(mine)]
    words = sum(max(len(text.split()), 4) for text in texts)
    assert index.has_more_words(mine, words - 1)
    assert not index.has_more_words(mine, words)
    assert index.has_more_words(mine, 4)
    assert not index.has_more_words(Filter(type="memory", agent="nobody"), 0)


def test_nothing_is_asked_for_and_nothing_comes(index: Index) -> None:
    assert index.at([]) == index.matching() == index.citing([]) == index.linking([]) == []
    assert index.numbered([]) == {}


def test_what_leads_to_a_memory_is_found_by_its_sources_or_its_text(index: Index) -> None:
    assert [r.path for r in index.citing(["20261101-100000-tea"])] == [RECENT]
    assert [r.path for r in index.linking(["tea"])] == [*FILES]


def test_the_turns_beside_one_are_of_its_session(index: Index) -> None:
    tea, rye = index.at([TEA, RYE])
    assert index.next_turns(tea, 2) == [rye]
    assert index.next_turns(rye, 2, back=True) == [tea]
    assert index.next_turns(rye, 2) == []
