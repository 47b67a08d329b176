"""ULIDs rise, whatever the clock, the crowd and the state file do."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.storage import ulids

NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)


def is_rising(found: list[str]) -> bool:
    """Tell whether each id is above the one before, as text, which is how they are compared."""
    return all(a < b for a, b in pairwise(found))


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return where the last id is kept."""
    return tmp_path / "last-id"


def test_ids_rise_while_the_clock_goes_back_ten_years(state: Path) -> None:
    """Order of minting is order of ids, whatever time it is said to be."""
    times = [NOW, NOW - timedelta(days=3653), NOW - timedelta(days=3653), NOW + timedelta(days=1)]
    found = [x for when in times for x in ulids.mint(state, when, 3)]
    assert is_rising(found)
    assert found[0][:10] == "01M7W77J50"


def test_ten_thousand_ids_of_one_moment_rise(state: Path) -> None:
    """A bulk import mints them all at once."""
    found = ulids.mint(state, NOW, 10_000)
    assert len(set(found)) == 10_000
    assert is_rising(found)
    assert {len(x) for x in found} == {26}
    assert is_rising([found[-1], *ulids.mint(state, NOW)])


def test_eight_processes_never_mint_one_id_twice(state: Path, tmp_path: Path) -> None:
    """Two hundred times each, side by side; what one process gets rises."""
    children = [os.fork() or _mint_and_leave(state, tmp_path / f"{n}.ids") for n in range(8)]
    assert [os.waitstatus_to_exitcode(os.waitpid(c, 0)[1]) for c in children] == [0] * 8
    found = [(tmp_path / f"{n}.ids").read_text().split() for n in range(8)]
    assert [len(x) for x in found] == [200] * 8
    assert len({x for each in found for x in each}) == 1600
    assert all(is_rising(each) for each in found)


def _mint_and_leave(state: Path, result: Path) -> int:
    try:
        result.write_text("\n".join(ulids.mint(state, NOW)[0] for _ in range(200)))
    finally:
        os._exit(0)


@pytest.mark.parametrize(
    "garbage",
    [b"", b"\0" * 26, b"U" * 26, b"Z" * 26, b"7" + b"Z" * 25, b"\xff" * 40, b"01M7W7", b"!" * 26],
)
def test_garbage_in_the_state_file_is_no_id(state: Path, garbage: bytes) -> None:
    """The floor, the highest id of the vault, guards what the file has lost."""
    (floor,) = ulids.mint(state, NOW)
    state.write_bytes(garbage)
    found = ulids.mint(state, NOW - timedelta(days=3653), 2, floor)
    assert is_rising([floor, *found])
    assert is_rising([*found, *ulids.mint(state, NOW - timedelta(days=3653))])


def test_a_lost_state_file_is_made_good_by_the_floor(state: Path) -> None:
    """Deleting the workings loses nothing."""
    (floor,) = ulids.mint(state, NOW)
    state.unlink()
    assert is_rising([floor, *ulids.mint(state, NOW - timedelta(days=1), floor=floor.lower())])


@pytest.mark.parametrize("made_up", ["7" + "Z" * 25, "Z" * 26, "U" * 26, "no id", ""])
def test_an_id_a_person_made_up_is_no_floor(state: Path, made_up: str) -> None:
    """After the last id of all there would be none, and ours would not rise from our own."""
    (first,) = ulids.mint(state, NOW)
    (second,) = ulids.mint(state, NOW - timedelta(days=1), floor=made_up)
    assert first < second < "01M8"


def test_a_note_with_the_last_id_of_all_does_not_stop_remembering(
    vault: Vault, folder: Path
) -> None:
    """Whoever can write a note must not be able to end the memory."""
    note = folder / "agents/ada/memories/odd.md"
    note.parent.mkdir(parents=True)
    note.write_text(f"---\nid: {'Z' * 26}\ntype: memory\ncreated: 2026-11-20\n---\nOdd.\n")
    assert vault.remember("Oolong in the morning.", agent="ada").id < "01M8"


def test_a_time_before_1970_is_no_error(state: Path) -> None:
    """A machine without a battery wakes up somewhere."""
    assert is_rising(ulids.mint(state, datetime(1960, 1, 1, tzinfo=UTC), 2))
