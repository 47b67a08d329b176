"""A short sample of the campaign that undoes what was done, and compares byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import undoing

pytestmark = pytest.mark.campaign


@pytest.mark.parametrize(("seed", "talk"), [(40, False), (41, True)])
def test_what_is_undone_is_as_it_was_byte_for_byte(
    tmp_path: Path,
    seed: int,
    talk: bool,  # noqa: FBT001  # a row of a table
) -> None:
    tally = undoing.campaign(tmp_path, 6, seed, talk=talk)
    assert tally.faults == []
    assert tally.undone > 0
