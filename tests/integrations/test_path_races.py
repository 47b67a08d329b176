"""A sample of the race for paths: `python -m tests.bench.racing` is the whole of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.campaign

_TOP = Path(__file__).parents[2]


def raced(*args: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "tests.bench.racing", "--calls", "80", *args]
    return subprocess.run(argv, cwd=_TOP, capture_output=True, text=True, check=False)


def test_no_swap_of_a_name_for_a_link_leads_out_of_the_vault() -> None:
    """Some thousand swaps while agents read and write."""
    done = raced("--swaps", "2000")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 escapes" in done.stdout


def test_a_program_that_follows_links_is_found_out() -> None:
    """The proof is worth something: it sees each byte outside that is looked at."""
    done = raced("--swaps", "2000", "--follow")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "opened outside" in done.stdout
