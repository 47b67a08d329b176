"""Calls an hour, tokens a day: never more than that, whoever asks and whatever the clock does."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import Clock
from tests.forked import at_once
from vaultmem.documents import tokens
from vaultmem.errors import DiskRefused, ModelAway, OverBudget
from vaultmem.models.providers import Reply, Request
from vaultmem.models.providers.budget import FILE, Budgeted, Limits, Spent, cost, spent

ASKED = Request("", "", 100)
PLENTY = 10**9


class Counted:
    """A Model that counts its calls and answers for 30 tokens, or fails as it is told."""

    name, model = "test", "test-1"

    def __init__(self, fault: BaseException | None = None) -> None:
        """Fail with *fault*."""
        self.calls, self.fault = 0, fault

    def complete(self, request: Request) -> Reply:  # noqa: ARG002  # the protocol has it
        """Answer."""
        self.calls += 1
        if self.fault:
            raise self.fault
        return Reply("Herons.", "test-1", 10, 20)


@pytest.fixture
def limited(tmp_path: Path, clock: Clock) -> Callable[..., Budgeted]:
    """Return what limits a model."""

    def limit(calls: int, tokens: int = PLENTY, inner: Counted | None = None) -> Budgeted:
        return Budgeted(inner or Counted(), tmp_path, clock, Limits(calls, tokens))

    return limit


Limit = Callable[..., Budgeted]


def calls_until_over(model: Budgeted, most: int = 50) -> int:
    """Return how many calls *model* takes before it is over its budget."""
    for n in range(most):
        try:
            model.complete(ASKED)
        except OverBudget:
            return n
    return most


def test_an_hour_sees_so_many_calls(limited: Limit, clock: Clock) -> None:
    """And the next hour as many again."""
    model = limited(3)
    assert calls_until_over(model) == 3
    clock.advance(minutes=59)
    assert calls_until_over(model) == 0
    clock.advance(minutes=2)
    assert calls_until_over(model) == 3


def test_the_window_slides(limited: Limit, clock: Clock) -> None:
    """No hour, wherever it begins, sees more."""
    model = limited(2)
    model.complete(ASKED)
    clock.advance(minutes=40)
    model.complete(ASKED)
    clock.advance(minutes=21)
    assert calls_until_over(model) == 1


def test_a_day_sees_so_many_tokens(limited: Limit, clock: Clock) -> None:
    """What a call may cost is put aside, what it did cost is counted."""
    model = limited(PLENTY, 200)
    assert calls_until_over(model) == 4  # 30, 60, 90, 120 are spent; 120 + 100 would be too many
    clock.advance(hours=23, minutes=59)
    assert calls_until_over(model) == 0
    clock.advance(minutes=2)
    assert calls_until_over(model) == 4


@pytest.mark.parametrize(
    ("calls", "tokens", "said"),
    [
        (0, PLENTY, "max_llm_calls_per_hour is 0, 0 are spent"),
        (PLENTY, 0, "max_tokens_per_day is 0, 0 are spent"),
    ],
)
def test_nothing_means_nothing(limited: Limit, calls: int, tokens: int, said: str) -> None:
    """No call is made, and the setting is named."""
    inner = Counted()
    with pytest.raises(OverBudget) as caught:
        limited(calls, tokens, inner).complete(ASKED)
    assert (str(caught.value), inner.calls) == (said, 0)


def test_a_call_that_fails_is_a_call(limited: Limit, tmp_path: Path, clock: Clock) -> None:
    """Without tokens."""
    with pytest.raises(ModelAway):
        limited(5, inner=Counted(ModelAway("test", "is busy"))).complete(ASKED)
    assert spent(tmp_path / FILE, clock()) == Spent(1, 0)


def test_a_call_that_was_killed_cost_all_it_could(
    limited: Limit, tmp_path: Path, clock: Clock
) -> None:
    """Nobody knows better."""
    with pytest.raises(KeyboardInterrupt):
        limited(5, inner=Counted(KeyboardInterrupt())).complete(ASKED)
    assert spent(tmp_path / FILE, clock()) == Spent(1, 100)


def test_what_is_spent_is_told(limited: Limit, tmp_path: Path, clock: Clock) -> None:
    """Calls of the hour, tokens of the day; nothing where no ledger is."""
    assert spent(tmp_path / FILE, clock()) == Spent(0, 0)
    calls_until_over(limited(3))
    assert spent(tmp_path / FILE, clock()) == Spent(3, 90)
    assert spent(tmp_path / FILE, clock() + timedelta(hours=2)) == Spent(0, 90)


def test_a_call_may_cost_all_its_text_and_the_longest_answer() -> None:
    """As estimated."""
    request = Request("You keep a diary.", "Ada saw a heron.", 100, '{"type": "object"}')
    text = 'You keep a diary.Ada saw a heron.{"type": "object"}'
    assert cost(request) == tokens.estimate(text) + 100


def test_threads_share_a_budget(limited: Limit) -> None:
    """Each with a ledger of its own in hand."""
    inner = Counted()
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: calls_until_over(limited(20, inner=inner)), range(8)))
    assert (inner.calls, sum(done)) == (20, 20)


@pytest.mark.long
def test_processes_share_a_budget(tmp_path: Path) -> None:
    """The ledger is a file."""
    loaded = """
    from pathlib import Path
    from tests.conftest import Clock
    from tests.models.test_budget import *
    """
    scene = "print(calls_until_over(Budgeted(Counted(), Path(path), Clock(), Limits(20, PLENTY))))"
    told = at_once(scene, tmp_path, "1", "2", "3", imports=loaded)
    assert sum(map(int, told)) == 20


@pytest.mark.parametrize("days", [-400, -1, -0.01, 0.5, 400])
def test_a_clock_that_jumps_neither_opens_a_budget_nor_locks_it(
    limited: Limit, clock: Clock, days: float
) -> None:
    """What it took back was spent just now; an hour later all is as it was."""
    model = limited(3)
    calls_until_over(model)
    clock.advance(days=days)
    assert calls_until_over(model) == (0 if days < 0 else 3)
    clock.advance(days=-days)
    clock.advance(days=days)
    assert calls_until_over(model) == 0
    clock.advance(minutes=61)
    assert calls_until_over(model) == 3


def test_a_swinging_clock_opens_no_budget(limited: Limit, clock: Clock) -> None:
    """Back and forth by less than an hour."""
    inner = Counted()
    model = limited(3, inner=inner)
    for minutes in [-30, 30, -30, 30, -5, 5] * 5:
        calls_until_over(model)
        clock.advance(minutes=minutes)
    assert inner.calls == 3


DAMAGED = [
    b"", b"{", b"[]", b"null", b'{"minutes": []}', b'{"minutes": {"x": [1, 1]}}',
    b'{"minutes": {"1": 3}}', b'{"minutes": {"1": [-1, 0]}}', b'{"minutes": {"1": ["a", "b"]}}',
    b"\xff", b"[" * 100_000, b'{"minutes": {"1": [1.5, 2]}}',
]  # fmt: skip


@pytest.mark.parametrize("data", DAMAGED, ids=lambda data: repr(data[:30]))
def test_a_torn_ledger_counts_from_nothing(limited: Limit, tmp_path: Path, data: bytes) -> None:
    """And counts on."""
    (tmp_path / FILE).write_bytes(data)
    assert calls_until_over(limited(3)) == 3
    assert calls_until_over(limited(3)) == 0


@settings(max_examples=30)  # each writes a dozen files, durably
@given(st.binary(max_size=60) | st.from_regex(rb'\{"minutes": \{"[0-9]{1,9}": \[[0-9],.\]\}\}'))
def test_no_bytes_of_a_ledger_are_in_the_way(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """Whatever they are, no more than the limit is allowed."""
    folder = tmp_path_factory.mktemp("ledger")
    (folder / FILE).write_bytes(data)
    assert calls_until_over(Budgeted(Counted(), folder, Clock(), Limits(3, PLENTY))) <= 3


def test_a_future_in_the_ledger_locks_for_an_hour_at_most(
    limited: Limit, tmp_path: Path, clock: Clock
) -> None:
    """Somebody's clock was years ahead."""
    (tmp_path / FILE).write_text(json.dumps({"minutes": {"99999999": [3, 0]}}))
    assert calls_until_over(limited(3)) == 0
    clock.advance(minutes=61)
    assert calls_until_over(limited(3)) == 3


def test_the_ledger_is_private(limited: Limit, tmp_path: Path) -> None:
    """And nothing else is left beside it but its lock."""
    limited(3).complete(ASKED)
    assert {p.name: stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()} == {
        "spent.json": 0o600,
        "spent.lock": 0o600,
    }


def test_the_ledger_stays_small(limited: Limit, tmp_path: Path, clock: Clock) -> None:
    """A day of minutes, and no more."""
    model = limited(PLENTY)
    minutes = {str(int(clock().timestamp()) // 60 - n): [1, 1] for n in range(5000)}
    (tmp_path / FILE).write_text(json.dumps({"minutes": minutes}))
    model.complete(ASKED)
    assert len(json.loads((tmp_path / FILE).read_bytes())["minutes"]) == 1441


def test_what_cannot_be_counted_is_not_spent(tmp_path: Path, clock: Clock) -> None:
    """Without a ledger there is no call."""
    (tmp_path / "file").touch()
    inner = Counted()
    with pytest.raises(DiskRefused):
        Budgeted(inner, tmp_path / "file", clock, Limits(9, PLENTY)).complete(ASKED)
    assert inner.calls == 0


def test_a_reply_is_not_lost_for_want_of_a_ledger(tmp_path: Path, clock: Clock) -> None:
    """It was paid for; what was put aside stays so."""

    class Destroyer(Counted):
        def complete(self, request: Request) -> Reply:
            (tmp_path / "spent.lock").unlink()
            (tmp_path / "spent.lock").mkdir()
            return super().complete(request)

    model = Budgeted(Destroyer(), tmp_path, clock, Limits(9, PLENTY))
    assert model.complete(ASKED).text == "Herons."
    assert spent(tmp_path / FILE, clock()) == Spent(1, 100)


def test_no_link_is_followed(limited: Limit, tmp_path: Path) -> None:
    """A vault may be somebody else's."""
    theirs = tmp_path.parent / "theirs"
    theirs.write_text("mine")
    (tmp_path / FILE).symlink_to(theirs)
    limited(3).complete(ASKED)
    assert theirs.read_text() == "mine"
    (tmp_path / "spent.lock").unlink()
    (tmp_path / "spent.lock").symlink_to(theirs)
    with pytest.raises(DiskRefused):
        limited(3).complete(ASKED)
