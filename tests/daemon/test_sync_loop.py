"""`sync --watch`: again and again, ever later while it fails, each failure told once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from vaultmem.daemon import sync_loop
from vaultmem.errors import BadInput, Refused, Unavailable, VaultError
from vaultmem.exchange.sync import Synced, backoff

pytestmark = pytest.mark.without_history

FULL = Refused("there is no room")
AWAY = Unavailable("nobody answers")


@dataclass
class Scene:
    """Syncs that end one after the other as they are said to, and what became of them."""

    ends: Iterator[VaultError | None]
    waits: list[float] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    over: bool = False

    def sync(self) -> Synced:
        """End as it is said."""
        end = next(self.ends, KeyError)
        if end is KeyError:
            self.over = True
        elif isinstance(end, VaultError):
            raise end
        return Synced("origin", "main")

    def run(self, chance: Callable[[], float] = lambda: 1.0) -> int:
        """Sync until all that is said has happened."""
        return sync_loop.run(
            sync_loop.Rounds(
                self.sync,
                lambda: 300,
                lambda done: self.told.append(done.remote),
                self.told.append,
                self.waits.append,
                lambda: self.over,
                chance,
            )
        )


def test_a_failure_is_told_once_and_tried_again_ever_later() -> None:
    scene = Scene(iter([None, AWAY, AWAY, AWAY, FULL, None, AWAY]))
    assert scene.run() == 3
    assert scene.waits == [300, 30, 60, 120, 240, 300, 30, 300]
    assert scene.told == ["origin", str(AWAY), str(FULL), "origin", str(AWAY), "origin"]


def test_what_nothing_but_another_command_mends_ends_it() -> None:
    with pytest.raises(BadInput, match="no such remote"):
        Scene(iter([None, BadInput("no such remote")])).run()


def test_machines_that_failed_together_come_back_apart() -> None:
    """And none at once."""
    assert [backoff.after_failure(1, chance) for chance in (0, 0.5, 1)] == [15, 22.5, 30]
    assert backoff.after_failure(50, 1) == 600


def test_who_lost_more_races_waits_for_more_others() -> None:
    assert [backoff.after_race(lost, 0.5, 1) for lost in (1, 2, 3)] == [1, 2, 4]
    assert backoff.after_race(3, 0.5, 0.25) == 1
    assert backoff.after_race(50, 0.5, 1) == backoff.LONGEST_RACE
