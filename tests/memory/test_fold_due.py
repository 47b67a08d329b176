"""Which turns are to become episodes follows from the files alone, and each is told of once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.config import Config
from vaultmem.documents import tokens
from vaultmem.memory import folding
from vaultmem.memory.folding import Folded, Held, Stretch
from vaultmem.records import Record
from vaultmem.storage.transcripts import Turn

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LONG = "word " * 12_000


def said(count: int, text: str = "Tea, please.") -> tuple[Turn, ...]:
    """Return *count* turns that say *text*."""
    return tuple(Turn("user", text, at="2026-11-20T10:00:00Z") for _ in range(count))


def held(turns: tuple[Turn, ...], *folded: tuple[int, int], over: bool = False) -> Held:
    """Return a session in which episodes tell of the ranges *folded*."""
    return Held("s", turns, tuple(Folded(*each) for each in folded), over)


def due(it: Held, strategy: str = "fold", **thresholds: int) -> list[tuple[int, int]]:
    """Return the ranges that become episodes now."""
    config = replace(Config(session_strategy=strategy), **thresholds)  # type: ignore[arg-type]
    return [(s.first, s.last) for s in folding.stretches(it, config)]


def told(number: int, first: int, last: int, **more: str) -> Record:
    """Return the episode of turns *first* to *last*."""
    return Record(
        f"agents/ada/episodes/e{number}.md", "", id=f"{number:026}", type="episode", agent="ada",
        session="s", created=f"2026-11-{number:02}T00:00:00Z", turn_start=first, turn_end=last,
        distilled=more.get("distilled", ""),
    )  # fmt: skip


def test_twenty_turns_stand_for_themselves_and_the_next_one_flushes_the_older_half() -> None:
    """The window holds twenty; at twenty-one ten of them go."""
    assert due(held(said(20))) == []
    assert due(held(said(21))) == [(1, 10)]
    assert due(held(said(30), (1, 10))) == []
    assert due(held(said(31), (1, 10))) == [(11, 20)]


def test_auto_folds_nothing_below_fifty_turns_while_a_session_lasts() -> None:
    """One compact serves a short session better; from fifty on it is folded."""
    assert due(held(said(49)), "auto") == []
    assert due(held(said(50)), "auto") != []
    assert due(held(said(500)), "compact") == []


def test_the_config_says_how_many_turns_stand_and_from_how_many_a_session_is_folded() -> None:
    """However small the window, every turn comes into one episode."""
    assert due(held(said(5)), session_window_turns=4) == [(1, 2)]
    assert due(held(said(9)), "auto", fold_from_turns=10, session_window_turns=4) == []
    assert due(held(said(10)), "auto", fold_from_turns=10, session_window_turns=4) != []
    assert due(held(said(3), over=True), session_window_turns=1) == [(1, 1), (2, 2), (3, 3)]
    assert due(held(said(4)), session_window_tokens=1) == [(1, 1), (2, 2), (3, 3)]


def test_the_rest_of_a_session_that_is_over_becomes_one_episode() -> None:
    """However little it is."""
    assert due(held(said(3), over=True), "auto") == [(1, 3)]
    assert due(held(said(49), over=True), "auto") == [(1, 49)]
    assert due(held(said(25), (1, 10), over=True)) == [(11, 25)]
    assert due(held(said(25), (1, 25), over=True)) == []


def test_a_strategy_of_compacts_folds_nothing_even_when_a_session_is_over() -> None:
    """Its turns are told of by its compact."""
    assert due(held(said(30), over=True), "compact") == []


def test_no_episode_tells_of_more_than_a_window_when_many_turns_come_at_once() -> None:
    """A thousand imported turns are cut as small as those that come one by one."""
    found = folding.stretches(held(said(1000), over=True), Config())
    assert max(len(s.turns) for s in found) <= Config().session_window_turns
    assert (found[0].first, found[-1].last) == (1, 1000)


def test_heavy_turns_are_flushed_before_there_are_twenty() -> None:
    """Thirty thousand tokens fill the window too, and no stretch of several has more."""
    assert tokens.estimate(LONG) * 3 > Config().session_window_tokens > tokens.estimate(LONG)
    assert due(held(said(4, LONG))) == [(1, 2)]
    assert due(held(said(8, LONG), over=True), "auto") == [(1, 2), (3, 4), (5, 6), (7, 8)]


def test_a_turn_that_is_too_long_by_itself_stays_whole() -> None:
    """It is an episode of its own."""
    huge = LONG * 4
    assert due(held(said(2, huge), over=True), "auto") == [(1, 1), (2, 2)]
    assert due(held(said(1, huge))) == []


def test_a_gap_is_told_of_again_and_the_newest_turns_are_left_alone() -> None:
    """Somebody deleted the episode of turns 11 to 20."""
    assert due(held(said(35), (1, 10), (21, 30))) == [(11, 20)]
    assert due(held(said(35), (11, 20)), "auto") == [(1, 10)]


def test_an_episode_may_claim_turns_that_never_were() -> None:
    """A cut transcript, or a range mended by hand, breaks nothing."""
    assert due(held(said(5), (4, 900), (0, 1), over=True)) == [(2, 3)]
    assert due(held(said(5), (9, 2), over=True)) == [(1, 5)]


BURSTS = st.one_of(
    st.tuples(st.integers(1, 60), st.just("Tea."), st.booleans()),
    st.tuples(st.integers(1, 3), st.just(LONG), st.booleans()),
)


@pytest.mark.long
@settings(max_examples=50)
@given(
    st.lists(BURSTS, min_size=1, max_size=6), st.sampled_from(["auto", "fold"]), st.integers(0, 20)
)
def test_ranges_are_contiguous_however_turns_come_and_episodes_go(
    stream: list[tuple[int, str, bool]], strategy: str, lost: int
) -> None:
    """Turns come in bursts, some very long; after each one folds; once an episode is deleted."""
    turns: tuple[Turn, ...] = ()
    kept: list[tuple[int, int]] = []
    for count, text, loses in stream:
        turns += said(count, text)
        kept = sorted([*kept, *due(held(turns, *kept), strategy)])
        if loses and kept:
            kept.pop(lost % len(kept))
    kept = sorted([*kept, *due(held(turns, *kept, over=True), strategy)])
    assert (kept[0][0], kept[-1][1]) == (1, len(turns))
    assert all(b[0] == a[1] + 1 for a, b in pairwise(kept))
    assert all(first <= last for first, last in kept)
    assert due(held(turns, *kept, over=True), strategy) == []
    assert list(folding.faults(turns, [told(n, *r) for n, r in enumerate(kept, 1)])) == []


def test_unfolded_runs_keep_their_numbers() -> None:
    """A stretch knows where it stands."""
    runs = folding.unfolded(held(said(6), (2, 3)))
    assert [(r.first, r.last) for r in runs] == [(1, 1), (4, 6)]
    assert Stretch(4, said(3)).last == 6


# --- over ---------------------------------------------------------------------------------------


def test_a_session_is_over_when_it_ended_or_was_imported() -> None:
    """Its last turn has an origin."""
    ended = (*said(2), Turn("system", "The session ended.", origin=folding.ENDED))
    assert folding.over(ended, newest=True, now=NOON)
    assert not folding.over((*ended, *said(1)), newest=True, now=NOON)
    assert not folding.over((), newest=False, now=NOON)


@pytest.mark.parametrize(("quiet", "newest", "over"), [
    (timedelta(hours=23), False, False), (timedelta(hours=24), False, True),
    (timedelta(days=9), True, False),
])  # fmt: skip
def test_a_session_is_over_after_a_quiet_day_unless_it_is_the_newest(
    quiet: timedelta,
    *,
    newest: bool,
    over: bool,
) -> None:
    """Who comes back on Monday goes on with Friday's."""
    at = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
    assert folding.over(said(2), newest=newest, now=at + quiet) is over


def test_a_turn_without_a_time_says_nothing_of_quiet() -> None:
    """Nor does a time that is none."""
    for at in ("", "yesterday"):
        assert not folding.over((Turn("user", "Tea.", at=at),), newest=False, now=NOON)


# --- ripe ---------------------------------------------------------------------------------------


def test_eight_waiting_episodes_give_their_oldest_four() -> None:
    """Seven give none, and what is distilled does not wait."""
    eight = [told(n, 1, 2) for n in range(8, 0, -1)]
    assert [e.path[-5:] for e in folding.to_distill(eight, Config())] == [
        "e1.md",
        "e2.md",
        "e3.md",
        "e4.md",
    ]
    assert folding.to_distill(eight[1:], Config()) == ()
    done = [told(n, 1, 2, distilled="2026-11-20T10:15:00Z") for n in range(9, 13)]
    assert folding.to_distill([*eight[1:], *done], Config()) == ()
    three_at_six = Config(distill_at_episodes=6, distill_episodes=3)
    assert [e.path[-5:] for e in folding.to_distill(eight, three_at_six)] == [
        "e1.md", "e2.md", "e3.md",
    ]  # fmt: skip


# --- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ranges", "code"), [
    ([(1, 4), (6, 9)], "episode-gap"), ([(2, 9)], "episode-gap"), ([(1, 4), (4, 9)],
    "episode-overlap"), ([(1, 4), (1, 4)], "episode-overlap"), ([(0, 4)], "bad-episode"),
    ([(5, 4)], "bad-episode"), ([(1, 10)], "bad-episode"),
])  # fmt: skip
def test_what_is_wrong_with_ranges_is_named(ranges: list[tuple[int, int]], code: str) -> None:
    """Gap, overlap, or no range of a session of nine turns."""
    turns, episodes = [Turn("user", "Go on.")] * 9, [told(n, *r) for n, r in enumerate(ranges, 1)]
    found = list(folding.faults(turns, episodes))
    assert [c for c, _, _ in found] == [code]


def test_turns_that_wait_for_an_episode_are_no_fault() -> None:
    """The newest stand for themselves."""
    assert list(folding.faults([Turn("user", "Go on.")] * 90, [told(1, 1, 4), told(2, 5, 9)])) == []
