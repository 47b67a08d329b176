"""Item logs: only appended to, and read as they stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.storage import item_logs

LINE = st.sampled_from([b'{"log": ["a"], "item": {"n": %d}}\n' % n for n in range(5)])
LINES = st.lists(LINE, max_size=4).map(b"".join)


def test_marks_take_items_from_what_is_held_and_torn_lines_are_none() -> None:
    log = b"""{"log": ["a"], "item": {"n": 1}}
{"log": ["a"], "mark": "cleared"}
{"log": ["a"], "item": {"n": 2}}
{"log": ["a"], "item": {"n": 3}}
{"log": ["a"], "mark": "taken back"}
no json
{"log": ["a"], "item": {"n": 4}}
{"log": ["a"], "it"""
    assert item_logs.parse(log) == [{"n": 2}, {"n": 4}]


@given(names=st.lists(st.lists(st.text(max_size=8), min_size=1, max_size=3), unique_by=tuple))
def test_no_two_logs_share_a_file(names: list[list[str]]) -> None:
    paths = {item_logs.path("ada", name).casefold() for name in names}
    assert len(paths) == len(names)
    assert all(map(item_logs.is_path, paths))


@given(base=LINES, ours=LINES, theirs=LINES)
def test_what_both_sides_added_is_there_once_merged(
    base: bytes, ours: bytes, theirs: bytes
) -> None:
    merged = item_logs.merge(base, base + ours, base + theirs)
    assert merged.startswith(base + theirs)
    assert set(merged.splitlines()) == set((base + ours + theirs).splitlines())
