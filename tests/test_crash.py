"""A sample of the crash campaign: kills, power losses, refusals, and every mutant.

`python tests/crash/campaign.py all` is the whole of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.crash import campaign, mutants
from tests.crash.campaign import Bench, Row

_SEED = 20261120
_PLAIN = (
    "remember without git",
    "import without git",
    "compact without git",
    "turns without git",
    "create, update, delete without git",
)
_WITH_GIT = (
    "remember beside a person's edits",
    "compact --force",
    "undo a compaction",
    "undo a remember",
    "tick after a person's edits",
    "turns",
    "create, update, delete",
)
_INIT = ("init", "init without git", "init beside a person's files")


@pytest.fixture
def place() -> Iterator[Bench]:
    """Yield a bench with a fixed seed."""
    with campaign.bench(_SEED) as made:
        yield made


def _wrong(rows: Sequence[Row]) -> list[str]:
    return list(campaign.faults(rows))


def test_kills_without_git_leave_every_vault_whole(place: Bench) -> None:
    """A hundred kills of vaults that have no repository."""
    assert _wrong(campaign.kill(place, 100, _PLAIN)) == []


def test_kills_with_git_leave_vault_and_history_whole(place: Bench) -> None:
    """Sixty kills beside a person's staged and unstaged work."""
    assert _wrong(campaign.kill(place, 60, _WITH_GIT)) == []


def test_kills_of_init_leave_a_vault_or_none(place: Bench) -> None:
    """Thirty kills while a folder becomes a vault."""
    assert _wrong(campaign.kill(place, 30, _INIT)) == []


def test_kills_of_long_work_leave_every_vault_whole(place: Bench) -> None:
    """Ten kills of the 129th memory with its compaction, and of a long import."""
    assert _wrong(campaign.kill(place, 10, ("remember the 129th", "import 150"))) == []


def test_power_loss_leaves_every_vault_whole(place: Bench) -> None:
    """Three hundred states that a disk may be in after the power went."""
    assert _wrong(campaign.cut(place, 300, _PLAIN)) == []


def test_an_fsync_that_failed_is_never_trusted(place: Bench) -> None:
    """After an EIO nothing is promised, and the vault is whole once it is repaired."""
    assert _wrong([campaign.failed_fsyncs(place, 6)]) == []


def test_every_mutant_of_the_protocol_is_caught(place: Bench) -> None:
    """The proof is worth something: it finds what is broken on purpose."""
    caught = campaign.caught(place, 14)
    assert len(caught) == len(mutants.MUTANTS) + 3
    assert [name for name, (bad, _) in caught.items() if not bad] == []


def test_a_disk_that_refuses_gets_a_typed_answer(place: Bench) -> None:
    """Sixty errors of the disk: each is a VaultError, and trying again succeeds."""
    answers = campaign.refuse(place, 60, (*_PLAIN, "compact --force"))
    assert _wrong([a.row for a in answers]) == []
    assert [where for a in answers for where in a.untyped] == []
