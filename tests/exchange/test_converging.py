"""Clones in processes of their own that sync at the same time: equal soon, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import converging

_MOST_ROUNDS = 4


@pytest.mark.long
@pytest.mark.timeout(120)
def test_clones_that_sync_at_the_same_time_are_soon_equal(tmp_path: Path) -> None:
    """The sample of `python -m tests.bench.converging`."""
    done = converging.converge(tmp_path, clones=3, memories=2)
    assert (done.lost, done.doubled, done.faults) == (0, 0, ())
    assert 0 < done.rounds <= _MOST_ROUNDS
