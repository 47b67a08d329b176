"""Three tries, then a rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.errors import ModelAway, OverBudget, VaultError
from vaultmem.models.providers import Reply, Request
from vaultmem.models.providers.retry import Pace, Patience, RetryingModel, gap

ASKED = Request("", "Summarize.", 9)
DONE = Reply("Herons.", "test", 3, 2)
BUSY = ModelAway("test", "is busy", retryable=True)
CLOSED = ModelAway("test", "wants a key")
TOO_LONG = ModelAway("test", "finds this too long", lasting=False)


class Scripted:
    """A Model that answers from a list; its waits take no time and are noted."""

    name, model = "test", "test-1"

    def __init__(self, *script: Reply | VaultError) -> None:
        """Answer with *script*, in order."""
        self.script = list(script)
        self.waits: list[float] = []
        self.now = 100.0
        self.patient = RetryingModel(self, Pace(self.wait, lambda: self.now, lambda: 0.0))

    def wait(self, seconds: float) -> None:
        """Note the wait and let it pass."""
        self.waits.append(seconds)
        self.now += seconds

    def complete(self, request: Request) -> Reply:
        """Answer as it is written."""
        assert request == ASKED
        said = self.script.pop(0)
        if isinstance(said, Reply):
            return said
        raise said


def test_what_passes_is_tried_three_times() -> None:
    """With growing gaps."""
    it = Scripted(BUSY, BUSY, DONE)
    assert it.patient.complete(ASKED) == DONE
    assert it.waits == [0.5, 1.0]


def test_each_wait_is_told_before_it_begins() -> None:
    """With the fault, and its seconds."""
    told: list[tuple[str, float]] = []
    it = Scripted(BUSY, DONE)
    pace = Pace(it.wait, lambda: it.now, lambda: 0.0)

    def tell(fault: ModelAway, seconds: float) -> None:
        assert not it.waits
        told.append((str(fault), seconds))

    assert Patience(pace, 0, tell=tell).ask(lambda: it.complete(ASKED)) == DONE
    assert told == [("test: is busy", 0.5)]


def test_after_three_tries_it_is_given_up() -> None:
    """With the last fault."""
    it = Scripted(BUSY, BUSY, BUSY, DONE)
    with pytest.raises(ModelAway, match="is busy"):
        it.patient.complete(ASKED)
    assert it.script == [DONE]


def test_who_was_given_up_on_is_not_asked_for_a_minute() -> None:
    """A hundred summaries do not wait a hundred times; then comes another chance."""
    it = Scripted(BUSY, BUSY, BUSY, DONE)
    for _ in range(100):
        with pytest.raises(ModelAway):
            it.patient.complete(ASKED)
    assert (len(it.script), len(it.waits)) == (1, 2)
    it.now += 20
    with pytest.raises(ModelAway) as caught:
        it.patient.complete(ASKED)
    assert str(caught.value) == "test: is busy; not asked again for 40 s"
    it.now += 40
    assert it.patient.complete(ASKED) == DONE


def test_what_stays_is_tried_once_and_rests() -> None:
    """The next would fail alike."""
    it = Scripted(CLOSED, DONE)
    for _ in range(2):
        with pytest.raises(ModelAway, match="wants a key"):
            it.patient.complete(ASKED)
    assert (it.script, it.waits) == ([DONE], [])


def test_what_lies_in_one_request_leaves_the_next_its_chance() -> None:
    """One chunk too long spoils no other."""
    it = Scripted(TOO_LONG, DONE)
    with pytest.raises(ModelAway):
        it.patient.complete(ASKED)
    assert it.patient.complete(ASKED) == DONE


def test_a_spent_budget_is_not_tried_again() -> None:
    """Nor does it make the model rest."""
    it = Scripted(OverBudget("max_llm_calls_per_hour", 9, 9), DONE)
    with pytest.raises(OverBudget):
        it.patient.complete(ASKED)
    assert it.patient.complete(ASKED) == DONE
    assert it.waits == []


@pytest.mark.parametrize(("after", "waited"), [(3.0, 3.0), (0.0, 0.0), (3600.0, 10.0)])
def test_what_the_provider_asks_for_is_waited_within_reason(after: float, waited: float) -> None:
    """Up to ten seconds."""
    it = Scripted(ModelAway("test", "later", retryable=True, after=after), DONE)
    it.patient.complete(ASKED)
    assert it.waits == [waited]


@given(st.integers(0, 50), st.none() | st.floats(0, 1e9), st.floats(0, 1))
def test_no_gap_is_longer_than_ten_seconds(
    attempt: int, after: float | None, chance: float
) -> None:
    """And none is negative."""
    assert 0 <= gap(attempt, after, chance) <= 10


def test_chance_shortens_a_gap_by_up_to_half() -> None:
    """So that those who failed together do not come back together."""
    assert [gap(1, None, chance) for chance in (0.0, 0.5, 1.0)] == [1.0, 0.75, 0.5]
