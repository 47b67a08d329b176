"""A short run of the campaign of writers beside a person's git; the whole one is in bench."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import beside_git

pytestmark = pytest.mark.campaign


def test_what_is_acknowledged_beside_a_persons_git_ends_in_head_or_is_named(tmp_path: Path) -> None:
    found = beside_git.campaign(tmp_path, memories=24, writers=3, seed=7)
    assert (found.acknowledged, found.lost, found.left) == (24, (), ())
